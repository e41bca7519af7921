//! Proposals on record (S22 to S24): the rows, and questions about them.
//!
//! Those that exist are gamestate; those that are over are kept for the record. They are made in `super` and voted on
//! in `voting`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    game::{D, Spacenomic},
    law::Thing,
};
use kernel::{
    Id, Instant, Refusal, Row, State,
    directives::{Post, Posted},
    rulebook::book::TITLE_MAX_CHARS,
    time::minute,
};
use kit::docket::{self, Meant, Numbered};

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Proposal {
    /// Its number: the bot's, for the record.
    pub(crate) number: u64,
    /// Its name, unique among those that exist (S23).
    pub(crate) name: Arc<str>,
    /// Its text.
    pub(crate) body: Arc<str>,
    /// Who made it.
    pub(crate) maker: Id,
    /// When it was made.
    pub(crate) created: Instant,
    /// What its text means by names.
    pub(crate) post: Post,
    /// When it was refreshed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refreshed: Option<Instant>,
    /// Before when it does not expire, because it would have inside a moderator's pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) put_off: Option<Instant>,
    /// What moderators entered of it, as directives (S30).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) entered: Vec<Arc<str>>,
    /// What has become of it.
    pub(crate) status: Status,
}

/// What has become of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// It exists.
    Extant,
    /// It passed.
    Passed(Instant),
    /// It failed.
    Failed(Instant),
    /// Its maker destroyed it, or a proposal did.
    Destroyed(Instant),
    /// It was too old.
    Expired(Instant),
}

impl Status {
    /// In words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Extant => "open".to_owned(),
            Self::Passed(at) => format!("passed {}", minute(at)),
            Self::Failed(at) => format!("failed {}", minute(at)),
            Self::Destroyed(at) => format!("destroyed {}", minute(at)),
            Self::Expired(at) => format!("expired {}", minute(at)),
        }
    }
}

impl Row<Spacenomic> for Proposal {
    type Key = u64;
    const TABLE: &'static str = "proposals";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, _: &State<Spacenomic>) -> String {
        let (was, is) = match (was, is) {
            (Some(was), Some(is)) => (was, is),
            (None, Some(is)) => return format!("{} is made", label(is)),
            (Some(was), None) => return format!("{} was not made", label(was)),
            (None, None) => return String::new(),
        };
        let stands = (is.status != was.status).then(|| format!("Proposal {number}: {}", is.status.words()));
        let refreshed = (is.refreshed != was.refreshed).then(|| format!("Proposal {number} is refreshed"));
        let put_off = (is.put_off != was.put_off).then(|| match is.put_off {
            Some(until) => format!("Proposal {number} does not expire before {}", minute(until)),
            None => format!("Proposal {number} expires as it would have"),
        });
        let entered = (is.entered != was.entered).then(|| match is.entered.last() {
            Some(text) if is.entered.len() > was.entered.len() => {
                format!("what Proposal {number} says is entered: {text}")
            }
            _ => format!("what was entered of Proposal {number} is taken back"),
        });
        [stands, refreshed, put_off, entered].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

impl Numbered for Proposal {
    const DISPLAY: &'static str = "proposal";

    fn number(&self) -> u64 {
        self.number
    }

    fn label(&self) -> String {
        label(self)
    }

    fn is_open(&self) -> bool {
        self.status == Status::Extant
    }
}

/// The proposals that exist, the oldest first.
pub(crate) fn extant(state: &State<Spacenomic>) -> impl DoubleEndedIterator<Item = &Proposal> {
    docket::open(state.rows::<Proposal>())
}

/// The proposals that are over, the latest first.
pub(super) fn over(state: &State<Spacenomic>) -> impl Iterator<Item = &Proposal> {
    docket::over(state.rows::<Proposal>())
}

/// A proposal by number, whatever has become of it.
pub(crate) fn find(state: &State<Spacenomic>, number: u64) -> Option<&Proposal> {
    state.row::<Proposal>(&number)
}

/// A proposal by number, else by a name that is this number, whatever has become of it (S23).
///
/// # Errors
///
/// A [`Refusal`] where there never was one.
pub(crate) fn need(state: &State<Spacenomic>, number: u64) -> Result<&Proposal, Refusal> {
    let name = number.to_string();
    let called = || extant(state).chain(over(state)).find(|proposal| *proposal.name == *name);
    find(state, number)
        .or_else(called)
        .ok_or_else(|| Refusal::new(format!("there is no proposal {number}")).instead("show proposals"))
}

/// The proposal that some words of a text mean: what was called so when the text was posted, and never another of that
/// name which came later.
///
/// # Errors
///
/// As [`by_name`].
pub(crate) fn meant<'s>(
    state: &'s State<Spacenomic>,
    words: &str,
    posted: Option<&Posted>,
) -> Result<&'s Proposal, Refusal> {
    let found = by_name(state, words)?;
    let was = |proposal: &&Proposal| posted.is_some_and(|posted| proposal.post.seq <= posted.seq);
    let mut then = state.rows::<Proposal>().values().rev().filter(was);
    let is_number = words.trim().trim_start_matches('#').parse::<u64>().is_ok();
    Ok(then.find(|proposal| !is_number && proposal.name == found.name).unwrap_or(found))
}

