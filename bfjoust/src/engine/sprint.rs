//! Plays one program alone while what the other does is known: nothing that matters, or the same in every cycle.
//!
//! It costs a step for each instruction of one program, where playing both costs one for whatever either does. No notes
//! are taken here and no periods are looked for.

use super::fighter::{Fighter, Signs, Spot};
use super::stay::{Tight, Turn, cycles_to_zero};
use super::values::repeats_not_zero;
use crate::code::{Ins, Op, STEADY_MAX_CYCLES};

/// What the other program does meanwhile: it stays on a cell, and what it adds follows from the time alone.
pub(super) trait Drift {
    /// The cell that it stands on.
    fn cell(&self) -> usize;

    /// What it adds there in so many cycles.
    fn after(&self, cycles: u64) -> u8;

    /// What it adds there in each cycle, if that is always the same.
    fn each(&self) -> Option<u8>;

    /// For how many turns a loop of runs on its cell is sure to go on, from some cycles on, within so many. The cell holds
    /// `value` without what it adds itself.
    fn together(&self, _tight: (&[Ins], Signs), _value: u8, _done: u64, _left: u64) -> u64 {
        0
    }
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
    fn each(&self) -> Option<u8> {
        Some(self.add)
    }
}

/// It is in a counted loop of runs, like `(++-+)*99`: it adds the same in every turn.
pub(super) struct Steady {
    cell: usize,
    turn_cycles: u32,
    /// What it adds in a turn.
    sum: u8,
    /// What it has added before each cycle of a turn, from where it is now.
    before: [u8; STEADY_MAX_CYCLES],
    /// Turns after which the loop goes on, and cycles that it is sure to last.
    turns: u64,
    pub(super) cycles: u64,
    /// Whether it adds something in each cycle.
    pub(super) is_restless: bool,
}

impl Steady {
    /// What a program does that is in such a loop.
    pub(super) fn of(fighter: &Fighter<'_>) -> Steady {
        let spot = &fighter.spot;
        let code = fighter.code;
        let end = Steady::end(fighter);
        let turns = fighter.turns_left(&code[end]);
        let mut steady = Steady {
            cell: spot.pointer,
            turn_cycles: 0,
            sum: 0,
            before: [0; STEADY_MAX_CYCLES],
            turns,
            cycles: 0,
            is_restless: true,
        };
        steady.turn(fighter.signs.add_of(spot.head), spot.rest);
        for ins in &code[spot.at + 1..end] {
            steady.turn(fighter.signs.add_of(ins.head()), ins.cycles());
        }
        steady.cycles = u64::from(steady.turn_cycles);
        for ins in &code[code[end].target()..spot.at] {
            steady.turn(fighter.signs.add_of(ins.head()), ins.cycles());
        }
        steady.turn(fighter.signs.add_of(spot.head), code[spot.at].cycles() - spot.rest);
        steady.cycles += turns * u64::from(steady.turn_cycles);
        steady
    }

    /// The counted jump at the end of the loop.
    fn end(fighter: &Fighter<'_>) -> usize {
        let counted = |at: &usize| fighter.code[*at].head().is_counted();
        (fighter.spot.at..).find(counted).expect("it is in a counted loop")
    }

    /// Some cycles of a turn.
    fn turn(&mut self, add: u8, cycles: u64) {
        self.is_restless &= add != 0;
        for _ in 0..cycles {
            self.before[self.turn_cycles as usize] = self.sum;
            self.sum = self.sum.wrapping_add(add);
            self.turn_cycles += 1;
        }
    }

    /// Plays some cycles of it.
    pub(super) fn play(&self, fighter: &mut Fighter<'_>, tape: &mut [u8], cycles: u64) {
        tape[self.cell] = tape[self.cell].wrapping_add(self.after(cycles));
        let turns = (cycles / u64::from(self.turn_cycles)).min(self.turns);
        fighter.count_turns(&fighter.code[Steady::end(fighter)], turns);
        let mut rest = cycles - turns * u64::from(self.turn_cycles);
        while rest > 0 {
            let Spot { at, rest: now, .. } = fighter.spot;
            let played = now.min(rest);
            fighter.signs.advance(&mut fighter.spot, played);
            rest -= played;
            if played == now {
                (fighter.spot.at, fighter.spot.head, fighter.spot.rest) = fighter.next(at + 1);
            }
        }
    }
}

impl Drift for Steady {
    #[inline(always)]
    fn cell(&self) -> usize {
        self.cell
    }

