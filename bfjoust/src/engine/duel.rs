//! Two programs at play, in steps of as many cycles as need no decision.

use std::sync::atomic::{AtomicBool, Ordering};

use super::fighter::{Fighter, Spot};
use super::journal::{Journal, Skip, Whose};
use crate::code::Op;
use crate::machine::{Charge, Reason};
use crate::program::Program;
use crate::rules::{Rules, Setup};

/// Steps between two looks at whether to stop: some microseconds, so that a cancelled joust ends at once and the
/// looking costs nothing.
const CHUNK_STEPS: u32 = 512;

/// Steps that notes are taken for at first, and at most: enough for any period that the journal can hold.
const NOTE_MIN_STEPS: u32 = 64;
const NOTE_MAX_STEPS: u32 = 1 << 14;

/// Cycles that each step with notes must come to for them to pay.
const GAIN_FACTOR: u64 = 8;

/// How many steps are played without notes for each that was noted in vain.
const PLAIN_FACTOR: u32 = 4;

/// Cycles that playing apart must come to for another attempt to be made soon.
const GAIN_MIN_CYCLES: u64 = GAIN_FACTOR * CHUNK_STEPS as u64;

/// Cycles that the programs are at first played apart for.
const HORIZON_MIN_CYCLES: u64 = 1 << 13;

/// Most chunks that are played before another attempt to play apart.
const PAUSE_MAX_COUNT: u32 = 64;

/// How a chunk ended.
#[derive(PartialEq, Eq)]
enum End {
    /// The charge did.
    Charge(Charge),
    /// The programs are where they have been.
    Return,
    /// Nothing happened.
    Chunk,
}

/// Why a stretch of steps stopped.
enum Stop {
    /// The limit is reached.
    Limit,
    /// The programs are where they have been.
    Return,
    /// So many steps were played.
    Steps,
    /// Somebody may have lost, or, with notes taken, jumped back.
    Look { looped: bool },
}

/// How long to wait with an attempt: the longer, the more of them were in vain.
struct Pause {
    chunks: u32,
    next_chunks: u32,
}

impl Default for Pause {
    fn default() -> Pause {
        Pause { chunks: 1, next_chunks: 1 }
    }
}

impl Pause {
    /// Another chunk is over: whether to try now.
    fn is_over(&mut self) -> bool {
        self.chunks = self.chunks.saturating_sub(1);
        self.chunks == 0
    }

    /// What an attempt brought.
    fn gained(&mut self, cycles: u64) {
        self.next_chunks = if cycles >= GAIN_MIN_CYCLES { 1 } else { (self.next_chunks * 2).min(PAUSE_MAX_COUNT) };
        self.chunks = self.next_chunks;
    }
}

/// A charge in progress.
pub(super) struct Duel<'a, 'j> {
    board: Board,
    left: Fighter<'a>,
    right: Fighter<'a>,
    journal: &'j mut Journal,
}

/// The tape and how far the charge is.
pub(super) struct Board {
    /// With one spare cell beyond each flag, for the pointer that has just run off.
    pub(super) cells: Vec<u8>,
    pub(super) cycle: u64,
    pub(super) cycle_limit: u64,
    flag_cycles: u32,
    /// For how many cycles in a row each flag has been zero.
    flag_zero_cycles: [u32; 2],
    /// When each flag was last changed, as far as notes are taken; too early does no harm.
    flag_changed: [u64; 2],
    /// Whether a flag is zero now; then cycles are played one by one.
    alarm: bool,
    /// The cells before and behind those that are played on; play stops where a pointer stands on one. With both
    /// programs at play they are the spare ones.
    low: usize,
    high: usize,
    /// Whether one program is played alone: to the very cycle that it is stopped at, and never to a loss.
    pub(super) solo: bool,
}

impl<'a, 'j> Duel<'a, 'j> {
    pub(super) fn new(
        left: &'a Program,
        right: &'a Program,
        setup: Setup,
        rules: &Rules,
        journal: &'j mut Journal,
    ) -> Duel<'a, 'j> {
        let length = setup.length;
        let mut cells = vec![rules.background; length + 2];
        cells[1] = rules.flag;
        cells[length] = rules.flag;
        let board = Board {
            cells,
            cycle: 0,
            cycle_limit: rules.cycle_limit,
            flag_cycles: rules.flag_cycles,
            flag_zero_cycles: [0, 0],
            flag_changed: [0, 0],
            alarm: rules.flag == 0,
            low: 0,
            high: length + 1,
            solo: false,
        };
        journal.begin(length + 2);
        let left = Fighter::new(left, Whose::Left, 1, 1);
        let right = Fighter::new(right, Whose::Right, length, if setup.swapped { -1 } else { 1 });
        Duel { board, left, right, journal }
    }

