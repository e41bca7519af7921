//! The journal: what happened in each room, in order, for ever.
//!
//! Entries are appended and read; there is no way to change one. Appending says which entry it expects to come after,
//! and the head of the room is moved in the same statement that checks it. So of two processes that decided on the same
//! state one is told that it lost.

use std::collections::BTreeMap;

use super::Store;
use super::args::{Arg, args};
use super::db::{Row, Tx};
use super::error::{Result, StoreError, within};
use super::outbox::enqueue;
use super::types::{COMMIT_MAX_DELIVERIES, Commit, Committed, Entry, PersonId, RoomId, Said};
use super::{chain, grouped, rooms, secrets, snapshots};
use kernel::{Seq, chain::Hash};

/// Longest entry, in bytes, and longest form of what it was decided from: the tally of ten thousand proposals, whose
/// texts a game holds to a few megabytes together.
pub const ENTRY_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Longest text that caused an entry, in bytes: the largest attachment and the line it came with.
pub const SAID_MAX_BYTES: usize = 1024 * 1024 + 32 * 1024;

/// Most entries in one commit: catching up commits 64 instants at a time, and an import takes this many.
pub const COMMIT_MAX_ENTRIES: usize = 256;

/// Most secrets that one commit puts or deletes: as many as it has entries.
pub const COMMIT_MAX_SECRETS: usize = 256;

/// Most entries that are read at a time.
pub const PAGE_MAX_ENTRIES: u32 = 1000;

/// Entries are read until they come to this many bytes, so that a page of large ones fits in memory.
pub const PAGE_MAX_BYTES: usize = 8 * 1024 * 1024;

macro_rules! select_entry {
    ($rest:literal) => {
        concat!(
            "SELECT e.seq, e.at, e.recorded, e.origin, e.cause, e.actor, e.body, s.person, s.text, e.whole AND s.whole IS NOT FALSE AS whole ",
            "FROM entries e LEFT JOIN said s ON s.room = e.room AND s.seq = e.seq ",
            $rest
        )
    };
}

/// What a text is like that holds some words. What a database folds otherwise stands for any letters.
fn pattern(words: &str) -> String {
    let (mut pattern, mut is_open) = ("%".to_owned(), true);
    for char in words.chars() {
        if char.is_ascii() {
            pattern.extend(matches!(char, '%' | '_' | '\\').then_some('\\'));
            pattern.push(char);
        } else if !is_open {
            pattern.push('%');
        }
        is_open = !char.is_ascii();
    }
    pattern.extend((!is_open).then_some('%'));
    pattern
}

fn read(row: &Row) -> Result<Entry> {
    let person = row.int_or(7)?.map(PersonId);
    Ok(Entry {
        seq: row.seq(0)?,
        at: row.int(1)?,
        recorded: row.int(2)?,
        origin: row.text_or(3)?,
        cause: row.text(4)?,
        actor: row.text_or(5)?,
        json: row.text(6)?,
        said: row.text_or(8)?.map(|text| Said { person, text }),
    })
}

