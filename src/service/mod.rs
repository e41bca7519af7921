//! The service holds the rooms, takes lines in and sends announcements out.
//!
//! ```text
//! hear ── commands             a line, its meaning, and what every room can do
//! hearing, deed                what these hand each other: a line and its answer, a deed's origin and its outcome
//! hub ─── room ── journal      all rooms, the way of a deed through one of them, and how one is read
//! letters ── outbox            announcements, addressed, and on their way
//! delivering, shown, noted     what the hub holds for outbox, inbox and incidents
//! jump, elsewhere              what it holds for vigil and works
//! called                       what the bot is called, which nobody else is
//! could                        who could do a command at all, asked before a long text is typed
//! inbox                        what could not be delivered to a person, until they read it
//! sealed                       who may read what is sealed, and what was typed
//! incidents                    what happens to adapters, told to moderators
//! arena, works                 long works, on threads of their own; which of them are this process's
//! archive                      rooms as files, and the proof of journals
//! replay                       how a room would be without an entry
//! vigil                        whether the clock stands right
//! ```
//!
//! No game and no network is known here.

pub mod archive;
mod arena;
mod called;
mod commands;
mod complete;
mod could;
pub mod deed;
mod delivering;
mod desk;
mod elsewhere;
mod fault;
pub mod fetch;
mod figures;
mod gallery;
mod hear;
mod hearing;
pub mod hub;
mod inbox;
mod incidents;
mod index;
mod journal;
mod jump;
mod letters;
mod noted;
mod outbox;
mod past;
mod pieces;
mod refusals;
mod replay;
pub mod room;
mod schedule;
mod sealed;
pub mod settings;
mod shown;
mod speaker;
mod vigil;
mod works;

pub use fault::Fault;
pub use hub::Hub;
