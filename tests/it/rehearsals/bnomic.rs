//! B Nomic: what its rehearsals notice, and which clauses of its rules they hold.

use std::path::Path;

use bnomic::{figures::FIGURES, law::RULES};
use rulekeeper::rehearsal::{Extent, Probe, Script};

use super::{everything_is_probed, load, notice_what_the_rules_say, play_all, quoted};
use crate::harness::{ROOT, sampled};

/// How long the emergency of an amendment lasts, in days: its Pause rises to 6.
const EMERGENCY_DAYS: i64 = 6;

/// What ends the rule on the Threat Flag.
const NO_FLAG: &str = "repeal rule 40";

/// An amendment of the rules before anybody else has come: by the Refresh Proposal of an emergency, in which game time
/// stands still. Four Players come for it and forfeit; what the emergency leaves behind is put back. That is the Threat
/// Flag, where a rule gives one still.
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
    let flag = "Ann: correct flagpole/threat-awareness-flagpole.flag \"Pink Ponies\" because the rehearsal begins so";
    let flag = if directive == NO_FLAG { "" } else { flag };
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
{flag}"
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
            let places = ["tests/rehearsals/bnomic", "rulesets"].map(|place| Path::new(ROOT).join(place).join(held));
            let clauses = load(places.iter().find(|place| place.is_file()).unwrap_or(&places[0])).clauses;
            assert!(clauses.contains(id), "{id}: {held} does not name it");
        }
    }
}

/// The same of Rule Tag, whose rules, rehearsals and clauses lie in a folder.
#[test]
fn the_coverage_of_rule_tag_is_true() {
    let folder = Path::new(ROOT).join("rulesets/rule-tag");
    let text = std::fs::read_to_string(folder.join("coverage.md")).expect("it is there");
    let mut rows = 0;
    for row in text.lines().filter(|line| line.starts_with("| R")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [id, _, _, held] = cells[..] else { panic!("{row:?} has not four cells") };
        for held in quoted(held).iter().filter(|held| held.ends_with(".txt")) {
            let clauses = load(&folder.join("rehearsals").join(held)).clauses;
            assert!(clauses.contains(id), "{id}: {held} does not name it");
        }
        assert!(!held.is_empty(), "{id} names nothing");
        rows += 1;
    }
    assert!(rows >= 57, "each clause has a row");
}

/// The rules of Rule Tag, by their numbers in a room that has them.
const RULES_OF_TAG: [u32; 5] = [81, 82, 83, 84, 85];

/// Of so many orders of repeal one is played, unless `tests/run --all` asks for all 120.
const ORDERS_PER_SAMPLE: usize = 12;

/// How many orders one room sees, one after the other.
const ORDERS_PER_ROOM: usize = 5;

/// Every order of some numbers.
fn orders(of: &[u32]) -> Vec<Vec<u32>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let first = |(at, &first): (usize, &u32)| {
        let rest = [&of[..at], &of[at + 1..]].concat();
        orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    of.iter().enumerate().flat_map(first).collect()
}

/// Repealed in one tally, in whatever order, the five rules leave nothing of the game; undone, they bring all back.
#[test]
fn rule_tag_is_repealed_in_any_order() {
    let (head, order) = include_str!("repeals.txt").split_once("----\n").expect("a game, and what an order does to it");
    let all: Vec<Vec<u32>> = orders(&RULES_OF_TAG).into_iter().step_by(sampled(ORDERS_PER_SAMPLE)).collect();
    let room = |orders: &[Vec<u32>]| {
        let repeals = orders.iter().map(|rules| {
            let places = ["{A}", "{B}", "{C}", "{D}", "{E}"].into_iter().zip(rules);
            places.fold(order.to_owned(), |text, (place, rule)| text.replace(place, &rule.to_string()))
        });
        let text = [head.to_owned()].into_iter().chain(repeals).collect::<String>();
        let folder = Path::new(ROOT).join("rulesets/rule-tag/rehearsals");
        Script::parse(&format!("repeals of {orders:?}"), &text, Some(&folder)).unwrap_or_else(|why| panic!("{why}"))
    };
    let rooms: Vec<Script> = all.chunks(ORDERS_PER_ROOM).map(room).collect();
    for report in play_all(&rooms, |_| Extent::Whole) {
        assert!(report.is_met(), "{}", report.complaints());
    }
}
