//! Figures and pictures of a charge, against what is known of it otherwise.

use std::sync::atomic::AtomicBool;

use bfjoust::{Cause, Loss, Program, Reason, Rules, Setup, Side, cause, cause_cancellable, charge, statistics, trace};

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

#[test]
fn j69_where_both_lose_the_cause_is_what_each_lost_by() {
    let told = |left: &str, right: &str, length: usize, rules: &Rules| -> (Cause, String) {
        let (left, right) = (program(left), program(right));
        let setup = Setup::from(length);
        let cause = cause(&left, &right, setup, &charge(&left, &right, length, rules), rules);
        (cause, cause.to_string())
    };
    let mut rules = Rules::agora();
    rules.flag = 1;
    let both = |left, right| Cause::Both { left, right };
    assert_eq!(told("<", "<", 9, &rules), (both(Loss::Edge, Loss::Edge), "both edge".to_owned()));
    assert_eq!(told("-", "-", 9, &rules), (both(Loss::Flag, Loss::Flag), "both flag".to_owned()));
    assert_eq!(told("<", "-", 9, &rules), (both(Loss::Edge, Loss::Flag), "edge, flag".to_owned()));
    assert_eq!(both(Loss::Edge, Loss::Flag).mirrored(), told("-", "<", 9, &rules).0);
    // One loses, or nobody wins: that is all.
    assert_eq!(told("<", ".", 9, &rules).1, "edge");
    assert_eq!(told(".", "-", 9, &rules).1, "flag");
    assert_eq!(told(".", ".", 9, &rules), (Cause::One(Reason::Cap), "cap".to_owned()));
    // A flag that is lost in the second cycle, in which its pointer runs off.
    rules.flag_cycles = 2;
    assert_eq!(told("-<", "-<", 9, &rules).1, "both flag and edge");
    assert_eq!(told("-<", ".<", 9, &rules).1, "flag and edge, edge");
}

#[test]
fn nobody_waits_for_a_cause_that_is_not_wanted_any_more() {
    let (rules, stop) = (Rules::agora(), AtomicBool::new(true));
    let (fall, sleep) = (program("<"), program("."));
    let both = charge(&fall, &fall, 9, &rules);
    assert_eq!(cause_cancellable(&fall, &fall, Setup::from(9), &both, &rules, &stop), None);
    let one = charge(&fall, &sleep, 9, &rules);
    let told = cause_cancellable(&fall, &sleep, Setup::from(9), &one, &rules, &stop);
    assert_eq!(told, Some(Cause::One(Reason::Edge)));
}
