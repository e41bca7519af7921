//! Commits that wait for the writer at the same time go to the disk together, in one transaction.
//!
//! A sync of the disk is most of what a commit costs, and it is the same for ten rooms as for one. Who waits is served in
//! order. Each commit is a part of its own within the transaction: one that is refused leaves the others as they are. None
//! is told that it stands before all of them do.

use std::sync::Arc;

use super::chain;
use super::conn::Manner;
use super::db::{Db, Tx};
use super::error::{Result, StoreError};
use super::journal::append;
use super::types::{Commit, Committed, RoomId};
use super::waiting::{Queue, Waiting};
use kernel::Seq;

/// Begins a part of a transaction, ends it, and takes it back.
const BEGIN_PART: &str = "SAVEPOINT part";
const END_PART: &str = "RELEASE SAVEPOINT part";
const UNDO_PART: &str = "ROLLBACK TO SAVEPOINT part";

/// Appends to a room's journal, together with whoever waits as well. It goes on where the caller goes away.
pub(super) async fn commit(queue: &Queue, db: &Arc<Db>, room: RoomId, commit: Commit) -> Result<Committed> {
    let told = queue.wait(room, commit);
    let (queue, db) = (queue.clone(), Arc::clone(db));
    // One for each commit, and each takes at least one along as long as there are any: so none is forgotten.
    tokio::spawn(async move { take_some_along(&queue, &db).await });
    told.await.unwrap_or_else(|_| Err(StoreError::other("the end of a commit was not told")))
}

/// Commits some of those that wait, and says how many those were.
pub(super) async fn take_some_along(queue: &Queue, db: &Db) -> usize {
    let mut group = Vec::new();
    // Who goes along is settled once it is their turn: until then others come to wait as well.
    let begun = db.write_if(|| {
        group = queue.take(db.connector().group());
        // Others look at what a room is set to and whether it is open, without waiting for its head.
        let alone = group.iter().any(|each| each.commit.config.is_some() || each.commit.close.is_some());
        (!group.is_empty()).then_some(Manner { durable: true, alone, checked: true })
    });
    let begun = begun.await;
    let count = group.len();
    match begun {
        Ok(None) => {}
        Ok(Some(tx)) if count == 1 => alone(db, tx, group).await,
        Ok(Some(tx)) => together(tx, group).await,
        // It may have come to nobody's turn.
        Err(error) if count == 0 => none_stands(queue.take(1), error),
        Err(error) => none_stands(group, error),
    }
    count
}

/// One commit in a transaction of its own.
async fn alone(db: &Db, mut tx: Tx, group: Vec<Waiting>) {
    let Some(only) = group.into_iter().next() else { return };
    let appended = append(&mut tx, only.room, &only.commit).await;
    let outcome = match tx.end_with(appended).await {
        Err(StoreError::Lost(why)) => {
            tracing::warn!(%why, "the connection broke during a commit; it is looked whether that stands");
            unless_it_stands(db, only.room, &only.commit).await
        }
        outcome => outcome,
    };
    only.told(outcome);
}

/// The same again where a connection broke, unless it was done all the same. Alone: so it is over by now.
async fn unless_it_stands(db: &Db, room: RoomId, commit: &Commit) -> Result<Committed> {
    let mut tx = db.write().await?;
    match chain::has(&mut tx, room, commit).await {
        Ok(true) => {
            tx.undo().await;
            let last_seq = commit.expected_seq + commit.entries.len() as Seq;
            Ok(Committed { last_seq, hash: None, left_out: 0 })
        }
        Ok(false) => {
            let appended = append(&mut tx, room, commit).await;
            tx.end_with(appended).await
        }
        Err(error) => tx.end_with(Err(error)).await,
    }
}

async fn together(mut tx: Tx, group: Vec<Waiting>) {
    let mut outcomes = Vec::new();
    for each in &group {
        match part(&mut tx, each).await {
            Ok(outcome) => outcomes.push(outcome),
            Err(error) => {
                tx.undo().await;
                return none_stands(group, error);
            }
        }
    }
    match tx.commit().await {
        Ok(()) => group.into_iter().zip(outcomes).for_each(|(each, outcome)| each.told(outcome)),
        Err(error) => none_stands(group, error),
    }
}

/// One commit as a part of the transaction. The error is of the transaction: none of its parts stands then.
async fn part(tx: &mut Tx, each: &Waiting) -> Result<Result<Committed>> {
    tx.execute(BEGIN_PART, &[]).await?;
    let appended = append(tx, each.room, &each.commit).await;
    // A full disk has the database end the whole transaction: then this fails, and what it was about is the cause.
    if let Err(refused) = appended {
        return match tx.execute(UNDO_PART, &[]).await {
            Ok(_) => tx.execute(END_PART, &[]).await.map(|_| Err(refused)),
            Err(_) => Err(refused),
        };
    }
    tx.execute(END_PART, &[]).await?;
    Ok(appended)
}

fn none_stands(group: Vec<Waiting>, error: StoreError) {
    for each in group {
        each.told(Err(error.of_all()));
    }
}
