//! Any bytes as a match to be played by the engine and by the plain machine, which must agree on every charge.
//!
//! Every text that comes of the bytes is a program, so that none of them is wasted on refusals. A match is on many
//! tapes. For what is common to them is played once, and what is learnt on one is used on the next.

use bfjoust::{Machine, Program, Rules, Setup, play};

/// Most tapes of a match, in each polarity.
const TAPES_MAX_COUNT: u8 = 24;

/// Cycles that a match may ask of the plain machine, which plays each of them: many small matches find more than a few
/// large ones. Only a charge to the limits of the presets may ask for more, and they are one in thirty-two.
#[allow(dead_code, reason = "the fuzzer counts nothing")]
pub(crate) const MATCH_MAX_CYCLES: u64 = 40_000;

/// What bytes say: two programs, and what they play on.
pub(crate) struct Match {
    left: String,
    right: String,
    pub(crate) setups: Vec<Setup>,
    pub(crate) rules: Rules,
}

impl Match {
    /// The match of these bytes, where there are enough for one.
    pub(crate) fn of(bytes: &[u8]) -> Option<Match> {
        let (&[length, kind, split, pause, tapes, order], text) = bytes.split_first_chunk::<6>()?;
        let mut rules = if kind & 1 == 0 { Rules::agora() } else { Rules::egojoust() };
        rules.notation = Rules::egojoust().notation;
        let (cycle_limit, charges) = match (kind >> 1 & 3, length / 64) {
            (0, _) | (1, 0 | 1) => (300, 72),
            (1, _) | (2, _) => (3000, 8),
            (_, 3) if kind & 128 != 0 => (rules.cycle_limit, 1),
            _ => (20_000, 2),
        };
        rules.cycle_limit = cycle_limit;
        rules.background = if kind & 8 == 0 { 0 } else { 3 };
        if kind & 16 != 0 {
            rules.flag_cycles = 1 + u32::from(kind >> 5 & 3);
        }
        let shortest = 2 + usize::from(length % 64);
        let lengths = (0..=tapes % TAPES_MAX_COUNT).map(|tape| shortest + usize::from(tape * (1 + tapes / 128)));
        let polarities = [&[false][..], &[true], &[false, true], &[true, false, true]][usize::from(order % 4)];
        let mut setups: Vec<Setup> =
            lengths.flat_map(|length| polarities.iter().map(move |&swapped| Setup { length, swapped })).collect();
        // In no order, and some of them twice.
        let some = usize::from(order / 4) % setups.len();
        setups.rotate_left(some);
        setups.truncate(charges);
        let (left, right) = text.split_at(text.len() * usize::from(split) / 256);
        // They meet sooner or later, and not always in step.
        let left = format!("(>)*{}{}", usize::from(pause % 16).min(shortest - 1), program(left));
        let right = format!("(.)*{}{}", pause / 16, program(right));
        Some(Match { left, right, setups, rules })
    }
}

/// Plays what the bytes say both ways.
///
/// # Panics
/// If they do not come to the same.
pub(crate) fn compare(bytes: &[u8]) {
    let Some(Match { left, right, setups, rules }) = Match::of(bytes) else { return };
    let parse = |text: &str| Program::parse_as(text, rules.notation).expect("it was made to be a program");
    let (left_program, right_program) = (parse(&left), parse(&right));
    let played = play(&left_program, &right_program, &setups, &rules);
    for (&setup, played) in setups.iter().zip(played) {
        let expected = Machine::set_up(&left_program, &right_program, setup, &rules).finish();
        assert_eq!(played, expected, "{left}  against  {right}  on {setup:?} among {setups:?} under {rules:?}");
    }
}

/// A program of these bytes: what does not fit where it stands is left out, what is open at the end is closed.
fn program(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut open: Vec<char> = Vec::new();
    for &byte in bytes {
        let (low, high) = (byte % 16, byte / 16);
        match (low, open.last()) {
            (0..=1, _) => text.push('>'),
            (2, _) => text.push('<'),
            (3..=4, _) => text.push_str(&"+".repeat(1 + usize::from(high))),
            (5..=6, _) => text.push_str(&"-".repeat(1 + usize::from(high))),
            (7, _) => text.push('.'),
            (8..=9, _) => {
                text.push('[');
                open.push('[');
            }
            (10, Some('[')) => {
                text.push(']');
                open.pop();
            }
            (11..=12, _) => {
                text.push('(');
                open.push('(');
            }
            (10, Some('}')) if open[open.len() - 2] == '[' => {
                text.push(']');
                open.remove(open.len() - 2);
            }
            // Loops that are open in the half before the middle are closed in the half behind it.
            (13, _) if open.iter().rev().find(|&&sign| sign != '[') == Some(&'(') => {
                text.push('{');
                open.push('{');
            }
            (13, Some('{')) => {
                text.push('}');
                *open.last_mut().expect("one is open") = '}';
            }
            (14 | 15, Some('}')) => {
                end_halves(&mut text, &mut open);
                text.push_str(&format!(")%{}", u32::from(byte) * 3 / 2));
            }
            (14 | 15, Some('(')) => {
                open.pop();
                text.push_str(&format!(")*{}", u32::from(byte) * 2));
            }
            // One byte begins two halves with a loop across them, which many bytes would seldom come to.
            (15, _) if high >= 12 => {
                text.push_str(["(+[>{", "(-[>{", "(.[>{", "([{"][usize::from(high % 4)]);
                open.extend(['(', '[', '{']);
            }
            (15, _) => text.push_str(["[-]", "[+]", "[.]", "[>]"][usize::from(high % 4)]),
            _ => {}
        }
    }
    while let Some(&sign) = open.last() {
        match sign {
            '{' | '}' => {
                text.push_str(if sign == '{' { "}" } else { "" });
                end_halves(&mut text, &mut open);
                text.push_str(")%7");
            }
            _ => {
                text.push_str(if sign == '[' { "]" } else { ")*9" });
                open.pop();
            }
        }
    }
    text
}

/// Ends a repetition of two halves, behind the loops that began in the first one.
fn end_halves(text: &mut String, open: &mut Vec<char>) {
    open.pop();
    while open.pop() == Some('[') {
        text.push(']');
    }
}
