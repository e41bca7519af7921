//! N124 and N126: what an item cost, and that it keeps it.

use super::super::super::inventory::Lot;
use super::*;

fn lots(outcome: &Outcome, name: &str, kind: &str) -> Vec<(u64, i64)> {
    let done = outcome.as_ref().unwrap_or_else(|stopped| panic!("{stopped}"));
    let stacks = done.robots[name].inventory.stacks().iter().filter(|stack| stack.kind() == kind);
    stacks.flat_map(|stack| stack.lots()).map(|lot| (lot.count, lot.value)).collect()
}

/// Ann with 100 Power and Bo with 100, holding Products made at these prices and a Box of unknown cost.
fn pair(ann: &[i64], bo: &[i64]) -> Machine {
    let mut machine = factory(&[("Ann", 100, 0, "1 Box"), ("Bo", 100, 0, "1 Box")]).to("Bo");
    for (name, values) in [("Ann", ann), ("Bo", bo)] {
        for value in values {
            let lot = Lot { count: 1, value: *value };
            machine.robots.get_mut(name).unwrap().inventory.add("Product", lot).unwrap();
        }
    }
    machine
}

#[test]
fn n124_an_item_cost_what_its_maker_paid() {
    for (efficiency, price) in [(4, 10), (3, 15)] {
        let outcome = alone(60, efficiency, "").says("PRODUCT").runs(source());
        assert_eq!(lots(&outcome, "Ann", "Product"), [(1, price)]);
        let came =
            Effect::Came { robot: "Ann".into(), kind: "Product".into(), lots: vec![Lot { count: 1, value: price }] };
        assert_eq!(outcome.unwrap().effects[1], came);
    }
    assert_eq!(lots(&alone(60, 0, "").says("BATTERY").runs(source()), "Ann", "Battery"), [(1, 50)]);
    // The value is that of the day: a virus changes what is made after it, and venting is no price.
    let dear = infected(source(), 6, "100");
    assert_eq!(lots(&alone(250, 0, "").says("BATTERY").runs(&dear), "Ann", "Battery"), [(1, 100)]);
}

#[test]
fn n124_the_oldest_product_leaves_first_and_keeps_its_value() {
    let outcome = pair(&[10, 15], &[15]).says("HANDOFF").runs(source());
    assert_eq!(lots(&outcome, "Ann", "Product"), [(1, 15)]);
    assert_eq!(lots(&outcome, "Bo", "Product"), [(1, 15), (1, 10)]);
    let done = outcome.unwrap();
    let moved = vec![Lot { count: 1, value: 10 }];
    assert_eq!(
        done.effects[..2],
        [
            Effect::Went { robot: "Ann".into(), kind: "Product".into(), lots: moved.clone() },
            Effect::Came { robot: "Bo".into(), kind: "Product".into(), lots: moved },
        ]
    );
}

#[test]
fn n126_a_product_is_worth_what_it_cost_wherever_it_is() {
    for (value, liquid) in [(15, 45), (10, 40)] {
        let mut machine = pair(&[value], &[]).says("HANDOFF");
        machine.robots.get_mut("Bo").unwrap().stats.get_mut(POWER).unwrap().value = 30;
        let done = machine.runs(source()).unwrap();
        let bo = &done.robots["Bo"];
        assert_eq!(i128::from(bo.stat(POWER).unwrap()) + bo.inventory.worth(), liquid);
    }
}

#[test]
fn an_item_is_the_same_whichever_line_stands_first() {
    let machine = pair(&[10, 15], &[]);
    for source in [
        "if (1 = 1) { inventory(other) += product_object; power(self) -= 5; inventory(self) -= product_object }",
        "if (1 = 1) { inventory(self) -= product_object; power(self) -= 5; inventory(other) += product_object }",
        "if (1 = 1) { inventory(self) -= product_object; if (2 = 2) { power(self) -= 5; inventory(other) += product_object } }",
        "inventory(self) -= product_object; if (1 = 1) { inventory(other) += product_object }",
    ] {
        let outcome = machine.runs(source);
        assert_eq!(lots(&outcome, "Bo", "Product"), [(1, 10)], "{source}");
        assert_eq!(lots(&outcome, "Ann", "Product"), [(1, 15)], "{source}");
    }
}

