//! What goes into the store and comes out of it.
//!
//! Instants are microseconds since 1970 UTC, and all of them come from the caller: the store reads no clock. Texts in
//! JSON are opaque here. No type that holds a secret shows it in its `Debug`.

use std::fmt;
use std::time::Duration;

use kernel::{Seq, chain::Hash};
use port::Destination;

/// Longest that the store waits for another process to let go of the database. Less than the 5 seconds in which the
/// program has to stop.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(3);

/// Longest that a transaction stands still before the server of Postgres ends it, and its locks with it.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(6);

/// Most announcements in one commit: a few for each of its entries. The numbers of announcements are made with it, so it
/// never becomes smaller.
pub const COMMIT_MAX_DELIVERIES: usize = 1024;

/// Longest document, in bytes: the text of a proposal and of the rules that it changes.
pub const DOCUMENT_MAX_BYTES: usize = 1024 * 1024;

/// How to open a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Longest wait for another process's lock.
    pub busy_timeout: Duration,
    /// Longest that a transaction that writes stands still in Postgres: its process is frozen, or cannot be reached.
    pub idle_timeout: Duration,
    /// Largest size of the database, in pages of 4096 bytes; `None` for as large as the disk allows.
    pub max_page_count: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { busy_timeout: BUSY_TIMEOUT, idle_timeout: IDLE_TIMEOUT, max_page_count: None }
    }
}

/// The number of a room. It is never used again, and never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct RoomId(pub i64);

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a person. It is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct PersonId(pub i64);

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A room that is about to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRoom {
    /// Its name as it is shown.
    pub name: String,
    /// Its name as names are compared; no two open rooms have the same.
    pub folded: String,
    /// The game it plays: `joust`.
    pub game: String,
    /// A digest of all that its journal and its states are written as, which the service makes and compares.
    pub shape: String,
    /// Settings of the service, in JSON.
    pub config: String,
    /// When it is opened.
    pub created: i64,
    /// Whether its journal is about to be imported. Such a room is not listed before [`super::Store::finish_import`]; its
    /// settings are marked until then.
    pub importing: bool,
}

/// A room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Its number.
    pub id: RoomId,
    /// Its name as it is shown.
    pub name: String,
    /// Its name as names are compared.
    pub folded: String,
    /// The game it plays.
    pub game: String,
    /// A digest of all that its journal and its states are written as.
    pub shape: String,
    /// Settings of the service, in JSON.
    pub config: String,
    /// When it was opened.
    pub created: i64,
    /// When it was closed.
    pub closed: Option<i64>,
    /// The number of its last entry; 0 before the first.
    pub last_seq: Seq,
    /// The earliest instant at which something is due.
    pub next_due: Option<i64>,
}

/// All that one cause does to a room: it happens as a whole or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// The room's last entry as the caller knows it.
    pub expected_seq: Seq,
    /// Entries to append, numbered from `expected_seq + 1`.
    pub entries: Vec<NewEntry>,
    /// Announcements, in the order in which they are to arrive.
    pub outbox: Vec<NewDelivery>,
    /// What becomes of secrets.
    pub secrets: Vec<SecretOp>,
    /// The state after some entry up to the last one.
    pub snapshot: Option<Snapshot>,
    /// The earliest instant at which something is due after this; `None` for nothing.
    pub next_due: Option<i64>,
    /// New settings for the room, where they change.
    pub config: Option<String>,
    /// Closes the room, at this instant.
    pub close: Option<i64>,
}

/// What a commit came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The room's last entry now.
    pub last_seq: Seq,
    /// The hash of that entry, where the commit has made it.
    pub hash: Option<Hash>,
    /// Announcements that gave way to newer ones because the queue of a destination is full. The newer ones say so.
    pub left_out: u32,
}

/// An entry that is about to be journalled.
#[derive(Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// Its number.
    pub seq: Seq,
    /// When it takes effect.
    pub at: i64,
    /// When it is recorded.
    pub recorded: i64,
    /// The message or interaction that caused it, unique in the room: it acts once.
    pub origin: Option<String>,
    /// What kind of cause it has: `action`, `due`.
    pub cause: String,
    /// Whose doing it is, as the service names seats.
    pub actor: Option<String>,
    /// The entry, in JSON, without what was typed and without secrets.
    pub json: String,
    /// What was typed, which can be forgotten.
    pub said: Option<Said>,
    /// What it was decided from, in JSON, which is forgotten with what was typed. It holds what is private and what is
    /// sealed.
    pub act: Option<String>,
    /// What its hashes are salted with.
    pub salts: Salts,
}

