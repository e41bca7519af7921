//! Vetoes (rule 15): the Control Unit's veto, requests to annul one, strikes, and nominations for a new Control Unit.
//!
//! A veto that is annulled leaves its Proposal as if it had never been vetoed (N102). Absent: the Dynasty itself
//! (`dynasties`), and what a failed Proposal costs (`enactment`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Refusal, State,
    display::{Block, Cell, Document, counted},
    dynasties, emit, enactment,
    figures::{ANNULMENT_PART, ANNULMENT_WHOLE, STRIKE_LIMIT, VETO_AGAINST},
    law::{Thing, established},
    proposals::{self, Stands},
    public, roster, typed,
    voting::{self, Ballot, Choice, Vote},
};
use crate::kernel::{display::Offer, entry::Audience};

// ---- state

/// Vetoes and what is asked about them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Vetoes {
    /// For each Proposal, which Dynasty vetoed it last.
    made: OrdMap<u64, usize>,
    /// Open requests to annul, by Proposal.
    requests: OrdMap<u64, Ballot>,
    /// Open nominations, by nominee.
    nominations: OrdMap<Id, Ballot>,
}

// ---- facts

/// What happens to vetoes and nominations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The Dynasty that vetoed a Proposal last.
    Vetoed {
        /// Which Proposal.
        proposal: u64,
        /// Which Dynasty, counted from 1; none where that was undone.
        to: Option<usize>,
        /// Which before.
        was: Option<usize>,
    },
    /// A request stands so from now on.
    Request {
        /// About which Proposal.
        proposal: u64,
        /// Its votes; none where it is closed.
        to: Option<Vec<(Id, Vote)>>,
        /// Its votes before.
        was: Option<Vec<(Id, Vote)>>,
    },
    /// A nomination stands so from now on.
    Nomination {
        /// Of whom.
        nominee: Id,
        /// Its votes; none where it is closed.
        to: Option<Vec<(Id, Vote)>>,
        /// Its votes before.
        was: Option<Vec<(Id, Vote)>>,
    },
}

fn votes(ballot: Option<&Ballot>) -> Option<Vec<(Id, Vote)>> {
    ballot.map(|ballot| ballot.iter().map(|(id, vote)| (id.clone(), vote.clone())).collect())
}

fn ballot(votes: &[(Id, Vote)]) -> Ballot {
    let mut ballot = Ballot::default();
    for (id, vote) in votes {
        ballot.put(id, Some(vote));
    }
    ballot
}

/// The veto of a Proposal as it can be offered: while somebody reigns and enough Robots are voting AGAINST it.
pub(super) fn offer(state: &State<BlogNomic>, proposal: &proposals::Proposal, at_seq: u64) -> Option<Offer> {
    established(&state.rules, Thing::Dynasties).ok()?;
    dynasties::control_unit(state)?;
    let needed = state.rules.need_count(&VETO_AGAINST).ok()?;
    let enough = proposal.is_pending() && voting::tally(state, proposal).against >= needed;
    enough.then(|| Offer { label: "Veto".to_owned(), line: format!("cu veto {}", proposal.number), at_seq })
}

// ---- decide

/// The Control Unit vetoes a Proposal (N98, N99).
///
/// # Errors
///
/// A [`Refusal`] for others, for decided Proposals, and where too few vote AGAINST.
pub(super) fn veto(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Dynasties)?;
    dynasties::acting(d)?;
    public(d, "cu veto 3")?;
    let rule = Thing::Dynasties.rule(&d.rules);
    let proposal = proposals::pending(d, Some(number))?.clone();
    let needed = d.rules.need_count(&VETO_AGAINST)?;
    let against = voting::tally(d, &proposal).against;
    if against < needed {
        return Err(Refusal::new(format!(
            "{} voting AGAINST {}, and a veto needs {needed}",
            if against == 1 { "1 Robot is".to_owned() } else { format!("{against} Robots are") },
            proposal.label()
        ))
        .by(rule)
        .instead(format!("vote {number} AGAINST")));
    }
    enactment::end_failed(d, &proposal, None, "vetoed by the Control Unit", true);
    let (to, was) = (Some(d.game.dynasties.count()), d.game.vetoes.made.get(&number).copied());
    emit(d, Fact::Vetoed { proposal: number, to, was });
    Ok(Document::say(format!("{} is vetoed.", proposal.label())))
}

/// A Robot asks that a veto be annulled (N100).
///
/// # Errors
///
/// A [`Refusal`] where nothing was vetoed, or somebody asked already.
pub(super) fn request(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Dynasties)?;
    let me = roster::robot(d)?;
    public(d, "annul request 3")?;
    let rule = Thing::Dynasties.rule(&d.rules);
    let proposal = proposals::need(d, number)?;
    if !matches!(proposal.stands, Stands::Failed { vetoed: true, .. }) {
        return Err(Refusal::new(format!("{} was not vetoed", proposal.label())).by(rule).instead("proposals"));
    }
    if d.game.vetoes.requests.contains_key(&number) {
        return Err(Refusal::new("that is asked for already; vote on it")
            .by(rule)
            .instead(format!("annul vote {number} FOR")));
    }
    let (label, name) = (proposal.label(), d.frame.name_of(&me).to_owned());
    emit(d, Fact::Request { proposal: number, to: Some(Vec::new()), was: None });
    let mut document = Document::say(format!("{name} requests that the veto of {label} be annulled."));
    document.offers = ["FOR", "AGAINST"]
        .map(|word| Offer { label: word.to_owned(), line: format!("annul vote {number} {word}"), at_seq: d.seq })
        .to_vec();
    d.say(Audience::Public, document);
    Ok(Document::say("The request is open; vote on it, too."))
}

