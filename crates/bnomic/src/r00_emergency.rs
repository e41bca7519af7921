//! Emergencies (4E0) and the flag that tells of them (4E40): mental states, the Pause, Refresh Proposals, rounds of votes.
//!
//! While a State of Emergency lasts game time stands still: midnights move the Pause and nothing else (`clock`). Rounds are
//! counted by the bot in the Coordinator's name, so that an idle one blocks nothing. Absent: what the changes of a
//! Refresh Proposal mean (`effects`); what only prose says the Coordinator does by hand.

mod lasting;
pub(super) mod selected;
mod shown;

use serde::{Deserialize, Serialize};

pub(super) use self::{
    lasting::settle,
    selected::{Selected, by_hand, left_by_hand, selected_for},
    shown::coming,
};
use super::{
    calendar,
    clock::{self, Moment},
    effects,
    figures::{CALM_NDAY, INCREMENT_HOURS, PAUSE_BALLOT, PEPS, PUBLIC_MONTHS},
    game::{BNomic, D, public},
    law::{Thing, established},
    ministries::{self, Post},
    phases, posted, rounds, society,
    stats::{BEAST, called},
    tweaks,
};
use kernel::{
    Act, Display, Event, Id, Instant, Mechanic, Phase, Refusal, Seq, State, Value,
    display::Document,
    entry::{Audience, Due},
    frame::Designation,
    game::{Fate, Lapse},
    table::Row,
    time::{day, months_after, seconds_after},
    world::{Attr, AttrDef, Op, Range},
};
use kit::docket::{self, TEXT_MAX_BYTES};
use shown::show;

/// The kind of the flagpole, and its one object (4E40).
pub(super) const FLAGPOLE: &str = "flagpole";
const THE_FLAGPOLE: &str = "flagpole/main";
/// The flag that flies on it.
pub(super) const FLAG: Attr<String> = Attr::new("flag");
/// The flags, by ascending threat.
const FLAGS: [&str; 5] = [PINK_PONIES, "Polka Dots", "Setting Orange", "Jolly Roger", "Black Watch Plaid"];
/// The flag of no threat at all.
const PINK_PONIES: &str = "Pink Ponies";
/// What the fourth Paranoid hoists, and what is left of it afterwards.
const BLACK_WATCH_PLAID: &str = FLAGS[4];
const JOLLY_ROGER: &str = FLAGS[3];

/// The key of what is due when an increment was announced and nobody objected.
const INCREMENT: &str = "increment";

/// The note of an act with which an emergency goes on: it is none of the game proper.
pub(super) const NOTE: &str = "emergency";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let own = |act: Act<BNomic>| act.by(Thing::Emergency.word()).note(NOTE);
    // What belongs to the Procedure is said in public.
    let said = |act: Act<BNomic>| own(act).public("emergency start");
    let forum = Act::new("emergency_forum", |Forum { channel }, d| name_forum(&channel, d));
    let submit = Act::new("emergency_refresh", |Submit { text }, d| {
        tweaks::unmarked(&text, "emergency refresh => set mackerel-rate to 4")?;
        refresh(Some(&text), d)
    });
    let hoist = Act::new("hoist", |Hoist { flag }, d| hoist(&flag, d));
    Mechanic::new("emergency")
        .table::<Selected>()
        .table::<Paranoid>()
        .table::<Enough>()
        .table::<Declared>()
        .table::<Hoisted>()
        .table::<Refresh>()
        .table::<Vote>()
        .table::<Meanwhile>()
        .table::<Crisis>()
        .act(own(Act::plain("panic", |d| feel(true, d))))
        .act(own(Act::plain("calm", |d| feel(false, d))))
        .act(said(forum))
        .act(said(Act::plain("emergency_start", start)))
        .act(said(Act::plain("emergency_increment", increment)))
        .act(said(Act::plain("emergency_object", object)))
        .act(said(submit))
        .act(said(Act::plain("emergency_withdraw", |d| refresh(None, d))))
        .act(said(Act::new("emergency_vote", |For { player }, d| vote(&player, d))))
        .act(hoist.by(Thing::Threat.word()).player().public("hoist Polka Dots"))
        // In a moderator's pause its hours stand still, and what a message left open is judged by what follows.
        .phase(
            Phase::new(phases::INCREMENT, next_due, |due, d| self::due(&due, d))
                .lapse(|due, d| {
                    announced(&due, d);
                })
                .fate(|_, _| Lapse { what: "an increment of the Pause".to_owned(), fate: Fate::Never }),
        )
        .display(Display::new("emergency", |state, _| Ok(show(state))).listed(12))
        .settle(settle)
        .hears(|event, d| {
            if let Event::Resumed(since) = event {
                resumed(*since, d);
            }
        })
        .corrects(|path, to, d| (path == "emergency.peps").then(|| declare(to, d)))
}

