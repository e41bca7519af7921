//! Entries as the engine reads them back from a journal, and what its own acts are called there.
//!
//! The names stand in journals that are kept for ever, so none of them changes.

use serde::Deserialize as _;
use serde_json::Value as Json;

use crate::Seq;
use crate::entry::{Change, Entry};
use crate::game::Game;

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

/// Reads an entry, its facts brought to this program's version of them.
pub(super) fn read_entry<G: Game>(text: &str) -> Result<Entry, String> {
    let mut json: Json = serde_json::from_str(text).map_err(|why| why.to_string())?;
    let schema = json.get("schema").and_then(Json::as_u64).and_then(|schema| u16::try_from(schema).ok()).unwrap_or(0);
    if schema > G::SCHEMA {
        return Err(format!("it was written in version {schema} of the game, this program knows {}", G::SCHEMA));
    }
    if schema < G::SCHEMA
        && let Some(changes) = json.get_mut("changes").and_then(Json::as_array_mut)
    {
        for fact in changes.iter_mut().filter_map(|change| change.get_mut("fact")) {
            *fact = G::upcast(schema, fact.take());
        }
    }
    let entry: Entry = serde_json::from_value(json).map_err(|why| why.to_string())?;
    for change in &entry.changes {
        if let Change::Fact(fact) = change {
            G::Fact::deserialize(fact).map_err(|why| why.to_string())?;
        }
    }
    Ok(entry)
}
