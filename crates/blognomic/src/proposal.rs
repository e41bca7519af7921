//! Proposals as rows: text with revisions, what became of each, and what an Admin was told of it and may claim.
//!
//! The row holds what was done and never how the votes stand (`tally`). How one is made is rule 3 (`r03_proposals`), how
//! it ends rule 5 (`r05_enactment`).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    game::BlogNomic,
    law::{Base, Thing},
    votes::Question,
};
use kernel::{Id, Instant, Num, Refusal, Seq, State, directives::Post, display::Offer, table::Row, time::minute};
use kit::docket::{self, Numbered};

// ---- state

/// A Proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Proposal {
    /// Counts from 1, which is the order in which they were posted (N34).
    pub(super) number: u64,
    /// Whose it is.
    pub(super) by: Id,
    /// When it was first posted: what its age and its place in the queue count from.
    pub(super) posted: Instant,
    /// Its title.
    pub(super) title: String,
    /// Whether its proposer stated that it is Trivial (N20).
    pub(super) trivial: bool,
    /// How often its text was corrected: a correction keeps the votes (N6).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) revision: usize,
    /// The rules that it touches, with their revisions when it was posted.
    pub(super) base: Base,
    /// What its text means by names.
    pub(super) post: Post,
    /// What became of it.
    pub(super) stands: Stands,
    /// The entries that failed it and of which an annulment gave the penalty back (N102).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) returned: Vec<Seq>,
    /// What an Admin may still claim for ending it (N47).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<Claim>,
    /// What an Admin did claim, and in which entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claimed: Option<(Seq, Claim)>,
    /// The verdict that the Admin Staff were told of last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) told: Option<Verdict>,
}

fn is_zero(revision: &usize) -> bool {
    *revision == 0
}

/// A text that a Proposal has or had: one row by its number and how often it was corrected before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Wording {
    /// The text.
    pub(super) text: Arc<str>,
}

impl Row<BlogNomic> for Wording {
    type Key = (u64, usize);
    const TABLE: &'static str = "texts";

    fn told((number, revision): &(u64, usize), _: Option<&Self>, is: Option<&Self>, _: &State<BlogNomic>) -> String {
        match is {
            _ if *revision == 0 => String::new(),
            Some(_) => format!("the text of Proposal {number} is corrected"),
            None => format!("a correction of Proposal {number} is taken back"),
        }
    }
}

impl Row<BlogNomic> for Proposal {
    type Key = u64;
    const TABLE: &'static str = "proposals";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<BlogNomic>) -> String {
        let (was, is) = match (was, is) {
            (Some(was), Some(is)) => (was, is),
            (None, _) => return format!("Proposal {number} is made"),
            (_, None) => return format!("Proposal {number} was not made"),
        };
        let mut told = Vec::new();
        if was.stands != is.stands {
            told.push(is.stands.told(*number));
        }
        if was.claim != is.claim {
            told.push(Claim::told(is.claim.as_ref(), *number, state));
        }
        if was.told != is.told {
            told.push(format!("the Admin Staff hear how Proposal {number} stands"));
        }
        told.join("; ")
    }
}

/// What became of a Proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stands {
    /// Nobody has ended it.
    Pending,
    /// Its effects happened.
    Enacted {
        /// When.
        at: Instant,
        /// Whether nothing of it was done by itself (N36).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    /// It failed.
    Failed {
        /// When.
        at: Instant,
        /// Why, in words.
        why: String,
        /// Whether by veto (N99).
        vetoed: bool,
        /// What it cost its proposer, and has not been given back by an undoing.
        paid: kernel::Num,
        /// In which entry.
        seq: Seq,
    },
    /// No rule makes a Proposal Expired now (N21).
    Expired {
        /// When.
        at: Instant,
    },
}

impl Proposal {
    /// Its text as it reads now.
    pub(super) fn text<'a>(&self, state: &'a State<BlogNomic>) -> &'a str {
        state.row(&(self.number, self.revision)).map_or("", |text: &Wording| &text.text)
    }

    /// It as something that is voted on.
    pub(super) fn question(&self) -> Question {
        Question::Proposal(self.number)
    }

    /// As the end of “it is ...”; who ended it may have been forgotten since.
    pub(super) fn ended(&self, state: &State<BlogNomic>) -> String {
        state.frame.redaction_of_kept().text(&self.stands.words())
    }

    /// Whether it is pending.
    pub(super) fn is_pending(&self) -> bool {
        self.stands == Stands::Pending
    }

    /// What a vote on it is on, in words.
    pub(super) fn votable(&self) -> String {
        match self.revision {
            0 => format!("{} as it was posted", self.label()),
            last => format!("{} after correction {last}", self.label()),
        }
    }
}

