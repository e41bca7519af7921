//! Where players are (S38 to S42): a vertex or nowhere, and plain or mirrored.
//!
//! Both are attributes that proposals can set. A player changes them by a move (`moves`).

use super::{
    game::{D, Spacenomic},
    law::Thing,
    roster::players,
    space::{self, Spot},
    stats::{LOCATION, MIRRORED, NOWHERE},
};
use kernel::{Id, Mechanic, Refusal, State, display::Document, entry::Audience};

/// The vertex that a player is on; nothing where e is nowhere, as everybody is where no rule has locations.
pub(super) fn of(state: &State<Spacenomic>, player: &Id) -> Option<Spot> {
    if !Thing::Locations.is_in(&state.rules) {
        return None;
    }
    state.world.get(&LOCATION, player)?.parse().ok().filter(|at| space::of(state).has(*at))
}

/// Whether a player is mirrored.
pub(super) fn mirrored(state: &State<Spacenomic>, player: &Id) -> bool {
    state.world.get(&MIRRORED, player).unwrap_or_default()
}

// ---- the mechanic

/// Locations as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    Mechanic::new("location")
        .settle(settle)
        .corrects_value(|at, to, d| (*at.attr == *LOCATION.id).then(|| correct(&at.obj, to, d)))
}

/// How a place is written.
pub(super) fn written(at: Option<Spot>) -> String {
    at.map_or_else(|| NOWHERE.to_owned(), |at| at.to_string())
}

/// Puts a player somewhere.
pub(super) fn put(d: &mut D<'_>, player: &Id, at: Option<Spot>) {
    d.set(&LOCATION, player, written(at));
}

/// A moderator corrects where a player is (S13).
///
/// # Errors
///
/// A [`Refusal`] for what is neither a vertex nor nowhere.
fn correct(player: &Id, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let to = to.trim();
    let at = if to.eq_ignore_ascii_case(NOWHERE) { None } else { Some(space::named(d, to)?) };
    put(d, player, at);
    Ok(())
}

/// Nobody is where nothing is. Who was put there by hand, or stayed behind, is nowhere, and is not found on a vertex
/// that comes to be there (S38).
fn settle(d: &mut D<'_>) -> bool {
    let lost = |player: &&Id| {
        let text = d.world.get(&LOCATION, player).unwrap_or_default();
        text != NOWHERE && !text.parse().is_ok_and(|at| space::of(d).has(at))
    };
    let Some(player) = players(d).find(lost).cloned() else { return false };
    put(d, &player, None);
    true
}

/// A vertex is gone: whoever stood on it is nowhere (S38).
pub(super) fn vacate(d: &mut D<'_>, at: Spot) {
    let there = |player: &&Id| d.world.get(&LOCATION, player).is_some_and(|text| text.parse() == Ok(at));
    let all: Vec<Id> = players(d).filter(there).cloned().collect();
    for player in all {
        put(d, &player, None);
        let document = Document::say(format!("{at} is gone, and you are nowhere."));
        d.say(Audience::Seat(player), document);
    }
}
