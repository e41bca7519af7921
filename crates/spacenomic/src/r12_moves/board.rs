//! Moves and their effects on a board (S40 to S50, S61): which are legal, and whether those of one type clash.
//!
//! All moves of a type are executed together where every order of them is legal and gives the same result. To try all
//! orders would take for ever; this file decides it exactly. Each move writes one fixed thing, so that the state
//! depends only on the set of moves that were done, and not on their order. So every order is legal if and only if each
//! move is legal after every set of the others. For space changes that comes to three conditions, for changes of
//! location to the view of each mirror. A test holds both against all orders of up to six moves. Moves are sent and
//! kept in `super` and evaluated in `evaluation`; those that rules invent stand in `invented`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::{
    figures::ADJACENCY_REACH,
    game::Spacenomic,
    location, players,
    space::{self, Space, Spot},
};
use kernel::{Id, Num, State};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Move {
    /// Go to a vertex (S40, S41).
    Go(Spot),
    /// Change the mirror-state (S42).
    Flip,
    /// Remove the edge from where one stands to there (S47).
    Cut(Spot),
    /// Add an edge (S48).
    Link(Spot, Spot),
    /// Add a vertex with edges to two others (S49).
    Build(Spot, Spot, Spot),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(to) => write!(f, "go {to}"),
            Self::Flip => f.write_str("flip"),
            Self::Cut(to) => write!(f, "cut {to}"),
            Self::Link(a, b) => write!(f, "link {a} {b}"),
            Self::Build(at, a, b) => write!(f, "build {at} on {a} {b}"),
        }
    }
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a move is “go (1, 2)”, “flip”, “cut (1, 2)”, “link (1, 2) (2, 2)” or “build (3, 3) on (1, 2) (2, 2)”, with coordinates up to {}",
    space::COORDINATE_MAX_COUNT
)]
pub(in super::super) struct NoMove;

impl FromStr for Move {
    type Err = NoMove;
    fn from_str(text: &str) -> Result<Self, NoMove> {
        let lower = text.trim().trim_end_matches(['.', '!']).trim_end().to_lowercase();
        let end = lower.find(|char: char| !char.is_alphabetic()).unwrap_or(lower.len());
        let (verb, rest) = lower.split_at(end);
        let spots = space::spots(rest).map_err(|_| NoMove)?;
        Ok(match (verb, &spots[..]) {
            ("go" | "move", [to]) => Self::Go(*to),
            ("flip" | "mirror", []) => Self::Flip,
            ("cut" | "remove", [to]) => Self::Cut(*to),
            ("link" | "join", [a, b]) => Self::Link(*a, *b),
            ("build", [at, a, b]) => Self::Build(*at, *a, *b),
            _ => return Err(NoMove),
        })
    }
}

impl Move {
    /// Of which type it is.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Go(_) | Self::Flip => Kind::Location,
            Self::Cut(_) | Self::Link(..) | Self::Build(..) => Kind::Space,
        }
    }
}

/// What moves look at and change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Board {
    /// The graph.
    pub(in super::super) space: Space,
    /// Every player, with eir place and whether e is mirrored.
    pub(in super::super) players: BTreeMap<Id, (Option<Spot>, bool)>,
    /// How far two coordinates of what is coordinatewise adjacent may differ (S86). It is nothing where no rule says
    /// it, which matters only to what asks for it.
    pub(in super::super) reach: Option<Num>,
}

/// Somebody's move.
pub(in super::super) type Sent = (Id, Move);

/// Why moves cannot all be executed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Clash {
    /// The moves that are to blame, by their place in the list: these alone clash already.
    pub(in super::super) between: BTreeSet<usize>,
    /// Why, as a clause.
    pub(in super::super) why: String,
}

fn clash(between: impl IntoIterator<Item = usize>, why: impl Into<String>) -> Clash {
    Clash { between: between.into_iter().collect(), why: why.into() }
}

/// What a space change writes: an edge, its ends in order, or a new vertex.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Edge(Spot, Spot),
    Vertex(Spot),
}

impl Board {
    /// What moves look at as things stand.
    pub(super) fn of(state: &State<Spacenomic>) -> Self {
        let players = players::players(state)
            .map(|id| (id.clone(), (location::of(state, id), location::mirrored(state, id))))
            .collect();
        Self { space: space::of(state), players, reach: state.rules.live(&ADJACENCY_REACH).ok() }
    }

    fn place(&self, player: &Id) -> Option<Spot> {
        self.players.get(player).and_then(|(at, _)| *at)
    }

    fn standing(&self, player: &Id) -> Result<Spot, String> {
        self.place(player).ok_or_else(|| "from nowhere no change of Space is valid".to_owned())
    }

