//! IRC: several networks at once, on the `irc` crate's transport, codec and message types.
//!
//! The crate is sound as a codec and weak as a connection manager, so connections, pacing, identity and delivery are
//! kept here. What goes out passes [`gate`], what comes in passes [`sieve`]; a person is their services account and
//! never their nick ([`identity`]). This module tree knows the door to the service and documents. It knows no game.

#![expect(dead_code, reason = "the session that uses all of it follows")]

pub mod config;
pub mod dial;
mod gate;
mod identity;
mod limiter;
mod lines;
mod names;
mod pages;
mod render;
mod sieve;
mod wire;

pub use config::IrcNetwork;
