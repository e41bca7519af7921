//! How long a program does the same thing, whatever the other one does meanwhile. That is a run, or a loop that is one
//! run.
//!
//! What both do in one step is no longer than the shorter stay of the two; that is reckoned in `duel.rs`.

use super::fighter::{Fighter, Spot};
use super::journal::Journal;
use super::values::repeats_not_zero;

/// A loop of one run, of which a program is at the beginning, while the other one adds the same in every cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Tight {
    /// Cycles of a turn, with its bracket.
    pub(super) turn_cycles: u64,
    /// What the cell is tested at in turn `j`, less `j` times `sum`.
    tested: u8,
    /// What a turn adds, from both.
    pub(super) sum: u8,
    /// The loop ends with this turn; 0 where that is for a closer look.
    pub(super) turns: u64,
}

impl Tight {
    /// A run of so many cycles, each of which adds `add`, on a cell that holds `value` before the first of them.
    #[inline(always)]
    pub(super) fn of(cycles: u64, add: u8, value: u8, other_add: u8) -> Tight {
        // In turn `j` of `n + 1` cycles the cell is tested before what the other adds in that cycle. That is at
        // `v + j n a + (j (n + 1) - 1) b`, where this program adds `a` and the other `b` in a cycle.
        let turn_cycles = cycles.saturating_add(1);
        let tested = value.wrapping_sub(other_add);
        let sum = add.wrapping_mul(cycles as u8).wrapping_add(other_add.wrapping_mul(turn_cycles as u8));
        let turns = if tested == 0 { 0 } else { repeats_not_zero(tested, sum).saturating_add(1) };
        Tight { turn_cycles, tested, sum, turns }
    }
}

/// How long a program stays in a run, or in a loop that is one run, of which it is at the beginning.
pub(super) struct Stay {
    /// For so many cycles it does nothing else; a loop may end with the last of them. 0 where that is for a closer look.
    pub(super) cycles: u64,
    tight: Tight,
}

impl Stay {
    /// `other` is the other program, and what it adds to its cell.
    #[inline(always)]
    pub(super) fn of<const NOTE: bool>(
        fighter: &Fighter<'_>,
        add: u8,
        other: (&Spot, u8),
        tape: &[u8],
        (low, high, last): (usize, usize, usize),
    ) -> Stay {
        let spot = &fighter.spot;
        let value = tape[spot.pointer];
        let mut stay = Stay { cycles: 0, tight: Tight::default() };
        let shared = (other.0.pointer == spot.pointer).then_some(other);
        let is_flag = (spot.pointer == 1) | (spot.pointer == last);
        if !spot.head.is_tight() {
            if !is_flag | (add == 0) {
                stay.cycles = spot.rest.min(fighter.signs.room(spot, low, high));
            } else if !NOTE && shared.is_none() {
                stay.cycles = spot.rest.min(cycles_to_zero(value, add));
            }
            return stay;
        }
        let mut other_add = 0;
        match shared {
            Some((other, add)) if other.head.is_tight() && add != 0 => return stay,
            Some((_, add)) => other_add = add,
            None => {}
        }
        stay.tight = Tight::of(spot.rest, add, value, other_add);
        let mut turns = stay.tight.turns;
        if turns == 0 || (is_flag && (other_add != 0 || NOTE && add != 0)) {
            return stay;
        }
        if is_flag && add != 0 {
            turns = turns.min((cycles_to_zero(value, add) - 1) / spot.rest);
        }
        stay.cycles = turns.saturating_mul(stay.tight.turn_cycles);
        stay
    }

    /// Plays it for some cycles, no more than there are, and says whether the program jumped back and stays.
    #[inline(always)]
    pub(super) fn play<const NOTE: bool>(
        &self,
        fighter: &mut Fighter<'_>,
        add: u8,
        tape: &mut [u8],
        cycles: u64,
        journal: &mut Journal,
    ) -> bool {
        let spot = &mut fighter.spot;
        let cell = spot.pointer;
        let (mut turns, mut begun) = (0, cycles);
        let is_tight = spot.head.is_tight();
        if is_tight {
            let turn_cycles = spot.rest.saturating_add(1);
            // Most loops are of two cycles, and dividing takes longer than anything else here.
            turns = if turn_cycles == 2 { cycles / 2 } else { cycles / turn_cycles };
            begun = cycles - turns * turn_cycles;
        }
        let sum = add.wrapping_mul((cycles - turns) as u8);
        tape[cell] = tape[cell].wrapping_add(sum);
        let is_over = is_tight & (begun == 0) & (turns == self.tight.turns);
        if NOTE {
            let stayed = turns - u64::from(is_over);
            if stayed > 0 {
                journal.span(cell, self.tight.tested, self.tight.sum, stayed);
            }
            if is_over {
                journal.test(cell, 0);
            }
            if sum != 0 {
                journal.add(cell, sum);
            }
        }
        if is_over {
            let after = spot.at + 2;
            return fighter.go::<NOTE>(after, journal);
        }
        if begun > 0 {
            fighter.signs.advance(spot, begun);
            return fighter.turn::<NOTE>(false, journal) | (turns > 0);
        }
        true
    }
}

/// How many additions bring a cell to zero; more than any run is noted for if none do.
pub(super) fn cycles_to_zero(cell: u8, add: u8) -> u64 {
    /// All that a cell can become it has become by then.
    const ROUND_CYCLES: u64 = 256;
    match add {
        1 => u64::from(cell.wrapping_neg()),
        2 if cell.is_multiple_of(2) => u64::from(cell.wrapping_neg()) / 2,
        255 => u64::from(cell),
        254 if cell.is_multiple_of(2) => u64::from(cell) / 2,
        _ => ROUND_CYCLES,
    }
}
