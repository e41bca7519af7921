//! What in a program's text probably does not mean what its author thinks.
//!
//! Everything here is legal and plays (seed 000, J11): a warning never refuses. It is for the submitter alone, since it
//! says something about the text. Each kind is told once, with its first place and how often it occurs, so that no
//! text makes more than a handful of lines.

use std::fmt;

use crate::place::Place;
use crate::presets::Notation;
use crate::program::Program;

/// What looks unintended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// Run-length notation of other hills, like `(+)*5` or `(a{b}c)%4`, which is comment here.
    RunLength,
    /// A repetition without a count, like `(>)9` for `(>)*9`, which is played no times.
    NoCount,
    /// A `.` or `,` that touches a word: it idles for a cycle.
    IdleInProse,
    /// A `.` that touches a word, where `,` is a comment.
    DotInProse,
    /// Another command between two letters, like a hyphen: it is played.
    CommandInProse,
    /// No command at all: the program only idles (J70).
    NoCommand,
}

/// Something in a program's text that is legal and probably not meant. Its `Display` is a sentence for the submitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// What it is.
    pub kind: WarningKind,
    /// How often it occurs; at least 1.
    pub count: usize,
    /// Line of the first occurrence, counted from 1.
    pub line: usize,
    /// Column of the first occurrence, in characters, counted from 1.
    pub column: usize,
}

/// What the submitter of this text should hear where it is read as in seed 000: see [`warnings_as`].
pub fn warnings(source: &str) -> Vec<Warning> {
    warnings_as(source, Notation::agora())
}

/// What the submitter of this text should hear, at most one warning a kind, in the order of the kinds. The text need
/// not parse. Takes time in proportion to it.
pub fn warnings_as(source: &str, notation: Notation) -> Vec<Warning> {
    let idles = |sign: char| sign == '.' || (sign == ',' && notation.comma_idles);
    let mut run_length = Tally::default();
    let mut no_count = Tally::default();
    let mut idle = Tally::default();
    let mut command = Tally::default();
    let mut any_command = false;
    let mut before = Before::default();
    // The `(` that are open, each with whether there is a command in it.
    let mut groups: Vec<(usize, bool)> = Vec::new();
    // A run of `.` and `,` is judged at its end, by what stands on either side of it.
    let mut run = Tally::default();
    let mut run_follows_word = false;

    for (offset, sign) in source.char_indices() {
        let rest = &source[offset + sign.len_utf8()..];
        if idles(sign) {
            run_follows_word = if run.count == 0 { before.word } else { run_follows_word };
            run.add(offset, 1);
        } else if run.count > 0 {
            if run_follows_word || sign.is_alphabetic() {
                idle.add(run.first, run.count);
            }
            run = Tally::default();
        }
        match sign {
            '*' | '%' if notation.repeat_max == 0 && before.sign == Some(')') && starts_count(rest) => {
                run_length.add(offset, 1);
            }
            '+' | '-' | '<' | '>' | '[' | ']' if before.letter && rest.starts_with(char::is_alphabetic) => {
                command.add(offset, 1);
            }
            _ => {}
        }
        let is_command = "><+-[]".contains(sign) || idles(sign);
        any_command |= is_command;
        if notation.repeat_max > 0 {
            match sign {
                '(' => groups.push((offset, false)),
                ')' => {
                    if let Some((start, true)) = groups.pop() {
                        groups.iter_mut().last().into_iter().for_each(|(_, holds)| *holds = true);
                        if !has_count(rest) {
                            no_count.add(start, 1);
                        }
                    }
                }
                // What touches a word is prose.
                _ if is_command && !before.word && !rest.starts_with(char::is_alphabetic) => {
                    groups.iter_mut().last().into_iter().for_each(|(_, holds)| *holds = true);
                }
                _ => {}
            }
        }
        before.pass(sign);
    }
    if run.count > 0 && run_follows_word {
        idle.add(run.first, run.count);
    }

    let none = if any_command { Tally::default() } else { Tally { count: 1, first: 0 } };
    [
        (WarningKind::RunLength, run_length),
        (WarningKind::NoCount, no_count),
        (if notation.comma_idles { WarningKind::IdleInProse } else { WarningKind::DotInProse }, idle),
        (WarningKind::CommandInProse, command),
        (WarningKind::NoCommand, none),
    ]
    .into_iter()
    .filter(|(_, tally)| tally.count > 0)
    .map(|(kind, Tally { count, first })| {
        let Place { line, column } = Place::of(source, first);
        Warning { kind, count, line, column }
    })
    .collect()
}

