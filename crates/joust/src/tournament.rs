//! What CURRENT TOURNAMENT has a charge played by and programs ranked by: plain data, frozen where a challenge waits.
//!
//! Nothing here reads the contract, which `reading` does, and nothing plays or ranks, which `play` and `scoring` do.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use kernel::Refusal;

/// The figures that a charge is played and scored by, frozen at a challenge's submission (J30).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Play {
    /// What each flag starts at (J59).
    pub flag: u8,
    /// What every other cell starts at (J59).
    pub background: u8,
    /// After so many cycles without a winner both lose (J71).
    pub cycle_limit: u64,
    /// A flag that is 0 for so many cycles in a row is lost (J67).
    pub flag_cycles: u32,
    /// How often each length is fought: the second time, `+` and `-` of one side are exchanged.
    pub polarities: u32,
    /// How programs are written.
    pub notation: Notation,
    /// What programs are ranked by (J52).
    pub scoring: Scoring,
    /// Touches for a charge won (J73).
    pub win: i64,
    /// Touches for a charge that both lost.
    pub tie: i64,
    /// Touches for a charge lost.
    pub loss: i64,
}

/// The figures that a challenge's lengths come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    /// Charges of a match on lengths that are drawn (J49).
    pub(super) charges: usize,
    /// How often a match goes through all lengths besides.
    pub(super) rounds: usize,
    /// The middle of the range, in cells (J55).
    pub(super) middle: usize,
    /// How far a length may lie from it, either way, in cells.
    pub(super) spread: usize,
}

impl Lengths {
    /// Every length that a charge can have, shortest first.
    pub(super) fn all(self) -> RangeInclusive<usize> {
        self.middle.saturating_sub(self.spread)..=self.middle.saturating_add(self.spread)
    }
}

/// How programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Notation {
    /// How often a repetition repeats at most; where it is 0, its signs are comments.
    pub repeat_max: u32,
    /// Cycles that a comma passes: none where it is a comment.
    pub comma_cycles: u32,
}

impl Default for Notation {
    /// Seed 000's (J11, J60).
    fn default() -> Self {
        let plain = bfjoust::Notation::agora();
        Self { repeat_max: plain.repeat_max, comma_cycles: u32::from(plain.comma_idles) }
    }
}

impl Notation {
    /// As the engine takes it.
    pub(super) fn engine(self) -> bfjoust::Notation {
        let mut notation = bfjoust::Notation::agora();
        notation.repeat_max = self.repeat_max;
        notation.comma_idles = self.comma_cycles > 0;
        notation
    }
}

/// What programs are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Scoring {
    /// What each charge is worth, added up.
    #[default]
    Touches,
    /// The margins of all matches.
    Points,
    /// The margins of won matches, weighed by what the loser is worth.
    Trad,
    /// The share that is left when programs wager what they hold for ever.
    Markov,
}

/// Every scoring, by the word that the contract has for it.
pub(super) const SCORINGS: [(&str, Scoring); 4] =
    [("touches", Scoring::Touches), ("points", Scoring::Points), ("trad", Scoring::Trad), ("markov", Scoring::Markov)];

impl Scoring {
    /// The scoring that a word means.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that says which there are.
    pub(super) fn named(word: &str) -> Result<Self, Refusal> {
        let found = SCORINGS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
        found.map(|(_, scoring)| *scoring).ok_or_else(|| {
            let names: Vec<&str> = SCORINGS.iter().map(|(name, _)| *name).collect();
            Refusal::new(format!("programs are ranked by one of {}", names.join(", ")))
        })
    }

    /// As the engine takes it; `touches` are those of the same contract.
    pub(super) fn engine(self, touches: bfjoust::Scoring) -> bfjoust::Method {
        match self {
            Scoring::Touches => bfjoust::Method::Touches(touches),
            Scoring::Points => bfjoust::Method::Points,
            Scoring::Trad => bfjoust::Method::Trad,
            Scoring::Markov => bfjoust::Method::Markov,
        }
    }

    /// Its word.
    pub(super) fn word(self) -> &'static str {
        SCORINGS.iter().find(|(_, scoring)| *scoring == self).map_or("", |(name, _)| *name)
    }

    /// Whether it is the one of seed 000, which needs no score beside the touches.
    pub(super) fn is_touches(self) -> bool {
        self == Scoring::Touches
    }
}
