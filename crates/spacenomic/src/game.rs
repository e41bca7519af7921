//! The game's type and a draft of it: what every mechanic names.
//!
//! It knows no mechanic, since a room's tables are declared by them. The list of mechanics stands in `lib.rs`.

use super::law::Thing;
use kernel::{Draft, Refusal};

/// A draft of this game.
pub(super) type D<'a> = Draft<'a, Spacenomic>;

/// Spacenomic. A room's machinery lies in the tables of its mechanics; what rules can name stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spacenomic;

/// Refuses what was not announced publicly (S15, S16).
pub(super) fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("an action is a public announcement: say it in a public channel of the room")
        .by(Thing::Rules.rule(&d.rules))
        .instead(line))
}
