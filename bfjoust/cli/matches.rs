//! `match`: one program against another, length by length.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::files::{Entrant, Lengths, setups, shown, write_json, write_warnings};
use crate::{Cause, Charge, Run, Scoring, Setup, Side, Tournament, cause, play, runs, score, span};

#[derive(Debug, Args)]
pub(super) struct Match {
    /// File of the program that starts on the left
    left: PathBuf,
    /// File of the program that starts on the right
    right: PathBuf,
    #[command(flatten)]
    lengths: Lengths,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The answer of `match --json`: `{"left": NAME, "right": NAME, "charges": [{"length": 135, "winner":
/// "left"|"right"|null, "reason": "flag"|"edge"|"both"|"cap", "cycles": N}, ..]}`. Where the reason is `both`, a charge
/// has `"lost_by": {"left": "flag"|"edge"|"flag and edge", "right": ..}` as well. Charges are in the order of the
/// lengths asked for; a name is the file's name without its extension. Where the rules play each length twice, the
/// second charge of a length says `"exchanged": true`: `+` and `-` of the right program are.
#[derive(Serialize)]
struct MatchAnswer<'a> {
    left: &'a str,
    right: &'a str,
    charges: Vec<ChargeAnswer>,
}

#[derive(Serialize)]
struct ChargeAnswer {
    length: usize,
    #[serde(skip_serializing_if = "is_as_written")]
    exchanged: bool,
    winner: Option<&'static str>,
    reason: &'static str,
    cycles: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_by: Option<LostBy>,
}

#[derive(Serialize)]
struct LostBy {
    left: &'static str,
    right: &'static str,
}

impl Match {
    pub(super) fn run(self, tournament: &Tournament, out: &mut dyn Write) -> Result<(), Failure> {
        let rules = &tournament.rules;
        let left = Entrant::read(&self.left, rules.notation)?;
        let right = Entrant::read(&self.right, rules.notation)?;
        let setups = setups(&self.lengths.or_all(rules), rules);
        let charges = play(&left.program, &right.program, &setups, rules);
        let told = |(&setup, &charge): (&Setup, &Charge)| {
            (setup, charge, cause(&left.program, &right.program, setup, &charge, rules))
        };
        let charges: Vec<Told> = setups.iter().zip(&charges).map(told).collect();
        if self.json {
            let answer = MatchAnswer {
                left: &left.name,
                right: &right.name,
                charges: charges.iter().map(ChargeAnswer::of).collect(),
            };
            write_json(&answer, out)
        } else {
            write_match(&left, &right, &charges, &tournament.scoring, out)
        }
    }
}

/// A charge of a match: on what, its outcome, and what it was lost by.
type Told = (Setup, Charge, Cause);

impl ChargeAnswer {
    fn of((setup, charge, cause): &Told) -> ChargeAnswer {
        let lost_by = match cause {
            Cause::Both { left, right } => Some(LostBy { left: left.as_str(), right: right.as_str() }),
            Cause::One(_) => None,
        };
        ChargeAnswer {
            length: setup.length,
            exchanged: setup.swapped,
            winner: charge.winner.map(Side::as_str),
            reason: charge.reason.as_str(),
            cycles: charge.cycles,
            lost_by,
        }
    }
}

/// The answer has no word of polarities where the rules have one only.
fn is_as_written(exchanged: &bool) -> bool {
    !exchanged
}

fn write_match(
    left: &Entrant,
    right: &Entrant,
    charges: &[Told],
    scoring: &Scoring,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (left_name, right_name) = (shown(&left.name), shown(&right.name));
    let reason_width =
        charges.iter().map(|(_, _, cause)| cause.to_string().len()).max().unwrap_or(0).max("reason".len());
    writeln!(out, "left   {left_name}")?;
    writeln!(out, "right  {right_name}")?;
    writeln!(out)?;
    writeln!(out, "{:>9}  {:6}  {:reason_width$}  {:>15}", "lengths", "winner", "reason", "cycles")?;
    for swapped in [false, true] {
        let told = charges.iter().filter(|(setup, ..)| setup.swapped == swapped);
        let told = told.map(|(setup, charge, cause)| (setup.length, (charge.winner, *cause), charge.cycles));
        for (row, Run { lengths, how: (winner, cause), cycles }) in runs(told).into_iter().enumerate() {
            if swapped && row == 0 {
                writeln!(out, "with + and - of the right program exchanged")?;
            }
            let (winner, cause) = (winner.map_or("-", Side::as_str), cause.to_string());
            writeln!(out, "{:>9}  {winner:6}  {cause:reason_width$}  {:>15}", span(lengths), span(cycles))?;
        }
    }
    let charges: Vec<Charge> = charges.iter().map(|(_, charge, _)| *charge).collect();
    let (left_touches, right_touches) = score(&charges, scoring);
    let nobody = charges.iter().filter(|charge| charge.winner.is_none()).count();
    writeln!(out)?;
    writeln!(out, "touches: left {left_touches}, right {right_touches}; charges without a winner: {nobody}")?;
    write_warnings([left, right], out)
}
