//! Notices: when they are ripe, what blocks them, what they do.

use crate::notices;
use crate::tasks;
use serde_json::json;

use crate::{
    notices::Stands,
    testkit::{Kit, Mode, at},
};

fn object(kit: &mut Kit, who: &str, id: u64) {
    kit.act(who, json!({"object": {"id": id}})).unwrap();
}

fn stands(kit: &Kit, id: u64) -> Stands {
    kit.state().rows::<notices::Notice>().get(&id).unwrap().stands
}

fn says(kit: &Kit, words: &str) -> bool {
    kit.show("contract").unwrap().contains(words)
}

/// J7: any section, a repealed one included.
#[test]
fn j7_a_repealed_section_comes_back_by_intent_as_it_was_or_with_a_new_text() {
    let mut kit = Kit::begun();
    let enact = |kit: &mut Kit, subject: &str| {
        kit.act("Goethe", json!({"intend": {"what": "enact", "subject": subject}})).unwrap_err()
    };
    assert!(enact(&mut kit, "points").say.contains("is in force"));
    assert!(enact(&mut kit, "nothing").say.contains("no section of that name was repealed"));
    for section in ["points", "tournament"] {
        let id = kit.intend("repeal", section, "");
        kit.to(if section == "points" { "2026-11-06T09:00" } else { "2026-11-10T09:00" });
        kit.carry_out(id).unwrap();
    }
    assert!(kit.heard().contains("so nobody can challenge the Hill"));
    let amend = json!({"intend": {"what": "amend", "subject": "tournament", "text": "Nothing."}});
    let refusal = kit.act("Goethe", amend).unwrap_err();
    assert_eq!(refusal.instead.as_deref(), Some("joust intend enact tournament"));
    let points =
        kit.intend("enact", "points", "Each week the first three Knights get 9, 4 and 1 points, and others 0.");
    let tournament = kit.intend("tournament", "enact", "");
    kit.to("2026-11-17T09:00");
    kit.carry_out(points).unwrap();
    kit.carry_out(tournament).unwrap();
    assert!(kit.heard().contains("comes into force again"));
    assert!(kit.state().rules.in_force("points").is_some_and(|rule| rule.text().visible().contains("first three")));
    kit.submit("Ann", "Alpha");
    assert_eq!(kit.hill().len(), 10);
    assert!(kit.carry_out(points).is_err());
}

/// The whole contest would stand still, and everybody should know before it does.
#[test]
fn figures_that_do_not_fit_together_are_told_at_the_notice_and_at_the_act() {
    let mut kit = Kit::begun();
    let id = kit.intend("set", "length-spread", "200");
    let told = kit.heard();
    assert!(told.contains("The contract then holds figures that do not fit together: no challenge"), "{told}");
    let size = kit.intend("set", "hill-size", "9");
    let told = kit.heard();
    assert!(told.contains("no tournament can start: its 10 programs do not fit on a Hill of 9"), "{told}");
    let harmless = kit.intend("set", "length-spread", "20");
    assert!(!kit.heard().contains("do not fit"));
    let gone = kit.intend("amend", "tournament", "Everything is decided by dice.");
    assert!(kit.heard().contains("The contract then gives no number of charges in a match to play by"));
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    let told = kit.heard();
    assert!(told.contains("the spread of the array's length is 200 (it was 16)"), "{told}");
    assert!(told.contains("The contract now holds figures that do not fit together: no challenge"), "{told}");
    assert!(kit.show("intents").unwrap().contains("is 200 (it was 16)"));
    assert!(kit.act("Ann", json!({"submit": {"name": "Alpha", "code": "+"}})).is_err());
    let _ = (size, harmless, gone);
}

