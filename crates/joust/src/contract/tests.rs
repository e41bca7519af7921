//! The contract's frame: office, members, beginning and end.

use crate::contract;
use serde_json::json;

use crate::testkit::{Kit, Mode, at};
use kernel::{
    deed::Moderation,
    frame::{ClockMode, Standing},
    rulebook::Live,
};

fn seat(kit: &Kit, name: &str) -> kernel::frame::Seat {
    kit.state().frame.seats.values().find(|seat| seat.name == name).unwrap().clone()
}

#[test]
fn j1_nothing_of_the_chat_around_the_contract_is_in_its_text() {
    let kit = Kit::waiting();
    let text = kit.show("contract").unwrap().to_lowercase();
    for chat in ["proto", "so a proto", "reply via email", "looks like"] {
        assert!(!text.contains(chat), "{chat}");
    }
}

#[test]
fn j2_anybody_may_read_the_contract_and_its_revisions_at_any_time() {
    let mut kit = Kit::begun();
    let id = kit.intend("set", "cycle-limit", "1000");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    kit.act("Goethe", json!("terminate")).unwrap();
    let text = kit.show("contract").unwrap();
    assert!(text.contains("After 1000 cycles") && text.contains("The contract ended"));
    let limits: Vec<bool> = kit
        .state()
        .rules
        .get("tournament")
        .unwrap()
        .revisions()
        .iter()
        .map(|revision| revision.source.contains("384000"))
        .collect();
    assert_eq!(limits, [true, false]);
}

#[test]
fn j3_whoever_the_text_names_is_contestmaster_and_amending_the_name_moves_the_office() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    assert!(kit.act("Ann", json!({"intend": {"what": "set", "subject": "charges", "text": "5"}})).is_err());
    let id = kit.intend("set", "contestmaster", "Ann");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    assert!(kit.heard().contains("Ann is contestmaster from now on"));
    assert!(kit.act("Goethe", json!({"intend": {"what": "set", "subject": "charges", "text": "5"}})).is_err());
    kit.act("Ann", json!({"intend": {"what": "set", "subject": "charges", "text": "5"}})).unwrap();
}

#[test]
fn j3_an_office_for_somebody_who_is_not_here_waits_for_the_seat() {
    let mut kit = Kit::begun();
    let id = kit.intend("set", "contestmaster", "Zoe");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    let refusal = kit.act("Goethe", json!("terminate")).unwrap_err();
    assert!(refusal.say.contains("Zoe, who has no seat here yet"), "{}", refusal.say);
    let said = kit.heard();
    assert!(said.contains("names Zoe as contestmaster, and nobody sits here"), "{said}");
    assert!(!said.contains("Zoe is contestmaster from now on"), "{said}");
    kit.act("Zoe", json!("terminate")).unwrap();
}

#[test]
fn j3_the_office_stays_with_its_seat_when_the_seat_loses_its_name_and_goes_to_no_namesake() {
    let mut kit = Kit::begun();
    let master = contract::contract(&kit.state().tables).contestmaster.clone().unwrap();
    kit.moderate("op", Moderation::Forget { seat: master.clone() }).unwrap();
    kit.act_in(true, "Goethe2", json!({"join": {"name": "Goethe"}})).unwrap();
    assert_eq!(contract::contract(&kit.state().tables).contestmaster.as_ref(), Some(&master));
    assert!(kit.act("Goethe2", json!("terminate")).is_err());
    kit.act("Goethe", json!("terminate")).unwrap();
}

