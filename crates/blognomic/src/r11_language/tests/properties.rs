//! What holds of every source and every Factory.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

type Robots = BTreeMap<String, Robot>;

/// Statements that parse, some of which stop.
fn any_source() -> impl Strategy<Value = String> {
    let robot = || prop::sample::select(vec!["self", "other", "the_control_unit"]);
    let number =
        || prop_oneof![(0..120_i64).prop_map(|n| n.to_string()), Just("power(self)".to_owned()), Just("N".to_owned())];
    let statement = prop_oneof![
        3 => (robot(), number(), prop::bool::ANY).prop_map(|(who, n, plus)| {
            format!("power({who}) {} {n}", if plus { "+=" } else { "-=" })
        }),
        1 => (robot(), number()).prop_map(|(who, n)| format!("efficiency({who}) = {n}")),
        1 => number().prop_map(|n| format!("N = {n} * 2")),
        4 => (robot(), 0..3_u8, prop::sample::select(vec!["product", "gear"]), prop::bool::ANY).prop_map(|(who, n, kind, plus)| {
            format!("inventory({who}) {} {n} * {kind}_object", if plus { "+=" } else { "-=" })
        }),
    ];
    let bracket = (0..4_u8, number(), prop::collection::vec(statement.clone(), 0..5)).prop_map(|(head, n, block)| {
        let head = match head {
            0 => format!("if (power(self) > {n})"),
            1 => "if (inventory(other) contains product_object)".to_owned(),
            2 => "loop (robots)".to_owned(),
            _ => "if (1 = 1)".to_owned(),
        };
        format!("{head} {{\n{}\n}}", block.join("\n"))
    });
    prop::collection::vec(prop_oneof![statement, bracket], 0..8)
        .prop_map(|lines| format!("N = 1\n{}", lines.join("\n")))
}

fn any_factory() -> impl Strategy<Value = Machine> {
    let robot = || (0..300_i64, -6..=6_i64, prop::sample::select(vec!["", "2 Product", "1 Product, 3 Gear, 1 Box"]));
    (robot(), robot(), robot()).prop_map(|(a, b, c)| {
        let robots = [("Ann", a.0, a.1, a.2), ("Bo", b.0, b.1, b.2), ("Zed", c.0, 6, c.2)];
        factory(&robots).to("Bo")
    })
}

/// Does what the effects say.
fn apply(mut robots: Robots, effects: &[Effect]) -> Robots {
    for effect in effects {
        match effect {
            Effect::Stat { robot, stat, before, after } => {
                let stat = robots.get_mut(robot).unwrap().stats.get_mut(stat).unwrap();
                assert_eq!(stat.value, *before);
                stat.value = *after;
            }
            Effect::Came { robot, kind, lots } => {
                for lot in lots {
                    robots.get_mut(robot).unwrap().inventory.add(kind, *lot).unwrap();
                }
            }
            Effect::Went { robot, kind, lots } => {
                let count = lots.iter().map(|lot| lot.count).sum();
                assert_eq!(&robots.get_mut(robot).unwrap().inventory.take(kind, count).unwrap(), lots);
            }
        }
    }
    robots
}

proptest! {
    #[test]
    fn the_effects_are_all_that_happened(source in any_source(), machine in any_factory()) {
        if let Ok(done) = machine.runs(&source) {
            prop_assert_eq!(&apply(machine.robots.clone(), &done.effects), &done.robots);
        }
    }

    #[test]
    fn no_figure_leaves_its_limits(source in any_source(), machine in any_factory()) {
        if let Ok(done) = machine.runs(&source) {
            for (name, robot) in &done.robots {
                prop_assert!(robot.stat(POWER).unwrap() >= 0);
                prop_assert!((-6..=6).contains(&robot.stat("efficiency").unwrap()));
                prop_assert!(name != "Zed" || robot.stat("efficiency") == Some(6));
                let lots = robot.inventory.stacks().iter().flat_map(|stack| stack.lots());
                prop_assert!(lots.into_iter().all(|lot| lot.value >= 0));
            }
        }
    }

    #[test]
    fn no_item_is_worth_more_than_was_paid(source in any_source(), machine in any_factory()) {
        if let Ok(done) = machine.runs(&source) {
            let worth = |robots: &Robots| -> i128 {
                robots.values().map(|robot| robot.inventory.worth()).sum()
            };
            let paid: i64 = done.effects.iter().map(|effect| match effect {
                Effect::Stat { robot, stat, before, after } if robot == "Ann" && stat == POWER => (before - after).max(0),
                _ => 0,
            }).sum();
            prop_assert!(worth(&done.robots) <= worth(&machine.robots) + i128::from(paid));
        }
    }

    #[test]
    fn the_same_run_has_the_same_outcome(source in any_source(), machine in any_factory()) {
        prop_assert_eq!(machine.runs(&source), machine.runs(&source));
    }

    #[test]
    fn no_text_is_a_fault(text in any::<String>()) {
        let _ = parse(&text);
        let _ = locate(&text);
        let _ = unfenced(&text);
    }

    #[test]
    fn no_damage_is_a_fault(at in 0..2000_usize, len in 0..40_usize, put in "[a-z(){}=+*/\"0-9 ]{0,6}", keyword in "PRODUCT|HANDOFF|RECHARGE") {
        let source = source();
        let start = source.floor_char_boundary(at);
        let end = source.floor_char_boundary(start + len).max(start);
        let damaged = format!("{}{put}{}", &source[..start], &source[end..]);
        match parse(&damaged) {
            Ok(program) => {
                let _ = run(&program, &factory(&[("Zed", 60, 6, "1 Product"), ("Bo", 1, 0, "")]).says(&keyword).to("Bo"));
            }
            Err(error) => {
                let lines = damaged.lines().count() as u32;
                prop_assert!((1..=lines + 1).contains(&error.line), "{}", error);
            }
        }
    }
}
