//! Displays of emergencies (4E0): mental states, the flag, the progress of one, and when its Pause rises.
//!
//! Acts in an emergency stand in `emergency`.

use super::crisis::{self, FLAG, Refresh, Vote, increments_due, is_paranoid, peps, short};
use crate::{
    clock::hands,
    game::BNomic,
    rounds,
    stats::{BEAST, called},
    timetable::coming::{Coming, Time},
};
use kernel::{
    Id, State,
    display::{Block, Cell, Document, cells},
    time::minute,
};

/// When the Pause rises.
pub(crate) fn coming(state: &State<BNomic>) -> Vec<Coming> {
    let Some(crisis) = crisis::crisis(state).filter(|crisis| crisis.pause.is_some()) else {
        return Vec::new();
    };
    let pause = crisis.pause.unwrap_or_default();
    let midnight = hands::next_midnight_of(state);
    let rises = midnight.map(|at| Coming::new(Time::At(at), format!("the Pause rises, from {pause} now")));
    let increments = increments_due(state).into_iter();
    let increments = increments.map(|due| Coming::new(Time::At(due.at), "the Pause rises, unless a PEP objects"));
    rises.into_iter().chain(increments).collect()
}

/// Mental states, the flag, and how far an emergency is.
pub(crate) fn show(state: &State<BNomic>) -> Document {
    let mut document = Document::titled("emergency", "Mental states and emergencies of B Nomic");
    let rows = peps(state).into_iter().map(|pep| {
        let mind = if is_paranoid(state, &pep) { "Paranoid" } else { "Calm" };
        cells![Cell::named(called(state, &pep)), mind]
    });
    if let (Some(flagpole), Some(flag)) = (crisis::flagpole(state), crisis::flag(state)) {
        let flies = Cell::new(format!("The Threat Flag is {flag}.")).from_path(FLAG.of(&flagpole));
        document = document.with(Block::List(vec![flies]));
    }
    document = document.table(["", ""], rows);
    if !state.rows::<crisis::Declared>().is_empty() {
        document = document.para("Who the PEPs are was uncertain: a moderator said it, outside the rules.");
    }
    let Some(crisis) = crisis::crisis(state) else { return document.para("There is no State of Emergency.") };
    let coordinator = crisis.coordinator.as_ref().map_or_else(|| "nobody yet".to_owned(), |id| called(state, id));
    let pause = crisis.pause.map_or_else(|| "not started".to_owned(), |pause| pause.to_string());
    let forum = crisis.forum.as_ref().map_or("none yet", short);
    document = document.para(format!(
        "State of Emergency. Coordinator: {coordinator}. Emergency Forum: {forum}. The Pause: {pause}. Round: {}.",
        crisis.round
    ));
    for coming in coming(state) {
        let Time::At(at) = coming.time else { continue };
        document = document.para(format!("{}: {}.", minute(at), coming.what));
    }
    if let Some(counted) = rounds::counted_at(state, crisis) {
        let waits = |pep: &Id| **pep != *BEAST && !state.rows::<crisis::Vote>().contains_key(pep);
        let names: Vec<String> = peps(state).iter().filter(|pep| waits(pep)).map(|pep| called(state, pep)).collect();
        let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
        document = document.para(format!(
            "Round {} is counted when the Pause is {counted}. Who has not voted in it: {names}.",
            crisis.round
        ));
    }
    for (by, Refresh { text }) in state.rows::<crisis::Refresh>().iter() {
        let on = if crisis.ballot.contains(by) { ", on the ballot" } else { "" };
        document = document.para(format!("Refresh Proposal of {}{on}: {text}", called(state, by)));
    }
    for (by, Vote { whose }) in state.rows::<crisis::Vote>().iter() {
        document = document.para(format!("{} votes for {}.", called(state, by), called(state, whose)));
    }
    document
}
