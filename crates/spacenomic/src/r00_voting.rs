//! Votes (S25 to S31): exact numbers, each one final, and the test that decides a proposal.
//!
//! The test is about the state and not about a ballot that is cast. It is made after every event, on every proposal
//! that exists, the oldest first, and again from the start once one is decided. The effects of a proposal stand in
//! `effects`, its payments in `money`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    activity, effects, expiry,
    figures::{VOTE_MAX, VOTE_MIN, range_rule, vote_range},
    game::{D, Spacenomic},
    hosting,
    law::Thing,
    pay,
    proposals::record::{self, Proposal, Status},
    removal,
    roster::{is_player, player, players},
    stats::called,
};
use kernel::{
    Act, Asked, Display, Game, Id, Instant, Mechanic, Num, Proposals, Refusal, Row, State,
    display::{Bars, Block, Document, Offer, Picture, cells, counted},
    entry::Audience,
    viewer::Viewer,
    waiting::{End, Waiting, Wants},
};
use kit::{args::Cast, ballot, docket::Numbered};

// ---- the mechanic

/// Voting as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let cast = Act::new("vote", |Cast { on, vote: said }, d: &mut D<'_>| vote(&on, &said, d));
    let sure = |state: &State<Spacenomic>, asked: Asked<'_>| {
        let (number, vote) = asked.rest.split_once('/').unwrap_or((asked.rest, ""));
        sure(state, number, vote, asked.viewer)
    };
    Mechanic::new("voting")
        .table::<Vote>()
        .act(
            cast.by(Thing::Voting.word())
                .player()
                .public("vote 3 1/2")
                .unsaid("on", |d| Some(record::only(d).ok()?.number)),
        )
        .display(Display::of("vote", sure).fits(|parts| parts > 1))
        .display(Display::of("dryrun", |state: &State<Spacenomic>, asked| foreseen(state, &asked.words())))
        .proposals(Proposals { waiting, passed })
        .settle(settle)
        .differs(|before, after| forgone(before, after).into_iter().collect())
        .waits(waits)
}

// ---- state

/// A vote that was cast: final (S26).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Vote {
    vote: Num,
}

impl Row<Spacenomic> for Vote {
    type Key = (u64, Id);
    const TABLE: &'static str = "votes";

    fn told((on, voter): &(u64, Id), _: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        let name = called(state, voter);
        match is {
            Some(is) => format!("{name} on Proposal {on}: {}", is.vote),
            None => format!("the vote of {name} on Proposal {on} is taken back"),
        }
    }
}

/// The votes on a proposal.
fn votes<'s>(state: &'s State<Spacenomic>, proposal: &Proposal) -> impl Iterator<Item = (&'s Id, &'s Num)> + use<'s> {
    ballot::on(state.rows::<Vote>(), proposal.number).map(|(voter, row)| (voter, &row.vote))
}

/// The vote of somebody on a proposal.
fn vote_of<'s>(state: &'s State<Spacenomic>, proposal: &Proposal, voter: &Id) -> Option<&'s Num> {
    state.row::<Vote>(&(proposal.number, voter.clone())).map(|row| &row.vote)
}

/// Whether somebody voted on a proposal.
pub(super) fn has_voted(state: &State<Spacenomic>, proposal: &Proposal, voter: &Id) -> bool {
    vote_of(state, proposal, voter).is_some()
}

/// What the votes on a proposal come to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Count {
    /// The sum of all votes cast, those of players since departed too (S29).
    sum: Num,
    /// The active players who have not voted.
    missing: u64,
}

/// What the test says of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passes,
    Fails,
    Waits,
}

/// The test (S28): whether the votes that are missing could still make a difference.
fn verdict(count: &Count, (least, most): &(Num, Num)) -> Verdict {
    let missing = Num::from(i64::try_from(count.missing).unwrap_or(i64::MAX));
    let times = |vote: &Num| Num::from(missing.as_rational() * vote.as_rational());
    let zero = Num::default();
    if &count.sum + &times(least) > zero {
        Verdict::Passes
    } else if &count.sum + &times(most) <= zero {
        Verdict::Fails
    } else {
        Verdict::Waits
    }
}

