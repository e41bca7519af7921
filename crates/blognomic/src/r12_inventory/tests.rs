//! What a field says, what it refuses, and that items keep what they cost.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Inventory {
    Inventory::parse(text).unwrap()
}

fn lots(inventory: &Inventory, kind: &str) -> Vec<(u64, i64)> {
    let stack = inventory.stack(kind).expect("it is there");
    stack.lots().iter().map(|lot| (lot.count, lot.value)).collect()
}

#[test]
fn n82_the_field_is_read_and_written_back() {
    let inventory = parse("3 Product, 1 Box, 2 Fuel");
    assert_eq!((inventory.count("Product"), inventory.count("Box"), inventory.count("Fuel")), (3, 1, 2));
    assert_eq!(inventory.to_string(), "3 Product, 1 Box, 2 Fuel");
    for (typed, written) in [
        ("", ""),
        ("  ", ""),
        (" 3   Product ,1 Box,2 Fuel ", "3 Product, 1 Box, 2 Fuel"),
        ("003 Product", "3 Product"),
        ("2 Fuel, 1 Box, 1 fuel", "3 Fuel, 1 Box"),
        ("1 Golden   Cog", "1 Golden Cog"),
        ("2 robot's cog-wheel", "2 robot's cog-wheel"),
        ("1 Hélice, 1 Type B2", "1 Hélice, 1 Type B2"),
    ] {
        assert_eq!(parse(typed).to_string(), written, "{typed}");
    }
}

#[test]
fn n82_unknown_kinds_are_kept() {
    let mut inventory = parse("2 Wibble, 1 Product");
    inventory.take("Product", 1).unwrap();
    inventory.add("Battery", Lot { count: 1, value: 50 }).unwrap();
    assert_eq!(inventory.to_string(), "2 Wibble, 1 Battery");
}

#[test]
fn n82_one_more_and_the_last() {
    let mut inventory = parse("1 Product");
    inventory.add("Product", Lot { count: 1, value: 10 }).unwrap();
    assert_eq!(inventory.to_string(), "2 Product");
    inventory.take("Product", 1).unwrap();
    inventory.take("Product", 1).unwrap();
    assert!(inventory.stacks().is_empty());
    assert_eq!(inventory.to_string(), "");
}

#[test]
fn a_kind_is_found_without_regard_to_case_and_plural() {
    let inventory = parse("3 Product, 2 Batteries, 1 Box, 1 Glass");
    for (kind, count) in
        [("product", 3), ("Products", 3), ("BATTERY", 2), ("battery", 2), ("boxes", 1), ("glass", 1), ("Glas", 0)]
    {
        assert_eq!(inventory.count(kind), count, "{kind}");
    }
    assert_eq!(parse("1 Products, 1 product").to_string(), "2 Products");
    for (many, one) in
        [("Torches", "torch"), ("Pies", "pie"), ("Lasses", "lass"), ("Dishes", "dish"), ("Quizzes", "quizz")]
    {
        assert_eq!(parse(&format!("3 {many}")).count(one), 3, "{many}");
    }
}

