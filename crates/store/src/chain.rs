//! The chain of each journal, beside it: a row an entry, written in the same transaction.
//!
//! What a hash is made of is the kernel's business. Salts come from the caller, here as everywhere.

use super::Store;
use super::args::args;
use super::db::{Conn, Row, Tx};
use super::error::{Result, StoreError};
use super::types::{Commit, RoomId, Salts};
use kernel::{
    Seq,
    chain::{self, Hash, NOTHING_BEFORE},
};

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
        let sql = "SELECT c.seq, c.salt, c.stored, c.said, s.salt, c.hash, c.whole AND s.whole IS NOT FALSE AS whole FROM chain c \
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

    /// The hash of an entry, where there is such an entry.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn hash_of(&self, room: RoomId, seq: Seq) -> Result<Option<Hash>> {
        let sql = "SELECT hash, chain.whole FROM chain WHERE room = $1 AND seq = $2";
        self.db.read().await?.row(sql, args![room, seq]).await?.map(|row| hash(&row, 0)).transpose()
    }

    /// The entry of a room up to which all were written in another database; 0 where none was.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn imported(&self, room: RoomId) -> Result<Seq> {
        let row =
            self.db.read().await?.row("SELECT last, imported.whole FROM imported WHERE room = $1", args![room]).await?;
        row.map_or(Ok(0), |row| row.seq(0))
    }
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
    let sql = "SELECT salt, chain.whole FROM chain WHERE room = $1 AND seq = $2";
    let row = conn.row(sql, args![room, first.seq]).await?;
    row.map_or(Ok(false), |row| Ok(hash(&row, 0)? == first.salts.entry))
}

/// The hash that the entry after `seq` goes on from, which is the kept one.
pub(super) fn going_on(seq: Seq, kept: Option<Hash>) -> Result<Hash> {
    let kept = if seq == 0 { Some(NOTHING_BEFORE) } else { kept };
    kept.ok_or_else(|| StoreError::corrupt(format!("the hash of entry {seq} is missing")))
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
        let sql = "INSERT INTO imported (room, last) VALUES ($1, $2) ON CONFLICT (room) DO UPDATE SET last = $2";
        tx.execute(sql, args![room, made.seq]).await?;
    }
    Ok(hash)
}
