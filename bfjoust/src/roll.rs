//! Repetitions found in programs that are written out, and written short.
//!
//! Where a tournament has no notation for repetitions, people write `+-+-+-…` for thousands of symbols. What is written
//! out has no place that comes back, so nothing in it could be skipped. As a counted loop it plays the same symbols in
//! the same cycles, and does have one. Only whole loops are rolled up, and only what stays where it is: a walk comes
//! back to no place anyway.

use crate::code::{Ins, Op};

/// Least number of times that something must stand in a row.
const REPEATS_MIN_COUNT: usize = 4;

/// Least number of instructions that it must take in all.
const STRETCH_MIN_COUNT: usize = 24;

/// Places at which a beginning is remembered, at most.
const PLACES_MAX_COUNT: usize = 1 << 16;

/// How deep rolled loops may stand in one another.
const DEPTH_MAX_LEVELS: u32 = 8;

/// The same program, with what stands in it many times in a row as counted loops.
pub(crate) fn roll(mut code: Vec<Ins>) -> Vec<Ins> {
    let slots = code.iter().filter(|ins| ins.op().is_counted()).map(|ins| ins.slot() as u32 + 1).max();
    let first_slot = slots.unwrap_or(0);
    for slot in first_slot..first_slot + DEPTH_MAX_LEVELS {
        let before = code.len();
        code = roll_once(code, slot);
        if code.len() == before {
            break;
        }
    }
    code
}

/// Rolls up what stands in a row, with counters in `slot`, which is unused.
fn roll_once(code: Vec<Ins>, slot: u32) -> Vec<Ins> {
    if code.len() < STRETCH_MIN_COUNT {
        return code;
    }
    let places = code.len().next_power_of_two().min(PLACES_MAX_COUNT);
    // Where a pair of instructions was last seen, plus 1.
    let mut seen = vec![0_u32; places];
    let mut out: Vec<Ins> = Vec::with_capacity(code.len());
    // Where in `out` each instruction went; `ROLLED` where it is in a loop now.
    let mut went: Vec<u32> = Vec::with_capacity(code.len());
    const ROLLED: u32 = u32::MAX;
    // Up to where which period was looked at without use.
    let mut useless = (0, 0);

    let mut at = 0;
    while at < code.len() {
        let place = match code.get(at + 1) {
            Some(next) => (mixed(&code[at], next) >> (64 - places.trailing_zeros())) as usize,
            None => 0,
        };
        let last = std::mem::replace(&mut seen[place], at as u32 + 1) as usize;
        let from = last.wrapping_sub(1);
        let period = at.wrapping_sub(from);
        if last > 0 && (period != useless.0 || at >= useless.1) {
            let same = code[from..].iter().zip(&code[at..]).take_while(|(one, other)| one == other).count();
            match loop_in(&code, from, period, same) {
                Some((start, times)) if went.get(start).is_none_or(|&went| went != ROLLED) => {
                    // Up to the loop's beginning, which may lie ahead.
                    for ins in code.iter().take(start).skip(at) {
                        went.push(out.len() as u32);
                        out.push(*ins);
                    }
                    if let Some(&went) = went.get(start) {
                        out.truncate(went as usize);
                    }
                    let times_u32 = times as u32;
                    out.push(Ins::counted(Op::Enter, slot, times_u32));
                    out.extend_from_slice(&code[start..start + period]);
                    out.push(Ins::counted(Op::Again, slot, times_u32));
                    at = start + period * times;
                    went.truncate(start);
                    went.resize(at, ROLLED);
                    continue;
                }
                _ => useless = (period, at + same),
            }
        }
        went.push(out.len() as u32);
        out.push(code[at]);
        at += 1;
    }
    out
}

/// The first loop in a stretch from `from` on in which `period` instructions are followed by `same` that equal those
/// before. Says where it begins, and how many times it runs. `None` if there is none worth it.
fn loop_in(code: &[Ins], from: usize, period: usize, same: usize) -> Option<(usize, usize)> {
    if same + period < STRETCH_MIN_COUNT || same / period + 1 < REPEATS_MIN_COUNT {
        return None;
    }
    // Brackets and repetitions must open before they close: so it begins where they are least deep.
    let depth = |ins: &Ins| match ins.op() {
        Op::Open | Op::Enter | Op::Top => 1,
        Op::Close | Op::Again | Op::Down => -1,
        _ => 0,
    };
    let (mut now, mut least, mut shift, mut moved) = (0_i64, 0, 0, 0_i128);
    for (index, ins) in code[from..from + period].iter().enumerate() {
        now += depth(ins);
        if now < least && index + 1 < period {
            (least, shift) = (now, index + 1);
        }
        moved += i128::from(ins.op().step()) * if ins.op().takes_cycles() { i128::from(ins.cycles()) } else { 0 };
    }
    if now != 0 || moved != 0 {
        return None;
    }
    let start = from + shift;
    let times = (same - shift.min(same)) / period + 1;
    let body = &code[start..start + period];
    let nests = |is: fn(Op) -> bool| {
        let mut open = 0_i64;
        body.iter().filter(|ins| is(ins.op())).all(|ins| {
            open += depth(ins);
            open >= 0
        }) && open == 0
    };
    let worth = times >= REPEATS_MIN_COUNT && times * period >= STRETCH_MIN_COUNT && times <= u32::MAX as usize;
    (worth && nests(Op::is_bracket) && nests(Op::is_counted)).then_some((start, times))
}

fn mixed(one: &Ins, other: &Ins) -> u64 {
    let key = |ins: &Ins| (ins.cycles().rotate_left(8) ^ ins.op() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (key(one).rotate_left(29) ^ key(other)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

#[cfg(test)]
mod tests {
    use crate::presets::Notation;
    use crate::program::Program;

    fn rolled(text: &str) -> Program {
        Program::parse_as(text, Notation::agora()).expect("balanced")
    }

    fn short(text: &str) -> Program {
        Program::parse_as(text, Notation::egojoust()).expect("balanced")
    }

    #[test]
    fn what_is_written_out_many_times_is_rolled_up() {
        assert_eq!(rolled(&"+-".repeat(1000)), short("(+-)*1000"));
        assert_eq!(rolled(&format!(">{}<", "+.[-]".repeat(300))), short(">(+.[-])*300<"));
    }

    #[test]
    fn loops_in_loops_are_rolled_up_too() {
        let inner = format!("{}>.<", "+-".repeat(50));
        let program = rolled(&inner.repeat(60));
        assert_eq!(program.instructions().len(), 10, "{}", program.code());
    }

    #[test]
    fn what_walks_or_is_rare_stays() {
        for text in ["+-".repeat(3), ">+".repeat(100), "[-]>".repeat(100)] {
            assert_eq!(rolled(&text).instructions().iter().filter(|ins| ins.op().is_counted()).count(), 0, "{text}");
        }
    }

    #[test]
    fn only_whole_loops_are_rolled_up() {
        let text = format!("{}{}", "[+".repeat(50), ".]".repeat(50));
        let program = rolled(&text);
        assert_eq!(program.instructions().len(), 201);
        let text = format!("[{}]", "-][.".repeat(50));
        assert_eq!(rolled(&text).instructions().len(), 13, "{}", rolled(&text).code());
    }
}
