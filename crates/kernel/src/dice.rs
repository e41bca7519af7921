//! Dice that anybody can check afterwards.
//!
//! A draw is a function of the room's seed, the entry's number and the index of the draw in it. The room publishes a
//! hash of the seed before it is used, and the seed itself when the next one takes over. Nothing here is random: the
//! seed is handed in. The recipe stands in `docs/operating/checking.md`, so that a draw can be checked by hand. It is
//! HMAC-SHA-256 with the seed as key over the text `SEQ/INDEX/TRY`. The first eight bytes, big-endian, are the number.
//! It is taken modulo the bound unless it lies in the last incomplete stretch, in which case `TRY` goes up by one.

use std::collections::VecDeque;

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use super::{Seq, entry::Draw};

/// Length of a seed, in bytes: as many as the hash gives.
pub const SEED_BYTES: usize = 32;

/// What a room's draws derive from.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(pub [u8; SEED_BYTES]);

/// A seed in use is a secret: it never reaches a log by way of `{:?}`.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

impl Seed {
    /// What is published before the seed is used, in hexadecimal.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// The number that the recipe gives: 0 to `bound` - 1. A bound of 0 counts as 1.
    pub fn number(&self, seq: Seq, index: usize, bound: u64) -> u64 {
        let bound = bound.max(1);
        // The largest multiple of the bound that fits: numbers from it on would favour the small ones.
        let fair = u64::MAX - (u64::MAX % bound + 1) % bound;
        (0_u32..)
            .map(|attempt| {
                let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
                mac.update(format!("{seq}/{index}/{attempt}").as_bytes());
                let bytes = mac.finalize().into_bytes();
                u64::from_be_bytes(bytes[..8].try_into().expect("a hash has more than eight bytes"))
            })
            .find(|number| *number <= fair)
            .map_or(0, |number| number % bound)
    }
}

/// The dice of one entry.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: Seed,
    seq: Seq,
    fixed: VecDeque<(String, u64)>,
    recorded: Vec<Draw>,
    draws: Vec<Draw>,
}

impl Dice {
    /// The dice of the entry with this number; `fixed` numbers, by label, come before drawn ones.
    pub fn new(seed: Seed, seq: Seq, fixed: VecDeque<(String, u64)>) -> Self {
        Self { seed, seq, fixed, recorded: Vec::new(), draws: Vec::new() }
    }

    /// Gives these numbers again where something is drawn by the same label out of as many: an entry is decided again.
    /// They are in the journal already, and so are not drawn here.
    pub fn recall(&mut self, recorded: &[Draw]) {
        self.recorded = recorded.to_vec();
    }

    /// Draws a number from 0 to `bound` - 1, each as likely as the others.
    pub fn draw(&mut self, label: &str, bound: u64) -> u64 {
        let same = |draw: &Draw| draw.label == label && draw.bound == bound;
        if let Some(index) = self.recorded.iter().position(same) {
            return self.recorded.remove(index).got;
        }
        let fixed = self.fixed.iter().position(|(of, _)| of == label).and_then(|index| self.fixed.remove(index));
        let (got, fixed) = match fixed {
            Some((_, number)) => (number.min(bound.saturating_sub(1)), true),
            None => (self.seed.number(self.seq, self.draws.len(), bound), false),
        };
        self.draws.push(Draw { label: label.to_owned(), bound, got, fixed });
        got
    }

    /// What was drawn, and what is left of the numbers fixed in advance.
    pub fn finish(self) -> (Vec<Draw>, VecDeque<(String, u64)>) {
        (self.draws, self.fixed)
    }

    /// How many numbers were drawn so far.
    pub fn drawn(&self) -> usize {
        self.draws.len()
    }

    /// The numbers that were drawn so far.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_published_recipe() {
        let seed = Seed([7; SEED_BYTES]);
        let mut dice = Dice::new(seed.clone(), 12, VecDeque::new());
        let drawn: Vec<u64> = (0..4).map(|_| dice.draw("length", 33)).collect();
        let by_hand: Vec<u64> = (0..4).map(|index| seed.number(12, index, 33)).collect();
        assert_eq!(drawn, by_hand);
        assert_eq!(drawn[0], 2, "the example of docs/operating/checking.md, as another program computes it");
        assert_ne!(seed.number(12, 0, u64::MAX), seed.number(13, 0, u64::MAX));
        assert_ne!(seed.number(12, 0, u64::MAX), seed.number(12, 1, u64::MAX));
        assert_eq!(seed.number(1, 0, 0), 0);
    }

    #[test]
    fn each_face_is_as_likely_as_the_others() {
        let seed = Seed([1; SEED_BYTES]);
        let mut faces = [0_u32; 33];
        for seq in 0..33_000 {
            faces[usize::try_from(seed.number(seq, 0, 33)).unwrap()] += 1;
        }
        assert!(faces.iter().all(|count| (850..1150).contains(count)), "{faces:?}");
    }

    #[test]
    fn recorded_numbers_come_again_and_are_not_drawn() {
        let mut dice = Dice::new(Seed([0; SEED_BYTES]), 1, VecDeque::new());
        let draw = |label: &str, bound, got| Draw { label: label.to_owned(), bound, got, fixed: false };
        dice.recall(&[draw("virus", 6, 4), draw("length", 33, 16)]);
        assert_eq!((dice.draw("length", 33), dice.drawn()), (16, 0));
        // Another die: as likely as the others, and in the journal.
        dice.draw("virus", 5);
        assert_eq!(dice.drawn(), 1);
    }

    #[test]
    fn fixed_numbers_come_first_and_are_marked() {
        let fixed = VecDeque::from([("virus".to_owned(), 4), ("length".to_owned(), 16)]);
        let mut dice = Dice::new(Seed([0; SEED_BYTES]), 1, fixed);
        assert_eq!(dice.draw("length", 33), 16);
        let (draws, left) = dice.finish();
        assert!(draws[0].fixed);
        assert_eq!(left, [("virus".to_owned(), 4)]);
    }
}
