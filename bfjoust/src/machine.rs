//! The machine: two programs on one tape, cycle by cycle, and how a charge ends.
//!
//! A cycle is the rules in their order (seed 000, items 6 and 7): both comparisons, then both additions and moves,
//! then the tests for a loss, then the limit. An operation is played without asking which symbol it is (see `Op`):
//! there is nothing to mispredict, and nothing but one straight line to read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::program::{Op, Program};
use crate::rules::{LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Rules};

/// Cycles between two looks at whether to stop: some microseconds, so that a cancelled joust ends at once and the
/// looking costs nothing.
const CHUNK_CYCLES: u64 = 4096;

/// A side of the tape, and the program that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Its flag is cell 0.
    Left,
    /// Its flag is the last cell.
    Right,
}

/// How a charge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The flag of exactly one program is 0 (J67), whether or not its pointer left the tape as well (J72).
    Flag,
    /// The pointer of exactly one program left the tape, and its flag stands (J68).
    Edge,
    /// Both lost in one cycle, from whatever causes (J69).
    Both,
    /// The limit passed without a winner (J71).
    Cap,
}

/// The outcome of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charge {
    /// Who won; nobody when both have lost.
    pub winner: Option<Side>,
    /// How it ended.
    pub reason: Reason,
    /// The cycle that ended it, counted from 1; at the cap the limit, also where it was known earlier (J71).
    pub cycles: u64,
}

/// A charge in progress. [`charge`] is this, stepped to its end.
#[derive(Clone)]
pub struct Machine {
    /// The tape with one spare cell beyond each flag, for the pointer that has just run off.
    cells: Vec<u8>,
    left: Runner,
    right: Runner,
    cell_max: u8,
    cycle_limit: u64,
    cycle: u64,
    /// Set in the cycle that ended the charge; then nothing moves any more.
    outcome: Option<Charge>,
}

/// A program at play.
#[derive(Clone)]
struct Runner {
    ops: Arc<[Op]>,
    /// Place of the next operation; the last place is the end.
    at: u32,
    /// Index into the machine's cells, so 1 is the left flag.
    pointer: usize,
}

/// Plays one charge to its end.
///
/// # Panics
/// If `length` is outside [`LENGTH_MIN_CELLS`]`..=`[`LENGTH_MAX_CELLS`], or the rules fail [`Rules::check`] for their
/// cells.
pub fn charge(left: &Program, right: &Program, length: usize, rules: &Rules) -> Charge {
    let mut machine = Machine::new(left, right, length, rules);
    loop {
        if let Some(outcome) = machine.run_chunk() {
            return outcome;
        }
    }
}

/// Plays one charge to its end, or gives `None` soon after `cancel` is set.
///
/// # Panics
/// As [`charge`].
pub fn charge_cancellable(
    left: &Program,
    right: &Program,
    length: usize,
    rules: &Rules,
    cancel: &AtomicBool,
) -> Option<Charge> {
    let mut machine = Machine::new(left, right, length, rules);
    while !cancel.load(Ordering::Relaxed) {
        if let Some(outcome) = machine.run_chunk() {
            return Some(outcome);
        }
    }
    None
}

impl Machine {
    /// Both programs on their flags, before the first cycle (J59).
    ///
    /// # Panics
    /// As [`charge`].
    pub fn new(left: &Program, right: &Program, length: usize, rules: &Rules) -> Machine {
        assert!(
            (LENGTH_MIN_CELLS..=LENGTH_MAX_CELLS).contains(&length),
            "a tape has {LENGTH_MIN_CELLS} to {LENGTH_MAX_CELLS} cells"
        );
        assert!(rules.flag <= rules.cell_max && rules.background <= rules.cell_max, "cells start within their range");
        let mut cells = vec![rules.background; length + 2];
        cells[1] = rules.flag;
        cells[length] = rules.flag;
        Machine {
            cells,
            left: Runner { ops: Arc::clone(left.ops()), at: 0, pointer: 1 },
            right: Runner { ops: Arc::clone(right.ops()), at: 0, pointer: length },
            cell_max: rules.cell_max,
            cycle_limit: rules.cycle_limit,
            cycle: 0,
            outcome: None,
        }
    }

    /// Plays one cycle. Gives the outcome once there is one, and from then on changes nothing.
    pub fn step(&mut self) -> Option<Charge> {
        self.run(1)
    }

    /// The cycles played so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The tape as it stands, both flags included, from left to right.
    pub fn cells(&self) -> &[u8] {
        &self.cells[1..self.cells.len() - 1]
    }

    /// The cell that a side's pointer is on, counted from 0 at the left flag; -1 or the length once it has run off.
    pub fn pointer(&self, side: Side) -> isize {
        self.runner(side).pointer as isize - 1
    }

    /// The symbol that a side plays in the next cycle, with `,` shown as `.`; `None` at the end of its program.
    pub fn symbol(&self, side: Side) -> Option<char> {
        let runner = self.runner(side);
        (!runner.has_ended()).then(|| char::from(runner.ops[runner.at as usize].symbol))
    }

