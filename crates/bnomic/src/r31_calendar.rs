//! The calendar (4E31, 4E9): names of ndays, and the holidays of an nyear.
//!
//! A holiday is posted once, when its nday begins; its customs change nothing (B31.2). The Clock itself stands in
//! `clock`.

use super::{
    clock::hands::{self, Moment},
    figures::{HAT_NWEEK, NYEAR_NWEEKS, PARANOIA_NWEEK},
    game::{BNomic, D},
    law::Thing,
};
use kernel::{
    Display, Mechanic, State,
    display::{Block, Cell, Document, cells},
    rulebook::LiveKey,
};

/// The words before the names of the ndays in the rule's text.
const ARE_CALLED: &str = "are called ";

/// The holidays: the figure of each one's nweek, what the rule calls it, and its custom.
const HOLIDAYS: [(&LiveKey, &str, &str); 2] = [
    (&HAT_NWEEK, "Agoran Silly Hat Day", "it is the custom to send Agora a mildly offensive message"),
    (&PARANOIA_NWEEK, "Paranoia-Free Day", "it is the custom to flick one's Panic Button"),
];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("calendar")
        .display(Display::new("calendar", |state, _| Ok(show(state))).listed(1))
        .display(Display::new("eras", |_, _| Ok(eras())).listed(18))
        .differs(changed)
}

/// The rule's text without comments; nothing where no rule has a calendar.
fn text(state: &State<BNomic>) -> Option<String> {
    let rule = state.rules.establishes(Thing::Calendar.word())?;
    Some(state.rules.get(rule)?.text().in_force())
}

/// What the ndays are called, from the first, as the rule lists them (B31.1).
fn names(state: &State<BNomic>) -> Vec<String> {
    let text = text(state).unwrap_or_default();
    let list = text.split_once(ARE_CALLED).map_or("", |(_, list)| list);
    let list = list.split(['.', '\n']).next().unwrap_or_default();
    let names = list.split(',').flat_map(|part| part.split(" and ")).map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// What an nday is called, if anything.
fn name(state: &State<BNomic>, nday: i64) -> Option<String> {
    let place = usize::try_from(nday.checked_sub(1)?).ok()?;
    names(state).into_iter().nth(place)
}

/// The nday of a name (B31.1).
pub(super) fn called(state: &State<BNomic>, words: &str) -> Option<i64> {
    let place = names(state).iter().position(|name| name.eq_ignore_ascii_case(words))?;
    i64::try_from(place + 1).ok()
}

/// An nday with its name: `9, Ballotday`.
pub(super) fn day(state: &State<BNomic>, nday: i64) -> String {
    match name(state, nday) {
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

/// The nweek with which an nyear begins.
pub(super) fn first_nweek(state: &State<BNomic>, nyear: i64) -> Option<i64> {
    let nweeks = i64::try_from(state.rules.need_count(&NYEAR_NWEEKS).ok()?).ok()?;
    nyear.checked_sub(1).filter(|before| *before >= 0)?.checked_mul(nweeks)?.checked_add(1)
}

/// The nday on which a holiday falls: the rule calls it by its name, before the nweek.
fn nday_of(state: &State<BNomic>, holiday: &str) -> Option<i64> {
    let text = text(state)?;
    let said = text.split(['.', '\n']).find(|sentence| sentence.contains(holiday))?;
    called(state, said.split_once(" of nweek")?.0.trim())
}

/// The holiday that an nday is, with its custom (B31.2).
pub(super) fn holiday(state: &State<BNomic>, moment: Moment) -> Option<(&'static str, &'static str)> {
    let (_, place) = nyear(state, moment.nweek)?;
    let is = |(key, holiday, _): &(&'static LiveKey, &str, &str)| {
        state.rules.need_count(key).ok().and_then(|n| i64::try_from(n).ok()) == Some(place)
            && nday_of(state, holiday) == Some(moment.nday)
    };
    HOLIDAYS.into_iter().find(is).map(|(_, holiday, custom)| (holiday, custom))
}

/// Which holidays fall on another day in one state than in another, in words.
pub(super) fn changed(before: &State<BNomic>, after: &State<BNomic>) -> Vec<String> {
    fn on(state: &State<BNomic>, key: &'static LiveKey, holiday: &str) -> String {
        let nweek = state.rules.need_count(key).ok();
        let both = nweek.zip(nday_of(state, holiday)).filter(|_| state.rules.need_count(&NYEAR_NWEEKS).is_ok());
        both.map_or_else(|| "nothing".to_owned(), |(nweek, nday)| format!("nday {nday} of nweek {nweek}"))
    }
    let said = |(key, holiday, _): (&'static LiveKey, &str, &str)| {
        let (was, now) = (on(before, key, holiday), on(after, key, holiday));
        (was != now).then(|| format!("{holiday}: {was} becomes {now}"))
    };
    HOLIDAYS.into_iter().filter_map(said).collect()
}

/// Posts the holiday that begins, if one does.
pub(super) fn begins(d: &mut D<'_>, moment: Moment) {
    if let Some((holiday, custom)) = holiday(d, moment) {
        d.tell_all(format!("Today, {moment}, is {holiday}: {custom}."));
    }
}

/// What the ndays are called, and when this nyear has its holidays.
fn show(state: &State<BNomic>) -> Document {
    let document = Document::titled("calendar", "The calendar of B Nomic");
    if text(state).is_none() {
        return document.para("No rule in force has a calendar.");
    }
    let now = hands::now(state);
    let rows = (1..).zip(names(state));
    let rows = rows.map(|(nday, name): (i64, _)| cells![nday, name]);
    let document = document.table(["nday", "is called"], rows);
    let Some((nyear, place)) = nyear(state, now.nweek) else { return document };
    let mut document =
        document.para(format!("It is {now}, in nweek {place} of nyear {nyear}. Holidays of this nyear:"));
    let first = first_nweek(state, nyear).unwrap_or_default();
    let holiday = |(key, holiday, custom): (&'static LiveKey, &str, &str)| {
        let nweek = first + i64::try_from(state.rules.need_count(key).ok()?).ok()? - 1;
        let on = Moment { nweek, nday: nday_of(state, holiday)? };
        let past = if (on.nweek, on.nday) < (now.nweek, now.nday) { " (past)" } else { "" };
        Some(Cell::new(format!("{holiday}, {on}{past}: {custom}")))
    };
    let days: Vec<Cell> = HOLIDAYS.into_iter().filter_map(holiday).collect();
    document = if days.is_empty() { document.para("None.") } else { document.with(Block::List(days)) };
    document
}

/// The eras, as history (4E9).
fn eras() -> Document {
    Document::titled("eras", "The eras of B Nomic")
        .para("First Era: nweeks 1 to 84. Second: 85 to 111. Third: 112 to 134. Fourth: from nweek 135.")
}
