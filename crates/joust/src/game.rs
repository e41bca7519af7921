//! What every mechanic of the joust begins with: the game's type, its drafts and tables, and a text that reaches no log.
//!
//! This file knows no mechanic; the list of them stands in `lib.rs`.

use serde::Deserialize;

use kernel::Draft;

/// A draft of this game.
pub(crate) type D<'a> = Draft<'a, Joust>;

/// The tables of a room of this game.
pub(crate) type Tables = kernel::table::Tables<Joust>;

/// The Brainfuck Joust. A room's machinery lies in the tables of its mechanics; what rules can name stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Joust;

/// A text that may be a program. It cannot be written by way of `{:?}`, so that it reaches no log.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Secret(pub(crate) String);
