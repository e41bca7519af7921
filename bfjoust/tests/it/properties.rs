//! What holds for every program and length: against the naive reading, mirrored, and against itself.

use bfjoust::{Machine, Program, Rules, Setup, charge, play, warnings};
use proptest::prelude::*;

use crate::naive;

/// Any sequence of symbols, with brackets dropped or added until they balance.
fn balanced(symbols: Vec<char>) -> String {
    let mut text = String::new();
    let mut open = 0;
    for symbol in symbols {
        match symbol {
            '[' => open += 1,
            ']' if open == 0 => continue,
            ']' => open -= 1,
            _ => {}
        }
        text.push(symbol);
    }
    text.push_str(&"]".repeat(open));
    text
}

/// Random symbols: forward more often than back, so that programs meet.
fn noise() -> impl Strategy<Value = String> {
    const SIGNS: &[u8; 20] = b">>>>><<+++---.,[[]]>";
    prop::collection::vec(0..SIGNS.len(), 0..60)
        .prop_map(|picks| balanced(picks.into_iter().map(|pick| char::from(SIGNS[pick])).collect()))
}

/// Runs and small loops in a row: what programs of people are made of.
fn crafted() -> impl Strategy<Value = String> {
    const PIECES: [(&str, usize); 15] = [
        (">", 9),
        ("<", 5),
        ("+", 40),
        ("-", 40),
        (".", 9),
        (">+", 6),
        (">-", 6),
        (">[-]", 6),
        ("[+]", 2),
        ("[-.]", 2),
        ("[>]", 2),
        ("[<]", 2),
        ("+[>[-]+]", 2),
        ("[-[-[++[-]]]]", 2),
        ("[>[-]<-]", 2),
    ];
    prop::collection::vec((0..PIECES.len(), 0_usize..40), 0..10).prop_map(|picks| {
        let piece = |(pick, times): (usize, usize)| {
            let (text, most): (&str, usize) = PIECES[pick];
            text.repeat(times % (most + 1))
        };
        picks.into_iter().map(piece).collect()
    })
}

fn program() -> impl Strategy<Value = String> {
    prop_oneof![noise(), crafted()]
}

/// Rules near enough to all their edges that a few hundred cycles reach them.
fn rules() -> impl Strategy<Value = Rules> {
    (1_u8..=255, 0_u8..=255, 0_u8..=255, 0_u64..3000, 1_u32..=3, prop::bool::weighted(0.5)).prop_map(
        |(cell_max, flag, background, cycle_limit, flag_cycles, agora)| {
            let mut rules = Rules::agora();
            (rules.cycle_limit, rules.flag_cycles) = (cycle_limit, flag_cycles);
            if !agora {
                rules.cell_max = cell_max;
                rules.flag = (u16::from(flag) % (u16::from(cell_max) + 1)) as u8;
                rules.background = (u16::from(background) % (u16::from(cell_max) + 1)) as u8;
            }
            rules
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn j59_to_j72_the_engine_agrees_with_the_naive_reading(
        left in program(), right in program(), length in 2_usize..24, swapped in any::<bool>(), rules in rules(),
    ) {
        let setup = Setup { length, swapped };
        let naive = naive::charge(&left, &right, setup, &rules);
        let (left, right) = (parse(&left), parse(&right));
        prop_assert_eq!(play(&left, &right, &[setup], &rules), [naive]);
        prop_assert_eq!(Machine::set_up(&left, &right, setup, &rules).finish(), naive);
    }

    #[test]
    fn j66_exchanging_the_sides_mirrors_every_outcome(
        left in program(), right in program(), length in 2_usize..24, rules in rules(),
    ) {
        let (left, right) = (parse(&left), parse(&right));
        prop_assert_eq!(charge(&left, &right, length, &rules), charge(&right, &left, length, &rules).mirrored());
    }

    #[test]
    fn j50_a_program_never_scores_against_itself(one in program(), length in 2_usize..24, rules in rules()) {
        let one = parse(&one);
        prop_assert_eq!(charge(&one, &one.clone(), length, &rules).winner, None);
    }

    #[test]
    fn any_text_is_parsed_or_refused_with_a_place_in_it(text in any::<String>()) {
        match Program::parse(&text) {
            Ok(program) => prop_assert!(program.symbols() <= text.len()),
            Err(error) => {
                let line = text.split('\n').nth(error.line - 1).expect("the line exists");
                let sign = line.chars().nth(error.column - 1).expect("the column exists");
                prop_assert!(sign == '[' || sign == ']');
            }
        }
        for warning in warnings(&text) {
            prop_assert!(warning.count >= 1 && warning.line >= 1 && warning.column >= 1);
        }
    }

    #[test]
    fn j11_brackets_in_any_arrangement_are_accepted_exactly_when_they_balance(
        signs in prop::collection::vec(prop::sample::select(vec!['[', ']', '\n', 'ö', '+']), 0..40),
    ) {
        let text: String = signs.iter().collect();
        let mut depth = 0_i64;
        let mut lowest = 0;
        for sign in &signs {
            depth += match sign { '[' => 1, ']' => -1, _ => 0 };
            lowest = lowest.min(depth);
        }
        prop_assert_eq!(Program::parse(&text).is_ok(), depth == 0 && lowest == 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn stepping_a_machine_is_playing_the_charge(
        left in program(), right in program(), length in 2_usize..24, rules in rules(),
    ) {
        let mut machine = Machine::new(&parse(&left), &parse(&right), length, &rules);
        let outcome = loop {
            if let Some(outcome) = machine.step() {
                break outcome;
            }
        };
        prop_assert_eq!(outcome.cycles, machine.cycle());
        prop_assert_eq!(outcome, charge(&parse(&left), &parse(&right), length, &rules));
    }

    #[test]
    fn j60_comments_change_nothing(
        one in program(), comments in prop::collection::vec("[a-zA-Z0-9 (){}*%\n]{0,4}", 1..9),
    ) {
        let pieces = one.chars().zip(comments.iter().cycle());
        let commented: String = pieces.map(|(symbol, words)| format!("{symbol}{words}")).collect();
        prop_assert_eq!(parse(&commented), parse(&one));
        prop_assert_eq!(parse(&commented).code(), one.replace(',', "."));
    }
}

fn parse(source: &str) -> Program {
    Program::parse(source).expect("balanced")
}
