//! Plays every rehearsal of `tests/rehearsals`, and sees that they notice when the rules are changed.
//!
//! A rehearsal that passes whatever the rules say holds nothing. So each names figures and sections that it depends on
//! (`probes:`), and is played again on rules that say something else: then it must fail. What is the same for all games
//! stands here; how a game's rules are amended before a rehearsal stands beside.

mod blognomic;
mod bnomic;
mod joust;
mod laws;
mod spacenomic;
mod strict;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        LazyLock, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use catalogue::hint::Form;
use kernel::rulebook::LiveKey;
use rulekeeper::rehearsal::{Extent, Options, Probe, Report, Script, play};

use crate::{
    harness::{ROOT, sampled},
    tidy::hints::FrontEnds,
};

/// How many rehearsals are played side by side.
const PLAYERS: usize = 2;

/// Of so many rehearsals that probe something the probes of one are played, unless `tests/run --all` asks for all.
const REHEARSALS_PER_PROBED: usize = 24;

/// Of so many rehearsals the journal of one is played again at its end, unless `tests/run --all` asks for all of them.
const REHEARSALS_PER_REPEATED: usize = 24;

/// What all plays share: outcomes of jousts, which are the same in each.
static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);

/// Every rehearsal below a folder of `tests/rehearsals`.
pub(crate) fn rehearsals(folder: &str) -> Vec<PathBuf> {
    below(&Path::new("tests/rehearsals").join(folder))
}

/// Every rehearsal below a folder, but the scenes, which are parts of others.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(folder)];
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
    assert!(!found.is_empty(), "there are no rehearsals in {}", folder.display());
    found
}

fn load(path: &Path) -> Script {
    Script::load(path).unwrap_or_else(|why| panic!("{why}"))
}

/// Plays all, several at a time, on outcomes that they share. A player that is through takes the next, whoever had it
/// before: rehearsals differ much in length.
fn play_all(scripts: &[Script], extent: impl Fn(usize) -> Extent + Sync) -> Vec<Report> {
    let reports: Vec<OnceLock<Report>> = scripts.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..PLAYERS {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(script), Some(report)) = (scripts.get(at), reports.get(at)) else { break };
                    let options = Options { extent: extent(at), ..OPTIONS.clone() };
                    report.set(runtime.block_on(play(script, &options))).expect("each is played once");
                }
            });
        }
    });
    reports.into_iter().map(|report| report.into_inner().expect("every rehearsal was played")).collect()
}

#[test]
fn every_rehearsal_goes_as_expected() {
    let paths = rehearsals("");
    let scripts: Vec<Script> = paths.iter().map(|path| load(path)).collect();
    let every = sampled(REHEARSALS_PER_REPEATED);
    let extent = |at: usize| if at.is_multiple_of(every) { Extent::Repeated } else { Extent::Whole };
    let reports = play_all(&scripts, extent);
    let unmet: Vec<String> = reports.iter().filter(|report| !report.is_met()).map(Report::complaints).collect();
    assert!(unmet.is_empty(), "{}", unmet.join("\n"));
    assert_eq!(untypable(&paths, &reports), Vec::<String>::new());
    let unfit = |report: &Report| report.unfit.iter().map(|why| format!("{}: {why}", report.name)).collect::<Vec<_>>();
    let unfit: Vec<String> = reports.iter().flat_map(unfit).collect();
    assert!(unfit.is_empty(), "{}", unfit.join("\n"));
    for script in &scripts {
        assert!(!script.title.is_empty() && !script.clauses.is_empty(), "{} says not what it holds", script.name);
    }
}

/// Each ruleset that comes with the program plays its rehearsals.
#[test]
fn rulesets_play_their_rehearsals() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let every = sampled(REHEARSALS_PER_REPEATED);
    let (mut paths, mut reports) = (Vec::new(), Vec::new());
    for name in ::laws::shipped::names() {
        let ruleset = Some(::laws::shipped::text(name).expect("it is shipped"));
        for path in below(&Path::new("rulesets").join(name).join("rehearsals")) {
            let extent = if paths.len().is_multiple_of(every) { Extent::Repeated } else { Extent::Whole };
            let options = Options { ruleset: ruleset.clone(), extent, ..OPTIONS.clone() };
            let report = runtime.block_on(play(&load(&path), &options));
            assert!(report.is_met() && report.unfit.is_empty(), "{}{:?}", report.complaints(), report.unfit);
            paths.push(path);
            reports.push(report);
        }
    }
    assert_eq!(untypable(&paths, &reports), Vec::<String>::new());
}

