//! Which servers the bot is in, which channels they have, and which commands are registered there.
//!
//! Commands are registered per server, for the games that are played in it, and again when a room opens or closes. A
//! registration that fails is tried again until it is taken: without it the bot would be online and answer nothing.
//! What the commands are is absent: [`super::register`] says it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use serenity::all::{GuildId, LightMethod};
use serenity::http::Route;
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{
    SERVICE,
    register::{self, Scope},
    rest::Failure,
    shared::Shared,
};
use catalogue::Catalogue;
use port::Incident;
use port::{ForumAddress, Hosted};

/// Most channels and threads of one server that are kept: Discord allows 500 channels, and 1000 active threads.
const KEPT_MAX_CHANNELS: usize = 2000;

/// Longest pause between two tries to register.
const REGISTER_WAIT_MAX: Duration = Duration::from_secs(600);

/// After so many failures in a row moderators are told.
const TOLD_AFTER_TRIES: u32 = 3;

/// The servers that the bot is in, with their channels.
#[derive(Default)]
pub(super) struct Guilds {
    held: Mutex<BTreeMap<u64, BTreeSet<u64>>>,
    /// The channels that take posts only, as far as they have refused a message.
    posts: Mutex<BTreeSet<u64>>,
    /// Rings when a server or channel comes or goes.
    pub(super) changed: Notify,
    /// The servers that went since the registrar looked: what was registered there is gone.
    left: Mutex<BTreeSet<u64>>,
}

impl Guilds {
    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, BTreeSet<u64>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bot is in a server with these channels.
    pub(super) fn here(&self, guild: u64, channels: impl IntoIterator<Item = u64>) {
        self.held().insert(guild, channels.into_iter().take(KEPT_MAX_CHANNELS).collect());
        self.changed.notify_one();
    }

    /// The bot was removed from a server.
    pub(super) fn left(&self, guild: u64) {
        self.held().remove(&guild);
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

    /// For each server the games that are played there.
    fn games(&self, hosted: &[Hosted]) -> BTreeMap<u64, BTreeSet<String>> {
        let held = self.held();
        let of = |channels: &BTreeSet<u64>| {
            let here = |hosted: &&Hosted| hosted.channel.parse().is_ok_and(|channel| channels.contains(&channel));
            hosted.iter().filter(here).map(|hosted| hosted.game.clone()).collect()
        };
        held.iter().map(|(guild, channels)| (*guild, of(channels))).collect()
    }
}

/// A channel, as the service knows it.
pub(super) fn forum(channel: u64) -> ForumAddress {
    ForumAddress { service: SERVICE.to_owned(), channel: channel.to_string() }
}

/// A registration: of one server, or of conversations with the bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Private,
    Guild(u64),
}

/// How a registration is going.
#[derive(Default)]
struct Registration {
    /// What is registered now, as far as is known.
    taken: Option<Value>,
    /// How often in a row it failed, and when it is tried again.
    failed: u32,
    again: Option<Instant>,
}

/// Registers commands wherever they are not what they should be, for ever.
pub(super) async fn keep_registered(shared: &Shared) {
    let mut hosted = shared.desk.hosted(SERVICE);
    let mut known: BTreeMap<Target, Registration> = BTreeMap::new();
    loop {
        let games = shared.guilds.games(&hosted.borrow_and_update());
        for guild in std::mem::take(&mut *shared.guilds.left.lock().unwrap_or_else(PoisonError::into_inner)) {
            known.remove(&Target::Guild(guild));
        }
        let now = Instant::now();
        for (target, body) in wanted(shared, &games) {
            let state = known.entry(target).or_default();
            if state.taken.as_ref() == Some(&body) || state.again.is_some_and(|again| again > now) {
                continue;
            }
            match put(shared, target, &body).await {
                Ok(()) => {
                    tracing::info!(?target, commands = body.as_array().map_or(0, Vec::len), "commands registered");
                    *state = Registration { taken: Some(body), ..Registration::default() };
                }
                Err(failure) => {
                    state.failed += 1;
                    let wait = (shared.settings.retry_first * (1 << state.failed.min(16))).min(REGISTER_WAIT_MAX);
                    state.again = Some(Instant::now() + wait);
                    tracing::warn!(?target, %failure, wait_seconds = wait.as_secs(), "commands were not registered");
                    if state.failed == TOLD_AFTER_TRIES {
                        let why = format!("the commands of {target:?} cannot be registered: {failure}");
                        shared.desk.incident(Incident::ServiceTroubled { service: SERVICE.to_owned(), why }).await;
                    }
                }
            }
        }
        let next =
            known.values().filter(|state| state.taken.is_none() || state.failed > 0).filter_map(|s| s.again).min();
        let pause = async {
            match next {
                Some(next) => sleep_until(next).await,
                None => std::future::pending().await,
            }
        };
        let rooms = async {
            if hosted.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = rooms => {}
            () = shared.guilds.changed.notified() => {}
            () = pause => {}
        }
    }
}

/// What should be registered where.
fn wanted(shared: &Shared, games: &BTreeMap<u64, BTreeSet<String>>) -> Vec<(Target, Value)> {
    let only = &shared.settings.guilds;
    // Who moderates by a role need not manage the server, and would not see what is kept for those who do.
    let scope = if shared.settings.moderator_roles.is_empty() { Scope::Managed } else { Scope::Guild };
    let mut wanted = Vec::new();
    if only.is_empty() {
        wanted.push((Target::Private, register::body(Catalogue::all(), Scope::Private)));
    }
    for (guild, games) in games {
        if only.is_empty() || only.contains(guild) {
            let names: Vec<&str> = games.iter().map(String::as_str).collect();
            let catalogue = Catalogue::all().for_games(&names);
            wanted.push((Target::Guild(*guild), register::body(&catalogue, scope)));
        }
    }
    wanted
}

async fn put(shared: &Shared, target: Target, body: &Value) -> Result<(), Failure> {
    let application_id = shared.rest.application()?;
    let route = match target {
        Target::Private => Route::Commands { application_id },
        Target::Guild(guild) => Route::GuildCommands { application_id, guild_id: GuildId::new(guild) },
    };
    shared.rest.send((LightMethod::Put, route), Some(body), None, 1).await.map(|_| ())
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
        let hosted = |channel: &str, game: &str| Hosted { channel: channel.to_owned(), game: game.to_owned() };
        let all = [hosted("10", "joust"), hosted("11", "bnomic"), hosted("21", "joust"), hosted("99", "x")];
        let games = guilds.games(&all);
        assert_eq!(games[&1], BTreeSet::from(["joust".to_owned()]));
        assert_eq!(games[&2], BTreeSet::from(["joust".to_owned()]));
        guilds.left(2);
        assert!(!guilds.games(&all).contains_key(&2));
        assert_eq!(guilds.forums(1), [forum(10)]);
    }
}
