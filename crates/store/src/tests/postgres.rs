//! The same with Postgres: a server of its own, in which each test has a database.

use std::{
    collections::BTreeMap,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
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

    /// What waits for a server that does not answer ends when somebody hangs up, and what is asked next has another connection.
    #[tokio::test]
    async fn what_waits_in_vain_ends_when_somebody_hangs_up() {
        let Some(path) = database() else { return };
        let store = open(&path).await;
        let id = room(&store, "main").await;
        // Beside others: the server goes on with it, and keeps its locks.
        let mut tx = store.db.write_beside().await.unwrap();
        let mut waits = Box::pin(tx.execute("SELECT pg_sleep(600)", &[]));
        assert!(futures::poll!(waits.as_mut()).is_pending());
        store.hang_up();
        let error = waits.await.unwrap_err();
        drop(tx);
        assert!(matches!(error, StoreError::Lost(_)), "{error}");
        assert_eq!(store.last_seq(id).await.unwrap(), 0);
        store.commit(id, one(0)).await.unwrap();
    }

    /// A process that is frozen in the midst of a transaction keeps nobody waiting, and commits nothing when it goes on.
    #[tokio::test]
    async fn a_transaction_that_stands_still_is_ended_by_the_server() {
        let Some(path) = database() else { return };
        let frozen = Store::open(&path, Options { idle_timeout: Duration::from_millis(50), ..Options::default() });
        let (frozen, other) = (frozen.await.unwrap(), open(&path).await);
        let id = room(&other, "main").await;
        let mut stands = frozen.db.write().await.unwrap();
        stands.execute("DELETE FROM heads", &[]).await.unwrap();
        other.commit(id, one(0)).await.unwrap();
        assert!(matches!(stands.commit().await, Err(StoreError::Lost(_))));
        // It goes on with another connection.
        assert_eq!(frozen.last_seq(id).await.unwrap(), 1);
        frozen.commit(id, one(1)).await.unwrap();
    }

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
        // Nor does who looks.
        assert_eq!(store.last_seq(id).await.unwrap(), 1);
        assert_eq!(store.entries(id, 1, 10).await.unwrap().len(), 1);
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

    /// Given processes that commit in rooms of their own, announce in the same channels, each in its own order, and deliver
    /// meanwhile. Then nobody is refused, each announcement is delivered once, those of a room in their order, and none is
    /// left behind.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn several_processes_commit_and_deliver_beside_one_another() {
        const COMMITS: u64 = 30;
        let Some(path) = database() else { return };
        let channels = ["#a", "#b", "#c"].map(forum);
        let said = Arc::new(AtomicUsize::new(0));
        let (mut writing, mut delivering) = (Vec::new(), Vec::new());
        for number in 0..3 {
            let store = open(&path).await;
            for part in 0..2 {
                let (store, mut channels, said) = (store.clone(), channels.clone(), Arc::clone(&said));
                channels.rotate_left(number);
                let room = room(&store, &format!("room {number}.{part}")).await;
                writing.push(tokio::spawn(async move {
                    for seq in 0..COMMITS {
                        let text = |to: &Destination| say(to, seq + 1, &format!("{seq}"));
                        // Now and then all at once, else so little that a queue is mostly empty.
                        let some = if seq % 10 == 0 { &channels[..] } else { &channels[..1] };
                        let outbox: Vec<_> = some.iter().chain(&channels[..1]).map(text).collect();
                        said.fetch_add(outbox.len(), Ordering::Relaxed);
                        store.commit(room, Commit { outbox, ..one(seq) }).await.unwrap();
                    }
                }));
            }
            let delivers = store.clone();
            delivering.push(tokio::spawn(async move {
                let mut seen = Vec::new();
                while seen.len() < 1_000_000 {
                    match delivers.lease("irc:test", 1, 1_000).await.unwrap() {
                        Some(row) if delivers.mark_delivered(row.id).await.unwrap() => seen.push(row),
                        Some(row) => panic!("{row:?} was delivered by somebody else"),
                        None if delivers.last_seq(RoomId(1)).await.unwrap() == COMMITS + 1 => break,
                        None => tokio::task::yield_now().await,
                    }
                }
                seen
            }));
        }
        for each in writing {
            each.await.unwrap();
        }
        let store = open(&path).await;
        // That all of it is written.
        store.commit(RoomId(1), one(COMMITS)).await.unwrap();
        let mut delivered = Vec::new();
        for each in delivering {
            let seen = each.await.unwrap();
            let mut last = BTreeMap::new();
            for row in &seen {
                let before = last.insert((row.to.clone(), row.room), row.id);
                assert!(before < Some(row.id), "{row:?} after {before:?}");
            }
            delivered.extend(seen);
        }
        assert_eq!(store.pending().await.unwrap(), 0);
        assert_eq!(store.queues().await.unwrap(), []);
        assert_eq!(store.next_ready("irc:test").await.unwrap(), None);
        assert_eq!(delivered.len(), said.load(Ordering::Relaxed));
    }

    /// Given a commit under way that announces, and meanwhile the one announcement before it is struck out. Then who strikes
    /// out waits, sees the other one, and leaves it to be delivered.
    #[tokio::test]
    async fn what_is_announced_while_the_last_one_is_struck_out_is_delivered() {
        let Some(path) = database() else { return };
        let (commits, delivers) = (open(&path).await, open(&path).await);
        let id = room(&commits, "main").await;
        let announcing = |seq| Commit { outbox: vec![say(&forum("#main"), seq + 1, &format!("{seq}"))], ..one(seq) };
        commits.commit(id, announcing(0)).await.unwrap();
        let first = delivers.lease("irc:test", 1, 10).await.unwrap().unwrap();
        let mut tx = commits.db.write_lazily_beside().await.unwrap();
        crate::journal::append(&mut tx, id, &announcing(1)).await.unwrap();
        let striking = {
            let delivers = delivers.clone();
            tokio::spawn(async move { delivers.mark_delivered(first.id).await })
        };
        let sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        while commits.db.read().await.unwrap().row(sql, args::args![]).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        tx.commit().await.unwrap();
        assert!(striking.await.unwrap().unwrap());
        let second = delivers.lease("irc:test", 1, 10).await.unwrap().expect("it waits");
        assert_eq!((second.document.as_str(), delivers.queues().await.unwrap()[0].pending), ("1", 1));
        assert!(delivers.mark_delivered(second.id).await.unwrap());
        assert_eq!(delivers.queues().await.unwrap(), []);
    }

    #[tokio::test]
    async fn an_account_that_several_processes_see_at_once_is_one_person() {
        let Some(path) = database() else { return };
        let stores = [open(&path).await, open(&path).await, open(&path).await];
        for number in 0..20 {
            let account = port::Account { service: "irc:test".to_owned(), id: format!("ann{number}") };
            let all = stores.iter().map(|store| store.person_for(&account, "Ann", 1));
            let seen: Vec<_> = futures::future::join_all(all).await.into_iter().map(|seen| seen.unwrap().id).collect();
            assert!(seen.iter().all(|person| *person == seen[0]), "{seen:?}");
        }
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
        // Nor where its connection broke meanwhile, as when the server was started anew.
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        store.db.outside().await.unwrap().rows(sql, args::args![]).await.unwrap();
        store.keep_part().await.unwrap();
        let beside = open(&path).await;
        assert_eq!(beside.take_part().await.unwrap(), 0);
        beside.close().await.unwrap();
        store.close().await.unwrap();
        assert_eq!(open(&path).await.take_part().await.unwrap(), 1);
    }

    /// Given a new database whose tables are broken off in the middle. Then it is blank, and the next start makes them.
    #[tokio::test]
    async fn tables_that_are_made_half_way_are_not_there() {
        let Some(path) = database() else { return };
        let connector = db::Connector::parse(&path, Options::default()).unwrap();
        let (mut conn, mut other) = (connector.writer().await.unwrap(), connector.writer().await.unwrap());
        // Somebody else makes a table of the same name: there it waits, with others made already.
        conn.script("BEGIN; CREATE TABLE claims ()").await.unwrap();
        let starting = {
            let path = path.clone();
            tokio::spawn(async move { Store::open(&path, Options::default()).await.map(drop) })
        };
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                   AND datname = current_database()";
        while other.rows(sql, args::args![]).await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        assert!(starting.await.unwrap().is_err());
        conn.script("ROLLBACK").await.unwrap();
        assert!(other.is_blank().await.unwrap());
        let store = open(&path).await;
        let id = room(&store, "main").await;
        store.commit(id, one(0)).await.unwrap();
    }

    /// Given a server whose disk is full, as far as a process on it can tell. Then nothing is written, that is said, and it
    /// goes on once there is room.
    #[tokio::test]
    async fn a_server_whose_disk_is_full_says_so_and_nothing_is_done_by_half() {
        let Some(path) = database() else { return };
        let store = open(&path).await;
        let id = room(&store, "main").await;
        let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$; \
                    CREATE TRIGGER full_disk BEFORE INSERT ON outbox EXECUTE FUNCTION full_disk()";
        let mut other = db::Connector::parse(&path, Options::default()).unwrap().writer().await.unwrap();
        other.script(full).await.unwrap();
        let announcing = || Commit { outbox: vec![say(&forum("#main"), 1, "a")], ..one(0) };
        let refused = store.commit(id, announcing()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Full), "{refused}");
        assert_eq!((store.last_seq(id).await.unwrap(), store.pending().await.unwrap()), (0, 0));
        other.script("DROP TRIGGER full_disk ON outbox").await.unwrap();
        store.commit(id, announcing()).await.unwrap();
        assert_eq!(store.pending().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_database_of_another_schema_is_left_as_it_is() {
        let Some(path) = database() else { return };
        open(&path).await.close().await.unwrap();
        let mut other = db::Connector::parse(&path, Options::default()).unwrap().writer().await.unwrap();
        other.script("INSERT INTO schema_versions (version, sha256) VALUES (99, 'unknown')").await.unwrap();
        let why = Store::open(&path, Options::default()).await.unwrap_err();
        assert!(matches!(why, StoreError::OtherSchema { .. }), "{why}");
    }

    /// The server would refuse some texts only once somebody says them.
    #[tokio::test]
    async fn a_database_that_cannot_hold_every_text_is_left_as_it_is() {
        let Some(path) = database() else { return };
        let mut other = db::Connector::parse(&path, Options::default()).unwrap().writer().await.unwrap();
        other.script("CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0").await.unwrap();
        let (address, socket) = path.split_once('?').expect("it names the socket");
        let (server, _) = address.rsplit_once('/').expect("it names the database");
        let narrow = format!("{server}/narrow?{socket}");
        for why in [Store::open(&narrow, Options::default()).await.err(), Store::is_made(&narrow).await.err()] {
            let why = why.expect("it is refused");
            assert!(matches!(&why, StoreError::Encoding { encoding, .. } if encoding == "LATIN1"), "{why}");
        }
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
