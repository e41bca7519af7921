//! `hill`: the programs of a folder, ranked by touches.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::files::{
    Entrant, LeftOut, Lengths, entrants, padded, setups, shown, width, write_json, write_left_out, write_warnings,
};
use crate::{Tournament, play, rank, score};

#[derive(Debug, Args)]
pub(super) struct Hill {
    /// Folders whose programs are played, and files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    lengths: Lengths,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The answer of `hill --json`: `{"lengths": [135, ..], "ranking": [{"rank": 1, "name": NAME, "touches": N}, ..],
/// "matrix": [[null, N, ..], ..], "charges": N, "left_out": [FILE, ..]}`; `charges` are those of each pair. Rows and
/// columns of the matrix are in the order of the ranking. The values `matrix[i][j]` are the touches of program `i`
/// against program `j`, `null` against itself. Each pair plays one charge a length, or two where the rules play each in
/// both polarities. Of equal touches the file whose name sorts first ranks higher. Names are files' names without
/// extension, or with it where two would be the same. In `left_out` are the files that are no programs or are taken for
/// something else.
#[derive(Serialize)]
struct HillAnswer {
    lengths: Vec<usize>,
    ranking: Vec<RankAnswer>,
    matrix: Vec<Vec<Option<i64>>>,
    charges: usize,
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct RankAnswer {
    rank: usize,
    name: String,
    touches: i64,
}

impl Hill {
    pub(super) fn run(
        self,
        Tournament { rules, scoring, .. }: &Tournament,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (entrants, left_out) = entrants(&self.paths, rules.notation)?;
        let lengths = self.lengths.or_all(rules);
        let setups = setups(&lengths, rules);

        let count = entrants.len();
        let mut touches = vec![vec![0; count]; count];
        for right in 0..count {
            for left in 0..right {
                let charges = play(&entrants[left].program, &entrants[right].program, &setups, rules);
                (touches[left][right], touches[right][left]) = score(&charges, scoring);
            }
        }

        let totals: Vec<i64> = touches.iter().map(|row| row.iter().sum()).collect();
        let order = rank(&totals);
        let answer = HillAnswer {
            lengths,
            ranking: (1..)
                .zip(&order)
                .map(|(rank, &place)| RankAnswer { rank, name: entrants[place].name.clone(), touches: totals[place] })
                .collect(),
            matrix: order
                .iter()
                .map(|&row| order.iter().map(|&column| (row != column).then_some(touches[row][column])).collect())
                .collect(),
            charges: setups.len(),
            left_out,
        };
        if self.json { write_json(&answer, out) } else { write_hill(&answer, &entrants, out) }
    }
}

fn write_hill(answer: &HillAnswer, entrants: &[Entrant], out: &mut dyn Write) -> Result<(), Failure> {
    let names: Vec<String> = answer.ranking.iter().map(|row| shown(&row.name)).collect();
    let name_width = width(names.iter(), "name");
    let charges = answer.charges;
    let cell_width = charges.to_string().len().max(answer.ranking.len().to_string().len()) + 1;

    writeln!(out, "rank  {}  touches  against", padded("name", name_width))?;
    write!(out, "{:4}  {}  {:7} ", "", padded("", name_width), "")?;
    for row in &answer.ranking {
        write!(out, "{:>cell_width$}", row.rank)?;
    }
    writeln!(out)?;
    for ((row, name), scores) in answer.ranking.iter().zip(&names).zip(&answer.matrix) {
        write!(out, "{:>4}  {}  {:>7} ", row.rank, padded(name, name_width), row.touches)?;
        for touches in scores {
            match touches {
                Some(touches) => write!(out, "{touches:>cell_width$}")?,
                None => write!(out, "{:>cell_width$}", "-")?,
            }
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    writeln!(out, "charges for each pair: {charges}")?;
    write_left_out(&answer.left_out, out)?;
    write_warnings(entrants, out)
}
