//! Distances (S89, S90): along edges, and by coordinates.
//!
//! Where no path leads there is no graphwise distance: it is infinite.

use std::collections::{BTreeMap, VecDeque};

use super::space::{Space, Spot};

impl Space {
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
}

impl Spot {
    /// The square of the coordinatewise distance (S90).
    pub(super) fn square_to(self, other: Self) -> i128 {
        let square = |a: i64, b: i64| i128::from(a - b) * i128::from(a - b);
        square(self.x, other.x) + square(self.y, other.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::GOD;

    fn spot(text: &str) -> Spot {
        text.parse().unwrap()
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
