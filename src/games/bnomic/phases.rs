//! The order of what happens at one instant (BX1): one table.
//!
//! What a midnight itself does, and in which order, stands in `turn`. Absent: acts scheduled by players.

/// The midnight: ends, the Clock's step, beginnings, counts of rdays.
pub(super) const MIDNIGHT: u8 = 20;

/// An increment of an emergency's Pause to which nobody objected (B0.9).
pub(super) const INCREMENT: u8 = 30;
