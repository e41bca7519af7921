//! Commits that go to the disk together: each stands or falls by itself, and none is forgotten.

use super::{super::grouped::take_some_along, *};

/// Given commits of several rooms that wait, one of which comes too late. Then one transaction takes them all, that one is
/// refused, and the others stand, also when the database is opened again.
#[tokio::test]
async fn commits_that_wait_go_together_and_one_that_is_refused_leaves_the_others() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let mut rooms = Vec::new();
    for number in 0..10 {
        rooms.push(room(&store, &format!("room {number}")).await);
    }
    let channel = forum("#hill");
    let told: Vec<_> = rooms
        .iter()
        .enumerate()
        .map(|(index, room)| {
            // It takes the room to be further than it is, and what it would announce is lost with it.
            let mut commit = one(if index == 4 { 7 } else { 0 });
            commit.outbox.push(say(&channel, 1, &format!("from {index}")));
            store.commits.wait(*room, commit)
        })
        .collect();
    assert_eq!(take_some_along(&store.commits, &store.db).await, 10);
    assert_eq!(take_some_along(&store.commits, &store.db).await, 0, "nobody is left");
    for (index, told) in told.into_iter().enumerate() {
        let told = told.await.unwrap();
        match index {
            4 => assert!(matches!(told, Err(StoreError::Conflict { expected: 7, found: 0 })), "{told:?}"),
            _ => assert_eq!(told.map(|told| (told.last_seq, told.left_out)).unwrap(), (1, 0)),
        }
    }
    store.close().await.unwrap();
    let store = open(&path).await;
    for (index, room) in rooms.iter().enumerate() {
        assert_eq!(store.last_seq(*room).await.unwrap(), u64::from(index != 4), "room {index}");
    }
    assert_eq!(store.pending().await.unwrap(), 9);
}

/// More than go at once wait for the next time, and those who ask through the front door are all answered.
#[tokio::test]
async fn a_crowd_is_served_in_several_groups() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let mut rooms = Vec::new();
    for number in 0..40 {
        rooms.push(room(&store, &format!("room {number}")).await);
    }
    let told: Vec<_> = rooms.iter().map(|room| store.commits.wait(*room, one(0))).collect();
    assert_eq!(take_some_along(&store.commits, &store.db).await, 32);
    assert_eq!(take_some_along(&store.commits, &store.db).await, 8);
    for told in told {
        told.await.unwrap().unwrap();
    }
    for expected in 1..4 {
        let all = rooms.iter().map(|room| store.commit(*room, one(expected)));
        for outcome in futures::future::join_all(all).await {
            assert_eq!(outcome.unwrap().last_seq, expected + 1);
        }
    }
}

/// Given a full disk, which has the database end the whole transaction. Then all who went together are told so, nothing of
/// them stands, and smaller ones go on.
#[tokio::test]
async fn on_a_full_disk_none_of_a_group_stands_by_half() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rulekeeper.db").to_str().unwrap().to_owned();
    let store = open(&path).await;
    let mut rooms = Vec::new();
    for number in 0..8 {
        rooms.push(room(&store, &format!("room {number}")).await);
    }
    store.close().await.unwrap();
    let small = Options { max_page_count: Some(150), ..Options::default() };
    let store = Store::open(&path, small).await.unwrap();
    let large = || {
        let mut commit = one(0);
        commit.entries[0].json = "x".repeat(100_000);
        commit
    };
    let all = rooms.iter().map(|room| store.commit(*room, large()));
    let outcomes = futures::future::join_all(all).await;
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Err(StoreError::Full))), "{outcomes:?}");
    for (room, outcome) in rooms.iter().zip(&outcomes) {
        let head = store.last_seq(*room).await.unwrap();
        assert_eq!(head, u64::from(outcome.is_ok()), "{outcome:?}");
        assert_eq!(store.entries(*room, 1, 10).await.unwrap().len() as u64, head);
    }
    let free = rooms.iter().zip(&outcomes).find(|(_, outcome)| outcome.is_err()).unwrap().0;
    store.commit(*free, one(0)).await.unwrap();
}

/// Whoever goes away while it waits has written what it said, and holds up nobody.
#[tokio::test]
async fn who_goes_away_is_written_all_the_same() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let (one_room, other) = (room(&store, "one").await, room(&store, "other").await);
    let writer = store.db.write().await.unwrap();
    let gone = {
        let store = store.clone();
        tokio::spawn(async move { store.commit(one_room, one(0)).await })
    };
    tokio::task::yield_now().await;
    gone.abort();
    assert!(gone.await.is_err(), "it is gone");
    writer.undo().await;
    store.commit(other, one(0)).await.unwrap();
    assert_eq!(store.last_seq(one_room).await.unwrap(), 1);
}
