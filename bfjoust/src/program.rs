//! A program as a value: parsed once, shared, and silent about its text.

use std::fmt;
use std::sync::Arc;

use crate::code::{Ins, Op};
use crate::parse::{Parsed, parse};
use crate::presets::Notation;

/// Most symbols (commands, comments not counted) in a program: their places are kept as 32-bit numbers, which
/// halves the memory of a compiled program. The rules set no limit; who takes programs from strangers sets a lower
/// one on the text.
pub const PROGRAM_MAX_SYMBOLS: usize = u32::MAX as usize / 4;

/// A parsed program. Cloning shares it. Two programs are equal when they play alike symbol for symbol: comments do
/// not matter, nor which of `.` and `,` idles.
#[derive(Clone)]
pub struct Program {
    /// Ends with [`Op::End`], so it is never empty.
    code: Arc<[Ins]>,
    symbols: usize,
    /// Counters that it needs: how deep its repetitions stand in one another.
    pub(crate) counters: usize,
    repeats: bool,
}

/// Why a text is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A `]` without a `[` before it.
    Unopened,
    /// One or more `[` without a `]`; the place is that of the first of them.
    Unclosed {
        /// How many are open at the end of the text; at least 1.
        count: usize,
    },
    /// A `)` without a `(` before it.
    GroupUnopened,
    /// One or more `(` without a `)`; the place is that of the first of them.
    GroupUnclosed {
        /// How many are open at the end of the text; at least 1.
        count: usize,
    },
    /// A `}` without a `{` before it in the same `( )`.
    InnerUnopened,
    /// A `)` before the `}` of a `{`.
    InnerUnclosed,
    /// A `{` that stands in no `( )`.
    InnerOutside,
    /// A second `{` in the same `( )`.
    InnerTwice,
    /// A loop that begins inside a `( )` and ends outside, or the other way round.
    Crossing,
    /// More symbols than [`PROGRAM_MAX_SYMBOLS`]; the place is that of the first one too many.
    TooLong,
}

/// Why a text is no program, and where. Its `Display` is a sentence for the submitter and repeats nothing of the
/// text but a bracket (seed 000, J11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Line of the symbol, counted from 1.
    pub line: usize,
    /// Column of the symbol, in characters, counted from 1.
    pub column: usize,
}

impl Program {
    /// Reads a program in the notation of seed 000: whatever is not one of `> < + - . , [ ]` is a comment (J11, J54,
    /// J60).
    ///
    /// Takes time and memory in proportion to the text, whatever is in it.
    ///
    /// # Errors
    /// [`ParseError`] where the brackets do not balance.
    pub fn parse(source: &str) -> Result<Program, ParseError> {
        Program::parse_as(source, Notation::agora())
    }

    /// Reads a program in a notation, that of a tournament's [`crate::Rules`] for one.
    ///
    /// Takes time and memory in proportion to the text, whatever its repetitions expand to.
    ///
    /// # Errors
    /// [`ParseError`] where brackets, braces or parentheses do not balance, or cross.
    pub fn parse_as(source: &str, notation: Notation) -> Result<Program, ParseError> {
        Program::parse_within(source, notation, PROGRAM_MAX_SYMBOLS)
    }

    fn parse_within(source: &str, notation: Notation, symbols_max: usize) -> Result<Program, ParseError> {
        let Parsed { code, symbols, repeats } = parse(source, notation, symbols_max)?;
        let counted = code.iter().filter(|ins| matches!(ins.op(), Op::Enter | Op::Top));
        let counters = counted.map(|ins| ins.slot() + 1).max().unwrap_or(0);
        Ok(Program { code: code.into(), symbols, counters, repeats })
    }

    /// How many symbols its text has; comments are none, and a repeated symbol is one.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// The symbols alone, one ASCII character each, with `,` written as `.`: programs with equal code play alike
    /// under the same rules. This is what to hash for a key. It is the program, and as secret.
    ///
    /// A program written with repetitions is told in signs of its own. They are `(s` and `)s*n` around what is
    /// repeated, `{s` and `}s*n` around the second half of `(a{b}c)%n`, where `s` is the depth.
    pub fn code(&self) -> String {
        let mut code = String::new();
        let mut counters = self.new_counters();
        let mut at = 0;
        while let Some(ins) = self.code.get(at) {
            at += 1;
            let (slot, n) = (ins.slot(), ins.n());
            match (ins.op(), ins.op().symbol()) {
                (_, Some(symbol)) if !self.repeats || ins.cycles() == 1 => {
                    code.extend(std::iter::repeat_n(symbol, ins.cycles() as usize));
                }
                (_, Some(symbol)) => code.push_str(&format!("{symbol}*{} ", ins.cycles())),
                // Written without repetitions: those found in it are written out again.
                (Op::Enter, _) if !self.repeats => counters[slot] = 1,
                (Op::Again, _) if !self.repeats => {
                    if counters[slot] < n {
                        counters[slot] += 1;
                        at = ins.target();
                    }
                }
                (Op::Enter, _) => code.push_str(&format!("({slot} ")),
                (Op::Again, _) => code.push_str(&format!("){slot}*{n} ")),
                (Op::Top, _) => code.push_str(&format!("{{{slot} ")),
                (Op::Down, _) => code.push_str(&format!("}}{slot}*{n} ")),
                (_, None) => {}
            }
        }
        code
    }

