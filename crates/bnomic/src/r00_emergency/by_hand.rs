//! The Refresh Proposal that ended the latest emergency (4E0): its Coordinator carries out its prose by hand, once.
//!
//! Refresh Proposals are selected in `rounds`, and their directives are read in `effects`.

use super::{
    self as emergency,
    crisis::{peps, rule},
    lasting::coordinator,
};
use crate::{
    effects,
    game::{BNomic, D},
    stats::called,
};
use kernel::{Id, Refusal, State, table::Row};
use serde::{Deserialize, Serialize};

/// A Refresh Proposal that ended an emergency, and whose its prose is to do (B0.16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Selected {
    /// Who ran the Procedure.
    coordinator: Option<Id>,
    /// What it is called.
    pub(crate) label: String,
    /// What it says.
    pub(crate) text: String,
    /// Whether its directives could not be done.
    pub(crate) failed: bool,
    /// Whether the Coordinator has carried out by hand what the program could not.
    by_hand: bool,
}

impl Row<BNomic> for Selected {
    type Key = ();
    const TABLE: &'static str = "selected_refresh";

    fn told((): &(), was: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        match is {
            Some(is) if is.by_hand && was.is_some() => format!("{} is applied by hand", is.label),
            Some(is) if was.is_none_or(|was| was.label != is.label) => format!("{} is selected", is.label),
            _ => String::new(),
        }
    }
}

/// A Refresh Proposal was selected, which its Coordinator may have to apply.
pub(crate) fn select_for(d: &mut D<'_>, coordinator: Option<Id>, name: &str, text: &str, failed: bool) {
    let (label, text) = (format!("the Refresh Proposal of {name}"), text.to_owned());
    d.put(&(), Selected { coordinator, label, text, failed, by_hand: false });
}

/// The Coordinator who acts, and the Refresh Proposal that ended the latest emergency. Where that Coordinator is no PEP any
/// more, whoever would be Coordinator now takes the place, as in an emergency.
///
/// # Errors
///
/// A [`Refusal`] for others, and where none was selected.
pub(crate) fn selected_for(d: &D<'_>) -> Result<(Id, Selected), Refusal> {
    let Some(selected) = d.rows::<emergency::Selected>().get(&()).cloned() else {
        return Err(Refusal::new("no Refresh Proposal was selected").by(rule(d)).instead("show emergency"));
    };
    let due = applies(d, &selected);
    match d.actor_seat().filter(|me| due.as_ref() == Some(me)) {
        Some(me) => Ok((me, selected)),
        None => {
            let who = due.map_or_else(
                || "only who was Coordinator, or else the Minister of Ministry,".to_owned(),
                |due| format!("only {} as Coordinator", called(d, &due)),
            );
            Err(Refusal::new(format!("{who} applies {}", selected.label)).by(rule(d)).instead("show emergency"))
        }
    }
}

/// Who applies a selected Refresh Proposal; nobody where its Coordinator is gone and nobody would be one now.
fn applies(state: &State<BNomic>, selected: &Selected) -> Option<Id> {
    let there = selected.coordinator.as_ref().filter(|coordinator| peps(state).contains(coordinator)).cloned();
    there.or_else(|| coordinator(state))
}

/// What the latest emergency left to be applied by hand, in a sentence (B0.16).
pub(crate) fn left_by_hand(state: &State<BNomic>) -> Option<String> {
    let last = state.rows::<emergency::Selected>().get(&());
    let last = last.filter(|last| !last.by_hand && effects::is_left(&last.text, last.failed))?;
    let who = applies(state, last)
        .map_or_else(|| "whoever becomes Minister of Ministry".to_owned(), |who| called(state, &who));
    Some(format!("For {who} to apply as Coordinator (⁅coordinator apply⁆), as prose says it: {}.", last.label))
}

/// Notes that the Coordinator carries out by hand what the selected Refresh Proposal says.
///
/// # Errors
///
/// A [`Refusal`] where that has been done.
pub(crate) fn by_hand(d: &mut D<'_>) -> Result<(), Refusal> {
    if d.rows::<emergency::Selected>().get(&()).is_none_or(|last| last.by_hand) {
        let say = "the Refresh Proposal that was selected was applied by hand before";
        return Err(Refusal::new(say).by(rule(d)).instead("show emergency"));
    }
    d.edit(&(), |last: &mut Selected| last.by_hand = true);
    Ok(())
}
