//! What the operator may want to count: lines, refusals, faults, and how long answers take.
//!
//! Counts begin at zero with the process. No count says who did what.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use port::{Reply, ReplyKind};

/// The upper bounds of the classes of answering time, in seconds: from instant to "Discord gives up".
pub(super) const CLASSES_SECONDS: [f64; 8] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 3.0];

/// Counts since the process began.
#[derive(Default)]
pub(super) struct Figures {
    refusals: AtomicU64,
    faults: AtomicU64,
    lines: AtomicU64,
    micros: AtomicU64,
    works: AtomicU64,
    classes: [AtomicU64; CLASSES_SECONDS.len()],
}

/// The counts at one moment.
pub(super) struct Counted {
    /// Refusals that somebody read.
    pub(super) refusals: u64,
    /// Faults that somebody ran into.
    pub(super) faults: u64,
    /// Lines that were answered.
    pub(super) lines: u64,
    /// Works that were begun.
    pub(super) works: u64,
    /// How long that took in all, in seconds.
    pub(super) seconds: f64,
    /// How many were answered within each of [`CLASSES_SECONDS`].
    pub(super) within: [u64; CLASSES_SECONDS.len()],
}

impl Figures {
    /// Takes note of a line that was answered.
    pub(super) fn answered(&self, replies: &[Reply], took: Duration) {
        let count = |of: fn(ReplyKind) -> bool| replies.iter().filter(|reply| of(reply.kind)).count() as u64;
        self.refusals.fetch_add(count(ReplyKind::is_refusal), Relaxed);
        self.faults.fetch_add(count(|kind| kind == ReplyKind::Fault), Relaxed);
        self.lines.fetch_add(1, Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
        for (class, bound) in self.classes.iter().zip(CLASSES_SECONDS) {
            if took.as_secs_f64() <= bound {
                class.fetch_add(1, Relaxed);
            }
        }
    }

    /// Takes note of a work that is begun.
    pub(super) fn work_began(&self) {
        self.works.fetch_add(1, Relaxed);
    }

    /// The counts now.
    pub(super) fn counted(&self) -> Counted {
        Counted {
            refusals: self.refusals.load(Relaxed),
            faults: self.faults.load(Relaxed),
            lines: self.lines.load(Relaxed),
            works: self.works.load(Relaxed),
            seconds: Duration::from_micros(self.micros.load(Relaxed)).as_secs_f64(),
            within: std::array::from_fn(|index| self.classes[index].load(Relaxed)),
        }
    }
}
