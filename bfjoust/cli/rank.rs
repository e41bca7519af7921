//! `bfjoust rank`: a hill of files, scored in one way or several.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bfjoust::{Charge, Method, Program, Results, Rules, Scoring, Setup, Side, play};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{Failure, name, plots, read};

#[derive(Args)]
pub(crate) struct Rank {
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How to score; of several, side by side, the first one ranks
    #[arg(long, value_enum, value_delimiter = ',', default_value = "touches")]
    scoring: Vec<Ranking>,
    /// Touches for a charge won
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    win: i64,
    /// Touches for a charge that both lost
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    tie: i64,
    /// Touches for a charge that only this program lost
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    loss: i64,
    /// Show the margin of each against each too: charges won less charges lost
    #[arg(long)]
    matrix: bool,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Write the pictures margins.svg and cycles.svg into this folder
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ranking {
    Touches,
    Points,
    Trad,
    Markov,
}

impl Ranking {
    fn name(self) -> &'static str {
        match self {
            Ranking::Touches => "touches",
            Ranking::Points => "points",
            Ranking::Trad => "trad",
            Ranking::Markov => "markov",
        }
    }

    fn method(self, scoring: Scoring) -> Method {
        match self {
            Ranking::Touches => Method::Touches(scoring),
            Ranking::Points => Method::Points,
            Ranking::Trad => Method::Trad,
            Ranking::Markov => Method::Markov,
        }
    }
}

/// `{"ranking": [{"rank": 1, "name": NAME, "scores": {"markov": S, ..}, "margins": [N, ..]}, ..], "charges": N}`, best
/// first. The margins are those against each program in the order of the ranking, 0 against itself; `charges` are those
/// of each pair.
#[derive(Serialize)]
struct Answer {
    ranking: Vec<Place>,
    charges: usize,
}

#[derive(Serialize)]
struct Place {
    rank: usize,
    name: String,
    scores: serde_json::Map<String, serde_json::Value>,
    margins: Vec<i64>,
}

impl Rank {
    pub(crate) fn run(self, rules: &Rules, out: &mut dyn Write) -> Result<(), Failure> {
        let programs = self.files.iter().map(|file| read(file, rules)).collect::<Result<Vec<Program>, Failure>>()?;
        let setups: Vec<Setup> = rules.setups().collect();
        let matches = all_pairs(&programs, &setups, rules);
        let count = programs.len();
        let mut results = Results::new(count);
        let mut margins = vec![vec![0_i64; count]; count];
        for (left, right, charges) in &matches {
            results.add(*left, *right, charges);
            let won = |side| charges.iter().filter(|charge| charge.winner == Some(side)).count() as i64;
            margins[*left][*right] = won(Side::Left) - won(Side::Right);
            margins[*right][*left] = -margins[*left][*right];
        }
        let touches = Scoring { win: self.win, tie: self.tie, loss: self.loss };
        let scores: Vec<Vec<f64>> =
            self.scoring.iter().map(|ranking| results.scores(ranking.method(touches))).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&one, &other| scores[0][other].total_cmp(&scores[0][one]));
        let ranking = order.iter().zip(1..).map(|(&place, rank)| Place {
            rank,
            name: name(&self.files[place]),
            scores: self
                .scoring
                .iter()
                .zip(&scores)
                .map(|(one, of)| (one.name().to_owned(), of[place].into()))
                .collect(),
            margins: order.iter().map(|&other| margins[place][other]).collect(),
        });
        let answer = Answer { ranking: ranking.collect(), charges: setups.len() };
        if let Some(folder) = &self.plots {
            let names: Vec<&str> = answer.ranking.iter().map(|place| place.name.as_str()).collect();
            let rows: Vec<&[i64]> = answer.ranking.iter().map(|place| &place.margins[..]).collect();
            let cycles = matches.iter().flat_map(|(.., charges)| charges.iter().map(|charge| charge.cycles));
            for (file, picture) in [
                ("margins.svg", plots::margins(&names, &rows, setups.len() as i64)),
                ("cycles.svg", plots::cycles(cycles, rules.cycle_limit)),
            ] {
                let file = folder.join(file);
                fs::write(&file, picture).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
            }
        }
        if self.json {
            serde_json::to_writer(&mut *out, &answer)?;
            writeln!(out)?;
            return Ok(());
        }
        self.show(&answer, out)
    }

    fn show(&self, answer: &Answer, out: &mut dyn Write) -> Result<(), Failure> {
        write!(out, "rank")?;
        for ranking in &self.scoring {
            write!(out, " {:>10}", ranking.name())?;
        }
        writeln!(out, "  name")?;
        let width = answer.charges.to_string().len() + 2;
        for Place { rank, name, scores, margins } in &answer.ranking {
            write!(out, "{rank:4}")?;
            for ranking in &self.scoring {
                let score = scores[ranking.name()].as_f64().unwrap_or_default();
                write!(out, " {score:10.2}")?;
            }
            if self.matrix {
                write!(out, " ")?;
                for margin in margins {
                    write!(out, "{margin:width$}")?;
                }
            }
            writeln!(out, "  {name}")?;
        }
        Ok(())
    }
}

/// The charges of every pair, played on all processors, in no order.
fn all_pairs(programs: &[Program], setups: &[Setup], rules: &Rules) -> Vec<(usize, usize, Vec<Charge>)> {
    let pairs: Vec<(usize, usize)> =
        (0..programs.len()).flat_map(|right| (0..right).map(move |left| (left, right))).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(pairs.len()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(left, right)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let charges = play(&programs[left], &programs[right], setups, rules);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((left, right, charges));
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
