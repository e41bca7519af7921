//! Tests outside challenges: what is told about which opponents, and how often.

use crate::programs;
use serde_json::json;

use crate::testkit::{Kit, Mode, SECRET};

/// A Hill with one hidden program by Bob on top.
fn with_hidden() -> Kit {
    let mut kit = Kit::begun();
    kit.strength("Beta", 50);
    kit.submit("Bob", "Beta");
    kit
}

fn test(kit: &mut Kit, who: &str, against: Option<&str>) -> Result<String, kernel::Refusal> {
    kit.act(who, json!({"test": {"code": format!("{SECRET} >+"), "against": against}}))
}

#[test]
fn j35_against_the_house_one_sees_every_charge_and_only_the_asker_does() {
    let mut kit = with_hidden();
    kit.heard();
    let reply = test(&mut kit, "Ann", Some("joust3")).unwrap();
    assert!(reply.contains("Test 1 against 1 run;"), "{reply}");
    let result = kit.whispered("Ann");
    for words in ["Test 1 of your text", "33 lengths", "lengths", "cycles", "390", "135–167"] {
        assert!(result.contains(words), "{words}: {result}");
    }
    assert!(result.lines().count() < 12, "equal charges are one row: {result}");
    assert_eq!((kit.heard().as_str(), kit.whispered("Bob").as_str()), ("", ""));
    assert!(!kit.secrets.contains_key("test/1"), "the text is destroyed");
    assert!(kit.state().rows::<programs::Program>().values().count() == 11 && kit.engine.view().work().is_none());
}

#[test]
fn j35_against_hidden_programs_one_total_is_told_and_rarely() {
    let mut kit = with_hidden();
    for _ in 0..3 {
        kit.strength("test/1", 99);
        test(&mut kit, "Ann", Some("Beta")).unwrap();
        let result = kit.whispered("Ann");
        let won = if result.contains("Test 1 ") { 33 } else { 0 };
        assert!(result.contains(&format!("Against one hidden program: {won} charges won of 33.")), "{result}");
        assert!(!result.contains("cycles") && !result.contains("length  "), "{result}");
    }
    let refusal = test(&mut kit, "Ann", Some("Beta")).unwrap_err();
    assert!(refusal.say.contains("3 tests against hidden programs this week"), "{}", refusal.say);
    assert!(test(&mut kit, "Ann", None).is_err(), "the whole Hill has a hidden one");
    test(&mut kit, "Ann", Some("joust3")).unwrap();
    test(&mut kit, "Cyd", Some("Beta")).unwrap();
    kit.to("2026-11-09T00:00");
    test(&mut kit, "Ann", Some("Beta")).unwrap();
}

#[test]
fn j35_the_whole_hill_tells_everything_of_the_open_ones_and_one_total_of_the_others() {
    let mut kit = with_hidden();
    kit.strength("Gamma", 49);
    kit.submit("Cyd", "Gamma");
    test(&mut kit, "Ann", None).unwrap();
    let result = kit.whispered("Ann");
    assert!(result.contains("Against 2 hidden programs together: 0 charges won of 66."), "{result}");
    assert!(
        result.contains("joust0")
            && !result.contains("Beta")
            && !result.contains("Gamma")
            && !result.contains("cycles")
    );
}

#[test]
fn j35_ones_own_and_revealed_programs_are_open() {
    let mut kit = with_hidden();
    test(&mut kit, "Bob", Some("Beta")).unwrap();
    assert!(kit.whispered("Bob").contains("cycles"));
    kit.act("Bob", json!({"reveal": {"name": "Beta"}})).unwrap();
    test(&mut kit, "Ann", Some("Beta")).unwrap();
    assert!(kit.whispered("Ann").contains("cycles"));
}

#[test]
fn a_program_of_the_room_can_be_tested_by_name_and_somebody_elses_cannot() {
    let mut kit = with_hidden();
    kit.act("Bob", json!({"test": {"code": "Beta", "against": "joust0"}})).unwrap();
    assert!(kit.whispered("Bob").contains("Test 1 of Beta"));
    assert!(kit.secrets.contains_key("program/11"), "a program's own text stays");
    assert!(kit.act("Ann", json!({"test": {"code": "Beta"}})).unwrap_err().say.contains("somebody else's"));
    assert!(kit.act("Ann", json!({"test": {"code": "Nothing"}})).is_err());
    kit.act("Ann", json!({"test": {"code": "joust1", "against": "joust2"}})).unwrap();
    assert!(
        kit.act("Ann", json!({"test": {"code": "joust1", "against": "joust1"}}))
            .unwrap_err()
            .say
            .contains("nobody to meet")
    );
}

#[test]
fn a_challenge_goes_before_a_test_and_one_test_a_person_runs() {
    let mut kit = with_hidden();
    kit.mode = Mode::Held;
    test(&mut kit, "Ann", Some("joust0")).unwrap();
    assert_eq!(&*kit.engine.view().work().unwrap().id, "test/1");
    kit.submit("Cyd", "Gamma");
    assert_eq!(&*kit.engine.view().work().unwrap().id, "challenge/2");
    assert!(test(&mut kit, "Ann", Some("joust1")).unwrap_err().say.contains("runs already"));
    test(&mut kit, "Dee", Some("joust1")).unwrap();
    while kit.work() {}
    assert!(kit.whispered("Ann").contains("Test 1") && kit.whispered("Dee").contains("Test 2"));
}

#[test]
fn tests_are_private_and_what_is_no_program_is_refused() {
    let mut kit = with_hidden();
    let refusal = kit.act_in(true, "Ann", json!({"test": {"code": "sekret +"}})).unwrap_err();
    assert!(refusal.say.contains("privately") && !refusal.say.contains(SECRET));
    assert!(kit.act("Ann", json!({"test": {"code": "+["}})).unwrap_err().say.contains("line 1, column 2"));
    let mut waiting = Kit::waiting();
    assert!(test(&mut waiting, "Ann", None).unwrap_err().say.contains("nobody to meet"));
}

#[test]
fn real_tests_are_played_at_every_length_of_the_text() {
    let mut kit = with_hidden();
    kit.mode = Mode::Real;
    let rush = format!("{}[-]", ">".repeat(134));
    kit.act("Ann", json!({"submit": {"name": "Idle", "code": "."}})).unwrap();
    kit.whispered("Ann");
    kit.act("Ann", json!({"test": {"code": rush, "against": "Idle"}})).unwrap();
    let result = kit.whispered("Ann");
    assert!(
        result.contains("135") && result.contains("won") && result.contains("390") && result.contains("384000"),
        "{result}"
    );
    let spread = kit.intend("set", "length-spread", "100");
    kit.to("2026-11-06T12:00");
    kit.carry_out(spread).unwrap();
    kit.act("Ann", json!({"test": {"code": "+", "against": "Idle"}})).unwrap();
    assert!(kit.whispered("Ann").contains("67 lengths"));
}
