//! Votes on proposals (4E15, 4E20): who votes, which words count, which vote is final.
//!
//! Absent: what the votes lead to (`tally`, `passing`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, Instant, Refusal, State,
    display::{Block, Cell, Document},
    emit,
    figures::BETRAYAL_FINE,
    law::{Thing, established},
    passing,
    proposals::{self, Status},
    public, society,
    stats::called,
};
use crate::catalogue::spread;

// ---- state

/// All votes, by proposal and by voter: of each voter the latest (B15.13).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Votes {
    cast: OrdMap<Id, OrdMap<Id, Vote>>,
}

/// A vote that was cast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// What it says.
    pub(super) word: Word,
    /// When it was cast.
    pub(super) at: Instant,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The Final Votes of present Registered Voters on a proposal (B15.19).
pub(super) fn finals<'a>(state: &'a State<BNomic>, proposal: &Id) -> Vec<(&'a Id, Word)> {
    let Some(votes) = state.game.votes.cast.get(proposal) else { return Vec::new() };
    let voters = votes.iter().filter(|(voter, _)| society::is_voter(state, voter));
    voters.map(|(voter, vote)| (voter, vote.word)).collect()
}

/// Who voted on a proposal and is no Registered Voter.
pub(super) fn uncounted(state: &State<BNomic>, proposal: &Id) -> Vec<Id> {
    let Some(votes) = state.game.votes.cast.get(proposal) else { return Vec::new() };
    votes.keys().filter(|voter| !society::is_voter(state, voter)).cloned().collect()
}

// ---- facts

/// What happens to votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A vote was cast, or taken back by an undo.
    Cast {
        /// On which proposal.
        proposal: Id,
        /// Whose.
        voter: Id,
        /// The vote.
        to: Option<Vote>,
        /// The latest one before it.
        was: Option<Vote>,
    },
}

// ---- decide

/// A Registered Voter votes on an Open proposal (B15.12, B15.17).
///
/// # Errors
///
/// A [`Refusal`] for whoever has no vote, on what is not Open, and for a word that is no vote: an earlier vote stands.
pub(super) fn vote(on: &[u64], words: &[String], d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Proposals)?;
    established(&d.rules, Thing::Suffrage)?;
    let me = society::player(d)?;
    public(d, "vote 3 FOR")?;
    let (on, word) = said(on, words).map_err(|why| why.by(Thing::Proposals.rule(&d.rules)))?;
    let meant = meant(d, &on)?;
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

/// The numbers and the word of a vote. Votes that earlier versions set for later have their numbers among the words.
fn said(on: &[u64], words: &[String]) -> Result<(Vec<u64>, Word), Refusal> {
    let no_vote = || Refusal::new("a vote is FOR, AGAINST, ABSTAIN or SHELVE").instead("vote 3 FOR");
    let (mut numbers, mut word) = (on.to_vec(), None);
    for said in words {
        let vote = Word::ALL.into_iter().find(|vote| vote.word().eq_ignore_ascii_case(said));
        let range = || spread(said).map(|range| range.filter_map(|number| u64::try_from(number).ok()));
        match vote {
            Some(_) if word.is_some() => return Err(no_vote()),
            Some(vote) => word = Some(vote),
            None => match (said.trim_matches([',', '#']).parse(), range()) {
                (Ok(number), _) => numbers.push(number),
                (Err(_), Some(range)) => numbers.extend(range),
                (Err(_), None) => return Err(no_vote()),
            },
        }
    }
    word.map(|word| (numbers, word)).ok_or_else(no_vote)
}

/// Whether all that a vote says can be cast: in a transaction nothing happens by half (B12.3).
///
/// # Errors
///
/// The first [`Refusal`] among them.
pub(super) fn all_can_be_cast(on: &[u64], words: &[String], d: &D<'_>) -> Result<(), Refusal> {
    meant(d, &said(on, words)?.0)?.into_iter().try_for_each(|proposal| is_open(d, &proposal?))
}

fn is_open(d: &D<'_>, proposal: &Id) -> Result<(), Refusal> {
    let status = proposals::status(d, proposal);
    if status == Status::Open {
        return Ok(());
    }
    let say = format!("{} is {}: only Open proposals are voted on", proposals::label(d, proposal), status.word());
    Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show ballot"))
}

