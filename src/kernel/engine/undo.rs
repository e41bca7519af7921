//! Taking an entry back: its inverse, emitted now.
//!
//! History stays as it is. Where the world moved on so far that the inverse would not undo just this entry, undoing is
//! refused with the place that changed.

use serde_json::Value as Json;

use super::{SETTLE_MAX_ROUNDS, moderate::CORRECT, read_entry};
use crate::kernel::{
    Refusal, Seq,
    display::Block,
    draft::Draft,
    entry::{Cause, Change, Entry},
    frame::FrameFact,
    game::{Game, State},
    rulebook::{Rulebook, ops::TAKEN_BACK},
    world::Op,
};

/// Emits the inverse of an entry and does what follows, all or nothing; says what it took back.
pub(super) fn undo<G: Game>(seq: Seq, entry: &Json, d: &mut Draft<'_, G>) -> Result<String, Refusal> {
    let unreadable = |why: String| Refusal::new(format!("entry {seq} cannot be read: {why}"));
    let entry = read_entry::<G>(&entry.to_string()).map_err(unreadable)?;
    if let Some(by) = d.frame.taken_back.get(&seq) {
        return Err(Refusal::new(format!("entry {seq} is taken back already, by entry {by}")).instead("history"));
    }
    if entry.changes.is_empty() {
        return Err(Refusal::new(format!("entry {seq} changed nothing")).instead("history"));
    }
    let twice = shared_number(&d.rules).is_some();
    let (before, due) = ((**d).clone(), G::next_due(d));
    let because = format!("{TAKEN_BACK}{seq} back");
    d.attempt(|d| {
        for change in entry.changes.iter().rev() {
            match change {
                Change::World(op) => undo_op(seq, op, d)?,
                Change::Rule(op) => {
                    let back = Some(op.inverse()).filter(|_| d.rules.can_undo(op));
                    let back = back.ok_or_else(|| moved_on(seq, "the rules"))?;
                    d.rule(back.because(&because));
                }
                Change::Frame(FrameFact::Designated { forum, designation, at }) => {
                    let held = d.frame.forums.get(forum).map(|forum| forum.history.clone()).unwrap_or_default();
                    if held.last() != Some(&(*at, *designation)) {
                        return Err(moved_on(seq, &format!("the designation of {forum}")));
                    }
                    let was = held.iter().rev().nth(1).and_then(|(_, was)| *was);
                    let at = d.at;
                    d.frame_fact(FrameFact::Designated { forum: forum.clone(), designation: was, at });
                }
                Change::Frame(FrameFact::Seated { seat, .. }) => {
                    if !G::stays_seated(seat, d) {
                        return Err(no_inverse(seq));
                    }
                }
                Change::Frame(fact) => {
                    let back = fact.inverse().ok_or_else(|| no_inverse(seq))?;
                    d.frame_fact(back);
                }
                Change::Fact(fact) => {
                    if let Some(why) = G::is_final(fact, d) {
                        return Err(Refusal::new(format!("entry {seq} cannot be taken back: {why}")).instead("history"));
                    }
                    let back = G::inverse(fact, d).ok_or_else(|| no_inverse(seq))?;
                    d.fact(back);
                }
            }
        }
        d.frame_fact(FrameFact::TakenBack { entry: seq, to: true });
        if let Some(again) = G::next_due(d).filter(|again| again.at <= d.at && due.as_ref() != Some(again)) {
            let what = G::lapses(d, &again).what;
            let say = format!("entry {seq} cannot be taken back: what is past would happen now, {what}");
            return Err(Refusal::new(say).instead("correct PATH VALUE because REASON"));
        }
        if let Some((number, title)) = shared_number(&d.rules).filter(|_| !twice) {
            return Err(moved_on(seq, &format!("{title} has the number {number}: the rules")));
        }
        G::mended(&before, d);
        settle(seq, &entry.changes, d)
    })?;
    let what = named(&entry, &before, d).map_or_else(String::new, |what| format!("{what}, "));
    let is_own = |change: &&Change<G::Fact>| !matches!(change, Change::Frame(FrameFact::TakenBack { .. }));
    let count = entry.changes.iter().filter(is_own).count();
    Ok(if count == 1 { format!("{what}one change.") } else { format!("{what}{count} changes.") })
}

