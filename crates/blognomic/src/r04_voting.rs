//! Voting (rule 4): votes on Proposals.
//!
//! A vote changes no other vote; how they count is asked at the moment of an act (`tally`). A count ends a Proposal in
//! `enactment`.

use serde_json::json;

use super::{
    dynasty, enactment,
    figures::{FIRST_VOTE, VOTE_COUNTS},
    game::{BlogNomic, D},
    law::{Thing, established},
    proposal::{self, Proposal},
    roster, tally, time_out, veto,
    votes::{self, Choice, Question, Vote},
};
use kernel::{
    Act, Event, Game, Id, Mechanic, Refusal, State,
    display::Document,
    entry::Audience,
    waiting::{End, Waiting, Wants},
};
use kit::docket::{self, Meant, Numbered};

/// What happens where a vote is cast.
pub(super) const VOTED: &str = "vote";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("voting")
        .table::<Vote>()
        .act(
            Act::new("vote", |Ballot { on, vote, mark }, d| self::vote(on, &vote, mark.is_some(), d))
                .by(Thing::Voting.word())
                .player()
                .public("vote 3 FOR")
                .note("vote")
                .about(|Ballot { on, .. }, state| about(on, state))
                .unsaid("on", |d| Some(meant(d, None).ok()?.number)),
        )
        .hears(|event, d| {
            if let Event::Happened(dynasty::BEGUN, with) = event
                && let Some(cu) = with["by"].as_str()
            {
                void_deferrals(d, &cu.into());
            }
        })
        .waits(waits)
}

/// The Robots who have not voted on a pending Proposal, until its time runs out. Its proposer is for it. One that can be
/// ended waits for the Admin Staff instead, and one with a Quorum for nobody until the older ones are decided.
fn waits(state: &State<BlogNomic>) -> Vec<Waiting> {
    let wait = |proposal: &Proposal| {
        let (question, number, by) = (proposal.question(), proposal.number, &proposal.by);
        let mut cast = votes::cast_on(state, question.clone());
        if votes::of(state, &question, by).is_none() && roster::is_current(state, by) {
            cast.push((by.clone(), format!("{}, as its proposer", Choice::For.word())));
        }
        let missing = |robot: &&Id| *robot != by && votes::of(state, &question, robot).is_none();
        let admins = || roster::current(state).filter(|robot| roster::is_admin(state, robot)).cloned().collect();
        let display = format!("{}/{number}", Proposal::DISPLAY);
        let turn = |what: &str, line: String, of: Vec<Id>| Waiting {
            display: display.clone(),
            label: format!("{} {what}", proposal.label()),
            line,
            until: End::Never,
            of,
            wants: Wants::Turn,
            cast: cast.clone(),
        };
        let verdict = enactment::verdict(state, proposal);
        if verdict.enact {
            return turn("can be enacted", format!("admin enact {number}"), admins());
        }
        if verdict.fail.is_some() {
            return turn("can be failed", format!("admin fail {number}"), admins());
        }
        if enactment::needed(state).is_some_and(|quorum| tally::of(state, proposal).fors >= quorum) {
            let what = "has its Quorum and waits for older ones";
            return turn(what, format!("show proposal {number}"), Vec::new());
        }
        Waiting {
            display: display.clone(),
            label: proposal.label(),
            line: format!("show proposal {number}"),
            until: time_out::over_at(state, proposal).map_or(End::Never, End::At),
            of: roster::current(state).filter(missing).cloned().collect(),
            wants: Wants::Votes,
            cast,
        }
    };
    proposal::open(state).map(wait).collect()
}

kit::args! {
    /// The arguments of `vote` (N22).
    Ballot {
        /// Which; the only pending one where it is not said.
        on: Option<u64>,
        vote: String,
        mark: Option<String>,
    }
}

