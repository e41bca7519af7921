//! Postgres: how it is reached, what its errors mean, and the few things that only it does.
//!
//! Nothing else in the store names Postgres. Whoever writes holds one lock of the database until the transaction ends:
//! alone, or together with others who write beside one another. What is written alone leans on a single writer as it does
//! with SQLite, also among several processes. What is written beside others takes the rows that it changes in an order on
//! which all agree: first the head of its room, then destinations as they are sorted.

use std::{
    io::ErrorKind::TimedOut,
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use backon::{ExponentialBuilder, Retryable as _};
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgListener, PgPoolOptions, PgRow};
use sqlx::{
    Arguments as _, Column as _, ConnectOptions as _, Connection as _, Executor as _, Row as _, TypeInfo as _,
    ValueRef as _,
};

use tokio::sync::Notify;

use super::address::Address;
use super::args::Arg;
use super::conn::{Catalog, Manner};
use super::error::{Result, StoreError};
use super::schema;
use super::types::Options;

/// Most connections of a process that write side by side: so many commits share a sync of the disk.
pub(super) const WRITERS_MAX_COUNT: usize = 4;

/// Most commits of rooms in one transaction. The server has those that end at the same time share a sync; and two rooms in
/// one transaction would take their rows in an order of their own.
pub(super) const GROUP_MAX_COUNT: usize = 1;

/// Sees the database as it is from the first look on. It stands in nobody's way, and may stand still.
const BEGIN_READING: &str =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0";

/// Longest that one statement of a transaction that writes takes.
const STATEMENT_TIMEOUT: &str = "60s";

/// When the server takes a process for gone that it cannot reach: what it sent is not acknowledged for so many
/// milliseconds, or this many probes in a row are not, the first after so many seconds and the next ones so many apart.
const REACHED_WITHIN: [(&str, &str); 4] = [
    ("tcp_user_timeout", "9000"),
    ("tcp_keepalives_idle", "3"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
];

/// Asks what time it is, in microseconds since 1970 UTC.
pub(super) const NOW: &str = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT";

/// Asks for what a database is made of.
pub(super) const CATALOG: Catalog = Catalog {
    // In the order in which they were made: each behind those that it points to.
    tables: "SELECT relname::TEXT FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::REGNAMESPACE \
             ORDER BY oid",
    columns: "SELECT column_name::TEXT, data_type::TEXT FROM information_schema.columns \
              WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' \
              ORDER BY ordinal_position",
    numbers: "SELECT c.table_name::TEXT, s.last_value FROM information_schema.columns c \
              JOIN pg_sequences s ON s.schemaname = c.table_schema \
              AND s.sequencename = c.table_name || '_' || c.column_name || '_seq' \
              WHERE c.table_schema = current_schema() AND c.is_identity = 'YES' AND s.last_value IS NOT NULL \
              ORDER BY 1",
    // A table that gives out no numbers has none to go on after.
    go_on_after: "SELECT setval(s.name, GREATEST($2, s.given)) FROM ( \
                  SELECT pg_get_serial_sequence(c.table_name, c.column_name) AS name, \
                  COALESCE((SELECT q.last_value FROM pg_sequences q WHERE q.schemaname = c.table_schema \
                  AND q.sequencename = c.table_name || '_' || c.column_name || '_seq'), 1) AS given \
                  FROM information_schema.columns c WHERE c.table_schema = current_schema() AND c.table_name = $1 \
                  AND c.is_identity = 'YES') s WHERE $2 > 0",
};

/// Where processes tell each other something; each database has its own.
const CHANNEL: &str = "rulekeeper";

/// How soon it is tried again to reach a server that was there before, in milliseconds; then less and less often.
const REACHED_AGAIN_AFTER_MILLISECONDS: u64 = 20;

/// How long such a server is waited for, in seconds: longer than one takes to start anew.
const REACHED_AGAIN_WITHIN_SECONDS: u64 = 10;

/// What a server may have off, each with what that can cost.
const DOUBTS: [(&str, &str); 4] = [
    ("fsync", "a power cut can cost everything"),
    ("full_page_writes", "a power cut can spoil what was written long before"),
    ("synchronous_commit", "when the server crashes, acts can be lost that were answered"),
    ("data_checksums", "damage on the server's disk is not noticed there"),
];

/// Asks whether the role may write: to every table, or where there is none yet, make some.
const MAY_WRITE: &str = "SELECT COALESCE(NOT pg_is_in_recovery() AND COALESCE(bool_and(has_table_privilege(oid, 'INSERT') \
                         AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')), \
                         has_schema_privilege(current_schema(), 'CREATE')), FALSE) \
                         FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::REGNAMESPACE";

/// How a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Whether the role may write: a server that follows another one lets nobody.
    pub may_write: bool,
    /// What breaks promises of the program, in sentences without a full stop.
    pub doubts: Vec<String>,
}

