//! The arena plays long works, jousts above all, on threads of their own.
//!
//! A joust never blocks a room or the async runtime. A room asks for a work by its state, goes on, and takes the result
//! in as a deed of its own. Each room has one work at a time, and rooms queue in order, so that none starves another. A
//! room with a hundred works waits for each of them behind every other room that waits. A room that is closed gives its
//! place up, and all do when the process stops. A display that has to be played has a place of its own, because its
//! reader does not wait for minutes. The game plays the work.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::fault::Fault;
use kernel::{
    Id,
    engine::View,
    work::{Bench, Cache, Work},
};
use store::{RoomId, Store};

/// Most outcomes that are kept in memory; the store keeps more.
const CACHE_MAX_ENTRIES: usize = 10_000;

/// How far a work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Which work.
    pub(super) work: Id,
    /// How much of it is done.
    pub(super) done: usize,
    /// Of how much.
    pub(super) of: usize,
}

/// Outcomes of long work by key, in memory. Cheap to clone; all clones share what they hold.
#[derive(Clone, Default)]
pub struct Outcomes(Arc<Mutex<HashMap<String, Vec<u8>>>>);

/// An outcome says much about the programs that it is about: none reaches a log by way of `{:?}`.
impl std::fmt::Debug for Outcomes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Outcomes(..)")
    }
}

impl Cache for Outcomes {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &str, value: Vec<u8>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= CACHE_MAX_ENTRIES {
            held.clear();
        }
        held.insert(key.to_owned(), value);
    }
}

/// Looks that are played at once: each takes milliseconds.
const LOOKS_MAX_COUNT: usize = 2;

/// A room's work, waiting for a thread or on it.
struct Place {
    progress: Progress,
    /// Set when it is to stop.
    stop: Arc<AtomicBool>,
}

/// Threads for long works.
pub(super) struct Arena {
    seats: Arc<Semaphore>,
    looks: Arc<Semaphore>,
    running: Mutex<HashMap<RoomId, Place>>,
    count: watch::Sender<usize>,
    stop: AtomicBool,
    held: AtomicBool,
    memory: Outcomes,
}

impl Arena {
    /// An arena that plays so many works at once; at least one.
    pub(super) fn new(threads: usize, memory: Outcomes) -> Arc<Self> {
        Arc::new(Self {
            seats: Arc::new(Semaphore::new(threads.max(1))),
            looks: Arc::new(Semaphore::new(LOOKS_MAX_COUNT)),
            running: Mutex::default(),
            count: watch::Sender::new(0),
            stop: AtomicBool::new(false),
            held: AtomicBool::new(false),
            memory,
        })
    }

    /// Takes a room's place; `false` when it has one already, or the arena is stopping or takes nothing in for a while.
    pub(super) fn enter(&self, room: RoomId, work: &Id) -> bool {
        if !self.is_open() {
            return false;
        }
        let mut running = self.rooms();
        if running.contains_key(&room) {
            return false;
        }
        let progress = Progress { work: work.clone(), done: 0, of: 0 };
        running.insert(room, Place { progress, stop: Arc::default() });
        self.count.send_modify(|count| *count += 1);
        true
    }

    /// Whether it takes works in.
    pub(super) fn is_open(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && !self.held.load(Ordering::Relaxed)
    }

    /// Gives a room's place back.
    pub(super) fn leave(&self, room: RoomId) {
        self.rooms().remove(&room);
        self.count.send_modify(|count| *count = count.saturating_sub(1));
    }

