//! An exact engine for Brainfuck Joust: two programs, one tape, one winner at most.
//!
//! A [`Program`] is parsed once and shared. [`play`] plays two of them, a charge for each [`Setup`], under [`Rules`].
//! [`charge`] is one charge, [`pair`] a match over a sequence of lengths, scored by [`score`]; [`rank`] puts the scores
//! of a hill in order. [`Machine`] is the same play a cycle at a time, for those who want to look inside.
//! [`statistics`] and [`trace`] show what happened in a charge, [`cause()`] why it was lost. [`Results`] scores a hill
//! in each way that is in use. [`warnings`] tells a submitter what eir text probably does not mean.
//!
//! A [`Machine`] plays the plain meaning of the rules, symbol by symbol. Everything else knows how a charge ends
//! without playing every cycle of it, and agrees with the machine: equal winner, reason and cycle count.
//!
//! The crate is a pure function of what it is handed: it opens no files, reads no clock, draws no lots and starts no
//! threads. Which lengths are drawn, who may submit and what is secret is decided by the game around it. A program's
//! text is never in a `Debug` or error text, because it may be a secret.
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

mod cause;
mod code;
mod engine;
mod machine;
mod parse;
mod place;
mod program;
mod roll;
mod rules;
mod runs;
mod scoring;
mod warning;
mod watch;

pub use cause::{Cause, Loss, cause, cause_cancellable};
pub use engine::{charge, charge_cancellable, play, play_cancellable};
pub use machine::{Charge, Machine, Reason, Side};
pub use program::{PROGRAM_MAX_SYMBOLS, ParseError, ParseErrorKind, Program};
pub use rules::{
    FLAG_MAX_CYCLES, LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Notation, REPEAT_MAX_COUNT, Rules, RulesError, Setup,
};
pub use runs::{Run, runs, span};
pub use scoring::{Method, Results, Scoring, pair, rank, score};
pub use warning::{Warning, WarningKind, warnings, warnings_as};
pub use watch::{Frame, SideStatistics, Statistics, statistics, trace};
