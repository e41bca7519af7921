//! Long work that a room waits for, and what it is played with.
//!
//! It is plain data and borrowed tools: it knows no game and no state. So it can be played away from its room and again
//! after a restart.

use std::sync::{Arc, atomic::AtomicBool};

use serde::{Deserialize, Serialize};

use super::Id;

/// A long work that a room waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Work {
    /// Which one: unique in the room, and the same after a restart.
    pub id: Id,
    /// What is to be done, as the game wrote it.
    pub task: serde_json::Value,
    /// The sealed things that it needs, by id.
    pub secrets: Vec<Id>,
}

/// Outcomes of earlier work, kept by key.
pub trait Cache: Sync {
    /// What was kept under a key.
    fn get(&self, key: &str) -> Option<Vec<u8>>;
    /// Keeps something.
    fn put(&self, key: &str, value: Vec<u8>);
}

/// Keeps nothing.
impl Cache for () {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
    fn put(&self, _: &str, _: Vec<u8>) {}
}

/// What a long work is played with.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// Opens a sealed thing that the work named.
    pub open: &'a (dyn Fn(&str) -> Option<Arc<[u8]>> + Sync),
    /// Outcomes of earlier work.
    pub cache: &'a dyn Cache,
    /// Set when the work is to stop.
    pub stop: &'a AtomicBool,
    /// Told how much is done, of how much.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}
