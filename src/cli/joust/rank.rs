//! `rulekeeper joust rank` and `rulekeeper joust evolve-batch`: many programs under any preset, for those who keep
//! folders of them and those who breed them.
//!
//! Both only read files and standard input and print. Their JSON is a public interface.

use std::{
    io::{self, BufRead, IsTerminal as _, Read as _, Write},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use bfjoust::{Charge, Method, Program, Results, Rules, Scoring, Setup, Side, play};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::{Entrant, LeftOut, Preset, padded, read_dir, shown, write_json, write_left_out, write_warnings};
use crate::cli::error::Error;
use joust::PROGRAM_MAX_BYTES;

/// How a hill is scored; the formulas stand in the documentation of `bfjoust`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Ranking {
    /// A touch for each charge won
    Touches,
    /// The margins of all matches
    Points,
    /// Margins, weighted by how good the loser is
    Trad,
    /// The stationary distribution of a walk from losers to winners
    Markov,
}

impl Ranking {
    fn method(self) -> Method {
        match self {
            Ranking::Touches => Method::Touches(Scoring::agora()),
            Ranking::Points => Method::Points,
            Ranking::Trad => Method::Trad,
            Ranking::Markov => Method::Markov,
        }
    }
}

/// The arguments of `joust rank`.
#[derive(Debug, clap::Args)]
pub struct Rank {
    /// Directory whose programs are ranked
    dir: PathBuf,
    /// The rules to play by
    #[arg(long, value_enum, default_value = "agora")]
    rules: Preset,
    /// How to score
    #[arg(long, value_enum, default_value = "touches")]
    scoring: Ranking,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The arguments of `joust evolve-batch`.
#[derive(Debug, clap::Args)]
pub struct EvolveBatch {
    /// Directory with the programs of the hill
    hill: PathBuf,
    /// The rules to play by
    #[arg(long, value_enum, default_value = "agora")]
    rules: Preset,
}

/// The answer of `joust rank --json`: `{"ranking": [{"rank": 1, "name": NAME, "score": S, "won": N, "lost": N, "tied":
/// N}, ..], "charges": N, "left_out": [FILE, ..]}`, best first; `charges` are those of each pair.
#[derive(Serialize)]
struct RankAnswer {
    ranking: Vec<Place>,
    charges: usize,
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct Place {
    rank: usize,
    name: String,
    score: f64,
    #[serde(flatten)]
    tally: Tally,
}

/// Charges by how they ended for a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Tally {
    won: u64,
    lost: u64,
    tied: u64,
}

impl Tally {
    fn add(&mut self, charges: &[Charge], side: Side) {
        for charge in charges {
            match charge.winner {
                Some(winner) if winner == side => self.won += 1,
                Some(_) => self.lost += 1,
                None => self.tied += 1,
            }
        }
    }
}

impl Rank {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Error> {
        let rules = self.rules.rules();
        let (entrants, left_out) = read_dir(&self.dir, rules.notation)?;
        let setups: Vec<Setup> = rules.setups().collect();
        let (results, tallies) = all_pairs(&entrants, &setups, &rules);
        let scores = results.scores(self.scoring.method());
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
        let places = order.iter().zip(1..).map(|(&place, rank)| Place {
            rank,
            name: entrants[place].name.clone(),
            score: scores[place],
            tally: tallies[place],
        });
        let answer = RankAnswer { ranking: places.collect(), charges: setups.len(), left_out };
        if self.json {
            return write_json(&answer, out);
        }
        let width = answer.ranking.iter().map(|place| shown(&place.name).chars().count()).max().unwrap_or(0).max(4);
        writeln!(out, "rank  {}       score     won    lost    tied", padded("name", width))?;
        for Place { rank, name, score, tally: Tally { won, lost, tied } } in &answer.ranking {
            let name = padded(&shown(name), width);
            writeln!(out, "{rank:>4}  {name}  {score:>10.2}  {won:>6}  {lost:>6}  {tied:>6}")?;
        }
        writeln!(out)?;
        writeln!(out, "charges for each pair: {}", answer.charges)?;
        write_left_out(&answer.left_out, out)?;
        write_warnings(&entrants, out)
    }
}

/// Plays every pair on all processors, and shows how far it is where somebody looks.
fn all_pairs(entrants: &[Entrant], setups: &[Setup], rules: &Rules) -> (Results, Vec<Tally>) {
    let count = entrants.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|right| (0..right).map(move |left| (left, right))).collect();
    let bar = progress_bar(pairs.len());
    let next = AtomicUsize::new(0);
    let found = Mutex::new((Results::new(count), vec![Tally::default(); count]));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(left, right)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let charges = play(&entrants[left].program, &entrants[right].program, setups, rules);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.0.add(left, right, &charges);
                    found.1[left].add(&charges, Side::Left);
                    found.1[right].add(&charges, Side::Right);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A bar on the error stream, where that is a terminal; else nothing.
fn progress_bar(pairs: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(pairs as u64), target);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The answer of `joust evolve-batch`, a line for each line that was read: `{"score": S, "won": N, "lost": N, "tied":
/// N}`. The score is the mean margin against the hill's programs, from -1 to 1. Or the line is `{"error": WHY}`.
#[derive(Serialize)]
#[serde(untagged)]
enum Bred {
    Played {
        score: f64,
        #[serde(flatten)]
        tally: Tally,
    },
    Refused {
        error: String,
    },
}

impl EvolveBatch {
    pub(super) fn run(self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Error> {
        let rules = self.rules.rules();
        let (hill, left_out) = read_dir(&self.hill, rules.notation)?;
        // No answer says which programs it was played against, so none may be missing unseen.
        if let Some(why) = left_out.into_iter().find_map(|file| file.why) {
            return Err(Error::Input(why));
        }
        let setups: Vec<Setup> = rules.setups().collect();
        loop {
            let mut line = Vec::new();
            // As much more than is taken as ends a line, and one byte to tell what is too long.
            let most = PROGRAM_MAX_BYTES as u64 + 3;
            if (&mut *input).take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if line.len() as u64 == most && line.last() != Some(&b'\n') {
                input.skip_until(b'\n')?;
            }
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let answer = if text.len() > PROGRAM_MAX_BYTES {
                let error = format!("The program is longer than the {PROGRAM_MAX_BYTES} bytes that one may have.");
                Bred::Refused { error }
            } else {
                bred(&String::from_utf8_lossy(text), &hill, &setups, &rules)
            };
            write_json(&answer, out)?;
            // Whoever breeds waits for each answer before the next question.
            out.flush()?;
        }
    }
}

fn bred(text: &str, hill: &[Entrant], setups: &[Setup], rules: &Rules) -> Bred {
    let program = match Program::parse_as(text, rules.notation) {
        Ok(program) => program,
        Err(error) => return Bred::Refused { error: error.to_string() },
    };
    let mut tally = Tally::default();
    for one in hill {
        tally.add(&play(&program, &one.program, setups, rules), Side::Left);
    }
    let Tally { won, lost, tied } = tally;
    let charges = (won + lost + tied).max(1);
    Bred::Played { score: (won as f64 - lost as f64) / charges as f64, tally }
}
