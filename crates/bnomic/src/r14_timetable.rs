//! The timetable (4E14): the display of the Ministry of Time, with the time and the order of each coming thing
//! (B14.18).
//!
//! Each mechanic lists its coming things; here they are put in order. An instant is given as far as the Clock runs by
//! itself. Beyond the next time that it goes Off, things come when the Clock allows.

pub(super) mod coming;

use super::{
    calendar,
    clock::hands,
    emergency::{self, crisis},
    game::BNomic,
    intents,
    law::{PREFIX, Thing, established},
    moments::{Period, Until, When},
    obligations, schedule, society,
};
use coming::{Coming, Time};
use jiff::SignedDuration;
use kernel::{
    Display, Instant, Mechanic, State,
    display::{Block, Cell, Document, Picture, Wheel, cells},
    time::minute,
};
use std::collections::BTreeMap;

/// ndays that are looked ahead: some nweeks, and what is set for later still is listed without an order.
const AHEAD_MAX_COUNT: usize = 200;

/// Most ndays of an nweek that is drawn as a wheel.
const WHEEL_MAX_COUNT: i64 = 24;

/// A day of UTC.
const DAY_HOURS: i64 = 24;
const HOUR_SECONDS: i64 = 3_600;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("timetable").display(Display::new("schedule", |state, _| Ok(show(state))).listed(2))
}

/// A row of the display with what it is ordered by.
struct Row {
    /// The instant, or the last one and the changes of the nday until then where nobody knows it; the phase in one midnight.
    order: (Instant, u64, u8),
    cells: Vec<Cell>,
}

/// The phases of a midnight, as BX1 has them.
mod phase {
    pub(super) const SET_FOR_END: u8 = 0;
    pub(super) const ENDS: u8 = 1;
    pub(super) const STARTS: u8 = 2;
    pub(super) const RDAYS: u8 = 3;
    pub(super) const SET: u8 = 4;
    pub(super) const NEVER: u8 = 5;
}

/// The display.
fn show(state: &State<BNomic>) -> Document {
    let ahead: Vec<(hands::Moment, Option<Instant>)> = hands::ahead(state).take(AHEAD_MAX_COUNT).collect();
    let mut comings = of_the_clock(state, &ahead);
    comings.extend(of_laws(state, &ahead));
    comings.extend(intents::coming(state));
    comings.extend(obligations::coming(state));
    comings.extend(society::coming(state));
    comings.extend(emergency::coming(state));
    comings
        .extend(laws::coming(state).into_iter().map(|(at, what)| Coming::new(at.map_or(Time::Open, Time::At), what)));
    let wheel = wheel(state, &ahead, &comings);
    let mut rows: Vec<Row> = comings.into_iter().map(|coming| row(state, &ahead, coming)).collect();
    rows.extend(schedule::list(state).into_iter().map(|later| set_row(state, &ahead, later)));
    rows.sort_by_key(|row| row.order);
    let document = Document::titled("schedule", "What is yet to come in B Nomic");
    let document = match (crisis::lasts(state), hands::is_on(state)) {
        (true, _) => document.para("Game time stands still in a State of Emergency."),
        (false, true) => document.para("The Clock is On; instants of ndays hold as long as it stays so."),
        (false, false) => document.para("The Clock is Off: no nday passes until it is On."),
    };
    let document = wheel.into_iter().fold(document, Document::with);
    document.table(["", "when", "what"], rows.into_iter().map(|row| row.cells))
}

