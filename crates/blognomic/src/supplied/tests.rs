//! The list of bindings against the rules that the program ships.

use super::*;
use crate::law::RULES;
use kernel::{
    Instant,
    rulebook::{Live, RuleSource, Rulebook},
};
use laws::testing::Room;

fn known() -> Own {
    let mut own = None;
    let look = |d: &mut D<'_>| super::own(d).map(|known| own = Some(known));
    Room::<BlogNomic>::open("zed", "2026-11-03T08:00:00Z", Default::default()).does("zed", look).unwrap();
    own.unwrap()
}

fn book(ops: &[RuleOp]) -> Rulebook {
    let mut book = Rulebook::default();
    for op in ops {
        book.check(op).unwrap();
        book.apply(op, 1, Instant::UNIX_EPOCH);
    }
    book
}

/// The project's own rules as somebody would copy them from a page: what is visible, without any markup.
fn copied(heading: impl Fn(&str) -> String) -> String {
    let rules = RULES.iter().map(|(id, file)| {
        let rule = RuleSource::parse(*id, file).unwrap();
        let title = heading(&rule.title);
        let own = book(&[rule.enact("")]);
        let text = own.in_force(id).unwrap().text().visible();
        let words = text.split("```law").next().unwrap_or_default();
        let text = words.replace("```text\n", "").replace("```", "");
        format!("{title}\n\n{text}\n\n")
    });
    rules.collect()
}

fn value(book: &Rulebook, key: &kernel::rulebook::LiveKey) -> String {
    match book.live(key) {
        Live::Is { value, .. } => value.to_string(),
        other => format!("{other:?}"),
    }
}

/// Every figure of the rules is found again in their bare text, in every style of headings.
#[test]
fn the_list_finds_every_figure_of_our_own_rules() {
    let (own, known) = (book(&crate::law::opening().unwrap()), known());
    for style in ["{}", "== {} ==", "## {}"] {
        let supplied = read(&copied(|title| style.replace("{}", title)), &known).unwrap();
        let unbound: Vec<_> = supplied.bound.unbound.iter().map(|(key, why)| format!("{}: {why}", key.key)).collect();
        assert_eq!(unbound, Vec::<String>::new(), "{style}");
        let read = book(&supplied.ops);
        for key in &known.figures {
            assert_eq!(value(&read, key), value(&own, key), "{} in {style}", key.key);
        }
        for (one, other) in read.rules().iter().zip(own.rules()) {
            let names = |rule: &kernel::rulebook::Rule| {
                (
                    rule.id().clone(),
                    rule.number(),
                    rule.label(),
                    rule.establishes().map(str::to_owned).collect::<Vec<_>>(),
                )
            };
            assert_eq!(names(one), names(other), "{style}");
        }
        // The source stands in a fence again, and reads.
        let text = read.in_force(MCP).unwrap().text().visible().clone();
        assert_eq!(text.matches("```").count(), 2, "{text}");
        mcp::parse(&text[mcp::locate(&text).unwrap()]).unwrap();
    }
}

#[test]
fn the_list_binds_only_figures_that_there_are() {
    let list = Bindings::parse(BINDINGS).unwrap();
    let named: Vec<&String> = list.rules.iter().flat_map(|rule| rule.figures.keys()).collect();
    let figures = known().figures;
    for key in &figures {
        assert_eq!(named.iter().filter(|named| ***named == key.key).count(), 1, "{}", key.key);
    }
    assert_eq!(named.len(), figures.len());
    for phrase in list.rules.iter().flat_map(|rule| rule.figures.values()).flatten() {
        assert_eq!(phrase.matches("{}").count(), 1, "{phrase}");
    }
    for (known, (id, file)) in list.rules.iter().zip(RULES) {
        let own = RuleSource::parse(*id, file).unwrap();
        assert_eq!(*known.id, **id);
        // A law says itself what its rule does.
        assert!(own.fields.get("establishes").is_none_or(|word| *word == known.establishes), "{id}");
        assert!(known.titles.contains(&own.title), "{id}");
    }
}
