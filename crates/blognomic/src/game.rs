//! What every mechanic of BlogNomic begins with: the game's type, its drafts, and what lines have in common.
//!
//! This file knows no mechanic; the list of them stands in `lib.rs`.

use kernel::{Asked, Draft, Refusal, mechanic::no_display};

/// A draft of this game.
pub(super) type D<'a> = Draft<'a, BlogNomic>;

/// BlogNomic. A room's machinery lies in the tables of its mechanics; what rules can name stands in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlogNomic;

/// Refuses what was not said in public: the game is played where everybody can read it.
pub(super) fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("this happens in public: say it in a public channel of the room").instead(line))
}

/// Before which number a list goes on; nothing where it begins.
///
/// # Errors
///
/// The [`Refusal`] of a display that there is not, where something else stands behind its name.
pub(super) fn page(asked: Asked<'_>) -> Result<Option<u64>, Refusal> {
    if asked.rest.is_empty() {
        return Ok(None);
    }
    asked.rest.parse().map(Some).map_err(|_| no_display::<BlogNomic>())
}
