//! The Clock (4E14): nweek, nday, On or Off, ndelay, and the midnights that move it.
//!
//! A midnight either raises the nday or the ndelay, never both. With every change of the nday a new one begins. The end
//! of the old one and the beginning of the new one stand in `midnight`. Its hands stand in `hands`, the names of the
//! ndays in `calendar`.

pub(super) mod hands;

use super::{
    emergency::{self, crisis},
    game::{BNomic, D},
    intents,
    law::{Thing, established},
    midnight,
    ministries::posts::{self, Post},
    obligations, phases,
    registry::{self, cells},
    schedule, society,
    stats::{NDAY, NDELAY, NWEEK, RUNNING, THE_CLOCK},
};
use hands::{
    Moment, Nday, Time, chairman, hands, is_on, ndelay, ndelays, next_midnight_of, note_on, now, remember, time,
    votes_run, wrapped,
};
use kernel::{
    Act, Display, Id, Instant, Mechanic, Phase, Refusal, State,
    display::{Cell, Document},
    entry::Due,
    time::ahead,
    viewer::Viewer,
};

/// The nweek in which a new room opens: the first of the Fourth Era (B14.1).
const FIRST_NWEEK: i64 = 135;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("clock")
        .table::<Time>()
        .act(Act::plain("clock_on", put_on).by(Thing::Clock.word()).player().public("clock on"))
        .act(Act::plain("clock_off", put_off).by(Thing::Clock.word()).player().public("clock off"))
        .phase(
            Phase::new(phases::MIDNIGHT, next_due, |due, d| self::due(&due, d))
                // A midnight inside a moderator's pause does not count.
                .lapse(|due, d| midnight(d, due.at, false)),
        )
        .display(Display::new("clock", |state, asked| Ok(show(state, asked.viewer))).also("time").listed(0))
        .settle(settle)
}

// ---- state

/// Notes that an nday began, and whether an nweek did.
pub(super) fn begin(d: &mut D<'_>, to: Moment, new_nweek: bool) {
    let was = time(d).begun;
    let count = was.map_or(to.nweek, |was| was.count.saturating_add(i64::from(new_nweek)));
    // An nweek that changes alone ends no nday (B14.11).
    let new_nday = |was: &Nday| u64::from(was.moment.nday != to.nday || was.moment.nweek == to.nweek);
    let changes = was.map_or(0, |was| was.changes + new_nday(&was));
    let begun = Nday { moment: to, changes, count };
    remember(d, |time| time.begun = Some(begun));
}

/// What goes with the Clock's being On: no ndelay runs any more, and the Chairman's power is spent (B14.10, B14.5).
fn goes_on(d: &mut D<'_>) {
    remember(d, |time| time.on = true);
    let was = ndelay(d);
    d.set(&NDELAY, &THE_CLOCK.into(), 0);
    schedule::ndelay_ends(d, ndelays(d), was);
    chairman(d, false);
    note_on(d, true);
}

/// A midnight is seen to; where the room was paused, it does not count as one.
fn midnight(d: &mut D<'_>, at: Instant, counts: bool) {
    remember(d, |time| {
        time.midnight = Some(at);
        time.rdays += u64::from(counts);
    });
}

/// Starts the Clock of a new room: its first nday, Off.
pub(super) fn open(d: &mut D<'_>, nweek: Option<i64>) {
    let (at, nweek) = (d.at, nweek.unwrap_or(FIRST_NWEEK));
    d.set(&NWEEK, &THE_CLOCK.into(), nweek);
    midnight(d, at, false);
    begin(d, Moment { nweek, nday: 1 }, true);
}

// ---- decide

/// Puts the Clock Off, whatever the reason: an ndelay numbered 0 begins (B14.12).
pub(super) fn stop(d: &mut D<'_>) {
    d.set(&RUNNING, &THE_CLOCK.into(), false);
    if time(d).on {
        goes_off(d);
    }
}

/// What goes with the Clock's being Off: an ndelay begins, of the number that stands there (B14.12).
fn goes_off(d: &mut D<'_>) {
    remember(d, |time| time.on = false);
    schedule::ndelay_begins(d, ndelay(d));
}