/// The Proposal that somebody means to vote on: the one named, else the only one that is pending.
///
/// # Errors
///
/// A [`Refusal`] where it is decided, or where it is not said which of several is meant.
fn meant(state: &State<BlogNomic>, number: Option<u64>) -> Result<&Proposal, Refusal> {
    if let Some(number) = number {
        return proposal::pending(state, number);
    }
    match docket::only(state.rows::<Proposal>()) {
        Meant::One(only) => Ok(only),
        Meant::None => {
            let line = laws::voting_line(state).or_else(|| veto::voting_line(state));
            Err(Refusal::new("no Proposal is pending").instead(line.unwrap_or_else(|| "show proposals".to_owned())))
        }
        Meant::Several(first, which) => {
            Err(Refusal::new(format!("several Proposals are pending; say the number of yours: {which}"))
                .instead(format!("vote {} FOR", first.number)))
        }
    }
}

/// What a vote is on, in words: a decided one is refused with what became of it.
fn about(on: Option<u64>, state: &State<BlogNomic>) -> Option<String> {
    let proposal = match on {
        Some(number) => state.row(&number),
        None => meant(state, None).ok(),
    };
    proposal.map(Proposal::votable)
}

// ---- decide

/// The sign of an Imperial Veto in the place of a vote (N123): no vote, but what the Control Unit alone can do.
const VETO: &str = "veto";

/// A Robot votes on a Pending Proposal (N22, N27 to N30).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot, on a decided Proposal, and for a deferring Control Unit.
fn vote(number: Option<u64>, said: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    if said == VETO && !trivial {
        let number = meant(d, number)?.number;
        established(&d.rules, Thing::Dynasties)?;
        dynasty::acting(d)?;
        return veto::veto(number, d);
    }
    let choice = votes::read(said).map_err(|why| why.by(Thing::Voting.rule(&d.rules)))?;
    if trivial && choice != Choice::For {
        return Err(Refusal::new("only a vote FOR can be marked Trivial")
            .by(Thing::Voting.rule(&d.rules))
            .instead("vote 3 FOR trivial"));
    }
    let proposal = meant(d, number)?;
    let vetoable = veto::offer(d, proposal, d.seq).is_some();
    let (number, revision, question) = (proposal.number, proposal.revision, proposal.question());
    if choice == Choice::Deferential && dynasty::control_unit(d) == Some(&me) {
        return Err(Refusal::new("the Control Unit cannot vote DEFERENTIAL: the others defer to it")
            .by(Thing::Voting.rule(&d.rules))
            .instead(format!("vote {number} FOR")));
    }
    let stands = votes::of(d, &question, &me).filter(|vote| !vote.void);
    if let (Some(vote), FIRST_VOTE) = (stands, d.rules.wording(&VOTE_COUNTS)) {
        let say =
            format!("you voted {} on Proposal {number}, and only a Robot's first vote counts", vote.choice.word());
        return Err(Refusal::new(say).by(Thing::Voting.rule(&d.rules)).instead(format!("proposal {number}")));
    }
    let vote = Vote { choice, trivial, at: d.at, revision, void: false };
    let again = votes::of(d, &question, &me).is_some();
    votes::cast(d, question, &me, vote);
    let name = d.frame.name_of(&me).to_owned();
    let mark = if trivial { ", marked Trivial" } else { "" };
    let now = if again { " now" } else { "" };
    let proposal = d.row::<Proposal>(&number).expect("it was pending a moment ago");
    let mut told = proposal.about(Document::say(format!(
        "{name}{now} votes {}{mark} on Proposal {number}: {}.",
        choice.word(),
        tally::of(d, proposal).score()
    )));
    told.offers = veto::offer(d, proposal, d.seq).filter(|_| !vetoable).into_iter().collect();
    d.say(Audience::Public, told);
    let with = json!({ "by": me, "proposal": number, "vote": choice.word(), "trivial": trivial });
    BlogNomic::mechanics().happened(VOTED, &with, d);
    Ok(Document::say(format!("Your vote on Proposal {number} is {}{mark}.", choice.word())))
}

/// Voids the deferrals that a new Control Unit has standing on pending Proposals (N127).
fn void_deferrals(d: &mut D<'_>, cu: &Id) {
    let pending: Vec<Question> = proposal::open(d).map(Proposal::question).collect();
    for question in pending {
        d.edit(&(question, cu.clone()), |vote: &mut Vote| vote.void |= vote.choice == Choice::Deferential);
    }
}
