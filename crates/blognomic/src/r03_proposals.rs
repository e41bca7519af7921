//! Proposals (rule 3): who may make one, its text with revisions, and what became of it.
//!
//! A Proposal is Pending, Enacted, Failed or Expired; nothing in the rules makes one Expired, and nothing in here does
//! (N21). Absent: its votes (`voting`) and its end (`enactment`).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    effects, enactment,
    figures::PENDING_LIMIT,
    game::{BlogNomic, D, page},
    judgment,
    law::Thing,
    roster, veto,
    voting::{self, Question, Tally},
};
use kernel::{
    Act, Display, Id, Instant, Mechanic, Refusal, Seq, State,
    display::{Block, Cell, Document, Offer, cells, counted},
    game::Viewer,
    rulebook::book::TITLE_MAX_CHARS,
    table::Row,
    time::{between, minute},
};
use kit::{
    args::Propose,
    docket::{self, Meant, Numbered, TEXT_MAX_BYTES, Unfit},
};

/// Most Proposals that may be pending at once, trivial ones included: more than any week has seen, few enough to list.
const PENDING_MAX_COUNT: usize = 200;

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("proposals")
        .table::<Wording>()
        .table::<Proposal>()
        .act(
            Act::new("propose", |Propose { title, text, trivial }, d| propose(&title, &text, trivial, d))
                .by(Thing::Proposals.word())
                .player()
                .public("propose TITLE TEXT")
                .note("Proposal"),
        )
        .display(
            Display::new("proposals", |state, asked| Ok(list(state, page(asked)?, asked.viewer)))
                .fits(|parts| parts <= 1)
                .listed(1),
        )
        .display(Display::new("ballot", |state, asked| Ok(list(state, None, asked.viewer))))
        .display(
            Display::of("proposal", |state, asked| show(state, asked.rest)).fits(|parts| parts == 1).beside(9, latest),
        )
}

// ---- state

/// A Proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default)]
    pub(super) base: effects::Base,
    /// The entry in which it was posted: its text calls the rules by what they were called then.
    #[serde(default)]
    pub(super) made: Option<Seq>,
    /// What became of it.
    pub(super) stands: Stands,
    /// The entries that failed it and of which an annulment gave the penalty back (N102).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) returned: Vec<Seq>,
    /// What an Admin may still claim for ending it (N47).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<enactment::Claim>,
    /// What an Admin did claim, and in which entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claimed: Option<(Seq, enactment::Claim)>,
    /// The verdict that the Admin Staff were told of last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) told: Option<enactment::Verdict>,
}

fn is_zero(revision: &usize) -> bool {
    *revision == 0
}

