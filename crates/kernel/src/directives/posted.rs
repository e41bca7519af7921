//! What a text meant by names when it was posted: others read it, vote on it, or let it pass by that.
//!
//! A name is looked up in the room as it was then. What was called so and is gone is not replaced by another of that
//! name. A name that meant nothing then is looked up when the text is done: an earlier line may have made what it names.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{setting::Posted, sight::RULE, wording::folded, words::Names};
use crate::Draft;
use crate::Id;
use crate::Seq;
use crate::State;

/// What a text was posted on, as it is kept beside the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Post {
    /// The entry in which it was posted: it calls rules what they were called before that.
    pub seq: Seq,
    /// The objects that the names in it are of, by [`folded`] names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    names: BTreeMap<String, Id>,
}

impl Post {
    /// What a text means that is posted now.
    pub fn of<G: Names>(d: &Draft<'_, G>, text: &str) -> Self {
        Self { seq: d.seq, names: names(d, text) }
    }

    /// What it means, for whoever does the text.
    pub fn posted<G: Names>(&self, state: &State<G>) -> Posted {
        let rules = state.rules.as_of(self.seq.saturating_sub(1));
        Posted { seq: self.seq, rules, names: self.names.clone() }
    }
}

/// The names in a text, and whose they are; one that several bear is left to the time when it is done.
fn names<G: Names>(state: &State<G>, text: &str) -> BTreeMap<String, Id> {
    let text = folded(text);
    // Of thousands of things a text names a few: most of the others have a word that is not in it.
    let words: BTreeSet<&str> = words(&text).collect();
    let says =
        |name: &str| !name.is_empty() && self::words(name).all(|word| words.contains(word)) && text.contains(name);
    let mut names = BTreeMap::new();
    // Rules are known by what they were called.
    let things = state.world.objects().filter(|obj| state.world.kind(obj).is_none_or(|kind| **kind != *RULE));
    for obj in things {
        let (called, tail) = (folded(&G::called(state, obj)), folded(state.frame.tail(obj).unwrap_or_default()));
        let bare = called.strip_prefix("the ").unwrap_or_default().to_owned();
        for name in [called, bare, tail] {
            let is_new = says(&name) && !names.contains_key(&name);
            if is_new && G::find(state, &name).is_ok_and(|found| found == *obj) {
                names.insert(name, obj.clone());
            }
        }
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
}
