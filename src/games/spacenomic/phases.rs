//! The order of what happens at one instant (X1): one table. What players send with the same time comes after all of it.

/// The end of the game (S93).
pub(super) const END: u8 = 10;

/// An accusation counts (S80).
pub(super) const ACCUSATION: u8 = 20;

/// A player is removed (S83). Proposals that this and the accusations decide are settled with them (S29).
pub(super) const REMOVAL: u8 = 30;

/// A proposal expires (S72).
pub(super) const EXPIRY: u8 = 40;
