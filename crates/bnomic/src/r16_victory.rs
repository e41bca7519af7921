//! Victory (4E16): conditions with a trigger, victors, a cleanup and a prize; trophies and who holds how many.
//!
//! A condition is an object of the registry, made by a proposal: `create victory condition "Rich"`, then its four parts
//! as attributes. The trigger is an expression that is watched after every complete act. It happens when it comes to
//! hold, and not again while it goes on holding (B16.5). Victors are the Players for whom an expression holds. The
//! program has no condition of its own.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    effects::carried_out,
    game::{BNomic, D},
    law::{Thing, established},
    society::players,
    stats::{NAME, called},
};
use kernel::{
    Display, Id, Mechanic, Refusal, State, Value,
    directives::{Evaluator, Seen, Sight},
    display::{Cell, Document, cells},
    entry::Change,
    table::Row,
    world::{Attr, AttrDef, Op, Range},
};

/// The kind of a Victory Condition.
pub(super) const CONDITION: &str = "victory-condition";
/// The expression that must come to hold.
const TRIGGER: Attr<String> = Attr::new("trigger");
/// The expression that holds for those who win.
const VICTORS: Attr<String> = Attr::new("victors");
/// The directives that are done afterwards.
pub(super) const CLEANUP: Attr<String> = Attr::new("cleanup");
/// What the trophy looks like.
const PRIZE: Attr<String> = Attr::new("prize");
/// Whether somebody has won by it in this nweek.
const FULFILLED: Attr<bool> = Attr::new("fulfilled");

/// The kind of a trophy.
pub(super) const TROPHY: &str = "trophy";
/// What it looks like.
const DESCRIPTION: Attr<String> = Attr::new("description");
/// Who holds it.
pub(super) const HOLDER: Attr<Id> = Attr::new("holder");

/// The attributes of conditions and trophies.
pub(super) const PARTS: [&str; 7] =
    [TRIGGER.id, VICTORS.id, CLEANUP.id, PRIZE.id, FULFILLED.id, DESCRIPTION.id, HOLDER.id];
/// The attributes that only this rule changes.
const OWN: [&str; 3] = [FULFILLED.id, DESCRIPTION.id, HOLDER.id];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("victory")
        .by(Thing::Victory.word())
        .table::<Trigger>()
        .display(Display::new("victory", |state, _| Ok(show(state))).listed(13))
        .settle(settle)
}

// ---- state

/// The trigger of a condition, as it was when it was looked at last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Trigger {
    /// Whether it held.
    pub(super) holds: bool,
}

impl Row<BNomic> for Trigger {
    type Key = Id;
    const TABLE: &'static str = "triggers";

    fn told(condition: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let name = called(state, condition);
        match is {
            Some(Self { holds: true }) => format!("the trigger of {name} holds"),
            Some(Self { holds: false }) => format!("the trigger of {name} does not hold"),
            None => format!("nobody looks at the trigger of {name} any more"),
        }
    }
}

/// Defines the attributes of conditions and trophies.
pub(super) fn define(d: &mut D<'_>) {
    let text = || Value::Text(String::new());
    for (id, scope, range, default) in [
        (TRIGGER.id, CONDITION, Range::Text, text()),
        (VICTORS.id, CONDITION, Range::Text, text()),
        (CLEANUP.id, CONDITION, Range::Text, text()),
        (PRIZE.id, CONDITION, Range::Text, text()),
        (FULFILLED.id, CONDITION, Range::Bool, Value::Bool(false)),
        (DESCRIPTION.id, TROPHY, Range::Text, text()),
        (HOLDER.id, TROPHY, Range::Any, Value::Null),
    ] {
        d.op(Op::Define(AttrDef { id: id.into(), scope: scope.into(), range, default, by: Some("4E16".into()) }));
    }
}

/// How many trophies somebody holds (B16.1).
pub(super) fn win_count(state: &State<BNomic>, player: &Id) -> usize {
    state.world.of_kind(TROPHY).filter(|trophy| state.world.get(&HOLDER, trophy).as_ref() == Some(player)).count()
}

// ---- settle

/// Looks at the triggers: one that comes to hold fulfils its condition (B16.3, B16.4).
pub(super) fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Victory).is_err() {
        return false;
    }
    let conditions: Vec<Id> = d.world.of_kind(CONDITION).cloned().collect();
    if conditions.is_empty() {
        return false;
    }
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(d, d.at));
    for condition in conditions {
        let holds = is_complete(d, &condition) && holds(d, &sight, &condition) && fault(d, &condition).is_none();
        if holds == d.rows::<Trigger>().contains_key(&condition) {
            continue;
        }
        d.upsert(&condition, |trigger: &mut Trigger| trigger.holds = holds);
        if holds && !d.world.get(&FULFILLED, &condition).unwrap_or_default() {
            fulfil(d, &sight, &condition);
        }
        return true;
    }
    false
}

