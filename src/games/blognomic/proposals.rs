//! Proposals (rule 3): who may make one, its text with revisions, and what became of it.
//!
//! A Proposal is Pending, Enacted, Failed or Expired; nothing in the rules makes one Expired, and nothing in here does
//! (N21). Absent: its votes (`voting`) and its end (`enactment`).

use std::sync::Arc;

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Instant, Refusal, State,
    display::{Block, Cell, Document, counted},
    effects, emit, enactment,
    figures::PENDING_LIMIT,
    judgment,
    law::{Thing, established},
    public, roster, veto,
    voting::{self, Ballot, Tally},
};
use crate::kernel::{
    Seq,
    display::Offer,
    game::Viewer,
    rulebook::book::TITLE_MAX_CHARS,
    time::{between, minute},
};

/// Longest text of a Proposal, in bytes: the longest known ruleset fits, and a message of it can still be read.
pub(super) const TEXT_MAX_BYTES: usize = 64 * 1024;

/// Pending Proposals that a refusal names where it is not said which one is meant: as many as fit a sentence.
const NAMED_MAX_COUNT: usize = 5;

/// Most Proposals that may be pending at once, trivial ones included: more than any week has seen, few enough to list.
const PENDING_MAX_COUNT: usize = 200;

// ---- state

/// All Proposals that were ever made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Proposals {
    /// By number, which is the order in which they were posted (N34).
    made: OrdMap<u64, Arc<Proposal>>,
}

/// A Proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Counts from 1.
    pub(super) number: u64,
    /// Whose it is.
    pub(super) by: Id,
    /// When it was first posted: what its age and its place in the queue count from.
    pub(super) posted: Instant,
    /// Its title.
    pub(super) title: String,
    /// Whether its proposer stated that it is Trivial (N20).
    pub(super) trivial: bool,
    /// Its text, and every text that it had: a correction keeps the votes (N6).
    pub(super) texts: Vec<Arc<str>>,
    /// The rules that it touches, with their revisions when it was posted.
    #[serde(default)]
    pub(super) base: effects::Base,
    /// The entry in which it was posted: its text calls the rules by what they were called then.
    #[serde(default)]
    pub(super) made: Option<Seq>,
    /// The votes on it.
    pub(super) ballot: Ballot,
    /// What became of it.
    pub(super) stands: Stands,
    /// The entries that failed it and of which an annulment gave the penalty back (N102).
    #[serde(default)]
    pub(super) returned: Vec<u64>,
    /// What an Admin may still claim for ending it (N47).
    #[serde(default)]
    pub(super) claim: Option<enactment::Claim>,
    /// What an Admin did claim, and in which entry.
    #[serde(default)]
    pub(super) claimed: Option<(u64, enactment::Claim)>,
    /// The verdict that the Admin Staff were told of last.
    #[serde(default)]
    pub(super) told: Option<enactment::Verdict>,
}

/// What became of a Proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
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
        paid: crate::kernel::Num,
        /// In which entry; nothing in entries that are older than that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// No rule makes a Proposal Expired now (N21).
    Expired {
        /// When.
        at: Instant,
    },
}

impl Proposal {
    /// Its text as it reads now.
    pub(super) fn text(&self) -> &Arc<str> {
        self.texts.last().expect("a Proposal has a text")
    }

    /// Which of its texts that is, from 0.
    pub(super) fn revision(&self) -> usize {
        self.texts.len() - 1
    }

    /// Whether it is pending.
    pub(super) fn is_pending(&self) -> bool {
        self.stands == Stands::Pending
    }

    /// What a vote on it is on, in words.
    pub(super) fn votable(&self) -> String {
        match self.revision() {
            0 => format!("{} as it was posted", self.label()),
            last => format!("{} after correction {last}", self.label()),
        }
    }

    /// A document about it, for the thread of its own that a network may keep.
    pub(super) fn about(&self, document: Document) -> Document {
        document.about(format!("proposal/{}", self.number), self.label())
    }

    /// Number and title, as sentences call it.
    pub(super) fn label(&self) -> String {
        format!("Proposal {}, “{}”", self.number, self.title)
    }
}

impl Proposals {
    /// A Proposal by number.
    pub(super) fn get(&self, number: u64) -> Option<&Proposal> {
        self.made.get(&number).map(|proposal| &**proposal)
    }

