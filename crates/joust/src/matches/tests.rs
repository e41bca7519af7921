//! Displays: what stands in them, what completes from them, what they refuse.

use serde_json::json;

use super::stretches;
use crate::testkit::{Kit, Mode};
use kernel::{engine::View, viewer::Viewer};

fn completions(kit: &Kit, id: &str, seat: Option<&str>) -> Vec<String> {
    let viewer = Viewer { seat: seat.map(Into::into), ..Viewer::default() };
    let document = View::display(kit.state(), id, &viewer).unwrap();
    document.cells().filter_map(|cell| cell.completes.clone()).collect()
}

#[test]
fn every_display_that_is_listed_can_be_shown_in_every_phase_of_a_contest() {
    let mut kits = vec![Kit::waiting(), Kit::begun()];
    kits[0].submit("Ann", "Alpha");
    let mut ended = Kit::begun();
    ended.mode = Mode::Held;
    ended.submit("Ann", "Alpha");
    ended.intend("repeal", "points", "");
    ended.act("Goethe", json!("terminate")).unwrap();
    kits.push(ended);
    for kit in &kits {
        for cell in View::displays(kit.state()) {
            let id = cell.completes.unwrap();
            match kit.show(&id) {
                Ok(text) => assert!(!text.is_empty(), "{id}"),
                Err(refusal) => {
                    assert!(id == "matrix" && refusal.say.contains("no challenge"), "{id}")
                }
            }
        }
    }
    assert!(kits[0].show("nonsense").is_err() && kits[0].show("program/Nobody").is_err());
}

#[test]
fn the_hill_shows_rank_program_owner_touches_knight_and_age() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-10T09:00");
    kit.join("Bob");
    let hill = kit.show("hill").unwrap();
    let first = |hill: &str| hill.lines().nth(2).unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(first(&hill), ["1", "Alpha", "Ann", "200", "Knight", "2026-11-02"]);
    assert!(hill.contains("After challenge 1, by Alpha.") && !hill.contains("waits"));
    let narrow = hill.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(narrow <= 60, "{hill}");
    assert_eq!(completions(&kit, "hill", None).len(), 10);
}

#[test]
fn j21_no_program_is_said_to_have_met_itself() {
    let mut kit = Kit::begun();
    kit.submit("Ann", "Alpha");
    let refusal = kit.show("match/Alpha/alpha").unwrap_err();
    assert!(refusal.say.contains("no program meets itself"), "{}", refusal.say);
}

/// Knighthood by age is reckoned when somebody looks: nothing need happen in the room for it (J36).
#[test]
fn a_program_is_shown_as_a_knight_from_the_instant_at_which_it_is_one() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    let before = kit.journal.len();
    kit.sleep_to("2026-11-09T08:59:59");
    assert!(kit.show("hill").unwrap().contains("from 2026-11-09"));
    assert!(kit.show("program/Alpha").unwrap().contains("Knight from 2026-11-09 09:00"));
    kit.sleep_to("2026-11-09T09:00");
    let hill = kit.show("hill").unwrap();
    assert!(hill.contains("Knight") && !hill.contains("from 2026"), "{hill}");
    assert!(kit.show("program/Alpha").unwrap().contains("Knight since 2026-11-09 09:00"));
    assert_eq!(kit.journal.len(), before, "by looking alone");
    // Who looks without saying when sees the room as of its last entry.
    let hill = View::display(kit.state(), "hill", &Viewer::default()).unwrap();
    assert!(kernel::display::plain(&hill).contains("from 2026-11-09"));
}

#[test]
fn after_the_end_of_the_contract_no_program_is_shown_to_become_a_knight() {
    let mut kit = Kit::begun();
    kit.to("2026-11-08T09:00");
    kit.act("Goethe", json!("terminate")).unwrap();
    kit.sleep_to("2026-12-01T09:00");
    let hill = kit.show("hill").unwrap();
    assert!(!hill.contains("from 2026") && hill.matches("Knight").count() == 1, "{hill}");
    assert!(!kit.show("program/joust0").unwrap().contains("Knight"));
}

#[test]
fn a_notice_whose_time_is_over_is_shown_as_lapsed() {
    let mut kit = Kit::begun();
    kit.intend("repeal", "points", "");
    kit.sleep_to("2026-11-16T09:00");
    assert!(kit.show("intents").unwrap().contains("from 2026-11-06 09:00 UTC to 2026-11-16 09:00 UTC"));
    kit.sleep_to("2026-11-16T09:00:01");
    assert!(kit.show("intents").unwrap().contains("lapsed 2026-11-16 09:00 UTC"));
}

#[test]
fn the_matrix_and_a_match_tell_the_last_challenge() {
    let mut kit = Kit::begun();
    assert!(kit.show("matrix").is_err());
    kit.score("Alpha", "joust0", (13, 4));
    kit.submit("Ann", "Alpha");
    assert!(kit.show("matrix").unwrap().contains("13"));
    let fought = kit.show("match/Alpha/joust0").unwrap();
    for words in ["Touches: 13 to 4", "Alpha won 13 times, at", "joust0 won 4 times, at", "both lost 3 times"] {
        assert!(fought.contains(words), "{words}: {fought}");
    }
    assert!(kit.show("match/Alpha/Alpha").is_err());
    // Causes and cycles would tell too much about hidden code.
    assert!(!fought.contains("cycles") && !fought.contains("flag"));
}