#[test]
fn j3_a_notice_that_gives_the_office_to_somebody_who_was_forgotten_means_the_seat_and_writes_no_old_name() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let (id, other) = (kit.intend("set", "contestmaster", "ann"), kit.intend("set", "contestmaster", "Anna"));
    let ann = kit.state().frame.seats.iter().find(|(_, seat)| seat.name == "Ann").map(|(id, _)| id.clone()).unwrap();
    kit.moderate("op", Moderation::Forget { seat: ann.clone() }).unwrap();
    kit.act_in(true, "Namesake", json!({"join": {"name": "Ann"}})).unwrap();
    let shown = kit.show("intents").unwrap();
    assert!(shown.contains("becomes former") && shown.contains("becomes Anna"), "{shown}");
    kit.to("2026-11-06T09:00");
    kit.heard();
    kit.carry_out(id).unwrap();
    assert!(!kit.heard().to_lowercase().contains("ann"));
    assert_eq!(contract::contract(&kit.state().tables).contestmaster.as_ref(), Some(&ann));
    assert!(kit.carry_out(other).is_err());
}

#[test]
fn j3_a_moderator_can_seat_the_office_where_the_text_names_nobody_here() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    assert!(kit.correct("contestmaster", "Nobody").is_err());
    let id = kit.intend("set", "contestmaster", "Zoe");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    kit.correct("contestmaster", "Ann").unwrap();
    kit.act("Ann", json!("terminate")).unwrap();
}

#[test]
fn j3_the_opener_or_whom_the_opener_names_stands_in_the_text() {
    let kit = Kit::waiting();
    assert!(kit.show("contract").unwrap().contains("Its contestmaster is Goethe,"));
    let named = Kit::opened(json!({"officer": "Schiller"})).unwrap();
    assert!(named.show("contract").unwrap().contains("Its contestmaster is Schiller,"));
    assert_eq!(contract::contract(&named.state().tables).contestmaster.as_ref(), None);
    for wrong in [json!({"officer": 3}), json!({"officer": " "}), json!({"size": 3}), json!({"officer": "a](#x)"})] {
        assert!(Kit::opened(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn j4_an_adjudication_is_journalled_and_published_and_changes_nothing() {
    let mut kit = Kit::begun();
    let before = (kit.state().world.clone(), kit.state().tables.clone());
    let refusal = kit.act("Ann", json!({"adjudicate": {"text": "Mine."}})).unwrap_err();
    assert!(refusal.say.contains("only the contestmaster"));
    kit.act("Goethe", json!({"adjudicate": {"text": "A program without symbols is a program.", "about": 2}})).unwrap();
    assert_eq!(before, (kit.state().world.clone(), kit.state().tables.clone()));
    let said = kit.heard();
    assert!(said.contains("adjudication on entry 2") && said.contains("A program without symbols"), "{said}");
    assert!(kit.journal.last().unwrap().contains("A program without symbols"));
    assert!(kit.act("Goethe", json!({"adjudicate": {"text": "x", "about": 99}})).is_err());
    assert!(kit.act("Goethe", json!({"adjudicate": {"text": "x".repeat(5000)}})).is_err());
    kit.submit("Ann", "Alpha");
}

#[test]
fn j5_duties_are_done_unasked_and_advice_refuses_nothing() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 30);
    // The contestmaster is asked to submit only where it keeps things interesting; nobody judges that.
    kit.submit("Goethe", "Alpha");
    assert!(kit.heard().contains("Challenge 1: Alpha by Goethe"));
    kit.to("2026-11-09T00:00");
    assert!(kit.heard().contains("Points for the week from 2026-11-09"));
    kit.to("2026-12-02T09:00");
    assert!(kit.heard().contains("(REVEALING, 1)"));
}

#[test]
fn j6_the_contract_ends_by_one_announcement_and_nothing_is_done_or_due_afterwards() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.submit("Ann", "Alpha");
    let notice = kit.intend("set", "charges", "5");
    kit.to("2026-11-06T10:00");
    assert!(kit.act_in(false, "Goethe", json!("terminate")).unwrap_err().say.contains("announcement"));
    assert!(kit.act("Ann", json!("terminate")).unwrap_err().say.contains("contestmaster"));
    kit.act("Goethe", json!("terminate")).unwrap();
    for act in [
        json!({"submit": {"name": "Beta", "code": "+"}}),
        json!({"join": {}}),
        json!("leave"),
        json!({"intend": {"what": "set", "subject": "charges", "text": "6"}}),
        json!({"do": {"id": notice}}),
        json!({"object": {"id": notice}}),
        json!({"adjudicate": {"text": "x"}}),
        json!({"test": {"code": "+"}}),
        json!("terminate"),
    ] {
        for who in ["Goethe", "Ann"] {
            assert!(
                kit.act(who, act.clone()).unwrap_err().say.contains("the contract ended at 2026-11-06 10:00"),
                "{act}"
            );
        }
    }
    let points = kit.points("Ann");
    kit.heard();
    kit.to("2027-03-01T00:00");
    assert_eq!((kit.heard().as_str(), kit.points("Ann")), ("", points));
    for display in ["hill", "program/joust0", "points", "contract", "queue", "intents", "members"] {
        kit.show(display).unwrap();
    }
}

#[test]
fn j6_challenges_that_were_deemed_to_occur_before_the_end_are_still_run_and_announced() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.strength("Alpha", 30);
    kit.to("2026-11-03T10:00");
    kit.submit("Ann", "Alpha");
    kit.act("Goethe", json!("terminate")).unwrap();
    kit.heard();
    kit.to("2026-11-20T10:00");
    assert!(kit.work());
    assert_eq!(kit.hill()[0], "Alpha");
    assert!(kit.heard().contains("Alpha enters the Hill at rank 1"));
    assert!(!kit.work());
}

