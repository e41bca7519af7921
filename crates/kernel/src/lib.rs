//! What the games share, pure.
//!
//! Nothing in here can learn the time, draw a random number or reach the outside. Instants and dice are handed in, and
//! what is to be done is returned as values. A test reads the imports and holds this.

pub mod chain;
pub mod clean;
pub mod deed;
pub mod dice;
pub mod directives;
pub mod display;
pub mod doer;
pub mod draft;
pub mod engine;
pub mod entry;
pub mod frame;
pub mod game;
pub mod mechanic;
pub mod names;
pub mod number;
pub mod own_command;
pub mod redaction;
pub mod refusal;
pub mod row_change;
pub mod rulebook;
mod shape;
pub mod speech;
pub mod state;
pub mod table;
pub mod time;
mod told;
pub mod viewer;
pub mod waiting;
pub mod work;
pub mod world;

use std::sync::Arc;

pub use draft::Draft;
pub use game::Game;
pub use mechanic::{
    Act, Asked, Display, Event, Job, Mechanic, Mechanics, Needs, Nothing, Occasion, Outcome, Phase, Proposals, Said,
    Verb,
};
pub use number::Num;
pub use refusal::Refusal;
pub use state::State;
pub use table::{Row, Rows};
pub use world::{Path, Value};

/// The name of something in a room: an object, an attribute, a rule. Cheap to copy.
pub type Id = Arc<str>;

/// The number of an entry in its room's journal. The first entry, which opens the room, is 1.
pub type Seq = u64;

/// A moment, in UTC.
pub type Instant = jiff::Timestamp;
