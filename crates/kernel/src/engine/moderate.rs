//! What moderators do to a room, outside the rules: each act is journalled and marked as theirs.
//!
//! Whether somebody moderates is judged by the service, not here.

use std::collections::BTreeSet;

use super::{
    Context,
    journal::{CORRECT, UNDO},
    undo::{page, undo},
};
use crate::Id;
use crate::Instant;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::Value;
use crate::deed::Moderation;
use crate::directives::{
    define, sight,
    wording::{NOTHING, find_key, folded, reads_as, slug},
};
use crate::display::Document;
use crate::draft::Draft;
use crate::entry::{Audience, Cause};
use crate::frame::{ClockMode, Designation, FrameFact, former_name};
use crate::game::Game;
use crate::mechanic::{Event, Fate, Lapse, SETTLE_MAX_ROUNDS};
use crate::rulebook::{Keys, LiveKey, NumKind, Played, RuleAct, RuleOp, amend, views};
use crate::state::State;
use crate::time::minute;
use crate::world::{Range, SCOPES};

/// Things that fell into a pause and are told by name; the others are counted. A long pause must not fill a channel.
const LAPSED_TOLD_MAX_COUNT: usize = 12;

/// Does a moderator's act in a draft; gives its cause and the answer.
pub(super) fn moderate<G: Game>(
    act: Moderation,
    d: &mut Draft<'_, G>,
    context: &Context,
) -> Result<(Cause, Document), Refusal> {
    let cause = |d: &Draft<'_, G>, act: &str, reason: Option<String>, about| Cause::Moderator {
        by: d.doer.person.clone(),
        act: act.to_owned(),
        reason,
        about,
    };
    if d.frame.closed && acts_in_play(&act) {
        let why = "this room is closed: its displays stay, nothing happens in it any more; taking back the entry that \
                   closed it opens it again";
        return Err(Refusal::new(why).instead("undo ENTRY because REASON"));
    }
    match act {
        Moderation::Open { name, clock, zone, forum, options } => {
            d.at = match clock {
                ClockMode::Manual(at) => at,
                ClockMode::Live | ClockMode::Paused(_) => context.now,
            };
            let at = d.at;
            d.frame_fact(FrameFact::Opened { name, at, clock, zone, commitment: context.seed.commitment() });
            if let Some(forum) = forum {
                d.frame_fact(FrameFact::Designated { forum, designation: Some(Designation::Public), at });
            }
            let reply = G::open(&options, d)?;
            Ok((cause(d, "open", None, None), reply))
        }
        Moderation::Close { reason } => {
            if d.frame.closed {
                return Err(Refusal::new("this room is closed already"));
            }
            let why = because(reason.as_deref());
            d.tell_all(format!(
                "A moderator closed this room: its displays stay, nothing happens in it any more.{why}"
            ));
            d.frame_fact(FrameFact::Closed);
            Ok((cause(d, "close", reason, None), Document::say("The room is closed.")))
        }
        Moderation::Reopen => {
            if !d.frame.closed {
                return Err(Refusal::new("this room is open already"));
            }
            d.frame_fact(FrameFact::Reopened);
            d.tell_all("A moderator opened this room again.");
            Ok((cause(d, "reopen", None, None), Document::say("The room is open again.")))
        }
        Moderation::Designate { forum, designation } => {
            let now = d.frame.forums.get(&forum).and_then(|forum| forum.designation());
            if now == designation {
                return Err(Refusal::new(match designation {
                    Some(designation) => format!("the channel {forum} is {} already", designation.word()),
                    None => format!("the channel {forum} is not bound to this room"),
                }));
            }
            let at = d.at;
            d.frame_fact(FrameFact::Designated { forum: forum.clone(), designation, at });
            let (act, text) = match designation {
                Some(designation) => ("designate", format!("{forum} is {} from now on.", designation.word())),
                None => ("unbind", format!("{forum} is no longer bound to this room.")),
            };
            // Whoever acts there would find it out by refusals only.
            if now.is_some() {
                let told = format!("A moderator designated a channel anew: {text}");
                if designation.is_some() && !d.frame.hearing().any(|heard| *heard == forum) {
                    d.say(Audience::Forum(forum), Document::say(told.clone()));
                }
                d.tell_all(told);
            }
            Ok((cause(d, act, None, None), Document::say(text)))
        }
        Moderation::Manner { forum, manner } => {
            let Some(held) = d.frame.forums.get(&forum).filter(|held| held.designation().is_some()) else {
                let why = format!("the channel {forum} is not bound to this room");
                return Err(Refusal::new(why).instead("forum bind CHANNEL"));
            };
            let was = held.manner.clone();
            if was == manner {
                return Err(Refusal::new("that is so already").instead("room settings"));
            }
            d.frame_fact(FrameFact::Mannered { forum: forum.clone(), manner, was });
            Ok((cause(d, "settings", None, None), Document::say(format!("Announcements in {forum} follow that now."))))
        }
        Moderation::Clock { mode, reason } => {
            let (act, text) = clock(mode, reason.as_deref(), d, context)?;
            Ok((cause(d, act, reason, None), Document::say(text)))
        }
        Moderation::Correct { path, to, reason } => {
            let since = d.announced();
            let text = set_right(&path, &to, d)?;
            d.tell_all_before(since, format!("Correction by a moderator, outside the rules: {text} Reason: {reason}"));
            Ok((cause(d, CORRECT, Some(reason), None), Document::say(text)))
        }
        Moderation::Bind { rule, key, words, reason } => {
            let text = bind(&rule, &key, words.as_deref(), &reason, d)?;
            let (act, did) = if words.is_some() { ("bind", "bound") } else { ("release", "released") };
            d.tell_all(format!("A moderator {did} a figure, outside the rules. {text} Reason: {reason}"));
            Ok((cause(d, act, Some(reason), None), Document::say(text)))
        }
        Moderation::Settle { rule, by_hand, reason } => {
            let text = settle(&rule, by_hand, &reason, d)?;
            d.tell_all(format!("A moderator settled how a rule is played, outside the rules. {text} Reason: {reason}"));
            Ok((cause(d, if by_hand { "by-hand" } else { "accept" }, Some(reason), None), Document::say(text)))
        }
        Moderation::Undo { replayed, reason, sure } => {
            let (since, seq, what) = (d.announced(), replayed.seq, &replayed.what);
            let told = undo(&replayed, d)?;
            // What follows from it is told after it.
            let say = format!("A moderator took entry {seq} back, outside the rules: {what}. Reason: {reason}");
            let public = page(say, told.clone());
            d.say_before(since, |d| d.say(Audience::Public, public));
            let mut reply = match sure {
                true => format!("Entry {seq} is taken back: {what}."),
                false => format!("Nothing is done yet. Entry {seq} would be taken back: {what}."),
            };
            if !sure && replayed.dice.drawn() > 0 {
                // Nobody may see the dice of the undo before they count.
                reply += " Dice are thrown for part of it, and what they show is known only then.";
            }
            Ok((cause(d, UNDO, Some(reason), Some(seq)), page(reply, told)))
        }
        Moderation::Forget { seat } => {
            let name = forget(&seat, d)?;
            // The old name is what is to be forgotten.
            d.tell_all(format!("Somebody asked to be forgotten; their seat is called {name} from now on."));
            G::mechanics().tell(&Event::Forgotten(&seat), d);
            // Whoever leaves the game by that has what follows at any time follow at once.
            if !d.frame.closed {
                G::mechanics().followed(d);
            }
            Ok((cause(d, "forget", None, None), Document::default()))
        }
        Moderation::Note { text, forum } => {
            if let Some(forum) = forum {
                d.say(Audience::Forum(forum), Document::say(format!("For the moderators: {text}")));
            }
            d.say(Audience::Moderators, Document::say(text));
            Ok((cause(d, "note", None, None), Document::default()))
        }
        Moderation::Give { seat, to, reason } => {
            let Some(held) = d.frame.seats.get(&seat).cloned() else {
                return Err(Refusal::new("there is no such seat in this room").instead("show players"));
            };
            if let Some((_, other)) = d.frame.seat_of(&to) {
                let why = format!("that account sits here as {} already", other.name);
                return Err(Refusal::new(why).instead("show players"));
            }
            d.frame_fact(FrameFact::Handed { seat, person: to, was: held.person });
            // Who sits there may read what is theirs alone, so everybody is told.
            let (name, why) = (held.name, because(reason.as_deref()));
            d.tell_all(format!(
                "A moderator gave the seat of {name} to another account, outside the rules.{why} Something may have been \
                 sealed under the account before. Unless it is public, it stays closed to this one. The one before can agree to open it: \
                 ⁅entrust {name}⁆ (ruling R1)."
            ));
            Ok((
                cause(d, "seat", reason, None),
                Document::say(format!("The seat of {name} belongs to that account now.")),
            ))
        }
        Moderation::Entrust { seat } => {
            let name = d.frame.name_of(&seat).to_owned();
            d.tell_all(format!(
                "Who had the seat of {name} before lets the account that has it now read what was sealed under it (ruling \
                 R1)."
            ));
            Ok((cause(d, "entrust", None, None), Document::say(format!("Whoever sits as {name} may read it now."))))
        }
        Moderation::Hand { from, to } => {
            let Some((seat, _)) = d.frame.seat_of(&from) else {
                return Err(Refusal::new("nobody of that account sits in this room"));
            };
            if d.frame.seat_of(&to).is_some() {
                return Err(
                    Refusal::new("both accounts have a seat in this room; only one of them can stay").instead("leave")
                );
            }
            let seat = seat.clone();
            d.frame_fact(FrameFact::Handed { seat, person: to, was: from });
            Ok((cause(d, "link", None, None), Document::default()))
        }
    }
}

