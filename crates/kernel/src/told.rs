//! What a change did, in words of the game, for people who read the record.
//!
//! Objects, seats and rules are called as players call them now. A change that the rest of its entry tells has no
//! words.

use crate::directives::{define, sight::RULE};
use crate::draft::fold;
use crate::entry::{Because, Change};
use crate::frame::{ClockMode, FrameFact, Seat, Standing};
use crate::game::Game;
use crate::row_change::RowChange;
use crate::rulebook::{RuleAct, RuleOp, terms, views};
use crate::state::State;
use crate::time::minute;
use crate::world::{Difference, Op};
use crate::{Id, Instant, Num, Path, Value};

/// A change in words; empty where nothing is to be told, `None` where there are no words for it.
pub(crate) fn told<G: Game>(state: &State<G>, change: &Change) -> Option<String> {
    match change {
        Change::World(op) => Some(of_world(state, op)),
        Change::Rule(op) => Some(of_rule(state, op)),
        Change::Frame(fact) => Some(of_frame(state, fact)),
        Change::By(_) => Some(String::new()),
        // What is in no table has no words.
        Change::Row(change) => state.tables.told(change, state),
    }
}

/// What changes come from, in words: behind a rule the sentence by whose figure it does that, as far as it reads so
/// still.
pub(crate) fn because<G: Game>(state: &State<G>, by: &Because) -> String {
    let sentence = |(key, is): (&String, &String)| {
        let mut places = state.rules.places(key);
        let (rule, at) = places.find(|(rule, at)| rule.text().shown(at) == is)?;
        Some(terms::around(rule.text(), at)).filter(|sentence| !sentence.is_empty())
    };
    match by.read.iter().filter(|_| by.line.is_none()).find_map(sentence) {
        Some(sentence) => format!("{by}: “{sentence}”"),
        None => by.to_string(),
    }
}

/// What some changes come to one after the other, for each run of them by one cause.
pub(crate) fn steps<G: Game>(
    before: &State<G>,
    changes: &[Change],
    at: Instant,
) -> Vec<(Because, Vec<(char, String)>)> {
    let (mut state, mut by, mut steps) = (before.clone(), Because::default(), Vec::new());
    for run in changes.split_inclusive(|change| matches!(change, Change::By(_))) {
        let was = state.clone();
        for change in run {
            fold(&mut state, change, before.seq + 1, at).expect("what was changed here folds here");
        }
        steps.push((by.clone(), differences(&was, &state, |table| !G::mechanics().tells(table))));
        if let Some(Change::By(next)) = run.last() {
            by.clone_from(next);
        }
    }
    steps
}

