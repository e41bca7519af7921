//! The registry of B Nomic (4E2, 4E11): objects and their attributes in the world, so that proposals, displays, `/why`
//! and undo reach them by name.
//!
//! State that no rule names stays in the tables of its mechanic.

use super::{
    game::{BNomic, D},
    law,
    ministries::posts,
    proposals::status,
};
use kernel::{
    Id, Num, State, Value,
    directives::sight,
    rulebook::Rule,
    world::{Attr, AttrDef, EVERYTHING, Op, Range},
};

/// The kind of the Clock, and its one object (4E14).
pub(super) const CLOCK: &str = "clock";
/// The Clock.
pub(super) const THE_CLOCK: &str = "clock/main";
/// The nweek.
pub(super) const NWEEK: Attr<i64> = Attr::new("nweek");
/// The nday.
pub(super) const NDAY: Attr<i64> = Attr::new("nday");
/// Whether the Clock is On.
pub(super) const RUNNING: Attr<bool> = Attr::new("on");
/// Midnights since it went Off.
pub(super) const NDELAY: Attr<i64> = Attr::new("ndelay");

/// The kind of a Player's object (4E4).
pub(super) const PLAYER: &str = "player";
/// The kind of the object of somebody who has a seat and is no Player (4E3).
pub(super) const OUTSIDER: &str = "outsider";
/// The Operantly Conditioned Beast, a Player whatever else is said (4E4).
pub(super) const BEAST: &str = "player/beast";
/// What it is called (4E71).
pub(super) const BEAST_NAMES: [&str; 6] =
    ["The Operantly Conditioned Beast", "Operantly Conditioned Beast", "The Beast", "Beast", "The OCB", "OCB"];
/// The score of any object (4E17).
pub(super) const SCORE: Attr<Num> = Attr::new("score");
/// Mackerel (4E34).
pub(super) const MACKEREL: Attr<Num> = Attr::new("mackerel");
/// Whether a Player is Active (4E28).
pub(super) const ACTIVE: Attr<bool> = Attr::new("active");
/// Whether a Player is Vested (4E28).
pub(super) const VESTED: Attr<bool> = Attr::new("vested");
/// What an object without a seat is called.
pub(super) const NAME: Attr<String> = Attr::new("name");

/// The kind of a ministry (4E45).
pub(super) const MINISTRY: &str = "ministry";
/// Who holds it; nothing while it is Vacant.
pub(super) const MINISTER: Attr<Id> = Attr::new("minister");
/// Its Retainer (4E48).
pub(super) const RETAINER: Attr<Num> = Attr::new("retainer");

/// The kind of a proposal (4E15).
pub(super) const PROPOSAL: &str = "proposal";
/// Its title.
pub(super) const TITLE: Attr<String> = Attr::new("title");
/// Its body.
pub(super) const BODY: Attr<String> = Attr::new("body");
/// Pending, Open or Historical.
pub(super) const STATUS: Attr<String> = Attr::new("status");
/// Won, Discarded, Lost or Undecided.
pub(super) const SUCCESS: Attr<String> = Attr::new("success");
/// Its number.
pub(super) const NUMBER: Attr<i64> = Attr::new("number");
/// The proposals that it lists as conflicts.
pub(super) const CONFLICTS: Attr<Vec<Value>> = Attr::new("conflicts");
/// The proposals that it depends on.
pub(super) const DEPENDENCIES: Attr<Vec<Value>> = Attr::new("dependencies");
/// Whose it is.
pub(super) const AUTHOR: Attr<Id> = Attr::new("author");

/// The attributes that the game's own code plays by: no directive undefines them.
pub(super) const DECLARED: [&str; 21] = [
    NWEEK.id,
    NDAY.id,
    RUNNING.id,
    NDELAY.id,
    SCORE.id,
    MACKEREL.id,
    ACTIVE.id,
    VESTED.id,
    NAME.id,
    MINISTER.id,
    RETAINER.id,
    TITLE.id,
    BODY.id,
    STATUS.id,
    SUCCESS.id,
    NUMBER.id,
    CONFLICTS.id,
    DEPENDENCIES.id,
    AUTHOR.id,
    POWER,
    "standing",
];

/// The greatest nweek and nday that somebody can set: hundreds of millennia, and far from what a number holds.
const HANDS_MAX_COUNT: i64 = 1_000_000_000;

/// Defines the attributes, and makes the Clock.
pub(super) fn define(d: &mut D<'_>) {
    for def in definitions() {
        d.op(Op::Define(def));
    }
    d.op(Op::Create { obj: THE_CLOCK.into(), kind: CLOCK.into() });
}

