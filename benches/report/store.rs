//! What a commit costs on top of the disk: the journal, the outbox, their indexes and the way to the database's thread.

use std::path::Path;

use port::{Destination, ForumAddress};
use store::{
    COMMIT_MAX_ENTRIES, Commit, NewDelivery, NewEntry, NewRoom, Options, QUEUE_MAX_DELIVERIES, RoomId, Said, Salts,
    Store,
};
use tempfile::TempDir;
use tokio::{runtime::Runtime, task::JoinSet};

use crate::disk::{LOG_ROUNDS, bare_commit};
use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 500;

/// Rooms that write side by side.
const ROOMS: usize = 100;

/// Commits with their announcements and deliveries, then the same in a long journal.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let bare = bare_commit(bench);
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir_in(bench.folder()).expect("the folder is writable");
    let store = runtime.block_on(open(folder.path()));
    let hill = runtime.block_on(room(&store, "hill"));
    commits(bench, LOG_ROUNDS / 5, &runtime, &store, hill, false);
    let plain = commits(bench, ROUNDS, &runtime, &store, hill, false);
    let talkative = commits(bench, ROUNDS, &runtime, &store, hill, true);
    let delivered = Times::of(bench.rounds(ROUNDS), || runtime.block_on(deliver(&store)));
    let rooms: Vec<RoomId> = (0..ROOMS).map(|number| runtime.block_on(room(&store, &number.to_string()))).collect();
    let together = Times::of(bench.rounds(ROUNDS / 50), || runtime.block_on(together(&store, &rooms)));
    let mut rows = vec![
        plain.row("store: commit an entry of 1 kB").ratio_to("a bare commit", &bare),
        talkative.row("store: with its text and an announcement").ratio_to("a bare commit", &bare),
        delivered.row("store: lease that and mark it delivered").ratio_to("a bare commit", &bare),
        together.row("store: a commit in each of 100 rooms").rate(ROOMS as u64, "commits"),
    ];
    rows.extend(many(bench, &runtime, &folder, store, &talkative));
    rows.extend(beside_a_dead_network(bench, &runtime));
    rows
}

/// A delivery to a network that lives, while ever more waits for one that is gone: as much as its queues hold.
fn beside_a_dead_network(bench: &Bench, runtime: &Runtime) -> Vec<Row> {
    let folder = tempfile::tempdir_in(bench.folder()).expect("the folder is writable");
    let store = runtime.block_on(open(folder.path()));
    let (hill, dead) = runtime.block_on(async { (room(&store, "hill").await, room(&store, "dead").await) });
    let living = |store: &Store| {
        commits(bench, ROUNDS, runtime, store, hill, true);
        Times::of(bench.rounds(ROUNDS), || runtime.block_on(deliver(store)))
    };
    let alone = living(&store);
    let queues = bench.many().div_ceil(QUEUE_MAX_DELIVERIES as usize);
    for page in 0..queues as u64 {
        let channel = format!("#dead{page}");
        let to = Destination::Forum(ForumAddress { service: "irc:dead".to_owned(), channel });
        let letter = NewDelivery { to, seq: page + 1, at: 0, document: "y".repeat(300) };
        let outbox = vec![letter; QUEUE_MAX_DELIVERIES as usize];
        let commit = Commit { expected_seq: page, entries: vec![entry(page + 1, 100)], outbox, ..Commit::default() };
        runtime.block_on(store.commit(dead, commit)).expect("committed");
    }
    let beside = living(&store);
    let what = format!("store: that while {} wait for a dead network", queues * QUEUE_MAX_DELIVERIES as usize);
    vec![beside.row(&what).ratio_to("while nothing else waits", &alone)]
}

