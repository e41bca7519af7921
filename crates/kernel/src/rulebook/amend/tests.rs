//! Edits of visible text, and what becomes of the figures in it.

use std::collections::BTreeMap;

use super::*;
use crate::Instant;
use crate::rulebook::keys::NumKind;

const HOURS: LiveKey = LiveKey {
    key: "hours",
    kind: NumKind::Count,
    engine_min: 0,
    engine_max: 1000,
    absent: "no proposal times out",
    rehearsal: "time-out",
    meaning: "hours after which a proposal times out",
};
const POINTS: LiveKey = LiveKey { key: "points", kind: NumKind::List, meaning: "schedule of points", ..HOURS };
const CHIEF: LiveKey = LiveKey { key: "@chief", kind: NumKind::Name, meaning: "name of the chief", ..HOURS };

fn book(source: &str) -> Rulebook {
    let mut book = Rulebook::default();
    let fields = BTreeMap::new();
    let act = RuleAct::Enact { number: 7, title: "Time Out".to_owned(), fields, source: source.to_owned() };
    book.apply(&RuleOp::new("time", act), 1, Instant::UNIX_EPOCH);
    book
}

fn book_of_list() -> Rulebook {
    book("First [8](#points), then [5](#points).")
}

fn rule(book: &Rulebook) -> &Rule {
    book.get("time").unwrap()
}

/// The stored text after an edit, and the report.
fn seen(edit: Result<Edit, Refusal>) -> (String, String) {
    let edit = edit.unwrap();
    let lines = edit.rebindings.iter().map(|line| {
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        format!("{} {} > {} {:?}", line.key, shown(&line.old), shown(&line.new), line.outcome)
    });
    (edit.text.source().to_string(), lines.collect::<Vec<_>>().join("; "))
}

#[test]
fn a_phrase_is_replaced_where_it_stands_exactly_once() {
    let book = book("A proposal times out after [48](#hours) hours.\nThen, after two\nhours of grace, it fails.");
    let rule = rule(&book);
    for (old, new, source, report) in [
        ("after 48 hours", "after 50 hours", "A proposal times out after [50](#hours) hours.", "hours 48 > 50 Found"),
        ("48", "5", "A proposal times out after [5](#hours) hours.", "hours 48 > 5 Found"),
        ("8", "0", "A proposal times out after [40](#hours) hours.", "hours 48 > 40 Found"),
        ("times out", "fails", "A proposal fails after [48](#hours) hours.", ""),
        ("after 48 hours", "in the end", "A proposal times out in the end.", "hours 48 > - Lost"),
        ("48", "/* 48 */", "A proposal times out after /* [48](#hours) */ hours.", "hours 48 > 48 Hidden"),
        ("48 hours", "[2](#hours) days", "A proposal times out after [2](#hours) days.", "hours 48 > 2 Written"),
        (" out after ", "\nout within", "A proposal times out within [48](#hours) hours.", ""),
    ] {
        let expected = format!("{source}\nThen, after two\nhours of grace, it fails.");
        assert_eq!(seen(replace_phrase(rule, old, new)), (expected, report.to_owned()), "{old} -> {new}");
    }
    let (source, told) = seen(replace_at(rule, 29..29, "5"));
    assert!(source.starts_with("A proposal times out after [485](#hours) hours."), "{source}");
    assert_eq!(told, "hours 48 > 485 Found");
    assert!(replace_at(rule, Range { start: 29, end: 28 }, "5").is_err() && replace_at(rule, 900..901, "5").is_err());
    assert!(seen(replace_phrase(rule, "after two hours  of", "after")).0.ends_with("Then, after grace, it fails."));
    for (old, why) in [
        ("after", "“after” stands in Time Out 2 times; quote more of it"),
        ("After 48", "“After 48” does not stand in Time Out"),
        (" ", "an empty phrase stands everywhere"),
    ] {
        assert_eq!(replace_phrase(rule, old, "x").unwrap_err().say, why);
    }
    assert_eq!(replace_phrase(rule, "48", "48").unwrap_err().say, "Time Out says that already");
    assert!(replace_phrase(rule, "48", &"x".repeat(RULE_MAX_BYTES)).is_err());
}