impl Program {
    /// [`warnings`] on a program's source text; the program itself does not keep it.
    pub fn warnings(source: &str) -> Vec<Warning> {
        warnings(source)
    }
}

/// Occurrences of one kind; `first` is a byte offset.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: usize,
    first: usize,
}

impl Tally {
    fn add(&mut self, first: usize, count: usize) {
        if self.count == 0 {
            self.first = first;
        }
        self.count += count;
    }
}

/// What stands before the sign that is looked at.
#[derive(Default)]
struct Before {
    /// The last sign that is not blank.
    sign: Option<char>,
    /// Directly before it is a letter.
    letter: bool,
    /// Directly before it is a word, with nothing but closing punctuation between.
    word: bool,
    /// How much of a repetition's count, like `)*9`, ends directly before it.
    count: Count,
}

/// How much there is of a repetition's count.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Count {
    #[default]
    Nothing,
    /// A `)`, and perhaps comments.
    Close,
    /// Its `*` or `%` as well, and perhaps comments.
    Sign,
    /// And a minus.
    Minus,
    /// And digits.
    Digits,
}

impl Count {
    fn pass(self, sign: char) -> Count {
        match (self, sign) {
            (_, ')') => Count::Close,
            (Count::Close, '*' | '%') => Count::Sign,
            (Count::Sign, '-') => Count::Minus,
            (Count::Sign | Count::Minus | Count::Digits, '0'..='9') => Count::Digits,
            (Count::Close | Count::Sign, comment) if is_comment(comment) => self,
            _ => Count::Nothing,
        }
    }
}

impl Before {
    fn pass(&mut self, sign: char) {
        if !sign.is_whitespace() {
            self.sign = Some(sign);
        }
        self.letter = sign.is_alphabetic();
        self.count = self.count.pass(sign);
        let is_part = sign.is_alphanumeric() && self.count != Count::Digits;
        self.word = is_part || (self.word && ")'\"!?:;".contains(sign));
    }
}

/// Whether what follows a `)` says how often to repeat, as the parser reads it: comments may stand before the sign and
/// before the number.
fn has_count(text: &str) -> bool {
    let Some(count) = text.trim_start_matches(is_comment).strip_prefix(['*', '%']) else { return false };
    let count = count.trim_start_matches(is_comment);
    count.strip_prefix('-').unwrap_or(count).starts_with(|sign: char| sign.is_ascii_digit())
}

/// Whether a sign is none that a program of any notation has.
fn is_comment(sign: char) -> bool {
    !"+-<>.,[](){}*%0123456789".contains(sign)
}

/// Whether a repetition's count comes next: blanks, perhaps a minus, a digit.
fn starts_count(text: &str) -> bool {
    // Blanks are bounded so that a text of nothing but `)*` and blanks is still read in proportion to its length.
    const GAP_MAX_CHARS_CHARS: usize = 8;
    let mut signs = text.chars();
    let mut next = signs.next();
    for _ in 0..GAP_MAX_CHARS_CHARS {
        if next != Some(' ') {
            break;
        }
        next = signs.next();
    }
    if next == Some('-') {
        next = signs.next();
    }
    next.is_some_and(|sign| sign.is_ascii_digit())
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning { kind, count, line, column } = self;
        f.write_str(match kind {
            WarningKind::RunLength => {
                "Repetition signs are comments under these rules, so (+)*5 is one +; write the commands out"
            }
            WarningKind::NoCount => {
                "A repetition without a count is played no times, so (>)9 is nothing; write (>)*9 if you mean nine"
            }
            WarningKind::IdleInProse => {
                "A . or , in a comment is a command too and idles for one cycle. Leave it out unless you mean it"
            }
            WarningKind::DotInProse => {
                "A . in a comment is a command too and idles for one cycle. Leave it out unless you mean it"
            }
            WarningKind::CommandInProse => {
                "A command sign between two letters is played, in a comment too. Leave it out unless you mean it"
            }
            WarningKind::NoCommand => {
                return f.write_str("The program has no command: it stays on its flag and idles for the whole charge.");
            }
        })?;
        match count {
            1 => write!(f, " (line {line}, column {column})."),
            _ => write!(f, " ({count} times, first at line {line}, column {column})."),
        }
    }
}
