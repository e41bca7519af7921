//! Voting (rule 4): votes on Proposals, and how they count at a moment.
//!
//! Nothing is tallied in advance: a count reads the votes, who is a current Robot, and how the Control Unit votes, at
//! the moment of the act (N23, N37). Calls for Judgment, annulments and nominations keep their votes in the same
//! [`Ballot`], and count them by their own rules. Absent: what a count leads to (`enactment`).

use imbl::OrdMap;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Instant, Refusal, State,
    display::Document,
    dynasties, emit,
    law::{Thing, established},
    proposals::{self, Proposal},
    public, roster,
    stats::{SEAL, WEBLOG},
    veto,
};
use crate::kernel::{Num, entry::Audience};

// ---- state

/// The votes on one thing: of each voter the latest (N29).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ballot {
    votes: OrdMap<Id, Vote>,
}

/// A vote that was cast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// What it says.
    pub(super) choice: Choice,
    /// Whether it is a vote FOR that is marked Trivial (N28).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) trivial: bool,
    /// When it was cast.
    pub(super) at: Instant,
    /// The revision of the text that it was cast on.
    #[serde(default)]
    pub(super) revision: usize,
    /// Whether it lapsed: the Control Unit cannot have voted DEFERENTIAL before it became so (N127).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) void: bool,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl Ballot {
    /// Somebody's latest vote.
    pub(super) fn of(&self, robot: &Id) -> Option<&Vote> {
        self.votes.get(robot)
    }

    /// All votes, by voter.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Id, &Vote)> {
        self.votes.iter()
    }

    /// How many current Robots' latest votes say so.
    pub(super) fn count(&self, state: &State<BlogNomic>, choice: Choice) -> u64 {
        let counts = |(robot, vote): &(&Id, &Vote)| vote.choice == choice && roster::is_current(state, robot);
        self.iter().filter(counts).count() as u64
    }

    /// Puts a vote in, or takes the latest one out; for folding.
    pub(super) fn put(&mut self, robot: &Id, vote: Option<&Vote>) {
        match vote {
            Some(vote) => self.votes.insert(robot.clone(), vote.clone()),
            None => self.votes.remove(robot),
        };
    }
}

/// How the votes on a Proposal stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Current Robots.
    pub(super) robots: u64,
    /// Votes that count FOR, the implicit one and resolved deferrals included.
    pub(super) fors: u64,
    /// Those of them that are marked Trivial.
    pub(super) trivial: u64,
    /// Votes that count AGAINST.
    pub(super) against: u64,
    /// Deferrals to a Control Unit that has no vote (N24).
    pub(super) unresolved: u64,
}

impl Tally {
    /// Whether every current Robot has voted (N40).
    pub(super) fn all_voted(&self) -> bool {
        self.fors + self.against + self.unresolved >= self.robots
    }

    /// Whether most of the votes FOR are marked Trivial (N44): more than half of them.
    pub(super) fn mostly_trivial(&self) -> bool {
        self.trivial * 2 > self.fors
    }
}

/// Whether some votes are more than a percentage of all.
pub(super) fn is_beyond(some: u64, all: u64, percent: &Num) -> bool {
    let (some, all) = (BigRational::from_integer(some.into()), BigRational::from_integer(all.into()));
    some * BigRational::from_integer(100.into()) > all * percent.as_rational()
}

/// How the Control Unit votes on a Proposal (N23 to N26, N127): FOR with or without the mark, AGAINST, or not.
fn leading_vote(state: &State<BlogNomic>, proposal: &Proposal) -> Option<(Choice, bool)> {
    let cu = dynasties::control_unit(state).filter(|cu| roster::is_current(state, cu))?;
    match proposal.ballot.of(cu) {
        Some(vote) if vote.choice != Choice::Deferential => Some((vote.choice, vote.trivial)),
        None if proposal.by == *cu => Some((Choice::For, false)),
        _ => None,
    }
}

