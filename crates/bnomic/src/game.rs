//! The game as its mechanics know it: its type, its drafts, and what every Game Action must be.
//!
//! It knows no mechanic. What the game is made of stands in the crate's root, which nobody here names.

use kernel::{Draft, Refusal};

/// A draft of this game.
pub(crate) type D<'a> = Draft<'a, BNomic>;

/// B Nomic. A room's machinery lies in the tables of its mechanics; what rules can name stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BNomic;

/// Refuses what was not said in a Public forum: no Game Action happens elsewhere (B7.1, B7.2).
pub(crate) fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("a Game Action is a message to a Public Forum: say it in a public channel of the room")
        .by("4E7, Game Actions")
        .instead(line))
}
