//! What no source can do, however it was written.

use super::*;

#[test]
fn a_source_of_a_hundred_kilobytes_is_refused() {
    let line = "power(self) = power(self) + 1\n";
    let long = line.repeat(100_000 / line.len());
    let error = parse(&long).unwrap_err();
    assert_eq!((error.line, error.column), (1, 1));
    assert_eq!(
        error.message,
        format!("the source is longer than {SOURCE_MAX_BYTES} bytes, which is the most that is run")
    );
    let full = line.repeat(SOURCE_MAX_BYTES / line.len());
    assert!(power_of(&alone(0, 0, "").runs(&full), "Ann") > 1000);
}

#[test]
fn a_thousand_nested_blocks_are_refused() {
    let nested = |open: &str, close: &str, levels: usize| format!("{}{}", open.repeat(levels), close.repeat(levels));
    for (open, close) in [("if (1 = 1) {\n", "}"), ("loop (robots) {", "}"), ("if (1=2) {} else {", "}")] {
        let error = parse(&nested(open, close, 1000)).unwrap_err();
        let message = format!("there are more than {NESTING_MAX_LEVELS} brackets inside one another here");
        assert_eq!(error.message, message);
        assert!(parse(&nested(open, close, NESTING_MAX_LEVELS - 1)).is_ok());
    }
    assert!(parse(&format!("X = {}", nested("(", ")", 1000))).is_err());
    let deep = format!("X = {}1{}", "(".repeat(NESTING_MAX_LEVELS), ")".repeat(NESTING_MAX_LEVELS));
    assert!(alone(0, 0, "").runs(&deep).is_ok());
}

#[test]
fn what_is_long_but_not_deep_is_run() {
    let machine = alone(10, 0, "");
    for source in [
        format!("X = 1{}", " + 1".repeat(5000)),
        format!("X = 1{}", " * 1".repeat(5000)),
        format!("X = {}1", "-".repeat(5000)),
        format!("if ({}1 = 1) {{ }}", "!".repeat(5000)),
        format!("if (1 = 1{}) {{ }}", " && 1 = 1".repeat(3000)),
        format!("if (1 = 2) {{ }}{}", " else if (1 = 2) { }".repeat(1500)),
    ] {
        assert!(machine.runs(&source).is_ok(), "{}", &source[..40]);
    }
}

#[test]
fn numbers_do_not_grow_for_ever() {
    let squares = format!("X = 10{}", " X = X * X".repeat(100));
    let stopped = alone(0, 0, "").runs(&squares).unwrap_err();
    assert_eq!(stopped.why, Why::TooLarge);
    let nines = "9".repeat(NUMBER_MAX_DIGITS);
    assert!(alone(0, 0, "").runs(&format!("power(self) = {nines}")).is_ok());
    assert_eq!(why(&alone(0, 0, "").runs(&format!("X = {nines} + 1"))), &Why::TooLarge);
    assert_eq!(why(&alone(0, 0, "").runs(&format!("X = -{nines} - 1"))), &Why::TooLarge);
    // What is handed in may be anything; what is made of it may not.
    assert_eq!(why(&alone(i64::MAX, 0, "").runs("X = power(self) * power(self)")), &Why::TooLarge);
    assert_eq!(why(&alone(i64::MAX, 0, "").runs("X = -power(self) - power(self)")), &Why::TooLarge);
}

#[test]
fn runs_end() {
    let many: Vec<String> = (0..60).map(|index| format!("R{index}")).collect();
    let robots: Vec<_> = many.iter().map(|name| (name.as_str(), 0, 0, "")).collect();
    let source = format!("{} power(self) = 1 {}", "loop (robots) {".repeat(30), "}".repeat(30));
    let stopped = factory(&robots).runs(&source).unwrap_err();
    assert_eq!(stopped.why, Why::TooLong);
    assert_eq!(stopped.trace.lines.len(), TRACE_MAX_LINES);
    assert!(stopped.trace.left_out > 0);
    let ending = format!("and {} more lines\n", stopped.trace.left_out);
    assert!(stopped.trace.to_string().ends_with(&ending));
}

#[test]
fn inventories_do_not_grow_for_ever() {
    let machine = alone(0, 0, "999999 Fuel");
    assert_eq!(why(&machine.runs("inventory(self) += 1000000000 * gear_object")), &Why::TooManyItems);
    assert!(machine.runs(&format!("inventory(self) += {RUN_MAX_ITEMS} * gear_object")).is_ok());
    // Those that were there before may all move.
    assert_eq!(why(&machine.runs("inventory(self) -= 999999 * fuel_object")), &Why::TooLong);
    assert!(machine.runs("inventory(self) -= 50000 * fuel_object inventory(self) += 49000 * fuel_object").is_ok());
    assert!(matches!(why(&machine.runs("inventory(self) += 2 * fuel_object")), Why::Items { .. }));
    assert!(machine.runs("inventory(self) += fuel_object").is_ok());
    let kinds: String = (b'a'..=b'z')
        .flat_map(|a| [b'x', b'y'].map(|b| format!("inventory(self) += {}{}_object\n", a as char, b as char)))
        .collect();
    assert!(matches!(why(&machine.runs(&kinds)), Why::Items { .. }));
    let long = format!("inventory(self) += {}_object", "x".repeat(200));
    assert!(parse(&long).is_err());
}

#[test]
fn no_item_is_dearer_than_an_inventory_can_hold() {
    let nines = "9".repeat(NUMBER_MAX_DIGITS);
    let pay = format!("power(self) = {nines} power(self) = 0 ").repeat(12);
    let done = alone(0, 0, "").runs(&format!("if (1 = 1) {{ {pay} inventory(self) += gear_object }}")).unwrap();
    let Some(Effect::Came { lots, .. }) = done.effects.last() else { panic!("{:?}", done.effects) };
    assert!(Inventory::default().add("Gear", lots[0]).is_ok(), "{lots:?}");
}

#[test]
fn a_trace_line_is_short() {
    let source = format!("X = 1{}", " + 1".repeat(500));
    let done = alone(0, 0, "").runs(&source).unwrap();
    assert_eq!(done.trace.lines[0].text.chars().count(), 81);
    let source = format!("if (1 = 1{}) {{ }}", " && 1 = 1".repeat(500));
    let done = alone(0, 0, "").runs(&source).unwrap();
    assert_eq!(done.trace.lines[0].did.chars().count(), 201);
}
