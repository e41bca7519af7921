//! IRC: several networks at once, on the codec and message types of `irc-proto`.
//!
//! The crate is sound as a codec and weak as a connection manager, so connections, pacing, identity and delivery are
//! kept here. What goes out passes [`gate`], what comes in passes [`byte_filter`]; a person is their services account and
//! never their nick ([`identity`]). This module tree knows the door to the service and documents. It knows no game.

mod byte_filter;
mod channels;
pub mod config;
mod ctcp;
mod deliver;
pub mod dial;
mod gate;
mod identity;
mod inbound;
mod limiter;
mod lines;
mod liveness;
mod message;
mod names;
mod nick;
mod outbound;
mod pages;
mod person_limit;
pub mod probe;
mod prompt;
mod queue;
mod register;
mod render;
mod server;
mod session;
mod supervisor;
mod topic;
mod wire;

pub use config::IrcNetwork;
pub use supervisor::{CONNECT_TIMEOUT, Irc, Link, RECONNECT_MAX, RECONNECT_MIN, STABLE_AFTER, STOP_MAX};