fn count(state: &State<Spacenomic>, proposal: &Proposal) -> Count {
    let sum = votes(state, proposal).fold(Num::default(), |sum, (_, vote)| &sum + vote);
    let active = players(state).filter(|player| activity::is_active(state, player));
    let missing = ballot::missing(state.rows::<Vote>(), &proposal.number, active);
    Count { sum, missing }
}

/// The active players who have not voted on a proposal, until it expires.
fn waits(state: &State<Spacenomic>) -> Vec<Waiting> {
    let wait = |proposal: &Proposal| {
        let missing = |player: &&Id| activity::is_active(state, player) && vote_of(state, proposal, player).is_none();
        Waiting {
            display: format!("proposal/{}", proposal.number),
            label: record::label(proposal),
            line: format!("show proposal {}", proposal.number),
            until: expiry::expires(state, proposal).map_or(End::Never, End::At),
            of: players(state).filter(missing).cloned().collect(),
            wants: Wants::Votes,
            cast: votes(state, proposal).map(|(voter, vote)| (voter.clone(), vote.to_string())).collect(),
        }
    };
    record::extant(state).map(wait).collect()
}

/// What a range of votes leaves nothing to decide for, where it did not before. No vote could stop it, or none could
/// bring about anything, this range included (S28).
fn forgone(before: &State<Spacenomic>, after: &State<Spacenomic>) -> Option<String> {
    let said = |state: &State<Spacenomic>| {
        let (least, most) = vote_range(&state.rules)?;
        let zero = Num::default();
        if most <= zero {
            Some(
                "no vote is above zero, so that every proposal fails in the instant in which it is made. That is at its maker's cost, and is so of another range, too",
            )
        } else if least > zero {
            Some("every vote is above zero, so that every proposal passes in the instant in which it is made")
        } else {
            None
        }
    };
    said(after).filter(|now| said(before) != Some(now)).map(str::to_owned)
}

// ---- decide

/// A player votes (S25 to S27).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, for what is no number in the range, on what does not exist, and a
/// second time.
fn vote(on: &[u64], words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let on = match on {
        [only] => *only,
        [] => record::only(d)?.number,
        _ => {
            let say = "a vote is final, and on one proposal at a time";
            return Err(Refusal::new(say).by(Thing::Voting.rule(&d.rules)).instead("vote 3 1/2"));
        }
    };
    let proposal = record::open(d, on)?.clone();
    let on = proposal.number;
    let vote = may(d, &proposal, &me, words)?;
    d.put(&(on, me.clone()), Vote { vote: vote.clone() });
    activity::acted(d, &me);
    let (name, label) = (called(d, &me), record::label(&proposal));
    d.say(Audience::Public, proposal.about(Document::say(format!("{name} votes {vote} on {label}."))));
    let with = json!({ "by": me, "proposal": on, "vote": { "exact": vote.to_string() } });
    Spacenomic::mechanics().happened(hosting::VOTED, &with, d);
    Ok(Document::say(format!("Your vote on {label} is {vote}. It is final.")))
}

/// The vote that some words are, where a player may cast it (S25, S26).
fn may(state: &State<Spacenomic>, proposal: &Proposal, me: &Id, words: &str) -> Result<Num, Refusal> {
    let (by, on) = (Thing::Voting.rule(&state.rules), proposal.number);
    let Some((least, most)) = vote_range(&state.rules) else {
        return Err(Refusal::new("the rules give no range for votes, so nobody can vote").by(by).instead("rules"));
    };
    let vote: Num = words.parse().map_err(|why: kernel::number::NotANumber| {
        Refusal::new(format!("a vote is a number from {least} to {most}: {why}"))
            .by(by.clone())
            .instead(format!("vote {on} 1/2"))
    })?;
    if let Some(cast) = vote_of(state, proposal, me) {
        let say = format!("you voted {cast} on {}, and a vote is final", record::label(proposal));
        return Err(Refusal::new(say).by(by).instead("show ballot"));
    }
    if vote < least || vote > most {
        let rule = range_rule(&state.rules, if vote < least { &VOTE_MIN } else { &VOTE_MAX });
        let by = rule.map_or(by, |rule| format!("Rule {}, {}", rule.number(), rule.label()));
        return Err(Refusal::new(format!("a vote is a number from {least} to {most}, and {vote} is none"))
            .by(by)
            .instead(format!("vote {on} 1/2")));
    }
    Ok(vote)
}

