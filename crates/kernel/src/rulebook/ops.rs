//! The operations that change a rulebook, journalled verbatim.
//!
//! An operation holds the old value, so that `verify` finds one that does not fit. Applying one is total: an operation
//! on a rule that is gone, or on a text that moved on, does nothing. Whether it may be done is judged before, by
//! [`Rulebook::check`](super::Rulebook::check) and by the game. An edit of the visible text becomes an edit of the
//! stored one in `amend`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Id;

/// How the cause of an operation begins that takes another back, outside the rules.
pub const TAKEN_BACK: &str = "a moderator took entry ";

/// One change to a rulebook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RuleOp {
    /// The rule that it changes.
    pub rule: Id,
    /// What it does to it.
    pub act: RuleAct,
    /// What caused it, in words for the rule's history: `proposal 12 by Ann`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// What an operation does to its rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleAct {
    /// The rule comes into force.
    Enact {
        /// Its number.
        number: u32,
        /// Its title.
        title: String,
        /// Its other fields.
        fields: BTreeMap<String, String>,
        /// Its stored text.
        source: String,
    },
    /// Its text is replaced in one place.
    Amend {
        /// The revision that the amendment was made for.
        from: u32,
        /// What is replaced in the stored text.
        splice: Splice,
    },
    /// The markup in its text is changed and what players read is not: a figure is bound, or a term marked.
    Mark {
        /// What is replaced in the stored text.
        splice: Splice,
    },
    /// A moderator, or the game for words of its own, says whether the program plays it as its words are now. What
    /// players read is not changed.
    Settle {
        /// How the program plays it from now on.
        to: Played,
        /// How it did.
        was: Played,
    },
    /// It gets another title.
    Retitle {
        /// The title from now on.
        to: String,
        /// What it was.
        was: String,
    },
    /// It gets another number.
    Renumber {
        /// The number from now on.
        to: u32,
        /// What it was.
        was: u32,
    },
    /// A field is set.
    Field {
        /// The field: `power`, `establishes`.
        name: String,
        /// Its value from now on; `None` removes it.
        to: Option<String>,
        /// What it was.
        was: Option<String>,
    },
    /// It goes out of force; its text and history stay readable.
    Repeal,
    /// It comes back into force as it was.
    Restore,
}

/// How the program plays a rule that establishes something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Played {
    /// The revision of which it plays the words.
    pub revision: u32,
    /// Whether it plays the rule no more, so that people do what it says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
}

impl Played {
    /// Whether it is as for every rule that nobody settled anything about.
    pub(super) fn is_first(&self) -> bool {
        *self == Self::default()
    }
}

/// One replacement in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Splice {
    /// Where it begins, in bytes.
    pub at: usize,
    /// What stood there.
    pub old: String,
    /// What stands there from now on.
    pub new: String,
}

impl Splice {
    /// The shortest replacement that turns one text into another; an empty one where they are equal.
    pub fn between(old: &str, new: &str) -> Self {
        let mut at = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(at) || !new.is_char_boundary(at) {
            at -= 1;
        }
        let (old, new) = (&old[at..], &new[at..]);
        let mut tail = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(old.len() - tail) || !new.is_char_boundary(new.len() - tail) {
            tail -= 1;
        }
        Self { at, old: old[..old.len() - tail].to_owned(), new: new[..new.len() - tail].to_owned() }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.old == self.new
    }

    /// The text after it; `None` where what is to be replaced does not stand there.
    pub fn apply(&self, text: &str) -> Option<String> {
        let head = text.get(..self.at)?;
        let tail = text.get(self.at..)?.strip_prefix(self.old.as_str())?;
        Some([head, &self.new, tail].concat())
    }

    /// The replacement that takes this one back.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn inverse(self) -> Self {
        Self { at: self.at, old: self.new, new: self.old }
    }
}

impl RuleOp {
    /// An operation without a cause.
    pub fn new(rule: impl Into<Id>, act: RuleAct) -> Self {
        Self { rule: rule.into(), act, why: String::new() }
    }

    /// Says what caused it.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    /// The operation that takes this one back, without a cause of its own.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn inverse(&self) -> Self {
        let act = match self.act.clone() {
            RuleAct::Enact { .. } | RuleAct::Restore => RuleAct::Repeal,
            RuleAct::Amend { from, splice } => RuleAct::Amend { from: from + 1, splice: splice.inverse() },
            RuleAct::Mark { splice } => RuleAct::Mark { splice: splice.inverse() },
            RuleAct::Settle { to, was } => RuleAct::Settle { to: was, was: to },
            RuleAct::Retitle { to, was } => RuleAct::Retitle { to: was, was: to },
            RuleAct::Renumber { to, was } => RuleAct::Renumber { to: was, was: to },
            RuleAct::Field { name, to, was } => RuleAct::Field { name, to: was, was: to },
            RuleAct::Repeal => RuleAct::Restore,
        };
        Self::new(self.rule.clone(), act)
    }

    /// Whether this operation changes what a rule says or whether it holds; a mark does not, nor that it is settled.
    pub fn touches(&self, rule: &str) -> bool {
        *self.rule == *rule && !matches!(self.act, RuleAct::Mark { .. } | RuleAct::Settle { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_splice_leads_from_one_text_to_another_and_back(old in "[aé]{0,8}", new in "[aéü]{0,8}") {
            let splice = Splice::between(&old, &new);
            assert_eq!(splice.apply(&old).as_deref(), Some(&*new));
            assert_eq!(splice.clone().inverse().apply(&new).as_deref(), Some(&*old));
            assert_eq!(splice.is_empty(), old == new);
        }
    }

    #[test]
    fn a_splice_on_another_text_does_nothing() {
        let splice = Splice::between("48 hours", "50 hours");
        for text in ["4", "49 hours", "é48", ""] {
            assert_eq!(splice.apply(text), None, "{text}");
        }
    }
}
