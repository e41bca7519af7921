//! Voting (rule 4): votes on Proposals, and how they count at a moment.
//!
//! Nothing is tallied in advance: a count reads the votes, who is a current Robot, and how the Control Unit votes, at
//! the moment of the act (N23, N37). Calls for Judgment, annulments and nominations keep their votes in the same table,
//! by [`Question`], and count them by their own rules. Absent: what a count leads to (`enactment`).

use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::{
    dynasties,
    figures::{FIRST_VOTE, VOTE_COUNTS},
    game::{BlogNomic, D},
    law::{Thing, established},
    proposals::{self, Proposal},
    roster, veto,
};
use kernel::{Act, Id, Instant, Mechanic, Num, Refusal, State, display::Document, entry::Audience, table::Row};
use kit::ballot;
use kit::docket::Numbered;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("voting").table::<Vote>().act(
        Act::new("vote", |Ballot { on, vote, mark }, d| self::vote(&on, &vote.join(" "), mark.is_some(), d))
            .by(Thing::Voting.word())
            .player()
            .public("vote 3 FOR")
            .note("vote")
            .about(|Ballot { on, .. }, state| about(&on, state)),
    )
}

kit::args! {
    /// The arguments of `vote` (N22).
    Ballot {
        /// Which; the only pending one where it is not said.
        #[serde(default, deserialize_with = "kit::one_or_several")] on: Vec<u64>,
        #[serde(deserialize_with = "kit::one_or_several")] vote: Vec<String>,
        mark: Option<String>,
    }
}

// ---- state

/// What is voted on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A Proposal.
    Proposal(u64),
    /// A Call for Judgment.
    Call(u64),
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
            Self::Call(number) => format!("Call {number}"),
            Self::Annulment(number) => format!("annulling the veto of Proposal {number}"),
            Self::Nomination(nominee) => format!("{} as Control Unit", state.frame.name_of(nominee)),
        }
    }
}

/// A vote that was cast: of each voter the latest on each question (N29).
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
            Some(vote) => {
                let mark = if vote.trivial { ", Trivial" } else { "" };
                format!("{name} on {question}: {}{mark}", vote.choice.word())
            }
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

/// How many current Robots' latest votes on something say so.
pub(super) fn count(state: &State<BlogNomic>, question: Question, choice: Choice) -> u64 {
    ballot::count(state.rows::<Vote>(), question, |robot, vote| {
        vote.choice == choice && roster::is_current(state, robot)
    })
}

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
    match of(state, &proposal.question(), cu) {
        Some(vote) if vote.choice != Choice::Deferential => Some((vote.choice, vote.trivial)),
        None if proposal.by == *cu => Some((Choice::For, false)),
        _ => None,
    }
}

/// Counts the votes on a Proposal as they stand now.
pub(super) fn tally(state: &State<BlogNomic>, proposal: &Proposal) -> Tally {
    let cu = dynasties::control_unit(state);
    let (leading, question) = (leading_vote(state, proposal), proposal.question());
    let mut tally = Tally { robots: roster::count(state), ..Tally::default() };
    for robot in roster::current(state) {
        let counted = match of(state, &question, robot) {
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

/// What a vote is on, in words: a decided one is refused with what became of it.
fn about(on: &[u64], state: &State<BlogNomic>) -> Option<String> {
    let proposal = match on.first() {
        Some(number) => state.row(number),
        None => proposals::pending(state, None).ok(),
    };
    proposal.map(Proposal::votable)
}

// ---- decide

/// Reads a vote (N22).
///
/// # Errors
///
/// A [`Refusal`] that lists the votes: anything else is none.
pub(super) fn read(text: &str) -> Result<Choice, Refusal> {
    let all = [Choice::For, Choice::Against, Choice::Deferential];
    all.into_iter().find(|choice| choice.word().eq_ignore_ascii_case(text.trim())).ok_or_else(no_vote)
}

/// The sign of an Imperial Veto in the place of a vote (N123): no vote, but what the Control Unit alone can do.
const VETO: &str = "veto";

fn no_vote() -> Refusal {
    Refusal::new("a vote is FOR, FOR trivial, AGAINST or DEFERENTIAL").instead("vote 3 FOR")
}

/// A Robot votes on a Pending Proposal (N22, N27 to N30).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot, on a decided Proposal, and for a deferring Control Unit.
fn vote(on: &[u64], said: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let number = match on {
        [] => None,
        [only] => Some(*only),
        _ => return Err(Refusal::new("one vote is on one Proposal").instead("vote 3 FOR")),
    };
    if said == VETO && !trivial {
        let number = proposals::pending(d, number)?.number;
        established(&d.rules, Thing::Dynasties)?;
        return veto::veto(number, d);
    }
    let choice = read(said).map_err(|why| why.by(Thing::Voting.rule(&d.rules)))?;
    if trivial && choice != Choice::For {
        return Err(Refusal::new("only a vote FOR can be marked Trivial")
            .by(Thing::Voting.rule(&d.rules))
            .instead("vote 3 FOR trivial"));
    }
    let proposal = proposals::pending(d, number)?;
    let vetoable = veto::offer(d, proposal, d.seq).is_some();
    let (number, revision, question) = (proposal.number, proposal.revision, proposal.question());
    if choice == Choice::Deferential && dynasties::control_unit(d) == Some(&me) {
        return Err(Refusal::new("the Control Unit cannot vote DEFERENTIAL: the others defer to it")
            .by(Thing::Voting.rule(&d.rules))
            .instead(format!("vote {number} FOR")));
    }
    let stands = of(d, &question, &me).filter(|vote| !vote.void);
    if let (Some(vote), FIRST_VOTE) = (stands, d.rules.wording(&VOTE_COUNTS)) {
        let say =
            format!("you voted {} on Proposal {number}, and only a Robot's first vote counts", vote.choice.word());
        return Err(Refusal::new(say).by(Thing::Voting.rule(&d.rules)).instead(format!("proposal {number}")));
    }
    let vote = Vote { choice, trivial, at: d.at, revision, void: false };
    let again = of(d, &question, &me).is_some();
    cast(d, question, &me, vote);
    let name = d.frame.name_of(&me).to_owned();
    let mark = if trivial { ", marked Trivial" } else { "" };
    let now = if again { " now" } else { "" };
    let proposal = d.row::<Proposal>(&number).expect("it was pending a moment ago");
    let tally = tally(d, proposal);
    let mut told = proposal.about(Document::say(format!(
        "{name}{now} votes {}{mark} on Proposal {number}: {}.",
        choice.word(),
        proposals::score(&tally)
    )));
    told.offers = veto::offer(d, proposal, d.seq).filter(|_| !vetoable).into_iter().collect();
    d.say(Audience::Public, told);
    Ok(Document::say(format!("Your vote on Proposal {number} is {}{mark}.", choice.word())))
}

/// Voids the deferrals that a new Control Unit has standing on pending Proposals (N127).
pub(super) fn void_deferrals(d: &mut D<'_>, cu: &Id) {
    let pending: Vec<Question> = proposals::open(d).map(Proposal::question).collect();
    for question in pending {
        d.edit(&(question, cu.clone()), |vote: &mut Vote| vote.void |= vote.choice == Choice::Deferential);
    }
}