/// What each Victory Condition is called.
pub(super) fn names(state: &State<BNomic>) -> BTreeMap<Id, String> {
    state.world.of_kind(CONDITION).map(|condition| (condition.clone(), called(state, condition))).collect()
}

/// Which of some conditions were fulfilled by what was changed since.
pub(super) fn fulfilled_since(d: &D<'_>, since: usize, names: &BTreeMap<Id, String>) -> Vec<String> {
    let met = |change: &Change| match change {
        Change::World(Op::Set { at, to: Value::Bool(true), .. }) if *at.attr == *FULFILLED.id => {
            names.get(&at.obj).cloned()
        }
        _ => None,
    };
    d.changes()[since..].iter().filter_map(met).collect()
}

/// Whether there is a condition that a change could fulfil.
pub(super) fn awaits(state: &State<BNomic>) -> bool {
    established(&state.rules, Thing::Victory).is_ok()
        && state.world.of_kind(CONDITION).any(|condition| is_complete(state, condition))
}

/// Whether all four parts are there (B16.2).
fn is_complete(state: &State<BNomic>, condition: &Id) -> bool {
    [&TRIGGER, &VICTORS, &CLEANUP, &PRIZE]
        .iter()
        .all(|part| state.world.get(part, condition).is_some_and(|text| !text.trim().is_empty()))
}

/// Whether the trigger of a condition holds; one that has no value does not.
fn holds(state: &State<BNomic>, sight: &Arc<dyn Sight>, condition: &Id) -> bool {
    let text = state.world.get(&TRIGGER, condition).unwrap_or_default();
    matches!(Evaluator::default().value(&text, sight, None), Ok(Value::Bool(true)))
}

/// Whether somebody is among the victors of a condition: they are whom it names, or of whom what it says is true (B16.2).
fn wins(state: &State<BNomic>, sight: &Arc<dyn Sight>, condition: &Id, player: &Id) -> bool {
    let text = state.world.get(&VICTORS, condition).unwrap_or_default();
    match victors(sight, &text, player) {
        Ok(Value::Bool(wins)) => wins,
        Ok(Value::List(named)) => named.iter().any(|named| matches!(named, Value::Ref(named) if named == player)),
        Ok(Value::Ref(named)) => named == *player,
        _ => false,
    }
}

/// What the victors of a condition are, asked of a Player: whom it names, `Ann and Bob` among them, or whether it holds.
fn victors(sight: &Arc<dyn Sight>, text: &str, player: &Id) -> Result<Value, Refusal> {
    let asked = |words: &str| Evaluator::default().value(words, sight, Some(player));
    asked(text).or_else(|why| {
        let parts = text.split(',').flat_map(|part| part.trim().trim_start_matches("and ").split(" and "));
        let named: Option<Vec<Value>> =
            parts.map(|part| asked(part).ok().filter(|value| matches!(value, Value::Ref(_)))).collect();
        named.filter(|named| named.len() > 1).map(Value::List).ok_or(why)
    })
}

fn fulfil(d: &mut D<'_>, sight: &Arc<dyn Sight>, condition: &Id) {
    d.set(&FULFILLED, condition, true);
    let victors: Vec<Id> = players::players(d).filter(|player| wins(d, sight, condition, player)).cloned().collect();
    let prize = d.world.get(&PRIZE, condition).unwrap_or_default();
    for victor in &victors {
        let number = d.number(TROPHY);
        let trophy = Id::from(format!("{TROPHY}/{number}"));
        d.op(Op::Create { obj: trophy.clone(), kind: TROPHY.into() });
        d.set(&DESCRIPTION, &trophy, prize.clone());
        d.set(&HOLDER, &trophy, victor.clone());
    }
    let name = called(d, condition);
    let who: Vec<String> = victors.iter().map(|id| called(d, id)).collect();
    let won = match &who[..] {
        [] => "It is won by nobody, and nobody gets its trophy.".to_owned(),
        who => format!("It is won by {}. The trophy: {prize}", who.join(", ")),
    };
    let mut document = Document::titled("victory", format!("The Victory Condition “{name}” is fulfilled")).para(won);
    let cleanup = d.world.get(&CLEANUP, condition).unwrap_or_default();
    let why = format!("the cleanup of “{name}”");
    let cleanup = |d: &mut D<'_>| carried_out::carry_out_posted(d, condition, &cleanup, &why);
    match d.attempt(|d| d.in_act_of(None, cleanup)) {
        Ok(blocks) => document.blocks.extend(blocks),
        Err(why) => {
            document = document.para(format!("Its cleanup could not be done, and the trophies stay: {}.", why.say))
        }
    }
    d.say(kernel::entry::Audience::Public, document);
}