fn many(bench: &Bench, runtime: &Runtime, folder: &TempDir, store: Store, few: &Times) -> Vec<Row> {
    let old = runtime.block_on(room(&store, "old"));
    for page in 0..bench.many().div_ceil(COMMIT_MAX_ENTRIES) {
        let expected_seq = (page * COMMIT_MAX_ENTRIES) as u64;
        let entries = (1..=COMMIT_MAX_ENTRIES as u64)
            .map(|place| expected_seq + place)
            // In order, or the filling alone takes minutes.
            .map(|seq| NewEntry { origin: Some(format!("irc:test/{seq:016x}")), ..entry(seq, 100) })
            .collect();
        runtime.block_on(store.commit(old, Commit { expected_seq, entries, ..Commit::default() })).expect("committed");
    }
    // The disk is still busy with all that.
    runtime.block_on(store.close()).expect("the store closes");
    let store = runtime.block_on(open(folder.path()));
    commits(bench, LOG_ROUNDS / 5, runtime, &store, old, true);
    let many = commits(bench, ROUNDS, runtime, &store, old, true);
    runtime.block_on(store.close()).expect("the store closes");
    let opened = Times::of(bench.rounds(ROUNDS / 50), || {
        runtime.block_on(async {
            let store = open(folder.path()).await;
            assert!(!store.rooms().await.expect("rooms").is_empty());
            store.close().await.expect("the store closes");
        });
    });
    vec![
        many.row(&format!("store: that in a journal of {} entries", bench.many())).ratio_to("in one of thousands", few),
        opened.row("store: open, list the rooms, close"),
    ]
}

async fn open(folder: &Path) -> Store {
    let path = folder.join("store.db");
    Store::open(path.to_str().expect("a path in Unicode"), Options::default()).await.expect("a store opens")
}

async fn room(store: &Store, name: &str) -> RoomId {
    let new = NewRoom {
        name: name.to_owned(),
        folded: name.to_owned(),
        game: "joust".to_owned(),
        shape: String::new(),
        config: "{}".to_owned(),
        created: 0,
        importing: false,
    };
    store.create_room(new, Commit::default()).await.expect("a room is made")
}

fn entry(seq: u64, len: usize) -> NewEntry {
    NewEntry {
        seq,
        at: seq as i64,
        recorded: seq as i64,
        // Message ids come in no order that an index could use.
        origin: Some(format!("irc:other/{:016x}", seq.wrapping_mul(0x9e37_79b9_7f4a_7c15))),
        cause: "action".to_owned(),
        actor: Some(format!("player/{}", seq % 20)),
        json: "x".repeat(len),
        said: None,
        act: None,
        salts: Salts::default(),
    }
}

fn commit(expected_seq: u64, talkative: bool) -> Commit {
    let seq = expected_seq + 1;
    let mut entry = entry(seq, 1024);
    let mut outbox = Vec::new();
    if talkative {
        entry.said = Some(Said { person: None, text: "vote 3 FOR".to_owned() });
        let to = Destination::Forum(ForumAddress { service: "irc:test".to_owned(), channel: "#hill".to_owned() });
        outbox.push(NewDelivery { to, seq, at: seq as i64, document: "y".repeat(300) });
    }
    Commit { expected_seq, entries: vec![entry], outbox, ..Commit::default() }
}

fn commits(bench: &Bench, rounds: usize, runtime: &Runtime, store: &Store, room: RoomId, talkative: bool) -> Times {
    let mut last = runtime.block_on(store.last_seq(room)).expect("a room");
    Times::of(bench.rounds(rounds), || {
        last = runtime.block_on(store.commit(room, commit(last, talkative))).expect("committed").last_seq;
    })
}

async fn deliver(store: &Store) {
    let row = store.lease("irc:test", 0, 1).await.expect("a store").expect("an announcement");
    store.mark_delivered(row.id).await.expect("a store");
}

async fn together(store: &Store, rooms: &[RoomId]) {
    let mut tasks = JoinSet::new();
    for room in rooms {
        let (store, room) = (store.clone(), *room);
        tasks.spawn(async move {
            let last = store.last_seq(room).await.expect("a room");
            store.commit(room, commit(last, true)).await.expect("committed");
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no task fails");
    }
}
