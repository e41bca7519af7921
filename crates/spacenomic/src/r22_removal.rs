//! Removal (S83): a player who has been inactive for long leaves the game, unless e became so by pausing.
//!
//! A removal that falls into a moderator's pause is put off. Who is inactive is decided in `activity`.

use super::{
    activity::{self, due_after, inactive, whom},
    figures::REMOVAL_AGE,
    game::{D, Spacenomic},
    law::Thing,
    phases, players,
    stats::called,
};
use kernel::{
    Mechanic, Phase, State,
    entry::Due,
    mechanic::{Fate, Lapse},
};

/// What the key of a removal begins with; the player follows.
const REMOVED: &str = "removal/";

// ---- the mechanic

/// Removal as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let removal = Phase::new(phases::REMOVAL, |state| dues(state).collect::<Vec<_>>(), due);
    Mechanic::new("removal").by(Thing::Removal.word()).phase(removal.lapse(activity::lapse).fate(fate))
}

// ---- due

/// Each removal.
pub(super) fn dues(state: &State<Spacenomic>) -> impl Iterator<Item = Due> + use<'_> {
    let removes = Thing::Activity.is_in(&state.rules) && Thing::Removal.is_in(&state.rules);
    inactive(state).filter(move |_| removes).filter_map(|(player, since)| {
        let at = due_after(state, player, since, &REMOVAL_AGE)?;
        Some(Due { at, rank: phases::REMOVAL, key: format!("{REMOVED}{player}").into() })
    })
}

/// A player is removed.
fn due(due: Due, d: &mut D<'_>) {
    let player = whom(&due);
    let (name, before) = (called(d, &player), State::clone(d));
    players::gone(d, &player);
    d.tell_all(format!("{name} has been inactive for too long and is removed from the game."));
    players::told_gone(d, &before, &name);
}

/// A removal in words.
pub(super) fn fate(state: &State<Spacenomic>, due: &Due) -> Lapse {
    Lapse { what: format!("the removal of {}", called(state, &whom(due))), fate: Fate::PutOff }
}
