//! How a room would be without one of its entries: what an undo is decided from.
//!
//! It is plain data, which hides the type of the game, so that a moderator's act can carry it.

use std::{any::Any, fmt};

use crate::Seq;
use crate::dice::Dice;
use crate::frame::FrameFact;

/// How a room would be without an entry.
pub struct Replayed {
    /// The entry that is taken back.
    pub seq: Seq,
    /// The last entry of the journal that was played again.
    pub last: Seq,
    /// What the entry was, in words.
    pub(super) what: String,
    /// Entries that are taken back from now on, or no longer are.
    pub(super) toggled: Vec<(Seq, bool)>,
    /// Whether the room was closed, or opened again, by the entry.
    pub(super) frame: Vec<FrameFact>,
    /// The dice of the undo, after what the amended line drew.
    pub(super) dice: Dice,
    /// What the entry did to the frame, which stays, each with what is typed in the place of an undo.
    pub(super) stays: Vec<String>,
    /// Later entries that no longer happen, each with the reason.
    pub(super) left_out: Vec<String>,
    /// What was not due before and happens.
    pub(super) came: Vec<String>,
    /// What would have been announced to everybody, and was not.
    pub(super) said: Vec<String>,
    /// What is taken as it is recorded: what moderators did, and those who were forgotten.
    pub(super) as_recorded: Vec<String>,
    /// What is taken so since deciding it again gives something else, which is a fault of the program.
    pub(super) otherwise: Vec<String>,
    /// The end of the amended line, with the last numbers of both: a `State` of the room's game.
    pub(super) state: Box<dyn Any + Send + Sync>,
}

impl fmt::Debug for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replayed").field("seq", &self.seq).field("last", &self.last).finish_non_exhaustive()
    }
}
