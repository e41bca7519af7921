//! Two programs that are each in a loop on one cell, both of which are short: many turns of both in one step.
//!
//! After the least common multiple of their turns both are where they were, and have added the same again. So what was
//! tested as `v` in the first such round is tested as `v + j s` in round `j`, and the first round with another answer
//! is known.

use super::board::Board;
use super::fighter::Fighter;
use super::stay::gcd;
use super::values::repeats_not_zero;
use crate::code::Op;

/// Most cycles of a turn of one program, and of a round of both.
const TURN_MAX_CYCLES: usize = 16;
const ROUND_MAX_CYCLES: usize = 48;

/// What a cycle needs the cell to be for the program to stay in its loop.
#[derive(Clone, Copy)]
enum Asks {
    Nothing,
    Zero,
    NotZero,
}

/// A turn of a program's loop, from where the program is in it.
struct Turn {
    cycles: usize,
    /// What each cycle asks, and what it adds.
    each: [(Asks, u8); TURN_MAX_CYCLES],
    sum: u8,
    /// The counted jump at its end.
    counted: Option<usize>,
}

impl Turn {
    /// `None` where it is too long.
    fn of(fighter: &Fighter<'_>) -> Option<Turn> {
        let (code, spot) = (fighter.code, &fighter.spot);
        let is_end = |at: &usize| {
            let ins = &code[*at];
            ins.head().is_counted() || ins.op() == Op::Close && ins.target() <= spot.at
        };
        let end = (spot.at..).find(is_end).expect("it is in a loop");
        let is_counted = code[end].head().is_counted();
        let mut turn =
            Turn { cycles: 0, each: [(Asks::Nothing, 0); TURN_MAX_CYCLES], sum: 0, counted: is_counted.then_some(end) };
        let begun = code[spot.at].cycles() - spot.rest;
        let after = spot.at + 1..if is_counted { end } else { end + 1 };
        let whole = after.chain(code[end].target()..spot.at).map(|at| (at, code[at].cycles()));
        for (at, cycles) in [(spot.at, spot.rest)].into_iter().chain(whole).chain([(spot.at, begun)]) {
            if turn.cycles as u64 + cycles > TURN_MAX_CYCLES as u64 {
                return None;
            }
            let asks = match code[at].op() {
                Op::Open => Asks::NotZero,
                Op::Close if at == end => Asks::NotZero,
                Op::Close => Asks::Zero,
                _ => Asks::Nothing,
            };
            let add = fighter.signs.add(code[at].head());
            for each in &mut turn.each[turn.cycles..][..cycles as usize] {
                *each = (asks, add);
                turn.sum = turn.sum.wrapping_add(add);
            }
            turn.cycles += cycles as usize;
        }
        Some(turn)
    }
}

/// Plays as many rounds as are sure to go the same way, of two programs in loops on one cell each, where no flag is
/// zero.
pub(super) fn play<'a>(board: &mut Board, left: &mut Fighter<'a>, right: &mut Fighter<'a>) {
    let (Some(one), Some(other)) = (Turn::of(left), Turn::of(right)) else {
        return;
    };
    let round = one.cycles / gcd(one.cycles as u64, other.cycles as u64) as usize * other.cycles;
    if round > ROUND_MAX_CYCLES {
        return;
    }
    let mut rounds = (board.cycle_limit - board.cycle) / round as u64;
    let sides = [(&*left, &one), (&*right, &other)];
    let cells = sides.map(|(fighter, _)| fighter.spot.pointer);
    let turns = sides.map(|(_, turn)| (round / turn.cycles) as u64);
    let mut sums = [0, 1].map(|side| sides[side].1.sum.wrapping_mul(turns[side] as u8));
    let is_shared = cells[0] == cells[1];
    if is_shared {
        sums = [sums[0].wrapping_add(sums[1]); 2];
    }
    for (side, (fighter, turn)) in sides.into_iter().enumerate() {
        if let Some(end) = turn.counted {
            rounds = rounds.min(fighter.turns_left(&fighter.code[end]) / turns[side]);
        }
    }
    let last = board.cells.len() - 2;
    let is_flag = cells.map(|cell| (cell == 1) | (cell == last));
    let passes_zero = board.flag_cycles > 1;
    let start = cells.map(|cell| board.cells[cell]);
    let (mut values, mut at) = (start, [0, 0]);
    for _ in 0..round {
        let each = [0, 1].map(|side| sides[side].1.each[at[side]]);
        let mut adds = each.map(|(_, add)| add);
        if is_shared {
            adds = [adds[0].wrapping_add(adds[1]); 2];
        }
        for side in [0, 1] {
            let (value, sum) = (values[side], sums[side]);
            let holds = match each[side].0 {
                Asks::Zero if value != 0 || sum != 0 => 0,
                Asks::NotZero => holds_not_zero(value, sum),
                _ if !is_flag[side] || passes_zero && adds[side] != 0 => continue,
                // A flag at zero that nobody changes may be lost.
                _ => holds_not_zero(value, sum),
            };
            rounds = rounds.min(holds);
        }
        if rounds == 0 {
            return;
        }
        values = [0, 1].map(|side| values[side].wrapping_add(adds[side]));
        at = [0, 1].map(|side| if at[side] + 1 == sides[side].1.cycles { 0 } else { at[side] + 1 });
    }
    let ends = |rounds: u64| [0, 1].map(|side| start[side].wrapping_add(sums[side].wrapping_mul(rounds as u8)));
    // In the end no flag is zero.
    while [0, 1].into_iter().any(|side| is_flag[side] && ends(rounds)[side] == 0) {
        rounds -= 1;
    }
    for side in [0, 1] {
        board.cells[cells[side]] = ends(rounds)[side];
    }
    board.cycle += rounds * round as u64;
    let counted = [one.counted, other.counted];
    for ((fighter, end), turns) in [left, right].into_iter().zip(counted).zip(turns) {
        if let Some(end) = end {
            fighter.count_turns(&fighter.code[end], turns * rounds);
        }
    }
}

/// In how many rounds in a row a cell is not zero that is `value` in the first one.
fn holds_not_zero(value: u8, sum: u8) -> u64 {
    if value == 0 { 0 } else { repeats_not_zero(value, sum).saturating_add(1) }
}
