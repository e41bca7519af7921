//! Votes on proposals (4E15, 4E20): who votes, which words count, which vote is final.
//!
//! The votes are counted in `tally` and lead to `passing`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    activity,
    clock::hands,
    figures::{BETRAYAL_FINE, FINAL_VOTE, FIRST_VOTE},
    game::{BNomic, D},
    happenings,
    law::Thing,
    passing,
    proposals::status::{self, Status},
    society::{self, players},
    stats::called,
};
use kernel::{
    Act, Id, Instant, Mechanic, Refusal, State,
    display::{Bars, Block, Document, Picture, cells},
    table::Row,
    waiting::{End, Waiting, Wants},
};
use kit::{args::Cast, ballot};

/// The act.
pub(super) const VOTE: &str = "vote";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let only = |state: &State<BNomic>| match &status::all(state, Status::Open)[..] {
        [only] => u64::try_from(status::number(state, only)).ok(),
        _ => None,
    };
    let vote = Act::new(VOTE, |Cast { on, vote: word }, d| vote(&on, &word, d));
    let vote = vote.unsaid("on", move |d| only(d));
    Mechanic::new("voting")
        .table::<Vote>()
        .act(vote.by(Thing::Proposals.word()).by(Thing::Suffrage.word()).player().public("vote 3 FOR"))
        .waits(waits)
}

// ---- state

/// A vote that was cast: of each voter on a proposal the latest (B15.13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Vote {
    /// What it says.
    pub(super) word: Word,
    /// When it was cast.
    pub(super) at: Instant,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    For,
    Against,
    Abstain,
    Shelve,
}

impl Word {
    /// The words that are votes (B15.17).
    pub(super) const ALL: [Self; 4] = [Self::For, Self::Against, Self::Abstain, Self::Shelve];

    /// The word itself.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::For => "FOR",
            Self::Against => "AGAINST",
            Self::Abstain => "ABSTAIN",
            Self::Shelve => "SHELVE",
        }
    }
}

impl Row<BNomic> for Vote {
    type Key = (Id, Id);
    const TABLE: &'static str = "votes";

    fn told((on, voter): &(Id, Id), _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let (name, on) = (called(state, voter), status::label(state, on));
        match is {
            Some(vote) => format!("{name} on {on}: {}", vote.word.word()),
            None => format!("the vote of {name} on {on} does not stand any more"),
        }
    }
}

/// Most ndays ahead among which the end of a Voting Period is looked for.
const AHEAD_MAX_COUNT: usize = 400;

/// Who has not voted on what is Open. A Voting Period ends with its nweek (B15.11).
fn waits(state: &State<BNomic>) -> Vec<Waiting> {
    let now = hands::now(state);
    let next = hands::ahead(state).take(AHEAD_MAX_COUNT).find(|(moment, _)| moment.nweek != now.nweek);
    // While the Clock is Off, nobody knows.
    let until = next.and_then(|(_, begins)| begins).map_or(End::Unknown, End::At);
    let wait = |proposal: Id| {
        let missing =
            |voter: &&Id| players::is_voter(state, voter) && !on(state, &proposal).any(|(other, _)| other == *voter);
        Waiting {
            display: proposal.to_string(),
            label: status::label(state, &proposal),
            line: format!("show proposal {}", status::number(state, &proposal)),
            until,
            of: players::players(state).filter(missing).cloned().collect(),
            wants: Wants::Votes,
            cast: on(state, &proposal).map(|(voter, vote)| (voter.clone(), vote.word.word().to_owned())).collect(),
        }
    };
    status::all(state, Status::Open).into_iter().map(wait).collect()
}

/// All votes, each with its proposal and its voter.
pub(super) fn all(state: &State<BNomic>) -> impl Iterator<Item = (&Id, &Id, &'static str)> {
    state.rows::<Vote>().iter().map(|((on, voter), vote)| (on, voter, vote.word.word()))
}

/// The votes on a proposal, by voter.
fn on<'a>(state: &'a State<BNomic>, proposal: &Id) -> impl Iterator<Item = (&'a Id, &'a Vote)> {
    ballot::on(state.rows::<Vote>(), proposal.clone())
}

/// The Final Votes of present Registered Voters on a proposal (B15.19).
pub(super) fn finals<'a>(state: &'a State<BNomic>, proposal: &Id) -> Vec<(&'a Id, Word)> {
    let voters = on(state, proposal).filter(|(voter, _)| players::is_voter(state, voter));
    voters.map(|(voter, vote)| (voter, vote.word)).collect()
}

/// Who voted on a proposal and is no Registered Voter.
pub(super) fn uncounted(state: &State<BNomic>, proposal: &Id) -> Vec<Id> {
    on(state, proposal).map(|(voter, _)| voter).filter(|voter| !players::is_voter(state, voter)).cloned().collect()
}

// ---- decide

/// A Registered Voter votes on an Open proposal (B15.12, B15.17).
///
/// # Errors
///
/// A [`Refusal`] for whoever has no vote, on what is not Open, and for a word that is no vote: an earlier vote stands.
fn vote(on: &[u64], word: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let word = Word::ALL.into_iter().find(|vote| vote.word().eq_ignore_ascii_case(word)).ok_or_else(|| {
        let say = "a vote is FOR, AGAINST, ABSTAIN or SHELVE";
        Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("vote 3 FOR")
    })?;
    let meant = meant(d, on)?;
    let (mut reply, mut refused) = (Document::default(), Vec::new());
    for proposal in meant {
        match proposal.and_then(|proposal| cast(d, &me, &proposal, word)) {
            Ok(said) => reply.blocks.extend(said.blocks),
            Err(why) => refused.push(why),
        }
    }
    // One that cannot be cast does not stop the others (B7.4).
    match refused.first() {
        Some(why) if reply.blocks.is_empty() => Err(why.clone()),
        _ => {
            let not = |reply: Document, why: Refusal| {
                reply.para(format!("Not that, and the rest is done: {}.", why.say.trim_end_matches('.')))
            };
            Ok(refused.into_iter().fold(reply, not))
        }
    }
}