kit::args! {
    /// The arguments of `emergency_forum` (B0.8).
    Forum { channel: String }

    /// The arguments of `emergency_refresh` (B0.10).
    Submit { text: String }

    /// The arguments of `emergency_vote` (B0.11).
    For { player: Id }

    /// The arguments of `hoist` (4E40).
    Hoist { flag: String }
}

// ---- state

/// That somebody is Paranoid; whoever is not is Calm (B0.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Paranoid {}

impl Row<BNomic> for Paranoid {
    type Key = Id;
    const TABLE: &'static str = "paranoid";

    fn told(who: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        format!("{} is {}", called(state, who), MINDS[usize::from(is.is_some())])
    }
}

/// The Players when they were enough last (B0.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Enough {
    pub(super) peps: Vec<Id>,
}

impl Row<BNomic> for Enough {
    type Key = ();
    const TABLE: &'static str = "enough_peps";
}

/// Who the PEPs are, as a moderator said while it was uncertain (B0.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Declared {
    pub(super) peps: Vec<Id>,
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

/// When the flag was hoisted last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hoisted {
    /// Changes of the nday until then.
    pub(super) changes: u64,
}

impl Row<BNomic> for Hoisted {
    type Key = ();
    const TABLE: &'static str = "hoisted";
}

/// Somebody's Refresh Proposal, in the emergency that lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refresh {
    pub(super) text: String,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Vote {
    /// For whose Refresh Proposal.
    pub(super) whose: Id,
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

/// A mark in the record: the last entry of which something was done in a State of Emergency (B0.19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meanwhile {
    pub(super) entry: Seq,
}

impl Row<BNomic> for Meanwhile {
    type Key = ();
    const TABLE: &'static str = "meanwhile";

    fn told(_key: &(), _was: Option<&Self>, _is: Option<&Self>, _state: &State<BNomic>) -> String {
        MEANWHILE.to_owned()
    }
}

/// What that mark says.
pub(super) const MEANWHILE: &str = "done in a State of Emergency, so that a Refresh Proposal can void it (B0.19)";

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Crisis {
    /// Who runs the Procedure, once it is known.
    pub(super) coordinator: Option<Id>,
    /// The Emergency Forum, once one is named.
    #[serde(default)]
    pub(super) forum: Option<Id>,
    /// How far it is; nothing until the Coordinator starts it.
    pub(super) pause: Option<u64>,
    /// When the increments were announced that run and to which nobody has objected, the earliest first.
    #[serde(default)]
    pub(super) increments: Vec<Instant>,
    /// The day on which one was announced last.
    pub(super) announced: Option<String>,
    /// Which round of votes runs, from 1; none before the first.
    pub(super) round: u64,
    /// Whose Refresh Proposals can be voted for.
    pub(super) ballot: Vec<Id>,
}

/// The Potential Emergency Participants (B0.1, B0.2).
pub(super) fn peps(state: &State<BNomic>) -> Vec<Id> {
    let now: Vec<Id> = society::players(state).cloned().collect();
    let enough = state.rules.need_count(&PEPS).unwrap_or(u64::MAX);
    if let Some(declared) = state.rows::<Declared>().get(&()) {
        return declared.peps.clone();
    }
    match state.rows::<Enough>().get(&()) {
        Some(then) if (now.len() as u64) < enough => then.peps.clone(),
        _ => now,
    }
}

fn paranoid(state: &State<BNomic>) -> Vec<Id> {
    peps(state).into_iter().filter(|pep| state.rows::<Paranoid>().contains_key(pep)).collect()
}

/// What mental states are called: the first is everybody's at first (B0.3).
pub(super) const MINDS: [&str; 2] = ["Calm", "Paranoid"];

/// Whether somebody is Paranoid.
pub(super) fn is_paranoid(state: &State<BNomic>, pep: &Id) -> bool {
    state.rows::<Paranoid>().contains_key(pep)
}

/// Whether a State of Emergency lasts: then game time stands still (B0.6).
pub(super) fn lasts(state: &State<BNomic>) -> bool {
    crisis(state).is_some()
}

