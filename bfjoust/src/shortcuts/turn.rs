//! Loops of few cycles on one cell, of which it is known what each cycle of a turn asks and adds.
//!
//! Of a loop that asks nothing, like `(++-+)*99`, what it adds follows from the time alone: the other program is played
//! alone meanwhile (`sprint.rs`).
//!
//! Of two such loops many turns are one step. After the least common multiple of their turns both are where they were,
//! and have added the same again. So what was tested as `v` in the first such round is tested as `v + j s` in round
//! `j`, and the first round with another answer is known.

use super::board::Board;
use super::fighter::{Fighter, Spot};
use super::journal::Journal;
use super::sprint::Drift;
use super::stay::gcd;
use super::values::repeats_not_zero;
use crate::code::{Ins, Op, TURN_MAX_CYCLES};

/// Most cycles of a round of two loops.
const ROUND_MAX_CYCLES: u64 = 48;

/// A turn of a program's loop, from where the program is in it.
pub(super) struct Turn {
    /// The cell that it stands on.
    cell: usize,
    pub(super) cycles: u32,
    /// What it has added before each cycle of a turn, and in all of it.
    before: [u8; TURN_MAX_CYCLES + 1],
    /// The cycles that ask the cell to be zero for the program to stay, a bit each, and those that ask it not to be.
    zero: u64,
    not_zero: u64,
    /// The bracket or the counted jump at its end.
    end: usize,
    /// Turns after which a counted loop goes on, and cycles that it is sure to last if nothing is asked.
    turns: u64,
    pub(super) lasts: u64,
}

impl Turn {
    /// The turn of the loop that a program is in; `None` where it is too long.
    pub(super) fn of(fighter: &Fighter<'_>) -> Option<Turn> {
        let (code, spot) = (fighter.code, &fighter.spot);
        let end = fighter.loop_end();
        let is_counted = code[end].head().is_counted();
        let mut turn = Turn {
            cell: spot.pointer,
            cycles: 0,
            before: [0; TURN_MAX_CYCLES + 1],
            zero: 0,
            not_zero: 0,
            end,
            turns: if is_counted { fighter.turns_left(&code[end]) } else { u64::MAX },
            lasts: 0,
        };
        let begun = code[spot.at].cycles() - spot.rest;
        let ends = if is_counted { end } else { end + 1 };
        turn.some(fighter, spot.at, spot.rest)?;
        (spot.at + 1..ends).try_for_each(|at| turn.some(fighter, at, code[at].cycles()))?;
        turn.lasts = turn.cycles.into();
        (code[end].target()..spot.at).try_for_each(|at| turn.some(fighter, at, code[at].cycles()))?;
        turn.some(fighter, spot.at, begun)?;
        turn.lasts = turn.lasts.saturating_add(turn.turns.saturating_mul(turn.cycles.into()));
        Some(turn)
    }

    /// Some cycles of an instruction; `None` where there are too many.
    #[inline(always)]
    fn some(&mut self, fighter: &Fighter<'_>, at: usize, cycles: u64) -> Option<()> {
        let (ins, begin) = (&fighter.code[at], self.cycles as usize);
        let end = begin + cycles.min(TURN_MAX_CYCLES as u64 + 1) as usize;
        let all = self.before.get_mut(begin..=end)?;
        let add = fighter.signs.add(ins.head());
        for cycle in 1..all.len() {
            all[cycle] = all[cycle - 1].wrapping_add(add);
        }
        self.cycles = end as u32;
        if ins.head().is_bracket() && cycles > 0 {
            // The bracket at the end jumps back; any other one must let the program pass.
            let asks = if ins.op() == Op::Open || at == self.end { &mut self.not_zero } else { &mut self.zero };
            *asks |= 1 << begin;
        }
        Some(())
    }

    /// What it adds in a turn.
    #[inline(always)]
    fn sum(&self) -> u8 {
        self.before[self.cycles as usize]
    }

    /// Plays some cycles of a loop that asks nothing.
    pub(super) fn play(&self, fighter: &mut Fighter<'_>, tape: &mut [u8], cycles: u64, journal: &mut Journal) {
        tape[self.cell] = tape[self.cell].wrapping_add(self.after(cycles));
        let turns = (cycles / u64::from(self.cycles)).min(self.turns);
        self.count::<false>(fighter, turns, journal);
        let mut rest = cycles - turns * u64::from(self.cycles);
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

    /// So many turns are over.
    fn count<const NOTE: bool>(&self, fighter: &mut Fighter<'_>, turns: u64, journal: &mut Journal) {
        let end = &fighter.code[self.end];
        if end.head().is_counted() {
            let before = fighter.counters[end.slot()];
            fighter.count_turns(end, turns);
            if NOTE {
                journal.turns(fighter.whose, self.end, (before, fighter.counters[end.slot()]), end);
            }
        }
    }
}

impl Fighter<'_> {
    /// The bracket or the counted jump at the end of the loop on one cell that this program is in.
    fn loop_end(&self) -> usize {
        let at = self.spot.at;
        let is_end = |ins: &Ins| ins.head().is_counted() || ins.op() == Op::Close && ins.target() <= at;
        at + self.code[at..].iter().position(is_end).expect("it is in a loop")
    }

