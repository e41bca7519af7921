//! Figures and pictures of a charge, against what is known of it otherwise.

use std::sync::atomic::AtomicBool;

use bfjoust::{
    Cause, FilmError, Frame, Loss, Program, Reason, Rules, Setup, Side, cause, cause_cancellable, charge, film,
    read_film, statistics, trace,
};

use crate::corpus::egojoust;

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

#[test]
fn a_film_reads_back_as_the_pictures_that_it_was_made_of() {
    let mut rules = Rules::egojoust();
    rules.cycle_limit = 700;
    let entries = egojoust();
    for (place, entry) in entries.iter().enumerate() {
        let other = &entries[(place * 7 + 3) % entries.len()];
        let parse = |text: &str| Program::parse_as(text, rules.notation).expect("the corpus has no mistakes");
        let (left, right) = (parse(entry.text), parse(other.text));
        let setup = Setup { length: 10 + place % 9, swapped: place % 2 == 0 };
        let pictures = || trace(&left, &right, setup, &rules);
        for from in [0, 1, 333] {
            let frames: Vec<Frame> = pictures().skip(from).collect();
            if frames.is_empty() {
                continue;
            }
            let lines: Vec<String> = film(frames.clone()).collect();
            let read: Result<Vec<Frame>, FilmError> = read_film(lines.iter().map(String::as_str)).collect();
            assert_eq!(read, Ok(frames), "{} - {}", entry.name, other.name);
        }
        // Apart from the first picture a line has some signs, whatever the tape.
        let (bytes, lines) =
            film(pictures()).skip(3).fold((0, 0), |(bytes, lines), line| (bytes + line.len(), lines + 1));
        assert!(bytes <= 20 * lines, "{bytes} in {lines}");
    }
}

#[test]
fn a_film_is_as_written_down() {
    let rules = Rules::agora();
    let lines: Vec<String> = film(trace(&program(">-"), &program("<"), Setup::from(3), &rules)).collect();
    assert_eq!(lines, ["bfjoust film 1", "length 3", "r2 L> R< 0=128 2=128", "l1 r3 L- R_ !left:edge"]);
}

#[test]
fn what_is_no_film_is_refused_with_its_line() {
    let line = |text: &str| read_film(text.lines()).find_map(Result::err).map(|error| error.line);
    for (text, wrong) in [
        ("", Some(1)),
        ("bfjoust film 2\nlength 3\n", Some(1)),
        ("bfjoust film 1", Some(2)),
        ("bfjoust film 1\nlength 0", Some(2)),
        ("bfjoust film 1\nlength 99999999", Some(2)),
        ("bfjoust film 1\nlength 3\n\nl4", Some(4)),
        ("bfjoust film 1\nlength 3\n3=1", Some(3)),
        ("bfjoust film 1\nlength 3\n0=256", Some(3)),
        ("bfjoust film 1\nlength 3\nLx", Some(3)),
        ("bfjoust film 1\nlength 3\n!left:luck", Some(3)),
        ("bfjoust film 1\nlength 3\nwhat", Some(3)),
        ("bfjoust film 1\nlength 3\n@7 l-1 L_ 2=255 !none:both\n", None),
    ] {
        assert_eq!(line(text), wrong, "{text:?}");
    }
}