/// Whether an act changes what is played or who plays: what a closed room has no more of. That somebody is forgotten,
/// links accounts or moves a channel goes on.
fn acts_in_play(act: &Moderation) -> bool {
    match act {
        Moderation::Correct { .. } | Moderation::Bind { .. } | Moderation::Settle { .. } | Moderation::Give { .. } => {
            true
        }
        Moderation::Undo { replayed, .. } => !replayed.frame.contains(&FrameFact::Reopened),
        Moderation::Open { .. }
        | Moderation::Close { .. }
        | Moderation::Reopen
        | Moderation::Designate { .. }
        | Moderation::Manner { .. }
        | Moderation::Clock { .. }
        | Moderation::Forget { .. }
        | Moderation::Note { .. }
        | Moderation::Entrust { .. }
        | Moderation::Hand { .. } => false,
    }
}

/// A reason as a sentence of its own; nothing where none was given.
fn because(reason: Option<&str>) -> String {
    reason.map_or_else(String::new, |reason| format!(" Reason: {reason}"))
}

fn clock<G: Game>(
    mode: ClockMode,
    reason: Option<&str>,
    d: &mut Draft<'_, G>,
    context: &Context,
) -> Result<(&'static str, String), Refusal> {
    if d.frame.closed {
        return Err(Refusal::new("this room is closed, and its time stands").instead("rooms"));
    }
    let (was, before) = (d.frame.clock, d.announced());
    // A clock that was moved by hand before the pause goes on so, from where it stood.
    let mode = match (was, mode, d.frame.hands) {
        (ClockMode::Paused(_), ClockMode::Live, Some(hands)) => ClockMode::Manual(hands),
        _ => mode,
    };
    let (act, text) = match (was, mode) {
        (ClockMode::Paused(since), ClockMode::Paused(_)) => {
            return Err(Refusal::new(format!("this room is paused since {}", minute(since))).instead("resume"));
        }
        (ClockMode::Paused(since), ClockMode::Live) => {
            d.at = context.now.max(since);
            G::mechanics().tell(&Event::Resumed(since), d);
            let text = format!("The room goes on; {}", told(&lapse_until(context.now, d)));
            ("resume", text)
        }
        (ClockMode::Live, ClockMode::Live) => {
            return Err(Refusal::new("this room's time passes already").instead("pause"));
        }
        (_, ClockMode::Paused(since)) => {
            ("pause", format!("A moderator paused the room at {}; {}.", minute(since), G::paused()))
        }
        (ClockMode::Manual(_), ClockMode::Manual(at)) => {
            if at < d.at {
                let now = minute(d.at);
                return Err(Refusal::new(format!("this room's clock stands at {now}; it cannot go back")));
            }
            d.at = at;
            ("tick", format!("The room's clock stands at {}.", minute(at)))
        }
        (ClockMode::Paused(_), ClockMode::Manual(at)) => {
            ("resume", format!("The room goes on; its clock is moved by hand, and stands at {}.", minute(at)))
        }
        (_, ClockMode::Manual(at)) => {
            ("clock", format!("The room's clock is moved by hand from now on; it stands at {}.", minute(at)))
        }
        // It goes on from where the hands stand: what is due between there and now happens at its own instants.
        (ClockMode::Manual(_), ClockMode::Live) => {
            ("clock", "The room's time passes by itself from now on.".to_owned())
        }
    };
    d.frame_fact(FrameFact::Clock { mode, was });
    if act != "tick" {
        // What follows from it is told after it.
        d.tell_all_before(before, format!("{text}{}", because(reason)));
    }
    Ok((act, text))
}

