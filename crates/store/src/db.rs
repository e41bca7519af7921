//! What the store asks of a database: those who write, some who read, transactions.
//!
//! The files beside this one hold SQL text that fits SQLite and Postgres alike and name no database. The two are arms of
//! a connection (`conn`). There is no trait and no generic code: both would say the same with more words.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::conn::Manner;
pub(super) use super::conn::{Conn, Connector, Row};
use super::error::{Result, StoreError};
use super::tables;

/// Most connections that read side by side: displays and completion are short, and every connection is a thread.
const READERS_MAX_COUNT: usize = 4;

/// One database, open.
pub(super) struct Db {
    connector: Connector,
    writers: Arc<Writers>,
    /// Idle connections that read. Held for a push or a pop, never across an await.
    readers: Mutex<Vec<Conn>>,
    reading: Arc<Semaphore>,
    /// Whether everything is read at one moment, in the one transaction that the writer's connection is in.
    still: bool,
    /// What holds the lock of a process that delivers; the lock ends with it, however the process does.
    presence: Mutex<Option<Presence>>,
    /// Whether another program has changed the schema.
    outgrown: watch::Sender<bool>,
    /// What became of commits of rooms.
    commits: Commits,
}

/// How often a room's commit was written, and how often it was not because the room had moved on.
#[derive(Default)]
struct Commits {
    written: AtomicU64,
    conflicts: AtomicU64,
}

/// What an operator may count of a database, since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Commits of rooms that were written.
    pub commits: u64,
    /// Commits of rooms that were not, because another process had appended to the room first.
    pub conflicts: u64,
    /// Connections that are open and in use.
    pub busy: usize,
    /// Connections that are open and wait.
    pub idle: usize,
}

/// What holds the lock of a process that delivers: nobody looks into it.
pub(super) enum Presence {
    /// A locked file.
    File(#[expect(dead_code, reason = "the lock is the file's")] std::fs::File),
    /// A connection that has the lock.
    Conn(Box<super::postgres::Conn>),
}

/// The connections that write: one for a file, some in Postgres. Everything that writes queues here, first come first
/// served. These are turns of our own rather than a pool. A pool's timers misfire when a test pauses the clock. Its
/// transactions cannot be told that the database has rolled back by itself, as it does on a full disk.
struct Writers {
    turns: Arc<Semaphore>,
    /// Those that wait; held for a push or a pop, never across an await.
    idle: Mutex<Vec<Writer>>,
}

pub(super) struct Writer {
    conn: Conn,
    /// Whether a transaction may have been left open by a caller that went away.
    dirty: bool,
}

impl Db {
    pub(super) fn new(connector: Connector, writer: Conn) -> Self {
        let writers = Writers { turns: Arc::new(Semaphore::new(connector.writers())), idle: Mutex::default() };
        writers.idle().push(Writer::new(writer));
        Self {
            connector,
            writers: Arc::new(writers),
            readers: Mutex::new(Vec::new()),
            reading: Arc::new(Semaphore::new(READERS_MAX_COUNT)),
            still: false,
            presence: Mutex::default(),
            outgrown: watch::Sender::new(false),
            commits: Commits::default(),
        }
    }

    /// Takes note of what became of a room's commit.
    pub(super) fn count<T>(&self, committed: &Result<T>) {
        match committed {
            Ok(_) => self.commits.written.fetch_add(1, Relaxed),
            Err(StoreError::Conflict { .. }) => self.commits.conflicts.fetch_add(1, Relaxed),
            Err(_) => return,
        };
    }

    /// The counts now.
    pub(super) fn counted(&self) -> Counted {
        let writing = self.connector.writers().saturating_sub(self.writers.turns.available_permits());
        let reading = READERS_MAX_COUNT.saturating_sub(self.reading.available_permits());
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).len() + self.writers.idle().len();
        Counted {
            commits: self.commits.written.load(Relaxed),
            conflicts: self.commits.conflicts.load(Relaxed),
            busy: writing + reading,
            idle,
        }
    }

    /// A database as it is at one moment, by a connection that only reads.
    pub(super) async fn still(connector: Connector, mut conn: Conn) -> Result<Self> {
        conn.begin_reading().await?;
        let db = Self::new(connector, conn);
        // Another connection would see another moment.
        db.writers.turns.forget_permits(db.writers.turns.available_permits() - 1);
        Ok(Self { still: true, ..db })
    }

    /// Whether there is no second connection to the same.
    pub(super) fn is_alone(&self) -> bool {
        self.still || self.is_ours_alone()
    }

    /// Whether no other process can reach it, and none can change its schema: one in memory.
    pub(super) fn is_ours_alone(&self) -> bool {
        self.connector.in_memory()
    }

    /// Keeps the lock of a process that delivers until the database is closed.
    pub(super) fn keep_presence(&self, presence: Presence) {
        *self.presence.lock().unwrap_or_else(PoisonError::into_inner) = Some(presence);
    }

