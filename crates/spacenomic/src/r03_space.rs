//! Space (S35, S36, S43, S45, S67 to S71, S84 to S86, S89, S90): a graph whose vertices have coordinates and owners.
//!
//! Edges and coordinates are two things: an edge may join distant vertices, and neighbours by coordinates may lack one.
//! A pair of coordinates names a vertex. Owners act in `owners`, players stand in `location` and move in `moves`; the
//! picture is drawn in `map`.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    game::{D, Spacenomic},
    law::Thing,
    players::is_player,
    stats::called,
};
use kernel::{Id, Mechanic, Refusal, Row, Rows, State, table::Difference};

/// The owner of what no player owns (S68, S71). No seat is called so.
pub(super) const GOD: &str = "god";

/// The farthest coordinate: differences of two never leave the numbers that the program counts in.
pub(super) const COORDINATE_MAX_COUNT: i64 = 1_000_000_000;

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

/// The coordinates of a vertex, which name it (S84, S85).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A text that is no pair of coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no pair of coordinates like (2, -1), each a whole number up to {COORDINATE_MAX_COUNT} either way")]
pub struct NoSpot(String);

impl FromStr for Spot {
    type Err = NoSpot;
    fn from_str(text: &str) -> Result<Self, NoSpot> {
        let fail = || NoSpot(text.chars().take(40).collect());
        let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
        let (x, y) = inner.split_once(',').or_else(|| inner.trim().split_once(char::is_whitespace)).ok_or_else(fail)?;
        let read = |text: &str| {
            let number: i64 = text.trim().replace('\u{2212}', "-").parse().map_err(|_| fail())?;
            if number.abs() > COORDINATE_MAX_COUNT { Err(fail()) } else { Ok(number) }
        };
        Ok(Self { x: read(x)?, y: read(y)? })
    }
}

/// The pairs of coordinates in a text, in order: with parentheses or without, and with such words between them as `and`.
///
/// # Errors
///
/// Where anything else stands there.
pub(super) fn spots(text: &str) -> Result<Vec<Spot>, NoSpot> {
    /// What stands between pairs and says nothing.
    const BETWEEN: [&str; 6] = ["on", "and", "to", "with", "from", "-"];
    let between = |char: char| char.is_whitespace() || matches!(char, '(' | ')' | ',' | ';');
    let words = text.split(between).filter(|word| !word.is_empty() && !BETWEEN.contains(word));
    words.collect::<Vec<&str>>().chunks(2).map(|pair| pair.join(",").parse()).collect()
}

/// A key of maps, so that it is one string.
impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{},{}", self.x, self.y))
    }
}

impl<'de> Deserialize<'de> for Spot {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Spot {
    /// Before all others in order.
    const LEAST: Self = Self { x: i64::MIN, y: i64::MIN };

    /// Whether two places are coordinatewise adjacent, a place and itself included (S50, S86).
    pub(super) fn near(self, other: Self, reach: &kernel::Num) -> bool {
        let within = |a: i64, b: i64| kernel::Num::from((a - b).abs()) <= *reach;
        within(self.x, other.x) && within(self.y, other.y)
    }

    /// The square of the coordinatewise distance (S90).
    pub(super) fn square_to(self, other: Self) -> i128 {
        let square = |a: i64, b: i64| i128::from(a - b) * i128::from(a - b);
        square(self.x, other.x) + square(self.y, other.y)
    }
}

/// A vertex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// That one vertex is joined to another. Each edge has two rows, one from either end. So a change of Space writes no
/// more than what changes, and the neighbours of a vertex lie side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The graph with its owners. As cheap to copy as a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    vertices: Rows<Spot, Vertex>,
    edges: Rows<(Spot, Spot), Edge>,
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

    /// Puts a vertex there, gives it another owner, or takes it away with nothing else.
    pub fn set_vertex(&mut self, at: Spot, owner: Option<&Id>) {
        match owner {
            Some(owner) => self.vertices.insert(at, Vertex { owner: owner.clone() }),
            None => drop(self.vertices.remove(&at)),
        }
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

    /// Puts this Space in the place of a game's.
    #[cfg(test)]
    pub(super) fn lay(self, tables: &mut super::game::Tables) {
        *tables.rows_mut() = self.vertices;
        *tables.rows_mut() = self.edges;
    }

    /// The graphwise distances from a vertex to all that can be reached (S89).
    pub(super) fn distances(&self, from: Spot) -> BTreeMap<Spot, u64> {
        let mut found = BTreeMap::from([(from, 0)]);
        let mut ahead = VecDeque::from([(from, 0)]);
        while let Some((at, steps)) = ahead.pop_front() {
            for next in self.neighbours(at) {
                if let std::collections::btree_map::Entry::Vacant(entry) = found.entry(next) {
                    entry.insert(steps + 1);
                    ahead.push_back((next, steps + 1));
                }
            }
        }
        found
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

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Num;

    fn spot(text: &str) -> Spot {
        text.parse().unwrap()
    }

    /// S84: what players write for a pair, and what is none.
    #[test]
    fn s84_pairs_are_read_as_players_write_them() {
        for (text, shown) in [("(2, -1)", "(2, -1)"), ("2,-1", "(2, -1)"), (" 0 0 ", "(0, 0)"), ("(3,4)", "(3, 4)")] {
            assert_eq!(spot(text).to_string(), shown, "{text}");
        }
        for wrong in ["", "2", "(1, 2, 3)", "(1.5, 2)", "(x, 2)", "(1000000001, 0)", "(9223372036854775807, 0)"] {
            assert!(wrong.parse::<Spot>().is_err(), "{wrong}");
        }
        let json = serde_json::to_string(&spot("(2, -1)")).unwrap();
        assert_eq!((json.as_str(), serde_json::from_str::<Spot>(&json).unwrap()), ("\"2,-1\"", spot("2,-1")));
    }

    /// S86: both differences at most the reach; S50: a place is near itself.
    #[test]
    fn s86_near_is_by_both_coordinates() {
        let reach = Num::from(1);
        for (a, b, near) in [
            ("0,0", "1,1", true),
            ("0,0", "2,0", false),
            ("0,0", "0,0", true),
            ("-1,0", "0,1", true),
            ("0,0", "1,2", false),
        ] {
            assert_eq!(spot(a).near(spot(b), &reach), near, "{a} {b}");
        }
    }

    /// S36, S89: distances follow edges and not coordinates; no path is no distance.
    #[test]
    fn s89_distances_follow_edges() {
        let mut space = Space::default();
        for at in ["0,0", "1,0", "9,9", "5,5"] {
            space.set_vertex(spot(at), Some(&GOD.into()));
        }
        space.set_edge(spot("0,0"), spot("9,9"), true);
        space.set_edge(spot("9,9"), spot("1,0"), true);
        let found = space.distances(spot("0,0"));
        assert_eq!(found, BTreeMap::from([(spot("0,0"), 0), (spot("9,9"), 1), (spot("1,0"), 2)]));
        assert!(!space.connected());
        space.set_edge(spot("5,5"), spot("1,0"), true);
        assert!(space.connected());
        space.set_edge(spot("9,9"), spot("0,0"), false);
        assert_eq!(space.pieces().values().max(), Some(&1));
    }

    /// S90: the square of the coordinatewise distance is exact.
    #[test]
    fn s90_the_coordinatewise_distance_is_euclidean() {
        assert_eq!(spot("0,0").square_to(spot("1,-2")), 5);
        assert_eq!(spot("-1000000000,0").square_to(spot("1000000000,0")), 4_000_000_000_000_000_000);
    }
}
