//! Mackerel (4E34): what a new Player begins with, and what the Active gain at the beginning of every nweek.
//!
//! It is given and exchanged as other currency is, in `currency`.

use super::{
    figures::{MACKEREL_NWEEK, MACKEREL_START},
    game::D,
    law::{Thing, established},
    society::players,
    stats::{ACTIVE, MACKEREL, called},
};
use kernel::Id;

/// Gives a new Player the mackerel that one has at first (B11.2, B34.1).
pub(super) fn endow(d: &mut D<'_>, player: &Id) {
    if established(&d.rules, Thing::Currency).is_ok()
        && let Ok(start) = d.rules.need(&MACKEREL_START)
    {
        d.set(&MACKEREL, player, start);
    }
}

/// An nweek begins: the Active are paid (B34.2).
pub(super) fn nweek_begins(d: &mut D<'_>) {
    if established(&d.rules, Thing::Currency).is_err() {
        return;
    }
    let Ok(paid) = d.rules.need(&MACKEREL_NWEEK) else { return };
    let active: Vec<Id> =
        players::players(d).filter(|id| d.world.get(&ACTIVE, id).unwrap_or_default()).cloned().collect();
    if active.is_empty() {
        return;
    }
    for player in &active {
        d.add(&MACKEREL, player, paid.clone());
    }
    let names: Vec<String> = active.iter().map(|id| called(d, id)).collect();
    d.tell_all(format!("The Active Players gain m{paid}: {}.", names.join(", ")));
}
