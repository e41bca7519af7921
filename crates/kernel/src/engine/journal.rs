//! Entries as the engine reads them back from a journal, and what its own acts are called there.
//!
//! The names stand in journals that are kept for ever, so none of them changes.

use crate::Seq;
use crate::entry::Entry;

/// The key of the due instant at which a room takes another seed.
pub(super) const RESEED: &str = "dice/reseed";

/// What the journal calls the announcement of its own hash.
pub(super) const ATTEST: &str = "journal/hash";

/// What a moderator's undo is called in the journal.
pub(super) const UNDO: &str = "undo";

/// What a correction is called in the journal.
pub(super) const CORRECT: &str = "correct";

/// An entry that cannot be folded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} cannot be read: {why}")]
pub struct Unreadable {
    /// Which one was expected.
    pub seq: Seq,
    /// What is wrong with it.
    pub why: String,
}

/// Reads an entry.
pub(super) fn read_entry(text: &str) -> Result<Entry, String> {
    serde_json::from_str(text).map_err(|why| why.to_string())
}
