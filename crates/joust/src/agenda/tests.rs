//! What waits for what: awards, publications, removals and the end against challenges that are computed late.

use crate::places;
use crate::tasks;
use serde_json::json;

use crate::{
    programs::Status,
    testkit::{Kit, Mode, at},
};

/// The last award that was told, without the report of the week that follows it.
fn award(said: &str) -> &str {
    let award = said.rsplit("Points for the week").next().expect("a part");
    award.split("The Hill in the week").next().expect("a part")
}

#[test]
fn j74_the_monday_award_waits_for_what_was_deemed_before_it_and_uses_its_ranks() {
    let mut kit = Kit::begun();
    for who in ["Ann", "Bob", "Cyd"] {
        kit.join(who);
    }
    kit.strength("Alpha", 100);
    kit.strength("Gamma", 3);
    kit.submit("Ann", "Alpha");
    kit.submit("Cyd", "Gamma");
    assert_eq!(kit.hill()[9], "Gamma");
    kit.to("2026-11-15T23:59:58");
    kit.mode = Mode::Held;
    kit.strength("Beta", 200);
    kit.submit("Bob", "Beta");
    kit.to("2026-11-16T00:03");
    assert_eq!((kit.points("Ann"), kit.heard().contains("Points for the week from 2026-11-16")), (0, false));
    kit.work();
    // Beta took rank 1, so Alpha is second; Gamma, which it dropped, is no knight at all at that Monday.
    assert_eq!((kit.points("Ann"), kit.points("Bob"), kit.points("Cyd")), (5, 0, 0));
    let said = kit.heard();
    assert!(said.contains("Points for the week from 2026-11-16 00:00 UTC (as of"), "{said}");
    assert!(!award(&said).contains("Gamma"));
    // The new program is a knight on the next Sunday at 23:59:58, and earns two seconds later.
    kit.mode = Mode::Fake;
    assert!(!kit.is_knight("Beta", "2026-11-22T23:59:57") && kit.is_knight("Beta", "2026-11-22T23:59:58"));
    kit.to("2026-11-23T00:00");
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (10, 8));
}

#[test]
fn j75_what_is_submitted_exactly_on_monday_comes_after_all_that_is_due_then_and_belongs_to_the_new_week() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.strength("Alpha", 100);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-15T23:00");
    for name in ["One", "Two", "Three"] {
        kit.submit("Bob", name);
    }
    kit.strength("Beta", 200);
    // The clock comes to Monday together with the submission: what is due is done first.
    kit.sleep_to("2026-11-16T00:00:00");
    kit.submit("Bob", "Beta");
    assert_eq!((kit.points("Ann"), kit.hill()[0].as_str()), (8, "Beta"));
    assert_eq!(kit.place("Beta").unwrap().since, at("2026-11-16T00:00:00"));
}

#[test]
fn j75_an_award_that_waits_still_goes_before_a_challenge_of_its_own_instant() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.strength("Alpha", 100);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-15T23:59");
    kit.mode = Mode::Held;
    kit.submit("Bob", "Weak");
    kit.sleep_to("2026-11-16T00:00");
    kit.strength("Beta", 200);
    kit.submit("Bob", "Beta");
    kit.work();
    assert_eq!((kit.points("Ann"), kit.hill()[0].as_str()), (8, "Alpha"));
    kit.work();
    assert_eq!((kit.points("Ann"), kit.hill()[0].as_str()), (8, "Beta"));
}

#[test]
fn j76_two_before_monday_are_processed_in_order_before_the_award() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.to("2026-11-14T10:00");
    kit.strength("Plan", 1);
    kit.score("Plan", "joust9", (20, 0));
    kit.submit("Ann", "Plan");
    for name in ["A", "B", "C"] {
        kit.strength(name, -1);
        kit.submit("Bob", name);
    }
    kit.strength("D", -1);
    kit.submit("Cyd", "D");
    assert_eq!(kit.place("Plan").unwrap().outlived, 4);
    kit.to("2026-11-15T23:59:58");
    kit.mode = Mode::Held;
    kit.strength("E", -1);
    kit.submit("Cyd", "E");
    kit.to("2026-11-15T23:59:59");
    kit.strength("F", 100);
    kit.submit("Cyd", "F");
    kit.to("2026-11-16T00:05");
    kit.work();
    assert_eq!(kit.place("Plan").unwrap().knighted, Some(at("2026-11-15T23:59:58")));
    assert!(kit.heard().contains("Plan is a Knight from now on (as of 2026-11-15 23:59:58 UTC)"));
    kit.work();
    assert!(matches!(kit.program("Plan").status, Status::Dropped { .. }));
    assert_eq!(kit.points("Ann"), 0);
    assert!(!award(&kit.heard()).contains("Plan"));
}

