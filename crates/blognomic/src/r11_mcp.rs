//! Runs of the Master Control Program (rule 11): who may run it, how often, and the changes of a run.
//!
//! The source is the text of the rule as it reads now; the language and its interpreter are `mcp`.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    figures::MCP_RUNS,
    game::{BlogNomic, D},
    glossary, holdings,
    law::{Thing, established},
    mcp::{self, Limits, Machine, Program, Robot},
    roster,
    stats::{self, EFFICIENCY, FIGURE_MAX_COUNT, POWER, ROBOT},
};
use kernel::{
    Act, Display, Id, Mechanic, Num, Refusal, Seq, State, Value,
    display::{Block, Cell, Document, counted},
    entry::Audience,
    table::Row,
    time::{minute, next_midnight},
    world::{Attr, Range},
};

/// Longest keyword, in characters: a word.
const KEYWORD_MAX_CHARS: usize = 40;

/// The ground on which a run changes the table.
pub(super) const GROUND: &str = "Master Control Program";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let run = Act::new("run", |Run { keyword, other }, d| self::run(keyword, other, d));
    Mechanic::new("mcp")
        .table::<Day>()
        .act(run.by(Thing::Mcp.word()).player().public("mcp PRODUCT").note(GROUND))
        // The rules may come to hold a program that nobody can read; runs stop until it reads again (N72, N81).
        .warns(|state| fault(state).into_iter().collect())
        .display(Display::new("mcp", |state, _| show(state)).also("keywords").listed(8))
        .display(
            Display::of("run", |state, asked| show_run(state, asked.rest))
                .fits(|parts| parts == 1)
                // Only the latest run of each Robot is kept, and each is best seen as of its own entry.
                .seen_at(|_, entry| entry.parse().ok()),
        )
}

kit::args! {
    /// The arguments of `run` (N69).
    Run { keyword: Option<String>, other: Option<Id> }
}

// ---- state

/// The last day on which a Robot ran the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Day {
    /// The date in the zone of BlogNomic.
    date: String,
    /// How often.
    runs: u64,
    /// The entry of the last run.
    seq: u64,
    /// Every line that ran then, with what it did.
    trace: Arc<str>,
}

impl Row<BlogNomic> for Day {
    type Key = Id;
    const TABLE: &'static str = "runs";
}

// ---- guards

/// The program as the rule reads now.
///
/// # Errors
///
/// A [`Refusal`] where no rule has one, or it cannot be read, with line and column (N72).
pub(super) fn read(state: &State<BlogNomic>) -> Result<Program, Refusal> {
    established(&state.rules, Thing::Mcp)?;
    let by = Thing::Mcp.rule(&state.rules);
    let rule = state.rules.establishes(Thing::Mcp.word()).and_then(|id| state.rules.get(id));
    let visible = rule.map(|rule| rule.text().visible().clone()).unwrap_or_else(|| "".into());
    let Some(place) = mcp::locate(&visible) else {
        return Err(Refusal::new(format!("{by}, holds no source between lines of “```”")).instead(rule_line(state)));
    };
    mcp::parse(&visible[place]).map_err(|why| {
        Refusal::new(format!(
            "the source of the Master Control Program cannot be read at line {}, column {}: {}",
            why.line, why.column, why.message
        ))
        .by(by)
        .instead(rule_line(state))
    })
}

/// The line that shows the rule with the source, by its number as it is now.
pub(super) fn rule_line(state: &State<BlogNomic>) -> String {
    let rule = state.rules.establishes(Thing::Mcp.word()).and_then(|id| state.rules.get(id));
    rule.map_or_else(|| "rules".to_owned(), |rule| format!("rule {}", rule.number()))
}

/// What is wrong with the program, as a sentence; nothing where the rule is gone.
pub(super) fn fault(state: &State<BlogNomic>) -> Option<String> {
    established(&state.rules, Thing::Mcp).ok()?;
    read(state).err().map(|why| why.say)
}

// ---- decide