    fn vertex(&self, at: Spot) -> Result<(), String> {
        if self.space.has(at) { Ok(()) } else { Err(format!("there is no vertex {at}")) }
    }

    fn near(&self, at: Spot, of: Spot) -> Result<(), String> {
        self.vertex(at)?;
        let reach = self.reach.as_ref().ok_or("the rules do not say what is coordinatewise adjacent")?;
        if at.near(of, reach) { Ok(()) } else { Err(format!("{at} is not coordinatewise adjacent to {of}")) }
    }

    /// Whether a move is legal on this board.
    ///
    /// # Errors
    ///
    /// Why it is not, as a clause.
    pub(in super::super) fn legal(&self, player: &Id, what: Move) -> Result<(), String> {
        if let Move::Flip = what {
            return self.can_flip(player);
        }
        self.legal_but_for_others(player, what)?;
        match (what, self.place(player)) {
            (Move::Cut(to), Some(at)) => {
                let mut after = self.space.clone();
                after.set_edge(at, to, false);
                if after.connected() { Ok(()) } else { Err("Space would not be connected after it".to_owned()) }
            }
            _ => Ok(()),
        }
    }

    /// The same, but for what takes a look at the whole of Space: connectedness, and distances to others.
    pub(super) fn legal_but_for_others(&self, player: &Id, what: Move) -> Result<(), String> {
        match what {
            Move::Flip => Ok(()),
            Move::Go(to) => {
                self.vertex(to)?;
                match self.place(player) {
                    Some(at) if !self.space.joined(at, to) => Err(format!("no edge joins {at} and {to}")),
                    _ => Ok(()),
                }
            }
            Move::Cut(to) => {
                let at = self.standing(player)?;
                if self.space.joined(at, to) { Ok(()) } else { Err(format!("no edge joins {at} and {to}")) }
            }
            Move::Link(a, b) => {
                let at = self.standing(player)?;
                self.near(a, at)?;
                self.near(b, at)?;
                self.near(a, b)?;
                if a == b {
                    return Err("an edge joins two different vertices".to_owned());
                }
                if self.space.joined(a, b) {
                    return Err(format!("an edge joins {a} and {b} already"));
                }
                space::room_for_edges(&self.space, &[a, b])
            }
            Move::Build(new, a, b) => {
                let at = self.standing(player)?;
                self.near(a, at)?;
                self.near(b, at)?;
                if a == b {
                    return Err("a new vertex is joined to two different ones".to_owned());
                }
                if self.space.has(new) {
                    return Err(format!("there is a vertex {new} already"));
                }
                space::room_for(&self.space, &[a, b])
            }
        }
    }

    fn can_flip(&self, player: &Id) -> Result<(), String> {
        match self.location_clash(&[(player.clone(), Move::Flip)]) {
            None => Ok(()),
            Some(clash) => Err(clash.why),
        }
    }

    /// Does a move that is legal.
    pub(in super::super) fn play(&mut self, player: &Id, what: Move) {
        let at = self.place(player);
        match what {
            Move::Go(to) => self.players.entry(player.clone()).or_default().0 = Some(to),
            Move::Flip => {
                let mirrored = &mut self.players.entry(player.clone()).or_default().1;
                *mirrored = !*mirrored;
            }
            Move::Cut(to) => {
                if let Some(at) = at {
                    self.space.set_edge(at, to, false);
                }
            }
            Move::Link(a, b) => self.space.set_edge(a, b, true),
            Move::Build(new, a, b) => {
                self.space.set_vertex(new, Some(&space::GOD.into()));
                self.space.set_edge(new, a, true);
                self.space.set_edge(new, b, true);
            }
        }
    }

    /// Why moves of one type cannot all be executed, if they cannot (S61). A player has one move at most.
    pub(in super::super) fn clash(&self, moves: &[Sent]) -> Option<Clash> {
        match moves.first()?.1 {
            Move::Cut(_) | Move::Link(..) | Move::Build(..) => self.space_clash(moves),
            Move::Go(_) | Move::Flip => self.location_clash(moves),
        }
    }

    fn target(&self, (player, what): &Sent) -> Option<Target> {
        let edge = |a: Spot, b: Spot| Target::Edge(a.min(b), a.max(b));
        match *what {
            Move::Cut(to) => Some(edge(self.place(player)?, to)),
            Move::Link(a, b) => Some(edge(a, b)),
            Move::Build(new, ..) => Some(Target::Vertex(new)),
            Move::Go(_) | Move::Flip => None,
        }
    }

