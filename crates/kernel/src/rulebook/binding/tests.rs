//! A list bound to a page, in numerals and in words, and what is not guessed.

use super::*;
use crate::Instant;
use crate::rulebook::{Live, Rulebook, page};

const fn key(key: &'static str, kind: NumKind) -> LiveKey {
    LiveKey { key, kind, engine_min: -10, engine_max: 1000, absent: "x", rehearsal: "x", meaning: "x" }
}

static KEYS: &[LiveKey] = &[
    key("hours", NumKind::Count),
    key("weeks", NumKind::Count),
    key("share", NumKind::Percent),
    key("part", NumKind::Count),
    key("whole", NumKind::Denominator),
    key("least", NumKind::Signed),
    key("first", NumKind::Count),
    key("last", NumKind::Count),
    key("chance", NumKind::Count),
    key("prize", NumKind::Count),
];

const LIST: &str = r#"
[[rule]]
id = "time"
titles = ["Time", "Hours"]
establishes = "time"
[rule.figures]
hours = ["after {} hours", "for {} hours"]
weeks = ["once {} week"]
share = ["more than {} of all"]
part = ["{}-thirds of"]
whole = ["two-{} of"]
least = ["minus six ({})"]
first = ["rules {}-#"]
last = ["rules #-{}"]
chance = ["a {}% chance"]
[[rule]]
id = "program"
titles = ["Program"]
establishes = "program"
source = ["Source"]
[rule.figures]
prize = ["prize of {}"]
"#;

const TEXT: &str = "== The Time ==\nIt ends after\nforty-eight hours. Not once a week, and\nmore than half of all say so, or two-thirds of them. \
                    Minus six (-6). Not the rules 1-8, with a 50% chance.\n== Program ==\nNo more.\n== Source ==\nx = 1\n";

fn bound(list: &str, text: &str) -> Result<(Rulebook, Bound), Refusal> {
    let bound = Bindings::parse(list)?.bind(&page::read(text)?, &Keys::new(KEYS), "opened")?;
    let mut book = Rulebook::default();
    for op in &bound.ops {
        book.check(op)?;
        book.apply(op, 1, Instant::UNIX_EPOCH);
    }
    Ok((book, bound))
}

#[test]
fn figures_are_bound_in_numerals_and_in_words() {
    let (book, bound) = bound(LIST, TEXT).unwrap();
    let value = |key: &str| match book.live(KEYS.iter().find(|known| known.key == key).unwrap()) {
        Live::Is { value, .. } => value.to_string(),
        other => format!("{other:?}"),
    };
    let keys = ["hours", "weeks", "share", "part", "whole", "least", "first", "last", "chance"];
    assert_eq!(keys.map(value), ["48", "1", "50", "2", "3", "-6", "1", "8", "50"]);
    assert_eq!(book.in_force("time").unwrap().label(), "The Time");
    // What people read is what stands in the file.
    assert!(book.in_force("time").unwrap().text().visible().starts_with("It ends after\nforty-eight hours."));
    assert_eq!(&**book.in_force("program").unwrap().text().visible(), "No more.\n\n```text\nx = 1\n```");
    let left: Vec<_> = bound.unbound.iter().map(|(key, why)| (key.key, why.as_str())).collect();
    assert_eq!(left, [("prize", "no phrase for it stands in “Program”")]);
    assert!(bound.unknown.is_empty());
}

#[test]
fn what_stands_twice_or_not_at_all_is_not_guessed() {
    let text =
        "== Hours ==\nAfter 2 hours, and for 9 hours, and after 3 hours. Once a week.\n== Other ==\nafter 5 hours\n";
    let (book, bound) = bound(LIST, text).unwrap();
    // The second phrase stands once.
    assert!(matches!(book.live(&KEYS[0]), Live::Is { value, .. } if value == 9.into()));
    assert_eq!(bound.unknown, ["program"]);
    let why = |key: &str| bound.unbound.iter().find(|(known, _)| known.key == key).map(|(_, why)| why.as_str());
    assert_eq!(why("share"), Some("no phrase for it stands in “Hours”"));
    assert_eq!(why("prize"), Some("no rule of that sort stands in the file"));
    assert_eq!(book.rules().iter().map(|rule| rule.id().to_string()).collect::<Vec<_>>(), ["time", "other"]);
}

#[test]
fn markup_in_the_file_binds_by_itself() {
    let (book, _) = bound(LIST, "== Time ==\nAfter 2 hours or [7](#hours).\n").unwrap();
    assert!(matches!(book.live(&KEYS[0]), Live::Is { value, .. } if value == 7.into()));
}

#[test]
fn two_sections_for_one_rule_are_refused_with_the_line() {
    let why = bound(LIST, "== Time ==\nx\n== Hours ==\ny\n").unwrap_err();
    assert_eq!(why.say, "that rulebook cannot be read: line 3: “Hours” is the same rule as “Time” in line 1");
}
