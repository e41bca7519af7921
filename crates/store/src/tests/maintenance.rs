//! Backups, checks and imports.

use std::path::Path;

use rusqlite::{config::DbConfig, functions::FunctionFlags};

use super::filled::connect;
use super::*;
use kernel::Seq;

#[tokio::test]
async fn a_backup_holds_what_was_committed_and_is_restored_whole() {
    let (folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    store.commit(hill, one(0)).await.unwrap();
    let backup = folder.path().join("backup.db");
    store.backup(&backup).await.unwrap();
    store.commit(hill, one(1)).await.unwrap();
    assert!(matches!(store.backup(&backup).await, Err(StoreError::Exists { .. })));

    let restored = folder.path().join("restored.db");
    Store::restore(&backup, &restored).await.unwrap();
    assert!(matches!(Store::restore(&backup, &restored).await, Err(StoreError::Exists { .. })));
    let copy = open(restored.to_str().unwrap()).await;
    assert_eq!(copy.last_seq(hill).await.unwrap(), 1);
    copy.commit(hill, one(1)).await.unwrap();
    assert!(copy.complaints().await.unwrap().is_empty());
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_str().unwrap().ends_with(".partial")), "{names:?}");
}

/// What Litestream makes in a database that it replicates.
const LITESTREAM: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)",
];

#[tokio::test]
async fn a_database_that_litestream_replicates_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path().join("rulekeeper.db").to_str().unwrap()).await;
    let hill = room(&store, "hill").await;
    store.commit(hill, one(0)).await.unwrap();
    let mut tx = store.db.write().await.unwrap();
    for made in LITESTREAM {
        tx.execute_made_with(made, &[]).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
    let (backup, restored) = (folder.path().join("backup.db"), folder.path().join("restored.db"));
    store.backup(&backup).await.unwrap();
    Store::restore(&backup, &restored).await.unwrap();
    let copy = open(restored.to_str().unwrap()).await;
    assert_eq!((copy.last_seq(hill).await.unwrap(), copy.complaints().await.unwrap()), (1, Vec::new()));

    let mut tx = store.db.write().await.unwrap();
    tx.execute_made_with("CREATE TABLE other (id INTEGER)", &[]).await.unwrap();
    tx.commit().await.unwrap();
    assert!(store.complaints().await.unwrap()[0].contains("the schema"), "of any other table it is told");
}

