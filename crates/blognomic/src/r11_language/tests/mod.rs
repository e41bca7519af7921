//! The program that a room starts with, held to the worked figures of its clauses. Also what an amended one may say,
//! and what no source can do.

mod bounds;
mod figures;
mod items;
mod language;
mod layouts;
mod properties;

use std::ops::Range;

use super::{
    super::inventory::Inventory,
    machine::{Effect, Outcome, POWER, Stat, Stopped, Why},
    *,
};

/// The rule that a room starts with.
const RULE: &str = include_str!("../../rulebook/r11-mcp.md");

fn source() -> &'static str {
    &RULE[locate(RULE).expect("the rule ends in its source")]
}

/// Robots as `(name, power, efficiency, inventory)`; the first one runs the program, and the Control Unit is `Zed`, if
/// there is one.
fn factory(robots: &[(&str, i64, i64, &str)]) -> Machine {
    let mut machine = Machine { caller: robots[0].0.to_owned(), ..Machine::default() };
    for (name, power, efficiency, inventory) in robots {
        let limits = if *name == "Zed" { Limits::Fixed } else { Limits::Range { min: -6, max: 6 } };
        let robot = Robot::holding(Inventory::parse(inventory).unwrap()).with(POWER, *power, Limits::Floor(0)).with(
            "efficiency",
            *efficiency,
            limits,
        );
        machine.robots.insert((*name).to_owned(), robot);
    }
    machine.control_unit = machine.robots.contains_key("Zed").then(|| "Zed".to_owned());
    machine
}

/// One Robot alone.
fn alone(power: i64, efficiency: i64, inventory: &str) -> Machine {
    factory(&[("Ann", power, efficiency, inventory)])
}

impl Machine {
    fn says(mut self, keyword: &str) -> Self {
        self.keyword = Some(keyword.to_owned());
        self
    }

    fn to(mut self, other: &str) -> Self {
        self.other = Some(other.to_owned());
        self
    }

    fn runs(&self, source: &str) -> Outcome {
        run(&parse(source).unwrap_or_else(|error| panic!("{error}\n{source}")), self)
    }
}

/// What a Robot has after a run: power, efficiency, inventory.
fn after(outcome: &Outcome, name: &str) -> (i64, i64, String) {
    let done = outcome.as_ref().unwrap_or_else(|stopped| panic!("{stopped}"));
    let robot = &done.robots[name];
    (robot.stat(POWER).unwrap(), robot.stat("efficiency").unwrap(), robot.inventory.to_string())
}

fn power_of(outcome: &Outcome, name: &str) -> i64 {
    after(outcome, name).0
}

fn why(outcome: &Outcome) -> &Why {
    &outcome.as_ref().expect_err("it stops").why
}

/// Where the numerals of a source are, comments included: any run of digits.
fn numerals(source: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in source.match_indices(|c: char| c.is_ascii_digit()) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// The source with its numeral of that index rewritten.
fn infected(source: &str, index: usize, number: &str) -> String {
    let mut text = source.to_owned();
    text.replace_range(numerals(source)[index].clone(), number);
    text
}