impl Store {
    /// The entry that a message made in a room, if it acted there.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn entry_of_origin(&self, room: RoomId, origin: &str) -> Result<Option<Seq>> {
        let sql = "SELECT seq, entries.whole FROM entries WHERE room = $1 AND origin = $2";
        self.db.read().await?.row(sql, args![room, origin]).await?.map(|row| row.seq(0)).transpose()
    }

    /// Appends to a room's journal and does all that belongs to it, as a whole or not at all. When it returns `Ok`, it
    /// is on the disk.
    ///
    /// # Errors
    /// An error means that nothing was written. [`StoreError::DuplicateOrigin`] when a message has acted before,
    /// [`StoreError::Conflict`] when the room has moved on, [`StoreError::NoSuchRoom`] when it is not open,
    /// [`StoreError::Full`], [`StoreError::Locked`]. Only when the disk itself fails, or when the caller drops this future
    /// before it ends, is it unknown what happened: then read [`Store::last_seq`]. Commits that wait at the same time go to
    /// the disk together.
    pub async fn commit(&self, room: RoomId, commit: Commit) -> Result<Committed> {
        let committed = grouped::commit(&self.commits, &self.db, room, commit).await;
        self.db.count(&committed);
        if let Ok(committed) = &committed {
            self.note(room, committed);
        }
        committed
    }

    /// Notes what was committed, for other processes and for whoever looks later whether it is still there.
    pub(super) fn note(&self, room: RoomId, Committed { last_seq, hash, .. }: &Committed) {
        if let Some(hash) = hash {
            self.acknowledged.note(room, Some((*last_seq, *hash)));
        }
        if self.has_news() {
            self.news.note(room, *last_seq);
        }
    }

    /// The number of a room's last entry; 0 before the first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRoom`] when there never was such a room.
    pub async fn last_seq(&self, room: RoomId) -> Result<Seq> {
        let row =
            self.db.read().await?.row("SELECT last_seq, heads.whole FROM heads WHERE room = $1", args![room]).await?;
        row.ok_or(StoreError::NoSuchRoom { room: room.0 })?.seq(0)
    }

    /// The origins in a room that begin with `line` and `#`: the commands of one line that acted, at most
    /// [`PAGE_MAX_ENTRIES`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn origins_of(&self, room: RoomId, line: &str) -> Result<Vec<String>> {
        let sql = "SELECT origin, entries.whole FROM entries WHERE room = $1 AND origin > $2 AND origin < $3 LIMIT $4";
        // What follows `#` in the order of bytes.
        let (from, to) = (format!("{line}#"), format!("{line}$"));
        let values = args![room, &from, &to, i64::from(PAGE_MAX_ENTRIES)];
        self.db.read().await?.rows(sql, values).await?.iter().map(|row| row.text(0)).collect()
    }

    /// One entry.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn entry(&self, room: RoomId, seq: Seq) -> Result<Option<Entry>> {
        let sql = select_entry!("WHERE e.room = $1 AND e.seq = $2");
        self.db.read().await?.row(sql, args![room, seq]).await?.as_ref().map(read).transpose()
    }

    /// Entries from `from_seq` on, oldest first. They are at most `limit`, at most [`PAGE_MAX_ENTRIES`], and no more
    /// than come to [`PAGE_MAX_BYTES`], but at least one where there is one. Only an empty page means that there are no
    /// more.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn entries(&self, room: RoomId, from_seq: Seq, limit: u32) -> Result<Vec<Entry>> {
        let sql = select_entry!("WHERE e.room = $1 AND e.seq >= $2 ORDER BY e.seq LIMIT $3");
        self.page(sql, room, from_seq, None, limit).await
    }

    /// Entries before `before`, newest first, in pages as of [`Store::entries`]; [`Seq::MAX`] starts at the newest.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn history(&self, room: RoomId, before: Seq, limit: u32) -> Result<Vec<Entry>> {
        let sql = select_entry!("WHERE e.room = $1 AND e.seq < $2 ORDER BY e.seq DESC LIMIT $3");
        self.page(sql, room, before, None, limit).await
    }

    /// Entries that are one actor's doing, before `before`, newest first, in pages as of [`Store::entries`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn entries_by_actor(&self, room: RoomId, actor: &str, before: Seq, limit: u32) -> Result<Vec<Entry>> {
        let sql =
            select_entry!("WHERE e.room = $1 AND e.seq < $2 AND e.actor = $4 ORDER BY e.actor, e.seq DESC LIMIT $3");
        self.page(sql, room, before, Some(actor), limit).await
    }

    /// Entries before `before` and not before `from` of which the text holds one of two things in any case, or what was
    /// typed the first, newest first, in pages as of [`Store::entries`]. Letters beyond ASCII are not told apart here:
    /// whoever asks looks again.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn holding(
        &self,
        room: RoomId,
        (one, other): (&str, Option<&str>),
        (from, before): (Seq, Seq),
        limit: u32,
    ) -> Result<Vec<Entry>> {
        let of_one = select_entry!(
            "WHERE e.room = $1 AND e.seq < $2 AND e.seq >= $4 AND (LOWER(e.body) LIKE LOWER($5) ESCAPE '\\' \
             OR LOWER(s.text) LIKE LOWER($5) ESCAPE '\\') ORDER BY e.seq DESC LIMIT $3"
        );
        let of_both = select_entry!(
            "WHERE e.room = $1 AND e.seq < $2 AND e.seq >= $4 AND (LOWER(e.body) LIKE LOWER($5) ESCAPE '\\' \
             OR LOWER(e.body) LIKE LOWER($6) ESCAPE '\\' OR LOWER(s.text) LIKE LOWER($5) ESCAPE '\\') ORDER BY e.seq DESC LIMIT $3"
        );
        let (one, other) = (pattern(one), other.map(pattern));
        let limit = i64::from(limit.min(PAGE_MAX_ENTRIES));
        match &other {
            None => self.read_page(of_one, args![room, before, limit, from, &one]).await,
            Some(other) => self.read_page(of_both, args![room, before, limit, from, &one, other]).await,
        }
    }

    /// What the entries from `first` to `last` were decided from, as far as it is kept.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn acts(&self, room: RoomId, first: Seq, last: Seq) -> Result<BTreeMap<Seq, String>> {
        let sql = "SELECT seq, act, acts.whole FROM acts WHERE room = $1 AND seq >= $2 AND seq <= $3";
        let rows = self.db.read().await?.rows(sql, args![room, first, last]).await?;
        rows.iter().map(|row| Ok((row.seq(0)?, row.text(1)?))).collect()
    }

    async fn page(
        &self,
        sql: &'static str,
        room: RoomId,
        bound: Seq,
        actor: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Entry>> {
        let limit = i64::from(limit.min(PAGE_MAX_ENTRIES));
        let all = args![room, bound, limit, actor];
        self.read_page(sql, if actor.is_some() { all } else { &all[..3] }).await
    }

    async fn read_page(&self, sql: &'static str, values: &[Arg<'_>]) -> Result<Vec<Entry>> {
        let mut page = Vec::new();
        let mut bytes = 0;
        let mut reader = self.db.read().await?;
        reader
            .rows_while(sql, values, |row| {
                let entry = read(&row)?;
                bytes += entry.json.len() + entry.said.as_ref().map_or(0, |said| said.text.len());
                page.push(entry);
                Ok(bytes < PAGE_MAX_BYTES)
            })
            .await?;
        Ok(page)
    }

    /// The last entry of the time before anything took effect after `instant`: what a display shows `as of` then. An
    /// entry that is recorded late with an earlier effect counts where it was appended. 0 before the first entry.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn seq_at(&self, room: RoomId, instant: i64) -> Result<Seq> {
        // The running maximum never falls, so halving finds the place; an index would cost every commit a page.
        let (mut low, mut high) = (0, self.last_seq(room).await?);
        let mut reader = self.db.read().await?;
        while low < high {
            let middle = high - (high - low) / 2;
            let sql = "SELECT clock, entries.whole FROM entries WHERE room = $1 AND seq = $2";
            let row = reader.row(sql, args![room, middle]).await?;
            let clock = row.ok_or_else(|| StoreError::corrupt("a journal has a gap"))?.int(0)?;
            if clock <= instant {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Ok(low)
    }
}

