//! What can go wrong in the store, in sentences for an operator.
//!
//! None of this is shown to players: the service turns it into an apology with an id. No variant carries a value that
//! was being stored, so an error can be logged without looking.

use kernel::Seq;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else appended to the journal first. Nothing was written; load what is new and decide again.
    #[error("The room's journal is at entry {found}, and {expected} was expected: another process appended first.")]
    Conflict {
        /// The last entry that the caller knew.
        expected: Seq,
        /// The last entry that there is.
        found: Seq,
    },
    /// The message that caused this has already acted in the room. Nothing was written.
    #[error("The message was delivered twice; it already acted as entry {seq}.")]
    DuplicateOrigin {
        /// The entry that it made the first time.
        seq: Seq,
    },
    /// There is no such room, or it is closed, or its import is not complete.
    #[error("There is no open room with the number {room}.")]
    NoSuchRoom {
        /// The number that was asked for.
        room: i64,
    },
    /// An open room has this name already.
    #[error("There is already an open room named {name}.")]
    NameTaken {
        /// The name as it was asked for.
        name: String,
    },
    /// There is nobody with this number, or they asked to be forgotten.
    #[error("There is no person with the number {person}.")]
    NoSuchPerson {
        /// The number that was asked for.
        person: i64,
    },
    /// Something is larger than its bound. Nothing was written.
    #[error("{what} has {len}, and the store takes at most {max}.")]
    TooLarge {
        /// What it is, with its unit: `An entry, in bytes,`.
        what: &'static str,
        /// How large it is.
        len: u64,
        /// The bound.
        max: u64,
    },
    /// The disk, or the share of it that the database may use, is full. Nothing was written.
    #[error("The disk or the database's share of it is full; nothing was written. Free some space, then go on.")]
    Full,
    /// Another process has kept the database locked for longer than the store waits. Nothing was written.
    #[error("The database is locked by {}, which has not let go in time; nothing was written.", process(*.by))]
    Locked {
        /// Which one, as the system numbers it, where that is known.
        by: Option<u32>,
    },
    /// Another version of the program has made this database. It was not touched.
    #[error(
        "{path} has the schema of another version of this program and was left as it is: run that version, or export its \
         rooms there and import them here."
    )]
    OtherSchema {
        /// Where it lies.
        path: String,
    },
    /// What was committed last cannot be read by who may not write.
    #[error(
        "What was committed last lies in {log} and cannot be read without the right to write beside the database. Do this \
         as the program's own user, or with a backup."
    )]
    Unfolded {
        /// The log that holds it.
        log: String,
    },
    /// The file is a database of some other program, or no database. It was not touched.
    #[error("{path} is not a Rulekeeper database; it was left as it is.")]
    Foreign {
        /// Where it lies.
        path: String,
    },
    /// The database cannot hold every text. It was not touched.
    #[error(
        "{path} keeps its texts in {encoding}, which cannot hold them all; it was left as it is. Make a database with \
         ENCODING 'UTF8' TEMPLATE template0."
    )]
    Encoding {
        /// Where it lies.
        path: String,
        /// The encoding that its server gives it.
        encoding: String,
    },
    /// The file exists already and would be overwritten.
    #[error("{path} exists already and was left as it is.")]
    Exists {
        /// Where it lies.
        path: String,
    },
    /// The database contradicts itself.
    #[error("The database is damaged: {detail}. Stop the program and restore a backup.")]
    Corrupt {
        /// What was found.
        detail: String,
    },
    /// The connection to the database broke, or there is none. What was under way may have been done.
    #[error("The connection to the database broke: {0}.")]
    Lost(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Anything else that the database or the disk reports.
    #[error("The database failed: {0}.")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What the store's functions return.
pub type Result<T> = std::result::Result<T, StoreError>;

impl StoreError {
    pub(super) fn corrupt(detail: impl Into<String>) -> Self {
        Self::Corrupt { detail: detail.into() }
    }

    /// That a row is read that is not as it was written.
    pub(super) fn damaged_row() -> Self {
        Self::corrupt("a row is not as it was written (“verify” says in which table)")
    }

    /// What the database or the disk said, without what is said of every error.
    pub(super) fn source_told(&self) -> String {
        match self {
            Self::Lost(source) | Self::Other(source) => source.to_string(),
            other => other.to_string(),
        }
    }

    /// The same for another commit that was to go to the disk in the same transaction.
    pub(super) fn of_all(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::Locked { by } => Self::Locked { by: *by },
            Self::OtherSchema { path } => Self::OtherSchema { path: path.clone() },
            Self::Corrupt { detail } => Self::Corrupt { detail: detail.clone() },
            other => Self::other(other.source_told()),
        }
    }

    pub(super) fn other(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(source.into())
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::other(error),
        }
    }
}

fn process(id: Option<u32>) -> String {
    id.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"))
}

/// Refuses what is larger than its bound.
pub(super) fn within(what: &'static str, len: usize, max: usize) -> Result<()> {
    if len <= max { Ok(()) } else { Err(StoreError::TooLarge { what, len: len as u64, max: max as u64 }) }
}