#[test]
fn words_that_are_left_over_are_refused_and_never_come_into_the_contract() {
    let mut kit = Kit::begun();
    for (what, subject, text) in [
        ("remove", "joust3", "joust4"),
        ("repeal", "points", "now"),
        ("tournament", "repeal", "now"),
        ("set", "hill-size", "9 now"),
        ("set", "award-points", "8 5 3 2 1 later"),
        ("set", "contestmaster", "Ann, Bob"),
        ("tournament", "cycle-limit", "about 100000"),
        ("add", "joust3", "joust4 joust5"),
    ] {
        let tried = json!({"intend": {"what": what, "subject": subject, "text": text}});
        let refusal = kit.act("Goethe", tried).unwrap_err();
        assert!(refusal.instead.is_some(), "{what} {subject} {text}: {}", refusal.say);
    }
    assert_eq!(kit.state().rows::<notices::Notice>().iter().count(), 0);
    kit.intend("set", "hill-size", "9.");
    kit.intend("set", "award-points", "13/8/5, 3 and 2");
    kit.intend("set", "contestmaster", "Ann Lee");
    let notices = kit.show("intents").unwrap();
    assert!(notices.contains("size of the Hill becomes 9 (now 10)"), "{notices}");
}

#[test]
fn j7_the_window_is_from_four_to_fourteen_days_both_ends_included() {
    for (when, fine) in [
        ("2026-11-06T09:59:59", false),
        ("2026-11-06T10:00", true),
        ("2026-11-16T10:00", true),
        ("2026-11-16T10:00:01", false),
    ] {
        let mut kit = Kit::begun();
        kit.to("2026-11-02T10:00");
        let id = kit.intend("set", "charges", "21");
        kit.to(when);
        assert_eq!(kit.carry_out(id).is_ok(), fine, "{when}");
        assert_eq!(says(&kit, "is 21 Charges"), fine, "{when}");
    }
}

#[test]
fn j7_three_objections_of_members_block_and_two_do_not() {
    let mut kit = Kit::begun();
    for who in ["Ann", "Bob", "Cyd"] {
        kit.join(who);
    }
    let id = kit.intend("set", "charges", "21");
    object(&mut kit, "Ann", id);
    object(&mut kit, "Bob", id);
    // One member objecting twice is one, and who is no member counts for nothing.
    assert!(kit.act("Ann", json!({"object": {"id": id}})).unwrap_err().say.contains("already"));
    object(&mut kit, "Zoe", id);
    object(&mut kit, "Yve", id);
    kit.to("2026-11-06T09:00");
    object(&mut kit, "Cyd", id);
    let refusal = kit.carry_out(id).unwrap_err();
    assert!(refusal.say.contains("3 members object"), "{}", refusal.say);
    kit.act("Cyd", json!({"unobject": {"id": id}})).unwrap();
    assert!(kit.act("Cyd", json!({"unobject": {"id": id}})).is_err());
    kit.carry_out(id).unwrap();
    assert!(says(&kit, "is 21 Charges"));
    assert_eq!(stands(&kit, id), Stands::Done { at: at("2026-11-06T09:00") });
    assert!(kit.carry_out(id).unwrap_err().say.contains("was done"));
}

#[test]
fn j7_objectors_are_counted_at_the_act_among_those_who_are_members_then() {
    let mut kit = Kit::begun();
    for who in ["Ann", "Bob", "Cyd"] {
        kit.join(who);
    }
    let id = kit.intend("set", "charges", "21");
    for who in ["Ann", "Bob", "Cyd", "Dee"] {
        object(&mut kit, who, id);
    }
    kit.to("2026-11-06T09:00");
    kit.act("Cyd", json!("leave")).unwrap();
    kit.join("Dee");
    assert!(kit.carry_out(id).is_err());
    kit.act("Dee", json!("leave")).unwrap();
    kit.carry_out(id).unwrap();
}

#[test]
fn j7_any_section_can_be_changed_current_tournament_too_and_not_only_by_figures() {
    let mut kit = Kit::begun();
    let ids = [
        kit.intend("set", "cycle-limit", "5000"),
        kit.intend("amend", "Programs", "A program is a text in Brainfuck."),
        kit.intend("amend", "points", "replace “becomes a Knight” by “becomes a Paladin”"),
        kit.intend("repeal", "REVEALING", ""),
    ];
    let heard = kit.heard();
    for words in
        ["Notice 1:", "unless 3 members object", "-A program on the Hill becomes a Knight", "Object: joust object 1"]
    {
        assert!(heard.contains(words), "{words}: {heard}");
    }
    kit.to("2026-11-06T09:00");
    for id in ids {
        kit.carry_out(id).unwrap();
    }
    assert!(says(&kit, "After 5000 cycles") && says(&kit, "A program is a text in Brainfuck.\n"));
    assert!(says(&kit, "becomes a Paladin after 1 week") && !says(&kit, "REVEALING"));
    assert!(kit.heard().contains("no code is published by itself"));
}

