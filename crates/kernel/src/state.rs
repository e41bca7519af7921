//! The state of a room: all that its journal folds into.

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    Id, Instant, Seq,
    before::Before,
    frame::Frame,
    rulebook::Rulebook,
    speech::Speech,
    table::{Row, Rows, Tabled, Tables, Unread},
    world::World,
};

/// A game as far as its states and the drafts on them know it: its tables, its past, and how it speaks. Every game that
/// has the three is one.
pub trait Kind: Tabled + Before + Speech {}

impl<G: Tabled + Before + Speech> Kind for G {}

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
    #[serde(rename = "game")]
    pub tables: Tables<G>,
    /// Rows of it that this version of the program cannot read: kept as they are written, and folded by key.
    #[serde(default, skip_serializing_if = "Unread::is_empty")]
    pub unread: Unread,
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

    /// The last number that was given, by what it counts; 0 before the first. Entries of before numbers were counted do
    /// not say it: then the tables do ([`Mechanic::counts`]).
    ///
    /// [`Mechanic::counts`]: crate::mechanic::Mechanic::counts
    pub fn last_number(&self, of: &str) -> u64 {
        self.frame.last_number(of).max(G::last_number_in(self, of))
    }

    /// Raises the counts of the frame to what the tables say: then the frame alone says every last number.
    pub(crate) fn count_tables(&mut self) {
        for (of, last) in G::last_numbers(self) {
            self.frame.count(of.into(), last);
        }
    }
}
