//! The Master Control Program: rule 11's text, run as it reads now (N69 to N81).
//!
//! The source is part of a rule. Players amend it, the Control Unit settles it and a virus halves its numbers, so
//! nothing of it may be built in. [`parse()`] reads the text of the rule, and [`run()`] does what it says. This module
//! knows the language and not the program: no price, no keyword and no kind of item is named here. The only stat that
//! is named is the one in which Robots pay. The caller of a run hands in a [`Machine`] and journals its changes.
//!
//! The language, as rule 11 tells it and as an amendment may use it:
//!
//! ```text
//! // from here to the end of the line nothing counts
//! if (CONDITION) { ... }   else if (CONDITION) { ... }   else { ... }
//! loop (robots) { ... loop_robot ... }                    every Robot, in alphabetical order
//! X = 10                                                  a variable, known until the end of the run
//! power(self) = power(self) - X                           or: power(self) -= X
//! inventory(other) = inventory(other) + 2 * product_object - box_object
//! ```
//!
//! - Robots are `self`, `other`, `loop_robot` and `the_control_unit`; any stat of theirs can be read and set.
//! - Numbers are whole; they are joined by `+ - *`, and `number_of_batteries(self)` counts items of any kind.
//! - A condition compares by `= != < > <= >=`, asks `inventory(self) contains product_object`, and is joined by `&&`,
//!   `||` and `!` (or `and`, `or`, `not`). What a condition does not need to know is not looked at.
//! - Capitals, blanks, line ends, semicolons and brackets around conditions mean nothing; they help readers.

mod locate;
mod machine;
mod parse;
mod run;
mod syntax;
mod token;

pub(super) use locate::{locate, unfenced};
pub(super) use machine::{Effect, Limits, Machine, Robot};
pub(super) use parse::parse;
pub(super) use run::run;
pub(super) use syntax::{Place, Program};

/// Longest source, in bytes: twenty times the one that a room starts with, and read in well under a millisecond.
pub(super) const SOURCE_MAX_BYTES: usize = 32 * 1024;
/// Most brackets inside one another, round and curly: reading and running go down one call for each.
pub(super) const NESTING_MAX_LEVELS: usize = 40;
/// Most digits of a number: what two such numbers come to is still exact in 128 bits.
pub(super) const NUMBER_MAX_DIGITS: usize = 18;
/// Most steps of a run: a hundred Robots may loop over one another once, and no room waits for a run.
pub(super) const RUN_MAX_STEPS: u32 = 100_000;
/// Most items that a run makes out of nothing: until its bracket ends each of them is priced by itself.
pub(super) const RUN_MAX_ITEMS: usize = 1_000;
/// Most lines that a trace shows; the program that a room starts with has a dozen.
pub(super) const TRACE_MAX_LINES: usize = 200;
/// Most of them that a channel reads: a dozen Robots may be recharged before its eyes.
pub(super) const CHANGES_MAX_LINES: usize = 12;

/// How much of a line a trace quotes.
const LINE_MAX_CHARS: usize = 80;
/// How much a trace says about a line.
const DID_MAX_CHARS: usize = 200;

/// The words that a program compares `keyword` with, in the order in which it first names them.
pub(super) fn keywords(program: &Program) -> &[String] {
    &program.keywords
}

/// The stats that a program reads or sets, in small letters, each with its first place. Who proposes a source is told
/// which of them no Robot has.
pub(super) fn stats(program: &Program) -> &[(String, Place)] {
    &program.stats
}

/// The kinds of items that a program names.
pub(super) fn kinds(program: &Program) -> &[String] {
    &program.kinds
}

#[cfg(test)]
mod tests;
