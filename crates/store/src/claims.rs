//! Claims: which process plays the long work that a room waits for.
//!
//! Without them every process on a database plays every joust, and all but one of the results are thrown away. A claim
//! is a lease: the process that plays renews it, and that of a process that died runs out. It saves work and guards
//! nothing: a room takes in one result of a work, from whatever process.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, StoreError};
use super::types::RoomId;
use kernel::Seq;

/// How many leases ahead a claim may reach and still be believed: one beyond that was written by a clock that was set
/// back since.
const BELIEVED_MAX_COUNT: i64 = 2;

/// What came of asking for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The caller has it.
    Ours,
    /// Another process has it until this instant, unless it renews it.
    Theirs {
        /// When it runs out.
        until: i64,
    },
    /// The journal has gone on since the caller read it: the work may be done.
    Behind,
}

impl Store {
    /// Whether other processes can be on the same database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !self.db.is_ours_alone()
    }

    /// Claims the work of a room whose journal the caller has read up to `seen`, for `lease_for` microseconds from `now`.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRoom`].
    pub async fn claim(&self, room: RoomId, seen: Seq, holder: &str, now: i64, lease_for: i64) -> Result<Claim> {
        let mut tx = self.db.write_lazily().await?;
        let claimed = claim(&mut tx, room, seen, (holder, now, lease_for)).await;
        if !matches!(claimed, Ok(Claim::Ours)) {
            tx.undo().await;
            return claimed;
        }
        tx.end_with(claimed).await
    }

    /// Renews a claim. `false` when it ran out and somebody else has one.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn renew_claim(&self, room: RoomId, holder: &str, now: i64, lease_for: i64) -> Result<bool> {
        let mut tx = self.db.write_lazily().await?;
        let sql = "UPDATE claims SET until = $3 WHERE room = $1 AND holder = $2";
        let renewed = tx.execute(sql, args![room, holder, now.saturating_add(lease_for)]).await.map(|rows| rows > 0);
        tx.end_with(renewed).await
    }

    /// Gives a claim back, where it is still the caller's.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn end_claim(&self, room: RoomId, holder: &str) -> Result<()> {
        let mut tx = self.db.write_lazily().await?;
        let ended = tx.execute("DELETE FROM claims WHERE room = $1 AND holder = $2", args![room, holder]).await;
        tx.end_with(ended.map(drop)).await
    }
}

async fn claim(tx: &mut Tx, room: RoomId, seen: Seq, (holder, now, lease_for): (&str, i64, i64)) -> Result<Claim> {
    let row = tx.row("SELECT last_seq FROM heads WHERE room = $1", args![room]).await?;
    if row.ok_or(StoreError::NoSuchRoom { room: room.0 })?.seq(0)? > seen {
        return Ok(Claim::Behind);
    }
    let believed = now.saturating_add(lease_for.saturating_mul(BELIEVED_MAX_COUNT));
    let sql = "INSERT INTO claims (room, holder, until) VALUES ($1, $2, $3) \
               ON CONFLICT (room) DO UPDATE SET holder = excluded.holder, until = excluded.until \
               WHERE claims.holder = excluded.holder OR claims.until <= $4 OR claims.until > $5";
    if tx.execute(sql, args![room, holder, now.saturating_add(lease_for), now, believed]).await? > 0 {
        return Ok(Claim::Ours);
    }
    let row = tx.row("SELECT until FROM claims WHERE room = $1", args![room]).await?;
    row.map_or(Ok(Claim::Behind), |row| Ok(Claim::Theirs { until: row.int(0)? }))
}
