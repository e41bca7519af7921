//! The program killed outright, again and again, through a day of a contest.
//!
//! The real binary reads the day's script from a file, as a session, and gets SIGKILL at moments that are drawn from a
//! fixed seed. These are: a line is read, a page reaches the log of the database, an entry is logged, a line of an
//! answer appears. Then it is started again, from the line that had no answer. In the end the journal has to read like
//! that of a day without deaths, entry for entry. The room must have been told everything, in order, and nothing twice
//! but what was on its way when the program died. A power failure, and what it does to a disk, is not tried.
//!
//! A failure names its seed and its deaths; the same seed draws the same moments again, though a signal takes a while
//! to arrive.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
};

use rulekeeper::service::archive;
use store::{Options, Store};

use rustix::process::Signal;

use crate::{
    console::{Home, PATIENCE, Running},
    harness::{Chance, sampled},
    operate::server,
};

/// The day: from Sunday evening to the evening of the Monday on which points are awarded. No two announcements that
/// follow each other are alike.
const DAY: &str = "\
tick until:2031-03-02T20:00
joust start
as Ann
join
joust submit Alpha >>>>>>>+[>[+++[-]]+]
hill
joust adjudicate so be it
as Bob
join
leave; join
joust submit Beta >+++>--->>+[>[+++[-]]+]
joust submit Beta >
joust retract Beta
as
joust intend set weekly-programs 2
joust intend remove joust3
as Ann
joust object 1
joust object 1
joust unobject 1
as
tick until:2031-03-02T22:30
as Cyd
joust submit Gamma >>>>+[>[-]+]
join; joust submit Delta >>>>>+[>[-]+]
as Ann
joust reveal Alpha
joust test Alpha against joust3
as
tick until:2031-03-03T08:00
correct player/ann.points 7 because Ann was ill
joust adjudicate about:12 The award stands.
undo 127 yes
undo 127 yes
moderator add bob
ban cyd because of noise
as Cyd
leave
as
unban cyd
forum designate discussion
forum designate public
as Bob
leave
join
joust submit Epsilon ++++>>>>>+[>[-]+]
show points
pause because of tea
resume
as
room settings clock manual
tick until:2031-03-03T20:00
joust adjudicate and that was the day
";

/// What the room has gone through before the day, so that a snapshot is taken in the middle of it.
const ENTRIES_BEFORE: usize = 100;

/// What the script is called where its lines are known by it.
const SESSION: &str = "day";

/// Whom announcements for everybody are for.
const FORUM: &str = "#";

/// How many bytes a page takes in the log of the database.
const LOGGED_PAGE_BYTES: u64 = 4096 + 24;

/// How often a day is broken off. There are four days.
const DEATHS: usize = 25;

/// A moment at which the program is killed, counted from when a line was read.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Before the first line is read: what was held back is being delivered.
    Started,
    /// As soon as the line is read.
    Read,
    /// The database's log is so many pages longer.
    Pages(u64),
    /// So many entries were logged: they are committed.
    Entries(usize),
    /// So many lines were written.
    Written(usize),
}

/// A death.
#[derive(Clone, Copy, Debug)]
struct Death {
    /// In which line of the script.
    line: usize,
    moment: Moment,
}

impl Death {
    fn drawn(chance: &mut Chance) -> Self {
        let moment = match chance.below(10) {
            0 => Moment::Started,
            1 | 2 => Moment::Read,
            3..=5 => Moment::Pages(1 + chance.below(24) as u64),
            6 | 7 => Moment::Entries(1 + chance.below(3)),
            _ => Moment::Written(1 + chance.below(30)),
        };
        Death { line: 1 + chance.below(DAY.lines().count()), moment }
    }
}

/// What the program writes, as it comes.
enum Seen {
    /// A line of its output, or the beginning of one.
    Out(String),
    /// A line of its log.
    Logged(String),
}

/// One life of the program.
struct Life {
    child: Child,
    seen: mpsc::Receiver<Seen>,
    /// The line of the script that was read last.
    line: usize,
    /// All that it wrote.
    out: Vec<String>,
}

