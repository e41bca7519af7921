//! Changes of Space (S43, S44, S47 to S50): which are valid, and whether those that are evaluated together clash.
//!
//! Changes of location stand in `location_changes`; moves of both types are sent and evaluated in `moves`.

use std::collections::BTreeMap;

use super::{
    moves::board::{Board, Clash, Move, Sent, clash},
    space::{self, Spot},
};
use kernel::Id;

/// What a space change writes: an edge, its ends in order, or a new vertex.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Edge(Spot, Spot),
    Vertex(Spot),
}

impl Board {
    fn standing(&self, player: &Id) -> Result<Spot, String> {
        self.place(player).ok_or_else(|| "from nowhere no change of Space is valid".to_owned())
    }

    fn near(&self, at: Spot, of: Spot) -> Result<(), String> {
        self.vertex(at)?;
        let reach = self.reach.as_ref().ok_or("the rules do not say what is coordinatewise adjacent")?;
        if at.near(of, reach) { Ok(()) } else { Err(format!("{at} is not coordinatewise adjacent to {of}")) }
    }

    /// Whether a change of Space is valid, but for what takes a look at the whole of Space.
    ///
    /// # Errors
    ///
    /// Why it is not, as a clause.
    pub(super) fn may_change_space(&self, player: &Id, what: Move) -> Result<(), String> {
        match what {
            Move::Go(_) | Move::Flip => Ok(()),
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
    pub(super) fn space_clash(&self, moves: &[Sent]) -> Option<Clash> {
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
}