#[tokio::test]
async fn a_database_in_memory_can_be_backed_up_too() {
    let (folder, _) = folder();
    let store = Store::in_memory().await.unwrap();
    room(&store, "hill").await;
    let backup = folder.path().join("backup.db");
    store.backup(&backup).await.unwrap();
    assert!(store.complaints().await.unwrap().is_empty());
    assert_eq!(open(backup.to_str().unwrap()).await.rooms().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_damaged_foreign_or_missing_backup_is_refused_and_nothing_made() {
    let (folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    for seq in 0..200 {
        store.commit(hill, one(seq)).await.unwrap();
    }
    let backup = folder.path().join("backup.db");
    store.backup(&backup).await.unwrap();
    let whole = std::fs::read(&backup).unwrap();
    let to = folder.path().join("to.db");

    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle..middle + 4096].fill(0x5a);
    std::fs::write(&backup, &damaged).unwrap();
    let error = Store::restore(&backup, &to).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");

    std::fs::write(&backup, &whole).unwrap();
    let orphan = "INSERT INTO entries (room, seq, at, clock, recorded, cause, body) VALUES (99, 1, 0, 0, 0, '', '')";
    connect(backup.to_str().unwrap()).execute_batch(orphan).unwrap();
    let error = Store::restore(&backup, &to).await.unwrap_err();
    assert!(error.to_string().contains("rooms that is not there"), "{error}");

    std::fs::write(&backup, b"no database at all, but long enough to have a header".repeat(4)).unwrap();
    let error = Store::restore(&backup, &to).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");

    assert!(Store::restore(Path::new("no-such-file.db"), &to).await.is_err());
    assert!(!to.exists());
}

/// Alters a row as damage does: its sum stays that of no values.
fn damage(path: &str, sql: &str) {
    let conn = connect(path);
    conn.create_scalar_function(
        "row_sum",
        -1,
        FunctionFlags::SQLITE_INNOCUOUS | FunctionFlags::SQLITE_DETERMINISTIC,
        |_| Ok(5),
    )
    .unwrap();
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false).unwrap();
    assert_eq!(conn.execute(sql, []).unwrap(), 1, "{sql}");
}

#[tokio::test]
async fn a_damaged_row_is_neither_read_nor_written_to() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let (hill, other) = (room(&store, "hill").await, room(&store, "other").await);
    let account = port::Account { service: "irc:test".to_owned(), id: "zed".to_owned() };
    let person = store.person_for(&account, "Zed", 1).await.unwrap().id;
    let snapshots = [1, 2].map(|seq| Commit { snapshot: Some(Snapshot { seq, body: b"{}".to_vec() }), ..one(seq - 1) });
    for commit in snapshots {
        store.commit(hill, commit).await.unwrap();
    }
    let pairs = ["one".to_owned(), "two".to_owned()];
    store.put_pairs(&pairs.clone().map(|pair| (pair, vec![7])), 1).await.unwrap();
    for sql in [
        "UPDATE persons SET name = 'Zec'",
        "UPDATE entries SET body = body || ' ' WHERE seq = 2",
        "UPDATE heads SET next_due = 7 WHERE room = 1",
        "UPDATE snapshots SET body = x'7b7c' WHERE seq = 2",
        "UPDATE pair_results SET outcomes = x'08' WHERE key = 'two'",
    ] {
        damage(&path, sql);
    }
    let is_damage = |error: StoreError| assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    is_damage(store.person(person).await.unwrap_err());
    is_damage(store.entry(hill, 2).await.unwrap_err());
    is_damage(store.commit(hill, one(2)).await.unwrap_err());
    is_damage(store.last_seq(hill).await.unwrap_err());
    // What can be made again counts as gone.
    assert_eq!(store.snapshot(hill, Seq::MAX).await.unwrap().unwrap().seq, 1);
    assert_eq!(store.pairs(&pairs, 2).await.unwrap(), [Some(vec![7]), None]);
    store.put_pairs(&[("two".to_owned(), vec![9])], 2).await.unwrap();
    assert_eq!(store.pairs(&pairs, 2).await.unwrap(), [Some(vec![7]), Some(vec![9])]);
    // Nothing else is held up by it.
    store.commit(other, one(0)).await.unwrap();
    let found = store.complaints().await.unwrap();
    for table in ["persons", "entries", "heads", "snapshots"] {
        let told = format!("rows of the table {table} are not as they were written: 1");
        assert!(found.contains(&told), "{found:?}");
    }
}

/// A room of 500 entries whose instants go backwards.
async fn filled(store: &Store) -> RoomId {
    let hill = room(store, "hill").await;
    let mut commit = Commit::default();
    for seq in 1..=500 {
        let said = Some(Said { person: None, text: format!("line {seq}") });
        commit.entries.push(NewEntry { said, origin: Some(format!("m{seq}")), ..entry(seq, 500 - seq as i64) });
        if commit.entries.len() == COMMIT_MAX_ENTRIES || seq == 500 {
            let next = Commit { expected_seq: seq, ..Commit::default() };
            store.commit(hill, std::mem::replace(&mut commit, next)).await.unwrap();
        }
    }
    hill
}

