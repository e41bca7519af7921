//! What a proposal is called (4E15), whose it is, and how it stands.
//!
//! Nothing is changed here. Posting, opening and counting stand above.

use crate::{
    game::BNomic,
    stats::{AUTHOR, CONFLICTS, DEPENDENCIES, NUMBER, PROPOSAL, STATUS, SUCCESS, TITLE, called},
    tally::Success,
};
use kernel::{
    Id, Path, Refusal, State, Value,
    display::{Cell, Document},
};

// ---- state

/// Where a proposal is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Not yet voted on.
    Pending,
    /// Voted on now.
    Open,
    /// Over.
    Historical,
}

impl Status {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Open => "Open",
            Self::Historical => "Historical",
        }
    }
}

/// The status of a proposal.
pub(crate) fn status(state: &State<BNomic>, proposal: &Id) -> Status {
    match state.world.get(&STATUS, proposal).as_deref() {
        Some("Open") => Status::Open,
        Some("Historical") => Status::Historical,
        _ => Status::Pending,
    }
}

/// What became of a proposal.
pub(crate) fn success(state: &State<BNomic>, proposal: &Id) -> Success {
    match state.world.get(&SUCCESS, proposal).as_deref() {
        Some("Won") => Success::Won,
        Some("Discarded") => Success::Discarded,
        Some("Lost") => Success::Lost,
        _ => Success::Undecided,
    }
}

/// All proposals of a status, by number.
pub(crate) fn all(state: &State<BNomic>, wanted: Status) -> Vec<Id> {
    let mut found: Vec<Id> = state.world.of_kind(PROPOSAL).filter(|id| status(state, id) == wanted).cloned().collect();
    found.sort_by_key(|id| number(state, id));
    found
}

/// The number of a proposal; where a directive took it, the one that it was given, by which it is called.
pub(crate) fn number(state: &State<BNomic>, proposal: &Id) -> i64 {
    let given = || proposal.rsplit('/').next().and_then(|number| number.parse().ok());
    state.world.get(&NUMBER, proposal).or_else(given).unwrap_or_default()
}

/// The proposals in a set attribute.
pub(crate) fn listed(state: &State<BNomic>, attr: &kernel::world::Attr<Vec<Value>>, proposal: &Id) -> Vec<Id> {
    let values = state.world.get(attr, proposal).unwrap_or_default();
    values.into_iter().filter_map(|value| if let Value::Ref(id) = value { Some(id) } else { None }).collect()
}

/// Whose a proposal is.
pub(crate) fn author(state: &State<BNomic>, proposal: &Id) -> Option<Id> {
    state.world.get(&AUTHOR, proposal)
}

/// Number and title, as sentences call it.
pub(crate) fn label(state: &State<BNomic>, proposal: &Id) -> String {
    let title = state.world.get(&TITLE, proposal).unwrap_or_default();
    let number = number(state, proposal);
    if title.is_empty() { format!("Proposal {number}") } else { format!("Proposal {number}, “{title}”") }
}

/// Whether a proposal has this title, but for capitals.
pub(crate) fn is_called(state: &State<BNomic>, proposal: &Id, title: &str) -> bool {
    state.world.get(&TITLE, proposal).is_some_and(|held| held.to_lowercase() == title.to_lowercase())
}

/// A document about a proposal, for the thread of its own that a network may keep.
pub(crate) fn about(state: &State<BNomic>, proposal: &Id, document: Document) -> Document {
    document.about(proposal.clone(), label(state, proposal))
}

/// Refuses what is no set of other proposals, where a proposal lists its conflicts and dependencies (B15.2, B15.3).
///
/// # Errors
///
/// A [`Refusal`] for a list that names its own proposal, or one twice.
pub(crate) fn are_others(at: &Path, named: &[Value]) -> Result<(), Refusal> {
    if ![CONFLICTS.id, DEPENDENCIES.id].contains(&&*at.attr) {
        return Ok(());
    }
    let twice = named.iter().enumerate().any(|(place, one)| named[..place].contains(one));
    let why = match named.contains(&Value::Ref(at.obj.clone())) {
        true => "a proposal lists other proposals, not itself",
        false if twice => "a set names each proposal once",
        false => return Ok(()),
    };
    Err(Refusal::new(format!("{} of {}: {why}", at.attr, at.obj)).by("4E15, Proposals").instead("show proposals"))
}

/// A proposal by number.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(crate) fn need(state: &State<BNomic>, number: u64) -> Result<Id, Refusal> {
    let id = Id::from(format!("{PROPOSAL}/{number}"));
    if state.world.exists(&id) {
        return Ok(id);
    }
    Err(Refusal::new(format!("there is no Proposal {number}")).instead("show proposals"))
}

// ---- display

/// What a proposal depends on and conflicts with, in a sentence; nothing where it does neither.
pub(crate) fn others(state: &State<BNomic>, proposal: &Id) -> String {
    let names = |ids: Vec<Id>| ids.iter().map(|id| number(state, id).to_string()).collect::<Vec<_>>().join(", ");
    let (needs, conflicts) = (listed(state, &DEPENDENCIES, proposal), listed(state, &CONFLICTS, proposal));
    match (needs.is_empty(), conflicts.is_empty()) {
        (true, true) => "It depends on no other proposal and conflicts with none that it names.".to_owned(),
        (false, true) => format!("It depends on {}.", names(needs)),
        (true, false) => format!("It conflicts with {}.", names(conflicts)),
        (false, false) => format!("It depends on {} and conflicts with {}.", names(needs), names(conflicts)),
    }
}

/// The cells that begin the row of a proposal: its number, its title, its author.
pub(crate) fn headed_cells(state: &State<BNomic>, id: &Id) -> Vec<Cell> {
    let number = number(state, id).to_string();
    let by = author(state, id).map(|id| called(state, &id)).unwrap_or_default();
    vec![
        Cell::new(number.clone()).completing(number.clone()).showing(format!("proposal/{number}")),
        Cell::new(state.world.get(&TITLE, id).unwrap_or_default()).from_path(TITLE.of(id)),
        Cell::new(by),
    ]
}