impl Life {
    /// Starts the program on a script, from a line on.
    fn begin(home: &Home, script: &Path, from: usize) -> Self {
        let from_line = from.to_string();
        Self::of(home.command(&["console", "--session", SESSION, "--from", &from_line]), script, from)
    }

    fn of(mut command: Command, script: &Path, from: usize) -> Self {
        let mut child = command
            .stdin(File::open(script).expect("the script is there"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, seen) = mpsc::channel();
        pass_on(child.stdout.take().expect("its output is piped"), sender.clone(), Seen::Out);
        pass_on(child.stderr.take().expect("its log is piped"), sender, Seen::Logged);
        Self { child, seen, line: from - 1, out: Vec::new() }
    }

    /// Takes note of what it wrote. Whether that is an entry in the log.
    fn note(&mut self, seen: Seen, lines: &[&str]) -> bool {
        match seen {
            Seen::Logged(line) => line.contains("\"message\":\"entry\""),
            Seen::Out(line) => {
                if lines.get(self.line).is_some_and(|next| line.ends_with(&format!("> {next}"))) {
                    self.line += 1;
                }
                self.out.push(line);
                false
            }
        }
    }

    /// Lets it live until its moment comes, at the latest until it reads the line after, and kills it.
    fn until(mut self, death: Death, lines: &[&str], log: &Path) -> (usize, Vec<String>) {
        let length = || std::fs::metadata(log).map_or(0, |meta| meta.len());
        let (mut began, mut entries) = (None, 0);
        loop {
            let patient = !matches!((death.moment, began), (Moment::Pages(_), Some(_)));
            let seen = if patient {
                Some(self.seen.recv_timeout(PATIENCE))
            } else {
                std::thread::yield_now();
                match self.seen.try_recv() {
                    Err(mpsc::TryRecvError::Empty) => None,
                    other => Some(other.map_err(|_| mpsc::RecvTimeoutError::Disconnected)),
                }
            };
            match seen {
                None => {}
                Some(Ok(seen)) => entries += usize::from(self.note(seen, lines)),
                // It has come to its end by itself.
                Some(Err(mpsc::RecvTimeoutError::Disconnected)) => break,
                Some(Err(mpsc::RecvTimeoutError::Timeout)) => panic!("nothing happens; written: {:#?}", self.out),
            }
            if began.is_none() && self.line >= death.line {
                began = Some((length(), self.out.len()));
                entries = 0;
            }
            let now = match (death.moment, began) {
                (Moment::Started, _) => !self.out.is_empty(),
                (_, None) => false,
                (Moment::Read, Some(_)) => true,
                (Moment::Pages(pages), Some((length_then, _))) => {
                    length().saturating_sub(length_then) >= pages * LOGGED_PAGE_BYTES
                }
                (Moment::Entries(count), Some(_)) => entries >= count,
                (Moment::Written(count), Some((_, written_then))) => self.out.len() - written_then >= count,
            };
            if now || self.line > death.line {
                break;
            }
        }
        // It may have come to its end by itself.
        let _ = self.child.kill();
        self.rest(lines)
    }

    /// Lets it come to its end.
    fn finish(mut self, lines: &[&str]) -> Vec<String> {
        let status = self.child.wait().expect("it ends");
        let (_, out) = self.rest(lines);
        // With 1 it ends where a line was refused.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}: {out:#?}");
        out
    }

    fn rest(mut self, lines: &[&str]) -> (usize, Vec<String>) {
        self.child.wait().expect("it has ended");
        while let Ok(seen) = self.seen.recv_timeout(PATIENCE) {
            self.note(seen, lines);
        }
        (self.line, self.out)
    }
}

/// Reads lines on a thread of their own. The last one may lack its end.
fn pass_on(from: impl Read + Send + 'static, to: mpsc::Sender<Seen>, seen: fn(String) -> Seen) {
    std::thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            // Nobody may listen any more.
            let _ = to.send(seen(String::from_utf8_lossy(&line).into_owned()));
        }
    });
}

