//! The Brainfuck Joust contest (seed 000): programs challenge a hill of ten, and knights earn points on Mondays.
//!
//! Everything that touches the Hill is an item of one ordered [`agenda`]. A challenge at its head is long work that the
//! service plays away from the room. So an award waits for the challenges deemed before it, however late they are
//! computed, and no player waits for a challenge (J74). The machine itself is the crate `bfjoust`. No state and no row
//! here holds program text: it lies sealed, and only [`play`] opens it.

mod acts;
mod agenda;
mod challenge;
mod contract;
mod edits;
pub mod figures;
mod game;
mod hill;
mod hosting;
pub mod house;
mod knights;
#[cfg(test)]
mod laws_tests;
mod made;
mod matches;
mod names;
mod new_room;
mod notation;
mod notices;
mod outcome;
mod phases;
mod places;
mod play;
mod playable;
mod points;
mod programs;
mod reading;
mod report;
mod revealing;
mod roster;
mod scoring;
mod start;
mod submission;
mod tasks;
mod testing;
#[cfg(test)]
mod testkit;
mod tournament;
mod watch;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use game::D;
pub use game::Joust;
use kernel::{
    Game, Mechanics, Needs, Outcome, Path, Refusal, State,
    engine::{Engine, Table},
    rulebook::{LiveKey, Rulebook},
    speech::Speech,
};
pub use submission::PROGRAM_MAX_BYTES;

/// Where displays of laws stand in the list of displays.
const LAWS_PLACE: u8 = 200;

/// What a challenge submitted now is played and ranked by, on every length that it may have.
///
/// # Errors
///
/// A [`Refusal`] where the contract gives none, or none that can be played.
pub fn tournament(rules: &Rulebook) -> Result<bfjoust::Tournament, Refusal> {
    let (play, lengths) = playable::challenge(rules)?;
    let mut rules = play::rules(&play);
    (rules.length, rules.spread) = (lengths.middle, lengths.spread);
    let scoring = bfjoust::Scoring { win: play.win, tie: play.tie, loss: play.loss };
    Ok(bfjoust::Tournament { rules, scoring, method: play.scoring.engine(scoring) })
}

/// A room of this game in its unopened state. What is generic over games is compiled here, once.
pub fn table() -> Box<dyn Table> {
    Box::new(Engine::<Joust>::default())
}

impl Game for Joust {
    const NAME: &'static str = "joust";

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn mechanics() -> &'static Mechanics<Self> {
        // What follows by itself does so in this order, and so is long work asked for: challenges before tests.
        static ALL: LazyLock<Mechanics<Joust>> = LazyLock::new(|| {
            Mechanics::new(vec![
                contract::mechanic(),
                hill::mechanic(),
                agenda::mechanic(),
                challenge::mechanic(),
                notation::mechanic(),
                testing::mechanic(),
                watch::mechanic(),
                start::mechanic(),
                submission::mechanic(),
                programs::mechanic(),
                roster::mechanic(),
                notices::mechanic(),
                acts::mechanic(),
                revealing::mechanic(),
                points::mechanic(),
                matches::mechanic(),
                report::mechanic(),
                laws::mechanic(phases::LAWS, LAWS_PLACE),
            ])
        });
        &ALL
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Outcome {
        new_room::open(options, d)
    }

    fn offices(state: &State<Self>) -> Vec<(String, Vec<kernel::Id>)> {
        vec![("contestmaster".to_owned(), contract::contract(&state.tables).contestmaster.iter().cloned().collect())]
    }

    fn guard(needs: &Needs, d: &D<'_>) -> Result<(), Refusal> {
        for thing in &needs.rules {
            contract::established(d, thing)?;
        }
        if needs.player {
            d.actor()?;
        }
        needs.line.map_or(Ok(()), |line| contract::announced(d, line))
    }
}

impl Speech for Joust {
    const CHIEF: &'static str = "show";

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/joust.md")
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        (*path.attr == *points::POINTS.id).then(|| reading::section(&state.rules, reading::POINTS))
    }
}
