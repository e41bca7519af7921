//! The inbox: what could not be delivered to a person, with its text, until that person has read it.
//!
//! Channels have their history, so what a channel did not get is no loss; what was for one person alone is nowhere else. It
//! is kept by account, because an account proves who may read it, whatever becomes of the person behind it. Who has got the
//! same on another account needs no second copy.

use super::Store;
use super::args::args;
use super::db::{Conn, Row, Tx};
use super::error::{Result, within};
use super::types::{COMMIT_MAX_DELIVERIES, DOCUMENT_MAX_BYTES, RoomId};
use kernel::Seq;
use port::Account;

/// Most that is kept for one account; the oldest gives way.
pub const INBOX_MAX_COUNT: i64 = 100;

/// Most that is kept for all accounts together; the oldest gives way.
pub const INBOX_ALL_MAX_COUNT: i64 = 20_000;

/// How long something is kept, in days. Whoever has not come by then does not play any more.
pub const INBOX_AGE_MAX_DAYS: i64 = 90;

/// A day, in microseconds.
const DAY_MICROS: i64 = 24 * 3_600_000_000;

/// Something that waits for its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number: larger is later.
    pub id: i64,
    /// The room that it comes from; 0 for none.
    pub room: RoomId,
    /// The entry that it tells of; 0 for none.
    pub seq: Seq,
    /// When it was given up.
    pub kept: i64,
    /// What to show, in JSON.
    pub document: String,
}

fn read(row: &Row) -> Result<Kept> {
    Ok(Kept { id: row.int(0)?, room: RoomId(row.int(1)?), seq: row.seq(2)?, kept: row.int(3)?, document: row.text(4)? })
}

impl Store {
    /// What waits for any of these accounts, the oldest first; with `again`, what was shown before too. Nobody but their
    /// owner may see it.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn inbox(&self, accounts: &[Account], again: bool) -> Result<Vec<Kept>> {
        let mut conn = self.db.read().await?;
        let mut found = Vec::new();
        for account in accounts {
            let sql = "SELECT id, room, seq, kept, document, inbox.whole FROM inbox \
                       WHERE service = $1 AND account = $2 AND read <= $3 ORDER BY id LIMIT $4";
            let values = args![&account.service, &account.id, i64::from(again), INBOX_MAX_COUNT];
            for row in conn.rows(sql, values).await? {
                found.push(read(&row)?);
            }
        }
        found.sort_unstable_by_key(|kept| kept.id);
        // Two accounts of one person may both have missed the same.
        let mut once: Vec<Kept> = Vec::new();
        for kept in found {
            let same =
                |other: &Kept| (other.room, other.seq) == (kept.room, kept.seq) && other.document == kept.document;
            if kept.seq == 0 || !once.iter().any(same) {
                once.push(kept);
            }
        }
        Ok(once)
    }

    /// Takes note that whoever has these accounts has been shown this, with its doubles.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn mark_read(&self, accounts: &[Account], ids: &[i64]) -> Result<()> {
        let mut tx = self.db.write_lazily().await?;
        let marked = mark(&mut tx, accounts, ids).await;
        tx.end_with(marked).await
    }

    /// Whether something waits for whoever has an account, on it or on another of theirs, of which nobody has told them.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn has_untold(&self, account: &Account) -> Result<bool> {
        let sql = "SELECT inbox.whole FROM inbox WHERE told = 0 AND service = $1 AND account = $2 \
                   UNION ALL SELECT own.whole AND a.whole AND i.whole AS whole FROM accounts own JOIN accounts a ON a.person = own.person \
                   JOIN inbox i ON i.service = a.service AND i.account = a.id AND i.told = 0 \
                   WHERE own.service = $1 AND own.id = $2 LIMIT 1";
        Ok(self.db.read().await?.row(sql, args![&account.service, &account.id]).await?.is_some())
    }

    /// Takes note that whoever has an account was told that something waits.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn mark_told(&self, account: &Account) -> Result<()> {
        let mut tx = self.db.write_lazily().await?;
        let sql = "UPDATE inbox SET told = 1 WHERE told = 0 AND ((service = $1 AND account = $2) OR (service, account) IN \
                   (SELECT a.service, a.id FROM accounts own JOIN accounts a ON a.person = own.person \
                   WHERE own.service = $1 AND own.id = $2))";
        let told = tx.execute(sql, args![&account.service, &account.id]).await.map(drop);
        tx.end_with(told).await
    }

    /// Keeps something for an account that it could not be told in another way.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] for a document that is too long.
    pub async fn keep_for(&self, account: &Account, document: &str, now: i64) -> Result<()> {
        within("A document, in bytes,", document.len(), DOCUMENT_MAX_BYTES)?;
        let mut tx = self.db.write().await?;
        let kept = put(&mut tx, account, (RoomId(0), 0), document, now).await;
        tx.end_with(kept).await
    }
}

