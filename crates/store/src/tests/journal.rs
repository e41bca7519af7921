//! Rooms, entries, snapshots and secrets.

use super::*;
use kernel::Seq;

#[tokio::test]
async fn of_two_handles_that_expect_the_same_entry_exactly_one_wins() {
    let (_folder, path) = folder();
    let (left, right) = (open(&path).await, open(&path).await);
    let hill = room(&left, "hill").await;
    for seq in 0..50 {
        let (one_side, other_side) = tokio::join!(left.commit(hill, one(seq)), right.commit(hill, one(seq)));
        let lost = match (one_side, other_side) {
            (Ok(_), Err(lost)) | (Err(lost), Ok(_)) => lost,
            both => panic!("exactly one wins, not {both:?}"),
        };
        assert!(matches!(lost, StoreError::Conflict { expected, found } if expected == seq && found == seq + 1));
    }
    assert_eq!(left.last_seq(hill).await.unwrap(), 50);
    assert_eq!(left.entries(hill, 1, 100).await.unwrap().len(), 50);
    let (one_side, other_side) = (left.counted(), right.counted());
    assert_eq!((one_side.commits + other_side.commits, one_side.conflicts + other_side.conflicts), (50, 50));
}

#[tokio::test]
async fn connections_are_counted_by_whether_they_are_in_use() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let connections = || (store.counted().busy, store.counted().idle);
    assert_eq!(connections(), (0, 1), "the one that writes");
    let tx = store.db.write().await.unwrap();
    let reader = store.db.read().await.unwrap();
    assert_eq!(connections(), (2, 0));
    drop(reader);
    assert_eq!(connections(), (1, 1));
    tx.undo().await;
    assert_eq!(connections(), (0, 2));
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_drop_without_close() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    let forum = forum("#hill");
    let commit = Commit {
        outbox: vec![say(&forum, 1, "hello")],
        secrets: vec![SecretOp::Put {
            id: "seed".to_owned(),
            secret: Secret { salt: vec![1], bytes: vec![2, 3] },
            sealer: Sealer::default(),
        }],
        snapshot: Some(Snapshot { seq: 1, body: b"state".to_vec() }),
        next_due: Some(77),
        ..one(0)
    };
    store.commit(hill, commit).await.unwrap();
    drop(store);
    let store = open(&path).await;
    let rooms = store.rooms().await.unwrap();
    assert_eq!(rooms.len(), 1);
    assert_eq!((rooms[0].last_seq, rooms[0].next_due, rooms[0].name.as_str()), (1, Some(77), "hill"));
    assert_eq!(store.entry(hill, 1).await.unwrap().unwrap().json, "{\"entry\":1}");
    assert_eq!(store.snapshot(hill, Seq::MAX).await.unwrap().unwrap().body, b"state");
    assert_eq!(store.get_secret(hill, "seed").await.unwrap().unwrap().bytes, [2, 3]);
    assert_eq!(store.lease("irc:test", 0, 10).await.unwrap().unwrap().document, "hello");
}

#[tokio::test]
async fn a_transaction_whose_caller_went_away_leaves_nothing_and_holds_up_nobody() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    for steps in 0..40 {
        let before = store.last_seq(hill).await.unwrap();
        let mut commit = Box::pin(store.commit(hill, one(before)));
        for _ in 0..steps {
            if futures::poll!(&mut commit).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(commit);
        let other = open(&path).await;
        let mut now = other.last_seq(hill).await.unwrap();
        now = match other.commit(hill, one(now)).await {
            // It was under way to the disk when its caller went, and arrived after we looked.
            Err(StoreError::Conflict { found, .. }) => other.commit(hill, one(found)).await.unwrap().last_seq,
            committed => committed.unwrap().last_seq,
        };
        assert!((before + 1..=before + 2).contains(&now), "the abandoned commit happened once or not at all");
        let all = other.entries(hill, 1, 1000).await.unwrap();
        assert_eq!(all.len() as u64, now, "no entry is missing or doubled");
    }
}