/// An nweek ends: no condition is fulfilled any more, last of all (B16.5).
pub(super) fn nweek_ends(d: &mut D<'_>) {
    let conditions: Vec<Id> = d.world.of_kind(CONDITION).cloned().collect();
    for condition in conditions {
        d.set(&FULFILLED, &condition, false);
    }
}

/// What of a condition's part cannot be read, in a sentence: then its trigger never happens (B16.2, B16.3).
pub(super) fn unreadable(state: &State<BNomic>, attr: &str, condition: &Id) -> Option<String> {
    let text = |part: &Attr<String>| state.world.get(part, condition).filter(|text| !text.trim().is_empty());
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(state, state.at));
    let judged = |text: &str| match Evaluator::default().value(text, &sight, None) {
        Ok(Value::Bool(_)) => Ok(()),
        Ok(other) => Err(format!("it is {other}, and it must be true or not")),
        Err(why) => Err(why.say),
    };
    let why = match attr {
        _ if *attr == *TRIGGER.id => judged(&text(&TRIGGER)?).err(),
        _ if *attr == *VICTORS.id => {
            let text = text(&VICTORS)?;
            let names = |value: &Value| matches!(value, Value::Ref(named) if players::is_player(state, named));
            let one = |player: &Id| match victors(&sight, &text, player) {
                Ok(Value::Bool(_) | Value::Null) => Ok(()),
                Ok(Value::List(named)) if named.iter().all(names) => Ok(()),
                Ok(value) if names(&value) => Ok(()),
                Ok(other) => Err(format!("it is {other}, and it must name Players or be true or not of each")),
                Err(why) => Err(why.say),
            };
            // What can be said of some Players only is read well enough.
            let mut tried = players::players(state).map(one);
            let first = tried.next()?;
            if tried.any(|judged| judged.is_ok()) { None } else { first.err() }
        }
        _ if *attr == *CLEANUP.id => carried_out::malformed(&text(&CLEANUP)?),
        _ => None,
    }?;
    Some(format!("the {attr} cannot be read, so that the condition is never fulfilled: {why}"))
}

/// The first part of a condition that cannot be read, as a sentence.
fn fault(state: &State<BNomic>, condition: &Id) -> Option<String> {
    [TRIGGER.id, VICTORS.id, CLEANUP.id].into_iter().find_map(|attr| unreadable(state, attr, condition))
}

/// Refuses directives that hand out trophies or fulfil a condition (B16.1).
///
/// # Errors
///
/// A [`Refusal`] that says what to do instead.
pub(super) fn own_only(attr: &str) -> Result<(), Refusal> {
    if !OWN.contains(&attr) {
        return Ok(());
    }
    Err(Refusal::new("trophies come only by a Victory Condition: make one").by("4E16, Victory").instead("show victory"))
}

// ---- display

/// Victory Conditions and trophies, as the Rulekeeper shows them.
fn show(state: &State<BNomic>) -> Document {
    let mut document = Document::titled("victory", "Victory Conditions and trophies of B Nomic");
    let conditions: Vec<&Id> = state.world.of_kind(CONDITION).collect();
    if conditions.is_empty() {
        document = document.para("There is no Victory Condition. A proposal makes one: => create victory condition \"Rich\", then sets its trigger, victors, cleanup and prize.");
    }
    for condition in conditions {
        let part = |attr: &Attr<String>| {
            let text = state.world.get(attr, condition).unwrap_or_default();
            Cell::new(text.lines().collect::<Vec<_>>().join(" / ")).from_path(attr.of(condition))
        };
        let fulfilled = state.world.get(&FULFILLED, condition).unwrap_or_default();
        let state_of = match (is_complete(state, condition), fulfilled, fault(state, condition)) {
            (_, _, Some(fault)) => fault,
            (false, _, None) => "lacks a part".to_owned(),
            (true, true, None) => "fulfilled in this nweek".to_owned(),
            (true, false, None) => "open".to_owned(),
        };
        let row = |name: &str, cell: Cell| cells![name, cell];
        let rows = vec![
            row("name", Cell::new(called(state, condition)).from_path(NAME.of(condition))),
            row("", Cell::new(state_of)),
            row("trigger", part(&TRIGGER)),
            row("victors", part(&VICTORS)),
            row("cleanup", part(&CLEANUP)),
            row("prize", part(&PRIZE)),
        ];
        document = document.table(["", ""], rows);
    }
    let trophy = |id: &Id| {
        let holder = state.world.get(&HOLDER, id).map(|id| called(state, &id)).unwrap_or_default();
        cells![holder, state.world.get(&DESCRIPTION, id).unwrap_or_default()]
    };
    let rows = state.world.of_kind(TROPHY).map(trophy);
    document.table_or("Nobody holds a trophy.", ["held by", "trophy"], rows)
}
