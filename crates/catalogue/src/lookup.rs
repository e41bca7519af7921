//! What binding and completion ask a room.
//!
//! It is asked of one snapshot of the room, so all answers to one line fit together.

use std::sync::Arc;

use serde_json::Value;

use super::{Catalogue, spec::Kind};
use kernel::{Num, Refusal, display::Cell};

/// What a room can say about the words that people use in it, as somebody in particular may see it.
pub trait Lookup {
    /// The cells of a display that completes parameters (`hill`, `players`), best first. Those without
    /// [`Cell::completes`] complete nothing. A display that the room does not have has none.
    fn candidates(&self, display: &str) -> Vec<Cell>;

    /// What a text means where only the room knows it: a seat, a rule, a program, a display, a room, an account, a
    /// channel, a time that is counted from now. The JSON is what the action's field takes.
    ///
    /// # Errors
    /// Says what there is not, and what comes nearest. [`pick`](super::bind::pick) makes the usual sentence.
    fn resolve(&self, kind: Kind, text: &str) -> Result<Value, Refusal>;

    /// The number that some words stand for by the rules of the room.
    fn number(&self, _words: &str) -> Option<Num> {
        None
    }

    /// The commands that make sense in the room: those that one command may hold.
    fn commands(&self) -> Arc<Catalogue> {
        Arc::new(Catalogue::all().clone())
    }
}

/// No room at all, for commands that need none: whatever only a room could name is passed on as it was typed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRoom;

impl Lookup for NoRoom {
    fn candidates(&self, _: &str) -> Vec<Cell> {
        Vec::new()
    }

    fn resolve(&self, _: Kind, text: &str) -> Result<Value, Refusal> {
        Ok(text.into())
    }
}