    /// Plays to the end, or gives `None` soon after `cancel` is set.
    pub(super) fn finish(&mut self, cancel: &AtomicBool) -> Option<Charge> {
        // Attempts to play the programs apart become rarer the less they bring.
        let mut pause = Pause::default();
        let mut horizon_cycles = HORIZON_MIN_CYCLES;
        loop {
            let outcome = self.go_on(cancel, Some(&mut pause));
            if outcome.is_some() || cancel.load(Ordering::Relaxed) {
                return outcome;
            }
            let gained = self.apart(horizon_cycles, cancel);
            horizon_cycles = if gained == horizon_cycles { gained.saturating_mul(4) } else { HORIZON_MIN_CYCLES };
            pause.gained(gained);
        }
    }

    /// Plays until the charge ends, `cancel` is set, or it is time for something else.
    fn go_on(&mut self, cancel: &AtomicBool, mut until: Option<&mut Pause>) -> Option<Charge> {
        // Notes are taken once the programs were seen to come back to where they have been, for as long as that pays.
        // If it does not, the next attempt is longer, to find longer periods, and as much later.
        let mut note_steps = NOTE_MIN_STEPS;
        let mut plain_steps = 0_u32;
        while !cancel.load(Ordering::Relaxed) {
            match self.run::<false>(CHUNK_STEPS, plain_steps > 0) {
                End::Charge(outcome) => return Some(outcome),
                End::Chunk => plain_steps = plain_steps.saturating_sub(CHUNK_STEPS),
                End::Return => {
                    self.journal.forget();
                    loop {
                        let before = self.board.cycle;
                        if let End::Charge(outcome) = self.run::<true>(note_steps, false) {
                            return Some(outcome);
                        }
                        self.journal.tidy();
                        if self.board.cycle - before < GAIN_FACTOR * u64::from(note_steps) {
                            plain_steps = note_steps * PLAIN_FACTOR;
                            note_steps = (note_steps * 2).min(NOTE_MAX_STEPS);
                            break;
                        }
                        if cancel.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                    self.journal.forget();
                }
            }
            if until.as_mut().is_some_and(|until| until.is_over()) {
                break;
            }
        }
        None
    }

    /// Plays each program alone for as long as both stay away from the other's cells, up to some cycles, and gives how
    /// many that was. What one does away from the other is nothing to it.
    fn apart(&mut self, horizon_cycles: u64, cancel: &AtomicBool) -> u64 {
        let (left, right) = (self.left.spot.pointer, self.right.spot.pointer);
        if self.board.alarm || left == right {
            return 0;
        }
        let before = self.board.cycle;
        let middle = left.midpoint(right).min(left.max(right) - 1);
        // The cells of each lie between two others. A pointer on one of those has touched nothing there yet.
        let below = (0, middle + 1);
        let above = (middle, self.board.cells.len() - 1);
        let (left_cells, right_cells) = if left < right { (below, above) } else { (above, below) };
        let until = self.board.cycle_limit.min(before.saturating_add(horizon_cycles));
        let mut alone =
            |fighter: &Fighter<'a>, cells, until| alone(&self.board, fighter, self.journal, cells, until, cancel);
        // Who has to stop sets the time for the other.
        let mut left = alone(&self.left, left_cells, until);
        let right = alone(&self.right, right_cells, left.0.cycle);
        if right.0.cycle < left.0.cycle {
            left = alone(&self.left, left_cells, right.0.cycle);
        }
        self.journal.forget();
        if left.0.cycle != right.0.cycle || left.0.cycle == before {
            return 0;
        }
        let (low, high) = right_cells;
        self.board.cells.copy_from_slice(&left.0.cells);
        self.board.cells[low + 1..high].copy_from_slice(&right.0.cells[low + 1..high]);
        let (first, last) = if left_cells.0 == 0 { (&left.0, &right.0) } else { (&right.0, &left.0) };
        self.board.flag_zero_cycles = [first.flag_zero_cycles[0], last.flag_zero_cycles[1]];
        self.board.alarm = self.board.flag_zero_cycles != [0, 0];
        self.board.cycle = left.0.cycle;
        (self.left, self.right) = (left.1, right.1);
        self.board.cycle - before
    }

    /// Plays some steps, or to the end. `NOTE` says whether it is noted in the journal; if not, play stops where
    /// the programs have been before, unless it is to go `on`.
    fn run<const NOTE: bool>(&mut self, mut steps: u32, on: bool) -> End {
        loop {
            match self.stretch::<NOTE>(&mut steps, !on) {
                Stop::Limit => return End::Charge(Charge::cap(self.board.cycle_limit)),
                Stop::Return => return End::Return,
                Stop::Steps => return End::Chunk,
                Stop::Look { looped } => {
                    let board = &mut self.board;
                    let off = |spot: &Spot| spot.pointer == board.low || spot.pointer == board.high;
                    let (left_off, right_off) = (off(&self.left.spot), off(&self.right.spot));
                    if left_off || right_off || board.has_zero_flag() || board.alarm {
                        // Alone, whoever leaves its cells stops there, and nobody has lost yet.
                        let (left_lost, right_lost) = (left_off && !board.solo, right_off && !board.solo);
                        if let Some(outcome) = board.losses(left_lost, right_lost) {
                            return End::Charge(outcome);
                        }
                        if board.solo && left_off {
                            return End::Charge(Charge::cap(board.cycle));
                        }
                    }
                    if !looped {
                        continue;
                    }
                    let (left, right) = (&mut self.left, &mut self.right);
                    if NOTE {
                        if self.journal.control_point(board, left, right) == Skip::ToTheCap {
                            return End::Charge(Charge::cap(board.cycle_limit));
                        }
                    } else if !on && self.journal.has_been_here(board, left, right) {
                        return End::Return;
                    }
                }
            }
        }
    }

    /// Plays steps until there is something to look at. All that changes with every step is in registers meanwhile.
    #[inline(always)]
    fn stretch<const NOTE: bool>(&mut self, steps: &mut u32, look_back: bool) -> Stop {
        let Duel { board, left, right, journal } = self;
        let (mut one, mut other) = (left.spot, right.spot);
        let mut cells = std::mem::take(&mut board.cells);
        let tape = cells.as_mut_slice();
        let last = tape.len() - 2;
        let (low, high, limit, alarm) = (board.low, board.high, board.cycle_limit, board.alarm);
        let mut cycle = board.cycle;

        let stop = loop {
            if *steps == 0 {
                break Stop::Steps;
            }
            if cycle >= limit {
                break Stop::Limit;
            }
            *steps -= 1;
            let (one_value, other_value) = (tape[one.pointer], tape[other.pointer]);
            let mut cycles = 1;
            if one.rest > 1 && other.rest > 1 && !alarm {
                // Both within a run: nothing can happen but at the end of the shorter one.
                if one.op == Op::End && other.op == Op::End {
                    cycle = limit;
                    break Stop::Limit;
                }
                cycles = one.rest.min(other.rest).min(limit - cycle);
                cycles = cycles.min(one.room(low, high)).min(other.room(low, high));
                for (flag, add) in flags_changed(&one, &other, last).into_iter().flatten() {
                    cycles = cycles.min(cycles_to_zero(tape[flag], add));
                }
            } else if NOTE {
                if one.op.is_bracket() {
                    journal.test(one.pointer, one_value);
                }
                if other.op.is_bracket() {
                    journal.test(other.pointer, other_value);
                }
            }
            if NOTE {
                for (flag, add) in flags_changed(&one, &other, last).into_iter().flatten() {
                    let changed = &mut board.flag_changed[usize::from(flag != 1)];
                    note_flag(flag, tape[flag], add, cycles, cycle, board.flag_cycles, changed, journal);
                }
            }
            // Both comparisons are with the values above, before both additions (J62), which add up (J63).
            for spot in [&one, &other] {
                if spot.add != 0 {
                    let sum = spot.add.wrapping_mul(cycles as u8);
                    tape[spot.pointer] = tape[spot.pointer].wrapping_add(sum);
                    if NOTE {
                        journal.add(spot.pointer, sum);
                    }
                }
            }
            cycle += cycles;
            let mut looped = false;
            one.advance(cycles);
            if one.rest == 0 {
                let (next, back) = one.next(left.code, one_value == 0);
                looped |= back | left.go::<NOTE>(&mut one, next, journal);
            }
            other.advance(cycles);
            if other.rest == 0 {
                let (next, back) = other.next(right.code, other_value == 0);
                looped |= back | right.go::<NOTE>(&mut other, next, journal);
            }
            let off = (one.pointer == low) | (one.pointer == high) | (other.pointer == low) | (other.pointer == high);
            if off | (tape[1] == 0) | (tape[last] == 0) | alarm {
                break Stop::Look { looped };
            }
            if looped {
                if NOTE {
                    break Stop::Look { looped };
                }
                if look_back && journal.was_here(&one, &other, cycle) {
                    break Stop::Return;
                }
            }
        };
        board.cells = cells;
        board.cycle = cycle;
        (left.spot, right.spot) = (one, other);
        stop
    }
}

/// The flags that are being changed, and what a cycle adds to them.
#[inline(always)]
fn flags_changed(one: &Spot, other: &Spot, last: usize) -> [Option<(usize, u8)>; 2] {
    let is_changed = |spot: &Spot| (spot.add != 0) & ((spot.pointer == 1) | (spot.pointer == last));
    let (one_flag, other_flag) = (is_changed(one), is_changed(other));
    if !one_flag & !other_flag {
        return [None, None];
    }
    if one_flag && other_flag && one.pointer == other.pointer {
        // What both do adds up, perhaps to nothing (J63).
        let sum = one.add.wrapping_add(other.add);
        return [(sum != 0).then_some((one.pointer, sum)), None];
    }
    [one_flag.then_some((one.pointer, one.add)), other_flag.then_some((other.pointer, other.add))]
}

/// Notes what must not be zero for a flag that is about to be changed to be lost in no cycle.
#[expect(clippy::too_many_arguments, reason = "they come out of registers, one by one")]
fn note_flag(
    flag: usize,
    value: u8,
    add: u8,
    cycles: u64,
    cycle: u64,
    flag_cycles: u32,
    changed: &mut u64,
    journal: &mut Journal,
) {
    if flag_cycles == 1 {
        journal.span(flag, value, add, cycles);
        return;
    }
    // Only what a flag stays at for long enough matters, and while it is being changed it stays at nothing.
    if cycle - *changed >= u64::from(flag_cycles) - 1 {
        journal.test(flag, value);
    }
    *changed = cycle + cycles;
}

/// Plays one program alone, on the cells between two, until it stands on one of these, somebody would lose, or it is
/// time.
fn alone<'a>(
    board: &Board,
    fighter: &Fighter<'a>,
    journal: &mut Journal,
    (low, high): (usize, usize),
    until: u64,
    cancel: &AtomicBool,
) -> (Board, Fighter<'a>) {
    let mut until = until;
    loop {
        journal.forget();
        let board = Board { low, high, solo: true, cells: board.cells.clone(), cycle_limit: until, ..*board };
        let mut solo = Duel { board, left: fighter.clone(), right: Fighter::idle(low + 1), journal };
        // In the journal, whoever plays alone is the left one.
        solo.left.whose = Whose::Left;
        let lost = solo.go_on(cancel, None).is_some_and(|outcome| outcome.reason != Reason::Cap);
        let Duel { board, mut left, .. } = solo;
        left.whose = fighter.whose;
        let off = left.spot.pointer == 0 || left.spot.pointer == board.cells.len() - 1;
        if !off && !lost {
            return (board, left);
        }
        // What ends a charge is left to be played by both together.
        until = board.cycle - 1;
    }
}