/// Does all that a commit says, in the transaction of the caller.
pub(super) async fn append(tx: &mut Tx, room: RoomId, commit: &Commit) -> Result<Committed> {
    check(commit)?;
    let last_seq = commit.expected_seq + commit.entries.len() as Seq;
    let (clock, hash) = advance(tx, room, commit, last_seq).await?;
    let (id, hash) = journal(tx, room, commit, clock, hash).await?;
    let left_out = enqueue(tx, room, id, &commit.outbox).await?;
    secrets::apply(tx, room, &commit.secrets).await?;
    if let Some(snapshot) = &commit.snapshot {
        snapshots::put(tx, room, snapshot, last_seq).await?;
    }
    if let Some(config) = &commit.config {
        rooms::configure(tx, room, config).await?;
    }
    if let Some(at) = commit.close {
        rooms::close(tx, room, at).await?;
    }
    Ok(Committed { last_seq, hash, left_out })
}

fn check(commit: &Commit) -> Result<()> {
    within("The list of entries in one commit", commit.entries.len(), COMMIT_MAX_ENTRIES)?;
    within("The list of announcements in one commit", commit.outbox.len(), COMMIT_MAX_DELIVERIES)?;
    within("The list of secrets in one commit", commit.secrets.len(), COMMIT_MAX_SECRETS)?;
    let mut seq = commit.expected_seq;
    for entry in &commit.entries {
        seq += 1;
        if entry.seq != seq {
            return Err(StoreError::other(format!("entry {} was handed in where {seq} comes next", entry.seq)));
        }
        within("An entry, in bytes,", entry.json.len(), ENTRY_MAX_BYTES)?;
        within("The text of an action, in bytes,", entry.said.as_ref().map_or(0, |s| s.text.len()), SAID_MAX_BYTES)?;
        within(
            "What an entry was decided from, in bytes,",
            entry.act.as_ref().map_or(0, String::len),
            ENTRY_MAX_BYTES,
        )?;
    }
    Ok(())
}