/// A phrase is looked for in the words first, and in code where those have nothing of it.
#[test]
fn words_go_before_code() {
    let book = book("At most 5 hats.\n\n```law\nlet hats = 5;\nlet socks = 6;\n```\n");
    let rule = rule(&book);
    assert!(seen(replace_phrase(rule, "5", "7")).0.starts_with("At most 7 hats.\n\n```law\nlet hats = 5;"));
    assert!(seen(replace_phrase(rule, "6", "7")).0.contains("let socks = 7;"));
    assert!(replace_phrase(rule, "let", "x").unwrap_err().say.contains("2 times"));
}

#[test]
fn overlapping_places_of_a_phrase_are_counted() {
    let book = book("aaa é");
    assert!(phrase(rule(&book), "aa").unwrap_err().say.contains("2 times"));
    assert_eq!(phrase(rule(&book), "é").unwrap(), 4..6);
}

#[test]
fn a_whole_text_keeps_its_figures_by_alignment_and_takes_markup() {
    let book = book("Out after [48](#hours) hours. The [chief](#=chief) is [Ann](#@chief).");
    let rule = rule(&book);
    let (source, told) = seen(replace_text(rule, "It is out after 72 hours.\r\nThe chief is Bob."));
    assert_eq!(source, "It is out after [72](#hours) hours.\nThe [chief](#=chief) is [Bob](#@chief).");
    assert_eq!(told, "hours 48 > 72 Found; =chief chief > chief Found; @chief Ann > Bob Found");
    let (source, told) = seen(replace_text(rule, "The chief is Bob. Out after 72 hours."));
    assert_eq!(source, "The chief is Bob. Out after [72](#hours) hours.");
    assert_eq!(told, "hours 48 > 72 Found; =chief chief > - Lost; @chief Ann > - Lost");
    let (source, told) = seen(replace_text(rule, "After [3](#hours) or 48 hours all is over."));
    assert_eq!(source, "After [3](#hours) or 48 hours all is [over](#@chief).");
    assert_eq!(told, "hours 48 > 3 Written; =chief chief > - Lost; @chief Ann > over Found");
    let list = book_of_list();
    let (source, told) = seen(replace_text(self::rule(&list), "First 8, then 5 and [3](#points)."));
    assert_eq!(source, "First [8](#points), then [5](#points) and [3](#points).", "{told}");
    let (source, told) = seen(replace_text(rule, "```\n[3](#hours)\n```"));
    assert_eq!((source.as_str(), told.contains("hours 48 > - Lost")), ("```\n[3](#hours)\n```", true));
}

/// Whatever takes a place away from a list: no figure moves up.
#[test]
fn a_list_that_loses_a_place_is_unbound_as_a_whole() {
    let lost = "points 8 > - Lost; points 5 > - Lost";
    let list = book_of_list();
    for (old, new) in [("8", "lots"), ("8", "/* 8 */"), ("5", ""), ("8, then 5", "8 and more")] {
        assert_eq!(seen(replace_phrase(rule(&list), old, new)).1, lost, "{old} -> {new}");
    }
    for (new, left) in [
        ("First lots, then 5.", "First lots, then 5."),
        // The figure that is left would move up, whatever is written beside it.
        ("First lots, then 5 and [3](#points) and [2](#points).", "First lots, then 5 and 3 and 2."),
        ("First 8, [3](#points) for all.", "First [8](#points), [3](#points) for all."),
        ("First none, [3](#points) for all.", "First none, [3](#points) for all."),
    ] {
        assert_eq!(seen(replace_text(rule(&list), new)).0, left, "{new}");
    }
    let other = bind(rule(&list), &HOURS, "First 8").unwrap();
    assert_eq!(&**other.text.source(), "First [8](#hours), then 5.");
    assert_eq!(seen(Ok(other)).1, format!("{lost}; hours - > 8 Written"));
}

