//! A program at play, on its own side of what it shares with the other.

use super::journal::{Journal, Whose};
use crate::code::{Head, Ins, Op};
use crate::program::Program;

/// A program at play.
pub(super) struct Fighter<'a> {
    pub(super) code: &'a [Ins],
    /// Of the repetitions around the instruction, each in its slot.
    pub(super) counters: Vec<u32>,
    pub(super) spot: Spot,
    /// Which seat of the journal it has.
    pub(super) whose: Whose,
    pub(super) signs: Signs,
    /// How far it has been from where it began, as [`Signs::reach`] counts.
    pub(super) reach: isize,
}

/// Where a program is: all that changes with every step, apart from the rest so that it is kept in registers.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Place of the instruction, which takes cycles.
    pub(super) at: usize,
    /// That instruction.
    pub(super) head: Head,
    /// Cycles it is still played for.
    pub(super) rest: u64,
    /// Index into the cells.
    pub(super) pointer: usize,
}

/// What `+` and `>` are to a side: all bits set where they go down.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    polarity: u8,
    forward: isize,
}

impl Signs {
    /// Those of the left side.
    pub(super) const LEFT: Signs = Signs { polarity: 0, forward: 0 };

    /// What a cycle of an instruction adds to the cell.
    #[inline(always)]
    pub(super) fn add(self, head: Head) -> u8 {
        (head.add() ^ self.polarity).wrapping_sub(self.polarity)
    }

    /// A cell, counted so that those towards the enemy are greater: itself for the left side, its complement for the
    /// right one.
    #[inline(always)]
    pub(super) fn reach(self, cell: usize) -> isize {
        cell as isize ^ self.forward
    }

    /// How far a cycle moves, as an index.
    #[inline(always)]
    pub(super) fn step(self, spot: &Spot) -> isize {
        (isize::from(spot.head.step()) ^ self.forward).wrapping_sub(self.forward)
    }

    /// Cycles until the pointer is off its cells, if it moves.
    #[inline(always)]
    pub(super) fn room(self, spot: &Spot, low: usize, high: usize) -> u64 {
        match self.step(spot) {
            1 => (high - spot.pointer) as u64,
            -1 => (spot.pointer - low) as u64,
            _ => u64::MAX,
        }
    }

    /// Moves for some cycles of a run, no more than there is room for.
    #[inline(always)]
    pub(super) fn advance(self, spot: &mut Spot, cycles: u64) {
        spot.pointer = spot.pointer.wrapping_add_signed(self.step(spot).wrapping_mul(cycles as isize));
        spot.head = spot.head.begun();
        spot.rest -= cycles;
    }

    /// Moves for one cycle.
    #[inline(always)]
    pub(super) fn advance_one(self, spot: &mut Spot) {
        spot.pointer = spot.pointer.wrapping_add_signed(self.step(spot));
        spot.head = spot.head.begun();
        spot.rest -= 1;
    }
}

