//! Announcements: order, leases, retries, digests, and a full queue.

use std::collections::BTreeMap;

use super::*;
use port::Account;

const MINUTE: i64 = 60_000_000;

async fn announce(store: &Store, room: RoomId, texts: &[(&Destination, &str)]) -> Committed {
    let expected = store.last_seq(room).await.unwrap();
    let outbox = texts.iter().map(|(to, text)| say(to, expected + 1, text)).collect();
    store.commit(room, Commit { outbox, ..one(expected) }).await.unwrap()
}

async fn lease(store: &Store, now: i64) -> Option<DeliveryRow> {
    store.lease("irc:test", now, MINUTE).await.unwrap()
}

#[tokio::test]
async fn a_destination_gets_its_announcements_in_order_and_one_at_a_time() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let (left, right) = (forum("#left"), forum("#right"));
    announce(&store, hill, &[(&left, "a"), (&right, "b"), (&left, "c")]).await;
    let first = lease(&store, 0).await.unwrap();
    let second = lease(&store, 0).await.unwrap();
    assert_eq!((first.document.as_str(), second.document.as_str()), ("a", "b"));
    assert_eq!((first.to, first.attempts, first.room), (left, 0, hill));
    assert_eq!(lease(&store, 0).await, None, "c waits for a");
    assert!(store.mark_delivered(first.id).await.unwrap());
    assert!(!store.mark_delivered(first.id).await.unwrap());
    assert_eq!(lease(&store, 0).await.unwrap().document, "c");
    assert_eq!(store.lease("discord", 0, MINUTE).await.unwrap(), None);
}

#[tokio::test]
async fn the_oldest_announcement_of_each_service_is_known_by_when_it_was_written() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    let discord = Destination::Forum(ForumAddress { service: "discord".to_owned(), channel: "1".to_owned() });
    assert!(store.oldest().await.unwrap().is_empty());
    let written = async |entry: u64| store.entry(hill, entry).await.unwrap().unwrap().recorded;
    announce(&store, hill, &[(&forum("#left"), "a")]).await;
    announce(&store, hill, &[(&forum("#right"), "b"), (&discord, "c")]).await;
    let (first, second) = (written(1).await, written(2).await);
    assert_ne!(first, second, "or the test proves nothing");
    let oldest = |irc| BTreeMap::from([("discord".to_owned(), second), ("irc:test".to_owned(), irc)]);
    assert_eq!(store.oldest().await.unwrap(), oldest(first));
    let left = lease(&store, 0).await.unwrap();
    assert_eq!(store.oldest().await.unwrap(), oldest(first), "one that is on its way has not arrived");
    store.mark_delivered(left.id).await.unwrap();
    assert_eq!(store.oldest().await.unwrap(), oldest(second));
}

#[tokio::test]
async fn an_announcement_names_the_message_that_it_comes_from() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    let to = forum("#left");
    let said = NewEntry { origin: Some("line#0.0".to_owned()), ..one(0).entries.remove(0) };
    let commit = Commit { entries: vec![said.clone()], outbox: vec![say(&to, 1, "a")], ..one(0) };
    store.commit(hill, commit).await.unwrap();
    let row = lease(&store, 0).await.unwrap();
    assert_eq!((row.queued, row.origin), (Some(said.recorded), said.origin));
}

/// Whoever comes first after a death has what the dead had leased; whoever joins the living does not have theirs.
#[tokio::test]
async fn leases_of_the_dead_are_free_at_once_and_those_of_the_living_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let open = async || Store::open(path.to_str().unwrap(), Options::default()).await.unwrap();
    let first = open().await;
    let hill = room(&first, "hill").await;
    let left = forum("#left");
    announce(&first, hill, &[(&left, "a"), (&left, "b")]).await;
    assert_eq!(first.take_part().await.unwrap(), 0);
    assert_eq!(lease(&first, 0).await.unwrap().document, "a");

    let second = open().await;
    assert_eq!(second.take_part().await.unwrap(), 0);
    assert_eq!(lease(&second, 0).await, None, "somebody delivers it");
    second.close().await.unwrap();

    // It goes without a word; its lock goes with it.
    drop(first);
    let third = open().await;
    assert_eq!(third.take_part().await.unwrap(), 1);
    assert_eq!(lease(&third, 0).await.unwrap().document, "a");
    third.close().await.unwrap();
}

