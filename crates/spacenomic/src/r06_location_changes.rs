//! Changes of location (S40 to S42): which are legal, and whether those that are evaluated together clash.
//!
//! Changes of Space stand in `space_changes`; moves of both types are sent and evaluated in `moves`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    moves::board::{Board, Clash, Move, Sent, clash},
    space::Spot,
};
use kernel::Id;

impl Board {
    /// Whether a player may go to a vertex (S40, S41).
    ///
    /// # Errors
    ///
    /// Why e may not, as a clause.
    pub(super) fn may_go(&self, player: &Id, to: Spot) -> Result<(), String> {
        self.vertex(to)?;
        match self.place(player) {
            Some(at) if !self.space.joined(at, to) => Err(format!("no edge joins {at} and {to}")),
            _ => Ok(()),
        }
    }

    /// Whether a player may change eir mirror-state (S42).
    ///
    /// # Errors
    ///
    /// Why e may not, as a clause.
    pub(super) fn can_flip(&self, player: &Id) -> Result<(), String> {
        match self.location_clash(&[(player.clone(), Move::Flip)]) {
            None => Ok(()),
            Some(clash) => Err(clash.why),
        }
    }

    /// Changes of location clash if one is illegal as things are, or a mirror may see two others at two distances. For each
    /// other player it may see em wherever e is before eir move and after it, while e is as the mirror is.
    pub(super) fn location_clash(&self, moves: &[Sent]) -> Option<Clash> {
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
