//! Texts and programs made to hurt: each is answered, at once and in bounded memory.

use std::sync::atomic::{AtomicBool, Ordering};

use bfjoust::{ParseErrorKind, Program, Reason, Rules, Setup, charge, charge_cancellable, play_cancellable, warnings};

const MEGABYTE: usize = 1_000_000;

#[test]
fn j11_a_megabyte_of_opening_brackets_is_refused_at_its_first() {
    let error = Program::parse(&"[".repeat(MEGABYTE)).expect_err("nothing is closed");
    assert_eq!((error.kind, error.line, error.column), (ParseErrorKind::Unclosed { count: MEGABYTE }, 1, 1));
    let error = Program::parse(&"[\n".repeat(MEGABYTE / 2)).expect_err("nothing is closed");
    assert_eq!((error.line, error.column), (1, 1));
}

#[test]
fn j11_a_megabyte_of_closing_brackets_is_refused_at_its_first() {
    let error = Program::parse(&"]".repeat(MEGABYTE)).expect_err("nothing is open");
    assert_eq!((error.kind, error.line, error.column), (ParseErrorKind::Unopened, 1, 1));
}

#[test]
fn an_error_at_the_end_of_a_megabyte_has_the_right_place() {
    let error = Program::parse(&format!("{}ö]", "+\n".repeat(MEGABYTE / 2))).expect_err("nothing is open");
    assert_eq!((error.line, error.column), (MEGABYTE / 2 + 1, 2));
}

#[test]
fn brackets_nested_100000_deep_parse_and_play() {
    for depth in [100_000, MEGABYTE / 2] {
        let deep = Program::parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).expect("balanced");
        assert_eq!(deep.symbols(), 2 * depth);
        assert_eq!(charge(&deep, &deep, 151, &Rules::agora()).reason, Reason::Cap);
        let skipped = Program::parse(&format!(">{}{}<<", "[".repeat(depth), "]".repeat(depth))).expect("balanced");
        assert_eq!(charge(&skipped, &deep, 151, &Rules::agora()).cycles, 4);
    }
}

#[test]
fn a_megabyte_of_anything_is_looked_through_for_warnings_at_once() {
    for text in [".", ",.", "a.", ")*", ")* ", "(+)*5", "[", "ö-ö", " ", "\n"] {
        let text = text.repeat(MEGABYTE / text.len());
        assert!(warnings(&text).len() <= 3);
        assert!(Program::parse(&text).is_ok_and(|program| program.symbols() <= text.len()) || text.starts_with('['));
    }
}

#[test]
fn a_program_is_shared_by_its_clones() {
    let program = Program::parse(&"+-".repeat(MEGABYTE / 2)).expect("balanced");
    // Ten thousand copies of a megabyte would not fit into memory.
    let clones = vec![program; 10_000];
    assert_eq!(clones.iter().map(Program::symbols).sum::<usize>(), 10_000 * MEGABYTE);
}

#[test]
fn long_runs_in_loops_on_a_flag_are_told_at_once() {
    let mut rules = Rules::egojoust();
    rules.cycle_limit = u64::MAX / 4;
    let idle = Program::parse("").expect("empty");
    for text in ["[((.)*100000)*10000]", "[.((.)*100000)*10000]", "[((+-)*100000)*10000]"] {
        let program = Program::parse_as(text, rules.notation).expect("balanced");
        assert_eq!(charge(&program, &idle, 20, &rules).reason, Reason::Cap, "{text}");
        assert_eq!(charge(&idle, &program, 20, &rules).reason, Reason::Cap, "{text}");
    }
}

#[test]
fn a_charge_can_be_cancelled_before_and_while_it_is_played() {
    let rules = Rules::agora();
    let walk = Program::parse(&">".repeat(150)).expect("balanced");
    let cancel = AtomicBool::new(true);
    assert_eq!(charge_cancellable(&walk, &walk, 151, &rules, &cancel), None);

    // Far more charges than are played before anybody can cancel them.
    cancel.store(false, Ordering::Relaxed);
    let setups = vec![Setup::from(151); 3_000_000];
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| play_cancellable(&walk, &walk, &setups, &rules, &cancel));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!(playing.join().expect("no panic"), None);
    });
}

#[test]
fn a_charge_that_is_not_cancelled_is_a_charge() {
    let attack = Program::parse(&format!("{}[-]", ">".repeat(150))).expect("balanced");
    let idle = Program::parse("").expect("balanced");
    let rules = Rules::agora();
    let outcome = charge_cancellable(&attack, &idle, 151, &rules, &AtomicBool::new(false));
    assert_eq!(outcome, Some(charge(&attack, &idle, 151, &rules)));
}

#[test]
#[should_panic(expected = "a tape has 2 to 65536 cells")]
fn a_tape_without_room_for_two_flags_is_a_mistake_of_the_caller() {
    let idle = Program::parse("").expect("balanced");
    charge(&idle, &idle, 1, &Rules::agora());
}
