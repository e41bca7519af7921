//! Who is active (S75 to S83): actions, accusations, pausing, nodding, and removal for long inactivity.
//!
//! An accusation counts at its own instant, a number of days after it was made, unless the accused did something
//! meanwhile; each has its own date. Absent: what inactivity does to votes (`voting`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    D, Id, Instant, Refusal, Spacenomic, State, after_pause,
    display::Document,
    emit,
    figures::{ACCUSATION_AGE, INACTIVITY_SPAN, REMOVAL_AGE, after, seconds},
    law::{Thing, established},
    moves, phases, public, put, society,
    stats::{ACTIVE, called},
};
use crate::kernel::{
    Seq,
    entry::Due,
    frame::ClockMode,
    game::{Fate, Lapse},
    rulebook::LiveKey,
    time::{minute, seconds_after},
};

/// Most accusations against one player that wait at a time: more say nothing new.
const ACCUSATIONS_MAX_COUNT: usize = 100;

/// What the key of an accusation that falls due begins with; the player follows.
const ACCUSED: &str = "accusation/";
/// What the key of a removal begins with; the player follows.
const REMOVED: &str = "removal/";

// ---- state

/// What is kept of activity besides the state itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Activity {
    /// Each player's last action or move.
    last: OrdMap<Id, Moment>,
    /// Accusations by others that wait, in order.
    accused: OrdMap<Id, Vec<Moment>>,
    /// How each inactive player became so.
    lulls: OrdMap<Id, Lull>,
    /// Before when no accusation counts against a player, nor is e removed, because it would have been inside a moderator's
    /// pause.
    #[serde(default, skip_serializing_if = "OrdMap::is_empty")]
    put_off: OrdMap<Id, Instant>,
}

/// An instant and the entry in which something happened at it: several entries can share an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Moment {
    at: Instant,
    seq: Seq,
}

/// A time of inactivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lull {
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
        let waiting = state.game.activity.accused.get(player).and_then(|list| list.first());
        return match waiting.and_then(|first| due_after(state, player, first.at, &ACCUSATION_AGE)) {
            // Nothing counts against em while nobody could do anything (X1).
            Some(_) if matches!(state.frame.clock, ClockMode::Paused(_)) => "active, accused".to_owned(),
            Some(at) => format!("active, accused until {}", minute(at)),
            None => "active".to_owned(),
        };
    }
    match state.game.activity.lulls.get(player) {
        Some(Lull { since, paused: true }) => format!("paused since {}", minute(*since)),
        Some(Lull { since, paused: false }) => format!("inactive since {}", minute(*since)),
        None => "inactive".to_owned(),
    }
}

// ---- facts

/// What happens to activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Somebody's last action or move.
    Last {
        /// Whose.
        player: Id,
        /// From now on.
        to: Option<Moment>,
        /// Before.
        was: Option<Moment>,
    },
    /// The accusations that wait against somebody.
    Accused {
        /// Whom.
        player: Id,
        /// From now on.
        to: Vec<Moment>,
        /// Before.
        was: Vec<Moment>,
    },
    /// Before when nothing counts against somebody.
    PutOff {
        /// Whom.
        player: Id,
        /// From now on.
        to: Option<Instant>,
        /// Before.
        was: Option<Instant>,
    },
    /// How somebody is inactive, if e is.
    Lull {
        /// Who.
        player: Id,
        /// From now on.
        to: Option<Lull>,
        /// Before.
        was: Option<Lull>,
    },
}

fn accusations(d: &mut D<'_>, player: &Id, to: Vec<Moment>) {
    let was = d.game.activity.accused.get(player).cloned().unwrap_or_default();
    if to != was {
        emit(d, Fact::Accused { player: player.clone(), to, was });
    }
}

fn put_off(d: &mut D<'_>, player: &Id, to: Option<Instant>) {
    let was = d.game.activity.put_off.get(player).copied();
    if to != was {
        emit(d, Fact::PutOff { player: player.clone(), to, was });
    }
}

