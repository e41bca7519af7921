//! The log of the GNDT as rows: one for each act that changed the table.
//!
//! Nothing is ever taken out but the oldest; what is undone stays with its undoing beside it (`r08_undoing`).

use serde::{Deserialize, Serialize};

use super::{game::BlogNomic, inventory::Inventory};
use kernel::{Id, Instant, Seq, State, Value, table::Row};

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
    /// Of an Inventory, the things before and after, with what they have cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) things: Option<(Inventory, Inventory)>,
}

/// What an entry altered: an act, and what followed from it.
pub(super) fn of(state: &State<BlogNomic>, seq: Seq) -> impl DoubleEndedIterator<Item = &Alteration> {
    state.rows::<Alteration>().range((seq, u64::MIN)..=(seq, u64::MAX)).map(|(_, alteration)| alteration)
}