    /// Space changes clash if one is illegal as things are, or two are about one thing. They clash if Space without all
    /// edges that are to be removed, and without what is to be added, is not connected.
    fn space_clash(&self, moves: &[Sent]) -> Option<Clash> {
        let mut seen = BTreeMap::new();
        let mut cuts = Vec::new();
        for (index, sent) in moves.iter().enumerate() {
            if let Err(why) = self.legal_but_for_others(&sent.0, sent.1) {
                return Some(clash([index], why));
            }
            let target = self.target(sent)?;
            if let (Move::Cut(_), Target::Edge(a, b)) = (sent.1, &target) {
                cuts.push((index, *a, *b));
            }
            if let Some(other) = seen.insert(target, index) {
                return Some(clash([other, index], "both are about the same thing, and the second finds it done"));
            }
        }
        if cuts.is_empty() {
            return self.crowded(moves);
        }
        let mut rest = self.space.clone();
        for (_, a, b) in &cuts {
            rest.set_edge(*a, *b, false);
        }
        let pieces = rest.pieces();
        if pieces.values().all(|piece| *piece == 0) {
            return self.crowded(moves);
        }
        let apart: Vec<usize> =
            cuts.iter().filter(|(_, a, b)| pieces.get(a) != pieces.get(b)).map(|(index, ..)| *index).collect();
        // Without such a removal Space was in pieces before, and no edge may go at all.
        let apart = if apart.is_empty() { cuts.iter().map(|(index, ..)| *index).take(1).collect() } else { apart };
        Some(clash(apart, "Space would not be connected"))
    }

    /// The bounds of the program hold for all moves together.
    fn crowded(&self, moves: &[Sent]) -> Option<Clash> {
        let mut after = self.clone();
        for (index, (player, what)) in moves.iter().enumerate() {
            if !matches!(what, Move::Cut(_))
                && let Err(why) = after.legal_but_for_others(player, *what)
            {
                return Some(clash(0..=index, why));
            }
            if !matches!(what, Move::Cut(_)) {
                after.play(player, *what);
            }
        }
        None
    }

    /// Changes of location clash if one is illegal as things are, or a mirror may see two others at two distances. For each
    /// other player it may see em wherever e is before eir move and after it, while e is as the mirror is.
    fn location_clash(&self, moves: &[Sent]) -> Option<Clash> {
        let moving: BTreeMap<&Id, (usize, Move)> =
            moves.iter().enumerate().map(|(index, (player, what))| (player, (index, *what))).collect();
        for (index, (player, what)) in moves.iter().enumerate() {
            if let Err(why) = self.legal_but_for_others(player, *what) {
                return Some(clash([index], why));
            }
        }
        let mut distances: BTreeMap<Spot, BTreeMap<Spot, u64>> = BTreeMap::new();
        for (index, (player, what)) in moves.iter().enumerate() {
            // Who is nowhere is infinitely far from everybody, and so equally far (S42).
            let (Move::Flip, Some((Some(at), mirrored))) = (*what, self.players.get(player)) else { continue };
            let from = distances.entry(*at).or_insert_with(|| self.space.distances(*at));
            let far = |spot: &Spot| from.get(spot).copied();
            // Alone, as everybody stands: then nobody else is to blame.
            let others = self.players.iter().filter(|(other, (_, theirs))| *other != player && theirs == mirrored);
            let standing: BTreeSet<Option<u64>> =
                others.filter_map(|(_, (place, _))| Some(far(place.as_ref()?))).collect();
            if standing.len() > 1 {
                return Some(clash([index], "others of the same mirror-state are at different distances"));
            }
            // Two entries that differ suffice: until a clash, all have one distance or all are one player.
            let mut seen: Vec<(&Id, Option<u64>, Option<usize>)> = Vec::new();
            for (other, (place, theirs)) in self.players.iter().filter(|(other, _)| *other != player) {
                let alike = theirs == mirrored;
                // Where e is without eir move, and with it: only then the move is needed for em to be seen there.
                let now = place.filter(|_| alike).map(|spot| (spot, None));
                let later = match moving.get(other) {
                    Some((index, Move::Flip)) => place.filter(|_| !alike).map(|spot| (spot, Some(*index))),
                    Some((index, Move::Go(to))) => alike.then_some((*to, Some(*index))),
                    _ => None,
                };
                for (spot, needs) in [now, later].into_iter().flatten() {
                    let distance = far(&spot);
                    if let Some((_, _, needed)) = seen.iter().find(|(who, seen, _)| *who != other && *seen != distance)
                    {
                        let between = [Some(index), needs, *needed].into_iter().flatten();
                        return Some(clash(
                            between,
                            "whoever flips could be at different distances from two others of the same mirror-state",
                        ));
                    }
                    if seen.len() < 2 && seen.first().is_none_or(|(who, seen, _)| *who != other || *seen != distance) {
                        seen.push((other, distance, needs));
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
