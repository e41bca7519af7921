//! The engine against the plain machine, and the plain machine against texts written out. Both play the corpus, and
//! random and mutated programs made of its parts.
//!
//! `BFJOUST_CASES` sets how many random pairs are tried; without it, as many as a test may take time for. Of the pairs of
//! the corpus it then plays some, and with it every one.

use bfjoust::{Machine, Program, Rules, Setup, charge, play};

use proptest::prelude::*;

use crate::bytes::{MATCH_MAX_CYCLES, Match, compare};
use crate::corpus::{Entry, agora, egojoust, warriors, written_out};

/// Random numbers that are the same everywhere.
struct Dice(u64);

impl Dice {
    /// `BFJOUST_SEED` gives other numbers, for who runs these tests again and again.
    fn new(seed: u64) -> Dice {
        let other = std::env::var("BFJOUST_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(0);
        // Never 0, which would stay so.
        Dice(seed ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }
}

/// How many random pairs are asked for.
fn asked() -> Option<usize> {
    std::env::var("BFJOUST_CASES").ok().and_then(|cases| cases.parse().ok())
}

fn cases() -> usize {
    asked().unwrap_or(6_000)
}

/// Of so many pairs of the corpus one is played, unless cases are asked for.
const PAIRS_PER_PLAYED: usize = 4;

/// Cuts, doubles, swaps and changes what stands in a text; the result may be no program.
fn mutated(dice: &mut Dice, text: &str, other: &str) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(signs.len() + 1);
        let to = (at + dice.roll(12)).min(signs.len());
        match dice.roll(6) {
            0 => drop(signs.drain(at..to)),
            1 => {
                let piece = signs[at..to].to_vec();
                signs.splice(at..at, piece);
            }
            2 if at < signs.len() => signs[at] = dice.pick(&['+', '-', '<', '>', '.', '[', ']', '3', '9']),
            3 => signs.insert(at, dice.pick(&['+', '-', '<', '>', '.'])),
            4 => {
                let other: Vec<char> = other.chars().collect();
                let from = dice.roll(other.len());
                let until = (from + dice.roll(20)).min(other.len());
                signs.splice(at..at, other[from..until].iter().copied());
            }
            _ => drop(signs.splice(at..at, "[+-.]".chars().take(1 + dice.roll(5)))),
        }
    }
    signs.into_iter().collect()
}

/// Loops, runs and repetitions in one another, always a program. `weight` bounds its length.
fn grown(dice: &mut Dice, weight: usize) -> String {
    let mut text = String::new();
    let mut left = weight;
    while left > 0 {
        let part = 1 + dice.roll(left.min(9));
        left -= part;
        text += &match dice.roll(10) {
            0 if part > 2 => format!("[{}]", grown(dice, part - 2)),
            1 if part > 2 => format!("({})*{}", grown(dice, part - 2), dice.roll(40)),
            2 if part > 3 => {
                let (first, inner, second) = (grown(dice, part / 3), grown(dice, part / 3), grown(dice, part / 3));
                let (open, close) = dice.pick(&[("", ""), ("[", "]")]);
                format!("({first}{open}{{{inner}}}{close}{second})%{}", dice.roll(20))
            }
            3 => format!("({})*{}", dice.pick(&['+', '-', '.']), dice.roll(200)),
            4 => format!("({})*{}", dice.pick(&['>', '<', '>']), dice.roll(9)),
            5 => dice.pick(&["[-]", "[+]", "[.]", "[>]", "[<]", "[+-]", "[-.]", "[->+<]", "[>+<-]"]).to_owned(),
            _ => dice.pick(&['+', '-', '<', '>', '.', '>']).to_string(),
        };
    }
    text
}

/// Counts within counts, long enough to be skipped in, where both programs meet.
fn nested(dice: &mut Dice, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(3) {
        text += &match dice.roll(if depth == 0 { 4 } else { 9 }) {
            0 | 1 => format!("({})*{}", dice.pick(&['+', '-', '.']), 1 + dice.roll(130)),
            2 => dice.pick(&["+", "-", ".", "[-]", "[+]", "[.]", "[-.]", "[++-]", ".+"]).to_owned(),
            3 => dice.pick(&[">", "<", "><", "<>", ">+<", "<->"]).to_owned(),
            4 => format!("[{}]", nested(dice, depth - 1)),
            5 => format!(
                "({}{{{}}}{})%{}",
                nested(dice, depth - 1),
                nested(dice, depth - 1),
                nested(dice, depth - 1),
                dice.roll(90)
            ),
            6 => format!("([{}{{{}}}{}])%{}", nested(dice, 0), nested(dice, 0), nested(dice, 0), dice.roll(90)),
            _ => format!("({})*{}", nested(dice, depth - 1), dice.roll(300)),
        };
    }
    text
}

