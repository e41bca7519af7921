//! A server in trouble: it starts anew, or the way to it breaks again and again. Whoever plays notices nothing, or waits.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use jiff::SignedDuration;
use port::{Reply, clock::Clock};
use store::{Options, Store};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{UnixListener, UnixStream},
};

use super::postgres::server;
use crate::house::{House, MODERATOR, SERVICE, START, at};

/// What a server of Postgres calls its socket.
const SOCKET: &str = ".s.PGSQL.5432";

/// How long an adapter may take to deliver an announcement before it is offered again.
const LEASE: SignedDuration = SignedDuration::from_secs(120);

/// How many acts are done.
const ACTS: usize = 40;

/// A connection breaks each time so many packets have gone to the server, over all connections.
const BREAKS_AFTER: usize = 41;

async fn open(address: &str) -> House {
    let store = Store::open(address, Options::default()).await.unwrap();
    House::with(store, Clock::manual(at(START))).await
}

/// What was published so far, in order.
async fn published(house: &House) -> Vec<String> {
    let journal = house.journal("main").await;
    let texts =
        journal.iter().filter(|entry| entry.cause == "joust adjudicate").filter_map(|entry| entry.said.as_ref());
    texts.map(|said| said.text.clone()).collect()
}

/// Publishes something, which nobody may be told is broken; what was delivered because of it.
async fn publish(house: &mut House, text: &str) -> Vec<i64> {
    let line = house.line(MODERATOR, text);
    let replies = house.hub.hear(line).await;
    assert!(!replies.is_empty() && replies.iter().all(Reply::went_well), "{replies:?}");
    deliver(house).await
}

/// Delivers what waits; what that was.
async fn deliver(house: &House) -> Vec<i64> {
    let mut delivered = Vec::new();
    loop {
        match house.hub.delivery_now(SERVICE).await {
            Ok(Some(delivery)) => {
                house.hub.delivered(delivery.id).await;
                delivered.push(delivery.id);
            }
            Ok(None) => return delivered,
            // The adapter asks again a little later.
            Err(_) => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_starts_anew_is_waited_for_and_nobody_is_told_of_a_fault() {
    if server::is_left_out() {
        return;
    }
    let mut server = server::Server::start();
    let address = server::database(server.socket(), "restarted");
    House::with_contest(&address).await.close().await;
    let (mut one, mut other) = (open(&address).await, open(&address).await);
    let mut texts = Vec::new();
    for number in 0..6 {
        match number {
            // Between two acts it was gone and is back.
            2 => server.restart(),
            // It is gone when somebody acts.
            4 => server.crash(),
            _ => {}
        }
        let text = format!("joust adjudicate Word {number}.");
        let house = if number % 2 == 0 { &mut one } else { &mut other };
        let publishing = publish(house, &text);
        if number == 4 {
            let starts = tokio::task::spawn_blocking(move || {
                server.start_again();
                server
            });
            publishing.await;
            server = starts.await.unwrap();
        } else {
            publishing.await;
        }
        texts.push(text);
    }
    one.hub.see_others().await.unwrap();
    assert_eq!(published(&one).await, texts);
    // Deliveries wait for no disk. Where the server has lost one, the announcement is offered again once its lease is over.
    one.clock.advance_to(one.clock.now() + LEASE);
    deliver(&one).await;
    assert_eq!(one.hub.store().pending().await.unwrap(), 0);
    assert_eq!(one.hub.store().complaints().await.unwrap(), Vec::<String>::new());
}

/// A way to a server on which connections break.
struct Way {
    folder: tempfile::TempDir,
    /// How many packets went to the server.
    passed: AtomicUsize,
    /// How many connections have broken.
    broken: AtomicUsize,
}

impl Way {
    /// A way to the server that listens in a folder.
    fn to(socket: &str) -> Arc<Self> {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let way = Arc::new(Self { folder, passed: AtomicUsize::new(0), broken: AtomicUsize::new(0) });
        let (passes, server) = (Arc::clone(&way), Path::new(socket).join(SOCKET));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (way, server) = (Arc::clone(&passes), server.clone());
                tokio::spawn(async move { way.carry(client, server).await });
            }
        });
        way
    }

    fn address(&self, name: &str) -> String {
        format!("postgres://postgres@localhost/{name}?host={}", self.folder.path().display())
    }

    async fn carry(&self, client: UnixStream, server: PathBuf) {
        let server = UnixStream::connect(server).await.unwrap();
        let ((mut from, mut back), (mut answers, mut to)) = (client.into_split(), server.into_split());
        let answering = tokio::spawn(async move { tokio::io::copy(&mut answers, &mut back).await });
        let mut packet = vec![0; 64 * 1024];
        while let Ok(length) = from.read(&mut packet).await
            && length > 0
        {
            let passed = self.passed.fetch_add(1, Relaxed) + 1;
            if !passed.is_multiple_of(BREAKS_AFTER) {
                to.write_all(&packet[..length]).await.unwrap();
                continue;
            }
            // By turns what was asked for does not arrive, or the answer does not.
            if self.broken.fetch_add(1, Relaxed).is_multiple_of(2) {
                answering.abort();
                let _ = answering.await;
                to.write_all(&packet[..length]).await.unwrap();
                return;
            }
            break;
        }
        answering.abort();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_way_that_breaks_again_and_again_each_act_is_done_once() {
    if server::is_left_out() {
        return;
    }
    let server = server::Server::start();
    let address = server::database(server.socket(), "broken");
    House::with_contest(&address).await.close().await;
    let way = Way::to(server.socket());
    let mut house = open(&way.address("broken")).await;
    let (mut texts, mut delivered) = (Vec::new(), Vec::new());
    for number in 0..ACTS {
        let text = format!("joust adjudicate Word {number}.");
        delivered.extend(publish(&mut house, &text).await);
        texts.push(text);
    }
    let broken = way.broken.load(Relaxed);
    assert!(broken > ACTS / 2, "{broken} connections broke");
    assert_eq!(published(&house).await, texts);
    let before = delivered.len();
    delivered.sort_unstable();
    delivered.dedup();
    assert!(before - delivered.len() <= broken, "{before} deliveries of {}", delivered.len());
    let straight = open(&address).await;
    assert_eq!(straight.hub.store().pending().await.unwrap(), 0, "nothing is left");
    assert_eq!(straight.journal("main").await.len(), house.journal("main").await.len());
    assert_eq!(straight.hub.store().complaints().await.unwrap(), Vec::<String>::new());
}
