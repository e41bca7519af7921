//! The order of what happens at one instant, in one table.
//!
//! What is due at an instant comes before whatever people do at that instant (seed 000, J75). People's doings keep the
//! order in which they arrived.

/// Points for the week that begins (J40). Knighthood by age is reckoned, not done, so a week of tenure that completes
/// at the same instant counts (J39).
pub(super) const AWARD: u8 = 10;

/// A program's code is published after its month (J31).
pub(super) const REVEAL: u8 = 20;

/// Challenges, removals and additions by notice, changes of the figures of the Hill.
pub(super) const ACTS: u8 = 30;

/// What a law set for later, and what laws do at the days of the calendar.
pub(super) const LAWS: u8 = 40;

/// The report of the week, about all that was done by then.
pub(super) const REPORT: u8 = 50;
