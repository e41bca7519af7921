//! Plays one program alone while what the other does is known: nothing that matters, or the same in every cycle.
//!
//! It costs a step for each instruction of one program, where playing both costs one for whatever either does. No notes
//! are taken here and no periods are looked for.

use super::fighter::{Fighter, Spot};
use super::stay::cycles_to_zero;
use super::values::repeats_not_zero;

/// What the other program does meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Drift {
    /// The cell that it stands on, if it changes it.
    pub(super) cell: usize,
    /// What it adds there in each cycle.
    pub(super) add: u8,
}

impl Drift {
    pub(super) const NONE: Drift = Drift { cell: usize::MAX, add: 0 };
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

impl Fighter<'_> {
    /// Plays this program for some cycles and gives how many. That is all, unless it stands where its course ends or
    /// its steps are used up. It stops, too, where a flag is about to be zero for longer than it may. No flag is zero
    /// in the beginning. If one is in the end, it became so with the last cycle.
    ///
    /// What the other program adds in these cycles is left for the caller to do.
    pub(super) fn sprint(&mut self, tape: &mut [u8], course: &mut Course, drift: Drift) -> u64 {
        let Course { low, high, last, passes_zero, cycles, mut steps } = *course;
        let code = self.code;
        let signs = self.signs;
        let Spot { mut at, mut head, mut rest, mut pointer } = self.spot;
        let drifts_flag = drift.add != 0 && ((drift.cell == 1) | (drift.cell == last));
        let mut until = cycles;
        if drifts_flag && !passes_zero {
            until = until.min(cycles_to_zero(tape[drift.cell], drift.add));
        }
        let mut done = 0_u64;
        while done < until && steps > 0 {
            steps -= 1;
            let next;
            if head.is_bracket() {
                let mut value = tape[pointer];
                if pointer == drift.cell {
                    value = value.wrapping_add(drift.add.wrapping_mul(done as u8));
                }
                done += 1;
                let (jumps, _) = head.jumps(value == 0);
                next = if jumps { head.target() } else { at + 1 };
            } else {
                let spot = Spot { at, head, rest, pointer };
                let step = signs.step(&spot);
                if step != 0 {
                    let room = if step > 0 { high - pointer } else { pointer - low } as u64;
                    let moved = rest.min(until - done).min(room);
                    pointer = pointer.wrapping_add_signed(step.wrapping_mul(moved as isize));
                    head = head.begun();
                    done += moved;
                    rest -= moved;
                    if (pointer == low) | (pointer == high) {
                        if rest == 0 {
                            (at, head, rest) = self.next(at + 1);
                        }
                        break;
                    }
                    if rest > 0 {
                        continue;
                    }
                    next = at + 1;
                } else {
                    let add = signs.add(&spot);
                    let is_drift = pointer == drift.cell;
                    let other_add = if is_drift { drift.add } else { 0 };
                    let is_flag = (pointer == 1) | (pointer == last);
                    if head.is_tight() {
                        let value = tape[pointer].wrapping_add(other_add.wrapping_mul(done as u8));
                        let turn_cycles = rest.saturating_add(1);
                        let tested = value.wrapping_sub(other_add);
                        let sum = add.wrapping_mul(rest as u8).wrapping_add(other_add.wrapping_mul(turn_cycles as u8));
                        // As in `Stay::of`. A flag that may be zero for too long is for a closer look.
                        let is_shared = is_flag && other_add != 0;
                        let mut most = (until - done) / turn_cycles;
                        let mut last_turn = u64::MAX;
                        if tested == 0 || is_shared && passes_zero && add.wrapping_add(other_add) == 0 {
                            most = 0;
                        } else {
                            let repeats = repeats_not_zero(tested, sum);
                            last_turn = repeats.saturating_add(1);
                            if is_shared && !passes_zero {
                                // Neither after the one addition of a turn nor after its bracket.
                                let (middle, end) =
                                    (value.wrapping_add(add).wrapping_add(other_add), value.wrapping_add(sum));
                                most = if rest != 1 || middle == 0 || end == 0 {
                                    0
                                } else {
                                    let turns = repeats_not_zero(middle, sum).min(repeats_not_zero(end, sum));
                                    most.min(turns.saturating_add(1))
                                };
                            } else if is_flag && add != 0 && other_add == 0 {
                                most = most.min(repeats);
                                if !passes_zero {
                                    most = most.min((cycles_to_zero(value, add) - 1) / rest);
                                }
                            }
                        }
                        let turns = most.min(last_turn);
                        if turns > 0 {
                            tape[pointer] =
                                tape[pointer].wrapping_add(add.wrapping_mul(rest.wrapping_mul(turns) as u8));
                            done += turns * turn_cycles;
                            if is_shared && !passes_zero {
                                let value = value.wrapping_add(sum.wrapping_mul(turns as u8));
                                until = cycles.min(done + cycles_to_zero(value, drift.add));
                            }
                            if turns == last_turn {
                                (at, head, rest) = self.next(at + 2);
                            }
                            // Else it is at the beginning of its loop again.
                            continue;
                        }
                    }
                    let mut played = rest.min(until - done);
                    if is_flag & (add != 0) {
                        let value = tape[pointer].wrapping_add(other_add.wrapping_mul(done as u8));
                        let sum = add.wrapping_add(other_add);
                        if !passes_zero {
                            if sum != 0 {
                                played = played.min(cycles_to_zero(value, sum));
                            }
                        } else if sum == 0 && value == 0 {
                            break;
                        }
                        tape[pointer] = tape[pointer].wrapping_add(add.wrapping_mul(played as u8));
                        head = head.begun();
                        done += played;
                        rest -= played;
                        let value = value.wrapping_add(sum.wrapping_mul(played as u8));
                        if is_drift && drifts_flag && !passes_zero {
                            until = cycles.min(done + cycles_to_zero(value, drift.add));
                        }
                        if rest == 0 {
                            (at, head, rest) = self.next(at + 1);
                        }
                        if value == 0 && (other_add == 0 || !passes_zero) {
                            break;
                        }
                        continue;
                    }
                    if add != 0 {
                        tape[pointer] = tape[pointer].wrapping_add(add.wrapping_mul(played as u8));
                    }
                    head = head.begun();
                    done += played;
                    rest -= played;
                    if rest > 0 {
                        continue;
                    }
                    next = at + 1;
                }
            }
            let ins = &code[next];
            (at, head, rest) = (next, ins.head(), ins.cycles());
            if head.is_counted() {
                (at, head, rest) = self.next(next);
            }
        }
        self.spot = Spot { at, head, rest, pointer };
        course.steps = steps;
        done
    }
}
