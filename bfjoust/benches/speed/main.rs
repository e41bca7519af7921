//! How much sooner the engine knows how charges end than a plain interpreter that plays them cycle by cycle.
//!
//! Both play the same charges in the same process on one thread: every pair of a class of the corpus at all lengths.
//! They must agree on each. The plain interpreter is a `match` over symbols written out, in `plain.rs`. Warriors and
//! public hills nest too deep to be written out: there it is the crate's own machine, a cycle at a time.

mod plain;

#[path = "../../tests/support/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bfjoust::{Charge, Machine, Program, Rules, Setup, play};
use rustix::time::{ClockId, clock_gettime};

use crate::corpus::{Entry, depth, written_out};
use crate::plain::Plain;

/// Classes of programs that anybody writes on the first day; the others are what an engine has trouble with.
const SIMPLE: [&str; 4] = ["decoys", "idle", "rush", "turtle"];

/// How deep repetitions stand in one another, from and to.
const DEPTHS: [(usize, usize); 5] = [(0, 4), (5, 9), (10, 29), (30, 59), (60, usize::MAX)];

/// How often a pair is played, unless it takes so long that once is enough to measure it.
const TURNS: u32 = 3;
const LONG_TIME: Duration = Duration::from_millis(5);

struct Player {
    class: String,
    name: String,
    depth: usize,
    program: Program,
    /// Written out; none where nobody could.
    plain: Option<Plain>,
}

#[derive(Clone, Copy, Default)]
struct Spent {
    charges: u64,
    cycles: u64,
    plain: Duration,
    engine: Duration,
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.charges += other.charges;
        self.cycles += other.cycles;
        self.plain += other.plain;
        self.engine += other.engine;
    }
}

#[expect(clippy::print_stdout, reason = "a bench reports by printing")]
fn main() {
    // `--worst` lists the pairs that take the engine longest, and those where it gains least; `--only "agora: straight
    // - nothing"` measures that pair alone, `--turns 9` plays each pair so many times. `cargo test --benches` runs this
    // too, without `--bench`: then a few pairs are enough.
    let all = std::env::args().any(|argument| argument == "--bench");
    let worst = std::env::args().any(|argument| argument == "--worst");
    let most = if std::env::args().any(|argument| argument == "--all") { usize::MAX } else { 25 };
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    let turns = std::env::args().skip_while(|argument| argument != "--turns").nth(1);
    let turns = turns.and_then(|turns| turns.parse().ok()).unwrap_or(TURNS);
    let stride = if all { 1 } else { 97 };
    let mut hills: Vec<(String, Rules, Vec<Player>)> = Vec::new();
    for (title, rules, entries) in [
        ("agora", Rules::agora(), corpus::agora()),
        ("egojoust", Rules::egojoust(), corpus::egojoust()),
        ("warriors", Rules::egojoust(), corpus::warriors()),
    ] {
        let players = entries.iter().map(|entry| player(entry, &rules, title)).collect();
        hills.push((title.to_owned(), rules, players));
    }
    // Public hills are nobody's to copy: who has a mirror names its folder, which holds a folder for each of them.
    if let Some(folder) = std::env::var_os("BFJOUST_HILLS") {
        hills.extend(folders(Path::new(&folder)).into_iter().map(|hill| read(&hill, Rules::egojoust())));
    }
    for (title, rules, players) in hills {
        let mut classes: BTreeMap<String, Spent> = BTreeMap::new();
        let mut programs: BTreeMap<&str, Spent> = BTreeMap::new();
        let mut total = Spent::default();
        let mut pairs = Vec::new();
        let all_pairs = (0..players.len()).flat_map(|right| (0..=right).map(move |left| (left, right)));
        for (left, right) in all_pairs.step_by(stride) {
            let (left, right) = (&players[left], &players[right]);
            if only.as_ref().is_some_and(|only| *only != format!("{title}: {} - {}", left.name, right.name)) {
                continue;
            }
            let spent = measure(left, right, &rules, turns);
            total.add(spent);
            for class in classes_of(left, right) {
                classes.entry(class).or_default().add(spent);
            }
            for name in [&left.name, &right.name] {
                programs.entry(name).or_default().add(spent);
            }
            pairs.push((spent, left, right));
        }
        println!("{title}: every pair of {} programs, a class counts the pairs with one of it", players.len());
        for (class, spent) in classes.into_iter().chain([("all".to_owned(), total)]) {
            report(&class, spent);
        }
        let least = programs.into_iter().min_by(|a, b| ratio(a.1).total_cmp(&ratio(b.1)));
        if let Some((name, spent)) = least {
            report(&format!("least of all: {name}"), spent);
        }
        if worst {
            pairs.sort_by_key(|(spent, ..)| std::cmp::Reverse(spent.engine));
            for (spent, left, right) in pairs.iter().take(most) {
                report(&format!("{} - {}", left.name, right.name), *spent);
            }
            pairs.sort_by(|a, b| ratio(a.0).total_cmp(&ratio(b.0)));
            for (spent, left, right) in pairs.iter().take(most) {
                report(&format!("{} - {}", left.name, right.name), *spent);
            }
        }
    }
}

