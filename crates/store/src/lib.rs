//! The store keeps what must outlive the program: journals, snapshots, announcements on their way, people, secrets.
//!
//! It knows no game and no network: an entry, a state and a document are texts to it. It reads no clock and draws no
//! randomness; instants, salts and codes come from the caller. Only `sqlite` and `postgres` name their
//! databases and drivers. What one cause does to a room is one [`Commit`], on the disk as a whole before anybody is told of
//! it.
//!
//! ```text
//! rooms, journal, snapshots   a room's record, appended under the expected sequence number
//! grouped, waiting            commits of several rooms that go to the disk together
//! chain, check                hashes that prove a journal; what contradicts itself in a database
//! acknowledged                the last entry of each room that somebody was told of, in a second file
//! outbox                      announcements, leased one at a time for each destination
//! identity                    which database it is, so that no other one's announcements are taken for its own
//! inbox                       what could not be delivered to a person, until they read it
//! people, moderation          persons, accounts, link codes; moderators, bans, ignored accounts
//! secrets, pairs              programs and seals; results of jousts, which can be played again
//! threads                     the threads of networks in which topics go on
//! living                      messages that are edited as what they show goes on
//! claims                      which process does what only one does: a work, what falls due, a network
//! news                        what processes on a server tell each other of rooms
//! heartbeat                   when a process last saw that its clock stands right
//! maintenance                 backup, restore, checks, imports
//! transfer                    all that a database holds, taken to another one
//! address                     where a database is, without the password that may stand there
//! db, conn, args              one writer and some readers, a connection, the parameters of statements
//! sqlite, postgres            the two databases there are
//! schema                      the tables, the sums of their rows, and by what a database says that it has them
//! ```

mod acknowledged;
mod address;
mod args;
mod chain;
mod check;
mod claims;
mod conn;
mod db;
mod error;
mod file;
mod grouped;
mod heartbeat;
mod identity;
mod inbox;
mod journal;
mod living;
mod maintenance;
mod moderation;
mod news;
mod outbox;
mod pairs;
mod people;
mod postgres;
mod reminders;
mod rooms;
mod schema;
mod secrets;
mod snapshots;
mod sqlite;
mod tables;
#[cfg(test)]
mod tests;
mod threads;
mod transfer;
mod types;
mod waiting;

use std::sync::Arc;

pub use address::Address;
pub use chain::Link;
pub use claims::{CLAIM_NAME_MAX_BYTES, Claim, Term, claim_of};
pub use db::Counted;
pub use error::{Result, StoreError};
pub use identity::{IDENTITY_LEN_BYTES, Identity};
pub use inbox::{INBOX_AGE_MAX_DAYS, INBOX_ALL_MAX_COUNT, INBOX_MAX_COUNT, Kept};
pub use journal::{
    COMMIT_MAX_ENTRIES, COMMIT_MAX_SECRETS, ENTRY_MAX_BYTES, PAGE_MAX_BYTES, PAGE_MAX_ENTRIES, SAID_MAX_BYTES,
};
pub use living::{LIVING_MAX_COUNT, LIVING_NAME_MAX_BYTES, Living};
pub use moderation::{BAN_REASON_MAX_BYTES, Ban, Ignored, LISTED_MAX_COUNT, Moderator, Scope, Standing};
pub use outbox::{
    QUEUE_MAX_DELIVERIES, QUEUES_LISTED_MAX_COUNT, Queue, REASON_MAX_BYTES, UNDELIVERABLE_KEPT_MAX_COUNT, Undeliverable,
};
pub use pairs::{PAIR_KEY_MAX_BYTES, PAIR_OUTCOMES_MAX_BYTES, PAIRS_AT_ONCE_MAX_COUNT, PAIRS_MAX_COUNT};
pub use people::{
    ACCOUNT_MAX_BYTES, ACCOUNTS_MAX_COUNT, LINK_MAX_TRIES, LINK_TRIES_WINDOW_MICROS, Linked, NAME_MAX_BYTES, Person,
    Trace,
};
pub use postgres::Server;
pub use reminders::{Claimed, REMINDED_MAX_BYTES, REMINDED_MAX_COUNT, REMINDERS_MAX_COUNT, Reminder};
pub use rooms::{CONFIG_MAX_BYTES, OPEN_ROOMS_MAX_COUNT};
pub use secrets::{SALT_MAX_BYTES, SECRET_MAX_BYTES, SECRETS_LISTED_MAX_COUNT};
pub use snapshots::{SNAPSHOT_MAX_BYTES, SNAPSHOTS_OLDER_MAX_COUNT, SNAPSHOTS_RECENT};
pub use sqlite::row_sums;
pub use threads::{THREADS_KEPT_MAX_COUNT, TOPIC_MAX_BYTES};
pub use types::{
    BUSY_TIMEOUT, COMMIT_MAX_DELIVERIES, Commit, Committed, DOCUMENT_MAX_BYTES, DeliveryRow, Elsewhere, Entry, Lease,
    NewDelivery, NewEntry, NewRoom, Options, PersonId, Room, RoomId, Said, Salts, Sealer, Secret, SecretOp, Snapshot,
};

