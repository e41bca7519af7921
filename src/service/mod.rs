//! The service holds the rooms, takes lines in and sends announcements out.
//!
//! ```text
//! hear ── commands             a line, its meaning, and what every room can do
//! hearing, deed                what these hand each other: a line and its answer, a deed's origin and its outcome
//! hub ─── room ── journal      all rooms, the way of a deed through one of them, and how one is read
//! letters ── outbox            announcements, addressed, and on their way
//! referring                    what documents tell their readers to do, as commands
//! delivering, inbox_shown, recent_notes
//!                              what the hub holds for outbox, inbox and incidents
//! clock_jump, claimed_elsewhere
//!                              what it holds for clock_watch and works
//! charge                       what this process does for all on the database: what falls due, each network
//! bot_names                    what the bot is called, which nobody else is
//! could                        who could do a command at all, asked before a long text is typed
//! inbox                        what could not be delivered to a person, until they read it
//! sealed                       who may read what is sealed, and what was typed
//! incidents                    what happens to adapters, told to moderators
//! arena, works                 long works, on threads of their own; which of them are this process's
//! archive                      rooms as files, and the proof of journals
//! replay                       how a room would be without an entry
//! gallery, glance, beside      what strangers see: documents for pages, what goes on in rooms and about a proposal
//! marks, search, course         the marked places of rules, what holds some words, and how a figure moved
//! clock_watch                  whether the clock stands right
//! ```
//!
//! No game and no network is known here.

pub mod archive;
mod arena;
mod beside;
mod bot_names;
mod charge;
mod claimed_elsewhere;
mod clock_jump;
mod clock_watch;
mod commands;
mod complete;
mod could;
mod course;
mod deciding;
pub mod deed;
mod delivering;
mod desk;
mod fault;
pub mod fetch;
mod figures;
mod gallery;
mod glance;
mod hear;
mod hearing;
pub mod hub;
mod inbox;
mod inbox_shown;
mod incidents;
mod index;
mod journal;
mod latest;
mod letters;
mod living;
mod markdown;
mod marks;
mod outbox;
mod past_states;
mod recent_notes;
mod referring;
mod reminders;
mod replay;
pub mod room;
mod schedule;
mod sealed;
mod search;
pub mod settings;
mod speaker;
mod standing;
mod text_pieces;
mod trials;
mod works;

pub use fault::Fault;
pub use hub::Hub;