/// A Robot runs the program (N69 to N81).
///
/// # Errors
///
/// A [`Refusal`] a second time on a day, and where the run stops: then nothing changes and the day is not used.
fn run(keyword: Option<String>, other: Option<Id>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = laws::player(d)?;
    let rule = Thing::Mcp.rule(&d.rules);
    let limit = d.rules.need_count(&MCP_RUNS)?;
    let date = glossary::date(d, d.at);
    let before = d.row::<Day>(&me).filter(|day| day.date == date).map_or(0, |day| day.runs);
    if before >= limit {
        let next = minute(next_midnight(d.at, &glossary::zone(d)));
        let say = format!("you have run it {before} of {limit} times today; the next day begins at {next}");
        return Err(Refusal::new(say).by(rule).instead("robots"));
    }
    if keyword.as_ref().is_some_and(|word| word.chars().count() > KEYWORD_MAX_CHARS) {
        return Err(
            Refusal::new(format!("a keyword has at most {KEYWORD_MAX_CHARS} characters")).instead("mcp PRODUCT")
        );
    }
    let other = other.map(|other| roster::other(d, &other, Some(&me))).transpose()?;
    let program = read(d)?;
    if let Some(word) = &keyword {
        known(&program, word).map_err(|why| why.by(rule.clone()))?;
    }
    let machine = machine(d, &me, other.as_ref(), keyword.clone())?;
    let done = mcp::run(&program, &machine).map_err(|stopped| {
        let settle = if stopped.why.is_of_the_source() {
            " The Control Unit may settle what is meant and change the source (“cu source”)."
        } else {
            ""
        };
        let stop = if settle.is_empty() { "" } else { "." };
        Refusal::new(format!(
            "the run stops and changes nothing: {}{stop}{settle}",
            stopped.to_string().trim_end_matches('.')
        ))
        .by(rule.clone())
        .instead(rule_line(d))
    })?;
    let robots: Vec<Id> = roster::current(d).cloned().collect();
    for robot in &robots {
        let Some(after) = done.robots.get(d.frame.name_of(robot)) else { continue };
        for attr in measured(d) {
            let path = stats::path(robot, &attr);
            let before = machine.robots.get(d.frame.name_of(robot)).and_then(|before| before.stat(&said(&attr)));
            if let Some(to) = after.stat(&said(&attr)).filter(|_| after.stat(&said(&attr)) != before) {
                // Beyond what the table can hold nothing grows.
                d.overwrite(path, Value::Num(Num::from(to.clamp(-FIGURE_MAX_COUNT, FIGURE_MAX_COUNT))));
            }
        }
    }
    for effect in &done.effects {
        let robot = robots.iter().find(|robot| d.frame.name_of(robot) == effect.robot());
        robot.cloned().map_or(Ok(()), |robot| holdings::happen(d, effect, &robot))?;
    }
    let seq = d.seq;
    d.put(&me, Day { date, runs: before + 1, seq, trace: done.trace.to_string().into() });
    let name = d.frame.name_of(&me).to_owned();
    let missing = done.trace.missing().map(|(line, missing)| {
        let word = keyword.as_deref().unwrap_or_default();
        format!(" {word} did nothing: “{line}” does not hold, as it asks for {missing}.")
    });
    let word = keyword.map(|word| format!(" with {word}")).unwrap_or_default();
    let whom = other.map(|other| format!(", other being {}", d.frame.name_of(&other))).unwrap_or_default();
    let mut document = Document::say(format!("{name} runs the Master Control Program{word}{whom}:"));
    let (all, changes) = (done.trace.count(), done.trace.changes());
    if changes.count() > 0 {
        document = document.with(Block::Code { lang: String::new(), text: changes.to_string() });
    }
    let run = format!("run/{}", d.seq);
    let rest = match (changes.count(), all) {
        (0, _) => format!("No line of it changed anything. What each looked at: ⁅show {run}⁆"),
        (shown, all) if shown < all => {
            format!("{} ran, and those above changed something. All of them: ⁅show {run}⁆", counted(all, "line"))
        }
        _ => format!("Every line that ran: ⁅show {run}⁆"),
    };
    d.say(Audience::Public, document.with(Block::List(vec![Cell::new(rest).showing(run)])));
    Ok(Document::say(format!("You have {} Power.{}", stats::power(d, &me), missing.unwrap_or_default())))
}

/// Refuses a keyword that the program does not know, before a run is used up for it.
fn known(program: &Program, word: &str) -> Result<(), Refusal> {
    let words = mcp::keywords(program);
    if words.iter().any(|known| known.to_lowercase() == word.trim().to_lowercase()) {
        return Ok(());
    }
    let knows = match words {
        [] => "no keyword".to_owned(),
        words => format!("these: {}", words.join(", ")),
    };
    let line = words.first().map_or_else(|| "mcp".to_owned(), |word| format!("mcp {word}"));
    Err(Refusal::new(format!("the program knows no keyword “{word}”, but {knows}; no run is used up")).instead(line))
}

/// Gives the day's run back where an entry was one (N142).
pub(super) fn give_back(d: &mut D<'_>, seq: u64) -> Option<(Id, String)> {
    let run = d.rows::<Day>().iter().find(|(_, day)| day.seq == seq && day.runs > 0);
    let (robot, date) = run.map(|(robot, day)| (robot.clone(), day.date.clone()))?;
    d.edit(&robot, |day: &mut Day| day.runs -= 1);
    Some((robot, date))
}

