//! The clock (S95): the date and time of the game, and what lies ahead.
//!
//! It looks at every mechanic, and none looks at it.

use super::{activity, displays, end, expiry, game::Spacenomic, income, moves::sealed, phases, removal};
use kernel::{
    Display, Instant, Mechanic, State,
    display::{Document, cells},
    time::{between, minute},
    viewer::Viewer,
};

/// Things that the clock names: a page of them.
const AHEAD_MAX_COUNT: usize = 30;

/// The clock as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let clock = Display::new("clock", |state, asked| Ok(show(state, asked.viewer))).also("time");
    Mechanic::new("clock").display(clock.listed(displays::CLOCK))
}

/// What happens by itself, in the order in which it happens (X1).
fn ahead(state: &State<Spacenomic>) -> Vec<(String, Instant)> {
    let end = end::next_due(state).map(|due| (due.at, due.rank, "the game ends, just before".to_owned()));
    let activity = activity::dues(state).into_iter().map(|due| (due.at, due.rank, activity::fate(state, &due).what));
    let removals = removal::dues(state).map(|due| (due.at, due.rank, removal::fate(state, &due).what));
    let expiries = expiry::dues(state).into_iter();
    let expiries = expiries.map(|due| (due.at, due.rank, expiry::fate(state, &due).what));
    let evaluations = sealed::phi(state).iter().filter_map(|kind| {
        let what = format!("{} moves are evaluated", kind.word());
        Some((sealed::next(state, kind)?, phases::EVALUATION, what))
    });
    let income = income::next_due(state).map(|due| (due.at, due.rank, "income".to_owned()));
    let mut all: Vec<_> =
        end.into_iter().chain(activity).chain(removals).chain(expiries).chain(evaluations).chain(income).collect();
    all.sort_by_key(|(at, rank, _)| (*at, *rank));
    // Of what would come with the end or after it nothing happens (S93).
    if let Some(end) = all.iter().position(|(_, rank, _)| *rank == phases::END) {
        all.truncate(end + 1);
    }
    all.into_iter().map(|(at, _, what)| (what, at)).collect()
}

/// Date and time of the game, and what is ahead.
fn show(state: &State<Spacenomic>, viewer: &Viewer) -> Document {
    let mut ahead = ahead(state);
    let now = end::gametime(state, viewer.now);
    let document = Document::titled("clock", "The clock of Spacenomic").para(format!("It is {}.", minute(now)));
    if end::is_over(state).is_some() {
        return document.para("The game is over. Time stands still, and nothing changes any more.");
    }
    if let Some(paused) = end::paused(state) {
        return document.para(paused);
    }
    let more = ahead.len().saturating_sub(AHEAD_MAX_COUNT);
    ahead.truncate(AHEAD_MAX_COUNT);
    let row = |(what, at): (String, Instant)| cells![minute(at), format!("in {}", between(now, at)), what];
    let rows: Vec<_> = ahead.into_iter().map(row).collect();
    if rows.is_empty() {
        return document.para("Nothing lies ahead.");
    }
    let document = document.table(["", "", ""], rows);
    if more > 0 { document.para(format!("{more} more things lie farther ahead.")) } else { document }
}
