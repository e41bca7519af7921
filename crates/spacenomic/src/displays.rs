//! What people may look at. Every display reads the state as it is and changes nothing; each is drawn beside the mechanic
//! that it shows.

use super::{
    Instant, Spacenomic, State, activity,
    display::{Cell, Document, cells},
    end, income,
    law::version,
    moves, phases, proposals,
};
use kernel::{Display, Mechanic};

// Where each display stands in the list of them: what is looked at most comes first.
pub(super) const PEOPLE: u8 = 0;
pub(super) const SPACE: u8 = 1;
pub(super) const MOVES: u8 = 2;
pub(super) const BALLOT: u8 = 3;
pub(super) const CLOCK: u8 = 4;
pub(super) const PROPOSALS: u8 = 5;
pub(super) const REQUESTS: u8 = 6;
pub(super) const COLOURS: u8 = 7;
pub(super) const ENCOURAGED: u8 = 8;
pub(super) const DECIMALS: u8 = 9;
pub(super) const EACH_PROPOSAL: u8 = 10;

/// The displays of more than one mechanic, as one.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let shown = Display::new("colours", |state, _| Ok(colours(state))).also("colors").listed(COLOURS);
    Mechanic::new("displays").display(shown)
}

/// What happens by itself, in the order in which it happens (X1).
pub(super) fn ahead(state: &State<Spacenomic>) -> Vec<(String, Instant)> {
    let end = end::next_due(state).map(|due| (due.at, due.rank, "the game ends, just before".to_owned()));
    let activity = activity::dues(state).map(|due| (due.at, due.rank, activity::fate(state, &due).what));
    let expiries = proposals::dues(state).into_iter();
    let expiries = expiries.map(|due| (due.at, due.rank, proposals::fate(state, &due).what));
    let evaluations = moves::phi(state).iter().filter_map(|kind| {
        let what = format!("{} moves are evaluated", kind.word());
        Some((moves::next(state, kind)?, phases::EVALUATION, what))
    });
    let income = income::next_due(state).map(|due| (due.at, due.rank, "income".to_owned()));
    let mut all: Vec<_> = end.into_iter().chain(activity).chain(expiries).chain(evaluations).chain(income).collect();
    all.sort_by_key(|(at, rank, _)| (*at, *rank));
    // Of what would come with the end or after it nothing happens (S93).
    if let Some(end) = all.iter().position(|(_, rank, _)| *rank == phases::END) {
        all.truncate(end + 1);
    }
    all.into_iter().map(|(at, _, what)| (what, at)).collect()
}

/// The rules with their versions and colours (S19, S34).
fn colours(state: &State<Spacenomic>) -> Document {
    let row = |rule: &kernel::rulebook::Rule| {
        let number = rule.number().to_string();
        cells![
            Cell::new(number.clone()).showing(format!("rule/{number}")),
            rule.label(),
            version(rule).to_string(),
            rule.field("colour").unwrap_or("none"),
        ]
    };
    let rows = state.rules.rules().into_iter().map(row);
    Document::titled("colours", "Rules of Spacenomic, with version and colour")
        .table(["", "name", "version", "colour"], rows)
}