/// Defines the flagpole.
pub(super) fn define(d: &mut D<'_>) {
    let range = Range::OneOf(FLAGS.iter().map(|flag| (*flag).to_owned()).collect());
    let default = Value::Text(PINK_PONIES.to_owned());
    let def = AttrDef { id: FLAG.id.into(), scope: FLAGPOLE.into(), range, default, by: Some("4E40".into()) };
    d.op(Op::Define(def));
    d.op(Op::Create { obj: THE_FLAGPOLE.into(), kind: FLAGPOLE.into() });
}

pub(super) fn flag(state: &State<BNomic>) -> String {
    state.world.get(&FLAG, &THE_FLAGPOLE.into()).unwrap_or_default()
}

/// The State of Emergency that lasts.
pub(super) fn crisis(state: &State<BNomic>) -> Option<&Crisis> {
    state.rows::<Crisis>().get(&())
}

/// Somebody's mental state from now on.
pub(super) fn mind(d: &mut D<'_>, pep: &Id, to: bool) {
    match to {
        true => d.put(pep, Paranoid {}),
        false => drop(d.delete::<Paranoid>(pep)),
    }
}

/// The emergency is over, and with it what was proposed and voted in it.
pub(super) fn over(d: &mut D<'_>) {
    d.delete::<Crisis>(&());
    let proposed: Vec<Id> = d.rows::<Refresh>().keys().cloned().collect();
    for pep in &proposed {
        d.delete::<Refresh>(pep);
    }
    no_votes(d);
}

/// A round is over, and its votes are gone.
pub(super) fn no_votes(d: &mut D<'_>) {
    let cast: Vec<Id> = d.rows::<Vote>().keys().cloned().collect();
    for pep in &cast {
        d.delete::<Vote>(pep);
    }
}

/// A moderator says who the PEPs are while that is uncertain, or that it is certain again (B0.2).
///
/// # Errors
///
/// A [`Refusal`] where somebody named has no seat.
fn declare(to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    match to.trim().to_lowercase().as_str() {
        "certain" => drop(d.delete::<Declared>(&())),
        _ => {
            let find = |name: &str| {
                let seat = d.frame.seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(name));
                seat.map(|(id, _)| id.clone()).ok_or_else(|| {
                    Refusal::new(format!("nobody here is called “{name}”")).by(rule(d)).instead("show society")
                })
            };
            let named: Result<Vec<Id>, Refusal> =
                to.split(',').map(str::trim).filter(|name| !name.is_empty()).map(find).collect();
            let peps = named?.into_iter().chain([BEAST.into()]).collect();
            d.put(&(), Declared { peps });
        }
    }
    Ok(())
}

// ---- decide

/// A PEP sets the own mental state (B0.4).
///
/// # Errors
///
/// A [`Refusal`] for everybody else.
fn feel(to: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    if !was_public(d) {
        public(d, "panic")?;
    }
    let me = pep(d)?;
    let word = if to { "Paranoid" } else { "Calm" };
    if is_paranoid(d, &me) == to {
        return Err(Refusal::new(format!("you are {word} already")).by(rule(d)).instead("show emergency"));
    }
    mind(d, &me, to);
    let name = called(d, &me);
    d.tell_all(format!("{name} is {word} now. Paranoid: {} of {}.", paranoid(d).len(), peps(d).len()));
    Ok(Document::say(format!("You are {word}.")))
}

/// Whether something is said in a forum that was Public not long ago (B0.4).
fn was_public(d: &D<'_>) -> bool {
    let Some(months) = d.rules.need_count(&PUBLIC_MONTHS).ok().and_then(|months| i64::try_from(months).ok()) else {
        return false;
    };
    let Some(forum) = d.forum.as_ref().and_then(|id| d.frame.forums.get(id)) else { return false };
    let ends = forum.history.iter().skip(1).map(|(at, _)| *at);
    let stretches = forum.history.iter().zip(ends);
    stretches
        .filter(|((_, designation), _)| *designation == Some(Designation::Public))
        .any(|(_, until)| months_after(until, months) > d.at)
}

fn rule(d: &D<'_>) -> String {
    Thing::Emergency.rule(&d.rules)
}

/// The PEP who acts; somebody who is no Player any more can be one (B0.1).
fn pep(d: &D<'_>) -> Result<Id, Refusal> {
    match d.actor_seat().filter(|seat| peps(d).contains(seat)) {
        Some(seat) => Ok(seat),
        None => Err(Refusal::new("only Players take part in emergencies").by(rule(d)).instead("join NAME")),
    }
}

