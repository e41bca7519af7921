//! Game Actions for a later time (4E7): set by a public message, taken when their time comes, withdrawn before it.
//!
//! An action set for the end of an nday happens first of all that ends there. One set for a start, or for an instant,
//! happens last of all at its midnight, in the order of the posts (BX1, BX2). Whether an action is legal is judged
//! then, and a refusal is announced. Times are read in `moments`.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    clock::hands,
    emergency::crisis,
    game::{BNomic, D},
    law::{Thing, established},
    moments::{self, Period, Turn, Until, When},
    phases, settled,
    society::players,
    stats::called,
    transactions::Step,
};
use kernel::{
    Act, Game, Id, Instant, Mechanic, Phase, Refusal, State,
    display::{Block, Cell, Document, Offer},
    doer::Doer,
    entry::{Audience, Due},
    mechanic::{Fate, Lapse, parted},
    table::Row,
};

/// Most actions that one Outsider has set for later at once, what is done several times counted so. It is enough for
/// every vote of a nweek, and a display of them can still be read.
const SET_MAX_COUNT: u32 = 100;

/// What comes before the number in the key of what is due.
const KEY: &str = "scheduled/";

/// The note of an act that is no Game Action: what is set for later counts when it happens (B7.9).
pub(super) const NOTE: &str = "later";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let set = Act::new("schedule", |Set { when, actions }, d| set(&when, actions, d));
    let withdraw = Act::new("unschedule", |Withdraw { number }, d| withdraw(number, d));
    let by = Thing::Actions.word();
    Mechanic::new("schedule")
        .table::<Later>()
        .act(set.by(by).public("schedule nday 8: vote 3 FOR").note(NOTE))
        .act(withdraw.by(by).public("unschedule 3").note(NOTE))
        .phase(
            Phase::new(phases::SCHEDULED, dues, |due, d| self::due(&due, d)).lapse(|due, d| lapse(&due, d)).fate(fate),
        )
        .settle(settle)
}

kit::args! {
    /// The arguments of `schedule` (B7.8).
    Set { when: String, actions: Vec<Step> }

    /// The arguments of `unschedule` (B7.10).
    Withdraw { number: u64 }
}

// ---- state

/// An action that is set for later. Numbers rise in the order of the posts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Later {
    /// Whose.
    by: Id,
    /// The channel that it was posted in.
    forum: Option<Id>,
    /// When it is to happen.
    when: When,
    /// The action as it was typed.
    said: String,
    /// How often.
    times: u32,
    /// The action as the catalogue bound it, with the ids of what its words named when it was posted.
    act: Json,
    /// When its time came, if it has.
    ripe: Option<Instant>,
}

impl Row<BNomic> for Later {
    type Key = u64;
    const TABLE: &'static str = "schedule";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        match (was, is) {
            (None, Some(is)) => {
                let (name, when) = (called(state, &is.by), is.when.words(state));
                format!("action {number}, set by {name} for {when}: “{}”", is.said)
            }
            (Some(_), None) => format!("action {number} is not set any more"),
            (Some(was), Some(is)) if was.ripe.is_none() && is.ripe.is_some() => {
                format!("the time of action {number} has come")
            }
            _ => String::new(),
        }
    }
}

// ---- decide

