//! Whether a clock jumped: what is known of where it stood right, and what it is judged by.
//!
//! A moment counts as right when it follows the last one that did, within what an operator allows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;

use kernel::{
    Instant, Refusal,
    time::{between, minute},
};

/// How far a clock may go back, in seconds. It is more than any server of the time corrects by once it is set, less
/// than anything that a game counts.
const BACK_MAX_SECONDS: i64 = 120;

/// How often it is written down that the clock stands right, in seconds: little beside the days that a jump has.
const BEAT_EVERY_SECONDS: i64 = 60;

/// What accepts the clock, as it is typed.
pub(super) const ACCEPT: &str = "clock accept";

/// A clock that stands where it cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    /// Where it was last known to stand right.
    pub(super) from: Instant,
    /// Where it stands.
    pub(super) to: Instant,
}

impl Jump {
    pub(super) fn is_back(self) -> bool {
        self.to < self.from
    }

    /// What happened, as a clause.
    pub(super) fn told(self) -> String {
        let (from, to) = (minute(self.from), minute(self.to));
        match self.is_back() {
            true => format!("the bot's clock went back by {}, from {from} to {to}", between(self.to, self.from)),
            false => format!("the bot's clock jumped ahead by {}, from {from} to {to}", between(self.from, self.to)),
        }
    }

    /// Why nothing can be done.
    pub(super) fn refusal(self) -> Refusal {
        let why = format!(
            "{}. Nothing happens before somebody who moderates every room says that it is right, by “{ACCEPT}”",
            self.told()
        );
        Refusal::new(why)
    }
}

/// What is known of the clock.
#[derive(Default)]
pub(super) struct Held {
    /// The latest instant at which it stood right.
    pub(super) last: Option<Instant>,
    /// When that was last written down.
    beaten: Option<Instant>,
    /// Whether moderators were told that it does not stand right.
    pub(super) told: bool,
}

/// Watches the clock.
#[derive(Default)]
pub(super) struct ClockWatch {
    held: Mutex<Held>,
}

impl ClockWatch {
    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges the clock at a moment, which becomes the latest at which it stood right if it does.
    pub(super) fn judge(&self, now: Instant, furthest: SignedDuration) -> Option<Jump> {
        let mut held = self.held();
        let jump = held.last.and_then(|last| jump(last, now, furthest));
        if jump.is_none() {
            held.last = held.last.max(Some(now));
        }
        jump
    }

    /// Takes note that it stands right: whether it did not when moderators were last told, and whether that is to be
    /// written down.
    pub(super) fn stands(&self, now: Instant) -> (bool, bool) {
        let mut held = self.held();
        let since = held.beaten.map(|beaten| now.duration_since(beaten).abs());
        let is_due = since.is_none_or(|since| since >= SignedDuration::from_secs(BEAT_EVERY_SECONDS));
        if is_due {
            held.beaten = Some(now);
        }
        (std::mem::take(&mut held.told), is_due)
    }

    /// Takes a moment for right.
    pub(super) fn accept(&self, now: Instant) {
        let mut held = self.held();
        *held = Held { last: Some(now), beaten: Some(now), told: false };
    }
}

/// Whether a clock that stood right then jumped, if it stands so now.
pub(super) fn jump(last: Instant, now: Instant, furthest: SignedDuration) -> Option<Jump> {
    let moved = now.duration_since(last);
    let fits = moved >= SignedDuration::from_secs(-BACK_MAX_SECONDS) && moved <= furthest;
    (!fits).then_some(Jump { from: last, to: now })
}
