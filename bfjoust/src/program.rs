//! From source text to the operations that a machine plays.
//!
//! Parsing is one pass with a stack of its own, so that neither a megabyte of `[` nor the deepest nesting can cost
//! more than memory in proportion to the text. Comments are dropped. Run lengths such as `(+)*5` are no part of the
//! language here: their signs are comments, and [`crate::warnings`] says so to the submitter.

use std::fmt;
use std::sync::Arc;

use crate::place::Place;

/// Most symbols (commands, comments not counted) in a program: their places are kept as 32-bit numbers, which
/// halves the memory of a compiled program. The rules set no limit; who takes programs from strangers sets a lower
/// one on the text.
pub const PROGRAM_MAX_SYMBOLS: usize = u32::MAX as usize - 1;

/// A parsed program. Cloning shares it. Two programs are equal when they play alike symbol for symbol: comments do
/// not matter, nor which of `.` and `,` idles.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// One operation a symbol, then the idle one that the end of the program is. Never empty.
    ops: Arc<[Op]>,
}

/// One symbol, in a form that is played without asking which symbol it is: test the cell, add to the cell, move.
/// Only a bracket has two different continuations, only `+` and `-` add, only `>` and `<` move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Op {
    /// Place in the program of the next operation when the cell is zero.
    pub(crate) on_zero: u32,
    /// Place of the next operation when the cell is anything else.
    pub(crate) on_other: u32,
    /// 1 for `+`, -1 for `-`, else 0.
    pub(crate) add: i8,
    /// Cells towards the enemy's flag: 1 for `>`, -1 for `<`, else 0.
    pub(crate) step: i8,
    /// The symbol as an ASCII character; `.` for `,` too, and 0 for the end.
    pub(crate) symbol: u8,
}

/// Why a text is no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// A `]` without a `[` before it.
    Unopened,
    /// One or more `[` without a `]`; the place is that of the first of them.
    Unclosed {
        /// How many are open at the end of the text; at least 1.
        count: usize,
    },
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
    /// Reads a program; whatever is not one of `> < + - . , [ ]` is a comment (seed 000, J11, J54, J60).
    ///
    /// Takes time and memory in proportion to the text, whatever is in it.
    ///
    /// # Errors
    /// [`ParseError`] where the brackets do not balance.
    pub fn parse(source: &str) -> Result<Program, ParseError> {
        Program::parse_within(source, PROGRAM_MAX_SYMBOLS)
    }

    fn parse_within(source: &str, symbols_max: usize) -> Result<Program, ParseError> {
        let error = |kind, offset| {
            let Place { line, column } = Place::of(source, offset);
            Err(ParseError { kind, line, column })
        };
        let mut ops: Vec<Op> = Vec::new();
        // Places of the `[` that wait for their `]`: in the program, and in the text.
        let mut open: Vec<(u32, usize)> = Vec::new();

        // All commands are ASCII, and no byte of a longer UTF-8 character is.
        for (offset, byte) in source.bytes().enumerate() {
            if !b"><+-.,[]".contains(&byte) {
                continue;
            }
            if ops.len() >= symbols_max {
                return error(ParseErrorKind::TooLong, offset);
            }
            let here = place(ops.len());
            ops.push(Op::plain(byte, here + 1));
            if byte == b'[' {
                open.push((here, offset));
            } else if byte == b']' {
                let Some((opening, _)) = open.pop() else {
                    return error(ParseErrorKind::Unopened, offset);
                };
                // Each bracket continues after the other one, never on it: landing on it would cost a cycle (J64).
                ops[opening as usize].on_zero = here + 1;
                ops[here as usize].on_other = opening + 1;
            }
        }
        if let Some(&(_, offset)) = open.first() {
            return error(ParseErrorKind::Unclosed { count: open.len() }, offset);
        }
        let end = place(ops.len());
        ops.push(Op::plain(0, end));
        Ok(Program { ops: ops.into() })
    }

    /// How many symbols it has; comments are none.
    pub fn symbols(&self) -> usize {
        self.ops.len() - 1
    }

    /// The symbols alone, one ASCII character each, with `,` written as `.`: programs with equal code play alike
    /// under the same rules. This is what to hash for a key. It is the program, and as secret.
    pub fn code(&self) -> String {
        self.ops[..self.symbols()].iter().map(|op| char::from(op.symbol)).collect()
    }

    pub(crate) fn ops(&self) -> &Arc<[Op]> {
        &self.ops
    }
}

impl Op {
    /// The operation of a symbol, with brackets still unconnected.
    fn plain(symbol: u8, next: u32) -> Op {
        let add = match symbol {
            b'+' => 1,
            b'-' => -1,
            _ => 0,
        };
        let step = match symbol {
            b'>' => 1,
            b'<' => -1,
            _ => 0,
        };
        Op { on_zero: next, on_other: next, add, step, symbol: if symbol == b',' { b'.' } else { symbol } }
    }
}

fn place(index: usize) -> u32 {
    u32::try_from(index).expect("a program has at most PROGRAM_MAX_SYMBOLS symbols")
}

impl fmt::Debug for Program {
    /// Says how long the program is, and nothing of its code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("symbols", &self.symbols()).finish_non_exhaustive()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { kind, line, column } = self;
        match kind {
            ParseErrorKind::Unopened => {
                write!(f, "The ] at line {line}, column {column} has no [ before it.")
            }
            ParseErrorKind::Unclosed { count: 1 } => {
                write!(f, "The [ at line {line}, column {column} is never closed by a ].")
            }
            ParseErrorKind::Unclosed { count } => {
                write!(f, "{count} brackets [ are never closed by a ], the first at line {line}, column {column}.")
            }
            ParseErrorKind::TooLong => write!(
                f,
                "The program has more than {PROGRAM_MAX_SYMBOLS} symbols; the first too many is at line {line}, column \
                 {column}."
            ),
        }
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j64_each_bracket_continues_after_the_other() {
        let program = Program::parse("+[>[-]<]").expect("balanced");
        let next: Vec<(u32, u32)> = program.ops.iter().map(|op| (op.on_zero, op.on_other)).collect();
        assert_eq!(next, [(1, 1), (8, 2), (3, 3), (6, 4), (5, 5), (6, 4), (7, 7), (8, 2), (8, 8)]);
    }

    #[test]
    fn a_program_beyond_the_machine_is_refused_at_its_first_symbol_too_many() {
        let error = Program::parse_within("+ a\n+ b +", 2).expect_err("three symbols");
        assert_eq!(error, ParseError { kind: ParseErrorKind::TooLong, line: 2, column: 5 });
        assert!(Program::parse_within("+ a\n+ b", 2).is_ok());
    }

    #[test]
    fn j35_debug_does_not_show_code() {
        let program = Program::parse(">>[-]").expect("balanced");
        assert_eq!(format!("{program:?}"), "Program { symbols: 5, .. }");
    }
}
