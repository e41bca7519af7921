//! Plays every rehearsal of `tests/rehearsals`, and sees that they notice when the rules are changed.
//!
//! A rehearsal that passes whatever the rules say holds nothing. So each names figures and sections that it depends on
//! (`probes:`), and is played again on a contract that says something else: then it must fail.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use rulekeeper::{
    catalogue::Catalogue,
    games::joust::figures::{FIGURES, SECTIONS},
    rehearsal::{Options, Probe, Report, Script, play},
};

use crate::harness::ROOT;

/// How many days before a rehearsal its contract is amended: enough for an intent, and whole weeks.
const DAYS_BEFORE: i64 = 28;

/// How many rehearsals are played side by side.
const PLAYERS: usize = 2;

/// Every rehearsal below a folder, but the scenes, which are parts of others.
fn rehearsals(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join("tests/rehearsals").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display())) {
            let path = entry.expect("the folder stays readable").path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "scenes") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| ending == "txt") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "there are no rehearsals in {folder}");
    found
}

fn load(path: &Path) -> Script {
    Script::load(path).unwrap_or_else(|why| panic!("{why}"))
}

/// Plays all, several at a time, on outcomes that they share.
fn play_all(scripts: &[Script]) -> Vec<Report> {
    let options = Options::default();
    let mut reports: Vec<Option<Report>> = vec![None; scripts.len()];
    let chunk = scripts.len().div_ceil(PLAYERS).max(1);
    std::thread::scope(|scope| {
        for (scripts, reports) in scripts.chunks(chunk).zip(reports.chunks_mut(chunk)) {
            let options = &options;
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                for (script, report) in scripts.iter().zip(reports) {
                    *report = Some(runtime.block_on(play(script, options)));
                }
            });
        }
    });
    reports.into_iter().map(|report| report.expect("every rehearsal was played")).collect()
}

#[test]
fn every_rehearsal_goes_as_expected() {
    let scripts: Vec<Script> = rehearsals("").iter().map(|path| load(path)).collect();
    let unmet: Vec<String> =
        play_all(&scripts).iter().filter(|report| !report.is_met()).map(Report::complaints).collect();
    assert!(unmet.is_empty(), "{}", unmet.join("\n"));
    for script in &scripts {
        assert!(!script.title.is_empty() && !script.clauses.is_empty(), "{} says not what it holds", script.name);
    }
}

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

/// J3, J7, J80, J86: a rehearsal fails when the figure that it probes is amended or the section repealed, and for no other
/// reason: with an amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_contract_says() {
    let scripts: Vec<Script> = rehearsals("joust").iter().map(|path| load(path)).collect();
    let neutral = amendment("amend programs replace “Its brackets balance.” by “All its brackets balance.”");
    let mut played = Vec::new();
    let mut about = Vec::new();
    for script in scripts.iter().filter(|script| !script.probes.is_empty()) {
        played.push(script.after(DAYS_BEFORE, &neutral).expect("the amendment can be read"));
        about.push((script.name.clone(), None));
        for probe in &script.probes {
            played.push(script.after(DAYS_BEFORE, &probing(probe)).expect("the amendment can be read"));
            about.push((script.name.clone(), Some(probe)));
        }
    }
    let mut wrong = Vec::new();
    for (report, (name, probe)) in play_all(&played).iter().zip(about) {
        let before: Vec<String> =
            report.unmet.iter().filter(|unmet| unmet.file == "before").map(|unmet| unmet.text()).collect();
        match probe {
            _ if !before.is_empty() => wrong.push(format!("{name}: {probe:?} cannot be made: {}", before.join("\n"))),
            None if report.is_met() => {}
            None => wrong.push(format!("{name} fails without a reason: {}", report.complaints())),
            Some(probe) if report.is_met() => wrong.push(format!("{name} does not notice {probe:?}")),
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// DESIGN of the rulebook: every live number names the rehearsal that probes it, and every section is probed by one.
#[test]
fn every_figure_and_every_section_of_the_joust_is_probed() {
    let scripts: BTreeMap<String, Script> = rehearsals("joust")
        .iter()
        .map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), load(path)))
        .collect();
    for figure in FIGURES {
        let key = figure.key.trim_start_matches('@');
        let script = scripts.get(figure.rehearsal).unwrap_or_else(|| panic!("there is no {}.txt", figure.rehearsal));
        let probe = script.probed().get(key).map(|probe| probe.to.is_some());
        assert_eq!(probe, Some(true), "{}.txt does not probe {key}", figure.rehearsal);
    }
    for (section, _) in SECTIONS {
        let probed =
            scripts.values().any(|script| script.probed().get(section).is_some_and(|probe| probe.to.is_none()));
        assert!(probed, "no rehearsal probes the section {section}");
    }
}

/// Every clause of the joust, J1 to J86, stands in the head of a rehearsal.
#[test]
fn every_clause_of_the_joust_has_a_rehearsal() {
    let named: BTreeSet<String> = rehearsals("joust").iter().flat_map(|path| load(path).clauses).collect();
    let missing: Vec<String> = (1..=86).map(|number| format!("J{number}")).filter(|id| !named.contains(id)).collect();
    assert!(missing.is_empty(), "no rehearsal names {}", missing.join(", "));
}

/// The rehearsals in the documents are played, too.
#[test]
fn the_examples_in_the_documents_go_as_shown() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/rehearsals.md")).expect("the document is there");
    let examples: Vec<Script> = text
        .split("```\n")
        .skip(1)
        .step_by(2)
        .filter(|block| block.contains("\nroom "))
        .map(|block| Script::parse("docs/rehearsals.md", block, None).unwrap_or_else(|why| panic!("{why}")))
        .collect();
    assert!(!examples.is_empty(), "the document shows no rehearsal");
    for report in play_all(&examples) {
        assert!(report.is_met(), "{}", report.complaints());
    }
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
    let quoted = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    for row in &rows {
        let [id, short, files, commands, rehearsals] = row[..] else { panic!("{row:?} has not five cells") };
        assert!(!short.is_empty(), "{id} says nothing");
        for list in [files, commands, rehearsals] {
            assert!(!quoted(list).is_empty(), "{id} lacks a file, a command or a rehearsal");
        }
        for file in quoted(files) {
            let folder = if file.starts_with("bfjoust/") { "" } else { "src/games/joust" };
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