fn ratio(spent: Spent) -> f64 {
    spent.plain.as_secs_f64() / spent.engine.as_secs_f64()
}

#[expect(clippy::print_stdout, reason = "a bench reports by printing")]
fn report(name: &str, spent: Spent) {
    let Spent { charges, cycles, plain, engine } = spent;
    println!(
        "  {name:30} {charges:8} charges {:10.2} M cycles   plain {:9.3} ms   engine {:9.3} ms   ratio {:7.1}",
        cycles as f64 / 1e6,
        plain.as_secs_f64() * 1e3,
        engine.as_secs_f64() * 1e3,
        ratio(spent)
    );
}

fn player(entry: &Entry, rules: &Rules, title: &str) -> Player {
    // Warriors stand 125 deep in one another: twice as long with each level.
    let out = (title != "warriors").then(|| written_out(entry.text));
    let text = out.as_deref().filter(|_| title == "agora").unwrap_or(entry.text);
    let program = Program::parse_as(text, rules.notation).expect("the corpus has no mistakes");
    let plain = out.as_deref().map(Plain::new);
    Player { class: entry.class.to_owned(), name: entry.name.to_owned(), depth: depth(entry.text), program, plain }
}

/// The classes that a pair counts for: those of both, whether both are simple, and how deep the deeper one nests.
fn classes_of(left: &Player, right: &Player) -> Vec<String> {
    let simple = [left, right].iter().all(|player| SIMPLE.contains(&player.class.as_str()));
    let mut classes = vec![(if simple { "simple alone" } else { "with a hard one" }).to_owned()];
    let deeper = left.depth.max(right.depth);
    let (from, to) = DEPTHS.into_iter().find(|depths| deeper <= depths.1).unwrap_or(DEPTHS[0]);
    classes.push(if to == usize::MAX {
        format!("nested {from} deep or more")
    } else {
        format!("nested {from} to {to} deep")
    });
    classes.push(left.class.clone());
    if left.class != right.class {
        classes.push(right.class.clone());
    }
    classes
}

/// The folders in one, by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// A hill of files that end in `.bfjoust`.
fn read(folder: &Path, rules: Rules) -> (String, Rules, Vec<Player>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "bfjoust")).collect();
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let players = paths.iter().filter_map(|path| {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        let program = Program::parse_as(&text, rules.notation).ok()?;
        let class = "of a public hill".to_owned();
        Some(Player { class, name: name(path), depth: depth(&text), program, plain: None })
    });
    (name(folder), rules.clone(), players.collect())
}

/// The time that this thread has had a processor for.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The least that each of both takes in some turns, because a machine that does other things too slows down single
/// ones.
fn measure(left: &Player, right: &Player, rules: &Rules, turns: u32) -> Spent {
    let setups: Vec<Setup> = rules.setups().collect();
    let mut least = Spent { plain: Duration::MAX, engine: Duration::MAX, ..Spent::default() };
    for _ in 0..turns {
        let start = now();
        let charges = play(&left.program, &right.program, &setups, rules);
        least.engine = least.engine.min(now() - start);
        let start = now();
        let plain = |&setup: &Setup| match (&left.plain, &right.plain) {
            (Some(left), Some(right)) => plain::charge(left, right, setup, rules),
            _ => Machine::set_up(&left.program, &right.program, setup, rules).finish(),
        };
        let expected: Vec<Charge> = setups.iter().map(plain).collect();
        least.plain = least.plain.min(now() - start);
        assert_eq!(charges, expected, "{} against {}", left.name, right.name);
        least.charges = charges.len() as u64;
        least.cycles = charges.iter().map(|charge| charge.cycles).sum();
        if least.plain > LONG_TIME && turns == TURNS {
            break;
        }
    }
    least
}
