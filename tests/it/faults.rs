//! What the service does when the ground gives way: a full disk, a locked database, a line heard twice, another process
//! in the same rooms. Each time nothing is half done, whoever asked is told so, and it goes on afterwards.

use std::{sync::Arc, time::Duration};

use port::clock::Clock;
use port::{Reply, ReplyKind};
use rulekeeper::service::archive;
use store::{Options, Store, StoreError};

use crate::{
    archive::ill,
    house::{ALPHA, Folder, House, MODERATOR, START, at, shown},
};

/// The size of a page of the database, in bytes.
const PAGE_BYTES: u64 = 4096;

/// A program whose text fills some pages.
fn long_program() -> Vec<u8> {
    format!("{ALPHA}{}", " what is no symbol is a comment and costs nothing but paper ".repeat(500)).into_bytes()
}

/// Whether a reply is the apology for a fault that passes: it tells what keeps the database, an id, and no more.
fn is_apology(replies: &[Reply]) -> bool {
    let said = shown(replies);
    let passes = ["The database is locked by process ", "The disk or the database's share of it is full"];
    matches!(replies, [reply] if reply.kind == ReplyKind::Fault && reply.private)
        && passes.iter().any(|begins| said.starts_with(begins))
        && said.contains("nothing was written")
        && said.contains("as fault ")
}

/// Holds that the journal is in order, and that the room in memory is at its end.
async fn is_sound(house: &House) {
    let store = house.hub.store();
    for room in store.rooms().await.unwrap() {
        let done = archive::verify(store, &room).await.unwrap();
        assert_eq!(done.found, Vec::<String>::new());
        assert_eq!(done.entries, house.room(&room.name).view().seq());
    }
    assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
}

/// How many entries of a room have a cause.
async fn causes(house: &House, cause: &str) -> usize {
    house.journal("main").await.iter().filter(|entry| entry.cause == cause).count()
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_nothing_half_done() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    for number in 0..10 {
        house.does(&format!("Knight{number}"), "join").await;
    }
    house.close().await;
    let pages = std::fs::metadata(folder.database()).unwrap().len() / PAGE_BYTES;
    let small = Options { max_page_count: Some(u32::try_from(pages).unwrap() + 48), ..Options::default() };
    let store = Store::open(&folder.database(), small).await.unwrap();
    let mut house = House::with(store, Clock::manual(at(START))).await;

    let mut submitted = 0;
    let refused = loop {
        let before = (house.journal("main").await.len(), house.hub.store().pending().await.unwrap());
        let line = format!("joust submit Lance{submitted}");
        let replies = house.send(&format!("Knight{submitted}"), &format!("privately {line}"), &long_program()).await;
        if replies[0].went_well() {
            // What follows may find the disk full: then it waits.
            let _ = house.hub.settle().await;
            submitted += 1;
            assert!(submitted < 10, "the bound holds");
            continue;
        }
        let after = (house.journal("main").await.len(), house.hub.store().pending().await.unwrap());
        assert_eq!(before, after, "nothing happened");
        break replies;
    };
    assert!(submitted > 0);
    assert!(is_apology(&refused), "{}", shown(&refused));
    is_sound(&house).await;
    // Whatever needs no paper still goes.
    assert!(house.does("Knight0", "hill").await.contains("joust7"));
    house.clock.advance_to(at("2026-11-17T12:00:00Z"));
    // What is due may or may not find room; it is whole or it is not there.
    let _ = house.hub.settle().await;
    is_sound(&house).await;
    house.close().await;

    // The operator made room: everything that was due happens once, and the same line is taken.
    let mut house = House::open_at(&folder.database(), "2026-11-17T12:00:00Z").await;
    house.to("2026-11-17T12:00:00Z").await;
    assert_eq!(causes(&house, "award").await, 2, "two Mondays went by");
    let who = format!("Knight{submitted}");
    let replies = house.send(&who, &format!("privately joust submit Lance{submitted}"), &long_program()).await;
    assert!(replies[0].went_well(), "{}", shown(&replies));
    house.hub.settle().await.unwrap();
    is_sound(&house).await;
}

#[tokio::test]
async fn a_locked_database_is_told_and_waited_out() {
    let folder = Folder::new();
    let house = House::with_contest(&folder.database()).await;
    house.close().await;
    let impatient = Options { busy_timeout: Duration::from_millis(5), ..Options::default() };
    let store = Store::open(&folder.database(), impatient).await.unwrap();
    let mut house = House::with(store, Clock::manual(at(START))).await;
    house.does("Ann", "join").await;
    let before = house.journal("main").await.len();
    let other = folder.beside();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    // Somebody the database knows, and somebody who would have to be written down first.
    for who in ["Ann", "Bob"] {
        let line = house.line(who, "leave");
        let replies = house.hub.hear(line).await;
        assert!(is_apology(&replies), "{}", shown(&replies));
    }
    assert!(house.does("Ann", "hill").await.contains("joust0"), "reading goes on");
    house.clock.advance_to(at("2026-11-10T12:00:00Z"));
    assert!(house.hub.settle().await.is_err(), "what is due cannot happen");
    assert_eq!(house.journal("main").await.len(), before);

    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    house.hub.settle().await.unwrap();
    house.does("Ann", "leave").await;
    house.does("Bob", "join").await;
    assert_eq!(house.journal("main").await.len(), before + 3, "an award, and two who came and went");
    is_sound(&house).await;
}

