//! Snapshots: states of a room to start from, so that loading it does not read its whole journal.
//!
//! They are a convenience. Any of them can be deleted, and the journal makes it again. The newest are all kept. Older
//! ones thin out, the further back the wider apart, so that `as of` a year ago replays a part of the journal only.

use super::Store;
use super::args::args;
use super::db::{Row, Tx};
use super::error::{Result, StoreError, within};
use super::types::{RoomId, Snapshot};
use kernel::Seq;

/// Longest state, in bytes: SQLite keeps a value in one piece up to a gigabyte, and a tenth of that is loaded quickly.
pub const SNAPSHOT_MAX_BYTES: usize = 100 * 1024 * 1024;

/// Newest snapshots of a room that are all kept: one may be written by a version of the program that is given up.
pub const SNAPSHOTS_RECENT: usize = 4;

/// Older snapshots of a room that are kept: enough for a factor of 2 between ages of a million entries, and some.
pub const SNAPSHOTS_OLDER_MAX_COUNT: usize = 28;

impl Store {
    /// The newest snapshot of a room at or before an entry that is not damaged; [`Seq::MAX`] for the newest of all.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn snapshot(&self, room: RoomId, at_most: Seq) -> Result<Option<Snapshot>> {
        let sql = "SELECT seq, body FROM snapshots \
                   WHERE room = $1 AND seq <= $2 AND snapshots.whole ORDER BY seq DESC LIMIT 1";
        let row = self.db.read().await?.row(sql, args![room, at_most]).await?;
        row.map(|row| Ok(Snapshot { seq: row.seq(0)?, body: row.bytes(1)? })).transpose()
    }

    /// The entries after which a room has snapshots, oldest first.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn snapshot_seqs(&self, room: RoomId) -> Result<Vec<Seq>> {
        let rows = self.db.read().await?.rows(SEQS, args![room]).await?;
        rows.iter().map(|row| row.seq(0)).collect()
    }
}

const SEQS: &str = "SELECT seq, snapshots.whole FROM snapshots WHERE room = $1 ORDER BY seq";

/// Keeps a snapshot of a journal that ends at `last_seq`, and thins out the older ones, in the transaction of the caller.
pub(super) async fn put(tx: &mut Tx, room: RoomId, snapshot: &Snapshot, last_seq: Seq) -> Result<()> {
    within("A snapshot, in bytes,", snapshot.body.len(), SNAPSHOT_MAX_BYTES)?;
    if snapshot.seq > last_seq {
        let say = format!("a snapshot of entry {} was handed in for a journal of {last_seq}", snapshot.seq);
        return Err(StoreError::other(say));
    }
    let sql = "INSERT INTO snapshots (room, seq, body) VALUES ($1, $2, $3) \
               ON CONFLICT (room, seq) DO UPDATE SET body = $3";
    tx.execute(sql, args![room, snapshot.seq, &snapshot.body[..]]).await?;
    let mut seqs: Vec<Seq> =
        tx.rows(SEQS, args![room]).await?.iter().map(|row: &Row| row.seq(0)).collect::<Result<_>>()?;
    while let Some(gone) = superfluous(&seqs) {
        let seq = seqs.remove(gone);
        tx.execute("DELETE FROM snapshots WHERE room = $1 AND seq = $2", args![room, seq]).await?;
    }
    Ok(())
}

/// Which of these snapshots, oldest first, is missed least: never the first, nor one of the newest. Of the others it is
/// the one that leaves the smallest gap for its age.
fn superfluous(seqs: &[Seq]) -> Option<usize> {
    if seqs.len() <= SNAPSHOTS_RECENT + SNAPSHOTS_OLDER_MAX_COUNT {
        return None;
    }
    let newest = *seqs.last()?;
    let older = seqs.len() - SNAPSHOTS_RECENT;
    (1..older).min_by(|&left, &right| {
        let gap = |place: usize| u128::from(seqs[place + 1] - seqs[place - 1]);
        let age = |place: usize| u128::from(newest - seqs[place]);
        (gap(left) * age(right)).cmp(&(gap(right) * age(left)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_thin_out_with_age_and_stay_bounded() {
        let mut seqs = Vec::new();
        for seq in (100..=1_000_000).step_by(100) {
            seqs.push(seq);
            while let Some(gone) = superfluous(&seqs) {
                seqs.remove(gone);
            }
            assert!(seqs.len() <= SNAPSHOTS_RECENT + SNAPSHOTS_OLDER_MAX_COUNT);
        }
        assert_eq!(seqs[0], 100, "the first snapshot is kept");
        let recent: Vec<Seq> = (0..SNAPSHOTS_RECENT as Seq).rev().map(|back| 1_000_000 - 100 * back).collect();
        assert!(seqs.ends_with(&recent), "the newest are kept: {seqs:?}");
        for pair in seqs.windows(2) {
            let age = 1_000_000 - pair[0];
            assert!(pair[1] - pair[0] <= age / 2 + 100, "a gap at {} of age {age}: {seqs:?}", pair[0]);
        }
    }
}