fn lull(d: &mut D<'_>, player: &Id, to: Option<Lull>) {
    let was = d.game.activity.lulls.get(player).copied();
    if to != was {
        emit(d, Fact::Lull { player: player.clone(), to, was });
    }
}

/// Notes an action or a move that was performed: whoever does is active (S77).
pub(super) fn acted(d: &mut D<'_>, player: &Id) {
    if !society::is_player(d, player) {
        return;
    }
    let (to, was) = (Some(Moment { at: d.at, seq: d.seq }), d.game.activity.last.get(player).copied());
    if to != was {
        emit(d, Fact::Last { player: player.clone(), to, was });
    }
    // Without a rule on activity everybody is taken as active, and so is whoever acted once one is back (X9).
    d.set(&ACTIVE, player, true);
    lull(d, player, None);
}

/// A player came or came back: active, with nothing held against em (S76).
pub(super) fn joined(d: &mut D<'_>, player: &Id) {
    left(d, player);
    d.set(&ACTIVE, player, true);
}

/// A player left: nothing is kept about em.
pub(super) fn left(d: &mut D<'_>, player: &Id) {
    accusations(d, player, Vec::new());
    lull(d, player, None);
    put_off(d, player, None);
    if let Some(was) = d.game.activity.last.get(player).copied() {
        emit(d, Fact::Last { player: player.clone(), to: None, was: Some(was) });
    }
}

// ---- decide

/// A player accuses an active player of inactivity; oneself is to pause (S78, S79).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and where the accused is inactive already.
pub(super) fn accuse(whom: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Activity)?;
    let me = society::player(d)?;
    public(d, "accuse NAME")?;
    let whom = society::named(d, whom)?;
    if whom == me {
        return rest(d);
    }
    let (name, by) = (called(d, &whom), Thing::Activity.rule(&d.rules));
    if !is_active(d, &whom) {
        return Err(Refusal::new(format!("{name} is not active, and only active players are accused"))
            .by(by)
            .instead("show people"));
    }
    let mut list = d.game.activity.accused.get(&whom).cloned().unwrap_or_default();
    if list.len() >= ACCUSATIONS_MAX_COUNT {
        let say = format!("{ACCUSATIONS_MAX_COUNT} accusations against {name} wait already, as many as the bot keeps");
        return Err(Refusal::new(say).by(by).instead("show people"));
    }
    list.push(Moment { at: d.at, seq: d.seq });
    accusations(d, &whom, list);
    acted(d, &me);
    let mine = called(d, &me);
    let when = match after(&d.rules, d.at, &ACCUSATION_AGE) {
        Some(at) => format!("It counts at {} unless {name} does something.", minute(at)),
        None => "As the rules read, it never counts.".to_owned(),
    };
    d.tell_all(format!("{mine} accuses {name} of inactivity. {when}"));
    Ok(Document::say("Noted."))
}

/// A player pauses: an action, after which e is inactive all the same (S79).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for the inactive.
pub(super) fn rest(d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Activity)?;
    let me = society::player(d)?;
    public(d, "rest")?;
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
    Ok(match moves::warning(d, &me) {
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
    } else if state.game.activity.accused.contains_key(player) {
        "The accusation against you counts when its time is over, unless it is executed before"
    } else {
        return None;
    };
    let nods = if Thing::Nodding.is_in(&state.rules) { ": “nod” is one" } else { "" };
    Some(format!("{stays}: a move that is set is no action yet, and any action counts at once{nods}."))
}

/// A player nods (S81).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and where no rule has nodding.
pub(super) fn nod(d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Nodding)?;
    let me = society::player(d)?;
    public(d, "nod")?;
    acted(d, &me);
    let name = called(d, &me);
    d.tell_all(format!("{name} nods."));
    Ok(Document::say("You are active."))
}