#[test]
fn j10_a_player_becomes_a_member_by_announcement_at_once_and_may_leave() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 30);
    kit.submit("Ann", "Alpha");
    assert_eq!(seat(&kit, "Ann").standing, Standing::Outsider);
    assert!(kit.act_in(false, "Ann", json!({"join": {}})).is_err());
    kit.join("Ann");
    assert_eq!(seat(&kit, "Ann").standing, Standing::Player);
    assert!(kit.act("Ann", json!({"join": {}})).unwrap_err().say.contains("member already"));
    assert!(kit.act("Bob", json!("leave")).is_err());
    kit.to("2026-11-16T12:00");
    assert_eq!(kit.points("Ann"), 8);
    kit.act("Ann", json!("leave")).unwrap();
    assert_eq!(kit.hill()[0], "Alpha");
    kit.to("2026-11-23T12:00");
    assert_eq!(kit.points("Ann"), 8);
    assert!(kit.act("Ann", json!("leave")).unwrap_err().say.contains("no member"));
}

#[test]
fn a_newcomer_whose_name_is_taken_joins_under_another() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let refusal = kit.act("ANN2", json!({"join": {"name": "ann"}})).unwrap_err();
    assert!(refusal.say.contains("the name Ann is taken"), "{}", refusal.say);
    kit.act("ANN2", json!({"join": {"name": "Anna/../x"}})).unwrap();
    assert!(kit.state().world.exists("player/anna----x"));
    kit.act("Third", json!({"join": {"name": "Anna x"}})).unwrap();
    assert!(
        kit.act("Ann", json!({"join": {"name": "Other"}})).unwrap_err().say.contains("you have a seat here as Ann")
    );
}

/// Text and office never say different things (J3): where the text names somebody who sits here, only the text moves the
/// office.
#[test]
fn j3_a_correction_of_the_office_gives_way_to_the_name_in_the_text() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let refusal = kit.correct("contestmaster", "Ann").unwrap_err();
    assert!(refusal.say.contains("the contract names Goethe"), "{}", refusal.say);
    assert_eq!(refusal.instead.as_deref(), Some("joust intend set contestmaster NAME"));
    kit.correct("contestmaster", "Goethe").unwrap();
}

