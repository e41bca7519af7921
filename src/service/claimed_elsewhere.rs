//! The works that other processes play.
//!
//! A room has one at most, and it is forgotten when the claim that it was noted by has run out.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use kernel::{Id, Instant};
use store::RoomId;

/// Works that other processes play, by room, with the instants at which their claims run out.
#[derive(Default)]
pub(super) struct Elsewhere {
    waiting: Mutex<HashMap<RoomId, (Id, Instant)>>,
}

impl Elsewhere {
    /// Takes note that a room's work is played elsewhere, until an instant.
    pub(super) fn wait(&self, room: RoomId, work: Id, until: Instant) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(room, (work, until));
    }

    /// Takes that note back, unless the room waits for another work by now.
    pub(super) fn end_wait(&self, room: RoomId, noted: (Id, Instant)) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.get(&room).is_some_and(|waits| *waits == noted) {
            waiting.remove(&room);
        }
    }

    /// Until when somebody else has the work that a room waits for, where somebody has.
    pub(super) fn until(&self, room: RoomId) -> Option<Instant> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).get(&room).map(|(_, until)| *until)
    }

    pub(super) fn plays(&self, room: RoomId, work: &Id) -> bool {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).get(&room).is_some_and(|(id, _)| id == work)
    }

    /// How many works are played elsewhere.
    pub(super) fn count(&self) -> usize {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