/// Keeps what is known of inactivity in step with the states themselves, which proposals can change, too.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    if !Thing::Activity.is_in(&d.rules) {
        // No time of inactivity goes on while everybody is taken as active; that somebody paused is not forgotten.
        let goes_on = d.game.activity.lulls.iter().find(|(_, lull)| !lull.paused).map(|(player, _)| player.clone());
        return goes_on.is_some_and(|player| {
            lull(d, &player, None);
            true
        });
    }
    let odd = |player: &&Id| {
        let active = d.world.get(&ACTIVE, player).unwrap_or(true);
        active == d.game.activity.lulls.contains_key(*player)
    };
    let Some(player) = society::players(d).find(odd).cloned() else { return false };
    let active = d.world.get(&ACTIVE, &player).unwrap_or(true);
    let since = d.at;
    lull(d, &player, (!active).then_some(Lull { since, paused: false }));
    true
}

// ---- due

/// The first accusation that counts, or removal, by itself.
pub(super) fn next_due(state: &State<Spacenomic>) -> Option<Due> {
    dues(state).min()
}

/// When something is due about a player, so many days after an instant, and not before what a pause put it off to.
fn due_after(state: &State<Spacenomic>, player: &Id, since: Instant, days: &LiveKey) -> Option<Instant> {
    let at = after(&state.rules, since, days)?;
    Some(state.game.activity.put_off.get(player).map_or(at, |until| at.max(*until)))
}

/// The next accusation against each player, and each removal.
pub(super) fn dues(state: &State<Spacenomic>) -> impl Iterator<Item = Due> + use<'_> {
    let is_in = Thing::Activity.is_in(&state.rules);
    let counts = is_in && seconds(&state.rules, &INACTIVITY_SPAN).is_some();
    let removes = is_in && Thing::Removal.is_in(&state.rules);
    let Activity { accused, lulls, .. } = &state.game.activity;
    let accused = accused.iter().filter(move |_| counts).filter_map(|(player, list)| {
        let at = due_after(state, player, list.first()?.at, &ACCUSATION_AGE)?;
        Some(Due { at, rank: phases::ACCUSATION, key: format!("{ACCUSED}{player}").into() })
    });
    let lulls = lulls.iter().filter(move |(_, lull)| removes && !lull.paused);
    let removed = lulls.filter_map(|(player, lull)| {
        let at = due_after(state, player, lull.since, &REMOVAL_AGE)?;
        Some(Due { at, rank: phases::REMOVAL, key: format!("{REMOVED}{player}").into() })
    });
    accused.chain(removed)
}

/// An accusation counts, or a player is removed.
pub(super) fn due(due: &Due, d: &mut D<'_>) {
    if let Some(player) = due.key.strip_prefix(ACCUSED) {
        accusation_counts(d, &player.into());
    } else if let Some(player) = due.key.strip_prefix(REMOVED) {
        let player: Id = player.into();
        let (name, before) = (called(d, &player), State::clone(d));
        society::gone(d, &player);
        d.tell_all(format!("{name} has been inactive for too long and is removed from the game."));
        society::told_gone(d, &before, &name);
    }
}

/// What would have been inside a moderator's pause, in which the player could do nothing against it.
pub(super) fn lapse(due: &Due, d: &mut D<'_>) {
    let player: Id = due.key.split_once('/').map_or("", |(_, player)| player).into();
    let to = after_pause(due, d);
    put_off(d, &player, Some(to));
}