/// What became of the things that were due inside a pause, as the end of a sentence and more.
fn told(lapsed: &[Lapse]) -> String {
    let named = |fate: Fate| {
        let all: Vec<&str> =
            lapsed.iter().filter(|lapse| lapse.fate == fate).map(|lapse| lapse.what.as_str()).collect();
        let mut things: Vec<(&str, usize)> = Vec::new();
        for what in &all {
            match things.iter_mut().find(|(other, _)| other == what) {
                Some((_, count)) => *count += 1,
                None => things.push((what, 1)),
            }
        }
        let named = |(what, count): &(&str, usize)| match count {
            1 => (*what).to_owned(),
            count => format!("{what} ({count} times)"),
        };
        let shown: Vec<String> = things.iter().take(LAPSED_TOLD_MAX_COUNT).map(named).collect();
        let more: usize = things.iter().skip(LAPSED_TOLD_MAX_COUNT).map(|(_, count)| count).sum();
        let shown = shown.join(", ");
        (all.len(), if more == 0 { shown } else { format!("{shown} and {more} more") })
    };
    let lost = match named(Fate::Never) {
        (0, _) => None,
        (1, what) => Some(format!("one thing that was due inside the pause does not happen: {what}.")),
        (n, what) => Some(format!("{n} things that were due inside the pause do not happen: {what}.")),
    };
    let said = match (lost, named(Fate::Late)) {
        (None, (0, _)) => None,
        (None, (_, late)) => Some(format!("what was due inside the pause follows now: {late}.")),
        (Some(lost), (0, _)) => Some(lost),
        (Some(lost), (_, late)) => Some(format!("{lost} This follows now: {late}.")),
    };
    match (said, named(Fate::PutOff)) {
        (None, (0, _)) => "nothing was due meanwhile.".to_owned(),
        (Some(said), (0, _)) => said,
        (None, (_, put_off)) => format!("this is put off by as long as it lasted: {put_off}."),
        (Some(said), (_, put_off)) => format!("{said} This is put off by as long as it lasted: {put_off}."),
    }
}