fn check(left: &str, right: &str, setup: Setup, rules: &Rules) {
    let parse = |text: &str| Program::parse_as(text, rules.notation);
    let (Ok(left_program), Ok(right_program)) = (parse(left), parse(right)) else {
        return;
    };
    // On a longer tape too: what is common to both is played once.
    let setups = [Setup { length: setup.length + 1 + left.len() % 5, ..setup }, setup];
    let expected = setups.map(|setup| Machine::set_up(&left_program, &right_program, setup, rules).finish());
    let played = play(&left_program, &right_program, &setups, rules);
    assert_eq!(played, expected, "{left}  against  {right}  on {setups:?} under {rules:?}");
}

fn some_rules(dice: &mut Dice) -> Rules {
    let mut rules = Rules::egojoust();
    rules.flag_cycles = dice.pick(&[1, 1, 2, 2, 3]);
    rules.cycle_limit = dice.pick(&[60, 1000, 3000, 20_000]);
    rules.background = dice.pick(&[0, 0, 0, 0, 3]);
    rules.flag = dice.pick(&[128, 128, 128, 7, 0]);
    rules.cell_max = dice.pick(&[255, 255, 255, 255, 255, 255, 255, 255, 255, 9]);
    rules.flag = rules.flag.min(rules.cell_max);
    rules
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_grown_programs() {
    let mut dice = Dice::new(0x1234_5678_9abc_def1);
    for _ in 0..cases() {
        let (left, right) = (1 + dice.roll(40), 1 + dice.roll(40));
        let (left, right) = (grown(&mut dice, left), grown(&mut dice, right));
        let setup = Setup { length: dice.pick(&[2, 3, 4, 5, 7, 11, 16]), swapped: dice.roll(2) == 0 };
        let rules = some_rules(&mut dice);
        check(&left, &right, setup, &rules);
    }
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_counts_within_counts() {
    let mut dice = Dice::new(0x7777_5678_9abc_def1);
    for _ in 0..cases() / 4 {
        let length = 3 + dice.roll(9);
        let mut some = || format!("(>)*{}({})*{}", dice.roll(length), nested(&mut dice, 3), 1 + dice.roll(40));
        let (left, right) = (some(), some());
        let setup = Setup { length, swapped: dice.roll(2) == 0 };
        let mut rules = some_rules(&mut dice);
        rules.cycle_limit = dice.pick(&[5000, 20_000, 100_000]);
        check(&left, &right, setup, &rules);
    }
}

/// Repetitions `depth` deep in one another, as real programs have up to 125 of them. Each level goes on to the next
/// where it finds something, sets what it leaves behind, and shudders. The counts are small, so that all are reached.
fn deep(dice: &mut Dice, depth: usize) -> String {
    let (mut text, mut end) = (String::new(), String::new());
    for _ in 0..depth {
        let (begin, after) = dice.pick(&[
            ("(", ")*2"),
            ("(+", ")*3"),
            ("([", "])*9"),
            ("([-{", "}.])%4"),
            ("((+-++)*30", ")*2"),
            ("(>", "<)*2"),
            ("([+[-]", "](-)*5)*40"),
            ("(-{", "}+)%2"),
        ]);
        text += begin;
        end = dice.pick(&["", "", "", ".", "+", "-", "(+-)*20", "[-]", ">+<"]).to_owned() + after + &end;
    }
    text + &nested(dice, 1) + &end
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_125_counters() {
    let mut dice = Dice::new(0x3141_5926_5358_9793);
    for _ in 0..cases() / 40 {
        let length = 3 + dice.roll(9);
        let mut some = || format!("(>)*{}{}", dice.roll(length), deep(&mut dice, 125));
        let (left, right) = (some(), some());
        let setup = Setup { length, swapped: dice.roll(2) == 0 };
        let mut rules = some_rules(&mut dice);
        rules.cycle_limit = dice.pick(&[5000, 20_000, 100_000]);
        check(&left, &right, setup, &rules);
    }
}

/// One shudders on its flag. The other comes and counts there, within counts and loops. What repeats itself is not
/// always what stands in one another: a longer period may seem to begin within a shorter one that was skipped.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_counts_over_a_flag_that_shudders() {
    let mut rules = Rules::egojoust();
    (rules.flag_cycles, rules.cycle_limit) = (3, 30_000);
    check_lengths("(+-)*-1", "(>)*2(>[((+)*6(-)*3)*7])*9", 4..12, &rules);
    let mut dice = Dice::new(0x5772_1566_4901_5328);
    let defences = ["(+-)*-1", "(++-+)*-1", "(+-+)*-1", "((+)*3(-)*2)*-1", "(+.-)*-1", "(+)*9(+-)*-1"];
    for _ in 0..cases() / 200 {
        let (up, down, times) = (1 + dice.roll(9), 1 + dice.roll(9), 2 + dice.roll(40));
        let mut body = format!("((+)*{up}(-)*{down})*{times}");
        if dice.roll(2) == 0 {
            let between = dice.pick(&["", "+", "[.]", "."]);
            body = format!("({body}{between}(-)*{})*{}", 1 + dice.roll(5), 2 + dice.roll(9));
        }
        let length = 4 + dice.roll(8);
        let attack = format!("(>)*{}(>{}{body}])*9", length - 2, dice.pick(&["[", "[", "-[", "+["]));
        let mut rules = Rules::egojoust();
        (rules.flag_cycles, rules.cycle_limit) = (dice.pick(&[1, 2, 2, 3]), 30_000);
        check_lengths(dice.pick(&defences), &attack, length..length + 8, &rules);
    }
}

/// Counted loops of runs, of which what they add is known ahead, while the other program reads and changes their cell.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_shudders() {
    let mut dice = Dice::new(0x2718_2818_2845_9045);
    for _ in 0..cases() / 4 {
        let length = 3 + dice.roll(6);
        let mut turn = String::new();
        for _ in 0..2 + dice.roll(5) {
            turn += dice.pick(&["+", "-", "++", "--", ".", "(+)*7", "(-)*9", "+-"]);
        }
        let walk = dice.roll(length);
        let around = dice.pick(&[("", ""), ("(", "[.])*9"), ("(.", "+)*99"), ("([+{", "}-])%20")]);
        let left = format!("(>)*{walk}{}({turn})*{}{}", around.0, 5 + dice.roll(3000), around.1);
        let right = format!("(>)*{}({})*50", dice.roll(length), nested(&mut dice, 2));
        let (left, right) = if dice.roll(2) == 0 { (left, right) } else { (right, left) };
        let setup = Setup { length, swapped: dice.roll(2) == 0 };
        let mut rules = some_rules(&mut dice);
        rules.cycle_limit = dice.pick(&[5000, 20_000, 100_000]);
        check(&left, &right, setup, &rules);
    }
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_pairs_of_the_corpus() {
    let mut dice = Dice::new(0x9999_5678_9abc_def1);
    for (rules, entries) in
        [(Rules::egojoust(), egojoust()), (Rules::agora(), agora()), (Rules::egojoust(), warriors())]
    {
        let setups: Vec<Setup> = rules.setups().collect();
        let mut rules = rules;
        rules.cycle_limit /= 4;
        // Written short, as the rules of agora do not have it, and one length a pair: the bench plays all of it.
        rules.notation = Rules::egojoust().notation;
        let every = if asked().is_some() { 1 } else { PAIRS_PER_PLAYED };
        for left in &entries {
            for right in &entries {
                // By chance: a step would take the same programs again and again.
                if dice.roll(every) == 0 {
                    check(left.text, right.text, dice.pick(&setups), &rules);
                }
            }
        }
    }
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_mutations_of_the_corpus() {
    let mut dice = Dice::new(0xfedc_ba98_7654_3211);
    let entries: Vec<Entry> = egojoust().into_iter().chain(agora()).chain(warriors()).collect();
    for _ in 0..cases() / 2 {
        let mut some = || {
            let (text, other) = (dice.roll(entries.len()), dice.roll(entries.len()));
            mutated(&mut dice, entries[text].text, entries[other].text)
        };
        let (left, right) = (some(), some());
        let setup = Setup { length: 3 + dice.roll(20), swapped: dice.roll(2) == 0 };
        let rules = some_rules(&mut dice);
        check(&left, &right, setup, &rules);
    }
}

proptest! {
    // Each is a match of up to 72 charges, of fewer where they may be long.
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(cases() / 10).unwrap_or(u32::MAX)))]

    #[test]
    fn the_engine_agrees_with_the_plain_machine_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        compare(&bytes);
    }
}

