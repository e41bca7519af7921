//! N69 to N79, N81, N125 and N132: the worked figures.

use super::*;

const ZED_ABE_COG: [(&str, i64, i64, &str); 3] = [("Zed", 80, 6, ""), ("Abe", 90, 0, ""), ("Cog", 10, 0, "")];

#[test]
fn the_figures_stand_in_the_order_of_the_clauses() {
    let figures: Vec<&str> = numerals(source()).into_iter().map(|range| &source()[range]).collect();
    assert_eq!(figures, ["3", "10", "4", "15", "50", "50", "50", "50", "50", "1", "100", "1", "100", "1"]);
    // The eighth is only spoken of.
    let line = source()[..numerals(source())[7].start].lines().last().unwrap();
    assert!(line.starts_with("//"), "{line}");
}

#[test]
fn its_keywords_are_listed() {
    let program = parse(source()).unwrap();
    assert_eq!(keywords(&program), ["PRODUCT", "BATTERY", "RECHARGE", "HANDOFF"]);
    assert_eq!(stats(&program).iter().map(|(stat, _)| stat.as_str()).collect::<Vec<_>>(), ["efficiency", "power"]);
}

#[test]
fn n70_each_line_sees_what_those_before_it_did() {
    let outcome = alone(10, 0, "").runs("power(self) = power(self) * 2 power(self) = power(self) + 1 X = power(self)");
    let did: Vec<_> = outcome.unwrap().trace.lines.into_iter().map(|line| line.did).collect();
    assert_eq!(did, ["Ann's power: 10 becomes 20", "Ann's power: 20 becomes 21", "X is 21"]);
}

#[test]
fn n71_a_loop_goes_by_the_alphabet_without_regard_to_case() {
    let machine =
        factory(&[("bo", 1, 0, ""), ("Cy", 2, 0, ""), ("abe", 3, 0, ""), ("Dot", 4, 0, ""), ("Éva", 5, 0, "")]);
    let done = machine.runs("loop (robots) { power(loop_robot) = 0 }").unwrap();
    let order = done.effects.iter().map(|effect| match effect {
        Effect::Stat { robot, before, .. } => (robot.as_str(), *before),
        other => panic!("{other:?}"),
    });
    assert_eq!(order.collect::<Vec<_>>(), [("abe", 3), ("bo", 1), ("Cy", 2), ("Dot", 4), ("Éva", 5)]);
}

#[test]
fn n71_other_is_another_robot_of_the_factory() {
    let machine = factory(&[("Ann", 130, 0, "1 Product"), ("Bo", 0, 0, "")]);
    let stopped = machine.clone().says("HANDOFF").runs(source()).unwrap_err();
    assert_eq!(stopped.why, Why::NoOther);
    assert!(!stopped.why.is_of_the_source());
    let at = stopped.at.expect("in the line that needs it");
    assert!(source().lines().nth(at.line as usize - 1).unwrap().contains("inventory(other) +"));
    // Without need nobody has to be named.
    assert!(machine.clone().says("PRODUCT").runs(source()).is_ok());
    assert!(alone(130, 0, "").says("HANDOFF").runs(source()).is_ok());

    for keyword in ["HANDOFF", "PRODUCT"] {
        let machine = machine.clone().says(keyword);
        assert_eq!(why(&machine.clone().to("Ann").runs(source())), &Why::OtherIsSelf("Ann".into()));
        // Deactivated ones are not in the Machine.
        assert_eq!(why(&machine.clone().to("Gone").runs(source())), &Why::NoSuchOther("Gone".into()));
        assert!(machine.to("Bo").runs(source()).is_ok());
    }
    let mut nobody = machine;
    nobody.caller = "Gone".into();
    assert_eq!(why(&nobody.runs(source())), &Why::NoCaller("Gone".into()));
}

