//! The service holds the rooms, takes lines in and sends announcements out.
//!
//! ```text
//! port ── hear ── commands     a line, its meaning, and what every room can do
//! hub ─── room                 all rooms, and the way of a deed through one of them
//! letters ── outbox            announcements, addressed, and on their way
//! sealed                       who may read what is sealed, and what was typed
//! incidents                    what happens to adapters, told to moderators
//! arena                        long works, on threads of their own
//! archive                      rooms as files, and the proof of journals
//! clock, entropy, vigil        the one clock, the one source of chance, and whether the clock stands right
//! ```
//!
//! No game and no network is known here.

pub mod archive;
mod arena;
pub mod clock;
mod commands;
mod desk;
pub mod entropy;
mod fault;
pub mod fetch;
mod figures;
mod gallery;
mod hear;
pub mod hub;
mod incidents;
mod index;
mod letters;
mod outbox;
mod past;
mod pieces;
pub mod port;
mod refusals;
pub mod room;
mod schedule;
mod sealed;
pub mod settings;
mod speaker;
mod vigil;

pub use fault::Fault;
pub use hub::Hub;
