//! Many rooms and people, and acts that come at a steady rate: on several processes that share a server, and on one with a
//! file. The rate is doubled until answers come late, so that the table shows where that begins.
//!
//! Each process is this program again, told by a variable which database it works on. It is sent acts by its standard
//! input, and says of each how long it took, from when it had read it to when it was answered.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use port::{clock::Clock, entropy::Entropy};
use rulekeeper::service::{Hub, settings::Settings};
use store::{Options, Store};
use tokio::{io::AsyncBufReadExt as _, runtime::Runtime};

use self::server::Server;
use crate::{
    measure::{Bench, Pace, Row, Times, Watch},
    rooms::{OPERATOR, SERVICE, deliver, line, megabytes, memory},
};

#[path = "../../crates/store/src/tests/postgres_server.rs"]
#[expect(dead_code, reason = "tests ask more of it")]
mod server;

/// What tells a process of the load its database and its number, with a space between them.
pub(crate) const VARIABLE: &str = "RULEKEEPER_BENCH_LOAD";

/// Rooms, and people in each.
const ROOMS: usize = 1000;
const PEOPLE: usize = 10;

/// Processes on the server.
const PROCESSES: usize = 4;

/// How many acts come in a second at first, how often that is doubled, and for how long each lasts.
const RATE_FIRST: usize = 100;
const RATES: usize = 5;
const SECONDS: usize = 10;

/// A rate is too much where this many answers of a hundred come later than so.
const LATE: (usize, Duration) = (99, Duration::from_secs(1));

pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let folder = tempfile::tempdir_in(bench.folder()).expect("the folder is writable");
    let file = folder.path().join("load.db").to_str().expect("a path in Unicode").to_owned();
    let runtime = Runtime::new().expect("a runtime starts");
    let rooms = bench.rounds(ROOMS);
    runtime.block_on(fill(&file, rooms));
    let mut rows = Vec::new();
    match Server::is_installed() {
        true => {
            let server = Server::with("fsync=on");
            let address = server::database(server.socket(), "load");
            runtime.block_on(copy(&file, &address));
            rows.extend(curve(bench, &address, PROCESSES, rooms));
        }
        false => rows.push(Row::noted("load: on Postgres", "no server is installed")),
    }
    rows.extend(curve(bench, &file, 1, rooms));
    rows
}

/// A database with rooms in which nobody is yet.
async fn fill(file: &str, rooms: usize) {
    let store = Store::open(file, Options::default()).await.expect("a store opens");
    let hub = Hub::open(store, Clock::System, Entropy::System, Settings::default()).await.expect("it opens");
    for room in 0..rooms {
        for text in [format!("room open joust room{room}"), "joust start".to_owned()] {
            let replies = hub.hear(line(format!("fill/{room}/{text}"), OPERATOR, &format!("room{room}"), &text)).await;
            assert!(replies.iter().all(port::Reply::went_well), "{replies:?}");
        }
        deliver(&hub).await;
    }
    hub.close().await.expect("the store closes");
}

async fn copy(file: &str, address: &str) {
    let from = Store::open(file, Options::default()).await.expect("a store opens");
    let to = Store::open(address, Options::default()).await.expect("the server answers");
    from.copy_into(&to).await.expect("it is copied");
    to.close().await.expect("it closes");
    from.close().await.expect("it closes");
}

/// Doubles the rate until answers come late.
fn curve(bench: &Bench, address: &str, processes: usize, rooms: usize) -> Vec<Row> {
    let mut all: Vec<Process> = (0..processes).map(|number| Process::start(address, number)).collect();
    let place = if processes > 1 { format!("{processes} processes on Postgres") } else { "one on a file".to_owned() };
    let mut rows = Vec::new();
    let mut said = 0;
    for step in 0..bench.rounds(RATES) {
        let rate = RATE_FIRST << step;
        let count = bench.rounds(rate * SECONDS);
        let mut pace = Pace::of(rate);
        for _ in 0..count {
            pace.wait();
            let process = said % all.len();
            all[process].act(said, rooms);
            said += 1;
        }
        let took = all.iter_mut().flat_map(Process::answers).collect();
        let times = Times::from(took);
        let late = times.percentile(LATE.0) > LATE.1;
        // The largest process has so much memory.
        let most = megabytes(all.iter().filter_map(|process| memory(process.child.id())).max());
        let note = if late { format!("{most}, too much") } else { most };
        rows.push(times.row(&format!("load: {rate} acts a second, {place}")).note(&note));
        if late {
            break;
        }
    }
    all.into_iter().for_each(Process::end);
    rows
}

/// A process of the load.
struct Process {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    waiting: usize,
}

impl Process {
    fn start(address: &str, number: usize) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .env(VARIABLE, format!("{address} {number}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = child.stdin.take().expect("it is piped");
        let mut from = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut ready = String::new();
        from.read_line(&mut ready).expect("it says that it is ready");
        Self { child, to, from, waiting: 0 }
    }

    /// Sends an act: the people of all rooms come by turns, and go by turns.
    fn act(&mut self, number: usize, rooms: usize) {
        let (room, round) = (number % rooms, number / rooms);
        let (person, inside) = (round % PEOPLE, (round / PEOPLE).is_multiple_of(2));
        let verb = if inside { "join" } else { "leave" };
        writeln!(self.to, "{number} {room} {person} {verb}").expect("it reads");
        self.waiting += 1;
    }

    /// How long each took that was sent since.
    fn answers(&mut self) -> Vec<Duration> {
        let count = std::mem::take(&mut self.waiting);
        let mut told = String::new();
        let each = (0..count).map(|_| {
            told.clear();
            self.from.read_line(&mut told).expect("it answers");
            Duration::from_micros(told.trim().parse().unwrap_or_else(|_| panic!("an act was not done: {told}")))
        });
        each.collect()
    }

    fn end(mut self) {
        drop(self.to);
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// What a process of the load does.
#[expect(clippy::print_stdout, reason = "it answers by its standard output")]
pub(crate) fn process(told: &str) {
    let (address, number) = told.rsplit_once(' ').expect("an address and a number");
    let (address, number) = (address.to_owned(), number.to_owned());
    rulekeeper::logging::start(true, &rulekeeper::config::environment);
    Runtime::new().expect("a runtime starts").block_on(async move {
        let store = Store::open(&address, Options::default()).await.expect("a store opens");
        let hub = Hub::open(store, Clock::System, Entropy::System, Settings::default()).await.expect("it opens");
        let (schedules, delivers) = (hub.clone(), hub.clone());
        tokio::spawn(async move { schedules.schedule().await });
        if number == "0" {
            tokio::spawn(async move {
                loop {
                    let delivery = delivers.next_delivery(SERVICE).await;
                    delivers.delivered(delivery.id).await;
                }
            });
        }
        println!("ready");
        let mut lines = tokio::io::BufReader::new(tokio::io::stdin()).lines();
        while let Some(said) = lines.next_line().await.expect("it is text") {
            let hub = hub.clone();
            let watch = Watch::start();
            tokio::spawn(async move {
                let parts: Vec<&str> = said.split(' ').collect();
                let [origin, room, person, verb] = parts[..] else { panic!("{said}") };
                let (who, room) = (format!("p{room}x{person}"), format!("room{room}"));
                let replies = hub.hear(line(format!("load/{origin}/{verb}"), &who, &room, verb)).await;
                match replies.iter().all(port::Reply::went_well) {
                    true => println!("{}", watch.taken().as_micros()),
                    false => println!("{replies:?}"),
                }
            });
        }
        hub.close().await.expect("the store closes");
    });
}
