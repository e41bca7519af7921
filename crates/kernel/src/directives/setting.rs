//! The circumstances of a body that is applied: its cause, when it was posted, what becomes of what cannot be done.
//!
//! It is plain data: it knows neither the game nor how a body is applied.

use std::collections::BTreeMap;

use super::wording::folded;
use crate::Id;
use crate::Refusal;
use crate::Seq;
use crate::rulebook::Rulebook;
use crate::world::World;

/// What becomes of a body in which something cannot be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Nothing of it happens.
    #[default]
    AllOrNone,
    /// What cannot be done is left out, and the rest happens.
    LeaveOutRefused,
}

/// Under what a body is applied.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// What caused it, in words for the history of rules: `proposal 12 by Ann`.
    pub because: &'a str,
    /// What becomes of what cannot be done.
    pub mode: Mode,
    /// What the body was posted on, whose numbers, titles and names it means; those of now where it is applied at once.
    pub posted: Option<&'a Posted>,
    /// Whether it is only tried: then names are looked at, too, that doing it would not come to.
    pub tried: bool,
}

impl Setting<'_> {
    /// The object that some words of the body meant when it was posted, for directives of a game's own. As
    /// [`Posted::object`].
    pub fn meant(&self, words: &str, now: &World) -> Option<Result<Id, Refusal>> {
        self.posted?.object(words, now)
    }
}

/// What a text was posted on: what was read and voted on means these, whatever they are called by the time it is done.
#[derive(Clone, Debug, Default)]
pub struct Posted {
    /// The entry in which it was posted.
    pub seq: Seq,
    /// The rules as they read then.
    pub rules: Rulebook,
    /// What the names that it says meant then, as [`folded`] compares them; others mean what they mean now.
    pub names: BTreeMap<String, Id>,
}

impl Posted {
    /// The object that some words meant then; nothing where they mean what they mean now.
    ///
    /// # Errors
    ///
    /// Where it is gone.
    pub fn object(&self, words: &str, now: &World) -> Option<Result<Id, Refusal>> {
        let obj = self.names.get(&folded(words))?;
        let gone = || {
            let say =
                format!("what was called “{}” when this was posted is gone, and nothing else is meant", words.trim());
            Refusal::new(say)
        };
        Some(now.exists(obj).then(|| obj.clone()).ok_or_else(gone))
    }
}