/// Lets everything lapse that was due before an instant; what did.
pub(super) fn lapse_until<G: Game>(until: Instant, d: &mut Draft<'_, G>) -> Vec<Lapse> {
    let (mut lapsed, mut stays) = (Vec::new(), BTreeSet::new());
    for _ in 0..SETTLE_MAX_ROUNDS {
        let next = G::mechanics().next_of(d, |due| due.at < until && !stays.contains(due));
        let Some(due) = next else { break };
        let (lapse, before) = (G::mechanics().fate(d, &due), G::mechanics().count_due(d, &due));
        G::mechanics().lapse(&due, d);
        if G::mechanics().count_due(d, &due) >= before {
            stays.insert(due);
        } else {
            lapsed.push(lapse);
        }
    }
    lapsed
}

/// A path whose object may be named as people write it: `player/Ann Lee.points`, `Ann Lee.points`.
fn written<G: Game>(path: &str, d: &Draft<'_, G>) -> Option<String> {
    let (obj, attr) = path.rsplit_once('.')?;
    let is = |id: &str| d.world.exists(id) || d.frame.seats.contains_key(id);
    let named = |id: &String| is(id) && !d.frame.is_redacted(id);
    let seated = |name: &str| {
        d.frame.seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(name)).map(|(id, _)| id.to_string())
    };
    let id = match obj.split_once('/') {
        Some(_) if is(obj) => return None,
        Some((kind, name)) => {
            Some(format!("{}/{}", kind.to_lowercase(), slug(name))).filter(named).or_else(|| seated(name))?
        }
        // Without its kind, where only one thing is called so.
        None => seated(obj)
            .or_else(|| {
                let end = slug(obj);
                let is_named = |id: &&Id| id.contains('/') && d.frame.tail(id) == Some(&*end);
                let mut all = d.world.objects().filter(is_named);
                all.next().filter(|_| all.next().is_none()).map(Id::to_string)
            })
            // The one thing of its kind: the Clock.
            .or_else(|| {
                let kind = slug(obj);
                let mut all = d.world.of_kind(&kind);
                all.next().filter(|_| all.next().is_none()).map(Id::to_string)
            })?,
    };
    Some(format!("{id}.{attr}"))
}