/// A text that a Proposal has or had: one row by its number and how often it was corrected before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
            told.push(enactment::Claim::told(is.claim.as_ref(), *number, state));
        }
        if was.told != is.told {
            told.push(format!("the Admin Staff hear how Proposal {number} stands"));
        }
        told.join("; ")
    }
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
        paid: kernel::Num,
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
    pub(super) fn text<'a>(&self, state: &'a State<BlogNomic>) -> &'a str {
        state.row(&(self.number, self.revision)).map_or("", |text: &Wording| &text.text)
    }

    /// It as something that is voted on.
    pub(super) fn question(&self) -> Question {
        Question::Proposal(self.number)
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

/// A pending Proposal by number, or the only one there is.
///
/// # Errors
///
/// A [`Refusal`] where it is decided, or where it is not said which of several is meant.
pub(super) fn pending(state: &State<BlogNomic>, number: Option<u64>) -> Result<&Proposal, Refusal> {
    let Some(number) = number else {
        return match docket::only(state.rows::<Proposal>()) {
            Meant::One(only) => Ok(only),
            Meant::None => {
                let other = judgment::voting_line(state).or_else(|| veto::voting_line(state));
                let line = other.unwrap_or_else(|| "show proposals".to_owned());
                Err(Refusal::new("no Proposal is pending").instead(line))
            }
            Meant::Several(first, which) => {
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

// ---- decide

/// A Robot makes a Proposal (N18 to N21).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot or has too many pending, and for a text with a line that is no directive.
fn propose(title: &str, text: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let title = one_line(title)?;
    let text = body(text)?;
    if !trivial {
        let limit = d.rules.need_count(&PENDING_LIMIT)?;
        let mine = open(d).filter(|proposal| proposal.by == me && !proposal.trivial).count() as u64;
        if mine >= limit {
            return Err(Refusal::new(format!(
                "{mine} of your Proposals that are not trivial are pending, and one is made only with fewer than {limit}"
            ))
            .by(Thing::Proposals.rule(&d.rules))
            .instead("propose trivial:yes TITLE TEXT"));
        }
    }
    if open(d).count() >= PENDING_MAX_COUNT {
        return Err(Refusal::new(format!(
            "{PENDING_MAX_COUNT} Proposals are pending, which is as many as the bot keeps open"
        ))
        .instead("proposals"));
    }
    let number = d.next_number::<Proposal>();
    let mut proposal = Proposal {
        number,
        by: me.clone(),
        posted: d.at,
        title,
        trivial,
        revision: 0,
        base: effects::Base::new(),
        made: Some(d.seq),
        stands: Stands::Pending,
        returned: Vec::new(),
        claim: None,
        claimed: None,
        told: None,
    };
    let (then, paid) = effects::rewarded(d, &proposal);
    let (report, base) = effects::report(&then, &text, proposal.made)?;
    proposal.base = base;
    d.put(&(number, 0), Wording { text: text.into() });
    let document = announcement(d, &proposal);
    d.put(&number, proposal);
    d.say(kernel::entry::Audience::Public, document);
    let mut reply = Document::say(format!("Your Proposal is number {number}."));
    reply.blocks.extend(paid.into_iter().chain(report));
    Ok(reply)
}

/// A title: one line of visible text.
pub(super) fn one_line(title: &str) -> Result<String, Refusal> {
    let title = docket::one_line(title);
    if title.is_empty() || title.chars().count() > TITLE_MAX_CHARS {
        return Err(
            Refusal::new(format!("a title has 1 to {TITLE_MAX_CHARS} characters")).instead("propose TITLE TEXT")
        );
    }
    Ok(title)
}

/// A text of a Proposal or a Call.
pub(super) fn body(text: &str) -> Result<String, Refusal> {
    docket::text(text).map_err(|why| {
        let say = match why {
            Unfit::Empty => "say what shall change".to_owned(),
            Unfit::Long(bytes) => format!("a text has at most {TEXT_MAX_BYTES} bytes, and this one has {bytes}"),
        };
        Refusal::new(say).instead("propose TITLE TEXT")
    })
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

fn announcement(d: &D<'_>, proposal: &Proposal) -> Document {
    let mark = if proposal.trivial { " (Trivial)" } else { "" };
    let mut document =
        Document::titled(format!("proposal/{}", proposal.number), format!("Proposal: {}{mark}", proposal.title))
            .para(format!("Proposal {} by {}.", proposal.number, d.frame.name_of(&proposal.by)))
            .para(proposal.text(d));
    document.offers = offers(proposal.number, d.seq);
    proposal.about(document)
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

/// The latest Proposals, for the list of displays.
fn latest(state: &State<BlogNomic>) -> Vec<Cell> {
    docket::listings(state.rows::<Proposal>().values().rev(), LISTED_MAX_COUNT)
}

/// The list of Proposals: the pending ones, oldest first, and the latest decided ones; or the decided ones before a number.
fn list(state: &State<BlogNomic>, before: Option<u64>, viewer: &Viewer) -> Document {
    /// Decided Proposals that the list shows, the latest first.
    const DECIDED_MAX_COUNT: usize = 30;
    let row = |proposal: &Proposal| {
        let tally = voting::tally(state, proposal);
        let how = if proposal.is_pending() {
            format!("{}; {}", score(&tally), enactment::verdict(state, proposal).word())
        } else {
            stands(proposal)
        };
        cells![
            Cell::numbered("proposal", proposal.number),
            format!("{}{}", proposal.title, if proposal.trivial { " (Trivial)" } else { "" }),
            state.frame.name_of(&proposal.by),
            if proposal.is_pending() { between(proposal.posted, viewer.now) } else { String::new() },
            how,
        ]
    };
    let mut open: Vec<&Proposal> = open(state).filter(|_| before.is_none()).collect();
    open.sort_by_key(|proposal| (proposal.posted, proposal.number));
    let (latest, older) = docket::page(docket::over(state.rows::<Proposal>()), before, DECIDED_MAX_COUNT);
    let rows: Vec<_> = open.iter().chain(&latest).copied().map(row).collect();
    let document = Document::titled("proposals", "Proposals");
    if rows.is_empty() {
        return document.para(match before {
            None => "Nobody has proposed anything yet. “propose TITLE TEXT” does.".to_owned(),
            Some(before) => format!("No Proposal before number {before} has been decided."),
        });
    }
    let next = latest.last().map_or(0, |proposal| proposal.number);
    let robots = counted(roster::count(state), "Robot");
    document
        .para(match enactment::quorum(state) {
            Ok(quorum) => format!("{robots}, Quorum {quorum}."),
            Err(why) => format!("{robots}; {}.", why.say.trim_end_matches('.')),
        })
        .table(["", "title", "by", "age", "stands"], rows)
        .going_on(older, &format!("proposals/{next}"))
}

/// One Proposal: text, votes, what it would do.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
fn show(state: &State<BlogNomic>, number: &str) -> Result<Document, Refusal> {
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
        .para(proposal.text(state));
    let tally = voting::tally(state, proposal);
    document = document.para(format!("Votes: {}. {} can vote.", score(&tally), counted(tally.robots, "Robot")));
    let implicit =
        voting::of(state, &proposal.question(), &proposal.by).is_none() && roster::is_current(state, &proposal.by);
    let proposer =
        implicit.then(|| cells![state.frame.name_of(&proposal.by), "FOR", "as its proposer, without a vote"]);
    let votes = voting::on(state, proposal.question()).map(|(robot, vote)| {
        let counts = if roster::is_current(state, robot) { "" } else { "no current Robot" };
        let mark = if vote.trivial { ", Trivial" } else { "" };
        let older = if vote.revision < proposal.revision { " (on an earlier text)" } else { "" };
        cells![
            state.frame.name_of(robot),
            format!("{}{mark}{older}", vote.choice.word()),
            if vote.void { "void" } else { counts },
        ]
    });
    document.blocks.extend(Block::table_if_any(["Robot", "vote", ""], proposer.into_iter().chain(votes)));
    if proposal.is_pending() {
        let verdict = enactment::verdict(state, proposal).sentence(state, proposal);
        let needs = enactment::needs(state, proposal).map_or_else(String::new, |needs| format!(" {needs}"));
        document = document.para(format!("{verdict}{needs}"));
        document.offers = offers(proposal.number, state.seq);
        document.offers.extend(veto::offer(state, proposal, state.seq));
    }
    let texts = state.rows::<Wording>();
    for revision in 1..=proposal.revision {
        let text = |revision| texts.get(&(proposal.number, revision)).map_or("", |text| &*text.text);
        if let Some(block) = kernel::rulebook::diff::block(text(revision - 1), text(revision)) {
            document = document.para(format!("Correction {revision}:")).with(block);
        }
    }
    Ok(document)
}
