//! The GNDT (rule 8): the table of every Robot's figures, and the log of every change to it.
//!
//! No mechanic writes the log: after each complete act the table is compared with the earlier one, so no change is
//! forgotten (N57, N58). Each mechanic judges which changes the rules allow.

use super::{
    alterations::{self, Alteration, Figure, LOG_MAX_ENTRIES},
    game::{BlogNomic, D, page},
    law::Thing,
    roster::{self, Member, Standing},
    stats::{self, ADMIN, EFFICIENCY, INVENTORY, LINK, MISSING, POWER, ROBOT, worded},
    undoing::{self, Undoing, stands},
};
use kernel::{
    Act, Display, Id, Mechanic, Num, Occasion, Refusal, State, Value,
    directives::{Lawful, Names, define, words::ranged},
    display::{Cell, Document, cells},
    entry::Change,
    own_command::OwnCommand,
    time::minute,
    world::{AttrDef, Op, Range},
};

/// Alterations that the display shows, the latest first.
const SHOWN_MAX_ENTRIES: usize = 50;

/// The act whose ground is what the Robot says.
const UPDATE: &str = "update";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let robots = Display::new("robots", |state, _| Ok(show(state))).also("members").also("roster");
    let log = Display::new("gndt", |state, asked| Ok(show_log(state, page(asked)?))).also("log");
    Mechanic::new("gndt")
        .table::<Alteration>()
        .act(
            Act::new(UPDATE, |Update { robot, stat, to, ground }, d| update(&robot, &stat, &to, &ground, d))
                .by(Thing::Tracker.word())
                .player()
                .public("gndt set Cog power 50 because of the rule on Power"),
        )
        .display(robots.listed(0))
        .display(log.fits(|parts| parts <= 1).listed(4))
        .display(Display::new("columns", |state, _| Ok(show_columns(state))).listed(5))
}

kit::args! {
    /// The arguments of `update` (N58).
    Update { robot: Id, stat: String, to: String, ground: String }
}

// ---- decide

/// A Robot updates a figure of a Robot (N58). Nothing is checked beyond form: the ground is the Robot's own word.
///
/// # Errors
///
/// A [`Refusal`] for whoever is no Robot, and for a value that the figure cannot hold.
fn update(robot: &Id, stat: &str, to: &str, ground: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let name = d.frame.name_of(robot).to_owned();
    if d.row::<Member>(robot).is_none() {
        return Err(Refusal::new(format!("{name} is not in the table")).instead("robots"));
    }
    let stat = &*column(d, stat)?;
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
            Value::List(named.map(|part| stats::part(d, part)).collect::<Result<_, Refusal>>()?)
        }
        _ => {
            let range = ranged(d, &path)?;
            let none = typed(d, to, &range).filter(|value| range.holds(value));
            let blank = (to == "nothing").then(|| d.world.def(stat, ROBOT).map(AttrDef::blank)).flatten();
            blank.or(none).ok_or_else(|| {
                Refusal::new(format!("“{to}” is no {stat}: it is {}", define::shown(&range)))
                    .by(Thing::Tracker.rule(&d.rules))
                    .instead("robots")
            })?
        }
    };
    let was = d.world.value(&path);
    BlogNomic::set_value(d, &path, value)?;
    let now = d.world.value(&path);
    if was == now {
        let was = worded(d, &was);
        return Err(Refusal::new(format!("the {stat} of {name} is {was} already")).instead("robots"));
    }
    let (now, was) = (worded(d, &now), worded(d, &was));
    d.tell_all(format!("GNDT: {stat} of {name} is {now}, was {was}. Ground: {ground}"));
    let seq = d.seq;
    let undo = format!("⁅gndt undo {seq} because REASON⁆");
    Ok(Document::say(format!("Logged as entry {seq}; whoever finds it against the rules undoes it: {undo}")))
}

/// A value of a range as it is typed; of what is somebody, by name.
fn typed(state: &State<BlogNomic>, to: &str, range: &Range) -> Option<Value> {
    match range {
        Range::Ref(_) => BlogNomic::find(state, to.trim()).ok().map(Value::Ref),
        Range::List { of, .. } if matches!(**of, Range::Ref(_)) => {
            let named = to.split(',').filter(|name| !name.trim().is_empty());
            named.map(|name| typed(state, name, of)).collect::<Option<Vec<_>>>().map(Value::List)
        }
        _ => define::plain(to, range),
    }
}

