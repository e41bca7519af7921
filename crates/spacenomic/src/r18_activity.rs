//! Who is active (S75 to S82): actions, accusations, pausing and nodding.
//!
//! An accusation counts at its own instant, a number of days after it was made, unless the accused acted meanwhile.
//! Each has its own date. Inactivity bears on votes in `voting`, and leads to removal in `removal`.

use serde::{Deserialize, Serialize};

use super::{
    figures::{ACCUSATION_AGE, INACTIVITY_SPAN, after, in_seconds, seconds},
    game::{D, Spacenomic},
    law::Thing,
    moves::sealed,
    phases,
    roster::{is_player, named, player, players},
    stats::{ACTIVE, called},
};
use kernel::{
    Act, Id, Instant, Mechanic, Phase, Refusal, Row, Seq, State,
    display::{Document, counted},
    entry::Due,
    frame::ClockMode,
    mechanic::{Fate, Lapse},
    rulebook::LiveKey,
    time::{minute, seconds_after},
};

/// Most accusations against one player that wait at a time: more say nothing new.
const ACCUSATIONS_MAX_COUNT: usize = 100;

/// What the key of an accusation that falls due begins with; the player follows.
const ACCUSED: &str = "accusation/";
// ---- the mechanic

/// Activity as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let activity = Thing::Activity.word();
    let accuse = Act::new("accuse", |Accuse { player, .. }, d: &mut D<'_>| accuse(&player, d));
    Mechanic::new("activity")
        .table::<Activity>()
        .act(accuse.by(activity).player().public("accuse NAME"))
        .act(Act::plain("rest", rest).by(activity).player().public("rest"))
        .act(Act::plain("nod", nod).by(Thing::Nodding.word()).player().public("nod"))
        .phase(Phase::new(phases::ACCUSATION, dues, due).lapse(lapse).fate(fate))
        .settle(settle)
}

kit::args! {
    /// The arguments of `accuse` (S78).
    Accuse {
        player: Id,
        /// Of what: there is only inactivity.
        #[serde(default, rename = "of")] _of: Option<String>,
    }
}

// ---- state

/// What is kept of somebody's activity besides the state itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Activity {
    /// Eir last action or move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Moment>,
    /// Accusations by others that wait, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accused: Vec<Moment>,
    /// How e became inactive, if e is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lull: Option<Lull>,
    /// Before when no accusation counts against em, nor is e removed, because it would have been inside a moderator's
    /// pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    put_off: Option<Instant>,
}

impl Row<Spacenomic> for Activity {
    type Key = Id;
    const TABLE: &'static str = "activity";

    /// That somebody did something, and is inactive or not, is the entry itself.
    fn told(player: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        let (none, name) = (Self::default(), called(state, player));
        let (was, is) = (was.unwrap_or(&none), is.unwrap_or(&none));
        let accused = (is.accused != was.accused).then(|| {
            let wait = if is.accused.len() == 1 { "waits" } else { "wait" };
            format!("{} {wait} against {name}", counted(is.accused.len(), "accusation"))
        });
        let put_off = (is.put_off != was.put_off).then(|| match is.put_off {
            Some(until) => format!("nothing counts against {name} before {}", minute(until)),
            None => format!("what counts against {name} does so when it would have"),
        });
        [accused, put_off].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// An instant and the entry in which something happened at it: several entries can share an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Moment {
    at: Instant,
    seq: Seq,
}

/// A time of inactivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Lull {
    /// Since when.
    since: Instant,
    /// Whether it began by pausing (S83).
    paused: bool,
}

/// Whether a player is active. Where no rule has activity, everybody is (X9).
pub(super) fn is_active(state: &State<Spacenomic>, player: &Id) -> bool {
    !Thing::Activity.is_in(&state.rules) || state.world.get(&ACTIVE, player).unwrap_or(true)
}

/// How somebody stands, in words.
pub(super) fn words(state: &State<Spacenomic>, player: &Id) -> String {
    if is_active(state, player) {
        let waiting = kept(state, player).and_then(|kept| kept.accused.first());
        return match waiting.and_then(|first| due_after(state, player, first.at, &ACCUSATION_AGE)) {
            // Nothing counts against em while nobody could do anything (X1).
            Some(_) if matches!(state.frame.clock, ClockMode::Paused(_)) => "active, accused".to_owned(),
            Some(at) => format!("active, accused until {}", minute(at)),
            None => "active".to_owned(),
        };
    }
    match kept(state, player).and_then(|kept| kept.lull) {
        Some(Lull { since, paused: true }) => format!("paused since {}", minute(since)),
        Some(Lull { since, paused: false }) => format!("inactive since {}", minute(since)),
        None => "inactive".to_owned(),
    }
}