#[test]
fn n73_product() {
    for (power, efficiency, left, products) in [
        (51, 4, 41, "1 Product"),
        (51, 3, 36, "1 Product"),
        (51, 6, 41, "1 Product"),
        (51, -6, 36, "1 Product"),
        (50, 4, 50, ""),
        (50, 3, 50, ""),
    ] {
        let outcome = alone(power, efficiency, "").says("PRODUCT").runs(source());
        assert_eq!(after(&outcome, "Ann"), (left, efficiency, products.to_owned()), "{power}, {efficiency}");
    }
    let outcome = alone(51, 4, "1 Box, 2 Product").says("product ").runs(source());
    assert_eq!(after(&outcome, "Ann").2, "1 Box, 3 Product");
}

#[test]
fn n74_battery() {
    assert_eq!(after(&alone(51, 0, "").says("BATTERY").runs(source()), "Ann"), (1, 0, "1 Battery".into()));
    assert_eq!(after(&alone(50, 0, "").says("BATTERY").runs(source()), "Ann"), (50, 0, String::new()));
}

#[test]
fn n75_only_the_control_unit_recharges() {
    let outcome = factory(&[("Zed", 20, 6, ""), ("Abe", 20, 0, "")]).says("RECHARGE").runs(source());
    assert_eq!((power_of(&outcome, "Zed"), power_of(&outcome, "Abe")), (70, 70));

    let outcome = factory(&[("Abe", 20, 0, ""), ("Zed", 20, 6, "")]).says("RECHARGE").runs(source());
    assert_eq!(outcome.unwrap().effects, []);
    // With the office vacant nobody is the Control Unit.
    assert_eq!(alone(20, 0, "").says("RECHARGE").runs(source()).unwrap().effects, []);
}

#[test]
fn n76_handoff() {
    let robots = |efficiency, product| [("Ann", 90, efficiency, product), ("Bo", 140, 0, "1 Box")];
    let outcome = factory(&robots(2, "2 Product")).says("HANDOFF").to("Bo").runs(source());
    assert_eq!(after(&outcome, "Ann"), (90, 3, "1 Product".into()));
    assert_eq!(after(&outcome, "Bo"), (140, 0, "1 Box, 1 Product".into()));

    let outcome = factory(&robots(2, "1 Box")).says("HANDOFF").to("Bo").runs(source());
    assert_eq!(outcome.unwrap().effects, []);

    let outcome = factory(&robots(6, "1 Product")).says("HANDOFF").to("Bo").runs(source());
    assert_eq!(after(&outcome, "Ann"), (90, 6, String::new()));
    assert_eq!(after(&outcome, "Bo").2, "1 Box, 1 Product");
}

#[test]
fn n76_n106_the_control_units_efficiency_is_set_by_nobody() {
    let machine = factory(&[("Zed", 90, 6, "1 Product"), ("Bo", 0, 0, "")]).says("HANDOFF").to("Bo");
    let outcome = machine.runs(source());
    assert_eq!((after(&outcome, "Zed"), after(&outcome, "Bo").2), ((90, 6, String::new()), "1 Product".into()));
    assert_eq!(after(&machine.runs("efficiency(self) = efficiency(self) - 5"), "Zed").1, 6);
    // A Subject's is cut to its range at both ends.
    let outcome = machine.runs("efficiency(other) = -7");
    assert_eq!(after(&outcome, "Bo").1, -6);
    assert_eq!(outcome.unwrap().trace.lines[0].did, "Bo's efficiency: 0 becomes -6, as it cannot be -7");
}

#[test]
fn n77_only_self_is_vented_and_on_every_run() {
    for keyword in [None, Some("PRODUCT"), Some("HANDOFF"), Some("RECHARGE"), Some("WIBBLE")] {
        let mut machine = factory(&[("Ann", 190, 0, ""), ("Bo", 190, 0, "")]);
        machine.keyword = keyword.map(str::to_owned);
        let outcome = machine.runs(source());
        assert_eq!((power_of(&outcome, "Ann"), power_of(&outcome, "Bo")), (100, 190), "{keyword:?}");
    }
    // Any spelling of the kind is one.
    assert_eq!(power_of(&alone(500, 0, "2 batteries").runs(source()), "Ann"), 300);
}

