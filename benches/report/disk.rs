//! What the disk itself allows: the measure for everything durable.

use std::io::Write as _;

use rusqlite::Connection;

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
    let database = Connection::open(folder.path().join("bare.db")).expect("a database opens");
    let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";
    database.execute_batch(settings).expect("settings");
    let run = |sql| database.prepare_cached(sql).and_then(|mut sql| sql.execute([])).expect("the statement runs");
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER)");
    for _ in 0..bench.rounds(LOG_ROUNDS) {
        run("INSERT INTO t (value) VALUES (0)");
    }
    Times::of(bench.rounds(ROUNDS), || {
        run("BEGIN IMMEDIATE");
        run("INSERT INTO t (value) VALUES (1)");
        run("COMMIT");
    })
}
