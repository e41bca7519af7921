//! Whether a connection lives.
//!
//! A connection may die without a word: a cable is pulled, a router forgets it. So the server is asked now and then,
//! and it is dead when nothing at all comes for a while after. Anything that comes shows that it lives, however late:
//! lines sent on a connection that merely lags must not be sent again. Lines are sent and read in `wire`.

use std::time::Duration;

use tokio::time::Instant;

/// How long after the server last answered it is asked again.
pub(super) const PING_EVERY: Duration = Duration::from_secs(15);

/// How long nothing may come from a server that was asked. With [`PING_EVERY`] a dead connection is noticed within 40
/// seconds, which keeps the promise of 45.
pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(25);

/// How long a server may owe the answer while other lines come: by then it does not read what it is sent.
pub(super) const ANSWER_MAX: Duration = Duration::from_secs(300);

/// What is known of the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulse {
    /// When anything came last.
    heard: Instant,
    /// When an answer to a `PING` came last.
    answered: Instant,
    /// When the server was asked what it has not answered yet.
    asked: Option<Instant>,
}

/// What a look at the pulse shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// There is nothing to do before [`Pulse::next_look`].
    Quiet,
    /// The server is to be asked.
    Ask,
    /// The connection is dead, for this reason.
    Dead(String),
}

impl Pulse {
    /// It lives as of now.
    pub(super) fn new(now: Instant) -> Self {
        Self { heard: now, answered: now, asked: None }
    }

    /// Something came; whether it was the answer to a `PING`.
    pub(super) fn heard(&mut self, is_answer: bool, now: Instant) {
        self.heard = now;
        if is_answer {
            self.answered = now;
            self.asked = None;
        }
    }

    /// When to look again.
    pub(super) fn next_look(&self) -> Instant {
        match self.asked {
            None => self.answered + PING_EVERY,
            Some(asked) => (asked.max(self.heard) + PING_TIMEOUT).min(asked + ANSWER_MAX),
        }
    }

    /// Looks.
    pub(super) fn beat(&mut self, now: Instant) -> Beat {
        if now < self.next_look() {
            return Beat::Quiet;
        }
        match self.asked {
            None => {
                self.asked = Some(now);
                Beat::Ask
            }
            Some(asked) if now >= asked + ANSWER_MAX => {
                Beat::Dead(format!("no answer to a PING in {} seconds", ANSWER_MAX.as_secs()))
            }
            Some(_) => Beat::Dead(format!("no answer to a PING in {} seconds", PING_TIMEOUT.as_secs())),
        }
    }
}