/// Counts the votes on a Proposal as they stand now.
pub(super) fn tally(state: &State<BlogNomic>, proposal: &Proposal) -> Tally {
    let cu = dynasties::control_unit(state);
    let leading = leading_vote(state, proposal);
    let mut tally = Tally { robots: roster::count(state), ..Tally::default() };
    for robot in roster::current(state) {
        let counted = match proposal.ballot.of(robot) {
            // A deferral that its caster made before becoming Control Unit is as if not cast (N127).
            Some(vote) if vote.choice == Choice::Deferential && (vote.void || Some(robot) == cu) => continue,
            Some(vote) if vote.choice == Choice::Deferential => leading,
            Some(vote) => Some((vote.choice, vote.trivial)),
            None if *robot == proposal.by => Some((Choice::For, false)),
            None => continue,
        };
        match counted {
            Some((Choice::For, trivial)) => {
                tally.fors += 1;
                tally.trivial += u64::from(trivial);
            }
            Some((Choice::Against, _)) => tally.against += 1,
            Some((Choice::Deferential, _)) | None => tally.unresolved += 1,
        }
    }
    tally
}

// ---- facts

/// What happens to votes on Proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A vote was cast, or taken back by an undo.
    Cast {
        /// On which Proposal.
        proposal: u64,
        /// Whose.
        robot: Id,
        /// The vote.
        to: Option<Vote>,
        /// The latest one before it.
        was: Option<Vote>,
    },
}

// ---- decide

/// What a player typed as a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// What it says.
    pub(super) choice: Choice,
    /// Whether it was marked Trivial.
    pub(super) trivial: bool,
}

/// Reads a vote: a word, an icon, or the sign for an icon (N22, N123), with or without the mark.
///
/// # Errors
///
/// A [`Refusal`] that lists the votes: anything else is none.
pub(super) fn read(text: &str) -> Result<Said, Refusal> {
    let lower = text.to_lowercase();
    let mut trivial = false;
    let mut choice = None;
    let words =
        lower.split(|char: char| char.is_whitespace() || matches!(char, ',' | '.' | '(' | ')' | ':' | '!' | ';'));
    for word in words.map(|word| word.trim_matches(['"', '*', '“', '”', '\u{fe0f}'])).filter(|word| !word.is_empty())
    {
        let named = match word {
            "for" | "yes" | "agree" | "✅" | "☑" | "✔" | "👍" | "[x]" => Choice::For,
            "against" | "no" | "disagree" | "x" | "❌" | "✖" | "✗" | "👎" => Choice::Against,
            "deferential" | "defer" | "i" | "ℹ" => Choice::Deferential,
            "trivial" | "trivially" => {
                trivial = true;
                continue;
            }
            "marked" | "as" | "vote" | "icon" => continue,
            _ => return Err(no_vote()),
        };
        if choice.replace(named).is_some_and(|before| before != named) {
            return Err(no_vote());
        }
    }
    let choice = choice.ok_or_else(no_vote)?;
    if trivial && choice != Choice::For {
        return Err(Refusal::new("only a vote FOR can be marked Trivial").instead("vote 3 FOR trivial"));
    }
    Ok(Said { choice, trivial })
}

