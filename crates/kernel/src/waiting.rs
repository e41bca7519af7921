//! What waits for people: a vote that somebody has not cast, something that is somebody's to do.
//!
//! A mechanic tells it of its own questions, from the state alone ([`Mechanic::waits`](crate::Mechanic::waits)). The
//! service reminds those who asked for it, and shows what is open.

use super::{Id, Instant};

/// Something that waits for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The display that shows it, such as `proposal/3`. With its end, it is known again by that.
    pub display: String,
    /// What people call it, at the beginning of a sentence.
    pub label: String,
    /// What is typed about it.
    pub line: String,
    /// Until when, where that is known.
    pub until: Option<Instant>,
    /// The seats for which it waits.
    pub of: Vec<Id>,
    /// What is waited for.
    pub wants: Wants,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// A vote of each of them.
    Votes,
    /// That one of them does it: it is their turn.
    Turn,
}
