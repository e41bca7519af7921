//! States of the past that were looked at lately.
//!
//! Reading a room as it was folds its journal anew, and anybody may ask for it on the web. So only a few are read at
//! once, and the last ones are kept.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::fault::Fault;
use kernel::{Seq, engine::View};
use store::RoomId;

/// How many states are kept: each may be a whole room in memory.
const KEPT_MAX_COUNT: usize = 16;

/// How many are read at once; others wait.
const READ_MAX_COUNT: usize = 2;

/// A state, and of which room after which entry.
type Kept = (RoomId, Seq, Arc<dyn View>);

/// States that were looked at, the latest last.
pub(super) struct Past {
    kept: Mutex<VecDeque<Kept>>,
    seats: Semaphore,
}

impl Default for Past {
    fn default() -> Self {
        Self { kept: Mutex::default(), seats: Semaphore::new(READ_MAX_COUNT) }
    }
}

impl Past {
    /// A state that was kept.
    pub(super) fn get(&self, room: RoomId, seq: Seq) -> Option<Arc<dyn View>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|(of, at, _)| (*of, *at) == (room, seq))?;
        let found = kept.remove(index)?;
        let view = found.2.clone();
        kept.push_back(found);
        Some(view)
    }

    /// Keeps a state in the place of the one that was looked at longest ago.
    pub(super) fn keep(&self, room: RoomId, seq: Seq, view: Arc<dyn View>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(of, at, _)| (*of, *at) != (room, seq));
        if kept.len() >= KEPT_MAX_COUNT {
            kept.pop_front();
        }
        kept.push_back((room, seq, view));
    }

    /// Waits for a turn to read one.
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Fault> {
        self.seats.acquire().await.map_err(|_| Fault::new("the turns to read states are never closed"))
    }
}
