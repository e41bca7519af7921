//! How much sooner the engine knows how charges end than a plain interpreter that plays them cycle by cycle.
//!
//! Both play the same charges in the same process on one thread: every pair of a class of the corpus at all lengths.
//! They must agree on each. The plain interpreter is a `match` over symbols written out, in `plain.rs`.

mod plain;

#[path = "../../tests/support/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::time::Duration;

use bfjoust::{Charge, Program, Rules, Setup, play};
use rustix::time::{ClockId, clock_gettime};

use crate::corpus::{Entry, written_out};
use crate::plain::Plain;

/// Classes of programs that anybody writes on the first day; the others are what an engine has trouble with.
const SIMPLE: [&str; 4] = ["decoys", "idle", "rush", "turtle"];

/// How often a pair is played, unless it takes so long that once is enough to measure it.
const TURNS: u32 = 3;
const LONG_TIME: Duration = Duration::from_millis(5);

struct Player {
    class: &'static str,
    name: &'static str,
    program: Program,
    plain: Plain,
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
    // - nothing"` measures that pair alone, `--turns 9` plays each pair so many times. `cargo test --benches` runs this too, without `--bench`:
    // then a few pairs are enough.
    let all = std::env::args().any(|argument| argument == "--bench");
    let worst = std::env::args().any(|argument| argument == "--worst");
    let most = if std::env::args().any(|argument| argument == "--all") { usize::MAX } else { 25 };
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    let turns = std::env::args().skip_while(|argument| argument != "--turns").nth(1);
    let turns = turns.and_then(|turns| turns.parse().ok()).unwrap_or(TURNS);
    let stride = if all { 1 } else { 97 };
    for (title, rules, entries) in
        [("agora", Rules::agora(), corpus::agora()), ("egojoust", Rules::egojoust(), corpus::egojoust())]
    {
        let written = title == "agora";
        let players: Vec<Player> = entries.iter().map(|entry| player(entry, &rules, written)).collect();
        let mut classes: BTreeMap<&str, Spent> = BTreeMap::new();
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
            classes.entry(left.class).or_default().add(spent);
            let simple = SIMPLE.contains(&left.class) && SIMPLE.contains(&right.class);
            classes.entry(if simple { "simple alone" } else { "with a hard one" }).or_default().add(spent);
            for name in [left.name, right.name] {
                programs.entry(name).or_default().add(spent);
            }
            if left.class != right.class {
                classes.entry(right.class).or_default().add(spent);
            }
            pairs.push((spent, left, right));
        }
        println!("{title}: every pair of {} programs, a class counts the pairs with one of it", players.len());
        for (class, spent) in classes.into_iter().chain([("all", total)]) {
            report(class, spent);
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

fn player(entry: &Entry, rules: &Rules, written: bool) -> Player {
    let out = written_out(entry.text);
    let text = if written { &out } else { entry.text };
    let program = Program::parse_as(text, rules.notation).expect("the corpus has no mistakes");
    Player { class: entry.class, name: entry.name, program, plain: Plain::new(&out) }
}

/// The time that this thread has had a processor for.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The least that each of both takes in some turns, because a machine that does other things too slows down single ones.
fn measure(left: &Player, right: &Player, rules: &Rules, turns: u32) -> Spent {
    let setups: Vec<Setup> = rules.setups().collect();
    let mut least = Spent { plain: Duration::MAX, engine: Duration::MAX, ..Spent::default() };
    for _ in 0..turns {
        let start = now();
        let charges = play(&left.program, &right.program, &setups, rules);
        least.engine = least.engine.min(now() - start);
        let start = now();
        let expected: Vec<Charge> =
            setups.iter().map(|&setup| plain::charge(&left.plain, &right.plain, setup, rules)).collect();
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
