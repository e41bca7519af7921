//! How rehearsals of proposals went that were played lately.
//!
//! A page that many look at plays its rehearsals once a minute, or as soon as something happened in the room.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use kernel::Seq;
use store::RoomId;

/// How many outcomes are kept: those of the ballots of a few rooms.
const KEPT_MAX_COUNT: usize = 64;

/// What a rehearsal was played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Of {
    /// The room.
    pub(super) room: RoomId,
    /// Its last entry.
    pub(super) seq: Seq,
    /// The minute in which it was played, since the beginning of 1970.
    pub(super) minute: i64,
    /// The proposal.
    pub(super) number: u64,
    /// The lines of it.
    pub(super) lines: String,
}

/// What was told of rehearsals, the latest last.
#[derive(Default)]
pub(super) struct Trials(Mutex<VecDeque<(Of, Vec<String>)>>);

impl Trials {
    /// What was told of one.
    pub(super) fn get(&self, of: &Of) -> Option<Vec<String>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == of).map(|(_, told)| told.clone())
    }

    /// Keeps it in the place of the one that was played longest ago.
    pub(super) fn keep(&self, of: Of, told: Vec<String>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX_COUNT {
            kept.pop_front();
        }
        kept.push_back((of, told));
    }
}
