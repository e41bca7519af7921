//! A connection, whichever of the two databases it is to.
//!
//! Statements are the same for both. What one of them alone can do is refused by the other in a sentence, or is nothing
//! to be done there.

use std::path::Path;

use super::address::Address;
use super::args::Arg;
use super::error::{Result, StoreError};
use super::schema::{self, Schema};
use super::types::Options;
use super::{postgres, sqlite};
use kernel::Seq;

/// How to reach a database.
#[derive(Clone)]
pub(super) enum Connector {
    Sqlite(sqlite::Connector),
    Postgres(postgres::Connector),
}

impl Connector {
    /// Reads an address: that of a database in Postgres, a path, `:memory:`.
    pub(super) fn parse(address: &str, options: Options) -> Result<Self> {
        match Address::new(address).is_of_server() {
            true => postgres::Connector::parse(address, &options).map(Self::Postgres),
            false => sqlite::Connector::parse(address, options).map(Self::Sqlite),
        }
    }

    pub(super) fn file(path: &Path, options: Options) -> Self {
        Self::Sqlite(sqlite::Connector::file(path, options))
    }

    /// The same with another file. A database in Postgres stays where it is.
    pub(super) fn elsewhere(&self, path: &Path) -> Self {
        match self {
            Self::Sqlite(sqlite) => Self::Sqlite(sqlite.elsewhere(path)),
            Self::Postgres(_) => self.clone(),
        }
    }

    /// Whether it is in this process alone.
    pub(super) fn in_memory(&self) -> bool {
        matches!(self, Self::Sqlite(sqlite) if sqlite.in_memory())
    }

    /// The file, where it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(sqlite) => sqlite.path(),
            Self::Postgres(_) => None,
        }
    }

    /// What the database is called in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Sqlite(sqlite) => sqlite.name(),
            Self::Postgres(postgres) => postgres.name(),
        }
    }

    /// The same for who may not write to a file or beside it; `None` for all others.
    pub(super) async fn only_to_read(&self) -> Result<Option<Self>> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite.only_to_read().await?.map(Self::Sqlite)),
            Self::Postgres(_) => Ok(None),
        }
    }

    /// How many connections may write side by side.
    pub(super) fn writers(&self) -> usize {
        match self {
            Self::Sqlite(_) => 1,
            Self::Postgres(_) => postgres::WRITERS_MAX_COUNT,
        }
    }

    /// Most commits of rooms in one transaction.
    pub(super) fn group(&self) -> usize {
        match self {
            Self::Sqlite(_) => sqlite::GROUP_MAX_COUNT,
            Self::Postgres(_) => postgres::GROUP_MAX_COUNT,
        }
    }

    /// A connection that writes.
    pub(super) async fn writer(&self) -> Result<Conn> {
        match self {
            Self::Sqlite(sqlite) => sqlite.writer().await.map(Conn::Sqlite),
            Self::Postgres(postgres) => postgres.writer().await.map(Conn::Postgres),
        }
    }

    /// A connection that reads.
    pub(super) async fn reader(&self) -> Result<Conn> {
        match self {
            Self::Sqlite(sqlite) => sqlite.reader().await.map(Conn::Sqlite),
            Self::Postgres(postgres) => postgres.reader().await.map(Conn::Postgres),
        }
    }

    /// A connection beside the writer for what takes long. `None` for a database in memory.
    pub(super) async fn beholder(&self) -> Result<Option<Conn>> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite.beholder().await?.map(Conn::Sqlite)),
            Self::Postgres(postgres) => postgres.reader().await.map(Conn::Postgres).map(Some),
        }
    }

    /// A connection that changes nothing, for a look at a database that may not be ours. `None` where there is none yet.
    pub(super) async fn visitor(&self) -> Result<Option<Conn>> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite.visitor().await?.map(Conn::Sqlite)),
            Self::Postgres(postgres) => postgres.reader().await.map(Conn::Postgres).map(Some),
        }
    }
}

/// How a transaction writes.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Whether its end waits for the disk.
    pub(super) durable: bool,
    /// Whether nobody else writes meanwhile, in this process or another.
    pub(super) alone: bool,
    /// Whether there is a schema that others may have changed.
    pub(super) checked: bool,
}

/// One connection.
pub(super) enum Conn {
    Sqlite(sqlite::Conn),
    Postgres(postgres::Conn),
}

