//! The state of a room: all that its journal folds into.

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    Id, Instant, Seq,
    frame::Frame,
    rulebook::Rulebook,
    speech::Speech,
    table::{Row, Rows, Tabled, Tables},
    world::World,
};

/// A game as far as its states and the drafts on them know it: its tables, and how it speaks. Every game that has both is
/// one.
pub trait Kind: Tabled + Speech {}

impl<G: Tabled + Speech> Kind for G {}

/// All that there is to know about a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "G: 'static", deserialize = "G: Tabled"))]
pub struct State<G: 'static> {
    /// What every room has.
    pub frame: Frame,
    /// What rules can name.
    pub world: World,
    /// The rules as they read now.
    pub rules: Rulebook,
    /// The machinery that no rule names.
    pub tables: Tables<G>,
    /// The last entry folded in.
    pub seq: Seq,
    /// When it took effect: no later entry takes effect before it.
    pub at: Instant,
    /// When scripts of rules ran.
    #[serde(skip)]
    pub ran: Ran,
}

/// When scripts of rules ran last, by rule, as far as this process knows: that is no part of what a room is, and two rooms
/// that differ in nothing else are the same.
#[derive(Clone, Debug, Default)]
pub struct Ran(pub(crate) OrdMap<Id, LastRun>);

/// The last entry in which the script of a rule ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRun {
    /// The entry.
    pub seq: Seq,
    /// When it took effect.
    pub at: Instant,
    /// How many operations the script took in it, with all that it did.
    pub operations: u64,
}

impl Ran {
    /// When the script of a rule ran last; nothing where it did not.
    pub fn last(&self, rule: &Id) -> Option<LastRun> {
        self.0.get(rule).copied()
    }

    /// Whether none ran.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Ran {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<G: Tabled> State<G> {
    /// A row of the game's tables.
    pub fn row<R: Row<G>>(&self, key: &R::Key) -> Option<&R> {
        self.tables.row(key)
    }

    /// All rows of a kind, by key.
    pub fn rows<R: Row<G>>(&self) -> &Rows<R::Key, R> {
        self.tables.rows()
    }
}
