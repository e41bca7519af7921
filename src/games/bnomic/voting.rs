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
    proposals::{self, Status},
    public, society,
    stats::called,
};

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
pub(super) fn vote(on: Option<u64>, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Proposals)?;
    established(&d.rules, Thing::Suffrage)?;
    let me = society::player(d)?;
    public(d, "vote 3 FOR")?;
    let by = Thing::Proposals.rule(&d.rules);
    let (numbers, text) = numbered(on, text);
    let meant = meant(d, &numbers)?;
    let said = text.trim().trim_matches(['.', '!', '"', '“', '”', '*']);
    let Some(word) = Word::ALL.into_iter().find(|word| word.word().eq_ignore_ascii_case(said)) else {
        let before = meant.iter().find_map(|proposal| d.game.votes.cast.get(proposal)?.get(&me));
        let stands = before.map_or_else(String::new, |vote| format!("; your vote {} stands", vote.word.word()));
        let shown: String = said.chars().take(40).collect();
        return Err(Refusal::new(format!(
            "a vote is FOR, AGAINST, ABSTAIN or SHELVE, and “{shown}” is ignored{stands}"
        ))
        .by(by)
        .instead(format!("vote {} FOR", proposals::number(d, &meant[0]))));
    };
    let mut reply = Document::default();
    for proposal in &meant {
        reply.blocks.extend(cast(d, &me, proposal, word)?.blocks);
    }
    Ok(reply)
}

/// Casts a vote on a proposal.
fn cast(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) -> Result<Document, Refusal> {
    if proposals::status(d, proposal) != Status::Open {
        let say = format!(
            "{} is {}: only Open proposals are voted on",
            proposals::label(d, proposal),
            proposals::status(d, proposal).word()
        );
        return Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show ballot"));
    }
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

/// The numbers that stand among the words of a vote, each once, and the other words: `FOR on proposals 2, 3 and 5` (B7.3).
fn numbered(on: Option<u64>, text: &str) -> (Vec<u64>, String) {
    let number = |word: &str| {
        let digits = word.trim_matches(['#', ':', ',', '.']);
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>().ok()).flatten()
    };
    let mut numbers: Vec<u64> = on.into_iter().collect();
    for found in text.split_whitespace().filter_map(number) {
        if !numbers.contains(&found) {
            numbers.push(found);
        }
    }
    if numbers.is_empty() {
        return (numbers, text.to_owned());
    }
    let filler = |word: &str| {
        let word = word.to_lowercase();
        ["on", "proposal", "proposals", "no", "number", "numbers", "and", ","].contains(&&*word)
    };
    let rest = text.split_whitespace().filter(|word| number(word).is_none() && !filler(word));
    (numbers, rest.collect::<Vec<_>>().join(" "))
}

/// The proposals that a vote is on: those named, or the only one that is Open.
fn meant(d: &D<'_>, numbers: &[u64]) -> Result<Vec<Id>, Refusal> {
    if !numbers.is_empty() {
        return numbers.iter().map(|number| proposals::need(d, *number)).collect();
    }
    match &proposals::all(d, Status::Open)[..] {
        [only] => Ok(vec![only.clone()]),
        [] => Err(Refusal::new("nothing is Open").by(Thing::Proposals.rule(&d.rules)).instead("show ballot")),
        _ => Err(Refusal::new("several proposals are Open; say the number of yours").instead("vote 3 FOR")),
    }
}

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
        let counts = if society::is_voter(state, voter) { "" } else { "no Registered Voter" };
        vec![Cell::new(called(state, voter)), Cell::new(vote.word.word()), Cell::new(counts)]
    };
    let head = ["voter", "Final Vote", ""].map(str::to_owned).to_vec();
    vec![Block::Table { head, rows: votes.iter().map(row).collect() }]
}
