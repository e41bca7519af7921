//! Every worked figure of seed 000's tournament items 1 to 7, each test named after its clause (J49 to J72).
//!
//! Programs are written with [`x`] for repetition, which is no part of the language. Each figure is asked of the
//! engine and of the naive reading in `naive.rs`.

use bfjoust::{Charge, Machine, Program, Reason, Rules, Side};

use crate::naive;

const SHORTEST: usize = 135;

/// `text` so many times.
fn x(text: &str, times: usize) -> String {
    text.repeat(times)
}

/// Plays both ways round, in the engine and naively, and gives the outcome that all of them agree on.
fn play_under(left: &str, right: &str, length: usize, rules: &Rules) -> Charge {
    let parse = |source| Program::parse(source).expect("balanced");
    let outcome = bfjoust::charge(&parse(left), &parse(right), length, rules);
    assert_eq!(outcome, naive::charge(left, right, length.into(), rules), "the naive reading agrees");
    assert_eq!(
        outcome.mirrored(),
        bfjoust::charge(&parse(right), &parse(left), length, rules),
        "J66: exchanging the sides mirrors the outcome"
    );
    outcome
}

fn play(left: &str, right: &str, length: usize) -> Charge {
    play_under(left, right, length, &Rules::agora())
}

fn limited(cycle_limit: u64) -> Rules {
    let mut rules = Rules::agora();
    rules.cycle_limit = cycle_limit;
    rules
}

fn won(winner: Side, reason: Reason, cycles: u64) -> Charge {
    Charge { winner: Some(winner), reason, cycles }
}

fn both(cycles: u64) -> Charge {
    Charge { winner: None, reason: Reason::Both, cycles }
}

fn cap(cycles: u64) -> Charge {
    Charge { winner: None, reason: Reason::Cap, cycles }
}

#[test]
fn j53_both_programs_share_one_array_and_code_is_not_in_it() {
    // Left leaves a 1 in the middle; right walks there and finds it, and the rest is as it was.
    let left = Program::parse(&format!("{}+", x(">", 3))).expect("balanced");
    let right = Program::parse(&format!("{}-", x(">", 2))).expect("balanced");
    let mut machine = Machine::new(&left, &right, 7, &Rules::agora());
    for _ in 0..4 {
        assert_eq!(machine.step(), None);
    }
    assert_eq!(machine.cells(), [128, 0, 0, 1, 255, 0, 128]);
}

#[test]
fn j54_code_has_no_length_limit() {
    let long = format!("{}{}", x("+-", 500_000), "<");
    assert_eq!(play_under(&long, "", SHORTEST, &limited(2_000_000)), won(Side::Right, Reason::Edge, 1_000_001));
}

#[test]
fn j55_a_length_counts_both_flags() {
    for length in Rules::agora().lengths() {
        let machine = Machine::new(&program(""), &program(""), length, &Rules::agora());
        assert_eq!(machine.cells().len(), length);
        assert_eq!((machine.pointer(Side::Left), machine.pointer(Side::Right)), (0, length as isize - 1));
        assert_eq!(play(&x(">", length), "", length), won(Side::Right, Reason::Edge, length as u64));
    }
}

#[test]
fn j59_flags_are_128_the_rest_0_and_bytes_wrap() {
    let mut machine = Machine::new(&program(">-+"), &program(">"), SHORTEST, &Rules::agora());
    let fresh = machine.cells().to_vec();
    assert_eq!((fresh[0], fresh[SHORTEST - 1]), (128, 128));
    assert!(fresh[1..SHORTEST - 1].iter().all(|&cell| cell == 0));
    machine.step();
    machine.step();
    assert_eq!(machine.cells()[1], 255, "0 - 1 = 255");
    machine.step();
    assert_eq!(machine.cells()[1], 0, "255 + 1 = 0");
}

