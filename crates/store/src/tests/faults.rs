//! Faults: a full disk, a locked database, another schema, a file of something else.

use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::*;

/// A connection beside the store, as of another program.
fn beside(path: &str) -> Connection {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    row_sums(&conn).unwrap();
    conn.pragma_update(None, "foreign_keys", true).unwrap();
    conn
}

#[tokio::test]
async fn a_full_disk_leaves_nothing_half_done_and_the_store_usable() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    store.close().await.unwrap();
    let small = Options { max_page_count: Some(140), ..Options::default() };
    let store = Store::open(&path, small).await.unwrap();
    let forum = forum("#hill");
    let large = |expected: u64| {
        let mut commit = one(expected);
        commit.entries[0].json = "x".repeat(20_000);
        commit.outbox.push(say(&forum, expected + 1, "announced"));
        let secret = Secret { salt: vec![1], bytes: vec![2; 20_000] };
        commit.secrets.push(SecretOp::Put { id: format!("program/{expected}"), secret, sealer: Sealer::default() });
        commit
    };
    let mut committed = 0;
    let error = loop {
        match store.commit(hill, large(committed)).await {
            Ok(_) => committed += 1,
            Err(error) => break error,
        }
        assert!(committed < 100, "the bound holds");
    };
    assert!(matches!(error, StoreError::Full), "{error:?}");
    assert!(committed > 1);
    for _ in 0..3 {
        assert!(matches!(store.commit(hill, large(committed)).await, Err(StoreError::Full)));
    }
    let whole = async |store: &Store, committed: u64| {
        assert_eq!(store.last_seq(hill).await.unwrap(), committed);
        assert_eq!(store.entries(hill, 1, 1000).await.unwrap().len() as u64, committed);
        assert_eq!(store.pending().await.unwrap(), committed);
        assert_eq!(store.secret_ids(hill, "").await.unwrap().len() as u64, committed);
    };
    whole(&store, committed).await;
    drop(store);
    let store = open(&path).await;
    whole(&store, committed).await;
    store.commit(hill, large(committed)).await.unwrap();
    whole(&store, committed + 1).await;
}

#[tokio::test]
async fn a_locked_database_is_waited_for_no_longer_than_the_bound() {
    let (_folder, path) = folder();
    let impatient = Options { busy_timeout: Duration::from_millis(5), ..Options::default() };
    let store = Store::open(&path, impatient.clone()).await.unwrap();
    let hill = room(&store, "hill").await;
    let other = beside(&path);
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let locked = store.commit(hill, one(0)).await;
    let ours = std::process::id();
    // Only Linux says whose a lock is.
    let is_named = |by: Option<u32>| by == Some(ours) || !cfg!(target_os = "linux");
    assert!(matches!(locked, Err(StoreError::Locked { by }) if is_named(by)), "{locked:?}");
    assert_eq!(store.last_seq(hill).await.unwrap(), 0, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    store.commit(hill, one(0)).await.unwrap();
}

#[tokio::test]
async fn a_database_is_opened_while_another_process_writes() {
    let (_folder, path) = folder();
    room(&open(&path).await, "hill").await;
    let other = beside(&path);
    other.execute_batch("BEGIN EXCLUSIVE; UPDATE rooms SET config = '{}'").unwrap();
    let impatient = Options { busy_timeout: Duration::from_millis(5), ..Options::default() };
    let store = Store::open(&path, impatient).await.unwrap();
    assert_eq!(store.rooms().await.unwrap().len(), 1);
}

#[tokio::test]
async fn several_that_open_a_new_database_at_once_all_succeed() {
    for _ in 0..10 {
        let (folder, path) = folder();
        let opened = futures::future::join_all((0..4).map(|_| Store::open(&path, Options::default()))).await;
        let names = ["a", "b", "c", "d"];
        for (store, name) in opened.into_iter().zip(names) {
            room(&store.unwrap(), name).await;
        }
        // Names alone: the stores still open and close the files beside the database while they are listed.
        let names = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().contains(".new-")).count(), 0);
    }
}

#[tokio::test]
async fn a_transaction_holds_the_lock_from_its_beginning() {
    let (_folder, path) = folder();
    let impatient = Options { busy_timeout: Duration::from_millis(5), ..Options::default() };
    let (left, right) = (open(&path).await, Store::open(&path, impatient).await.unwrap());
    let tx = left.db.write().await.unwrap();
    assert!(matches!(right.db.write().await.map(drop), Err(StoreError::Locked { .. })));
    tx.undo().await;
    right.db.write().await.unwrap().undo().await;
}

