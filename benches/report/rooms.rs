//! What a line costs from the moment it is heard to its answer. It is measured in a young room, in one that has gone on
//! for years, and in a hundred at once. And what rooms cost while nobody speaks: the start of the program, and its
//! memory.

use std::{
    cell::Cell,
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use kernel::{
    Instant,
    deed::Deed,
    dice::Seed,
    doer::Doer,
    engine::{Context, Table},
};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, ForumAddress, Line, Place, Reply, Sent, Speaker};
use rulekeeper::games;
use rulekeeper::service::Hub;
use rulekeeper::service::room::SNAPSHOT_EVERY_ENTRIES;
use rulekeeper::service::settings::Settings;
use store::{COMMIT_MAX_ENTRIES, Commit, NewEntry, Options, PersonId, RoomId, Said, Salts, Snapshot, Store};
use tokio::{runtime::Runtime, task::JoinSet};
use tower::ServiceExt as _;

use crate::disk::{LOG_ROUNDS, bare_commit};
use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 500;

/// How often the program is started.
const STARTS: usize = 5;

/// How often each page is looked at, and which are.
const LOOKS: usize = 40;
const PAGES: [(&str, &str); 7] = [
    ("the front page", "/"),
    ("a room", "/room/main"),
    ("its journal", "/room/main/journal"),
    ("an old entry", "/room/main/entry/2"),
    ("its rulebook", "/room/main/rulebook"),
    ("its hill", "/room/main/show/hill"),
    ("a search", "/room/main/search?q=award"),
];

/// Rooms in which people act at the same time.
const ROOMS: usize = 100;

/// Rooms that are only there.
const ROOMS_AT_REST: usize = 1000;

/// Longest page, in bytes.
const PAGE_MAX_BYTES: usize = 16 * 1024 * 1024;

/// The service whose channels carry the rooms.
pub(crate) const SERVICE: &str = "bench";

/// Who opens rooms.
pub(crate) const OPERATOR: &str = "op";

/// Who comes and goes, so that every line acts.
const PLAYER: &str = "ann";

pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir_in(bench.folder()).expect("the folder is writable");
    let bare = bare_commit(bench);

    let young = folder.path().join("young.db");
    let mut people = People::new(&runtime, &young);
    people.open_room("main");
    // As many as bring the log of the database to where it is written over.
    people.come_and_go(bench.rounds(LOG_ROUNDS), "main");
    let few = people.come_and_go(bench.rounds(ROUNDS), "main");
    people.go_home();

    let old = folder.path().join("old.db");
    fs::copy(&young, &old).expect("the disk has room");
    runtime.block_on(grow_old(&old, bench.many()));
    let mut people = People::new(&runtime, &old);
    people.come_and_go(bench.rounds(LOG_ROUNDS / 5), "main");
    let many = people.come_and_go(bench.rounds(ROUNDS), "main");
    let pages: Vec<Row> = PAGES
        .iter()
        .map(|(what, path)| {
            let times = people.look(bench.rounds(LOOKS), path);
            times.row(&format!("page: {what}, after {} entries", bench.many()))
        })
        .collect();
    people.go_home();

    let hundred = folder.path().join("hundred.db");
    let mut people = People::new(&runtime, &hundred);
    let names: Vec<String> = (0..ROOMS).map(|number| format!("room{number}")).collect();
    names.iter().for_each(|name| people.open_room(name));
    let at_once = people.act_at_once(bench.rounds(ROUNDS / 10), &names);
    people.go_home();

    let thousand = folder.path().join("thousand.db");
    let mut people = People::new(&runtime, &thousand);
    (0..bench.rounds(ROOMS_AT_REST)).for_each(|number| people.open_room(&format!("room{number}")));
    people.go_home();

    let start = |database: &Path| Times::then(bench.rounds(STARTS), || Program::start(database), Program::end);
    let (quick, small) = start(&young);
    let (aged, grown) = start(&old);
    let (crowded, large) = start(&thousand);
    let (_, empty) = start(&folder.path().join("empty.db"));
    let each = at_once.median().div_f64(ROOMS as f64);
    let share = each.as_secs_f64() / bare.median().as_secs_f64();
    let entries = bench.many();
    let mut rows = vec![
        few.row("room: from a line to its answer").ratio_to("a bare commit", &bare),
        many.row(&format!("room: that after {entries} entries")).ratio_to("in a young room", &few),
        at_once
            .row("room: that in each of 100 rooms at once")
            .rate(ROOMS as u64, "actions")
            .note(&format!("{share:.2} x a bare commit each")),
        quick.row("program: start, with a young room"),
        aged.row(&format!("program: start, with {entries} entries")).ratio_to("with a young room", &quick),
        crowded.row("program: start, with 1000 rooms").ratio_to("with one", &quick),
        Row::noted("program: memory, with no room", &megabytes(empty)),
        Row::noted("program: memory, with a young room", &megabytes(small)),
        Row::noted(&format!("program: memory, with {entries} entries"), &megabytes(grown)),
        Row::noted("program: memory, with 1000 rooms", &megabytes(large)),
    ];
    rows.extend(pages);
    rows
}

