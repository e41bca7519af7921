//! An exact engine for Brainfuck Joust: two programs, one tape, one winner at most.
//!
//! A [`Program`] is parsed once and shared. A [`charge`] plays two of them on a tape of one length under [`Rules`];
//! a match is a [`pair`] over a sequence of lengths, scored by [`score`], and [`rank`] puts the scores of a hill in
//! order. [`Machine`] is the same play a cycle at a time, for those who want to look inside. [`warnings`] tells a
//! submitter what eir text probably does not mean.
//!
//! What is played here is the plain meaning of the rules, symbol by symbol, and it stays as the reference that any
//! faster engine must agree with: equal winner, reason and cycle count.
//!
//! Absent on purpose: files, clocks, dice, threads, hills with owners and history. Which lengths are drawn, who may
//! submit and what is secret is the business of the game around this crate. A program's text is never in a `Debug`
//! or error text, because it may be a secret.
//!
//! ```
//! use bfjoust::{Program, Reason, Rules, Side, charge};
//!
//! let rules = Rules::agora();
//! let rush = Program::parse(&format!("{}[-]", ">".repeat(150)))?;
//! let sleeper = Program::parse("")?;
//! let outcome = charge(&rush, &sleeper, 151, &rules);
//! assert_eq!((outcome.winner, outcome.reason, outcome.cycles), (Some(Side::Left), Reason::Flag, 406));
//! # Ok::<(), bfjoust::ParseError>(())
//! ```

mod machine;
mod place;
mod program;
mod rules;
mod runs;
mod scoring;
mod warning;

pub use machine::{Charge, Machine, Reason, Side, charge, charge_cancellable};
pub use program::{PROGRAM_MAX_SYMBOLS, ParseError, ParseErrorKind, Program};
pub use rules::{LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Rules, RulesError};
pub use runs::{Run, runs, span};
pub use scoring::{Scoring, pair, rank, score};
pub use warning::{Warning, WarningKind, warnings};
