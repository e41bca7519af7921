//! A plain interpreter: symbols in a row, a `match` for each, one cycle after the other.
//!
//! It is what the engine is measured against, so it is written to be quick at that, and nothing else. There are no
//! comments to skip, brackets are matched beforehand, and no figure is looked up that could be kept.

use bfjoust::{Charge, Reason, Rules, Setup, Side};

/// A program written out.
pub(crate) struct Plain {
    symbols: Vec<u8>,
    /// Of each bracket, the place after its partner.
    partners: Vec<u32>,
}

impl Plain {
    pub(crate) fn new(text: &str) -> Plain {
        let mut symbols: Vec<u8> = text.bytes().collect();
        let mut partners = vec![0; symbols.len()];
        let mut open = Vec::new();
        for (at, symbol) in symbols.iter().enumerate() {
            match symbol {
                b'[' => open.push(at),
                b']' => {
                    let opening: usize = open.pop().expect("balanced");
                    partners[opening] = at as u32 + 1;
                    partners[at] = opening as u32 + 1;
                }
                _ => {}
            }
        }
        symbols.push(0);
        Plain { symbols, partners }
    }
}

pub(crate) fn charge(left: &Plain, right: &Plain, setup: Setup, rules: &Rules) -> Charge {
    let length = setup.length;
    let beyond = length + 1;
    let mut cells = vec![rules.background; length + 2];
    cells[1] = rules.flag;
    cells[length] = rules.flag;
    let (mut left_at, mut right_at) = (0_usize, 0_usize);
    let (mut left_pointer, mut right_pointer) = (1_usize, length);
    let (mut left_zero, mut right_zero) = (0, 0);
    let right_add: u8 = if setup.swapped { 255 } else { 1 };

    let mut cycle = 0;
    while cycle < rules.cycle_limit {
        cycle += 1;
        let left_cell = cells[left_pointer];
        let right_cell = cells[right_pointer];
        match left.symbols[left_at] {
            b'+' => cells[left_pointer] = cells[left_pointer].wrapping_add(1),
            b'-' => cells[left_pointer] = cells[left_pointer].wrapping_sub(1),
            b'>' => left_pointer += 1,
            b'<' => left_pointer -= 1,
            b'[' if left_cell == 0 => left_at = left.partners[left_at] as usize - 1,
            b']' if left_cell != 0 => left_at = left.partners[left_at] as usize - 1,
            0 => left_at -= 1,
            _ => {}
        }
        left_at = left_at.wrapping_add(1);
        match right.symbols[right_at] {
            b'+' => cells[right_pointer] = cells[right_pointer].wrapping_add(right_add),
            b'-' => cells[right_pointer] = cells[right_pointer].wrapping_sub(right_add),
            b'>' => right_pointer -= 1,
            b'<' => right_pointer += 1,
            b'[' if right_cell == 0 => right_at = right.partners[right_at] as usize - 1,
            b']' if right_cell != 0 => right_at = right.partners[right_at] as usize - 1,
            0 => right_at -= 1,
            _ => {}
        }
        right_at = right_at.wrapping_add(1);

        let left_off = left_pointer == 0 || left_pointer == beyond;
        let right_off = right_pointer == 0 || right_pointer == beyond;
        left_zero = if cells[1] == 0 { left_zero + 1 } else { 0 };
        right_zero = if cells[length] == 0 { right_zero + 1 } else { 0 };
        let left_flag = left_zero >= rules.flag_cycles;
        let right_flag = right_zero >= rules.flag_cycles;
        if left_off | right_off | left_flag | right_flag {
            let of = |winner, flag| Charge {
                winner: Some(winner),
                reason: if flag { Reason::Flag } else { Reason::Edge },
                cycles: cycle,
            };
            return match (left_off | left_flag, right_off | right_flag) {
                (true, true) => Charge { winner: None, reason: Reason::Both, cycles: cycle },
                (true, false) => of(Side::Right, left_flag),
                (false, _) => of(Side::Left, right_flag),
            };
        }
    }
    Charge { winner: None, reason: Reason::Cap, cycles: rules.cycle_limit }
}