#[test]
fn markup_alone_is_a_mark_and_no_amendment() {
    let mut book = book("Out after 48 hours or 3 more.");
    let edit = bind(rule(&book), &HOURS, "after 48 hours").unwrap();
    assert!(matches!(edit.op.act, RuleAct::Mark { .. }));
    assert_eq!(&**edit.text.source(), "Out after [48](#hours) hours or 3 more.");
    book.apply(&edit.op, 2, Instant::UNIX_EPOCH);
    assert_eq!(book.live_count(&HOURS).ok(), Some(48));
    let moved = bind(rule(&book), &HOURS, "3 more");
    assert_eq!(seen(moved), ("Out after 48 hours or [3](#hours) more.".into(), "hours 48 > 3 Written".into()));
    assert_eq!(
        seen(unbind(rule(&book), "hours")),
        ("Out after 48 hours or 3 more.".into(), "hours 48 > - Lost".into())
    );
    let again = replace_text(rule(&book), "Out after [48](#hours) hours or 3 [more](#=day).").unwrap();
    assert!(matches!(again.op.act, RuleAct::Mark { .. }));
    for (edit, why) in [
        (bind(rule(&book), &HOURS, "48"), "Time Out is bound so already"),
        (
            bind(rule(&book), &HOURS, "Out"),
            "“Out” cannot be the hours after which a proposal times out: it is no number",
        ),
        (
            bind(rule(&book), &HOURS, "48 hours or 3"),
            "“48 hours or 3” cannot be the hours after which a proposal times out: it holds several numbers",
        ),
        (unbind(rule(&book), "days"), "Time Out holds no days"),
    ] {
        assert_eq!(edit.unwrap_err().say, why);
    }
}

#[test]
fn a_figure_is_set_at_the_place_that_decides() {
    let book = book(
        "Out after [48](#hours) ([9](#hours)) hours; [8](#points) and [5](#points); [[Ann](#@chief) [a [1](#x) b](#=t)",
    );
    let (source, told) = seen(set_figure(&book, &HOURS, " 25 "));
    assert!(source.starts_with("Out after [25](#hours) ([9](#hours)) hours; [8](#points)"), "{source}");
    assert!(source.ends_with("[[Ann](#@chief) [a [1](#x) b](#=t)"), "{source}");
    assert_eq!(told, "hours 48 > 25 Found");
    let (source, told) = seen(set_figure(&book, &POINTS, "10, 6"));
    assert!(source.contains("; [10](#points) and [6](#points); [[Ann]"), "{source}");
    assert_eq!(told, "points 8 > 10 Found; points 5 > 6 Found");
    assert!(seen(set_figure(&book, &CHIEF, "Bo Lee")).0.contains("[Bo Lee](#@chief)"));
    for (key, new, why) in [
        (&HOURS, "banana", "“banana” cannot be the hours after which a proposal times out: it is no number"),
        (
            &HOURS,
            "1001",
            "“1001” cannot be the hours after which a proposal times out: it is out of the bounds that the program can play by, 0 to 1000",
        ),
        (&POINTS, "3 2 1", "Time Out gives the schedule of points in 2 places, so 2 numbers are needed"),
        (&HOURS, "48", "Time Out says that already"),
        (&CHIEF, "x](#a)", "these words would read as markup where they are put"),
    ] {
        let refused = set_figure(&book, key, new).map(|edit| edit.text.source().to_string());
        assert_eq!(refused.unwrap_err().say, why, "{new}");
    }
}

/// Long texts with nothing in common are aligned in a moment, not in minutes.
#[test]
fn hostile_rewrites_are_bounded() {
    let old: String = (0..3000).map(|n| format!("word{n} [{n}](#k{n}) unit{n}. ")).collect();
    let new: String = (0..6000).map(|n| format!("{n} other{n} ")).collect();
    let book = book(&old);
    let edit = replace_text(rule(&book), &new).unwrap();
    assert_eq!(&**edit.text.visible(), new);
}

const PROSE: &str = "(48|-6|1/403|two|hours|after|\\[|\\]|\\(#k\\)|/\\*|\\*/|`|```\n|,| |\n|é|x){0,16}";