/// An Outsider sets actions for a later time (B7.8).
///
/// # Errors
///
/// A [`Refusal`] where the time is none or over, where an action cannot be read, and beyond the bound.
fn set(when: &str, steps: Vec<Step>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Actions.rule(&d.rules);
    let when = moments::read(d, when, d.at)?;
    for step in &steps {
        let act = step.invocation().and_then(|act| BNomic::mechanics().act(act));
        let why = match (act, &step.assert) {
            (_, Some(_)) => "an assertion stands in a transaction only".to_owned(),
            (Err(why), None) => why.say,
            (Ok((act, _)), None) if act.note == NOTE => {
                "that is no Game Action, and is said when it is meant".to_owned()
            }
            (Ok(_), None) => continue,
        };
        return Err(Refusal::new(format!("nothing is set for later, since of “{}”: {why}", step.said)).by(by));
    }
    let me = players::outsider(d)?;
    // Each time counts: what is set for one instant happens in one entry, or in one after the other.
    let held: u32 = d.rows::<Later>().values().filter(|later| later.by == me).map(|later| later.times.max(1)).sum();
    let more = steps.iter().fold(0_u32, |sum, step| sum.saturating_add(step.times.max(1)));
    if held.saturating_add(more) > SET_MAX_COUNT {
        return Err(Refusal::new(format!("you may have {SET_MAX_COUNT} actions set for later, and have {held}"))
            .by(by)
            .instead("show schedule"));
    }
    let forum = d.forum.clone();
    let mut cells = Vec::new();
    let mut numbers = Vec::new();
    for step in steps {
        let Some(act) = step.act else { continue };
        // Targets are those that the words mean now (B7.9).
        let act = BNomic::mechanics().bound(&act, d);
        let number = d.next_number::<Later>();
        let said = step.said;
        cells.push(Cell::new(format!("{number}: {said}")));
        numbers.push(number.to_string());
        let (by, forum, when) = (me.clone(), forum.clone(), when.clone());
        d.put(&number, Later { by, forum, when, said, times: step.times, act, ripe: None });
    }
    let name = called(d, &me);
    let never = match (&when, moments::beyond(d, &when)) {
        (When::At(_), _) if crisis::lasts(d) => {
            " It never happens if the State of Emergency lasts until then.".to_owned()
        }
        _ if is_past(d, &when) => " That is past, and never comes.".to_owned(),
        (_, Some(last)) => format!(" An nweek has {last} ndays, so that it comes only if that changes."),
        _ => String::new(),
    };
    let when = when.words(d);
    let mut document = Document::titled("schedule", format!("{name} sets for {when}")).with(Block::List(cells));
    let at_seq = d.seq;
    document.offers = numbers
        .iter()
        .map(|number| Offer::new(format!("Withdraw {number}"), format!("unschedule {number}"), at_seq))
        .take(OFFERED_MAX_COUNT)
        .collect();
    d.say(Audience::Public, document);
    Ok(Document::say(format!("Set for {when}, as {}.{never} “⁅unschedule NUMBER⁆” withdraws one.", numbers.join(", "))))
}

/// Most buttons under what somebody sets: a row on Discord.
const OFFERED_MAX_COUNT: usize = 5;

/// Somebody withdraws an action that is set for later (B7.10).
///
/// # Errors
///
/// A [`Refusal`] where there is none of that number, and for everybody else.
fn withdraw(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Actions.rule(&d.rules);
    let Some(later) = d.rows::<Later>().get(&number).cloned() else {
        return Err(Refusal::new(format!("no action of number {number} is set for later")).instead("show schedule"));
    };
    if d.actor_seat().as_ref() != Some(&later.by) {
        return Err(Refusal::new(format!("{} set that and withdraws it", called(d, &later.by)))
            .by(by)
            .instead("show schedule"));
    }
    d.delete::<Later>(&number);
    let name = called(d, &later.by);
    let when = later.when.words(d);
    let said = said(d, &later);
    d.tell_all(format!("{name} withdraws action {number}, set for {when}: “{said}”."));
    Ok(Document::say("Withdrawn."))
}

/// Somebody is no Player any more: what they set is gone, but for what anybody can do (B7.11).
pub(super) fn left(d: &mut D<'_>, seat: &Id) {
    let join = |later: &Later| parted(&later.act).is_ok_and(|(name, _)| name == players::JOIN);
    let theirs = |(_, later): &(&u64, &Later)| later.by == *seat && !join(later);
    let gone: Vec<u64> = d.rows::<Later>().iter().filter(theirs).map(|(number, _)| *number).collect();
    if gone.is_empty() {
        return;
    }
    for number in &gone {
        d.delete::<Later>(number);
    }
    let gone: Vec<String> = gone.iter().map(u64::to_string).collect();
    d.tell_all(format!("What was set for later goes with that: {}.", gone.join(", ")));
}

