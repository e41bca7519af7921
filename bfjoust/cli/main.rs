//! `bfjoust`: charges and hills of files, in a terminal.
//!
//! It only reads files and standard input, and prints. What a room knows, hidden programs among it, is nothing to it.

mod evolve;
mod figures;
mod plots;
mod rank;

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bfjoust::{
    Charge, Frame, Program, Reason, Rules, Scoring, Setup, SideStatistics, film, play, score, statistics, trace,
};
use clap::{Args, Parser, Subcommand};

use crate::figures::Figures;

/// Brainfuck Joust, exactly and soon. Where a file is asked for, `-` is standard input.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    figures: Figures,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play two programs on every length, or on those given
    Match {
        left: PathBuf,
        right: PathBuf,
        #[arg(long, value_delimiter = ',')]
        lengths: Vec<usize>,
    },
    /// Play programs against each other on all processors and rank them
    #[command(visible_alias = "hill")]
    Rank(rank::Rank),
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

/// The arguments of what shows one charge.
#[derive(Args)]
struct One {
    left: PathBuf,
    right: PathBuf,
    /// Cells of the tape, both flags included
    cells: usize,
    /// Exchange + and - of the right side
    #[arg(long)]
    swapped: bool,
}

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    let Arguments { figures, command } = Arguments::parse();
    let mut out = BufWriter::new(io::stdout());
    let done = figures.rules().and_then(|rules| run(command, rules, &mut out));
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever has closed the pipe has read enough.
        Err(failure) if failure.downcast_ref::<io::Error>().is_some_and(is_closed_pipe) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where even this cannot be said, the code says it.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

fn run(command: Command, mut rules: Rules, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
    match command {
        Command::Match { left, right, lengths } => {
            let (left, right) = (read(&left, &rules)?, read(&right, &rules)?);
            let mut setups: Vec<Setup> = rules.setups().collect();
            if !lengths.is_empty() {
                setups.clear();
                for length in lengths {
                    (rules.length, rules.spread) = (length, 0);
                    rules.check().map_err(|error| error.to_string())?;
                    setups.extend(rules.setups());
                }
            }
            let charges = play(&left, &right, &setups, &rules);
            for (setup, charge) in setups.iter().zip(&charges) {
                let swapped = if setup.swapped { " swapped" } else { "" };
                writeln!(out, "{}{swapped}: {}", setup.length, told(charge))?;
            }
            let (left, right) = score(&charges, &Scoring::agora());
            writeln!(out, "left won {left}, right won {right}, of {}", charges.len())?;
        }
        Command::Rank(rank) => rank.run(&rules, out)?,
        Command::Stats(one) => {
            let (left, right, setup) = one.read(&mut rules)?;
            let seen = statistics(&left, &right, setup, &rules);
            writeln!(out, "{}", told(&seen.charge))?;
            writeln!(out, "tape: {}", spaced(&seen.cells))?;
            for (name, SideStatistics { furthest, heat }) in [("left", seen.left), ("right", seen.right)] {
                writeln!(
                    out,
                    "{name}: {furthest} cells from its flag at most; cycles on each cell: {}",
                    spaced(&heat)
                )?;
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
        Command::EvolveBatch(evolve) => evolve.run(&rules, out)?,
    }
    Ok(())
}

impl One {
    fn read(&self, rules: &mut Rules) -> Result<(Program, Program, Setup), Failure> {
        let programs = (read(&self.left, rules)?, read(&self.right, rules)?);
        (rules.length, rules.spread) = (self.cells, 0);
        rules.check().map_err(|error| error.to_string())?;
        Ok((programs.0, programs.1, Setup { length: self.cells, swapped: self.swapped }))
    }
}

fn read(file: &Path, rules: &Rules) -> Result<Program, Failure> {
    let mut text = Vec::new();
    let done = if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut text).map(drop)
    } else {
        fs::read(file).map(|read| text = read)
    };
    done.map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let program = Program::parse_as(&String::from_utf8_lossy(&text), rules.notation);
    Ok(program.map_err(|error| format!("{}: {error}", file.display()))?)
}

/// What a program is called: its file's name without what it ends in.
fn name(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

fn told(charge: &Charge) -> String {
    let Charge { winner, reason, cycles } = charge;
    match (winner, reason) {
        (Some(winner), _) => format!("{winner} wins by {reason} in cycle {cycles}"),
        (None, Reason::Cap) => format!("both lose, because nobody has won after {cycles} cycles"),
        (None, _) => format!("both lose in cycle {cycles}"),
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
