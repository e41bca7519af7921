//! Publishing: after a month by duty, at any time by the submitter, and otherwise not at all.

use serde_json::json;

use crate::testkit::{Kit, Mode, at};
use kernel::{display::Block, entry::Audience};

/// Ann's Alpha on the Hill since an instant.
fn since(when: &str) -> Kit {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 50);
    kit.to(when);
    kit.submit("Ann", "Alpha");
    kit.heard();
    kit
}

#[test]
fn j31_a_month_is_the_same_day_and_time_of_the_next_month_or_the_first_after_it() {
    for (entered, published) in [
        ("2026-12-15T10:00", "2027-01-15T10:00"),
        ("2027-01-31T10:00", "2027-03-01T10:00"),
        ("2027-01-15T10:00", "2027-02-15T10:00"),
        ("2027-04-30T10:00", "2027-05-30T10:00"),
    ] {
        let mut kit = since(entered);
        assert!(kit.show("program/Alpha").unwrap().contains(&format!("published at {}", published.replace('T', " "))));
        let before = at(published).checked_sub(jiff::SignedDuration::from_secs(1)).unwrap().to_string();
        kit.to(before.trim_end_matches('Z'));
        assert_eq!(kit.program("Alpha").revealed, None, "{entered}");
        kit.heard();
        kit.to(published);
        assert_eq!(kit.program("Alpha").revealed, Some(at(published)));
        assert!(kit.heard().contains("Alpha by Ann"));
        kit.to("2027-12-01T00:00");
        assert!(!kit.heard().contains("Alpha by Ann"), "once");
    }
}

#[test]
fn j31_the_house_and_non_members_are_published_too_to_the_public_forums() {
    let mut kit = since("2026-11-02T10:00");
    kit.to("2026-12-02T09:00");
    assert_eq!(kit.heard().matches("(REVEALING, 1)").count(), 9);
    assert!(kit.show("program/joust4").unwrap().contains("(sealed)"));
    kit.to("2026-12-02T10:00");
    let entry = kit.last_entry();
    let sealed = entry.says.iter().find(|say| {
        say.document.blocks.iter().any(|block| matches!(block, Block::Sealed { secret } if **secret == *"program/11"))
    });
    assert_eq!(sealed.unwrap().to, Audience::Public);
    assert!(kit.show("program/Alpha").unwrap().contains("(sealed)"));
}

#[test]
fn j31_a_break_in_the_stay_starts_the_month_anew() {
    let mut kit = since("2026-11-10T10:00");
    kit.strength("Alpha", -50);
    kit.to("2026-11-12T10:00");
    kit.submit("Bob", "Beta");
    assert!(kit.place("Alpha").is_none());
    kit.to("2026-12-20T10:00");
    assert_eq!(kit.program("Alpha").revealed, None);
    kit.act("Goethe", json!({"add": {"name": "Extra", "code": "+"}})).unwrap();
    let id = kit.intend("add", "Alpha", "joust5");
    kit.to("2026-12-27T10:00");
    kit.carry_out(id).unwrap();
    assert_eq!(kit.place("Alpha").unwrap().since, at("2026-12-27T10:00"));
    kit.to("2027-01-27T09:59");
    assert_eq!(kit.program("Alpha").revealed, None);
    kit.to("2027-01-27T10:00");
    assert_eq!(kit.program("Alpha").revealed, Some(at("2027-01-27T10:00")));
}

#[test]
fn j32_who_drops_after_two_weeks_or_more_is_asked_in_private_and_who_drops_sooner_is_not() {
    for (when, asked) in [("2026-11-17T09:59:59", false), ("2026-11-17T10:00", true)] {
        let mut kit = since("2026-11-03T10:00");
        kit.strength("Alpha", -50);
        kit.to(when);
        kit.submit("Bob", "Beta");
        assert!(kit.place("Alpha").is_none());
        assert!(!kit.heard().contains("suggests that you show"));
        let whispered = kit.whispered("Ann");
        assert_eq!(whispered.contains("Alpha dropped from the Hill after 14 d"), asked, "{whispered}");
        assert_eq!(whispered.contains("joust reveal Alpha"), asked);
        assert_eq!(kit.whispered("Bob"), "");
    }
}

#[test]
fn j32_the_last_stay_alone_counts_and_a_removal_is_a_drop_too() {
    let mut kit = since("2026-11-03T10:00");
    let id = kit.intend("remove", "Alpha", "");
    kit.to("2026-11-10T10:00");
    kit.carry_out(id).unwrap();
    assert_eq!(kit.whispered("Ann"), "");
    let back = kit.intend("add", "Alpha", "");
    kit.to("2026-11-17T10:00");
    kit.carry_out(back).unwrap();
    let id = kit.intend("remove", "Alpha", "");
    let joust = kit.intend("remove", "joust1", "");
    kit.to("2026-11-24T10:00");
    kit.whispered("Goethe");
    kit.carry_out(id).unwrap();
    assert_eq!(kit.whispered("Ann"), "", "two stays of a week are not two weeks");
    kit.carry_out(joust).unwrap();
    assert!(kit.whispered("Goethe").contains("joust1 dropped from the Hill after 22 d"));
}