/// Moves the head of the journal if it is where the caller expects it, and gives the latest effective instant so far, and the
/// hash of the last entry, where it has one.
async fn advance(tx: &mut Tx, room: RoomId, commit: &Commit, last_seq: Seq) -> Result<(Option<i64>, Option<Hash>)> {
    let sql = "UPDATE heads SET last_seq = $3, next_due = $4 \
               WHERE room = $1 AND last_seq = $2 AND EXISTS (SELECT 1 FROM rooms WHERE id = $1 AND closed IS NULL AND (importing = 0 OR $5 = 0)) \
               RETURNING (SELECT clock FROM entries WHERE room = $1 AND seq = $2), \
               (SELECT hash FROM chain WHERE room = $1 AND seq = $2), \
               (SELECT e.whole AND c.whole FROM entries e JOIN chain c ON c.room = e.room AND c.seq = e.seq \
               WHERE e.room = $1 AND e.seq = $2) IS NOT FALSE AS whole";
    if let Some(row) =
        tx.row(sql, args![room, commit.expected_seq, last_seq, commit.next_due, commit.outbox.len() as i64]).await?
    {
        return Ok((row.int_or(0)?, chain::hash_or(&row, 1)?));
    }
    let sql = "SELECT h.last_seq, h.whole AND r.whole AS whole FROM heads h JOIN rooms r ON r.id = h.room WHERE h.room = $1 AND r.closed IS NULL";
    let head = tx.row(sql, args![room]).await?.ok_or(StoreError::NoSuchRoom { room: room.0 })?;
    let found = head.seq(0)?;
    if found == commit.expected_seq {
        return Err(StoreError::other("a room whose import is under way was to announce something"));
    }
    for origin in commit.entries.iter().filter_map(|entry| entry.origin.as_deref()) {
        // Whoever won the race may have been handed the same message.
        if let Some(seq) = seq_of(tx, room, origin).await? {
            return Err(StoreError::DuplicateOrigin { seq });
        }
    }
    Err(StoreError::Conflict { expected: commit.expected_seq, found })
}

async fn seq_of(tx: &mut Tx, room: RoomId, origin: &str) -> Result<Option<Seq>> {
    let sql = "SELECT seq, entries.whole FROM entries WHERE room = $1 AND origin = $2";
    tx.row(sql, args![room, origin]).await?.map(|row| row.seq(0)).transpose()
}

/// Writes the entries, and gives the number over all rooms of the last one, and its hash.
async fn journal(
    tx: &mut Tx,
    room: RoomId,
    commit: &Commit,
    mut clock: Option<i64>,
    last: Option<Hash>,
) -> Result<(Option<i64>, Option<Hash>)> {
    let mut id = None;
    let mut before = chain::going_on(commit.expected_seq, last);
    for entry in &commit.entries {
        let now = clock.map_or(entry.at, |clock| clock.max(entry.at));
        clock = Some(now);
        let sql = "INSERT INTO entries (room, seq, at, clock, recorded, origin, cause, actor, body) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                   ON CONFLICT (room, origin) WHERE origin IS NOT NULL DO NOTHING RETURNING id";
        let (origin, actor) = (entry.origin.as_deref(), entry.actor.as_deref());
        let values = args![room, entry.seq, entry.at, now, entry.recorded, origin, &entry.cause, actor, &entry.json];
        let Some(row) = tx.row(sql, values).await? else {
            let seq = seq_of(tx, room, origin.unwrap_or_default()).await?;
            let seq = seq.ok_or_else(|| StoreError::corrupt("an index tells of an entry that is not there"))?;
            return Err(StoreError::DuplicateOrigin { seq });
        };
        id = Some(row.int(0)?);
        if let Some(said) = &entry.said {
            let sql = "INSERT INTO said (room, seq, person, text, salt) VALUES ($1, $2, $3, $4, $5)";
            tx.execute(sql, args![room, entry.seq, said.person, &said.text, &entry.salts.said[..]]).await?;
        }
        if let Some(act) = &entry.act {
            let sql = "INSERT INTO acts (room, seq, act) VALUES ($1, $2, $3)";
            tx.execute(sql, args![room, entry.seq, act]).await?;
        }
        let said = entry.said.as_ref().map(|said| said.text.as_str());
        let made = chain::Made { seq: entry.seq, origin, body: &entry.json, said };
        before = Ok(chain::append(tx, room, &made, &entry.salts, &before?).await?);
    }
    Ok((id, id.and(before.ok())))
}