/// Decides the oldest proposal that the votes decide, if there is one (S29).
fn settle(d: &mut D<'_>) -> bool {
    if !Thing::Voting.is_in(&d.rules) {
        return false;
    }
    // Accusations and removals of one instant go before what they decide (X1).
    if activity::dues(d).into_iter().chain(removal::dues(d)).any(|due| due.at <= d.at) {
        return false;
    }
    let Some(range) = vote_range(&d.rules) else { return false };
    let decided = record::extant(d).find_map(|proposal| match verdict(&count(d, proposal), &range) {
        Verdict::Waits => None,
        verdict => Some((proposal.clone(), verdict)),
    });
    let Some((proposal, verdict)) = decided else { return false };
    match verdict {
        Verdict::Passes => pass(d, &proposal),
        _ => d.carrying_out(record::label(&proposal), |d| decide(d, &proposal, None)),
    }
    true
}

/// A proposal passes, and its directives are done.
fn pass(d: &mut D<'_>, proposal: &Proposal) {
    passes(d, proposal, &mut |d| effects::carry_out(d, &proposal.body, Some(&proposal.post), &record::label(proposal)));
}

/// The same with what is done for its directives.
fn passes(d: &mut D<'_>, proposal: &Proposal, carries: Carries<'_>) {
    d.carrying_out(record::label(proposal), |d| decide(d, proposal, Some(carries)));
}

/// Does what a proposal says, and says so.
type Carries<'c> = &'c mut dyn FnMut(&mut D<'_>) -> Vec<Block>;

/// A proposal passes where something carries it out, or fails, is destroyed, and everybody is paid (S30, S31, S73,
/// S74).
fn decide(d: &mut D<'_>, proposal: &Proposal, carries: Option<Carries<'_>>) {
    let (label, sum, passed) = (record::label(proposal), count(d, proposal).sum, carries.is_some());
    let word = if passed { "passes" } else { "fails" };
    let mut document = Document::say(format!("{label} {word}: the votes sum up to {sum}."));
    let (at, done) = (d.at, carries.map(|carries| carries(d)).unwrap_or_default());
    record::ends(d, proposal.number, if passed { Status::Passed(at) } else { Status::Failed(at) });
    // What is paid comes first: where a channel cuts a long text, it cuts what stands in the proposal anyhow.
    let voters: Vec<Id> = votes(d, proposal).map(|(voter, _)| voter.clone()).collect();
    for line in pay::settle_up(d, &proposal.maker, &voters, passed) {
        document = document.para(line);
    }
    document.blocks.extend(done);
    d.say(Audience::Public, proposal.about(document));
    hosting::of_proposal(d, if passed { hosting::PASSED } else { hosting::FAILED }, proposal);
}

// ---- beforehand

/// The proposals that exist, with their texts.
fn waiting(state: &State<Spacenomic>) -> Vec<(u64, String)> {
    record::extant(state).map(|proposal| (proposal.number, proposal.body.to_string())).collect()
}

/// The room as it would be if a proposal passed now.
fn passed(state: &State<Spacenomic>, number: u64) -> Result<State<Spacenomic>, Refusal> {
    let proposal = record::need(state, number)?;
    kit::effects::passed(state, |d| {
        pass(d, proposal);
        Ok(())
    })
}

/// What a proposal would do if it passed now; of one that is decided what its text would do.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that cannot be read.
pub(super) fn foresee(d: &State<Spacenomic>, proposal: &Proposal, at: Instant) -> Result<Document, Refusal> {
    let passing = |d: &mut D<'_>, does: &mut dyn FnMut(&mut D<'_>)| match proposal.status {
        Status::Extant => passes(d, proposal, &mut |d| {
            does(d);
            Vec::new()
        }),
        _ => does(d),
    };
    effects::tried(d, proposal, at, &passing)
}

