//! The calendar: days, weeks and months of the room's zone, at whose ends and beginnings laws can do something.
//!
//! They are there for every game. A midnight is due only while a law in force waits for one, so that no other room has
//! an entry a day.

use jiff::{SignedDuration, civil::Weekday};

use kernel::{Draft, Game, State, entry::Due, time::next_midnight};

use super::{
    mechanic::hear_instant,
    room::Hosts,
    tables::{Enacted, Midnight},
};

/// The key of a midnight that is due.
const KEY: &str = "law-midnight";

/// How long before a midnight the last moment of what ends with it is.
const LAST_MOMENT: SignedDuration = SignedDuration::from_micros(1);

/// A period of the calendar, with the numbers that laws tell its ends and beginnings by.
#[derive(Clone, Copy)]
struct Period {
    ends: &'static str,
    starts: &'static str,
    /// Whether one begins at a midnight, by the day that does.
    begins: fn(&jiff::Zoned) -> bool,
    number: fn(&jiff::Zoned) -> i64,
}

/// The periods, the shortest first. A day is told by its date, a week by its number in the year.
const PERIODS: [Period; 3] = [
    Period { ends: "end of day", starts: "start of day", begins: |_| true, number: |day| day.day().into() },
    Period {
        ends: "end of week",
        starts: "start of week",
        begins: |day| day.weekday() == Weekday::Monday,
        number: |day| day.date().iso_week_date().week().into(),
    },
    Period {
        ends: "end of month",
        starts: "start of month",
        begins: |day| day.day() == 1,
        number: |day| day.month().into(),
    },
];

/// The names of the instants of the calendar.
pub(super) fn instants() -> impl Iterator<Item = &'static str> {
    PERIODS.into_iter().flat_map(|period| [period.ends, period.starts])
}

/// Whether what is due is a midnight.
pub(super) fn is_midnight(due: &Due) -> bool {
    &*due.key == KEY
}

/// A midnight that is past.
pub(super) fn passed<G: Game>(due: &Due, d: &mut Draft<'_, G>) {
    d.put(&(), Midnight { at: due.at });
}

/// A midnight: what ends by it, then what begins.
pub(super) fn midnight<G: Hosts>(due: &Due, d: &mut Draft<'_, G>) {
    passed(due, d);
    let begins = due.at.to_zoned(G::zone(d));
    let Ok(ended) = begins.yesterday() else { return };
    let comes = || PERIODS.into_iter().filter(|period| (period.begins)(&begins));
    let ends: Vec<_> = comes().map(|period| (period.ends, (period.number)(&ended))).collect();
    let starts: Vec<_> = comes().map(|period| (period.starts, (period.number)(&begins))).collect();
    // What ends has not ended yet: the clock, and what is counted by the day, are still those of its last moment.
    d.at = due.at - LAST_MOMENT;
    hear_instant(&ends, d);
    d.at = due.at;
    hear_instant(&starts, d);
}

/// Whether a law waits for one of a period's instants.
fn waits<G: Game>(state: &State<G>, period: &Period) -> bool {
    let hooks = state.rows::<Enacted>().values().flat_map(|law| &law.declared.hooks);
    let heard = hooks.filter_map(|hook| hook.strip_prefix("at ").or_else(|| hook.strip_prefix("after ")));
    heard.into_iter().any(|heard| [period.ends, period.starts].contains(&heard))
}

/// The next midnight for which a law waits.
pub(super) fn next<G: Hosts>(state: &State<G>, rank: u8) -> Option<Due> {
    let Midnight { at } = *state.row::<Midnight>(&())?;
    let wanted: Vec<Period> = PERIODS.into_iter().filter(|period| waits(state, period)).collect();
    let zone = G::zone(state);
    // A month has 31 days at most.
    let midnights =
        std::iter::successors(Some(next_midnight(at, &zone)), |at| Some(next_midnight(*at, &zone))).take(31);
    let mut wanted_ones =
        midnights.filter(|at| wanted.iter().any(|period| (period.begins)(&at.to_zoned(zone.clone()))));
    Some(Due { at: wanted_ones.next()?, rank, key: KEY.into() })
}

/// Counts midnights from now on where a law has begun to wait for them, and no more where none does.
pub(super) fn settle<G: Hosts>(d: &mut Draft<'_, G>) {
    let waiting = PERIODS.iter().any(|period| waits(d, period));
    match (waiting, d.row::<Midnight>(&()).is_some()) {
        (true, false) => {
            let at = d.at;
            d.put(&(), Midnight { at });
        }
        (false, true) => drop(d.delete::<Midnight>(&())),
        _ => {}
    }
}