/// Corrects a value, with what follows it by the rules; says what it was and is after all that.
pub(super) fn set_right<G: Game>(path: &str, to: &str, d: &mut Draft<'_, G>) -> Result<String, Refusal> {
    let before = (**d).clone();
    let written = written(path, d);
    let path = written.as_deref().unwrap_or(path);
    let value = path.parse::<Path>().ok().filter(|at| d.world.def_at(at).is_some());
    match &value {
        Some(at) => correct_value(at, path, to, d)?,
        None => match path.strip_prefix(RULE) {
            Some(rule) => return put_back(rule, to, d).inspect(|_| mended(&before, d)),
            None => G::mechanics().correct(path, to, d)?,
        },
    }
    mended(&before, d);
    let Some(at) = value else { return Ok(format!("{path} is {to}.")) };
    let (was, is) = (G::shown(&before, &at), G::shown(d, &at));
    Ok(if is == was { format!("{path} is {is}.") } else { format!("{path} was {was} and is {is}.") })
}

/// Does what follows from a correction.
fn mended<G: Game>(before: &State<G>, d: &mut Draft<'_, G>) {
    G::mechanics().followed(d);
    G::mechanics().tell(&Event::Mended(before), d);
    G::mechanics().settle_all(d);
}

fn correct_value<G: Game>(at: &Path, path: &str, to: &str, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
    if let Some(done) = G::mechanics().correct_value(at, to, d) {
        return done;
    }
    let range = d.world.def_at(at).map_or(Range::Any, |def| def.range.clone());
    let value = read_value(to, &range, d).filter(|value| range.holds(value) || *value == Value::Null);
    let value = value.ok_or_else(|| {
        Refusal::new(format!("“{to}” is not a value that {path} can hold: it has to be {}", define::shown(&range)))
    })?;
    d.overwrite(at.clone(), value);
    Ok(())
}

/// What the path of a rule begins with; its number, title or name follows.
const RULE: &str = "rule/";

