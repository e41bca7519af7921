//! The machine: two programs on one tape, cycle by cycle, and how a charge ends.
//!
//! A cycle is the rules in their order (seed 000, items 6 and 7). First come both comparisons, then both additions and
//! moves, then the tests for a loss, then the limit. No step is ever skipped or put together with another: this is what
//! the engine must agree with, and what shows a charge to people.

use std::fmt;
use std::sync::Arc;

use crate::code::{Ins, Op};
use crate::presets::{LENGTH_MAX_CELLS, LENGTH_MIN_CELLS, Rules, Setup};
use crate::program::Program;

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

/// A charge in progress, a cycle at a time. [`crate::charge()`] gives what this comes to, sooner.
#[derive(Clone)]
pub struct Machine {
    /// The tape with one spare cell beyond each flag, for the pointer that has just run off.
    cells: Vec<u8>,
    left: Runner,
    right: Runner,
    cell_max: u8,
    cycle_limit: u64,
    flag_cycles: u32,
    cycle: u64,
    /// Set in the cycle that ended the charge; then nothing moves any more.
    outcome: Option<Charge>,
}

/// A program at play.
#[derive(Clone)]
struct Runner {
    code: Arc<[Ins]>,
    /// Place of the instruction to play next, which takes cycles.
    at: usize,
    /// Cycles of it that are played already.
    played: u64,
    /// Of the repetitions around it, each in its slot.
    counters: Vec<u32>,
    /// Index into the machine's cells.
    pointer: usize,
    flag: usize,
    /// 1 on the left and -1 on the right.
    forward: isize,
    /// -1 where `+` and `-` are exchanged, else 1.
    polarity: i8,
    /// For how many cycles in a row the flag has been zero.
    flag_zero_cycles: u32,
}

/// Refuses what no machine plays.
pub(crate) fn assert_playable(length: usize, rules: &Rules) {
    assert!(
        (LENGTH_MIN_CELLS..=LENGTH_MAX_CELLS).contains(&length),
        "a tape has {LENGTH_MIN_CELLS} to {LENGTH_MAX_CELLS} cells"
    );
    assert!(rules.flag <= rules.cell_max && rules.background <= rules.cell_max, "cells start within their range");
    assert!(rules.flag_cycles > 0, "a flag is zero for a cycle at least before it is lost");
}

impl Machine {
    /// Both programs on their flags, before the first cycle (J59).
    ///
    /// # Panics
    /// As [`crate::charge()`].
    pub fn new(left: &Program, right: &Program, length: usize, rules: &Rules) -> Machine {
        Machine::set_up(left, right, Setup::from(length), rules)
    }

    /// As [`Machine::new`], on any setup.
    ///
    /// # Panics
    /// As [`crate::charge()`].
    pub fn set_up(left: &Program, right: &Program, setup: Setup, rules: &Rules) -> Machine {
        let length = setup.length;
        assert_playable(length, rules);
        let mut cells = vec![rules.background; length + 2];
        cells[1] = rules.flag;
        cells[length] = rules.flag;
        Machine {
            cells,
            left: Runner::new(left, 1, 1, 1),
            right: Runner::new(right, length, -1, if setup.swapped { -1 } else { 1 }),
            cell_max: rules.cell_max,
            cycle_limit: rules.cycle_limit,
            flag_cycles: rules.flag_cycles,
            cycle: 0,
            outcome: None,
        }
    }

    /// Plays one cycle. Gives the outcome once there is one, and from then on changes nothing.
    pub fn step(&mut self) -> Option<Charge> {
        if self.outcome.is_none() {
            if self.cycle < self.cycle_limit {
                self.outcome = self.play();
            }
            if self.outcome.is_none() && self.cycle == self.cycle_limit {
                self.outcome = Some(Charge::cap(self.cycle_limit));
            }
        }
        self.outcome
    }

