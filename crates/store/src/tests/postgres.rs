//! The same with Postgres: a server of its own, in which each test has a database.

use std::{
    path::Path,
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

use super::postgres_server::{self as server, Server};
use super::*;

/// Where the server listens, for a process that plays the tests there.
const SOCKET: &str = "RULEKEEPER_TEST_POSTGRES";

/// What is played there: all that is no matter of files alone.
const PLAYED: [&str; 10] = [
    "tests::journal::",
    "tests::living::",
    "tests::outbox::",
    "tests::outbox_model::",
    "tests::pairs::",
    "tests::people::",
    "tests::postgres::there::",
    "tests::reminders::",
    "tests::threads::",
    "tests::transfer::",
];

/// A new database in the server of this process, where it plays the tests there.
pub(super) fn database() -> Option<String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let socket = std::env::var(SOCKET).ok()?;
    Some(server::database(&socket, &format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed))))
}

#[test]
fn all_of_it_holds_with_postgres_as_well() {
    if server::is_left_out() {
        return;
    }
    let server = Server::start();
    let tests = std::env::current_exe().expect("this program");
    // A database takes a while to be made, and a property one for each case.
    let mut command = Command::new(tests);
    command.args(PLAYED).env(SOCKET, server.socket()).env("PROPTEST_CASES", "8");
    let played = command.output().expect("it runs");
    let told = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{told}\n{}", String::from_utf8_lossy(&played.stderr));
    assert!(!told.contains("running 0 tests"), "{told}");
}

/// What only a server shows.
mod there {
    use super::*;

    #[tokio::test]
    async fn a_connection_that_breaks_is_opened_anew() {
        let Some(path) = database() else { return };
        let store = open(&path).await;
        let id = room(&store, "main").await;
        let cut = || async {
            let other = open(&path).await;
            let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
                       AND datname = current_database() AND application_name = 'rulekeeper'";
            other.db.outside().await.unwrap().rows(sql, args::args![]).await.unwrap();
            other.close().await.unwrap();
        };
        cut().await;
        // Nothing was under way, and nobody hears of it.
        store.commit(id, one(0)).await.unwrap();
        assert_eq!(store.last_seq(id).await.unwrap(), 1);
        cut().await;
        // Whoever looks first is told of it; whoever writes is not.
        assert!(store.last_seq(id).await.is_err());
        assert_eq!(store.last_seq(id).await.unwrap(), 1);
        store.commit(id, one(1)).await.unwrap();
        // What was one moment is no other one.
        let still = store.still().await.unwrap();
        assert_eq!(still.last_seq(id).await.unwrap(), 2);
        cut().await;
        for _ in 0..2 {
            assert!(still.last_seq(id).await.is_err());
        }
    }

    #[tokio::test]
    async fn of_two_processes_one_writes_at_a_time_and_the_other_is_told_of_the_conflict() {
        let Some(path) = database() else { return };
        let (one_store, other) = (open(&path).await, open(&path).await);
        let id = room(&one_store, "main").await;
        let (first, second) = tokio::join!(one_store.commit(id, one(0)), other.commit(id, one(0)));
        assert_eq!([&first, &second].into_iter().filter(|done| done.is_ok()).count(), 1);
        let lost = first.err().or(second.err()).unwrap();
        assert!(matches!(lost, StoreError::Conflict { expected: 0, found: 1 }), "{lost}");
        assert_eq!(other.last_seq(id).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn processes_tell_each_other_which_rooms_went_on() {
        let Some(path) = database() else { return };
        let (one_store, other) = (open(&path).await, open(&path).await);
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let (ours, theirs) = (told.clone(), told);
        let say = |to: tokio::sync::mpsc::UnboundedSender<_>, who: &'static str| {
            move |room, seq| to.send((who, room, seq)).expect("somebody listens")
        };
        let played = async {
            let id = room(&one_store, "main").await;
            for seq in 0.. {
                one_store.commit(id, one(seq)).await.unwrap();
                // Whoever listens a moment too late hears of the next one.
                let wait = std::time::Duration::from_secs(1);
                while let Ok(Some((who, of, seq))) = tokio::time::timeout(wait, heard.recv()).await {
                    if who == "other" {
                        return (id, of, seq);
                    }
                }
            }
            unreachable!("it goes on until it is heard")
        };
        let (id, of, seq) = tokio::select! {
            heard = played => heard,
            _ = one_store.news(say(ours, "one")) => panic!("the connection broke"),
            _ = other.news(say(theirs, "other")) => panic!("the connection broke"),
        };
        assert_eq!(of, id);
        assert!(seq <= one_store.last_seq(id).await.unwrap());
    }

    #[tokio::test]
    async fn what_a_process_that_is_gone_had_leased_is_free_again() {
        let Some(path) = database() else { return };
        let store = open(&path).await;
        assert_eq!(store.take_part().await.unwrap(), 0);
        let id = room(&store, "main").await;
        let to = forum("#main");
        let commit = Commit { outbox: vec![say(&to, 1, "hello")], ..one(0) };
        store.commit(id, commit).await.unwrap();
        assert!(store.lease("irc:test", 10, 1_000_000).await.unwrap().is_some());
        // Beside one that delivers nothing is freed.
        let beside = open(&path).await;
        assert_eq!(beside.take_part().await.unwrap(), 0);
        beside.close().await.unwrap();
        store.close().await.unwrap();
        assert_eq!(open(&path).await.take_part().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn what_is_of_files_alone_is_refused_in_a_sentence() {
        let Some(path) = database() else { return };
        let store = open(&path).await;
        let why = store.backup(Path::new("/nowhere/copy.db")).await.unwrap_err().to_string();
        assert!(why.contains("use pg_dump"), "{why}");
        assert!(store.complaints().await.unwrap().is_empty());
        let id = room(&store, "main").await;
        let mut commit = one(0);
        commit.entries[0].json = "{\"a\":\"\0\"}".to_owned();
        let why = store.commit(id, commit).await.unwrap_err().to_string();
        assert!(why.contains("U+0000"), "{why}");
    }
}