/// A folder with a room that has some past, as a database at rest.
fn room_with_a_past() -> Home {
    let home = Home::new();
    let past: String = (1..=ENTRIES_BEFORE - 1).map(|number| format!("joust adjudicate number {number}\n")).collect();
    home.say(&format!("room open joust main clock:manual\n{past}"));
    home
}

/// The same room elsewhere, its seed included, with a script beside it.
fn copy(of: &Home, text: &str) -> (Home, PathBuf) {
    let home = Home::new();
    std::fs::copy(of.path("rulekeeper.db"), home.path("rulekeeper.db")).expect("a copy of the database");
    let script = home.path("script");
    std::fs::write(&script, text).expect("a script");
    (home, script)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Announcements of one life, with those they are for.
fn announcements(out: &[String]) -> Vec<(String, String)> {
    let mut told: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in out {
        if let Some(first) = line.strip_prefix("* ") {
            let whom = first.strip_prefix("(to ").and_then(|rest| rest.strip_suffix(", privately)"));
            told.push(match whom {
                // Who has not spoken yet in this life is called by account.
                Some(whom) => (whom.to_lowercase(), String::new()),
                None => (FORUM.to_owned(), masked(line)),
            });
            open = true;
        } else if DAY.lines().any(|typed| line.ends_with(&format!("> {typed}"))) {
            open = false;
        } else if open && let Some((_, text)) = told.last_mut() {
            text.push('\n');
            text.push_str(&masked(line));
        }
    }
    told
}

/// A text without hashes and salts: each run salts its own.
fn masked(text: &str) -> String {
    const HASH_CHARS: usize = 64;
    const SALT_CHARS: usize = 32;
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_hexdigit()) {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
        if matches!(digits.len(), HASH_CHARS | SALT_CHARS) {
            out.push_str("(hash)");
            out.push_str(&word[digits.len()..]);
        } else {
            out.push_str(word);
        }
    }
    out
}

/// What somebody was told over several lives. An announcement at the end of one life that another begins with was on
/// its way when the program died.
fn told(lives: &[Vec<String>], to: &str) -> (Vec<String>, usize) {
    let (mut told, mut repeats): (Vec<String>, usize) = (Vec::new(), 0);
    for life in lives {
        let here = announcements(life).into_iter().filter(|(whom, _)| whom == to).map(|(_, text)| masked(&text));
        for (place, text) in here.enumerate() {
            if place == 0 && told.last().is_some_and(|last| text.starts_with(last.as_str())) {
                told.pop();
                repeats += 1;
            }
            told.push(text);
        }
    }
    (told, repeats)
}

/// What a dead program left behind.
async fn left_behind(home: &Home) -> Store {
    let path = home.path("rulekeeper.db");
    Store::open(path.to_str().expect("Unicode"), Options::default()).await.expect("the database opens")
}

/// The journal as it has to be, whenever the program died; checked on the way.
async fn journal(home: &Home) -> Vec<String> {
    read_journal(left_behind(home).await).await
}

async fn read_journal(store: Store) -> Vec<String> {
    let rooms = store.rooms().await.expect("rooms");
    assert_eq!(rooms.len(), 1);
    assert_eq!(archive::verify(&store, &rooms[0]).await.expect("a journal").found, Vec::<String>::new());
    assert_eq!(store.complaints().await.expect("a check"), Vec::<String>::new());
    assert_eq!(store.pending().await.expect("a count"), 0, "everything was delivered");
    assert!(store.undeliverable().await.expect("a list").is_empty());
    assert!(!store.snapshot_seqs(rooms[0].id).await.expect("snapshots").is_empty(), "a snapshot was taken");
    let (mut lines, mut from) = (Vec::new(), 1);
    loop {
        let page = store.entries(rooms[0].id, from, 500).await.expect("entries");
        let Some(last) = page.last() else { break };
        from = last.seq + 1;
        for entry in page {
            let said = entry.said.map(|said| (said.person, said.text));
            let mut body: serde_json::Value = serde_json::from_str(&entry.json).expect("an entry");
            body.as_object_mut().expect("an object").remove("recorded").expect("when it was recorded");
            lines.push(format!(
                "{} at {} from {:?} by {:?}: {} {said:?} {}",
                entry.seq,
                entry.at,
                entry.origin,
                entry.actor,
                entry.cause,
                masked(&body.to_string())
            ));
        }
    }
    lines.push(format!("moderators: {}", store.moderators().await.expect("a list").len()));
    store.close().await.expect("the database closes");
    lines
}

