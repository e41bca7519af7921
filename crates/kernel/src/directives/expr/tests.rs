//! Expressions over the toy room: what they come to, where they are refused, and that nothing gets out of hand.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::directives::{Seen, toy};

fn sight() -> Arc<dyn Sight> {
    Arc::new(Seen::new(&toy::room(), toy::now()))
}

#[test]
fn what_expressions_come_to() {
    let sight = sight();
    for (text, value) in [
        ("1/3", "1/3"),
        ("1 / 3 + 2/3", "1"),
        ("0.1 + 0.2 = 0.3", "true"),
        ("2 + 3 * 4", "14"),
        ("-(2 + 3)", "-5"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("99999999999999999999 + 1", "100000000000000000000"),
        ("Ann.power", "5"),
        ("power of Ann", "5"),
        ("Ann's power", "5"),
        ("power(Ann)", "5"),
        ("POWER of ann", "5"),
        ("Ann Lee.power", "2 1/3"),
        ("player(\"Ann Lee\").power * 3", "7"),
        ("player(“Bob”).spare parts", "0"),
        ("player \"Ann Lee\".power", "2 1/3"),
        ("power of robot \"Bob\"", "2"),
        ("power of player(\"Ann Lee\") + 1", "3 1/3"),
        ("robot(“Bob”).power", "2"),
        ("robot \"tower\"", "!“tower” is no robot"),
        ("rule \"The Race\".number", "7"),
        ("power of owner of tower", "2"),
        ("count(robots)", "3"),
        ("number of robots", "3"),
        ("count(every robot)", "3"),
        ("count(robots where power > 2)", "2"),
        ("count(robots where power > 2 and name_is_not_needed = 1 or power > 2)", "!name_is_not_needed"),
        ("count(robots where it = Ann)", "1"),
        ("sum(robots, \"power\")", "9 1/3"),
        ("max(robots, \"power\")", "5"),
        ("min(robots where power > 2, \"power\")", "2 1/3"),
        ("max(1, 7, 3)", "7"),
        ("sum([1, 2, 3])", "6"),
        ("floor(7/3) + ceil(7/3) + round(5/2)", "8"),
        ("choose(power of Ann > 3, \"high\", \"low\")", "high"),
        ("timeout-hours * 2", "96"),
        ("number(\"timeout-hours\")", "48"),
        ("number(\"hours until a proposal times out\")", "48"),
        ("sum(prizes)", "16"),
        ("judge is \"Ann\"", "true"),
        ("rule(\"7\").number", "7"),
        ("rule(\"the race\").title", "The Race"),
        ("rule 2.title", "Time Out"),
        ("establishes(\"rules\")", "true"),
        ("exists(\"Zed\")", "false"),
        ("not (power of Ann is at least 6)", "true"),
        ("power of Ann is not 5 or power of Ann is more than 4", "true"),
        ("\"Box\" in Bob.inventory", "true"),
        ("contains(Ann.inventory, \"Box\")", "false"),
        ("length(Bob.inventory)", "1"),
        ("item(Bob.inventory, 1)", "Box"),
        ("Ann.colour is red", "true"),
        ("colour of Ann is not deep blue", "true"),
        ("Ann.colour is reed", "!reed"),
        ("Ann is active", "true"),
        ("Ann is not active", "false"),
        ("Ann is non-active", "false"),
        ("Ann is a robot and Ann is in active robots", "true"),
        ("Ann is gloomy", "!gloomy"),
        ("Ann is Ann and Ann is not Bob", "true"),
        ("Ann.colour is \"Red\"", "true"),
        ("Ann.active", "true"),
        ("now < date(\"2027-01-01\")", "true"),
        ("[1, 2] + [3]", "{1, 2, 3}"),
        ("yes and not no", "true"),
        ("1 + ", "!missing at the end"),
        ("1 2", "!missing before 2"),
        ("(1", "!never closed"),
        ("1)", "!closes nothing"),
        ("", "!nothing is written"),
        ("power of Zed", "!nothing here is called “Zed”"),
        ("Ann.pwer", "!Ann has no “pwer” (character 5 of"),
        ("power(robots)", "!many values"),
        ("1 / 0", "!divided by zero (character 3 of"),
        ("Ann + 1", "!ann is no number"),
        ("1 < \"a\"", "!neither of"),
        ("1 and 2", "!need conditions"),
        ("if 1 > 2 { 3 }", "!missing before"),
        ("eval(\"1\")", "!there is no eval"),
        ("let x = 1", "!nothing here is called “let x”"),
        ("x => 1", "!nothing stands before “>”"),
        ("a; b", "!nothing that an expression has"),
        ("it", "!means nobody here"),
    ] {
        let got = evaluate(&sight, text);
        match (value.strip_prefix('!'), got) {
            (None, got) => assert_eq!(got.map(|value| value.to_string()), Ok(value.to_owned()), "{text}"),
            (Some(part), Err(why)) => assert!(why.say.contains(part), "{text}: {}", why.say),
            (Some(part), Ok(value)) => panic!("{text} is {value}, and not refused with “{part}”"),
        }
    }
}

#[test]
fn the_character_is_that_of_the_text_also_in_a_condition() {
    let why = evaluate(&sight(), "1 + count(robots where Zed.power > 1)").unwrap_err();
    assert_eq!(
        why.say,
        "nobody and nothing here is called “Zed” (character 24 of “1 + count(robots where Zed.power > 1)”)"
    );
}

#[test]
fn steps_numbers_texts_and_depth_are_bounded() {
    let sight = sight();
    let evaluator = Evaluator::default();
    let many = "count(robots where count(robots where count(robots where power > 0) > 0) > 0)";
    let mut refused = None;
    for _ in 0..100_000 {
        if let Err(why) = evaluator.value(many, &sight, None) {
            refused = Some(why.say);
            break;
        }
    }
    assert!(refused.is_some_and(|say| say.contains("steps to work out")), "the steps of one body end");
    assert!(evaluator.spent() < FUEL_MAX_STEPS + 10_000);
    let huge = format!("{}1{}", "(".repeat(300), ")".repeat(300));
    assert!(evaluate(&sight, &huge).unwrap_err().say.contains("parts"));
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    assert!(evaluate(&sight, &deep).unwrap_err().say.contains("nested"), "{deep}");
    let nines = "9".repeat(150);
    let product = [nines.as_str(); 12].join(" * ");
    assert!(evaluate(&sight, &product).unwrap_err().say.contains("too many digits"));
    let doubled = vec!["robots"; 200].join(" + ");
    let evaluator = Evaluator::default();
    assert!((0..100).any(|_| evaluator.value(&doubled, &sight, None).is_err()), "long lists take steps");
    let text = "x".repeat(1100);
    assert!(evaluate(&sight, &format!("\"{text}\" + \"\" + \"{}\"", "y".repeat(850))).is_ok());
    let nested = "robots where count(robots where count(robots where count(robots where 1 > 0) > 0) > 0) > 0";
    assert!(evaluate(&sight, nested).unwrap_err().say.contains("deep"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_worked_out_or_refused_within_the_steps(text in "\\PC{0,80}") {
        let evaluator = Evaluator::default();
        let _ = evaluator.value(&text, &sight(), None);
        prop_assert!(evaluator.spent() <= FUEL_MAX_STEPS + 1000);
    }

    #[test]
    fn likely_texts_are_worked_out_or_refused_within_the_steps(
        parts in prop::collection::vec(prop::sample::select(vec![
            "1", "2/3", "Ann", "Ann Lee", "robots", "power", "of", "where", "it", "count(", "sum(", "max(", "(", ")", "[", "]", ",",
            ".", "+", "-", "*", "/", "%", "and", "or", "not", "is", "in", "at least", "\"power\"", "rule", "choose(", "timeout-hours",
        ]), 0..30),
    ) {
        let text = parts.join(" ");
        let evaluator = Evaluator::default();
        let once = evaluator.value(&text, &sight(), None);
        prop_assert!(evaluator.spent() <= FUEL_MAX_STEPS + 1000);
        prop_assert_eq!(once, Evaluator::default().value(&text, &sight(), None));
    }
}