/// The emergency that lasts, with the PEP who acts in it.
fn acting(d: &D<'_>) -> Result<(Id, Crisis), Refusal> {
    let me = pep(d)?;
    match crisis(d).cloned() {
        Some(crisis) => Ok((me, crisis)),
        None => Err(Refusal::new("there is no State of Emergency").by(rule(d)).instead("show emergency")),
    }
}

/// The same for what counts in the Emergency Forum only (B0.8).
fn in_forum(d: &D<'_>) -> Result<(Id, Crisis), Refusal> {
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
fn short(forum: &Id) -> &str {
    forum.rsplit('/').next().unwrap_or(forum)
}

/// Whether a channel is a Public Forum of the room now, as the Emergency Forum must be all along (B0.8).
fn is_open(state: &State<BNomic>, forum: &Id) -> bool {
    state.frame.designated(Designation::Public).any(|public| public == forum)
}

/// The Coordinator names the Emergency Forum, or where there is none whoever does it first: a public one, since every PEP can reach it (B0.8).
///
/// # Errors
///
/// A [`Refusal`] for others, once the Pause runs in a Public Forum, and for a channel that is no Public Forum of the room.
fn name_forum(channel: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, mut crisis) = acting(d)?;
    // Whoever does it first attempts to organise the Procedure (B0.7).
    let organises = crisis.coordinator.is_none();
    if organises {
        crisis.coordinator = Some(me.clone());
    }
    coordinator_only(d, &me, &crisis)?;
    if crisis.pause.is_some() && crisis.forum.as_ref().is_some_and(|forum| is_open(d, forum)) {
        return Err(Refusal::new("the Pause runs, and with it the Emergency Forum stays")
            .by(rule(d))
            .instead("show emergency"));
    }
    let wanted = channel.trim();
    let found: Vec<Id> =
        d.frame.designated(Designation::Public).filter(|id| ***id == *wanted || short(id) == wanted).cloned().collect();
    // Of two channels of one name on two networks, the one on the speaker's own is meant.
    let own = |id: &&Id| d.forum.as_ref().is_some_and(|own| own.split('/').next() == id.split('/').next());
    let Some(forum) = found.iter().find(own).or(found.first()).cloned() else {
        return Err(Refusal::new(format!("{wanted} is no Public Forum of this room"))
            .by(rule(d))
            .instead("show emergency"));
    };
    if organises {
        let name = called(d, &me);
        d.tell_all(format!("{name} is Emergency Coordinator, being the first to organise it."));
    }
    convene(d, &mut crisis, &forum);
    d.put(&(), crisis);
    Ok(Document::say(format!("{} is the Emergency Forum.", short(&forum))))
}

/// Makes a channel the Emergency Forum, and tells every PEP in private.
fn convene(d: &mut D<'_>, crisis: &mut Crisis, forum: &Id) {
    crisis.forum = Some(forum.clone());
    let say =
        format!("{} is the Emergency Forum: what the Procedure asks for counts there and nowhere else.", short(forum));
    for pep in peps(d).into_iter().filter(|pep| **pep != *BEAST) {
        d.tell(&pep, Document::say(say.clone()));
    }
    d.tell_all(say);
}

fn coordinator_only(d: &D<'_>, me: &Id, crisis: &Crisis) -> Result<(), Refusal> {
    match &crisis.coordinator {
        Some(coordinator) if coordinator == me => Ok(()),
        Some(coordinator) => Err(Refusal::new(format!("{} is Emergency Coordinator", called(d, coordinator)))
            .by(rule(d))
            .instead("show emergency")),
        None => Err(Refusal::new("there is no Coordinator yet").by(rule(d)).instead("emergency start")),
    }
}

/// The Coordinator starts the Pause; where there is none, whoever does it first becomes Coordinator (B0.7, B0.9).
///
/// # Errors
///
/// A [`Refusal`] for others, and once it runs.
fn start(d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, mut crisis) = in_forum(d)?;
    if crisis.coordinator.is_none() {
        crisis.coordinator = Some(me.clone());
    }
    coordinator_only(d, &me, &crisis)?;
    if crisis.pause.is_some() {
        if self::crisis(d).is_some_and(|before| before.coordinator.is_none()) {
            // The Pause runs on: only who runs the Procedure was open (B0.7).
            d.put(&(), crisis);
            let name = called(d, &me);
            d.tell_all(format!("{name} is Emergency Coordinator from now on."));
            return Ok(Document::say("You are Emergency Coordinator; the Pause runs already."));
        }
        return Err(Refusal::new("the Pause runs already").by(rule(d)).instead("show emergency"));
    }
    if let Some(forum) = d.forum.clone().filter(|_| crisis.forum.is_none()) {
        convene(d, &mut crisis, &forum);
    }
    crisis.pause = Some(0);
    d.put(&(), crisis);
    let name = called(d, &me);
    d.tell_all(format!("{name}, Emergency Coordinator, starts the Pause: it is 0, and rises every midnight UTC. Each PEP may submit a Refresh Proposal (emergency refresh TEXT)."));
    Ok(Document::say("The Pause is 0."))
}

