//! The store keeps what must outlive the program: journals, snapshots, announcements on their way, people, secrets.
//!
//! It knows no game and no network: an entry, a state and a document are texts to it. It reads no clock and draws no
//! randomness; instants, salts and codes come from the caller. Only this module names sqlx, only `sqlite` names
//! SQLite. What one cause does to a room is one [`Commit`], on the disk as a whole before anybody is told of it.
//!
//! ```text
//! rooms, journal, snapshots   a room's record, appended under the expected sequence number
//! outbox                      announcements, leased one at a time for each destination
//! people, moderation          persons, accounts, link codes; moderators, bans, ignored accounts
//! secrets, pairs              programs and seals; results of jousts, which can be played again
//! maintenance                 backup, restore, checks, imports
//! db, sqlite, migrate         connections, the one database there is, and its schema
//! ```

mod db;
mod error;
mod journal;
mod maintenance;
mod migrate;
mod moderation;
mod outbox;
mod pairs;
mod people;
mod rooms;
mod secrets;
mod snapshots;
mod sqlite;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

pub use error::{Result, StoreError};
pub use journal::{
    COMMIT_MAX_DELIVERIES, COMMIT_MAX_ENTRIES, COMMIT_MAX_SECRETS, ENTRY_MAX_BYTES, PAGE_MAX_BYTES, PAGE_MAX_ENTRIES,
    SAID_MAX_BYTES,
};
pub use moderation::{BAN_REASON_MAX_BYTES, Ban, Ignored, LISTED_MAX_COUNT, Moderator, Scope};
pub use outbox::{
    DOCUMENT_MAX_BYTES, QUEUE_MAX_DELIVERIES, QUEUES_LISTED_MAX_COUNT, Queue, REASON_MAX_BYTES,
    UNDELIVERABLE_KEPT_MAX_COUNT, Undeliverable,
};
pub use pairs::{PAIR_KEY_MAX_BYTES, PAIR_OUTCOMES_MAX_BYTES, PAIRS_AT_ONCE_MAX_COUNT, PAIRS_MAX_COUNT};
pub use people::{
    ACCOUNT_MAX_BYTES, ACCOUNTS_MAX_COUNT, LINK_MAX_TRIES, LINK_TRIES_WINDOW_MICROS, Linked, NAME_MAX_BYTES, Person,
};
pub use rooms::{CONFIG_MAX_BYTES, OPEN_ROOMS_MAX_COUNT};
pub use secrets::{SALT_MAX_BYTES, SECRET_MAX_BYTES, SECRETS_LISTED_MAX_COUNT};
pub use snapshots::{SNAPSHOT_MAX_BYTES, SNAPSHOTS_OLDER_MAX_COUNT, SNAPSHOTS_RECENT};
pub use types::{
    BUSY_TIMEOUT, Commit, Committed, DeliveryRow, Entry, Lease, NewDelivery, NewEntry, NewRoom, Options, PersonId,
    Room, RoomId, Said, Secret, SecretOp, Snapshot,
};

/// An open database. Cheap to clone; all clones share its connections.
#[derive(Clone)]
pub struct Store {
    db: Arc<db::Db>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.db.connector().name()).finish()
    }
}

impl Store {
    /// Opens the database at a path, creating it if it is not there and bringing its schema up to date. `:memory:`
    /// is a database that ends with its last handle; `sqlite:` before either is allowed.
    ///
    /// # Errors
    /// [`StoreError::Newer`] and [`StoreError::Foreign`] leave the file untouched.
    pub async fn open(address: &str, options: Options) -> Result<Self> {
        let connector = sqlite::Connector::parse(address, options)?;
        let name = connector.name();
        if let Some(mut visitor) = connector.visitor().await? {
            let seen = migrate::inspect(&mut visitor, &name).await;
            visitor.close().await?;
            seen.map_err(|error| not_ours(error, &name))?;
        }
        let writer = connector.writer().await?;
        let db = db::Db::new(connector, writer);
        migrate::migrate(db.write().await?, &name).await?;
        Ok(Self { db: Arc::new(db) })
    }

    /// A fresh database in memory, for rehearsals.
    ///
    /// # Errors
    /// [`StoreError::Other`] when there is no memory for it.
    pub async fn in_memory() -> Result<Self> {
        Self::open(":memory:", Options::default()).await
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

/// Says of a file that is no database at all whose it is not.
fn not_ours(error: StoreError, path: &str) -> StoreError {
    match error {
        StoreError::Corrupt { detail } if detail == sqlite::NOT_A_DATABASE => {
            StoreError::Foreign { path: path.to_owned() }
        }
        error => error,
    }
}
