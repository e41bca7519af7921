//! What a game is to the kernel: a pure state, and functions over it.
//!
//! A game learns the time and random numbers only from the [`Draft`] that is handed to it. It changes something only by
//! emitting into that draft. It knows nothing of accounts, networks and storage.

use serde_json::{Map, Value as Json};

use super::{
    Id, Refusal, State,
    draft::Draft,
    mechanic::{Mechanics, Needs, Occasion, Outcome},
    rulebook::LiveKey,
    speech::Speech,
};

/// A kind of play: its list of mechanics, and how it speaks. The state of a room lies in the tables of the mechanics.
pub trait Game: Speech + Copy + Default + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The word for it: `joust`.
    const NAME: &'static str;

    /// The live numbers that the engine plays by.
    fn keys() -> &'static [LiveKey];

    /// What it is made of, in the order in which things follow by themselves.
    fn mechanics() -> &'static Mechanics<Self>;

    /// Writes the rules and the first objects of a new room; the frame is open already.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the options do not fit the game.
    fn open(options: &Map<String, Json>, d: &mut Draft<'_, Self>) -> Outcome;

    /// Asks for what an act needs, in the words of this game.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names what is missing.
    fn guard(needs: &Needs, d: &Draft<'_, Self>) -> Result<(), Refusal>;

    /// The offices, each with the seats of whoever holds it.
    fn offices(_state: &State<Self>) -> Vec<(String, Vec<Id>)> {
        Vec::new()
    }

    /// Does something with what this game does around it: a log of changes, a note of who acted.
    fn within<T>(_on: Occasion<'_, Self>, d: &mut Draft<'_, Self>, does: impl FnOnce(&mut Draft<'_, Self>) -> T) -> T {
        does(d)
    }
}
