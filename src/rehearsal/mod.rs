//! Rehearsals: transcripts that the program plays in memory, through the real service, with a clock moved by hand.
//!
//! A rehearsal says who says what, when, and what must come of it. It is read and written by players, so it looks like
//! what they see: `docs/rehearsals.md` explains the format and why it is so. The lines go in where an adapter's would,
//! and announcements come out where an adapter leases them. So one transcript holds grammar, rooms, store, game and
//! outbox together.
//!
//! ```text
//! text ── parse (shorthand) ──> Script ── play ──> Stage: Hub, store in memory, manual clock, fixed entropy
//!                                          └────> Report: all that was said and done, and every unmet expectation
//! ```
//!
//! No game is known here, and nothing of a network: whatever a game announces, refuses or shows is text.

mod before;
mod judge;
mod moment;
mod parse;
mod pattern;
mod play;
mod report;
mod script;
mod shorthand;
mod stage;
#[cfg(test)]
mod tests;
mod trial;

pub use parse::{BadScript, SCRIPT_MAX_BYTES};
pub use play::{Extent, Options, play};
pub use report::{Event, Report, Unmet};
pub use script::{Probe, Script};
pub use trial::{TRIAL_MAX_LINES, Verdict, Words, trial};