/// The Coordinator announces an increment, once a day (B0.9).
///
/// # Errors
///
/// A [`Refusal`] for others, before the Pause runs, and a second time on a day.
fn increment(d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, mut crisis) = in_forum(d)?;
    coordinator_only(d, &me, &crisis)?;
    let today = day(d.at);
    if crisis.pause.is_none() || crisis.announced.as_deref() == Some(&*today) {
        return Err(Refusal::new("an increment is announced once a day, while the Pause runs")
            .by(rule(d))
            .instead("show emergency"));
    }
    crisis.increments.push(d.at);
    crisis.announced = Some(today);
    d.put(&(), crisis);
    let hours = d.rules.need_count(&INCREMENT_HOURS)?;
    d.tell_all(format!("The Coordinator announces an increment of the Pause. It happens in {hours} hours unless a PEP objects (emergency object)."));
    Ok(Document::say("Announced."))
}

/// A PEP objects to an increment (B0.9).
///
/// # Errors
///
/// A [`Refusal`] where none is announced.
fn object(d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, mut crisis) = in_forum(d)?;
    let stopped = std::mem::take(&mut crisis.increments).len();
    if stopped == 0 {
        return Err(Refusal::new("no increment is announced").by(rule(d)).instead("show emergency"));
    }
    d.put(&(), crisis);
    let name = called(d, &me);
    let which = if stopped == 1 { String::new() } else { format!(" by the {stopped} increments that were announced") };
    d.tell_all(format!("{name} objects: the Pause is not incremented{which}."));
    Ok(Document::say("Noted."))
}

/// By what somebody's Refresh Proposal is called, for what it means.
pub(super) fn posting(pep: &Id) -> Id {
    format!("refresh/{pep}").into()
}

/// A PEP submits or revises the own Refresh Proposal, or withdraws it (B0.10).
///
/// # Errors
///
/// A [`Refusal`] before the Pause runs and once the first ballot is made, and for a text whose directives are none.
fn refresh(text: Option<&str>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, crisis) = in_forum(d)?;
    let until = d.rules.need_count(&PAUSE_BALLOT)?;
    if crisis.pause.is_none_or(|pause| pause >= until) {
        return Err(Refusal::new(format!("Refresh Proposals are made while the Pause runs and is below {until}"))
            .by(rule(d))
            .instead("show emergency"));
    }
    let name = called(d, &me);
    let mut reply = Document::say("Noted.");
    match text {
        Some(text) => {
            let text = docket::text(text).map_err(|_| {
                Refusal::new(format!("a Refresh Proposal has 1 to {TEXT_MAX_BYTES} bytes of text"))
                    .by(rule(d))
                    .instead("emergency refresh TEXT")
            })?;
            reply.blocks.extend(effects::forecast(d, &text)?);
            posted::note(d, &posting(&me), &text);
            d.put(&me, Refresh { text: text.clone() });
            let document = Document::titled("emergency", format!("Refresh Proposal of {name}")).para(text);
            d.say(Audience::Public, document);
        }
        None => {
            if d.delete::<Refresh>(&me).is_none() {
                return Err(Refusal::new("you have made none").by(rule(d)).instead("emergency refresh TEXT"));
            }
            d.tell_all(format!("{name} withdraws the Refresh Proposal."));
        }
    }
    Ok(reply)
}

