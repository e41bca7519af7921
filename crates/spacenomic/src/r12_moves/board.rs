//! Moves and their effects on a board (S40 to S50, S61): which are legal, and whether those of one type clash.
//!
//! Each list of moves has its own file (`location_changes`, `space_changes`); here they meet. All moves of a type are executed together where every order of them is legal and gives the same result. To try all
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
    location, roster,
    space::{self, Space, Spot},
};
use kernel::{Id, Num, State};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Move {
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
    "a move is “go (1, 2)”, “flip”, “cut (1, 2)”, “link (1, 2) (2, 2)” or “build (3, 3) on (1, 2) (2, 2)”. Coordinates go up to {}",
    space::COORDINATE_MAX_COUNT
)]
pub(crate) struct NoMove;

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
pub(crate) struct Board {
    /// The graph.
    pub(crate) space: Space,
    /// Every player, with eir place and whether e is mirrored.
    pub(crate) players: BTreeMap<Id, (Option<Spot>, bool)>,
    /// How far two coordinates of what is coordinatewise adjacent may differ (S86). It is nothing where no rule says
    /// it, which matters only to what asks for it.
    pub(crate) reach: Option<Num>,
}

/// Somebody's move.
pub(crate) type Sent = (Id, Move);

/// Why moves cannot all be executed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// The moves that are to blame, by their place in the list: these alone clash already.
    pub(crate) between: BTreeSet<usize>,
    /// Why, as a clause.
    pub(crate) why: String,
}

pub(crate) fn clash(between: impl IntoIterator<Item = usize>, why: impl Into<String>) -> Clash {
    Clash { between: between.into_iter().collect(), why: why.into() }
}

impl Board {
    /// What moves look at as things stand.
    pub(super) fn of(state: &State<Spacenomic>) -> Self {
        let players = roster::players(state)
            .map(|id| (id.clone(), (location::of(state, id), location::mirrored(state, id))))
            .collect();
        Self { space: space::of(state), players, reach: state.rules.live(&ADJACENCY_REACH).ok() }
    }

    pub(crate) fn place(&self, player: &Id) -> Option<Spot> {
        self.players.get(player).and_then(|(at, _)| *at)
    }

    pub(crate) fn vertex(&self, at: Spot) -> Result<(), String> {
        if self.space.has(at) { Ok(()) } else { Err(format!("there is no vertex {at}")) }
    }

    /// Whether a move is legal on this board.
    ///
    /// # Errors
    ///
    /// Why it is not, as a clause.
    pub(crate) fn legal(&self, player: &Id, what: Move) -> Result<(), String> {
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
    pub(crate) fn legal_but_for_others(&self, player: &Id, what: Move) -> Result<(), String> {
        match what {
            Move::Flip => Ok(()),
            Move::Go(to) => self.may_go(player, to),
            Move::Cut(_) | Move::Link(..) | Move::Build(..) => self.may_change_space(player, what),
        }
    }

    /// Does a move that is legal.
    pub(crate) fn play(&mut self, player: &Id, what: Move) {
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
    pub(crate) fn clash(&self, moves: &[Sent]) -> Option<Clash> {
        match moves.first()?.1 {
            Move::Cut(_) | Move::Link(..) | Move::Build(..) => self.space_clash(moves),
            Move::Go(_) | Move::Flip => self.location_clash(moves),
        }
    }
}

#[cfg(test)]
mod tests;