#[test]
fn j8_a_noticed_change_of_the_tournament_is_done_a_week_later_whoever_objects() {
    for (when, fine) in [("2026-11-09T09:59:59", false), ("2026-11-09T10:00", true), ("2028-11-09T10:00", true)] {
        let mut kit = Kit::begun();
        for who in ["Ann", "Bob", "Cyd"] {
            kit.join(who);
        }
        kit.to("2026-11-02T10:00");
        let id = kit.intend("tournament", "cycle-limit", "100000");
        for who in ["Ann", "Bob", "Cyd"] {
            let refusal = kit.act(who, json!({"object": {"id": id}})).unwrap_err();
            assert!(refusal.say.contains("only the time of notice counts"));
        }
        kit.to(when);
        // Nothing happens by itself.
        assert!(says(&kit, "After 384000 cycles"));
        assert_eq!(kit.carry_out(id).is_ok(), fine, "{when}");
        assert_eq!(says(&kit, "After 100000 cycles"), fine);
    }
}

#[test]
fn j8_what_differs_from_the_notice_in_one_figure_is_refused() {
    let mut kit = Kit::begun();
    let id = kit.intend("tournament", "cycle-limit", "100000");
    let whole = kit.intend("tournament", "text", "A Jousting Match is [20](#charges) Charges.");
    kit.to("2026-11-10T10:00");
    let other = kit.act("Goethe", json!({"do": {"id": id, "text": "cycle-limit 100001"}})).unwrap_err();
    assert!(other.say.contains("not what notice 1 announced"), "{}", other.say);
    kit.act("Goethe", json!({"do": {"id": id, "text": "cycle-limit  100000"}})).unwrap();
    let differs = json!({"do": {"id": whole, "text": "A Jousting Match is 21 Charges."}});
    assert!(kit.act("Goethe", differs).is_err());
}

#[test]
fn j8_an_edit_that_the_section_has_moved_away_from_is_refused() {
    let mut kit = Kit::begun();
    let first = kit.intend("tournament", "cycle-limit", "100000");
    let second = kit.intend("tournament", "cycle-limit", "200000");
    let phrase = kit.intend("tournament", "replace", "“After 384000 cycles” by “After 7 cycles”");
    let whole = kit.intend("tournament", "text", "Nothing.");
    let apart = kit.intend("tournament", "charges", "21");
    kit.to("2026-11-09T10:00");
    kit.carry_out(first).unwrap();
    assert!(kit.carry_out(second).unwrap_err().say.contains("is not 384000 any more"));
    assert!(kit.carry_out(phrase).unwrap_err().say.contains("does not stand in"));
    assert!(kit.carry_out(whole).unwrap_err().say.contains("has changed since"));
    kit.carry_out(apart).unwrap();
    assert!(says(&kit, "After 100000 cycles") && says(&kit, "is 21 Charges"));
}

#[test]
fn j8_notice_alone_is_enough_for_current_tournament_only() {
    let mut kit = Kit::begun();
    let intend = |subject: &str| json!({"intend": {"what": "tournament", "subject": subject, "text": "5"}});
    let refusal = kit.act("Goethe", intend("knight-weeks")).unwrap_err();
    assert!(refusal.say.contains("outside CURRENT TOURNAMENT"), "{}", refusal.say);
    kit.act("Goethe", intend("charges")).unwrap();
}

#[test]
fn j9_nobody_but_the_contestmaster_changes_the_text() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let refusal = kit.act("Ann", json!({"intend": {"what": "set", "subject": "charges", "text": "5"}})).unwrap_err();
    assert_eq!(refusal.rule.as_deref(), Some("BRAINFUCK JOUST, J9"));
    assert!(refusal.say.contains("Goethe is contestmaster"));
    let id = kit.intend("set", "charges", "5");
    kit.to("2026-11-06T09:00");
    assert!(kit.act("Ann", json!({"do": {"id": id}})).is_err());
    assert!(says(&kit, "is 20 Charges"));
}

