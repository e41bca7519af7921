//! The Brainfuck Joust contest (seed 000): programs challenge a hill of ten, and knights earn points on Mondays.
//!
//! Everything that touches the Hill is an item of one ordered [`agenda`]; a challenge at its head is long work that the
//! service plays away from the room. So an award waits for the challenges deemed before it, however late they are
//! computed, and no player waits for a challenge (J74). The machine itself is absent: it is the crate `bfjoust`.
//! Program text is absent from every state and row in here: it lies sealed, and only [`play`] opens it.

mod acts;
mod agenda;
mod before;
mod challenge;
mod contract;
mod displays;
mod edits;
pub mod figures;
mod hill;
pub mod house;
mod knights;
mod made;
mod names;
mod notation;
mod notices;
mod phases;
mod play;
mod points;
mod programs;
mod reading;
mod reveal;
mod scoring;
mod start;
mod submission;
mod testing;
#[cfg(test)]
mod testkit;
mod watch;

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use kernel::{Draft, Game, Mechanics, Needs, Outcome, Path, Refusal, State, game::Speech, rulebook::LiveKey};

/// Largest program that is taken, in bytes of its text, comments included. The rules set no limit (J54); this one is
/// the product's, so that no program is a burden to the room's store or to a connection.
pub const PROGRAM_MAX_BYTES: usize = 1024 * 1024;

/// A draft of this game.
type D<'a> = Draft<'a, Joust>;

/// The tables of a room of this game.
type Tables = kernel::table::Tables<Joust>;

/// The machinery of one contest. What rules can name stands in the world: points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Joust;

/// A text that may be a program. It cannot be written by way of `{:?}`, so that it reaches no log.
#[derive(Deserialize)]
#[serde(transparent)]
struct Secret(String);

impl Game for Joust {
    const NAME: &'static str = "joust";
    const SCHEMA: u16 = 2;

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
                notices::mechanic(),
                acts::mechanic(),
                reveal::mechanic(),
                points::mechanic(),
                displays::mechanic(),
            ])
        });
        &ALL
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Outcome {
        contract::open(options, d)
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
