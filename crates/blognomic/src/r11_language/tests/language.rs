//! What a source may say, and the sentences for what it may not.

use super::*;

/// The value of X at the end, as the trace has it.
fn value(expression: &str) -> String {
    let machine = factory(&[("Ann", 30, 2, "2 Product"), ("Zed", 70, 6, "")]).to("Zed");
    let done = machine.runs(&format!("X = {expression}")).unwrap_or_else(|stopped| panic!("{expression}: {stopped}"));
    done.trace.lines[0].did.strip_prefix("X is ").unwrap().to_owned()
}

fn holds(condition: &str) -> bool {
    let machine = factory(&[("Ann", 30, 2, "2 Product"), ("Zed", 70, 6, "")]).to("Zed").says("Go");
    let done = machine.runs(&format!("if ({condition}) {{ power(self) = 1 }}")).unwrap();
    !done.effects.is_empty()
}

#[test]
fn arithmetic() {
    for (expression, result) in [
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("10 - 4 - 3", "3"),
        ("-3 * -2", "6"),
        ("2 - -3", "5"),
        ("- - 4", "4"),
        ("-(2 + 3)", "-5"),
        ("+7", "7"),
        ("1,000 − 1", "999"),
        ("power(self) * efficiency(other)", "180"),
        ("power(the_control_unit) + number_of_products(self)", "72"),
        ("007", "7"),
    ] {
        assert_eq!(value(expression), result, "{expression}");
    }
}

#[test]
fn conditions() {
    for (condition, answer) in [
        ("power(self) > 30", false),
        ("power(self) >= 30", true),
        ("power(self) < 30", false),
        ("power(self) <= 30", true),
        ("power(self) = 30", true),
        ("power(self) == 30", true),
        ("power(self) != 30", false),
        ("keyword = \"GO\"", true),
        ("keyword = go", true),
        ("'go' = keyword", true),
        ("keyword != STOP", true),
        ("self = the_control_unit", false),
        ("other = the_control_unit", true),
        ("self != other", true),
        ("inventory(self) contains product_object", true),
        ("inventory(self) contains \"Product\"", true),
        ("inventory(self) contains 2 * product_object", true),
        ("inventory(self) contains 3 * product_object", false),
        ("inventory(other) contains product_object", false),
        ("1 = 1 && 1 = 2", false),
        ("1 = 1 || 1 = 2", true),
        ("1 = 2 && 1 = 2 || 1 = 1", true),
        ("1 = 2 && (1 = 2 || 1 = 1)", false),
        ("1 = 1 and not 1 = 2", true),
        ("!(1 = 1) or 2 = 2", true),
        ("!!(1 = 1)", true),
        ("((((1 = 1))))", true),
    ] {
        assert_eq!(holds(condition), answer, "{condition}");
    }
}

#[test]
fn short_assignments_take_or_add_all_that_follows() {
    let machine = alone(30, 0, "3 Product");
    assert_eq!(power_of(&machine.runs("power(self) -= 10 - 4"), "Ann"), 24);
    assert_eq!(power_of(&machine.runs("power(self) += 10 - 4"), "Ann"), 36);
    let outcome = machine.runs("inventory(self) -= 2 * product_object - gear_object");
    assert_eq!(after(&outcome, "Ann").2, "1 Product, 1 Gear");
}

#[test]
fn else_and_other_branches() {
    let source = "if (power(self) > 50) { X = 1 } else if (power(self) > 20) { X = 2 } else { X = 3 } power(self) = X";
    for (power, left) in [(60, 1), (30, 2), (10, 3)] {
        assert_eq!(power_of(&alone(power, 0, "").runs(source), "Ann"), left);
    }
}

#[test]
fn loops_inside_loops_have_robots_of_their_own() {
    let source = "N = 0 loop (robots) { loop robots { N = N + 1 } power(loop_robot) += N }";
    let outcome = factory(&[("Ann", 0, 0, ""), ("Bo", 0, 0, "")]).runs(source);
    assert_eq!((power_of(&outcome, "Ann"), power_of(&outcome, "Bo")), (2, 4));
}