/// The attributes that the game's own code plays by, with the rules that they belong to.
pub(super) fn definitions() -> Vec<AttrDef> {
    let whole = |min: Option<i64>| Range::Num { min: min.map(Num::from), max: None, whole: true };
    let hands = || Range::Num { min: Some(1.into()), max: Some(HANDS_MAX_COUNT.into()), whole: true };
    let text = |text: &str| Value::Text(text.to_owned());
    let one_of = |words: &[&str]| Range::OneOf(words.iter().map(|word| (*word).to_owned()).collect());
    let set = || Range::List { of: Box::new(Range::Ref(PROPOSAL.into())), min_len: 0, max_len: 999 };
    let share = Range::Num { min: Some(0.into()), max: Some(1.into()), whole: false };
    let zero = || Value::Num(Num::default());
    [
        (NWEEK.id, CLOCK, hands(), Value::Num(1.into()), "4E14"),
        (NDAY.id, CLOCK, hands(), Value::Num(1.into()), "4E14"),
        (RUNNING.id, CLOCK, Range::Bool, Value::Bool(false), "4E14"),
        (NDELAY.id, CLOCK, whole(Some(0)), zero(), "4E14"),
        (SCORE.id, EVERYTHING, whole(Some(0)), zero(), "4E17"),
        (MACKEREL.id, PLAYER, whole(Some(0)), zero(), "4E34"),
        (ACTIVE.id, PLAYER, Range::Bool, Value::Bool(false), "4E28"),
        (VESTED.id, PLAYER, Range::Bool, Value::Bool(false), "4E28"),
        (NAME.id, PLAYER, Range::Text, text(""), "4E4"),
        (MINISTER.id, MINISTRY, Range::Any, Value::Null, "4E45"),
        (RETAINER.id, MINISTRY, whole(None), zero(), "4E48"),
        (TITLE.id, PROPOSAL, Range::Text, text(""), "4E15"),
        (BODY.id, PROPOSAL, Range::Text, text(""), "4E15"),
        (STATUS.id, PROPOSAL, one_of(&["Pending", "Open", "Historical"]), text("Pending"), "4E15"),
        (SUCCESS.id, PROPOSAL, one_of(&["Won", "Discarded", "Lost", "Undecided"]), text("Undecided"), "4E15"),
        (NUMBER.id, PROPOSAL, whole(None), Value::Null, "4E15"),
        (CONFLICTS.id, PROPOSAL, set(), Value::List(Vec::new()), "4E15"),
        (DEPENDENCIES.id, PROPOSAL, set(), Value::List(Vec::new()), "4E15"),
        (AUTHOR.id, PROPOSAL, Range::Any, Value::Null, "4E15"),
        (POWER, RULE, share, zero(), "4E75"),
    ]
    .into_iter()
    .map(|(id, scope, range, default, by)| AttrDef {
        id: id.into(),
        scope: scope.into(),
        range,
        default,
        by: Some(by.into()),
    })
    .collect()
}

/// Makes an object one of another kind: it loses the attributes of the old one and has those of the new at their
/// defaults (4E11).
pub(super) fn recast(d: &mut D<'_>, obj: &Id, kind: &str) {
    if let Some(was) = d.world.kind(obj).cloned() {
        let values = d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
        d.op(Op::Destroy { obj: obj.clone(), kind: was, was: values });
    }
    d.op(Op::Create { obj: obj.clone(), kind: kind.into() });
}

/// What somebody or something is called.
pub(super) fn called(state: &State<BNomic>, obj: &Id) -> String {
    if let Some(rule) = of(state, obj) {
        return law::called(rule);
    }
    match state.world.get(&NAME, obj) {
        Some(name) if !name.is_empty() => name,
        _ if obj.starts_with(MINISTRY) => {
            posts::name(state, obj).unwrap_or_else(|| state.frame.name_of(obj).to_owned())
        }
        _ if state.world.kind(obj).is_some_and(|kind| **kind == *PROPOSAL) => status::label(state, obj),
        _ if **obj == *THE_CLOCK => "the Clock".to_owned(),
        _ => state.frame.name_of(obj).to_owned(),
    }
}

/// Gives points, or takes them, down to zero at most (B17.1); gives what was moved.
pub(super) fn score(d: &mut D<'_>, of: &Id, by: &Num) -> Num {
    let held = d.world.get(&SCORE, of).unwrap_or_default();
    let floor = -&held;
    let moved = if *by < floor { floor } else { by.clone() };
    d.add(&SCORE, of, moved.clone());
    moved
}

/// A value of an attribute as displays show it: objects by their names.
pub(super) fn shown(state: &State<BNomic>, attr: &str, value: &Value) -> String {
    match value {
        Value::Ref(obj) => called(state, obj),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(state, attr, item)).collect();
            format!("{{{}}}", items.join(", "))
        }
        // It may name somebody who was forgotten since.
        Value::Text(_) => state.frame.redaction_of_kept().text(&expressed(attr, value)),
        other => expressed(attr, other),
    }
}

/// A value of an attribute without names of objects: the rule on mackerel has theirs begin with a small m (B34.1).
pub(super) fn expressed(attr: &str, value: &Value) -> String {
    match value {
        Value::Num(held) if attr == MACKEREL.id => format!("m{held}"),
        Value::Bool(holds) => if *holds { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    }
}

/// The kind of a rule's object.
pub(crate) const RULE: &str = sight::RULE;

/// The attribute that 4E75 gives every rule.
pub(crate) const POWER: &str = "power";

// ---- the mechanic

/// The object of a rule.
pub(crate) fn object(rule: &Rule) -> Id {
    sight::rule_object(rule.id())
}

/// The rule whose object something is.
pub(crate) fn of<'a>(state: &'a State<BNomic>, obj: &str) -> Option<&'a Rule> {
    state.rules.get(sight::rule_of(obj)?)
}
