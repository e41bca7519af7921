//! What is known of an emergency (4E0): who declared it, who takes part, what they think.
//!
//! A change here is of these rows alone. What begins, lasts and ends stands above.

use serde::{Deserialize, Serialize};

use crate::{
    figures::{INCREMENT_HOURS, PEPS},
    game::{BNomic, D},
    law::Thing,
    phases,
    society::players,
    stats::called,
};
use kernel::{
    Id, Instant, Refusal, State, display::Document, entry::Due, frame::Designation, table::Row, time::seconds_after,
    world::Attr,
};

/// The key of what is due when an increment was announced and nobody objected.
pub(crate) const INCREMENT: &str = "increment";

// ---- state

/// That somebody is Paranoid; whoever is not is Calm (B0.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Paranoid {}

impl Row<BNomic> for Paranoid {
    type Key = Id;
    const TABLE: &'static str = "paranoid";

    fn told(who: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        format!("{} is {}", called(state, who), MINDS[usize::from(is.is_some())])
    }
}

/// The Players when they were enough last (B0.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Enough {
    pub(crate) peps: Vec<Id>,
}

impl Row<BNomic> for Enough {
    type Key = ();
    const TABLE: &'static str = "enough_peps";
}

/// Who the PEPs are, as a moderator said while it was uncertain (B0.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Declared {
    pub(crate) peps: Vec<Id>,
}

impl Row<BNomic> for Declared {
    type Key = ();
    const TABLE: &'static str = "declared_peps";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let names = |peps: &[Id]| peps.iter().map(|pep| called(state, pep)).collect::<Vec<_>>().join(", ");
        match is {
            Some(declared) => format!("the PEPs are said to be {}", names(&declared.peps)),
            None => "nobody says any more who the PEPs are".to_owned(),
        }
    }
}

/// Somebody's Refresh Proposal, in the emergency that lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Refresh {
    pub(crate) text: String,
}

impl Row<BNomic> for Refresh {
    type Key = Id;
    const TABLE: &'static str = "refresh_proposals";

    fn told(who: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let whose = format!("the Refresh Proposal of {}", called(state, who));
        match (was, is) {
            (None, Some(_)) => format!("{whose} is submitted"),
            (Some(_), Some(_)) => format!("{whose} reads otherwise"),
            (_, None) => format!("{whose} is gone"),
        }
    }
}

/// Somebody's vote in the round that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Vote {
    /// For whose Refresh Proposal.
    pub(crate) whose: Id,
}

impl Row<BNomic> for Vote {
    type Key = Id;
    const TABLE: &'static str = "emergency_votes";

    fn told(who: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let name = called(state, who);
        match is {
            Some(vote) => format!("{name} votes for the Refresh Proposal of {}", called(state, &vote.whose)),
            None => format!("the vote of {name} for a Refresh Proposal does not stand any more"),
        }
    }
}

impl Row<BNomic> for Crisis {
    type Key = ();
    const TABLE: &'static str = "crisis";

