//! The columns of the GNDT as attributes of the world, so that proposals, updates, `/why` and undo reach them by name.
//!
//! Power never lies below zero, a battery being no debt (N45, N65). Each mechanic says who may change them; the log of
//! changes stands in `gndt`.

use super::game::{BlogNomic, D};
use kernel::{
    Id, Num, Path, Refusal, State, Value,
    directives::Amending as _,
    speech::Speech as _,
    world::{Attr, AttrDef, Op, Range},
};

/// The kind of a Robot's object.
pub(super) const ROBOT: &str = "robot";

/// Charge of the battery (rule 9).
pub(super) const POWER: Attr<Num> = Attr::new("power");
/// Imperial efficiency (rule 15).
pub(super) const EFFICIENCY: Attr<Num> = Attr::new("efficiency");
/// Things in the casing, as text (rule 12).
pub(super) const INVENTORY: Attr<String> = Attr::new("inventory");
/// Parts that were lost or broken, by name (rule 10).
pub(super) const MISSING: Attr<Vec<Value>> = Attr::new("missing");
/// Whether the Robot is Admin Staff (rule 2).
pub(super) const ADMIN: Attr<bool> = Attr::new("admin");
/// What the name in the roster links to (rules 2 and 17).
pub(super) const LINK: Attr<String> = Attr::new("link");
/// The IANA name of the zone of the Robot's weblog (rule 17).
pub(super) const ZONE: Attr<String> = Attr::new("zone");

/// The columns that a room begins with, in the table's order.
const STATS: [&str; 4] = [POWER.id, EFFICIENCY.id, INVENTORY.id, MISSING.id];
/// What the roster knows of a Robot: no figures of the table (N108).
const ROSTER: [&str; 3] = [ADMIN.id, LINK.id, ZONE.id];

/// The greatest figure of a column, and minus it the least. It is a tenth of what the Master Control Program can reckon
/// with. So no line of it stops at a figure of the table to which it adds.
pub(super) const FIGURE_MAX_COUNT: i64 = super::figures::AMOUNT_MAX_COUNT / 10;

/// Whether the table can hold a figure.
pub(super) fn countable(value: &Num) -> bool {
    *value <= Num::from(FIGURE_MAX_COUNT) && *value >= Num::from(-FIGURE_MAX_COUNT)
}

/// Most characters of a text that a Robot or the weblog has: a line of the table.
pub(super) const TEXT_MAX_CHARS: usize = 400;

/// Defines the attributes, with the rules that they belong to.
pub(super) fn define(d: &mut D<'_>) {
    let whole = |min: Option<i64>, max: Option<i64>| Range::Num {
        min: min.map(Num::from),
        max: max.map(Num::from),
        whole: true,
    };
    let list = Range::List { of: Box::new(Range::Text), min_len: 0, max_len: 32 };
    for (id, scope, range, default, by) in [
        (POWER.id, ROBOT, whole(Some(0), Some(FIGURE_MAX_COUNT)), Value::Num(Num::default()), "power"),
        (EFFICIENCY.id, ROBOT, whole(None, None), Value::Num(Num::default()), "dynasties"),
        (INVENTORY.id, ROBOT, Range::Text, Value::Text(String::new()), "inventory"),
        (MISSING.id, ROBOT, list, Value::List(Vec::new()), "parts"),
        (ADMIN.id, ROBOT, Range::Bool, Value::Bool(false), "robots"),
        (LINK.id, ROBOT, Range::Text, Value::Text(String::new()), "robots"),
        (ZONE.id, ROBOT, Range::Text, Value::Text(String::new()), "glossary"),
    ] {
        d.op(Op::Define(AttrDef { id: id.into(), scope: scope.into(), range, default, by: Some(by.into()) }));
    }
}

/// The columns that Proposals and Calls have defined for Robots, by name (N57).
pub(super) fn more(state: &State<BlogNomic>) -> Vec<Id> {
    let defined = state.world.defs().filter(|def| *def.scope == *ROBOT && !builtin(&def.id));
    defined.map(|def| def.id.clone()).collect()
}