/// What somebody who was refused was told to type, and could not type where the game of the rehearsal is played.
fn untypable(paths: &[PathBuf], reports: &[Report]) -> Vec<String> {
    let mut hints: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
    for (path, report) in paths.iter().zip(reports) {
        let below = path.strip_prefix(Path::new(ROOT).join("tests/rehearsals")).unwrap_or(path);
        let is_in = |game: &&str| below.components().any(|part| part.as_os_str() == *game);
        let game = rulekeeper::games::NAMES.iter().copied().find(is_in);
        hints.entry(game.unwrap_or_default()).or_default().extend(&report.hints);
    }
    let each: Vec<FrontEnds> = rulekeeper::games::NAMES.iter().map(|game| FrontEnds::of(&[game])).collect();
    let wrong = |(game, hints): (&str, BTreeSet<&String>)| -> Vec<String> {
        let place = if game.is_empty() { FrontEnds::of(rulekeeper::games::NAMES) } else { FrontEnds::of(&[game]) };
        // What says how a directive is written is no line of the catalogue, and stands everywhere as it is.
        let lines = hints.into_iter().filter(|hint| place.told(hint, Form::Prefixed("!")) != **hint);
        // What names a room may be for one of another game: there it can be typed.
        let elsewhere = |hint: &str| hint.starts_with('@') && each.iter().any(|place| place.wrong_with(hint).is_none());
        let wrong = |hint: &String| place.wrong_with(hint).filter(|_| !elsewhere(hint));
        lines.filter_map(wrong).map(|why| format!("{game}: {why}")).collect()
    };
    hints.into_iter().flat_map(wrong).collect()
}

/// Plays the rehearsals of a game that probe something again. They pass with an amendment that changes nothing, and
/// fail with each of their probes. Each amendment is said so many days before the rehearsal.
fn notice_what_the_rules_say(game: &str, days: i64, neutral: &str, probing: impl Fn(&Probe) -> String) {
    let scripts: Vec<Script> = rehearsals(game).iter().map(|path| load(path)).collect();
    let mut played = Vec::new();
    let mut about = Vec::new();
    let probing_something = scripts.iter().filter(|script| !script.probes.is_empty());
    for script in probing_something.step_by(sampled(REHEARSALS_PER_PROBED)) {
        played.push(script.after(days, neutral).expect("the amendment can be read"));
        about.push((script.name.clone(), None));
        for probe in &script.probes {
            played.push(script.after(days, &probing(probe)).expect("the amendment can be read"));
            about.push((script.name.clone(), Some(probe)));
        }
    }
    let mut wrong = Vec::new();
    for (report, (name, probe)) in play_all(&played, |_| Extent::UntilUnmet).iter().zip(about) {
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

/// Every live number of a game names the rehearsal that probes it, and each of these rules is probed by one.
fn everything_is_probed<'a>(game: &str, figures: &[LiveKey], rules: impl IntoIterator<Item = &'a str>) {
    let scripts: BTreeMap<String, Script> = rehearsals(game)
        .iter()
        .map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), load(path)))
        .collect();
    for figure in figures {
        let key = figure.key.trim_start_matches('@');
        let script = scripts.get(figure.rehearsal).unwrap_or_else(|| panic!("there is no {}.txt", figure.rehearsal));
        let probe = script.probed().get(key).map(|probe| probe.to.is_some());
        assert_eq!(probe, Some(true), "{}.txt does not probe {key}", figure.rehearsal);
    }
    for rule in rules {
        let probed = scripts.values().any(|script| script.probed().get(rule).is_some_and(|probe| probe.to.is_none()));
        assert!(probed, "no rehearsal probes the rule {rule}");
    }
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
    for report in play_all(&examples, |_| Extent::Repeated) {
        assert!(report.is_met(), "{}", report.complaints());
    }
}

/// What a cell of a table of coverage names.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