#[test]
fn a_transaction_dropped_outside_the_runtime_is_rolled_back_by_the_next() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let store = runtime.block_on(Store::in_memory()).unwrap();
    let hill = runtime.block_on(room(&store, "hill"));
    let tx = runtime.block_on(async {
        let mut tx = store.db.write().await.unwrap();
        tx.execute("UPDATE heads SET last_seq = 77", &[]).await.unwrap();
        tx
    });
    drop(tx);
    assert_eq!(runtime.block_on(store.last_seq(hill)).unwrap(), 0);
    runtime.block_on(store.commit(hill, one(0))).unwrap();
}

/// Everything in a folder, byte for byte.
fn files(folder: &TempDir) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn a_database_of_another_schema_is_refused_untouched_by_whoever_looks() {
    for other in [
        "UPDATE schema_versions SET sha256 = 'edited'",
        "INSERT INTO schema_versions VALUES (99, 'added')",
        "DELETE FROM schema_versions",
    ] {
        let (folder, path) = folder();
        let store = open(&path).await;
        room(&store, "hill").await;
        store.close().await.unwrap();
        beside(&path).execute_batch(other).unwrap();
        let before = files(&folder);
        let to = folder.path().join("to.db");
        for error in [
            Store::open(&path, Options::default()).await.err(),
            Store::open_to_read(&path).await.err(),
            Store::is_made(&path).await.err(),
            Store::look(path.as_ref()).await.err(),
            Store::restore(path.as_ref(), &to).await.err(),
        ] {
            let error = error.expect("it is refused");
            assert!(matches!(error, StoreError::OtherSchema { .. }), "{error:?}");
            assert!(error.to_string().contains(&path), "{error}");
        }
        assert_eq!(files(&folder), before, "{other}");
    }
}

#[tokio::test]
async fn a_file_of_something_else_is_refused_untouched() {
    let (folder, path) = folder();
    std::fs::write(&path, "This is a diary, and no database at all. ".repeat(100)).unwrap();
    let before = files(&folder);
    let error = Store::open(&path, Options::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
    assert_eq!(files(&folder), before);
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    let before = files(&folder);
    let error = Store::open(&path, Options::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
    assert_eq!(files(&folder), before);
}

#[tokio::test]
async fn a_value_that_is_not_what_its_column_holds_is_damage() {
    let store = Store::in_memory().await.unwrap();
    let mut reader = store.db.read().await.unwrap();
    let no_text = reader.row("SELECT CAST(x'ff' AS TEXT)", &[]).await.map(drop);
    assert!(matches!(no_text, Err(StoreError::Corrupt { .. })), "{no_text:?}");
    let no_number = reader.row("SELECT 'seven'", &[]).await.unwrap().unwrap().int(0);
    assert!(matches!(no_number, Err(StoreError::Corrupt { .. })), "{no_number:?}");
}

#[tokio::test]
async fn a_path_that_cannot_be_opened_and_a_database_of_another_kind_are_named() {
    let (folder, _) = folder();
    let nowhere = folder.path().join("no/such/folder/x.db");
    assert!(Store::open(nowhere.to_str().unwrap(), Options::default()).await.is_err());
    let error = Store::open("mysql://localhost/rulekeeper", Options::default()).await.unwrap_err();
    assert!(error.to_string().contains("mysql"), "{error}");
    assert!(Store::open("sqlite:", Options::default()).await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_of_a_new_database_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path) = folder();
    let store = open(&path).await;
    room(&store, "hill").await;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[tokio::test]
async fn commits_are_fully_synced_also_after_lazy_ones() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let synchronous = async |lazily: bool| {
        let mut tx = if lazily { store.db.write_lazily().await } else { store.db.write().await }.unwrap();
        let level = tx.row("PRAGMA synchronous", &[]).await.unwrap().unwrap().int(0).unwrap();
        tx.undo().await;
        level
    };
    let (normal, full) = (1, 2);
    for _ in 0..3 {
        assert_eq!(synchronous(false).await, full);
        assert_eq!(synchronous(true).await, normal);
    }
    assert_eq!(synchronous(false).await, full);
    let journal = store.db.read().await.unwrap().row("PRAGMA journal_mode", &[]).await.unwrap().unwrap();
    assert_eq!(journal.text(0).unwrap(), "wal");
}
