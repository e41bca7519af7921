//! The engine: what the plain machine comes to, without playing every cycle of it.
//!
//! Runs: while both programs are within runs of one symbol, all the cycles that the shorter one has left are one step.
//! Loops on one cell, like `[-.]`: how long one stays in it is known when it begins, whatever run or loop of runs the
//! other is within (`stay.rs`). Periods: when the programs come back to where they have been, what happened since then
//! is looked at. As many repetitions of it as are sure to go the same way are one step (`journal.rs`, which says why
//! that is exact). One at a time: where nothing repeats itself, one program is played through what is known of the
//! other (`dash.rs`, `sprint.rs`). In step: where both are in short loops on one cell each, many turns of both are one
//! step (`turn.rs`). All lengths at once: what happens before the programs meet is played once for all tapes.
//!
//! Cells that do not have all 256 values are left to the plain machine.

mod anchor;
mod board;
mod dash;
mod duel;
mod effort;
mod fighter;
mod journal;
mod sprint;
mod stay;
mod turn;
mod values;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use self::duel::Duel;
use self::effort::Effort;
use self::journal::Journal;
use crate::charge::{Charge, Machine, assert_playable};
use crate::presets::{Rules, Setup};
use crate::program::Program;

/// Cycles that the plain machine plays between two looks at whether to stop.
const CHUNK_CYCLES: u32 = 4096;

thread_local! {
    /// The journal of each thread, which remembers nothing from one charge to the next but where its memory is.
    static JOURNAL: Cell<Option<Journal>> = const { Cell::new(None) };
}

/// Plays one charge to its end, `+` and `-` as written.
///
/// # Panics
/// If `length` is outside [`crate::LENGTH_MIN_CELLS`]`..=`[`crate::LENGTH_MAX_CELLS`], or the rules fail
/// [`Rules::check`] for their cells or their flags.
pub fn charge(left: &Program, right: &Program, length: usize, rules: &Rules) -> Charge {
    play(left, right, &[Setup::from(length)], rules)[0]
}

/// Plays one charge to its end, `+` and `-` as written, or gives `None` soon after `cancel` is set.
///
/// # Panics
/// As [`charge()`].
pub fn charge_cancellable(
    left: &Program,
    right: &Program,
    length: usize,
    rules: &Rules,
    cancel: &AtomicBool,
) -> Option<Charge> {
    play_cancellable(left, right, &[Setup::from(length)], rules, cancel).map(|charges| charges[0])
}

/// Plays one charge for each setup, in the order given, repeats included (J49, J57). Much that is common to them is
/// played once.
///
/// # Panics
/// As [`charge()`].
pub fn play(left: &Program, right: &Program, setups: &[Setup], rules: &Rules) -> Vec<Charge> {
    play_cancellable(left, right, setups, rules, &AtomicBool::new(false)).expect("nobody cancels it")
}

/// As [`play`], or gives `None` soon after `cancel` is set.
///
/// # Panics
/// As [`charge()`].
pub fn play_cancellable(
    left: &Program,
    right: &Program,
    setups: &[Setup],
    rules: &Rules,
    cancel: &AtomicBool,
) -> Option<Vec<Charge>> {
    for setup in setups {
        assert_playable(setup.length, rules);
    }
    if rules.cell_max != u8::MAX {
        return setups.iter().map(|&setup| plain(left, right, setup, rules, cancel)).collect();
    }
    // Taken out while it is used, so that nothing is held across the play.
    let mut journal = JOURNAL.take().unwrap_or_default();
    let charges = shortest_first(left, right, setups, rules, &mut journal, cancel);
    JOURNAL.set(Some(journal));
    charges
}

/// Plays the setups from the shortest tape to the longest. Until the programs meet, none of them makes a difference. So
/// each charge goes on from where they met on the tape before. Where they never met there is but one outcome.
fn shortest_first(
    left: &Program,
    right: &Program,
    setups: &[Setup],
    rules: &Rules,
    journal: &mut Journal,
    cancel: &AtomicBool,
) -> Option<Vec<Charge>> {
    let mut charges = vec![Charge::cap(rules.cycle_limit); setups.len()];
    let mut effort = Effort::default();
    for swapped in [false, true] {
        let mut group: Vec<usize> = (0..setups.len()).filter(|&index| setups[index].swapped == swapped).collect();
        group.sort_by_key(|&index| setups[index].length);
        let Some((&first, others)) = group.split_first() else {
            continue;
        };
        let mut length = setups[first].length;
        let mut duel = Duel::new(left, right, setups[first], rules, journal, effort);
        duel.keeps = !others.is_empty();
        let mut outcome = duel.finish(cancel)?;
        charges[first] = outcome;
        for &index in others {
            if duel.met && setups[index].length != length {
                length = setups[index].length;
                duel.lengthen(length, rules.background);
                outcome = duel.finish(cancel)?;
            }
            charges[index] = outcome;
        }
        effort = duel.effort.next();
        duel.retire();
    }
    Some(charges)
}

fn plain(left: &Program, right: &Program, setup: Setup, rules: &Rules, cancel: &AtomicBool) -> Option<Charge> {
    let mut machine = Machine::set_up(left, right, setup, rules);
    while !cancel.load(Ordering::Relaxed) {
        for _ in 0..CHUNK_CYCLES {
            if let Some(outcome) = machine.step() {
                return Some(outcome);
            }
        }
    }
    None
}