#[test]
fn j59_the_figures_are_the_rules_own() {
    let mut rules = Rules::agora();
    (rules.flag, rules.background, rules.cell_max) = (10, 3, 20);
    let attack = format!("{}[-]", x(">", 4));
    assert_eq!(Machine::new(&program(""), &program(""), 5, &rules).cells(), [10, 3, 3, 3, 10]);
    // Four moves, one test on arrival, ten times `-` with nine times `]` between.
    assert_eq!(play_under(&attack, "", 5, &rules), won(Side::Left, Reason::Flag, 24));
    // Upwards the flag has 11 steps to go: 20 + 1 = 0.
    assert_eq!(play_under(&x("+", 11), "", 5, &rules), won(Side::Right, Reason::Flag, 11));
    // Away from the flag, 3 - 4 = 20: the loop then counts down from 20.
    assert_eq!(play_under(&format!(">{}[-]<<", x("-", 4)), "", 5, &rules), won(Side::Right, Reason::Edge, 48));
}

#[test]
fn j60_dot_and_comma_take_a_cycle_and_nothing_else() {
    assert_eq!(play("..<", "", SHORTEST), won(Side::Right, Reason::Edge, 3));
    assert_eq!(play(",,<", "", SHORTEST), won(Side::Right, Reason::Edge, 3));
}

#[test]
fn j60_other_characters_are_no_symbols_and_take_no_cycle() {
    assert_eq!(play("a (b) {c} 5*% \n\t\u{0} ö < z", "", SHORTEST), won(Side::Right, Reason::Edge, 1));
}

#[test]
fn j61_forward_is_towards_where_the_enemys_flag_was_also_after_passing() {
    // On a tape of 5 both have passed each other after 3 moves, and both stand on the other's flag after 4.
    let mut machine = Machine::new(&program(&x(">", 5)), &program(&x(">", 5)), 5, &Rules::agora());
    let mut seen = Vec::new();
    for _ in 0..4 {
        machine.step();
        seen.push((machine.pointer(Side::Left), machine.pointer(Side::Right)));
    }
    assert_eq!(seen, [(1, 3), (2, 2), (3, 1), (4, 0)]);
    assert_eq!(machine.step(), Some(both(5)));
}

#[test]
fn j62_a_comparison_reads_the_cell_before_this_cycles_additions() {
    // Both on the middle cell of 3. Left tests in cycle 2, when right adds: it reads 0 and skips to the `<<` at once.
    assert_eq!(play(">[.]<<", ">+", 3), won(Side::Right, Reason::Edge, 4));
    // One cycle later it reads the 1, and stays for ever.
    assert_eq!(play(">.[.]<<", ">+", 3), cap(384_000));
}

#[test]
fn j63_additions_on_one_cell_add_up() {
    let after = |left: &str, right: &str| {
        let mut machine = Machine::new(&program(left), &program(right), 3, &Rules::agora());
        machine.step();
        machine.step();
        machine.cells()[1]
    };
    assert_eq!(after(">-", ">-"), 254);
    assert_eq!(after(">+", ">+"), 2);
    assert_eq!(after(">+", ">-"), 0);
    assert_eq!(after(">-", ">+"), 0);
}

#[test]
fn j63_two_minus_on_a_flag_of_1_give_255_and_nobody_loses() {
    let right = format!("{}{}", x(".", 7), x("-", 128));
    assert_eq!(play(&format!("{}-", x(">", 134)), &right, SHORTEST), cap(384_000));
    // Without left's `-` the flag is 0 after cycle 135.
    assert_eq!(play(&x(">", 134), &right, SHORTEST), won(Side::Left, Reason::Flag, 135));
}

#[test]
fn j63_two_plus_on_a_flag_of_255_give_1_and_nobody_loses() {
    let right = format!("{}{}", x(".", 7), x("+", 128));
    assert_eq!(play(&format!("{}+", x(">", 134)), &right, SHORTEST), cap(384_000));
    assert_eq!(play(&x(">", 134), &right, SHORTEST), won(Side::Left, Reason::Flag, 135));
    let mut rules = Rules::agora();
    rules.flag = 255;
    assert_eq!(play_under(".+", ">+", 2, &rules), cap(384_000));
    assert_eq!(play_under("..", ">+", 2, &rules), won(Side::Right, Reason::Flag, 2));
}

