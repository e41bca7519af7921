//! What a charge was lost by: what its [`Reason`] says, and where both lost, what each lost by.
//!
//! The engine does not tell the latter, and nobody but a reader needs it. So the plain machine plays such a charge
//! again up to its last cycle, which takes as many steps as it has cycles.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::charge::{Charge, Machine, Reason, Side};
use crate::presets::{Rules, Setup};
use crate::program::Program;

/// Cycles between two looks at whether to stop.
const CHUNK_CYCLES: u64 = 4096;

/// What one side lost by in a cycle in which both did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// Its flag is 0 (J67).
    Flag,
    /// Its pointer left the tape (J68).
    Edge,
    /// Both in one cycle.
    FlagAndEdge,
}

/// What a charge was lost by. Its `Display` is what a table has of it. It is `flag`, `edge`, `cap`, `both edge`, or
/// `edge, flag` for the edge on the left and the flag on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// One side lost, or nobody won before the limit: what the reason says.
    One(Reason),
    /// Both lost in one cycle (J69).
    Both {
        /// By what the left side did.
        left: Loss,
        /// By what the right side did.
        right: Loss,
    },
}

/// What a charge was lost by that came out as it is said to.
///
/// # Panics
/// As [`crate::charge()`].
pub fn cause(left: &Program, right: &Program, setup: Setup, charge: &Charge, rules: &Rules) -> Cause {
    cause_cancellable(left, right, setup, charge, rules, &AtomicBool::new(false)).expect("nobody stops it")
}

/// As [`cause`]; `None` once `stop` is set.
///
/// # Panics
/// As [`crate::charge()`].
pub fn cause_cancellable(
    left: &Program,
    right: &Program,
    setup: Setup,
    charge: &Charge,
    rules: &Rules,
    stop: &AtomicBool,
) -> Option<Cause> {
    if charge.reason != Reason::Both {
        return Some(Cause::One(charge.reason));
    }
    let mut machine = Machine::set_up(left, right, setup, rules);
    while machine.cycle() < charge.cycles {
        if machine.cycle().is_multiple_of(CHUNK_CYCLES) && stop.load(Ordering::Relaxed) {
            return None;
        }
        machine.step();
    }
    let loss = |side| match machine.lost_by(side) {
        (true, true) => Loss::FlagAndEdge,
        (true, false) => Loss::Flag,
        (false, _) => Loss::Edge,
    };
    Some(Cause::Both { left: loss(Side::Left), right: loss(Side::Right) })
}

impl Cause {
    /// Of the same charge with the sides exchanged (J66).
    #[must_use]
    pub fn mirrored(self) -> Cause {
        match self {
            Cause::One(reason) => Cause::One(reason),
            Cause::Both { left, right } => Cause::Both { left: right, right: left },
        }
    }
}

impl Loss {
    /// Its name in results: `flag`, `edge` or `flag and edge`.
    pub fn as_str(self) -> &'static str {
        match self {
            Loss::Flag => Reason::Flag.as_str(),
            Loss::Edge => Reason::Edge.as_str(),
            Loss::FlagAndEdge => "flag and edge",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::One(reason) => write!(f, "{reason}"),
            Cause::Both { left, right } if left == right => write!(f, "both {left}"),
            Cause::Both { left, right } => write!(f, "{left}, {right}"),
        }
    }
}
