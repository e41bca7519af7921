//! Numbers that things were given while an approval waits: each keeps its own where all of it is played again (4E50).
//!
//! What cannot happen there makes nothing, and would hand its number to the next; then whoever supported, objected to or
//! performed the one would have done so to another. Absent: who counts (`intents`, `proposals`, `tweaks`, `schedule`,
//! `obligations`).

use serde::{Deserialize, Serialize};

use super::{D, State, intents};
use crate::{BNomic, obligations, proposals, schedule, tweaks};

/// The last number that a thing of each kind was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    /// Of intentions.
    pub(crate) intents: u64,
    /// Of Proposals.
    pub(crate) proposals: u64,
    /// Of tweaks.
    pub(crate) tweaks: u64,
    /// Of what is set for later.
    pub(crate) schedule: u64,
    /// Of duties.
    pub(crate) duties: u64,
}

impl Numbers {
    /// Those of a room.
    pub(super) fn of(state: &State<BNomic>) -> Numbers {
        Numbers {
            intents: intents::newest(state).unwrap_or(0),
            proposals: proposals::newest(state),
            tweaks: tweaks::newest(state),
            schedule: schedule::newest(state),
            duties: obligations::newest(state),
        }
    }

    /// The greater of each.
    pub(super) fn or_later(self, other: Numbers) -> Numbers {
        Numbers {
            intents: self.intents.max(other.intents),
            proposals: self.proposals.max(other.proposals),
            tweaks: self.tweaks.max(other.tweaks),
            schedule: self.schedule.max(other.schedule),
            duties: self.duties.max(other.duties),
        }
    }
}

/// The number of the next thing of a kind, after the last one.
pub(crate) fn next(d: &mut D<'_>, kind: &str, last: u64, of: fn(&Numbers) -> u64) -> u64 {
    let given = d.game.approvals.sim.as_ref().map_or(0, |sim| of(&sim.given_numbers));
    d.number(kind, last.max(given) + 1)
}
