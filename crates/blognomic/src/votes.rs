//! Votes: what is voted on, who voted how, and what plain votes come to.
//!
//! Proposals, annulments and nominations keep their votes in one table, by [`Question`]. Of each voter
//! the latest on each question stands, and only current Robots' count (N23, N29).

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::{
    game::{BlogNomic, D},
    roster,
};
use kernel::{Id, Instant, Num, Refusal, State, display::counted, table::Row};
use kit::ballot;

// ---- state

/// What is voted on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    /// A Proposal.
    Proposal(u64),
    /// Whether the veto of a Proposal is annulled.
    Annulment(u64),
    /// Whether somebody becomes Control Unit.
    Nomination(Id),
}

impl Question {
    /// As it is called in a sentence.
    fn words(&self, state: &State<BlogNomic>) -> String {
        match self {
            Self::Proposal(number) => format!("Proposal {number}"),
            Self::Annulment(number) => format!("annulling the veto of Proposal {number}"),
            Self::Nomination(nominee) => format!("{} as Control Unit", state.frame.name_of(nominee)),
        }
    }
}

/// A vote that was cast: of each voter the latest on each question (N29).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Vote {
    /// What it says.
    pub(super) choice: Choice,
    /// Whether it is a vote FOR that is marked Trivial (N28).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) trivial: bool,
    /// When it was cast.
    pub(super) at: Instant,
    /// The revision of the text that it was cast on.
    pub(super) revision: usize,
    /// Whether it lapsed: the Control Unit cannot have voted DEFERENTIAL before it became so (N127).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) void: bool,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Choice {
    /// A ticked box.
    For,
    /// An X.
    Against,
    /// An I: as the Control Unit votes.
    Deferential,
}

impl Choice {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::For => "FOR",
            Self::Against => "AGAINST",
            Self::Deferential => "DEFERENTIAL",
        }
    }
}

impl Vote {
    /// The vote with its mark.
    pub(super) fn words(&self) -> String {
        format!("{}{}", self.choice.word(), if self.trivial { ", Trivial" } else { "" })
    }
}

impl Row<BlogNomic> for Vote {
    type Key = (Question, Id);
    const TABLE: &'static str = "votes";

    fn told(
        (question, robot): &(Question, Id),
        _was: Option<&Self>,
        is: Option<&Self>,
        state: &State<BlogNomic>,
    ) -> String {
        let (name, question) = (state.frame.name_of(robot), question.words(state));
        match is {
            Some(vote) => format!("{name} on {question}: {}", vote.words()),
            None => format!("the vote of {name} on {question} does not stand any more"),
        }
    }
}

/// Somebody's latest vote on something.
pub(super) fn of<'a>(state: &'a State<BlogNomic>, on: &Question, robot: &Id) -> Option<&'a Vote> {
    state.row(&(on.clone(), robot.clone()))
}

/// All votes on something, by voter.
pub(super) fn on(state: &State<BlogNomic>, on: Question) -> impl Iterator<Item = (&Id, &Vote)> {
    ballot::on(state.rows::<Vote>(), on)
}

/// Who voted on something, and how, in a word.
pub(super) fn cast_on(state: &State<BlogNomic>, question: Question) -> Vec<(Id, String)> {
    on(state, question).map(|(robot, vote)| (robot.clone(), vote.words())).collect()
}

/// How many current Robots' latest votes on something say so.
pub(super) fn count(state: &State<BlogNomic>, question: Question, choice: Choice) -> u64 {
    ballot::count(state.rows::<Vote>(), question, |robot, vote| {
        vote.choice == choice && roster::is_current(state, robot)
    })
}

/// Whether some votes are more than a percentage of all.
pub(super) fn is_beyond(some: u64, all: u64, percent: &Num) -> bool {
    let (some, all) = (BigRational::from_integer(some.into()), BigRational::from_integer(all.into()));
    some * BigRational::from_integer(100.into()) > all * percent.as_rational()
}

/// How plain votes stand, in a few words.
pub(super) fn score(state: &State<BlogNomic>, on: &Question) -> String {
    let count = |choice| self::count(state, on.clone(), choice);
    let robots = counted(roster::count(state), "Robot");
    format!("{} FOR, {} AGAINST of {robots}", count(Choice::For), count(Choice::Against))
}

// ---- changes

/// Puts a vote in the place of an earlier one of that Robot, and on record (N16).
pub(super) fn cast(d: &mut D<'_>, on: Question, robot: &Id, vote: Vote) {
    d.put(&(on, robot.clone()), vote);
    roster::voted(d, robot);
}

/// A vote that is FOR or AGAINST and nothing else (N50, N100, N104).
pub(super) fn cast_plain(d: &mut D<'_>, on: Question, robot: &Id, choice: Choice) {
    let vote = Vote { choice, trivial: false, at: d.at, revision: 0, void: false };
    cast(d, on, robot, vote);
}

/// Takes all votes off a question that is closed.
pub(super) fn close(d: &mut D<'_>, question: Question) {
    ballot::clear::<_, _, Vote>(d, &question);
}

// ---- words

/// Reads a vote (N22).
///
/// # Errors
///
/// A [`Refusal`] that lists the votes: anything else is none.
pub(super) fn read(text: &str) -> Result<Choice, Refusal> {
    let all = [Choice::For, Choice::Against, Choice::Deferential];
    all.into_iter().find(|choice| choice.word().eq_ignore_ascii_case(text.trim())).ok_or_else(no_vote)
}

fn no_vote() -> Refusal {
    Refusal::new("a vote is FOR, FOR trivial, AGAINST or DEFERENTIAL").instead("vote 3 FOR")
}

/// A vote that is FOR or AGAINST and nothing else; else the line that helps is told.
pub(super) fn plain(said: &str, line: &str) -> Result<Choice, Refusal> {
    let plain = read(said).ok().filter(|choice| *choice != Choice::Deferential);
    plain.ok_or_else(|| Refusal::new("here a vote is FOR or AGAINST").instead(line))
}