    /// Whether the counted loop that it is in, of nothing but runs, adds something in each cycle.
    pub(super) fn is_restless(&self) -> bool {
        let end = self.loop_end();
        self.code[self.code[end].target()..end].iter().all(|ins| ins.head().add() != 0)
    }
}

impl Drift for Turn {
    #[inline(always)]
    fn cell(&self) -> usize {
        self.cell
    }

    #[inline(always)]
    fn after(&self, cycles: u64) -> u8 {
        // A count has 32 bits, and who sprints goes no further.
        let (turns, rest) = (cycles as u32 / self.cycles, cycles as u32 % self.cycles);
        self.sum().wrapping_mul(turns as u8).wrapping_add(self.before[rest as usize])
    }

    #[inline(always)]
    fn turn(&self) -> (u64, u8) {
        (self.cycles.into(), self.sum())
    }
}

/// Plays as many rounds as are sure to go the same way, of two programs in loops on one cell each, where no flag is
/// zero. Says whether there were any. With notes, no flag may be in it.
pub(super) fn play_rounds<const NOTE: bool>(
    (board, tape): (&mut Board, &mut [u8]),
    left: &mut Fighter<'_>,
    right: &mut Fighter<'_>,
    journal: &mut Journal,
) -> bool {
    let (Some(one), Some(other)) = (Turn::of(left), Turn::of(right)) else {
        return false;
    };
    let round = u64::from(one.cycles) / gcd(one.cycles.into(), other.cycles.into()) * u64::from(other.cycles);
    if round > ROUND_MAX_CYCLES {
        return false;
    }
    let mut rounds = (board.cycle_limit - board.cycle) / round;
    let sides = [&one, &other];
    let cells = sides.map(|turn| turn.cell);
    let turns = sides.map(|turn| round / u64::from(turn.cycles));
    let mut sums = [0, 1].map(|side| sides[side].sum().wrapping_mul(turns[side] as u8));
    let is_shared = cells[0] == cells[1];
    if is_shared {
        sums = [sums[0].wrapping_add(sums[1]); 2];
    }
    for side in [0, 1] {
        rounds = rounds.min(sides[side].turns / turns[side]);
    }
    let last = tape.len() - 2;
    let is_flag = cells.map(|cell| (cell == 1) | (cell == last));
    if NOTE && is_flag != [false; 2] {
        return false;
    }
    let passes_zero = board.flag_cycles > 1;
    let start = cells.map(|cell| tape[cell]);
    let mut tests: Vec<(usize, u8)> = Vec::new();
    let (mut values, mut at) = (start, [0, 0]);
    for _ in 0..round {
        let mut adds = [0, 1].map(|side| sides[side].before[at[side] + 1].wrapping_sub(sides[side].before[at[side]]));
        if is_shared {
            adds = [adds[0].wrapping_add(adds[1]); 2];
        }
        for side in [0, 1] {
            let (value, sum) = (values[side], sums[side]);
            let asks = |cycles: u64| cycles >> at[side] & 1 == 1;
            if asks(sides[side].zero) && (value != 0 || sum != 0) {
                return false;
            }
            // A flag at zero that nobody changes may be lost.
            if asks(sides[side].not_zero) || is_flag[side] && (adds[side] == 0 || !passes_zero) {
                rounds = rounds.min(holds_not_zero(value, sum));
            }
            if NOTE && (asks(sides[side].zero) || asks(sides[side].not_zero)) {
                tests.push((side, value));
            }
        }
        if rounds == 0 {
            return false;
        }
        values = [0, 1].map(|side| values[side].wrapping_add(adds[side]));
        at = [0, 1].map(|side| if at[side] + 1 == sides[side].cycles as usize { 0 } else { at[side] + 1 });
    }
    let ends = |rounds: u64| [0, 1].map(|side| start[side].wrapping_add(sums[side].wrapping_mul(rounds as u8)));
    // In the end no flag is zero.
    while [0, 1].into_iter().any(|side| is_flag[side] && ends(rounds)[side] == 0) {
        rounds -= 1;
    }
    for side in [0, 1] {
        tape[cells[side]] = ends(rounds)[side];
    }
    board.cycle += rounds * round;
    if NOTE {
        for (side, value) in tests {
            journal.tests(cells[side], value, sums[side], rounds);
        }
        for side in if is_shared { &[0][..] } else { &[0, 1] } {
            journal.add(cells[*side], sums[*side].wrapping_mul(rounds as u8));
        }
    }
    one.count::<NOTE>(left, turns[0] * rounds, journal);
    other.count::<NOTE>(right, turns[1] * rounds, journal);
    true
}

/// In how many rounds in a row a cell is not zero that is `value` in the first one.
fn holds_not_zero(value: u8, sum: u8) -> u64 {
    if value == 0 { 0 } else { repeats_not_zero(value, sum).saturating_add(1) }
}
