//! The GNDT (rule 8): the table of every Robot's figures, and the log of every change to it.
//!
//! No mechanic writes the log: after each complete act the table is compared with what it was before, so that nothing
//! that changes it can be forgotten (N57, N58). Absent: which changes the rules allow; each mechanic judges its own.

use std::sync::Arc;

use imbl::{OrdSet, Vector};
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Instant, Refusal, State,
    display::{Block, Cell, Document},
    dynasties, emit, enactment, holdings,
    inventory::Inventory,
    law::{Thing, established},
    parts, power, program, public,
    roster::{self, Standing},
    stats::{self, ADMIN, EFFICIENCY, INVENTORY, LINK, MISSING, POWER, ROBOT, STATS},
};
use crate::kernel::{Num, Value, directives::Lawful, display::Offer, entry::Audience, time::minute};

/// Alterations that the log keeps: a year of a lively room. Older ones are in the journal.
const LOG_MAX_ENTRIES: usize = 2000;

/// Alterations that the display shows, the latest first.
const SHOWN_MAX_ENTRIES: usize = 50;

// ---- state

/// The log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tracker {
    log: Vector<Arc<Alteration>>,
    /// The entries whose effects a Robot took back.
    #[serde(default)]
    undone: OrdSet<u64>,
}

/// One act that changed the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alteration {
    /// The entry that made it, which is also what it is called by.
    pub(super) seq: u64,
    /// When.
    pub(super) at: Instant,
    /// Who; nobody where an instant did.
    pub(super) by: Option<Id>,
    /// On what ground: the command, or what a Robot said.
    pub(super) ground: String,
    /// What changed.
    pub(super) rows: Vec<Row>,
}

/// A figure that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    /// Whose.
    pub(super) robot: Id,
    /// Which.
    pub(super) stat: Id,
    /// From.
    pub(super) was: Value,
    /// To.
    pub(super) to: Value,
    /// Of an Inventory, the things before and after, with what they have cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) things: Option<(Inventory, Inventory)>,
}

impl Tracker {
    /// An alteration by the number of its entry.
    pub(super) fn get(&self, seq: u64) -> Option<&Alteration> {
        self.log.iter().rev().find(|alteration| alteration.seq == seq).map(|alteration| &**alteration)
    }

    /// Whether a Robot took its effects back.
    fn undone(&self, seq: u64) -> bool {
        self.undone.contains(&seq)
    }
}

// ---- facts

/// What happens to the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The table was changed.
    Logged(Box<Alteration>),
    /// An alteration was undone by a Robot.
    Undone {
        /// Its entry.
        seq: u64,
    },
}

// ---- decide

/// A Robot updates a figure of a Robot (N58). Nothing is checked beyond form: the ground is the Robot's own word.
///
/// # Errors
///
/// A [`Refusal`] for whoever is no Robot, and for a value that the figure cannot hold.
pub(super) fn update(robot: &Id, stat: &str, to: &str, ground: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Tracker)?;
    roster::robot(d)?;
    public(d, "gndt set Cog power 50 because of the rule on Power")?;
    let name = d.frame.name_of(robot).to_owned();
    if d.game.roster.get(robot).is_none() {
        return Err(Refusal::new(format!("{name} is not in the table")).instead("robots"));
    }
    let stat = column(stat)?;
    let path = stats::path(robot, stat);
    if stat == POWER.id && to.trim_start().starts_with('+') {
        let held = stats::power(d, robot);
        let more = to.trim().trim_start_matches('+').parse::<Num>().map(|more| &held + &more);
        let line = more.map_or_else(|_| "50".to_owned(), |sum| sum.to_string());
        return Err(Refusal::new(format!(
            "“{}” can be read in two ways; a figure is written as it shall stand in the table, and {name} has {held} Power",
            to.trim()
        ))
        .by(Thing::Tracker.rule(&d.rules))
        .instead(format!("gndt set {name} power {line} because {ground}")));
    }
    let value = match stat {
        _ if stat == POWER.id || stat == EFFICIENCY.id => Value::Num(to.parse::<Num>().map_err(|why| {
            Refusal::new(why.to_string()).instead("gndt set Cog power 50 because of the rule on Power")
        })?),
        _ if stat == MISSING.id => {
            let named = to.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != "nothing");
            let named: Result<Vec<Value>, Refusal> =
                named.map(|part| Ok(Value::Text(parts::find(part)?.0.to_owned()))).collect();
            Value::List(named?)
        }
        _ => Value::Text(if to == "nothing" { String::new() } else { to.to_owned() }),
    };
    let was = d.world.value(&path);
    BlogNomic::set_value(d, &path, value)?;
    let now = d.world.value(&path);
    if was == now {
        return Err(Refusal::new(format!("the {stat} of {name} is {} already", in_words(&was))).instead("robots"));
    }
    d.tell_all(format!("GNDT: {stat} of {name} is {}, was {}. Ground: {ground}", in_words(&now), in_words(&was)));
    Ok(Document::say(format!("Logged as entry {}; whoever finds it against the rules can undo it.", d.seq)))
}

