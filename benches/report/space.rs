//! How fast the income of a day is worked out, exactly, for a thousand players in a Space of a hundred thousand vertices.

use spacenomic::{
    income::{Share, gains},
    space::{Space, Spot},
};

use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 5;

/// Players, each in a place of eir own.
const PLAYERS: i64 = 1000;

/// A grid of 316 by 317 vertices, three of four owned by players.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    const SIDE: i64 = 316;
    const HEIGHT: i64 = 317;
    let mut space = Space::default();
    for (x, y) in (0..SIDE).flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
        let owner = if (x * 7 + y * 3) % 4 == 0 { "god" } else { "player/ann" };
        space.set_vertex(Spot { x, y }, Some(&owner.into()));
        for (other, there) in [(Spot { x: x - 1, y }, x > 0), (Spot { x, y: y - 1 }, y > 0)] {
            if there {
                space.set_edge(Spot { x, y }, other, true);
            }
        }
    }
    let share = Share { numerator: 2.into(), offset: 2.into(), exponent: 2, mean: true };
    let places: Vec<Spot> = (0..PLAYERS).map(|n| Spot { x: n % SIDE, y: (n * 97 + n / SIDE * 11) % HEIGHT }).collect();
    let mut found = 0;
    let taken = Times::of(bench.rounds(ROUNDS), || {
        let all = gains(&space, |owner| **owner != *"god", places.iter().copied(), &share);
        found = all.expect("the program bears these numbers").len();
    });
    assert_eq!(found, places.len(), "everybody gains something");
    vec![taken.row("income: 1000 players, 100172 vertices, exact")]
}