/// Whether it is the sign of an Imperial Veto in the place of a vote (N123): no vote, but what the Control Unit alone can do.
/// The sign is the Seal, as it looks now (N113), where that is not the sign of a vote.
fn is_veto(state: &State<BlogNomic>, text: &str) -> bool {
    let seal = state.world.get(&SEAL, &WEBLOG.into()).unwrap_or_default();
    let same = |one: &str| one.trim().trim_matches('\u{fe0f}').to_lowercase();
    if !seal.is_empty() && same(&seal) == same(text) && read(text).is_err() {
        return true;
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let known = |word: &String| matches!(word.as_str(), "veto" | "vetoed" | "imperial" | "seal" | "the");
    !words.is_empty()
        && words.iter().all(known)
        && words.iter().any(|word| !matches!(word.as_str(), "the" | "imperial"))
}

fn no_vote() -> Refusal {
    Refusal::new("a vote is FOR, FOR trivial, AGAINST or DEFERENTIAL").instead("vote 3 FOR")
}

/// A Robot votes on a Pending Proposal (N22, N27 to N30).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot, on a decided Proposal, and for a deferring Control Unit.
pub(super) fn vote(number: Option<u64>, said: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Voting)?;
    let me = roster::robot(d)?;
    public(d, "vote 3 FOR")?;
    if is_veto(d, said) {
        let number = proposals::pending(d, number)?.number;
        return veto::veto(number, d);
    }
    let said = read(said).map_err(|why| why.by(Thing::Voting.rule(&d.rules)))?;
    let proposal = proposals::pending(d, number)?;
    let vetoable = veto::offer(d, proposal, d.seq).is_some();
    let (number, revision) = (proposal.number, proposal.revision());
    let was = proposal.ballot.of(&me).cloned();
    if said.choice == Choice::Deferential && dynasties::control_unit(d) == Some(&me) {
        return Err(Refusal::new("the Control Unit cannot vote DEFERENTIAL: the others defer to it")
            .by(Thing::Voting.rule(&d.rules))
            .instead(format!("vote {number} FOR")));
    }
    let vote = Vote { choice: said.choice, trivial: said.trivial, at: d.at, revision, void: false };
    let again = was.is_some();
    emit(d, Fact::Cast { proposal: number, robot: me.clone(), to: Some(vote), was });
    roster::voted(d, &me);
    let name = d.frame.name_of(&me).to_owned();
    let mark = if said.trivial { ", marked Trivial" } else { "" };
    let now = if again { " now" } else { "" };
    let proposal = d.game.proposals.get(number).expect("it was pending a moment ago");
    let tally = tally(d, proposal);
    let mut told = proposal.about(Document::say(format!(
        "{name}{now} votes {}{mark} on Proposal {number}: {}.",
        said.choice.word(),
        proposals::score(&tally)
    )));
    told.offers = veto::offer(d, proposal, d.seq).filter(|_| !vetoable).into_iter().collect();
    d.say(Audience::Public, told);
    Ok(Document::say(format!("Your vote on Proposal {number} is {}{mark}.", said.choice.word())))
}

/// Voids the deferrals that a new Control Unit has standing on pending Proposals (N127).
pub(super) fn void_deferrals(d: &mut D<'_>, cu: &Id) {
    let standing = |proposal: &Proposal| {
        let vote = proposal.ballot.of(cu)?;
        (vote.choice == Choice::Deferential && !vote.void).then(|| (proposal.number, vote.clone()))
    };
    let votes: Vec<(u64, Vote)> = d.game.proposals.open().filter_map(standing).collect();
    for (proposal, was) in votes {
        let to = Vote { void: true, ..was.clone() };
        emit(d, Fact::Cast { proposal, robot: cu.clone(), to: Some(to), was: Some(was) });
    }
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    match fact {
        Fact::Cast { proposal, robot, to, .. } => {
            game.proposals.change(*proposal, |proposal| proposal.ballot.put(robot, to.as_ref()));
        }
    }
}

/// What came between, as a clause, where a vote is not the voter's latest any more: then it cannot be taken back alone.
pub(super) fn moved_on(fact: &Fact, state: &State<BlogNomic>) -> Option<String> {
    let Fact::Cast { proposal, robot, to, .. } = fact;
    let proposal = state.game.proposals.get(*proposal)?;
    let moved = proposal.ballot.of(robot) != to.as_ref();
    moved.then(|| format!("{} voted on {} again since", state.frame.name_of(robot), proposal.label()))
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    match fact.clone() {
        Fact::Cast { proposal, robot, to, was } => Fact::Cast { proposal, robot, to: was, was: to },
    }
}
