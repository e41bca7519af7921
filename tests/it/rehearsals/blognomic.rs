//! BlogNomic: what its rehearsals notice, and which clauses of its rules they hold.

use std::path::Path;

use blognomic::{figures::FIGURES, law::RULES};
use rulekeeper::rehearsal::Probe;

use super::{everything_is_probed, load, notice_what_the_rules_say, quoted};
use crate::harness::ROOT;

/// An amendment of the rules before anybody else has come. It is done by a Call for Judgment, which leaves neither
/// rewards nor the number of a Proposal behind. A second Robot comes for it and leaves.
fn amendment(directive: &str) -> String {
    format!(
        "moderator Zed
Probe: robot apply Probe probe@example.org
Zed: admin set-up Probe
Zed: cfj raise \"Probe\" => {directive}
Zed: cfj vote 1 FOR
Probe: cfj vote 1 FOR
Zed: admin judge 1
< Done.
Probe: leave
Zed: correct robot/zed.power 50 because the rehearsal begins so"
    )
}

fn probing(probe: &Probe) -> String {
    let number = |id: &str| RULES.iter().position(|(rule, _)| *rule == id).map_or(0, |index| index + 1);
    amendment(&match &probe.to {
        Some(to) => format!("set {} to {to}", probe.of),
        None => format!("repeal rule {}", number(&probe.of)),
    })
}

/// N143 and the figures of every rule. A rehearsal fails when the figure that it probes is amended or the rule
/// repealed, and for no other reason. With an amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_rules_say() {
    let neutral = amendment("amend rule 17: replace \"are words for the same thing\" with \"mean the same thing\"");
    notice_what_the_rules_say("blognomic", 0, &neutral, probing);
}

/// DESIGN of the rulebook: every live number names the rehearsal that probes it, and every rule is probed by one.
#[test]
fn every_figure_and_every_rule_of_blognomic_is_probed() {
    everything_is_probed("blognomic", FIGURES, RULES.iter().map(|(rule, _)| *rule));
}

/// `docs/coverage/blognomic.md` has a row for each clause, and what it names is there: files, and rehearsals and tests
/// that name the clause in turn.
#[test]
fn the_coverage_of_blognomic_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/coverage/blognomic.md")).expect("it is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| N"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let ids: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let all: Vec<String> = (1..=143).map(|number| format!("N{number}")).collect();
    assert_eq!(ids, all);
    for row in &rows {
        let [id, files, held] = row[..] else { panic!("{row:?} has not three cells") };
        assert!(!quoted(files).is_empty() && !quoted(held).is_empty(), "{id} lacks a file or what holds it");
        let sources = Path::new(ROOT).join("crates/blognomic/src");
        for file in quoted(files) {
            assert!(sources.join(&file).is_file(), "{id}: there is no {file}");
        }
        for held in quoted(held) {
            let names = if held.ends_with(".txt") {
                load(&Path::new(ROOT).join("tests/rehearsals/blognomic").join(&held)).clauses.contains(id)
            } else {
                let source = std::fs::read_to_string(sources.join(&held)).unwrap_or_default();
                let named = |word: &str| word == id || word == id.to_lowercase();
                source.split(|letter: char| !letter.is_ascii_alphanumeric()).any(named)
            };
            assert!(names, "{id}: {held} does not name it");
        }
    }
}