/// How often a database that looks damaged is looked at again before that is believed.
const VISITS_MAX_TRIES: u32 = 2;

/// An open database. Cheap to clone; all clones share its connections.
#[derive(Clone)]
pub struct Store {
    db: Arc<db::Db>,
    commits: waiting::Queue,
    news: news::News,
    acknowledged: Arc<acknowledged::Acknowledged>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.db.connector().name()).finish()
    }
}

impl Store {
    fn of(db: db::Db) -> Self {
        let acknowledged = Arc::new(acknowledged::Acknowledged::beside(db.connector().path()));
        Self { db: Arc::new(db), commits: waiting::Queue::default(), news: news::News::default(), acknowledged }
    }

    /// What an operator may count: commits and connections of this process.
    #[must_use]
    pub fn counted(&self) -> Counted {
        self.db.counted()
    }

    /// Opens the database at a path, creating it if it is not there. `:memory:` is a database that ends with its last
    /// handle; `sqlite:` before either is allowed.
    ///
    /// # Errors
    /// [`StoreError::OtherSchema`], [`StoreError::Foreign`] and [`StoreError::Encoding`] leave the database untouched.
    pub async fn open(address: &str, options: Options) -> Result<Self> {
        let connector = db::Connector::parse(address, options)?;
        if let Some(path) = connector.path() {
            file::sweep(path);
            if let Some(draft) = file::Draft::of(path)? {
                // Made elsewhere, so that whoever else opens the same new database finds a whole one or none.
                let made = Self::prepare(connector.elsewhere(draft.path()), false).await?;
                made.close().await?;
                acknowledged::Acknowledged::forget(path)?;
                draft.publish(path)?;
            }
        }
        let is_made = visit(&connector).await?;
        Self::prepare(connector, is_made).await
    }

    /// Opens a database to read it. Who may write to it and beside it has it opened as [`Store::open`] does; else nothing
    /// is written anywhere, and whatever would write fails.
    ///
    /// # Errors
    /// As [`Store::open`]; also where what a process has committed cannot be read without the right to write.
    pub async fn open_to_read(address: &str) -> Result<Self> {
        let connector = db::Connector::parse(address, Options::default())?;
        let Some(connector) = connector.only_to_read().await? else {
            return Self::open(address, Options::default()).await;
        };
        let name = connector.name();
        let mut conn = connector.reader().await.map_err(|error| not_ours(error, &name))?;
        match tables::inspect(&mut conn, &name).await {
            Ok(true) => Ok(Self::of(db::Db::new(connector, conn))),
            Ok(false) => Err(StoreError::Foreign { path: name }),
            Err(error) => Err(not_ours(error, &name)),
        }
    }