/// Who is inactive and did not pause, with the instant since when.
pub(super) fn inactive(state: &State<Spacenomic>) -> impl Iterator<Item = (&Id, Instant)> {
    let lulls = state.rows::<Activity>().iter().filter_map(|(player, row)| Some((player, row.lull?)));
    lulls.filter(|(_, lull)| !lull.paused).map(|(player, lull)| (player, lull.since))
}

/// What is kept of somebody's activity, where anything is.
fn kept<'s>(state: &'s State<Spacenomic>, player: &Id) -> Option<&'s Activity> {
    state.row::<Activity>(player)
}

fn lull(d: &mut D<'_>, player: &Id, lull: Option<Lull>) {
    d.upsert::<Activity>(player, |row| row.lull = lull);
}

// ---- notes

/// Notes an action or a move that was performed: whoever does is active (S77).
pub(super) fn acted(d: &mut D<'_>, player: &Id) {
    if !is_player(d, player) {
        return;
    }
    let last = Some(Moment { at: d.at, seq: d.seq });
    d.upsert::<Activity>(player, |row| (row.last, row.lull) = (last, None));
    // Without a rule on activity everybody is taken as active, and so is whoever acted once one is back (X9).
    d.set(&ACTIVE, player, true);
}

/// A player came or came back: active, with nothing held against em (S76).
pub(super) fn joined(d: &mut D<'_>, player: &Id) {
    left(d, player);
    d.set(&ACTIVE, player, true);
}

/// A player left: nothing is kept about em.
pub(super) fn left(d: &mut D<'_>, player: &Id) {
    d.delete::<Activity>(player);
}

// ---- decide

/// A player accuses an active player of inactivity; oneself is to pause (S78, S79).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and where the accused is inactive already.
fn accuse(whom: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let whom = named(d, whom)?;
    if whom == me {
        return rest(d);
    }
    let (name, by) = (called(d, &whom), Thing::Activity.rule(&d.rules));
    if !is_active(d, &whom) {
        return Err(Refusal::new(format!("{name} is not active, and only active players are accused"))
            .by(by)
            .instead("show people"));
    }
    if kept(d, &whom).is_some_and(|kept| kept.accused.len() >= ACCUSATIONS_MAX_COUNT) {
        let say = format!("{ACCUSATIONS_MAX_COUNT} accusations against {name} wait already, as many as the bot keeps");
        return Err(Refusal::new(say).by(by).instead("show people"));
    }
    let made = Moment { at: d.at, seq: d.seq };
    d.upsert::<Activity>(&whom, |row| row.accused.push(made));
    acted(d, &me);
    let mine = called(d, &me);
    let when = match (after(&d.rules, d.at, &ACCUSATION_AGE), d.rules.live(&INACTIVITY_SPAN).ok()) {
        // What e does counts from now on.
        (Some(at), Some(span)) if in_seconds(&span) == seconds(&d.rules, &ACCUSATION_AGE) => {
            format!("It counts at {} unless {name} does something.", minute(at))
        }
        (Some(at), Some(span)) => {
            let days = counted(&span, "day");
            format!("It counts at {} unless {name} has done something in the {days} before that.", minute(at))
        }
        (None, _) | (_, None) => "As the rules read, it never counts.".to_owned(),
    };
    d.tell_all(format!("{mine} accuses {name} of inactivity. {when}"));
    Ok(Document::say("Noted."))
}

/// A player pauses: an action, after which e is inactive all the same (S79).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for the inactive.
fn rest(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    if !is_active(d, &me) {
        return Err(Refusal::new("you are inactive already, and only active players are accused")
            .by(Thing::Activity.rule(&d.rules))
            .instead("nod"));
    }
    acted(d, &me);
    d.set(&ACTIVE, &me, false);
    let since = d.at;
    lull(d, &me, Some(Lull { since, paused: true }));
    let name = called(d, &me);
    d.tell_all(format!("{name} pauses."));
    let reply = Document::say("You are inactive until you do something. You are not removed for it.");
    Ok(match sealed::warning(d, &me) {
        Some(warning) => reply.para(warning),
        None => reply,
    })
}

/// Says of a player who sets a move what that leaves as it is: it is no action before it is executed (S82). `lulls` where
/// the move itself makes em inactive.
pub(super) fn unmoved(state: &State<Spacenomic>, player: &Id, lulls: bool) -> Option<String> {
    if !Thing::Activity.is_in(&state.rules) {
        return None;
    }
    if lulls && !is_active(state, player) {
        return Some("You are inactive, and are so after it, too: the move itself makes you inactive.".to_owned());
    }
    let stays = if !is_active(state, player) {
        "You are inactive until it is executed"
    } else if kept(state, player).is_some_and(|kept| !kept.accused.is_empty()) {
        "The accusation against you counts when its time is over, unless it is executed before"
    } else {
        return None;
    };
    let nods = if Thing::Nodding.is_in(&state.rules) { ": “⁅nod⁆” is one" } else { "" };
    Some(format!("{stays}: a move that is set is no action yet, and any action counts at once{nods}."))
}

