//! Several processes on one database: one does what only one does at a time, and another takes over when it is gone.

use std::{path::Path, process::Stdio};

use jiff::SignedDuration;
use port::{Destination, ForumAddress, Place, Reply, clock::Clock, entropy::Entropy, gallery::Gallery};
use rulekeeper::service::{Hub, settings::Settings};
use rustix::process::Signal;
use store::{Options, RoomId, Store, Term};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        UnixListener, UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

use super::postgres::server;
use crate::{
    console::{Home, Running},
    harness::needs_servers,
    house::{ALPHA, Folder, House, MODERATOR, START, at},
    servers::{self, client::Client, ngircd},
};

/// How long a charge in a file counts without being renewed, as long as that of the program or longer.
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// The channel of the bots.
const CHANNEL: &str = "#nomic";

async fn open(address: &str, settings: Settings) -> House {
    let store = Store::open(address, Options::default()).await.unwrap();
    let clock = Clock::manual(at(START));
    House::of(Hub::open(store, clock.clone(), Entropy::System, settings).await.unwrap(), clock)
}

#[tokio::test(start_paused = true)]
async fn one_process_is_in_charge_until_it_gives_that_back_or_is_gone() {
    let folder = Folder::new();
    let next = async || House::open(&folder.database()).await;
    let (one, two, three) = (next().await, next().await, next().await);
    let net = [&one, &two, &three].map(|house| house.hub.charge("irc:net"));
    let held = || net.each_ref().map(|held| *held.borrow());
    one.hub.look_after_charges().await;
    two.hub.look_after_charges().await;
    assert_eq!(held(), [true, false, false]);
    // Each network is a charge of its own.
    let other = two.hub.charge("irc:other");
    two.hub.look_after_charges().await;
    assert!(*other.borrow());

    // It is renewed in time, and then not.
    for house in [&one, &two] {
        house.clock.advance_to(house.clock.now() + LEASE - SignedDuration::from_secs(1));
        house.hub.look_after_charges().await;
    }
    assert_eq!(held(), [true, false, false]);
    // A clock that jumps lets nobody have it before its time.
    two.clock.advance_to(two.clock.now() + LEASE);
    two.hub.look_after_charges().await;
    assert_eq!(held(), [true, false, false]);
    tokio::time::advance(LEASE.unsigned_abs()).await;
    two.hub.look_after_charges().await;
    assert!(held()[1]);
    one.clock.advance_to(two.clock.now());
    one.hub.look_after_charges().await;
    assert_eq!(held(), [false, true, false]);
    let lost =
        Gallery::metrics(&one.hub).await.into_iter().find(|metric| metric.name == "rulekeeper_charges_lost_total");
    assert_eq!(lost.unwrap().samples[0].1, 1.0);

    // What is given back is free at once.
    three.clock.advance_to(two.clock.now());
    two.close().await;
    three.hub.look_after_charges().await;
    assert!(held()[2]);
}

#[tokio::test]
async fn who_takes_a_charge_over_knows_what_was_done_before() {
    let folder = Folder::new();
    let mut one = House::with_contest(&folder.database()).await;
    let two = House::open(&folder.database()).await;
    let (_kept, held) = (one.hub.charge("irc:net"), two.hub.charge("irc:net"));
    one.hub.look_after_charges().await;
    one.does("Ann", "join").await;
    let done = one.room("main").view().seq();
    assert!(two.room("main").view().seq() < done);
    one.close().await;
    two.hub.look_after_charges().await;
    assert_eq!((*held.borrow(), two.room("main").view().seq()), (true, done));
}

