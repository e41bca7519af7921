//! What a submitter is told: J11.

use bfjoust::{Notation, ParseErrorKind, Program, WarningKind, warnings, warnings_as};

use crate::corpus::egojoust;

fn error(source: &str) -> (ParseErrorKind, usize, usize, String) {
    let error = Program::parse(source).expect_err("brackets do not balance");
    (error.kind, error.line, error.column, error.to_string())
}

fn kinds(source: &str) -> Vec<(WarningKind, usize, usize, usize)> {
    warnings(source).into_iter().map(|w| (w.kind, w.count, w.line, w.column)).collect()
}

#[test]
fn j11_a_closing_bracket_too_many_is_refused_with_its_place() {
    let text = "The ] at line 2, column 4 has no [ before it.";
    assert_eq!(error("[-]\nöö ] ["), (ParseErrorKind::Unopened, 2, 4, text.to_owned()));
}

#[test]
fn j11_an_opening_bracket_too_many_is_refused_with_its_place() {
    let text = "The [ at line 1, column 2 is never closed by a ].";
    assert_eq!(error(">[+[-]\n"), (ParseErrorKind::Unclosed { count: 1 }, 1, 2, text.to_owned()));
    let text = "2 brackets [ are never closed by a ], the first at line 1, column 1.";
    assert_eq!(error("[>[+[-]"), (ParseErrorKind::Unclosed { count: 2 }, 1, 1, text.to_owned()));
}

#[test]
fn j11_run_lengths_are_comments_and_warned_of() {
    assert_eq!(Program::parse("(+)*5"), Program::parse("+"));
    assert_eq!(kinds("(+)*5"), [(WarningKind::RunLength, 1, 1, 4)]);
    assert_eq!(kinds(">>\n(>[-]{+}<)%4 (-) * -1"), [(WarningKind::RunLength, 2, 2, 11)]);
    assert_eq!(
        warnings("(+)*5")[0].to_string(),
        "Repetition signs are comments under these rules, so (+)*5 is one +; write the commands out (line 1, column 4)."
    );
}

#[test]
fn j11_brackets_and_signs_that_repeat_nothing_are_not_warned_of() {
    assert_eq!(kinds("(a decoy) + {b} * five % of 3 ((>))"), []);
}

#[test]
fn j11_a_stray_dot_or_comma_in_prose_is_warned_of() {
    let idle = |count, line, column| vec![(WarningKind::IdleInProse, count, line, column)];
    assert_eq!(kinds(">+ lay a decoy.\n>- and another, then go..."), idle(5, 1, 15));
    assert_eq!(kinds("+ (so it says!).\n"), idle(1, 1, 16));
    assert_eq!(kinds("+ .hidden"), idle(1, 1, 3));
    assert_eq!(
        warnings("+ go, wait.")[0].to_string(),
        "A . or , in a comment is a command too and idles for one cycle. Leave it out unless you mean it (2 times, first \
         at line 1, column 5)."
    );
}

#[test]
fn j11_dots_in_code_are_not_warned_of() {
    assert_eq!(kinds("[.,] wait ... here\n..,,\n+[.]\nthen .\n. again"), []);
}

#[test]
fn j11_commands_between_letters_are_warned_of() {
    assert_eq!(kinds("+ an anti-defence left-to-right"), [(WarningKind::CommandInProse, 3, 1, 10)]);
    assert_eq!(kinds("> - one\n[a] - b +c d+ <e>"), []);
}

#[test]
fn j11_j70_a_program_without_a_command_is_legal_and_warned_of() {
    assert_eq!(Program::parse("hello world").map(|program| program.symbols()), Ok(0));
    assert_eq!(kinds("hello world"), [(WarningKind::NoCommand, 1, 1, 1)]);
    assert_eq!(kinds(""), [(WarningKind::NoCommand, 1, 1, 1)]);
    assert_eq!(kinds("."), []);
}

#[test]
fn warnings_come_one_of_a_kind_in_a_fixed_order() {
    let found = kinds("a-b. (+)*2 c.d (-)%3 e+f");
    assert_eq!(
        found,
        [
            (WarningKind::RunLength, 2, 1, 9),
            (WarningKind::IdleInProse, 2, 1, 4),
            (WarningKind::CommandInProse, 2, 1, 2)
        ]
    );
    assert_eq!(Program::warnings("a-b").len(), 1);
}

