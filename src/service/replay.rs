//! How a room would be without an entry, or had something been otherwise: its journal is read and played again, away from
//! the room, on a thread of its own.
//!
//! The room goes on meanwhile. Whoever does something with the outcome looks whether it did, and asks again. What an entry
//! may be taken back is absent: the engine says that.

use std::sync::Arc;

use super::{
    fault::Fault,
    hub::{Handle, Hub},
    room::{NotDone, READ_PAGE_ENTRIES, read_table, unopened},
};
use kernel::{
    Refusal, Seq,
    engine::{REPLAY_MAX_ENTRIES, Recorded, Replay, Replayed, Table, View},
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
        let play = move |table: &dyn Table, past: &[Recorded]| table.replay(seq, past, &context);
        play_again(&self.inner.store, handle.id, &*handle.view(), (seq, last), play).await
    }

    /// What comes out otherwise than it is recorded where a room's whole journal is played again, with nothing left out:
    /// nothing, unless the program decides otherwise by now.
    ///
    /// # Errors
    ///
    /// [`NotDone`] where the journal cannot be read.
    pub async fn repeat(&self, handle: &Handle) -> Result<Vec<String>, NotDone> {
        let (last, context) = {
            let room = handle.room.lock().await;
            (room.view().seq(), room.dice_context(false))
        };
        let unopened = unopened(&*handle.view()).map_err(NotDone::Broke)?;
        let past = read_past(&self.inner.store, handle.id, (1, last)).await?;
        let played = tokio::task::spawn_blocking(move || unopened.repeat(&past, &context)).await;
        Ok(played.map_err(|why| NotDone::Broke(Fault::new(why.to_string())))??)
    }
}

/// Plays a room's entries again from one to another, and from an earlier one where that has to be.
pub(super) async fn play_again<T: ?Sized + Send + Sync + 'static>(
    store: &Store,
    room: RoomId,
    view: &dyn View,
    (seq, last): (Seq, Seq),
    play: impl Fn(&dyn Table, &[Recorded]) -> Result<Replay<T>, Refusal> + Send + Sync + 'static,
) -> Result<Arc<T>, NotDone> {
    let play = Arc::new(play);
    let mut from = seq;
    loop {
        let count = last - from + 1;
        if count > REPLAY_MAX_ENTRIES as Seq {
            let why = format!(
                "{count} entries would have to be played again for entry {seq}, and {REPLAY_MAX_ENTRIES} is the most"
            );
            return Err(Refusal::new(why).instead("correct PATH VALUE because REASON").into());
        }
        let unopened = unopened(view).map_err(NotDone::Broke)?;
        let table = read_table(store, room, unopened, Some(from - 1)).await.map_err(NotDone::Broke)?;
        let past = read_past(store, room, (from, last)).await?;
        let play = play.clone();
        let played = tokio::task::spawn_blocking(move || play(&*table, &past)).await;
        match played.map_err(|why| NotDone::Broke(Fault::new(why.to_string())))?? {
            Replay::From(earlier) => from = earlier,
            Replay::Done(done) => return Ok(done),
        }
    }
}

/// The entries of a room from one to another, with what they were decided from.
async fn read_past(store: &Store, room: RoomId, (from, last): (Seq, Seq)) -> Result<Vec<Recorded>, NotDone> {
    let mut past: Vec<Recorded> = Vec::new();
    let mut next = from;
    while next <= last {
        let page = store.entries(room, next, READ_PAGE_ENTRIES).await?;
        let Some(end) = page.last().map(|entry| entry.seq) else {
            return Err(NotDone::Broke(Fault::new(format!("entry {next} of room {room} is missing"))));
        };
        let mut acts = store.acts(room, next, end).await?;
        let page = page.into_iter().take_while(|entry| entry.seq <= last);
        past.extend(page.map(|entry| Recorded { act: acts.remove(&entry.seq), entry: entry.json }));
        next = end + 1;
    }
    Ok(past)
}
