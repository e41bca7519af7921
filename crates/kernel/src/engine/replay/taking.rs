//! What can be taken back, and what an entry is called where it is.

use std::collections::BTreeMap;

use crate::display::{Block, Document};
use crate::engine::journal::{CORRECT, RESEED, UNDO};
use crate::entry::{Audience, Cause, Change, Entry};
use crate::frame::{ClockMode, FrameFact};
use crate::game::Game;
use crate::state::State;
use crate::told::placed;
use crate::world::Op;
use crate::{Id, Refusal, Seq};

/// Which entries an undo takes back, or brings back.
pub(super) fn toggles(entry: &Entry) -> impl Iterator<Item = (Seq, bool)> + '_ {
    entry.changes.iter().filter_map(|change| match change {
        Change::Frame(FrameFact::TakenBack { entry, to }) => Some((*entry, *to)),
        _ => None,
    })
}

/// The entries that are taken back after some entries, each with the one that did it.
pub(super) fn taken_back<'e, G: Game>(
    before: &State<G>,
    entries: impl Iterator<Item = &'e Entry>,
) -> BTreeMap<Seq, Seq> {
    let mut taken: BTreeMap<Seq, Seq> = before.frame.taken_back.iter().map(|(of, by)| (*of, *by)).collect();
    for entry in entries {
        for (of, to) in toggles(entry) {
            let _ = if to { taken.insert(of, entry.seq) } else { taken.remove(&of) };
        }
    }
    taken
}

/// What taking an entry back does to the set of those that are. It never nests: an undo that is undone brings back what it
/// took.
pub(super) fn can_be_taken_back(entry: &Entry, taken: &BTreeMap<Seq, Seq>) -> Result<Vec<(Seq, bool)>, Refusal> {
    let seq = entry.seq;
    let twice = |by: Seq| Refusal::new(format!("entry {seq} is taken back already, by entry {by}")).instead("history");
    if entry.changes.is_empty() {
        return Err(Refusal::new(format!("entry {seq} changed nothing")).instead("history"));
    }
    let own: Vec<(Seq, bool)> = match &entry.cause {
        Cause::Moderator { act, .. } if act == UNDO => toggles(entry).map(|(of, to)| (of, !to)).collect(),
        _ => Vec::new(),
    };
    if let Some((of, _)) = own.iter().find(|(of, to)| taken.contains_key(of) == *to) {
        return Err(twice(taken.get(of).copied().unwrap_or(seq)));
    }
    if !own.is_empty() {
        return Ok(own);
    }
    if let Some(by) = taken.get(&seq) {
        return Err(twice(*by));
    }
    let frame = |change: &Change| match change {
        Change::Frame(fact) => instead(fact),
        _ => None,
    };
    let opens = |change: &Change| matches!(change, Change::Frame(FrameFact::Opened { .. }));
    let is_frame = entry.changes.iter().all(is_of_frame);
    if let Some((what, instead)) = entry.changes.iter().find_map(frame)
        && (is_frame || entry.changes.iter().any(opens))
    {
        let why = format!("entry {seq} is not taken back, for {what}: that is done again, or otherwise");
        return Err(Refusal::new(why).instead(instead));
    }
    Ok(vec![(seq, true)])
}

/// Whether a change is one of the frame, or none.
pub(super) fn is_of_frame(change: &Change) -> bool {
    matches!(change, Change::Frame(_) | Change::By(_))
}

/// What a fact of the frame did, and what is typed in the place of an undo; nothing where an undo does it.
pub(super) fn instead(fact: &FrameFact) -> Option<(&'static str, &'static str)> {
    Some(match fact {
        FrameFact::Closed | FrameFact::Reopened | FrameFact::TakenBack { .. } => return None,
        FrameFact::Named { .. } | FrameFact::Stands { .. } => return None,
        FrameFact::Counted { .. } | FrameFact::Unsettled { .. } => return None,
        FrameFact::Aside { .. } | FrameFact::DueAgain => return None,
        FrameFact::Opened { .. } => ("it opened the room", "room close"),
        FrameFact::Seated { .. } => ("somebody took a seat, which stays theirs", "seat give NAME ACCOUNT"),
        FrameFact::Forgotten { .. } => ("somebody asked to be forgotten", "history"),
        FrameFact::Handed { .. } => ("a seat was given to another account", "seat give NAME ACCOUNT"),
        FrameFact::Designated { .. } => ("a channel was designated", "forum designate DESIGNATION"),
        FrameFact::Mannered { .. } => ("a setting was changed", "room settings"),
        FrameFact::Clock { mode: ClockMode::Paused(_), .. } => ("the room was paused", "resume"),
        FrameFact::Clock { was: ClockMode::Paused(_), .. } => ("the room went on", "pause"),
        FrameFact::Clock { .. } => ("the clock was moved", "tick"),
        FrameFact::FirstDraw { .. } | FrameFact::Reseeded { .. } => ("it is about the dice", "history"),
        FrameFact::Attested { .. } => ("it told the hash of the journal", "history"),
    })
}

/// What an entry was, in words, as the state before it has them.
pub(super) fn named<G: Game>(entry: &Entry, before: &State<G>) -> String {
    match &entry.cause {
        Cause::Action { actor, command, .. } => {
            let seated = |actor: &Id| format!(" by {}", before.frame.name_of(actor));
            let new = |change: &Change| match change {
                Change::Frame(FrameFact::Seated { name, .. }) => Some(format!(" by {name}")),
                _ => None,
            };
            let by = entry.changes.iter().find_map(new).or_else(|| actor.as_ref().map(seated));
            format!("{command}{}", by.unwrap_or_default())
        }
        Cause::Due(due) if *due.key == *RESEED => "the change of the dice's seed".to_owned(),
        Cause::Due(due) => announced(entry).unwrap_or_else(|| G::mechanics().fate(before, due).what),
        Cause::Moderator { act, about: Some(about), .. } => format!("the {act} of entry {about}"),
        Cause::Moderator { act, .. } => {
            let set = |change: &Change| match change {
                Change::World(Op::Set { at, .. }) => Some(placed(before, at)),
                _ => None,
            };
            let of = entry.changes.iter().find_map(set).filter(|_| act == CORRECT);
            of.map_or_else(|| format!("“{act}” by a moderator"), |of| format!("the correction of {of}"))
        }
        Cause::Job(id) => format!("the result of {id}"),
    }
}

/// What an entry announced to everybody first, as a name for it.
pub(super) fn announced(entry: &Entry) -> Option<String> {
    let say = entry.says.iter().find(|say| say.to == Audience::Public)?;
    first_line(&say.document).map(|line| format!("“{line}”"))
}

/// The first line of a document: its title, else what it says first.
pub(super) fn first_line(document: &Document) -> Option<&str> {
    let paras = document.blocks.iter().find_map(|block| match block {
        Block::Para(text) | Block::Said { text, .. } => Some(text),
        _ => None,
    });
    Some(&document.title).filter(|title| !title.is_empty()).or(paras)?.lines().next()
}