#[test]
fn j9_the_sections_are_the_eight_of_the_contract() {
    let kit = Kit::begun();
    let state = kit.state();
    let titles: Vec<String> = state.rules.rules().iter().map(|rule| rule.label()).collect();
    let sections = [
        "BRAINFUCK JOUST",
        "Programs",
        "The Hill",
        "Submission",
        "Challenge",
        "REVEALING",
        "POINTS",
        "CURRENT TOURNAMENT",
    ];
    assert_eq!(titles, sections);
    let items = state.rules.in_force("tournament").unwrap().text().visible().clone();
    assert!((0..=8).all(|item| items.lines().any(|line| line.starts_with(&format!("{item}. ")))));
}

#[test]
fn intents_that_could_not_be_done_are_refused_at_once() {
    let mut kit = Kit::begun();
    for (what, subject, text) in [
        ("set", "nonsense", Some("5")),
        ("set", "charges", None),
        ("set", "charges", Some("banana")),
        ("set", "charges", Some("20")),
        ("amend", "nowhere", Some("text")),
        ("amend", "points", None),
        ("amend", "points", Some("replace “no such words” by “x”")),
        ("repeal", "nowhere", None),
        ("remove", "Alpha", None),
        ("add", "Alpha", None),
        ("set", " ", Some("5")),
    ] {
        let intent = json!({"intend": {"what": what, "subject": subject, "text": text}});
        assert!(kit.act("Goethe", intent).is_err(), "{what} {subject} {text:?}");
    }
    assert!(kit.act_in(false, "Goethe", json!({"intend": {"what": "repeal", "subject": "points"}})).is_err());
}

#[test]
fn j20_a_removal_needs_a_weeks_notice_of_that_program_and_an_act() {
    let mut kit = Kit::begun();
    kit.to("2026-11-02T10:00");
    let none = kit.act("Goethe", json!({"remove": {"name": "joust3"}})).unwrap_err();
    assert!(none.say.contains("no notice says that joust3 is to be removed"), "{}", none.say);
    let id = kit.intend("remove", "joust3", "");
    assert!(kit.act("Ann", json!({"object": {"id": id}})).is_err());
    kit.to("2026-11-09T09:59:59");
    assert!(
        kit.act("Goethe", json!({"remove": {"name": "joust3"}}))
            .unwrap_err()
            .say
            .contains("from 2026-11-09 10:00 UTC on")
    );
    kit.to("2026-11-09T10:00");
    assert!(kit.act("Goethe", json!({"remove": {"name": "joust4"}})).is_err());
    assert!(kit.act("Ann", json!({"remove": {"name": "joust3"}})).is_err());
    assert!(kit.act_in(false, "Goethe", json!({"remove": {"name": "joust3"}})).is_err());
    assert_eq!(kit.hill().len(), 10);
    kit.heard();
    kit.act("Goethe", json!({"remove": {"name": "joust3"}})).unwrap();
    assert_eq!(kit.hill(), ["joust0", "joust1", "joust2", "joust4", "joust5", "joust6", "joust7", "joust8", "joust9"]);
    assert!(
        kit.heard().contains("joust3 is removed from the Hill by notice 1. 9 programs remain; those below move up.")
    );
    assert!(kit.carry_out(id).is_err());
}

#[test]
fn j20_the_next_challenger_joins_a_hill_of_nine_without_a_drop() {
    let mut kit = Kit::begun();
    let id = kit.intend("remove", "joust3", "");
    kit.to("2026-11-09T10:00");
    kit.carry_out(id).unwrap();
    kit.strength("Weak", -5);
    kit.heard();
    kit.submit("Ann", "Weak");
    assert_eq!(kit.hill().len(), 10);
    assert_eq!(kit.hill()[9], "Weak");
    assert!(kit.heard().contains("There was room: nobody drops."));
}

