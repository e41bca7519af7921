//! How long a program does the same thing, whatever the other one does meanwhile: a run, or a loop on one cell.
//!
//! What both do in one step is no longer than the shorter stay of the two; that is reckoned in `duel.rs`.

use super::fighter::{Fighter, Spot};
use super::journal::Journal;
use super::sprint::{Drift, Run};
use super::values::repeats_not_zero;
use crate::code::Op;

/// How a loop on one cell goes on.
#[derive(Clone, Copy, Default)]
pub(super) struct Turns {
    pub(super) turns: u64,
    /// Whether it ends with the last of them.
    pub(super) is_over: bool,
    /// The instruction after it, or the counted jump at its end.
    pub(super) end: usize,
    /// Cycles of a turn, and what it adds.
    pub(super) cycles: u64,
    pub(super) sum: u8,
}

impl Fighter<'_> {
    /// How the loop on one cell that begins here goes on, from so many cycles of the other program's on, for so many
    /// cycles. The cell holds `value` without what the other adds there, if anything.
    #[inline(always)]
    pub(super) fn turns(
        &self,
        (at, is_tight, value): (usize, bool, u8),
        drift: Option<&impl Drift>,
        (done, left): (u64, u64),
        flag: Option<bool>,
    ) -> Turns {
        let code = self.code;
        let (mut end, mut cycles, mut own_sum) = (at, 0_u64, 0_u8);
        let last = if is_tight { code[at].target() } else { usize::MAX };
        while end < last && !code[end].head().is_counted() {
            let ins = &code[end];
            cycles += ins.cycles();
            own_sum = own_sum.wrapping_add(self.signs.add(ins.head()).wrapping_mul(ins.cycles() as u8));
            end += 1;
        }
        if is_tight {
            (end, cycles) = (end + 1, cycles + 1);
        }
        let turns = |turns, is_over| Turns { turns, is_over, end, cycles, sum: own_sum };
        let most = if is_tight { u64::MAX } else { self.turns_left(&code[end]) };
        if most == 0 || left < cycles {
            return turns(0, false);
        }
        // Turns after which both programs begin anew together, and what is added by then.
        let (other_cycles, other_sum) = drift.map_or((1, 0), Drift::turn);
        // A flag that may pass zero changes in each cycle of a run, or stays at what it was at the end of a turn.
        let is_one_run = end == at + 2;
        let passes = |passes_zero| is_one_run && (cycles == 2 || passes_zero);
        if is_tight && other_cycles == 1 && flag.is_none_or(passes) {
            // Nothing is asked but at the end of a turn.
            let here =
                drift.map_or(0, |drift| drift.after(done + cycles - 1)).wrapping_add(value).wrapping_add(own_sum);
            let sum = own_sum.wrapping_add(other_sum.wrapping_mul(cycles as u8));
            let holds = |value| if value == 0 { 0 } else { repeats_not_zero(value, sum).saturating_add(1) };
            let over = holds(here);
            if flag.is_some() {
                return turns(over.min(holds(here.wrapping_add(other_sum))).min(left / cycles), false);
            }
            let is_over = over.saturating_add(1).saturating_mul(cycles) <= left;
            return if is_over { turns(over + 1, true) } else { turns(left / cycles, false) };
        }
        let most = most.min(left / cycles);
        let round = if other_cycles == 1 { 1 } else { other_cycles / gcd(other_cycles, cycles) };
        let others = if other_cycles == 1 { cycles } else { cycles / (other_cycles / round) };
        let sum = own_sum.wrapping_mul(round as u8).wrapping_add(other_sum.wrapping_mul(others as u8));
        if let (true, true, None, Some(drift)) = (other_cycles > 1, is_tight, flag, drift) {
            // The same, but what the other adds is another thing in each turn of a round.
            let here = || {
                let own = (0..).map(|turn: u64| value.wrapping_add(own_sum.wrapping_mul((turn as u8).wrapping_add(1))));
                let others = drift.after_each(done + cycles - 1, cycles);
                own.zip(others).map(|(own, other)| own.wrapping_add(other)).take(round.min(most) as usize)
            };
            if let Some(turn) = here().position(|here| here == 0) {
                return turns(turn as u64 + 1, true);
            }
            if sum == 0 || most < 2 * round {
                return turns(if sum == 0 { most } else { round.min(most) }, false);
            }
            let over = here().map(|here| repeats_not_zero(here, sum).saturating_add(1)).min();
            return turns((most / round).min(over.unwrap_or(0)) * round, false);
        }
        let other = |now| drift.map_or(0, |drift| drift.after(now));
        let again = |value| repeats_not_zero(value, sum).saturating_add(1);
        let (mut rounds, mut over) = (most / round, u64::MAX);
        let (mut value, mut now) = (value, done);
        for turn in 0..round.min(most) {
            for (index, ins) in code[at..end].iter().enumerate() {
                let is_open = ins.op() == Op::Open;
                if ins.head().is_bracket() {
                    let here = value.wrapping_add(other(now));
                    if at + index == last {
                        if here == 0 {
                            return if flag.is_none() { turns(turn + 1, true) } else { turns(turn, false) };
                        }
                        over = over.min(again(here));
                    } else if is_open != (here != 0) {
                        return turns(turn, false);
                    } else {
                        rounds = rounds.min(if is_open {
                            again(here)
                        } else if sum == 0 {
                            u64::MAX
                        } else {
                            1
                        });
                    }
                }
                let add = self.signs.add(ins.head());
                let Some(passes_zero) = flag else {
                    value = value.wrapping_add(add.wrapping_mul(ins.cycles() as u8));
                    now += ins.cycles();
                    continue;
                };
                // A flag must not be zero, or not stay so, nor be so at the end. Where nobody adds, one cycle tells
                // all.
                let cycles = if add == 0 && drift.is_none() { 1 } else { ins.cycles() };
                for cycle in 1..=cycles {
                    let before = value.wrapping_add(other(now));
                    (value, now) = (value.wrapping_add(add), now + 1);
                    let then = value.wrapping_add(other(now));
                    let is_last = cycle == cycles && at + index + 1 == end;
                    if !passes_zero || before == then || is_last {
                        if then == 0 {
                            return turns(turn, false);
                        }
                        rounds = rounds.min(again(then));
                    }
                }
                now += ins.cycles() - cycles;
            }
        }
        if round == 1 && over < rounds && flag.is_none() {
            return turns(over + 1, true);
        }
        let rounds = rounds.min(over);
        turns(if rounds > 0 { rounds * round } else { round.min(most) }, false)
    }
}

