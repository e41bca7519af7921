//! Scoring (4E19): the points that a proposal brings its voters and its author once it is Historical.
//!
//! Scores are worked out one proposal after the other and written down at the end. Votes are counted in `passing`.

use std::collections::BTreeMap;

use super::{
    figures::{FAIL_POINTS, PASS_POINTS, VOTE_POINTS, WON_POINTS},
    game::{BNomic, D},
    law::{Thing, established},
    proposals::status,
    society::players,
    stats::{SCORE, called},
    tally::Success,
    voting::Word,
};
use kernel::{Id, Num, State, display::counted};

/// How a proposal ended, for scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Whether it passed.
    pub(super) passed: bool,
    /// Whether it was discarded.
    pub(super) discarded: bool,
    /// Whether it was ever Won.
    pub(super) ever_won: bool,
}

impl Ended {
    /// The same where a proposal is now what others that passed have made of it.
    pub(super) fn now(self, success: Success) -> Self {
        let ever_won = self.ever_won || success == Success::Won;
        Self { discarded: success == Success::Discarded, ever_won, ..self }
    }
}

/// Scores that change proposal by proposal and are written down once for each Player, where nobody can win in between.
/// So a tally of thousands of votes is still an entry of a page.
#[derive(Default)]
pub(super) struct Scores {
    now: BTreeMap<Id, Num>,
    before: BTreeMap<Id, Num>,
}

impl Scores {
    /// Gives points, or takes them, down to zero at most (B17.1); gives what was moved.
    fn moves(&mut self, state: &State<BNomic>, player: &Id, by: &Num) -> Num {
        if !self.now.contains_key(player) {
            let held = state.world.get(&SCORE, player).unwrap_or_default();
            self.before.insert(player.clone(), held.clone());
            self.now.insert(player.clone(), held);
        }
        let Some(held) = self.now.get_mut(player) else { return Num::default() };
        let floor = -&*held;
        let moved = if *by < floor { floor } else { by.clone() };
        *held = &*held + &moved;
        moved
    }

    /// Writes them down.
    pub(super) fn write(self, d: &mut D<'_>) {
        d.by_rule(Thing::Scoring.word(), &[], |d| {
            for (player, now) in &self.now {
                d.add(&SCORE, player, now - self.before.get(player).unwrap_or(&Num::default()));
            }
        });
    }
}

/// Scores a proposal that has become Historical, in the order of the rule's clauses (B19.1 to B19.5). Says who got
/// what, and the same without the names of the voters, whose votes are shown beside it.
pub(super) fn score(
    state: &State<BNomic>,
    id: &Id,
    ended: Ended,
    finals: &[(Id, Word)],
    scores: &mut Scores,
) -> (Vec<String>, Vec<String>) {
    if established(&state.rules, Thing::Scoring).is_err() || established(&state.rules, Thing::Points).is_err() {
        return (Vec::new(), Vec::new());
    }
    let finals: Vec<&(Id, Word)> = finals.iter().filter(|(voter, _)| players::is_player(state, voter)).collect();
    let figure = |key| state.rules.need(key).unwrap_or_default();
    let (mut lines, mut noted) = (Vec::new(), Vec::new());
    let each = figure(&VOTE_POINTS);
    let voters: Vec<&Id> = finals.iter().filter(|(_, word)| *word != Word::Abstain).map(|(voter, _)| voter).collect();
    for voter in &voters {
        scores.moves(state, voter, &each);
    }
    if !voters.is_empty() && !each.is_zero() {
        let names: Vec<String> = voters.iter().map(|voter| called(state, voter)).collect();
        lines.push(format!("+{each} for voting: {}.", names.join(", ")));
        noted.push(format!("+{each} for voting, to {}.", counted(names.len(), "Player")));
    }
    let Some(author) = status::author(state, id).filter(|author| players::is_player(state, author)) else {
        return (lines, noted);
    };
    let own = lines.len();
    let fors = finals.iter().filter(|(_, word)| *word == Word::For).count();
    let times = |each: &Num| Num::from(each.as_rational() * num_rational::BigRational::from_integer(fors.into()));
    let name = called(state, &author);
    if ended.passed {
        let gained = scores.moves(state, &author, &times(&figure(&PASS_POINTS)));
        lines.push(format!("+{gained} for {name}: it passed, and {} voted FOR it.", counted(fors, "Player")));
    }
    if ended.ever_won {
        let gained = scores.moves(state, &author, &times(&figure(&WON_POINTS)));
        lines.push(format!("+{gained} for {name}: it was Won, and {} voted FOR it.", counted(fors, "Player")));
    }
    if !ended.passed && !ended.discarded && !ended.ever_won {
        let lost = scores.moves(state, &author, &-&figure(&FAIL_POINTS));
        lines.push(format!("{lost} for {name}: it failed and was never Won."));
    }
    noted.extend_from_slice(&lines[own..]);
    (lines, noted)
}