proptest::proptest! {
    #[test]
    fn what_players_edit_is_what_they_see((head, tail, new) in (PROSE, PROSE, PROSE), figure in "(48|two|x y)") {
        let book = book(&format!("{head}[{figure}](#k){tail}"));
        let rule = rule(&book);
        let plain = Text::parse(new.clone()).spans().is_empty();
        if let Ok(edit) = replace_text(rule, &new) && plain {
            assert_eq!(&**edit.text.visible(), new);
        }
        for span in rule.text().spans() {
            let visible = rule.text().visible();
            let whole = [&visible[..span.at.start], &new, &visible[span.at.end..]].concat();
            if let Ok(edit) = replace_at(rule, span.at.clone(), &new) && Text::parse(&*whole).spans().is_empty() {
                assert_eq!(&**edit.text.visible(), whole);
                let mut after = book.clone();
                after.apply(&edit.op, 2, Instant::UNIX_EPOCH);
                assert_eq!(**after.get("time").unwrap().text(), edit.text);
                after.apply(&edit.op.inverse(), 3, Instant::UNIX_EPOCH);
                assert_eq!(after.get("time").unwrap().text(), rule.text());
            }
        }
    }
}

/// What is set is written as it was typed, and a word that counts can be bound.
#[test]
fn figures_in_words_are_set_and_bound() {
    const SHARE: LiveKey = LiveKey { key: "share", kind: NumKind::Percent, ..HOURS };
    const PART: LiveKey = LiveKey { key: "part", kind: NumKind::Divisor, engine_min: 1, ..HOURS };
    const ROUND: LiveKey = LiveKey { key: "@round", kind: NumKind::Word(&["rounded down", "rounded up"]), ..HOURS };
    let mut book = book("More than [half](#share) of all, or [half](#part) of it, rounded down, once in a week.");
    for (key, new, source) in [
        (&SHARE, "60", "More than [60%](#share) of all, or [half](#part) of it, rounded down, once in a week."),
        (
            &PART,
            "two-thirds",
            "More than [60%](#share) of all, or [two-thirds](#part) of it, rounded down, once in a week.",
        ),
    ] {
        let edit = set_figure(&book, key, new).unwrap();
        assert_eq!(&**edit.text.source(), source);
        book.apply(&edit.op, 2, Instant::UNIX_EPOCH);
    }
    assert_eq!(book.need(&SHARE).unwrap(), 60.into());
    assert_eq!(book.need(&PART).unwrap(), crate::Num::ratio(3, 2).unwrap());
    const WEEKS: LiveKey = LiveKey { key: "rest-weeks", ..HOURS };
    assert!(seen(bind(rule(&book), &WEEKS, "in a week")).0.ends_with("once in [a](#rest-weeks) week."));
    let other = bind(rule(&book), &HOURS, "in a week").unwrap_err();
    assert!(other.say.contains("it is a number of weeks there, and the program counts hours"), "{other}");
    assert!(seen(bind(rule(&book), &HOURS, "down, once")).0.contains("[once](#hours)"));
    let several = bind(rule(&book), &HOURS, "once in a week").unwrap_err();
    assert!(several.say.ends_with("it holds several numbers"), "{several}");
    // A hinge is bound, read and set like a figure.
    assert_eq!(
        bind(rule(&book), &ROUND, "of it, rounded down").unwrap_err().say,
        "“of it, rounded down” cannot be the hours after which a proposal times out: it is not “rounded down” or “rounded up”"
    );
    let edit = bind(rule(&book), &ROUND, "rounded down").unwrap();
    book.apply(&edit.op, 3, Instant::UNIX_EPOCH);
    let edit = replace_phrase(rule(&book), "rounded down", "rounded up").unwrap();
    book.apply(&edit.op, 4, Instant::UNIX_EPOCH);
    assert_eq!(book.need_name(&ROUND).unwrap(), "rounded up");
    assert_eq!(
        set_figure(&book, &ROUND, "rounded off").unwrap_err().say.split(": ").nth(1),
        Some("it is not “rounded down” or “rounded up”")
    );
    let edit = replace_phrase(rule(&book), "rounded up", "rounded off").unwrap();
    book.apply(&edit.op, 5, Instant::UNIX_EPOCH);
    assert!(book.need_name(&ROUND).unwrap_err().say.contains("“rounded off” cannot be"));
}