#[tokio::test]
async fn a_database_or_a_room_of_another_version_is_not_touched() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    house.close().await;
    let other = folder.beside();
    assert_eq!(other.execute("UPDATE rooms SET shape = 'another'", []).unwrap(), 1);
    let store = Store::open(&folder.database(), Options::default()).await.unwrap();
    let settings = rulekeeper::service::settings::Settings::default();
    let entropy = port::entropy::Entropy::System;
    let opened = rulekeeper::service::Hub::open(store.clone(), Clock::manual(at(START)), entropy, settings).await;
    let why = opened.err().expect("a room of another shape is not read").to_string();
    assert!(why.contains("room main in") && why.contains("rulekeeper.db"), "{why}");
    assert!(why.contains("another version of this program") && why.contains("read it with that version"), "{why}");
    store.close().await.unwrap();
    for verb in [
        &["verify"][..],
        &["check"],
        &["verify-dice", "main"],
        &["export", "main"],
        &["export", "main", "a", "--with-secrets"],
    ] {
        let (code, said) = ill(&folder, verb);
        assert!(code == 1 && said.contains(&why), "{verb:?}: {said}");
    }
    assert!(!folder.path("a").exists());

    other.execute_batch("INSERT INTO schema_versions VALUES (99, 'unknown')").unwrap();
    drop(other);
    let opened = Store::open(&folder.database(), Options::default()).await;
    assert!(matches!(opened, Err(StoreError::OtherSchema { .. })), "{opened:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_comes_twice_acts_once() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    let line = house.line("Ann", "join");
    let first = house.hub.hear(line.clone()).await;
    assert!(first[0].went_well());
    let before = house.journal("main").await.len();
    let again = house.hub.hear(line).await;
    assert!(again.iter().all(|reply| !reply.went_well()), "{}", shown(&again));
    assert_eq!(house.journal("main").await.len(), before);

    // At the same time, several commands at once, and after a restart.
    let line = house.line(MODERATOR, "joust adjudicate so be it");
    let (one, other) = tokio::join!(house.hub.hear(line.clone()), house.hub.hear(line.clone()));
    assert_eq!(one.len() + other.len(), 1, "only one of them is answered: {one:?} {other:?}");
    assert_eq!(house.journal("main").await.len(), before + 1);
    let several = house.line(MODERATOR, "leave; join");
    let replies = house.hub.hear(several.clone()).await;
    let after = house.journal("main").await.len();
    house.hub.hear(several.clone()).await;
    assert_eq!(house.journal("main").await.len(), after, "{}", shown(&replies));
    house.close().await;
    let house = House::open(&folder.database()).await;
    house.hub.hear(line).await;
    house.hub.hear(several).await;
    assert_eq!(house.journal("main").await.len(), after);
    is_sound(&house).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_act_in_one_room_and_neither_loses_or_doubles_anything() {
    /// What each of them does.
    const ACTS: usize = 20;
    let folder = Folder::new();
    let house = House::with_contest(&folder.database()).await;
    let begun = house.journal("main").await.len();
    house.close().await;
    let open = async || {
        let store = Store::open(&folder.database(), Options::default()).await.unwrap();
        House::with(store, Clock::manual(at(START))).await
    };
    let (mut one, mut other) = (open().await, open().await);

    // A line that both are handed, and many that each hears alone, side by side.
    let shared = one.line("Ann", "join");
    let lines = |house: &mut House| {
        (0..ACTS).map(|number| house.line(MODERATOR, &format!("joust adjudicate number {number}"))).collect::<Vec<_>>()
    };
    let play = |house: &House, lines| {
        let (hub, shared) = (house.hub.clone(), shared.clone());
        tokio::spawn(async move {
            let mut replies = hub.hear(shared).await;
            for line in lines {
                replies.extend(hub.hear(line).await);
            }
            replies
        })
    };
    let (of_one, of_other) = (lines(&mut one), lines(&mut other));
    let (first, second) = (play(&one, of_one), play(&other, of_other));
    let replies = [first.await.unwrap(), second.await.unwrap()].concat();
    let faults: Vec<_> = replies.iter().filter(|reply| reply.kind == ReplyKind::Fault).collect();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(causes(&one, "joust adjudicate").await, 2 * ACTS);
    assert_eq!(causes(&one, "join").await, 1);
    assert_eq!(one.journal("main").await.len(), begun + 2 * ACTS + 1);

    // A challenge that both see, and three Mondays that both live through.
    one.does("Ann", &format!("privately joust submit Alpha {ALPHA}")).await;
    other.does(MODERATOR, "joust adjudicate that was a challenge").await;
    let played = one.journal("main").await.iter().filter(|entry| entry.cause.starts_with("challenge/")).count();
    assert_eq!(played, 1);
    for house in [&one, &other] {
        house.clock.advance_to(at("2026-11-24T12:00:00Z"));
    }
    let (one, other) = (Arc::new(one), Arc::new(other));
    let settle = |house: &Arc<House>| {
        let house = house.clone();
        tokio::spawn(async move { house.hub.settle().await })
    };
    let (first, second) = (settle(&one), settle(&other));
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    let journal = one.journal("main").await;
    let due = |entry: &&store::Entry| entry.json.contains("\"cause\":{\"due\"");
    let mut dues: Vec<(i64, String)> =
        journal.iter().filter(due).map(|entry| (entry.at, entry.cause.clone())).collect();
    let all = dues.len();
    dues.sort();
    dues.dedup();
    assert_eq!(dues.len(), all, "nothing is due twice: {dues:?}");
    let mondays =
        ["2026-11-09", "2026-11-16", "2026-11-23"].map(|day| at(&format!("{day}T00:00:00Z")).as_microsecond());
    for monday in mondays {
        assert!(dues.iter().any(|(at, _)| *at == monday), "{dues:?}");
    }
    let store = one.hub.store();
    let room = store.rooms().await.unwrap().remove(0);
    assert_eq!(archive::verify(store, &room).await.unwrap().found, Vec::<String>::new());
}
