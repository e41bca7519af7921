//! Plays two programs without looking for periods, in the cheapest way to what comes next.
//!
//! While one program is in a run, in a loop of runs, or in a counted loop of runs, what it does is known for all of its
//! cycles. The other one is played alone through them. Only where both do short things they are played together, and in
//! one step where both are short loops that last (`turn.rs`). Either way stops where a flag is zero.

use super::duel::{Duel, End};
use super::fighter::{Fighter, Signs, Spot, jumping};
use super::sprint::{Course, Run};
use super::stay::{Stay, cycles_to_zero};
use super::turn::{Turn, play_rounds};
use crate::charge::Charge;
use crate::code::LONG_MIN_CYCLES;

/// Cycles of a counted loop of runs, at least, through which the other program is played alone. 8, 32 and 64 make
/// no difference.
const STEADY_MIN_CYCLES: u64 = 16;

/// Steps that both are played together for, before it is looked whether something better can be done, and as many
/// before loops of both are looked at. 8 and 64 make no difference to a hill. With 8, pairs that are told by no loop
/// take 15 % longer.
const TOGETHER_STEPS: u32 = 32;

impl Duel<'_, '_> {
    /// Plays some steps, or to the end, of a charge in which they have met.
    #[inline(never)]
    pub(super) fn dash(&mut self, mut steps: u32) -> End {
        debug_assert!(self.met, "where they meet is for `run` to see");
        // Cycles that both were played together for, without anything else between.
        let mut in_loops = 0;
        loop {
            if self.board.cycle >= self.board.cycle_limit {
                return End::Charge(Charge::cap(self.board.cycle_limit));
            }
            if steps == 0 {
                return End::Chunk;
            }
            let before = self.board.cycle;
            if !self.board.alarm {
                self.one_alone(&mut steps);
            }
            if self.board.cycle == before {
                self.together(&mut steps);
                in_loops += self.board.cycle - before;
            } else {
                in_loops = 0;
            }
            if let Some(outcome) = self.lost() {
                return End::Charge(outcome);
            }
            if in_loops >= u64::from(TOGETHER_STEPS) && !self.board.alarm {
                in_loops = 0;
                let Duel { board, left, right, journal, .. } = self;
                if left.spot.head.is_in_still_loop() && right.spot.head.is_in_still_loop() {
                    let mut cells = std::mem::take(&mut board.cells);
                    play_rounds::<false>((board, &mut cells), left, right, journal);
                    board.cells = cells;
                }
            }
        }
    }

    /// Plays one program alone for as long as the other is in a run or a loop of one run.
    fn one_alone(&mut self, steps: &mut u32) {
        let Duel { board, left, right, journal, .. } = self;
        let (one, other) = (left.spot, right.spot);
        let last = board.cells.len() - 2;
        let mut course = Course {
            low: 0,
            high: last + 1,
            last,
            passes_zero: board.flag_cycles > 1,
            cycles: board.cycle_limit - board.cycle,
            steps: *steps,
        };
        let steady = |stays: &Fighter<'_>, moves: &Fighter<'_>| {
            if !stays.spot.head.is_steady() {
                return None;
            }
            // A flag that stays as it is for a cycle is for a closer look.
            let is_flag = (stays.spot.pointer == 1) | (stays.spot.pointer == last);
            if is_flag && !(course.passes_zero && stays.is_restless()) {
                return None;
            }
            let steady = Turn::of(stays)?;
            let is_long = (steady.lasts >= STEADY_MIN_CYCLES) & (steady.lasts > moves.spot.rest_in_run());
            is_long.then_some(steady)
        };
        let found = match steady(left, right) {
            Some(steady) => Some((steady, &mut *left, &mut *right)),
            None => steady(right, left).map(|steady| (steady, &mut *right, &mut *left)),
        };
        if let Some((steady, stays, moves)) = found {
            course.cycles = course.cycles.min(steady.lasts);
            let done = moves.sprint(&mut board.cells, &mut course, &steady);
            steady.play(stays, &mut board.cells, done, journal);
            board.cycle += done;
            *steps = course.steps;
            return;
        }
        // Who stays: the one with the longer run, for the other one may come to something else soon.
        let runs = |spot: &Spot| !spot.head.is_tight() && spot.rest >= LONG_MIN_CYCLES;
        let left_stays = match (runs(&one), runs(&other)) {
            (true, true) => one.rest > other.rest,
            (false, false) => one.head.is_tight(),
            (left_runs, _) => left_runs,
        };
        let (stays, moves) = if left_stays { (left, right) } else { (right, left) };
        let spot = stays.spot;
        let tape = &mut board.cells[..];
        if !spot.head.is_tight() {
            if spot.rest < LONG_MIN_CYCLES {
                return;
            }
            course.cycles = course.cycles.min(spot.rest).min(stays.signs.room(&spot, course.low, course.high));
            let add = stays.signs.add(spot.head);
            let is_flag = (spot.pointer == 1) | (spot.pointer == last);
            if is_flag && add != 0 && !course.passes_zero {
                // Nobody else may change it, so that it is known when it is zero.
                if spot.pointer == moves.spot.pointer {
                    return;
                }
                course.cycles = course.cycles.min(cycles_to_zero(tape[spot.pointer], add));
                course.stop_at(spot.pointer, moves.spot.pointer);
            }
            let drift = if add == 0 { Run::IDLE } else { Run { cell: spot.pointer, add } };
            let done = moves.sprint(tape, &mut course, &drift);
            if add != 0 {
                tape[spot.pointer] = tape[spot.pointer].wrapping_add(add.wrapping_mul(done as u8));
            }
            if done > 0 {
                stays.signs.advance(&mut stays.spot, done);
                stays.turn::<false>(false, journal);
            }
            board.cycle += done;
        } else if spot.pointer != moves.spot.pointer {
            let stay = Stay::of::<false>(stays, (&moves.spot, 0), tape);
            if stay.cycles < LONG_MIN_CYCLES {
                return;
            }
            course.cycles = course.cycles.min(stay.cycles);
            course.stop_at(spot.pointer, moves.spot.pointer);
            let done = moves.sprint(tape, &mut course, &Run::IDLE);
            if done > 0 {
                stay.play::<false>(stays, tape, done, journal);
            }
            board.cycle += done;
        }
        *steps = course.steps;
    }

