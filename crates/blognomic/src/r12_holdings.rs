//! Holdings of Robots (rule 12): the text of the Inventory, and the cost of each thing in it.
//!
//! The text stands in the world, where rules, updates and proposals find it; costs are machinery beside it (N124).
//! Where the text is typed anew, things that stay keep their cost and new ones are worth nothing. The field itself
//! stands in `inventory`.

use serde::{Deserialize, Serialize};

use super::{
    game::{BlogNomic, D},
    inventory::{Inventory, Lot, Stack, kind_key},
    law::{Thing, established},
    mcp,
    stats::{INVENTORY, ROBOT},
};
use kernel::{Id, Mechanic, Num, Refusal, State, table::Row};

// ---- state

/// What the things in a Robot's Inventory have cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Holding {
    /// The things.
    #[serde(default, skip_serializing_if = "Inventory::is_empty")]
    pub(super) things: Inventory,
}

impl Row<BlogNomic> for Holding {
    type Key = Id;
    const TABLE: &'static str = "holdings";
}

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("holdings").table::<Holding>()
}

/// What a Robot holds, as the text reads now.
pub(super) fn of(state: &State<BlogNomic>, robot: &Id) -> Inventory {
    let text = state.world.get(&INVENTORY, robot).unwrap_or_default();
    let held = state.row::<Holding>(robot).map(|held| held.things.clone()).unwrap_or_default();
    if held.to_string() == text { held } else { held.retyped(&text).unwrap_or_default() }
}

/// What the things in an Inventory are worth: each the value at which it was made (N124).
pub(super) fn worth(state: &State<BlogNomic>, robot: &Id) -> Num {
    let worth = num_bigint::BigInt::from(of(state, robot).worth());
    Num::from(num_rational::BigRational::from_integer(worth))
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

/// Puts an Inventory in place: its text and what its things have cost.
pub(super) fn put(d: &mut D<'_>, robot: &Id, to: Inventory) {
    d.set(&INVENTORY, robot, to.to_string());
    d.upsert(robot, |held: &mut Holding| held.things = to);
}

/// Types an Inventory anew (N82).
///
/// # Errors
///
/// A [`Refusal`] where the text does not parse.
pub(super) fn retype(d: &mut D<'_>, robot: &Id, text: &str) -> Result<(), Refusal> {
    established(&d.rules, Thing::Inventory)?;
    let to = of(d, robot).retyped(text).map_err(|why| no(d, &why.to_string()))?;
    put(d, robot, to);
    Ok(())
}

/// Gives a Robot things, or takes them where the count is negative; what is given has no known cost.
///
/// # Errors
///
/// A [`Refusal`] where it has not so many.
pub(super) fn hand(d: &mut D<'_>, robot: &Id, item: &str, count: i64) -> Result<(), Refusal> {
    established(&d.rules, Thing::Inventory)?;
    let mut to = of(d, robot);
    let many = count.unsigned_abs();
    let done = if count >= 0 { to.add(item, Lot { count: many, value: 0 }) } else { to.take(item, many).map(drop) };
    done.map_err(|why| no(d, &why.to_string()))?;
    put(d, robot, to);
    Ok(())
}

/// Passes things from one Robot to another; each keeps what it has cost (N124).
///
/// # Errors
///
/// A [`Refusal`] where the one has not so many, or the other cannot hold them.
pub(super) fn pass(d: &mut D<'_>, from: &Id, to: &Id, item: &str, count: u64) -> Result<(), Refusal> {
    established(&d.rules, Thing::Inventory)?;
    let (mut less, mut more) = (of(d, from), of(d, to));
    // Called as its owner calls it.
    let kind = less.stacks().iter().map(Stack::kind).find(|kind| kind_key(kind) == kind_key(item)).map(str::to_owned);
    for lot in less.take(item, count).map_err(|why| no(d, &why.to_string()))? {
        more.add(kind.as_deref().unwrap_or(item), lot).map_err(|why| no(d, &why.to_string()))?;
    }
    put(d, from, less);
    put(d, to, more);
    Ok(())
}

/// Takes the difference between two Inventories back, whatever else came or went since (N59).
///
/// # Errors
///
/// A [`Refusal`] where what came is there no more.
pub(super) fn take_back(d: &mut D<'_>, robot: &Id, was: &Inventory, to: &Inventory) -> Result<(), Refusal> {
    let mut now = of(d, robot);
    let kinds = |of: &Inventory| of.stacks().iter().map(|stack| stack.kind().to_owned()).collect::<Vec<_>>();
    for kind in kinds(to) {
        now.take_back(&kind, &more(to, was, &kind)).map_err(|why| no(d, &why.to_string()))?;
    }
    for kind in kinds(was) {
        now.put_back(&kind, &more(was, to, &kind)).map_err(|why| no(d, &why.to_string()))?;
    }
    put(d, robot, now);
    Ok(())
}

/// The things of a kind that one Inventory has more than another, by what they cost.
fn more(of: &Inventory, than: &Inventory, kind: &str) -> Vec<Lot> {
    let lots = |held: &Inventory| {
        let stacks = held.stacks().iter().filter(|stack| stack.kind() == kind);
        stacks.flat_map(|stack| stack.lots().to_vec()).collect::<Vec<Lot>>()
    };
    let theirs = lots(than);
    let count = |value: i64| theirs.iter().filter(|lot| lot.value == value).map(|lot| lot.count).sum::<u64>();
    let extra = lots(of).into_iter().map(|lot| Lot { count: lot.count.saturating_sub(count(lot.value)), ..lot });
    extra.filter(|lot| lot.count > 0).collect()
}

fn no(d: &D<'_>, why: &str) -> Refusal {
    Refusal::new(why.trim_end_matches('.').to_owned()).by(Thing::Inventory.rule(&d.rules)).instead("robots")
}

/// Forgets what anything of a Robot has cost (N108).
pub(super) fn wipe(d: &mut D<'_>, robot: &Id) {
    d.set(&INVENTORY, robot, String::new());
    d.delete::<Holding>(robot);
}
