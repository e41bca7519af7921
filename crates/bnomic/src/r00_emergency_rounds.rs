//! The rounds of an emergency (4E0): the Pause rises, ballots are made and counted, and one Refresh Proposal is
//! selected.
//!
//! The bot does all of it in the Coordinator's name, so that an idle one blocks nothing (B0.11). Participants, and the
//! beginning and end of an emergency, stand in `emergency`.

use super::{
    effects::carried_out,
    emergency::{
        by_hand::select_for,
        crisis::{self, Crisis, crisis, mind, no_votes, over, peps, posting},
    },
    figures::{PAUSE_BALLOT, PAUSE_FIRST, PAUSE_OFFSET, PAUSE_SECOND, ROUND_VOTES},
    game::{BNomic, D},
    stats::called,
};
use kernel::{Id, State, display::Document, entry::Audience};

/// At which Pause the round that runs is counted.
pub(super) fn counted_at(state: &State<BNomic>, crisis: &Crisis) -> Option<u64> {
    let figure = |key| state.rules.need_count(key).ok();
    match crisis.round {
        0 => None,
        1 => figure(&PAUSE_FIRST),
        2 => figure(&PAUSE_SECOND),
        more => figure(&PAUSE_OFFSET).map(|offset| offset + more),
    }
}

/// The Pause rises by one, and what hangs on its value happens (B0.11 to B0.14).
pub(super) fn advance(d: &mut D<'_>) {
    let Some(mut crisis) = crisis(d).cloned() else { return };
    let Some(pause) = crisis.pause.map(|pause| pause + 1) else { return };
    crisis.pause = Some(pause);
    let counted_at = counted_at(d, &crisis);
    let first = crisis.round == 0 && d.rules.need_count(&PAUSE_BALLOT).is_ok_and(|ballot| pause >= ballot);
    d.put(&(), crisis.clone());
    d.tell_all(format!("The Pause is {pause}."));
    if first {
        crisis.round = 1;
        crisis.ballot = d.rows::<crisis::Refresh>().keys().cloned().collect();
        announce_ballot(d, &crisis);
        d.put(&(), crisis);
    } else if counted_at.is_some_and(|at| pause >= at) {
        count(d, crisis);
    }
}

fn announce_ballot(d: &mut D<'_>, crisis: &Crisis) {
    let names: Vec<String> = crisis.ballot.iter().map(|id| called(d, id)).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    d.tell_all(format!(
        "Round {} of the emergency's votes begins. Refresh Proposals on the ballot, by their authors: {names}. Each PEP votes once: ⁅emergency vote NAME⁆.",
        crisis.round
    ));
}

/// Counts a round: more than half of the votes cast select one, else the next round's ballot is made.
fn count(d: &mut D<'_>, mut crisis: Crisis) {
    let mut counts: Vec<(u64, Id)> = crisis
        .ballot
        .iter()
        .map(|id| (d.rows::<crisis::Vote>().values().filter(|vote| vote.whose == *id).count() as u64, id.clone()))
        .collect();
    counts.sort_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
    let said: Vec<String> = counts.iter().map(|(votes, id)| format!("{} {votes}", called(d, id))).collect();
    let round = crisis.round;
    d.tell_all(format!(
        "Votes of round {round}: {}.",
        if said.is_empty() { "none".to_owned() } else { said.join(", ") }
    ));
    let cast = d.rows::<crisis::Vote>().len() as u64;
    if let Some((votes, selected)) = counts.first().cloned()
        && votes * 2 > cast
    {
        return select(d, &crisis, &selected);
    }
    let plain: Vec<(u64, Id)> = counts;
    crisis.ballot = match round {
        1 => second_ballot(&plain, d.rules.need_count(&ROUND_VOTES).unwrap_or(u64::MAX)),
        _ => later_ballot(&plain),
    };
    crisis.round += 1;
    no_votes(d);
    announce_ballot(d, &crisis);
    d.put(&(), crisis);
}

/// Those with enough votes; with one vote as well where those are fewer than two; all where those still are (B0.13).
fn second_ballot(counts: &[(u64, Id)], enough: u64) -> Vec<Id> {
    let with = |least: u64| -> Vec<Id> {
        counts.iter().filter(|(votes, _)| *votes >= least).map(|(_, id)| id.clone()).collect()
    };
    [enough, 1].into_iter().map(with).find(|some| some.len() >= 2).unwrap_or_else(|| with(0))
}

/// The two with the most votes, and whatever is tied with the second (B0.14); the counts come in descending order.
fn later_ballot(counts: &[(u64, Id)]) -> Vec<Id> {
    let second = counts.get(1).map_or(0, |(votes, _)| *votes);
    counts.iter().filter(|(votes, _)| *votes >= second).map(|(_, id)| id.clone()).collect()
}

/// A Refresh Proposal is selected: its changes happen, all are Calm, and the emergency is over (B0.16).
fn select(d: &mut D<'_>, crisis: &Crisis, selected: &Id) {
    let name = called(d, selected);
    let text = d.rows::<crisis::Refresh>().get(selected).map(|refresh| refresh.text.clone()).unwrap_or_default();
    let mut document = Document::titled("emergency", format!("The Refresh Proposal of {name} is selected"));
    over(d);
    let why = format!("the Refresh Proposal of {name}");
    let carry_out = |d: &mut D<'_>| carried_out::carry_out_refresh(d, &posting(selected), &text, &why);
    let done = d.attempt(|d| d.in_act_of(None, carry_out));
    select_for(d, crisis.coordinator.clone(), &name, &text, done.is_err());
    match done {
        Ok(blocks) => document.blocks.extend(blocks),
        Err(why) => {
            document = document.para(format!(
                "Its directives could not be done: {}. The Coordinator applies what it says (⁅coordinator apply⁆).",
                why.say
            ))
        }
    }
    for pep in peps(d) {
        mind(d, &pep, false);
    }
    document = document.para("All are Calm, and the State of Emergency is over.");
    d.say(Audience::Public, document);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(votes: &[u64]) -> Vec<(u64, Id)> {
        votes.iter().enumerate().map(|(index, votes)| (*votes, Id::from(format!("player/{index}")))).collect()
    }

    /// B0.13: two votes, else one, else all.
    #[test]
    fn b0_13_the_second_ballot_takes_what_was_voted_for() {
        assert_eq!(second_ballot(&counts(&[2, 2, 1, 0]), 2).len(), 2);
        assert_eq!(second_ballot(&counts(&[2, 1, 1, 0]), 2).len(), 3);
        assert_eq!(second_ballot(&counts(&[1, 0, 0]), 2).len(), 3);
        assert_eq!(second_ballot(&counts(&[0, 0, 0]), 2).len(), 3);
    }

    /// B0.14: by rank.
    #[test]
    fn b0_14_later_ballots_take_the_top_two_and_ties_with_the_second() {
        assert_eq!(later_ballot(&counts(&[3, 3, 2])).len(), 2);
        assert_eq!(later_ballot(&counts(&[4, 2, 2, 1])).len(), 3);
        assert_eq!(later_ballot(&counts(&[2, 2, 2])).len(), 3);
    }
}