/// How to reach a database.
#[derive(Clone)]
pub(super) struct Connector {
    address: Address,
    options: Box<PgConnectOptions>,
    past: Arc<Past>,
}

/// What was seen of a server by all who use a connector.
#[derive(Default)]
struct Past {
    /// Whether it ever answered.
    reached: AtomicBool,
    /// How many connections have broken: those that were opened before may be broken as well.
    breaks: AtomicU64,
    /// Told when nobody waits any longer for what the server is asked.
    hung_up: Notify,
}

impl Past {
    /// Waits for what the server is asked, until somebody hangs up.
    async fn wait<T>(&self, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        tokio::select! {
            biased;
            answer = answer => answer,
            () = self.hung_up.notified() => Err(std::io::Error::new(TimedOut, "the database does not answer").into()),
        }
    }
}

impl Connector {
    /// Reads `postgres://user:password@host:port/database`, as libpq does.
    pub(super) fn parse(address: &str, options: &Options) -> Result<Self> {
        let shown = Address::new(address);
        // What the driver says of it may repeat the password.
        let read = PgConnectOptions::from_str(address)
            .map_err(|_| StoreError::other(format!("{shown} is no address of a database in Postgres")))?;
        let [waits, stands] =
            [options.busy_timeout, options.idle_timeout].map(|longest| format!("{}ms", longest.as_millis()));
        let options = read
            .application_name("rulekeeper")
            .options([("lock_timeout", waits.as_str()), ("client_min_messages", "warning")])
            .options([("idle_in_transaction_session_timeout", stands.as_str())])
            .options(REACHED_WITHIN)
            .disable_statement_logging();
        Ok(Self { address: shown, options: Box::new(options), past: Arc::default() })
    }

    /// What the database is called in messages.
    pub(super) fn name(&self) -> String {
        self.address.to_string()
    }

    /// Ends every wait for the server: what is asked on a dead link is answered by nobody.
    pub(super) fn hang_up(&self) {
        self.past.hung_up.notify_waiters();
    }

    /// The connection that writes.
    pub(super) async fn writer(&self) -> Result<Conn> {
        self.open(&self.options.as_ref().clone().options([("statement_timeout", STATEMENT_TIMEOUT)])).await
    }

    /// A connection that reads. As long as it is in no transaction, it is opened anew where it breaks, and nobody notices.
    pub(super) async fn reader(&self) -> Result<Conn> {
        let options = self.options.as_ref().clone().options([("default_transaction_read_only", "on")]);
        let home = Self { options: Box::new(options), ..self.clone() };
        let conn = home.open(&home.options).await?;
        Ok(Conn { home: Some(home), ..conn })
    }

    /// A connection on which processes tell each other something.
    pub(super) async fn listen(&self) -> Result<Line> {
        // What is told is on no disk, and waits for none.
        let options = self.options.as_ref().clone().options([("synchronous_commit", "off")]);
        let one = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        let mut line = PgListener::connect_with(&one).await.map_err(told)?;
        line.listen(CHANNEL).await.map_err(told)?;
        Ok(Line(line))
    }

    /// Opens a connection. A server that was there before may be starting anew, and so may one that answers so.
    async fn open(&self, options: &PgConnectOptions) -> Result<Conn> {
        let breaks = self.past.breaks.load(Relaxed);
        let pauses = ExponentialBuilder::new()
            .with_min_delay(Duration::from_millis(REACHED_AGAIN_AFTER_MILLISECONDS))
            .without_max_times()
            .with_total_delay(Some(Duration::from_secs(REACHED_AGAIN_WITHIN_SECONDS)));
        let opening = (|| options.connect())
            .retry(pauses)
            .when(|error| is_of_connection(error) && (self.past.reached.load(Relaxed) || !is_out_of_reach(error)));
        // It is large and seldom done: whoever asks for a row would carry it along.
        match self.past.wait(Box::pin(opening.into_future())).await {
            Ok(conn) => {
                self.past.reached.store(true, Relaxed);
                Ok(Conn { inner: Some(conn), lost: false, breaks, past: Arc::clone(&self.past), home: None })
            }
            // The server's own words of a refusal name the user at most.
            Err(error) => {
                let say = format!("{} cannot be reached: {}", self.address, told(error).source_told());
                Err(if self.past.reached.load(Relaxed) { StoreError::Lost(say.into()) } else { StoreError::other(say) })
            }
        }
    }
}