#[test]
fn n78_worked() {
    let outcome = factory(&[("A", 130, 0, "1 Product"), ("B", 140, 0, "")]).says("HANDOFF").to("B").runs(source());
    assert_eq!(after(&outcome, "A"), (100, 1, String::new()));
    assert_eq!(after(&outcome, "B"), (140, 0, "1 Product".into()));

    let said = |machine: Machine, keyword: &str| power_of(&machine.says(keyword).runs(source()), "Ann");
    assert_eq!(said(alone(260, 0, "1 Battery"), "BATTERY"), 210);
    assert_eq!(said(alone(320, 0, ""), "BATTERY"), 200);
    assert_eq!(said(alone(250, 2, "1 Battery"), "PRODUCT"), 200);
    assert_eq!(power_of(&alone(140, 0, "").runs(source()), "Ann"), 100);
}

#[test]
fn n79_recharge_vents_the_control_unit_and_the_others_at_their_own_runs() {
    let outcome = factory(&ZED_ABE_COG).says("RECHARGE").runs(source());
    let stat = |robot: &str, before, after| Effect::Stat { robot: robot.into(), stat: POWER.into(), before, after };
    let done = outcome.as_ref().unwrap();
    assert_eq!(done.effects, [stat("Abe", 90, 140), stat("Cog", 10, 60), stat("Zed", 80, 130), stat("Zed", 130, 100)]);
    let next = Machine { robots: done.robots.clone(), caller: "Abe".into(), ..factory(&ZED_ABE_COG) };
    assert_eq!(power_of(&next.runs(source()), "Abe"), 100);
}