/// The fuzzer plays what bytes say thousands of times a minute.
#[test]
fn what_bytes_ask_of_the_plain_machine_is_bounded() {
    let mut dice = Dice::new(0x0f0f_5678_9abc_def1);
    let (mut total, mut limits) = (0, std::collections::BTreeSet::new());
    let count = 20_000;
    for _ in 0..count {
        let bytes: Vec<u8> = (0..6).map(|_| dice.roll(256) as u8).collect();
        let Match { setups, rules, .. } = Match::of(&bytes).expect("enough for a match");
        let cycles = setups.len() as u64 * rules.cycle_limit;
        assert!(setups.len() == 1 || cycles <= MATCH_MAX_CYCLES, "{bytes:?} asks for {cycles}");
        limits.insert(rules.cycle_limit);
        total += cycles;
    }
    assert_eq!(limits.into_iter().collect::<Vec<_>>(), [300, 3000, 20_000, 100_000, 384_000]);
    assert!(total / count < MATCH_MAX_CYCLES, "{} on the average", total / count);
}

#[test]
fn the_engine_agrees_with_the_plain_machine_on_the_house_programs_at_all_lengths() {
    let house = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/joust/src/house");
    for (rules, folder) in [(Rules::agora(), ""), (Rules::egojoust(), "/short")] {
        let setups: Vec<Setup> = rules.setups().collect();
        let read = |number: usize| std::fs::read_to_string(format!("{house}{folder}/joust{number}.bf"));
        let parse = |number: usize| Program::parse(&read(number).expect("a house program")).expect("balanced");
        let programs: Vec<Program> = (0..10).map(parse).collect();
        for left in &programs {
            for right in &programs {
                let expected: Vec<_> =
                    setups.iter().map(|&setup| Machine::set_up(left, right, setup, &rules).finish()).collect();
                assert_eq!(play(left, right, &setups, &rules), expected);
            }
        }
    }
}

