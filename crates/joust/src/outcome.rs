//! How a challenge went: its matches, and how each program fared in them (seed 000, J21 to J24, J28).
//!
//! Plain data and what can be asked of it. It is made by `challenge`, and the last one is kept by `places`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{play, tournament::Play};
use kernel::{Instant, Num};

/// Lengths one after the other.
pub(super) fn listed(lengths: &[usize]) -> String {
    lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// How a challenge went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Outcome {
    /// Its number.
    pub number: u64,
    /// The challenger.
    pub challenger: u64,
    /// When it is deemed to have occurred: the submission (J29).
    pub deemed: Instant,
    /// The lengths of its charges.
    pub lengths: Vec<usize>,
    /// The figures that it was played by.
    pub play: Play,
    /// All programs, best first.
    pub ranked: Vec<Standing>,
    /// Who is not on the Hill any more, the challenger itself where it failed; nobody while the Hill has room.
    pub dropped: Option<u64>,
    /// Every match.
    pub pairs: Vec<Pair>,
}

/// How a program fared in a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Standing {
    /// Which program.
    pub program: u64,
    /// Its touches in all its matches.
    pub touches: i64,
    /// Its score, to the thousandth, where something else than touches ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Num>,
    /// Its rank before; none for the challenger.
    pub before: Option<usize>,
    /// Whether it outlived a challenge by somebody else (J37).
    pub outlived: bool,
}

/// A match of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Pair {
    /// The one program.
    pub left: u64,
    /// The other.
    pub right: u64,
    /// Who won each charge: `<` the left one, `>` the right one, `=` nobody.
    pub winners: String,
}

impl Outcome {
    /// Touches of each program against each other one that it met, by both.
    pub(super) fn all_touches(&self) -> BTreeMap<(u64, u64), i64> {
        let both = |pair: &Pair| {
            let (left, right) = play::touches(&pair.winners, &self.play);
            [((pair.left, pair.right), left), ((pair.right, pair.left), right)]
        };
        self.pairs.iter().flat_map(both).collect()
    }

    /// Touches of the first program against the second; `None` where they did not meet.
    pub(super) fn touches(&self, of: u64, against: u64) -> Option<i64> {
        let pair = self.pair(of, against)?;
        let (left, right) = play::touches(&pair.winners, &self.play);
        Some(if pair.left == of { left } else { right })
    }

    /// The match of two programs.
    pub(super) fn pair(&self, one: u64, other: u64) -> Option<&Pair> {
        self.pairs
            .iter()
            .find(|pair| (pair.left, pair.right) == (one, other) || (pair.left, pair.right) == (other, one))
    }
}
