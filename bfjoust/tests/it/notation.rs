//! Repetitions: what they mean, and what is wrong with them.

use bfjoust::{Machine, Notation, ParseErrorKind, Program, REPEAT_MAX_COUNT, Rules, Side};

fn short(source: &str) -> Program {
    Program::parse_as(source, Notation::egojoust()).expect("balanced")
}

/// The symbols that it plays on a tape where every cell is zero or not, up to some cycles.
fn played(source: &str, background: u8, cycles: usize) -> String {
    let mut rules = Rules::egojoust();
    rules.background = background;
    rules.flag = background;
    rules.flag_cycles = 1000;
    let mut machine = Machine::new(&short(source), &short(""), 100, &rules);
    let mut text = String::new();
    while text.len() < cycles {
        let Some(symbol) = machine.symbol(Side::Left) else { break };
        text.push(symbol);
        if machine.step().is_some() {
            break;
        }
    }
    text
}

#[test]
fn a_repetition_plays_what_is_in_it_so_many_times_and_parentheses_take_no_cycle() {
    assert_eq!(played("(>.)*3<", 1, 99), ">.>.>.<");
    assert_eq!(played("(>(.)*2)%2<", 1, 99), ">..>..<");
    assert_eq!(played("((>)*2.)*2", 1, 99), ">>.>>.");
}

#[test]
fn what_stands_in_braces_is_played_once_between_the_halves() {
    assert_eq!(played("(>{.}<)%3", 1, 99), ">>>.<<<");
    assert_eq!(played("(>{.}<)*3", 1, 99), ">>>.<<<");
    assert_eq!(played(">(>(.{>}<)%2{+}<)%2", 1, 99), ">>..><<>..><<+<<");
}

#[test]
fn a_loop_may_span_the_halves() {
    // On zero each [ goes on after the ] of its own repetition.
    assert_eq!(played("(>[{.}]<)%3>", 0, 99), ">[<>");
    assert_eq!(played("(>[{.}])%2<", 1, 9), ">[>[.].].");
}

#[test]
fn no_count_is_none_and_braces_stay() {
    assert_eq!(played("(>)<", 1, 1), "<");
    assert_eq!(played("(>)*<", 1, 1), "<");
    assert_eq!(played("(>)*0.", 1, 1), ".");
    assert_eq!(played("(>{.}<)%0+", 1, 9), ".+");
    assert_eq!(played("((>){.}(<))*5", 1, 9), ".");
}

#[test]
fn a_negative_count_or_one_too_large_is_the_largest() {
    for text in ["(.)*-1<", "(.)*-99<", "(.)*100000<", "(.)*100001<", "(.)*99999999999999999999<"] {
        let mut rules = Rules::egojoust();
        rules.cycle_limit = u64::MAX;
        let charge = bfjoust::charge(&short(text), &short(""), 10, &rules);
        assert_eq!(charge.cycles, u64::from(REPEAT_MAX_COUNT) + 1, "{text}");
    }
    assert_eq!(played("(.)*-0<", 1, 9), "<");
}

#[test]
fn a_tournament_may_allow_fewer_repetitions_and_with_none_their_signs_are_comments() {
    let over_the_edge = |text: &str, most: u32| {
        let mut rules = Rules::egojoust();
        rules.notation.repeat_max = most;
        let program = Program::parse_as(text, rules.notation).map_err(|why| why.kind)?;
        Ok(bfjoust::charge(&program, &short(""), 10, &rules).cycles)
    };
    for count in ["7", "8", "-1", "99999999999"] {
        assert_eq!(over_the_edge(&format!("(+)*{count}<"), 7), Ok(8), "{count}");
    }
    assert_eq!(over_the_edge("(+)*6<", 7), Ok(7));
    assert_eq!(over_the_edge("(+)*5}<", 0), Ok(2));
    assert_eq!(over_the_edge("(+)*5}<", 1), Err(ParseErrorKind::InnerUnopened));
}

#[test]
fn a_comma_and_other_signs_are_comments() {
    assert_eq!(short("+,(,)*3 x *5 % 7."), short("+."));
    assert_eq!(short("(+) times * 3"), short("+++"));
}

#[test]
fn a_brace_in_a_brace_belongs_to_the_parentheses_around() {
    assert_eq!(played(">(>(.{+{-}.}<)*2>)*2", 1, 99), ">>..+>..+-.<<>.<<>");
}

#[test]
fn mistakes_are_refused_with_their_place() {
    use ParseErrorKind::{
        Crossing, GroupUnclosed, GroupUnopened, InnerOutside, InnerTwice, InnerUnclosed, InnerUnopened, Unclosed,
        Unopened,
    };
    for (text, kind, column) in [
        ("+)*2", GroupUnopened, 2),
        ("((+)*2", GroupUnclosed { count: 1 }, 1),
        ("((+", GroupUnclosed { count: 2 }, 1),
        ("(+}-)*2", InnerUnopened, 3),
        ("(+{-)*2", InnerUnclosed, 5),
        ("{+}", InnerOutside, 1),
        ("(+{-}{.})*2", InnerTwice, 6),
        ("[(+])*2", Crossing, 4),
        ("([+)*2]", Crossing, 4),
        ("([{+]})*2", Crossing, 3),
        ("([{+]}.)*2", Crossing, 5),
        ("([+{.)*2}]", InnerUnclosed, 6),
        ("(+)*2]", Unopened, 6),
        ("[(+)*2", Unclosed { count: 1 }, 1),
    ] {
        let error = Program::parse_as(text, Notation::egojoust()).expect_err(text);
        assert_eq!((error.kind, error.line, error.column), (kind, 1, column), "{text}");
        assert!(error.to_string().ends_with('.'), "{error}");
    }
}