/// Plays both ways on several tapes in a row. It plays as many as it takes for what was learnt on one to be used on the
/// next.
fn check_lengths(left: &str, right: &str, lengths: std::ops::Range<usize>, rules: &Rules) {
    let parse = |text: &str| Program::parse_as(text, rules.notation).expect("a program");
    let (left_program, right_program) = (parse(left), parse(right));
    let setups: Vec<Setup> =
        lengths.flat_map(|length| [false, true].map(|swapped| Setup { length, swapped })).collect();
    let played = play(&left_program, &right_program, &setups, rules);
    for (setup, played) in setups.iter().zip(played) {
        let expected = Machine::set_up(&left_program, &right_program, *setup, rules).finish();
        assert_eq!(played, expected, "{left}  against  {right}  on {setup:?} among {setups:?} under {rules:?}");
    }
}

/// Both on the same flag: one in runs and loops of one run, the other in brackets and counts, without a period to find.
/// The flag passes zero, stays there, or is left at it by the last cycle of a run.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_fights_over_a_flag() {
    let mut dice = Dice::new(0x3141_5926_5358_9793);
    let sums = ["+", "-", "+.", "-.", ".", "++-", "--+", ".."];
    for _ in 0..cases() / 20 {
        let some = |dice: &mut Dice| {
            let mut text = String::new();
            for _ in 0..=dice.roll(4) {
                let (one, other) = (1 + dice.roll(200), 1 + dice.roll(200));
                let piece = match dice.roll(9) {
                    0 => format!("(+)*{one}(-)*{other}"),
                    1 => format!("(-)*{one}(+)*{other}"),
                    2 => format!("((+)*{}(-)*{})*{other}", 1 + one % 9, 1 + one % 7),
                    3 => format!("[({})*{}]", dice.pick(&sums), 1 + one % 20),
                    4 => format!("([(-)*{}([+{{.}}])%{}])*{}", 1 + one % 12, 1 + other % 40, 1 + one % 5),
                    5 => format!("([-{{([+{{.}}])%{}}}])%{}", 1 + one % 9, 1 + other % 12),
                    6 => dice.pick(&["[-]", "[+]", "[.]", "[[-]+]", "[+-]", ">[.]<", "<[.]>", ">+<"]).to_owned(),
                    7 => format!("[((+)*{}(-)*{})*25]", 1 + one % 9, 1 + other % 9),
                    _ => format!("({})*{other}", dice.pick(&sums)),
                };
                text += &piece;
            }
            format!("({text})*{}", 1 + dice.roll(300))
        };
        let (attack, defence) = (some(&mut dice), some(&mut dice));
        let length = 2 + dice.roll(20);
        // It may go to the enemy's flag, or beside it, or come late.
        let attack = format!("(.)*{}(>)*{}{attack}", dice.roll(9), length - 1 - dice.roll(2));
        let mut rules = Rules::egojoust();
        rules.flag_cycles = dice.pick(&[1, 2, 2, 2, 3, 5]);
        rules.cycle_limit = dice.pick(&[300, 4000, 30_000]);
        rules.flag = dice.pick(&[128, 128, 128, 1, 2, 255]);
        check_lengths(&attack, &defence, length..length + 4, &rules);
    }
}