#[tokio::test]
async fn a_message_delivered_twice_acts_once() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let (hill, other) = (room(&store, "hill").await, room(&store, "other").await);
    let with_origin = |expected: u64, origin: &str| {
        let mut commit = one(expected);
        commit.entries[0].origin = Some(origin.to_owned());
        commit
    };
    store.commit(hill, with_origin(0, "m1")).await.unwrap();
    let again = store.commit(hill, with_origin(1, "m1")).await;
    assert!(matches!(again, Err(StoreError::DuplicateOrigin { seq: 1 })), "{again:?}");
    let stale = store.commit(hill, with_origin(0, "m1")).await;
    assert!(matches!(stale, Err(StoreError::DuplicateOrigin { seq: 1 })), "{stale:?}");
    assert_eq!(store.last_seq(hill).await.unwrap(), 1);
    store.commit(other, with_origin(0, "m1")).await.unwrap();
    store.commit(hill, with_origin(1, "m2")).await.unwrap();
}

/// What a database takes for any letters is one letter, and letters that it folds otherwise are found in any case.
#[tokio::test]
async fn entries_that_hold_words_are_found_in_any_case() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    let texts = ["a Tea_Pot", "a teaXpot", "5% \u{c4}rger", "", "backslash \\ here", "tea"];
    let said = |text: &str| Said { person: None, text: text.to_owned() };
    let entries = texts.iter().zip(1..).map(|(text, seq)| NewEntry {
        json: format!("{{\"text\":\"{text}\"}}"),
        said: (seq == 4).then(|| said("tea_pot, please")),
        ..entry(seq, seq as i64)
    });
    store.commit(hill, Commit { entries: entries.collect(), ..Commit::default() }).await.unwrap();
    let found = async |words: &str, other: Option<&str>, range: (u64, u64)| {
        let page = store.holding(hill, (words, other), range, 10).await.unwrap();
        page.iter().map(|entry| entry.seq).collect::<Vec<_>>()
    };
    assert_eq!(found("tea_pot", None, (0, 99)).await, [4, 1]);
    assert_eq!(found("5%", None, (0, 99)).await, [3]);
    assert_eq!(found("\u{e4}rger", None, (0, 99)).await, [3], "whoever asks looks again");
    assert_eq!(found("\\", None, (0, 99)).await, [5]);
    assert_eq!(found("tea", None, (2, 6)).await, [4, 2]);
    assert_eq!(found("5%", Some("TEAX"), (0, 99)).await, [3, 2]);
}

#[tokio::test]
async fn entries_are_read_forwards_backwards_and_by_actor() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let mut commit = Commit::default();
    for seq in 1..=20 {
        let actor = Some(if seq % 3 == 0 { "ais523" } else { "oerjan" }.to_owned());
        let said = (seq == 7).then(|| Said { person: None, text: "submit".to_owned() });
        commit.entries.push(NewEntry { actor, said, ..entry(seq, seq as i64) });
    }
    store.commit(hill, commit).await.unwrap();
    let seqs = |page: Vec<Entry>| page.iter().map(|entry| entry.seq).collect::<Vec<_>>();
    assert_eq!(seqs(store.entries(hill, 5, 3).await.unwrap()), [5, 6, 7]);
    assert_eq!(seqs(store.entries(hill, 21, 3).await.unwrap()), [0; 0]);
    assert_eq!(seqs(store.history(hill, Seq::MAX, 3).await.unwrap()), [20, 19, 18]);
    assert_eq!(seqs(store.history(hill, 3, 3).await.unwrap()), [2, 1]);
    assert_eq!(seqs(store.entries_by_actor(hill, "ais523", 18, 3).await.unwrap()), [15, 12, 9]);
    let seventh = store.entry(hill, 7).await.unwrap().unwrap();
    assert_eq!(seventh.said.unwrap().text, "submit");
}