#[tokio::test]
async fn a_room_moves_to_another_database_entry_by_entry() {
    let (from, to) = (Store::in_memory().await.unwrap(), Store::in_memory().await.unwrap());
    let hill = filled(&from).await;
    room(&to, "other").await;
    let new = to.create_room(NewRoom { importing: true, ..new_room("Hill") }, Commit::default()).await.unwrap();
    let mut expected_seq = 0;
    loop {
        let page = from.entries(hill, expected_seq + 1, COMMIT_MAX_ENTRIES as u32).await.unwrap();
        if page.is_empty() {
            break;
        }
        let entries = page
            .into_iter()
            .map(|Entry { seq, at, recorded, origin, cause, actor, json, said }| NewEntry {
                seq,
                at,
                recorded,
                origin,
                cause,
                actor,
                json,
                said,
                act: None,
                salts: Salts::default(),
            })
            .collect();
        let commit = Commit { expected_seq, entries, next_due: Some(7), ..Commit::default() };
        expected_seq = to.commit(new, commit).await.unwrap().last_seq;
    }
    assert_eq!(to.rooms().await.unwrap().len(), 1, "an import under way is not listed");
    assert_eq!(to.imports().await.unwrap()[0].id, new);
    to.finish_import(new).await.unwrap();
    assert!(matches!(to.finish_import(new).await, Err(StoreError::NoSuchRoom { .. })));
    assert!(matches!(to.abandon_import(new).await, Err(StoreError::NoSuchRoom { .. })));
    assert!(to.imports().await.unwrap().is_empty());
    let listed = &to.rooms().await.unwrap()[1];
    assert_eq!((listed.id, listed.last_seq, listed.next_due), (new, 500, Some(7)));
    for from_seq in [1, 250, 400] {
        let (here, there) = (from.entries(hill, from_seq, 101).await, to.entries(new, from_seq, 101).await);
        assert_eq!(here.unwrap(), there.unwrap());
    }
    for instant in [0, 250, 499, 500] {
        assert_eq!(from.seq_at(hill, instant).await.unwrap(), to.seq_at(new, instant).await.unwrap());
    }
}

#[tokio::test]
async fn an_abandoned_import_leaves_nothing() {
    let store = Store::in_memory().await.unwrap();
    let other = filled(&store).await;
    let secret = Secret { salt: vec![1], bytes: vec![2] };
    let mut commit = one(0);
    commit.entries[0].said = Some(Said { person: None, text: "hello".to_owned() });
    commit.secrets.push(SecretOp::Put { id: "seed".to_owned(), secret, sealer: Sealer::default() });
    commit.snapshot = Some(Snapshot { seq: 1, body: vec![3] });
    let new = store.create_room(NewRoom { importing: true, ..new_room("new") }, commit).await.unwrap();
    assert!(matches!(store.abandon_import(other).await, Err(StoreError::NoSuchRoom { .. })));
    store.abandon_import(new).await.unwrap();
    assert_eq!(store.room(new).await.unwrap(), None);
    assert!(store.entries(new, 0, 9).await.unwrap().is_empty());
    assert!(store.secret_ids(new, "").await.unwrap().is_empty());
    assert_eq!(store.snapshot(new, Seq::MAX).await.unwrap(), None);
    assert!(store.complaints().await.unwrap().is_empty());
    assert_eq!(store.last_seq(other).await.unwrap(), 500);
    let again = store.create_room(new_room("new"), Commit::default()).await.unwrap();
    assert_ne!(again, new, "a number is never used again");
}

#[tokio::test]
async fn a_heartbeat_outlives_the_process_and_without_one_the_last_entry_counts() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    assert_eq!(store.last_alive().await.unwrap(), (None, false));
    let hill = room(&store, "hill").await;
    let seq = store.last_seq(hill).await.unwrap();
    let mut written = one(seq);
    written.entries[0].recorded = 70;
    store.commit(hill, written).await.unwrap();
    assert_eq!(store.last_alive().await.unwrap(), (Some(70), false));
    store.beat(80).await.unwrap();
    store.beat(60).await.unwrap();
    store.close().await.unwrap();
    assert_eq!(open(&path).await.last_alive().await.unwrap(), (Some(60), true));
}
