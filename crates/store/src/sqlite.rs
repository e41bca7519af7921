//! SQLite: how it is opened, what its errors mean, and the few things that only it does.
//!
//! Nothing else in the store names SQLite. The settings here are the durability of the whole program. With a
//! write-ahead log and full sync, a commit is on the disk before anybody is told of it, at the price of one fsync.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::ffi::{SQLITE_CONSTRAINT_TRIGGER, SQLITE_IOERR_SHMSIZE};
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{FromSql, FromSqlError, ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex, mpsc};

use super::address::Address;
use super::args::Arg;
use super::conn::{Catalog, Manner};
use super::error::{Result, StoreError};
use super::file;
use super::schema;
use super::types::Options;

/// Asks what time it is, in microseconds since 1970 UTC.
pub(super) const NOW: &str = "SELECT CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)";

/// What holds for an object of the schema, by the name of its table, that is not one of those which Litestream keeps in a
/// database that it replicates. They are no part of ours: a check passes over them.
macro_rules! not_of_litestream {
    () => {
        "tbl_name NOT LIKE '\\_litestream\\_%' ESCAPE '\\'"
    };
}
pub(super) use not_of_litestream;

/// Asks for what a database is made of.
pub(super) const CATALOG: Catalog = Catalog {
    tables: concat!(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND ",
        not_of_litestream!(),
        " ORDER BY rowid"
    ),
    columns: "SELECT name, type FROM pragma_table_info($1) ORDER BY cid",
    numbers: "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    // A table of which nothing was given out yet is not listed.
    go_on_after: "INSERT INTO sqlite_sequence (name, seq) SELECT s.name, $2 FROM sqlite_schema s \
                  WHERE s.type = 'table' AND s.name = $1 AND instr(s.sql, 'AUTOINCREMENT') > 0",
};

/// Most commits of rooms in one transaction, so that the first does not wait for long.
pub(super) const GROUP_MAX_COUNT: usize = 32;

/// Sees the database as it is from the first look on.
pub(super) const BEGIN_READING: &str = "BEGIN DEFERRED";

/// Longest that the write-ahead log stays on the disk once its content is in the file, in bytes.
const LOG_KEPT_MAX_BYTES: u32 = 64 * 1024 * 1024;

/// Statements kept prepared on a connection: more than the store has, so that each is prepared once.
const STATEMENTS_KEPT_MAX_COUNT: usize = 200;

/// The complaint about a file that is something else altogether.
pub(super) const NOT_A_DATABASE: &str = "the file is not a database";

/// Takes commits at their word only when the log has reached the disk. From 1000 pages on, of 4 kB each, one moves the log
/// into the file.
const DURABLE: &str = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;";

/// Lets a commit be lost in a power failure, though not in a crash of the program, and spares the fsync. It waits for no
/// disk, unless so many pages were written and none of them durably: then it moves the log into the file.
const LAZY: &str = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;";

/// How every connection is set.
const ALWAYS: &str = "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;";

/// How a connection is set that writes. What is deleted is overwritten: a revealed secret, a forgotten text.
const WRITING: &str = "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; \
                       PRAGMA secure_delete = ON;";

/// Rows that are handed over at once where a statement runs on another thread.
const ROWS_HANDED_OVER_COUNT: usize = 64;

/// Most complaints of an integrity check that are told: the first ones say enough.
const COMPLAINTS_MAX_COUNT: usize = 20;

/// How to reach a database.
#[derive(Clone)]
pub(super) struct Connector {
    /// `None` for a database in memory.
    path: Option<PathBuf>,
    options: Options,
    /// How to read without the right to write, where there is none.
    reading: Option<Reading>,
}

/// How a database is read by who may not write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// With its log, of which others may be writing the end.
    Log,
    /// As a file at rest.
    Still,
}

