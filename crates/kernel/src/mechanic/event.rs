//! What mechanics hear of, so that what one does and another follows needs no call from file to file.

use serde_json::Value as Json;

use crate::{
    Id, Instant,
    state::{Kind, State},
};

/// Something of which mechanics hear, so that what one does and another follows needs no call from file to file.
#[derive(Clone, Copy)]
pub enum Event<'a, G: Kind> {
    /// A moderator's pause that began then ends, before anything lapses: what stood still in it goes on from now.
    Resumed(Instant),
    /// A moderator corrected a value or took an entry back; the state before it.
    Mended(&'a State<G>),
    /// Whoever sat in this seat asked to be forgotten: what a seat has only while somebody is there ends. The seat stays
    /// theirs if they come back.
    Forgotten(&'a Id),
    /// Something happened by the rules, which the mechanic that did it names: `pass`. What belongs to it stands by name,
    /// as the arguments of an act do.
    Happened(&'static str, &'a Json),
    /// An instant of the game's time has come, by all its names at once, each with the number of what ends or begins:
    /// `end of nday` 9. The game's own work of that instant is done.
    Instant(&'a [(&'static str, i64)]),
}