/// The ndelay was set, or rose: with any other number than 0 a new one begins, and the one before it ends (B14.12).
pub(super) fn ndelay_changed(d: &mut D<'_>, from: i64) {
    let (to, was) = (ndelay(d), ndelays(d));
    if to == from || to == 0 {
        return;
    }
    remember(d, |time| time.ndelays += 1);
    schedule::ndelay_ends(d, was, from);
    schedule::ndelay_begins(d, to);
}

/// The Voting Period begins: the Clock goes Off, and the Chairman may put it On (B14.4, B14.5).
pub(super) fn voting_begins(d: &mut D<'_>) {
    let nweek = now(d).nweek;
    voting(d, Some(nweek));
    if established(&d.rules, Thing::Clock).is_ok() {
        stop(d);
        chairman(d, true);
    }
}

/// The Voting Period ends.
pub(super) fn voting_ends(d: &mut D<'_>) {
    voting(d, None);
}

fn voting(d: &mut D<'_>, to: Option<i64>) {
    remember(d, |time| time.voting = to);
}

/// Somebody puts the Clock On (B14.5, B14.8).
///
/// # Errors
///
/// A [`Refusal`] where it is On, for whoever holds neither office, and where the rule's conditions do not hold.
fn put_on(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    stands_still(d)?;
    let by = Thing::Clock.rule(&d.rules);
    if is_on(d) {
        return Err(Refusal::new("the Clock is On already").by(by).instead("show clock"));
    }
    let (chair, mom) = (posts::holds(d, &me, Post::Change), posts::holds(d, &me, Post::Ministry));
    let (vacant, owed) = (posts::vacant(d), obligations::outstanding(d));
    if chair && time(d).chairman {
        // The ballot that the bot publishes lists all that is Open (B14.5).
    } else if mom && vacant.is_empty() && owed == 0 {
        // The duty that the rule gives to this office (B14.8).
    } else if mom && vacant.is_empty() {
        return Err(Refusal::new(format!(
            "the Clock goes On only while no Minister owes anything, and this is outstanding: {}",
            obligations::named(d)
        ))
        .by(by)
        .instead("show duties"));
    } else if mom {
        let names: Vec<String> = vacant.iter().map(|post| super::stats::called(d, post)).collect();
        let owes =
            if owed == 0 { String::new() } else { format!("; and this is outstanding: {}", obligations::named(d)) };
        return Err(Refusal::new(format!(
            "the Clock goes On only while no ministry is vacant, and these are: {}{owes}",
            names.join(", ")
        ))
        .by(by)
        .instead("show ministries"));
    } else if chair {
        return Err(Refusal::new(
            "the Chairman puts the Clock On between the start of voting and the next time that it is On, and at no other",
        )
        .by(by)
        .instead("show clock"));
    } else {
        return Err(Refusal::new(
            "only the Minister of Ministry, or the Chairman while votes are open, puts the Clock On",
        )
        .by(by)
        .instead("show ministries"));
    }
    d.set(&RUNNING, &THE_CLOCK.into(), true);
    goes_on(d);
    let (name, now) = (super::stats::called(d, &me), now(d));
    d.tell_all(format!("{name} puts the Clock On. It is nday {} of nweek {}.", now.nday, now.nweek));
    Ok(Document::say("The Clock is On."))
}

/// Refuses while an emergency stops game time (B0.19).
fn stands_still(d: &D<'_>) -> Result<(), Refusal> {
    if crisis::lasts(d) {
        return Err(Refusal::new("game time stands still in a State of Emergency")
            .by(Thing::Emergency.rule(&d.rules))
            .instead("show emergency"));
    }
    Ok(())
}

/// The Minister of Ministry puts the Clock Off (B14.7).
///
/// # Errors
///
/// A [`Refusal`] for everybody else, and where it is Off.
fn put_off(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    stands_still(d)?;
    let by = Thing::Clock.rule(&d.rules);
    if !posts::holds(d, &me, Post::Ministry) {
        return Err(Refusal::new("only the Minister of Ministry puts the Clock Off").by(by).instead("show ministries"));
    }
    if !is_on(d) {
        return Err(Refusal::new("the Clock is Off already").by(by).instead("show clock"));
    }
    stop(d);
    let name = super::stats::called(d, &me);
    d.tell_all(format!("{name} puts the Clock Off."));
    Ok(Document::say("The Clock is Off."))
}

