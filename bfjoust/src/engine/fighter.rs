//! A program at play, on its own side of what it shares with the other.

use super::journal::{Journal, Whose};
use crate::code::{Ins, Op};
use crate::program::Program;

/// A program at play.
#[derive(Clone)]
pub(super) struct Fighter<'a> {
    pub(super) code: &'a [Ins],
    /// Of the repetitions around the instruction, each in its slot.
    pub(super) counters: Vec<u32>,
    pub(super) spot: Spot,
    /// Which seat of the journal it has.
    pub(super) whose: Whose,
    /// What a cycle of each operation adds, and how far it moves as an index.
    effects: [(u8, i8); OPS],
}

/// Places for all operations; a power of two, so that an index needs no test.
const OPS: usize = 16;

/// Where a program is: all that changes with every step, apart from the rest so that it is kept in registers.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Place of the instruction, which takes cycles.
    pub(super) at: usize,
    /// Cycles it is still played for.
    pub(super) rest: u64,
    /// Index into the cells.
    pub(super) pointer: usize,
    pub(super) op: Op,
    pub(super) add: u8,
    step: i8,
}

impl<'a> Fighter<'a> {
    pub(super) fn new(program: &'a Program, whose: Whose, pointer: usize, polarity: i8) -> Fighter<'a> {
        let (code, mut counters) = (&program.instructions()[..], program.new_counters());
        let forward = if whose == Whose::Left { 1 } else { -1 };
        let mut effects = [(0, 0); OPS];
        for op in [Op::Add, Op::Sub, Op::Forward, Op::Back] {
            effects[op as usize] = ((op.add() * polarity) as u8, op.step() * forward);
        }
        let mut at = 0;
        while !code[at].op.takes_cycles() {
            counters[code[at].slot()] = if code[at].op == Op::Enter { 1 } else { code[at].n() };
            at += 1;
        }
        let mut fighter = Fighter { code, counters, spot: Spot::idle(pointer), whose, effects };
        fighter.spot.begin(at, &code[at], &effects);
        fighter
    }

    /// Nobody: a program that has ended.
    pub(super) fn idle(pointer: usize) -> Fighter<'a> {
        let (code, spot) = (&[Ins::END][..], Spot::idle(pointer));
        Fighter { code, counters: Vec::new(), spot, whose: Whose::Right, effects: [(0, 0); OPS] }
    }

    /// Goes from a spot to an instruction, and passes counted jumps, which take no cycle, up to one that does. Says
    /// whether one of them jumped back.
    #[inline(always)]
    pub(super) fn go<const NOTE: bool>(&mut self, spot: &mut Spot, at: usize, journal: &mut Journal) -> bool {
        let ins = &self.code[at];
        if ins.op.takes_cycles() {
            spot.begin(at, ins, &self.effects);
            return false;
        }
        let (at, looped) = self.count::<NOTE>(at, journal);
        spot.begin(at, &self.code[at], &self.effects);
        looped
    }

    fn count<const NOTE: bool>(&mut self, mut at: usize, journal: &mut Journal) -> (usize, bool) {
        let mut looped = false;
        loop {
            let ins = &self.code[at];
            if ins.op.takes_cycles() {
                return (at, looped);
            }
            let counter = &mut self.counters[ins.slot()];
            if NOTE {
                journal.count(self.whose, at, *counter, ins);
            }
            at += 1;
            match ins.op {
                Op::Enter => *counter = 1,
                Op::Top => *counter = ins.n(),
                Op::Again if *counter < ins.n() => {
                    *counter += 1;
                    looped = true;
                    at = ins.target as usize;
                }
                Op::Down if *counter > 1 => {
                    *counter -= 1;
                    looped = true;
                    at = ins.target as usize;
                }
                _ => {}
            }
        }
    }
}

impl Spot {
    fn idle(pointer: usize) -> Spot {
        Spot { at: 0, rest: u64::MAX, pointer, op: Op::End, add: 0, step: 0 }
    }

    #[inline(always)]
    fn begin(&mut self, at: usize, ins: &Ins, effects: &[(u8, i8); OPS]) {
        self.at = at;
        self.op = ins.op;
        self.rest = ins.cycles();
        (self.add, self.step) = effects[ins.op as usize & (OPS - 1)];
    }

    /// Cycles that it is still within a run for; 0 at the end of the program, which lasts for ever.
    #[inline(always)]
    pub(super) fn rest_in_run(&self) -> u64 {
        if self.op == Op::End { 0 } else { self.rest }
    }

    /// Cycles until the pointer is off its cells, if it moves.
    #[inline(always)]
    pub(super) fn room(&self, low: usize, high: usize) -> u64 {
        match self.step {
            1 => (high - self.pointer) as u64,
            -1 => (self.pointer - low) as u64,
            _ => u64::MAX,
        }
    }

    /// Moves for some cycles of a run, no more than there is room for.
    #[inline(always)]
    pub(super) fn advance(&mut self, cycles: u64) {
        self.pointer = self.pointer.wrapping_add_signed(isize::from(self.step).wrapping_mul(cycles as isize));
        self.rest -= cycles;
    }

    /// Where it goes on when nothing of its instruction is left, after a comparison with a cell that was zero or not,
    /// and whether that is back.
    #[inline(always)]
    pub(super) fn next(&self, code: &[Ins], zero: bool) -> (usize, bool) {
        let jumps = (self.op == Op::Open) & zero | (self.op == Op::Close) & !zero;
        if jumps { (code[self.at].target as usize, self.op == Op::Close) } else { (self.at + 1, false) }
    }
}
