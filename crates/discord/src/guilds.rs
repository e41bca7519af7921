//! Which servers the bot is in, and which channels they have.
//!
//! All of it is what the gateway has told since the start, and which channels have refused a message since.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::service::forum;
use port::{ForumAddress, Hosted};

/// Most channels and threads of one server that are kept: Discord allows 500 channels, and 1000 active threads.
const KEPT_MAX_CHANNELS: usize = 2000;

/// Where somebody acts or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    /// The server; none in a conversation with the bot.
    pub(super) guild: Option<u64>,
    /// The channel that counts as the place.
    pub(super) forum: u64,
}

/// The servers that the bot is in, with their channels.
#[derive(Default)]
pub(super) struct Guilds {
    held: Mutex<BTreeMap<u64, BTreeSet<u64>>>,
    /// The channels that take posts only, as far as they have refused a message.
    posts: Mutex<BTreeSet<u64>>,
    /// Rings when a server or channel comes or goes.
    pub(super) changed: Notify,
    /// The roles of servers.
    roles: Mutex<BTreeMap<u64, BTreeSet<u64>>>,
    /// Rings when roles of a server, or what the bot may do there, are others.
    pub(super) roles_changed: Notify,
    /// The servers that the bot was in when it last connected.
    known: Mutex<BTreeSet<u64>>,
    /// The servers that went since the registrar looked: what was registered there is gone.
    left: Mutex<BTreeSet<u64>>,
}

impl Guilds {
    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, BTreeSet<u64>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bot connects, and is in these servers.
    pub(super) fn connected(&self, guilds: impl IntoIterator<Item = u64>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = guilds.into_iter().collect();
    }

    /// Whether a server is none that the bot was in when it connected: somebody has just brought it there. That is said
    /// once.
    pub(super) fn is_new(&self, guild: u64) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(guild)
    }

    fn roles(&self) -> MutexGuard<'_, BTreeMap<u64, BTreeSet<u64>>> {
        self.roles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a server has a role.
    pub(super) fn has_role(&self, guild: u64, role: u64) -> bool {
        self.roles().get(&guild).is_some_and(|roles| roles.contains(&role))
    }

    /// A server has a role.
    pub(super) fn role_here(&self, guild: u64, role: u64) {
        self.roles().entry(guild).or_default().insert(role);
    }

    /// A server lost a role.
    pub(super) fn role_lost(&self, guild: u64, role: u64) {
        if self.roles().get_mut(&guild).is_some_and(|roles| roles.remove(&role)) {
            self.roles_changed.notify_one();
        }
    }

    /// A server has these roles.
    pub(super) fn roles_here(&self, guild: u64, roles: impl IntoIterator<Item = u64>) {
        self.roles().insert(guild, roles.into_iter().collect());
        self.roles_changed.notify_one();
    }

    /// The bot is in a server with these channels.
    pub(super) fn here(&self, guild: u64, channels: impl IntoIterator<Item = u64>) {
        self.held().insert(guild, channels.into_iter().take(KEPT_MAX_CHANNELS).collect());
        self.changed.notify_one();
    }

    /// The bot was removed from a server.
    pub(super) fn left(&self, guild: u64) {
        self.held().remove(&guild);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(&guild);
        self.left.lock().unwrap_or_else(PoisonError::into_inner).insert(guild);
        self.changed.notify_one();
    }

    /// A server has a channel or thread.
    pub(super) fn has(&self, guild: u64, channel: u64) {
        let mut held = self.held();
        let Some(channels) = held.get_mut(&guild) else { return };
        if channels.len() < KEPT_MAX_CHANNELS && channels.insert(channel) {
            drop(held);
            self.changed.notify_one();
        }
    }

    /// A server lost a channel or thread.
    pub(super) fn lost(&self, guild: u64, channel: u64) {
        if self.held().get_mut(&guild).is_some_and(|channels| channels.remove(&channel)) {
            self.changed.notify_one();
        }
    }

    /// The server that a channel belongs to, once the gateway has told.
    pub(super) fn of(&self, channel: u64) -> Option<u64> {
        self.held().iter().find(|(_, channels)| channels.contains(&channel)).map(|(guild, _)| *guild)
    }

    /// Whether a channel is known to take posts only.
    pub(super) fn takes_posts(&self, channel: u64) -> bool {
        self.posts.lock().unwrap_or_else(PoisonError::into_inner).contains(&channel)
    }

    /// A channel takes posts only.
    pub(super) fn mark_posts(&self, channel: u64) {
        let mut posts = self.posts.lock().unwrap_or_else(PoisonError::into_inner);
        if posts.len() >= KEPT_MAX_CHANNELS {
            posts.clear();
        }
        posts.insert(channel);
    }

    /// The channels of a server, as forums.
    pub(super) fn forums(&self, guild: u64) -> Vec<ForumAddress> {
        self.held().get(&guild).into_iter().flatten().map(|channel| forum(*channel)).collect()
    }

    /// The servers that went since this was asked before.
    pub(super) fn take_left(&self) -> BTreeSet<u64> {
        std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// For each server what is played there.
    pub(super) fn hosted<'h>(&self, hosted: &'h [Hosted]) -> BTreeMap<u64, Vec<&'h Hosted>> {
        let held = self.held();
        let of = |channels: &BTreeSet<u64>| {
            let here = |hosted: &&Hosted| hosted.channel.parse().is_ok_and(|channel| channels.contains(&channel));
            hosted.iter().filter(here).collect()
        };
        held.iter().map(|(guild, channels)| (*guild, of(channels))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_plays_what_is_hosted_in_its_channels() {
        let guilds = Guilds::default();
        guilds.here(1, [10, 11]);
        guilds.here(2, [20]);
        guilds.has(2, 21);
        guilds.lost(1, 11);
        let hosted =
            |channel: &str, game: &str| Hosted { channel: channel.to_owned(), game: game.to_owned(), own: Vec::new() };
        let all = [hosted("10", "joust"), hosted("11", "bnomic"), hosted("21", "joust"), hosted("99", "x")];
        let games = |guild: u64| -> Vec<&str> {
            guilds.hosted(&all).get(&guild).into_iter().flatten().map(|hosted| &*hosted.game).collect()
        };
        assert_eq!(games(1), ["joust"]);
        assert_eq!(games(2), ["joust"]);
        guilds.left(2);
        assert!(!guilds.hosted(&all).contains_key(&2));
        assert_eq!(guilds.forums(1), [forum(10)]);
    }
}
