//! What proposals, tweaks and Refresh Proposals mean by names (B15.3, B36.4): what these meant when the text was posted.
//!
//! Others read a text, vote on it or let it pass as it means something then. So a rule that gets another title, or somebody
//! who comes under a name, changes nothing of what a posted text does. Absent: how the words are read (`kernel::directives`).

use std::collections::BTreeMap;

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, State, emit,
    ruled::RULE,
    stats::{PROPOSAL, called},
};
use crate::{
    games::effects as texts,
    kernel::{
        Seq,
        directives::{Lawful, Posted, sight::folded},
    },
};

// ---- state

/// What each posted text was posted on, by the object or the machinery's name of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Posts {
    made: OrdMap<Id, Post>,
}

/// What a text was posted on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// The entry in which it was posted: rules are called what they were called before it.
    seq: Seq,
    /// Which objects the names in it were of.
    names: BTreeMap<String, Id>,
}

// ---- facts

/// What happens to what texts mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A text was posted, or posted again.
    Posted {
        /// Which.
        text: Id,
        /// On what, from now on.
        to: Option<Post>,
        /// On what before.
        was: Option<Post>,
    },
}

/// Notes what a text is posted on.
pub(super) fn note(d: &mut D<'_>, id: &Id, text: &str) {
    let to = Some(Post { seq: d.seq, names: names(d, text) });
    let was = d.game.posts.made.get(id).cloned();
    emit(d, Fact::Posted { text: id.clone(), to, was });
}

/// The names in a text, and whose they are; one that several bear is left to the time when it is done.
fn names(state: &State<BNomic>, text: &str) -> BTreeMap<String, Id> {
    let text = folded(text);
    let mut names = BTreeMap::new();
    // Proposals are called by their numbers, which nothing else gets, and there may be thousands of them; rules are known by
    // what they were called.
    let apart = |kind: &Id| [PROPOSAL, RULE].contains(&&**kind);
    let kinds: Vec<Id> = state.world.kinds().into_iter().filter(|kind| !apart(kind)).collect();
    for obj in kinds.iter().flat_map(|kind| state.world.of_kind(kind)) {
        let tail = obj.split_once('/').map_or(&**obj, |(_, tail)| tail);
        for name in [folded(&called(state, obj)), folded(tail)] {
            let says = !name.is_empty() && !names.contains_key(&name) && text.contains(&name);
            if says && BNomic::find(state, &name).is_ok_and(|found| found == *obj) {
                names.insert(name, obj.clone());
            }
        }
    }
    names
}

/// What a text was posted on; nothing of one from before that was noted, which means what it says now.
pub(super) fn of(state: &State<BNomic>, id: &Id) -> Option<Posted> {
    let post = state.game.posts.made.get(id)?;
    Some(Posted { names: post.names.clone(), ..texts::posted(state, Some(post.seq))? })
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact) {
    let Fact::Posted { text, to, .. } = fact;
    match to {
        Some(to) => game.posts.made.insert(text.clone(), to.clone()),
        None => game.posts.made.remove(text),
    };
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Posted { text, to, was } = fact.clone();
    Fact::Posted { text, to: was, was: to }
}