// ---- due

/// The next midnight.
fn next_due(state: &State<BNomic>) -> Option<Due> {
    let at = next_midnight_of(state)?;
    Some(Due { at, rank: phases::MIDNIGHT, key: "midnight".into() })
}

/// A midnight: the nday or the ndelay rises (B14.2), and what hangs on it happens.
fn due(due: &Due, d: &mut D<'_>) {
    if crisis::lasts(d) {
        midnight(d, due.at, false);
        emergency::midnight(d);
        return;
    }
    midnight(d, due.at, true);
    if established(&d.rules, Thing::Clock).is_ok() {
        if is_on(d) {
            let Moment { nweek, nday } = now(d);
            let to = wrapped(d, Moment { nweek, nday: nday.saturating_add(1) });
            midnight::to(d, to);
        } else {
            let from = ndelay(d);
            d.set(&NDELAY, &THE_CLOCK.into(), from.saturating_add(1));
            ndelay_changed(d, from);
        }
    }
    society::midnight(d);
    obligations::midnight(d);
    intents::midnight(d);
    schedule::midnight(d);
}

/// Begins a new nday where something other than a midnight changed the hands (B14.3, B14.11).
fn settle(d: &mut D<'_>) -> bool {
    if is_on(d) != time(d).on {
        if is_on(d) {
            goes_on(d);
        } else {
            goes_off(d);
        }
        return true;
    }
    let said = hands(d);
    // In an emergency game time stands still: what a change says of the hands is taken up when it is over (B0.6, B0.19).
    if now(d) == said || crisis::lasts(d) {
        return false;
    }
    let to = wrapped(d, said);
    midnight::to(d, to);
    true
}

// ---- display

/// The Clock, as the Ministry of Time shows it.
fn show(state: &State<BNomic>, viewer: &Viewer) -> Document {
    let clock = Id::from(THE_CLOCK);
    let (now, on) = (now(state), is_on(state));
    let cell = |attr: &str, text: String| Cell::new(text).from_path(kernel::Path::new(clock.clone(), attr));
    let next = next_midnight_of(state).unwrap_or(viewer.now);
    let still = crisis::lasts(state);
    let then = if established(&state.rules, Thing::Clock).is_err() {
        "nothing follows: no rule is on the Clock any more, and it stands still".to_owned()
    } else if still {
        "game time stands still in a State of Emergency".to_owned()
    } else if on {
        let Moment { nweek, nday } = now;
        format!("nday {} begins", wrapped(state, Moment { nweek, nday: nday.saturating_add(1) }))
    } else {
        "another ndelay begins".to_owned()
    };
    let mut rows = vec![
        vec![Cell::new("nweek"), cell(NWEEK.id, now.nweek.to_string())],
        vec![Cell::new("nday"), cell(NDAY.id, super::calendar::day(state, now.nday))],
        vec![Cell::new("Clock"), cell(RUNNING.id, if on { "On" } else { "Off" }.to_owned())],
        vec![Cell::new("ndelay"), cell(NDELAY.id, ndelay(state).to_string())],
    ];
    let more = registry::added(state, super::stats::CLOCK);
    rows.extend(more.iter().map(|attr| vec![Cell::new(attr.to_string()), cells::cell(state, &clock, attr)]));
    let voting = if votes_run(state) { "The Voting Period runs." } else { "" };
    let midnight = format!("Next midnight: {}; then {then}.", ahead(next, viewer.now));
    let mut document = Document::titled("clock", "The Clock of B Nomic").table(["", ""], rows).para(midnight);
    if !voting.is_empty() {
        document = document.para(voting);
    }
    let said = hands(state);
    if still && said != now {
        document = document
            .para(format!("The hands were set to {said}; that is taken up when the State of Emergency is over."));
    }
    document.blocks.extend(laws::front(state, viewer));
    document
}