/// A figure as a sentence has it: a list by its items, and what is empty as nothing.
fn in_words(value: &Value) -> String {
    let text = match value {
        Value::List(items) => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    if text.is_empty() { "nothing".to_owned() } else { text }
}

fn column(words: &str) -> Result<&'static str, Refusal> {
    let wanted = words.to_lowercase();
    let found = STATS.into_iter().find(|stat| *stat == wanted || (wanted == "parts" && *stat == MISSING.id));
    found.ok_or_else(|| Refusal::new(format!("the columns of the GNDT are {}", STATS.join(", "))).instead("robots"))
}

/// A Robot takes the effects of an alteration back (N59): their difference, whatever happened since.
///
/// # Errors
///
/// A [`Refusal`] where there is no such alteration, or a figure would fall out of its range.
pub(super) fn undo(seq: u64, why: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Tracker)?;
    let me = roster::robot(d)?;
    public(d, "gndt undo 12 because nobody may do that")?;
    let rule = Thing::Tracker.rule(&d.rules);
    let Some(alteration) = d.game.tracker.get(seq).cloned() else {
        return Err(Refusal::new(format!("entry {seq} is no alteration that the log of the GNDT holds"))
            .by(rule)
            .instead("gndt log"));
    };
    if d.game.tracker.undone(seq) {
        return Err(Refusal::new(format!("entry {seq} was undone already")).by(rule).instead("gndt log"));
    }
    let cfj = "cfj raise TITLE TEXT";
    for row in &alteration.rows {
        if let Some((was, to)) = &row.things {
            holdings::take_back(d, &row.robot, was, to)?;
            continue;
        }
        let path = stats::path(&row.robot, &row.stat);
        let now = d.world.value(&path);
        let back = match (&row.was, &row.to, &now) {
            (Value::Num(was), Value::Num(to), Value::Num(now)) => Value::Num(&(now - to) + was),
            _ if now == row.to => row.was.clone(),
            _ => {
                let name = d.frame.name_of(&row.robot);
                return Err(Refusal::new(format!("the {} of {name} has changed since", row.stat))
                    .by(rule)
                    .instead(cfj));
            }
        };
        if let Value::Num(back) = &back
            && *row.stat == *POWER.id
            && back.is_negative()
        {
            let name = d.frame.name_of(&row.robot);
            return Err(Refusal::new(format!(
                "{name} would have {back} Power, and no battery holds less than nothing"
            ))
            .by(rule)
            .instead(cfj));
        }
        d.overwrite(path, back);
    }
    let mut again = String::new();
    for (given, told) in [
        (program::take_back(d, seq), " The day's run is given back."),
        (power::take_back(d, seq), " The day and the entry can be claimed for again."),
        (enactment::take_back(d, seq), " The claim can be made again."),
    ] {
        again.push_str(if given { told } else { "" });
    }
    emit(d, Fact::Undone { seq });
    let name = d.frame.name_of(&me).to_owned();
    let mut document = Document::say(format!(
        "{name} undoes the effects of entry {seq} ({}): {why}.{again} Whoever disputes that raises a Call for Judgment.",
        alteration.ground
    ));
    let line = format!("cfj raise \"The undoing of entry {seq}\" Was entry {seq} against the rules as they were then?");
    document.offers = vec![Offer { label: "Call for Judgment".to_owned(), line, at_seq: d.seq }];
    d.say(Audience::Public, document);
    Ok(Document::say(format!("The effects of entry {seq} are taken back.")))
}

