//! The calendar (4E31, 4E9): what ndays are called, and the holidays of an nyear.
//!
//! A holiday is posted once, when its nday begins; its customs change nothing (B31.2). Absent: the Clock itself.

use super::{
    BNomic, D, State,
    clock::Moment,
    display::Document,
    figures::{HAT_NWEEK, NYEAR_NWEEKS, PARANOIA_NWEEK},
    law::{Thing, established},
};

/// What the ndays are called, from the first.
const NAMES: [&str; 13] = [
    "Breakday",
    "Winday",
    "Mulberry",
    "Tango",
    "Corvette",
    "Halfday",
    "Joel",
    "Rushnight",
    "Ballotday",
    "Teucer",
    "Zarpint",
    "Thirnight",
    "Armageddon",
];

/// The nday on which Agoran Silly Hat Day falls, and the one of Paranoia-Free Day: the rule calls them by name.
const HAT_NDAY: i64 = 5;
const PARANOIA_NDAY: i64 = 1;

/// What an nday is called, if anything.
pub(super) fn name(nday: i64) -> Option<&'static str> {
    usize::try_from(nday).ok().and_then(|nday| NAMES.get(nday.checked_sub(1)?)).copied()
}

/// The nday of a name (B31.1).
pub(super) fn called(state: &State<BNomic>, words: &str) -> Option<i64> {
    established(&state.rules, Thing::Calendar).ok()?;
    let place = NAMES.iter().position(|name| name.eq_ignore_ascii_case(words))?;
    i64::try_from(place + 1).ok()
}

/// An nday with its name: `9, Ballotday`.
pub(super) fn day(nday: i64) -> String {
    match name(nday) {
        Some(name) => format!("{nday}, {name}"),
        None => nday.to_string(),
    }
}

/// The nyear of an nweek, and the place of the nweek in it, both from 1 (B14.16).
pub(super) fn nyear(state: &State<BNomic>, nweek: i64) -> Option<(i64, i64)> {
    let nweeks = i64::try_from(state.rules.need_count(&NYEAR_NWEEKS).ok()?).ok()?;
    let before = nweek.checked_sub(1)?;
    Some((before.div_euclid(nweeks) + 1, before.rem_euclid(nweeks) + 1))
}

/// The holiday that an nday is (B31.2).
pub(super) fn holiday(state: &State<BNomic>, moment: Moment) -> Option<&'static str> {
    established(&state.rules, Thing::Calendar).ok()?;
    let (_, place) = nyear(state, moment.nweek)?;
    let is = |key, nday| {
        moment.nday == nday && state.rules.need_count(key).ok().and_then(|n| i64::try_from(n).ok()) == Some(place)
    };
    if is(&HAT_NWEEK, HAT_NDAY) {
        Some("Agoran Silly Hat Day: it is the custom to send Agora a mildly offensive message")
    } else if is(&PARANOIA_NWEEK, PARANOIA_NDAY) {
        Some("Paranoia-Free Day: it is the custom to flick one's Panic Button")
    } else {
        None
    }
}

/// Posts the holiday that begins, if one does.
pub(super) fn begins(d: &mut D<'_>, moment: Moment) {
    if let Some(holiday) = holiday(d, moment) {
        d.tell_all(format!("Today, {moment}, is {holiday}."));
    }
}

/// The eras, as history (4E9).
pub(super) fn eras() -> Document {
    Document::titled("eras", "The eras of B Nomic")
        .para("First Era: nweeks 1 to 84. Second: 85 to 111. Third: 112 to 134. Fourth: from nweek 135.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B31.1: the thirteenth name waits for a longer nweek.
    #[test]
    fn b31_1_ndays_are_shown_with_their_names() {
        assert_eq!(day(9), "9, Ballotday");
        assert_eq!(day(13), "13, Armageddon");
        assert_eq!(day(20), "20");
    }
}
