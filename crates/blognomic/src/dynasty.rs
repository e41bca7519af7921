//! The Dynasties: who is Control Unit, and since when.
//!
//! The last row is the Dynasty that goes on; its office may be vacant (N13, N103). How one begins is rule 15
//! (`r15_dynasties`).

use serde::{Deserialize, Serialize};

use super::{
    game::{BlogNomic, D},
    law::{Thing, established},
    roster::{self, Member, Standing},
};
use kernel::{Id, Instant, Refusal, Seq, State, table::Row};

/// The office of Control Unit.
pub(super) const CONTROL_UNIT: &str = "Control Unit";

/// What happened when a Dynasty has begun, about its Control Unit: mechanics hear of it before its Ascension.
pub(super) const BEGUN: &str = "dynasty begun";

// ---- state

/// A Dynasty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Dynasty {
    /// Who began it as Control Unit.
    pub(super) founder: Id,
    /// Who is Control Unit; nobody while the office is vacant (N13, N103).
    pub(super) holder: Option<Id>,
    /// What it is called.
    pub(super) name: String,
    /// When it began.
    pub(super) since: Instant,
    /// How it came about, in words.
    pub(super) how: String,
    /// Who was Deactivated when it began: whoever sleeps on until it ends is removed (N110). An instant does not tell who
    /// was so before it and who only after it.
    pub(super) asleep: Vec<Id>,
    /// The entry in which it began.
    pub(super) seq: Seq,
}

impl Row<BlogNomic> for Dynasty {
    type Key = u64;
    const TABLE: &'static str = "dynasties";
}

impl Dynasty {
    /// What it is called; its founder may have been forgotten since.
    pub(super) fn called(&self, state: &State<BlogNomic>) -> String {
        state.frame.redaction_of_kept().text(&self.name)
    }
}

/// The Dynasty that goes on.
pub(super) fn now(state: &State<BlogNomic>) -> Option<&Dynasty> {
    state.rows::<Dynasty>().last().map(|(_, dynasty)| dynasty)
}

/// How many there were, the present one included: its number.
pub(super) fn count(state: &State<BlogNomic>) -> u64 {
    state.rows::<Dynasty>().last().map_or(0, |(number, _)| *number)
}

/// The Control Unit, where the office is not vacant.
pub(super) fn control_unit(state: &State<BlogNomic>) -> Option<&Id> {
    now(state)?.holder.as_ref()
}

/// Who is Deactivated and was so throughout a Dynasty (N110).
pub(super) fn slept_through(state: &State<BlogNomic>, dynasty: &Dynasty) -> Vec<Id> {
    let member = |robot: &Id| state.row::<Member>(robot).filter(|member| member.standing == Standing::Deactivated);
    let slept = |robot: &&Id| member(robot).is_some_and(|member| member.since <= dynasty.since);
    dynasty.asleep.iter().filter(slept).cloned().collect()
}

/// Whether words name the office of the Control Unit.
pub(super) fn is_office(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    matches!(words.strip_prefix("the ").unwrap_or(&words), "control unit" | "empress" | "emperor")
}

// ---- changes

/// Changes the present Dynasty.
pub(super) fn alter(d: &mut D<'_>, change: impl FnOnce(&mut Dynasty)) {
    d.edit(&count(d), change);
}

/// Leaves the office vacant where somebody held it (N13).
pub(super) fn vacate(d: &mut D<'_>, robot: &Id) {
    if control_unit(d) != Some(robot) {
        return;
    }
    alter(d, |dynasty| dynasty.holder = None);
    d.tell_all("The office of Control Unit is vacant.");
}

// ---- guards

/// Refuses whoever acts and is not the Control Unit.
///
/// # Errors
///
/// A [`Refusal`] that names it.
pub(super) fn acting(d: &D<'_>) -> Result<(), Refusal> {
    let me = roster::robot(d)?;
    if control_unit(d) == Some(&me) {
        return Ok(());
    }
    let holder = match control_unit(d) {
        Some(cu) => format!("{} is Control Unit", d.frame.name_of(cu)),
        None => "there is none now".to_owned(),
    };
    let refusal = Refusal::new(format!("only the Control Unit does that, and {holder}")).instead("show dynasties");
    Err(match established(&d.rules, Thing::Dynasties) {
        Ok(()) => refusal.by(Thing::Dynasties.rule(&d.rules)),
        Err(_) => refusal,
    })
}