/// One is in runs or counted loops of runs on a cell, a flag or not. The other tests and changes it there, in loops of
/// several runs and in counted loops of brackets and runs.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_loops_against_loops() {
    let mut dice = Dice::new(0x1618_0339_8874_9895);
    for _ in 0..cases() / 10 {
        let body = |dice: &mut Dice, signs: &[&str]| -> String {
            (0..=dice.roll(9)).map(|_| format!("({})*{}", dice.pick(signs), 1 + dice.roll(3))).collect()
        };
        let runs = ["+", "-", ".", "+", "-"];
        let steady = format!("({})*{}", body(&mut dice, &runs), dice.pick(&["-1", "3000", "40", "7"]));
        let defence = format!("(>)*{}{steady}(-)*{}", dice.roll(3), dice.roll(300)).repeat(1 + dice.roll(2));
        let attack: String = (0..=dice.roll(4))
            .map(|_| match dice.roll(5) {
                0 => format!("[{}]", body(&mut dice, &runs)),
                1 => format!("([{}{{{}}}])%{}", dice.pick(&runs), dice.pick(&["[-.]", ".", "-[+]"]), dice.roll(300)),
                2 => format!(
                    "([{}{{{}}}{}])%{}",
                    dice.pick(&["", "-", ".+"]),
                    dice.pick(&runs),
                    dice.pick(&["", "-"]),
                    dice.roll(99)
                ),
                3 => format!(
                    "({{{}}}{})%{}",
                    dice.pick(&["", "[-]", "+"]),
                    dice.pick(&["-", ".+", "++-"]),
                    dice.roll(300)
                ),
                _ => format!("({})*{}", body(&mut dice, &["+", "-", ".", "[.]", "[-]", "[+-.]"]), dice.roll(300)),
            })
            .collect();
        let length = 3 + dice.roll(7);
        let attack = format!("(>)*{}({attack})*{}", length - 1 - dice.roll(4).min(length - 1), 1 + dice.roll(99));
        let mut rules = Rules::egojoust();
        rules.flag_cycles = dice.pick(&[1, 2, 2, 3]);
        rules.cycle_limit = dice.pick(&[300, 3000, 20_000]);
        rules.flag = dice.pick(&[128, 128, 1, 255]);
        check_lengths(&attack, &defence, length..length + 3, &rules);
    }
}

/// Both are in short loops on one cell each, the same one or neighbours, flags or not. The loops are of a few runs, of
/// nothing, or counted with brackets, and their turns are of different lengths.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_two_loops_in_step() {
    let mut dice = Dice::new(0x5772_1566_4901_5329);
    let bodies = [
        "", "-", "+", ".", "..", "-.", ".+", "+-", "-..", "--", "+++", "-+.", "(-)*5", "(+.)*3", "....-", "-.-",
        "+..+.+",
    ];
    for _ in 0..cases() / 10 {
        let some = |dice: &mut Dice| {
            let mut text = format!("(.)*{}(>)*{}", dice.roll(4), dice.roll(3));
            for _ in 0..=dice.roll(3) {
                let (one, other) = (dice.pick(&bodies), dice.pick(&bodies));
                let (turns, first) = (dice.roll(400), dice.pick(&["+", "-", "++", ".", "(-)*40"]));
                text += &match dice.roll(7) {
                    0..3 => format!("{first}[{one}]"),
                    3 => format!("{first}([{one}-{{{other}}}])%{turns}"),
                    4 => format!("{first}([{{{other}-}}.])%{turns}"),
                    5 => format!("({one}[{other}]{first})*{turns}"),
                    _ => format!("{first}[{one}]{}", dice.pick(&[">", "<", "."])),
                };
            }
            format!("({text})*{}", 1 + dice.roll(9))
        };
        let (attack, defence) = (some(&mut dice), some(&mut dice));
        let length = 3 + dice.roll(7);
        let attack = format!("(>)*{}{attack}", length - 1 - dice.roll(4).min(length - 1));
        let mut rules = Rules::egojoust();
        rules.flag_cycles = dice.pick(&[1, 2, 2, 3]);
        rules.cycle_limit = dice.pick(&[300, 3000, 20_000]);
        rules.flag = dice.pick(&[128, 128, 1, 255]);
        check_lengths(&attack, &defence, length..length + 3, &rules);
    }
}

