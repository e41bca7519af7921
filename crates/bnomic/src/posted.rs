//! Names in proposals, tweaks and Refresh Proposals (B15.3, B36.4) mean what they meant when the text was posted.
//!
//! Others read a text, vote on it or let it pass by its meaning then. So a rule that gets another title, or a newcomer
//! under some name, changes nothing of the effects of a posted text. The words are read in `kernel::directives`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    game::{BNomic, D},
    stats::{PROPOSAL, RULE, called},
};
use kernel::{
    Id, Mechanic, Seq, State,
    directives::{Names, Posted, wording::folded},
    table::Row,
};
use kit::effects as texts;

// ---- state

/// What a text was posted on, by the object or the machinery's name of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Post {
    /// The entry in which it was posted: rules are called what they were called before it.
    seq: Seq,
    /// Which objects the names in it were of.
    names: BTreeMap<String, Id>,
}

impl Row<BNomic> for Post {
    type Key = Id;
    const TABLE: &'static str = "posts";
}

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("posted").table::<Post>()
}

// ---- decide

/// Notes what a text is posted on.
pub(super) fn note(d: &mut D<'_>, id: &Id, text: &str) {
    let post = Post { seq: d.seq, names: names(d, text) };
    d.put(id, post);
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

/// What a text was posted on; nothing of what was not posted, which means what it says now.
pub(super) fn of(state: &State<BNomic>, id: &Id) -> Option<Posted> {
    let post = state.rows::<Post>().get(id)?;
    Some(Posted { names: post.names.clone(), ..texts::posted(state, post.seq) })
}