fn column(state: &State<BlogNomic>, words: &str) -> Result<Id, Refusal> {
    let columns = stats::columns(state);
    let wanted = if words.eq_ignore_ascii_case("parts") { MISSING.id } else { words };
    let named = BlogNomic::attribute(state, wanted, &ROBOT.into());
    named.filter(|named| columns.contains(named)).ok_or_else(|| {
        let columns = columns.iter().map(|column| &**column).collect::<Vec<_>>().join(", ");
        Refusal::new(format!("the columns of the GNDT are {columns}")).instead("robots")
    })
}

/// The rule whose law made changes, by its title.
pub(super) fn law_of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Option<String> {
    let by = changes.into_iter().filter_map(|change| match change {
        Change::By(by) => by.rule.clone().filter(|_| by.line.is_some()),
        _ => None,
    });
    by.last()
}

/// On what ground something changes the table: what a Robot said, which rule's law did it, or what it is.
pub(super) fn ground(on: &Occasion<'_, BlogNomic>, law: Option<String>) -> String {
    match on {
        Occasion::Act(act, args) => {
            let said = |field: &str| args[field].as_str().unwrap_or_default();
            match act.name {
                UPDATE => said("ground").to_owned(),
                undoing::UNDO => format!("undoing entry {}: {}", args["entry"], said("reason")),
                OwnCommand::ACT => law.unwrap_or_else(|| act.note.to_owned()),
                _ => act.note.to_owned(),
            }
        }
        Occasion::Due(_) => law.unwrap_or_else(|| "the clock".to_owned()),
        Occasion::Settle(mechanic) => law.unwrap_or_else(|| (*mechanic).to_owned()),
    }
}

/// Whether a change is of what the table does not hold: what proposals and laws have besides, and what laws remember.
pub(super) fn is_beyond(state: &State<BlogNomic>, change: &Change) -> bool {
    match change {
        Change::World(Op::Set { at, .. } | Op::Add { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. }) => {
            let is_defined = || state.world.def(&at.attr, ROBOT).is_some();
            let is_column = || is_defined() && (stats::builtin(&at.attr) || stats::columns(state).contains(&at.attr));
            // What became of a document is no figure, and stands.
            let ends = *at.attr == *"state" && laws::is_document(state, &at.obj);
            let is_figure = || is_column() && state.rows::<Member>().contains_key(&at.obj);
            ends || !(laws::is_thing(state, &at.obj) || is_figure())
        }
        Change::Row(row) => laws::keeps::<BlogNomic>(&row.table),
        _ => false,
    }
}

/// Logs what an act changed in the table.
pub(super) fn log(d: &mut D<'_>, before: &State<BlogNomic>, by: Option<Id>, ground: &str, more: bool) {
    let mut rows = Vec::new();
    for robot in d.world.of_kind(ROBOT) {
        for stat in stats::columns(d) {
            let path = stats::path(robot, &stat);
            // A newcomer's empty row is no change, nor is a new column.
            let first = d.world.def(&stat, ROBOT).map(|def| def.default.clone()).unwrap_or_default();
            let known = before.world.exists(robot) && before.world.def(&stat, ROBOT).is_some();
            let was = if known { before.world.value(&path) } else { first };
            let to = d.world.value(&path);
            if was != to {
                rows.push(Figure { robot: robot.clone(), stat, was, to });
            }
        }
    }
    let things = alterations::things(before, d);
    if rows.is_empty() && things.iter().all(|thing| laws::is_document(d, &thing.obj)) {
        return;
    }
    let (seq, at, index) = (d.seq, d.at, alterations::of(d, d.seq).count() as u64);
    d.put(&(seq, index), Alteration { seq, at, by, ground: ground.to_owned(), rows, things, more });
    while d.rows::<Alteration>().len() > LOG_MAX_ENTRIES
        && let Some(oldest) = d.rows::<Alteration>().first().map(|(key, _)| *key)
    {
        d.delete::<Alteration>(&oldest);
        d.delete::<Undoing>(&oldest.0);
    }
}

// ---- display

