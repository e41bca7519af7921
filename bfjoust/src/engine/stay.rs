//! How long a program does the same thing, whatever the other one does meanwhile. That is a run, or a loop that is one
//! run.
//!
//! What both do in one step is no longer than the shorter stay of the two; that is reckoned in `duel.rs`.

use super::fighter::{Fighter, Signs, Spot};
use super::journal::Journal;
use super::values::repeats_not_zero;
use crate::code::Ins;

/// A turn of a loop of runs on one cell, like `[-]` or `[-.]`, from the beginning of the loop on.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn {
    /// Its cycles, with the bracket.
    pub(super) cycles: u64,
    /// Cycles that add 1 to the cell, and that take 1 from it.
    up: u64,
    down: u64,
}

impl Turn {
    /// What is done in a turn that begins at `spot`.
    #[inline(always)]
    pub(super) fn of(code: &[Ins], signs: Signs, spot: &Spot) -> Turn {
        let mut turn = Turn { cycles: 1, up: 0, down: 0 };
        for ins in &code[spot.at..spot.head.target()] {
            let cycles = ins.cycles();
            turn.cycles = turn.cycles.saturating_add(cycles);
            match signs.add_of(ins.head()) {
                0 => {}
                1 => turn.up = turn.up.saturating_add(cycles),
                _ => turn.down = turn.down.saturating_add(cycles),
            }
        }
        turn
    }

    /// What it adds.
    #[inline(always)]
    pub(super) fn sum(&self) -> u8 {
        (self.up as u8).wrapping_sub(self.down as u8)
    }

    #[inline(always)]
    pub(super) fn adds(&self) -> bool {
        self.up | self.down != 0
    }

    /// Turns in which a cell that holds `value`, not 0, is sure to become 0 after no cycle.
    #[inline(always)]
    pub(super) fn off_zero(&self, value: u8) -> u64 {
        match (self.up, self.down) {
            (0, 0) => u64::MAX,
            (up, 0) => (cycles_to_zero(value, 1) - 1) / up,
            (0, down) => (cycles_to_zero(value, u8::MAX) - 1) / down,
            _ => 0,
        }
    }
}

/// Such a loop, while the other program adds the same in every cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Tight {
    pub(super) turn: Turn,
    /// What the cell is tested at in turn `j`, less `j` times `sum`.
    tested: u8,
    /// What a turn adds, from both.
    pub(super) sum: u8,
    /// The loop ends with this turn; 0 where that is for a closer look.
    pub(super) turns: u64,
}

impl Tight {
    /// On a cell that holds `value` before the first turn.
    #[inline(always)]
    pub(super) fn of(turn: Turn, value: u8, other_add: u8) -> Tight {
        // In turn `j` of `n` cycles the cell is tested before what the other adds in that cycle. That is at
        // `v + j s + (j n - 1) b`, where this program adds `s` in a turn and the other `b` in a cycle.
        let tested = value.wrapping_sub(other_add);
        let sum = turn.sum().wrapping_add(other_add.wrapping_mul(turn.cycles as u8));
        let turns = if tested == 0 { 0 } else { repeats_not_zero(tested, sum).saturating_add(1) };
        Tight { turn, tested, sum, turns }
    }
}

/// How long a program stays in a run, or in a loop of runs, of which it is at the beginning.
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
            let add = fighter.signs.add(spot);
            if !is_flag | (add == 0) {
                stay.cycles = spot.rest.min(fighter.signs.room(spot, low, high));
            } else if !NOTE && shared.is_none() {
                stay.cycles = spot.rest.min(cycles_to_zero(value, add));
            }
            return stay;
        }
        let mut other_add = 0;
        match shared {
            // What a loop adds is not the same in every cycle.
            Some((other, add)) if other.head.is_tight() && (add != 0 || other.head.target() > other.at + 1) => {
                return stay;
            }
            Some((_, add)) => other_add = add,
            None => {}
        }
        stay.tight = Tight::of(Turn::of(fighter.code, fighter.signs, spot), value, other_add);
        let Tight { turn, mut turns, .. } = stay.tight;
        if turns == 0 || (is_flag && (other_add != 0 || NOTE && turn.adds())) {
            return stay;
        }
        if is_flag {
            turns = turns.min(turn.off_zero(value));
        }
        stay.cycles = turns.saturating_mul(turn.cycles);
        stay
    }

    /// Plays it for some cycles, no more than there are, and says whether the program jumped back and stays.
    #[inline(always)]
    pub(super) fn play<const NOTE: bool>(
        &self,
        fighter: &mut Fighter<'_>,
        tape: &mut [u8],
        cycles: u64,
        journal: &mut Journal,
    ) -> bool {
        let Spot { pointer: cell, head, .. } = fighter.spot;
        let Tight { turn, turns: last_turn, .. } = self.tight;
        let is_tight = head.is_tight();
        let (mut turns, mut begun) = (0, cycles);
        if is_tight {
            // Most loops are of two cycles, and dividing takes longer than anything else here.
            turns = if turn.cycles == 2 { cycles / 2 } else { cycles / turn.cycles };
            begun = cycles - turns * turn.cycles;
        }
        let is_over = is_tight & (begun == 0) & (turns == last_turn);
        let sum = turn.sum().wrapping_mul(turns as u8).wrapping_add(fighter.walk(begun));
        tape[cell] = tape[cell].wrapping_add(sum);
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
            return fighter.go::<NOTE>(head.target() + 1, journal);
        }
        if begun > 0 {
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
