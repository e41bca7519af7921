//! Figures and pictures of a charge, against what is known of it otherwise.

use bfjoust::{Program, Reason, Rules, Setup, Side, charge, statistics, trace};

fn program(source: &str) -> Program {
    Program::parse(source).expect("balanced")
}

#[test]
fn statistics_tell_the_outcome_the_tape_and_where_the_programs_were() {
    let rules = Rules::agora();
    let (left, right) = (program(">>>>[-]"), program("+"));
    let seen = statistics(&left, &right, Setup::from(5), &rules);
    assert_eq!(seen.charge, charge(&left, &right, 5, &rules));
    assert_eq!((seen.charge.winner, seen.charge.reason), (Some(Side::Left), Reason::Flag));
    assert_eq!(seen.cells, [128, 0, 0, 0, 0]);
    assert_eq!((seen.left.furthest, seen.right.furthest), (4, 0));
    let cycles = seen.charge.cycles;
    assert_eq!(seen.left.heat, [1, 1, 1, 1, cycles - 4]);
    assert_eq!(seen.right.heat, [0, 0, 0, 0, cycles]);
}

#[test]
fn statistics_of_a_charge_without_a_cycle_are_empty() {
    let mut rules = Rules::agora();
    rules.cycle_limit = 0;
    let seen = statistics(&program("<"), &program(""), Setup::from(3), &rules);
    assert_eq!((seen.left.heat, seen.left.furthest, seen.charge.reason), (vec![0, 0, 0], 0, Reason::Cap));
}

#[test]
fn a_trace_has_a_picture_before_each_cycle_and_one_at_the_end() {
    let rules = Rules::agora();
    let frames: Vec<_> = trace(&program(">+<<"), &program(","), Setup::from(3), &rules).collect();
    let cycles: Vec<u64> = frames.iter().map(|frame| frame.cycle).collect();
    assert_eq!(cycles, [0, 1, 2, 3, 4]);
    assert_eq!(frames[0].symbols, [Some('>'), Some('.')]);
    assert_eq!(frames[1].symbols, [Some('+'), None]);
    assert_eq!((frames[1].pointers, &frames[1].cells[..]), ([1, 2], &[128, 0, 128][..]));
    assert_eq!(frames[2].cells, [128, 1, 128]);
    assert_eq!(frames[4].pointers, [-1, 2]);
    let outcomes: Vec<bool> = frames.iter().map(|frame| frame.outcome.is_some()).collect();
    assert_eq!(outcomes, [false, false, false, false, true]);
    assert_eq!(frames[4].outcome, Some(charge(&program(">+<<"), &program(","), 3, &rules)));
}
