//! The order of what happens at one instant, in one table.
//!
//! What is due at an instant comes before whatever people do at that instant, and people's doings keep the order in
//! which they arrived.

/// What a law set for later.
pub(super) const LAWS: u8 = 30;
