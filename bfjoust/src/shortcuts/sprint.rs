//! Plays one program alone while what the other does is known: nothing that matters, or the same in every cycle.
//!
//! It costs a step for each instruction of one program, where playing both costs one for whatever either does. No notes
//! are taken here and no periods are looked for.

use super::fighter::{Fighter, Spot, jumping};
use super::stay::{Turns, cycles_to_zero};

/// Cycles left, at least, for it to be looked at how a loop goes on. 4 costs 3 % and nothing, 24 costs 4 % and 6 %.
const LOOP_MIN_CYCLES: u64 = 8;

/// What the other program does meanwhile: it stays on a cell, and what it adds follows from the time alone.
pub(super) trait Drift {
    /// The cell that it stands on.
    fn cell(&self) -> usize;

    /// What it adds there in so many cycles.
    fn after(&self, cycles: u64) -> u8;

    /// The same in so many cycles and then, again and again, in so many more.
    fn after_each(&self, first: u64, step: u64) -> impl Iterator<Item = u8> {
        (0..).map(move |turn| self.after(first + turn * step))
    }

    /// After how many cycles it begins anew, and what it has added by then.
    fn turn(&self) -> (u64, u8);
}

/// It is in a run: it adds the same in every cycle.
pub(super) struct Run {
    pub(super) cell: usize,
    pub(super) add: u8,
}

impl Run {
    /// It adds nothing.
    pub(super) const IDLE: Run = Run { cell: usize::MAX, add: 0 };
}

impl Drift for Run {
    #[inline(always)]
    fn cell(&self) -> usize {
        self.cell
    }

    #[inline(always)]
    fn after(&self, cycles: u64) -> u8 {
        self.add.wrapping_mul(cycles as u8)
    }

    #[inline(always)]
    fn turn(&self) -> (u64, u8) {
        (1, self.add)
    }
}

/// Where a program sprints.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// It stops where it stands on one of these, or would go beyond.
    pub(super) low: usize,
    pub(super) high: usize,
    /// The right flag; the left one is cell 1.
    pub(super) last: usize,
    /// Whether a flag may be zero at the end of a cycle that the next one changes it in.
    pub(super) passes_zero: bool,
    /// Cycles it may go on for.
    pub(super) cycles: u64,
    /// Steps that it may take.
    pub(super) steps: u32,
}

impl Course {
    /// Whoever is at a place goes no further than to a cell where the other one stays.
    pub(super) fn stop_at(&mut self, cell: usize, place: usize) {
        if cell < place {
            self.low = self.low.max(cell);
        } else {
            self.high = self.high.min(cell);
        }
    }
}

impl Fighter<'_> {
    /// Plays this program for some cycles and gives how many. That is all, unless it stands where its course ends or
    /// its steps are used up. It stops, too, where a flag is about to be zero for longer than it may. No flag is zero
    /// in the beginning. If one is in the end, it became so with the last cycle.
    ///
    /// What the other program adds in these cycles is left for the caller to do.
    pub(super) fn sprint(&mut self, tape: &mut [u8], course: &mut Course, drift: &impl Drift) -> u64 {
        let Course { low, high, last, passes_zero, cycles, mut steps } = *course;
        let signs = self.signs;
        let Spot { mut at, mut head, mut rest, mut pointer } = self.spot;
        // What is done follows from it.
        let mut left = cycles;
        while left > 0 && steps > 0 {
            steps -= 1;
            let is_drift = pointer == drift.cell();
            let drifted = |cycles| if is_drift { drift.after(cycles) } else { 0 };
            if head.begins_loop() && left >= LOOP_MIN_CYCLES {
                let spot = Spot { at, head, rest, pointer };
                let (turned, spot) = self.turn_around(spot, tape, drift, (cycles - left, left), (last, passes_zero));
                if turned > 0 {
                    (at, head, rest) = (spot.at, spot.head, spot.rest);
                    left -= turned;
                    continue;
                }
            }
            let mut next = at + 1;
            let mut stops = false;
            if head.is_bracket() {
                let value = tape[pointer].wrapping_add(drifted(cycles - left));
                left -= 1;
                if head.jumps_at(value == 0) {
                    jumping();
                    next = head.target();
                    if next == at && !is_drift {
                        // An empty loop on a cell that nobody changes.
                        left = 0;
                    }
                }
            } else {
                let step = signs.step(&Spot { at, head, rest, pointer });
                if step != 0 {
                    let room = if step > 0 { high - pointer } else { pointer - low } as u64;
                    let moved = if rest == 1 { 1 } else { rest.min(left).min(room) };
                    pointer = pointer.wrapping_add_signed(step.wrapping_mul(moved as isize));
                    left -= moved;
                    rest -= moved;
                    stops = (pointer == low) | (pointer == high);
                } else {
                    let add = signs.add(head);
                    let mut played = rest.min(left);
                    let is_flag = (add != 0) & ((pointer == 1) | (pointer == last));
                    if is_flag & is_drift {
                        // Both change it, so that it may pass zero.
                        let done = cycles - left;
                        let value = tape[pointer].wrapping_add(drift.after(done));
                        if drift.turn().0 > 1 {
                            played = 1;
                        }
                        let then = tape[pointer].wrapping_add(add.wrapping_mul(played as u8));
                        if value == 0 && then.wrapping_add(drift.after(done + played)) == 0 {
                            break;
                        }
                    } else if is_flag {
                        if !passes_zero {
                            played = played.min(cycles_to_zero(tape[pointer], add));
                        }
                        stops = tape[pointer].wrapping_add(add.wrapping_mul(played as u8)) == 0;
                    }
                    tape[pointer] = tape[pointer].wrapping_add(add.wrapping_mul(played as u8));
                    left -= played;
                    rest -= played;
                }
                if rest > 0 {
                    head = head.begun();
                    if stops {
                        break;
                    }
                    continue;
                }
            }
            (at, head, rest) = self.next(next);
            if stops {
                break;
            }
        }
        self.spot = Spot { at, head, rest, pointer };
        course.steps = steps;
        cycles - left
    }

    /// Plays turns of a loop that begins where a spot is, from some cycles of the other program's on, for others. Gives
    /// how many cycles they took, 0 for none, and where that leads.
    #[inline(never)]
    fn turn_around(
        &mut self,
        spot: Spot,
        tape: &mut [u8],
        drift: &impl Drift,
        (done, left): (u64, u64),
        (last, passes_zero): (usize, bool),
    ) -> (u64, Spot) {
        let Spot { at, head, pointer, .. } = spot;
        let drift = (pointer == drift.cell()).then_some(drift);
        let value = tape[pointer];
        if head.is_bracket() && head.jumps_at(value.wrapping_add(drift.map_or(0, |drift| drift.after(done))) == 0) {
            return (0, spot);
        }
        let flag = ((pointer == 1) | (pointer == last)).then_some(passes_zero);
        let loops = self.turns((at, head.is_tight(), value), drift, (done, left), flag);
        let Turns { turns, is_over, end, cycles, sum } = loops;
        if turns == 0 {
            return (0, spot);
        }
        tape[pointer] = value.wrapping_add(sum.wrapping_mul(turns as u8));
        let mut spot = spot;
        if is_over {
            (spot.at, spot.head, spot.rest) = self.next(end);
        } else if !head.is_tight() {
            self.count_turns(&self.code[end], turns);
        }
        (turns * cycles, spot)
    }
}