/// One shudders on a cell and looks at others in between, again and again. The other has come there, and stays in a loop
/// on that cell or beside it. So the period that comes back contains many rounds of two loops in step.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_loops_in_step_between_looks() {
    let mut dice = Dice::new(0x2718_2818_2845_9045);
    let bodies = ["++-+", "+-", "-+--", "+", ".+", "--", "[+-]-+", "[.{-}]", "+[{+}-]+"];
    let ends = ["[]", "[-.--]", "[.---]", "[-.]", "[+.]", "[+-]", "[..+]", "(+---)*-1", "([-]+.)*-1", "([+{..}-])%999"];
    for _ in 0..cases() / 40 {
        let look = |dice: &mut Dice| {
            let (there, back) = dice.pick(&[("<", ">"), (">", "<"), ("<<", ">>"), (".", ".")]);
            format!(
                "{there}{}[{}]{}{back}",
                dice.pick(&["", "-", "+"]),
                dice.pick(&[".", ">", "-"]),
                dice.pick(&["", "+", "++"])
            )
        };
        let some = |dice: &mut Dice| {
            let (body, turns, more) = (dice.pick(&bodies), 1 + dice.roll(60), dice.roll(8));
            format!("({body})%{turns}{}(+)*{more}", look(dice))
        };
        let guard = format!("(>)*{}({}{})*-1", 1 + dice.roll(3), some(&mut dice), some(&mut dice));
        let (waits, wears) = (dice.roll(200), dice.pick(&["+", "-", "(-)*40[-]+", "", ">+<", "++"]));
        let length = 6 + dice.roll(9);
        let attack = format!("(>)*{}(.)*{waits}{wears}{}", length - 2 - dice.roll(4), dice.pick(&ends));
        let mut rules = Rules::egojoust();
        rules.flag_cycles = dice.pick(&[1, 2, 2, 3]);
        rules.cycle_limit = dice.pick(&[3000, 20_000, 60_000]);
        check_lengths(&attack, &guard, length..length + 4, &rules);
    }
}

/// A period that begins with one flag passing zero is skipped up to where the other flag becomes zero as it ends, and
/// stays so. That cycle counts for the loss.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_a_flag_that_falls_while_the_other_passes_zero() {
    let attack = "(>)*1((.)*2(>)*1(-)*40([-.--{(+.)*3}])%389++[+-])*6";
    let defence = "((.)*3(>)*1.[+-])*8";
    for flag_cycles in 1..=4 {
        let mut rules = Rules::egojoust();
        (rules.flag, rules.cycle_limit, rules.flag_cycles) = (255, 3000, flag_cycles);
        check_lengths(attack, defence, 3..6, &rules);
        check_lengths(defence, attack, 3..6, &rules);
    }
}

/// Loops that begin in the first half of a repetition and end in the second, whose instructions stay where they are.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_loops_across_halves() {
    let same = "(+[>{.<}-])%2";
    check(same, same, Setup { length: 16, swapped: true }, &Rules::egojoust());
    let mut dice = Dice::new(0x1618_0339_8874_9894);
    for _ in 0..cases() / 20 {
        let some = |dice: &mut Dice| {
            let before = dice.pick(&["", "+", ".", "-.", ">"]);
            let begin = dice.pick(&["+[>", "-[>", "+[", ".[>", ">+[", "+[.>"]);
            let middle = dice.pick(&[".<", ".", "<", "+<", ""]);
            let end = dice.pick(&["-]", ".]", "+]", "]", "--]", "]-"]);
            format!("{before}({begin}{{{middle}}}{end})%{}", 1 + dice.roll(20))
        };
        let (left, right) = (some(&mut dice), some(&mut dice));
        let rules = some_rules(&mut dice);
        check(&left, &right, Setup { length: 3 + dice.roll(24), swapped: dice.roll(2) == 1 }, &rules);
    }
}

