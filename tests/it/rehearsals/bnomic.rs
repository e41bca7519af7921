//! B Nomic: what its rehearsals notice, and which clauses of its rules they hold.

use std::path::Path;

use bnomic::{figures::FIGURES, law::RULES};
use rulekeeper::rehearsal::Probe;

use super::{everything_is_probed, load, notice_what_the_rules_say, quoted};
use crate::harness::ROOT;

/// How long the emergency of an amendment lasts, in days: its Pause rises to 6.
const EMERGENCY_DAYS: i64 = 6;

/// An amendment of the rules before anybody else has come: by the Refresh Proposal of an emergency, in which game time
/// stands still. Four Players come for it and forfeit; what the emergency leaves behind is put back.
fn amendment(directive: &str) -> String {
    let all = ["Probea", "Probeb", "Probec", "Probed"];
    let each = |line: &dyn Fn(&str) -> String| all.map(line).join("\n");
    let (joins, panics, votes, leaves) = (
        each(&|name| {
            let seat = name.to_lowercase();
            format!("{name}: join {name}\nAnn: correct player/{seat}.standing player because the rehearsal begins so")
        }),
        each(&|name| format!("{name}: panic")),
        each(&|name| format!("{name}: emergency vote Probea")),
        each(&|name| format!("{name}: leave")),
    );
    format!(
        "moderator Ann
{joins}
{panics}
Probea: emergency start
Probea: emergency refresh => {directive}
advance 5 days
{votes}
advance 1 days
{leaves}
Ann: correct flagpole/threat-awareness-flagpole.flag \"Pink Ponies\" because the rehearsal begins so"
    )
}

fn probing(probe: &Probe) -> String {
    amendment(&match &probe.to {
        Some(to) => format!("set {} to {to}", probe.of),
        None => format!("repeal rule {}", probe.of.trim_start_matches("4E")),
    })
}

/// A rehearsal fails when the figure that it probes is amended or the rule repealed, and for no other reason. With an
/// amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_rules_say() {
    let neutral = amendment("amend rule 76: replace \"recently\" with \"of late\"");
    notice_what_the_rules_say("bnomic", EMERGENCY_DAYS, &neutral, probing);
}

/// DESIGN of the rulebook: every live number names the rehearsal that probes it, and every rule is probed by one.
#[test]
fn every_figure_and_every_rule_of_b_nomic_is_probed() {
    everything_is_probed("bnomic", FIGURES, RULES.iter().map(|(rule, _)| *rule));
}

/// `docs/coverage/bnomic.md` has a row for each clause, and what it names is there: files, and rehearsals and tests that
/// name the clause in turn.
#[test]
fn the_coverage_of_b_nomic_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/coverage/bnomic.md")).expect("it is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| B"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(!rows.is_empty(), "the table is there");
    for row in &rows {
        let [id, files, held] = row[..] else { panic!("{row:?} has not three cells") };
        let sources = Path::new(ROOT).join("crates/bnomic/src");
        assert!(!quoted(files).is_empty() || !quoted(held).is_empty(), "{id} names nothing");
        for file in quoted(files) {
            assert!(sources.join(&file).is_file(), "{id}: there is no {file}");
        }
        for held in quoted(held).iter().filter(|held| held.ends_with(".txt")) {
            let clauses = load(&Path::new(ROOT).join("tests/rehearsals/bnomic").join(held)).clauses;
            assert!(clauses.contains(id), "{id}: {held} does not name it");
        }
    }
}

/// The same of `docs/coverage/ruletag.md`, whose rules lie in one page of the library.
#[test]
fn the_coverage_of_rule_tag_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/coverage/ruletag.md")).expect("it is there");
    let mut rows = 0;
    for row in text.lines().filter(|line| line.starts_with("| R")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [id, _, _, held] = cells[..] else { panic!("{row:?} has not four cells") };
        for held in quoted(held).iter().filter(|held| held.ends_with(".txt")) {
            let clauses = load(&Path::new(ROOT).join("tests/rehearsals/bnomic").join(held)).clauses;
            assert!(clauses.contains(id), "{id}: {held} does not name it");
        }
        assert!(!held.is_empty(), "{id} names nothing");
        rows += 1;
    }
    assert!(rows >= 57, "each clause has a row");
}