#[tokio::test]
async fn a_page_of_large_entries_ends_early_and_never_empty() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let mut commit = Commit::default();
    for seq in 1..=6 {
        commit.entries.push(NewEntry { json: "x".repeat(PAGE_MAX_BYTES / 2), ..entry(seq, 0) });
    }
    store.commit(hill, commit).await.unwrap();
    let (mut from, mut pages) = (1, Vec::new());
    loop {
        let page = store.entries(hill, from, 100).await.unwrap();
        let Some(last) = page.last() else { break };
        from = last.seq + 1;
        pages.push(page.len());
    }
    assert_eq!(pages, [2, 2, 2]);
}

#[tokio::test]
async fn as_of_an_instant_shows_what_had_been_appended_before_anything_later_took_effect() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    assert_eq!(store.seq_at(hill, 5).await.unwrap(), 0);
    let mut commit = Commit::default();
    // The fourth is a challenge that is recorded late, with the instant of its submission.
    for (seq, at) in [(1, 10), (2, 20), (3, 30), (4, 15), (5, 30), (6, 40)] {
        commit.entries.push(entry(seq, at));
    }
    let tail = commit.entries.split_off(3);
    store.commit(hill, commit).await.unwrap();
    store.commit(hill, Commit { expected_seq: 3, entries: tail, ..Commit::default() }).await.unwrap();
    let mut seen = Vec::new();
    for instant in [9, 10, 19, 20, 29, 30, 39, 40, 99] {
        seen.push(store.seq_at(hill, instant).await.unwrap());
    }
    assert_eq!(seen, [0, 1, 1, 2, 2, 5, 5, 6, 6]);
}

#[tokio::test]
async fn as_of_agrees_with_reading_the_journal_from_the_start() {
    let store = Store::in_memory().await.unwrap();
    for number in 0..20u64 {
        let hill = room(&store, &number.to_string()).await;
        let mut commit = Commit::default();
        let mut draw = number + 1;
        for seq in 1..=40 {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            commit.entries.push(entry(seq, seq as i64 + (draw >> 60) as i64 - 8));
        }
        let ats: Vec<i64> = commit.entries.iter().map(|entry| entry.at).collect();
        let tail = commit.entries.split_off(25);
        store.commit(hill, commit).await.unwrap();
        store.commit(hill, Commit { expected_seq: 25, entries: tail, ..Commit::default() }).await.unwrap();
        for instant in -10..60 {
            let naive = ats.iter().take_while(|at| **at <= instant).count() as u64;
            assert_eq!(store.seq_at(hill, instant).await.unwrap(), naive, "{ats:?} as of {instant}");
        }
    }
}

#[tokio::test]
async fn names_of_open_rooms_are_unique_and_closing_frees_them() {
    let store = Store::in_memory().await.unwrap();
    let first = room(&store, "Hill").await;
    let taken = store.create_room(new_room("HILL"), Commit::default()).await;
    assert!(matches!(taken, Err(StoreError::NameTaken { name }) if name == "HILL"));
    store.commit(first, Commit { close: Some(9), next_due: Some(5), ..one(0) }).await.unwrap();
    let second = room(&store, "HILL").await;
    assert_ne!(first, second);
    assert_eq!(store.rooms().await.unwrap().iter().map(|room| room.id).collect::<Vec<_>>(), [second]);
    let closed = store.room(first).await.unwrap().unwrap();
    assert_eq!((closed.closed, closed.next_due, closed.last_seq), (Some(9), None, 1));
    assert!(matches!(store.commit(first, one(1)).await, Err(StoreError::NoSuchRoom { .. })));
    store.commit(second, Commit { close: Some(10), ..Commit::default() }).await.unwrap();
    assert!(store.rooms().await.unwrap().is_empty());
}