    /// How far the work of a room is.
    pub(super) fn progress(&self, room: RoomId) -> Option<Progress> {
        self.rooms().get(&room).map(|place| place.progress.clone())
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<RoomId, Place>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many works are in it.
    pub(super) fn running(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until no work is in the arena.
    pub(super) async fn idle(&self) {
        // The sender lives as long as the arena does.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Takes no further work in for a while, or again.
    pub(super) fn hold(&self, on: bool) {
        self.held.store(on, Ordering::Relaxed);
    }

    /// Tells the work of a room to stop: nobody waits for it any more.
    pub(super) fn cancel(&self, room: RoomId) {
        if let Some(place) = self.rooms().get(&room) {
            place.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Tells all works to stop, and takes in no more.
    pub(super) fn stop(&self) {
        // First that no more come, so that none slips in behind those that are told.
        self.stop.store(true, Ordering::Relaxed);
        self.rooms().values().for_each(|place| place.stop.store(true, Ordering::Relaxed));
    }

    /// A thread for a work, in the order of asking.
    pub(super) async fn seat(&self) -> Result<OwnedSemaphorePermit, Fault> {
        self.seats.clone().acquire_owned().await.map_err(|_| Fault::new("the arena is closed"))
    }

    /// Plays the work of a room that has a place and a thread; nothing when it was told to stop.
    pub(super) async fn play(
        self: &Arc<Self>,
        room: RoomId,
        view: Arc<dyn View>,
        work: Work,
        (store, now): (Store, i64),
        seat: OwnedSemaphorePermit,
    ) -> Result<Option<serde_json::Value>, Fault> {
        let Some(stop) = self.rooms().get(&room).map(|place| place.stop.clone()) else { return Ok(None) };
        let arena = self.clone();
        let progress = move |done, of| {
            if let Some(Place { progress, .. }) = arena.rooms().get_mut(&room) {
                (progress.done, progress.of) = (done, of);
            }
        };
        self.run(room, view, work, (store, now), seat, stop, progress).await
    }

    /// Plays a short work for somebody who looks, outside a room's turn; nothing when the process stops.
    pub(super) async fn look(
        self: &Arc<Self>,
        room: RoomId,
        view: Arc<dyn View>,
        work: Work,
        store: Store,
        now: i64,
    ) -> Result<Option<serde_json::Value>, Fault> {
        let seat = self.looks.clone().acquire_owned().await.map_err(|_| Fault::new("the arena is closed"))?;
        let stop = Arc::new(AtomicBool::new(self.stop.load(Ordering::Relaxed)));
        // Whoever looked may have gone away meanwhile: then nobody needs the rest of it.
        let _gone = StopOnDrop(stop.clone());
        self.run(room, view, work, (store, now), seat, stop, |_, _| {}).await
    }

    /// Hands a bench for the works of a room to something that plays them one after another, on a thread that may wait
    /// for the runtime.
    ///
    /// # Errors
    /// A [`Fault`] where a sealed thing could not be read, or the process stops: what came of it says nothing then.
    pub(super) fn at_bench<T>(
        &self,
        room: RoomId,
        (store, now): (Store, i64),
        runtime: tokio::runtime::Handle,
        play: impl FnOnce(&Bench<'_>) -> T,
    ) -> Result<T, Fault> {
        let cache = Kept { arena: self, store: store.clone(), runtime: runtime.clone(), now };
        self.with(room, &store, &runtime, &cache, play)
    }

    /// The same with nothing known of what was played before: what the store keeps of that is not believed.
    pub(super) fn at_fresh_bench<T>(
        &self,
        room: RoomId,
        store: &Store,
        runtime: tokio::runtime::Handle,
        play: impl FnOnce(&Bench<'_>) -> T,
    ) -> Result<T, Fault> {
        self.with(room, store, &runtime, &self.memory, play)
    }

    fn with<T>(
        &self,
        room: RoomId,
        store: &Store,
        runtime: &tokio::runtime::Handle,
        cache: &dyn Cache,
        play: impl FnOnce(&Bench<'_>) -> T,
    ) -> Result<T, Fault> {
        let fault = Mutex::new(None);
        let open = |id: &str| match runtime.block_on(store.get_secret(room, id)) {
            Ok(secret) => secret.map(|secret| secret.bytes.into()),
            Err(error) => {
                *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(Fault::from(error));
                None
            }
        };
        let played = play(&Bench { open: &open, cache, stop: &self.stop, progress: &|_, _| {} });
        if self.stop.load(Ordering::Relaxed) {
            return Err(Fault::new("the process stops"));
        }
        fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(played), Err)
    }

    #[expect(clippy::too_many_arguments, reason = "what a work is played with, and where")]
    async fn run(
        self: &Arc<Self>,
        room: RoomId,
        view: Arc<dyn View>,
        work: Work,
        (store, now): (Store, i64),
        seat: OwnedSemaphorePermit,
        stop: Arc<AtomicBool>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<Option<serde_json::Value>, Fault> {
        let mut secrets: HashMap<String, Arc<[u8]>> = HashMap::new();
        for id in &work.secrets {
            if let Some(secret) = store.get_secret(room, id).await? {
                secrets.insert(id.to_string(), secret.bytes.into());
            }
        }
        if stop.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let arena = self.clone();
        let runtime = tokio::runtime::Handle::current();
        let played = tokio::task::spawn_blocking(move || {
            // Held as long as the thread is taken, whoever still waits for it.
            let _seat = seat;
            let cache = Kept { arena: &arena, store, runtime, now };
            let open = |id: &str| secrets.get(id).cloned();
            view.play(&work, &Bench { open: &open, cache: &cache, stop: &stop, progress: &progress })
        });
        played.await.map_err(|why| Fault::new(format!("a work broke: {why}")))
    }
}

/// Tells a work to stop when nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Outcomes in memory, and behind it in the store.
struct Kept<'a> {
    arena: &'a Arena,
    store: Store,
    runtime: tokio::runtime::Handle,
    now: i64,
}

impl Cache for Kept<'_> {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        if let Some(value) = self.arena.memory.get(key) {
            return Some(value);
        }
        // Works run on threads of the blocking pool, which may wait for the runtime.
        let kept = self.runtime.block_on(self.store.pairs(&[key.to_owned()], self.now));
        let kept = kept.inspect_err(|error| tracing::warn!(%error, "a kept outcome cannot be read"));
        kept.ok().and_then(|mut kept| kept.pop().flatten())
    }

    fn put(&self, key: &str, value: Vec<u8>) {
        self.arena.memory.put(key, value.clone());
        if let Err(error) = self.runtime.block_on(self.store.put_pairs(&[(key.to_owned(), value)], self.now)) {
            // The outcome can be played again: losing it costs time only.
            tracing::warn!(%error, "an outcome cannot be kept");
        }
    }
}

#[cfg(test)]
mod tests;