/// What was said in private never reaches a log by way of `{:?}`.
impl fmt::Debug for NewEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewEntry").field("seq", &self.seq).field("cause", &self.cause).finish_non_exhaustive()
    }
}

/// What the hashes of an entry are salted with: random, and kept back as long as what they belong to is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Salts {
    /// Of its parts, and of what is stored of it.
    pub entry: Hash,
    /// Of what was typed; it goes when that is forgotten.
    pub said: Hash,
    /// What was hashed in the database that the entry comes from, where that is another one.
    pub elsewhere: Option<Elsewhere>,
}

/// Hashes of an entry in the database that it comes from, which cannot be made again here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Of what was stored there.
    pub stored: Hash,
    /// Of what was typed, which may be forgotten.
    pub said: Option<Hash>,
}

/// A salt never reaches a log by way of `{:?}`.
impl fmt::Debug for Salts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salts").finish_non_exhaustive()
    }
}

/// What somebody typed to cause an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Who; `None` when nobody known.
    pub person: Option<PersonId>,
    /// The text as it was sent.
    pub text: String,
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub seq: Seq,
    /// When it took effect.
    pub at: i64,
    /// When it was recorded.
    pub recorded: i64,
    /// The message or interaction that caused it.
    pub origin: Option<String>,
    /// What kind of cause it had.
    pub cause: String,
    /// Whose doing it was.
    pub actor: Option<String>,
    /// The entry, in JSON.
    pub json: String,
    /// What was typed; `None` when nothing was, or when it was forgotten.
    pub said: Option<Said>,
}

/// A state of a room, to start from.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The entry after which the room was in this state.
    pub seq: Seq,
    /// The state.
    pub body: Vec<u8>,
}

/// A state is long, and says nothing that its length does not.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("seq", &self.seq).field("len_bytes", &self.body.len()).finish()
    }
}

/// What becomes of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretOp {
    /// It is kept, in place of one of the same name.
    Put {
        /// Its name in the room.
        id: String,
        /// The secret.
        secret: Secret,
        /// Who sealed it.
        sealer: Sealer,
    },
    /// It is deleted.
    Delete {
        /// Its name in the room.
        id: String,
    },
}

/// Who sealed a secret: nobody in particular where it came about by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sealer {
    /// The person.
    pub person: Option<PersonId>,
    /// The seat under which they did, as the service names seats.
    pub seat: Option<String>,
}

/// A secret and the salt of the hash that stands for it in the journal.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// What the hash is salted with.
    pub salt: Vec<u8>,
    /// The secret itself.
    pub bytes: Vec<u8>,
}

/// Neither the secret nor its salt ever reaches a log by way of `{:?}`.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("len_bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// An announcement that is about to be queued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// Where it goes.
    pub to: Destination,
    /// The entry that it announces.
    pub seq: Seq,
    /// When that took effect.
    pub at: i64,
    /// What to show, in JSON.
    pub document: String,
}

/// An announcement in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// Its number: larger is later.
    pub id: i64,
    /// Where it goes.
    pub to: Destination,
    /// The room it comes from.
    pub room: RoomId,
    /// The entry that it announces.
    pub seq: Seq,
    /// When that took effect.
    pub at: i64,
    /// What to show, in JSON.
    pub document: String,
    /// Announcements just before this one that were left out because the queue was full; whoever shows it says so.
    pub left_out: u32,
    /// How often it was tried before.
    pub attempts: u32,
    /// When it was written.
    pub queued: Option<i64>,
    /// The message that acted; nothing where what it tells happened by itself.
    pub origin: Option<String>,
}

impl DeliveryRow {
    /// The lease under which it was handed out.
    #[must_use]
    pub fn lease(&self) -> Lease {
        Lease { id: self.id, attempt: self.attempts + 1 }
    }
}

/// The right to try one announcement once. After it has run out somebody else may hold another, and this one then
/// changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The number of the announcement.
    pub id: i64,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
}
