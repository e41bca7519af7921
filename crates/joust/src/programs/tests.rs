//! Programs as a story that nobody foresaw: random scripts of legal and illegal actions keep what must always hold.
//!
//! The kit itself compares the folded journal and looks for program text after every entry; here are the invariants of
//! the contest.

use crate::places;
use crate::programs;
use crate::tasks;
use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::may_read;
use crate::{
    programs::Status,
    testkit::{Kit, Mode, code},
};
use kernel::deed::Moderation;
use kernel::viewer::Viewer;

#[test]
fn j17_a_program_called_as_its_submitter_was_who_is_forgotten_goes_by_what_the_seat_is_called() {
    let mut kit = Kit::begun();
    kit.strength("Ann", -30);
    kit.submit("Ann", "Ann");
    kit.submit("Ann", "Annex");
    let ann = kit.program("Ann").owner.clone();
    kit.act_in(true, "Bob", json!({"join": {}})).unwrap();
    kit.moderate("op", Moderation::Forget { seat: ann.clone() }).unwrap();
    let former = kit.state().frame.name_of(&ann).to_owned();
    let game = &kit.state().tables;
    assert_eq!(programs::find(game, &former).map(|program| (program.id, &*program.name)), Some((11, &*former)));
    assert!(programs::find(game, "Ann").is_none() && programs::find(game, "Annex").is_some());
    assert!(kit.show(&format!("program/{former}")).unwrap().contains("(#11)"));
    // The name is free, and stands for whose it is now.
    kit.submit("Bob", "Ann");
    assert_eq!(programs::find(&kit.state().tables, "ann").map(|program| program.id), Some(13));
}

/// One step of a script: hours that pass, who acts, and what is tried.
#[derive(Clone, Debug)]
enum Step {
    Pass(i64),
    Play,
    Act(usize, u8, u8),
}

const PEOPLE: [&str; 4] = ["Goethe", "Ann", "Bob", "Cyd"];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0_i64..200).prop_map(Step::Pass),
        3 => Just(Step::Play),
        8 => (0..PEOPLE.len(), 0_u8..17, 0_u8..24).prop_map(|(who, what, number)| Step::Act(who, what, number)),
    ]
}

fn action(what: u8, number: u8) -> Json {
    let name = if number < 10 { format!("joust{number}") } else { format!("P{number}") };
    let id = u64::from(number % 8);
    let figures =
        [("hill-size", "6"), ("hill-size", "12"), ("knight-weeks", "2"), ("knight-challenges", "2"), ("charges", "7")];
    let (figure, value) = figures[usize::from(number) % figures.len()];
    match what {
        0..=3 => json!({"submit": {"name": name, "code": code(&name)}}),
        4 => json!({"submit": {"name": name, "code": "["}}),
        5 => json!({"start": {}}),
        6 => json!({"join": {}}),
        7 => json!("leave"),
        8 => json!({"retract": {"name": name}}),
        9 => json!({"reveal": {"name": name}}),
        10 => json!({"intend": {"what": "set", "subject": figure, "text": value}}),
        11 => json!({"intend": {"what": if number.is_multiple_of(2) { "remove" } else { "add" }, "subject": name}}),
        12 | 13 => json!({"do": {"id": id}}),
        14 => json!({"object": {"id": id}}),
        15 => json!({"test": {"code": code("test"), "against": name}}),
        _ => json!({"add": {"name": name, "code": code(&name)}}),
    }
}

#[test]
fn j34_what_was_taken_back_is_read_by_nobody_unless_it_was_public() {
    let mut kit = Kit::waiting();
    for name in ["Alpha", "Beta"] {
        kit.submit("Ann", name);
    }
    kit.act("Ann", json!({"reveal": {"name": "Beta"}})).unwrap();
    let ann = Viewer { seat: Some(kit.program("Alpha").owner.clone()), private: true, ..Viewer::default() };
    assert!(may_read(kit.program("Alpha"), &ann) && !may_read(kit.program("Alpha"), &Viewer::default()));
    for name in ["Alpha", "Beta"] {
        kit.act("Ann", json!({"retract": {"name": name}})).unwrap();
    }
    assert!(!may_read(kit.program("Alpha"), &ann), "nobody reads its text");
    assert!(may_read(kit.program("Beta"), &ann) && may_read(kit.program("Beta"), &Viewer::default()));
}

fn holds(kit: &Kit) {
    let game = &kit.state().tables;
    let programs: BTreeSet<u64> = game.rows::<places::Place>().values().map(|place| place.program).collect();
    assert_eq!(programs.len(), game.rows::<places::Place>().len(), "nobody has two places");
    assert!(
        game.rows::<places::Place>().len() <= places::hill(game).terms.size.unwrap_or(0),
        "no Hill is larger than it may be"
    );
    for program in game.rows::<programs::Program>().values() {
        assert_eq!(program.status == Status::Hill, programs.contains(&program.id));
        let queued = tasks::challenges(game).filter(|(_, challenge)| challenge.program == program.id).count();
        assert_eq!(queued, usize::from(matches!(program.status, Status::Queued { .. })), "{}", program.name);
        assert!(kit.secrets.contains_key(&*program.secret()));
    }
    let up: Vec<&str> = game
        .rows::<programs::Program>()
        .values()
        .filter(|program| program.is_up())
        .map(|program| program.name.as_str())
        .collect();
    assert_eq!(up.iter().collect::<BTreeSet<_>>().len(), up.len(), "no name is up twice");
    assert!(
        game.rows::<places::Place>()
            .values()
            .all(|place| place.since <= kit.now && place.knighted.is_none_or(|at| at <= kit.now))
    );
    assert!(
        game.rows::<tasks::Task>().is_empty() || tasks::challenges(game).count() > 0,
        "only a challenge makes anything wait"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn j12_j18_j28_random_scripts_keep_what_must_hold(
            begun in prop::bool::weighted(0.8),
            script in prop::collection::vec(step(), 1..80),
        ) {
        let mut kit = if begun { Kit::begun() } else { Kit::waiting() };
        kit.mode = Mode::Held;
        for number in 0..24 {
            kit.strength(&format!("P{number}"), i64::from(number) * 7 % 20 - 4);
        }
        for step in script {
            match step {
                Step::Pass(hours) => {
                    kit.now += jiff::SignedDuration::from_hours(hours);
                    kit.catch_up();
                }
                Step::Play => {
                    kit.work();
                }
                Step::Act(who, what, number) => {
                    let (before, entries) = (kit.state().clone(), kit.journal.len());
                    kit.catch_up();
                    let caught_up = kit.journal.len();
                    if kit.act(PEOPLE[who], action(what, number)).is_err() {
                        assert_eq!(kit.journal.len(), caught_up, "a refused action leaves no entry");
                        assert!(caught_up > entries || *kit.state() == before);
                    }
                }
            }
            holds(&kit);
        }
        for cell in kernel::engine::View::displays(kit.state()) {
            let _ = kit.show(&cell.completes.unwrap());
        }
    }
}
