//! The log of the GNDT as rows: one for each act that changed the table.
//!
//! Nothing is ever taken out but the oldest; what is undone stays with its undoing beside it (`r08_undoing`).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::game::BlogNomic;
use kernel::{
    Id, Instant, Seq, State, Value,
    table::Row,
    world::{Birth, Difference, World},
};

/// Alterations that the log keeps: a year of a lively room. Older ones are in the journal.
pub(super) const LOG_MAX_ENTRIES: usize = 2000;

// ---- state

/// One act that changed the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Alteration {
    /// The entry that made it, which is also what it is called by.
    pub(super) seq: u64,
    /// When.
    pub(super) at: Instant,
    /// Who; nobody where an instant did.
    pub(super) by: Option<Id>,
    /// On what ground: the command, or what a Robot said.
    pub(super) ground: String,
    /// What changed.
    pub(super) rows: Vec<Figure>,
    /// What became of things that laws know, such as a claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) things: Vec<Object>,
    /// Whether the act changed what the table does not hold besides, such as what a law keeps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) more: bool,
}

impl Row<BlogNomic> for Alteration {
    type Key = (Seq, u64);
    const TABLE: &'static str = "alterations";
}

/// A figure that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Figure {
    /// Whose.
    pub(super) robot: Id,
    /// Which.
    pub(super) stat: Id,
    /// From.
    pub(super) was: Value,
    /// To.
    pub(super) to: Value,
}

/// A thing of laws that came, went, or is otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Object {
    /// Which.
    pub(super) obj: Id,
    /// What it was; nothing where it came.
    pub(super) was: Option<Being>,
    /// What it is; nothing where it went.
    pub(super) to: Option<Being>,
}

/// What a thing is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Being {
    /// Its kind.
    pub(super) kind: Id,
    /// When it came to be.
    pub(super) born: Birth,
    /// What was set of it, by attribute.
    pub(super) values: BTreeMap<Id, Value>,
}

impl Being {
    /// What something in a world is.
    pub(super) fn of(world: &World, obj: &Id) -> Option<Self> {
        let (kind, born) = (world.kind(obj)?.clone(), world.born(obj)?);
        let values = world.values_of(obj).map(|(at, value)| (at.attr.clone(), value.clone())).collect();
        Some(Self { kind, born, values })
    }
}

/// What became of things of laws between an earlier state and this one.
pub(super) fn things(before: &State<BlogNomic>, state: &State<BlogNomic>) -> Vec<Object> {
    let about = |difference: Difference| match difference {
        Difference::Came { obj, .. } | Difference::Went { obj, .. } => Some(obj),
        Difference::Value { at, .. } => Some(at.obj),
        Difference::Def { .. } => None,
    };
    let all: BTreeSet<Id> = state.world.since(&before.world).into_iter().filter_map(about).collect();
    let things = all.into_iter().filter(|obj| laws::is_thing(before, obj) && laws::is_thing(state, obj));
    things.map(|obj| Object { was: Being::of(&before.world, &obj), to: Being::of(&state.world, &obj), obj }).collect()
}

/// What an entry altered: an act, and what followed from it.
pub(super) fn of(state: &State<BlogNomic>, seq: Seq) -> impl DoubleEndedIterator<Item = &Alteration> {
    state.rows::<Alteration>().range((seq, u64::MIN)..=(seq, u64::MAX)).map(|(_, alteration)| alteration)
}