#[tokio::test]
async fn a_lease_runs_out_and_its_late_holder_changes_nothing() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let left = forum("#left");
    announce(&store, hill, &[(&left, "a"), (&left, "b")]).await;
    let slow = lease(&store, 0).await.unwrap();
    assert_eq!(lease(&store, MINUTE - 1).await, None);
    assert_eq!(store.next_ready("irc:test").await.unwrap(), Some(MINUTE));
    let quick = lease(&store, MINUTE).await.unwrap();
    assert_eq!((quick.id, quick.attempts), (slow.id, 1));
    assert!(!store.release(slow.lease(), 0).await.unwrap());
    assert!(!store.give_up(slow.lease(), 0, "late").await.unwrap());
    assert_eq!(lease(&store, MINUTE).await, None, "the second lease still holds");
    assert!(store.release(quick.lease(), 5 * MINUTE).await.unwrap());
    assert_eq!(store.next_ready("irc:test").await.unwrap(), Some(5 * MINUTE));
    assert_eq!(lease(&store, 5 * MINUTE - 1).await, None);
    let third = lease(&store, 5 * MINUTE).await.unwrap();
    assert_eq!((third.id, third.attempts), (slow.id, 2));
    assert!(store.mark_delivered(slow.id).await.unwrap(), "delivered is delivered, whoever says so");
    assert_eq!(lease(&store, 5 * MINUTE).await.unwrap().document, "b");
}

#[tokio::test]
async fn an_announcement_given_up_lets_the_next_one_pass_and_is_told_of() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let left = forum("#gone");
    announce(&store, hill, &[(&left, "a"), (&left, "b")]).await;
    let row = lease(&store, 0).await.unwrap();
    let reason = "é".repeat(REASON_MAX_BYTES);
    assert!(store.give_up(row.lease(), 3, &reason).await.unwrap());
    let told = store.undeliverable().await.unwrap();
    assert_eq!((told.len(), told[0].id, told[0].gave_up, told[0].attempts), (1, row.id, 3, 1));
    assert_eq!(told[0].reason.len(), REASON_MAX_BYTES);
    let next = lease(&store, 0).await.unwrap();
    assert_eq!((next.document.as_str(), next.attempts), ("b", 0));
}

#[tokio::test]
async fn a_private_and_a_public_destination_of_one_name_are_two() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let person = Destination::Person(Account { service: "irc:test".to_owned(), id: "zed".to_owned() });
    announce(&store, hill, &[(&forum("zed"), "public"), (&person, "private")]).await;
    assert_eq!(lease(&store, 0).await.unwrap().to, forum("zed"));
    assert_eq!(lease(&store, 0).await.unwrap().to, person);
}

#[tokio::test]
async fn a_full_queue_keeps_its_order_takes_the_newest_and_says_how_many_were_left_out() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let (left, right) = (forum("#left"), forum("#right"));
    let extra = 5;
    let texts: Vec<String> = (0..QUEUE_MAX_DELIVERIES + extra).map(|number| number.to_string()).collect();
    let mut left_out = 0;
    for chunk in texts.chunks(300) {
        let chunk: Vec<_> = chunk.iter().map(|text| (&left, text.as_str())).collect();
        left_out += announce(&store, hill, &chunk).await.left_out;
    }
    announce(&store, hill, &[(&right, "other")]).await;
    assert_eq!(u64::from(left_out), extra);
    assert_eq!(store.pending().await.unwrap(), QUEUE_MAX_DELIVERIES + 1);
    let queues = store.queues().await.unwrap();
    assert_eq!((queues[0].pending, queues[1].pending), (QUEUE_MAX_DELIVERIES, 1));
    assert_eq!((queues[0].attempts, queues[0].leased_until), (0, None));
    let mut number = 0;
    while let Some(row) = lease(&store, 0).await {
        if row.to == left {
            number += u64::from(row.left_out);
            assert_eq!(row.document, texts[number as usize]);
            number += 1;
        }
        store.mark_delivered(row.id).await.unwrap();
    }
    assert_eq!(number, QUEUE_MAX_DELIVERIES + extra);
}
