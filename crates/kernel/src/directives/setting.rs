//! The circumstances of a body that is applied: its cause, when it was posted, what becomes of what cannot be done.
//!
//! It is plain data: it knows neither the game nor how a body is applied.

use std::collections::BTreeMap;

use crate::Id;
use crate::rulebook::Rulebook;

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

/// What a text was posted on: what was read and voted on means these, whatever they are called by the time it is done.
#[derive(Clone, Debug, Default)]
pub struct Posted {
    /// The rules as they read then.
    pub rules: Rulebook,
    /// What the names that it says meant then, as [`folded`](super::wording::folded) compares them; a game that leaves it out means those of now.
    pub names: BTreeMap<String, Id>,
}