    /// All, oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Proposal> {
        self.made.values().map(|proposal| &**proposal)
    }

    /// The pending ones, oldest first.
    pub(super) fn open(&self) -> impl Iterator<Item = &Proposal> {
        self.iter().filter(|proposal| proposal.is_pending())
    }

    /// The oldest pending one (N34): the only one that can be enacted, or failed by votes.
    pub(super) fn oldest(&self) -> Option<&Proposal> {
        self.open().min_by_key(|proposal| (proposal.posted, proposal.number))
    }

    /// Changes one, for folding.
    pub(super) fn change(&mut self, number: u64, with: impl FnOnce(&mut Proposal)) {
        if let Some(proposal) = self.made.get_mut(&number) {
            with(Arc::make_mut(proposal));
        }
    }

    fn next(&self) -> u64 {
        self.made.get_max().map_or(1, |(number, _)| number + 1)
    }
}

/// A Proposal by number.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn need(state: &State<BlogNomic>, number: u64) -> Result<&Proposal, Refusal> {
    state
        .game
        .proposals
        .get(number)
        .ok_or_else(|| Refusal::new(format!("there is no Proposal {number}")).instead("show proposals"))
}

/// A pending Proposal by number, or the only one there is.
///
/// # Errors
///
/// A [`Refusal`] where it is decided, or where it is not said which of several is meant.
pub(super) fn pending(state: &State<BlogNomic>, number: Option<u64>) -> Result<&Proposal, Refusal> {
    let Some(number) = number else {
        let mut open = state.game.proposals.open();
        return match (open.next(), open.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => {
                let other = judgment::voting_line(state).or_else(|| veto::voting_line(state));
                let line = other.unwrap_or_else(|| "show proposals".to_owned());
                Err(Refusal::new("no Proposal is pending").instead(line))
            }
            (Some(first), Some(_)) => {
                let which = state.game.proposals.open().take(NAMED_MAX_COUNT).map(Proposal::label);
                let which = which.collect::<Vec<_>>().join("; ");
                Err(Refusal::new(format!("several Proposals are pending; say the number of yours: {which}"))
                    .instead(format!("vote {} FOR", first.number)))
            }
        };
    };
    let proposal = need(state, number)?;
    if proposal.is_pending() {
        return Ok(proposal);
    }
    Err(Refusal::new(format!("{} is no longer pending: it is {}", proposal.label(), stands(proposal)))
        .by(Thing::Voting.rule(&state.rules))
        .instead("show proposals"))
}

// ---- facts

/// What happens to Proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// One was made.
    Made(Box<Proposal>),
    /// One is no longer there: its making was undone.
    Unmade(Box<Proposal>),
    /// Its text was corrected (N6).
    Corrected {
        /// Which.
        number: u64,
        /// The text from now on.
        to: Arc<str>,
    },
    /// A correction was taken back.
    Uncorrected {
        /// Which.
        number: u64,
        /// The text that goes.
        was: Arc<str>,
    },
    /// Something else became of it.
    Stands {
        /// Which.
        number: u64,
        /// What.
        to: Stands,
        /// What before.
        was: Stands,
    },
    /// An Admin may claim something for it, or has.
    Claim {
        /// Which.
        number: u64,
        /// What may be claimed from now on.
        to: Option<enactment::Claim>,
        /// What before.
        was: Option<enactment::Claim>,
        /// The entry in which it is claimed, or in which that was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// The Admin Staff were told how it stands.
    Told {
        /// Which.
        number: u64,
        /// How.
        verdict: Option<enactment::Verdict>,
    },
}

// ---- decide

/// A Robot makes a Proposal (N18 to N21).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot or has too many pending, and for a text whose directives are none.
pub(super) fn propose(title: &str, text: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Proposals)?;
    let me = roster::robot(d)?;
    public(d, "propose TITLE TEXT")?;
    let title = one_line(title)?;
    let text = body(text)?;
    if !trivial {
        let limit = d.rules.need_count(&PENDING_LIMIT)?;
        let mine = d.game.proposals.open().filter(|proposal| proposal.by == me && !proposal.trivial).count() as u64;
        if mine >= limit {
            return Err(Refusal::new(format!(
                "{mine} of your Proposals that are not trivial are pending, and one is made only with fewer than {limit}"
            ))
            .by(Thing::Proposals.rule(&d.rules))
            .instead("propose trivial:yes TITLE TEXT"));
        }
    }
    if d.game.proposals.open().count() >= PENDING_MAX_COUNT {
        return Err(Refusal::new(format!(
            "{PENDING_MAX_COUNT} Proposals are pending, which is as many as the bot keeps open"
        ))
        .instead("proposals"));
    }
    let (report, base) = effects::report(d, &text, None)?;
    let number = d.game.proposals.next();
    let proposal = Proposal {
        number,
        by: me.clone(),
        posted: d.at,
        title,
        trivial,
        texts: vec![text.as_str().into()],
        base,
        made: Some(d.seq),
        ballot: Ballot::default(),
        stands: Stands::Pending,
        returned: Vec::new(),
        claim: None,
        claimed: None,
        told: None,
    };
    let document = announcement(d, &proposal);
    emit(d, Fact::Made(Box::new(proposal)));
    d.say(crate::kernel::entry::Audience::Public, document);
    let mut reply = Document::say(format!("Your Proposal is number {number}."));
    reply.blocks.extend(report);
    Ok(reply)
}

