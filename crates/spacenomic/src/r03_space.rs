//! Space (S35, S36, S43, S67 to S71): a graph whose vertices have coordinates and owners.
//!
//! Edges stand in `adjacency`, and the pairs that name vertices in `coordinates`. Owners act in `owners`, players stand in
//! `location` and move in `moves`; the picture is drawn in `map`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::coordinates::{NoSpot, Spot};
use super::{
    adjacency::Edge,
    game::{D, Spacenomic},
    law::Thing,
    roster::is_player,
    stats::called,
};
pub(super) use super::{
    adjacency::join,
    coordinates::{COORDINATE_MAX_COUNT, spots},
};
use kernel::{Id, Mechanic, Refusal, Row, Rows, State, table::Difference};

/// The owner of what no player owns (S68, S71). No seat is called so.
pub(super) const GOD: &str = "god";

/// Most vertices: a grid of 346 by 346, over which income is worked out within a moment.
pub(super) const VERTICES_MAX_COUNT: usize = 120_000;

/// Most edges at one vertex, so that a map of Space stays one.
const DEGREE_MAX_COUNT: usize = 1_000;

// ---- the mechanic

/// Space as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    Mechanic::new("space").table::<Vertex>().table::<Edge>().differs(differs)
}

// ---- state

/// A vertex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Vertex {
    /// Whose it is.
    owner: Id,
}

impl Row<Spacenomic> for Vertex {
    type Key = Spot;
    const TABLE: &'static str = "vertices";

    fn told(at: &Spot, _: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        match is {
            Some(vertex) => format!("{at} belongs to {}", owner_called(state, &vertex.owner)),
            None => format!("{at} is gone"),
        }
    }
}

/// The graph with its owners. As cheap to copy as a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    vertices: Rows<Spot, Vertex>,
    pub(super) edges: Rows<(Spot, Spot), Edge>,
}

/// Space as it is.
pub(super) fn of(state: &State<Spacenomic>) -> Space {
    Space { vertices: state.rows::<Vertex>().clone(), edges: state.rows::<Edge>().clone() }
}

impl Space {
    /// Whether there is such a vertex.
    pub(super) fn has(&self, at: Spot) -> bool {
        self.vertices.contains_key(&at)
    }

    /// How many vertices there are.
    pub(super) fn size(&self) -> usize {
        self.vertices.len()
    }

    /// All vertices with their owners, by coordinates.
    pub(super) fn vertices(&self) -> impl Iterator<Item = (Spot, &Id)> {
        self.vertices.iter().map(|(at, vertex)| (*at, &vertex.owner))
    }

    /// Who owns a vertex.
    pub(super) fn owner(&self, at: Spot) -> Option<&Id> {
        self.vertices.get(&at).map(|vertex| &vertex.owner)
    }

    /// Puts a vertex there, gives it another owner, or takes it away with nothing else.
    pub fn set_vertex(&mut self, at: Spot, owner: Option<&Id>) {
        match owner {
            Some(owner) => self.vertices.insert(at, Vertex { owner: owner.clone() }),
            None => drop(self.vertices.remove(&at)),
        }
    }

    /// Puts this Space in the place of a game's.
    #[cfg(test)]
    pub(super) fn lay(self, tables: &mut kernel::table::Tables<Spacenomic>) {
        *tables.rows_mut() = self.vertices;
        *tables.rows_mut() = self.edges;
    }

    /// The piece of Space that each vertex lies in, by a number.
    pub(super) fn pieces(&self) -> BTreeMap<Spot, usize> {
        let mut found = BTreeMap::new();
        let mut count = 0;
        for from in self.vertices.keys() {
            if found.contains_key(from) {
                continue;
            }
            let mut ahead = vec![*from];
            found.insert(*from, count);
            while let Some(at) = ahead.pop() {
                for next in self.neighbours(at) {
                    if found.insert(next, count).is_none() {
                        ahead.push(next);
                    }
                }
            }
            count += 1;
        }
        found
    }

    /// Whether Space is connected: one piece at most (S47).
    pub(super) fn connected(&self) -> bool {
        self.pieces().into_values().all(|piece| piece == 0)
    }
}

