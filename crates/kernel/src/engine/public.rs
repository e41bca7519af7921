//! Entries as everybody may read them.
//!
//! A journal holds more than its readers may know: private answers, private channels, and what a game keeps back for a
//! while. Here all of that is taken out, so that pages, searches and public archives cannot forget to. What is left
//! still folds. Entries hold no words that people typed.

use serde::Deserialize as _;
use serde_json::Value as Json;

use crate::Id;
use crate::chain::{HEAD, LISTS};
use crate::entry::{Audience, Change, Entry};
use crate::frame::{Designation, Frame, FrameFact};
use crate::game::Game;
use crate::state::State;

/// An entry with what everybody may read of it, as it is written into a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Disclosed {
    /// The entry as it is stored, without what is kept back.
    pub entry: Json,
    /// For each part of the stored entry, in order, where it stands in this one; nothing where it does not, or does
    /// otherwise.
    pub parts: Vec<Option<String>>,
}

/// Takes out of an entry what not everybody may read at this point.
pub(super) fn public<G: Game>(state: &State<G>, entry: Entry) -> Entry {
    let open = open(state, entry);
    let changes = open.changes.into_iter().flatten().map(|(change, _)| change).collect();
    Entry { changes, ..open.entry }
}

/// The same, and which part of the entry went where. `stored` is the entry as its bytes read.
pub(super) fn disclosed<G: Game>(state: &State<G>, mut stored: Json, entry: Entry) -> Result<Disclosed, String> {
    let draws = entry.draws.len();
    let open = open(state, entry);
    let mut take = |list: &str| match stored.as_object_mut().and_then(|fields| fields.remove(list)) {
        Some(Json::Array(members)) => members,
        _ => Vec::new(),
    };
    let [were, drawn, said] = LISTS.map(|(list, _)| take(list));
    let mut out = Disclosed { entry: stored, parts: vec![Some(HEAD.to_owned())] };
    let list = |out: &mut Disclosed, name: &str, members: Vec<Option<(Json, bool)>>| {
        let mut kept = Vec::new();
        for member in members {
            let (member, as_it_is) = member.map_or((None, false), |(member, as_it_is)| (Some(member), as_it_is));
            out.parts.push(as_it_is.then(|| format!("{name}/{}", kept.len())));
            kept.extend(member);
        }
        if !kept.is_empty() {
            out.entry[name] = Json::Array(kept);
        }
    };
    let mut changes = Vec::with_capacity(were.len());
    for (was, is) in were.into_iter().zip(open.changes) {
        changes.push(match is {
            None => None,
            Some((_, true)) => Some((was, true)),
            Some((change, false)) => Some((serde_json::to_value(change).map_err(|why| why.to_string())?, false)),
        });
    }
    let all = open.entry.draws.len() == draws;
    list(&mut out, LISTS[0].0, changes);
    list(&mut out, LISTS[1].0, drawn.into_iter().map(|draw| all.then_some((draw, true))).collect());
    let heard = open.heard.into_iter();
    list(&mut out, LISTS[2].0, said.into_iter().zip(heard).map(|(say, heard)| heard.then_some((say, true))).collect());
    Ok(out)
}

/// Whether a change is of a form that is told in the place of one that is kept back, and has nothing beside it.
pub fn stands_in(change: &Json) -> bool {
    let Ok(read) = Change::deserialize(change) else { return false };
    // A channel that became private.
    let kept = matches!(read, Change::Frame(FrameFact::Designated { designation: None, .. }));
    kept && serde_json::to_value(&read).is_ok_and(|written| written == *change)
}

/// An entry with what everybody may read of it.
struct Open {
    /// The entry without its changes, with the draws and announcements that everybody may read.
    entry: Entry,
    /// For each change what is told of it, and whether that is the change as it is.
    changes: Vec<Option<(Change, bool)>>,
    /// For each announcement whether everybody may read it.
    heard: Vec<bool>,
}

fn open<G: Game>(state: &State<G>, entry: Entry) -> Open {
    let Entry { seq, at, recorded, cause, changes, draws, says } = entry;
    let tells = |change: &Change| match change {
        Change::Row(change) => state.tables.is_open(&change.table, &change.key, state),
        Change::World(_) | Change::Rule(_) | Change::Frame(_) | Change::By(_) => true,
    };
    let draws = if changes.iter().all(tells) { draws } else { Vec::new() };
    let told = changes.into_iter().map(|change| match change {
        Change::Frame(fact) => {
            let open = frame(&state.frame, fact.clone())?;
            let as_it_is = open == fact;
            Some((Change::Frame(open), as_it_is))
        }
        // A row that is kept back is gone for strangers.
        change => tells(&change).then_some((change, true)),
    });
    let told = told.collect();
    let heard = |to: &Audience| match to {
        Audience::Public => true,
        Audience::Forum(id) => {
            let forum = state.frame.forums.get(id);
            forum.and_then(|forum| forum.designation_at(at)) == Some(Designation::Public)
        }
        Audience::Seat(_) | Audience::Reader { .. } | Audience::Moderators => false,
    };
    let hears: Vec<bool> = says.iter().map(|say| heard(&say.to)).collect();
    let says = says.into_iter().zip(&hears).filter(|(_, heard)| **heard).map(|(say, _)| say).collect();
    let entry = Entry { seq, at, recorded, cause, changes: Vec::new(), draws, says };
    Open { entry, changes: told, heard: hears }
}

/// That a private channel is there at all is nothing for strangers; one that becomes private is gone for them.
fn frame(frame: &Frame, fact: FrameFact) -> Option<FrameFact> {
    match fact {
        FrameFact::Designated { forum, designation, at } => {
            let designation = designation.filter(|designation| *designation != Designation::Private);
            was_open(frame, &forum).then_some(FrameFact::Designated { forum, designation, at })
        }
        FrameFact::Mannered { ref forum, .. } if !was_open(frame, forum) => None,
        other => Some(other),
    }
}

fn was_open(frame: &Frame, forum: &Id) -> bool {
    let open =
        |designation: &Option<Designation>| matches!(designation, Some(Designation::Public | Designation::Discussion));
    frame.forums.get(forum).is_some_and(|forum| forum.history.iter().any(|(_, designation)| open(designation)))
}