/// People who talk to the service, as an adapter hands in what they say.
struct People<'r> {
    runtime: &'r Runtime,
    hub: Hub,
    /// Numbers the lines, over all databases.
    said: Cell<u64>,
    /// Whether the player is in.
    inside: bool,
}

impl<'r> People<'r> {
    fn new(runtime: &'r Runtime, database: &Path) -> Self {
        let hub = runtime.block_on(async {
            let store = open(database).await;
            Hub::open(store, Clock::System, Entropy::System, Settings::default()).await.expect("the rooms open")
        });
        // Unlike every line of an earlier hub on the same database.
        let lines = hub.rooms().iter().map(|room| room.view().seq() << 20).sum();
        Self { runtime, hub, said: Cell::new(lines), inside: false }
    }

    fn line(&self, who: &str, room: &str, text: &str) -> Line {
        self.said.set(self.said.get() + 1);
        // Ids of messages come in no order that an index could use.
        line(format!("{:016x}", self.said.get().wrapping_mul(0x9e37_79b9_7f4a_7c15)), who, room, text)
    }

    /// Opens a room and begins the contest in it, with its ten house programs.
    fn open_room(&mut self, name: &str) {
        for text in [&format!("room open joust {name}"), "joust start"] {
            let line = self.line(OPERATOR, name, text);
            self.runtime.block_on(hear(&self.hub, line));
        }
        self.runtime.block_on(deliver(&self.hub));
    }

    /// Joins and leaves by turns. What is announced is delivered in between, untimed.
    fn come_and_go(&mut self, times: usize, room: &str) -> Times {
        let mut inside = self.inside;
        let (times, ()) = Times::then(
            times,
            || {
                inside = !inside;
                self.runtime.block_on(hear(&self.hub, self.line(PLAYER, room, verb(inside))));
            },
            |()| self.runtime.block_on(deliver(&self.hub)),
        );
        self.inside = inside;
        times
    }

    /// The same in each of these rooms at once.
    fn act_at_once(&mut self, times: usize, rooms: &[String]) -> Times {
        let mut inside = false;
        let (times, ()) = Times::then(
            times,
            || {
                inside = !inside;
                self.runtime.block_on(async {
                    let mut acts = JoinSet::new();
                    for room in rooms {
                        let (hub, line) = (self.hub.clone(), self.line(PLAYER, room, verb(inside)));
                        acts.spawn(async move { hear(&hub, line).await });
                    }
                    acts.join_all().await;
                });
            },
            |()| self.runtime.block_on(deliver(&self.hub)),
        );
        times
    }

    /// Looks at a page, each time as another visitor, since each has a bound.
    fn look(&mut self, times: usize, path: &str) -> Times {
        let router = adapter_web::router(Arc::new(self.hub.clone()), "", None);
        let mut visitor = 0;
        Times::of(times, || {
            visitor += 1;
            let from = format!("198.51.100.{visitor}");
            let request = Request::get(path).header("x-forwarded-for", from).body(Body::empty()).expect("a request");
            self.runtime.block_on(async {
                let answer = router.clone().oneshot(request).await.expect("a router always answers");
                assert!(answer.status().is_success(), "{path}: {}", answer.status());
                to_bytes(answer.into_body(), PAGE_MAX_BYTES).await.expect("a page of a bearable length");
            });
        })
    }

    fn go_home(self) {
        self.runtime.block_on(self.hub.close()).expect("the store closes");
    }
}

/// What somebody says in the channel of a room.
pub(crate) fn line(origin: String, who: &str, room: &str, text: &str) -> Line {
    Line {
        origin,
        from: Speaker {
            account: Some(Account { service: SERVICE.to_owned(), id: who.to_owned() }),
            sign_in: None,
            nick: who.to_owned(),
            operator: who == OPERATOR,
            moderates: Vec::new(),
        },
        place: Place::Forum(ForumAddress { service: SERVICE.to_owned(), channel: format!("#{room}") }),
        text: text.to_owned(),
        attachments: Vec::new(),
        sent: Sent::Typed,
    }
}

fn verb(inside: bool) -> &'static str {
    if inside { "join" } else { "leave" }
}

async fn hear(hub: &Hub, line: Line) {
    let text = line.text.clone();
    let replies = hub.hear(line).await;
    assert!(replies.iter().all(Reply::went_well), "{text}: {replies:?}");
}