/// A Robot votes on a request to annul (N100, N101).
///
/// # Errors
///
/// A [`Refusal`] where there is none, or the vote is neither FOR nor AGAINST.
pub(super) fn vote_on_request(number: Option<u64>, said: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Dynasties)?;
    let me = roster::robot(d)?;
    public(d, "annul vote 3 FOR")?;
    let choice = plain(said, "annul vote 3 FOR")?;
    let number = number.map_or_else(|| only_request(d), Ok)?;
    let Some(held) = d.game.vetoes.requests.get(&number).cloned() else {
        return Err(Refusal::new(format!("nobody asks that a veto of Proposal {number} be annulled"))
            .by(Thing::Dynasties.rule(&d.rules))
            .instead(format!("annul request {number}")));
    };
    let after = with(d, &held, &me, choice);
    emit(d, Fact::Request { proposal: number, to: votes(Some(&after)), was: votes(Some(&held)) });
    roster::voted(d, &me);
    let (name, score) = (d.frame.name_of(&me).to_owned(), score(d, &after));
    d.tell_all(format!("{name} votes {} on annulling the veto of Proposal {number}: {score}.", choice.word()));
    Ok(Document::say("Your vote counts."))
}

/// The Proposal about whose veto there is a request, where there is exactly one.
fn only_request(d: &D<'_>) -> Result<u64, Refusal> {
    let open: Vec<u64> = d.game.vetoes.requests.keys().copied().collect();
    match open[..] {
        [only] => Ok(only),
        [] => Err(Refusal::new("nobody asks that a veto be annulled").instead("annul request 3")),
        [first, ..] => {
            let which = open.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let why = format!("several requests are open; say about which Proposal: {which}");
            Err(Refusal::new(why).instead(format!("annul vote {first} FOR")))
        }
    }
}

/// The line by which an open request is voted on, for whoever finds no Proposal to vote on.
pub(super) fn voting_line(state: &State<BlogNomic>) -> Option<String> {
    state.game.vetoes.requests.keys().next().map(|number| format!("annul vote {number} FOR"))
}

/// A Robot nominates a Robot for a vacant office, and votes for it by that (N104).
///
/// # Errors
///
/// A [`Refusal`] while somebody is Control Unit.
pub(super) fn nominate(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Dynasties)?;
    let me = roster::robot(d)?;
    public(d, "cu nominate Bo")?;
    let rule = Thing::Dynasties.rule(&d.rules);
    if let Some(cu) = dynasties::control_unit(d) {
        let name = d.frame.name_of(cu);
        return Err(Refusal::new(format!("{name} is Control Unit, and nominations are for a vacant office"))
            .by(rule)
            .instead("dynasties"));
    }
    let who = roster::other(d, who, None)?;
    let held = d.game.vetoes.nominations.get(&who).cloned();
    let after = with(d, &held.clone().unwrap_or_default(), &me, Choice::For);
    emit(d, Fact::Nomination { nominee: who.clone(), to: votes(Some(&after)), was: votes(held.as_ref()) });
    roster::voted(d, &me);
    let (name, nominee, score) = (d.frame.name_of(&me).to_owned(), d.frame.name_of(&who).to_owned(), score(d, &after));
    d.tell_all(format!(
        "{name} is for {nominee} as Control Unit: {score}. “cu nominate {}” joins in.",
        typed(&nominee)
    ));
    Ok(Document::say("Your vote counts."))
}

/// A vote that is FOR or AGAINST and nothing else; else the line that helps is told.
pub(super) fn plain(said: &str, line: &str) -> Result<Choice, Refusal> {
    let plain = voting::read(said).ok().filter(|choice| *choice != Choice::Deferential);
    plain.ok_or_else(|| Refusal::new("here a vote is FOR or AGAINST").instead(line))
}

/// A ballot with one more vote, in place of an earlier one.
pub(super) fn with(d: &D<'_>, held: &Ballot, robot: &Id, choice: Choice) -> Ballot {
    let mut after = held.clone();
    after.put(robot, Some(&Vote { choice, trivial: false, at: d.at, revision: 0, void: false }));
    after
}

/// How plain votes stand, in a few words.
pub(super) fn score(state: &State<BlogNomic>, ballot: &Ballot) -> String {
    let count = |choice| ballot.count(state, choice);
    let robots = counted(roster::count(state), "Robot");
    format!("{} FOR, {} AGAINST of {robots}", count(Choice::For), count(Choice::Against))
}

// ---- due

