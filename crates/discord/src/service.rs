//! What the service calls Discord and its places.
//!
//! A channel and a thread are forums alike, each by its own id.

use port::ForumAddress;

/// What the service is called.
pub const SERVICE: &str = "discord";

/// A channel, as the service knows it.
pub(super) fn forum(channel: u64) -> ForumAddress {
    ForumAddress { service: SERVICE.to_owned(), channel: channel.to_string() }
}
