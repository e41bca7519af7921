//! Where the hands of the Clock stand (4E14), and what time it is for whoever asks.
//!
//! It changes nothing but what is noted of the Clock itself. What a midnight does stands in `midnight`.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::{
    emergency::crisis,
    figures::{LAST_NDAY, VOTING_NDAY},
    game::{BNomic, D},
    law::{Thing, established},
    stats::{NDAY, NDELAY, NWEEK, RUNNING, THE_CLOCK},
};
use kernel::{Id, Instant, State, table::Row, time::next_midnight};

// ---- state

/// What the Clock remembers besides its hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Time {
    /// The last midnight that was seen to, or the room's opening.
    pub(crate) midnight: Option<Instant>,
    /// Midnights seen to since the room opened: what rdays are counted by.
    pub(crate) rdays: u64,
    /// Changes of the ndelay since the room opened, its returns to zero left out: what ndelays are counted by.
    pub(crate) ndelays: u64,
    /// The nday that was begun last.
    pub(crate) begun: Option<Nday>,
    /// Whether the Clock has been On in this nweek (4E49).
    pub(crate) was_on: bool,
    /// Whether the Chairman may put it On (B14.5): from the start of voting until it is On.
    pub(crate) chairman: bool,
    /// Whether it was seen to that it is On, whoever put it so.
    pub(crate) on: bool,
    /// The nweek whose Voting Period has begun and has not ended.
    pub(crate) voting: Option<i64>,
}

impl Row<BNomic> for Time {
    type Key = ();
    const TABLE: &'static str = "clock";

    /// Midnights and what is counted by them are the entry itself.
    fn told((): &(), was: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        let (none, is) = (Self::default(), is.cloned().unwrap_or_default());
        let was = was.unwrap_or(&none);
        let voting = (was.voting != is.voting).then(|| match is.voting {
            Some(nweek) => format!("the Voting Period of nweek {nweek} runs"),
            None => "no Voting Period runs".to_owned(),
        });
        let chairman = (was.chairman != is.chairman)
            .then(|| format!("the Chairman may {}put the Clock On", if is.chairman { "" } else { "no longer " }));
        [voting, chairman].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// An nday of an nweek.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Moment {
    /// The nweek.
    pub(crate) nweek: i64,
    /// The nday.
    pub(crate) nday: i64,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.nweek, self.nday)
    }
}

/// An nday that began, and how many had begun before it: what ndays are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Nday {
    /// Which.
    pub(crate) moment: Moment,
    /// Changes of the nday since the room opened.
    pub(crate) changes: u64,
    /// The number of its nweek, had each nweek had the number after the one before it: what nweeks are counted by.
    pub(crate) count: i64,
}

/// What the Clock's hands say now.
pub(crate) fn hands(state: &State<BNomic>) -> Moment {
    let clock = Id::from(THE_CLOCK);
    let read = |attr| state.world.get(attr, &clock).unwrap_or(1);
    Moment { nweek: read(&NWEEK), nday: read(&NDAY) }
}

/// The nday that was begun last: what the hands say, but while a change of them is not yet seen to.
pub(crate) fn now(state: &State<BNomic>) -> Moment {
    time(state).begun.map_or_else(|| hands(state), |nday| nday.moment)
}

/// Whether the Clock is On.
pub(crate) fn is_on(state: &State<BNomic>) -> bool {
    state.world.get(&RUNNING, &THE_CLOCK.into()).unwrap_or_default()
}

/// Midnights since the room opened, for durations in rdays.
pub(crate) fn rdays(state: &State<BNomic>) -> u64 {
    time(state).rdays
}

/// Changes of the ndelay since the room opened, for durations in ndelays.
pub(crate) fn ndelays(state: &State<BNomic>) -> u64 {
    time(state).ndelays
}

/// Which nweek it is, counted from the first: where the hand was set back, one of the same number is another one (B14.11).
pub(crate) fn nweeks(state: &State<BNomic>) -> i64 {
    time(state).begun.map_or_else(|| hands(state).nweek, |nday| nday.count)
}

/// The number of the ndelay, as the Clock shows it.
pub(crate) fn ndelay(state: &State<BNomic>) -> i64 {
    state.world.get(&NDELAY, &THE_CLOCK.into()).unwrap_or(0)
}

/// Changes of the nday since the room opened, for durations in ndays.
pub(crate) fn changes(state: &State<BNomic>) -> u64 {
    time(state).begun.map_or(0, |nday| nday.changes)
}