/// Walks over cells that are zero, from bracket to bracket, written out and counted. They go into decoys, into each
/// other, and past an enemy who changes what lies ahead.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_walks() {
    let mut dice = Dice::new(0x2718_2818_2845_9045);
    let loops = ["[-]", "[+]", "[.]", "[[-]]", "[>]", "[<]", "[-.]", "[(+)*3[-]]", "[-]+", "[->+<]"];
    for _ in 0..cases() / 20 {
        let some = |dice: &mut Dice| {
            let mut text = String::new();
            for _ in 0..=dice.roll(4) {
                let times = 1 + dice.roll(30);
                let (one, other) = (dice.pick(&loops), dice.pick(&loops));
                text += &match dice.roll(8) {
                    0 => format!("(>{one})*{times}"),
                    1 => format!(">{one}").repeat(times),
                    2 => format!(">{one}>{other}").repeat(times / 2),
                    3 => format!("(<{one})*{}", times / 3),
                    4 => format!("({one}>)*{times}"),
                    5 => format!("(>{})*{}", dice.pick(&["+", "-", ".", "++"]), times / 4),
                    6 => format!("({})*{times}", dice.pick(&[">", "<", ".", "+", "[.]"])),
                    _ => format!("((>{one})*{}{other}<)*3", times / 3),
                };
            }
            text
        };
        let (left, right) = (some(&mut dice), some(&mut dice));
        let length = 4 + dice.roll(50);
        let rules = some_rules(&mut dice);
        check_lengths(&left, &right, length..length + 5, &rules);
    }
}

/// Each is played alone on its side of the middle. One comes to the last cell of its side, changes it, and goes beyond.
/// Then the other, which had gone further, is put back, and what was changed stays changed.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_what_is_changed_in_the_middle() {
    for walks in 10..=24 {
        let left = format!("((>[])*7)*{}", walks / 2);
        let right = format!("{}(<[]+)*10(>[[-]])*18", ">[]".repeat(walks));
        let mirrored = format!("{}([]<+)*14[-]", ">".repeat(walks));
        for (left, right) in [(&left, &right), (&right, &left), (&left, &mirrored), (&mirrored, &left)] {
            for flag_cycles in [1, 2] {
                let mut rules = Rules::egojoust();
                (rules.cycle_limit, rules.flag_cycles) = (1000, flag_cycles);
                check_lengths(left, right, walks + 1..walks + 5, &rules);
            }
        }
    }
}

/// One walks again and again towards a cell that the other begins to change meanwhile. It is zero when the walk begins,
/// and not when the walk comes to it. What it came to shows in the cycle that the enemy's flag falls in.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_walks_into_what_changes() {
    let mut dice = Dice::new(0x0577_2156_6490_1532);
    for _ in 0..cases() / 40 {
        let length = 12 + dice.roll(30);
        let (far, near) = (length - 1 - dice.roll(3), 2 + dice.roll(length - 3));
        let (body, pause) = (dice.pick(&["[-]", "[+]", "[-.]", "[>+<-]"]), dice.roll(9));
        let attack = format!("(>)*{far}(<)*{far}((>{body})*{near}(<)*{near}(.)*{pause})*12(>)*{}[-]", length - 1);
        let (run, other) = (10 + dice.roll(60), dice.pick(&["-", "+", "."]));
        let place = dice.roll(length);
        let defence = format!("(.)*{}(>)*{place}((+)*{run}({other})*{run}(.)*{})*900", dice.roll(90), dice.roll(5));
        let mut rules = Rules::egojoust();
        (rules.flag_cycles, rules.cycle_limit) = (dice.pick(&[1, 2]), 30_000);
        check_lengths(&attack, &defence, length..length + 4, &rules);
    }
}

/// A loop around a counted one comes back to where it was with the counter where it was, and is skipped as a whole.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_loops_around_counts() {
    let mut dice = Dice::new(0x1618_0339_8874_9895);
    for _ in 0..cases() / 40 {
        let some = |dice: &mut Dice| {
            let inner = nested(dice, 1);
            let (steps, times) = (dice.roll(4), 2 + dice.roll(60));
            format!("(>)*{steps}[({inner})*{times}{}]", dice.pick(&["", "+", "-", "."]))
        };
        let (left, right) = (some(&mut dice), some(&mut dice));
        let mut rules = some_rules(&mut dice);
        rules.cycle_limit = 60_000;
        check_lengths(&left, &right, 3..6, &rules);
    }
}