/// What differs between two states, as everybody may read it, in the words of the record: a line each, behind a sign of
/// whether something comes, goes or becomes something else. Of rows those are told of tables that are wanted.
pub(crate) fn differences<G: Game>(
    before: &State<G>,
    after: &State<G>,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<(char, String)> {
    let line = |sign, say| Some((sign, say));
    let in_world = |difference| match difference {
        Difference::Def { was: None, now: Some(def) } => line('+', of_world(after, &Op::Define(*def))),
        Difference::Def { was: Some(def), now: None } => line('-', of_world(after, &Op::Undefine(*def))),
        Difference::Def { now, .. } => {
            now.and_then(|def| line('!', format!("{}: {}", after.world.called(&def), define::shown(&def.range))))
        }
        // A rule that comes or goes stands among the rules.
        Difference::Came { kind, .. } | Difference::Went { kind, .. } if *kind == *RULE => None,
        Difference::Came { obj, kind } => line('+', of_world(after, &Op::Create { obj, kind })),
        Difference::Went { obj, kind } => {
            line('-', of_world(before, &Op::Destroy { obj, kind, was: Default::default() }))
        }
        Difference::Value { at, .. } => {
            // An attribute that comes to be was at its default before it was set.
            let is_new = before.world.exists(&at.obj) && before.world.def_at(&at).is_none();
            let was = match after.world.def_at(&at).filter(|_| is_new) {
                Some(def) => valued(after, &at.attr, &def.default),
                None => shown(before, &at),
            };
            let now = shown(after, &at);
            line('!', format!("{}: {was} becomes {now}", placed(after, &at))).filter(|_| was != now)
        }
    };
    let of_row = |row: RowChange| {
        let is_told = is_wanted(&row.table) && after.tables.is_open(&row.table, &row.key, after);
        let told = after.tables.told(&row, after).filter(|_| is_told)?;
        let back = RowChange { was: row.to, to: row.was, ..row };
        // What of it differs may be nothing that is told.
        let is_other = !told.is_empty() && before.tables.told(&back, before).as_ref() != Some(&told);
        line('!', told).filter(|_| is_other)
    };
    let of_seat = |(id, seat): (&Id, &Seat)| {
        let was = before.frame.seats.get(id).map(|was| was.standing).filter(|was| *was != seat.standing)?;
        line('!', of_frame(after, &FrameFact::Stands { seat: id.clone(), standing: seat.standing, was }))
    };
    let world = after.world.since(&before.world).into_iter().filter_map(in_world);
    let rows = before.tables.differences(&after.tables).into_iter().filter_map(of_row);
    world.chain(rows).chain(after.frame.seats.iter().filter_map(of_seat)).collect()
}

/// A value as players know it, also where it stands elsewhere than in the world.
fn shown<G: Game>(state: &State<G>, at: &Path) -> String {
    let (value, shown) = (state.world.value(at), G::shown(state, at));
    if shown == value.to_string() { valued(state, &at.attr, &value) } else { shown }
}

/// A value of an attribute, with what it refers to as players call it.
pub(crate) fn valued<G: Game>(state: &State<G>, attr: &str, value: &Value) -> String {
    match value {
        Value::Ref(obj) => G::called(state, obj),
        Value::Time(at) => minute(*at),
        Value::Text(text) if text.is_empty() => "nothing".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::List(items) if items.is_empty() => "nothing".to_owned(),
        Value::List(items) => items.iter().map(|item| valued(state, attr, item)).collect::<Vec<_>>().join(", "),
        Value::Text(_) => state.frame.redaction_of_kept().text(&G::expressed(attr, value)),
        value => G::expressed(attr, value),
    }
}

/// A value's place: `score of Ann`.
pub(crate) fn placed<G: Game>(state: &State<G>, at: &Path) -> String {
    format!("{} of {}", at.attr, G::called(state, &at.obj))
}

fn of_world<G: Game>(state: &State<G>, op: &Op) -> String {
    let value = |at: &Path, value: &Value| valued(state, &at.attr, value);
    match op {
        // A first value that is written down before it is one no more.
        Op::Set { at, to, was } if to == was => format!("{} stays {}", placed(state, at), value(at, to)),
        Op::Set { at, to, was } => format!("{}: {} becomes {}", placed(state, at), value(at, was), value(at, to)),
        Op::Add { at, by } => {
            let (sign, by) = if *by < Num::default() { ("-", -by) } else { ("+", by.clone()) };
            format!("{}: {sign}{}", placed(state, at), value(at, &Value::Num(by)))
        }
        Op::Insert { at, item } => format!("{}: with {} from now on", placed(state, at), value(at, item)),
        Op::Remove { at, item } => format!("{}: without {} from now on", placed(state, at), value(at, item)),
        Op::Create { obj, kind } => format!("{}, a new {kind}", G::called(state, obj)),
        Op::Destroy { obj, kind, .. } => format!("{} is no {kind} any more", G::called(state, obj)),
        Op::Restore { obj, kind, .. } => format!("{}, a {kind}, is there", G::called(state, obj)),
        Op::Define(def) => {
            let first = valued(state, &def.id, &def.default);
            format!("every {} has {}: {}, at first {first}", def.scope, def.id, define::shown(&def.range))
        }
        Op::Undefine(def) => format!("no {} has {} any more", def.scope, def.id),
    }
}

fn of_rule<G: Game>(state: &State<G>, RuleOp { rule, act, .. }: &RuleOp) -> String {
    let held = state.rules.get(rule);
    let name = held.map_or_else(|| format!("rule {rule}"), |held| views::called(held, G::numbering()));
    let titled = |title: &str| if title.is_empty() { String::new() } else { format!(", “{title}”") };
    let name = format!("{name}{}", titled(held.map_or("", |held| held.title())));
    match act {
        RuleAct::Enact { number, title, .. } => {
            format!("{}{number}{} is enacted", numbered(G::numbering()), titled(title))
        }
        RuleAct::Amend { .. } => format!("{name}: the text is amended"),
        RuleAct::Mark { .. } => format!("{name}: other figures are marked, the words stay"),
        RuleAct::Settle { to, .. } if to.by_hand => format!("{name}: people do what it says from now on"),
        RuleAct::Settle { to, .. } => {
            format!("{name}: the program plays it as of revision {}", to.revision)
        }
        RuleAct::Retitle { to, was } => format!("{name}: called “{to}” from now on, before “{was}”"),
        RuleAct::Renumber { to, was } => format!("{name}: number {to} from now on, before {was}"),
        RuleAct::Field { name: field, to: Some(to), .. } => format!("{name}: its {field} is {to}"),
        RuleAct::Field { name: field, to: None, .. } => format!("{name}: it has no {field} any more"),
        RuleAct::Repeal => format!("{name} is repealed"),
        RuleAct::Restore => format!("{name} is in force again"),
    }
}

/// What stands before the number of a rule.
fn numbered(numbering: &str) -> &str {
    if numbering.is_empty() { "rule " } else { numbering }
}

pub(crate) fn of_frame<G: Game>(state: &State<G>, fact: &FrameFact) -> String {
    let called = |seat: &Id| state.frame.name_of(seat).to_owned();
    let stands = |standing: &Standing| match standing {
        Standing::Player => "a player",
        Standing::Outsider => "an outsider",
    };
    match fact {
        FrameFact::Opened { name, .. } => format!("the room {name} is opened"),
        FrameFact::Closed => "the room is closed".to_owned(),
        FrameFact::Reopened => "the room is open again".to_owned(),
        FrameFact::Seated { name, standing, .. } => format!("{name} takes a seat, as {}", stands(standing)),
        FrameFact::Named { name, was, .. } => format!("{was} is called {name} from now on"),
        FrameFact::Forgotten { name, .. } => format!("somebody is forgotten, and is called {name} from now on"),
        FrameFact::Stands { seat, standing, was } => {
            format!("{} is {} from now on, before {}", called(seat), stands(standing), stands(was))
        }
        FrameFact::Handed { seat, .. } => format!("the seat of {} belongs to another account", called(seat)),
        FrameFact::Designated { forum, designation: Some(designation), .. } => {
            format!("{forum} is a {} channel", designation.word())
        }
        FrameFact::Designated { forum, designation: None, .. } => format!("{forum} is no channel of the room any more"),
        FrameFact::Mannered { forum, .. } => format!("the room announces otherwise in {forum}"),
        FrameFact::Clock { mode: ClockMode::Live, .. } => "the room's time passes as the world's".to_owned(),
        FrameFact::Clock { mode: ClockMode::Manual(at), .. } => format!("the clock is at {}, by hand", minute(*at)),
        FrameFact::Clock { mode: ClockMode::Paused(at), .. } => format!("the room is paused since {}", minute(*at)),
        FrameFact::TakenBack { entry, to: true } => format!("entry {entry} is taken back"),
        FrameFact::TakenBack { entry, to: false } => format!("entry {entry} is not taken back any more"),
        FrameFact::FirstDraw { .. } => "the first draw from this seed of the dice".to_owned(),
        FrameFact::Reseeded { epoch, revealed, .. } => {
            format!("the dice have a new seed, number {epoch}; the one before was {revealed}")
        }
        FrameFact::Attested { seq, hash, .. } => format!("the hash of entry {seq} is {hash}"),
        // What has the number tells it.
        FrameFact::Counted { .. } => String::new(),
        FrameFact::Unsettled { to: true } => "what follows by itself comes to no end, and stops".to_owned(),
        FrameFact::Unsettled { to: false } => "what follows by itself goes on".to_owned(),
        FrameFact::Aside { due, why } => {
            let what = G::mechanics().called(state, due);
            why.as_ref().map_or_else(
                || format!("{what} is not set aside any more"),
                |why| format!("{what} is set aside: {why}"),
            )
        }
        FrameFact::DueAgain => "what was set aside is tried again".to_owned(),
    }
}