    /// What holds that lock, where something does.
    pub(super) fn take_presence(&self) -> Option<Presence> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The way to open another connection to the same database.
    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Begins a transaction that may write. Waits for the writers before it; other processes are waited for no longer
    /// than the busy timeout.
    pub(super) async fn write(&self) -> Result<Tx> {
        self.begin(self.turn().await?, Manner { durable: true, alone: true, checked: true }).await
    }

    /// The same, once it is its turn, in the manner that is wanted then, if it still is.
    pub(super) async fn write_if(&self, wanted: impl FnOnce() -> Option<Manner> + Send) -> Result<Option<Tx>> {
        let writer = self.turn().await?;
        match wanted() {
            Some(manner) => self.begin(writer, manner).await.map(Some),
            None => Ok(None),
        }
    }

    /// The same for what may be lost in a power failure, because then it is only done again: leases, deliveries, caches.
    /// The next commit that is durable takes it to the disk.
    pub(super) async fn write_lazily(&self) -> Result<Tx> {
        self.begin(self.turn().await?, Manner { durable: false, alone: true, checked: true }).await
    }

    /// Begins a transaction that may write, beside others who write so. It is for what changes one row, or first takes the
    /// row on which others wait.
    pub(super) async fn write_beside(&self) -> Result<Tx> {
        self.begin(self.turn().await?, Manner { durable: true, alone: false, checked: true }).await
    }

    /// The same for what may be lost in a power failure.
    pub(super) async fn write_lazily_beside(&self) -> Result<Tx> {
        self.begin(self.turn().await?, Manner { durable: false, alone: false, checked: true }).await
    }

    /// Begins a transaction for whoever makes the tables.
    pub(super) async fn write_schema(&self) -> Result<Tx> {
        self.begin(self.turn().await?, Manner { durable: true, alone: true, checked: false }).await
    }

    /// Looks whether the schema is still the one of this program, for a process that writes nothing.
    pub(super) async fn check_schema(&self) -> Result<()> {
        let checked = tables::inspect(&mut *self.read().await?, &self.connector.name()).await;
        checked.map(drop).map_err(|error| self.note(error))
    }

    fn note(&self, error: StoreError) -> StoreError {
        if let StoreError::OtherSchema { .. } = error {
            self.outgrown.send_replace(true);
        }
        error
    }

    /// Waits until somebody found that another program has changed the schema.
    pub(super) async fn outgrown(&self) -> StoreError {
        // The sender lives as long as the database is open.
        let _ = self.outgrown.subscribe().wait_for(|outgrown| *outgrown).await;
        self.other_schema()
    }

    fn other_schema(&self) -> StoreError {
        StoreError::OtherSchema { path: self.connector.name() }
    }

    /// Begins a transaction, and goes on only while the schema is this program's: it holds the lock under which another
    /// program would change it. So nothing is written in a way that the other one does not expect.
    async fn begin(&self, mut writer: Turn, manner: Manner) -> Result<Tx> {
        // In memory nothing is on a disk, and nobody else changes anything.
        let ours = self.is_ours_alone();
        let manner = Manner { durable: manner.durable || ours, checked: manner.checked && !ours, ..manner };
        // Before it begins, so that a caller who goes away at this very point leaves no lock behind.
        writer.dirty = true;
        let mut tx = Tx { writer: Some(writer) };
        let mut begun = tx.begin(manner).await;
        if begun.is_err() && tx.is_lost() {
            // It broke while nothing was under way, as when the server was started anew: another one does as well.
            *tx = self.connector.writer().await?;
            self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
            begun = tx.begin(manner).await;
        }
        let found = begun?;
        if !manner.checked || tables::is_ours(&tx, found.as_deref()) {
            return Ok(tx);
        }
        tx.undo().await;
        Err(self.note(self.other_schema()))
    }

    /// A connection that writes, outside a transaction, for the few statements that must not be in one.
    pub(super) async fn outside(&self) -> Result<Outside> {
        Ok(Outside(self.turn().await?))
    }

    /// A connection that writes, in no transaction.
    async fn turn(&self) -> Result<Turn> {
        let turn = Arc::clone(&self.writers.turns).acquire_owned().await.map_err(|_| closed())?;
        let writer = self.writers.idle().pop();
        // At once: what a caller leaves behind who goes away goes home. In memory it is the database.
        let mut writer = Turn { writer, home: Arc::clone(&self.writers), _turn: turn };
        if writer.writer.is_none() {
            writer.writer = Some(Writer::new(self.connector.writer().await?));
        }
        writer.roll_back().await;
        // Another connection would see another moment.
        if writer.conn.is_lost() && !self.still {
            writer.conn = self.connector.writer().await?;
        }
        Ok(writer)
    }

