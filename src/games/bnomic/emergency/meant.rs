//! Which act of an emergency is meant by words of the game: `object`, `vote Eve` (B0.9, B0.11).
//!
//! Outside of one they mean nothing of it, and in one the game goes on beside it: they are told apart, and none is guessed.

use super::{BNomic, D, Refusal, State, Thing, called, rule};

/// Why an objection that names no act is none: in an emergency it may be meant for an increment of the Pause (B0.9).
pub(in crate::games::bnomic) fn objectionable(d: &D<'_>) -> Refusal {
    let waits = d.game.emergency.crisis.as_ref().is_some_and(|crisis| !crisis.increments.is_empty());
    let refusal =
        Refusal::new("what was announced is objected to by its number, and an increment of the Pause as such");
    match waits {
        true => refusal.by(rule(d)).instead("emergency object"),
        false => refusal.by(Thing::Objecting.rule(&d.rules)).instead("show intents"),
    }
}

/// Whose Refresh Proposal somebody means who names no other Proposal in a vote (B0.11).
pub(in crate::games::bnomic) fn voted_for(state: &State<BNomic>, words: &str) -> Option<String> {
    let crisis = state.game.emergency.crisis.as_ref().filter(|crisis| crisis.round > 0)?;
    let said = words.to_lowercase();
    let named = crisis.ballot.iter().map(|pep| called(state, pep)).find(|name| said.contains(&name.to_lowercase()))?;
    Some(format!("emergency vote {named}"))
}
