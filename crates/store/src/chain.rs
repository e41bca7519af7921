//! The chain of each journal, beside it: a row an entry, written in the same transaction.
//!
//! What a hash is made of is the kernel's business. Salts come from the caller, here as everywhere. Journals from
//! before there were hashes get theirs at the first start. That proves nothing of what happened to them until then, so
//! it is kept which entries those are.

use sha2::{Digest as _, Sha256};

use super::Store;
use super::args::args;
use super::db::{Conn, Row, Tx};
use super::error::{Result, StoreError};
use super::types::{Commit, RoomId, Salts};
use kernel::{
    Seq,
    chain::{self, Hash, NOTHING_BEFORE},
};

/// How many entries are chained in one transaction where they were there before.
const OLD_AT_ONCE_MAX_COUNT: i64 = 512;

/// How many hashes are read at a time.
const LINKS_PAGE_MAX_COUNT: i64 = 1000;

/// The hashes of an entry, and what they are made with.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The entry.
    pub seq: Seq,
    /// The salt of its parts, and of what is stored of it.
    pub salt: Hash,
    /// The hash of what is stored of it.
    pub stored: Hash,
    /// The hash of what was typed, forgotten or not.
    pub said: Option<Hash>,
    /// The salt of that, until it is forgotten.
    pub said_salt: Option<Hash>,
    /// The hash of the entry.
    pub hash: Hash,
}

/// Salts are kept back with what they belong to.
impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("seq", &self.seq).field("hash", &hex::encode(self.hash)).finish_non_exhaustive()
    }
}

/// What is particular about the chain of a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Entries up to this one were there before they were chained; 0 where none was.
    pub older: Seq,
    /// When they were.
    pub chained: Option<i64>,
    /// Entries up to this one were written in another database; 0 where none was.
    pub elsewhere: Seq,
}

fn hash(row: &Row, column: usize) -> Result<Hash> {
    row.bytes(column)?.try_into().map_err(|_| StoreError::corrupt("a hash has not the length of one"))
}

pub(super) fn hash_or(row: &Row, column: usize) -> Result<Option<Hash>> {
    let wrong = |_| StoreError::corrupt("a hash has not the length of one");
    row.bytes_or(column)?.map(|bytes| bytes.try_into().map_err(wrong)).transpose()
}

impl Store {
    /// The hashes of a room's entries from `from` on, oldest first, in pages; only an empty one means that there are no
    /// more.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn links(&self, room: RoomId, from: Seq) -> Result<Vec<Link>> {
        let sql = "SELECT c.seq, c.salt, c.stored, c.said, s.salt, c.hash FROM chain c \
                   LEFT JOIN said s ON s.room = c.room AND s.seq = c.seq \
                   WHERE c.room = $1 AND c.seq >= $2 ORDER BY c.seq LIMIT $3";
        let rows = self.db.read().await?.rows(sql, args![room, from, LINKS_PAGE_MAX_COUNT]).await?;
        rows.iter()
            .map(|row| {
                Ok(Link {
                    seq: row.seq(0)?,
                    salt: hash(row, 1)?,
                    stored: hash(row, 2)?,
                    said: hash_or(row, 3)?,
                    said_salt: hash_or(row, 4)?,
                    hash: hash(row, 5)?,
                })
            })
            .collect()
    }

    /// The hash of an entry, where it is chained.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn hash_of(&self, room: RoomId, seq: Seq) -> Result<Option<Hash>> {
        let sql = "SELECT hash FROM chain WHERE room = $1 AND seq = $2";
        self.db.read().await?.row(sql, args![room, seq]).await?.map(|row| hash(&row, 0)).transpose()
    }

    /// What is particular about the chain of a room.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn origins(&self, room: RoomId) -> Result<Origins> {
        let sql = "SELECT older, chained, elsewhere FROM chains WHERE room = $1";
        let row = self.db.read().await?.row(sql, args![room]).await?;
        row.map_or(Ok(Origins::default()), |row| {
            Ok(Origins { older: row.seq(0)?, chained: row.int_or(1)?, elsewhere: row.seq(2)? })
        })
    }

    /// Chains what was there before there were hashes, in every room, and sums the states that are kept; how many
    /// entries that were. Afterwards there is nothing more to do, and asking costs nothing.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn chain_old(&self, at: i64, mut salts: impl FnMut() -> Salts + Send) -> Result<u64> {
        let mut count = 0;
        let sql = "SELECT room FROM chains WHERE chained IS NULL AND older > 0 ORDER BY room";
        let rooms = self.db.read().await?.rows(sql, &[]).await?;
        if rooms.is_empty() {
            return Ok(0);
        }
        // States first: which are not summed is found by reading them all, and only where a room is not chained.
        loop {
            let mut tx = self.db.write().await?;
            let summed = sum_one(&mut tx).await;
            if !tx.end_with(summed).await? {
                break;
            }
        }
        for room in rooms.iter().map(|row| row.int(0).map(RoomId)).collect::<Result<Vec<_>>>()? {
            loop {
                let mut tx = self.db.write().await?;
                let chained = chain_some(&mut tx, room, at, &mut salts).await;
                let done = tx.end_with(chained).await?;
                if done == 0 {
                    break;
                }
                count += done;
            }
        }
        Ok(count)
    }
}

