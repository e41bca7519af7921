//! Which commands are registered in which server.
//!
//! Commands are registered per server, for the games that are played in it and the rules of its rooms. They are again
//! when a room opens or closes, and when a rule adds a command or takes it back. A
//! registration that fails is tried again until it is taken: without it the bot would be online and answer nothing.
//! What the commands are, [`super::register`] says.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;
use serenity::all::{GuildId, LightMethod};
use serenity::http::Route;
use tokio::time::{Instant, sleep_until};

use super::{
    register::{self, Scope},
    rest::Failure,
    service::SERVICE,
    shared::Shared,
};
use catalogue::Catalogue;
use port::{Hosted, Incident};

/// Longest pause between two tries to register.
const REGISTER_WAIT_MAX: Duration = Duration::from_secs(600);

/// After so many failures in a row moderators are told.
const TOLD_AFTER_TRIES: u32 = 3;

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
        let played = hosted.borrow_and_update().clone();
        for guild in shared.guilds.take_left() {
            known.remove(&Target::Guild(guild));
        }
        let now = Instant::now();
        for (target, body) in wanted(shared, &played) {
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
fn wanted(shared: &Shared, hosted: &[Hosted]) -> Vec<(Target, Value)> {
    let only = &shared.settings.guilds;
    // Who moderates by a role need not manage the server, and would not see what is kept for those who do.
    let scope = if shared.settings.moderator_roles.is_empty() { Scope::Managed } else { Scope::Guild };
    let mut wanted = Vec::new();
    if only.is_empty() {
        wanted.push((Target::Private, register::body(Catalogue::all(), Scope::Private)));
    }
    for (guild, hosted) in shared.guilds.hosted(hosted) {
        if only.is_empty() || only.contains(&guild) {
            wanted.push((Target::Guild(guild), register::body(&register::offered(&hosted), scope)));
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