#[test]
fn lengths_without_a_gap_are_told_as_one() {
    assert_eq!(stretches(vec![152, 135, 137, 136, 150, 149]), "135\u{2013}137, 149\u{2013}150, 152");
    assert_eq!(stretches(vec![140, 141, 140, 142]), "140 ×2, 141\u{2013}142");
}

/// The state holds the table of the last challenge only, and knows the entry of every earlier one.
#[test]
fn the_latest_challenge_in_which_two_programs_met_is_found() {
    let mut kit = Kit::begun();
    let seen = |kit: &Kit, id: &str| View::seen_at(kit.state(), id);
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    let first = kit.state().seq;
    // joust9 dropped and met nobody since; the others met again.
    kit.strength("Beta", 51);
    kit.submit("Bob", "Beta");
    let second = kit.state().seq;
    assert_eq!(seen(&kit, "match/Alpha/joust9"), Some(first));
    assert_eq!(seen(&kit, "match/joust9/alpha"), Some(first));
    assert_eq!(seen(&kit, "match/Alpha/joust7"), Some(second));
    assert_eq!(seen(&kit, "match/Alpha/#2"), Some(second));
    assert_eq!(seen(&kit, "match/Beta/joust9"), None);
    assert_eq!(seen(&kit, "matrix"), None);
    assert!(kit.show("match/Beta/joust9").unwrap_err().say.contains("met in no challenge"));
    let earlier = kit.show("match/Alpha/joust9").unwrap_err();
    assert_eq!(earlier.instead, Some(format!("joust match Alpha joust9 as of {first}")));
    // A program that failed met the Hill all the same.
    kit.submit("Cyd", "Gamma");
    let third = kit.state().seq;
    kit.submit("Cyd", "Delta");
    assert_eq!(seen(&kit, "match/Gamma/Beta"), Some(third));
    assert_eq!(seen(&kit, "match/Gamma/Delta"), None);
}

/// Of two with one name the command line names the later; the number names either (J17).
#[test]
fn j17_a_number_names_a_program_wherever_one_is_named() {
    let mut kit = Kit::waiting();
    kit.submit("Ann", "Alpha");
    kit.act("Ann", json!({"retract": {"name": "Alpha"}})).unwrap();
    kit.submit("Bob", "Alpha");
    kit.submit("Bob", "Beta");
    assert!(kit.show("program/#1").unwrap().contains("Alpha by Ann (#1)"));
    assert!(kit.show("programs").unwrap().contains("Alpha (#1)"));
    assert!(completions(&kit, "programs", None).contains(&"#1".to_owned()));
    assert!(kit.show("program/#9").unwrap_err().say.contains("no program #9"));
    kit.act("Bob", json!({"retract": {"name": "#2"}})).unwrap();
    kit.act("Bob", json!({"reveal": {"name": "#3"}})).unwrap();
    kit.act("Goethe", json!({"start": {}})).unwrap();
    assert!(kit.act("Bob", json!({"test": {"code": "#3", "against": "#4"}})).unwrap().contains("run"));
    assert!(kit.act("Ann", json!({"test": {"code": "#1"}})).unwrap_err().say.contains("taken back"));
}

#[test]
fn what_commands_can_name_completes_from_displays() {
    let mut kit = Kit::begun();
    kit.submit("Ann", "Alpha");
    kit.intend("repeal", "points", "");
    assert_eq!(completions(&kit, "intents", None), ["1"]);
    assert_eq!(completions(&kit, "yours", Some("player/ann")), ["Alpha"]);
    assert_eq!(completions(&kit, "yours", None), [""; 0]);
    assert!(completions(&kit, "programs", None).contains(&"joust9".to_owned()));
    let sections = completions(&kit, "sections", None);
    for subject in ["points", "tournament", "cycle-limit", "contestmaster", "award-points"] {
        assert!(sections.contains(&subject.to_owned()), "{subject}");
    }
}

#[test]
fn points_come_with_the_path_that_they_stand_under() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    let document = View::display(kit.state(), "points", &Viewer::default()).unwrap();
    let paths: Vec<String> =
        document.cells().filter_map(|cell| cell.source.clone()).map(|path| path.to_string()).collect();
    assert_eq!(paths, ["player/ann.points"]);
}

#[test]
fn the_progress_of_a_challenge_stands_in_the_queue() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.submit("Ann", "Alpha");
    let viewer = Viewer { progress: Some(("challenge/1".into(), 12, 55)), ..Viewer::default() };
    let text = kernel::display::plain(&View::display(kit.state(), "queue", &viewer).unwrap());
    assert!(text.contains("challenge/1: 12 of 55 matches are played."), "{text}");
}