    /// A connection that only reads and sees everything committed so far.
    pub(super) async fn read(&self) -> Result<Reader<'_>> {
        if self.is_alone() {
            return Ok(Reader::Shared(self.turn().await?));
        }
        let permit = Arc::clone(&self.reading).acquire_owned().await.map_err(|_| closed())?;
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conn = match idle {
            Some(conn) => conn,
            None => self.connector.reader().await?,
        };
        Ok(Reader::Own { conn: Some(conn), home: &self.readers, _permit: permit })
    }

    /// Closes every connection, waiting for what is under way.
    pub(super) async fn close(&self) -> Result<()> {
        // Readers go first: the last connection to close is the one that folds the log into the file.
        let _all = self.reading.acquire_many(READERS_MAX_COUNT as u32).await.map_err(StoreError::other)?;
        let idle = std::mem::take(&mut *self.readers.lock().unwrap_or_else(PoisonError::into_inner));
        for conn in idle {
            conn.close().await?;
        }
        self.reading.close();
        let turns = if self.still { 1 } else { self.connector.writers() };
        let _all = self.writers.turns.acquire_many(turns as u32).await.map_err(|_| closed())?;
        self.writers.turns.close();
        let idle = std::mem::take(&mut *self.writers.idle());
        for mut writer in idle {
            writer.roll_back().await;
            writer.conn.shut().await?;
        }
        if let Some(Presence::Conn(mut conn)) = self.take_presence() {
            // Whoever starts next may come before the server has seen the connection end.
            conn.leave().await?;
        }
        Ok(())
    }
}

fn closed() -> StoreError {
    StoreError::other("the store is closed")
}

impl Writers {
    fn idle(&self) -> MutexGuard<'_, Vec<Writer>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that writes, for as long as it is somebody's turn.
pub(super) struct Turn {
    writer: Option<Writer>,
    home: Arc<Writers>,
    _turn: OwnedSemaphorePermit,
}

impl std::ops::Deref for Turn {
    type Target = Writer;

    fn deref(&self) -> &Writer {
        self.writer.as_ref().expect("a connection is there until it is given back")
    }
}

impl std::ops::DerefMut for Turn {
    fn deref_mut(&mut self) -> &mut Writer {
        self.writer.as_mut().expect("a connection is there until it is given back")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            self.home.idle().push(writer);
        }
    }
}

impl Writer {
    fn new(conn: Conn) -> Self {
        Self { conn, dirty: false }
    }

    async fn roll_back(&mut self) {
        if self.dirty {
            // An error here says that there was nothing left to roll back.
            let _ = self.conn.execute("ROLLBACK", &[]).await;
            self.dirty = false;
        }
    }
}

/// A transaction that may write. Dropped, it is rolled back, also when the caller went away in the middle of it.
pub(super) struct Tx {
    writer: Option<Turn>,
}

impl Tx {
    /// Makes it durable. When this future is dropped before it ends, nobody knows whether it did.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.conn().commit().await?;
        if let Some(writer) = &mut self.writer {
            writer.dirty = false;
        }
        self.writer = None;
        Ok(())
    }

    /// Undoes it and only then returns, for callers that go on to read.
    pub(super) async fn undo(mut self) {
        if let Some(mut writer) = self.writer.take() {
            writer.roll_back().await;
        }
    }

    /// Commits what succeeded, rolls back what did not, and passes the outcome on.
    pub(super) async fn end_with<T>(self, outcome: Result<T>) -> Result<T> {
        match outcome {
            Ok(value) => {
                self.commit().await?;
                Ok(value)
            }
            Err(error) => {
                self.undo().await;
                Err(error)
            }
        }
    }

    fn conn(&mut self) -> &mut Conn {
        &mut self.writer.as_mut().expect("the writer leaves a transaction only when it ends").conn
    }
}

impl std::ops::Deref for Tx {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.writer.as_ref().expect("the writer leaves a transaction only when it ends").conn
    }
}

impl std::ops::DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        self.conn()
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        let Some(mut writer) = self.writer.take() else { return };
        if !writer.dirty {
            return;
        }
        // At once rather than at the next write, because other processes wait for the lock.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { writer.roll_back().await });
        }
    }
}

/// A connection that writes, in no transaction.
pub(super) struct Outside(Turn);

impl std::ops::Deref for Outside {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.0.conn
    }
}

impl std::ops::DerefMut for Outside {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.0.conn
    }
}

/// A connection that only reads.
pub(super) enum Reader<'a> {
    /// A database in memory has one connection.
    Shared(Turn),
    /// One of several; it goes back to the idle ones.
    Own { conn: Option<Conn>, home: &'a Mutex<Vec<Conn>>, _permit: OwnedSemaphorePermit },
}

impl std::ops::Deref for Reader<'_> {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        match self {
            Self::Shared(writer) => &writer.conn,
            Self::Own { conn, .. } => conn.as_ref().expect("a reader is there until it is dropped"),
        }
    }
}

impl std::ops::DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Conn {
        match self {
            Self::Shared(writer) => &mut writer.conn,
            Self::Own { conn, .. } => conn.as_mut().expect("a reader is there until it is dropped"),
        }
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        if let Self::Own { conn, home, .. } = self
            && let Some(conn) = conn.take()
        {
            let mut home = home.lock().unwrap_or_else(PoisonError::into_inner);
            match conn.is_lost() {
                // So are the others, which waited longer.
                true => home.clear(),
                false => home.push(conn),
            }
        }
    }
}