/// A connection on which processes tell each other something.
pub(super) struct Line(PgListener);

impl Line {
    /// Waits for what somebody tells. Dropped before it ends, it has heard nothing.
    pub(super) async fn hear(&mut self) -> Result<String> {
        match self.0.try_recv().await.map_err(told)? {
            Some(notification) => Ok(notification.payload().to_owned()),
            None => Err(StoreError::other("the connection on which processes tell each other something is lost")),
        }
    }

    /// Tells something to all who listen.
    pub(super) async fn tell(&mut self, news: &str) -> Result<()> {
        let sql = "SELECT pg_notify($1, $2)";
        sqlx::query(sql).bind(CHANNEL).bind(news).execute(&mut self.0).await.map(drop).map_err(told)
    }
}

/// One connection.
pub(super) struct Conn {
    /// `None` once closed.
    inner: Option<PgConnection>,
    /// Whether it has broken: whoever needs one opens another.
    lost: bool,
    /// How many had broken when it was opened.
    breaks: u64,
    past: Arc<Past>,
    /// How it is opened anew, where it only reads and is in no transaction.
    home: Option<Connector>,
}

impl Conn {
    /// Whether it has broken and is of no more use, or another one has since it was opened.
    pub(super) fn is_lost(&self) -> bool {
        self.lost || self.breaks != self.past.breaks.load(Relaxed)
    }

    /// Opens it anew where it has just broken and nothing was under way, once for a statement: it may be what breaks it.
    /// Whether it did.
    async fn is_open_anew(&mut self, is_tried: &mut bool) -> bool {
        let is_first = !std::mem::replace(is_tried, true);
        let Some(home) = self.home.take_if(|_| self.lost && is_first) else { return false };
        match home.open(&home.options).await {
            Ok(conn) => {
                *self = Self { home: Some(home), ..conn };
                true
            }
            Err(error) => {
                tracing::warn!(%error, "a connection broke, and no other one can be opened");
                false
            }
        }
    }

    /// Begins a transaction that sees the database as it is from the first look on. It ends with the connection.
    pub(super) async fn begin_reading(&mut self) -> Result<()> {
        self.home = None;
        self.script(BEGIN_READING).await
    }

    fn inner(&mut self) -> Result<&mut PgConnection> {
        self.inner.as_mut().ok_or_else(|| StoreError::other("the store is closed"))
    }

    fn note<T>(&mut self, done: std::result::Result<T, sqlx::Error>) -> Result<T> {
        done.map_err(|error| {
            if is_of_connection(&error) && !std::mem::replace(&mut self.lost, true) {
                self.past.breaks.fetch_add(1, Relaxed);
            }
            told(error)
        })
    }

    pub(super) async fn execute(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        let (bound, past) = (bind(args)?, Arc::clone(&self.past));
        let done = past.wait(sqlx::query_with(sql, bound).execute(self.inner()?)).await;
        self.note(done).map(|done| done.rows_affected())
    }

