//! The Discord adapter, the real service behind it and a stateful Discord before it.
//!
//! What a person does and sees is what is tested: nobody in here looks into the bot.

mod acts;
mod answers;
mod blognomic;
mod bnomic;
mod club;
mod connection;
mod delivery;
mod forms;
mod identity;
mod joust;
mod laws;
mod living;
mod nomic;
mod picture;
mod private;
mod progress;
mod proxy;
mod roles;
mod spacenomic;
mod start;
mod threads;
mod two_networks;
mod windows;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use adapter_discord::{Discord, DiscordSettings};
use kernel::Instant;
use port::clock::Clock;
use port::entropy::Entropy;
use rulekeeper::service::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;
use tokio::task::JoinHandle;

use crate::fakes::discord::{Arg, Fake, Person, TOKEN};

/// The server, and its channel for the game.
const GUILD: u64 = 7;
const CHANNEL: u64 = 70;
const OTHER_CHANNEL: u64 = 71;

/// A program of ten decoys that nobody else may read.
const SECRET: &str = "(>)*9([-[++[(-)*9[+]]]>])*21";

/// The service, the adapter and Discord.
struct World {
    fake: Fake,
    store: Store,
    clock: Clock,
    hub: Hub,
    bot: Option<Discord>,
    scheduler: JoinHandle<()>,
    settings: DiscordSettings,
    service: Settings,
}

impl World {
    /// A server with two channels, and the bot in it.
    async fn new() -> Self {
        let fake = Fake::start().await;
        fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
        let mut world = Self::on(fake, |_| {}).await;
        world.connect().await;
        world
    }

    /// The service on a fake, the bot not yet connected.
    async fn on(fake: Fake, change: impl FnOnce(&mut DiscordSettings)) -> Self {
        Self::with(fake, Settings::default(), change).await
    }

    /// The same with settings of the service.
    async fn with(fake: Fake, service: Settings, change: impl FnOnce(&mut DiscordSettings)) -> Self {
        let store = Store::in_memory().await.expect("a store");
        Self::of(fake, store, service, change).await
    }

    /// The same on a store that is there.
    async fn of(fake: Fake, store: Store, service: Settings, change: impl FnOnce(&mut DiscordSettings)) -> Self {
        // Every test may be the first to open a connection.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let at: Instant = "2026-11-02T12:00:00Z".parse().expect("an instant");
        store.identify(next_identity()).await.expect("the store takes it");
        let clock = Clock::manual(at);
        let hub = open(&store, &clock, &service).await;
        let scheduler = schedule(&hub);
        let mut settings = DiscordSettings::new(TOKEN);
        settings.api_base = Some(fake.base());
        settings.retry_first = Duration::from_millis(20);
        change(&mut settings);
        Self { fake, store, clock, hub, bot: None, scheduler, settings, service }
    }

    /// Starts the bot and waits until the server has its commands.
    async fn connect(&mut self) {
        self.start();
        self.fake.registered(GUILD, "help").await;
    }

    fn start(&mut self) {
        let bot = Discord::start(self.settings.clone(), Arc::new(self.hub.clone()));
        self.bot = Some(bot.expect("the settings work"));
    }

    async fn stop(&mut self) {
        if let Some(bot) = self.bot.take() {
            bot.stop().await;
        }
    }

    /// Ends the process and starts another on the same store.
    async fn restart(&mut self) {
        let begun = self.fake.state().gateway.begun();
        self.stop().await;
        self.scheduler.abort();
        self.hub.drain().await;
        self.hub = open(&self.store, &self.clock, &self.service).await;
        self.scheduler = schedule(&self.hub);
        self.start();
        self.fake.until("a new session", |state| (state.gateway.begun() > begun).then_some(())).await;
        self.fake.registered(GUILD, "help").await;
    }

    /// Opens a room for a joust in the channel, with its house programs on the Hill.
    async fn open_room(&self, moderator: &Person) {
        self.fake.slash(moderator, CHANNEL, "room open", &args(&[("game", "joust"), ("name", "main")]));
        self.fake.sees(moderator, CHANNEL, "is its public forum").await;
        self.fake.registered(GUILD, "joust").await;
    }

    async fn started(&self, moderator: &Person) {
        self.open_room(moderator).await;
        self.fake.slash(moderator, CHANNEL, "joust start", &[]);
        self.fake.sees(moderator, CHANNEL, "The contest has begun.").await;
        self.quiet().await;
    }

    /// Lets time pass.
    fn pass(&self, time: jiff::SignedDuration) {
        self.clock.advance_to(self.clock.now().checked_add(time).expect("not the end of time"));
    }

    /// Waits until no joust is played any more.
    async fn quiet(&self) {
        for room in self.hub.rooms() {
            self.hub.finish_work(&room).await;
        }
    }

    /// Stops everything and holds what the bot sent to Discord's limits.
    async fn end(mut self) {
        self.stop().await;
        self.scheduler.abort();
        self.hub.stop();
        self.fake.check();
        assert!(self.fake.heard("/api/v10/gateway"), "the search works");
        assert!(!self.fake.heard(TOKEN), "the bot's token went out where it does not belong");
    }
}

/// An identity that no other database of the tests has.
fn next_identity() -> [u8; 16] {
    static IDENTITIES: AtomicU64 = AtomicU64::new(1);
    let mut identity = [0; 16];
    identity[..8].copy_from_slice(&IDENTITIES.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    identity
}

async fn open(store: &Store, clock: &Clock, settings: &Settings) -> Hub {
    Hub::open(store.clone(), clock.clone(), Entropy::fixed(), settings.clone()).await.expect("the service opens")
}

fn schedule(hub: &Hub) -> JoinHandle<()> {
    let hub = hub.clone();
    tokio::spawn(async move { hub.schedule().await })
}

fn args<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, Arg<'a>)> {
    pairs.iter().map(|(key, value)| (*key, Arg::Text(value))).collect()
}

fn moderator() -> Person {
    Person::new(501, "Mod").managing()
}

fn ann() -> Person {
    Person::new(502, "Ann")
}

fn bob() -> Person {
    Person::new(503, "Bob")
}
