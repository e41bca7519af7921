//! Entries as everybody may read them.
//!
//! A journal holds more than its readers may know: what somebody was told alone, channels that are nobody's business, and
//! what a game keeps back for a while. Here all of that is taken out, so that pages, searches and public archives cannot
//! forget to. What is left still folds. Words that somebody typed are absent: entries do not hold them.

use serde_json::Value as Json;

use crate::kernel::{
    Id,
    entry::{Audience, Change, Entry},
    frame::{Designation, Frame, FrameFact},
    game::{Game, State},
};

/// Takes out of an entry what not everybody may read at this point.
pub(super) fn public<G: Game>(state: &State<G>, entry: Entry<G::Fact>) -> Result<Entry<Json>, String> {
    let Entry { seq, at, recorded, cause, changes, draws, says, .. } = entry;
    let draws = if G::tells_draws(&changes, state) { draws } else { Vec::new() };
    let mut open = Vec::with_capacity(changes.len());
    for change in changes {
        open.extend(match change {
            Change::Fact(fact) => {
                Some(Change::Fact(serde_json::to_value(G::public(fact, state)).map_err(|why| why.to_string())?))
            }
            Change::Frame(fact) => frame(&state.frame, fact).map(Change::Frame),
            Change::World(op) => Some(Change::World(op)),
            Change::Rule(op) => Some(Change::Rule(op)),
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
    let says = says.into_iter().filter(|say| heard(&say.to)).collect();
    Ok(Entry { seq, at, recorded, cause, schema: G::SCHEMA, changes: open, draws, says })
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
