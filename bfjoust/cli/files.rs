//! Programs in files and folders, and how names and lists of them are shown.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::failure::Failure;
use crate::{LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Notation, Program, Rules, Setup, Warning, warnings_as};

/// Longest file of a program: what a room takes.
pub(super) const FILE_MAX_BYTES: usize = 1 << 20;

/// Most programs of a hill: a thousand make half a million matches, which is as long as anybody waits.
const HILL_MAX_PROGRAMS: usize = 1000;

/// What the name of a program's file may end in, besides nothing at all.
const EXTENSIONS: [&str; 5] = ["bf", "b", "bfj", "bfjoust", "txt"];

/// Files that are told by name where nothing can be played: a screen.
const WRONG_SHOWN_MAX_FILES: usize = 20;

/// A program from a file.
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) program: Program,
    warnings: Vec<Warning>,
}

impl Entrant {
    /// Reads a file, or standard input for `-`.
    pub(super) fn read(path: &Path, notation: Notation) -> Result<Entrant, Failure> {
        let unreadable = |error: io::Error| Failure::Input(format!("{} cannot be read: {error}.", path.display()));
        let mut text = Vec::new();
        let file: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(unreadable)?)
        };
        // One byte more than is taken tells a text that is too long; the rest of it is never read.
        file.take(FILE_MAX_BYTES as u64 + 1).read_to_end(&mut text).map_err(unreadable)?;
        if text.len() > FILE_MAX_BYTES {
            let path = path.display();
            return Err(Failure::Input(format!(
                "{path} is longer than the {FILE_MAX_BYTES} bytes a program may have."
            )));
        }
        // All commands are ASCII: in whatever encoding the comments are, they cannot change the program.
        let source = String::from_utf8_lossy(&text);
        let program = Program::parse_as(&source, notation)
            .map_err(|error| Failure::Input(format!("{} is no program. {error}", path.display())))?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Entrant { name, program, warnings: warnings_as(&source, notation) })
    }
}

/// A file of a folder that is not played. In JSON it is its name.
#[derive(Clone, Serialize)]
#[serde(into = "String")]
pub(super) struct LeftOut {
    file: String,
    /// What is wrong with it, as a sentence; nothing where its ending says that it is something else.
    pub(super) why: Option<String>,
}

impl From<LeftOut> for String {
    fn from(left_out: LeftOut) -> String {
        left_out.file
    }
}

/// The programs of some files and folders, in the order given and within a folder by name, and the files of folders
/// that are none. Hidden files of a folder and folders within it are passed over in silence.
pub(super) fn entrants(paths: &[PathBuf], notation: Notation) -> Result<(Vec<Entrant>, Vec<LeftOut>), Failure> {
    let (mut found, mut left_out, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            found.push((path.clone(), Entrant::read(path, notation)?));
            continue;
        }
        for path in folder(path, &mut left_out)? {
            match Entrant::read(&path, notation) {
                Ok(entrant) => found.push((path, entrant)),
                Err(Failure::Input(why)) => {
                    left_out.push(LeftOut { file: file_name(&path), why: Some(why.clone()) });
                    wrong.push(why);
                }
                Err(other) => return Err(other),
            }
        }
    }
    left_out.sort_by(|one, other| one.file.cmp(&other.file));
    if found.is_empty() {
        let more = wrong.len().saturating_sub(WRONG_SHOWN_MAX_FILES);
        wrong.truncate(WRONG_SHOWN_MAX_FILES);
        let files = if more == 1 { "file" } else { "files" };
        wrong.extend((more > 0).then(|| format!("{more} {files} more cannot be played either.")));
        return Err(Failure::Input(wrong.join("\n")));
    }
    if found.len() > HILL_MAX_PROGRAMS {
        let count = found.len();
        return Err(Failure::Input(format!("There are {count} programs; a hill takes {HILL_MAX_PROGRAMS} at most.")));
    }
    let stems: Vec<String> = found.iter().map(|(_, entrant)| entrant.name.clone()).collect();
    let named = found.into_iter().map(|(path, mut entrant)| {
        if stems.iter().filter(|stem| **stem == entrant.name).count() > 1 {
            entrant.name = file_name(&path);
        }
        entrant
    });
    Ok((named.collect(), left_out))
}

/// The files of a folder that may be programs.
fn folder(dir: &Path, left_out: &mut Vec<LeftOut>) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: io::Error| Failure::Input(format!("{} cannot be read: {error}.", dir.display()));
    let mut paths = Vec::new();
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
    if paths.is_empty() {
        let (dir, ends) = (dir.display(), EXTENSIONS.map(|extension| format!(".{extension}")).join(", "));
        return Err(Failure::Input(format!("{dir} holds no program: no file that ends in {ends} or in nothing.")));
    }
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The lengths of what plays on some of its own.
#[derive(Debug, Args)]
pub(super) struct Lengths {
    /// Lengths of the tape in cells, in the order to play them; without it, every length of the rules
    #[arg(long, value_delimiter = ',', value_name = "N,N,..", value_parser = cell_count)]
    lengths: Vec<usize>,
}

impl Lengths {
    pub(super) fn or_all(self, rules: &Rules) -> Vec<usize> {
        if self.lengths.is_empty() { rules.lengths().collect() } else { self.lengths }
    }
}

/// What each length asked for is played on, in the order of the lengths.
pub(super) fn setups(lengths: &[usize], rules: &Rules) -> Vec<Setup> {
    let polarities: &[bool] = if rules.both_polarities { &[false, true] } else { &[false] };
    lengths.iter().flat_map(|&length| polarities.iter().map(move |&swapped| Setup { length, swapped })).collect()
}

/// Reads a length of the tape.
pub(super) fn cell_count(text: &str) -> Result<usize, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|length| (LENGTH_MIN_CELLS..=LENGTH_MAX_CELLS).contains(length))
        .ok_or_else(|| format!("a length is a number from {LENGTH_MIN_CELLS} to {LENGTH_MAX_CELLS}, as in 135,151,167"))
}

pub(super) fn write_json(answer: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)?;
    Ok(())
}

pub(super) fn write_left_out(left_out: &[LeftOut], out: &mut dyn Write) -> Result<(), Failure> {
    for LeftOut { file, why } in left_out {
        match why {
            Some(why) => writeln!(out, "left out: {}", shown(why))?,
            None => writeln!(out, "left out: {}, which does not end in what a program's file ends in", shown(file))?,
        }
    }
    Ok(())
}

pub(super) fn write_warnings<'a>(
    entrants: impl IntoIterator<Item = &'a Entrant>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for entrant in entrants {
        for warning in &entrant.warnings {
            writeln!(out, "{}: {warning}", shown(&entrant.name))?;
        }
    }
    Ok(())
}

/// A name as a terminal may show it: a file's name can hold anything, also what a terminal obeys.
pub(super) fn shown(name: &str) -> String {
    name.chars().map(|sign| if sign.is_control() { char::REPLACEMENT_CHARACTER } else { sign }).collect()
}

/// Filled up with blanks to a width in terminal columns, which the format width in characters is not.
pub(super) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// How many terminal columns the widest of some names takes, and at least a heading.
pub(super) fn width<'a>(names: impl Iterator<Item = &'a String>, heading: &str) -> usize {
    names.map(|name| name.width()).max().unwrap_or(0).max(heading.len())
}