    #[inline(always)]
    fn after(&self, cycles: u64) -> u8 {
        // A count has 32 bits, and who sprints goes no further.
        let (turns, rest) = (cycles as u32 / self.turn_cycles, cycles as u32 % self.turn_cycles);
        self.sum.wrapping_mul(turns as u8).wrapping_add(self.before[rest as usize])
    }

    #[inline(always)]
    fn each(&self) -> Option<u8> {
        None
    }

    fn together(&self, (runs, signs): (&[Ins], Signs), value: u8, done: u64, left: u64) -> u64 {
        let cycles: u64 = 1 + runs.iter().map(Ins::cycles).fold(0, u64::saturating_add);
        let own_cycles = u64::from(self.turn_cycles);
        let turns = own_cycles / gcd(own_cycles, cycles);
        let most = left / cycles;
        let add = |ins: &Ins| signs.add_of(ins.head());
        let mut times = most / turns;
        let loop_sum = runs.iter().fold(0_u8, |sum, ins| sum.wrapping_add(add(ins).wrapping_mul(ins.cycles() as u8)));
        let own_sum = self.sum.wrapping_mul((cycles * turns / own_cycles) as u8);
        let sum = loop_sum.wrapping_mul(turns as u8).wrapping_add(own_sum);
        let mut ask = |value: u8| {
            if value != 0 {
                times = times.min(repeats_not_zero(value, sum).saturating_add(1));
            }
            value != 0
        };
        let (mut value, mut now) = (value, done);
        for turn in 0..turns.min(most) {
            for ins in runs {
                for _ in 0..ins.cycles() {
                    let before = value.wrapping_add(self.after(now));
                    value = value.wrapping_add(add(ins));
                    now += 1;
                    // A flag that stays at zero is for a closer look.
                    if before == value.wrapping_add(self.after(now)) && !ask(before) {
                        return turn;
                    }
                }
            }
            if !ask(value.wrapping_add(self.after(now))) {
                return turn;
            }
            now += 1;
        }
        if times > 0 { times * turns } else { turns.min(most) }
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
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
    /// Counts turns of the counted loop that begins here, for as long as each of its brackets leads on, no more than so
    /// many cycles; not the last one, which ends the loop. Gives them, the cycles of each and what each adds to the
    /// cell, which holds `value`. The other program adds the same to it in every cycle.
    fn count_on(&mut self, at: usize, value: u8, other_add: u8, cycles: u64) -> (u64, u64, u8) {
        let code = self.code;
        let (mut turn_cycles, mut own_sum, mut end) = (0_u64, 0_u8, at);
        while !code[end].head().is_counted() {
            let ins = &code[end];
            turn_cycles = turn_cycles.saturating_add(ins.cycles());
            own_sum = own_sum.wrapping_add(self.signs.add_of(ins.head()).wrapping_mul(ins.cycles() as u8));
            end += 1;
        }
        let mut turns = self.turns_left(&code[end]).min(cycles / turn_cycles);
        let sum = own_sum.wrapping_add(other_add.wrapping_mul(turn_cycles as u8));
        let mut value = value;
        for ins in &code[at..end] {
            if ins.head().is_bracket() {
                let most = match (ins.op(), value) {
                    (Op::Open, 1..) => repeats_not_zero(value, sum).saturating_add(1),
                    (Op::Close, 0) if sum == 0 => u64::MAX,
                    _ => 0,
                };
                turns = turns.min(most);
            }
            let add = self.signs.add_of(ins.head()).wrapping_add(other_add);
            value = value.wrapping_add(add.wrapping_mul(ins.cycles() as u8));
        }
        self.count_turns(&code[end], turns);
        (turns, turn_cycles, own_sum)
    }

    /// Plays this program for some cycles and gives how many. That is all, unless it stands where its course ends or
    /// its steps are used up. It stops, too, where a flag is about to be zero for longer than it may. No flag is zero
    /// in the beginning. If one is in the end, it became so with the last cycle.
    ///
    /// What the other program adds in these cycles is left for the caller to do.
    pub(super) fn sprint(&mut self, tape: &mut [u8], course: &mut Course, drift: &impl Drift) -> u64 {
        let Course { low, high, last, passes_zero, cycles, mut steps } = *course;
        let code = self.code;
        let signs = self.signs;
        let Spot { mut at, mut head, mut rest, mut pointer } = self.spot;
        let drift_add = drift.each().unwrap_or(0);
        let drifts_flag = drift_add != 0 && ((drift.cell() == 1) | (drift.cell() == last));
        let mut until = cycles;
        if drifts_flag && !passes_zero {
            until = until.min(cycles_to_zero(tape[drift.cell()], drift_add));
        }
        let mut done = 0_u64;
        while done < until && steps > 0 {
            steps -= 1;
            if head.begins_turn() {
                let is_drift = pointer == drift.cell();
                let is_flag = (pointer == 1) | (pointer == last);
                if !is_flag && (!is_drift || drift.each().is_some()) {
                    let other_add = if is_drift { drift_add } else { 0 };
                    let value = tape[pointer].wrapping_add(other_add.wrapping_mul(done as u8));
                    let (turns, cycles, sum) = self.count_on(at, value, other_add, until - done);
                    if turns > 0 {
                        tape[pointer] = tape[pointer].wrapping_add(sum.wrapping_mul(turns as u8));
                        done += turns * cycles;
                        continue;
                    }
                }
            }
            let next;
            if head.is_bracket() {
                let mut value = tape[pointer];
                if pointer == drift.cell() {
                    value = value.wrapping_add(drift.after(done));
                }
                done += 1;
                let (jumps, _) = head.jumps(value == 0);
                next = if jumps { head.target() } else { at + 1 };
                if next == at && pointer != drift.cell() {
                    // An empty loop on a cell that nobody changes.
                    done = until;
                }
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
                    let is_drift = pointer == drift.cell();
                    let other_add = if is_drift { drift_add } else { 0 };
                    let is_flag = (pointer == 1) | (pointer == last);
                    let is_same = !is_drift || drift.each().is_some();
                    if head.is_tight() && is_same {
                        let value = tape[pointer].wrapping_add(other_add.wrapping_mul(done as u8));
                        let turn = Turn::of(code, signs, &spot);
                        let Tight { sum, turns: last_turn, .. } = Tight::of(turn, value, other_add);
                        let is_one_run = head.target() == at + 1;
                        let mut turns = last_turn;
                        // A flag that may be zero for too long is for a closer look.
                        let is_shared = is_flag && other_add != 0;
                        if is_shared && !is_one_run {
                            turns = 0;
                        } else if is_shared && passes_zero && add.wrapping_add(other_add) == 0 {
                            // It stays as it is for all of a run.
                            let most = if value == 0 { 0 } else { repeats_not_zero(value, sum).saturating_add(1) };
                            turns = turns.min(most);
                        } else if is_shared && !passes_zero && turns > 0 {
                            // Neither after the one addition of a turn nor after its bracket.
                            let (middle, end) =
                                (value.wrapping_add(add).wrapping_add(other_add), value.wrapping_add(sum));
                            turns = if rest != 1 || middle == 0 || end == 0 {
                                0
                            } else {
                                let most = repeats_not_zero(middle, sum).min(repeats_not_zero(end, sum));
                                turns.min(most.saturating_add(1))
                            };
                        } else if is_flag && !is_shared && turn.adds() && turns > 0 {
                            turns -= 1;
                            if !is_one_run || !passes_zero {
                                turns = turns.min(turn.off_zero(value));
                            }
                        }
                        if turns.saturating_mul(turn.cycles) > until - done {
                            turns = (until - done) / turn.cycles;
                        }
                        if turns > 0 {
                            tape[pointer] = tape[pointer].wrapping_add(turn.sum().wrapping_mul(turns as u8));
                            done += turns * turn.cycles;
                            if is_shared && !passes_zero {
                                let value = value.wrapping_add(sum.wrapping_mul(turns as u8));
                                until = cycles.min(done + cycles_to_zero(value, drift_add));
                            }
                            if turns == last_turn {
                                (at, head, rest) = self.next(head.target() + 1);
                            }
                            // Else it is at the beginning of its loop again.
                            continue;
                        }
                    } else if head.is_tight() {
                        // The other one is in a loop too.
                        let runs = &code[at..head.target()];
                        let turns = drift.together((runs, signs), tape[pointer], done, until - done);
                        if turns > 0 {
                            let turn = Turn::of(code, signs, &spot);
                            tape[pointer] = tape[pointer].wrapping_add(turn.sum().wrapping_mul(turns as u8));
                            done += turns * turn.cycles;
                            continue;
                        }
                    }
                    let mut played = rest.min(until - done);
                    if is_flag & (add != 0) & !is_same {
                        let value = tape[pointer].wrapping_add(drift.after(done));
                        let then = tape[pointer].wrapping_add(drift.after(done + 1)).wrapping_add(add);
                        if value == 0 && then == 0 {
                            break;
                        }
                        played = 1;
                    } else if is_flag & (add != 0) {
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
                            until = cycles.min(done + cycles_to_zero(value, drift_add));
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
