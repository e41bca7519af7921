//! Claims: which process does what only one process on a database does at a time.
//!
//! A claim is a lease by name: the process that has it renews it, and that of a process that died, or stands still, runs
//! out. Another one has it then. Such are the work that a room waits for, what falls due, and each network. It saves work
//! and guards nothing. A room takes in one result of a work, and one entry under each number, from whatever process; an
//! announcement has a lease of its own.
//!
//! Instants are those of the database ([`Store::now`]), which is one clock for all processes.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, StoreError};
use super::types::RoomId;
use kernel::Seq;

/// How many leases ahead a claim may reach and still be believed: one beyond that was written by a clock that was set
/// back since.
const BELIEVED_MAX_COUNT: i64 = 2;

/// For how long it is counted how many processes had a claim in turn: a day, in microseconds.
const TURNS_WINDOW_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// Longest name of a claim, and of what it is about, in bytes: that of a network, or of a work.
pub const CLAIM_NAME_MAX_BYTES: usize = 256;

/// What came of asking for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The caller has it.
    Ours {
        /// How many processes had it in turn within a day, with the caller, none of which gave it back: 1 where the
        /// caller is the first.
        turns: u64,
    },
    /// Another process has it until this instant, unless it renews it.
    Theirs {
        /// When it runs out.
        until: i64,
    },
    /// The journal has gone on since the caller read it: the work may be done.
    Behind,
}

/// For how long somebody claims something.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// Which process it is.
    pub holder: &'a str,
    /// The moment, by the database's clock.
    pub now: i64,
    /// How long it counts, in microseconds.
    pub lease_for: i64,
}

impl Term<'_> {
    fn until(&self) -> i64 {
        self.now.saturating_add(self.lease_for)
    }
}

impl Store {
    /// Whether other processes can be on the same database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !self.db.is_ours_alone()
    }

    /// The moment by the clock of the machine on which the database is.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn now(&self) -> Result<i64> {
        let mut reader = self.db.read().await?;
        let sql = reader.now();
        let row = reader.row(sql, &[]).await?;
        row.ok_or_else(|| StoreError::other("the database does not say what time it is"))?.int(0)
    }

    /// Claims something by its name.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn claim(&self, name: &str, term: Term<'_>) -> Result<Claim> {
        let mut tx = self.db.write_lazily_beside().await?;
        let claimed = claim(&mut tx, name, "", term).await;
        ended(tx, claimed).await
    }

    /// Until when another process than this one has claimed something; nothing where none has.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn claimed(&self, name: &str, holder: &str) -> Result<Option<i64>> {
        let sql = "SELECT until, claims.whole FROM claims WHERE name = $1 AND holder <> $2";
        self.db.read().await?.row(sql, args![name, holder]).await?.map(|row| row.int(0)).transpose()
    }

    /// Claims the work of a room whose journal the caller has read up to `seen`.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRoom`].
    pub async fn claim_work(&self, (room, seen): (RoomId, Seq), work: &str, term: Term<'_>) -> Result<Claim> {
        let mut tx = self.db.write_lazily_beside().await?;
        let claimed = claim_work(&mut tx, (room, seen), work, term).await;
        ended(tx, claimed).await
    }

    /// Renews a claim, and says how far what it is about is: so much is done, of so much. `false` when it ran out and
    /// somebody else has one.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn renew_claim(&self, name: &str, term: Term<'_>, (done, total): (usize, usize)) -> Result<bool> {
        let mut tx = self.db.write_lazily_beside().await?;
        let sql = "UPDATE claims SET until = $3, done = $4, total = $5 WHERE name = $1 AND holder = $2";
        let values = args![name, term.holder, term.until(), done as i64, total as i64];
        let renewed = tx.execute(sql, values).await.map(|rows| rows > 0);
        tx.end_with(renewed).await
    }

    /// The work of a room that somebody has claimed, and how far it was when that was last said, where it was.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn claimed_work(&self, room: RoomId) -> Result<Option<(String, usize, usize)>> {
        let sql = "SELECT what, done, total, claims.whole FROM claims WHERE name = $1 AND total > 0";
        let row = self.db.read().await?.row(sql, args![&claim_of(room)]).await?;
        row.map(|row| Ok((row.text(0)?, row.small(1)? as usize, row.small(2)? as usize))).transpose()
    }

    /// Gives a claim back, where it is still the caller's.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn end_claim(&self, name: &str, holder: &str) -> Result<()> {
        let mut tx = self.db.write_lazily_beside().await?;
        let ended = tx.execute("DELETE FROM claims WHERE name = $1 AND holder = $2", args![name, holder]).await;
        tx.end_with(ended.map(drop)).await
    }
}

/// The name of the claim on what a room waits for.
#[must_use]
pub fn claim_of(room: RoomId) -> String {
    format!("work/{room}")
}

async fn ended(tx: Tx, claimed: Result<Claim>) -> Result<Claim> {
    if !matches!(claimed, Ok(Claim::Ours { .. })) {
        tx.undo().await;
        return claimed;
    }
    tx.end_with(claimed).await
}

async fn claim_work(tx: &mut Tx, (room, seen): (RoomId, Seq), work: &str, term: Term<'_>) -> Result<Claim> {
    let row = tx.row("SELECT last_seq, heads.whole FROM heads WHERE room = $1", args![room]).await?;
    if row.ok_or(StoreError::NoSuchRoom { room: room.0 })?.seq(0)? > seen {
        return Ok(Claim::Behind);
    }
    claim(tx, &claim_of(room), work, term).await
}

async fn claim(tx: &mut Tx, name: &str, what: &str, term: Term<'_>) -> Result<Claim> {
    if name.len().max(what.len()) > CLAIM_NAME_MAX_BYTES {
        return Err(StoreError::other(format!("what is claimed has a name of more than {CLAIM_NAME_MAX_BYTES} bytes")));
    }
    let believed = term.now.saturating_add(term.lease_for.saturating_mul(BELIEVED_MAX_COUNT));
    let counted = term.now.saturating_sub(TURNS_WINDOW_MICROS);
    let sql = "INSERT INTO claims (name, what, holder, until, turns, since, done, total) VALUES ($1, $2, $3, $4, 1, $5, 0, 0) \
               ON CONFLICT (name) DO UPDATE SET what = excluded.what, holder = excluded.holder, until = excluded.until, \
               turns = CASE WHEN claims.what <> excluded.what OR claims.since <= $6 THEN 1 \
                            WHEN claims.holder = excluded.holder THEN claims.turns ELSE claims.turns + 1 END, \
               since = CASE WHEN claims.what <> excluded.what OR claims.since <= $6 THEN excluded.since \
                            ELSE claims.since END, done = 0, total = 0 \
               WHERE claims.holder = excluded.holder OR claims.until <= $5 OR claims.until > $7 \
               RETURNING turns";
    let Term { holder, now, .. } = term;
    if let Some(row) = tx.row(sql, args![name, what, holder, term.until(), now, counted, believed]).await? {
        return Ok(Claim::Ours { turns: u64::try_from(row.int(0)?).unwrap_or(1) });
    }
    let row = tx.row("SELECT until, claims.whole FROM claims WHERE name = $1", args![name]).await?;
    row.map_or(Ok(Claim::Behind), |row| Ok(Claim::Theirs { until: row.int(0)? }))
}