/// Does what follows by itself, and refuses where that brings about again what was taken back.
fn settle<G: Game>(seq: Seq, undone: &[Change<G::Fact>], d: &mut Draft<'_, G>) -> Result<(), Refusal> {
    for _ in 0..SETTLE_MAX_ROUNDS {
        let (emitted, announced) = (d.emitted(), d.announced());
        let more = !d.frame.closed && G::settle(d);
        // What machinery notes of its own accord follows from other entries as well.
        let told = |change: &&Change<G::Fact>| !matches!(change, Change::Fact(_));
        let again = d.changes()[emitted..].iter().filter(told).any(|change| undone.contains(change));
        if let Some(say) = d.said().get(announced).filter(|_| again) {
            let told = say.document.blocks.iter().find_map(|block| match block {
                Block::Para(text) => Some(text.as_str()),
                _ => None,
            });
            let told = told.filter(|_| say.document.title.is_empty()).unwrap_or(&say.document.title);
            let say = format!(
                "entry {seq} cannot be taken back: what brought it about still holds, and it would happen again at once, “{told}”"
            );
            return Err(Refusal::new(say).instead("correct PATH VALUE because REASON"));
        }
        if !more {
            break;
        }
    }
    Ok(())
}

/// What an entry was, in words; nothing where its number says as much.
fn named<G: Game>(entry: &Entry<G::Fact>, before: &State<G>, d: &Draft<'_, G>) -> Option<String> {
    match &entry.cause {
        Cause::Action { actor, command, .. } => {
            let by = actor.as_ref().map_or_else(String::new, |actor| format!(" by {}", d.frame.name_of(actor)));
            Some(format!("{command}{by}"))
        }
        Cause::Due(due) => Some(G::was_due(due, &entry.changes, before, d)),
        Cause::Moderator { act, about: Some(about), .. } => Some(format!("the {act} of entry {about}")),
        Cause::Moderator { act, .. } => {
            let set = |change: &Change<G::Fact>| match change {
                Change::World(Op::Set { at, .. }) => Some(at.to_string()),
                _ => None,
            };
            let of = entry.changes.iter().find_map(set).filter(|_| act == CORRECT);
            Some(of.map_or_else(|| format!("“{act}” by a moderator"), |of| format!("the correction of {of}")))
        }
        Cause::Job(_) => None,
    }
}

/// A number that two rules in force have, with what the second one is called.
fn shared_number(rules: &Rulebook) -> Option<(u32, String)> {
    let rules = rules.rules();
    let shared = rules.windows(2).find(|pair| pair[0].number() == pair[1].number())?;
    Some((shared[1].number(), shared[1].label()))
}

fn undo_op<G: Game>(seq: Seq, op: &Op, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
    d.world.can_undo(op).map_err(|path| moved_on(seq, &path.to_string()))?;
    if let Op::Add { at, by } = op
        && let Some(def) = d.world.def(&at.attr)
        && let crate::kernel::Value::Num(now) = d.world.value(at)
        && !def.range.holds(&crate::kernel::Value::Num(&now - by))
    {
        return Err(Refusal::new(format!(
            "taking entry {seq} back would leave {at} at {}, out of its range",
            &now - by
        ))
        .instead("correct PATH VALUE because REASON"));
    }
    d.op(d.world.undoing(op));
    Ok(())
}

fn moved_on(seq: Seq, what: &str) -> Refusal {
    Refusal::new(format!("entry {seq} cannot be taken back any more: {what} changed since"))
        .instead("correct PATH VALUE because REASON")
}

fn no_inverse(seq: Seq) -> Refusal {
    Refusal::new(format!("entry {seq} did something that has no opposite")).instead("correct PATH VALUE because REASON")
}