impl Board {
    /// For how many cycles in a row each flag has been zero, in bits that pointers do not have.
    #[inline(always)]
    pub(super) fn flag_zeros(&self) -> u64 {
        u64::from(self.flag_zero_cycles[0]) << 52 | u64::from(self.flag_zero_cycles[1]) << 20
    }

    #[inline(always)]
    fn has_zero_flag(&self) -> bool {
        self.cells[1] == 0 || self.cells[self.cells.len() - 2] == 0
    }

    /// Losses are tested after the whole cycle (J67, J68).
    #[cold]
    fn losses(&mut self, left_off: bool, right_off: bool) -> Option<Charge> {
        let flags = [1, self.cells.len() - 2].map(|index| self.cells[index] == 0);
        for (zero, cycles) in flags.iter().zip(&mut self.flag_zero_cycles) {
            *cycles = if *zero { *cycles + 1 } else { 0 };
        }
        self.alarm = flags[0] || flags[1];
        let [left, right] = self.flag_zero_cycles.map(|cycles| cycles >= self.flag_cycles);
        Charge::lost((left, left_off), (right, right_off), self.cycle)
    }
}

/// How many additions bring a cell to zero; more than any run is noted for if none do.
fn cycles_to_zero(cell: u8, add: u8) -> u64 {
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
