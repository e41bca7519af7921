//! An exact engine for Brainfuck Joust: two programs, one tape, one winner at most.
//!
//! A [`Program`] is parsed once and shared. [`play`] plays two of them, a charge for each [`Setup`], under [`Rules`].
//! [`charge()`] is one charge, [`pair`] a match over a sequence of lengths, scored by [`score`]; [`rank`] puts the
//! scores of a hill in order. [`Machine`] is the same play a cycle at a time, for those who want to look inside.
//! [`statistics`] and [`trace`] show what happened in a charge, [`cause()`] why it was lost, and [`film()`] is a trace
//! as a text. [`Results`] scores a hill in each way that is in use. [`warnings`] tells a submitter what eir text
//! probably does not mean.
//!
//! A [`Machine`] plays the plain meaning of the rules, symbol by symbol. Everything else knows how a charge ends
//! without playing every cycle of it, and agrees with the machine: equal winner, reason and cycle count.
//!
//! But for `cli`, which is the program `bfjoust`, the crate is a pure function of what it is handed. It opens no files,
//! reads no clock, draws no lots and starts no threads. Which lengths are drawn, who may submit and what is secret is
//! decided by the game around it. A program's text is never in a `Debug` or error text, because it may be a secret.
//!
//! A match on all lengths of the public hills, and what it says:
//!
//! ```
//! use bfjoust::{Method, Program, Results, Rules, Scoring, Setup, play, score};
//!
//! let rules = Rules::egojoust();
//! // Two decoys and a clear of two cycles, against a flag that is held at 128 and 129 in turn.
//! let rush = Program::parse_as("(>)*7>+>-(>[-])*21", rules.notation)?;
//! let shudder = Program::parse_as("(+-)*100000", rules.notation)?;
//!
//! // A setup is a length in cells, both flags included, and a polarity: 21 lengths, each in both.
//! let setups: Vec<Setup> = rules.setups().collect();
//! let charges = play(&rush, &shudder, &setups, &rules);
//! assert_eq!(charges.len(), 42);
//! let (left, right) = score(&charges, &Scoring::agora());
//! let tied = charges.iter().filter(|charge| charge.winner.is_none()).count() as i64;
//! assert_eq!(left + right + tied, 42);
//!
//! // How one of them ended: who won, why, and in which cycle, counted from 1.
//! let first = charges[0];
//! assert!(first.cycles <= rules.cycle_limit);
//!
//! // A hill is scored from all its matches, in each way that is in use.
//! let mut results = Results::new(2);
//! results.add(0, 1, &charges);
//! let shares = results.scores(Method::Markov);
//! assert!((shares.iter().sum::<f64>() - 1000.0).abs() < 1e-6);
//! assert_eq!(shares[0] > shares[1], left > right);
//! # Ok::<(), bfjoust::ParseError>(())
//! ```
//!
//! One charge under the rules of seed 000, and a film of it for other programs to play (its format stands at
//! [`film()`]):
//!
//! ```
//! use bfjoust::{Program, Reason, Rules, Setup, Side, charge, film, read_film, trace};
//!
//! let rules = Rules::agora();
//! let rush = Program::parse(&format!("{}[-]", ">".repeat(150)))?;
//! let sleeper = Program::parse("")?;
//! let outcome = charge(&rush, &sleeper, 151, &rules);
//! assert_eq!((outcome.winner, outcome.reason, outcome.cycles), (Some(Side::Left), Reason::Flag, 406));
//!
//! let lines: Vec<String> = film(trace(&rush, &sleeper, Setup::from(151), &rules)).collect();
//! assert_eq!(lines[0], "bfjoust film 1");
//! let last = read_film(lines.iter().map(String::as_str)).last().expect("a picture").expect("a film");
//! assert_eq!(last.outcome, Some(outcome));
//! # Ok::<(), bfjoust::ParseError>(())
//! ```

mod cause;
mod charge;
#[cfg(feature = "cli")]
#[path = "../cli/mod.rs"]
pub mod cli;
mod code;
mod film;
mod parse;
mod place;
mod presets;
mod program;
mod roll;
mod runs;
mod scoring;
mod shortcuts;
mod warning;
mod watch;

pub use cause::{Cause, Loss, cause, cause_cancellable};
pub use charge::{Charge, Machine, Reason, Side};
pub use film::{FilmError, film, read_film};
pub use presets::{
    FLAG_MAX_CYCLES, LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Notation, REPEAT_MAX_COUNT, Rules, RulesError, Setup,
};
pub use program::{PROGRAM_MAX_SYMBOLS, ParseError, ParseErrorKind, Program};
pub use runs::{Run, runs, span};
pub use scoring::{Method, Results, Scoring, Tournament, pair, rank, score};
pub use shortcuts::{charge, charge_cancellable, play, play_cancellable};
pub use warning::{Warning, WarningKind, warnings, warnings_as};
pub use watch::{Frame, SideStatistics, Statistics, statistics, trace};
