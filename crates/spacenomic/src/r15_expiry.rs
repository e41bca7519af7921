//! Expiry (S72): an old proposal is destroyed unless a player has refreshed it.
//!
//! One that would fall into a moderator's pause is put off.

use super::{
    activity,
    figures::{EXPIRY_BOUND, MORE_THAN, PROPOSAL_AGE, REFRESH_AGE, after},
    game::{D, Spacenomic},
    law::Thing,
    phases,
    proposals::record::{Proposal, Status, ends, extant, find, label, open},
    roster::player,
    stats::called,
};
use kernel::{
    Act, Instant, Mechanic, Phase, Refusal, State,
    display::Document,
    entry::{Audience, Due},
    mechanic::{Fate, Lapse},
    time::{minute, seconds_after},
};
use kit::docket::Numbered;

/// What the key of an expiry begins with; the number follows.
const KEY: &str = "expiry/";

// ---- the mechanic

/// Expiry as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let again = Act::new("refresh_proposal", |Which { proposal }, d: &mut D<'_>| refresh(proposal, d));
    Mechanic::new("expiry")
        .act(again.by(Thing::Expiry.word()).player().public("refresh 3"))
        .phase(Phase::new(phases::EXPIRY, dues, due).lapse(lapse).fate(fate))
}

kit::args! {
    /// The arguments of `refresh_proposal` (S72).
    Which { proposal: u64 }
}

// ---- state

/// When a proposal expires (S72).
pub(super) fn expires(state: &State<Spacenomic>, proposal: &Proposal) -> Option<Instant> {
    if !Thing::Expiry.is_in(&state.rules) {
        return None;
    }
    let aged = after(&state.rules, proposal.created, &PROPOSAL_AGE)?;
    // Times are counted in seconds, so that a second later is more.
    let aged = if state.rules.wording(&EXPIRY_BOUND) == MORE_THAN { seconds_after(aged, 1) } else { aged };
    let fresh = match proposal.refreshed {
        None => aged,
        Some(at) => aged.max(after(&state.rules, at, &REFRESH_AGE)?),
    };
    Some(proposal.put_off.map_or(fresh, |until| fresh.max(until)))
}

// ---- decide

/// A player refreshes a proposal (S72).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for what does not exist.
fn refresh(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let proposal = open(d, number)?.clone();
    let (number, at) = (proposal.number, d.at);
    d.edit::<Proposal>(&number, |row| row.refreshed = Some(at));
    activity::acted(d, &me);
    let until = match open(d, number).ok().and_then(|proposal| expires(d, proposal)) {
        Some(at) => format!("it expires at {}", minute(at)),
        None => "as the rules read, it does not expire".to_owned(),
    };
    let name = called(d, &me);
    let document = Document::say(format!("{name} refreshes {}; {until}.", label(&proposal)));
    d.say(Audience::Public, proposal.about(document));
    Ok(Document::say(format!("Refreshed; {until}.")))
}

// ---- due

/// All expiries, the oldest proposals' first.
pub(super) fn dues(state: &State<Spacenomic>) -> Vec<Due> {
    let due = |proposal: &Proposal| {
        let key = format!("{KEY}{}", proposal.number).into();
        Some(Due { at: expires(state, proposal)?, rank: phases::EXPIRY, key })
    };
    extant(state).filter_map(due).collect()
}

fn number_of(due: &Due) -> Option<u64> {
    due.key.strip_prefix(KEY)?.parse().ok()
}

/// A proposal is too old, and is destroyed: it has neither passed nor failed.
fn due(due: Due, d: &mut D<'_>) {
    let Some(proposal) = number_of(&due).and_then(|number| open(d, number).ok()).cloned() else { return };
    let at = d.at;
    ends(d, proposal.number, Status::Expired(at));
    let say =
        format!("{} was not refreshed in time and is destroyed. It has neither passed nor failed.", label(&proposal));
    d.say(Audience::Public, proposal.about(Document::say(say)));
}

/// An expiry inside a moderator's pause, in which nobody could refresh: there is as much time as there would have been.
fn lapse(due: Due, d: &mut D<'_>) {
    let Some(number) = number_of(&due) else { return };
    let until = d.put_off(&due);
    d.edit::<Proposal>(&number, |row| row.put_off = Some(until));
}

/// An expiry in words.
pub(super) fn fate(state: &State<Spacenomic>, due: &Due) -> Lapse {
    let what = number_of(due).and_then(|number| find(state, number)).map(label).unwrap_or_default();
    Lapse { what: format!("the expiry of {what}"), fate: Fate::PutOff }
}