/// Annuls what enough Robots are for (N101 to N103, N136), and fills a vacant office (N104).
pub(super) fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Dynasties).is_err() {
        return false;
    }
    let robots = roster::count(d);
    if let (Ok(part), Ok(whole)) = (d.rules.need_count(&ANNULMENT_PART), d.rules.need_count(&ANNULMENT_WHOLE)) {
        let state: &State<BlogNomic> = d;
        let enough = |(_, ballot): &(&u64, &Ballot)| {
            let fors = ballot.count(state, Choice::For);
            robots > 0 && u128::from(fors) * u128::from(whole) >= u128::from(part) * u128::from(robots)
        };
        let found = state.game.vetoes.requests.iter().find(enough).map(|(number, ballot)| (*number, ballot.clone()));
        if let Some((number, held)) = found {
            annul(d, number, &held);
            return true;
        }
    }
    if dynasties::control_unit(d).is_none()
        && let Ok(quorum) = enactment::quorum(d)
    {
        let state: &State<BlogNomic> = d;
        let elected = |(nominee, ballot): &(&Id, &Ballot)| {
            roster::is_current(state, nominee) && ballot.count(state, Choice::For) >= quorum
        };
        let found = state.game.vetoes.nominations.iter().find(elected).map(|(nominee, _)| nominee.clone());
        if let Some(nominee) = found {
            dynasties::begin(d, &nominee, "the Robots nominated it");
            return true;
        }
    }
    // Nominations are over once somebody is Control Unit.
    if dynasties::control_unit(d).is_some()
        && let Some((nominee, held)) =
            d.game.vetoes.nominations.iter().next().map(|(id, held)| (id.clone(), held.clone()))
    {
        emit(d, Fact::Nomination { nominee, to: None, was: votes(Some(&held)) });
        return true;
    }
    false
}

fn annul(d: &mut D<'_>, number: u64, held: &Ballot) {
    emit(d, Fact::Request { proposal: number, to: None, was: votes(Some(held)) });
    let Some(proposal) = d.game.proposals.get(number).map(proposals::Proposal::label) else { return };
    enactment::revive(d, number);
    // Whoever reigns now gets no strike for a veto of a Dynasty before (N141).
    let same = d.game.vetoes.made.get(&number) == Some(&d.game.dynasties.count());
    let struck = same && dynasties::control_unit(d).is_some();
    if struck {
        dynasties::alter(d, |dynasty| dynasty.strikes += 1);
    }
    let strikes = d.game.dynasties.now().map_or(0, |dynasty| dynasty.strikes);
    let told = if struck { format!(" The Control Unit has {}.", counted(strikes, "strike")) } else { String::new() };
    d.tell_all(format!(
        "The veto of {proposal} is annulled: it is Pending again, and its proposer has the penalty back.{told}"
    ));
    if struck
        && d.rules.need_count(&STRIKE_LIMIT).is_ok_and(|limit| strikes >= limit)
        && let Some(cu) = dynasties::control_unit(d).cloned()
    {
        dynasties::vacate(d, &cu);
        d.tell_all("The Control Unit is removed. Nominations for a new one are open: “cu nominate NAME”.");
    }
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    let vetoes = &mut game.vetoes;
    match fact {
        Fact::Vetoed { proposal, to: Some(to), .. } => {
            vetoes.made.insert(*proposal, *to);
        }
        Fact::Vetoed { proposal, to: None, .. } => {
            vetoes.made.remove(proposal);
        }
        Fact::Request { proposal, to: Some(to), .. } => {
            vetoes.requests.insert(*proposal, ballot(to));
        }
        Fact::Request { proposal, to: None, .. } => {
            vetoes.requests.remove(proposal);
        }
        Fact::Nomination { nominee, to: Some(to), .. } => {
            vetoes.nominations.insert(nominee.clone(), ballot(to));
        }
        Fact::Nomination { nominee, to: None, .. } => {
            vetoes.nominations.remove(nominee);
        }
    }
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    match fact.clone() {
        Fact::Vetoed { proposal, to, was } => Fact::Vetoed { proposal, to: was, was: to },
        Fact::Request { proposal, to, was } => Fact::Request { proposal, to: was, was: to },
        Fact::Nomination { nominee, to, was } => Fact::Nomination { nominee, to: was, was: to },
    }
}

// ---- display

/// Open requests and nominations.
pub(super) fn show(state: &State<BlogNomic>) -> Document {
    let requests = state.game.vetoes.requests.iter().map(|(number, ballot)| {
        let text = format!("annul the veto of Proposal {number}: {}", score(state, ballot));
        Cell::new(text).completing(number.to_string()).showing(format!("proposal/{number}"))
    });
    let nominations = state.game.vetoes.nominations.iter().map(|(nominee, ballot)| {
        Cell::new(format!("{} as Control Unit: {}", state.frame.name_of(nominee), score(state, ballot)))
    });
    let open: Vec<Cell> = requests.chain(nominations).collect();
    let document = Document::titled("requests", "Requests and nominations");
    if open.is_empty() { document.para("None is open.") } else { document.with(Block::List(open)) }
}
