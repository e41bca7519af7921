//! What handlers are asked with beside their own values: the line that asks, and a moment to look at.
//!
//! The line stands in the journal with its secrets taken out.

use serde::Deserialize;

use kernel::{Instant, Seq};

/// The number of an entry, or an instant.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(in crate::service) enum Moment {
    Entry(Seq),
    Instant(Instant),
}

/// The line that asks for something, for the journal.
#[derive(Clone, Debug)]
pub(in crate::service) struct Asked {
    /// Unique in every room.
    pub(super) origin: String,
    /// Its text, secrets taken out.
    pub(super) said: String,
}