#[test]
fn what_does_not_parse_is_refused_in_a_sentence() {
    let refusals: Vec<String> = [
        "Product",
        "none",
        "3",
        "3 Product,",
        "3 Product,, 1 Box",
        "1,000 Product",
        "-1 Product",
        "+1 Product",
        "1.5 Product",
        "3x Product",
        "three Product",
        "0 Box",
        "1000001 Box",
        "99999999999999999999999 Box",
        "3 Product 2 Fuel",
        "3 Product and 2 Fuel",
        "1 @everyone",
        "1 <script>",
        "1 Box\u{7}",
        "٣ Product",
        "1 -",
        "1 a kind of item whose name goes on for far too long",
    ]
    .iter()
    .map(|text| format!("{text:?}: {}", Inventory::parse(text).unwrap_err()))
    .collect();
    insta::assert_snapshot!(refusals.join("\n"), @r#"
    "Product": “Product” does not begin with a count; write it like “3 Product”
    "none": “none” does not begin with a count; write it like “3 Product”
    "3": “3” says how many, but not of what; write it like “3 Product”
    "3 Product,": something is missing beside a comma; write counts and kinds, like “3 Product, 1 Box, 2 Fuel”
    "3 Product,, 1 Box": something is missing beside a comma; write counts and kinds, like “3 Product, 1 Box, 2 Fuel”
    "1,000 Product": “1” says how many, but not of what; write it like “3 Product”
    "-1 Product": “-1 Product” does not begin with a count; write it like “3 Product”
    "+1 Product": “+1 Product” does not begin with a count; write it like “3 Product”
    "1.5 Product": “1.5 Product” does not begin with a count; write it like “3 Product”
    "3x Product": “3x Product” does not begin with a count; write it like “3 Product”
    "three Product": “three Product” does not begin with a count; write it like “3 Product”
    "0 Box": “0 Box” is nothing; leave out what is not there
    "1000001 Box": “1000001 Box” is too many; an Inventory holds at most 1000000 of a kind
    "99999999999999999999999 Box": “99999999999999999999999 Box” is too many; an Inventory holds at most 1000000 of a kind
    "3 Product 2 Fuel": “Product 2 Fuel” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "3 Product and 2 Fuel": “Product and 2 Fuel” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "1 @everyone": “@everyone” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "1 <script>": “<script>” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "1 Box\u{7}": “Box�” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "٣ Product": “٣ Product” does not begin with a count; write it like “3 Product”
    "1 -": “-” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "1 a kind of item whose name goes on for far too long": “a kind of item whose name goes on for fa” cannot be a kind of item. Begin each of its words with a letter, use at most 40 characters, and put a comma before the next count
    "#);
}

#[test]
fn everything_is_bounded() {
    assert_eq!(Inventory::parse(&"1 Box, ".repeat(10_000)), Err(InventoryError::TooLong));
    let name = |index: usize| format!("1 K{}", "x".repeat(index));
    let many = |count: usize| (0..count).map(|n| format!("1 {}", letters(n))).collect::<Vec<_>>().join(", ");
    assert!(Inventory::parse(&many(KINDS_MAX_COUNT)).is_ok());
    assert_eq!(Inventory::parse(&many(KINDS_MAX_COUNT + 1)), Err(InventoryError::TooManyKinds));
    assert!(Inventory::parse(&name(KIND_MAX_CHARS - 1)).is_ok());
    assert!(matches!(Inventory::parse(&name(KIND_MAX_CHARS)), Err(InventoryError::BadKind(_))));

    let mut full = parse(&format!("{KIND_MAX_ITEMS} Fuel"));
    let before = full.clone();
    let one = Lot { count: 1, value: 0 };
    assert!(matches!(full.add("fuel", one), Err(InventoryError::TooMany(_))));
    assert!(matches!(full.add("Box", Lot { count: 1, value: -1 }), Err(InventoryError::BadValue(-1))));
    assert!(matches!(full.add("Box", Lot { count: 1, value: VALUE_MAX_COUNT + 1 }), Err(InventoryError::BadValue(_))));
    assert_eq!(full, before, "a refusal changes nothing");
}

/// A word of its own for each number.
fn letters(number: usize) -> String {
    format!("Kind {}{}q", (b'a' + (number / 26) as u8) as char, (b'a' + (number % 26) as u8) as char)
}

#[test]
fn n124_the_oldest_leave_first_with_their_value() {
    let mut inventory = Inventory::default();
    inventory.add("Product", Lot { count: 1, value: 10 }).unwrap();
    inventory.add("Product", Lot { count: 2, value: 15 }).unwrap();
    inventory.add("Battery", Lot { count: 1, value: 50 }).unwrap();
    assert_eq!(inventory.worth(), 90);

    let taken = inventory.take("product", 2).unwrap();
    assert_eq!(taken, [Lot { count: 1, value: 10 }, Lot { count: 1, value: 15 }]);
    assert_eq!(lots(&inventory, "Product"), [(1, 15)]);
    let refused = inventory.take("products", 2).unwrap_err();
    assert_eq!(refused.to_string(), "2 Product cannot be taken from an Inventory that holds 1");
    assert_eq!(inventory.worth(), 65);
}

#[test]
fn n124_a_field_typed_anew_keeps_what_stays() {
    let mut inventory = Inventory::default();
    inventory.add("Product", Lot { count: 1, value: 10 }).unwrap();
    inventory.add("Product", Lot { count: 2, value: 15 }).unwrap();
    inventory.add("Battery", Lot { count: 1, value: 50 }).unwrap();

    let fewer = inventory.retyped("1 Box, 2 products").unwrap();
    assert_eq!((fewer.to_string().as_str(), fewer.worth()), ("1 Box, 2 products", 30));
    assert_eq!(lots(&fewer, "Product"), [(2, 15)]);

    let more = inventory.retyped("5 Product, 1 Battery").unwrap();
    assert_eq!(lots(&more, "Product"), [(1, 10), (2, 15), (2, 0)]);
    assert_eq!(more.worth(), 90);
    assert_eq!(inventory.retyped(&inventory.to_string()).unwrap(), inventory);
}

/// Any Inventory that acts can lead to.
fn any_inventory() -> impl Strategy<Value = Inventory> {
    let act = (prop::sample::select(vec!["Product", "products", "Box", "Golden Cog", "Glass"]), 1..5_u64, 0..4_i64);
    prop::collection::vec((act, any::<bool>()), 0..30).prop_map(|acts| {
        let mut inventory = Inventory::default();
        for ((kind, count, value), add) in acts {
            if add {
                inventory.add(kind, Lot { count, value }).unwrap();
            } else {
                // More than there is: nothing happens.
                let _ = inventory.take(kind, count);
            }
        }
        inventory
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(inventory in any_inventory()) {
        let text = inventory.to_string();
        prop_assert_eq!(parse(&text).to_string(), text.clone());
        prop_assert_eq!(inventory.retyped(&text).unwrap(), inventory);
    }

    #[test]
    fn what_parses_is_canonical_after_one_writing(text in "[0-9]{1,3} [A-Za-z]{1,5}(, ?[0-9]{1,3} {1,2}[A-Za-z_]{1,5}){0,6}") {
        if let Ok(inventory) = Inventory::parse(&text) {
            let written = inventory.to_string();
            prop_assert_eq!(parse(&written), inventory);
        }
    }

    #[test]
    fn no_text_is_a_fault(text in any::<String>()) {
        let _ = Inventory::parse(&text);
    }

    #[test]
    fn items_and_worth_are_conserved(inventory in any_inventory(), kind in "Product|Box|Glass", count in 0..12_u64) {
        let mut rest = inventory.clone();
        match rest.take(&kind, count) {
            Ok(taken) => {
                prop_assert_eq!(taken.iter().map(|lot| lot.count).sum::<u64>(), count);
                let value: i128 = taken.iter().map(|lot| i128::from(lot.count) * i128::from(lot.value)).sum();
                prop_assert_eq!(rest.worth() + value, inventory.worth());
                prop_assert_eq!(rest.count(&kind) + count, inventory.count(&kind));
            }
            Err(_) => {
                prop_assert!(count > inventory.count(&kind));
                prop_assert_eq!(rest, inventory);
            }
        }
    }
}