#[tokio::test]
async fn entries_that_do_not_follow_the_expected_one_and_oversized_ones_are_refused_whole() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let mut gap = one(0);
    gap.entries.push(entry(3, 0));
    assert!(store.commit(hill, gap).await.is_err());
    let mut long = one(0);
    long.entries[0].json = "x".repeat(ENTRY_MAX_BYTES + 1);
    assert!(matches!(store.commit(hill, long).await, Err(StoreError::TooLarge { .. })));
    let secret = Secret { salt: vec![], bytes: vec![0; SECRET_MAX_BYTES + 1] };
    let heavy =
        Commit { secrets: vec![SecretOp::Put { id: "p".to_owned(), secret, sealer: Sealer::default() }], ..one(0) };
    assert!(matches!(store.commit(hill, heavy).await, Err(StoreError::TooLarge { .. })));
    assert_eq!(store.last_seq(hill).await.unwrap(), 0);
    assert!(store.entries(hill, 0, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn snapshots_are_found_by_entry_and_cannot_run_ahead() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    for seq in 1..10 {
        let snapshot = [2, 5, 8].contains(&seq).then(|| Snapshot { seq, body: vec![seq as u8] });
        store.commit(hill, Commit { snapshot, ..one(seq - 1) }).await.unwrap();
    }
    let at = async |seq| store.snapshot(hill, seq).await.unwrap().map(|found| found.seq);
    assert_eq!((at(1).await, at(5).await, at(7).await, at(Seq::MAX).await), (None, Some(5), Some(5), Some(8)));
    let ahead = Some(Snapshot { seq: 11, body: vec![] });
    assert!(store.commit(hill, Commit { snapshot: ahead, ..one(9) }).await.is_err());
    assert_eq!(store.snapshot_seqs(hill).await.unwrap(), [2, 5, 8]);
}

#[tokio::test]
async fn secrets_are_replaced_deleted_and_never_printed() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let secret = Secret { salt: b"pepper".to_vec(), bytes: b">+[hidden]".to_vec() };
    let put = SecretOp::Put { id: "program/1".to_owned(), secret: secret.clone(), sealer: Sealer::default() };
    let commit = Commit { secrets: vec![put], ..one(0) };
    let printed = format!("{commit:?} {secret:?}");
    assert!(!printed.contains("hidden") && !printed.contains("62, 43") && !printed.contains("pepper"), "{printed}");
    store.commit(hill, commit).await.unwrap();
    assert_eq!(store.get_secret(hill, "program/1").await.unwrap(), Some(secret));
    assert_eq!(store.secret_ids(hill, "").await.unwrap(), ["program/1"]);
    let delete = vec![SecretOp::Delete { id: "program/1".to_owned() }];
    store.commit(hill, Commit { secrets: delete, ..one(1) }).await.unwrap();
    assert_eq!(store.get_secret(hill, "program/1").await.unwrap(), None);
}

#[tokio::test]
async fn readers_see_a_commit_as_soon_as_it_returns() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    for seq in 0..100 {
        store.commit(hill, one(seq)).await.unwrap();
        let (left, right) = tokio::join!(store.last_seq(hill), store.entries(hill, seq + 1, 1));
        assert_eq!((left.unwrap(), right.unwrap().len()), (seq + 1, 1));
    }
}

#[tokio::test]
async fn the_commands_of_one_line_are_found_and_no_other_lines() {
    let store = Store::in_memory().await.unwrap();
    let (hill, other) = (room(&store, "hill").await, room(&store, "other").await);
    for (expected, origin) in ["a#0.0", "a#10.0", "a", "ab#0.0", "a$", "a#2.1.bind"].into_iter().enumerate() {
        let mut commit = one(expected as u64);
        commit.entries[0].origin = Some(origin.to_owned());
        store.commit(hill, commit).await.unwrap();
    }
    assert_eq!(store.origins_of(hill, "a").await.unwrap(), ["a#0.0", "a#10.0", "a#2.1.bind"]);
    assert_eq!(store.origins_of(hill, "c").await.unwrap(), Vec::<String>::new());
    assert_eq!(store.origins_of(other, "a").await.unwrap(), Vec::<String>::new());
}