    fn told((): &(), was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let Some(is) = is else { return "the State of Emergency is over".to_owned() };
        let begins = was.is_none().then(|| "a State of Emergency begins".to_owned());
        let none = Self::default();
        let was = was.unwrap_or(&none);
        let coordinator = is.coordinator.as_ref().filter(|_| was.coordinator != is.coordinator);
        let coordinator = coordinator.map(|who| format!("{} is Coordinator", called(state, who)));
        let pause = is.pause.filter(|_| was.pause != is.pause).map(|pause| format!("the Pause is at {pause}"));
        let round = (was.round != is.round).then(|| format!("round {} of votes runs", is.round));
        let increments = (was.increments.len() != is.increments.len())
            .then(|| format!("{} of the Pause run", kernel::display::counted(is.increments.len(), "increment")));
        let told = [begins, coordinator, pause, round, increments];
        told.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// A State of Emergency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Crisis {
    /// Who runs the Procedure, once it is known.
    pub(crate) coordinator: Option<Id>,
    /// The Emergency Forum, once one is named.
    pub(crate) forum: Option<Id>,
    /// How far it is; nothing until the Coordinator starts it.
    pub(crate) pause: Option<u64>,
    /// When the increments were announced that run and to which nobody has objected, the earliest first.
    pub(crate) increments: Vec<Instant>,
    /// The day on which one was announced last.
    pub(crate) announced: Option<String>,
    /// Which round of votes runs, from 1; none before the first.
    pub(crate) round: u64,
    /// Whose Refresh Proposals can be voted for.
    pub(crate) ballot: Vec<Id>,
}

/// The Potential Emergency Participants (B0.1, B0.2).
pub(crate) fn peps(state: &State<BNomic>) -> Vec<Id> {
    let now: Vec<Id> = players::players(state).cloned().collect();
    let enough = state.rules.need_count(&PEPS).unwrap_or(u64::MAX);
    if let Some(declared) = state.rows::<Declared>().get(&()) {
        return declared.peps.clone();
    }
    match state.rows::<Enough>().get(&()) {
        Some(then) if (now.len() as u64) < enough => then.peps.clone(),
        _ => now,
    }
}

pub(crate) fn paranoid(state: &State<BNomic>) -> Vec<Id> {
    peps(state).into_iter().filter(|pep| state.rows::<Paranoid>().contains_key(pep)).collect()
}

/// What mental states are called: the first is everybody's at first (B0.3).
pub(crate) const MINDS: [&str; 2] = ["Calm", "Paranoid"];

/// The kind of the flagpole, which is there by the law of the rule on threats (4E40).
pub(crate) const FLAGPOLE: &str = "flagpole";

/// What flies on it.
pub(crate) const FLAG: Attr<String> = Attr::new("flag");

/// The flagpole, while there is one.
pub(crate) fn flagpole(state: &State<BNomic>) -> Option<Id> {
    state.world.of_kind(FLAGPOLE).next().cloned()
}

/// The Threat Flag, while one flies.
pub(crate) fn flag(state: &State<BNomic>) -> Option<String> {
    state.world.get(&FLAG, &flagpole(state)?)
}

/// Whether somebody is Paranoid.
pub(crate) fn is_paranoid(state: &State<BNomic>, pep: &Id) -> bool {
    state.rows::<Paranoid>().contains_key(pep)
}

/// Whether a State of Emergency lasts: then game time stands still (B0.6).
pub(crate) fn lasts(state: &State<BNomic>) -> bool {
    crisis(state).is_some()
}

/// The State of Emergency that lasts.
pub(crate) fn crisis(state: &State<BNomic>) -> Option<&Crisis> {
    state.rows::<Crisis>().get(&())
}

/// Somebody's mental state from now on.
pub(crate) fn mind(d: &mut D<'_>, pep: &Id, to: bool) {
    match to {
        true => d.put(pep, Paranoid {}),
        false => drop(d.delete::<Paranoid>(pep)),
    }
}

/// The emergency is over, and with it what was proposed and voted in it.
pub(crate) fn over(d: &mut D<'_>) {
    d.delete::<Crisis>(&());
    let proposed: Vec<Id> = d.rows::<Refresh>().keys().cloned().collect();
    for pep in &proposed {
        d.delete::<Refresh>(pep);
    }
    no_votes(d);
}

/// A round is over, and its votes are gone.
pub(crate) fn no_votes(d: &mut D<'_>) {
    let cast: Vec<Id> = d.rows::<Vote>().keys().cloned().collect();
    for pep in &cast {
        d.delete::<Vote>(pep);
    }
}

// ---- decide

pub(crate) fn rule(d: &D<'_>) -> String {
    Thing::Emergency.rule(&d.rules)
}

/// The PEP who acts; somebody who is no Player any more can be one (B0.1).
pub(crate) fn pep(d: &D<'_>) -> Result<Id, Refusal> {
    match d.actor_seat().filter(|seat| peps(d).contains(seat)) {
        Some(seat) => Ok(seat),
        None => Err(Refusal::new("only Players take part in emergencies").by(rule(d)).instead("join NAME")),
    }
}

/// The emergency that lasts, with the PEP who acts in it.
pub(crate) fn acting(d: &D<'_>) -> Result<(Id, Crisis), Refusal> {
    let me = pep(d)?;
    match crisis(d).cloned() {
        Some(crisis) => Ok((me, crisis)),
        None => Err(Refusal::new("there is no State of Emergency").by(rule(d)).instead("show emergency")),
    }
}

/// The same for what counts in the Emergency Forum only (B0.8).
pub(crate) fn in_forum(d: &D<'_>) -> Result<(Id, Crisis), Refusal> {
    let (me, crisis) = acting(d)?;
    if let Some(forum) = crisis.forum.as_ref().filter(|forum| !is_open(d, forum)) {
        let say = format!(
            "{}, the Emergency Forum, is no Public Forum any more: the Coordinator names another",
            short(forum)
        );
        return Err(Refusal::new(say).by(rule(d)).instead("emergency forum #channel"));
    }
    if let Some(forum) = crisis.forum.as_ref().filter(|forum| d.forum.as_ref() != Some(*forum)) {
        return Err(Refusal::new(format!("that counts in the Emergency Forum only, which is {}", short(forum)))
            .by(rule(d))
            .instead("show emergency"));
    }
    Ok((me, crisis))
}

/// A channel as people call it.
pub(crate) fn short(forum: &Id) -> &str {
    forum.rsplit('/').next().unwrap_or(forum)
}

/// Whether a channel is a Public Forum of the room now, as the Emergency Forum must be all along (B0.8).
pub(crate) fn is_open(state: &State<BNomic>, forum: &Id) -> bool {
    state.frame.designated(Designation::Public).any(|public| public == forum)
}

/// By what somebody's Refresh Proposal is called, for what it means.
pub(crate) fn posting(pep: &Id) -> Id {
    format!("refresh/{pep}").into()
}

/// A PEP votes for the Refresh Proposal of somebody: once a round, for good (B0.11, B0.12).
///
/// # Errors
///
/// A [`Refusal`] between rounds, a second time, and for what is not on the ballot.
pub(crate) fn vote(whose: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, crisis) = in_forum(d)?;
    let refuse = |d: &D<'_>, say: &str| Err(Refusal::new(say).by(rule(d)).instead("show emergency"));
    if crisis.round == 0 {
        return refuse(d, "no round of votes runs yet");
    }
    if !crisis.ballot.contains(whose) {
        return refuse(d, "that is not on the ballot of this round");
    }
    if d.rows::<Vote>().contains_key(&me) {
        return refuse(d, "you have voted in this round, and each PEP has a single vote");
    }
    d.put(&me, Vote { whose: whose.clone() });
    let (mine, theirs) = (called(d, &me), called(d, whose));
    d.tell_all(format!("{mine} votes for the Refresh Proposal of {theirs}."));
    Ok(Document::say("Your vote stands."))
}

// ---- due

/// The increments to which nobody has objected.
pub(crate) fn increments_due(state: &State<BNomic>) -> Vec<Due> {
    let hours = state.rules.need_count(&INCREMENT_HOURS).ok().and_then(|hours| i64::try_from(hours).ok());
    let due = |(announced, hours): (&Instant, i64)| Due {
        at: seconds_after(*announced, hours.saturating_mul(3600)),
        rank: phases::INCREMENT,
        key: INCREMENT.into(),
    };
    let announced = crisis(state).into_iter().flat_map(|crisis| &crisis.increments);
    announced.filter_map(|announced| Some((announced, hours?))).map(due).collect()
}
