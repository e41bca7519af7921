//! Two processes on one database: a joust is played by one of them, and by the other only where the first has died.

use std::{sync::Arc, time::Duration};

use port::clock::Clock;
use port::gallery::Gallery;
use rulekeeper::service::Hub;
use store::{Claim, Options, RoomId, Store, Term};

use crate::house::{ALPHA, Folder, House, START, at, shown};

/// How long a test waits for what should happen at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many challenges there are.
const CHALLENGES: usize = 6;

/// How long a claim counts, in microseconds, as long as that of the program or shorter.
const LEASE_MICROS: i64 = 15_000_000;

async fn open(address: &str) -> House {
    let store = Store::open(address, Options::default()).await.unwrap();
    House::with(store, Clock::manual(at(START))).await
}

/// A count of a process.
async fn count(hub: &Hub, name: &str) -> usize {
    let metrics = Gallery::metrics(hub).await;
    let metric = metrics.into_iter().find(|metric| metric.name == name).expect("there is such a count");
    metric.samples[0].1 as usize
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_one_database_play_each_joust_once() {
    let folder = Folder::new();
    each_joust_is_played_once_in(&folder.database()).await;
}

/// Two processes on the database of an address.
pub(super) async fn each_joust_is_played_once_in(address: &str) {
    House::with_contest(address).await.close().await;
    let (mut one, other) = (open(address).await, open(address).await);
    for number in 0..CHALLENGES {
        let who = format!("Knight{number}");
        let joins = one.line(&who, "join");
        one.hub.hear(joins).await;
        let submits = one.line(&who, &format!("privately joust submit Lance{number} {ALPHA}{}", "+".repeat(number)));
        // Both see at once that there is a joust to be played.
        one.hub.hear(submits).await;
        other.hub.see_others().await.unwrap();
        let (one, other) = (one.hub.clone(), other.hub.clone());
        let (first, second) =
            (tokio::spawn(async move { one.settle().await }), tokio::spawn(async move { other.settle().await }));
        first.await.unwrap().unwrap();
        second.await.unwrap().unwrap();
    }
    other.hub.see_others().await.unwrap();
    assert!(one.room("main").view().work().is_none() && other.room("main").view().work().is_none());
    let played = count(&one.hub, "rulekeeper_jousts_total").await + count(&other.hub, "rulekeeper_jousts_total").await;
    let taken_in = one.journal("main").await.iter().filter(|entry| entry.cause.starts_with("challenge/")).count();
    assert_eq!((played, taken_in), (CHALLENGES, CHALLENGES));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_process_that_was_killed_was_playing_is_played_when_its_claim_has_run_out() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    let (room, seq) = (house.room("main").id, house.room("main").view().seq());
    let now = at(START).as_microsecond();
    // Given a process that has begun and was killed without a word.
    let term = Term { holder: "the dead", now, lease_for: LEASE_MICROS };
    let claimed = house.hub.store().claim_work((room, seq), "challenge/1", term).await.unwrap();
    assert_eq!(claimed, Claim::Ours { turns: 1 });
    let played = count(&house.hub, "rulekeeper_jousts_total").await;
    let submits = house.line("Ann", &format!("privately joust submit Alpha {ALPHA}"));
    house.hub.hear(submits).await;
    let waits = async {
        while count(&house.hub, "rulekeeper_jousts_elsewhere").await == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.expect("it sees that somebody else plays");
    assert_eq!(count(&house.hub, "rulekeeper_jousts_total").await, played, "it lets the other play");
    // How far that is can be seen here as often as the other says so.
    let looks = house.line("Ann", "queue");
    assert!(!shown(&house.hub.hear(looks).await).contains("matches are played"));
    assert!(house.hub.store().renew_claim(&store::claim_of(room), term, (3, 7)).await.unwrap());
    let looks = house.line("Ann", "queue");
    let queue = shown(&house.hub.hear(looks).await);
    assert!(queue.contains("challenge/1: 3 of 7 matches are played."), "{queue}");

    let runs_out = kernel::Instant::from_microsecond(now + LEASE_MICROS).unwrap();
    house.clock.advance_to(runs_out);
    let hub = Arc::new(house.hub.clone());
    tokio::time::timeout(PATIENCE, hub.settle()).await.expect("it plays").unwrap();
    assert_eq!(count(&house.hub, "rulekeeper_jousts_total").await, played + 1);
    assert!(house.room("main").view().work().is_none());
    assert_eq!(count(&house.hub, "rulekeeper_jousts_elsewhere").await, 0);
}

#[tokio::test]
async fn a_claim_counts_until_it_runs_out_unless_it_is_renewed() {
    let folder = Folder::new();
    let house = House::with_contest(&folder.database()).await;
    let (room, seq) = (house.room("main").id, house.room("main").view().seq());
    let store = house.hub.store();
    let (ours, name) = (|turns| Claim::Ours { turns }, store::claim_of(room));
    fn at(holder: &str, now: i64) -> Term<'_> {
        Term { holder, now, lease_for: 100 }
    }
    let claim = async |holder: &str, now| store.claim_work((room, seq), "hill/1", at(holder, now)).await.unwrap();
    assert_eq!(claim("a", 1000).await, ours(1));
    assert_eq!(claim("b", 1099).await, Claim::Theirs { until: 1100 });
    assert!(store.renew_claim(&name, at("a", 1050), (3, 7)).await.unwrap());
    assert_eq!(claim("b", 1149).await, Claim::Theirs { until: 1150 });
    assert_eq!(claim("b", 1150).await, ours(2));
    assert!(!store.renew_claim(&name, at("a", 1151), (4, 7)).await.unwrap(), "it was too late");
    store.end_claim(&name, "a").await.unwrap();
    assert_eq!(claim("a", 1152).await, Claim::Theirs { until: 1250 }, "only its holder gives a claim up");
    // A clock that was set back does not keep everybody waiting for what was claimed before.
    assert_eq!(claim("c", 10).await, ours(3));
    store.end_claim(&name, "c").await.unwrap();
    assert_eq!(claim("a", 11).await, ours(1), "what was given back is counted no more");

    // Whoever has not read the newest entries may ask for what is done.
    assert_eq!(store.claim_work((room, seq - 1), "hill/1", at("d", 5000)).await.unwrap(), Claim::Behind);
    assert!(store.claim_work((RoomId(999), 0), "hill/1", at("d", 5000)).await.is_err());

    // Where nobody else delivers, whoever starts knows that all claims are those of the dead.
    let next = Store::open(&folder.database(), Options::default()).await.unwrap();
    next.take_part().await.unwrap();
    assert_eq!(next.claim_work((room, seq), "hill/1", at("e", 12)).await.unwrap(), ours(2));
    // Of another work nobody died, and a day later nothing is counted any more.
    assert_eq!(next.claim_work((room, seq), "hill/2", at("f", 200)).await.unwrap(), ours(1));
    let later = 200 + 24 * 60 * 60 * 1_000_000;
    assert_eq!(next.claim_work((room, seq), "hill/2", at("g", later - 1)).await.unwrap(), ours(2));
    assert_eq!(next.claim_work((room, seq), "hill/2", at("h", later + 100)).await.unwrap(), ours(1));
    next.close().await.unwrap();
}
