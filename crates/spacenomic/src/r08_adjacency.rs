//! Graphwise adjacency (S45): the edges of Space, and what they join.
//!
//! An edge may join vertices that are far from each other by coordinates.

use serde::{Deserialize, Serialize};

use super::{
    game::{D, Spacenomic},
    space::{Space, Spot},
};
use kernel::{Row, State};

/// That one vertex is joined to another. Each edge has two rows, one from either end. So a change of Space writes no
/// more than what changes, and the neighbours of a vertex lie side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Edge {}

impl Row<Spacenomic> for Edge {
    type Key = (Spot, Spot);
    const TABLE: &'static str = "edges";

    fn told((a, b): &(Spot, Spot), _: Option<&Self>, is: Option<&Self>, _: &State<Spacenomic>) -> String {
        match is {
            _ if a > b => String::new(),
            Some(_) => format!("{a} and {b} are joined"),
            None => format!("{a} and {b} are not joined any more"),
        }
    }
}

impl Space {
    /// Whether an edge joins two vertices (S45).
    pub(super) fn joined(&self, a: Spot, b: Spot) -> bool {
        self.edges.contains_key(&(a, b))
    }

    /// What a vertex is joined to.
    pub(super) fn neighbours(&self, at: Spot) -> impl Iterator<Item = Spot> {
        self.edges
            .range((at, Spot::LEAST)..)
            .map(|((from, to), _)| (*from, *to))
            .take_while(move |(from, _)| *from == at)
            .map(|(_, to)| to)
    }

    /// All edges, each once.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Spot, Spot)> {
        self.edges.keys().filter(|(a, b)| a < b).copied()
    }

    /// Puts an edge there or takes it away.
    pub fn set_edge(&mut self, a: Spot, b: Spot, on: bool) {
        for way in [(a, b), (b, a)] {
            if on {
                self.edges.insert(way, Edge {});
            } else {
                self.edges.remove(&way);
            }
        }
    }
}

/// Puts an edge there or takes it away.
pub(super) fn join(d: &mut D<'_>, a: Spot, b: Spot, on: bool) {
    for way in [(a, b), (b, a)] {
        if on {
            d.put(&way, Edge {});
        } else {
            d.delete::<Edge>(&way);
        }
    }
}