/// What repeats itself only in the end: flags touched in the last cycles, limits within a skip.
#[test]
fn the_engine_agrees_with_the_plain_machine_at_every_limit() {
    let pairs = [
        ("(>)*4(-)*128", "(.)*90[-]"),
        ("((+)*9(-)*9)*-1", ">>>(>((+)*3(-)*2)*64)*3"),
        ("(+-)*-1", "(>)*4([-]+[+])*9"),
        ("-[>-[>-[+]<-]<-]", ">>((-)*3(+)*5)*50"),
        ("([-{.}+])%40", ">>>>[-[+-].]"),
    ];
    for (left, right) in pairs {
        for flag_cycles in [1, 2] {
            for cycle_limit in (0..700).chain((700..30_000).step_by(971)) {
                let mut rules = Rules::egojoust();
                (rules.cycle_limit, rules.flag_cycles) = (cycle_limit, flag_cycles);
                check(left, right, Setup::from(5), &rules);
            }
        }
    }
}

/// A flag that both change at once comes to zero within the last repetition before the limit, and stays there.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_a_flag_that_is_lost_with_the_last_cycle() {
    let (attack, defence) = ("(.)*3(>)*18((-)*44(+)*127)*248", "([((+)*9(-)*8)*25][(+.)*5]([-{([+{.}])%4}])%11)*113");
    for cycle_limit in 250..350 {
        let mut rules = Rules::egojoust();
        rules.cycle_limit = cycle_limit;
        check_lengths(attack, defence, 19..23, &rules);
    }
}

/// A run that is longer than any number holds, as all of a loop.
#[test]
fn the_engine_agrees_with_the_plain_machine_on_a_loop_that_never_comes_to_its_end() {
    for symbol in ['+', '-', '.'] {
        let endless = (0..5).fold(symbol.to_string(), |text, _| format!("({text})*100000"));
        for opponent in [".", "(>)*4(-)*128", "(.)*9<", "(>)*3[(+)*7]"] {
            check(&format!(">[-]+[{endless}]"), opponent, Setup::from(5), &Rules::egojoust());
        }
    }
}

#[test]
fn all_lengths_at_once_are_the_lengths_one_by_one() {
    let mut dice = Dice::new(0x0bad_cafe_dead_beef);
    let entries = egojoust();
    for _ in 0..cases() / 40 {
        let mut rules = some_rules(&mut dice);
        rules.cycle_limit = 2000;
        let (left, right) = (dice.pick(&[0, 1]), 1 + dice.roll(30));
        let left = if left == 0 { entries[dice.roll(entries.len())].text.to_owned() } else { grown(&mut dice, 30) };
        let right = grown(&mut dice, right);
        let parse = |text: &str| Program::parse_as(text, rules.notation).expect("a program");
        let (left_program, right_program) = (parse(&left), parse(&right));
        let setups: Vec<Setup> =
            (0..12).map(|_| Setup { length: 2 + dice.roll(30), swapped: dice.roll(3) == 0 }).collect();
        let played = play(&left_program, &right_program, &setups, &rules);
        for (&setup, played) in setups.iter().zip(played) {
            let expected = Machine::set_up(&left_program, &right_program, setup, &rules).finish();
            assert_eq!(played, expected, "{left}  against  {right}  on {setup:?} among {setups:?} under {rules:?}");
        }
    }
}

#[test]
fn repetitions_play_as_they_do_written_out() {
    let rules = Rules::egojoust();
    let mut dice = Dice::new(0x5555_1234_5678_9abc);
    let mut texts: Vec<String> = egojoust().iter().map(|entry| entry.text.to_owned()).collect();
    texts.extend((0..cases() / 100).map(|_| grown(&mut dice, 30)));
    for text in texts {
        let parse = |text: &str| Program::parse_as(text, rules.notation).expect("a program");
        let (short, long) = (parse(&text), parse(&written_out(&text)));
        let opponent = parse(egojoust()[dice.roll(30)].text);
        for length in [3, 10, 17] {
            let mut rules = rules.clone();
            rules.cycle_limit = 5000;
            let outcome = charge(&short, &opponent, length, &rules);
            assert_eq!(outcome, charge(&long, &opponent, length, &rules), "{text}");
        }
    }
}