/// Puts a rule back to an earlier revision, whether it is in force now or not.
fn put_back<G: Game>(words: &str, to: &str, d: &mut Draft<'_, G>) -> Result<String, Refusal> {
    let revision = to.trim().strip_prefix("revision").and_then(|number| number.trim().parse().ok());
    let held = d.rules.get(words).or_else(|| d.rules.recall(words));
    let held = held.ok_or_else(|| Refusal::new(format!("no rule is or was called “{words}”")).instead("rules"))?;
    let (id, name) = (held.id().clone(), views::called(held, G::numbering()));
    let Some(acts) = revision.and_then(|revision| held.back_to(revision)) else {
        let why = format!("{name} is put back to one of its revisions, 0 to {}, and not to “{to}”", held.revision());
        return Err(Refusal::new(why).instead(format!("correct {RULE}{words} revision 0 because REASON")));
    };
    if acts.is_empty() {
        return Err(Refusal::new(format!("{name} stands so already")).instead(format!("rule {words}")));
    }
    for act in acts {
        let op = RuleOp::new(id.clone(), act);
        d.rules.check(&op)?;
        d.rule(op.because(format!("by a moderator: back to {to}")));
    }
    let stands = if d.rules.in_force(&id).is_some() { "in force" } else { "repealed" };
    Ok(format!("{name} is {stands} as in {to}."))
}

fn no_rule() -> Refusal {
    Refusal::new("no such rule is in force").instead("rules")
}

/// Binds a figure to words of a rule, or releases it there; says what the game plays by now.
fn bind<G: Game>(
    rule: &str,
    key: &str,
    words: Option<&str>,
    reason: &str,
    d: &mut Draft<'_, G>,
) -> Result<String, Refusal> {
    let key = find_key(&Keys::of(G::mechanics().keys(d), [&d.rules]), key)?;
    let held = d.rules.in_force(rule).ok_or_else(no_rule)?;
    let label = held.label();
    let edit = match words {
        Some(words) => amend::bind(held, key, words)?,
        None => amend::unbind(held, key.key)?,
    };
    d.rules.check(&edit.op)?;
    let before = d.rules.clone();
    d.rule(edit.op.clone().because(format!("by a moderator: {reason}")));
    let mend = |key: &LiveKey| views::mending(&before, &d.rules, key);
    let lost = edit.rebindings.iter().filter(|line| line.outcome == amend::Outcome::Lost && *line.key != *key.key);
    let lost = lost.filter_map(|line| Keys::of(G::mechanics().keys(d), [&before]).get(&line.key));
    let lost = lost.map(|lost| match d.rules.places(lost.key).next() {
        Some(_) => format!(" The place no longer gives the {}.", lost.meaning),
        None => format!(" The place no longer gives the {}, so {}. {}", lost.meaning, lost.absent, mend(lost)),
    });
    let lost: String = lost.collect();
    let shown = d.rules.places(key.key).next().map(|(rule, at)| (rule.label(), rule.text().shown(at).to_owned()));
    Ok(match shown {
        Some((rule, shown)) => format!("The {} is “{shown}”, as {rule} says.{lost}", key.meaning),
        None => {
            let say = format!("{label} no longer gives the {}, and no other rule does: {}.", key.meaning, key.absent);
            format!("{say} {}{lost}", mend(key))
        }
    })
}

/// Says whether the program plays a rule as its words are now, or people do what it says.
fn settle<G: Game>(rule: &str, by_hand: bool, reason: &str, d: &mut Draft<'_, G>) -> Result<String, Refusal> {
    let held = d.rules.in_force(rule).ok_or_else(no_rule)?;
    let (name, was) = (views::called(held, G::numbering()), held.played());
    if !held.is_played() {
        return Err(Refusal::new(format!("the program plays nothing of {name}: it has no law")).instead("rules"));
    }
    let (to, text) = match (by_hand, was.by_hand) {
        (true, true) => return Err(Refusal::new(format!("{name} is done by hand already")).instead("rules")),
        (true, false) => {
            let text = format!("The program does not play {name} any more: what it says is done by hand.");
            (Played { by_hand, ..was }, text)
        }
        (false, false) if held.outdated().is_none() => {
            let why = format!("the program plays {name} as it reads already");
            return Err(Refusal::new(why).instead(format!("rule {}", held.number())));
        }
        (false, _) => {
            let text = format!("The program plays {name} as of revision {}.", held.revision());
            (Played { revision: held.revision(), by_hand }, text)
        }
    };
    let op = RuleOp::new(held.id().clone(), RuleAct::Settle { to, was });
    d.rules.check(&op)?;
    d.rule(op.because(format!("by a moderator: {reason}")));
    Ok(text)
}