    pub(super) async fn row(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Option<Row>> {
        let mut is_tried = false;
        loop {
            let (bound, past) = (bind(args)?, Arc::clone(&self.past));
            let row = past.wait(sqlx::query_with(sql, bound).fetch_optional(self.inner()?)).await;
            match self.note(row) {
                Err(StoreError::Lost(_)) if self.is_open_anew(&mut is_tried).await => {}
                row => return row?.map(Row::checked).transpose(),
            }
        }
    }

    pub(super) async fn rows(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        let mut is_tried = false;
        loop {
            let (bound, past) = (bind(args)?, Arc::clone(&self.past));
            let rows = past.wait(sqlx::query_with(sql, bound).fetch_all(self.inner()?)).await;
            match self.note(rows) {
                Err(StoreError::Lost(_)) if self.is_open_anew(&mut is_tried).await => {}
                rows => return rows?.into_iter().map(Row::checked).collect(),
            }
        }
    }

    pub(super) async fn rows_while(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
        mut take: impl FnMut(super::conn::Row) -> Result<bool> + Send,
    ) -> Result<()> {
        use futures::TryStreamExt as _;
        let (mut is_first, mut is_tried) = (true, false);
        loop {
            let (bound, past) = (bind(args)?, Arc::clone(&self.past));
            let mut rows = sqlx::query_with(sql, bound).fetch(self.inner()?);
            let error = loop {
                match past.wait(rows.try_next()).await {
                    Ok(Some(row)) => {
                        is_first = false;
                        if !take(super::conn::Row::Postgres(Row::checked(row)?))? {
                            return Ok(());
                        }
                    }
                    Ok(None) => return Ok(()),
                    Err(error) => break error,
                }
            };
            drop(rows);
            match self.note(Err(error)) {
                // Nobody has seen a row twice.
                Err(StoreError::Lost(_)) if is_first && self.is_open_anew(&mut is_tried).await => {}
                ended => return ended,
            }
        }
    }

    /// Gives every row of a statement that was made of names in the schema, in turn.
    pub(super) async fn each_made(
        &mut self,
        sql: String,
        mut take: impl AsyncFnMut(super::conn::Row) -> Result<()>,
    ) -> Result<()> {
        use futures::TryStreamExt as _;
        let past = Arc::clone(&self.past);
        let mut rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(self.inner()?);
        while let Some(row) = past.wait(rows.try_next()).await.map_err(told)? {
            take(super::conn::Row::Postgres(Row(row))).await?;
        }
        Ok(())
    }

    /// Runs a statement that was made of names in the schema, with parameters.
    pub(super) async fn execute_made_with(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        let (bound, past) = (bind(args)?, Arc::clone(&self.past));
        let done = past.wait(sqlx::query_with(sqlx::AssertSqlSafe(sql), bound).execute(self.inner()?)).await;
        self.note(done).map(drop)
    }

    /// Begins a transaction in one turn to the server. The lock is the writer's, whichever process that is in; what is read
    /// behind it is what the one before has left.
    pub(super) async fn begin(&mut self, Manner { durable, alone, checked }: Manner) -> Result<Option<String>> {
        let lazily = if durable { "" } else { "SET LOCAL synchronous_commit = off; " };
        let lock = if alone { "pg_advisory_xact_lock" } else { "pg_advisory_xact_lock_shared" };
        let then = if checked { schema::FOUND } else { "" };
        let sql = format!("BEGIN; {lazily}SELECT {lock}(7265657); {then}");
        let past = Arc::clone(&self.past);
        let rows = past.wait(self.inner()?.fetch_all(sqlx::raw_sql(sqlx::AssertSqlSafe(sql)))).await;
        let rows = self.note(rows)?;
        // Before it stands what the lock gives, which is empty.
        rows.into_iter().skip(1).last().map(|row| Row(row).get(0)).transpose()
    }

    pub(super) async fn script(&mut self, sql: &'static str) -> Result<()> {
        let past = Arc::clone(&self.past);
        let done = past.wait(self.inner()?.execute(sqlx::raw_sql(sql))).await;
        self.note(done).map(drop)
    }

    pub(super) async fn has_table(&mut self, name: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1";
        Ok(self.row(sql, &[Arg::from(name)]).await?.is_some())
    }

    pub(super) async fn is_blank(&mut self) -> Result<bool> {
        let sql = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1";
        Ok(self.row(sql, &[]).await?.is_none())
    }

    /// The encoding of the database, where it is another one than UTF-8. That is chosen when a database is made, and
    /// cannot be changed.
    pub(super) async fn narrow_encoding(&mut self) -> Result<Option<String>> {
        let row = self.row("SELECT current_setting('server_encoding')", &[]).await?;
        let encoding = row.map(|row| row.get::<String>(0)).transpose()?;
        Ok(encoding.filter(|encoding| encoding != "UTF8"))
    }

    /// How the server stands: what it is set to, and what its role may do.
    pub(super) async fn server(&mut self) -> Result<Server> {
        let row = self.row(MAY_WRITE, &[]).await?;
        let may_write = row.map_or(Ok(false), |row| row.get(0))?;
        let off = self.rows("SELECT name FROM pg_settings WHERE setting = 'off'", &[]).await?;
        let off = off.iter().map(|row| row.get::<String>(0)).collect::<Result<Vec<_>>>()?;
        let doubts = DOUBTS.into_iter().filter(|(name, _)| off.iter().any(|off| off == name));
        Ok(Server { may_write, doubts: doubts.map(|(name, costs)| format!("{name} is off: {costs}")).collect() })
    }

    /// Takes the lock of a process that delivers where no other one has it; whether it did.
    pub(super) async fn is_alone(&mut self) -> Result<bool> {
        Ok(self.row("SELECT 1 WHERE pg_try_advisory_lock(7265658)", &[]).await?.is_some())
    }

    /// Shares that lock with others from now on, and no longer has it alone.
    pub(super) async fn share(&mut self, alone: bool) -> Result<()> {
        self.script("SELECT pg_advisory_lock_shared(7265658)").await?;
        if alone {
            self.script("SELECT pg_advisory_unlock(7265658)").await?;
        }
        Ok(())
    }

    /// Gives that lock up, where the connection still has it, and closes the connection.
    pub(super) async fn leave(&mut self) -> Result<()> {
        if self.script("SELECT pg_advisory_unlock_shared(7265658)").await.is_err() {
            // It went with the connection.
            return Ok(());
        }
        self.shut().await
    }

    /// Closes the connection where it is; whatever is asked of it later is refused.
    pub(super) async fn shut(&mut self) -> Result<()> {
        match self.inner.take() {
            // One that is lost is closed already.
            Some(conn) if !self.lost => conn.close().await.map_err(told),
            _ => Ok(()),
        }
    }
}

/// The character that Postgres keeps in no text.
const NONE: char = '\0';

fn bind(args: &[Arg<'_>]) -> Result<PgArguments> {
    let mut bound = PgArguments::default();
    for arg in args {
        match *arg {
            Arg::Int(value) => bound.add(value),
            Arg::Text(Some(text)) if text.contains(NONE) => {
                return Err(StoreError::other("a text holds the character U+0000, which Postgres does not keep"));
            }
            Arg::Text(value) => bound.add(value),
            Arg::Bytes(value) => bound.add(value),
        }
        .map_err(StoreError::Other)?;
    }
    Ok(bound)
}

/// One row of an answer. Columns are named by their place.
pub(super) struct Row(PgRow);

impl Row {
    /// A row, where it is as it was written, as far as the statement asks.
    fn checked(row: PgRow) -> Result<Self> {
        let last = row.columns().last().filter(|last| last.name() == schema::WHOLE);
        match last.map(|last| row.try_get::<Option<bool>, _>(last.ordinal())).transpose().map_err(told)? {
            None | Some(Some(true)) => Ok(Self(row)),
            Some(_) => Err(StoreError::damaged_row()),
        }
    }

    pub(super) fn get<'r, T>(&'r self, column: usize) -> Result<T>
    where
        T: sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        self.0.try_get(column).map_err(told)
    }