/// The rule that lets anything be set for later is gone: so is what was (B7.11). Whether there was any.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    if d.rows::<Later>().is_empty() || established(&d.rules, Thing::Actions).is_ok() {
        return false;
    }
    let gone = list(d);
    let row =
        |(number, when, what): &(u64, When, String)| Cell::new(format!("{number}: {what}, for {}", when.words(d)));
    let rows = gone.iter().map(row).collect();
    for (number, ..) in gone {
        d.delete::<Later>(&number);
    }
    let document = Document::say("What was set for later has lapsed: the rule that allows it is gone.");
    d.say(Audience::Public, document.with(Block::List(rows)));
    true
}

// ---- due

/// What the Clock ends ends: first of all, what was set for that end happens (B7.8, BX2).
pub(super) fn ends(d: &mut D<'_>, turn: &Turn) {
    for number in waiting(d, |when| when.ends_at(turn)) {
        take(d, number, settled::settle_but_clock);
    }
}

/// What the Clock begins has begun: what was set for that start is due next.
pub(super) fn begins(d: &mut D<'_>, turn: &Turn) {
    ripen(d, |when| when.starts_at(turn));
}

/// An ndelay ends, of this number and after so many changes of the ndelay (B14.14).
pub(super) fn ndelay_ends(d: &mut D<'_>, changes: u64, number: i64) {
    ripen(d, |when| match when {
        When::After { until: Until::Ndelays(until), .. } => changes >= *until,
        When::Ends(Period::Ndelay(ends)) => ends.is_none_or(|ends| ends == number),
        _ => false,
    });
}

/// An ndelay of this number begins.
pub(super) fn ndelay_begins(d: &mut D<'_>, number: i64) {
    ripen(
        d,
        |when| matches!(when, When::Starts(Period::Ndelay(begins)) if begins.is_none_or(|begins| begins == number)),
    );
}

/// A midnight passed, and with it some counts of rdays (B14.14).
pub(super) fn midnight(d: &mut D<'_>) {
    let rdays = hands::rdays(d);
    ripen(d, |when| matches!(when, When::After { until: Until::Rdays(until), .. } if rdays >= *until));
}

/// The numbers of those whose time a condition says has come, in the order of the posts.
fn waiting(d: &D<'_>, comes: impl Fn(&When) -> bool) -> Vec<u64> {
    let waits = |later: &Later| later.ripe.is_none() && comes(&later.when);
    d.rows::<Later>().iter().filter(|(_, later)| waits(later)).map(|(number, _)| *number).collect()
}

fn ripen(d: &mut D<'_>, comes: impl Fn(&When) -> bool) {
    let at = d.at;
    for number in waiting(d, comes) {
        d.edit(&number, |later: &mut Later| later.ripe = Some(at));
    }
}

/// Whether something is to happen at the present instant still.
pub(super) fn is_ripe(state: &State<BNomic>) -> bool {
    state.rows::<Later>().values().any(|later| later.ripe.is_some())
}

/// Those whose time has come, or will at an instant, in the order of the posts.
fn dues(state: &State<BNomic>) -> Vec<Due> {
    let at = |later: &Later| match (later.ripe, &later.when) {
        (None, When::At(at)) => Some(*at),
        (ripe, _) => ripe,
    };
    let due = |(number, later): (&u64, &Later)| {
        Some(Due { at: at(later)?, rank: phases::SCHEDULED, key: format!("{KEY}{number}").into() })
    };
    state.rows::<Later>().iter().filter_map(due).collect()
}