    /// What is to be played.
    pub(crate) fn instructions(&self) -> &Arc<[Ins]> {
        &self.code
    }

    /// The counters of its repetitions, before it is played.
    pub(crate) fn new_counters(&self) -> Vec<u32> {
        vec![0; self.counters]
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.code == other.code
    }
}

impl Eq for Program {}

impl fmt::Debug for Program {
    /// Says how long the program is, and nothing of its code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("symbols", &self.symbols()).finish_non_exhaustive()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { kind, line, column } = self;
        let place = format_args!("line {line}, column {column}");
        match kind {
            ParseErrorKind::Unopened => write!(f, "The ] at {place} has no [ before it."),
            ParseErrorKind::Unclosed { count: 1 } => write!(f, "The [ at {place} is never closed by a ]."),
            ParseErrorKind::Unclosed { count } => {
                write!(f, "{count} brackets [ are never closed by a ], the first at {place}.")
            }
            ParseErrorKind::GroupUnopened => write!(f, "The ) at {place} has no ( before it."),
            ParseErrorKind::GroupUnclosed { count: 1 } => write!(f, "The ( at {place} is never closed by a )."),
            ParseErrorKind::GroupUnclosed { count } => {
                write!(f, "{count} parentheses ( are never closed by a ), the first at {place}.")
            }
            ParseErrorKind::InnerUnopened => write!(f, "The }} at {place} has no {{ before it."),
            ParseErrorKind::InnerUnclosed => write!(f, "The ) at {place} comes before the }} of a {{."),
            ParseErrorKind::InnerOutside => write!(f, "The {{ at {place} has no ( around it."),
            ParseErrorKind::InnerTwice => write!(f, "The {{ at {place} is the second one of its ( )."),
            ParseErrorKind::Crossing => {
                write!(f, "A loop [ ] must begin and end on one level of ( ) and {{ }}; it does not at {place}.")
            }
            ParseErrorKind::TooLong => {
                write!(f, "The program has more than {PROGRAM_MAX_SYMBOLS} symbols; the first too many is at {place}.")
            }
        }
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j64_each_bracket_continues_after_the_other() {
        let program = Program::parse("++[>[-]<]").expect("balanced");
        let ops: Vec<(Op, u32)> = program.code.iter().map(|ins| (ins.op(), ins.target() as u32)).collect();
        let brackets: Vec<(usize, u32)> =
            (0..).zip(ops).filter(|(_, (op, _))| op.is_bracket()).map(|(at, (_, target))| (at, target)).collect();
        assert_eq!(brackets, [(1, 8), (3, 6), (5, 4), (7, 2)]);
    }

    #[test]
    fn a_program_beyond_the_machine_is_refused_at_its_first_symbol_too_many() {
        let within = |source| Program::parse_within(source, Notation::agora(), 2);
        let error = within("+ a\n+ b +").expect_err("three symbols");
        assert_eq!(error, ParseError { kind: ParseErrorKind::TooLong, line: 2, column: 5 });
        assert!(within("+ a\n+ b").is_ok());
    }

    #[test]
    fn memory_is_in_proportion_to_the_text_and_not_to_what_it_expands_to() {
        let deep = format!("{}+>{}", "(".repeat(1000), ")*100000".repeat(1000));
        let program = Program::parse_as(&deep, Notation::egojoust()).expect("balanced");
        assert_eq!(program.code.len(), 2003);
        let long = format!("{}+{}", "(".repeat(1000), ")*100000".repeat(1000));
        let program = Program::parse_as(&long, Notation::egojoust()).expect("balanced");
        assert_eq!(program.code[..], [Ins::run(Op::Add, u64::MAX), Ins::END]);
    }

    #[test]
    fn j35_debug_does_not_show_code() {
        let program = Program::parse(">>[-]").expect("balanced");
        assert_eq!(format!("{program:?}"), "Program { symbols: 5, .. }");
    }
}