#[test]
fn j20_a_full_hill_takes_a_program_only_where_the_notice_removes_one() {
    let mut kit = Kit::begun();
    kit.act("Goethe", json!({"add": {"name": "Extra", "code": "sekret extra +"}})).unwrap();
    assert!(kit.hill().len() == 10 && kit.state().rows::<tasks::Task>().is_empty());
    let alone = kit.intend("add", "Extra", "");
    let both = kit.intend("add", "Extra", "joust3");
    kit.heard();
    kit.to("2026-11-09T10:00");
    assert!(kit.carry_out(alone).unwrap_err().say.contains("the Hill holds 10 programs and no more"));
    kit.carry_out(both).unwrap();
    assert_eq!((kit.hill().len(), kit.hill()[9].as_str(), kit.place("joust3").is_none()), (10, "Extra", true));
    let place = kit.place("Extra").unwrap();
    assert_eq!((place.touches, place.since), (None, at("2026-11-09T10:00")));
    // By name and hash, and not by code, which the kit looks for in every entry.
    let said = kit.heard();
    assert!(said.contains("in the place of joust3") && said.contains(&kit.program("Extra").hash), "{said}");
    assert!(kit.show("program/Extra").unwrap().contains("its code is not public"));
}

#[test]
fn j20_a_notice_about_a_program_that_dropped_meanwhile_is_spent() {
    let mut kit = Kit::begun();
    let id = kit.intend("remove", "joust9", "");
    kit.strength("Alpha", 30);
    kit.submit("Ann", "Alpha");
    assert!(kit.place("joust9").is_none());
    assert_eq!(stands(&kit, id), Stands::Spent { at: at("2026-11-02T09:00") });
    kit.to("2026-11-09T10:00");
    assert!(kit.carry_out(id).unwrap_err().say.contains("is spent"));
}

#[test]
fn j20_a_program_that_drops_between_the_act_and_its_turn_is_not_removed_twice() {
    let mut kit = Kit::begun();
    let id = kit.intend("remove", "joust9", "");
    kit.to("2026-11-09T10:00");
    kit.mode = Mode::Held;
    kit.strength("Alpha", 30);
    kit.submit("Ann", "Alpha");
    kit.carry_out(id).unwrap();
    kit.heard();
    kit.work();
    assert!(kit.heard().contains("The removal of joust9 by notice 1 does nothing"));
    assert_eq!(kit.hill().len(), 10);
}

#[test]
fn live_figures_of_notices_are_those_of_the_text_at_the_act() {
    let mut kit = Kit::begun();
    let first = kit.intend("set", "wait-days", "6");
    let second = kit.intend("set", "charges", "21");
    let third = kit.intend("tournament", "length", "160");
    let notice = kit.intend("set", "tournament-notice-days", "9");
    let hill = kit.intend("set", "hill-notice-days", "8");
    let removal = kit.intend("remove", "joust5", "");
    kit.to("2026-11-06T09:00");
    kit.carry_out(notice).unwrap();
    kit.carry_out(hill).unwrap();
    kit.carry_out(first).unwrap();
    assert!(kit.carry_out(second).unwrap_err().say.contains("from 2026-11-08 09:00 UTC on"));
    kit.to("2026-11-09T09:00");
    assert!(kit.carry_out(third).unwrap_err().say.contains("from 2026-11-11 09:00 UTC on"));
    assert!(kit.carry_out(removal).unwrap_err().say.contains("from 2026-11-10 09:00 UTC on"));
    kit.to("2026-11-11T09:00");
    kit.carry_out(third).unwrap();
    kit.carry_out(removal).unwrap();
}

#[test]
fn an_objection_and_an_amendment_can_be_undone() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let id = kit.intend("set", "charges", "21");
    object(&mut kit, "Ann", id);
    let seq = kit.state().seq;
    kit.undo(seq).unwrap();
    assert!(kit.state().rows::<notices::Objection>().is_empty());
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    let seq = kit.state().seq;
    kit.undo(seq).unwrap();
    assert!(says(&kit, "is 20 Charges"));
    assert_eq!(stands(&kit, id), Stands::Open);
}

#[test]
fn j20_of_several_notices_about_one_program_the_first_that_can_be_done_is() {
    let mut kit = Kit::begun();
    kit.act("Goethe", json!({"add": {"name": "Extra", "code": "+"}})).unwrap();
    let alone = kit.intend("add", "Extra", "");
    let both = kit.intend("add", "Extra", "joust3");
    kit.to("2026-11-09T10:00");
    kit.act("Goethe", json!({"add": {"name": "Extra"}})).unwrap();
    assert_eq!((stands(&kit, alone), stands(&kit, both)), (Stands::Open, Stands::Done { at: at("2026-11-09T10:00") }));
}
