//! `bfjoust`: charges and hills of files, in a terminal.
//!
//! It only reads files and prints. What a room knows, hidden programs among it, is nothing to it.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bfjoust::{
    Charge, Frame, Method, Program, Reason, Results, Rules, Scoring, Setup, SideStatistics, play, score, statistics,
    trace,
};
use clap::{Parser, Subcommand, ValueEnum};

/// Brainfuck Joust, exactly and soon.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The rules to play by
    #[arg(long, value_enum, default_value = "agora", global = true)]
    rules: Preset,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// Those of seed 000: 135 to 167 cells, 384000 cycles
    Agora,
    /// Those of today's public hills: 10 to 30 cells in both polarities, 100000 cycles, repetitions
    Egojoust,
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
    /// Play programs against each other and rank them
    Hill {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[arg(long, value_enum, default_value = "touches")]
        scoring: Ranking,
    },
    /// Tell what happened in one charge: the tape at its end, how far each went, and where it was for how long
    Stats {
        left: PathBuf,
        right: PathBuf,
        length: usize,
        /// Exchange + and - of the right side
        #[arg(long)]
        swapped: bool,
    },
    /// Show one charge, a line a cycle
    Trace {
        left: PathBuf,
        right: PathBuf,
        length: usize,
        /// Exchange + and - of the right side
        #[arg(long)]
        swapped: bool,
        /// First cycle to show
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// Most lines to show
        #[arg(long, default_value_t = 200)]
        lines: usize,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Ranking {
    Touches,
    Points,
    Trad,
    Markov,
}

type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let Arguments { rules, command } = Arguments::parse();
    let rules = match rules {
        Preset::Agora => Rules::agora(),
        Preset::Egojoust => Rules::egojoust(),
    };
    match run(command, rules, &mut io::stdout().lock()) {
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

fn run(command: Command, mut rules: Rules, out: &mut dyn Write) -> Result<(), Failure> {
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
        Command::Hill { files, scoring } => hill(&files, scoring, &rules, out)?,
        Command::Stats { left, right, length, swapped } => {
            let (left, right) = (read(&left, &rules)?, read(&right, &rules)?);
            let seen = statistics(&left, &right, setup(length, swapped, &mut rules)?, &rules);
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
        Command::Trace { left, right, length, swapped, from, lines } => {
            let (left, right) = (read(&left, &rules)?, read(&right, &rules)?);
            let frames = trace(&left, &right, setup(length, swapped, &mut rules)?, &rules);
            for frame in frames.skip_while(|frame| frame.cycle < from && frame.outcome.is_none()).take(lines) {
                writeln!(out, "{}", pictured(&frame))?;
            }
        }
    }
    Ok(())
}

fn hill(files: &[PathBuf], scoring: Ranking, rules: &Rules, out: &mut dyn Write) -> Result<(), Failure> {
    let programs = files.iter().map(|file| read(file, rules)).collect::<Result<Vec<Program>, Failure>>()?;
    let setups: Vec<Setup> = rules.setups().collect();
    let mut results = Results::new(programs.len());
    for right in 0..programs.len() {
        for left in 0..right {
            results.add(left, right, &play(&programs[left], &programs[right], &setups, rules));
        }
    }
    let method = match scoring {
        Ranking::Touches => Method::Touches(Scoring::agora()),
        Ranking::Points => Method::Points,
        Ranking::Trad => Method::Trad,
        Ranking::Markov => Method::Markov,
    };
    let scores = results.scores(method);
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
    for (rank, &place) in (1..).zip(&order) {
        writeln!(out, "{rank:4} {:10.2}  {}", scores[place], files[place].display())?;
    }
    Ok(())
}

fn read(file: &Path, rules: &Rules) -> Result<Program, Failure> {
    let text = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let program = Program::parse_as(&String::from_utf8_lossy(&text), rules.notation);
    Ok(program.map_err(|error| format!("{}: {error}", file.display()))?)
}

fn setup(length: usize, swapped: bool, rules: &mut Rules) -> Result<Setup, Failure> {
    (rules.length, rules.spread) = (length, 0);
    rules.check().map_err(|error| error.to_string())?;
    Ok(Setup { length, swapped })
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