/// A PEP votes for the Refresh Proposal of somebody: once a round, for good (B0.11, B0.12).
///
/// # Errors
///
/// A [`Refusal`] between rounds, a second time, and for what is not on the ballot.
fn vote(whose: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
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

/// The Minister of Ministry hoists a flag, once an nday (4E40).
///
/// # Errors
///
/// A [`Refusal`] for others, a second time in an nday, while many are Paranoid, and for a flag that the Minister does not
/// choose or that flies already.
fn hoist(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let by = Thing::Threat.rule(&d.rules);
    if !ministries::holds(d, &me, Post::Ministry) {
        return Err(Refusal::new("only the Minister of Ministry hoists a flag").by(by).instead("show ministries"));
    }
    let wanted = words.trim().trim_end_matches('.').to_lowercase();
    let wanted = wanted.strip_prefix("the ").unwrap_or(&wanted);
    let wanted = wanted.strip_suffix(" flag").unwrap_or(wanted);
    let found = FLAGS.iter().find(|flag| flag.to_lowercase() == wanted && **flag != BLACK_WATCH_PLAID);
    let Some(found) = found else {
        return Err(Refusal::new(format!("the Minister hoists one of {}", FLAGS[..4].join(", ")))
            .by(by)
            .instead("hoist Polka Dots"));
    };
    if lasting::threatened(d) == Some(true) {
        return Err(Refusal::new(format!("while so many PEPs are Paranoid the flag is {BLACK_WATCH_PLAID}"))
            .by(by)
            .instead("show emergency"));
    }
    if flag(d) == **found {
        return Err(Refusal::new(format!("the Threat Flag is {found} already")).by(by).instead("show emergency"));
    }
    let now = Hoisted { changes: clock::changes(d) };
    if d.rows::<Hoisted>().get(&()) == Some(&now) {
        return Err(Refusal::new("the flag was changed in this nday already").by(by).instead("show emergency"));
    }
    d.put(&(), now);
    fly(d, found);
    Ok(Document::say("Done."))
}

fn fly(d: &mut D<'_>, to: &str) {
    if flag(d) != to {
        d.set(&FLAG, &THE_FLAGPOLE.into(), to.to_owned());
        d.tell_all(format!("The Threat Flag is {to}."));
    }
}

// ---- due

/// When an increment that was announced happens, or that is judged which the rest of a message left open.
fn next_due(state: &State<BNomic>) -> Option<Due> {
    increment_due(state).into_iter().chain(lasting::message_due(state)).min()
}

fn increment_due(state: &State<BNomic>) -> Option<Due> {
    let announced = *crisis(state)?.increments.first()?;
    let hours = i64::try_from(state.rules.need_count(&INCREMENT_HOURS).ok()?).ok()?;
    Some(Due {
        at: seconds_after(announced, hours.saturating_mul(3600)),
        rank: phases::INCREMENT,
        key: INCREMENT.into(),
    })
}

/// Nobody objected to an increment. What a message left open is judged by what follows from every instant.
fn due(due: &Due, d: &mut D<'_>) {
    if announced(due, d) {
        rounds::advance(d);
    }
}

/// The time of an increment that was announced is over; whether there is one.
fn announced(due: &Due, d: &mut D<'_>) -> bool {
    let waits = crisis(d).cloned().filter(|crisis| *due.key == *INCREMENT && !crisis.increments.is_empty());
    let Some(mut crisis) = waits else { return false };
    crisis.increments.remove(0);
    d.put(&(), crisis);
    true
}

/// A moderator's pause is over, in which nobody could object: the hours in which PEPs can go on from where they stood (B0.9).
fn resumed(since: Instant, d: &mut D<'_>) {
    let Some(mut crisis) = crisis(d).cloned().filter(|crisis| !crisis.increments.is_empty()) else {
        return;
    };
    let stood = d.at.duration_since(since).as_secs();
    for announced in &mut crisis.increments {
        *announced = seconds_after(*announced, stood);
    }
    d.put(&(), crisis);
}

/// A midnight in a State of Emergency: the Pause rises, and nothing else moves (B0.6, B0.9).
pub(super) fn midnight(d: &mut D<'_>) {
    rounds::advance(d);
}

/// The nday begins that the rule says: under Pink Ponies every Paranoid PEP becomes Calm (B0.18).
pub(super) fn nday_begins(d: &mut D<'_>, to: Moment) {
    let calms = d.rules.need_count(&CALM_NDAY).ok().and_then(|nday| i64::try_from(nday).ok()) == Some(to.nday);
    if !calms || established(&d.rules, Thing::Emergency).is_err() || flag(d) != PINK_PONIES {
        return;
    }
    let calmed = paranoid(d);
    for pep in &calmed {
        mind(d, pep, false);
    }
    if !calmed.is_empty() {
        let names: Vec<String> = calmed.iter().map(|id| called(d, id)).collect();
        let (nday, names) = (calendar::day(d, to.nday), names.join(", "));
        d.tell_all(format!("It is nday {nday}, and the flag is {PINK_PONIES}. Calm from now on: {names}."));
    }
}
