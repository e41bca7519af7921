//! The program `bfjoust`: charges and hills of files, in a terminal.
//!
//! It only reads files and standard input, and prints. What a room knows, hidden programs among it, is nothing to it.
//! Another program can have all of it as a part of its own: [`Arguments`] are for `clap` to read, and
//! [`Arguments::run`] does what they say. What is printed as JSON is a public interface.

mod evolve;
mod failure;
mod figures;
mod files;
mod hill;
mod matches;
mod one;
mod plots;
mod rank;
mod screen;
mod watch;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use self::failure::Failure;
use self::figures::Figures;
use self::one::{One, told};
use crate::{Frame, SideStatistics, Tournament, film, statistics, trace};

/// Brainfuck Joust, exactly and soon.
#[derive(Debug, Parser)]
#[command(name = "bfjoust", version, after_help = STANDARD_INPUT)]
pub struct Arguments {
    #[command(flatten)]
    figures: Figures,
    #[command(subcommand)]
    command: Command,
}

/// What the help ends with.
const STANDARD_INPUT: &str = "Where a file is asked for, - is standard input.";

/// What the program does.
#[derive(Debug, Subcommand)]
enum Command {
    /// Play one program against another on every length, or on those given, and tell causes and cycles
    #[command(visible_alias = "breakdown")]
    Match(matches::Match),
    /// Play all programs of a folder against each other on every length, or on those given, and rank them by touches
    Hill(hill::Hill),
    /// Play programs against each other on all processors and rank them, by several scorings side by side
    Rank(rank::Rank),
    /// Show one charge as a film, to be stepped through by keys
    Watch(watch::Watch),
    /// Tell what happened in one charge: the tape at its end, how far each went, and where it was for how long
    Stats(One),
    /// Show one charge, a line a cycle
    Trace {
        #[command(flatten)]
        one: One,
        /// First cycle to show
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// Most lines to show
        #[arg(long, default_value_t = 200)]
        lines: usize,
        /// Print a film instead: the format of the library, each picture by what has changed
        #[arg(long)]
        film: bool,
    },
    /// Read a question a line and answer each with a line of JSON: how a program does against a hill
    EvolveBatch(evolve::EvolveBatch),
}

/// The whole program: reads the command line, does what it says, and says how that ended. It ends in 2 for what is
/// wrong with files and arguments, and in 1 for everything else.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout());
    match arguments.run(None, &mut out).and_then(|()| Ok(out.flush()?)).or_else(enough) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where even this cannot be said, the code says it.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(if matches!(failure, Failure::Input(_)) { 2 } else { 1 })
        }
    }
}

/// Whoever has closed the pipe has read enough.
fn enough(failure: Failure) -> Result<(), Failure> {
    match failure {
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        failure => Err(failure),
    }
}

impl Arguments {
    /// Does what they say. `given` is what is played and ranked by where the arguments say nothing else; without it,
    /// that is what seed 000 has.
    ///
    /// # Errors
    /// [`Failure::Input`] for a file that is no program, with line and column where the text is at fault, and for
    /// rules that cannot be played by; [`Failure::Output`] where the answer cannot be written, unless its reader has
    /// read enough.
    pub fn run(self, given: Option<Tournament>, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
        let tournament = self.figures.tournament(given)?;
        self.command.run(tournament, out).or_else(enough)
    }
}

impl Command {
    fn run(self, tournament: Tournament, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
        let mut rules = tournament.rules.clone();
        match self {
            Command::Match(arguments) => arguments.run(&tournament, out)?,
            Command::Hill(arguments) => arguments.run(&tournament, out)?,
            Command::Rank(arguments) => arguments.run(&tournament, out)?,
            Command::Watch(arguments) => arguments.run(&mut rules, out)?,
            Command::Stats(one) => {
                let (left, right, setup) = one.read(&mut rules)?;
                let seen = statistics(&left, &right, setup, &rules);
                writeln!(out, "{}", told(&seen.charge))?;
                writeln!(out, "tape: {}", spaced(&seen.cells))?;
                for (name, SideStatistics { furthest, heat }) in [("left", seen.left), ("right", seen.right)] {
                    let heat = spaced(&heat);
                    writeln!(out, "{name}: {furthest} cells from its flag at most; cycles on each cell: {heat}")?;
                }
            }
            Command::Trace { one, from, lines, film: as_film } => {
                let (left, right, setup) = one.read(&mut rules)?;
                let frames = trace(&left, &right, setup, &rules);
                let frames = frames.skip_while(|frame| frame.cycle < from && frame.outcome.is_none()).take(lines);
                if as_film {
                    for line in film(frames) {
                        writeln!(out, "{line}")?;
                    }
                    return Ok(());
                }
                for frame in frames {
                    writeln!(out, "{}", pictured(&frame))?;
                }
            }
            Command::EvolveBatch(arguments) => arguments.run(&rules, out)?,
        }
        Ok(())
    }
}

fn spaced<T: ToString>(figures: &[T]) -> String {
    figures.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// One line of a trace: the cycle, both symbols, and the tape with `>` before the left pointer's cell and `<` after the
/// right one's.
fn pictured(frame: &Frame) -> String {
    let symbol = |symbol: Option<char>| symbol.unwrap_or(' ');
    let cell = |(at, value): (usize, &u8)| {
        let left = if frame.pointers[0] == at as isize { '>' } else { ' ' };
        let right = if frame.pointers[1] == at as isize { '<' } else { ' ' };
        format!("{left}{value:02x}{right}")
    };
    let tape: String = frame.cells.iter().enumerate().map(cell).collect();
    let [left, right] = frame.symbols.map(symbol);
    let end = frame.outcome.map(|charge| format!("  {}", told(&charge))).unwrap_or_default();
    format!("{:7} {left}{right} {tape}{end}", frame.cycle)
}

#[cfg(test)]
mod tests;
