//! `rulekeeper joust`: jousts of files, for people who try programs before they
//! submit them, and for the tools that they build. Their JSON is a public interface.
//!
//! `match` and `hill` stand here, `rank` and `evolve-batch` in `rank.rs`. None of these looks at a room, its amended
//! figures or its hidden programs.

mod rank;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bfjoust::{
    Cause, Charge, LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Notation, Program, Rules, Run, Scoring, Setup, Side, Warning,
    cause, play, rank, runs, score, span,
};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::error::Error;
use joust::PROGRAM_MAX_BYTES;
use kernel::display::counted;

/// Most programs of a directory: a thousand make half a million matches, which is as long as anybody waits.
const HILL_MAX_PROGRAMS: usize = 1000;

/// What the name of a program's file may end in, besides nothing at all.
const EXTENSIONS: [&str; 5] = ["bf", "b", "bfj", "bfjoust", "txt"];

/// Joust programs in files against each other.
#[derive(Debug, clap::Subcommand)]
pub enum Joust {
    /// Play one program against another on every length, or on those given
    Match(Match),
    /// Play all programs of a directory against each other and rank them
    Hill(Hill),
    /// Rank the programs of a directory under any rules, on all processors
    Rank(rank::Rank),
    /// Read a program a line, and answer each with a line of JSON: how it does against a hill
    EvolveBatch(rank::EvolveBatch),
}

/// The rules that programs are played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Preset {
    /// Those of seed 000: 135 to 167 cells, 384000 cycles
    Agora,
    /// Those of today's public hills: 10 to 30 cells in both polarities, 100000 cycles, repetitions
    Egojoust,
}