#[test]
fn j64_a_turn_of_a_clearing_loop_takes_two_cycles() {
    // One `[`, then 128 turns of `-]` whose last `]` is never reached.
    assert_eq!(play("[-]", "", SHORTEST), won(Side::Right, Reason::Flag, 1 + 2 * 128 - 1));
    // On a cell of 3: `>+++[-]<<` is 4 + 1 + 3 * 2 + 2 cycles.
    assert_eq!(play(">+++[-]<<", "", SHORTEST), won(Side::Right, Reason::Edge, 13));
}

#[test]
fn j64_a_skipped_loop_takes_one_cycle_whatever_is_in_it() {
    assert_eq!(play(">[>>>>>[+]-]<<", "", SHORTEST), won(Side::Right, Reason::Edge, 4));
}

#[test]
fn j65_comparison_before_addition() {
    let left = format!("{}+[.]{}", x(">", 67), x("<", 68));
    for (wait, cycles) in [(0, 137), (1, 139), (2, 139), (3, 141), (4, 141), (5, 143)] {
        let right = format!("{}{}-", x(">", 67), x(".", wait));
        assert_eq!(play(&left, &right, SHORTEST), won(Side::Right, Reason::Edge, cycles), "w = {wait}");
    }
}

#[test]
fn j66_exchanging_the_sides_mirrors_the_outcome() {
    // `play` asks for it in every test here; these two differ in everything.
    let attack = format!("{}[-]", x(">", 150));
    assert_eq!(play(&attack, "+", 151).winner, Some(Side::Left));
    assert_eq!(play("+", &attack, 151).winner, Some(Side::Right));
}

#[test]
fn j67_one_cycle_with_the_own_flag_at_0_loses_whoever_did_it() {
    assert_eq!(play(&x("-", 128), "", SHORTEST), won(Side::Right, Reason::Flag, 128));
    assert_eq!(play(&x("+", 128), "", SHORTEST), won(Side::Right, Reason::Flag, 128));
    // It does not help that the flag would be raised again.
    assert_eq!(play(&format!("{}+", x("-", 128)), "", SHORTEST), won(Side::Right, Reason::Flag, 128));
    assert_eq!(play(&x("-", 127), "", SHORTEST), cap(384_000));
}

#[test]
fn j67_the_flag_is_tested_only_after_the_whole_cycle() {
    // The flag is 1; in cycle 128 right takes one and left gives one: it never stands at 0.
    let right = format!("{}-", x(">", 127));
    assert_eq!(play(&format!("{}+", x("-", 127)), &right, 128), cap(384_000));
    assert_eq!(play(&format!("{}.", x("-", 127)), &right, 128), won(Side::Right, Reason::Flag, 128));
}

#[test]
fn j68_a_pointer_beyond_either_flag_loses() {
    assert_eq!(play("<", "", SHORTEST), won(Side::Right, Reason::Edge, 1));
    assert_eq!(play(&x(">", 135), "", SHORTEST), won(Side::Right, Reason::Edge, 135));
    assert_eq!(play(&x(">", 134), "", SHORTEST), cap(384_000));
    let mut machine = Machine::new(&program(&x(">", 134)), &program(""), SHORTEST, &Rules::agora());
    for _ in 0..134 {
        machine.step();
    }
    assert_eq!(machine.pointer(Side::Left), 134, "on the enemy's flag");
}

#[test]
fn j69_both_losing_in_one_cycle_both_have_lost_whatever_the_causes() {
    assert_eq!(play("<", "<", SHORTEST), both(1));
    let rush = format!("{}[-]", x(">", 134));
    assert_eq!(play(&rush, &rush, SHORTEST), both(390));
    assert_eq!(play(&x("-", 128), &format!("{}<", x(".", 127)), SHORTEST), both(128));
}