#[test]
fn a_pause_lets_mondays_and_publications_pass() {
    let mut kit = Kit::begun();
    kit.to("2026-11-08T00:00");
    let pause = |mode| Moderation::Clock { mode, reason: None };
    kit.moderate("op", pause(ClockMode::Paused(at("2026-11-08")))).unwrap();
    assert!(kit.act("Ann", json!({"submit": {"name": "Alpha", "code": "+"}})).is_err());
    kit.to("2026-12-05T00:00");
    kit.heard();
    kit.moderate("op", pause(ClockMode::Live)).unwrap();
    let said = kit.heard();
    let mondays = "4 things that were due inside the pause do not happen: the award of 2026-11-09, ";
    assert!(said.contains(mondays), "{said}");
    assert!(said.contains("This follows now: the publication of joust0, the publication of joust1"), "{said}");
    // The contract orders the publication (J31): it is late, and still made.
    assert_eq!(said.matches("(REVEALING, 1)").count(), 10, "{said}");
    assert_eq!(kit.program("joust0").revealed, Some(at("2026-12-05")));
    kit.to("2026-12-06T00:00");
    assert_eq!(kit.heard(), "");
    kit.to("2026-12-07T00:00");
    assert!(kit.heard().contains("Points for the week from 2026-12-07"));
    assert!(kit.show("program/joust0").is_ok());
    assert_eq!(kit.program("joust0").revealed, Some(at("2026-12-05")));
}

#[test]
fn a_contest_without_a_named_contestmaster_has_nobody_in_office() {
    let mut kit = Kit::begun();
    let id = kit.intend("repeal", "opening", "");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    assert!(kit.heard().contains("nobody holds the office"));
    assert!(matches!(kit.state().rules.live_name(&super::super::figures::CONTESTMASTER), Live::Absent));
    assert!(kit.act("Goethe", json!("terminate")).is_err());
}

#[test]
fn a_room_opens_with_a_preset_and_a_tournament_takes_another_one_by_notice() {
    let figure =
        |kit: &Kit, of: &str| kit.show("sections").unwrap().lines().find(|line| line.contains(of)).map(str::to_owned);
    let mut kit = Kit::opened(json!({"preset": "egojoust"})).unwrap();
    assert!(figure(&kit, "number of polarities").unwrap().contains('2'));
    assert!(Kit::opened(json!({"preset": "elo"})).is_err());
    assert!(Kit::opened(json!({"preset": 3})).is_err());
    kit.act("Goethe", json!({"start": {}})).unwrap();
    let unknown = kit.act("Goethe", json!({"intend": {"what": "tournament", "subject": "preset", "text": "elo"}}));
    assert!(unknown.unwrap_err().say.contains("agora and egojoust"));
    let word = kit.act("Goethe", json!({"intend": {"what": "tournament", "subject": "scoring", "text": "elo"}}));
    assert!(word.unwrap_err().say.contains("it is not “touches”, “points”, “trad” or “markov”"));
    kit.to("2026-11-03T10:00");
    let notice = kit.intend("tournament", "preset", "agora");
    kit.to("2026-11-10T10:00");
    kit.carry_out(notice).unwrap();
    let own = Kit::waiting();
    let text = |kit: &Kit| kit.state().rules.get("tournament").unwrap().text().source().to_string();
    assert_eq!(text(&kit).trim(), text(&own).trim());
    // And back, with one figure of the other's.
    kit.to("2026-11-10T11:00");
    let back = kit.intend("tournament", "preset", "egojoust");
    kit.to("2026-11-17T11:00");
    kit.carry_out(back).unwrap();
    assert!(figure(&kit, "scoring").unwrap().contains("trad"));
}

/// The word for a scoring is nobody's name.
#[test]
fn whoever_is_called_as_a_scoring_is_forgotten_without_it() {
    let mut kit = Kit::begun();
    kit.join("touches");
    let seat =
        kit.state().frame.seats.iter().find(|(_, seat)| seat.name == "touches").map(|(id, _)| id.clone()).unwrap();
    kit.moderate("touches", Moderation::Forget { seat }).unwrap();
    assert!(kit.state().rules.get("tournament").unwrap().text().visible().contains("counted in touches"));
}