#[test]
fn an_item_that_is_gone_when_its_bracket_ends_does_not_come_back() {
    let source = "if (1 = 1) { inventory(self) -= product_object } \
                  if (1 = 1) { power(self) -= 7 inventory(other) += product_object }";
    assert_eq!(lots(&pair(&[10], &[]).runs(source), "Bo", "Product"), [(1, 7)]);
}

#[test]
fn of_two_items_that_are_gone_the_one_of_the_inner_bracket_comes_first() {
    let source = "if (1 = 1) { inventory(self) -= product_object if (2 = 2) { inventory(other) -= product_object \
                  inventory(self) += product_object } inventory(other) += product_object }";
    let outcome = pair(&[10], &[15]).runs(source);
    assert_eq!(lots(&outcome, "Ann", "Product"), [(1, 15)]);
    assert_eq!(lots(&outcome, "Bo", "Product"), [(1, 10)]);
}

#[test]
fn what_is_paid_counts_in_its_bracket() {
    for (source, value) in [
        // Before or after the item, in steps, and in a bracket inside.
        ("if (1=1) { power(self) -= 3 inventory(self) += product_object power(self) -= 4 }", 7),
        ("if (1=1) { if (2=2) { power(self) -= 3 } inventory(self) += product_object }", 3),
        // What comes back is no payment taken back, and what others lose is none.
        ("if (1=1) { power(self) -= 3 power(self) += 9 power(other) -= 4 inventory(self) += product_object }", 3),
        // In the bracket itself, not around it and not beside it.
        ("if (1=1) { power(self) -= 3 if (2=2) { inventory(self) += product_object } }", 0),
        ("power(self) -= 3 if (1=1) { inventory(self) += product_object }", 0),
        ("if (1=1) { power(self) -= 3 } inventory(self) += product_object", 0),
        ("power(self) -= 3 inventory(self) += product_object", 3),
        // Whatever name self goes by.
        ("loop (robots) { power(loop_robot) -= 3 inventory(loop_robot) += product_object }", 3),
    ] {
        assert_eq!(lots(&pair(&[], &[]).runs(source), "Ann", "Product"), [(1, value)], "{source}");
    }
}

#[test]
fn items_of_one_bracket_share_what_was_paid() {
    let source = "if (1=1) { power(self) -= 11 inventory(self) += 2 * product_object + gear_object }";
    let outcome = pair(&[], &[]).runs(source);
    assert_eq!(lots(&outcome, "Ann", "Product"), [(2, 4)]);
    assert_eq!(lots(&outcome, "Ann", "Gear"), [(1, 3)]);
}

#[test]
fn an_item_made_and_moved_in_one_run_has_its_price() {
    let source = "if (1=1) { power(self) -= 10 inventory(self) += gear_object } \
                  if (1=1) { inventory(self) -= gear_object inventory(other) += gear_object }";
    assert_eq!(lots(&pair(&[], &[]).runs(source), "Bo", "Gear"), [(1, 10)]);
    // Back and forth within its own bracket, too.
    let source = "if (1=1) { inventory(self) += gear_object power(self) -= 10 inventory(other) += gear_object \
                  inventory(self) -= gear_object inventory(self) += gear_object inventory(other) -= gear_object }";
    let outcome = pair(&[], &[]).runs(source);
    assert_eq!(lots(&outcome, "Ann", "Gear"), [(1, 10)]);
    assert_eq!(lots(&outcome, "Bo", "Gear"), []);
}

#[test]
fn kinds_that_no_rule_knows_come_and_go() {
    let machine = pair(&[], &[]);
    let outcome = machine.runs("inventory(self) = inventory(self) - box_object + golden_cog_object");
    assert_eq!(after(&outcome, "Ann").2, "1 Golden cog");
    assert_eq!(power_of(&machine.runs("power(self) = number_of_boxes(self) + number_of_gears(self)"), "Ann"), 1);
    let stopped = machine.runs("inventory(self) -= 2 * box_object").unwrap_err();
    assert_eq!(stopped.to_string(), "line 1, column 20: Ann: 2 Box cannot be taken from an Inventory that holds 1");
    assert_eq!(why(&machine.runs("inventory(self) += (1 - 2) * box_object")), &Why::BadCount(-1));
    assert_eq!(machine.runs("inventory(self) += 0 * box_object").unwrap().effects, []);
}