#[tokio::test(start_paused = true)]
async fn who_takes_over_a_network_delivers_what_was_on_its_way_there() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does(MODERATOR, "joust adjudicate Begun.").await;
    let store = house.hub.store();
    let now = house.clock.now().as_microsecond();
    store.claim("test", Term { holder: "the dead", now, lease_for: 1 }).await.unwrap();
    let to = |row: &store::DeliveryRow| match &row.to {
        Destination::Forum(ForumAddress { service, .. }) => service.clone(),
        Destination::Person(account) => account.service.clone(),
    };
    let on_its_way = store.lease("test", now, i64::MAX / 2).await.unwrap().expect("something waits");
    assert_eq!(to(&on_its_way), "test");
    let (_held, left) = (house.hub.charge("test"), async || store.lease("test", now, 10).await.unwrap());
    while left().await.is_some() {}
    house.hub.look_after_charges().await;
    house.clock.advance_to(house.clock.now() + LEASE);
    tokio::time::advance(LEASE.unsigned_abs()).await;
    house.hub.look_after_charges().await;
    let again = left().await.expect("it is free again");
    assert_eq!(again.id, on_its_way.id);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_long_works_to_others_waits_for_them() {
    let folder = Folder::new();
    House::with_contest(&folder.database()).await.close().await;
    let mut serves = open(&folder.database(), Settings { arena_threads: 0, ..Settings::default() }).await;
    let works = open(&folder.database(), Settings { is_worker: true, ..Settings::default() }).await;
    let plays = works.hub.clone();
    let played = tokio::spawn(async move {
        loop {
            plays.see_others().await.unwrap();
            for room in plays.rooms() {
                plays.finish_work(&room).await;
            }
            tokio::task::yield_now().await;
        }
    });
    serves.does("Ann", "join").await;
    serves.does("Ann", &format!("privately joust submit Alpha {ALPHA}")).await;
    played.abort();
    assert!(serves.does("Ann", "hill").await.contains("Alpha"));
    let began = async |house: &House| {
        let metrics = Gallery::metrics(&house.hub).await;
        metrics.into_iter().find(|metric| metric.name == "rulekeeper_jousts_total").unwrap().samples[0].1
    };
    assert_eq!((began(&serves).await, began(&works).await), (0.0, 1.0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_work_that_one_process_after_another_dies_of_rests_for_a_day() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    let (room, seq) = (house.room("main").id, house.room("main").view().seq());
    let now = house.clock.now().as_microsecond();
    for number in 0..5 {
        let holder = format!("dead {number}");
        let term = Term { holder: &holder, now: now + number, lease_for: 1 };
        house.hub.store().claim_work((room, seq), "challenge/1", term).await.unwrap();
    }
    house.clock.advance_to(house.clock.now() + SignedDuration::from_secs(1));
    let submits = house.line("Ann", &format!("privately joust submit Alpha {ALPHA}"));
    house.hub.hear(submits).await;
    let told = async {
        while !house.journal("main").await.iter().any(|entry| entry.json.contains("5 processes in turn have ended")) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::console::PATIENCE, told).await.expect("moderators are told");
    assert!(house.room("main").view().work().is_some());
    house.clock.advance_to(house.clock.now() + SignedDuration::from_hours(24));
    house.hub.settle().await.unwrap();
    assert!(house.room("main").view().work().is_none(), "after a day it is played");
}

/// A process that serves, on this database and network.
fn serve(home: &Home, database: &str) -> Running {
    let mut command = home.command(&["--database", database, "--config", "bot.toml", "serve"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut running = Running::reading(child.stderr.take().expect("its log is piped"), child);
    running.hear("started");
    running
}

fn configure(home: &Home, network: &servers::Network) {
    let text = format!(
        "[[irc]]\nname = 'net'\nhost = '{}'\nport = {}\ntls = false\nnick = 'Keeper'\nchannels = ['{CHANNEL}']\n\
         identity = 'connection'\npace.line_every_ms = 0\n",
        network.host, network.port
    );
    std::fs::write(home.path("bot.toml"), text).expect("the folder is ours");
}

async fn joins(client: &mut Client) -> String {
    client.expect("a bot to join", |message| message.command == "JOIN").await.from
}

/// A contest in the channel of the bots.
async fn open_contest(database: &str) {
    // What the clock of the program says, or it would not trust it.
    let mut house = House::with(Store::open(database, Options::default()).await.unwrap(), Clock::System).await;
    for text in ["room open joust main", "joust start"] {
        let mut line = house.line(MODERATOR, text);
        line.place = Place::Forum(ForumAddress { service: "irc:net".to_owned(), channel: CHANNEL.to_owned() });
        let replies = house.hub.hear(line).await;
        assert!(replies.iter().all(Reply::went_well), "{replies:?}");
    }
    house.close().await;
}

/// Given people who act one after another while a newer process is started beside the one that serves, and that one is
/// ended. Then nobody is refused, and each act is done once: also those that were on their way just then, unless no process
/// was in the channel to hear them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_process_takes_over_while_people_act() {
    const PEOPLE: usize = 40;
    needs_servers!(Ngircd);
    if server::is_left_out() {
        return;
    }
    let network = ngircd::ngircd(servers::Options::LAX).await;
    let (home, server) = (Home::new(), server::Server::start());
    let database = server::database(server.socket(), "upgraded");
    open_contest(&database).await;
    configure(&home, &network);
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        let mut person = Client::connect(&network, &format!("P{number}x")).await;
        person.join(CHANNEL).await;
        people.push(person);
    }
    let mut looks = Client::connect(&network, "Looks").await;
    looks.join(CHANNEL).await;
    let mut old = Some(serve(&home, &database));
    assert_eq!(joins(&mut looks).await, "Keeper");
    let store = Store::open(&database, Options::default()).await.unwrap();
    let journal = async || store.entries(RoomId(1), 1, 1000).await.unwrap();
    let (mut newer, mut said) = (None, 0);
    for (number, person) in people.iter_mut().enumerate() {
        if number == PEOPLE / 3 {
            newer = Some(serve(&home, &database));
        }
        person.say(CHANNEL, "!join").await;
        if number == PEOPLE / 2 {
            old.take().expect("it runs").signal(Signal::TERM);
        }
        let member = format!("P{number}x is a member");
        loop {
            let told = looks.expect("an announcement or a bot", |message| {
                message.text().contains(&member) || message.command == "JOIN" && message.from.starts_with("Keeper")
            });
            if told.await.command != "JOIN" {
                break;
            }
            // Nobody heard what was said while no bot was there.
            if !journal().await.iter().any(|entry| entry.json.contains(&format!("P{number}x"))) {
                said += 1;
                person.say(CHANNEL, "!join").await;
            }
        }
    }
    assert!(said <= 1, "only one act was on its way when there was no bot");
    let joined = journal().await.into_iter().filter(|entry| entry.cause == "join").count();
    assert_eq!(joined, PEOPLE);
    drop(newer);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_is_taken_over_from_a_process_that_is_killed_and_from_one_that_stands_still() {
    needs_servers!(Ngircd);
    if server::is_left_out() {
        return;
    }
    let network = ngircd::ngircd(servers::Options::LAX).await;
    let (home, server) = (Home::new(), server::Server::start());
    let database = server::database(server.socket(), "shared");
    configure(&home, &network);
    let mut client = Client::connect(&network, "Ann").await;
    client.join(CHANNEL).await;

    let first = serve(&home, &database);
    assert_eq!(joins(&mut client).await, "Keeper");
    let mut second = serve(&home, &database);
    client.say(CHANNEL, "!ping").await;
    client.expect_text("Keeper", "is here").await;
    first.signal(Signal::KILL);
    second.hear("taken over from a process that is gone");
    assert_eq!(joins(&mut client).await, "Keeper");
    client.say(CHANNEL, "!ping").await;
    client.expect_text("Keeper", "is here").await;

    // One that stands still keeps its connection, and says goodbye when it wakes up.
    let mut third = serve(&home, &database);
    second.stand(true);
    third.hear("taken over from a process that is gone");
    let stand_in = joins(&mut client).await;
    assert_ne!(stand_in, "Keeper");
    second.stand(false);
    client.expect("the other to leave", |message| message.command == "QUIT" && message.from == "Keeper").await;

    // In an orderly end nobody waits for a claim to run out.
    third.signal(Signal::TERM);
    assert_eq!(joins(&mut client).await, "Keeper");
}

/// A link to the server of a database that can be stalled: what goes through it stays where it is.
struct Link {
    folder: tempfile::TempDir,
    stalled: watch::Sender<bool>,
}

impl Link {
    /// The name of a server's socket.
    const SOCKET: &str = ".s.PGSQL.5432";

    fn to(socket: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let listener = UnixListener::bind(folder.path().join(Self::SOCKET)).expect("nobody listens there");
        let (stalled, server) = (watch::Sender::new(false), Path::new(socket).join(Self::SOCKET));
        let stalls = stalled.clone();
        tokio::spawn(async move {
            while let Ok((here, _)) = listener.accept().await {
                let there = UnixStream::connect(&server).await.expect("the server listens");
                let ((from_here, to_here), (from_there, to_there)) = (here.into_split(), there.into_split());
                tokio::spawn(Self::carry(from_here, to_there, stalls.subscribe()));
                tokio::spawn(Self::carry(from_there, to_here, stalls.subscribe()));
            }
        });
        Self { folder, stalled }
    }

    async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut stalled: watch::Receiver<bool>) {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            if stalled.wait_for(|stalled| !*stalled).await.is_err() || to.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    }
}

/// Of two processes one alone is on the network, also where the database does not answer the one that has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_the_database_does_not_answer_leaves_the_network_before_another_comes() {
    needs_servers!(Ngircd);
    if server::is_left_out() {
        return;
    }
    let network = ngircd::ngircd(servers::Options::LAX).await;
    let (home, server) = (Home::new(), server::Server::start());
    let database = server::database(server.socket(), "stalled");
    configure(&home, &network);
    let mut client = Client::connect(&network, "Ann").await;
    client.join(CHANNEL).await;
    let link = Link::to(server.socket());
    let through = database.replace(server.socket(), &link.folder.path().to_string_lossy());
    let first = serve(&home, &through);
    assert_eq!(joins(&mut client).await, "Keeper");
    let mut second = serve(&home, &database);
    link.stalled.send_replace(true);
    // Whoever waits is told before it leaves.
    client.say(CHANNEL, "!rooms").await;
    client.expect_text("Keeper", "The database does not answer, and it is not known whether that was done.").await;
    client.expect("the first to leave", |message| message.command == "QUIT" && message.from == "Keeper").await;
    second.hear("taken over from a process that is gone");
    assert_eq!(joins(&mut client).await, "Keeper");
    link.stalled.send_replace(false);
    client.say(CHANNEL, "!ping").await;
    client.expect_text("Keeper", "is here").await;
    drop(first);
}