async fn mark(tx: &mut Tx, accounts: &[Account], ids: &[i64]) -> Result<()> {
    for &id in ids {
        for account in accounts {
            let sql = "UPDATE inbox SET told = 1, read = 1 WHERE service = $2 AND account = $3 AND (id = $1 OR seq <> 0 \
                       AND (room, seq, document) = (SELECT room, seq, document FROM inbox WHERE id = $1))";
            tx.execute(sql, args![id, &account.service, &account.id]).await?;
        }
    }
    Ok(())
}

/// Puts something into the inbox of an account, and takes out what is too old or too much.
async fn put(tx: &mut Tx, account: &Account, (room, seq): (RoomId, Seq), document: &str, now: i64) -> Result<()> {
    let sql = "INSERT INTO inbox (service, account, room, seq, kept, told, read, document) \
               VALUES ($1, $2, $3, $4, $5, 0, 0, $6)";
    tx.execute(sql, args![&account.service, &account.id, room, seq, now, document]).await?;
    tx.execute("DELETE FROM inbox WHERE kept < $1", args![now.saturating_sub(INBOX_AGE_MAX_DAYS * DAY_MICROS)]).await?;
    let sql = "DELETE FROM inbox WHERE service = $1 AND account = $2 AND id <= \
               (SELECT id FROM inbox WHERE service = $1 AND account = $2 ORDER BY id DESC LIMIT 1 OFFSET $3)";
    tx.execute(sql, args![&account.service, &account.id, INBOX_MAX_COUNT]).await?;
    let sql = "DELETE FROM inbox WHERE id <= (SELECT id FROM inbox ORDER BY id DESC LIMIT 1 OFFSET $1)";
    tx.execute(sql, args![INBOX_ALL_MAX_COUNT]).await.map(drop)
}

/// Keeps an announcement of the outbox that is given up, where it was for a person who did not get it elsewhere.
pub(super) async fn keep_given_up(tx: &mut Tx, id: i64, now: i64) -> Result<()> {
    let sql = "SELECT d.service, d.address, o.room, o.seq, o.document, o.whole AND d.whole AS whole FROM outbox o \
               JOIN destinations d ON d.id = o.destination \
               WHERE o.id = $1 AND d.kind = 'person' AND o.elsewhere = 0";
    let Some(row) = tx.row(sql, args![id]).await? else { return Ok(()) };
    let account = Account { service: row.text(0)?, id: row.text(1)? };
    put(tx, &account, (RoomId(row.int(2)?), row.seq(3)?), &row.text(4)?, now).await
}

/// An announcement of the outbox for a person who has several accounts, each of which may have got the same.
pub(super) struct Doubled {
    person: i64,
    room: i64,
    seq: i64,
    document: String,
}

/// Whether an announcement is such a one.
pub(super) async fn doubled(tx: &mut Tx, id: i64) -> Result<Option<Doubled>> {
    let sql = "SELECT a.person, o.room, o.seq, o.document, o.whole AND d.whole AND a.whole AS whole FROM outbox o JOIN destinations d ON d.id = o.destination \
               JOIN accounts a ON a.service = d.service AND a.id = d.address \
               WHERE o.id = $1 AND d.kind = 'person' \
               AND (SELECT COUNT(*) FROM accounts b WHERE b.person = a.person) > 1";
    let row = tx.row(sql, args![id]).await?;
    row.map(|row| Ok(Doubled { person: row.int(0)?, room: row.int(1)?, seq: row.int(2)?, document: row.text(3)? }))
        .transpose()
}

/// Takes note that a person has got an announcement of the outbox. The same on another of their accounts, waiting or
/// given up, is not kept for them any more.
pub(super) async fn note_delivered(tx: &mut Tx, id: i64) -> Result<()> {
    let Some(Doubled { person, room, seq, document }) = doubled(tx, id).await? else { return Ok(()) };
    // All that one commit announces has numbers of the same thousand.
    let first = id - id % COMMIT_MAX_DELIVERIES as i64;
    let sql = "UPDATE outbox SET elsewhere = 1 WHERE id >= $1 AND id < $2 AND id <> $3 AND document = $4 \
               AND destination IN (SELECT d.id FROM destinations d \
               JOIN accounts a ON a.service = d.service AND a.id = d.address WHERE d.kind = 'person' AND a.person = $5)";
    tx.execute(sql, args![first, first + COMMIT_MAX_DELIVERIES as i64, id, &document, person]).await?;
    let sql = "DELETE FROM inbox WHERE room = $2 AND seq = $3 AND document = $4 AND (service, account) IN \
               (SELECT service, id FROM accounts WHERE person = $1)";
    tx.execute(sql, args![person, room, seq, &document]).await.map(drop)
}

/// Takes out what is kept for an account.
pub(super) async fn empty(conn: &mut Conn, account: &Account) -> Result<()> {
    let sql = "DELETE FROM inbox WHERE service = $1 AND account = $2";
    conn.execute(sql, args![&account.service, &account.id]).await.map(drop)
}