/// Whether an nday lies in a Voting Period (B15.11).
pub(crate) fn in_voting(state: &State<BNomic>, moment: Moment) -> bool {
    let from = state.rules.need_count(&VOTING_NDAY).ok().and_then(|from| i64::try_from(from).ok());
    established(&state.rules, Thing::Proposals).is_ok() && from.is_some_and(|from| moment.nday >= from)
}

/// Whether the Voting Period of this nweek has begun: it then runs to its end, whatever becomes of the figure (BX1).
pub(crate) fn votes_run(state: &State<BNomic>) -> bool {
    time(state).voting == Some(now(state).nweek)
}

/// How many ndays an nweek has, where a rule says so.
pub(crate) fn last_nday(state: &State<BNomic>) -> Option<i64> {
    state.rules.need_count(&LAST_NDAY).ok().and_then(|last| i64::try_from(last).ok())
}

/// What the hands would say, were the nday set to this: beyond the last one a new nweek begins (B14.3).
pub(crate) fn wrapped(state: &State<BNomic>, moment: Moment) -> Moment {
    match last_nday(state) {
        Some(last) if moment.nday > last => Moment { nweek: moment.nweek.saturating_add(1), nday: 1 },
        _ => moment,
    }
}

/// The ndays that come next, and when each begins: no instant from where the Clock goes Off by itself, or is Off.
pub(crate) fn ahead(state: &State<BNomic>) -> impl Iterator<Item = (Moment, Option<Instant>)> + '_ {
    let mut moment = now(state);
    let mut at = (is_on(state) && !crisis::lasts(state)).then(|| next_midnight_of(state)).flatten();
    std::iter::repeat_with(move || {
        let before = moment;
        moment = wrapped(state, Moment { nday: moment.nday.saturating_add(1), ..moment });
        let begins = at;
        let goes_off = moment.nweek != before.nweek || (in_voting(state, moment) && !in_voting(state, before));
        at = if goes_off { None } else { begins.map(midnight_after) };
        (moment, begins)
    })
}

/// The next midnight of the room.
pub(crate) fn next_midnight_of(state: &State<BNomic>) -> Option<Instant> {
    time(state).midnight.map(midnight_after)
}

/// When the next midnight is.
pub(crate) fn midnight_after(at: Instant) -> Instant {
    next_midnight(at, &TimeZone::UTC)
}

/// What it remembers.
pub(crate) fn time(state: &State<BNomic>) -> Time {
    state.rows::<Time>().get(&()).copied().unwrap_or_default()
}

/// Whether the Clock has been On in this nweek (4E49).
pub(crate) fn was_on(state: &State<BNomic>) -> bool {
    time(state).was_on
}

pub(crate) fn remember(d: &mut D<'_>, change: impl FnOnce(&mut Time)) {
    d.upsert(&(), change);
}

/// Notes whether the Clock has been On in this nweek.
pub(crate) fn note_on(d: &mut D<'_>, to: bool) {
    remember(d, |time| time.was_on = to);
}

/// Gives the Chairman the right to put the Clock On, or takes it.
pub(crate) fn chairman(d: &mut D<'_>, to: bool) {
    remember(d, |time| time.chairman = to);
}

// ---- decide

/// Sets the hands, without what begins and ends by it.
pub(crate) fn set(d: &mut D<'_>, to: Moment) {
    d.set(&NWEEK, &THE_CLOCK.into(), to.nweek);
    d.set(&NDAY, &THE_CLOCK.into(), to.nday);
}

/// The hands were right all along, as somebody says: nothing begins by it (B50.6).
pub(crate) fn said_hands(d: &mut D<'_>) {
    let (to, was) = (wrapped(d, hands(d)), time(d).begun);
    if let Some(begun) = was.filter(|begun| begun.moment != to) {
        set(d, to);
        let begun = Nday { moment: to, ..begun };
        remember(d, |time| time.begun = Some(begun));
    }
}

/// What follows where the Clock is On by what somebody says of it (B50.6).
pub(crate) fn said_on(d: &mut D<'_>) {
    let on = is_on(d);
    if on {
        chairman(d, false);
        note_on(d, true);
    }
    // Whatever turns it On, there is no ndelay from then on (B14.10).
    if on && d.world.get(&NDELAY, &THE_CLOCK.into()).unwrap_or(0) != 0 {
        d.set(&NDELAY, &THE_CLOCK.into(), 0);
    }
    if on != time(d).on {
        remember(d, |time| time.on = on);
    }
}
