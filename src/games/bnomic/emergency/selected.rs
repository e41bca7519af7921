//! The Refresh Proposal that ended the latest emergency (4E0): what only its prose says its Coordinator does by hand, once.
//!
//! Absent: how one is selected (`rounds`), and what its directives mean (`effects`).

use serde::{Deserialize, Serialize};

use super::{D, Fact, Id, Refusal, emit, rule};

/// A Refresh Proposal that ended an emergency, and whose its prose is to do (B0.16).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// Who ran the Procedure.
    coordinator: Option<Id>,
    /// What it is called.
    pub(in crate::games::bnomic) label: String,
    /// What it says.
    #[serde(default)]
    pub(in crate::games::bnomic) text: String,
    /// Whether its directives could not be done.
    #[serde(default)]
    pub(in crate::games::bnomic) failed: bool,
    /// Whether the Coordinator has carried out by hand what the program could not.
    #[serde(default)]
    by_hand: bool,
}

/// Which Refresh Proposal ended the latest emergency, from now on.
fn selected(d: &mut D<'_>, to: Selected) {
    let was = d.game.emergency.selected.clone();
    emit(d, Fact::Selected { to: Some(to), was });
}

/// A Refresh Proposal was selected, which its Coordinator may have to apply.
pub(in crate::games::bnomic) fn select_for(
    d: &mut D<'_>,
    coordinator: Option<Id>,
    name: &str,
    text: &str,
    failed: bool,
) {
    let (label, text) = (format!("the Refresh Proposal of {name}"), text.to_owned());
    selected(d, Selected { coordinator, label, text, failed, by_hand: false });
}

/// The Coordinator who acts, and the Refresh Proposal that ended the latest emergency.
///
/// # Errors
///
/// A [`Refusal`] for others, and where none was selected.
pub(in crate::games::bnomic) fn selected_for(d: &D<'_>) -> Result<(Id, Selected), Refusal> {
    let Some(selected) = d.game.emergency.selected.clone() else {
        return Err(Refusal::new("no Refresh Proposal was selected").by(rule(d)).instead("show emergency"));
    };
    match d.actor_seat().filter(|me| selected.coordinator.as_ref() == Some(me)) {
        Some(me) => Ok((me, selected)),
        None => {
            let say = format!("only who was Coordinator applies {}", selected.label);
            Err(Refusal::new(say).by(rule(d)).instead("show emergency"))
        }
    }
}

/// Notes that the Coordinator carries out by hand what the selected Refresh Proposal says.
///
/// # Errors
///
/// A [`Refusal`] where that has been done.
pub(in crate::games::bnomic) fn by_hand(d: &mut D<'_>) -> Result<(), Refusal> {
    match d.game.emergency.selected.clone() {
        Some(last) if !last.by_hand => {
            selected(d, Selected { by_hand: true, ..last });
            Ok(())
        }
        _ => {
            let say = "the Refresh Proposal that was selected was applied by hand before";
            Err(Refusal::new(say).by(rule(d)).instead("show emergency"))
        }
    }
}
