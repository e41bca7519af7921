//! Deeds in a room: where each comes from, and its outcome.
//!
//! A deed that is not done changed nothing, and says why.

use super::{deciding::Spent, fault::Fault};
use std::collections::BTreeSet;

use kernel::{Id, Refusal, Seq, display::Document};
use store::{PersonId, StoreError};

/// What came of a deed.
#[derive(Debug)]
pub struct Outcome {
    /// The entry that it made; nothing when it changed nothing.
    pub seq: Option<Seq>,
    /// The answer for whoever acted.
    pub reply: Document,
    /// The forums in which it is announced.
    pub announced: BTreeSet<Id>,
}

/// Why nothing came of a deed.
#[derive(Debug)]
pub enum NotDone {
    /// The rules, or the bot's own limits, stand in the way.
    Refused(Refusal),
    /// The same line was heard before, and acted then.
    HeardBefore,
    /// Something broke.
    Broke(Fault),
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> Self {
        Self::Broke(error.into())
    }
}

/// Who caused a deed, for the journal's side table and against doubles.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Unique in the room: the same line delivered twice acts once.
    pub id: Option<String>,
    /// The person, if one did.
    pub person: Option<PersonId>,
    /// The text as it was sent, secrets taken out.
    pub said: Option<String>,
    /// What laws take for the message that it came with.
    pub spent: Spent,
}
