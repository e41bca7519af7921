//! How a room would be without an entry: its journal is played again, away from the room, on a thread of its own.
//!
//! The room goes on meanwhile. The caller that uses the outcome looks whether it did, and asks again. The engine says
//! which entries may be taken back.

use std::sync::Arc;

use tokio::runtime::Handle as Runtime;

use super::{
    arena::{Arena, Outcomes},
    deed::NotDone,
    fault::Fault,
    hub::{Handle, Hub},
    journal::{play_again, read_past, unopened},
};
use kernel::{
    Instant, Refusal, Seq,
    engine::{Context, Recorded, Replayed, Table},
    work::Bench,
};
use store::{RoomId, Store};

impl Hub {
    /// How a room would be without an entry. `earnest` draws what is drawn anew from the room's own seed; else the dice are
    /// thrown away, so that nobody sees them before they count.
    pub(super) async fn without(&self, handle: &Handle, seq: Seq, earnest: bool) -> Result<Arc<Replayed>, NotDone> {
        let _turn = self.inner.past.turn().await.map_err(NotDone::Broke)?;
        let (last, context) = {
            let room = handle.room.lock().await;
            (room.view().seq(), room.dice_context(earnest))
        };
        if seq == 0 || seq > last {
            return Err(Refusal::new(format!("there is no entry {seq} in this room")).instead("history").into());
        }
        let (arena, room, runtime) = (self.inner.arena.clone(), handle.id, Runtime::current());
        let (store, now) = (self.inner.store.clone(), self.inner.clock.now().as_microsecond());
        let play = move |table: &dyn Table, past: &[Recorded]| {
            let with = |bench: &Bench<'_>| table.replay(seq, past, &context, bench);
            let played = arena.at_bench(room, (store.clone(), now), runtime.clone(), with);
            Ok(played.map_err(NotDone::Broke)??)
        };
        play_again(&self.inner.store, handle.id, &*handle.view(), (seq, last), play).await
    }

    /// What comes out otherwise than it is recorded where a room's whole journal is played again, with nothing left
    /// out, and every joust of it. That is nothing, unless the program decides otherwise by now.
    ///
    /// # Errors
    ///
    /// [`NotDone`] where the journal cannot be read.
    pub async fn repeat(&self, handle: &Handle) -> Result<Vec<String>, NotDone> {
        let last = handle.room.lock().await.view().seq();
        let unopened = unopened(&*handle.view()).map_err(NotDone::Broke)?;
        repeat(&self.inner.store, handle.id, unopened, last).await
    }
}

/// What comes out otherwise than it is recorded where a journal is played again up to an entry, with every joust of it.
/// Nothing that is kept of jousts is believed.
pub(super) async fn repeat(
    store: &Store,
    room: RoomId,
    unopened: Box<dyn Table>,
    last: Seq,
) -> Result<Vec<String>, NotDone> {
    let past = read_past(store, room, (1, last)).await?;
    let arena = Arena::new(1, Outcomes::default());
    let runtime = Runtime::current();
    // Nothing of what has happened depends on when that is asked.
    let context = Context::bare(Instant::UNIX_EPOCH);
    let store = store.clone();
    let played = tokio::task::spawn_blocking(move || {
        arena.at_fresh_bench(room, &store, runtime, |bench| unopened.repeat(&past, &context, bench))
    });
    Ok(played.await.map_err(|why| NotDone::Broke(Fault::new(why.to_string())))?.map_err(NotDone::Broke)??)
}