#[test]
fn the_empress_is_the_control_unit() {
    let source = "power(the_empress) = 5 if (the_Empress = the_control_unit) { power(the_emperor) += 1 }";
    assert_eq!(power_of(&factory(&[("Ann", 0, 0, ""), ("Zed", 0, 6, "")]).runs(source), "Zed"), 6);
}

#[test]
fn what_does_not_matter_is_not_looked_at() {
    let source = "if (keyword = \"STEAL\" && power(other) > 5) { power(self) += 5 }";
    assert!(alone(1, 0, "").runs(source).is_ok());
    assert_eq!(why(&alone(1, 0, "").says("steal").runs(source)), &Why::NoOther);
}

#[test]
fn other_stats_than_the_first_can_be_measured_and_altered() {
    let mut machine = alone(10, 0, "");
    let robot = machine.robots.remove("Ann").unwrap().with("Rust", 3, Limits::Free);
    machine.robots.insert("Ann".into(), robot);
    let outcome = machine.runs("rust(self) = rust(self) - 5 power(self) = power(self) + RUST(self)");
    assert_eq!(power_of(&outcome, "Ann"), 8);
    let stopped = machine.runs("X = 1\nglow(self) = 1").unwrap_err();
    assert_eq!(stopped.to_string(), "line 2, column 1: Ann has no glow that could be measured or altered");
    assert!(machine.runs("X = glow(self)").is_err());
}

#[test]
fn a_run_without_a_control_unit() {
    let machine = alone(10, 0, "");
    assert!(machine.runs("if (self = the_control_unit) { power(self) = 0 }").unwrap().effects.is_empty());
    assert_eq!(power_of(&machine.runs("if (self != the_control_unit) { power(self) = 0 }"), "Ann"), 0);
    assert_eq!(why(&machine.runs("power(the_control_unit) = 1")), &Why::NoControlUnit);
    // One that is deactivated is in office nowhere.
    let gone = Machine { control_unit: Some("Gone".into()), ..machine };
    assert_eq!(why(&gone.runs("power(the_control_unit) = 1")), &Why::NoControlUnit);
}

#[test]
fn an_empty_source_does_nothing() {
    for source in ["", "\n\n", "// nothing\n;;", "if (1 = 2) { }"] {
        assert_eq!(alone(500, 0, "").runs(source).unwrap().effects, [], "{source}");
    }
}

