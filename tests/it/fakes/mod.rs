//! Stand-ins for what the program talks to: the network on one side of an adapter, the service on the other.

pub(crate) mod desk;
pub(crate) mod discord;
pub(crate) mod irc;
pub(crate) mod texts;