impl<'a> Fighter<'a> {
    pub(super) fn new(
        program: &'a Program,
        whose: Whose,
        pointer: usize,
        swapped: bool,
        mut counters: Vec<u32>,
    ) -> Fighter<'a> {
        let code = &program.instructions()[..];
        counters.clear();
        counters.resize(program.counters, 0);
        let forward = if whose == Whose::Left { 0 } else { -1 };
        let signs = Signs { polarity: if swapped { u8::MAX } else { 0 }, forward };
        let mut at = 0;
        while !code[at].op().takes_cycles() {
            counters[code[at].slot()] = if code[at].op() == Op::Enter { 1 } else { code[at].n() };
            at += 1;
        }
        Fighter {
            code,
            counters,
            spot: Spot { at, head: code[at].head(), rest: code[at].cycles(), pointer },
            whose,
            signs,
            reach: signs.reach(pointer),
        }
    }

    /// Becomes the same as another one, in the memory that it has.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, other: &Fighter<'a>) {
        let mut counters = std::mem::take(&mut self.counters);
        counters.clone_from(&other.counters);
        *self = Fighter { counters, ..*other };
    }

    /// How far it has been, with where it stands now.
    #[inline(always)]
    pub(super) fn reach_now(&self) -> isize {
        self.reach.max(self.signs.reach(self.spot.pointer))
    }

    /// Goes to an instruction, and passes counted jumps, which take no cycle, up to one that does. Says
    /// whether one of them jumped back.
    #[inline(always)]
    pub(super) fn go<const NOTE: bool>(&mut self, at: usize, journal: &mut Journal) -> bool {
        let (mut at, mut looped) = (at, false);
        while self.code[at].head().is_counted() {
            let (jump, ins) = (at, &self.code[at]);
            let value = self.counters[ins.slot()];
            at = self.count(jump);
            looped |= at <= jump;
            if NOTE {
                journal.count(self.whose, jump, (value, self.counters[ins.slot()]), ins);
            }
        }
        let ins = &self.code[at];
        (self.spot.at, self.spot.head, self.spot.rest) = (at, ins.head(), ins.cycles());
        looped
    }

    /// Plays some cycles of the runs from here on, up to the end of the last one, and gives what they add to the cell.
    #[inline(always)]
    pub(super) fn walk(&mut self, cycles: u64) -> u8 {
        let (mut cycles, mut sum) = (cycles, 0_u8);
        while cycles > 0 {
            if self.spot.rest == 0 {
                let ins = &self.code[self.spot.at + 1];
                (self.spot.at, self.spot.head, self.spot.rest) = (self.spot.at + 1, ins.head(), ins.cycles());
            }
            let played = self.spot.rest.min(cycles);
            sum = sum.wrapping_add(self.signs.add(self.spot.head).wrapping_mul(played as u8));
            self.signs.advance(&mut self.spot, played);
            cycles -= played;
        }
        sum
    }

    /// Goes on if nothing of the instruction is left, after a comparison with a cell that was zero or not. Says whether
    /// that is back.
    #[inline(always)]
    pub(super) fn turn<const NOTE: bool>(&mut self, zero: bool, journal: &mut Journal) -> bool {
        if self.spot.rest > 0 {
            return false;
        }
        let (jumps, back) = self.spot.head.jumps(zero);
        let next = if jumps {
            jumping();
            self.spot.head.target()
        } else {
            self.spot.at + 1
        };
        self.go::<NOTE>(next, journal) | back
    }

    /// The next instruction that takes cycles, from one on, without notes: its place, its head and its count.
    #[inline(always)]
    pub(super) fn next(&mut self, at: usize) -> (usize, Head, u64) {
        let mut at = at;
        loop {
            let ins = &self.code[at];
            let head = ins.head();
            if !head.is_counted() {
                return (at, head, ins.cycles());
            }
            at = self.count(at);
        }
    }

    /// Counts at a counted jump, and gives where that leads.
    #[inline(always)]
    fn count(&mut self, at: usize) -> usize {
        let ins = &self.code[at];
        let (head, counter, n) = (ins.head(), &mut self.counters[ins.slot()], ins.n());
        if head.counts_up() & (*counter < n) {
            *counter += 1;
            return head.target();
        }
        if head.counts_down() & (*counter > 1) {
            *counter -= 1;
            return head.target();
        }
        let (starts, low) = head.starts();
        if starts {
            *counter = if low { 1 } else { n };
        }
        at + 1
    }

    /// Turns after which the counted loop with this end goes on.
    #[inline(always)]
    pub(super) fn turns_left(&self, end: &Ins) -> u64 {
        let counter = self.counters[end.slot()];
        u64::from(if end.head().counts_up() { end.n() - counter } else { counter - 1 })
    }

    /// So many turns of that loop are over.
    #[inline(always)]
    pub(super) fn count_turns(&mut self, end: &Ins, turns: u64) {
        let counter = &mut self.counters[end.slot()];
        *counter = if end.head().counts_up() { *counter + turns as u32 } else { *counter - turns as u32 };
    }
}

impl Spot {
    /// Cycles that it is still within a run for; 0 at the end of the program, which lasts for ever.
    #[inline(always)]
    pub(super) fn rest_in_run(&self) -> u64 {
        if self.head.is_end() { 0 } else { self.rest }
    }

    /// Whether it may go on for more than a cycle without a decision.
    #[inline(always)]
    pub(super) fn is_long(&self) -> bool {
        (self.rest > 1) | self.head.is_tight()
    }
}

/// Keeps a jump a jump: one that can be foretold costs less than to wait for what it depends on.
#[cold]
pub(super) fn jumping() {}
