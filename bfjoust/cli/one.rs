//! What shows one charge: its arguments, and how it ended in words.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::files::{Entrant, cell_count};
use crate::{Charge, Program, Reason, Rules, Setup};

/// The arguments of what shows one charge.
#[derive(Debug, Args)]
pub(super) struct One {
    /// File of the program that starts on the left
    pub(super) left: PathBuf,
    /// File of the program that starts on the right
    pub(super) right: PathBuf,
    /// Cells of the tape, both flags included; without it, the middle of the lengths
    #[arg(value_parser = cell_count)]
    pub(super) cells: Option<usize>,
    /// Exchange + and - of the right side
    #[arg(long)]
    pub(super) swapped: bool,
}

impl One {
    /// Both programs and what they play on; the rules are for that length alone from now on.
    pub(super) fn read(&self, rules: &mut Rules) -> Result<(Program, Program, Setup), Failure> {
        let [left, right] = [&self.left, &self.right].map(|file| Entrant::read(file, rules.notation));
        let programs = (left?.program, right?.program);
        (rules.length, rules.spread) = (self.cells.unwrap_or(rules.length), 0);
        rules.check().map_err(|error| Failure::Input(error.to_string()))?;
        Ok((programs.0, programs.1, Setup { length: rules.length, swapped: self.swapped }))
    }
}

/// How a charge ended, in words.
pub(super) fn told(charge: &Charge) -> String {
    let Charge { winner, reason, cycles } = charge;
    match (winner, reason) {
        (Some(winner), _) => format!("{winner} wins by {reason} in cycle {cycles}"),
        (None, Reason::Cap) => format!("both lose, because nobody has won after {cycles} cycles"),
        (None, _) => format!("both lose in cycle {cycles}"),
    }
}
