//! The whole contest as its players live it, on real IRC servers: the service on a database of its own, the IRC adapter,
//! and people at raw connections who type and read.
//!
//! What a rule means is rehearsed, and what a fake network can show is tested there. Here is what only the whole can
//! show: that a story of weeks holds together from socket to journal and back. The clock is moved by hand, and nothing
//! waits but for lines of a server.

mod factory;
mod hush;
mod nweek;
mod outage;
mod plain;
mod services;
mod space;
mod stage;
