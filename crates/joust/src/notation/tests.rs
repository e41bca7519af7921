//! Programs are what the tournament reads: what a change of the notation does to those that were sent before it.

use serde_json::json;

use crate::{
    programs::Status,
    testkit::{Kit, Mode, at},
    tournament::Notation,
};

/// A program in plain symbols whose comment has a parenthesis too many.
const PLAIN_ONLY: &str = "(+ one plus";

/// A program either way: one plus, or five.
const EITHER: &str = "(+)*5";

fn submit(kit: &mut Kit, who: &str, name: &str, code: &str) {
    kit.act(who, json!({"submit": {"name": name, "code": code}})).unwrap();
}

/// The tournament's figure is changed by notice, a week after it was announced.
fn change(kit: &mut Kit, figure: &str, to: &str, day: &str) {
    let notice = kit.intend("tournament", figure, to);
    kit.to(day);
    kit.carry_out(notice).unwrap();
}

#[test]
fn j11_what_is_no_program_any_more_leaves_the_hill_at_the_change() {
    let mut kit = Kit::begun();
    for (name, strength, who, code) in [("Alpha", 50, "Ann", PLAIN_ONLY), ("Beta", 40, "Bob", EITHER)] {
        kit.strength(name, strength);
        submit(&mut kit, who, name, code);
    }
    assert_eq!(kit.hill()[..2], ["Alpha", "Beta"]);
    kit.heard();
    change(&mut kit, "repeat-max", "100", "2026-11-09T10:00");
    assert_eq!(kit.hill()[0], "Beta");
    assert_eq!(kit.hill().len(), 9);
    assert_eq!(kit.program("Alpha").status, Status::Dropped { at: at("2026-11-09T10:00") });
    assert!(
        kit.heard().contains("Alpha is no program as CURRENT TOURNAMENT reads, and leaves the Hill. 9 programs remain")
    );
    assert!(kit.whispered("Ann").contains("Alpha was a program"));
    // What stays is known to be a program in the new notation, and only that.
    let notation = Notation { repeat_max: 100, ..Notation::default() };
    assert_eq!((kit.program("Beta").notation, kit.program("joust0").notation), (notation, notation));
    assert_eq!(kit.program("Alpha").notation, Notation::default());
    // Whatever else changes reads nothing anew.
    let before = kit.journal.len();
    change(&mut kit, "cycle-limit", "5000", "2026-11-16T10:00");
    assert!(!kit.journal[before..].iter().any(|entry| entry.contains("\"reading") || entry.contains("\"read\"")));
    assert!(kit.journal[..before].iter().any(|entry| entry.contains("\"reading")));
}

#[test]
fn j11_the_change_waits_for_challenges_deemed_before_it_which_are_played_as_they_were_sent() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 50);
    let notice = kit.intend("tournament", "repeat-max", "100");
    kit.to("2026-11-09T10:00");
    kit.mode = Mode::Held;
    submit(&mut kit, "Ann", "Alpha", PLAIN_ONLY);
    kit.carry_out(notice).unwrap();
    assert!(kit.show("queue").unwrap().contains("reading of all programs"));
    // Sent after it, read by the new notation.
    let refused = kit.act("Ann", json!({"submit": {"name": "Late", "code": PLAIN_ONLY}})).unwrap_err();
    assert!(refused.say.contains("line 1, column 1"), "{refused:?}");
    submit(&mut kit, "Bob", "Beta", EITHER);
    kit.work();
    assert_eq!(kit.hill()[0], "Alpha");
    kit.work();
    assert!(matches!(kit.program("Alpha").status, Status::Dropped { .. }));
    kit.work();
    assert!(kit.place("Beta").is_some());
    assert!(!kit.work());
}

#[test]
fn j11_what_waited_for_the_start_and_is_no_program_then_brings_no_challenge() {
    let mut kit = Kit::waiting();
    kit.mode = Mode::Real;
    submit(&mut kit, "Ann", "Alpha", PLAIN_ONLY);
    submit(&mut kit, "Bob", "Beta", EITHER);
    kit.act("Goethe", json!({"add": {"name": "own", "code": EITHER}})).unwrap();
    change(&mut kit, "repeat-max", "100", "2026-11-09T10:00");
    // What the contestmaster handed in is not put on the Hill unread.
    let names: Vec<String> = std::iter::repeat_n("own".to_owned(), 1).collect();
    let notice = kit.intend("set", "starting-programs", "1");
    kit.to("2026-11-13T10:00");
    kit.carry_out(notice).unwrap();
    let refused = kit.act("Goethe", json!({"start": {"programs": names}})).unwrap_err();
    assert!(refused.say.contains("read programs otherwise"), "{refused:?}");
    kit.heard();
    kit.act("Goethe", json!({"start": {}})).unwrap();
    assert!(kit.heard().contains("Challenge 1 is not played: Alpha is no program as CURRENT TOURNAMENT reads"));
    assert_eq!(kit.program("Alpha").status, Status::Missed { at: at("2026-11-13T10:00") });
    assert!(kit.whispered("Ann").contains("Alpha was a program"));
    assert!(kit.place("Beta").is_some());
    assert_eq!(kit.program("Beta").notation.repeat_max, 100);
}

#[test]
fn j20_a_program_sent_in_another_notation_is_not_added_by_notice() {
    let mut kit = Kit::begun();
    kit.act("Goethe", json!({"add": {"name": "own", "code": EITHER}})).unwrap();
    let add = kit.intend("add", "own", "joust3");
    change(&mut kit, "comma-cycles", "0", "2026-11-09T10:00");
    assert!(kit.carry_out(add).unwrap_err().say.contains("has to be sent anew"));
    let restart = kit.intend("tournament", "restart", "own");
    kit.to("2026-11-16T10:00");
    assert!(kit.carry_out(restart).unwrap_err().say.contains("has to be sent anew"));
}

#[test]
fn j35_what_is_no_program_now_is_neither_tested_nor_watched_and_says_so() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    submit(&mut kit, "Ann", "Alpha", PLAIN_ONLY);
    change(&mut kit, "repeat-max", "100", "2026-11-09T10:00");
    kit.whispered("Ann");
    kit.act("Ann", json!({"test": {"code": "Alpha", "against": "joust0"}})).unwrap();
    assert!(kit.whispered("Ann").contains("one of the two is no program as CURRENT TOURNAMENT reads now"));
    for display in ["watch/Alpha/Alpha/151", "breakdown/Alpha/joust0"] {
        let shown = kit.show_own(display, "Ann").unwrap();
        assert!(shown.contains("Alpha is no program as CURRENT TOURNAMENT reads now"), "{shown}");
    }
}
