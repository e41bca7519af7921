//! The last numbers that were given: of trophies, duties, proposals, and whatever else is counted and never numbered anew.

use serde::{Deserialize, Serialize};

use super::game::{BNomic, D};
use kernel::{Id, Mechanic, State, table::Row};

/// The numbers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counter {
    /// The greatest that was given; 0 before the first.
    pub(super) last: i64,
}

impl Row<BNomic> for Counter {
    type Key = Id;
    const TABLE: &'static str = "counters";
}

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("counters").table::<Counter>()
}

/// The last number that was given.
pub(super) fn last(state: &State<BNomic>, of: &str) -> i64 {
    state.rows::<Counter>().get(of).map_or(0, |counter| counter.last)
}

/// Gives the next number.
pub(super) fn next(d: &mut D<'_>, of: &str) -> i64 {
    let next = last(d, of) + 1;
    let number = d.number(of, next.unsigned_abs());
    let number = i64::try_from(number).unwrap_or(next);
    set(d, of, number);
    number
}

/// Says which number was given last.
pub(super) fn set(d: &mut D<'_>, of: &str, last: i64) {
    d.upsert(&of.into(), |counter: &mut Counter| counter.last = last);
}
