//! SQLite: how it is opened, what its errors mean, and the few things that only it does.
//!
//! Nothing else in the store names SQLite. The settings here are the durability of the whole program. With a
//! write-ahead log and full sync, a commit is on the disk before anybody is told of it, at the price of one fsync.

use std::path::{Path, PathBuf};

use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteRow, SqliteSynchronous,
};
use sqlx::{Arguments as _, ConnectOptions as _, Connection as _, Row as _};

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
/// database that it replicates. They are no part of ours: nobody guards them, and a check passes over them.
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
    columns: "SELECT name, type FROM pragma_table_xinfo($1) ORDER BY cid",
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

/// Takes commits at their word only when the log has reached the disk.
const DURABLE: &str = "PRAGMA synchronous = FULL; ";

/// Lets a commit be lost in a power failure, though not in a crash of the program, and spares the fsync.
const LAZY: &str = "PRAGMA synchronous = NORMAL; ";

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
        let mut options = self
            .common()
            .synchronous(SqliteSynchronous::Full)
            .pragma("fullfsync", "ON")
            .pragma("checkpoint_fullfsync", "ON")
            // What is deleted is overwritten: a revealed secret, a forgotten text.
            .pragma("secure_delete", "ON")
            .pragma("journal_size_limit", LOG_KEPT_MAX_BYTES.to_string());
        if !self.in_memory() {
            options = options.journal_mode(SqliteJournalMode::Wal);
        }
        if let Some(pages) = self.options.max_page_count {
            options = options.pragma("max_page_count", pages.to_string());
        }
        Conn::open(&options).await
    }

    /// A connection that reads. Only for a file.
    pub(super) async fn reader(&self) -> Result<Conn> {
        Conn::open(&self.common().pragma("query_only", "ON")).await
    }

    /// A connection beside the writer for what takes long, so that commits go on. `None` for a database in memory, which
    /// has no second one.
    pub(super) async fn beholder(&self) -> Result<Option<Conn>> {
        if self.in_memory() { Ok(None) } else { Conn::open(&self.common()).await.map(Some) }
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
        let options = Self { reading: Some(reading), ..self.clone() }.common();
        Conn::open(&options).await.map(Some)
    }

    fn common(&self) -> SqliteConnectOptions {
        let path = self.path.as_deref().unwrap_or_else(|| Path::new(":memory:"));
        SqliteConnectOptions::new()
            .filename(path)
            .read_only(self.reading.is_some())
            .immutable(self.reading == Some(Reading::Still))
            .foreign_keys(true)
            .busy_timeout(self.options.busy_timeout)
            .statement_cache_capacity(STATEMENTS_KEPT_MAX_COUNT)
            .pragma("trusted_schema", "OFF")
            .pragma("temp_store", "MEMORY")
            .thread_name(|id| format!("store-{id}"))
            .disable_statement_logging()
    }
}

/// One connection, with its thread.
pub(super) struct Conn {
    /// `None` once closed.
    inner: Option<SqliteConnection>,
}

impl Conn {
    async fn open(options: &SqliteConnectOptions) -> Result<Self> {
        Ok(Self { inner: Some(options.connect().await.map_err(told)?) })
    }

    fn inner(&mut self) -> Result<&mut SqliteConnection> {
        self.inner.as_mut().ok_or_else(|| StoreError::other("the store is closed"))
    }

    /// Begins a transaction in one turn to the connection's thread. `was` is how the last one was begun here: durable or
    /// not. The write lock is taken at the start, so that a transaction that has read never finds out too late that it may
    /// not write.
    pub(super) async fn begin(&mut self, manner: Manner, was: Option<bool>) -> Result<Option<i64>> {
        let sync = match manner.durable {
            durable if was == Some(durable) => "",
            true => DURABLE,
            false => LAZY,
        };
        let look = if manner.versioned { schema::VERSION } else { "" };
        // As a script, because the pragma takes effect when it is prepared: a statement prepared once would act once.
        let script = sqlx::raw_sql(sqlx::AssertSqlSafe(format!("{sync}BEGIN IMMEDIATE; {look}")));
        let row = script.fetch_optional(self.inner()?).await.map_err(told)?;
        // The look alone gives a row.
        row.map(|row| Ok(Row(row).get::<Option<i64>>(0)?.unwrap_or_default())).transpose()
    }

    /// Runs a statement and says how many rows it wrote.
    pub(super) async fn execute(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        let conn = self.inner()?;
        Ok(sqlx::query_with(sql, bind(args)?).execute(conn).await.map_err(told)?.rows_affected())
    }

