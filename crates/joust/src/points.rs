//! Points: each Monday a message awards them by the standing ranks of the members' knights (seed 000, J39 to J44).
//!
//! Members, the office and the worth of a rank are read at the award's instant. The ranks are those held when
//! everything deemed before that instant is done (J74, J79 to J81). So the award is put on the agenda at its instant
//! with the former frozen in it. Points themselves are an attribute of the world, so that `/why`, corrections and undo
//! know them. Ranks are fought for in `challenge`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    contract::{self, PLAYER},
    game::{D, Joust, Tables},
    hosting, knights, phases, places, programs,
    reading::{self, Figures},
    tasks::{self, Pending, Task, as_of},
};
use kernel::{
    Display, Game, Id, Instant, Mechanic, Num, Phase, State, Value,
    display::{Block, Cell, Document, cells},
    entry::{Audience, Due},
    mechanic::{Fate, Lapse},
    table,
    time::{day, minute, next_week},
    world::{Attr, AttrDef, Op, Range},
};

/// What a player has been awarded in all.
pub(super) const POINTS: Attr<Num> = Attr::new("points");

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let award = Phase::new(phases::AWARD, next_due, |_, d| due(d));
    let lapses =
        |_: &State<Joust>, due: &Due| Lapse { what: format!("the award of {}", day(due.at)), fate: Fate::Never };
    Mechanic::new("points")
        .by(reading::POINTS)
        .table::<Awards>()
        .phase(award.lapse(|_, d| lapse(d)).fate(lapses))
        .display(Display::new("points", |state, _| Ok(show(state))).listed(3))
}

// ---- state

/// The Monday awards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Awards {
    /// The Monday of the next one; none before the contest begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<Instant>,
    /// The last one that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<Award>,
}

impl table::Row<Joust> for Awards {
    type Key = ();
    const TABLE: &'static str = "awards";
}

fn next_award(joust: &Tables) -> Option<Instant> {
    joust.rows::<Awards>().get(&())?.next
}

/// An award that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Award {
    /// The Monday.
    pub at: Instant,
    /// Every knight with its standing rank, best first.
    pub rows: Vec<Row>,
}

/// A knight in an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Row {
    /// Its standing rank.
    pub rank: usize,
    /// Which program.
    pub program: u64,
    /// Whose it is.
    pub owner: Id,
    /// What it brings.
    pub points: Num,
    /// Why it brings nothing, where that is not its rank's doing.
    pub barred: Option<Bar>,
}

/// Why a knight brings nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bar {
    /// Its submitter is the contestmaster, or was when submitting it (J41, J81).
    Contestmaster,
    /// Its submitter is no member (J41).
    NoMember,
}

// ---- decide

/// The attribute as the world defines it.
pub(super) fn define(d: &mut D<'_>) {
    let range = Range::Num { min: None, max: None, whole: false };
    let by = Some(reading::POINTS.into());
    d.op(Op::Define(AttrDef {
        id: POINTS.id.into(),
        scope: PLAYER.into(),
        range,
        default: Value::Num(Num::default()),
        by,
    }));
}

/// Makes an award whose turn has come: a due award, with the ranks as they are now.
pub(super) fn award(d: &mut D<'_>, at: Instant, pending: &Pending) {
    let rows = rows(&d.tables, at, pending);
    let mut sums: BTreeMap<Id, Num> = BTreeMap::new();
    for row in &rows {
        let sum = sums.entry(row.owner.clone()).or_default();
        *sum = &*sum + &row.points;
    }
    d.by_rule(reading::POINTS, &[], |d| sums.into_iter().for_each(|(owner, sum)| d.add(&POINTS, &owner, sum)));
    let made = Award { at, rows };
    let document = announcement(d, &made);
    d.upsert::<Awards>(&(), |awards| awards.last = Some(made));
    d.say(Audience::Public, document);
    Joust::mechanics().happened(hosting::AWARDED, &Json::Null, d);
}

/// Every knight with its standing rank and what it brings (J39, J42: the rank held among all, nothing passed down).
fn rows(joust: &Tables, at: Instant, pending: &Pending) -> Vec<Row> {
    let mut rows = Vec::new();
    for place in places::ranked(joust) {
        if !knights::is_knight(place, &places::hill(joust).terms, at) {
            continue;
        }
        let Some(program) = programs::program(joust, place.program) else { continue };
        let barred = if program.by_master || pending.contestmaster.as_ref() == Some(&program.owner) {
            Some(Bar::Contestmaster)
        } else if !pending.members.contains(&program.owner) {
            Some(Bar::NoMember)
        } else {
            None
        };
        let worth = pending.schedule.get(place.rank - 1).or(pending.schedule.last()).cloned().unwrap_or_default();
        let points = if barred.is_some() { Num::default() } else { worth };
        rows.push(Row { rank: place.rank, program: place.program, owner: program.owner.clone(), points, barred });
    }
    rows
}