    fn runner(&self, side: Side) -> &Runner {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// A chunk of cycles, and the one shortcut: when both programs have ended, nothing changes before the limit (J70).
    fn run_chunk(&mut self) -> Option<Charge> {
        let outcome = self.run(CHUNK_CYCLES);
        if outcome.is_none() && self.left.has_ended() && self.right.has_ended() {
            return Some(Charge::cap(self.cycle_limit));
        }
        outcome
    }

    /// Up to `cycles` cycles, fewer when the charge ends.
    fn run(&mut self, cycles: u64) -> Option<Charge> {
        if self.outcome.is_none() {
            let until = self.cycle.saturating_add(cycles).min(self.cycle_limit);
            self.outcome = if self.cell_max == u8::MAX { self.play::<true>(until) } else { self.play::<false>(until) };
            if self.outcome.is_none() && self.cycle == self.cycle_limit {
                self.outcome = Some(Charge::cap(self.cycle_limit));
            }
        }
        self.outcome
    }

    /// Plays to the end of cycle `until`, or of the one in which somebody loses. `BYTE` says that a cell has all 256
    /// values, so that a byte wraps by itself.
    fn play<const BYTE: bool>(&mut self, until: u64) -> Option<Charge> {
        let cell_max = self.cell_max;
        let cells = self.cells.as_mut_slice();
        let (left_ops, right_ops) = (&*self.left.ops, &*self.right.ops);
        let (mut left_at, mut right_at) = (self.left.at, self.right.at);
        let (mut left_pointer, mut right_pointer) = (self.left.pointer, self.right.pointer);
        let (left_flag, right_flag) = (1, cells.len() - 2);
        let mut cycle = self.cycle;
        let mut outcome = None;

        while cycle < until {
            cycle += 1;
            let left = left_ops[left_at as usize];
            let right = right_ops[right_at as usize];

            // Both comparisons read the cells as the cycle before left them (J62).
            left_at = if cells[left_pointer] == 0 { left.on_zero } else { left.on_other };
            right_at = if cells[right_pointer] == 0 { right.on_zero } else { right.on_other };

            // Additions on one cell add up, so their order is nothing (J63).
            cells[left_pointer] = add::<BYTE>(cells[left_pointer], left.add, cell_max);
            cells[right_pointer] = add::<BYTE>(cells[right_pointer], right.add, cell_max);

            // Each side's `>` points at the other's flag for ever (J61).
            left_pointer = left_pointer.wrapping_add_signed(isize::from(left.step));
            right_pointer = right_pointer.wrapping_sub(isize::from(right.step) as usize);

            // Losses are tested after the whole cycle (J67, J68).
            let left_flag_lost = cells[left_flag] == 0;
            let right_flag_lost = cells[right_flag] == 0;
            let left_off = left_pointer.wrapping_sub(left_flag) > right_flag - left_flag;
            let right_off = right_pointer.wrapping_sub(left_flag) > right_flag - left_flag;
            if left_flag_lost | right_flag_lost | left_off | right_off {
                outcome = Charge::lost(left_flag_lost, left_off, right_flag_lost, right_off, cycle);
                break;
            }
        }

        (self.left.at, self.right.at) = (left_at, right_at);
        (self.left.pointer, self.right.pointer) = (left_pointer, right_pointer);
        self.cycle = cycle;
        outcome
    }
}

/// A cell after one addition of -1, 0 or 1.
#[inline(always)]
fn add<const BYTE: bool>(cell: u8, addition: i8, cell_max: u8) -> u8 {
    match addition {
        _ if BYTE => cell.wrapping_add_signed(addition),
        1 if cell == cell_max => 0,
        -1 if cell == 0 => cell_max,
        addition => cell.wrapping_add_signed(addition),
    }
}

impl Runner {
    fn has_ended(&self) -> bool {
        self.at as usize == self.ops.len() - 1
    }
}

impl Charge {
    fn cap(cycle_limit: u64) -> Charge {
        Charge { winner: None, reason: Reason::Cap, cycles: cycle_limit }
    }

    /// What the losses of one cycle make of the charge; nothing if there are none.
    fn lost(left_flag: bool, left_off: bool, right_flag: bool, right_off: bool, cycles: u64) -> Option<Charge> {
        let (winner, flag) = match (left_flag | left_off, right_flag | right_off) {
            (false, false) => return None,
            (true, true) => return Some(Charge { winner: None, reason: Reason::Both, cycles }),
            (true, false) => (Side::Right, left_flag),
            (false, true) => (Side::Left, right_flag),
        };
        Some(Charge { winner: Some(winner), reason: if flag { Reason::Flag } else { Reason::Edge }, cycles })
    }

    /// The same charge with the sides exchanged (J66).
    #[must_use]
    pub fn mirrored(self) -> Charge {
        Charge { winner: self.winner.map(Side::other), ..self }
    }
}

impl Side {
    /// The opposite side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// Its name in results: `left` or `right`.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

impl Reason {
    /// Its name in results: `flag`, `edge`, `both` or `cap`.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Flag => "flag",
            Reason::Edge => "edge",
            Reason::Both => "both",
            Reason::Cap => "cap",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Machine {
    /// Says how far the charge is, and nothing that would show a program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("length", &self.cells().len())
            .field("cycle", &self.cycle)
            .finish_non_exhaustive()
    }
}
