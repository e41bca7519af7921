//! The IRC adapter against a server that the test plays, in memory and on paused time.
//!
//! What real servers do is tried in [`irc_real`](super::irc_real). Here are the things that no real server can be asked
//! to do at the right moment, and those that are about seconds.

mod brief;
mod club;
mod connection;
mod delivery;
mod flood;
mod hostile;
mod lag;
mod rulebook;
mod speech;