/// Uses up a run that was given back; whether it was still there to be used. The log knows of so many on that day.
pub(super) fn use_up(d: &mut D<'_>, robot: &Id, date: &str, logged: u64, seq: u64) -> bool {
    let limit = d.rules.need_count(&MCP_RUNS).unwrap_or(1).max(1);
    let today = d.row::<Day>(robot).filter(|day| day.date == date).map(|day| day.runs);
    // Of days before the last one on which it ran, only the log knows.
    if today.unwrap_or(logged) >= limit {
        return false;
    }
    if today.is_some() {
        d.edit(robot, |day: &mut Day| (day.runs, day.seq) = (day.runs + 1, seq));
    }
    true
}

/// What a run can see.
fn machine(d: &D<'_>, me: &Id, other: Option<&Id>, keyword: Option<String>) -> Result<Machine, Refusal> {
    let name = |id: &Id| d.frame.name_of(id).to_owned();
    let cu = roster::control_unit(d);
    let mut robots = BTreeMap::new();
    for robot in roster::current(d) {
        let whole = |attr: &Attr<Num>| {
            let value = d.world.get(attr, robot).unwrap_or_default();
            value.to_i64().ok_or_else(|| {
                Refusal::new(format!("{value} is more than the program can reckon with"))
                    .by(Thing::Mcp.rule(&d.rules))
                    .instead("robots")
            })
        };
        let ends = stats::ends(d, robot, EFFICIENCY.id);
        let limits = match ends.and_then(|(least, most)| Some((least.to_i64()?, most.to_i64()?))) {
            Some((min, max)) if min < max => Limits::Range { min, max },
            // Nothing lies in a range that is empty, so nothing is raised or lowered.
            Some(_) => Limits::Fixed,
            None => Limits::Free,
        };
        let mut seen = Robot::holding(holdings::of(d, robot)).with(POWER.id, whole(&POWER)?, Limits::Floor(0)).with(
            EFFICIENCY.id,
            whole(&EFFICIENCY)?,
            limits,
        );
        for attr in stats::more(d) {
            let def = d.world.def(&attr, ROBOT).expect("a column is defined");
            let (Value::Num(value), Range::Num { min, max, .. }) =
                (d.world.value(&stats::path(robot, &attr)), &def.range)
            else {
                continue;
            };
            if let Some(value) = value.to_i64() {
                let end = |end: &Option<Num>| end.as_ref().and_then(Num::to_i64);
                seen = seen.with(&said(&attr), value, Limits::Within { min: end(min), max: end(max) });
            }
        }
        robots.insert(name(robot), seen);
    }
    Ok(Machine { robots, caller: name(me), other: other.map(name), control_unit: cu.as_ref().map(name), keyword })
}

/// The columns that a run can measure and alter.
fn measured(state: &State<BlogNomic>) -> Vec<Id> {
    let number = |attr: &Id| state.world.def(attr, ROBOT).is_some_and(|def| matches!(def.range, Range::Num { .. }));
    stats::columns(state).into_iter().filter(number).collect()
}

/// How a column is called in the source, which has no hyphens in its words.
fn said(attr: &str) -> String {
    attr.replace('-', "_")
}

// ---- display

/// Every line of a run.
///
/// # Errors
///
/// A [`Refusal`] where that entry is no run.
fn show_run(state: &State<BlogNomic>, entry: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new(format!("entry {entry} is no run of the Master Control Program")).instead("show gndt");
    let seq: Seq = entry.parse().map_err(|_| none())?;
    let (robot, day) = state.rows::<Day>().iter().find(|(_, day)| day.seq == seq).ok_or_else(none)?;
    let title = format!("The Master Control Program, run by {} on {}", state.frame.name_of(robot), day.date);
    Ok(Document::titled(format!("run/{seq}"), title)
        .with(Block::Code { lang: String::new(), text: day.trace.to_string() }))
}

/// What the program knows as it reads now: its keywords, and the figures that it reads or sets.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or it cannot be read.
fn show(state: &State<BlogNomic>) -> Result<Document, Refusal> {
    let program = read(state)?;
    let words = mcp::keywords(&program).iter().map(|word| Cell::named(word.clone()));
    let kept: Vec<String> = measured(state).iter().map(|attr| said(attr).to_lowercase()).collect();
    let strange = mcp::stats(&program).iter().filter(|(stat, _)| !kept.contains(stat)).map(|(stat, _)| stat.clone());
    let strange: Vec<String> = strange.collect();
    let rule = state.rules.establishes(Thing::Mcp.word()).map_or_else(String::new, |id| format!("rule/{id}"));
    let source = Cell::new(format!("Its source stands in {}", Thing::Mcp.rule(&state.rules))).showing(rule);
    let mut document = Document::titled("mcp", "The Master Control Program")
        .with(Block::List(vec![source]))
        .para("It knows these keywords:")
        .with(Block::List(words.collect()));
    if !strange.is_empty() {
        document = document.para(format!("It also asks for what no Robot has: {}.", strange.join(", ")));
    }
    Ok(document)
}