/// All columns of the table: what is logged, and reset when a Dynasty begins (N58, N108).
pub(super) fn columns(state: &State<BlogNomic>) -> Vec<Id> {
    STATS.into_iter().map(Id::from).chain(more(state)).collect()
}

/// Whether the game itself plays by an attribute of Robots.
pub(super) fn builtin(attr: &str) -> bool {
    STATS.contains(&attr) || ROSTER.contains(&attr)
}

/// A figure as a sentence has it.
pub(super) fn worded(state: &State<BlogNomic>, value: &Value) -> String {
    match value {
        Value::Ref(obj) => BlogNomic::called(state, obj),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Text(text) if text.is_empty() => "nothing".to_owned(),
        Value::List(held) if held.is_empty() => "nothing".to_owned(),
        Value::List(held) => held.iter().map(|value| worded(state, value)).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

/// A part of a Robot that some words name, by the rule that knows parts; as it is written where none does.
///
/// # Errors
///
/// That it is none.
pub(super) fn part(d: &mut D<'_>, words: &str) -> Result<Value, Refusal> {
    let words = Value::Text(words.trim().to_owned());
    laws::asked(d, "part", &words).unwrap_or(Ok(words))
}

/// The parts that a list names, each once; `nothing` alone names none.
///
/// # Errors
///
/// As [`part`].
pub(super) fn lost(d: &mut D<'_>, named: &[Value]) -> Result<Vec<Value>, Refusal> {
    let mut lost = Vec::new();
    for name in named.iter().map(ToString::to_string) {
        if named.len() == 1 && name.trim().eq_ignore_ascii_case("nothing") {
            continue;
        }
        let part = part(d, &name)?;
        if !lost.contains(&part) {
            lost.push(part);
        }
    }
    Ok(lost)
}

/// Gives a new Robot the Power with which one starts, where a rule says so (N60).
pub(super) fn begins(d: &mut D<'_>, robot: &Id) {
    if let Some(Ok(Value::Num(power))) = laws::asked(d, "starting power", &Value::Ref(robot.clone())) {
        d.set(&POWER, robot, power);
    }
}

/// What a figure of a Robot lies between, by the rule that says so: the condition `range of` it gives both ends.
pub(super) fn ends(state: &State<BlogNomic>, robot: &Id, attr: &str) -> Option<(Num, Num)> {
    match laws::said(state, &format!("range of {attr}"), &Value::Ref(robot.clone()))? {
        Value::List(ends) => match &ends[..] {
            [Value::Num(least), Value::Num(most)] => Some((least.clone(), most.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Refuses a figure that is not between its ends.
///
/// # Errors
///
/// Which figures there are.
pub(super) fn within(state: &State<BlogNomic>, at: &Path, value: &Num) -> Result<(), Refusal> {
    let Some((least, most)) = ends(state, &at.obj, &at.attr).filter(|(least, most)| value < least || value > most)
    else {
        return Ok(());
    };
    let whose = format!("the {} of {}", at.attr, state.frame.name_of(&at.obj));
    let why = Refusal::new(if least == most {
        format!("{whose} is always {least}")
    } else {
        let nothing = if least > most { ", and nothing does" } else { "" };
        format!("{whose} lies between {least} and {most}{nothing}")
    });
    let rule = state.world.def_at(at).and_then(|def| state.rules.in_force(def.by.as_ref()?));
    let why = why.instead("robots");
    Err(match rule {
        Some(rule) => why.by(BlogNomic::cited(rule)),
        None => why,
    })
}

/// A Robot's Power.
pub(super) fn power(state: &State<BlogNomic>, robot: &Id) -> Num {
    state.world.get(&POWER, robot).unwrap_or_default()
}

/// The path of a column of a Robot, for cells.
pub(super) fn path(robot: &Id, attr: &str) -> Path {
    Path::new(robot.clone(), attr)
}