/// The same, for everybody who asks.
fn foreseen(state: &State<Spacenomic>, words: &str) -> Result<Document, Refusal> {
    let proposal = record::by_name(state, words)?;
    let mut document = foresee(state, proposal, state.at)?;
    document.id = format!("dryrun/{}", proposal.number);
    document.title = format!("What {} would do now", record::label(proposal));
    Ok(document)
}

// ---- display

/// Asks whoever would vote by one touch whether e means it: a vote is final (S26).
///
/// # Errors
///
/// A [`Refusal`] where such a vote could not be cast.
fn sure(state: &State<Spacenomic>, number: &str, vote: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let proposal = record::open(state, record::by_name(state, number)?.number)?;
    let me = viewer.seat.as_ref().filter(|seat| is_player(state, seat));
    let me = me.ok_or_else(|| Refusal::new("only players vote, and you are none").instead("join NAME"))?;
    let vote = may(state, proposal, me, vote)?;
    let say = format!("A vote is final. Do you vote {vote} on {}?", record::label(proposal));
    let mut document = Document::say(say);
    let line = format!("vote {} {vote}", proposal.number);
    document.offers = vec![Offer::new(format!("Vote {vote}"), line, state.seq)];
    Ok(document)
}

/// How a proposal stands: what the votes come to, and how many are missing.
pub(super) fn standing(state: &State<Spacenomic>, proposal: &Proposal) -> String {
    if proposal.status != Status::Extant {
        return record::status(proposal);
    }
    let Count { sum, missing } = count(state, proposal);
    match missing {
        1 => format!("sum {sum}, 1 active player has not voted"),
        missing => format!("sum {sum}, {missing} active players have not voted"),
    }
}

/// What is still needed of a proposal that waits, as votes at either end of the range.
fn needed(Count { sum, missing }: &Count, range: &(Num, Num)) -> Option<String> {
    let (least, most) = range;
    let comes_to = |votes: u64, vote: &Num, verdict_is: Verdict| {
        let sum = (0..votes).fold(sum.clone(), |sum, _| &sum + vote);
        verdict(&Count { sum, missing: missing - votes }, range) == verdict_is
    };
    let votes = |vote: &Num, verdict: Verdict| {
        let count = (1..=*missing).find(|votes| comes_to(*votes, vote, verdict))?;
        Some(format!("{count} more vote{} of {vote}", if count == 1 { "" } else { "s" }))
    };
    let (passes, fails) = (votes(most, Verdict::Passes)?, votes(least, Verdict::Fails)?);
    Some(format!("It passes with {passes}, and fails with {fails}."))
}

/// How many voters a proposal has, how many of them have voted, and what is still needed.
pub(super) fn ahead(state: &State<Spacenomic>, proposal: &Proposal) -> String {
    let Some(range) = vote_range(&state.rules).filter(|_| Thing::Voting.is_in(&state.rules)) else {
        return "As the rules read, nobody can vote.".to_owned();
    };
    let (cast, count) = (votes(state, proposal).count(), count(state, proposal));
    let voters = usize::try_from(count.missing).unwrap_or(usize::MAX).saturating_add(cast);
    let needed = needed(&count, &range).map_or_else(String::new, |needed| format!(" {needed}"));
    format!("{}, {} cast.{needed}", counted(voters, "voter"), counted(cast, "vote"))
}

