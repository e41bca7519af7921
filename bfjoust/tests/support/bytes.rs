//! Any bytes as a charge to be played by the engine and by the plain machine, which must agree.
//!
//! Every text that comes of the bytes is a program, so that none of them is wasted on refusals.

use bfjoust::{Machine, Program, Rules, Setup, play};

/// Plays what the bytes say both ways.
///
/// # Panics
/// If they do not come to the same.
pub(crate) fn compare(bytes: &[u8]) {
    let Some((&[length, kind, split, pause], text)) = bytes.split_first_chunk::<4>() else {
        return;
    };
    let mut rules = if kind & 1 == 0 { Rules::agora() } else { Rules::egojoust() };
    rules.notation = Rules::egojoust().notation;
    rules.cycle_limit = [300, 3000, 20_000, 100_000][usize::from(kind >> 1 & 3)];
    rules.background = if kind & 8 == 0 { 0 } else { 3 };
    let setup = Setup { length: 2 + usize::from(length % 30), swapped: kind & 16 != 0 };
    let (left, right) = text.split_at(text.len() * usize::from(split) / 256);
    // They meet sooner or later, and not always in step.
    let left = format!("(>)*{}{}", usize::from(pause % 16).min(setup.length - 1), program(left));
    let right = format!("(.)*{}{}", pause / 16, program(right));

    let parse = |text: &str| Program::parse_as(text, rules.notation).expect("it was made to be a program");
    let (left_program, right_program) = (parse(&left), parse(&right));
    // Longer tapes too, because what is common to all of them is played once.
    let longer = |cells: u8| Setup { length: setup.length + usize::from(cells), ..setup };
    let setups = [longer(1 + split % 16), setup, longer(1), longer(40)];
    let expected = setups.map(|setup| Machine::set_up(&left_program, &right_program, setup, &rules).finish());
    let played = play(&left_program, &right_program, &setups, &rules);
    assert_eq!(played, expected, "{left}  against  {right}  on {setups:?} under {rules:?}");
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
            (13, Some('(')) => {
                text.push('{');
                open.push('{');
            }
            (13, Some('{')) => {
                text.push('}');
                *open.last_mut().expect("one is open") = '}';
            }
            (14 | 15, Some('}')) => {
                open.truncate(open.len() - 2);
                text.push_str(&format!(")%{}", u32::from(byte) * 3 / 2));
            }
            (14 | 15, Some('(')) => {
                open.pop();
                text.push_str(&format!(")*{}", u32::from(byte) * 2));
            }
            (15, _) => text.push_str(["[-]", "[+]", "[.]", "[>]"][usize::from(high % 4)]),
            _ => {}
        }
    }
    while let Some(sign) = open.pop() {
        match sign {
            '[' => text.push(']'),
            '{' => {
                text.push_str("})%7");
                open.pop();
            }
            '}' => {
                text.push_str(")%7");
                open.pop();
            }
            _ => text.push_str(")*9"),
        }
    }
    text
}