/// Delivers every announcement that waits.
pub(crate) async fn deliver(hub: &Hub) {
    while let Some(delivery) = hub.delivery_now(SERVICE).await.expect("the outbox can be read") {
        hub.delivered(delivery.id).await;
    }
}

async fn open(database: &Path) -> Store {
    Store::open(database.to_str().expect("a path in Unicode"), Options::default()).await.expect("a store opens")
}

/// Lets a player come and go until the only room of a database has so many entries. Each is decided by the game. Only
/// the way to the disk is shortened, by taking many in one transaction.
async fn grow_old(database: &Path, entries: usize) {
    let store = open(database).await;
    let row = store.rooms().await.expect("rooms").remove(0);
    let account = Account { service: SERVICE.to_owned(), id: PLAYER.to_owned() };
    let person = store.person_of(&account).await.expect("people").expect("the player was here").id;
    let mut table = games::table(&row.game).expect("a game that is known");
    loop {
        let page = store.entries(row.id, table.view().seq() + 1, 500).await.expect("entries");
        if page.is_empty() {
            break;
        }
        page.iter().for_each(|entry| table.fold(&entry.json).expect("the journal can be read"));
    }
    while table.view().seq() < entries as u64 {
        table = grow(&store, row.id, table, person).await;
    }
    store.close().await.expect("the store closes");
}

/// As many entries as one transaction takes.
async fn grow(store: &Store, room: RoomId, mut table: Box<dyn Table>, person: PersonId) -> Box<dyn Table> {
    let expected_seq = table.view().seq();
    let now = Clock::System.now();
    let entries = (0..COMMIT_MAX_ENTRIES)
        .map(|_| {
            let (entry, after) = come_or_go(&*table, person, now);
            table = after;
            entry
        })
        .collect();
    let seq = table.view().seq();
    let due = seq / SNAPSHOT_EVERY_ENTRIES > expected_seq / SNAPSHOT_EVERY_ENTRIES;
    let snapshot = due.then(|| Snapshot { seq, body: table.snapshot() });
    let next_due = table.view().next_due().map(|due| due.at.as_microsecond());
    let commit = Commit { expected_seq, entries, snapshot, next_due, ..Commit::default() };
    store.commit(room, commit).await.expect("committed");
    table
}

fn come_or_go(table: &dyn Table, person: PersonId, now: Instant) -> (NewEntry, Box<dyn Table>) {
    let context = Context {
        now,
        seed: Seed([0; 32]),
        fresh: Seed([0; 32]),
        salt: [0; _],
        opened: [].into(),
        would_be: Vec::new(),
        fixed: [].into(),
    };
    let deed = |inside: bool| Deed::Act {
        by: Doer { person: format!("p{person}").into(), name: PLAYER.to_owned() },
        command: verb(inside).to_owned(),
        invocation: if inside { serde_json::json!({"join": {}}) } else { "leave".into() },
        public: true,
        private: false,
        forum: None,
        followed: false,
    };
    // Whoever is in cannot come in.
    let step = table.decide(deed(true), &context).or_else(|_| table.decide(deed(false), &context));
    let step = step.expect("a player comes or goes");
    let entry = NewEntry {
        seq: step.seq,
        at: step.at.as_microsecond(),
        recorded: now.as_microsecond(),
        // In order, or the filling alone takes minutes.
        origin: Some(format!("old/{:016x}", step.seq)),
        cause: step.cause.label(),
        actor: step.cause.actor().map(ToString::to_string),
        json: step.entry.expect("something changed"),
        said: Some(Said { person: Some(person), text: step.cause.label() }),
        act: step.act,
        salts: Salts::default(),
    };
    (entry, step.after)
}

/// The program itself, at rest.
struct Program(Child);

impl Program {
    /// Starts it, and waits until it says what is played.
    fn start(database: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulekeeper"))
            .args(["console", "--database"])
            .arg(database)
            .current_dir(database.parent().expect("a folder"))
            .envs([("RULEKEEPER_WEB", "off"), ("RULEKEEPER_LOG", "off")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut said = String::new();
        let out = child.stdout.as_mut().expect("its output is piped");
        BufReader::new(out).read_line(&mut said).expect("it says something");
        assert!(!said.is_empty(), "{} cannot be opened", database.display());
        Self(child)
    }

    /// How much memory it takes, in bytes, where the system tells; then it ends.
    fn end(mut self) -> Option<u64> {
        let memory = memory(self.0.id());
        drop(self.0.stdin.take());
        assert!(self.0.wait().expect("it ends").success());
        memory
    }
}

/// How much memory a process takes, in bytes, where the system tells.
pub(crate) fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

pub(crate) fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "this system does not tell".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6))
}