impl Conn {
    /// The schema of such a database.
    pub(super) fn schema(&self) -> &'static Schema {
        match self {
            Self::Sqlite(_) => &schema::SQLITE,
            Self::Postgres(_) => &schema::POSTGRES,
        }
    }

    /// Whether it is to a file, or to a database in memory.
    pub(super) fn is_file(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// Whether it has broken and is of no more use.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self, Self::Postgres(postgres) if postgres.is_lost())
    }

    /// Begins a transaction that may write, and gives what the database says of its schema where that is to be known. In
    /// a file everybody writes alone.
    pub(super) async fn begin(&mut self, manner: Manner) -> Result<Option<String>> {
        match self {
            Self::Sqlite(sqlite) => sqlite.begin(manner).await,
            Self::Postgres(postgres) => postgres.begin(manner).await,
        }
    }

    /// Ends a transaction for good.
    pub(super) async fn commit(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.commit().await,
            Self::Postgres(postgres) => postgres.execute("COMMIT", &[]).await.map(drop),
        }
    }

    /// Begins a transaction that sees the database as it is from the first look on.
    pub(super) async fn begin_reading(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.execute(sqlite::BEGIN_READING, &[]).await.map(drop),
            Self::Postgres(postgres) => postgres.begin_reading().await,
        }
    }

    /// The statement that says what time it is there, in microseconds since 1970 UTC.
    pub(super) fn now(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite::NOW,
            Self::Postgres(_) => postgres::NOW,
        }
    }

    /// Runs a statement and says how many rows it wrote.
    pub(super) async fn execute(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(sqlite) => sqlite.execute(sql, args).await,
            Self::Postgres(postgres) => postgres.execute(sql, args).await,
        }
    }

    /// The first row.
    pub(super) async fn row(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Option<Row>> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite.row(sql, args).await?.map(Row::Sqlite)),
            Self::Postgres(postgres) => Ok(postgres.row(sql, args).await?.map(Row::Postgres)),
        }
    }

    /// Every row. The statement bounds how many.
    pub(super) async fn rows(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite.rows(sql, args).await?.into_iter().map(Row::Sqlite).collect()),
            Self::Postgres(postgres) => Ok(postgres.rows(sql, args).await?.into_iter().map(Row::Postgres).collect()),
        }
    }

    /// Rows while `take` says to go on; the row it says no to is the last one.
    pub(super) async fn rows_while(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        take: impl FnMut(Row) -> Result<bool> + Send,
    ) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.rows_while(sql, args, take).await,
            Self::Postgres(postgres) => postgres.rows_while(sql, args, take).await,
        }
    }

    /// Runs a script of several statements.
    pub(super) async fn script(&mut self, sql: &'static str) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.script(sql).await,
            Self::Postgres(postgres) => postgres.script(sql).await,
        }
    }

    /// How such a database is asked for its tables and columns.
    pub(super) fn catalog(&self) -> Catalog {
        match self {
            Self::Sqlite(_) => sqlite::CATALOG,
            Self::Postgres(_) => postgres::CATALOG,
        }
    }

    /// Gives every row of a statement that was made of names in the schema, in turn.
    pub(super) async fn each_made(&mut self, sql: String, take: impl AsyncFnMut(Row) -> Result<()>) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.each_made(sql, take).await,
            Self::Postgres(postgres) => postgres.each_made(sql, take).await,
        }
    }

    /// Runs a statement that was made of names in the schema, with parameters.
    pub(super) async fn execute_made_with(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.execute_made_with(sql, args).await,
            Self::Postgres(postgres) => postgres.execute_made_with(sql, args).await,
        }
    }

    /// The tables of the database, each behind those that its rows point to where that counts.
    pub(super) async fn tables(&mut self) -> Result<Vec<String>> {
        let rows = self.rows(self.catalog().tables, &[]).await?;
        rows.iter().map(|row| row.text(0)).collect()
    }

    /// How many rows a table has.
    pub(super) async fn counted(&mut self, table: &str) -> Result<u64> {
        let count = self.number_made(format!("SELECT COUNT(*) FROM \"{table}\"")).await?;
        u64::try_from(count).map_err(|_| StoreError::corrupt("a count is negative"))
    }

    /// The largest number of a table's rows; 0 where there is none.
    pub(super) async fn last_id(&mut self, table: &str) -> Result<i64> {
        self.number_made(format!("SELECT COALESCE(MAX(id), 0) FROM \"{table}\"")).await
    }

    /// The number that a statement gives that was made of names in the schema.
    async fn number_made(&mut self, sql: String) -> Result<i64> {
        let mut number = 0;
        self.each_made(sql, async |row: Row| {
            number = row.int(0)?;
            Ok(())
        })
        .await?;
        Ok(number)
    }

    /// Lets rows of this transaction point to rows that come later in it. Postgres has its tables listed behind those
    /// that they point to.
    pub(super) async fn defer_references(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.script("PRAGMA defer_foreign_keys = ON").await,
            Self::Postgres(_) => Ok(()),
        }
    }

    /// The last number that was given out by each table that gives numbers.
    pub(super) async fn given_numbers(&mut self) -> Result<Vec<(String, i64)>> {
        let rows = self.rows(self.catalog().numbers, &[]).await?;
        rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
    }

    /// Has a table give out numbers after this one.
    pub(super) async fn go_on_after(&mut self, table: &str, last: i64) -> Result<()> {
        if let Self::Sqlite(sqlite) = self {
            // Rows that are there have set it already, and its list has no key.
            sqlite.execute("DELETE FROM sqlite_sequence WHERE name = $1", &[Arg::from(table)]).await?;
            let sql = "UPDATE numbers SET seq = $2 WHERE name = $1";
            sqlite.execute(sql, &[Arg::from(table), Arg::from(last)]).await?;
        }
        let sql = self.catalog().go_on_after;
        self.rows(sql, &[Arg::from(table), Arg::from(last)]).await.map(drop)
    }

    /// Whether a table of this name exists.
    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool> {
        match self {
            Self::Sqlite(sqlite) => sqlite.has_table(name).await,
            Self::Postgres(postgres) => postgres.has_table(name).await,
        }
    }

    /// Whether the database has no table at all.
    pub(super) async fn is_blank(&mut self) -> Result<bool> {
        match self {
            Self::Sqlite(sqlite) => sqlite.is_blank().await,
            Self::Postgres(postgres) => postgres.is_blank().await,
        }
    }

    /// The encoding of its texts, where there are some that it cannot hold. SQLite has none such.
    pub(super) async fn narrow_encoding(&mut self) -> Result<Option<String>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(postgres) => postgres.narrow_encoding().await,
        }
    }

    /// How the server of the database stands; nothing for a file.
    pub(super) async fn server(&mut self) -> Result<Option<postgres::Server>> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(postgres) => postgres.server().await.map(Some),
        }
    }

    /// What an integrity check complains of; nothing when all is well. Postgres checks its pages as it reads them.
    pub(super) async fn complaints(&mut self) -> Result<Vec<String>> {
        match self {
            Self::Sqlite(sqlite) => sqlite.complaints().await,
            Self::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Writes a compact copy of the database to a file that must not exist yet, and syncs it to the disk.
    pub(super) async fn copy_to(&mut self, path: &Path) -> Result<()> {
        self.file("copy a database in Postgres to a file: use pg_dump")?.copy_to(path).await
    }

    /// Moves what the log holds into the file and empties the log, as far as other processes let it. The log of Postgres is
    /// the server's.
    pub(super) async fn fold_log(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.fold_log().await,
            Self::Postgres(_) => Ok(()),
        }
    }

    /// The connection to a file, for what is done with files alone.
    fn file(&mut self, what: &str) -> Result<&mut sqlite::Conn> {
        match self {
            Self::Sqlite(sqlite) => Ok(sqlite),
            Self::Postgres(_) => Err(StoreError::other(format!("this program does not {what}"))),
        }
    }

    /// Closes the connection and waits for it.
    pub(super) async fn close(mut self) -> Result<()> {
        self.shut().await
    }

    /// Closes the connection where it is; whatever is asked of it later is refused.
    pub(super) async fn shut(&mut self) -> Result<()> {
        match self {
            Self::Sqlite(sqlite) => sqlite.shut().await,
            Self::Postgres(postgres) => postgres.shut().await,
        }
    }
}