/// The nweek as a round of its ndays, each with what comes at its start or end in a few words. Nothing is drawn where an
/// nweek has no last nday.
fn wheel(state: &State<BNomic>, ahead: &[(hands::Moment, Option<Instant>)], comings: &[Coming]) -> Option<Block> {
    let now = hands::now(state);
    let last = hands::last_nday(state).filter(|last| (1..=WHEEL_MAX_COUNT).contains(last))?;
    let mut moments: Vec<(String, Vec<String>)> =
        (1..=last).map(|nday| (calendar::day(state, nday), Vec::new())).collect();
    let begun = |count: u64| ahead.get(usize::try_from(count.checked_sub(1)?).ok()?).map(|(moment, _)| *moment);
    for coming in comings {
        let at = match coming.time {
            Time::End(1) => Some(now),
            Time::End(count) => begun(count - 1),
            Time::Start(count) => begun(count),
            Time::At(_) | Time::Midnight(_) | Time::Open => None,
        };
        let Some(at) = at.filter(|at| at.nweek == now.nweek) else { continue };
        let place = at.nday.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        // What comes is told in its first words; the table has the rest.
        let what = coming.what.split([',', ':']).next().unwrap_or_default();
        if let Some((_, due)) = place.and_then(|place| moments.get_mut(place)) {
            due.push(what.to_owned());
        }
    }
    let now_at = usize::try_from(now.nday.checked_sub(1)?).ok()?;
    Some(Block::Picture(Picture::Wheel(Wheel { name: format!("nweek {}", now.nweek), moments, now: now_at })))
}

/// Whether a Voting Period runs in an nday that is or will be: the one that has begun lasts to its nweek's end.
fn votes_run(state: &State<BNomic>, moment: hands::Moment) -> bool {
    let now = hands::now(state);
    if moment == now {
        hands::votes_run(state)
    } else {
        hands::in_voting(state, moment) || (moment.nweek == now.nweek && hands::votes_run(state))
    }
}

/// What the Clock does by itself.
fn of_the_clock(state: &State<BNomic>, ahead: &[(hands::Moment, Option<Instant>)]) -> Vec<Coming> {
    let mut out = Vec::new();
    if established(&state.rules, Thing::Clock).is_err() {
        return out;
    }
    let now = hands::now(state);
    if !hands::is_on(state) && !crisis::lasts(state) {
        out.push(Coming::new(Time::Midnight(1), "another ndelay begins"));
    }
    let mut before = now;
    let (mut voting, mut nweek, mut holiday) = (false, false, false);
    for (index, (moment, _)) in ahead.iter().enumerate() {
        let count = index as u64 + 1;
        if index == 0 {
            out.push(Coming::new(Time::Start(count), format!("nday {} begins", calendar::day(state, moment.nday))));
        }
        let ends = moment.nweek != before.nweek;
        if hands::in_voting(state, *moment) && (ends || !votes_run(state, before)) && !voting {
            voting = true;
            out.push(Coming::new(
                Time::Start(count),
                "voting begins, what is Pending becomes Open, and the Clock goes Off",
            ));
        }
        if ends && !nweek {
            nweek = true;
            // What no rule has any more does not come.
            let still = |thing: Thing, what: &'static str| established(&state.rules, thing).is_ok().then_some(what);
            let joined = |parts: Vec<Option<&str>>| {
                let parts: Vec<&str> = parts.into_iter().flatten().collect();
                if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
            };
            let tally = still(Thing::Proposals, "votes are tallied").filter(|_| votes_run(state, before));
            let ends = joined(vec![
                tally,
                still(Thing::Retainers, "Retainers fall"),
                still(Thing::MinistryRewards, "Ministers are rewarded"),
            ]);
            out.push(Coming::new(Time::End(count), format!("nweek {} ends{ends}", before.nweek)));
            let begins = joined(vec![Some("the Clock goes Off"), still(Thing::Activity, "who voted is Vested")]);
            out.push(Coming::new(Time::Start(count), format!("nweek {} begins{begins}", moment.nweek)));
        }
        if let Some((named, _)) = calendar::holiday(state, *moment).filter(|_| !holiday) {
            holiday = true;
            out.push(Coming::new(Time::Start(count), named));
        }
        before = *moment;
    }
    out
}

