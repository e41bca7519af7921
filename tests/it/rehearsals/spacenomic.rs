//! Spacenomic: what its rehearsals notice, and which clauses of its rules they hold.

use std::path::Path;

use rulekeeper::rehearsal::Probe;
use spacenomic::{figures::FIGURES, law::RULES};

use super::{everything_is_probed, load, notice_what_the_rules_say, quoted};
use crate::harness::ROOT;

/// An amendment of the rules before anybody else has come: a moderator's correction, which leaves neither payments nor the
/// number of a proposal behind.
fn amendment(directive: &str) -> String {
    format!(
        "moderator Mod\nMod: correct gamestate \"=> {directive}\" because the rehearsal is probed\n< gamestate is =>"
    )
}

/// The null rule cannot be amended: what it yields on, a rule beside it says otherwise (S25).
fn probing(probe: &Probe) -> String {
    amendment(&match &probe.to {
        Some(to) if probe.of.starts_with("vote-") => format!("create rule Range: Votes end at [{to}](#{}).", probe.of),
        Some(to) => format!("set {} to {to}", probe.of),
        None => format!("repeal rule {}", probe.of),
    })
}

/// The figures of every rule. A rehearsal fails when the figure that it probes is amended or the rule repealed, and for
/// no other reason. With an amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_rules_of_spacenomic_say() {
    notice_what_the_rules_say("spacenomic", 0, &amendment("append to rule 19: It is polite."), probing);
}

/// Every live number names the rehearsal that probes it. Every rule is probed by one, but the null rule, which no
/// amendment reaches, and those that only give words a meaning.
#[test]
fn every_figure_and_every_rule_of_spacenomic_is_probed() {
    let beyond = ["null-rule", "incrementing", "space-changes", "graphwise-adjacency"];
    let rules = RULES.iter().map(|(rule, _)| *rule).filter(|rule| !beyond.contains(rule));
    everything_is_probed("spacenomic", FIGURES, rules);
}

/// `docs/coverage/spacenomic.md` names what there is: files, and rehearsals and tests that name the clause in turn.
#[test]
fn the_coverage_of_spacenomic_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/coverage/spacenomic.md")).expect("it is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| clause"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 100, "the table is there");
    let sources = Path::new(ROOT).join("crates/spacenomic/src");
    for row in &rows {
        let [id, files, held] = row[..] else { panic!("{row:?} has not three cells") };
        assert!(!quoted(held).is_empty(), "{id} is held by nothing");
        for file in quoted(files) {
            assert!(sources.join(&file).is_file(), "{id}: there is no {file}");
        }
        for held in quoted(held) {
            let names = if held.ends_with(".txt") {
                load(&Path::new(ROOT).join("tests/rehearsals/spacenomic").join(&held)).clauses.contains(id)
            } else {
                let source = std::fs::read_to_string(sources.join(&held)).unwrap_or_default();
                source.contains("#[test]")
            };
            assert!(names, "{id}: {held} does not name it");
        }
    }
}