impl Connector {
    /// Reads `:memory:`, a path, or either of them behind `sqlite:`.
    pub(super) fn parse(address: &str, options: Options) -> Result<Self> {
        let address = Address::new(address);
        let rest = address.name();
        if rest.is_empty() {
            return Err(StoreError::other("no database was named; give the path of a file, or :memory:"));
        }
        if address.is_foreign() {
            let say = format!(
                "{address} is neither the path of a file nor an address that begins with postgres://. Neither URIs such as file:, nor \
                 key=value, nor ?key=value are read"
            );
            return Err(StoreError::other(say));
        }
        let path = (rest != ":memory:").then(|| PathBuf::from(rest));
        Ok(Self { path, options, reading: None })
    }

    pub(super) fn in_memory(&self) -> bool {
        self.path.is_none()
    }

    pub(super) fn file(path: &Path, options: Options) -> Self {
        Self { path: Some(path.to_owned()), options, reading: None }
    }

    /// The same with another file.
    pub(super) fn elsewhere(&self, path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..self.clone() }
    }

    /// The file, unless the database is in memory.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the database is called in messages.
    pub(super) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| ":memory:".to_owned(), |path| Address::shown(path))
    }

    /// The same for who may not write to the database or beside it; `None` for who may, and for a database in memory.
    pub(super) async fn only_to_read(&self) -> Result<Option<Self>> {
        let Some(path) = self.path.as_deref().filter(|path| path.exists() && !file::may_write(path)) else {
            return Ok(None);
        };
        let log = file::beside(path, "-wal");
        let with_log = Self { reading: Some(Reading::Log), ..self.clone() };
        let still = Self { reading: Some(Reading::Still), ..self.clone() };
        match std::fs::metadata(&log) {
            // Without a log the file is all there is.
            Err(_) => Ok(Some(still)),
            Ok(meta) => {
                let mut conn = with_log.reader().await?;
                let read = conn.is_blank().await;
                conn.close().await?;
                match read {
                    Ok(_) => Ok(Some(with_log)),
                    Err(_) if meta.len() == 0 => Ok(Some(still)),
                    Err(_) => Err(StoreError::Unfolded { log: log.display().to_string() }),
                }
            }
        }
    }

    /// The connection that writes. Creates the file, readable by its owner alone, since it holds secrets.
    pub(super) async fn writer(&self) -> Result<Conn> {
        if let Some(path) = &self.path {
            file::create(path)?;
        }
        let mut settings = format!("{WRITING} PRAGMA journal_size_limit = {LOG_KEPT_MAX_BYTES};");
        if !self.in_memory() {
            settings += "PRAGMA journal_mode = WAL;";
        }
        if let Some(pages) = self.options.max_page_count {
            settings += &format!("PRAGMA max_page_count = {pages};");
        }
        self.open(settings).await
    }

    /// A connection that reads. Only for a file.
    pub(super) async fn reader(&self) -> Result<Conn> {
        self.open("PRAGMA query_only = ON;".to_owned()).await
    }

    /// A connection beside the writer for what takes long, so that commits go on. `None` for a database in memory, which
    /// has no second one.
    pub(super) async fn beholder(&self) -> Result<Option<Conn>> {
        if self.in_memory() {
            return Ok(None);
        }
        Ok(Some(Conn { aside: true, ..self.open(String::new()).await? }))
    }

    /// A connection that leaves every file as it is, for a look at a database that may not be ours. `None` when there
    /// is nothing to look at yet.
    pub(super) async fn visitor(&self) -> Result<Option<Conn>> {
        let Some(path) = &self.path else { return Ok(None) };
        match std::fs::metadata(path) {
            Ok(meta) if meta.len() == 0 => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        // Without a log beside it the file is all there is, and opening it as immutable makes no log.
        let has_log = ["-wal", "-journal"].iter().any(|end| std::fs::metadata(file::beside(path, end)).is_ok());
        let reading = if has_log { Reading::Log } else { Reading::Still };
        Self { reading: Some(reading), ..self.clone() }.open(String::new()).await.map(Some)
    }

    /// Opens a connection with the settings that all have, and these.
    async fn open(&self, settings: String) -> Result<Conn> {
        let this = self.clone();
        let open = move || {
            let access = match this.reading {
                Some(_) => OpenFlags::SQLITE_OPEN_READ_ONLY,
                None => OpenFlags::SQLITE_OPEN_READ_WRITE,
            };
            let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let conn = match &this.path {
                None => Connection::open_in_memory_with_flags(flags),
                Some(path) if this.reading == Some(Reading::Still) => {
                    Connection::open_with_flags(immutable(path)?, flags | OpenFlags::SQLITE_OPEN_URI)
                }
                Some(path) => Connection::open_with_flags(path, flags),
            };
            let conn = conn.map_err(told)?;
            conn.busy_timeout(this.options.busy_timeout).map_err(told)?;
            conn.set_prepared_statement_cache_capacity(STATEMENTS_KEPT_MAX_COUNT);
            // Otherwise a statement on a table with partial indexes is prepared anew whenever a value is bound.
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(told)?;
            row_sums(&conn).map_err(told)?;
            conn.execute_batch(ALWAYS).and_then(|()| conn.execute_batch(&settings)).map_err(told)?;
            Ok(conn)
        };
        let conn = if self.in_memory() { open()? } else { on_blocking_thread(open).await? };
        let busy_timeout = self.options.busy_timeout;
        Ok(Conn {
            inner: Some(Arc::new(Mutex::new(conn))),
            aside: false,
            path: self.path.clone(),
            durable: None,
            busy_timeout,
        })
    }
}