/// A player nods (S81).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and where no rule has nodding.
fn nod(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    acted(d, &me);
    let name = called(d, &me);
    d.tell_all(format!("{name} nods."));
    Ok(Document::say("You are active."))
}

/// Keeps what is known of inactivity in step with the states themselves, which proposals can change, too.
fn settle(d: &mut D<'_>) -> bool {
    if !Thing::Activity.is_in(&d.rules) {
        // No time of inactivity goes on while everybody is taken as active; that somebody paused is not forgotten.
        let goes_on = |row: &Activity| row.lull.is_some_and(|lull| !lull.paused);
        let goes_on = d.rows::<Activity>().iter().find(|(_, row)| goes_on(row)).map(|(player, _)| player.clone());
        return goes_on.is_some_and(|player| {
            lull(d, &player, None);
            true
        });
    }
    let odd = |player: &&Id| {
        let active = d.world.get(&ACTIVE, player).unwrap_or(true);
        active == kept(d, player).is_some_and(|kept| kept.lull.is_some())
    };
    let Some(player) = players(d).find(odd).cloned() else { return false };
    let active = d.world.get(&ACTIVE, &player).unwrap_or(true);
    let since = d.at;
    lull(d, &player, (!active).then_some(Lull { since, paused: false }));
    true
}

// ---- due

/// When something is due about a player, so many days after an instant, and not before what a pause put it off to.
pub(super) fn due_after(state: &State<Spacenomic>, player: &Id, since: Instant, days: &LiveKey) -> Option<Instant> {
    let at = after(&state.rules, since, days)?;
    Some(kept(state, player).and_then(|kept| kept.put_off).map_or(at, |until| at.max(until)))
}

/// All accusations, those against one player in their order.
pub(super) fn dues(state: &State<Spacenomic>) -> Vec<Due> {
    let counts = Thing::Activity.is_in(&state.rules) && seconds(&state.rules, &INACTIVITY_SPAN).is_some();
    let all = state.rows::<Activity>().iter().filter(|_| counts);
    let all = all.flat_map(|(player, row)| row.accused.iter().map(move |accused| (player, accused.at)));
    let due = |(player, since)| {
        let at = due_after(state, player, since, &ACCUSATION_AGE)?;
        Some(Due { at, rank: phases::ACCUSATION, key: format!("{ACCUSED}{player}").into() })
    };
    all.filter_map(due).collect()
}

/// The player whom something that is due is about.
pub(super) fn whom(due: &Due) -> Id {
    due.key.split_once('/').map_or("", |(_, player)| player).into()
}

/// What would have been inside a moderator's pause, in which the player could do nothing against it.
pub(super) fn lapse(due: Due, d: &mut D<'_>) {
    let until = d.put_off(&due);
    d.upsert::<Activity>(&whom(&due), |row| row.put_off = Some(until));
}

/// An accusation counts. What the player did is judged as of its own instant. What e did since, where a pause put it
/// off, averts it, too.
fn due(due: Due, d: &mut D<'_>) {
    let player = &whom(&due);
    let Some(accused) = kept(d, player).and_then(|kept| kept.accused.first().copied()) else { return };
    d.upsert::<Activity>(player, |row| {
        row.accused.remove(0);
    });
    let Some(span) = seconds(&d.rules, &INACTIVITY_SPAN) else { return };
    let at = after(&d.rules, accused.at, &ACCUSATION_AGE).unwrap_or(d.at);
    let from = seconds_after(at, -span);
    // Of what happened at one instant, only what came after the accusation counts against it.
    let quiet = kept(d, player)
        .and_then(|kept| kept.last)
        .is_none_or(|last| last.at < from || last.at == from && (last.at != accused.at || last.seq <= accused.seq));
    let name = called(d, player);
    if !quiet {
        d.tell_all(format!("The accusation against {name} of {} comes to nothing.", minute(accused.at)));
    } else if is_active(d, player) {
        d.set(&ACTIVE, player, false);
        let since = d.at;
        lull(d, player, Some(Lull { since, paused: false }));
        d.tell_all(format!("{name} was accused of inactivity at {} and is inactive now.", minute(accused.at)));
    }
}

/// Such an accusation in words.
pub(super) fn fate(state: &State<Spacenomic>, due: &Due) -> Lapse {
    Lapse { what: format!("the accusation of {}", called(state, &whom(due))), fate: Fate::PutOff }
}