#[test]
fn n79_a_trace_shows_what_each_line_did() {
    let done = factory(&ZED_ABE_COG).says("RECHARGE").runs(source()).unwrap();
    insta::assert_snapshot!(done.trace, @r#"
     4  if (efficiency(self) > 3) {
          6 > 3: yes
     5  price = 10
          price is 10
     7  if (efficiency(self) < 4) {
          6 < 4: no
    12  if (keyword = "PRODUCT" && power(self) > 50) {
          “RECHARGE” = “PRODUCT”: no
    18  if (keyword = "BATTERY" && power(self) > 50) {
          “RECHARGE” = “BATTERY”: no
    24  if (keyword = "RECHARGE" && self = the_control_unit) {
          “RECHARGE” = “RECHARGE”, Zed = Zed: yes
    25  loop (robots) {
          one after the other: Abe, Cog, Zed
    26  power(loop_robot) = power(loop_robot) + 50
          Abe's power: 90 becomes 140
    26  power(loop_robot) = power(loop_robot) + 50
          Cog's power: 10 becomes 60
    26  power(loop_robot) = power(loop_robot) + 50
          Zed's power: 80 becomes 130
    31  if (keyword = "HANDOFF" && inventory(self) contains product_object) {
          “RECHARGE” = “HANDOFF”: no
    38  if (power(self) > 100 * (1 + number_of_batteries(self))) {
          130 > 100: yes
    39  power(self) = 100 * (1 + number_of_batteries(self))
          Zed's power: 130 becomes 100
    "#);
}

#[test]
fn n125_in_mid_loop_only_the_first_have_got_theirs() {
    let robots = [("Zed", 20, 6, ""), ("Abe", 20, 0, ""), ("Cog", 25, 0, "")];
    let done = factory(&robots).says("RECHARGE").runs(source()).unwrap();
    let stat = |robot: &str, before, after| Effect::Stat { robot: robot.into(), stat: POWER.into(), before, after };
    assert_eq!(done.effects, [stat("Abe", 20, 70), stat("Cog", 25, 75), stat("Zed", 20, 70)]);

    let robots = [("Zed", 95, 6, ""), ("Abe", 95, 0, ""), ("Bo", 120, 0, "")];
    let outcome = factory(&robots).says("RECHARGE").runs(source());
    let powers = ["Abe", "Bo", "Zed"].map(|name| power_of(&outcome, name));
    assert_eq!(powers, [145, 170, 100]);
}

#[test]
fn n81_n132_nobody_falls_below_zero() {
    let dear = infected(source(), 3, "60");
    let stopped = alone(51, 0, "").says("PRODUCT").runs(&dear).unwrap_err();
    assert_eq!(stopped.why, Why::Below { robot: "Ann".into(), stat: POWER.into(), value: -9, floor: 0 });
    let line = dear.lines().nth(stopped.at.unwrap().line as usize - 1).unwrap();
    assert_eq!(line.trim(), "power(self) = power(self) - price");
    assert_eq!(stopped.why.to_string(), "Ann's power would be -9, and it cannot be less than 0");
    // With enough it is paid, and with another keyword it does not matter.
    assert_eq!(power_of(&alone(60, 0, "").says("PRODUCT").runs(&dear), "Ann"), 0);
    assert_eq!(power_of(&alone(51, 0, "").says("BATTERY").runs(&dear), "Ann"), 1);
}

#[test]
fn n81_n132_a_variable_that_nothing_has_set() {
    let gap = infected(source(), 0, "6");
    for efficiency in 4..=6 {
        let stopped = alone(60, efficiency, "").says("PRODUCT").runs(&gap).unwrap_err();
        assert_eq!(stopped.why, Why::Unset("price".into()));
        assert_eq!(stopped.why.to_string(), "nothing has set price before it is used");
        assert!(stopped.why.is_of_the_source(), "the Control Unit may settle it");
        let (at, text) = (stopped.at.unwrap(), "    power(self) = power(self) - price");
        assert_eq!(gap.lines().nth(at.line as usize - 1).unwrap(), text);
        assert_eq!(at.column as usize, text.find("price").unwrap() + 1);
        // Whoever does not need it runs on.
        assert_eq!(power_of(&alone(60, efficiency, "").says("BATTERY").runs(&gap), "Ann"), 10);
    }
    assert_eq!(power_of(&alone(60, 3, "").says("PRODUCT").runs(&gap), "Ann"), 45);
}

#[test]
fn n132_overlapping_tests_let_the_later_one_win() {
    let dear = infected(source(), 2, "8");
    for (efficiency, price) in [(3, 15), (4, 15), (6, 15)] {
        assert_eq!(power_of(&alone(60, efficiency, "").says("PRODUCT").runs(&dear), "Ann"), 60 - price);
    }
    let wider = factory(&[("Ann", 60, 0, "")]);
    let mut robots = wider.robots.clone();
    robots.get_mut("Ann").unwrap().stats.insert("efficiency".into(), Stat { value: 8, limits: Limits::Free });
    assert_eq!(power_of(&Machine { robots, ..wider }.says("PRODUCT").runs(&dear), "Ann"), 50);
}

#[test]
fn n132_a_number_in_a_comment_is_text_only() {
    let healthy = factory(&ZED_ABE_COG).says("RECHARGE").runs(source()).unwrap();
    let infected = factory(&ZED_ABE_COG).says("RECHARGE").runs(&infected(source(), 7, "100")).unwrap();
    assert_eq!((healthy.effects, healthy.robots), (infected.effects, infected.robots));
}

#[test]
fn n132_vent_has_two_hundreds_of_its_own() {
    let low = infected(source(), 10, "50");
    assert_eq!(power_of(&alone(60, 0, "").runs(&low), "Ann"), 100);
    assert_eq!(power_of(&alone(50, 0, "").runs(&low), "Ann"), 50);
    let high = infected(source(), 10, "200");
    assert_eq!(power_of(&alone(150, 0, "").runs(&high), "Ann"), 150);
    assert_eq!(power_of(&alone(230, 0, "").runs(&high), "Ann"), 100);
}