/// What differs of Space between two states, a line each; of an edge nothing where an end of it is gone.
fn differs(before: &State<Spacenomic>, after: &State<Spacenomic>) -> Vec<String> {
    let (was, now) = (of(before), of(after));
    let vertex = |(at, before, now): Difference<'_, Spot, Vertex>| match (before, now) {
        (None, Some(vertex)) => format!("{at} is a new vertex of {}", owner_called(after, &vertex.owner)),
        (Some(_), Some(vertex)) => format!("{at} belongs to {}", owner_called(after, &vertex.owner)),
        (_, None) => format!("{at} is no vertex any more"),
    };
    let edge = |(way, _, is): Difference<'_, (Spot, Spot), Edge>| {
        let ((a, b), joined) = (*way, if is.is_some() { "joined" } else { "not joined" });
        (a < b && now.has(a) && now.has(b)).then(|| format!("{a} and {b} are {joined}"))
    };
    let vertices = was.vertices.diff(&now.vertices).map(vertex);
    let mut lines: Vec<String> = vertices.chain(was.edges.diff(&now.edges).filter_map(edge)).collect();
    if !lines.is_empty() && was.connected() && !now.connected() {
        let pieces = now.pieces().into_values().max().map_or(0, |last| last + 1);
        lines.push(format!("Space falls into {pieces} pieces, and an edge is cut only where Space stays in one piece"));
    }
    lines
}

/// Whether an owner is a player now (S67, S70): "god" is none, and neither is a former player.
pub(super) fn player_owned(state: &State<Spacenomic>, owner: &Id) -> bool {
    is_player(state, owner)
}

/// What an owner is called.
pub(super) fn owner_called(state: &State<Spacenomic>, owner: &Id) -> String {
    if **owner == *GOD { GOD.to_owned() } else { called(state, owner) }
}

// ---- changes

/// Gives a vertex an owner; a new one comes to be by that.
pub(super) fn own(d: &mut D<'_>, at: Spot, to: Option<Id>) {
    match to {
        Some(owner) => d.put(&at, Vertex { owner }),
        None => drop(d.delete::<Vertex>(&at)),
    }
}

/// Lays Space out as it opens: a square of so many vertices a side, joined as a king moves, all of it god's (S35).
pub(super) fn open(d: &mut D<'_>, side: i64) {
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        own(d, Spot { x, y }, Some(GOD.into()));
    }
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let (a, b) = (Spot { x, y }, Spot { x: x + right, y: y + up });
            if d.row::<Vertex>(&b).is_some() {
                join(d, a, b, true);
            }
        }
    }
}

// ---- guards

/// Refuses what would make Space larger than the program can bear.
///
/// # Errors
///
/// A clause that says so.
pub(super) fn room_for(space: &Space, joins: &[Spot]) -> Result<(), String> {
    if space.size() >= VERTICES_MAX_COUNT {
        return Err(format!("Space has {VERTICES_MAX_COUNT} vertices, as many as the bot keeps"));
    }
    room_for_edges(space, joins)
}

/// Refuses an edge more at a vertex that has as many as the program can bear.
///
/// # Errors
///
/// A clause that says so.
pub(super) fn room_for_edges(space: &Space, joins: &[Spot]) -> Result<(), String> {
    match joins.iter().find(|at| space.neighbours(**at).count() >= DEGREE_MAX_COUNT) {
        Some(at) => Err(format!("{at} has {DEGREE_MAX_COUNT} edges, as many as the bot keeps")),
        None => Ok(()),
    }
}

/// A vertex that somebody names.
///
/// # Errors
///
/// A [`Refusal`] for what is no pair of coordinates, and where there is no vertex.
pub(super) fn named(state: &State<Spacenomic>, words: &str) -> Result<Spot, Refusal> {
    let by = Thing::Space.rule(&state.rules);
    let at: Spot =
        words.parse().map_err(|why: NoSpot| Refusal::new(why.to_string()).by(by.clone()).instead("show space"))?;
    if of(state).has(at) {
        return Ok(at);
    }
    Err(Refusal::new(format!("there is no vertex {at}")).by(by).instead("show space"))
}
