//! The rules a second time, as naively as they can be written. The text itself is the program, brackets are matched by
//! walking, and cells are wide integers brought back into range after each cycle.
//!
//! Nothing here is shared with the engine but the result type. Slow, and meant to be.

use bfjoust::{Charge, Reason, Rules, Setup, Side};

struct Fighter {
    symbols: Vec<char>,
    at: usize,
    position: i64,
    forward: i64,
    /// -1 where `+` and `-` are exchanged.
    polarity: i64,
    flag: i64,
    /// For how many cycles in a row its flag has been zero.
    zero_cycles: u32,
}

impl Fighter {
    fn new(source: &str, flag: i64, forward: i64, polarity: i64) -> Fighter {
        let symbols = source.chars().filter(|sign| "><+-.,[]".contains(*sign)).collect();
        Fighter { symbols, at: 0, position: flag, forward, polarity, flag, zero_cycles: 0 }
    }

    /// Walks from the bracket at `self.at` to its partner, in the direction `by`.
    fn partner(&self, by: i64) -> usize {
        let mut at = self.at as i64;
        let mut depth = 0;
        loop {
            match self.symbols[at as usize] {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at as usize;
            }
            at += by;
        }
    }

    /// The comparison half of a cycle: where to go on. Gives the addition and the move of the other half.
    fn decide(&mut self, cells: &[i64]) -> (i64, i64) {
        let Some(&symbol) = self.symbols.get(self.at) else {
            return (0, 0);
        };
        let cell = cells[self.position as usize];
        if (symbol == '[' && cell == 0) || (symbol == ']' && cell != 0) {
            self.at = self.partner(if symbol == '[' { 1 } else { -1 });
        }
        self.at += 1;
        match symbol {
            '+' => (self.polarity, 0),
            '-' => (-self.polarity, 0),
            '>' => (0, self.forward),
            '<' => (0, -self.forward),
            _ => (0, 0),
        }
    }

    fn lost(&mut self, cells: &[i64], flag_cycles: u32) -> (bool, bool) {
        let is_zero = cells[self.flag as usize] == 0;
        self.zero_cycles = if is_zero { self.zero_cycles + 1 } else { 0 };
        (self.zero_cycles >= flag_cycles, self.position < 0 || self.position >= cells.len() as i64)
    }
}

/// Plays one charge by the letter of the rules.
pub(crate) fn charge(left: &str, right: &str, setup: Setup, rules: &Rules) -> Charge {
    let Setup { length, swapped } = setup;
    let mut cells = vec![i64::from(rules.background); length];
    let last = length as i64 - 1;
    cells[0] = i64::from(rules.flag);
    cells[length - 1] = i64::from(rules.flag);
    let mut left = Fighter::new(left, 0, 1, 1);
    let mut right = Fighter::new(right, last, -1, if swapped { -1 } else { 1 });

    for cycle in 1..=rules.cycle_limit {
        let (left_add, left_move) = left.decide(&cells);
        let (right_add, right_move) = right.decide(&cells);
        cells[left.position as usize] += left_add;
        cells[right.position as usize] += right_add;
        for position in [left.position, right.position] {
            let cell = &mut cells[position as usize];
            *cell = cell.rem_euclid(i64::from(rules.cell_max) + 1);
        }
        left.position += left_move;
        right.position += right_move;

        let of = |winner, flag| {
            let reason = if flag { Reason::Flag } else { Reason::Edge };
            Charge { winner: Some(winner), reason, cycles: cycle }
        };
        match (left.lost(&cells, rules.flag_cycles), right.lost(&cells, rules.flag_cycles)) {
            ((false, false), (false, false)) => {}
            ((false, false), (flag, _)) => return of(Side::Left, flag),
            ((flag, _), (false, false)) => return of(Side::Right, flag),
            _ => return Charge { winner: None, reason: Reason::Both, cycles: cycle },
        }
    }
    Charge { winner: None, reason: Reason::Cap, cycles: rules.cycle_limit }
}
