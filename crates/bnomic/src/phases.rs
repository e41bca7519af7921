//! The order of what happens at one instant (BX1): one table.
//!
//! What a midnight itself does, and in which order, stands in `midnight`, with what Players set for the end of an nday.

/// The midnight: ends, the Clock's step, beginnings, counts of rdays.
pub(super) const MIDNIGHT: u8 = 20;

/// An increment of an emergency's Pause to which nobody objected (B0.9).
pub(super) const INCREMENT: u8 = 30;

/// What Players set for the start of a period, for the end of rdays and ndelays, or for an instant.
pub(super) const SCHEDULED: u8 = 40;

/// What a law set for later, and what laws do at the days of the calendar.
pub(super) const LAWS: u8 = 50;