    /// Plays both, cycle by cycle, until something better can be done.
    fn together(&mut self, steps: &mut u32) {
        let Duel { board, left, right, .. } = self;
        let tape = &mut board.cells[..];
        let last = tape.len() - 2;
        let is_long = |one: &Spot, other: &Spot| {
            (one.rest.max(other.rest) >= LONG_MIN_CYCLES)
                | ((one.head.is_tight() | other.head.is_tight()) & (one.pointer != other.pointer))
        };
        let (mut one, mut other) = (left.spot, right.spot);
        // Where a flag is zero, that is to be looked at after every cycle.
        let most = if board.alarm | is_long(&one, &other) { 1 } else { TOGETHER_STEPS.min(*steps) };
        let most = most.min(u32::try_from(board.cycle_limit - board.cycle).unwrap_or(u32::MAX));
        let mut done = 0;
        while done < most {
            done += 1;
            // Both comparisons are with what was there before both additions (J62).
            let (one_value, other_value) = (tape[one.pointer], tape[other.pointer]);
            let look =
                left.step::<true>(&mut one, tape, one_value) | right.step::<false>(&mut other, tape, other_value);
            if look && {
                let off = (one.pointer == 0) | (one.pointer > last) | (other.pointer == 0) | (other.pointer > last);
                off | (tape[1] == 0) | (tape[last] == 0) | is_long(&one, &other)
            } {
                break;
            }
        }
        (left.spot, right.spot) = (one, other);
        board.cycle += u64::from(done);
        *steps -= done;
    }
}

impl Fighter<'_> {
    /// Plays a cycle of a side's spot, on a cell that held `value` at its beginning. Says whether there is something to
    /// look at: a pointer off the tape, a flag at zero, or something long to come.
    #[inline(always)]
    fn step<const IS_LEFT: bool>(&mut self, spot: &mut Spot, tape: &mut [u8], value: u8) -> bool {
        let head = spot.head;
        let signs = if IS_LEFT { Signs::LEFT } else { self.signs };
        let mut look = false;
        let mut next = spot.at + 1;
        if head.is_bracket() {
            if head.jumps_at(value == 0) {
                jumping();
                next = head.target();
            }
        } else {
            let step = signs.step(spot);
            if step == 0 {
                let sum = tape[spot.pointer].wrapping_add(signs.add(head));
                tape[spot.pointer] = sum;
                look = sum == 0;
            } else {
                spot.pointer = spot.pointer.wrapping_add_signed(step);
                look = (spot.pointer == 0) | (spot.pointer >= tape.len() - 1);
            }
            if spot.rest > 1 {
                (spot.head, spot.rest) = (head.begun(), spot.rest - 1);
                return look;
            }
        }
        (spot.at, spot.head, spot.rest) = self.next(next);
        look | spot.head.is_long()
    }
}