fn number_of(due: &Due) -> u64 {
    due.key.strip_prefix(KEY).and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// The time of an action has come.
fn due(due: &Due, d: &mut D<'_>) {
    let number = number_of(due);
    let absolute = d.rows::<Later>().get(&number).filter(|later| matches!(later.when, When::At(_))).cloned();
    if let Some(later) = absolute.filter(|_| crisis::lasts(d)) {
        d.delete::<Later>(&number);
        let (name, said, by) = (called(d, &later.by), said(d, &later), Thing::Emergency.rule(&d.rules));
        d.tell_all(format!(
            "What {name} set for {}, “{said}”, falls into the State of Emergency and never happens ({by}).",
            later.when.words(d)
        ));
        return;
    }
    take(d, number, |d| BNomic::mechanics().settle_all(d));
}

/// It fell into a moderator's pause.
fn lapse(due: &Due, d: &mut D<'_>) {
    d.delete::<Later>(&number_of(due));
}

/// What that was.
fn fate(state: &State<BNomic>, due: &Due) -> Lapse {
    let told = |later: &Later| format!("“{}”, set by {}", said(state, later), called(state, &later.by));
    let what = state.rows::<Later>().get(&number_of(due)).map_or_else(|| due.key.to_string(), told);
    Lapse { what, fate: Fate::Never }
}

/// Takes an action in the name of who set it, as often as it was set; `settle` does after each time what follows from it.
fn take(d: &mut D<'_>, number: u64, settle: fn(&mut D<'_>) -> bool) {
    let Some(later) = d.rows::<Later>().get(&number).cloned() else { return };
    d.delete::<Later>(&number);
    let name = called(d, &later.by);
    let said = said(d, &later);
    let what = format!("What {name} set for {}, “{said}”", later.when.words(d));
    let Some(person) = d.frame.seats.get(&later.by).map(|seat| seat.person.clone()) else {
        return d.tell_all(format!("{what}, does not happen: nobody sits there any more."));
    };
    let doer = std::mem::replace(&mut d.doer, Doer { person, name });
    let forum = std::mem::replace(&mut d.forum, later.forum.clone());
    for time in 1..=later.times {
        let count = if later.times == 1 { String::new() } else { format!(" ({time} of {})", later.times) };
        let taken = d.attempt(|d| {
            d.tell_all(format!("{what}, happens{count}."));
            BNomic::mechanics().take(&later.act, d)
        });
        if let Err(why) = taken {
            let words = format!("{}, {said}{count}", called(d, &later.by));
            d.miss(format!("{words}, set for later as {number}"), why.say.clone());
            let by = why.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
            // A refusal speaks to who is refused, and here everybody reads it.
            let (who, why) = (called(d, &later.by), why.say.trim_end_matches('.'));
            d.tell_all(format!("{what}, does not happen{count}. The answer to {who}: {why}{by}."));
        }
        settle(d);
    }
    d.doer = doer;
    d.forum = forum;
}

// ---- display

/// An action that is set for later, as it was typed; it may name somebody who was forgotten since.
fn said(state: &State<BNomic>, later: &Later) -> String {
    state.frame.redaction_of_kept().typed(&later.said)
}

/// What is set for later, each with its number, its time, and what it is.
pub(super) fn list(state: &State<BNomic>) -> Vec<(u64, When, String)> {
    let row = |(number, later): (&u64, &Later)| {
        let what = format!("{}: {}", called(state, &later.by), said(state, later));
        (*number, later.when.clone(), what)
    };
    state.rows::<Later>().iter().map(row).collect()
}

/// The actions that are set for later, as the catalogue bound them, each with who set it.
pub(super) fn actions(state: &State<BNomic>) -> impl Iterator<Item = (&Id, &Json)> {
    state.rows::<Later>().values().map(|later| (&later.by, &later.act))
}

/// Whether something waits for an nday that the Clock has passed for good: it never comes.
pub(super) fn is_past(state: &State<BNomic>, when: &When) -> bool {
    let now = hands::now(state);
    match when {
        When::Starts(Period::Nday { nweek: Some(nweek), nday }) => (*nweek, *nday) <= (now.nweek, now.nday),
        When::Ends(Period::Nday { nweek: Some(nweek), nday }) => (*nweek, *nday) < (now.nweek, now.nday),
        When::Starts(Period::Nweek(Some(nweek))) => *nweek <= now.nweek,
        When::Ends(Period::Nweek(Some(nweek))) => *nweek < now.nweek,
        _ => false,
    }
}
