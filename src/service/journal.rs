//! Reads the journal of a room: folds it into a state, or plays a part of it again.
//!
//! The room itself is left as it is, and goes on meanwhile. What is played again has a thread of its own.

use std::{collections::BTreeMap, sync::Arc};

use super::{deed::NotDone, fault::Fault};
use crate::games;
use kernel::{
    Id, Refusal, Seq,
    draft::Opened,
    engine::{REPLAY_MAX_ENTRIES, Recorded, Replay, Table, View},
};
use store::{RoomId, Secret, Store};

/// How many entries are read from the store at once.
pub(crate) const READ_PAGE_ENTRIES: u32 = 512;

/// The table of a stored room's game in its unopened state.
///
/// # Errors
///
/// A [`Fault`] where this program does not read the room.
pub(super) fn unopened_of(store: &Store, room: &store::Room) -> Result<Box<dyn Table>, Fault> {
    let what = format!("The room {} in {}", room.name, store.name());
    games::table_for(&room.game, &room.shape, &what).map_err(Fault::new)
}

/// The table of a room's game in its unopened state.
pub(super) fn unopened(view: &dyn View) -> Result<Box<dyn Table>, Fault> {
    games::table(view.game()).ok_or_else(|| Fault::new("the game of a room is known"))
}

/// Folds a room's journal, from the last usable snapshot, up to an entry or to its end.
pub(super) async fn read_table(
    store: &Store,
    room: RoomId,
    unopened: Box<dyn Table>,
    until: Option<Seq>,
) -> Result<Box<dyn Table>, Fault> {
    let mut table = unopened;
    let limit = until.unwrap_or(Seq::MAX);
    if let Some(snapshot) = store.snapshot(room, limit).await?
        && !table.restore(&snapshot.body)
    {
        table = table.fresh();
    }
    read_on(store, room, &mut *table, limit).await?;
    Ok(table)
}

/// Folds what a room's journal holds after the state of a table, up to an entry.
pub(super) async fn read_on(store: &Store, room: RoomId, table: &mut dyn Table, limit: Seq) -> Result<(), Fault> {
    loop {
        let page = store.entries(room, table.view().seq() + 1, READ_PAGE_ENTRIES).await?;
        if page.is_empty() {
            return Ok(());
        }
        for entry in page {
            if entry.seq > limit {
                return Ok(());
            }
            table.fold(&entry.json).map_err(|why| Fault::new(format!("journal of room {room}: {why}")))?;
        }
    }
}

/// Plays a room's entries again from one to another, and from an earlier one where that has to be.
pub(super) async fn play_again<T: ?Sized + Send + Sync + 'static>(
    store: &Store,
    room: RoomId,
    view: &dyn View,
    (seq, last): (Seq, Seq),
    play: impl Fn(&dyn Table, &[Recorded]) -> Result<Replay<T>, NotDone> + Send + Sync + 'static,
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

/// Something sealed, opened; nothing where it is not kept any more.
pub(super) async fn kept(store: &Store, room: RoomId, id: &Id) -> store::Result<Option<Opened>> {
    let secret = store.get_secret(room, id).await?;
    Ok(secret.map(|Secret { salt, bytes }| Opened { salt, bytes }))
}

/// The entries of a room from one to another, with what they were decided from.
pub(super) async fn read_past(store: &Store, room: RoomId, (from, last): (Seq, Seq)) -> Result<Vec<Recorded>, NotDone> {
    let mut past: Vec<Recorded> = Vec::new();
    let mut next = from;
    while next <= last {
        let page = store.entries(room, next, READ_PAGE_ENTRIES).await?;
        let Some(end) = page.last().map(|entry| entry.seq) else {
            return Err(NotDone::Broke(Fault::new(format!("entry {next} of room {room} is missing"))));
        };
        let mut acts = store.acts(room, next, end).await?;
        let page = page.into_iter().take_while(|entry| entry.seq <= last);
        for entry in page {
            let act = acts.remove(&entry.seq);
            let mut opened = BTreeMap::new();
            for id in act.as_deref().map(Recorded::opens).unwrap_or_default() {
                let secret = kept(store, room, &id).await?;
                opened.insert(id, secret);
            }
            past.push(Recorded { entry: entry.json, act, opened });
        }
        next = end + 1;
    }
    Ok(past)
}