/// Logs what an act changed in the table.
pub(super) fn log(d: &mut D<'_>, before: &State<BlogNomic>, by: Option<Id>, ground: &str) {
    let mut rows = Vec::new();
    for robot in d.world.of_kind(ROBOT) {
        for stat in STATS {
            let path = stats::path(robot, stat);
            let (was, to) = (before.world.value(&path), d.world.value(&path));
            // A newcomer's empty row is no change.
            if was != to
                && (before.world.exists(robot)
                    || to != d.world.def(stat).map(|def| def.default.clone()).unwrap_or_default())
            {
                let things = (stat == INVENTORY.id).then(|| (holdings::of(before, robot), holdings::of(d, robot)));
                rows.push(Row { robot: robot.clone(), stat: stat.into(), was, to, things });
            }
        }
    }
    if !rows.is_empty() {
        let alteration = Alteration { seq: d.seq, at: d.at, by, ground: ground.to_owned(), rows };
        emit(d, Fact::Logged(Box::new(alteration)));
    }
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    match fact {
        Fact::Undone { seq } => {
            game.tracker.undone.insert(*seq);
        }
        Fact::Logged(alteration) => {
            game.tracker.log.push_back(Arc::new((**alteration).clone()));
            while game.tracker.log.len() > LOG_MAX_ENTRIES {
                game.tracker.log.pop_front();
            }
        }
    }
}

// ---- display

/// The table: every Robot with its figures, the active ones first.
pub(super) fn show(state: &State<BlogNomic>) -> Document {
    let mut members: Vec<_> = state.game.roster.iter().collect();
    members.sort_by_key(|(id, member)| (order(member.standing), state.frame.name_of(id).to_lowercase()));
    let rows = members.into_iter().map(|(id, member)| {
        let name = state.frame.name_of(id);
        let text = |attr: &str| state.world.value(&stats::path(id, attr)).to_string();
        let cell = |attr: &str| Cell::new(text(attr)).from_path(stats::path(id, attr));
        let mut marks = Vec::new();
        if dynasties::control_unit(state) == Some(id) {
            marks.push("Control Unit");
        }
        if roster::is_admin(state, id) {
            marks.push("Admin");
        }
        match member.standing {
            Standing::Robot => {}
            Standing::Applicant | Standing::Returning => marks.push("applies"),
            Standing::Deactivated => marks.push("Deactivated"),
            Standing::Left => marks.push("left"),
            Standing::Removed => marks.push("removed"),
        }
        let missing = state.world.get(&MISSING, id).unwrap_or_default();
        let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
        vec![
            Cell::new(name).completing(name),
            Cell::new(marks.join(", ")).from_path(stats::path(id, ADMIN.id)),
            cell(POWER.id),
            cell(EFFICIENCY.id),
            cell(INVENTORY.id),
            Cell::new(missing.join(", ")).from_path(stats::path(id, MISSING.id)),
            Cell::new(text(LINK.id)).from_path(stats::path(id, LINK.id)),
        ]
    });
    let rows: Vec<_> = rows.collect();
    Document::titled("robots", "Robots").with(Block::Table {
        head: ["Robot", "", "Power", "efficiency", "Inventory", "missing", "links to"].map(str::to_owned).to_vec(),
        rows,
    })
}

fn order(standing: Standing) -> u8 {
    match standing {
        Standing::Robot => 0,
        Standing::Deactivated => 1,
        Standing::Applicant | Standing::Returning => 2,
        Standing::Left | Standing::Removed => 3,
    }
}

/// The log, the latest alteration first, or what it holds before an entry.
pub(super) fn show_log(state: &State<BlogNomic>, before: Option<u64>) -> Document {
    let tracker = &state.game.tracker;
    let mut older = tracker.log.iter().rev().filter(|alteration| before.is_none_or(|before| alteration.seq < before));
    let shown: Vec<_> = older.by_ref().take(SHOWN_MAX_ENTRIES).collect();
    let rows = shown.iter().flat_map(|alteration| {
        alteration.rows.iter().map(|row| {
            let seq = alteration.seq.to_string();
            vec![
                Cell::new(seq.clone()).completing(seq.clone()).showing(format!("entry/{seq}")),
                Cell::new(minute(alteration.at)),
                Cell::new(alteration.by.as_ref().map_or("the bot", |by| state.frame.name_of(by))),
                Cell::new(format!(
                    "{}{}",
                    alteration.ground,
                    if tracker.undone(alteration.seq) { " (undone)" } else { "" }
                )),
                Cell::new(format!("{}: {}", state.frame.name_of(&row.robot), row.stat)),
                Cell::new(format!("{} → {}", in_words(&row.was), in_words(&row.to))),
            ]
        })
    });
    let rows: Vec<_> = rows.collect();
    let document = Document::titled("gndt", "The log of the GNDT");
    let Some(last) = shown.last() else {
        return document.para(match before {
            None => "Nothing has been changed yet.".to_owned(),
            Some(before) => format!("The log holds nothing before entry {before}."),
        });
    };
    let document = document.with(Block::Table {
        head: ["entry", "when", "by", "on the ground of", "figure", "change"].map(str::to_owned).to_vec(),
        rows,
    });
    document.going_on(older.count(), &format!("gndt/{}", last.seq))
}
