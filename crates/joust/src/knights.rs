//! Knights: programs that held their place for a week or outlived five challenges by others (seed 000, J36 to J39).
//!
//! Knighthood by age needs no clock: it is reckoned from the tenure at every question. Knighthood by outlived
//! challenges is written down, and so is knighthood under figures that no longer hold. A knight stays one for as long
//! as the stay lasts (J38). The worth of a knight stands in `points`.

use super::{
    contract,
    game::{Joust, Tables},
    places::{self, Place},
    reading::Terms,
};
use kernel::{Instant, State, time::days_after};

/// So many weeks of 7 days of 24 hours later.
pub(super) fn weeks_after(since: Instant, weeks: i64) -> Instant {
    days_after(since, weeks.saturating_mul(7))
}

/// Since when a program on the Hill is a knight, or will be by its age alone.
pub(super) fn since(place: &Place, terms: &Terms) -> Option<Instant> {
    let by_age = terms.knight_weeks.map(|weeks| weeks_after(place.since, weeks));
    place.knighted.into_iter().chain(by_age).min()
}

/// Whether a program on the Hill is a knight at an instant; that instant included (J39).
pub(super) fn is_knight(place: &Place, terms: &Terms, at: Instant) -> bool {
    since(place, terms).is_some_and(|since| since <= at)
}

/// Whether a program on the Hill is a knight, and since or from when; after the end of the contract none is made (J6).
pub(super) fn knighthood(state: &State<Joust>, place: &Place, now: Instant) -> Option<(bool, Instant)> {
    let ended = contract::contract(&state.tables).ended();
    let since = since(place, &places::hill(&state.tables).terms)?;
    let is_one = since <= ended.map_or(now, |end| end.min(now));
    (is_one || ended.is_none()).then_some((is_one, since))
}

/// Who became a knight by the challenge that has just been fought, deemed at an instant (J37).
pub(super) fn by_challenges(joust: &Tables, deemed: Instant) -> Vec<u64> {
    let Some(enough) = places::hill(joust).terms.knight_challenges else { return Vec::new() };
    let new = |place: &Place| place.outlived >= enough && !is_knight(place, &places::hill(joust).terms, deemed);
    places::ranked(joust).into_iter().filter(|place| new(place)).map(|place| place.program).collect()
}

/// Whose knighthood must be written down when other figures come into force. That is those who are knights by the old
/// ones, and those who outlived enough challenges for the new ones.
pub(super) fn by_change(joust: &Tables, new: &Terms, at: Instant) -> Vec<(u64, Instant)> {
    let written = |place: &Place| match since(place, &places::hill(joust).terms).filter(|since| *since <= at) {
        Some(since) => (place.knighted != Some(since)).then_some((place.program, since)),
        None => new.knight_challenges.is_some_and(|enough| place.outlived >= enough).then_some((place.program, at)),
    };
    places::ranked(joust).into_iter().filter_map(written).collect()
}