/// The table: every Robot with its figures, the active ones first.
fn show(state: &State<BlogNomic>) -> Document {
    let mut members: Vec<_> = state.rows::<Member>().iter().collect();
    members.sort_by_key(|(id, member)| (order(member.standing), state.frame.name_of(id).to_lowercase()));
    // A list that nobody has anything in says nothing.
    let is_empty =
        |id: &Id, attr: &Id| matches!(state.world.value(&stats::path(id, attr)), Value::List(held) if held.is_empty());
    let offices = laws::offices(state);
    let more = stats::more(state);
    let more: Vec<&Id> = more.iter().filter(|attr| !members.iter().all(|(id, _)| is_empty(id, attr))).collect();
    let rows = members.into_iter().map(|(id, member)| {
        let name = state.frame.name_of(id);
        let text = |attr: &str| match state.world.value(&stats::path(id, attr)) {
            Value::Num(value) => value.to_string(),
            Value::Text(text) => text,
            value => worded(state, &value),
        };
        let cell = |attr: &str| Cell::new(text(attr)).from_path(stats::path(id, attr));
        let held = offices.iter().filter(|(_, holders)| holders.contains(id));
        let mut marks: Vec<&str> = held.map(|(office, _)| &**office).collect();
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
        let mut row = vec![
            Cell::named(name),
            Cell::new(marks.join(", ")).from_path(stats::path(id, ADMIN.id)),
            cell(POWER.id),
            cell(EFFICIENCY.id),
            cell(INVENTORY.id),
            Cell::new(missing.join(", ")).from_path(stats::path(id, MISSING.id)),
        ];
        row.extend(more.iter().map(|attr| cell(attr)));
        row.push(cell(LINK.id));
        row
    });
    let rows: Vec<_> = rows.collect();
    let mut head = ["Robot", "", "Power", "efficiency", "Inventory", "missing"].map(str::to_owned).to_vec();
    head.extend(more.iter().map(|attr| attr.to_string()));
    head.push("links to".to_owned());
    Document::titled("robots", "Robots").table(head, rows)
}

/// The columns of the table, with what each holds.
fn show_columns(state: &State<BlogNomic>) -> Document {
    let rows = stats::columns(state).into_iter().filter_map(|column| {
        let def = state.world.def(&column, ROBOT)?;
        Some(cells![Cell::named(&*column), define::shown(&def.range)])
    });
    Document::titled("columns", "The columns of the GNDT").table(["column", "holds"], rows)
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
fn show_log(state: &State<BlogNomic>, before: Option<u64>) -> Document {
    let latest = state.rows::<Alteration>().values().rev();
    let mut older = latest.filter(|alteration| before.is_none_or(|before| alteration.seq < before));
    let shown: Vec<_> = older.by_ref().take(SHOWN_MAX_ENTRIES).collect();
    let rows = shown.iter().flat_map(|alteration| {
        alteration.rows.iter().map(|row| {
            cells![
                Cell::numbered("entry", alteration.seq),
                minute(alteration.at),
                alteration.by.as_ref().map_or("the bot", |by| state.frame.name_of(by)),
                format!("{}{}", alteration.ground, if stands(state, alteration.seq) { "" } else { " (undone)" }),
                format!("{}: {}", state.frame.name_of(&row.robot), row.stat),
                format!("{} → {}", worded(state, &row.was), worded(state, &row.to)),
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
    let document = document.table(["entry", "when", "by", "on the ground of", "figure", "change"], rows);
    document.going_on(older.count(), &format!("gndt/{}", last.seq))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Game;
    use serde_json::json;

    /// N58: the log says on what ground each act changes the table.
    #[test]
    fn n58_every_act_has_a_ground() {
        let said = json!({ "ground": "the rule on Power", "entry": 12, "reason": "nobody may do that" });
        let all = BlogNomic::mechanics();
        for name in all.acts() {
            let (act, _) = all.act(&json!(name)).unwrap();
            let ground = ground(&Occasion::Act(act, &said), None);
            match name {
                UPDATE => assert_eq!(ground, "the rule on Power"),
                undoing::UNDO => assert_eq!(ground, "undoing entry 12: nobody may do that"),
                _ => assert!(!ground.is_empty(), "{name}"),
            }
        }
    }
}