/// The name by which a file is opened that nobody changes, so that no log is made beside it.
fn immutable(path: &Path) -> Result<String> {
    let path = std::path::absolute(path)?;
    let mut name =
        url::Url::from_file_path(&path).map_err(|()| StoreError::other("the path has no name as an address"))?;
    name.set_query(Some("immutable=1"));
    Ok(name.into())
}

/// One connection.
///
/// What is short is asked where the caller runs: a statement takes a few microseconds, and to wake another thread for it
/// takes some tens. What waits for the disk or for other processes, or reads a whole table, is done on a thread that may
/// block. A caller who goes away meanwhile leaves it to finish, and the next one waits for that.
pub(super) struct Conn {
    /// `None` once closed.
    inner: Option<Arc<Mutex<Connection>>>,
    /// Whether all that it is asked takes long.
    aside: bool,
    /// `None` for a database in memory.
    path: Option<PathBuf>,
    /// Whether the end of a transaction waits for the disk; nothing before the first.
    durable: Option<bool>,
    busy_timeout: Duration,
}

impl Conn {
    fn inner(&self) -> Result<&Arc<Mutex<Connection>>> {
        self.inner.as_ref().ok_or_else(|| StoreError::other("the store is closed"))
    }

    /// Does what may take long, on a thread that may block.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let conn = Arc::clone(self.inner()?).lock_owned().await;
        // In memory there is nothing to wait for.
        if self.path.is_none() { work(&conn) } else { on_blocking_thread(move || work(&conn)).await }
    }

    /// Begins a transaction. The write lock is taken at the start, so that a transaction that has read never finds out too
    /// late that it may not write.
    pub(super) async fn begin(&mut self, manner: Manner) -> Result<Option<String>> {
        const BEGIN: &str = "BEGIN IMMEDIATE";
        let was = self.durable.take();
        let conn = self.inner()?.lock().await;
        if was != Some(manner.durable) {
            conn.execute_batch(if manner.durable { DURABLE } else { LAZY }).map_err(told)?;
        }
        conn.busy_timeout(Duration::ZERO).map_err(told)?;
        let begun = ask(&conn, BEGIN, &NOTHING, |_| Ok(true));
        conn.busy_timeout(self.busy_timeout).map_err(told)?;
        drop(conn);
        self.durable = Some(manner.durable);
        match begun {
            // Another process writes.
            Err(StoreError::Locked { .. }) => {
                let begun = self.aside(|conn| ask(conn, BEGIN, &NOTHING, |_| Ok(true))).await;
                begun.map_err(|error| match (error, &self.path) {
                    (StoreError::Locked { .. }, Some(path)) => StoreError::Locked { by: file::writer_of(path) },
                    (error, _) => error,
                })?
            }
            begun => begun?,
        };
        if !manner.checked {
            return Ok(None);
        }
        self.row(schema::FOUND, &[]).await?.map(|row| row.get(0)).transpose()
    }

    /// Ends a transaction, and waits for the disk where it was begun so.
    pub(super) async fn commit(&mut self) -> Result<()> {
        const COMMIT: &str = "COMMIT";
        if self.durable != Some(false) {
            return self.aside(|conn| ask(conn, COMMIT, &NOTHING, |_| Ok(true))).await.map(drop);
        }
        self.execute(COMMIT, &[]).await.map(drop)
    }

    /// Runs a statement and says how many rows it wrote.
    pub(super) async fn execute(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        self.each(sql, args, |_| Ok(true)).await
    }

    /// The first row.
    pub(super) async fn row(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Option<Row>> {
        let mut first = None;
        self.each(sql, args, |row| {
            // What a statement writes is written before it gives a row.
            first = Some(row);
            Ok(false)
        })
        .await?;
        Ok(first)
    }

    /// Every row. The statement bounds how many.
    pub(super) async fn rows(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        self.each(sql, args, |row| {
            rows.push(row);
            Ok(true)
        })
        .await?;
        Ok(rows)
    }

    /// Rows while `take` says to go on; the row it says no to is the last one.
    pub(super) async fn rows_while(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut take: impl FnMut(super::conn::Row) -> Result<bool> + Send,
    ) -> Result<()> {
        self.each(sql, args, |row| take(super::conn::Row::Sqlite(row))).await.map(drop)
    }

    async fn each(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut take: impl FnMut(Row) -> Result<bool> + Send,
    ) -> Result<u64> {
        if !self.aside {
            return ask(&*self.inner()?.lock().await, sql, args, take);
        }
        let args: Vec<Value> = args.iter().map(Arg::kept).collect();
        let (rows, changed) = self
            .aside(move |conn| {
                let mut rows = Vec::new();
                let changed = ask(conn, sql, &args, |row| {
                    rows.push(row);
                    Ok(true)
                })?;
                Ok((rows, changed))
            })
            .await?;
        for row in rows {
            if !take(row)? {
                break;
            }
        }
        Ok(changed)
    }

    /// Runs a script of several statements.
    pub(super) async fn script(&mut self, sql: &'static str) -> Result<()> {
        self.aside(|conn| conn.execute_batch(sql).map_err(told)).await
    }

    /// Gives every row of a statement that was made of names in the schema, in turn.
    pub(super) async fn each_made(
        &mut self,
        sql: String,
        mut take: impl AsyncFnMut(super::conn::Row) -> Result<()>,
    ) -> Result<()> {
        let (give, mut given) = mpsc::channel(1);
        let conn = Arc::clone(self.inner()?).lock_owned().await;
        let read = on_blocking_thread(move || {
            let mut batch = Vec::new();
            ask(&conn, &sql, &NOTHING, |row| {
                batch.push(row);
                // Nobody takes them any more once one of them could not be taken.
                Ok(batch.len() < ROWS_HANDED_OVER_COUNT || give.blocking_send(std::mem::take(&mut batch)).is_ok())
            })?;
            let _ = give.blocking_send(batch);
            Ok(())
        });
        let taken = async move {
            while let Some(batch) = given.recv().await {
                for row in batch {
                    take(super::conn::Row::Sqlite(row)).await?;
                }
            }
            Ok(())
        };
        let (read, taken) = futures::future::join(read, taken).await;
        read.and(taken)
    }

    /// Runs a statement that was made of names in the schema, with parameters.
    pub(super) async fn execute_made_with(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        ask(&*self.inner()?.lock().await, sql, args, |_| Ok(true)).map(drop)
    }

    /// Whether a table of this name exists.
    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1";
        Ok(self.row(sql, &[Arg::from(name)]).await?.is_some())
    }

    /// Whether the database has no table at all.
    pub(super) async fn is_blank(&mut self) -> Result<bool> {
        Ok(self.row("SELECT 1 FROM sqlite_schema LIMIT 1", &[]).await?.is_none())
    }

    /// What an integrity check complains of; nothing when all is well. Reads the whole database.
    pub(super) async fn complaints(&mut self) -> Result<Vec<String>> {
        self.aside(|conn| {
            let mut found = Vec::new();
            ask(conn, "PRAGMA integrity_check", &NOTHING, |row| {
                let line: String = row.get(0)?;
                if line != "ok" {
                    found.push(line);
                }
                Ok(found.len() < COMPLAINTS_MAX_COUNT)
            })?;
            ask(conn, "PRAGMA foreign_key_check", &NOTHING, |row| {
                let (from, to): (String, String) = (row.get(0)?, row.get(2)?);
                found.push(format!("a row of {from} points to a row of {to} that is not there"));
                Ok(found.len() < COMPLAINTS_MAX_COUNT)
            })?;
            Ok(found)
        })
        .await
    }

    /// Writes a compact copy of the database to a file that must not exist yet, and syncs it to the disk.
    pub(super) async fn copy_to(&mut self, path: &Path) -> Result<()> {
        if path.exists() {
            return Err(StoreError::Exists { path: path.display().to_string() });
        }
        let partial = file::Partial::of(path)?;
        let name = partial.path().to_owned();
        self.aside(move |conn| {
            let to =
                name.to_str().ok_or_else(|| StoreError::other("the path of the copy is not written in Unicode"))?;
            ask(conn, "VACUUM INTO $1", &[Arg::from(to)], |_| Ok(true))?;
            another(&name)
        })
        .await?;
        partial.finish(path)
    }

    /// Moves what the log holds into the file and empties the log, as far as other processes let it.
    pub(super) async fn fold_log(&mut self) -> Result<()> {
        self.aside(|conn| ask(conn, "PRAGMA wal_checkpoint(TRUNCATE)", &NOTHING, |_| Ok(true))).await.map(drop)
    }

    async fn close(mut self) -> Result<()> {
        self.shut().await
    }

    /// Closes the connection where it is; whatever is asked of it later is refused.
    pub(super) async fn shut(&mut self) -> Result<()> {
        let Some(conn) = self.inner.take() else { return Ok(()) };
        // Whoever still has it finishes first; then it is nobody else's.
        drop(conn.lock().await);
        let Some(conn) = Arc::into_inner(conn) else { return Ok(()) };
        let close = move || conn.into_inner().close().map_err(|(_, error)| told(error));
        if self.path.is_none() { close() } else { on_blocking_thread(close).await }
    }
}