    /// The first row.
    pub(super) async fn row(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Option<Row>> {
        let conn = self.inner()?;
        Ok(sqlx::query_with(sql, bind(args)?).fetch_optional(conn).await.map_err(told)?.map(Row))
    }

    /// Every row. The statement bounds how many.
    pub(super) async fn rows(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        let conn = self.inner()?;
        let rows = sqlx::query_with(sql, bind(args)?).fetch_all(conn).await.map_err(told)?;
        Ok(rows.into_iter().map(Row).collect())
    }

    /// Rows while `take` says to go on; the row it says no to is the last one.
    pub(super) async fn rows_while(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut take: impl FnMut(super::conn::Row) -> Result<bool> + Send,
    ) -> Result<()> {
        use futures::TryStreamExt as _;
        let conn = self.inner()?;
        let mut rows = sqlx::query_with(sql, bind(args)?).fetch(conn);
        while let Some(row) = rows.try_next().await.map_err(told)? {
            if !take(super::conn::Row::Sqlite(Row(row)))? {
                break;
            }
        }
        Ok(())
    }

    /// Runs a script of several statements.
    pub(super) async fn script(&mut self, sql: &'static str) -> Result<()> {
        let conn = self.inner()?;
        sqlx::raw_sql(sql).execute(conn).await.map_err(told)?;
        Ok(())
    }

    /// Runs a statement that was made of names in the schema, which takes no parameters.
    pub(super) async fn execute_made(&mut self, sql: String) -> Result<()> {
        let conn = self.inner()?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(conn).await.map_err(told)?;
        Ok(())
    }

    /// Gives every row of a statement that was made of names in the schema, in turn.
    pub(super) async fn each_made(
        &mut self,
        sql: String,
        mut take: impl AsyncFnMut(super::conn::Row) -> Result<()>,
    ) -> Result<()> {
        use futures::TryStreamExt as _;
        let conn = self.inner()?;
        let mut rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(conn);
        while let Some(row) = rows.try_next().await.map_err(told)? {
            take(super::conn::Row::Sqlite(Row(row))).await?;
        }
        Ok(())
    }

    /// Runs a statement that was made of names in the schema, with parameters.
    pub(super) async fn execute_made_with(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        let bound = bind(args)?;
        let conn = self.inner()?;
        sqlx::query_with(sqlx::AssertSqlSafe(sql), bound).execute(conn).await.map(drop).map_err(told)
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
        let mut found = Vec::new();
        self.rows_while("PRAGMA integrity_check", &[], |row| {
            let line = row.text(0)?;
            if line != "ok" {
                found.push(line);
            }
            Ok(found.len() < COMPLAINTS_MAX_COUNT)
        })
        .await?;
        self.rows_while("PRAGMA foreign_key_check", &[], |row| {
            found.push(format!("a row of {} points to a row of {} that is not there", row.text(0)?, row.text(2)?));
            Ok(found.len() < COMPLAINTS_MAX_COUNT)
        })
        .await?;
        Ok(found)
    }

    /// Writes a compact copy of the database to a file that must not exist yet, and syncs it to the disk.
    pub(super) async fn copy_to(&mut self, path: &Path) -> Result<()> {
        if path.exists() {
            return Err(StoreError::Exists { path: path.display().to_string() });
        }
        let partial = file::Partial::of(path)?;
        let name = partial.path().to_str();
        let name = name.ok_or_else(|| StoreError::other("the path of the copy is not written in Unicode"))?;
        self.execute("VACUUM INTO $1", &[Arg::from(name)]).await?;
        Self::another(partial.path()).await?;
        partial.finish(path)
    }

    /// Takes away from a finished copy which database it is: it is another one from now on, however it is brought back.
    async fn another(copy: &Path) -> Result<()> {
        let mut conn = Self::open(&SqliteConnectOptions::new().filename(copy).disable_statement_logging()).await?;
        let changed = match conn.has_table("identity").await {
            Ok(true) => conn.execute("DELETE FROM identity", &[]).await.map(drop),
            other => other.map(drop),
        };
        conn.close().await?;
        changed
    }

    /// Moves what the log holds into the file and empties the log, as far as other processes let it.
    pub(super) async fn fold_log(&mut self) -> Result<()> {
        self.row("PRAGMA wal_checkpoint(TRUNCATE)", &[]).await.map(drop)
    }

    async fn close(mut self) -> Result<()> {
        self.shut().await
    }

    /// Closes the connection where it is; whatever is asked of it later is refused.
    pub(super) async fn shut(&mut self) -> Result<()> {
        match self.inner.take() {
            Some(conn) => conn.close().await.map_err(told),
            None => Ok(()),
        }
    }
}

fn bind(args: &[Arg<'_>]) -> Result<SqliteArguments> {
    let mut bound = SqliteArguments::default();
    for arg in args {
        match *arg {
            Arg::Int(value) => bound.add(value),
            Arg::Text(value) => bound.add(value),
            Arg::Bytes(value) => bound.add(value),
        }
        .map_err(StoreError::Other)?;
    }
    Ok(bound)
}

/// One row of an answer. Columns are named by their place.
pub(super) struct Row(SqliteRow);

impl Row {
    pub(super) fn get<'r, T>(&'r self, column: usize) -> Result<T>
    where
        T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
    {
        self.0.try_get(column).map_err(told)
    }
}

/// What an error of the driver means. The texts of SQLite's errors name tables and columns, never values.
fn told(error: sqlx::Error) -> StoreError {
    /// The low byte of an extended code says what kind of error it is.
    const KIND: i32 = 0xff;
    match &error {
        sqlx::Error::Database(inner) => {
            let code = inner.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or_default();
            match code & KIND {
                5 | 6 => StoreError::Locked,
                11 => StoreError::corrupt(inner.message()),
                13 => StoreError::Full,
                26 => StoreError::corrupt(NOT_A_DATABASE),
                _ => StoreError::other(error),
            }
        }
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::corrupt(error.to_string()),
        _ => StoreError::other(error),
    }
}
