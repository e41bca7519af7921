//! Laws that nobody would write: they stay within their bounds, and what they refuse changes nothing.

use kernel::{Game, viewer::Viewer};
use proptest::prelude::*;
use serde_json::json;

use crate::{
    limits::{ACT_MAX_CHANGES, ACT_MAX_OPERATIONS},
    toy::{Room, Toy},
};

#[path = "../../tests/support/scripts.rs"]
mod scripts;

/// Most operations of what one act does: a law is let change it, does it, and sees to what must hold.
const OPERATIONS_MAX_COUNT: u64 = 4 * ACT_MAX_OPERATIONS;
/// What safe mode writes down beside what a law changes: counts, and what the entry brings by itself.
const BESIDE_MAX_COUNT: usize = 20;

/// How many laws are made up: more where the environment says so, as `LAWS_FUZZ_CASES=100000` does for an hour.
fn cases() -> u32 {
    std::env::var("LAWS_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_law_says_stays_within_bounds(data in proptest::collection::vec(any::<u8>(), 0..160)) {
        is_within_bounds(&data)?;
    }
}

/// Plays a law that is made of some bytes.
fn is_within_bounds(data: &[u8]) -> Result<(), TestCaseError> {
    let mut room = Room::new();
    room.law(2, &scripts::law(data));
    for act in ["test", "test", "give"] {
        let before = room.state.clone();
        let (answer, _said) = match act {
            "test" => room.act("bob", "test", json!({})),
            _ => room.native("ann", "give", json!({"to": "bob", "amount": 0})),
        };
        prop_assert!(room.operations <= OPERATIONS_MAX_COUNT, "{} operations", room.operations);
        prop_assert!(room.changes <= ACT_MAX_CHANGES + BESIDE_MAX_COUNT, "{} changes", room.changes);
        if answer.is_err() || answer.is_ok_and(|answer| answer.to_lowercase().contains("nothing happened")) {
            prop_assert!(room.state.rules.is_same(&before.rules));
            prop_assert_eq!(room.state.world.since(&before.world), []);
        }
    }
    room.passes(30);
    let _page = Toy::mechanics().show(&room.state, "page", &Viewer::default());
    room.directives("=> repeal rule 2");
    prop_assert!(Toy::mechanics().commands(&room.state).is_empty());
    Ok(())
}

#[test]
fn most_of_them_can_be_read_and_some_are_done() {
    let (mut read, mut done) = (0, 0);
    for seed in 0..100_u32 {
        let data: Vec<u8> =
            (0..160_u32).map(|place| (seed.wrapping_mul(2_654_435_761) >> (place % 24)) as u8).collect();
        let mut room = Room::new();
        let said = room.law(2, &scripts::law(&data));
        read += usize::from(!said.iter().any(|line| line.contains("cannot be read")));
        let (answer, _said) = room.act("bob", "test", json!({}));
        done += usize::from(answer.is_ok_and(|answer| !answer.to_lowercase().contains("nothing happened")));
    }
    assert!(read > 50 && done > 0, "{read} can be read, {done} are done");
}