/// A title: one line of visible text.
pub(super) fn one_line(title: &str) -> Result<String, Refusal> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() || title.chars().count() > TITLE_MAX_CHARS {
        return Err(
            Refusal::new(format!("a title has 1 to {TITLE_MAX_CHARS} characters")).instead("propose TITLE TEXT")
        );
    }
    Ok(title)
}

/// A text of a Proposal or a Call.
pub(super) fn body(text: &str) -> Result<String, Refusal> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    if text.is_empty() {
        return Err(Refusal::new("say what shall change").instead("propose TITLE TEXT"));
    }
    if text.len() > TEXT_MAX_BYTES {
        return Err(Refusal::new(format!(
            "a text has at most {TEXT_MAX_BYTES} bytes, and this one has {}",
            text.len()
        ))
        .instead("propose TITLE TEXT"));
    }
    Ok(text)
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    let proposals = &mut game.proposals;
    match fact {
        Fact::Made(proposal) => {
            proposals.made.insert(proposal.number, Arc::new((**proposal).clone()));
        }
        Fact::Unmade(proposal) => {
            proposals.made.remove(&proposal.number);
        }
        Fact::Corrected { number, to } => proposals.change(*number, |proposal| proposal.texts.push(to.clone())),
        Fact::Uncorrected { number, .. } => proposals.change(*number, |proposal| {
            if proposal.texts.len() > 1 {
                proposal.texts.pop();
            }
        }),
        Fact::Stands { number, to, was } => proposals.change(*number, |proposal| {
            proposal.stands = to.clone();
            match (was, to) {
                (Stands::Failed { seq: Some(seq), .. }, Stands::Pending) => proposal.returned.push(*seq),
                (Stands::Pending, Stands::Failed { seq, .. }) => proposal.returned.retain(|held| Some(*held) != *seq),
                _ => {}
            }
        }),
        Fact::Claim { number, to, was, seq } => proposals.change(*number, |proposal| {
            proposal.claim.clone_from(to);
            proposal.claimed = seq.zip(was.clone()).filter(|_| to.is_none());
        }),
        Fact::Told { number, verdict } => proposals.change(*number, |proposal| proposal.told = *verdict),
    }
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> super::Fact {
    match fact.clone() {
        Fact::Made(proposal) => Fact::Unmade(proposal).into(),
        Fact::Unmade(proposal) => Fact::Made(proposal).into(),
        Fact::Corrected { number, to } => Fact::Uncorrected { number, was: to }.into(),
        Fact::Uncorrected { number, was } => Fact::Corrected { number, to: was }.into(),
        Fact::Stands { number, to, was } => Fact::Stands { number, to: was, was: to }.into(),
        Fact::Claim { number, to, was, seq } => Fact::Claim { number, to: was, was: to, seq }.into(),
        Fact::Told { .. } => super::Fact::Kept,
    }
}

// ---- display

/// How the votes stand, in a few words.
pub(super) fn score(tally: &Tally) -> String {
    let mut score = format!("{} FOR, {} AGAINST", tally.fors, tally.against);
    if tally.unresolved > 0 {
        score.push_str(&format!(", {} DEFERENTIAL", tally.unresolved));
    }
    score
}

/// What became of a Proposal, as the end of “it is ...”.
pub(super) fn stands(proposal: &Proposal) -> String {
    proposal.stands.words()
}