// ---- due

/// The next Monday, while the contract is in force.
fn next_due(state: &State<Joust>) -> Option<Due> {
    let at = next_award(&state.tables).filter(|_| contract::contract(&state.tables).is_running())?;
    Some(Due { at, rank: phases::AWARD, key: "award".into() })
}

/// Monday has come: the award goes on the agenda with what must be read now. Without a schedule in the contract there is
/// none (J86), and one that cannot be read is announced.
fn due(d: &mut D<'_>) {
    let Some(at) = next_award(&d.tables) else { return };
    lapse(d);
    match Figures::of(&d.rules).schedule() {
        Ok(schedule) => {
            let members = contract::members(d).cloned().collect();
            let contestmaster = contract::contract(&d.tables).contestmaster.clone();
            tasks::schedule(d, at, phases::AWARD, Task::Award(Pending { members, contestmaster, schedule }));
        }
        Err(gap) if gap.absent => {}
        Err(gap) => d.tell_all(format!("No points are awarded for the week from {}: {}", minute(at), gap.why.say)),
    }
}

/// Lets a Monday pass without an award.
fn lapse(d: &mut D<'_>) {
    if let Some(at) = next_award(&d.tables) {
        d.upsert::<Awards>(&(), |awards| awards.next = Some(next_week(at)));
    }
}

// ---- display

fn announcement(d: &D<'_>, award: &Award) -> Document {
    let monday = minute(award.at);
    let mut document =
        Document::titled(String::new(), format!("Points for the week from {monday}{}", as_of(d, award.at)));
    let mut sums: BTreeMap<&Id, Num> = BTreeMap::new();
    for row in award.rows.iter().filter(|row| !row.points.is_zero()) {
        let sum = sums.entry(&row.owner).or_default();
        *sum = &*sum + &row.points;
    }
    let sums: Vec<String> = sums.into_iter().map(|(owner, sum)| format!("{} {sum}", d.frame.name_of(owner))).collect();
    document = document.para(match (award.rows.is_empty(), sums.is_empty()) {
        (true, _) => "No program is a Knight: nobody gets points.".to_owned(),
        (false, true) => "No member's Knight stands high enough: nobody gets points.".to_owned(),
        (false, false) => format!("{}.", sums.join(", ")),
    });
    if award.rows.is_empty() { document } else { document.with(table(d, award)) }
}

/// The points of each player, and the last award.
fn show(state: &State<Joust>) -> Document {
    let mut rows: Vec<(Num, Vec<Cell>)> = state
        .frame
        .seats
        .iter()
        .filter_map(|(id, seat)| {
            let points = state.world.get(&POINTS, id).unwrap_or_default();
            let member = contract::is_member(state, id);
            (member || !points.is_zero()).then(|| {
                let cell = Cell::new(points.to_string()).from_path(POINTS.of(id));
                let name = Cell::named(seat.name.clone());
                (points, cells![name, cell, if member { "" } else { "no member" }])
            })
        })
        .collect();
    rows.sort_by(|one, other| other.0.cmp(&one.0));
    let rows = rows.into_iter().map(|(_, row)| row);
    let mut document = Document::titled("points", "Points");
    document = document.table_or("Nobody is a member yet: join.", ["player", "points", ""], rows);
    if let Some(award) = state.rows::<Awards>().get(&()).and_then(|awards| awards.last.as_ref()) {
        document = document.para(format!("The last award, for the week from {}:", minute(award.at)));
        if award.rows.is_empty() {
            document = document.para("No program was a Knight.");
        } else {
            document = document.with(table(state, award));
        }
    }
    document
}

/// The knights of an award and what each of them brought.
fn table(state: &State<Joust>, award: &Award) -> Block {
    let row = |row: &Row| {
        let points = match row.barred {
            None => row.points.to_string(),
            Some(Bar::Contestmaster) => "0 (contestmaster's)".to_owned(),
            Some(Bar::NoMember) => "0 (no member)".to_owned(),
        };
        cells![
            row.rank,
            Cell::named(programs::name_of(&state.tables, row.program)),
            state.frame.name_of(&row.owner),
            points,
        ]
    };
    Block::table(["standing rank", "Knight", "by", "points"], award.rows.iter().map(row))
}

#[cfg(test)]
mod tests;