#[test]
fn j70_a_program_at_its_end_idles_and_can_still_lose() {
    for (length, slow, fast) in [(135, 390, 262), (151, 406, 278), (167, 422, 294)] {
        let walk = x(">", length - 1);
        assert_eq!(play(&format!("{walk}[-]"), "", length), won(Side::Left, Reason::Flag, slow));
        let charge = play(&format!("{walk}{}", x("-", 128)), "", length);
        assert_eq!(charge, won(Side::Left, Reason::Flag, fast));
    }
    for length in 136..=167 {
        assert_eq!(play(&format!("{}[-]", x(">", 134)), "", length), cap(384_000), "length {length}");
    }
}

#[test]
fn j70_ending_loses_nothing() {
    assert_eq!(play("", "", SHORTEST), cap(384_000));
    assert_eq!(play("+", "+.-", SHORTEST), cap(384_000));
    // Two ended programs are known to go on like this: no limit is too far to answer at once.
    let forever = bfjoust::charge(&program(""), &program("+"), SHORTEST, &limited(u64::MAX));
    assert_eq!(forever, cap(u64::MAX));
}

#[test]
fn j71_a_win_in_the_last_cycle_counts() {
    let attack = format!("{}[-]", x(">", 134));
    assert_eq!(play_under(&attack, "", SHORTEST, &limited(390)), won(Side::Left, Reason::Flag, 390));
    assert_eq!(play_under(&attack, "", SHORTEST, &limited(389)), cap(389));
    assert_eq!(play_under("<", "<", SHORTEST, &limited(1)), both(1));
    assert_eq!(play_under("<", "", SHORTEST, &limited(0)), cap(0));
}

#[test]
fn j71_the_cap_reports_the_limit_also_where_it_was_known_earlier() {
    for limit in [0, 1, 4095, 4096, 4097, 10_000] {
        assert_eq!(play_under("", ".", SHORTEST, &limited(limit)), cap(limit));
        assert_eq!(play_under("[.]", "[,]", SHORTEST, &limited(limit)), cap(limit));
    }
}

#[test]
fn j72_exactly_one_loser_makes_a_winner_and_ends_the_charge() {
    // Left would lose one cycle later; the charge is over.
    assert_eq!(play(".<", "<", SHORTEST), won(Side::Left, Reason::Edge, 1));
    let mut machine = Machine::new(&program(".<"), &program("<"), SHORTEST, &Rules::agora());
    let end = machine.step();
    assert_eq!(end, Some(won(Side::Left, Reason::Edge, 1)));
    for _ in 0..3 {
        assert_eq!(machine.step(), end);
    }
    assert_eq!((machine.cycle(), machine.pointer(Side::Left)), (1, 0));
}

#[test]
fn j72_flag_and_edge_at_once_are_reported_as_flag() {
    // Left steps off its end in the very cycle in which right brings left's flag to 0.
    let left = format!("{}<", x(".", 128));
    let right = format!(">{}", x("-", 128));
    assert_eq!(play(&left, &right, 2), won(Side::Right, Reason::Flag, 129));
}

#[test]
fn j69_what_each_has_lost_by_is_known_where_both_lose() {
    for (left, right, expected) in [
        ("<", "<", [(false, true), (false, true)]),
        (".<", &format!(">{}", x("-", 128)), [(false, true), (false, false)]),
        (&format!("{}<", x("-", 127)), &format!("{}<", x("-", 128)), [(false, true), (true, false)]),
    ] {
        let mut machine = Machine::new(&program(left), &program(right), SHORTEST, &Rules::agora());
        machine.finish();
        assert_eq!([Side::Left, Side::Right].map(|side| machine.lost_by(side)), expected, "{left} {right}");
    }
    // Where two cycles lose a flag, one at zero is no loss by it.
    let mut rules = Rules::agora();
    rules.flag_cycles = 2;
    let falls = program(&format!("{}<", x("-", 128)));
    let mut machine = Machine::new(&falls, &falls, SHORTEST, &rules);
    machine.finish();
    assert_eq!(machine.lost_by(Side::Left), (true, true));
    let late = program(&format!("{}<-", x("-", 127)));
    let mut machine = Machine::new(&late, &late, SHORTEST, &rules);
    machine.finish();
    assert_eq!(machine.lost_by(Side::Left), (false, true));
}

fn program(source: &str) -> Program {
    Program::parse(source).expect("balanced")
}