    /// A whole number, of whatever width the statement has made it.
    pub(super) fn int_or(&self, column: usize) -> Result<Option<i64>> {
        let raw = self.0.try_get_raw(column).map_err(told)?;
        if raw.is_null() {
            return Ok(None);
        }
        match raw.type_info().name() {
            "INT4" => self.get::<i32>(column).map(|value| Some(value.into())),
            _ => self.get(column).map(Some),
        }
    }
}

/// Whether an error is one of the connection, after which it is of no more use.
fn is_of_connection(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(inner) => inner.code().is_some_and(|code| is_of_ending(&code)),
        _ => false,
    }
}

/// Whether nothing answered at all. What answers, and takes no connections yet or not any more, is a server.
fn is_out_of_reach(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Tls(_))
}

/// Whether the server ends, has crashed, does not take connections yet, or has ended a connection that stood still.
fn is_of_ending(code: &str) -> bool {
    code.starts_with("57P") || code == "25P03"
}

/// What an error of the driver means. The main text of Postgres's errors names tables and columns; what may repeat a value
/// is left out.
fn told(error: sqlx::Error) -> StoreError {
    match &error {
        sqlx::Error::Database(inner) => match inner.code().as_deref() {
            Some(code) if is_of_ending(code) => StoreError::Lost(inner.message().to_owned().into()),
            // A lock that is not let go, a deadlock, two transactions that cannot both be, a statement that took too long.
            Some("55P03" | "40P01" | "40001" | "57014") => StoreError::Locked { by: None },
            Some("53100") => StoreError::Full,
            Some("XX001" | "XX002") => StoreError::corrupt(inner.message()),
            _ => StoreError::other(inner.message().to_owned()),
        },
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::corrupt(error.to_string()),
        sqlx::Error::Configuration(_) => StoreError::other("the address of the database cannot be used"),
        _ if is_of_connection(&error) => StoreError::Lost(error.into()),
        _ => StoreError::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_link_that_brings_nothing_back_keeps_nobody_once_somebody_hangs_up() {
        let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("postgres://somebody@{}/games?sslmode=disable", dead.local_addr().unwrap());
        let connector = Connector::parse(&address, &Options::default()).unwrap();
        // One that was there before is tried again, and not once it was hung up on.
        connector.past.reached.store(true, Relaxed);
        let mut opening = Box::pin(connector.writer());
        let taken = tokio::select! {
            taken = dead.accept() => taken,
            _ = &mut opening => panic!("nobody answered"),
        };
        connector.hang_up();
        assert!(matches!(futures::poll!(opening), std::task::Poll::Ready(Err(StoreError::Lost(_)))));
        drop(taken);
    }
}