/// Whether all that a vote says can be cast: in a transaction nothing happens by half (B12.3).
///
/// # Errors
///
/// The first [`Refusal`] among them.
pub(super) fn all_can_be_cast(args: &Json, d: &D<'_>) -> Result<(), Refusal> {
    // What cannot be read is no vote, and refused as an act.
    let Ok(Cast { on, .. }) = Cast::deserialize(args) else { return Ok(()) };
    meant(d, &on)?.into_iter().try_for_each(|proposal| is_open(d, &proposal?))
}

fn is_open(d: &D<'_>, proposal: &Id) -> Result<(), Refusal> {
    let status = status::status(d, proposal);
    if status == Status::Open {
        return Ok(());
    }
    let say = format!("{} is {}: only Open proposals are voted on", status::label(d, proposal), status.word());
    Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show ballot"))
}

/// Casts a vote on a proposal.
fn cast(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) -> Result<Document, Refusal> {
    is_open(d, proposal)?;
    let key = (proposal.clone(), me.clone());
    let was = d.rows::<Vote>().get(&key).map(|vote| vote.word);
    if let (Some(was), FIRST_VOTE) = (was, d.rules.wording(&FINAL_VOTE)) {
        let say = format!("you voted {} on {}, and the first Vote is final", was.word(), status::label(d, proposal));
        return Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show ballot"));
    }
    d.put(&key, Vote { word, at: d.at });
    activity::done::voted(d, me);
    let (name, label) = (called(d, me), status::label(d, proposal));
    let instead = was.map_or_else(String::new, |was| format!(", after {}", was.word()));
    let document = Document::say(format!("{name} votes {} on {label}{instead}.", word.word()));
    let document = status::about(d, proposal, document);
    d.say(kernel::entry::Audience::Public, document);
    betrayal(d, me, proposal, word);
    happenings::voted(d, me, proposal, word.word());
    Ok(Document::say(format!("Your vote on {label} is {}.", word.word())))
}

/// A vote AGAINST a Twin's proposal is a Felony; it is for a court to fine it (B15.14).
fn betrayal(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) {
    let Some(author) = status::author(d, proposal) else { return };
    if word != Word::Against || !society::are_twins(d, me, &author) {
        return;
    }
    let fine = d.rules.need(&BETRAYAL_FINE).map_or_else(|_| String::new(), |fine| format!("; the fine is m{fine}"));
    let (name, theirs) = (called(d, me), called(d, &author));
    d.tell_all(format!("{name} is the Twin of {theirs}: that vote is Blood Betrayal, a Felony{fine}."));
}

/// The proposals that a vote is on: those named, each or why not, or the only one that is Open.
fn meant(d: &D<'_>, numbers: &[u64]) -> Result<Vec<Result<Id, Refusal>>, Refusal> {
    if !numbers.is_empty() {
        return Ok(numbers.iter().map(|number| status::need(d, *number)).collect());
    }
    match &status::all(d, Status::Open)[..] {
        [only] => Ok(vec![Ok(only.clone())]),
        [] => Err(Refusal::new("nothing is Open").by(Thing::Proposals.rule(&d.rules)).instead("show ballot")),
        _ => Err(Refusal::new("several proposals are Open; say the number of yours").instead("vote 3 FOR")),
    }
}

/// The number of the one Open Proposal that is called so.
///
/// # Errors
///
/// A [`Refusal`] where none is, or several are.
pub(super) fn titled(state: &State<BNomic>, title: &str) -> Result<u64, Refusal> {
    let open = status::all(state, Status::Open);
    let mut called = open.iter().filter(|proposal| status::is_called(state, proposal, title.trim()));
    let only = called.next().filter(|_| called.next().is_none());
    only.and_then(|only| u64::try_from(status::number(state, only)).ok()).ok_or_else(|| {
        let shown: String = title.chars().take(SHOWN_MAX_CHARS).collect();
        Refusal::new(format!("no Open Proposal is called “{shown}”")).instead("show ballot")
    })
}

/// Characters of a title that a refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;

/// A proposal gets another text: no vote on the former one counts for it. Whether there were any.
pub(super) fn annul(d: &mut D<'_>, proposal: &Id) -> bool {
    ballot::clear::<_, _, Vote>(d, proposal)
}

// ---- display

/// The votes on a proposal.
pub(super) fn show(state: &State<BNomic>, proposal: &Id) -> Option<Block> {
    let row = |(voter, vote): (&Id, &Vote)| {
        let counts = if passing::counts(state, proposal, voter) { "" } else { "no Registered Voter" };
        cells![called(state, voter), vote.word.word(), counts]
    };
    Block::table_if_any(["voter", "Final Vote", ""], on(state, proposal).map(row))
}

/// How many Registered Voters have which Final Vote, as bars; nothing before somebody voted.
pub(super) fn bars(state: &State<BNomic>, proposal: &Id) -> Option<Block> {
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (_, vote) in on(state, proposal).filter(|(voter, _)| passing::counts(state, proposal, voter)) {
        *counts.entry(vote.word.word()).or_default() += 1;
    }
    let bars: Vec<_> = counts.into_iter().rev().map(|(word, count)| (word.to_owned(), count)).collect();
    (!bars.is_empty()).then_some(Block::Picture(Picture::Bars(Bars { bars, needed: None })))
}
