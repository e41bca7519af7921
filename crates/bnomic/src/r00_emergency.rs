//! Emergencies (4E0): mental states, the Pause, Refresh Proposals, rounds of
//! votes.
//!
//! While a State of Emergency lasts game time stands still: midnights move the Pause and nothing else (`clock`). Rounds
//! are counted by the bot in the Coordinator's name, so that an idle one blocks nothing. The changes of a Refresh
//! Proposal are read in `effects`; those that stand only in prose the Coordinator makes by hand.

pub(super) mod by_hand;
pub(super) mod crisis;
mod lasting;
mod shown;

use serde::{Deserialize, Serialize};

pub(super) use self::{
    by_hand::{Selected, by_hand, left_by_hand, selected_for},
    lasting::settle,
    shown::coming,
};
use super::{
    calendar,
    clock::hands::Moment,
    effects::carried_out,
    figures::{CALM_NDAY, INCREMENT_HOURS, PAUSE_BALLOT, PUBLIC_MONTHS},
    game::{BNomic, D, public},
    law::{Thing, established},
    phases, posted, rounds,
    stats::{BEAST, called},
};
use crisis::{
    Crisis, Declared, Enough, INCREMENT, Paranoid, Refresh, Vote, acting, crisis, flag, in_forum, increments_due,
    is_open, is_paranoid, mind, paranoid, pep, peps, posting, rule, short, vote,
};
use kernel::{
    Act, Display, Event, Id, Instant, Mechanic, Phase, Refusal, Seq, State, directives,
    display::Document,
    entry::{Audience, Due},
    frame::Designation,
    mechanic::{Fate, Lapse},
    table::Row,
    time::{day, months_after, seconds_after},
};
use kit::docket::{self, TEXT_MAX_BYTES};
use shown::show;

/// The note of an act with which an emergency goes on: it is none of the game proper.
pub(super) const NOTE: &str = "emergency";

/// The flag of no threat at all.
const PINK_PONIES: &str = "Pink Ponies";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let own = |act: Act<BNomic>| act.by(Thing::Emergency.word()).note(NOTE);
    // What belongs to the Procedure is said in public.
    let said = |act: Act<BNomic>| own(act).public("emergency start");
    let forum = Act::new("emergency_forum", |Forum { channel }, d| name_forum(&channel, d));
    let submit = Act::new("emergency_refresh", |Submit { text }, d| {
        docket::unmarked(&text, "emergency refresh => set mackerel-rate to 4")?;
        refresh(Some(&text), d)
    });
    Mechanic::new("emergency")
        .table::<Selected>()
        .table::<Paranoid>()
        .table::<Enough>()
        .table::<Declared>()
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
        // In a moderator's pause its hours stand still, and what a message left open is judged by what follows.
        .phase(
            Phase::new(phases::INCREMENT, dues, |due, d| self::due(&due, d))
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
}

// ---- state

/// A mark in the record: the last entry of which something was done in a State of Emergency (B0.19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
        if crisis::crisis(d).is_some_and(|before| before.coordinator.is_none()) {
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
    d.tell_all(format!("{name}, Emergency Coordinator, starts the Pause: it is 0, and rises every midnight UTC. Each PEP may submit a Refresh Proposal (⁅emergency refresh TEXT⁆)."));
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
    d.tell_all(format!("The Coordinator announces an increment of the Pause. It happens in {hours} hours unless a PEP objects (⁅emergency object⁆)."));
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
            reply.blocks.extend(carried_out::forecast(d, &text, &directives::alone)?);
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

// ---- due

/// When increments that were announced happen, and when that is judged which the rest of a message left open.
fn dues(state: &State<BNomic>) -> Vec<Due> {
    increments_due(state).into_iter().chain(lasting::message_due(state)).collect()
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
    if !calms || established(&d.rules, Thing::Emergency).is_err() || flag(d).as_deref() != Some(PINK_PONIES) {
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