/// What caused the entries of the only room.
async fn causes(home: &Home) -> Vec<String> {
    let store = left_behind(home).await;
    let rooms = store.rooms().await.expect("rooms");
    assert_eq!(rooms.len(), 1);
    let entries = store.entries(rooms[0].id, 1, 100).await.expect("entries");
    store.close().await.expect("the database closes");
    entries.into_iter().map(|entry| entry.cause).collect()
}

fn a_day_with_deaths(seed: u64) {
    let lines: Vec<&str> = DAY.lines().collect();
    let past = room_with_a_past();

    let (home, script) = copy(&past, DAY);
    let whole = vec![Life::begin(&home, &script, 1).finish(&lines)];
    let undisturbed = runtime().block_on(journal(&home));
    assert!(!whole[0].iter().any(|line| line.contains("Nothing new")), "{:#?}", whole[0]);
    assert!(undisturbed.len() > ENTRIES_BEFORE + 30, "{undisturbed:#?}");

    let (home, script) = copy(&past, DAY);
    let mut chance = Chance(seed);
    let mut deaths: Vec<Death> = (0..DEATHS).map(|_| Death::drawn(&mut chance)).collect();
    deaths.sort_by_key(|death| death.line);
    let (mut lives, mut from) = (Vec::new(), 1);
    for death in &deaths {
        let death = Death { line: death.line.max(from), ..*death };
        let life = Life::begin(&home, &script, from);
        let (line, out) = life.until(death, &lines, &home.path("rulekeeper.db-wal"));
        lives.push(out);
        // Nobody knows whether the line that was read last was done.
        from = line.max(from);
    }
    // What the dead were delivering does not wait until their leases run out.
    lives.push(Life::begin(&home, &script, from).finish(&lines));

    let context = format!("seed {seed}: {deaths:#?}\n{lives:#?}");
    let disturbed = runtime().block_on(journal(&home));
    for (was, is) in undisturbed.iter().zip(&disturbed) {
        assert_eq!(was, is, "{context}");
    }
    assert_eq!(undisturbed.len(), disturbed.len(), "{context}");
    for to in [FORUM, "ann"] {
        let (expected, none) = told(&whole, to);
        assert!(!expected.is_empty() && none == 0);
        assert!(expected.windows(2).all(|pair| !pair[1].starts_with(&pair[0])), "neighbours can be told apart");
        let (told, repeats) = told(&lives, to);
        assert_eq!(told, expected, "{context}");
        assert!(repeats <= DEATHS, "{context}");
    }
}

/// A process that is killed again and again, on a database that it shares with others.
struct Mortal<'a> {
    home: &'a Home,
    database: &'a str,
    verb: &'a str,
    running: Running,
}

impl<'a> Mortal<'a> {
    fn start(home: &'a Home, database: &'a str, verb: &'a str) -> Self {
        Self { home, database, verb, running: Self::run(home, database, verb) }
    }

    fn run(home: &Home, database: &str, verb: &str) -> Running {
        let mut command = home.command(&["--database", database, verb]);
        if verb == "serve" {
            command.env("RULEKEEPER_ARENA_THREADS", "0");
        }
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut running = Running::reading(child.stderr.take().expect("its log is piped"), child);
        running.hear("started");
        running
    }

    fn die(&mut self) {
        let next = Self::run(self.home, self.database, self.verb);
        std::mem::replace(&mut self.running, next).signal(Signal::KILL);
    }
}