/// The statements that ask a database for what it is made of.
#[derive(Clone, Copy)]
pub(super) struct Catalog {
    /// The names of the tables.
    pub(super) tables: &'static str,
    /// The names and kinds of the columns of a table.
    pub(super) columns: &'static str,
    /// The last number that each table has given out.
    pub(super) numbers: &'static str,
    /// Has a table go on after a number.
    pub(super) go_on_after: &'static str,
}

/// One row of an answer. Columns are named by their place.
pub(super) enum Row {
    Sqlite(sqlite::Row),
    Postgres(postgres::Row),
}

impl Row {
    pub(super) fn int(&self, column: usize) -> Result<i64> {
        self.int_or(column)?.ok_or_else(|| StoreError::corrupt("a number is missing"))
    }

    pub(super) fn int_or(&self, column: usize) -> Result<Option<i64>> {
        match self {
            Self::Sqlite(row) => row.get(column),
            Self::Postgres(row) => row.int_or(column),
        }
    }

    /// A number of entries, announcements or attempts, which is never negative.
    pub(super) fn count(&self, column: usize) -> Result<u64> {
        u64::try_from(self.int(column)?).map_err(|_| StoreError::corrupt("a count is negative"))
    }

    /// A count that is bounded far below what fits.
    pub(super) fn small(&self, column: usize) -> Result<u32> {
        u32::try_from(self.int(column)?).map_err(|_| StoreError::corrupt("a count is out of its bounds"))
    }

    pub(super) fn seq(&self, column: usize) -> Result<Seq> {
        self.count(column)
    }

    pub(super) fn text(&self, column: usize) -> Result<String> {
        match self {
            Self::Sqlite(row) => row.get(column),
            Self::Postgres(row) => row.get(column),
        }
    }

    pub(super) fn text_or(&self, column: usize) -> Result<Option<String>> {
        match self {
            Self::Sqlite(row) => row.get(column),
            Self::Postgres(row) => row.get(column),
        }
    }

    pub(super) fn bytes(&self, column: usize) -> Result<Vec<u8>> {
        match self {
            Self::Sqlite(row) => row.get(column),
            Self::Postgres(row) => row.get(column),
        }
    }

    pub(super) fn bytes_or(&self, column: usize) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Sqlite(row) => row.get(column),
            Self::Postgres(row) => row.get(column),
        }
    }
}