    /// Whether a database has its tables; not where it is blank, or is not there yet. Writes nothing.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn is_made(address: &str) -> Result<bool> {
        visit(&db::Connector::parse(address, Options::default())?).await
    }

    /// How the server of a database stands; nothing for a file. Writes nothing.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn server(address: &str) -> Result<Option<Server>> {
        let Some(mut visitor) = db::Connector::parse(address, Options::default())?.visitor().await? else {
            return Ok(None);
        };
        let server = visitor.server().await;
        visitor.close().await?;
        server
    }

    /// Whether this process may write to the database of a file, and beside it.
    #[must_use]
    pub fn may_write(path: &std::path::Path) -> bool {
        file::may_write(path)
    }

    /// Whether a process that delivers has the database of a file open.
    #[must_use]
    pub fn is_served(path: &std::path::Path) -> bool {
        file::is_served(path)
    }

    /// Opens a database, and makes its tables where it has none.
    async fn prepare(connector: db::Connector, is_made: bool) -> Result<Self> {
        let name = connector.name();
        let writer = connector.writer().await?;
        let db = db::Db::new(connector, writer);
        // Only where something is missing, so that opening does not wait for another process that writes.
        if !is_made {
            tables::make(db.write_schema().await?, &name).await?;
        }
        Ok(Self::of(db))
    }

    /// A fresh database in memory, for rehearsals.
    ///
    /// # Errors
    /// [`StoreError::Other`] when there is no memory for it.
    pub async fn in_memory() -> Result<Self> {
        Self::open(":memory:", Options::default()).await
    }

    /// What it is called in messages: without a password.
    #[must_use]
    pub fn name(&self) -> String {
        self.db.connector().name()
    }

    /// The file that holds it; `None` for a database in memory, or in Postgres.
    #[must_use]
    pub fn path(&self) -> Option<&std::path::Path> {
        self.db.connector().path()
    }

    /// Makes sure that something could be written now; nothing is. Opening alone does not: it only reads.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process does not let go of the database, [`StoreError::Other`] when the file
    /// may not be written.
    pub async fn check_writable(&self) -> Result<()> {
        self.db.write().await?.undo().await;
        Ok(())
    }

    /// Makes sure that the schema is still the one that the database was opened with. Whatever writes does the same by
    /// itself, in its transaction.
    ///
    /// # Errors
    /// [`StoreError::OtherSchema`].
    pub async fn check_schema(&self) -> Result<()> {
        self.db.check_schema().await
    }

    /// Waits until it is found that another program has changed the schema: nothing is written from then on, and the
    /// process has to end. Says so as an error.
    pub async fn outgrown(&self) -> StoreError {
        self.db.outgrown().await
    }

    /// Ends every wait for a server that does not answer: what waits is told that the connection broke, and whoever asks
    /// again gets another one. Nothing for a file.
    pub fn hang_up(&self) {
        if let db::Connector::Postgres(postgres) = self.db.connector() {
            postgres.hang_up();
        }
    }

    /// Finishes what is under way and closes the database; later calls on any clone fail. Dropping the store without
    /// this loses nothing.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn close(&self) -> Result<()> {
        self.db.close().await
    }
}

/// Whether a database has its tables. Refuses one of another schema or of something else, and writes nothing.
async fn visit(connector: &db::Connector) -> Result<bool> {
    let name = connector.name();
    let mut tries = 0..VISITS_MAX_TRIES;
    loop {
        let Some(mut visitor) = connector.visitor().await? else { return Ok(false) };
        let seen = tables::inspect(&mut visitor, &name).await;
        visitor.close().await?;
        match seen {
            // Another process may have begun to write while we looked, without a lock, at a file that was at rest.
            Err(StoreError::Corrupt { .. }) if tries.next().is_some() => {}
            seen => return seen.map_err(|error| not_ours(error, &name)),
        }
    }
}

/// Says of a file that is no database at all whose it is not.
fn not_ours(error: StoreError, path: &str) -> StoreError {
    match error {
        StoreError::Corrupt { detail } if detail == sqlite::NOT_A_DATABASE => {
            StoreError::Foreign { path: path.to_owned() }
        }
        error => error,
    }
}
