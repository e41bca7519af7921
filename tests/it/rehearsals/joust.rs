//! The joust: what its rehearsals notice, and which clauses of its contract they hold.

use std::{collections::BTreeSet, path::Path};

use catalogue::Catalogue;
use joust::figures::{FIGURES, SECTIONS};
use rulekeeper::rehearsal::Probe;

use super::{everything_is_probed, load, notice_what_the_rules_say, quoted, rehearsals};
use crate::harness::ROOT;

/// How many days before a rehearsal its contract is amended: enough for an intent, and whole weeks.
const DAYS_BEFORE: i64 = 28;

/// An amendment of the joust's contract, as the contestmaster makes it before the contest.
fn amendment(intent: &str) -> String {
    format!(
        "Goethe: joust intend {intent}\n< Announced as notice {{?probe}}.\nadvance 4 days\nGoethe: joust do {{probe}}\n< is done"
    )
}

fn probing(probe: &Probe) -> String {
    amendment(&match &probe.to {
        Some(to) => format!("set {} {to}", probe.of),
        None => format!("repeal {}", probe.of),
    })
}

/// J3, J7, J80, J86. A rehearsal fails when the figure that it probes is amended or the section repealed, and for no
/// other reason. With an amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_contract_says() {
    let neutral = amendment("amend programs replace “Its brackets balance.” by “All its brackets balance.”");
    notice_what_the_rules_say("joust", DAYS_BEFORE, &neutral, probing);
}

/// DESIGN of the rulebook: every live number names the rehearsal that probes it, and every section is probed by one.
#[test]
fn every_figure_and_every_section_of_the_joust_is_probed() {
    everything_is_probed("joust", FIGURES, SECTIONS.iter().map(|(section, _)| *section));
}

/// Every clause of the joust, J1 to J86, stands in the head of a rehearsal.
#[test]
fn every_clause_of_the_joust_has_a_rehearsal() {
    let named: BTreeSet<String> = rehearsals("joust").iter().flat_map(|path| load(path).clauses).collect();
    let missing: Vec<String> = (1..=86).map(|number| format!("J{number}")).filter(|id| !named.contains(id)).collect();
    assert!(missing.is_empty(), "no rehearsal names {}", missing.join(", "));
}

/// `docs/coverage/joust.md` has a row for each clause, and what it names is there: files, commands, and rehearsals that
/// name the clause in turn.
#[test]
fn the_coverage_of_the_joust_is_true() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/coverage/joust.md")).expect("the document is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| J"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let ids: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let all: Vec<String> = (1..=86).map(|number| format!("J{number}")).collect();
    assert_eq!(ids, all);
    for row in &rows {
        let [id, short, files, commands, rehearsals] = row[..] else { panic!("{row:?} has not five cells") };
        assert!(!short.is_empty(), "{id} says nothing");
        for list in [files, commands, rehearsals] {
            assert!(!quoted(list).is_empty(), "{id} lacks a file, a command or a rehearsal");
        }
        for file in quoted(files) {
            let folder = if file.starts_with("bfjoust/") { "" } else { "crates/joust/src" };
            assert!(Path::new(ROOT).join(folder).join(&file).is_file(), "{id}: there is no {file}");
        }
        for command in quoted(commands) {
            assert!(Catalogue::all().get(&command).is_some(), "{id}: nobody can type “{command}”");
        }
        for rehearsal in quoted(rehearsals) {
            let script = load(&Path::new(ROOT).join("tests/rehearsals/joust").join(&rehearsal));
            assert!(script.clauses.contains(id), "{id}: {rehearsal} does not name it");
        }
    }
}
