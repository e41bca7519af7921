//! Why an action did not happen, in words for the player.
//!
//! A refusal is part of the game: it names the rule that stands in the way and what to type instead. What broke
//! inside the program is a fault and is not represented here.

use serde::{Deserialize, Serialize};

/// A sentence for the player who tried, never shown to anybody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, schemars::JsonSchema)]
#[error("{say}")]
pub struct Refusal {
    /// What was wrong, as one sentence without the rule's name.
    pub say: String,
    /// The rule that says so, in the words that players use for it: `seed 000, J14`, `4E15`, `POINTS`.
    pub rule: Option<String>,
    /// What to type instead, as a command line without its prefix: `joust submit NAME CODE`.
    pub instead: Option<String>,
}

impl Refusal {
    /// A refusal that no particular rule is to blame for.
    pub fn new(say: impl Into<String>) -> Self {
        Self { say: say.into(), rule: None, instead: None }
    }

    /// Refuses what only somebody with a seat does.
    pub fn unseated() -> Self {
        Self::new("you have no seat in this room yet").instead("join NAME")
    }

    /// Names the rule that stands in the way.
    #[must_use]
    pub fn by(mut self, rule: impl Into<String>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// Names the rule that stands in the way, where none is named.
    #[must_use]
    pub fn or_by(self, rule: impl Into<String>) -> Self {
        if self.rule.is_some() { self } else { self.by(rule) }
    }

    /// Says what to type instead.
    #[must_use]
    pub fn instead(mut self, line: impl Into<String>) -> Self {
        self.instead = Some(line.into());
        self
    }
}