/// No parameters.
const NOTHING: [Arg<'static>; 0] = [];

/// Runs one statement, gives its rows while `take` says to go on, and says how many rows it wrote.
fn ask<A: ToSql>(conn: &Connection, sql: &str, args: &[A], mut take: impl FnMut(Row) -> Result<bool>) -> Result<u64> {
    let mut statement = conn.prepare_cached(sql).map_err(told)?;
    for place in 1..=statement.parameter_count() {
        // Places are given by the order in which names stand in the text, and `$2` may come first.
        let name = statement.parameter_name(place).and_then(|name| name.strip_prefix('$')?.parse::<usize>().ok());
        let arg = name.and_then(|number| args.get(number.checked_sub(1)?));
        let arg = arg.ok_or_else(|| StoreError::other("a parameter of a statement is missing"))?;
        statement.raw_bind_parameter(place, arg).map_err(told)?;
    }
    let columns = statement.column_count();
    let is_checked = columns > 0 && statement.column_name(columns - 1).is_ok_and(|name| name == schema::WHOLE);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(told)? {
        let row = (0..columns).map(|column| row.get_ref(column).map_err(told)?.try_into().map_err(unreadable));
        let row: Vec<Value> = row.collect::<Result<_>>()?;
        if is_checked && row.last() != Some(&Value::Integer(1)) {
            return Err(StoreError::damaged_row());
        }
        if !take(Row(row))? {
            break;
        }
    }
    Ok(conn.changes())
}

/// Lets a connection read and write the tables of a store beside it: teaches it `row_sum`, by which rows are known to be
/// whole. It is the first 63 bits of a SHA-256 of all its values.
///
/// # Errors
/// As the database reports.
pub fn row_sums(conn: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    conn.create_scalar_function("row_sum", -1, flags, |row| {
        let mut sum = Sha256::new();
        for place in 0..row.len() {
            let (kind, bytes) = match row.get_raw(place) {
                ValueRef::Null => (0, &[][..]),
                ValueRef::Integer(value) => (1, &value.to_be_bytes()[..]),
                ValueRef::Real(value) => (2, &value.to_be_bytes()[..]),
                ValueRef::Text(text) => (3, text),
                ValueRef::Blob(bytes) => (4, bytes),
            };
            sum.update([kind]);
            sum.update((bytes.len() as u64).to_be_bytes());
            sum.update(bytes);
        }
        let sum = sum.finalize();
        Ok(sum.iter().take(8).fold(0, |sum, byte| (sum << 8) | i64::from(*byte)) & i64::MAX)
    })
}

/// Takes away from a finished copy which database it is: it is another one from now on, however it is brought back.
fn another(copy: &Path) -> Result<()> {
    let conn = Connection::open(copy).map_err(told)?;
    if conn.table_exists(None, "identity").map_err(told)? {
        conn.execute_batch("DELETE FROM identity").map_err(told)?;
    }
    conn.close().map_err(|(_, error)| told(error))
}

async fn on_blocking_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(StoreError::other("the program ends")),
        },
    }
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Arg::Int(value) => value.to_sql(),
            Arg::Text(value) => value.to_sql(),
            Arg::Bytes(value) => value.to_sql(),
        }
    }
}