impl Stands {
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

fn announcement(d: &D<'_>, proposal: &Proposal) -> Document {
    let mark = if proposal.trivial { " (Trivial)" } else { "" };
    let mut document =
        Document::titled(format!("proposal/{}", proposal.number), format!("Proposal: {}{mark}", proposal.title))
            .para(format!("Proposal {} by {}.", proposal.number, d.frame.name_of(&proposal.by)))
            .para(&**proposal.text());
    document.offers = offers(proposal.number, d.seq);
    proposal.about(document)
}

/// The votes that can be cast on a Proposal, as it reads after an entry.
pub(super) fn offers(number: u64, at_seq: u64) -> Vec<Offer> {
    let offer = |label: &str, line: String| Offer { label: label.to_owned(), line, at_seq };
    vec![
        offer("FOR", format!("vote {number} FOR")),
        offer("FOR, trivial", format!("vote {number} FOR trivial")),
        offer("AGAINST", format!("vote {number} AGAINST")),
        offer("DEFERENTIAL", format!("vote {number} DEFERENTIAL")),
    ]
}

/// The list of Proposals: the pending ones, oldest first, and the latest decided ones; or the decided ones before a number.
pub(super) fn list(state: &State<BlogNomic>, before: Option<u64>, viewer: &Viewer) -> Document {
    /// Decided Proposals that the list shows, the latest first.
    const DECIDED_MAX_COUNT: usize = 30;
    let row = |proposal: &Proposal| {
        let tally = voting::tally(state, proposal);
        let how = if proposal.is_pending() {
            format!("{}; {}", score(&tally), enactment::verdict(state, proposal).word())
        } else {
            stands(proposal)
        };
        let number = proposal.number.to_string();
        vec![
            Cell::new(number.clone()).completing(number.clone()).showing(format!("proposal/{number}")),
            Cell::new(format!("{}{}", proposal.title, if proposal.trivial { " (Trivial)" } else { "" })),
            Cell::new(state.frame.name_of(&proposal.by)),
            Cell::new(if proposal.is_pending() { between(proposal.posted, viewer.now) } else { String::new() }),
            Cell::new(how),
        ]
    };
    let mut open: Vec<&Proposal> = state.game.proposals.open().filter(|_| before.is_none()).collect();
    open.sort_by_key(|proposal| (proposal.posted, proposal.number));
    let mut decided = state
        .game
        .proposals
        .iter()
        .rev()
        .filter(|proposal| !proposal.is_pending() && before.is_none_or(|before| proposal.number < before));
    let latest: Vec<&Proposal> = decided.by_ref().take(DECIDED_MAX_COUNT).collect();
    let rows: Vec<_> = open.iter().chain(&latest).copied().map(row).collect();
    let document = Document::titled("proposals", "Proposals");
    if rows.is_empty() {
        return document.para(match before {
            None => "Nobody has proposed anything yet. “propose TITLE TEXT” does.".to_owned(),
            Some(before) => format!("No Proposal before number {before} has been decided."),
        });
    }
    let (older, next) = (decided.count(), latest.last().map_or(0, |proposal| proposal.number));
    let robots = counted(roster::count(state), "Robot");
    document
        .para(match enactment::quorum(state) {
            Ok(quorum) => format!("{robots}, Quorum {quorum}."),
            Err(why) => format!("{robots}; {}.", why.say.trim_end_matches('.')),
        })
        .with(Block::Table { head: ["", "title", "by", "age", "stands"].map(str::to_owned).to_vec(), rows })
        .going_on(older, &format!("proposals/{next}"))
}

/// One Proposal: text, votes, what it would do.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn show(state: &State<BlogNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a Proposal is named by its number").instead("show proposals");
    let proposal = need(state, number.parse().map_err(|_| none())?)?;
    let mark = if proposal.trivial { " (Trivial)" } else { "" };
    let mut document =
        Document::titled(format!("proposal/{}", proposal.number), format!("Proposal: {}{mark}", proposal.title));
    document = document
        .para(format!(
            "Proposal {} by {}, {}; it is {}.",
            proposal.number,
            state.frame.name_of(&proposal.by),
            minute(proposal.posted),
            stands(proposal)
        ))
        .para(&**proposal.text());
    let tally = voting::tally(state, proposal);
    document = document.para(format!("Votes: {}.", score(&tally)));
    let votes: Vec<Vec<Cell>> = proposal
        .ballot
        .iter()
        .map(|(robot, vote)| {
            let counts = if roster::is_current(state, robot) { "" } else { "no current Robot" };
            let mark = if vote.trivial { ", Trivial" } else { "" };
            let older = if vote.revision < proposal.revision() { " (on an earlier text)" } else { "" };
            vec![
                Cell::new(state.frame.name_of(robot)),
                Cell::new(format!("{}{mark}{older}", vote.choice.word())),
                Cell::new(if vote.void { "void" } else { counts }),
            ]
        })
        .collect();
    if !votes.is_empty() {
        document = document.with(Block::Table { head: ["Robot", "vote", ""].map(str::to_owned).to_vec(), rows: votes });
    }
    if proposal.is_pending() {
        document = document.para(enactment::verdict(state, proposal).sentence(state, proposal));
        document.offers = offers(proposal.number, state.seq);
        document.offers.extend(veto::offer(state, proposal, state.seq));
    }
    for (index, pair) in proposal.texts.windows(2).enumerate() {
        if let Some(block) = crate::kernel::rulebook::diff::block(&pair[0], &pair[1]) {
            document = document.para(format!("Correction {}:", index + 1)).with(block);
        }
    }
    Ok(document)
}