/// The proposal that players call by some words. It is found by its number, else by its name. One that exists comes
/// before one that is over, and of those the latest. Names are told apart to the letter (S23); where only one fits but
/// for case, it is meant.
///
/// # Errors
///
/// A [`Refusal`] where none or several are called so.
pub(crate) fn by_name<'s>(state: &'s State<Spacenomic>, words: &str) -> Result<&'s Proposal, Refusal> {
    let words = words.trim();
    if let Ok(number) = words.trim_start_matches('#').parse() {
        return need(state, number);
    }
    let name = normal(words);
    let alike = name.to_lowercase();
    let exact = |proposal: &&Proposal| *proposal.name == *name;
    if let Some(proposal) = extant(state).find(exact).or_else(|| over(state).find(exact)) {
        return Ok(proposal);
    }
    let folded = |proposal: &&Proposal| proposal.name.to_lowercase() == alike;
    let mut near = extant(state).filter(folded);
    match (near.next().or_else(|| over(state).find(folded)), near.next()) {
        (Some(one), None) => Ok(one),
        (Some(one), Some(other)) => {
            let say =
                format!("{} and {} differ in case only, so write the name to the letter", label(one), label(other));
            Err(Refusal::new(say).instead("show proposals"))
        }
        (None, _) => {
            let shown: String = name.chars().take(TITLE_MAX_CHARS).collect();
            Err(Refusal::new(format!("no proposal is called “{shown}”")).instead("show proposals"))
        }
    }
}

/// The only proposal that exists.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or more than one.
pub(crate) fn only(state: &State<Spacenomic>) -> Result<&Proposal, Refusal> {
    match docket::only(state.rows::<Proposal>()) {
        Meant::One(one) => Ok(one),
        Meant::None => Err(Refusal::new("no proposal exists").instead("propose NAME TEXT")),
        Meant::Several(..) => Err(Refusal::new("more than one proposal exists: say which").instead("show ballot")),
    }
}

/// A proposal that exists.
///
/// # Errors
///
/// A [`Refusal`] where there is none of that number, or not any more.
pub(crate) fn open(state: &State<Spacenomic>, number: u64) -> Result<&Proposal, Refusal> {
    let proposal = need(state, number)?;
    if proposal.status == Status::Extant {
        return Ok(proposal);
    }
    let say = format!("{} does not exist any more: {}", label(proposal), proposal.status.words());
    Err(Refusal::new(say).by(Thing::Proposals.rule(&state.rules)).instead("show proposals"))
}

/// Number and name, as sentences call it.
pub(crate) fn label(proposal: &Proposal) -> String {
    format!("Proposal {}, “{}”", proposal.number, proposal.name)
}

/// A name as it is kept and compared: one line, its characters composed.
pub(super) fn normal(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    docket::one_line(name).nfc().collect()
}

/// What has become of a proposal, in words.
pub(crate) fn status(proposal: &Proposal) -> String {
    proposal.status.words()
}

// ---- notes

/// Notes what a moderator enters of the prose of a proposal (S30).
pub(crate) fn enters(d: &mut D<'_>, proposal: &Proposal, text: &str) {
    d.edit::<Proposal>(&proposal.number, |row| row.entered.push(text.into()));
}

/// Notes what has become of a proposal that exists.
pub(crate) fn ends(d: &mut D<'_>, number: u64, to: Status) {
    d.edit::<Proposal>(&number, |row| row.status = to);
}
