//! What journals of older versions hold beside tables.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value as Json;

use super::{Instant, Seq, frame::Frame, rulebook::Rulebook, state::State, table::Tables, world::World};

/// What journals of older versions hold beside tables.
pub trait Before: Sized {
    /// A change to the machinery, as those versions wrote it.
    type Fact: Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Folds a fact into the tables. Total.
    fn fold(tables: &mut Tables<Self>, fact: &Self::Fact, around: &Around<'_>);

    /// A fact of an older version of the program, as the last version with facts would have written it. `version` is the
    /// schema of the entry that holds it.
    fn upcast(_version: u16, fact: Json) -> Json {
        fact
    }

    /// A fact of the journal as everybody may read it at this point, or one that changes nothing in its place. What it
    /// gives is folded where a room is opened from a public archive.
    fn public(fact: Self::Fact, _state: &State<Self>) -> Self::Fact {
        fact
    }

    /// Whether a fact is of the form that [`Before::public`] gives in the place of one that it keeps back. A public
    /// archive may tell such facts without proof, and no others.
    fn is_kept(_fact: &Self::Fact) -> bool {
        false
    }

    /// A fact in words, for people who read the record: empty where the rest of its entry says it, `None` where its
    /// fields say enough.
    fn told(_fact: &Self::Fact, _state: &State<Self>) -> Option<String> {
        None
    }

    /// Whether everybody may know at this point what an entry with this fact drew.
    fn tells_draws(_fact: &Self::Fact, _state: &State<Self>) -> bool {
        true
    }
}

/// What a fact is folded with.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// What every room has, as it is at this point of the entry.
    pub frame: &'a Frame,
    /// The world as it is at this point of the entry.
    pub world: &'a World,
    /// The rules as they read at this point of the entry.
    pub rules: &'a Rulebook,
    /// The entry's number.
    pub seq: Seq,
    /// When the entry takes effect.
    pub at: Instant,
}
