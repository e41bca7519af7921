//! Reminders: who asked for some, and what each was reminded of.
//!
//! What is about to be told is claimed first, so that of several processes one tells it. A claim whose holder is gone runs
//! out, and the next look tells it.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, within};
use super::types::RoomId;
use port::Account;

/// Most that is remembered of what one account was reminded of in one room; the oldest gives way.
pub const REMINDED_MAX_COUNT: i64 = 256;

/// Longest name of what somebody is reminded of, in bytes.
pub const REMINDED_MAX_BYTES: usize = 512;

/// Most reminders that are kept: with more, nobody asks for another one.
pub const REMINDERS_MAX_COUNT: i64 = 100_000;

/// That somebody wants to be reminded of what waits for them in a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reminder {
    /// In which room.
    pub room: RoomId,
    /// Who.
    pub account: Account,
    /// How long before the end of something, in seconds.
    pub before_seconds: i64,
    /// Whether they are called in the room's channel, and not told in private.
    pub aloud: bool,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// It is ours.
    Here,
    /// Somebody else is at it.
    Elsewhere,
    /// They were told.
    Told,
}

impl Store {
    /// Somebody is reminded so from now on, in the place of how they were. `false` where there is no room for more.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn set_reminder(&self, reminder: &Reminder) -> Result<bool> {
        let Reminder { room, account, before_seconds, aloud } = reminder;
        let mut tx = self.db.write_lazily().await?;
        let sql = "INSERT INTO reminders (room, service, account, before, aloud) \
                   SELECT $1, $2, $3, $4, $5 WHERE (SELECT COUNT(*) FROM reminders) < $6 \
                   ON CONFLICT (room, service, account) DO UPDATE SET before = $4, aloud = $5";
        let values =
            args![room.0, &account.service, &account.id, *before_seconds, i64::from(*aloud), REMINDERS_MAX_COUNT];
        let set = tx.execute(sql, values).await.map(|rows| rows > 0);
        tx.end_with(set).await
    }

    /// Somebody is not reminded any more, nor is it remembered of what they were. `false` where they were not before.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn drop_reminder(&self, room: RoomId, account: &Account) -> Result<bool> {
        let mut tx = self.db.write_lazily().await?;
        let dropped = drop_one(&mut tx, room, account).await;
        tx.end_with(dropped).await
    }

    /// All reminders, by room.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn reminders(&self) -> Result<Vec<Reminder>> {
        let sql = "SELECT room, service, account, before, aloud, reminders.whole FROM reminders ORDER BY room, service, account";
        let rows = self.db.read().await?.rows(sql, &[]).await?;
        let reminder = |row: &super::db::Row| {
            let account = Account { service: row.text(1)?, id: row.text(2)? };
            Ok(Reminder { room: RoomId(row.int(0)?), account, before_seconds: row.int(3)?, aloud: row.int(4)? != 0 })
        };
        rows.iter().map(reminder).collect()
    }

    /// Claims that somebody is reminded of something now, unless they were, or a claim is younger than `lapsed`.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] beyond [`REMINDED_MAX_BYTES`].
    pub async fn claim_reminder(
        &self,
        room: RoomId,
        account: &Account,
        what: &str,
        (now, lapsed): (i64, i64),
    ) -> Result<Claimed> {
        within("The name of what somebody is reminded of, in bytes,", what.len(), REMINDED_MAX_BYTES)?;
        let mut tx = self.db.write_lazily().await?;
        let claimed = claim(&mut tx, (room, account), what, (now, lapsed)).await;
        tx.end_with(claimed).await
    }

    /// Somebody was reminded of something; else, where nobody was told, the claim ends.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn end_reminder(&self, room: RoomId, account: &Account, what: &str, told: bool) -> Result<()> {
        let sql = match told {
            true => "UPDATE reminded SET told = 1 WHERE room = $1 AND service = $2 AND account = $3 AND what = $4",
            false => {
                "DELETE FROM reminded WHERE room = $1 AND service = $2 AND account = $3 AND what = $4 AND told = 0"
            }
        };
        let mut tx = self.db.write_lazily().await?;
        let ended = tx.execute(sql, args![room.0, &account.service, &account.id, what]).await.map(drop);
        tx.end_with(ended).await
    }
}

async fn claim(
    tx: &mut Tx,
    (room, account): (RoomId, &Account),
    what: &str,
    (now, lapsed): (i64, i64),
) -> Result<Claimed> {
    let sql = "INSERT INTO reminded (room, service, account, what, since, told) VALUES ($1, $2, $3, $4, $5, 0) \
               ON CONFLICT (room, service, account, what) DO UPDATE SET since = $5 WHERE reminded.told = 0 AND reminded.since < $6";
    let values = args![room.0, &account.service, &account.id, what, now, lapsed];
    if tx.execute(sql, values).await? == 0 {
        let sql =
            "SELECT told, reminded.whole FROM reminded WHERE room = $1 AND service = $2 AND account = $3 AND what = $4";
        let row = tx.row(sql, args![room.0, &account.service, &account.id, what]).await?;
        let told = row.map_or(Ok(0), |row| row.int(0))? != 0;
        return Ok(if told { Claimed::Told } else { Claimed::Elsewhere });
    }
    let sql = "DELETE FROM reminded WHERE room = $1 AND service = $2 AND account = $3 AND since < \
               (SELECT since FROM reminded WHERE room = $1 AND service = $2 AND account = $3 \
                ORDER BY since DESC LIMIT 1 OFFSET $4)";
    tx.execute(sql, args![room.0, &account.service, &account.id, REMINDED_MAX_COUNT]).await?;
    Ok(Claimed::Here)
}

async fn drop_one(tx: &mut Tx, room: RoomId, account: &Account) -> Result<bool> {
    let sql = "DELETE FROM reminded WHERE room = $1 AND service = $2 AND account = $3";
    tx.execute(sql, args![room.0, &account.service, &account.id]).await?;
    let sql = "DELETE FROM reminders WHERE room = $1 AND service = $2 AND account = $3";
    Ok(tx.execute(sql, args![room.0, &account.service, &account.id]).await? > 0)
}

/// Reminds an account of nothing any more, and forgets of what it was.
pub(super) async fn forget(tx: &mut Tx, account: &Account) -> Result<()> {
    for sql in [
        "DELETE FROM reminded WHERE service = $1 AND account = $2",
        "DELETE FROM reminders WHERE service = $1 AND account = $2",
    ] {
        tx.execute(sql, args![&account.service, &account.id]).await?;
    }
    Ok(())
}
