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
    /// Until when.
    pub until: End,
    /// The seats for which it waits.
    pub of: Vec<Id>,
    /// What is waited for.
    pub wants: Wants,
    /// Who voted on it, and how, in a word of the game. Of what is secret there is nothing.
    pub cast: Vec<(Id, String)>,
}

impl Waiting {
    /// Whether it is something that people vote on.
    pub fn is_ballot(&self) -> bool {
        self.wants == Wants::Votes || !self.cast.is_empty()
    }
}

/// When something ends that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At this instant, as things stand.
    At(Instant),
    /// It ends, and nobody knows yet when.
    Unknown,
    /// Not by itself.
    Never,
}

impl End {
    /// The instant, where it is known.
    pub fn at(self) -> Option<Instant> {
        match self {
            Self::At(at) => Some(at),
            Self::Unknown | Self::Never => None,
        }
    }
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// A vote of each of them.
    Votes,
    /// That one of them does it: it is their turn.
    Turn,
}
