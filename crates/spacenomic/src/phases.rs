//! The order of what happens at one instant (X1): one table. What players send with the same time comes after all of it.

/// The end of the game (S93).
pub(super) const END: u8 = 10;

/// An accusation counts (S80).
pub(super) const ACCUSATION: u8 = 20;

/// A player is removed (S83). Proposals that this and the accusations decide are settled with them (S29).
pub(super) const REMOVAL: u8 = 30;

/// A proposal expires (S72).
pub(super) const EXPIRY: u8 = 40;

/// Moves are evaluated, type by type in the order phi (S61).
pub(super) const EVALUATION: u8 = 50;

/// Income of the day (S88).
pub(super) const INCOME: u8 = 60;

/// What a law set for later, and what laws do at the days of the calendar.
pub(super) const LAWS: u8 = 70;
