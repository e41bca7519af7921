//! Everything taken to another database, and back.

use super::{
    filled::{dump, fill},
    *,
};

/// A new file.
fn file() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db").to_str().unwrap().to_owned();
    (folder, path)
}

/// What a database in a file holds, but for claims, which are not taken along.
fn held(path: &str) -> Vec<String> {
    let held = dump(path);
    let mut rows: Vec<String> = held.lines().filter(|line| line.starts_with("INSERT")).map(str::to_owned).collect();
    rows.retain(|row| !row.starts_with("INSERT INTO claims") && !row.contains("schema_versions"));
    rows
}

#[tokio::test]
async fn what_is_taken_to_another_database_and_back_is_the_same_in_every_table() {
    let ((_one, first), (_home, between), (_two, last)) = (file(), folder(), file());
    let store = open(&first).await;
    fill(&store).await;
    let script = dump(&first);
    for table in script.lines().filter_map(|line| line.strip_prefix("CREATE TABLE ")) {
        let table = table.split(' ').next().unwrap();
        assert!(script.contains(&format!("INSERT INTO {table} ")), "nothing was put into {table}");
    }
    let other = open(&between).await;
    let copied = store.copy_into(&other).await.unwrap();
    assert!(copied.len() > 20 && !copied.contains_key("claims") && copied["entries"] == 3, "{copied:?}");
    let back = open(&last).await;
    assert_eq!(other.copy_into(&back).await.unwrap(), copied);
    assert_eq!(back.complaints().await.unwrap(), Vec::<String>::new());

    // Both give the same numbers next.
    for store in [&store, &other, &back] {
        let next = room(store, "next").await;
        assert_eq!(next, RoomId(3));
        store.commit(next, Commit { outbox: vec![say(&forum("#new"), 1, "new")], ..one(0) }).await.unwrap();
        let account = port::Account { service: "irc:test".to_owned(), id: "new".to_owned() };
        assert_eq!(store.person_for(&account, "New", 20).await.unwrap().id, PersonId(3));
    }
    for store in [store, other, back] {
        store.close().await.unwrap();
    }
    assert_eq!(held(&first), held(&last));
}

#[tokio::test]
async fn nothing_is_copied_where_something_is_or_while_somebody_writes() {
    let ((_home, path), (_other, to)) = (folder(), file());
    let (store, other) = (open(&path).await, open(&to).await);
    let id = room(&store, "main").await;
    store.commit(id, one(0)).await.unwrap();
    room(&other, "theirs").await;
    assert!(matches!(store.copy_into(&other).await, Err(StoreError::Exists { .. })));
    assert_eq!(other.rooms().await.unwrap().len(), 1, "it is as it was");
}

#[tokio::test]
async fn what_is_in_memory_is_taken_to_another_database_row_by_row() {
    let (_home, path) = folder();
    let store = Store::in_memory().await.unwrap();
    fill(&store).await;
    let other = open(&path).await;
    let copied = store.copy_into(&other).await.unwrap();
    assert!(copied.len() > 20 && copied["entries"] == 3, "{copied:?}");
    assert_eq!(other.rooms().await.unwrap(), store.rooms().await.unwrap());
}