impl Arg<'_> {
    /// The same as a value of its own, for another thread.
    fn kept(&self) -> Value {
        match *self {
            Arg::Int(value) => value.into(),
            Arg::Text(value) => value.map(str::to_owned).into(),
            Arg::Bytes(value) => value.map(<[u8]>::to_vec).into(),
        }
    }
}

/// One row of an answer. Columns are named by their place.
pub(super) struct Row(Vec<Value>);

impl Row {
    pub(super) fn get<T: FromSql>(&self, column: usize) -> Result<T> {
        let value = self.0.get(column).ok_or_else(|| StoreError::other("an answer has too few columns"))?;
        T::column_result(value.into()).map_err(unreadable)
    }
}

/// A value that is not of the kind that its column holds.
fn unreadable(error: FromSqlError) -> StoreError {
    StoreError::corrupt(error.to_string())
}

/// What an error of SQLite means. Its texts name tables and columns, never values.
fn told(error: rusqlite::Error) -> StoreError {
    /// The low byte of an extended code says what kind of error it is.
    const KIND: i32 = 0xff;
    match &error {
        // The index of the log could not grow as it was opened: on a full disk that is all that SQLite says.
        rusqlite::Error::SqliteFailure(inner, _) if inner.extended_code == SQLITE_IOERR_SHMSIZE => StoreError::Full,
        // A row that is not as it was written is not written to.
        rusqlite::Error::SqliteFailure(inner, message) if inner.extended_code == SQLITE_CONSTRAINT_TRIGGER => {
            StoreError::corrupt(message.clone().unwrap_or_default())
        }
        rusqlite::Error::SqliteFailure(inner, message) => match inner.extended_code & KIND {
            5 | 6 => StoreError::Locked { by: None },
            11 => StoreError::corrupt(message.clone().unwrap_or_else(|| inner.to_string())),
            13 => StoreError::Full,
            26 => StoreError::corrupt(NOT_A_DATABASE),
            _ => StoreError::other(error),
        },
        _ => StoreError::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_whose_index_cannot_grow_is_told_as_a_full_disk() {
        let failed = |code| told(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None));
        assert!(matches!(failed(SQLITE_IOERR_SHMSIZE), StoreError::Full));
        assert!(matches!(failed(rusqlite::ffi::SQLITE_IOERR_READ), StoreError::Other(_)));
    }
}