/// The arguments of `joust match`.
#[derive(Debug, clap::Args)]
pub struct Match {
    /// File of the program that starts on the left
    left: PathBuf,
    /// File of the program that starts on the right
    right: PathBuf,
    /// The rules to play by
    #[arg(long, value_enum, default_value = "agora")]
    rules: Preset,
    #[command(flatten)]
    lengths: Lengths,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The arguments of `joust hill`.
#[derive(Debug, clap::Args)]
pub struct Hill {
    /// Directory whose programs are played
    dir: PathBuf,
    /// The rules to play by
    #[arg(long, value_enum, default_value = "agora")]
    rules: Preset,
    #[command(flatten)]
    lengths: Lengths,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Lengths {
    /// Lengths of the array in cells, in the order to play them; without it, every length of the rules
    #[arg(long, value_delimiter = ',', value_name = "N,N,..", value_parser = length)]
    lengths: Vec<usize>,
}

impl Preset {
    fn rules(self) -> Rules {
        match self {
            Preset::Agora => Rules::agora(),
            Preset::Egojoust => Rules::egojoust(),
        }
    }
}

impl Joust {
    /// Plays, and writes the answer to `out`. A reader that has closed its end has had enough: no error.
    ///
    /// # Errors
    /// [`Error::Input`] for a file that is no program, with line and column where the text is at fault;
    /// [`Error::Output`] where the answer cannot be written.
    pub fn run(self, out: &mut dyn Write) -> Result<(), Error> {
        let done = match self {
            Joust::Match(arguments) => arguments.run(out),
            Joust::Hill(arguments) => arguments.run(out),
            Joust::Rank(arguments) => arguments.run(out),
            Joust::EvolveBatch(arguments) => arguments.run(&mut io::stdin().lock(), out),
        };
        match done {
            Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }
}

/// The answer of `joust match --json`: `{"left": NAME, "right": NAME, "charges": [{"length": 135, "winner":
/// "left"|"right"|null, "reason": "flag"|"edge"|"both"|"cap", "cycles": N}, ..]}`. Where the reason is `both`, a charge
/// has `"lost_by": {"left": "flag"|"edge"|"flag and edge", "right": ..}` as well. Charges are in the order of the lengths asked for; a name is the file's name without its extension. Where the rules play each length twice, the second
/// charge of a length says `"exchanged": true`: `+` and `-` of the right program are.
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

/// The answer of `joust hill --json`: `{"lengths": [135, ..], "ranking": [{"rank": 1, "name": NAME, "touches": N}, ..],
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

impl Match {
    fn run(self, out: &mut dyn Write) -> Result<(), Error> {
        let rules = self.rules.rules();
        let left = Entrant::read(&self.left, rules.notation)?;
        let right = Entrant::read(&self.right, rules.notation)?;
        let setups = setups(&self.lengths.or_all(&rules), &rules);
        let charges = play(&left.program, &right.program, &setups, &rules);
        let told = |(&setup, &charge): (&Setup, &Charge)| {
            (setup, charge, cause(&left.program, &right.program, setup, &charge, &rules))
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
            write_match(&left, &right, &charges, out)
        }
    }
}

impl Hill {
    fn run(self, out: &mut dyn Write) -> Result<(), Error> {
        let rules = self.rules.rules();
        let (entrants, left_out) = read_dir(&self.dir, rules.notation)?;
        let lengths = self.lengths.or_all(&rules);
        let setups = setups(&lengths, &rules);
        let scoring = Scoring::agora();

        let count = entrants.len();
        let mut touches = vec![vec![0; count]; count];
        for right in 0..count {
            for left in 0..right {
                let charges = play(&entrants[left].program, &entrants[right].program, &setups, &rules);
                (touches[left][right], touches[right][left]) = score(&charges, &scoring);
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

impl Lengths {
    fn or_all(self, rules: &Rules) -> Vec<usize> {
        if self.lengths.is_empty() { rules.lengths().collect() } else { self.lengths }
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

/// What each length asked for is played on, in the order of the lengths.
fn setups(lengths: &[usize], rules: &Rules) -> Vec<Setup> {
    let polarities: &[bool] = if rules.both_polarities { &[false, true] } else { &[false] };
    lengths.iter().flat_map(|&length| polarities.iter().map(move |&swapped| Setup { length, swapped })).collect()
}

/// The answer has no word of polarities where the rules have one only.
fn is_as_written(exchanged: &bool) -> bool {
    !exchanged
}

fn length(text: &str) -> Result<usize, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|length| (LENGTH_MIN_CELLS..=LENGTH_MAX_CELLS).contains(length))
        .ok_or_else(|| format!("a length is a number from {LENGTH_MIN_CELLS} to {LENGTH_MAX_CELLS}, as in 135,151,167"))
}

/// A program from a file.
struct Entrant {
    name: String,
    program: Program,
    warnings: Vec<Warning>,
}

impl Entrant {
    fn read(path: &Path, notation: Notation) -> Result<Entrant, Error> {
        let unreadable = |error: io::Error| Error::Input(format!("{} cannot be read: {error}.", path.display()));
        let mut text = Vec::new();
        // One byte more than is taken tells a text that is too long; the rest of it is never read.
        let bytes_max = PROGRAM_MAX_BYTES as u64 + 1;
        File::open(path).map_err(unreadable)?.take(bytes_max).read_to_end(&mut text).map_err(unreadable)?;
        if text.len() > PROGRAM_MAX_BYTES {
            let path = path.display();
            return Err(Error::Input(format!(
                "{path} is longer than the {PROGRAM_MAX_BYTES} bytes a program may have."
            )));
        }
        // All commands are ASCII: in whatever encoding the comments are, they cannot change the program.
        let source = String::from_utf8_lossy(&text);
        let program = Program::parse_as(&source, notation)
            .map_err(|error| Error::Input(format!("{} is no program. {error}", path.display())))?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Entrant { name, program, warnings: bfjoust::warnings_as(&source, notation) })
    }
}

/// A file of a directory that is not played. In JSON it is its name.
#[derive(Clone, Serialize)]
#[serde(into = "String")]
struct LeftOut {
    file: String,
    /// What is wrong with it, as a sentence; nothing where its ending says that it is something else.
    why: Option<String>,
}

impl From<LeftOut> for String {
    fn from(left_out: LeftOut) -> Self {
        left_out.file
    }
}

/// Files that are told by name where nothing can be played: a screen.
const WRONG_SHOWN_MAX_FILES: usize = 20;

/// The programs of a directory in the order of their files' names, and the files that are none. Hidden files and
/// directories are passed over in silence.
fn read_dir(dir: &Path, notation: Notation) -> Result<(Vec<Entrant>, Vec<LeftOut>), Error> {
    let unreadable = |error: io::Error| Error::Input(format!("{} cannot be read: {error}.", dir.display()));
    let mut paths = Vec::new();
    let mut left_out = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = file_name(&path);
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        if path.extension().is_none_or(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
            paths.push(path);
        } else {
            left_out.push(LeftOut { file: name, why: None });
        }
    }
    paths.sort();
    let extensions = EXTENSIONS.map(|extension| format!(".{extension}")).join(", ");
    if paths.is_empty() {
        let dir = dir.display();
        return Err(Error::Input(format!("{dir} holds no program: no file that ends in {extensions} or in nothing.")));
    }
    if paths.len() > HILL_MAX_PROGRAMS {
        let (dir, count) = (dir.display(), paths.len());
        return Err(Error::Input(format!("{dir} holds {count} programs; a hill takes {HILL_MAX_PROGRAMS} at most.")));
    }

    let (mut entrants, mut wrong) = (Vec::new(), Vec::new());
    for path in &paths {
        match Entrant::read(path, notation) {
            Ok(entrant) => entrants.push(entrant),
            Err(Error::Input(why)) => {
                left_out.push(LeftOut { file: file_name(path), why: Some(why.clone()) });
                wrong.push(why);
            }
            Err(other) => return Err(other),
        }
    }
    left_out.sort_by(|one, other| one.file.cmp(&other.file));
    if entrants.is_empty() {
        let more = wrong.len().saturating_sub(WRONG_SHOWN_MAX_FILES);
        wrong.truncate(WRONG_SHOWN_MAX_FILES);
        wrong.extend((more > 0).then(|| format!("{} more cannot be played either.", counted(more, "file"))));
        return Err(Error::Input(wrong.join("\n")));
    }
    let stems: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
    for (entrant, path) in entrants.iter_mut().zip(&paths) {
        if stems.iter().filter(|stem| **stem == entrant.name).count() > 1 {
            entrant.name = file_name(path);
        }
    }
    Ok((entrants, left_out))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn write_json(answer: &impl Serialize, out: &mut dyn Write) -> Result<(), Error> {
    serde_json::to_writer(&mut *out, answer).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn write_match(left: &Entrant, right: &Entrant, charges: &[Told], out: &mut dyn Write) -> Result<(), Error> {
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
    let (left_touches, right_touches) = score(&charges, &Scoring::agora());
    let nobody = charges.iter().filter(|charge| charge.winner.is_none()).count();
    writeln!(out)?;
    writeln!(out, "touches: left {left_touches}, right {right_touches}; charges without a winner: {nobody}")?;
    write_warnings([left, right], out)
}

fn write_hill(answer: &HillAnswer, entrants: &[Entrant], out: &mut dyn Write) -> Result<(), Error> {
    let names: Vec<String> = answer.ranking.iter().map(|row| shown(&row.name)).collect();
    let name_width = names.iter().map(|name| name.width()).max().unwrap_or(0).max("name".len());
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

fn write_left_out(left_out: &[LeftOut], out: &mut dyn Write) -> Result<(), Error> {
    for LeftOut { file, why } in left_out {
        match why {
            Some(why) => writeln!(out, "left out: {}", shown(why))?,
            None => writeln!(out, "left out: {}, which does not end in what a program's file ends in", shown(file))?,
        }
    }
    Ok(())
}

fn write_warnings<'a>(entrants: impl IntoIterator<Item = &'a Entrant>, out: &mut dyn Write) -> Result<(), Error> {
    for entrant in entrants {
        for warning in &entrant.warnings {
            writeln!(out, "{}: {warning}", shown(&entrant.name))?;
        }
    }
    Ok(())
}

/// A name as a terminal may show it: a file's name can hold anything, also what a terminal obeys.
fn shown(name: &str) -> String {
    name.chars().map(|sign| if sign.is_control() { char::REPLACEMENT_CHARACTER } else { sign }).collect()
}

/// Filled up with blanks to a width in terminal columns, which the format width in characters is not.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests;