/// What laws do by themselves at the next edge of each kind that they name. What comes at one time is told together.
fn of_laws(state: &State<BNomic>, ahead: &[(hands::Moment, Option<Instant>)]) -> Vec<Coming> {
    let began = std::iter::once(hands::now(state)).chain(ahead.iter().map(|(moment, _)| *moment));
    let turns: Vec<(hands::Moment, hands::Moment)> = began.zip(ahead.iter().map(|(moment, _)| *moment)).collect();
    let mut found: BTreeMap<(usize, bool), Vec<String>> = BTreeMap::new();
    for (edge, on, rule) in laws::by_themselves(state) {
        let wanted = |number: i64| on.is_empty() || on.contains(&number);
        let comes = |(from, to): &(hands::Moment, hands::Moment)| match edge.as_str() {
            "start of nday" => wanted(to.nday),
            "end of nday" => wanted(from.nday),
            "start of nweek" => from.nweek != to.nweek && wanted(to.nweek),
            "end of nweek" => from.nweek != to.nweek && wanted(from.nweek),
            _ => false,
        };
        // What names no nday that comes never comes.
        let Some(index) = turns.iter().position(comes) else { continue };
        let Some(rule) = state.rules.get(&rule) else { continue };
        let named = format!("{PREFIX}{}", rule.number());
        let rules = found.entry((index, edge.starts_with("start"))).or_default();
        if !rules.contains(&named) {
            rules.push(named);
        }
    }
    let coming = |((index, starts), rules): ((usize, bool), Vec<String>)| {
        let count = index as u64 + 1;
        let time = if starts { Time::Start(count) } else { Time::End(count) };
        Coming::new(time, format!("laws act: {}", rules.join(", ")))
    };
    found.into_iter().map(coming).collect()
}

fn row(state: &State<BNomic>, ahead: &[(hands::Moment, Option<Instant>)], coming: Coming) -> Row {
    let ended = |count: u64| match count.checked_sub(2).and_then(|index| ahead.get(usize::try_from(index).ok()?)) {
        Some((moment, _)) => Some(*moment),
        None if count == 1 => Some(hands::now(state)),
        None => None,
    };
    let begun = |count: u64| ahead.get(usize::try_from(count.checked_sub(1)?).ok()?).copied();
    let (place, when) = match coming.time {
        Time::At(at) => ((at, 0, phase::SET), minute(at)),
        Time::Midnight(count) => {
            let at = midnight(state, count);
            let when = at.map_or_else(|| format!("after {count} midnights of game time"), minute);
            (order(at, 0, phase::RDAYS), when)
        }
        Time::Open => (order(None, u64::MAX, phase::SET), "when the Clock allows".to_owned()),
        Time::End(count) => {
            let at = begun(count).and_then(|(_, at)| at);
            let edge = ended(count).map_or_else(|| format!("after {count} changes"), |nday| format!("end of {nday}"));
            (order(at, count, phase::ENDS), clocked(&edge, at))
        }
        Time::Start(count) => {
            let at = begun(count).and_then(|(_, at)| at);
            let edge =
                begun(count).map_or_else(|| format!("after {count} changes"), |(nday, _)| format!("start of {nday}"));
            (order(at, count, phase::STARTS), clocked(&edge, at))
        }
    };
    Row { order: place, cells: cells![Cell::default(), when, coming.what] }
}

fn order(at: Option<Instant>, changes: u64, phase: u8) -> (Instant, u64, u8) {
    at.map_or((Instant::MAX, changes, phase), |at| (at, 0, phase))
}

/// An edge of an nday, with its instant where the Clock gets there by itself.
fn clocked(edge: &str, at: Option<Instant>) -> String {
    match at {
        Some(at) => format!("{edge}, {}", minute(at)),
        None => format!("{edge}, when the Clock allows"),
    }
}

