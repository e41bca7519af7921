//! `rank`: a hill of files and folders, scored in one way or several.

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::failure::Failure;
use super::files::{
    Entrant, LeftOut, Lengths, entrants, padded, setups, shown, width, write_json, write_left_out, write_warnings,
};
use super::plots;
use crate::{Charge, Method, Results, Rules, Scoring, Setup, Side, Tournament, play};

#[derive(Debug, Args)]
pub(super) struct Rank {
    /// Files of programs, and folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to score; of several, side by side, the first one ranks. Without it, by touches, or as the room does
    #[arg(long, value_enum, value_delimiter = ',')]
    scoring: Vec<Ranking>,
    #[command(flatten)]
    lengths: Lengths,
    /// Show the margin of each against each too: charges won less charges lost
    #[arg(long)]
    matrix: bool,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Write the pictures margins and cycles into this folder, each as SVG and as PNG
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ranking {
    /// What each charge is worth
    Touches,
    /// The margins of all matches
    Points,
    /// Margins, weighted by how good the loser is
    Trad,
    /// The stationary distribution of a walk from losers to winners
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

    fn of(method: Method) -> Ranking {
        match method {
            Method::Touches(_) => Ranking::Touches,
            Method::Points => Ranking::Points,
            Method::Trad => Ranking::Trad,
            Method::Markov => Ranking::Markov,
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

/// The answer of `rank --json`: `{"ranking": [{"rank": 1, "name": NAME, "score": S, "scores": {"markov": S, ..}, "won":
/// N, "lost": N, "tied": N, "margins": [N, ..]}, ..], "charges": N, "left_out": [FILE, ..]}`, best first. The score is
/// the one that ranks. The margins are those against each program in the order of the ranking, 0 against itself;
/// `charges` are those of each pair.
#[derive(Serialize)]
struct Answer {
    ranking: Vec<Place>,
    charges: usize,
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct Place {
    rank: usize,
    name: String,
    score: f64,
    scores: serde_json::Map<String, serde_json::Value>,
    #[serde(flatten)]
    tally: Tally,
    margins: Vec<i64>,
}

/// Charges by how they ended for a program.
#[derive(Clone, Copy, Default, Serialize)]
struct Tally {
    won: i64,
    lost: i64,
    tied: i64,
}

impl Rank {
    pub(super) fn run(self, tournament: &Tournament, out: &mut dyn Write) -> Result<(), Failure> {
        let Tournament { rules, scoring, method } = tournament;
        let (entrants, left_out) = entrants(&self.paths, rules.notation)?;
        let setups = setups(&self.lengths.or_all(rules), rules);
        let rankings = if self.scoring.is_empty() { vec![Ranking::of(*method)] } else { self.scoring };
        // A hill may be played for minutes: what it will be drawn into is seen to before.
        if let Some(folder) = &self.plots {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        }
        let matches = all_pairs(&entrants, &setups, rules);
        let count = entrants.len();
        let mut results = Results::new(count);
        let mut margins = vec![vec![0_i64; count]; count];
        let mut tallies = vec![Tally::default(); count];
        for (left, right, charges) in &matches {
            results.add(*left, *right, charges);
            let won = |side| charges.iter().filter(|charge| charge.winner == side).count() as i64;
            let (one, other, nobody) = (won(Some(Side::Left)), won(Some(Side::Right)), won(None));
            margins[*left][*right] = one - other;
            margins[*right][*left] = other - one;
            for (place, won, lost) in [(*left, one, other), (*right, other, one)] {
                let tally = &mut tallies[place];
                *tally = Tally { won: tally.won + won, lost: tally.lost + lost, tied: tally.tied + nobody };
            }
        }
        let scores: Vec<Vec<f64>> = rankings.iter().map(|ranking| results.scores(ranking.method(*scoring))).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&one, &other| scores[0][other].total_cmp(&scores[0][one]));
        let by_name = |place: usize| {
            let scored = rankings.iter().zip(&scores);
            scored.map(|(ranking, of)| (ranking.name().to_owned(), of[place].into())).collect()
        };
        let ranking = order.iter().zip(1..).map(|(&place, rank)| Place {
            rank,
            name: entrants[place].name.clone(),
            score: scores[0][place],
            scores: by_name(place),
            tally: tallies[place],
            margins: order.iter().map(|&other| margins[place][other]).collect(),
        });
        let answer = Answer { ranking: ranking.collect(), charges: setups.len(), left_out };
        if self.json {
            write_json(&answer, out)?;
        } else {
            answer.show(&rankings, self.matrix, out)?;
            write_left_out(&answer.left_out, out)?;
            write_warnings(&entrants, out)?;
        }
        if let Some(folder) = &self.plots {
            let names: Vec<&str> = answer.ranking.iter().map(|place| place.name.as_str()).collect();
            let rows: Vec<&[i64]> = answer.ranking.iter().map(|place| &place.margins[..]).collect();
            let cycles = matches.iter().flat_map(|(.., charges)| charges.iter().map(|charge| charge.cycles));
            for (name, svg) in [
                ("margins", plots::margins(&names, &rows, setups.len() as i64)),
                ("cycles", plots::cycles(cycles, rules.cycle_limit)),
            ] {
                let png = plots::png(&svg)
                    .ok_or_else(|| Failure::Output(io::Error::other(format!("{name}.png cannot be painted"))))?;
                for (ending, picture) in [("svg", svg.as_bytes()), ("png", &png)] {
                    let file = folder.join(name).with_extension(ending);
                    fs::write(&file, picture).map_err(|error| unwritable(&file, &error))?;
                }
            }
        }
        Ok(())
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("{} cannot be written: {error}.", path.display()))
}

impl Answer {
    fn show(&self, rankings: &[Ranking], matrix: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let names: Vec<String> = self.ranking.iter().map(|place| shown(&place.name)).collect();
        let (name_width, margin_width) = (width(names.iter(), "name"), self.charges.to_string().len() + 2);
        write!(out, "rank  {}", padded("name", name_width))?;
        for ranking in rankings {
            write!(out, "  {:>10}", ranking.name())?;
        }
        writeln!(out, "     won    lost    tied")?;
        for (Place { rank, scores, tally: Tally { won, lost, tied }, margins, .. }, name) in
            self.ranking.iter().zip(&names)
        {
            write!(out, "{rank:4}  {}", padded(name, name_width))?;
            for ranking in rankings {
                let score = scores[ranking.name()].as_f64().unwrap_or_default();
                write!(out, "  {score:10.2}")?;
            }
            write!(out, "  {won:6}  {lost:6}  {tied:6}")?;
            if matrix {
                write!(out, " ")?;
                for margin in margins {
                    write!(out, "{margin:margin_width$}")?;
                }
            }
            writeln!(out)?;
        }
        writeln!(out)?;
        writeln!(out, "charges for each pair: {}", self.charges)?;
        Ok(())
    }
}

/// The charges of every pair, in no order. They are played on all processors; how far that is shows where somebody
/// looks.
fn all_pairs(entrants: &[Entrant], setups: &[Setup], rules: &Rules) -> Vec<(usize, usize, Vec<Charge>)> {
    let count = entrants.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|right| (0..right).map(move |left| (left, right))).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(pairs.len()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let is_watched = io::stderr().is_terminal();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(left, right)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let charges = play(&entrants[left].program, &entrants[right].program, setups, rules);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.push((left, right, charges));
                    if is_watched {
                        // Whether it can be shown changes nothing.
                        let _ = write!(io::stderr(), "\r{} of {} pairs", found.len(), pairs.len());
                    }
                }
            });
        }
    });
    if is_watched {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
