//! The last numbers that were given, where the room's frame does not count them: rows of before.
//!
//! They are read, and never written but to be removed.

use serde::{Deserialize, Serialize};

use super::game::BNomic;
use kernel::{Id, State, table::Row};

/// The numbers of one kind: of trophies, duties, proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counter {
    /// The greatest that was given; 0 before the first.
    pub(super) last: i64,
}

impl Row<BNomic> for Counter {
    type Key = Id;
    const TABLE: &'static str = "counters";
}

/// The last number that was given; 0 before the first, and where no row says it.
pub(super) fn last(state: &State<BNomic>, of: &str) -> u64 {
    state.row::<Counter>(&of.into()).map_or(0, |counter| u64::try_from(counter.last).unwrap_or_default())
}
