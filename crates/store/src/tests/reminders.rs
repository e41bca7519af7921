//! Reminders.

use super::*;
use port::Account;

fn ann() -> Account {
    Account { service: "irc:test".to_owned(), id: "ann".to_owned() }
}

#[tokio::test]
async fn who_asks_is_reminded_once_of_each_thing_and_a_claim_runs_out() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let room = store.create_room(new_room("Hill"), one(0)).await.unwrap();
    let reminder = Reminder { room, account: ann(), before_seconds: 60, aloud: false };
    assert!(store.set_reminder(&reminder).await.unwrap());
    let later = Reminder { before_seconds: 3600, aloud: true, ..reminder };
    assert!(store.set_reminder(&later).await.unwrap());
    assert_eq!(store.reminders().await.unwrap(), [later]);

    let claim = async |what: &str, now| store.claim_reminder(room, &ann(), what, (now, now - 10)).await.unwrap();
    assert_eq!(claim("proposal/1", 100).await, Claimed::Here);
    assert_eq!(claim("proposal/1", 105).await, Claimed::Elsewhere);
    assert_eq!(claim("proposal/1", 120).await, Claimed::Here, "whoever was at it is gone");
    store.end_reminder(room, &ann(), "proposal/1", true).await.unwrap();
    assert_eq!(claim("proposal/1", 1000).await, Claimed::Told);
    assert_eq!(claim("proposal/2", 1000).await, Claimed::Here);
    store.end_reminder(room, &ann(), "proposal/2", false).await.unwrap();
    assert_eq!(claim("proposal/2", 1001).await, Claimed::Here, "nobody was told");
    assert!(store.claim_reminder(room, &ann(), &"x".repeat(REMINDED_MAX_BYTES + 1), (1, 0)).await.is_err());
    store.close().await.unwrap();

    let store = open(&path).await;
    assert_eq!(store.claim_reminder(room, &ann(), "proposal/1", (2000, 1990)).await.unwrap(), Claimed::Told);
    assert!(store.drop_reminder(room, &ann()).await.unwrap());
    assert!(!store.drop_reminder(room, &ann()).await.unwrap());
    assert_eq!(store.reminders().await.unwrap(), []);
    assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn what_somebody_was_reminded_of_is_bounded_and_forgotten_with_them() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let room = store.create_room(new_room("Hill"), one(0)).await.unwrap();
    let person = store.person_for(&ann(), "Ann", 1).await.unwrap().id;
    store.set_reminder(&Reminder { room, account: ann(), before_seconds: 0, aloud: false }).await.unwrap();
    for n in 0..REMINDED_MAX_COUNT + 5 {
        store.claim_reminder(room, &ann(), &format!("proposal/{n}"), (n, n - 10)).await.unwrap();
        store.end_reminder(room, &ann(), &format!("proposal/{n}"), true).await.unwrap();
    }
    let claim =
        async |n: i64| store.claim_reminder(room, &ann(), &format!("proposal/{n}"), (9999, 9000)).await.unwrap();
    let (late, early) = (claim(REMINDED_MAX_COUNT + 4).await, claim(0).await);
    assert_eq!((late, early), (Claimed::Told, Claimed::Here), "the oldest gave way");
    store.forget(person, 10_000).await.unwrap();
    assert_eq!(store.reminders().await.unwrap(), []);
    assert_eq!(claim(REMINDED_MAX_COUNT + 4).await, Claimed::Here);
}
