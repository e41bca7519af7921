//! The Hill: its size, and what becomes of programs when its figures change.

use serde_json::json;

use crate::{
    programs::Status,
    testkit::{Kit, Mode, at},
};

#[test]
fn j12_the_hill_has_ten_before_and_after_whoever_wins() {
    let mut kit = Kit::begun();
    for (name, strength) in [("Weak", -1), ("Strong", 50), ("Weaker", -2), ("Stronger", 60)] {
        let before = kit.hill();
        kit.strength(name, strength);
        kit.submit(name, name);
        assert_eq!(kit.hill().len(), 10);
        assert_eq!(kit.hill() == before, strength < 0);
    }
}

#[test]
fn j12_a_smaller_hill_drops_what_is_beyond_it_at_once_and_a_larger_one_fills_up() {
    let mut kit = Kit::begun();
    let smaller = kit.intend("set", "hill-size", "7");
    let larger = kit.intend("set", "hill-size", "8");
    kit.to("2026-11-16T09:00");
    kit.heard();
    kit.carry_out(smaller).unwrap();
    assert_eq!(kit.hill(), ["joust0", "joust1", "joust2", "joust3", "joust4", "joust5", "joust6"]);
    assert_eq!(kit.program("joust8").status, Status::Dropped { at: at("2026-11-16T09:00") });
    assert!(kit.heard().contains("The Hill holds 7 programs from now on: joust7, joust8, joust9 dropped."));
    // It is a drop like any other: exactly two weeks, so the submitter is asked.
    assert!(kit.whispered("Goethe").contains("joust8 dropped from the Hill after 14 d"));
    assert!(kit.carry_out(larger).is_err());
    let larger = kit.intend("set", "hill-size", "8");
    kit.to("2026-11-20T09:00");
    kit.carry_out(larger).unwrap();
    assert_eq!(kit.hill().len(), 7);
    kit.strength("Weak", -5);
    kit.submit("Ann", "Weak");
    assert_eq!(kit.hill().len(), 8);
    kit.strength("Weaker", -6);
    kit.submit("Bob", "Weaker");
    assert!(kit.place("Weaker").is_none());
}

#[test]
fn j12_the_size_changes_after_the_challenges_that_were_deemed_before_the_change() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    let smaller = kit.intend("set", "hill-size", "9");
    kit.to("2026-11-06T09:00");
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-06T09:01");
    kit.carry_out(smaller).unwrap();
    assert_eq!(kit.hill().len(), 10);
    kit.to("2026-11-06T10:00");
    kit.work();
    let said = kit.heard();
    assert!(said.contains("joust9, rank 10 before, drops"), "{said}");
    assert!(said.contains("from now on (as of 2026-11-06 09:01 UTC): joust8 dropped"), "{said}");
    assert_eq!(kit.program("joust8").status, Status::Dropped { at: at("2026-11-06T09:01") });
}

#[test]
fn without_a_size_nothing_comes_to_the_hill() {
    let mut kit = Kit::begun();
    kit.act("Goethe", json!({"add": {"name": "Extra", "code": "+"}})).unwrap();
    let add = kit.intend("add", "Extra", "joust4");
    let repeal = kit.intend("repeal", "hill", "");
    kit.to("2026-11-09T09:00");
    kit.carry_out(repeal).unwrap();
    assert!(
        kit.act("Ann", json!({"submit": {"name": "Alpha", "code": "+"}})).unwrap_err().say.contains("size of the Hill")
    );
    assert!(kit.carry_out(add).unwrap_err().say.contains("does not say how many"));
    assert_eq!(kit.hill().len(), 10);
}

/// What an entry changed, in words.
fn told(kit: &Kit, seq: u64) -> Vec<String> {
    let view = kit.engine.view();
    let entry = view.public(&kit.journal[seq as usize - 1]).unwrap();
    entry.changes.iter().map(|change| view.told(change).unwrap_or_else(|| panic!("{change:?} has no words"))).collect()
}

#[test]
fn what_became_of_a_place_is_told_also_when_it_is_gone() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    let entered = kit.state().seq;
    for person in ["Bob", "Cyd", "Dan", "Eve", "Fay"] {
        kit.strength(person, 40);
        kit.submit(person, person);
    }
    let said = told(&kit, entered);
    assert!(said.contains(&"Alpha (#11) comes to the Hill, as rank 1".to_owned()), "{said:?}");
    assert!(said.contains(&"joust9 (#10) leaves the Hill".to_owned()), "{said:?}");
    let said = told(&kit, kit.state().seq);
    assert!(said.contains(&"Alpha (#11) is a Knight".to_owned()), "{said:?}");
}