#[test]
fn j50_programs_with_the_same_symbols_are_equal_and_have_the_same_code() {
    let one = Program::parse("walk > test [ idle , ]\n").expect("balanced");
    let other = Program::parse(">[.]").expect("balanced");
    assert_eq!(one, other);
    assert_eq!((one.code(), other.code()), (">[.]".to_owned(), ">[.]".to_owned()));
    assert_ne!(one, Program::parse(">[+]").expect("balanced"));
}

#[test]
fn a_text_is_looked_through_as_it_is_read() {
    let kinds = |source: &str| -> Vec<WarningKind> {
        warnings_as(source, Notation::egojoust()).into_iter().map(|warning| warning.kind).collect()
    };
    assert_eq!(kinds("(+)*5 then wait, and go"), []);
    assert_eq!(kinds("(+)*5 then wait. Go"), [WarningKind::DotInProse]);
    assert_eq!(kinds(",,,"), [WarningKind::NoCommand]);
    // Where a comma is a comment, nobody is warned of one.
    assert_eq!(
        warnings_as("(+)*5 then wait, go.", Notation::egojoust())[0].to_string(),
        "A . in a comment is a command too and idles for one cycle. Leave it out unless you mean it (line 1, column 20)."
    );
}

#[test]
fn digits_of_a_count_are_no_prose() {
    let kinds = |source: &str, notation| -> Vec<WarningKind> {
        warnings_as(source, notation).into_iter().map(|warning| warning.kind).collect()
    };
    let ego = Notation::egojoust();
    let pauses =
        ["(>)*8.[-]", "(>(-)*3.)*9", "(+)*-1..", "(+)% 12.", "(>) nine times: *9.", "(+{.}-)%12.", "((.)*3).*2 (+)*2."];
    for pause in pauses {
        let idle = |kind: &WarningKind| matches!(kind, WarningKind::DotInProse | WarningKind::IdleInProse);
        assert!(!kinds(pause, ego).iter().any(idle), "{pause}: {:?}", kinds(pause, ego));
    }
    assert_eq!(kinds("(>)*8.[-]", Notation::agora()), [WarningKind::RunLength]);
    for entry in egojoust() {
        assert_eq!(kinds(entry.text, ego), [], "{}", entry.name);
    }
    // Another number is a word, and what is said behind a count is one too.
    for prose in ["(>)*8 see item 3.", "version 3.[-]", "(>)*8x.", "(>)*8.x", "3 * 9."] {
        assert_eq!(kinds(prose, ego), [WarningKind::DotInProse], "{prose}");
    }
}

#[test]
fn a_repetition_without_a_count_is_warned_of() {
    let found = |source: &str| -> Vec<(usize, usize)> {
        let some = warnings_as(source, Notation::egojoust());
        some.iter().filter(|some| some.kind == WarningKind::NoCount).map(|some| (some.count, some.column)).collect()
    };
    for missing in ["(>)9(>[-])*21", "(>)*-(>[-])*21", "(>)", "(>)*(+)*3", "(>{+}<)(-)*2", "(())*3 (.)"] {
        assert!(!found(missing).is_empty(), "{missing}");
        assert_eq!(
            warnings_as(missing, Notation::agora()).iter().filter(|w| w.kind == WarningKind::NoCount).count(),
            0
        );
    }
    assert_eq!(found("> ((>)(+)*2)7 (-)*0"), [(2, 4)]);
    // Nor is it one where the count stands further on, is none on purpose, or where there is nothing to repeat.
    for fine in
        ["(>)*9", "(>) nine times: *9", "(>) % -1", "(>)*0", "(a decoy) +", "(so it says.) +", "(left-to-right) +"]
    {
        assert_eq!(found(fine), [], "{fine}");
    }
    assert_eq!(
        warnings_as("(>)9(>[-])*21", Notation::egojoust())[0].to_string(),
        "A repetition without a count is played no times, so (>)9 is nothing; write (>)*9 if you mean nine (line 1, \
         column 1)."
    );
}