#[test]
fn j78_a_removal_waits_for_challenges_from_before_it_and_they_are_played_with_the_program_there() {
    let mut kit = Kit::begun();
    let id = kit.intend("remove", "joust3", "");
    kit.to("2026-11-10T10:00");
    kit.mode = Mode::Held;
    kit.strength("Alpha", 100);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-10T10:01");
    let reply = kit.carry_out(id).unwrap();
    assert!(reply.contains("takes effect after the one thing before it on the agenda"), "{reply}");
    kit.submit("Bob", "Beta");
    assert!(kit.place("joust3").is_some());
    kit.to("2026-11-10T12:00");
    kit.work();
    let outcome = &places::last(&kit.state().tables).unwrap().outcome;
    let joust3 = kit.program("joust3").id;
    assert!(outcome.ranked.iter().any(|standing| standing.program == joust3));
    assert_eq!(kit.program("joust3").status, Status::Dropped { at: at("2026-11-10T10:01") });
    assert_eq!(kit.hill().len(), 9);
    assert!(kit.heard().contains("joust3 is removed from the Hill by notice 1 (as of 2026-11-10 10:01 UTC)"));
    kit.work();
    let outcome = &places::last(&kit.state().tables).unwrap().outcome;
    assert_eq!((outcome.ranked.len(), outcome.dropped), (10, None));
}

#[test]
fn j84_after_weeks_of_outage_each_monday_and_each_month_is_done_once_in_order_with_the_ranks_of_its_time() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.strength("Alpha", 100);
    kit.to("2026-11-03T10:00");
    kit.submit("Ann", "Alpha");
    kit.heard();
    kit.sleep_to("2026-12-10T12:00");
    kit.catch_up();
    assert_eq!(kit.points("Ann"), 4 * 8);
    let said = kit.heard();
    let order: Vec<usize> = ["11-09", "11-16", "11-23", "11-30", "12-07"]
        .iter()
        .map(|day| said.find(&format!("Points for the week from 2026-{day}")).unwrap())
        .collect();
    assert!(order.is_sorted());
    let month = said.find("Alpha by Ann").unwrap();
    assert!(order[3] < month && month < order[4]);
    assert_eq!((said.matches("Points for").count(), said.matches("(REVEALING, 1)").count()), (5, 10));
    assert_eq!(kit.program("Alpha").revealed, Some(at("2026-12-03T10:00")));
}

#[test]
fn j84_a_month_that_was_over_before_a_late_result_comes_before_what_was_deemed_after_it() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.mode = Mode::Held;
    kit.strength("Alpha", 100);
    kit.strength("Beta", 200);
    kit.to("2026-11-03T10:00");
    kit.submit("Ann", "Alpha");
    kit.to("2026-12-05T10:00");
    let id = kit.intend("set", "hill-size", "2");
    kit.to("2026-12-10T10:00");
    kit.carry_out(id).unwrap();
    kit.to("2026-12-11T10:00");
    kit.strength("Alpha", -100);
    kit.submit("Bob", "Beta");
    kit.to("2027-01-20T10:00");
    kit.strength("Alpha", 100);
    kit.heard();
    kit.work();
    let said = kit.heard();
    let (month, size) =
        (said.find("Alpha: on the Hill without a break").unwrap(), said.find("The Hill holds 2").unwrap());
    assert!(said.find("Challenge 1").unwrap() < month && month < size, "{said}");
    assert_eq!(kit.program("Alpha").revealed, Some(at("2026-12-03T10:00")));
}

#[test]
fn nobody_waits_for_a_challenge() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.submit("Ann", "Alpha");
    kit.join("Bob");
    kit.submit("Bob", "Beta");
    let id = kit.intend("set", "charges", "10");
    kit.act("Bob", json!({"object": {"id": id}})).unwrap();
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
    kit.to("2026-11-16T00:00");
    assert_eq!(tasks::challenges(&kit.state().tables).count(), 2);
    assert!(kit.show("queue").unwrap().contains("award"));
}

#[test]
fn an_award_that_waits_can_be_undone_and_a_challenge_can() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.submit("Ann", "Alpha");
    let challenge = kit.state().seq;
    kit.to("2026-11-09T00:00");
    let award = kit.state().seq;
    kit.undo(challenge).unwrap();
    assert_eq!(tasks::challenges(&kit.state().tables).count(), 0);
    kit.undo(award).unwrap();
    // What would have been announced was told with the undo of the challenge.
    kit.heard();
    kit.work();
    assert!(!kit.heard().contains("Points for the week"));
}