/// The object of some kinds that a text names, by its id or as people call it; nothing where none is called so, or several.
fn object<G: Game>(text: &str, kinds: &str, d: &Draft<'_, G>) -> Option<Id> {
    let is = |id: &String| (d.world.exists(id) || d.frame.seats.contains_key(id.as_str())) && !d.frame.is_redacted(id);
    let text = text.trim();
    if kinds.split(SCOPES).any(|kind| kind == sight::RULE)
        && let Ok(rule) = d.rules.find(text)
    {
        return Some(format!("{}/{}", sight::RULE, rule.id()).into());
    }
    let ids = kinds.split(SCOPES).flat_map(|kind| [format!("{kind}/{text}"), format!("{kind}/{}", slug(text))]);
    if let Some(id) = std::iter::once(text.to_owned()).chain(ids).find(is) {
        return Some(id.into());
    }
    let seat = d.frame.seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(text)).map(|(id, _)| id.clone());
    let wanted = folded(text);
    let called = |obj: &&Id| reads_as(&G::called(d, obj), &wanted);
    seat.or_else(|| {
        let mut all = kinds.split(SCOPES).flat_map(|kind| d.world.of_kind(kind)).filter(called);
        all.next().filter(|_| all.next().is_none()).cloned()
    })
}

/// Reads a value as a range wants it; `None` where the text is nothing of the kind.
fn read_value<G: Game>(text: &str, range: &Range, d: &Draft<'_, G>) -> Option<Value> {
    match range {
        Range::Any | Range::Text | Range::OneOf(_) => Some(Value::Text(text.to_owned())),
        Range::Bool => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" => Some(Value::Bool(true)),
            "false" | "no" | "off" => Some(Value::Bool(false)),
            _ => None,
        },
        Range::Num { .. } => text.parse::<Num>().ok().map(Value::Num),
        Range::Ref(kinds) => match object(text, kinds, d) {
            None if folded(text) == NOTHING => Some(Value::Null),
            found => found.map(Value::Ref),
        },
        Range::Time => text.parse::<Instant>().ok().map(Value::Time),
        Range::List { of, .. } => {
            let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
            let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty());
            items.map(|item| read_value(item, of, d)).collect::<Option<Vec<Value>>>().map(Value::List)
        }
    }
}

/// Takes the name off a seat, and out of the places where rules name who holds an office.
fn forget<G: Game>(seat: &Id, d: &mut Draft<'_, G>) -> Result<String, Refusal> {
    let Some(held) = d.frame.seats.get(seat).cloned() else {
        return Err(Refusal::new("there is no such seat in this room").instead("show players"));
    };
    let name = former_name(&held.person);
    d.frame_fact(FrameFact::Forgotten { seat: seat.clone(), name: name.clone() });
    for key in G::keys().iter().filter(|key| key.kind == NumKind::Name) {
        let named = d.rules.live_name(key).ok().filter(|named| named.eq_ignore_ascii_case(&held.name));
        // Where the rule cannot be rewritten, its text stays: forgetting is not refused for that.
        if let Some(edit) = named.and_then(|_| amend::set_figure(&d.rules, key, &name).ok())
            && d.rules.check(&edit.op).is_ok()
        {
            d.rule(edit.op.because("somebody asked to be forgotten".to_owned()));
        }
    }
    Ok(name)
}
