//! From outcomes to touches, and from touches to ranks.
//!
//! Outcomes come in as they are, played just now or stored from before: a match is the same either way, because a
//! charge is decided by both codes, the length and the rules alone.

use crate::machine::{Charge, Side, charge};
use crate::program::Program;
use crate::rules::Rules;

/// What a charge is worth to a program, in touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// For a charge won.
    pub win: i64,
    /// For a charge that both lost, at once or at the cap.
    pub tie: i64,
    /// For a charge that only this program lost.
    pub loss: i64,
}

impl Scoring {
    /// The scoring of seed 000: a touch for each charge won, nothing else (J73).
    pub const fn agora() -> Scoring {
        Scoring { win: 1, tie: 0, loss: 0 }
    }

    /// What an outcome is worth to a side.
    pub fn of(&self, charge: &Charge, side: Side) -> i64 {
        match charge.winner {
            Some(winner) if winner == side => self.win,
            Some(_) => self.loss,
            None => self.tie,
        }
    }
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring::agora()
    }
}

/// Plays one charge for each length, in the order given, repeats included (J49, J57).
///
/// # Panics
/// As [`charge`].
pub fn pair(left: &Program, right: &Program, lengths: &[usize], rules: &Rules) -> Vec<Charge> {
    lengths.iter().map(|&length| charge(left, right, length, rules)).collect()
}

/// The touches of a match, left then right. They need not add up to the number of charges (J73).
pub fn score<'a>(charges: impl IntoIterator<Item = &'a Charge>, scoring: &Scoring) -> (i64, i64) {
    charges.into_iter().fold((0, 0), |(left, right), charge| {
        (left + scoring.of(charge, Side::Left), right + scoring.of(charge, Side::Right))
    })
}

/// Ranks programs by their touches: most first, and of equals the one that arrived earlier first (J24, J52).
///
/// `touches` are in the order of arrival, the challenger last. The answer holds places in it, best first, so the
/// first element is the winner's and the last is that of the one to drop.
pub fn rank(touches: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..touches.len()).collect();
    // The sort is stable, which is what keeps equals in the order of arrival.
    order.sort_by_key(|&place| std::cmp::Reverse(touches[place]));
    order
}
