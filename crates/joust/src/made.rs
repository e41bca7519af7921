//! The origin of a rank and its touches, for `why`: the last challenge, in which all on the Hill met (seed 000, J22 to
//! J25).
//!
//! Points are values of the world, which the service explains by itself.

use super::{
    game::Joust,
    places,
    programs::{self, Program},
    reading, scoring,
};
use kernel::{State, mechanic::Made};

/// The section that ranks programs.
const RANKING: &str = "tournament";

/// The words for the Hill as a whole.
const HILL_WORDS: [&str; 4] = ["hill", "rank", "ranks", "touches"];

/// What made the ranks, or one program's.
pub(super) fn made(state: &State<Joust>, what: &str) -> Option<Made> {
    let what = what.trim();
    let (say, fought) = if HILL_WORDS.iter().any(|word| what.eq_ignore_ascii_case(word)) {
        match places::last(&state.tables) {
            Some(_) => (HOW.to_owned(), true),
            None => ("No challenge was played yet: programs stand in the order of their arrival.".to_owned(), false),
        }
    } else {
        let name =
            what.rsplit_once('.').filter(|(_, of)| matches!(*of, "rank" | "touches")).map_or(what, |(name, _)| name);
        standing(state, programs::find(&state.tables, name)?)
    };
    let entry = places::last(&state.tables).filter(|_| fought).map(|last| last.seq);
    Some(Made { say, entry, rule: Some(reading::section(&state.rules, RANKING)), figures: Vec::new() })
}

/// How ranks come about.
const HOW: &str = "Ranks follow the score of the last challenge, in which the challenger and all on the Hill met each \
                   other. Of equals, the one that came later ranks lower.";

/// How a program stands, and whether a challenge made it so.
fn standing(state: &State<Joust>, program: &Program) -> (String, bool) {
    let name = &program.name;
    match places::place(&state.tables, program.id) {
        None => (format!("{name} is not on the Hill, and has no rank."), false),
        Some(place) => match place.touches {
            Some(touches) => {
                let last = places::last(&state.tables).map(|last| last.outcome.play.scoring);
                let by = match (&place.score, last) {
                    (Some(score), Some(scoring)) => format!("{} {}", scoring::shown(score), scoring.word()),
                    _ => format!("{touches} touches"),
                };
                (format!("{name} is rank {} by {by}. {HOW}", place.rank), true)
            }
            None => (format!("{name} is rank {} by its arrival; no challenge was played since.", place.rank), false),
        },
    }
}
