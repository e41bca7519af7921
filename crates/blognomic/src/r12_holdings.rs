//! What Robots hold, as the law of rule 12 keeps it: things of a sort that cost the same and came together (`lot`).
//!
//! The text of an Inventory stands in the world as a figure of the table. That law changes both, also where a directive,
//! an update or the Master Control Program gives or takes things.

use super::{
    game::{BlogNomic, D},
    inventory::{Inventory, InventoryError, Lot, kind_key, kind_name},
    law::Thing,
    mcp::{self, Effect},
    stats::{self, INVENTORY, ROBOT},
};
use kernel::{Id, Refusal, State, Value, directives::Amending, world::Attr};

/// The kind of things that Robots hold.
const LOT: &str = "lot";
/// Whose they are.
const OWNER: Attr<Id> = Attr::new("owner");
/// Of which sort.
const SORT: Attr<String> = Attr::new("sort");
/// How many.
const COUNT: Attr<i64> = Attr::new("count");
/// What each cost when it was made (N124).
const WORTH: Attr<i64> = Attr::new("worth");

/// What a Robot holds, as the text reads now.
pub(super) fn of(state: &State<BlogNomic>, robot: &Id) -> Inventory {
    let mut held = Inventory::default();
    for lot in state.world.of_kind(LOT).filter(|lot| state.world.get(&OWNER, lot).as_ref() == Some(robot)) {
        let number = |attr: &Attr<i64>| state.world.get(attr, lot).unwrap_or_default();
        let things = Lot { count: number(&COUNT).unsigned_abs(), value: number(&WORTH) };
        // What the program cannot hold, it does not see.
        drop(held.add(&state.world.get(&SORT, lot).unwrap_or_default(), things));
    }
    held.retyped(&state.world.get(&INVENTORY, robot).unwrap_or_default()).unwrap_or_default()
}

/// Whether words name a kind of thing: one that somebody holds, or that the Master Control Program makes.
pub(super) fn is_thing(state: &State<BlogNomic>, words: &str) -> bool {
    let key = kind_key(words);
    let rule = state.rules.establishes(Thing::Mcp.word()).and_then(|id| state.rules.get(id));
    let program = rule.and_then(|rule| {
        let text = rule.text().visible();
        mcp::parse(&text[mcp::locate(text)?]).ok()
    });
    let made = program.is_some_and(|program| mcp::kinds(&program).iter().any(|kind| kind_key(kind) == key));
    let held = |robot: &Id| of(state, robot).stacks().iter().any(|stack| kind_key(stack.kind()) == key);
    made || state.world.of_kind(ROBOT).any(held)
}

// ---- decide

/// Has the law do something with what a Robot holds.
fn done(d: &mut D<'_>, deed: &str, robot: &Id, given: &[(&str, Value)]) -> Result<Value, Refusal> {
    let given = [&[("robot", Value::Ref(robot.clone()))], given].concat();
    let none = || Refusal::new("no rule in force has anything on inventory").instead("rules");
    laws::done(d, deed, &given).unwrap_or_else(|| Err(none()))
}

/// Types an Inventory anew (N82).
///
/// # Errors
///
/// A [`Refusal`] where the text does not parse.
pub(super) fn retype(d: &mut D<'_>, robot: &Id, text: &str) -> Result<(), Refusal> {
    let text = Value::Text(Inventory::parse(text).map_err(|why| no(d, &why))?.to_string());
    done(d, "type things", robot, &[("text", text.clone())])?;
    d.overwrite(stats::path(robot, INVENTORY.id), text);
    Ok(())
}

fn no(d: &D<'_>, why: &InventoryError) -> Refusal {
    let why = Refusal::new(why.to_string().trim_end_matches('.').to_owned()).instead("robots");
    match d.rules.in_force("inventory") {
        Some(rule) => why.by(BlogNomic::cited(rule)),
        None => why,
    }
}

/// Writes down anew what a Robot holds.
///
/// # Errors
///
/// A [`Refusal`] where no rule has Inventories.
pub(super) fn list(d: &mut D<'_>, robot: &Id) -> Result<(), Refusal> {
    done(d, "list things", robot, &[]).map(drop)
}

/// Gives a Robot things, or takes them where the count is negative; what is given has no known cost.
///
/// # Errors
///
/// A [`Refusal`] where it has not so many.
pub(super) fn hand(d: &mut D<'_>, robot: &Id, item: &str, count: i64) -> Result<(), Refusal> {
    let deed = if count < 0 { "take things" } else { "put things" };
    moved(d, deed, robot, item, count.unsigned_abs(), &[])
}

/// Passes things from one Robot to another; each keeps what it has cost (N124).
///
/// # Errors
///
/// A [`Refusal`] where the one has not so many, or the other cannot hold them.
pub(super) fn pass(d: &mut D<'_>, from: &Id, to: &Id, item: &str, count: u64) -> Result<(), Refusal> {
    moved(d, "take things", from, item, count, &[("to", Value::Ref(to.clone()))])
}

/// Does what a run of the Master Control Program did to the things of a Robot.
///
/// # Errors
///
/// A [`Refusal`] where no rule has Inventories, or the law does not let it happen.
pub(super) fn happen(d: &mut D<'_>, effect: &Effect, robot: &Id) -> Result<(), Refusal> {
    match effect {
        Effect::Stat { .. } => Ok(()),
        Effect::Came { kind, lots, .. } => lots.iter().try_for_each(|lot| {
            moved(d, "put things", robot, kind, lot.count, &[("worth", Value::Num(lot.value.into()))])
        }),
        Effect::Went { kind, lots, .. } => {
            moved(d, "take things", robot, kind, lots.iter().map(|lot| lot.count).sum(), &[])
        }
    }
}

fn moved(d: &mut D<'_>, deed: &str, robot: &Id, sort: &str, count: u64, more: &[(&str, Value)]) -> Result<(), Refusal> {
    let number = i64::try_from(count).unwrap_or(i64::MAX);
    let given =
        [("sort", Value::Text(kind_name(sort).map_err(|why| no(d, &why))?)), ("count", Value::Num(number.into()))];
    if count == 0 { Ok(()) } else { done(d, deed, robot, &[&given, more].concat()).map(drop) }
}
