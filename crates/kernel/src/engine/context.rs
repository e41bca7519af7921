//! What a decision needs from outside: the moment, seeds, what was opened or worked out for it.
//!
//! The kernel finds none of this by itself; whoever holds the room brings it.

use std::{
    any::Any,
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use crate::dice::{SEED_BYTES, Seed};
use crate::draft::{Opened, SALT_BYTES};
use crate::{Id, Instant};

/// What a decision needs from outside.
#[derive(Clone, Debug)]
pub struct Context {
    /// The moment at which the deed is recorded, by the world's clock.
    pub now: Instant,
    /// The seed that the room draws from.
    pub seed: Seed,
    /// A fresh one, in case the room takes another.
    pub fresh: Seed,
    /// The salt of whatever this deed seals.
    pub salt: [u8; SALT_BYTES],
    /// What must be open for the deed ([`View::opens`](super::View::opens)), by id; nothing for what is not kept any more.
    pub opened: BTreeMap<Id, Option<Opened>>,
    /// How the room would be, had something been otherwise ([`View::supposes`](super::View::supposes), [`Table::suppose`](super::Table::suppose)).
    pub would_be: Vec<Arc<dyn Any + Send + Sync>>,
    /// Numbers fixed in advance, by label: rehearsals only.
    pub fixed: VecDeque<(String, u64)>,
}

impl Context {
    /// One of a moment, in which nothing is open and nothing is by chance.
    pub fn bare(now: Instant) -> Self {
        let nothing = || Seed([0; SEED_BYTES]);
        Self {
            now,
            seed: nothing(),
            fresh: nothing(),
            salt: Default::default(),
            opened: BTreeMap::new(),
            would_be: Vec::new(),
            fixed: VecDeque::new(),
        }
    }
}