/// Chains some entries of a room that are not; 0 when all are.
async fn chain_some(tx: &mut Tx, room: RoomId, at: i64, salts: &mut (impl FnMut() -> Salts + Send)) -> Result<u64> {
    let sql = "SELECT MAX(seq) FROM chain WHERE room = $1";
    let last =
        tx.row(sql, args![room]).await?.map_or(Ok(None), |row| row.int_or(0))?.map_or(0, |seq| seq.unsigned_abs());
    let mut before = last_hash(tx, room, last).await?;
    let sql = "SELECT e.seq, e.origin, e.body, s.text FROM entries e LEFT JOIN said s ON s.room = e.room AND s.seq = e.seq \
               WHERE e.room = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3";
    let rows = tx.rows(sql, args![room, last, OLD_AT_ONCE_MAX_COUNT]).await?;
    for row in &rows {
        let (origin, body, said) = (row.text_or(1)?, row.text(2)?, row.text_or(3)?);
        let made = Made { seq: row.seq(0)?, origin: origin.as_deref(), body: &body, said: said.as_deref() };
        let salts = salts();
        before = append(tx, room, &made, &salts, &before).await?;
        if said.is_some() {
            let sql = "UPDATE said SET salt = $3 WHERE room = $1 AND seq = $2";
            tx.execute(sql, args![room, made.seq, &salts.said[..]]).await?;
        }
    }
    if rows.is_empty() {
        // An older program may have written to the database after it was brought up to date.
        let sql = "UPDATE chains SET chained = $2, older = CASE WHEN older > $3 THEN older ELSE $3 END WHERE room = $1";
        tx.execute(sql, args![room, at, last]).await?;
    }
    Ok(rows.len() as u64)
}

/// Sums a state that was kept before there were sums; `false` when there is none.
async fn sum_one(tx: &mut Tx) -> Result<bool> {
    let row = tx.row("SELECT room, seq, body FROM snapshots WHERE sum IS NULL LIMIT 1", &[]).await?;
    let Some(row) = row else { return Ok(false) };
    let sql = "UPDATE snapshots SET sum = $3 WHERE room = $1 AND seq = $2";
    tx.execute(sql, args![row.int(0)?, row.int(1)?, &sum(&row.bytes(2)?)[..]]).await?;
    Ok(true)
}

/// What damage to a state is found by.
pub(super) fn sum(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// An entry on its way into the chain.
pub(super) struct Made<'a> {
    pub(super) seq: Seq,
    pub(super) origin: Option<&'a str>,
    pub(super) body: &'a str,
    pub(super) said: Option<&'a str>,
}

/// Whether a commit is in the journal: no other one has its first entry's salt.
pub(super) async fn has(conn: &mut Conn, room: RoomId, commit: &Commit) -> Result<bool> {
    let Some(first) = commit.entries.first() else { return Ok(false) };
    let sql = "SELECT salt FROM chain WHERE room = $1 AND seq = $2";
    let row = conn.row(sql, args![room, first.seq]).await?;
    row.map_or(Ok(false), |row| Ok(hash(&row, 0)? == first.salts.entry))
}

/// The hash that the entry after `seq` goes on from.
async fn last_hash(conn: &mut Conn, room: RoomId, seq: Seq) -> Result<Hash> {
    let row = conn.row("SELECT hash FROM chain WHERE room = $1 AND seq = $2", args![room, seq]).await?;
    going_on(seq, row.map(|row| hash(&row, 0)).transpose()?)
}

/// The hash that the entry after `seq` goes on from, which is the kept one.
pub(super) fn going_on(seq: Seq, kept: Option<Hash>) -> Result<Hash> {
    let kept = if seq == 0 { Some(NOTHING_BEFORE) } else { kept };
    kept.ok_or_else(|| StoreError::other(format!("entry {seq} is not chained yet: start the program again")))
}

/// Writes the hashes of an entry, and gives its own.
pub(super) async fn append(tx: &mut Tx, room: RoomId, made: &Made<'_>, salts: &Salts, before: &Hash) -> Result<Hash> {
    let typed = made.said.map(|text| chain::said(&salts.said, text));
    let (stored, said) = match &salts.elsewhere {
        None => (chain::stored(&salts.entry, made.origin, made.body), typed),
        Some(kept) if typed.is_none() || typed == kept.said => (kept.stored, kept.said),
        Some(_) => return Err(StoreError::other(format!("the words of entry {} are not those of its hash", made.seq))),
    };
    let hash =
        chain::link(before, &stored, said.as_ref(), &chain::leaves(&chain::key(&salts.entry), &chain::read(made.body)));
    let sql = "INSERT INTO chain (room, seq, salt, stored, said, hash) VALUES ($1, $2, $3, $4, $5, $6)";
    let said = said.as_ref().map(|said| &said[..]);
    tx.execute(sql, args![room, made.seq, &salts.entry[..], &stored[..], said, &hash[..]]).await?;
    if salts.elsewhere.is_some() {
        let sql = "INSERT INTO chains (room, older, chained, elsewhere) VALUES ($1, 0, NULL, $2) \
                   ON CONFLICT (room) DO UPDATE SET elsewhere = $2";
        tx.execute(sql, args![room, made.seq]).await?;
    }
    Ok(hash)
}