#[test]
fn a_trace_names_lines_and_values() {
    let machine = factory(&[("Ann", 130, 3, "1 Product"), ("Bo", 140, 0, "")]).says("HANDOFF").to("Bo");
    insta::assert_snapshot!(machine.runs(source()).unwrap().trace, @r#"
     4  if (efficiency(self) > 3) {
          3 > 3: no
     7  if (efficiency(self) < 4) {
          3 < 4: yes
     8  price = 15
          price is 15
    12  if (keyword = "PRODUCT" && power(self) > 50) {
          “HANDOFF” = “PRODUCT”: no
    18  if (keyword = "BATTERY" && power(self) > 50) {
          “HANDOFF” = “BATTERY”: no
    24  if (keyword = "RECHARGE" && self = the_control_unit) {
          “HANDOFF” = “RECHARGE”: no
    31  if (keyword = "HANDOFF" && inventory(self) contains product_object) {
          “HANDOFF” = “HANDOFF”, Ann has 1 Product: yes
    32  inventory(self) = inventory(self) - product_object
          Ann loses 1 Product
    33  inventory(other) = inventory(other) + product_object
          Bo gains 1 Product
    34  efficiency(self) = efficiency(self) + 1
          Ann's efficiency: 3 becomes 4
    38  if (power(self) > 100 * (1 + number_of_batteries(self))) {
          130 > 100: yes
    39  power(self) = 100 * (1 + number_of_batteries(self))
          Ann's power: 130 becomes 100
    "#);
}

#[test]
fn a_trace_ends_where_the_run_stops() {
    let gap = infected(source(), 0, "6");
    let stopped = alone(60, 5, "").says("PRODUCT").runs(&gap).unwrap_err();
    insta::assert_snapshot!(format!("{}{stopped}", stopped.trace), @r#"
      4  if (efficiency(self) > 6) {
           5 > 6: no
      7  if (efficiency(self) < 4) {
           5 < 4: no
     12  if (keyword = "PRODUCT" && power(self) > 50) {
           “PRODUCT” = “PRODUCT”, 60 > 50: yes
    line 13, column 33: nothing has set price before it is used
    "#);
}

#[test]
fn a_source_that_cannot_be_read_is_refused_with_its_place() {
    let refusals: Vec<String> = [
        "The program adds power.",
        "if (power(self) > 50 { }",
        "if (power(self) > 50) power(self) = 1",
        "if (power(self) > 50) {\n  power(self) = 1\n",
        "if (power(self) > 50) { } }",
        "if power(self) { }",
        "if (X = ) { }",
        "if (1 < 2 < 3) { }",
        "if (keyword > \"A\") { }",
        "if (self = keyword) { }",
        "if (self = 5) { }",
        "if (keyword = \"A) { }",
        "if (inventory(self) = product_object) { }",
        "if (power(self) contains product_object) { }",
        "if (inventory(self) contains 5) { }",
        "if (1 = 1 && 5) { }",
        "else { }",
        "loop (days) { }",
        "loop (robots)",
        "power(loop_robot) = 1",
        "loop (robots) { } power(loop_robot) = 1",
        "power(everyone) = 1",
        "power() = 1",
        "power(self) 5",
        "power(self) = keyword",
        "power(self) = \"much\"",
        "power(self) = power(self) / 2",
        "power(self) = 1.5",
        "power(self) = 50%",
        "power(self) = 2nd",
        "power(self) = 1 +",
        "X = Y = 5",
        "X = product_object",
        "X",
        "5 = X",
        "keyword = \"A\"",
        "self = other",
        "loop_robot = self",
        "number_of_batteries(self) = 3",
        "product_object = 1",
        "inventory(self) = product_object",
        "inventory(self) = inventory(other)",
        "inventory(self) = inventory(self) + 1",
        "inventory(self) = inventory(self) * 2",
        "inventory = 1",
        "X = inventory(self)",
        "inventory(self) += _object",
        "/* no */",
        "power(self) = 1 @everyone",
        "X = 1000000000000000000",
    ]
    .iter()
    .map(|source| format!("{}\n    {}", source.replace('\n', "⏎"), parse(source).unwrap_err()))
    .collect();
    insta::assert_snapshot!(refusals.join("\n"), @r#"
    The program adds power.
        line 1, column 23: “.” means nothing in the Master Control Program
    if (power(self) > 50 { }
        line 1, column 22: “)” is needed here, not “{”
    if (power(self) > 50) power(self) = 1
        line 1, column 23: “{” is needed here, not “power”
    if (power(self) > 50) {⏎  power(self) = 1⏎
        line 1, column 23: this { is never closed
    if (power(self) > 50) { } }
        line 1, column 27: this } closes nothing
    if power(self) { }
        line 1, column 4: a condition is needed here, like power(self) > 0, not a number
    if (X = ) { }
        line 1, column 9: a number, a name or a word is needed here, not “)”
    if (1 < 2 < 3) { }
        line 1, column 13: two things are compared at a time; write && between two comparisons
    if (keyword > "A") { }
        line 1, column 5: the keyword and a word cannot be compared by “>”
    if (self = keyword) { }
        line 1, column 5: a Robot and the keyword cannot be compared by “=”
    if (self = 5) { }
        line 1, column 5: a Robot and a number cannot be compared by “=”
    if (keyword = "A) { }
        line 1, column 15: this quotation mark is not closed on its line
    if (inventory(self) = product_object) { }
        line 1, column 5: an Inventory and an item cannot be compared by “=”
    if (power(self) contains product_object) { }
        line 1, column 5: only an Inventory contains something, not a number
    if (inventory(self) contains 5) { }
        line 1, column 30: an item is needed here, like product_object, not a number
    if (1 = 1 && 5) { }
        line 1, column 14: a condition is needed here, like power(self) > 0, not a number
    else { }
        line 1, column 1: this else has no if before it
    loop (days) { }
        line 1, column 7: robots, the one thing there is to loop over, is needed here, not “days”
    loop (robots)
        line 1, column 14: “{” is needed here, not the end of the source
    power(loop_robot) = 1
        line 1, column 7: loop_robot is known only inside the brackets of loop (robots)
    loop (robots) { } power(loop_robot) = 1
        line 1, column 25: loop_robot is known only inside the brackets of loop (robots)
    power(everyone) = 1
        line 1, column 7: a Robot (self, other, loop_robot or the_control_unit) is needed here, not “everyone”
    power() = 1
        line 1, column 7: a Robot (self, other, loop_robot or the_control_unit) is needed here, not “)”
    power(self) 5
        line 1, column 13: “=” is needed here, not “5”
    power(self) = keyword
        line 1, column 15: a number is needed here, not the keyword
    power(self) = "much"
        line 1, column 15: a number is needed here, not a word
    power(self) = power(self) / 2
        line 1, column 27: nothing is divided here; numbers are whole, with + - and *
    power(self) = 1.5
        line 1, column 15: numbers are whole here
    power(self) = 50%
        line 1, column 17: “%” means nothing in the Master Control Program
    power(self) = 2nd
        line 1, column 15: “2nd” is neither a number nor a name
    power(self) = 1 +
        line 1, column 18: a number, a name or a word is needed here, not the end of the source
    X = Y = 5
        line 1, column 7: a statement, which begins with if, loop or a name, is needed here, not “=”
    X = product_object
        line 1, column 5: a number is needed here, not an item
    X
        line 1, column 2: “=” is needed here, not the end of the source
    5 = X
        line 1, column 1: a statement, which begins with if, loop or a name, is needed here, not “5”
    keyword = "A"
        line 1, column 1: keyword cannot be set
    self = other
        line 1, column 1: self cannot be set
    loop_robot = self
        line 1, column 1: loop_robot is known only inside the brackets of loop (robots)
    number_of_batteries(self) = 3
        line 1, column 1: number_of_batteries is counted and cannot be set; add to an Inventory or take from one
    product_object = 1
        line 1, column 1: product_object cannot be set
    inventory(self) = product_object
        line 1, column 19: an Inventory is changed by what it gains and loses, like inventory(self) = inventory(self) + product_object
    inventory(self) = inventory(other)
        line 1, column 19: an Inventory is changed by what it gains and loses, like inventory(self) = inventory(self) + product_object
    inventory(self) = inventory(self) + 1
        line 1, column 37: an item is needed here, like product_object, not a number
    inventory(self) = inventory(self) * 2
        line 1, column 19: a number is needed here, not an Inventory
    inventory = 1
        line 1, column 11: “(” and a Robot, like inventory(self), is needed here, not “=”
    X = inventory(self)
        line 1, column 5: a number is needed here, not an Inventory
    inventory(self) += _object
        line 1, column 20: an item has a name, like product_object and number_of_products
    /* no */
        line 1, column 1: a comment is a line that begins with //
    power(self) = 1 @everyone
        line 1, column 17: “@” means nothing in the Master Control Program
    X = 1000000000000000000
        line 1, column 5: numbers have at most 18 digits here
    "#);
}
