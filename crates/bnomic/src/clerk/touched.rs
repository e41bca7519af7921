//! Which displays a change is on: these are owed anew where Ministers publish them (4E50, BX9).
//!
//! Only displays that a Ministry publishes as a whole count. Time that goes by touches none, since every display tells
//! its moment.

use std::borrow::Cow;

use crate::{
    emergency::crisis,
    game::BNomic,
    keeping,
    law::Thing,
    stats::{self, MINISTER},
    victory,
};
use kernel::{
    State,
    entry::Change,
    frame::FrameFact,
    rulebook::{RuleAct, RuleOp},
    world::{EVERYTHING, Op},
};

/// The displays that something changes the data of.
pub(super) fn touched(state: &State<BNomic>, change: &Change) -> Vec<Cow<'static, str>> {
    let fixed: &[&'static str] = match change {
        Change::World(op) => match op {
            Op::Create { obj, .. } | Op::Destroy { obj, .. } | Op::Restore { obj, .. } => return of(state, obj),
            Op::Set { at, .. } if *at.attr == *MINISTER.id => &["ministries", "society"],
            // All that is ahead has other instants then.
            Op::Set { at, .. } if *at.attr == *stats::RUNNING.id => &["clock", "schedule"],
            Op::Add { at, .. } | Op::Set { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. } => {
                return of(state, &at.obj);
            }
            Op::Define(def) | Op::DefineBeside(def) | Op::Undefine(def) => {
                let all = *def.scope == *EVERYTHING;
                let shown =
                    def.kinds().flat_map(|kind| of(state, kind)).filter(|display| !all && *display != "registry");
                return std::iter::once(Cow::Borrowed("attributes")).chain(shown).collect();
            }
        },
        Change::Rule(op) => return by_rule(state, op).into_iter().map(Cow::Borrowed).collect(),
        Change::Frame(FrameFact::Designated { .. }) => &["forums"],
        Change::Row(change) => match &*change.table {
            "paranoid" | "crisis" | "refresh_proposals" | "emergency_votes" | "declared_peps" => &["emergency"],
            "intents" => &["intents"],
            "schedule" => &["schedule"],
            "tweaks" => &["tweaks"],
            _ => &[],
        },
        Change::Frame(_) | Change::Fact(_) | Change::By(_) => &[],
    };
    fixed.iter().map(|display| Cow::Borrowed(*display)).collect()
}

/// The displays of an object, or of a kind of objects.
fn of(state: &State<BNomic>, obj: &str) -> Vec<Cow<'static, str>> {
    let kept: Vec<_> = keeping::showing(state, obj).map(Cow::Owned).collect();
    let own = match obj.split('/').next().unwrap_or_default() {
        stats::PLAYER => "society",
        stats::OUTSIDER => "requests",
        stats::MINISTRY => "ministries",
        stats::PROPOSAL => "proposals",
        stats::CLOCK => "clock",
        victory::CONDITION | victory::TROPHY => "victory",
        crisis::FLAGPOLE => "emergency",
        stats::RULE => "rules",
        _ if !kept.is_empty() => return kept,
        _ => "registry",
    };
    std::iter::once(Cow::Borrowed(own)).chain(kept).collect()
}

/// The displays of the rules, of their Powers, and of the numbers that one of them names.
fn by_rule(state: &State<BNomic>, op: &RuleOp) -> Vec<&'static str> {
    let of = |thing: Thing| state.rules.establishes(thing.word()).is_some_and(|rule| *rule == op.rule);
    let powers = match &op.act {
        RuleAct::Mark { .. } | RuleAct::Settle { .. } => return Vec::new(),
        RuleAct::Amend { .. } => of(Thing::Precedence),
        RuleAct::Field { name, .. } => name == stats::POWER,
        _ => true,
    };
    let mut shown = vec!["rules"];
    shown.extend(powers.then_some("powers"));
    shown.extend(of(Thing::Quantities).then_some("quantities"));
    shown.extend(of(Thing::Calendar).then_some("calendar"));
    shown
}