/// The so many-th midnight of game time from now, unless that stands still.
fn midnight(state: &State<BNomic>, count: u64) -> Option<Instant> {
    let next = hands::next_midnight_of(state).filter(|_| !crisis::lasts(state))?;
    // Days of UTC have one length; what lies beyond all dates has no instant.
    let hours = i64::try_from(count.saturating_sub(1)).ok()?.checked_mul(DAY_HOURS)?;
    let later = hours.checked_mul(HOUR_SECONDS)?;
    next.checked_add(SignedDuration::from_secs(later)).ok()
}

/// An action that somebody set for later.
fn set_row(
    state: &State<BNomic>,
    ahead: &[(hands::Moment, Option<Instant>)],
    (number, when, what): (u64, When, String),
) -> Row {
    let turn = |index: usize| {
        let before = index.checked_sub(1).map_or_else(|| hands::now(state), |index| ahead[index].0);
        let (to, at) = ahead[index];
        let was = votes_run(state, before);
        let is = hands::in_voting(state, to);
        let new = before.nweek != to.nweek;
        let turn = super::moments::Turn {
            from: before,
            to,
            changes: hands::changes(state) + index as u64,
            voting_ends: was && new,
            voting_begins: is && (new || !was),
        };
        (turn, at)
    };
    let count = |index: usize| index as u64 + 1;
    let found = |ends: bool| {
        (0..ahead.len())
            .map(|index| (index, turn(index)))
            .find(|(_, (turn, _))| if ends { when.ends_at(turn) } else { when.starts_at(turn) })
    };
    let words = when.words(state);
    let unknown = |rank: u8, note: &str| ((Instant::MAX, u64::MAX, rank), format!("{words}{note}"));
    let (place, shown) = match &when {
        When::At(at) => ((*at, 0, phase::SET), words.clone()),
        When::After { until: Until::Rdays(until), .. } => {
            let at = midnight(state, until.saturating_sub(hands::rdays(state)));
            (order(at, 0, phase::SET), clocked(&words, at))
        }
        When::After { until: Until::Ndelays(until), .. } if hands::is_on(state) => {
            let more = until.saturating_sub(hands::ndelays(state));
            (order(None, more, phase::SET), format!("{words}, once the Clock is Off"))
        }
        // An ndelay ends at the next midnight, or as soon as the Clock is On.
        When::After { until: Until::Ndelays(until), .. } => {
            let at = midnight(state, until.saturating_sub(hands::ndelays(state)).saturating_add(1));
            (order(at, 0, phase::SET), format!("{}, or when the Clock is On", clocked(&words, at)))
        }
        _ if schedule::is_past(state, &when) => unknown(phase::NEVER, ", which is past and never comes"),
        When::Starts(Period::Ndelay(number)) | When::Ends(Period::Ndelay(number)) => {
            let now = hands::ndelay(state);
            let change = match &when {
                When::Starts(_) => number.unwrap_or(now.saturating_add(1)),
                _ => number.unwrap_or(now).saturating_add(1),
            };
            match u64::try_from(change.saturating_sub(now)).ok().filter(|more| *more > 0 && !hands::is_on(state)) {
                Some(more) => {
                    let at = midnight(state, more);
                    (order(at, 0, phase::SET), clocked(&words, at))
                }
                None => unknown(phase::NEVER, ", when the Clock gets there"),
            }
        }
        When::Ends(_) | When::After { .. } => match found(true) {
            Some((index, (_, at))) => (order(at, count(index), phase::SET_FOR_END), clocked(&words, at)),
            None => unknown(phase::NEVER, ", when the Clock gets there"),
        },
        When::Starts(Period::Nday { .. } | Period::Nweek(_) | Period::Voting) => match found(false) {
            Some((index, (_, at))) => (order(at, count(index), phase::SET), clocked(&words, at)),
            None => unknown(phase::NEVER, ", when the Clock gets there"),
        },
    };
    let number = number.to_string();
    Row { order: place, cells: cells![Cell::named(number), shown, what] }
}