    /// Plays to the end.
    pub fn finish(&mut self) -> Charge {
        loop {
            if let Some(outcome) = self.step() {
                return outcome;
            }
            // When both programs have ended nothing changes before the limit (J70), unless a flag is being lost.
            let calm = self.left.flag_zero_cycles == 0 && self.right.flag_zero_cycles == 0;
            if calm && self.symbol(Side::Left).is_none() && self.symbol(Side::Right).is_none() {
                return Charge::cap(self.cycle_limit);
            }
        }
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

    /// The symbol that a side plays in the next cycle, as its program has it, with `,` shown as `.`. It is `None` at
    /// the end of its program.
    pub fn symbol(&self, side: Side) -> Option<char> {
        self.runner(side).op().symbol()
    }

    fn runner(&self, side: Side) -> &Runner {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// What a side has lost by in the cycle that was played last: its flag, and the edge of the tape (J67, J68). Where
    /// both sides lose, [`Reason::Both`] does not tell.
    pub fn lost_by(&self, side: Side) -> (bool, bool) {
        let Runner { flag_zero_cycles, pointer, .. } = *self.runner(side);
        (flag_zero_cycles >= self.flag_cycles, pointer == 0 || pointer == self.cells.len() - 1)
    }

    /// Plays one cycle.
    fn play(&mut self) -> Option<Charge> {
        let (left, right) = (self.left.op(), self.right.op());

        // Both comparisons read the cells as the cycle before left them (J62).
        self.left.advance(self.cells[self.left.pointer] == 0);
        self.right.advance(self.cells[self.right.pointer] == 0);

        // Additions on one cell add up, so their order is nothing (J63). Each side's `>` points at the other's flag for
        // ever (J61).
        for (runner, op) in [(&mut self.left, left), (&mut self.right, right)] {
            let cell = &mut self.cells[runner.pointer];
            *cell = match op.add() * runner.polarity {
                1 if *cell == self.cell_max => 0,
                -1 if *cell == 0 => self.cell_max,
                addition => cell.wrapping_add_signed(addition),
            };
            runner.pointer = runner.pointer.wrapping_add_signed(runner.forward * isize::from(op.step()));
        }
        self.cycle += 1;

        // Losses are tested after the whole cycle (J67, J68).
        for runner in [&mut self.left, &mut self.right] {
            runner.flag_zero_cycles = if self.cells[runner.flag] == 0 { runner.flag_zero_cycles + 1 } else { 0 };
        }
        Charge::lost(self.lost_by(Side::Left), self.lost_by(Side::Right), self.cycle)
    }
}

impl Runner {
    fn new(program: &Program, flag: usize, forward: isize, polarity: i8) -> Runner {
        let code = Arc::clone(program.instructions());
        let counters = program.new_counters();
        let (at, played, pointer, flag_zero_cycles) = (0, 0, flag, 0);
        let mut runner = Runner { code, at, played, counters, pointer, flag, forward, polarity, flag_zero_cycles };
        runner.count();
        runner
    }

    fn op(&self) -> Op {
        self.code[self.at].op()
    }

    /// Goes on to what is played in the next cycle, after a comparison with a cell that was zero or not.
    fn advance(&mut self, zero: bool) {
        let ins = self.code[self.at];
        match ins.op() {
            Op::End => return,
            Op::Open if zero => self.at = ins.target(),
            Op::Close if !zero => self.at = ins.target(),
            _ => {
                self.played += 1;
                if self.played < ins.cycles() {
                    return;
                }
                self.at += 1;
            }
        }
        self.played = 0;
        self.count();
    }

    /// Passes counted jumps, which take no cycle, up to an instruction that does.
    fn count(&mut self) {
        loop {
            let ins = self.code[self.at];
            if ins.op().takes_cycles() {
                return;
            }
            let counter = &mut self.counters[ins.slot()];
            self.at += 1;
            match ins.op() {
                Op::Enter => *counter = 1,
                Op::Top => *counter = ins.n(),
                Op::Again if *counter < ins.n() => {
                    *counter += 1;
                    self.at = ins.target();
                }
                Op::Down if *counter > 1 => {
                    *counter -= 1;
                    self.at = ins.target();
                }
                _ => {}
            }
        }
    }
}

impl Charge {
    pub(crate) fn cap(cycle_limit: u64) -> Charge {
        Charge { winner: None, reason: Reason::Cap, cycles: cycle_limit }
    }

    /// What the losses of one cycle make of the charge, each side's by its flag and by the edge; nothing if there are
    /// none.
    pub(crate) fn lost(left: (bool, bool), right: (bool, bool), cycles: u64) -> Option<Charge> {
        let (winner, flag) = match (left.0 | left.1, right.0 | right.1) {
            (false, false) => return None,
            (true, true) => return Some(Charge { winner: None, reason: Reason::Both, cycles }),
            (true, false) => (Side::Right, left.0),
            (false, true) => (Side::Left, right.0),
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