pub(super) fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// How long a program stays in a run, or in a loop of runs, of which it is at the beginning.
pub(super) struct Stay {
    /// For so many cycles it does nothing else; a loop may end with the last of them. 0 where that is for a closer
    /// look.
    pub(super) cycles: u64,
    loops: Turns,
    /// What the cell is tested at in turn `j` of a loop, less `j` times `sum`.
    tested: u8,
    sum: u8,
}

impl Stay {
    /// `other` is the other program, and what it adds to its cell.
    #[inline(always)]
    pub(super) fn of<const NOTE: bool>(fighter: &Fighter<'_>, other: (&Spot, u8), tape: &[u8]) -> Stay {
        let last = tape.len() - 2;
        let spot = &fighter.spot;
        let value = tape[spot.pointer];
        let mut stay = Stay { cycles: 0, loops: Turns::default(), tested: 0, sum: 0 };
        let shared = (other.0.pointer == spot.pointer).then_some(other);
        let is_flag = (spot.pointer == 1) | (spot.pointer == last);
        if !spot.head.is_tight() {
            let add = fighter.signs.add(spot.head);
            if !is_flag | (add == 0) {
                stay.cycles = spot.rest.min(fighter.signs.room(spot, 0, last + 1));
            } else if !NOTE && shared.is_none() {
                stay.cycles = spot.rest.min(cycles_to_zero(value, add));
            }
            return stay;
        }
        let mut other_add = 0;
        match shared {
            // What a loop adds is not the same in every cycle.
            Some((other, _)) if other.head.is_tight() => return stay,
            Some((_, add)) => other_add = add,
            None => {}
        }
        let adds = || fighter.code[spot.at..spot.head.target()].iter().any(|ins| ins.head().add() != 0);
        if is_flag && (other_add != 0 || NOTE && adds()) {
            return stay;
        }
        let drift = Run { cell: spot.pointer, add: other_add };
        let drift = (other_add != 0).then_some(&drift);
        stay.loops = fighter.turns((spot.at, true, value), drift, (0, u32::MAX.into()), is_flag.then_some(false));
        let Turns { turns, cycles, sum, .. } = stay.loops;
        // Turn `j` of `n` cycles tests before what the other adds in that cycle: at `v + j s + (j n - 1) b`, where this
        // program adds `s` in a turn and the other `b` in a cycle.
        stay.tested = value.wrapping_sub(other_add);
        stay.sum = sum.wrapping_add(other_add.wrapping_mul(cycles as u8));
        stay.cycles = turns.saturating_mul(cycles);
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
        let loops = &self.loops;
        let is_tight = head.is_tight();
        let (mut turns, mut begun) = (0, cycles);
        if is_tight {
            // Most loops are of two cycles, and dividing takes longer than anything else here.
            turns = if loops.cycles == 2 { cycles / 2 } else { cycles / loops.cycles };
            begun = cycles - turns * loops.cycles;
        }
        let is_over = is_tight & loops.is_over & (begun == 0) & (turns == loops.turns);
        let sum = loops.sum.wrapping_mul(turns as u8).wrapping_add(fighter.walk(begun));
        tape[cell] = tape[cell].wrapping_add(sum);
        if NOTE {
            let stayed = turns - u64::from(is_over);
            if stayed > 0 {
                journal.span(cell, self.tested, self.sum, stayed);
            }
            if is_over {
                journal.test(cell, 0);
            }
            if sum != 0 {
                journal.add(cell, sum);
            }
        }
        if is_over {
            return fighter.go::<NOTE>(loops.end, journal);
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