/// Plays a script in one quiet process, and then in several. Three serve, a fourth hears a console, two play what is long,
/// and one of those five dies each time that so many programs came. Both journals must be the same.
fn several_that_die(text: &str, often: usize) {
    if server::is_left_out() {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let past = room_with_a_past();
    let (home, script) = copy(&past, text);
    Life::begin(&home, &script, 1).finish(&lines);
    let undisturbed = runtime().block_on(journal(&home));

    let (home, script) = copy(&past, text);
    let server = server::Server::start();
    let database = server::database(server.socket(), "day");
    let moved = home.run(&["move", "--to", &database]);
    assert!(moved.status.success(), "{}", String::from_utf8_lossy(&moved.stderr));
    let verbs = ["serve", "serve", "serve", "worker", "worker"];
    let mut others = verbs.map(|verb| Mortal::start(&home, &database, verb));
    let mut command = home.command(&["--database", &database, "console", "--session", SESSION]);
    command.env("RULEKEEPER_ARENA_THREADS", "0");
    let mut acts = Life::of(command, &script, 1);
    let (mut chance, mut came) = (Chance(5), 0);
    while let Ok(seen) = acts.seen.recv_timeout(PATIENCE) {
        let before = acts.line;
        acts.note(seen, &lines);
        // One dies about when a program comes that has to be played.
        if acts.line > before && lines[before].contains("submit") {
            came += 1;
            if came % often == 0 {
                others[chance.below(verbs.len())].die();
            }
        }
    }
    let out = acts.finish(&lines);
    assert!(came >= often, "nobody died");
    for other in others {
        assert!(other.running.signal(Signal::TERM).0.success());
    }
    let disturbed = runtime().block_on(async {
        let store = Store::open(&database, Options::default()).await.expect("the server answers");
        read_journal(store).await
    });
    for (was, is) in undisturbed.iter().zip(&disturbed) {
        assert_eq!(was, is, "{out:#?}");
    }
    assert_eq!(undisturbed.len(), disturbed.len(), "{out:#?}");
}

#[test]
fn a_day_of_several_processes_that_die_reads_like_any_other() {
    several_that_die(DAY, 1);
}

/// `tests/run --all` plays 200 challenges, else 20.
#[test]
fn many_challenges_are_played_as_if_no_process_had_died() {
    /// Challenges that a knight may send in a week, and knights.
    const EACH: usize = 5;
    const KNIGHTS: usize = 40;
    let mut text = "tick until:2031-03-03T08:00\njoust start\n".to_owned();
    for knight in 0..KNIGHTS / sampled(10) {
        text += &format!("as Knight{knight}\njoin\n");
        for lance in 0..EACH {
            // No two are alike: one waits longer, one goes on with another step.
            let (wait, walk) = ("+-".repeat(knight), ">".repeat(4 + lance));
            text += &format!("joust submit Lance{knight}x{lance} {wait}{walk}+[>[-]+]\n");
        }
    }
    several_that_die(&text, 12);
}

#[test]
fn a_room_is_opened_once_and_whole_whenever_the_program_dies() {
    const OPENING: &str = "room open joust main\nas Ann\njoin\n";
    let lines: Vec<&str> = OPENING.lines().collect();
    let pages = (1..=40).step_by(3).map(Moment::Pages);
    let moments = [Moment::Read, Moment::Written(1), Moment::Entries(1), Moment::Written(2)];
    for moment in moments.into_iter().chain(pages) {
        let home = Home::new();
        let script = home.path("script");
        std::fs::write(&script, OPENING).expect("a script");
        let death = Death { line: 1, moment };
        let (line, out) = Life::begin(&home, &script, 1).until(death, &lines, &home.path("rulekeeper.db-wal"));
        let again = Life::begin(&home, &script, line.max(1)).finish(&lines);
        let heard = format!("{death:?}: {out:#?} {again:#?}");
        let causes = runtime().block_on(causes(&home));
        assert_eq!(causes, ["open (moderator)", "join"], "{heard}");
    }
}

#[test]
fn a_day_with_25_deaths_reads_like_any_other_1() {
    a_day_with_deaths(1);
}

#[test]
fn a_day_with_25_deaths_reads_like_any_other_2() {
    a_day_with_deaths(2);
}

#[test]
fn a_day_with_25_deaths_reads_like_any_other_3() {
    a_day_with_deaths(3);
}

#[test]
fn a_day_with_25_deaths_reads_like_any_other_4() {
    a_day_with_deaths(4);
}
