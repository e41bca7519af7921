//! Entries as everybody may read them.
//!
//! A journal holds more than its readers may know: private answers, private channels, and what a game keeps back for a
//! while. Here all of that is taken out, so that pages, searches and public archives cannot forget to. What is left
//! still folds. Entries hold no words that people typed.

use serde::Deserialize as _;
use serde_json::{Value as Json, json};

use crate::Id;
use crate::chain::{HEAD, LISTS};
use crate::entry::{Audience, Change, Entry};
use crate::frame::{Designation, Frame, FrameFact};
use crate::game::Game;
use crate::state::State;

/// An entry with what everybody may read of it, as it is written into a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Disclosed {
    /// The entry: as it is stored, where nothing in it is told otherwise than it is; else in the newest schema.
    pub entry: Json,
    /// For each part of the stored entry, in order, where it stands in this one; nothing where it does not, or does
    /// otherwise.
    pub parts: Vec<Option<String>>,
}

/// Takes out of an entry what not everybody may read at this point.
pub(super) fn public<G: Game>(state: &State<G>, entry: Entry) -> Result<Entry, String> {
    let open = open(state, entry)?;
    let Entry { seq, at, recorded, cause, schema, .. } = open.entry;
    let changes = open.changes.into_iter().flatten().map(|(change, _)| change).collect();
    Ok(Entry { seq, at, recorded, cause, schema, changes, draws: open.entry.draws, says: open.entry.says })
}

/// The same, and which part of the entry went where. `stored` is the entry as its bytes read.
pub(super) fn disclosed<G: Game>(state: &State<G>, mut stored: Json, entry: Entry) -> Result<Disclosed, String> {
    let (schema, draws) = (entry.schema, entry.draws.len());
    let open = open(state, entry)?;
    let masked = open.changes.iter().flatten().any(|(change, as_it_is)| {
        // What a game tells otherwise it tells in the newest schema, and one entry has one.
        !as_it_is && matches!(change, Change::Fact(_))
    });
    let mut take = |list: &str| match stored.as_object_mut().and_then(|fields| fields.remove(list)) {
        Some(Json::Array(members)) => members,
        _ => Vec::new(),
    };
    let [were, drawn, said] = LISTS.map(|(list, _)| take(list));
    let newer = masked && schema != G::SCHEMA;
    if newer {
        stored["schema"] = json!(G::SCHEMA);
    }
    let mut out = Disclosed { entry: stored, parts: vec![(!newer).then(|| HEAD.to_owned())] };
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
            Some((ref change, true)) if !(newer && matches!(change, Change::Fact(_))) => Some((was, true)),
            Some((change, as_it_is)) => {
                let told = serde_json::to_value(change).map_err(|why| why.to_string())?;
                let as_it_is = as_it_is && told == was;
                Some((told, as_it_is))
            }
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
pub(super) fn stands_in<G: Game>(change: &Json) -> bool {
    let Ok(read) = Change::deserialize(change) else { return false };
    let kept = match &read {
        Change::Fact(fact) => G::Fact::deserialize(fact).is_ok_and(|fact| G::is_kept(&fact)),
        // A channel that became private.
        Change::Frame(fact) => matches!(fact, FrameFact::Designated { designation: None, .. }),
        Change::World(_) | Change::Rule(_) | Change::Row(_) | Change::By(_) => false,
    };
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

fn open<G: Game>(state: &State<G>, entry: Entry) -> Result<Open, String> {
    let Entry { seq, at, recorded, cause, changes, draws, says, .. } = entry;
    let tells = |change: &Change| match change {
        Change::Row(change) => state.tables.is_open(&change.table, &change.key, state),
        Change::Fact(fact) => G::Fact::deserialize(fact).is_ok_and(|fact| G::tells_draws(&fact, state)),
        Change::World(_) | Change::Rule(_) | Change::Frame(_) | Change::By(_) => true,
    };
    let draws = if changes.iter().all(tells) { draws } else { Vec::new() };
    let mut told = Vec::with_capacity(changes.len());
    for change in changes {
        told.push(match change {
            Change::Fact(fact) => {
                let fact = G::Fact::deserialize(fact).map_err(|why| why.to_string())?;
                let whole = serde_json::to_value(&fact).map_err(|why| why.to_string())?;
                let open = serde_json::to_value(G::public(fact, state)).map_err(|why| why.to_string())?;
                let as_it_is = open == whole;
                Some((Change::Fact(open), as_it_is))
            }
            Change::Frame(fact) => {
                let open = frame(&state.frame, fact.clone());
                open.map(|open| (Change::Frame(open.clone()), open == fact))
            }
            // A row that is kept back is gone for strangers.
            Change::Row(change) => {
                state.tables.is_open(&change.table, &change.key, state).then_some((Change::Row(change), true))
            }
            Change::World(op) => Some((Change::World(op), true)),
            Change::Rule(op) => Some((Change::Rule(op), true)),
            Change::By(by) => Some((Change::By(by), true)),
        });
    }
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
    let entry = Entry { seq, at, recorded, cause, schema: G::SCHEMA, changes: Vec::new(), draws, says };
    Ok(Open { entry, changes: told, heard: hears })
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