#[test]
fn j33_nothing_follows_from_ignoring_the_request() {
    let mut kit = since("2026-11-03T10:00");
    kit.strength("Alpha", -50);
    kit.to("2026-11-20T10:00");
    kit.submit("Bob", "Beta");
    assert!(kit.whispered("Ann").contains("You need not"));
    kit.to("2027-11-20T10:00");
    assert_eq!(kit.program("Alpha").revealed, None);
    assert!(!kit.show("program/Alpha").unwrap().contains("(sealed)"));
    kit.submit("Ann", "Gamma");
}

#[test]
fn j34_a_submitter_may_show_eir_own_code_at_any_time_and_it_stays_public() {
    let mut kit = Kit::waiting();
    kit.submit("Ann", "Waits");
    kit.act("Ann", json!({"reveal": {"name": "Waits"}})).unwrap();
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    kit.submit("Ann", "Weak");
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
    assert!(kit.heard().contains("Alpha by Ann") && kit.show("program/Alpha").unwrap().contains("(sealed)"));
    kit.strength("Weak", -1);
    while kit.work() {}
    kit.act("Ann", json!({"reveal": {"name": "Weak"}})).unwrap();
    assert!(kit.act("Ann", json!({"reveal": {"name": "Weak"}})).unwrap_err().say.contains("public since"));
    kit.heard();
    // What is public is not published again after its month.
    kit.to("2027-03-02T10:00");
    assert!(!kit.heard().contains("Alpha by Ann"));
    kit.strength("Alpha", -60);
    kit.submit("Bob", "Beta");
    kit.work();
    assert!(kit.place("Alpha").is_none() && kit.show("program/Alpha").unwrap().contains("(sealed)"));
    assert_eq!(kit.whispered("Ann"), "", "nobody is asked for what is public");
    kit.submit("Ann", "Late");
    kit.act("Goethe", json!("terminate")).unwrap();
    kit.act("Ann", json!({"reveal": {"name": "Late"}})).unwrap();
}

#[test]
fn j34_what_is_public_is_not_due_any_more() {
    let mut kit = since("2026-11-10T10:00");
    kit.to("2026-12-05T10:00");
    let alpha = kit.program("Alpha").id;
    let earliest = |kit: &Kit| super::coming(&kit.state().tables, &kit.state().rules).into_iter().min();
    assert_eq!(earliest(&kit), Some((at("2026-12-10T10:00"), alpha)));
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
    assert_eq!(earliest(&kit), None);
}

#[test]
fn j34_what_is_shown_while_its_publication_waits_for_a_challenge_is_published_once() {
    let mut kit = since("2026-11-03T10:00");
    kit.to("2026-12-03T09:59");
    kit.mode = Mode::Held;
    kit.strength("Beta", -60);
    kit.submit("Bob", "Beta");
    kit.to("2026-12-03T12:00");
    kit.heard();
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
    assert_eq!(kit.heard().matches("Alpha by Ann").count(), 1);
    while kit.work() {}
    let heard = kit.heard();
    assert!(heard.contains("Beta") && !heard.contains("Alpha by Ann"), "{heard}");
}

#[test]
fn j35_nobody_shows_another_players_code_and_the_contestmaster_eir_own_at_any_time() {
    let mut kit = since("2026-11-03T10:00");
    for who in ["Bob", "Goethe"] {
        kit.join(who);
        let refusal = kit.act(who, json!({"reveal": {"name": "Alpha"}})).unwrap_err();
        assert!(refusal.say.contains("Alpha is by Ann"), "{}", refusal.say);
    }
    assert!(kit.act("Ann", json!({"reveal": {"name": "joust0"}})).is_err());
    kit.act("Goethe", json!({"reveal": {"name": "joust0"}})).unwrap();
    assert!(kit.show("program/joust0").unwrap().contains("(sealed)"));
}

#[test]
fn j77_a_program_that_a_challenge_deemed_before_its_month_drops_is_not_published_but_asked_for() {
    let mut kit = since("2026-11-03T10:00");
    kit.to("2026-12-03T09:59");
    kit.mode = Mode::Held;
    kit.strength("Alpha", -50);
    kit.submit("Bob", "Beta");
    kit.to("2026-12-03T12:00");
    kit.heard();
    kit.work();
    assert_eq!(kit.program("Alpha").revealed, None);
    assert!(!kit.heard().contains("(REVEALING, 1)"));
    assert!(kit.whispered("Ann").contains("Alpha dropped from the Hill after 29 d 23 h"));
    kit.to("2027-02-03T12:00");
    assert_eq!(kit.program("Alpha").revealed, None);
}

#[test]
fn j86_without_the_section_nothing_is_published_or_asked_for_and_code_stays_secret() {
    let mut kit = since("2026-11-03T10:00");
    let id = kit.intend("repeal", "revealing", "");
    kit.to("2026-11-10T10:00");
    kit.carry_out(id).unwrap();
    kit.heard();
    kit.to("2027-01-10T10:00");
    assert_eq!(kit.program("Alpha").revealed, None);
    assert!(!kit.show("program/Alpha").unwrap().contains("(sealed)"));
    assert!(kit.act("Goethe", json!({"reveal": {"name": "Alpha"}})).is_err());
    kit.strength("Alpha", -50);
    kit.submit("Bob", "Beta");
    assert_eq!(kit.whispered("Ann"), "");
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
}
