//! What follows by itself while the Clock turns, in the midst of a count or of what somebody set for later.
//!
//! The Clock is left out, since it is turning. What the registry and others keep account of waits for the end
//! of the act.

use super::{emergency, game::D, ministries, victory};
use kernel::mechanic::SETTLE_MAX_ROUNDS;

/// Does all that follows by itself without the Clock, which is turning, and says whether that came to an end.
pub(crate) fn settle_but_clock(d: &mut D<'_>) -> bool {
    (0..SETTLE_MAX_ROUNDS).any(|_| !(ministries::settle(d) || emergency::settle(d) || victory::settle(d)))
}