/// How many voted what, as bars, the highest vote first.
pub(super) fn bars(state: &State<Spacenomic>, proposal: &Proposal) -> Block {
    let mut counts: BTreeMap<&Num, u64> = BTreeMap::new();
    for (_, vote) in votes(state, proposal) {
        *counts.entry(vote).or_default() += 1;
    }
    let cast = counts.into_iter().rev().map(|(vote, count)| (vote.to_string(), count));
    let bars = cast.chain([("not yet".to_owned(), count(state, proposal).missing)]).collect();
    Block::Picture(Picture::Bars(Bars { bars, needed: None }))
}

/// The votes on a proposal.
pub(super) fn show(state: &State<Spacenomic>, proposal: &Proposal) -> Option<Block> {
    let row = |(voter, vote): (&Id, &Num)| cells![called(state, voter), vote];
    Block::table_if_any(["voter", "vote"], votes(state, proposal).map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(votes: &[&str], missing: u64, range: (i64, i64)) -> Verdict {
        let sum = votes.iter().fold(Num::default(), |sum, vote| &sum + &vote.parse().unwrap());
        verdict(&Count { sum, missing }, &(range.0.into(), range.1.into()))
    }

    /// E1: five active players, votes from -1 to 1.
    #[test]
    fn e1_the_worked_votes_come_out() {
        use Verdict::{Fails, Passes, Waits};
        for (votes, missing, expected) in [
            (&["1"][..], 4, Waits),
            (&["1", "1"], 3, Waits),
            (&["1", "1"], 2, Waits),
            (&["1", "1"], 1, Passes),
            (&["1", "1", "0"], 2, Waits),
            (&["1", "1", "1/2"], 2, Passes),
            (&["-1", "-1"], 3, Waits),
            (&["-1", "-1", "0"], 2, Fails),
            (&["1", "1/403", "0", "0"], 1, Passes),
            (&["1/10", "1/5", "-3/10", "0", "0"], 0, Fails),
            (&[], 0, Fails),
        ] {
            assert_eq!(say(votes, missing, (-1, 1)), expected, "{votes:?}, {missing} missing");
        }
    }

    /// S28: with so many votes more, and no fewer, the test is over.
    #[test]
    fn s28_what_is_needed_is_said() {
        let range = (Num::from(-1), Num::from(1));
        let say = |sum: &str, missing| needed(&Count { sum: sum.parse().unwrap(), missing }, &range);
        for (sum, missing, passes, fails) in [("2", 3, 1, 3), ("0", 3, 2, 2), ("1/2", 1, 1, 1), ("-1", 5, 4, 2)] {
            let votes =
                |count: u64, vote: &str| format!("{count} more vote{} of {vote}", if count == 1 { "" } else { "s" });
            let expected = format!("It passes with {}, and fails with {}.", votes(passes, "1"), votes(fails, "-1"));
            assert_eq!(say(sum, missing), Some(expected), "{sum}, {missing} missing");
        }
    }

    /// S28: other ranges shift both ends.
    #[test]
    fn s28_other_ranges_decide_otherwise() {
        assert_eq!(say(&["1/1000"], 9, (0, 1)), Verdict::Passes);
        assert_eq!(say(&[], 9, (0, 1)), Verdict::Waits);
        assert_eq!(say(&[], 9, (-1, 0)), Verdict::Fails);
    }

    proptest::proptest! {
        /// S28: the test is what trying the missing votes at both ends says.
        #[test]
        fn s28_the_test_is_what_the_rule_says(cast in proptest::collection::vec(-6_i64..=6, 0..6), missing in 0_u64..5, ends in (-6_i64..=6, 0_i64..=6)) {
            let range = (ends.0, ends.0 + ends.1);
            let sum: i64 = cast.iter().sum();
            let all = |vote: i64| sum + vote * i64::try_from(missing).unwrap();
            let expected = if all(range.0) > 0 { Verdict::Passes } else if all(range.1) <= 0 { Verdict::Fails } else { Verdict::Waits };
            let count = Count { sum: sum.into(), missing };
            proptest::prop_assert_eq!(verdict(&count, &(range.0.into(), range.1.into())), expected);
        }
    }
}
