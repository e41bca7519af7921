//! What the disk itself allows: the measure for everything durable.

use std::io::Write as _;

use sqlx::{
    ConnectOptions as _, Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use tokio::runtime::Runtime;

use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 500;

/// Commits after which SQLite begins its log again. A log that still grows costs a busy file system much more than one
/// that is written over, which is the usual case.
pub(crate) const LOG_ROUNDS: usize = 1000;

/// An append made durable, and a commit of one row with the settings that the store uses.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let append = append(bench);
    let commit = bare_commit(bench);
    vec![append.row("disk: append 1 kB and sync"), commit.row("disk: bare commit").ratio_to("an append", &append)]
}

fn append(bench: &Bench) -> Times {
    let mut file = tempfile::tempfile_in(bench.folder()).expect("the folder is writable");
    Times::of(bench.rounds(ROUNDS), || {
        file.write_all(&[b'x'; 1024]).expect("the disk has room");
        file.sync_data().expect("the disk syncs");
    })
}

/// A commit of one small row, which the durable actions are compared with.
pub(crate) fn bare_commit(bench: &Bench) -> Times {
    let folder = tempfile::tempdir_in(bench.folder()).expect("the folder is writable");
    let runtime = Runtime::new().expect("a runtime starts");
    let mut database = runtime.block_on(async {
        let mut database = SqliteConnectOptions::new()
            .filename(folder.path().join("bare.db"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .connect()
            .await
            .expect("a database opens");
        run(&mut database, "CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER)").await;
        for _ in 0..bench.rounds(LOG_ROUNDS) {
            run(&mut database, "INSERT INTO t (value) VALUES (0)").await;
        }
        database
    });
    let times = Times::of(bench.rounds(ROUNDS), || {
        runtime.block_on(async {
            run(&mut database, "BEGIN IMMEDIATE").await;
            run(&mut database, "INSERT INTO t (value) VALUES (1)").await;
            run(&mut database, "COMMIT").await;
        });
    });
    runtime.block_on(database.close()).expect("a database closes");
    times
}

async fn run(database: &mut SqliteConnection, sql: &'static str) {
    sqlx::query(sql).execute(database).await.expect("the statement runs");
}