/// Casts a vote on a proposal.
fn cast(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) -> Result<Document, Refusal> {
    is_open(d, proposal)?;
    let was = d.game.votes.cast.get(proposal).and_then(|votes| votes.get(me)).cloned();
    let to = Some(Vote { word, at: d.at });
    emit(d, Fact::Cast { proposal: proposal.clone(), voter: me.clone(), to, was: was.clone() });
    society::voted(d, me);
    let (name, label) = (called(d, me), proposals::label(d, proposal));
    let instead = was.map_or_else(String::new, |was| format!(", after {}", was.word.word()));
    let document = Document::say(format!("{name} votes {} on {label}{instead}.", word.word()));
    let document = proposals::about(d, proposal, document);
    d.say(crate::kernel::entry::Audience::Public, document);
    betrayal(d, me, proposal, word);
    Ok(Document::say(format!("Your vote on {label} is {}.", word.word())))
}

/// A vote AGAINST a Twin's proposal is a Felony; it is for a court to fine it (B15.14).
fn betrayal(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) {
    let Some(author) = proposals::author(d, proposal) else { return };
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
        return Ok(numbers.iter().map(|number| proposals::need(d, *number)).collect());
    }
    match &proposals::all(d, Status::Open)[..] {
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
    let open = proposals::all(state, Status::Open);
    let mut called = open.iter().filter(|proposal| proposals::is_called(state, proposal, title.trim()));
    let only = called.next().filter(|_| called.next().is_none());
    only.and_then(|only| u64::try_from(proposals::number(state, only)).ok()).ok_or_else(|| {
        let shown: String = title.chars().take(SHOWN_MAX_CHARS).collect();
        Refusal::new(format!("no Open Proposal is called “{shown}”")).instead("show ballot")
    })
}

/// Characters of a title that a refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;

/// A proposal gets another text: no vote on the former one counts for it. Whether there were any.
pub(super) fn annul(d: &mut D<'_>, proposal: &Id) -> bool {
    let votes = d.game.votes.cast.get(proposal).cloned().unwrap_or_default();
    for (voter, was) in &votes {
        emit(d, Fact::Cast { proposal: proposal.clone(), voter: voter.clone(), to: None, was: Some(was.clone()) });
    }
    !votes.is_empty()
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact) {
    let Fact::Cast { proposal, voter, to, .. } = fact;
    let votes = game.votes.cast.entry(proposal.clone()).or_default();
    match to {
        Some(vote) => votes.insert(voter.clone(), vote.clone()),
        None => votes.remove(voter),
    };
}

/// What came between, as a clause, where a fact is not what holds any more: then it cannot be taken back alone.
pub(super) fn moved_on(fact: &Fact, state: &State<BNomic>) -> Option<String> {
    let Fact::Cast { proposal, voter, to, .. } = fact;
    let (name, label) = (called(state, voter), proposals::label(state, proposal));
    if passing::is_counted(state, proposal) {
        return Some(format!("{label} was counted since"));
    }
    let now = state.game.votes.cast.get(proposal).and_then(|votes| votes.get(voter));
    (now != to.as_ref()).then(|| format!("{name} voted on {label} again since"))
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Cast { proposal, voter, to, was } = fact.clone();
    Fact::Cast { proposal, voter, to: was, was: to }
}

// ---- display

/// The votes on a proposal.
pub(super) fn show(state: &State<BNomic>, proposal: &Id) -> Vec<Block> {
    let Some(votes) = state.game.votes.cast.get(proposal).filter(|votes| !votes.is_empty()) else { return Vec::new() };
    let row = |(voter, vote): (&Id, &Vote)| {
        let counts = if passing::counts(state, proposal, voter) { "" } else { "no Registered Voter" };
        vec![Cell::new(called(state, voter)), Cell::new(vote.word.word()), Cell::new(counts)]
    };
    let head = ["voter", "Final Vote", ""].map(str::to_owned).to_vec();
    vec![Block::Table { head, rows: votes.iter().map(row).collect() }]
}
