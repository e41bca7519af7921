//! The commits that wait for the writer, in the order in which they came.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use super::error::Result;
use super::types::{Commit, Committed, RoomId};

/// A commit that waits for its turn.
pub(super) struct Waiting {
    pub(super) room: RoomId,
    pub(super) commit: Commit,
    tell: oneshot::Sender<Result<Committed>>,
}

impl Waiting {
    /// Says what came of it. Whoever went away is told nothing.
    pub(super) fn told(self, outcome: Result<Committed>) {
        let _ = self.tell.send(outcome);
    }
}

/// Those that wait.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Mutex<VecDeque<Waiting>>>);

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a commit behind those that wait; what comes of it is told there.
    pub(super) fn wait(&self, room: RoomId, commit: Commit) -> oneshot::Receiver<Result<Committed>> {
        let (tell, told) = oneshot::channel();
        self.waiting().push_back(Waiting { room, commit, tell });
        told
    }

    /// Takes the first ones, so many at most.
    pub(super) fn take(&self, most: usize) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        let count = waiting.len().min(most);
        waiting.drain(..count).collect()
    }
}