/// An accusation counts: what the player did is judged as of its own instant, and what e did since, where a pause put it
/// off, averts it, too.
fn accusation_counts(d: &mut D<'_>, player: &Id) {
    let Some(mut list) = d.game.activity.accused.get(player).cloned().filter(|list| !list.is_empty()) else { return };
    let accused = list.remove(0);
    accusations(d, player, list);
    let Some(span) = seconds(&d.rules, &INACTIVITY_SPAN) else { return };
    let at = after(&d.rules, accused.at, &ACCUSATION_AGE).unwrap_or(d.at);
    let from = seconds_after(at, -span);
    // Of what happened at one instant, only what came after the accusation counts against it.
    let quiet = d
        .game
        .activity
        .last
        .get(player)
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

/// Such a thing in words.
pub(super) fn lapses(state: &State<Spacenomic>, due: &Due) -> Lapse {
    let player: Id = due.key.split_once('/').map_or("", |(_, player)| player).into();
    let name = called(state, &player);
    let what = match due.rank {
        phases::REMOVAL => format!("the removal of {name}"),
        _ => format!("the accusation of {name}"),
    };
    Lapse { what, fate: Fate::PutOff }
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut Spacenomic, fact: &Fact) {
    let activity = &mut game.activity;
    match fact {
        Fact::Last { player, to, .. } => put(&mut activity.last, player, *to),
        Fact::Accused { player, to, .. } => {
            put(&mut activity.accused, player, (!to.is_empty()).then(|| to.clone()));
        }
        Fact::PutOff { player, to, .. } => put(&mut activity.put_off, player, *to),
        Fact::Lull { player, to, .. } => put(&mut activity.lulls, player, *to),
    }
}

/// Why an accusation cannot be taken back: it counted, and what came of it is an entry of its own.
pub(super) fn is_final(fact: &Fact, state: &State<Spacenomic>) -> Option<String> {
    let Fact::Accused { player, to, was } = fact else { return None };
    let now = state.game.activity.accused.get(player);
    let stands = |made: &Moment| now.is_some_and(|now| now.contains(made));
    let made = to.iter().find(|made| !was.contains(made) && !stands(made))?;
    let (name, lull) = (called(state, player), state.game.activity.lulls.get(player));
    Some(match lull.filter(|lull| !lull.paused) {
        Some(lull) => format!(
            "the accusation counted; that {name} became inactive is the entry of {}, which can be taken back",
            minute(lull.since)
        ),
        None => format!("the accusation of {} counted already, and {name} is not inactive by it", minute(made.at)),
    })
}

/// The fact that takes another back, as far as that has not moved on. What the clock did does not happen again: an
/// accusation that counted does not come back, and a time of inactivity that was long enough for a removal begins anew.
pub(super) fn inverse(fact: &Fact, state: &State<Spacenomic>) -> Fact {
    let Activity { last, accused, lulls, put_off } = &state.game.activity;
    let passed = |at: Instant, key| after(&state.rules, at, key).is_some_and(|due| due <= state.at);
    match fact.clone() {
        Fact::Last { player, to, was } => {
            let now = last.get(&player).copied();
            Fact::Last { player, to: if now == to { was } else { now }, was: now }
        }
        Fact::Accused { player, to, was } => {
            let now = accused.get(&player).cloned().unwrap_or_default();
            // What was taken off is put back, what was added goes, and what came since stays.
            let mut list: Vec<Moment> =
                now.iter().copied().filter(|one| was.contains(one) || !to.contains(one)).collect();
            list.extend(was.iter().filter(|one| !now.contains(one) && !to.contains(one)));
            list.retain(|one| now.contains(one) || !passed(one.at, &ACCUSATION_AGE));
            list.sort_unstable();
            Fact::Accused { player, to: list, was: now }
        }
        Fact::PutOff { player, to, was } => {
            let now = put_off.get(&player).copied();
            Fact::PutOff { player, to: if now == to { was } else { now }, was: now }
        }
        Fact::Lull { player, to, was } => {
            let now = lulls.get(&player).copied();
            let back = was.map(|lull| match passed(lull.since, &REMOVAL_AGE) && !lull.paused {
                true => Lull { since: state.at, ..lull },
                false => lull,
            });
            Fact::Lull { player, to: if now == to { back } else { now }, was: now }
        }
    }
}
