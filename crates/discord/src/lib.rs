//! Discord: slash commands, windows, buttons and announcements, through poise and serenity.
//!
//! ```text
//! gateway (serenity) ── dispatch (poise) ── interact ── Line ──> Desk ──> Reply ── call ── rest ──> Discord
//! registrar ── register                                          Desk ──> Delivery ── deliver ── rest ──> Discord
//! ```
//!
//! A person is their user id. Only the intent for servers is asked for: messages are never read. This module tree knows
//! the catalogue, documents and forums; it knows no game.

mod answerable;
mod attached;
mod call;
pub mod config;
mod deliver;
mod dispatch;
mod escape;
mod forms;
mod guilds;
mod interact;
mod living;
mod measure;
mod menu_names;
mod menus;
mod message;
mod pages;
mod press;
pub mod probe;
pub mod register;
mod registrar;
mod render;
mod rest;
mod roles;
mod service;
mod shared;
mod stop;
mod threads;
mod waits;
mod windows;

use std::{sync::Arc, time::Duration};

use serenity::{
    Client,
    all::{ClientBuilder, GatewayIntents, LightMethod},
    gateway::GatewayError,
    http::Route,
};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep},
};

use self::{
    config::Settings,
    rest::{Failure, Rest},
    shared::Shared,
    stop::told,
};
use port::{Desk, Incident};

pub use config::Settings as DiscordSettings;
pub use service::SERVICE;

/// Longest pause before connecting again.
const RECONNECT_WAIT_MAX: Duration = Duration::from_secs(60);

/// A connection that lasted this long was a good one: the next pause is the shortest again.
const STABLE_AFTER: Duration = Duration::from_secs(120);

/// How long stopping waits for interactions that are being answered.
const DRAIN_MAX: Duration = Duration::from_secs(2);

/// Discord, while it runs.
pub struct Discord {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Discord {
    /// Connects; returns at once.
    ///
    /// # Errors
    ///
    /// A sentence for the operator, when the settings cannot work.
    pub fn start(settings: Settings, desk: Arc<dyn Desk>) -> Result<Self, String> {
        let client = rest::client()?;
        let rest = Rest::new(&settings)?;
        let shared = Arc::new(Shared::new(settings, desk, rest));
        let stop = watch::Sender::new(false);
        let stopped = stop.subscribe();
        let task = tokio::spawn(async move {
            let registrar = registrar::keep_registered(&shared);
            let roles = roles::keep(&shared);
            let deliveries = deliver::pump(&shared, stopped.clone());
            let revisions = living::pump(&shared, stopped.clone());
            tokio::select! {
                () = registrar => {}
                () = roles => {}
                ((), (), ()) = futures::future::join3(connected(&shared, &client, stopped.clone()), deliveries, revisions) => {}
            }
        });
        Ok(Self { stop, task })
    }

    /// Stops: what is being answered or delivered is finished, then the connection ends.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "Discord did not stop in order");
        }
    }
}

/// Keeps a connection to the gateway until it is to stop, or the token is not taken.
async fn connected(shared: &Arc<Shared>, client: &reqwest::Client, mut stop: watch::Receiver<bool>) {
    let mut wait = shared.settings.retry_first;
    loop {
        let since = Instant::now();
        let why = match connection(shared, client, stop.clone()).await {
            Ok(()) => return,
            Err(End::Lost(why)) => why,
            Err(End::Refused(why)) => {
                tracing::error!(why, "Discord is given up");
                shared.desk.incident(Incident::ServiceLost { service: SERVICE.to_owned(), why }).await;
                // Announcements wait in the outbox, and another process may have a better token.
                told(&mut stop).await;
                return;
            }
        };
        if since.elapsed() >= STABLE_AFTER {
            wait = shared.settings.retry_first;
        }
        tracing::warn!(why, wait_seconds = wait.as_secs(), "Discord is away; the bot connects again");
        tokio::select! {
            () = sleep(wait) => {}
            () = told(&mut stop) => return,
        }
        wait = (wait * 2).min(RECONNECT_WAIT_MAX);
    }
}

/// Why a connection ended.
enum End {
    /// Something broke: connect again.
    Lost(String),
    /// It would be refused again.
    Refused(String),
}

/// One life of the gateway's client, which reconnects and resumes by itself.
async fn connection(
    shared: &Arc<Shared>,
    client: &reqwest::Client,
    mut stop: watch::Receiver<bool>,
) -> Result<(), End> {
    // The library asks for the gateway once, and falls back to the public one for good where it gets no answer.
    let asked = tokio::select! {
        asked = shared.rest.send((LightMethod::Get, Route::Gateway), None, None, 1) => asked,
        () = told(&mut stop) => return Ok(()),
    };
    let gateway = asked.map_err(|why| match why {
        Failure::Unauthorised => End::Refused("the token is not taken".to_owned()),
        why => End::Lost(why.to_string()),
    })?;
    let Some(url) = gateway["url"].as_str().map(str::to_owned) else {
        return Err(End::Lost("Discord names no gateway".to_owned()));
    };
    let http = rest::http(&shared.settings, client.clone());
    let framework = dispatch::framework(shared);
    let built = ClientBuilder::new_with_http(http, GatewayIntents::GUILDS).framework(framework).await;
    let mut client: Client = built.map_err(|why| End::Lost(why.to_string()))?;
    *client.ws_url.lock().await = url;
    let shards = client.shard_manager.clone();
    let ended = tokio::select! {
        biased;
        () = told(&mut stop) => None,
        ended = client.start() => Some(ended),
    };
    match ended {
        None => {
            shared.drain(DRAIN_MAX).await;
            shards.shutdown_all().await;
            Ok(())
        }
        Some(Err(serenity::Error::Gateway(GatewayError::InvalidAuthentication))) => {
            Err(End::Refused("the token is not taken".to_owned()))
        }
        Some(Err(serenity::Error::Gateway(
            GatewayError::DisallowedGatewayIntents | GatewayError::InvalidGatewayIntents,
        ))) => Err(End::Refused("the bot is not allowed its intents".to_owned())),
        Some(Err(why)) => Err(End::Lost(why.to_string())),
        Some(Ok(())) => Err(End::Lost("the connection ended".to_owned())),
    }
}
