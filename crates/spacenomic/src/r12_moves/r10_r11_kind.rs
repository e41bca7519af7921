//! Types of moves (S55, S58): the two of the seed, and those that rules invent with `moves: NAME every PERIOD` at their
//! head.
//!
//! A type goes by its word, in journals too. Moves of a type do what `board` or `invented` says, and are evaluated in
//! `evaluation`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::period;
use crate::{
    figures::{LOCATION_PERIOD, SPACE_PERIOD, seconds},
    game::Spacenomic,
    law::{MOVES, Thing},
};
use kernel::{
    Id, State,
    rulebook::{Rule, Rulebook},
};

/// A type of move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, schemars::JsonSchema)]
#[schemars(from = "String", into = "String")]
pub(crate) enum Kind {
    /// Changes of Space (S52).
    Space,
    /// Changes of one's location or mirror-state (S42, S54).
    Location,
    /// What a rule invented, by the name that it gives.
    Named(Id),
}

impl Kind {
    /// The types of the seed, in the order of their rules (S58).
    const SEED: [Self; 2] = [Self::Space, Self::Location];

    /// The word for it.
    pub(in super::super) fn word(&self) -> &str {
        match self {
            Self::Space => "space",
            Self::Location => "location",
            Self::Named(name) => name,
        }
    }

    /// The type that goes by a word, whether a rule has it or not.
    pub(in super::super) fn of(word: &str) -> Self {
        let word = word.trim().to_lowercase();
        let seed = Self::SEED.into_iter().find(|kind| kind.word() == word);
        seed.unwrap_or_else(|| Self::Named(word.into()))
    }

    /// The type that the head of a rule has: the first word of what stands behind `moves:`.
    pub(in super::super) fn at_head(field: &str) -> Self {
        Self::of(in_parts(field).0)
    }

    /// The types that rules in force state, with their rules; what is invented goes by the numbers of the rules.
    pub(super) fn stated(rules: &Rulebook) -> Vec<(Self, &Rule)> {
        let seed = |kind: Self| {
            let rule = rules.establishes(kind.thing()?.word()).and_then(|id| rules.get(id))?;
            Some((kind, rule))
        };
        let mut all: Vec<(Self, &Rule)> = Self::SEED.into_iter().filter_map(seed).collect();
        for rule in rules.rules() {
            let Some(kind) = rule.field(MOVES).map(Self::at_head) else { continue };
            if kind.thing().is_none() && all.iter().all(|(other, _)| *other != kind) {
                all.push((kind, rule));
            }
        }
        all
    }

    /// The rule that states it.
    pub(super) fn rule<'a>(&self, rules: &'a Rulebook) -> Option<&'a Rule> {
        Self::stated(rules).into_iter().find(|(kind, _)| kind == self).map(|(_, rule)| rule)
    }

    /// Whether a rule in force states it.
    pub(in super::super) fn is_stated(&self, rules: &Rulebook) -> bool {
        self.rule(rules).is_some()
    }

    /// What a rule of the seed establishes that lets players make such moves.
    pub(in super::super) fn thing(&self) -> Option<Thing> {
        match self {
            Self::Space => Some(Thing::SpaceMoves),
            Self::Location => Some(Thing::LocationMoves),
            Self::Named(_) => None,
        }
    }

    /// The list without which that rule has no force (S51, S53). A rule that invents a type lists its moves itself.
    pub(super) fn list(&self) -> Option<Thing> {
        match self {
            Self::Space => Some(Thing::SpaceList),
            Self::Location => Some(Thing::LocationList),
            Self::Named(_) => None,
        }
    }

    /// What such moves are about: without it there is nothing to change.
    pub(super) fn about(&self) -> &'static [Thing] {
        match self {
            Self::Space => &[Thing::Space],
            Self::Location => &[Thing::Space, Thing::Locations],
            Self::Named(_) => &[],
        }
    }

    /// Its interval in seconds, where the rules give one by which the clock passes on.
    pub(super) fn period(&self, state: &State<Spacenomic>) -> Option<i64> {
        let seconds = match self {
            Self::Space => seconds(&state.rules, &SPACE_PERIOD),
            Self::Location => seconds(&state.rules, &LOCATION_PERIOD),
            Self::Named(_) => period::every(in_parts(self.rule(&state.rules)?.field(MOVES)?).1).ok(),
        };
        seconds.filter(|seconds| *seconds > 0)
    }
}

/// The name of a type and its period, as they stand at the head of a rule: `farming` and `every 2 days`.
pub(in super::super) fn in_parts(field: &str) -> (&str, &str) {
    let field = field.trim();
    field.split_once(char::is_whitespace).map_or((field, ""), |(name, every)| (name, every.trim()))
}

/// A key of maps, so that it is one string.
impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        Ok(Self::of(&String::deserialize(deserializer)?))
    }
}
