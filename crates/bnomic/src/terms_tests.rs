//! The game terms of the opening rulebook: what each rule defines and uses, and that nothing is a dead end (R20 to R27).

use std::fmt::Write as _;

use kernel::{
    Id,
    rulebook::{Mark, Rulebook, Terms, Text},
};
use kit::law::checks;

use super::law;

fn rules() -> Rulebook {
    checks::book(law::opening().expect("the rulebook is well formed"))
}

/// The graph of the opening rulebook. Whoever amends a rule of it sees here what that does to the board.
#[test]
fn the_opening_graph_is_as_it_was_marked() {
    let rules = rules();
    let terms = rules.terms();
    let listed = |terms: Vec<&str>| if terms.is_empty() { "nothing".to_owned() } else { terms.join(", ") };
    let mut told = String::new();
    for rule in rules.rules() {
        let id = rule.id();
        let (defines, uses) = (listed(terms.defined_by(id)), listed(terms.used_by(id)));
        let near = terms.neighbours(id).len();
        writeln!(told, "{id} defines {defines}\n    uses {uses}\n    is joined to {near} rules").expect("it is a text");
        let unclear = terms.unclear_in(id);
        if !unclear.is_empty() {
            writeln!(told, "    has with two meanings {}", unclear.join(", ")).expect("it is a text");
        }
    }
    insta::assert_snapshot!(told);
}

/// Nobody is trapped: a way other than to null leads away from every rule, whatever Rule Tag excludes.
#[test]
fn every_rule_is_joined_to_another() {
    let rules = rules();
    let out = Text::parse("[Object](#-term), [Game Object](#-term) and [Player](#-term) are no terms.");
    let tag = Id::from("tag");
    let texts = rules.rules().into_iter().map(|rule| (rule.id(), &**rule.text()));
    let terms = Terms::of(texts.chain([(&tag, &out)]));
    let alone: Vec<&Id> = rules
        .rules()
        .into_iter()
        .map(kernel::rulebook::Rule::id)
        .filter(|id| terms.neighbours(id).is_empty())
        .collect();
    assert_eq!(alone, Vec::<&Id>::new());
    assert_eq!((terms.term("Players"), terms.term("objects"), terms.term("macks")), (None, None, Some("Mackerel")));
}

/// Each mark is one, and stands where people read; a form with two meanings is one that somebody wanted so.
#[test]
fn every_mark_of_a_term_defines() {
    let rules = rules();
    let terms = rules.terms();
    let mut unclear: Vec<String> = Vec::new();
    for rule in rules.rules() {
        let text = rule.text();
        let marks: Vec<&str> =
            text.spans().iter().filter(|span| span.mark() == Mark::Term).map(|span| text.shown(span)).collect();
        assert_eq!(text.source().matches("(#=").count(), marks.len(), "{}", rule.label());
        unclear.extend(marks.iter().filter(|shown| terms.term(shown).is_none()).map(|shown| shown.to_lowercase()));
    }
    unclear.sort();
    unclear.dedup();
    assert_eq!(unclear, ["article", "effect", "quorum", "thirnight", "trigger"]);
}