impl Numbered for Proposal {
    const DISPLAY: &'static str = "proposal";

    fn number(&self) -> u64 {
        self.number
    }

    fn label(&self) -> String {
        format!("Proposal {}, “{}”", self.number, self.title)
    }

    fn is_open(&self) -> bool {
        self.is_pending()
    }
}

/// The pending ones, oldest first.
pub(super) fn open(state: &State<BlogNomic>) -> impl Iterator<Item = &Proposal> {
    docket::open(state.rows::<Proposal>())
}

/// The oldest pending one (N34): the only one that can be enacted, or failed by votes.
pub(super) fn oldest(state: &State<BlogNomic>) -> Option<&Proposal> {
    open(state).min_by_key(|proposal| (proposal.posted, proposal.number))
}

/// A Proposal by number.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn need(state: &State<BlogNomic>, number: u64) -> Result<&Proposal, Refusal> {
    state.row(&number).ok_or_else(|| Refusal::new(format!("there is no Proposal {number}")).instead("show proposals"))
}

/// A pending Proposal by number.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or it is decided.
pub(super) fn pending(state: &State<BlogNomic>, number: u64) -> Result<&Proposal, Refusal> {
    let proposal = need(state, number)?;
    if proposal.is_pending() {
        return Ok(proposal);
    }
    Err(Refusal::new(format!("{} is no longer pending: it is {}", proposal.label(), proposal.ended(state)))
        .by(Thing::Voting.rule(&state.rules))
        .instead("show proposals"))
}

/// What an Admin may claim for ending a Proposal (N47).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Claim {
    /// The Admin who ended it.
    pub(super) by: Id,
    /// How much, as the rules read then.
    pub(super) amount: Num,
}

impl Claim {
    /// What may be claimed for a Proposal, for the record.
    pub(super) fn told(claim: Option<&Self>, number: u64, state: &State<BlogNomic>) -> String {
        match claim {
            Some(Self { by, amount }) => {
                format!("{} may claim {amount} Power for Proposal {number}", state.frame.name_of(by))
            }
            None => format!("nothing can be claimed for Proposal {number}"),
        }
    }
}

/// What can be done with a Proposal at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Verdict {
    /// Whether an Admin may enact it.
    pub(super) enact: bool,
    /// Why an Admin may fail it.
    pub(super) fail: Option<Why>,
    /// Whether it is over time (N53).
    pub(super) over_time: bool,
}

/// Why a Proposal may be failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Why {
    /// Quorum cannot be reached unless a vote changes (N38).
    Votes,
    /// There are fewer Robots than Quorum needs.
    Robots,
    /// Everybody has voted (N40).
    AllVoted,
    /// Its proposer votes AGAINST it (N41).
    SelfKill,
    /// It is over time, and not more than half of its votes are FOR (N53).
    TimeOut,
    /// It is over time, and its effects have become impossible (N36).
    Impossible,
}

impl Why {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Votes => "too many votes AGAINST it",
            Self::Robots => "Quorum is more than there are Robots",
            Self::AllVoted => "all Robots have voted, and it has no Quorum",
            Self::SelfKill => "its proposer votes AGAINST it",
            Self::TimeOut => "it ran out of time",
            Self::Impossible => "it ran out of time, and its effects have become impossible",
        }
    }
}

impl Verdict {
    /// In a word, for lists.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self { enact: true, .. } => "can be enacted",
            Self { fail: Some(_), .. } => "can be failed",
            _ => "open",
        }
    }
}

// ---- words

impl Stands {
    /// What became of a Proposal, for the record.
    pub(super) fn told(&self, number: u64) -> String {
        format!("Proposal {number} is {}", self.words())
    }

    /// As the end of “it is ...”.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Pending => "Pending".to_owned(),
            Self::Enacted { at, .. } => format!("Enacted, {}", minute(*at)),
            Self::Failed { at, why, .. } => format!("Failed, {}: {why}", minute(*at)),
            Self::Expired { at } => format!("Expired, {}", minute(*at)),
        }
    }
}

/// The votes that can be cast on a Proposal, as it reads after an entry.
pub(super) fn offers(number: u64, at_seq: u64) -> Vec<Offer> {
    let offer = |label: &str, line: String| Offer::new(label, line, at_seq);
    vec![
        offer("FOR", format!("vote {number} FOR")),
        offer("FOR, trivial", format!("vote {number} FOR trivial")),
        offer("AGAINST", format!("vote {number} AGAINST")),
        offer("DEFERENTIAL", format!("vote {number} DEFERENTIAL")),
    ]
}
