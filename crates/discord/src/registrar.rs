//! Which commands are registered in which server.
//!
//! Commands are registered per server, for the games that are played in it and the rules of its rooms. They are again
//! when a room opens or closes, and when a rule adds a command or takes it back. A
//! registration that fails is tried again until it is taken: without it the bot would be online and answer nothing.
//! What the commands are, [`super::register`] says.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

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

/// Most commands of rules that are registered anew in a server within a day. Discord takes 200 new ones, and those of
/// the games need room as well. What has to wait is said by the command for lines.
const OWN_NEW_MAX_COUNT: usize = 50;

/// How long a new command counts.
const NEW_FOR: Duration = Duration::from_secs(24 * 60 * 60);

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
    /// When commands of rules were registered anew.
    made: VecDeque<Instant>,
}

impl Registration {
    /// A body without those new commands of rules that are too many for a day, and how many of them it has.
    fn within_a_day(&mut self, body: Value, now: Instant) -> (Value, usize) {
        while self.made.front().is_some_and(|at| now.duration_since(*at) >= NEW_FOR) {
            self.made.pop_front();
        }
        // After a start nobody knows what is new: the same commands as before are none.
        let Some(taken) = &self.taken else { return (body, 0) };
        let name = |top: &Value| top["name"].as_str().unwrap_or_default().to_owned();
        let known: BTreeSet<String> = taken.as_array().into_iter().flatten().map(name).collect();
        let mut new = 0;
        let mut fits = |top: &Value| {
            let name = name(top);
            if known.contains(&name) || register::is_of_program(&name) {
                return true;
            }
            let fits = self.made.len() + new < OWN_NEW_MAX_COUNT;
            new += usize::from(fits);
            fits
        };
        let body = Value::Array(body.as_array().into_iter().flatten().filter(|top| fits(top)).cloned().collect());
        (body, new)
    }
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
            let (body, new) = state.within_a_day(body, now);
            if state.taken.as_ref() == Some(&body) || state.again.is_some_and(|again| again > now) {
                continue;
            }
            match put(shared, target, &body).await {
                Ok(()) => {
                    tracing::info!(?target, commands = body.as_array().map_or(0, Vec::len), "commands registered");
                    state.made.extend(std::iter::repeat_n(now, new));
                    *state =
                        Registration { taken: Some(body), made: std::mem::take(&mut state.made), ..Default::default() };
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_server_gets_few_new_commands_a_day() {
        let named = |names: &[String]| Value::Array(names.iter().map(|name| json!({ "name": name })).collect());
        let count = |body: &Value| body.as_array().map_or(0, Vec::len);
        let many: Vec<String> = (0..OWN_NEW_MAX_COUNT + 9).map(|number| format!("act{number}")).collect();
        let begun = Instant::now();

        // What is registered at a start may be there already.
        let mut state = Registration::default();
        assert_eq!(state.within_a_day(named(&many), begun), (named(&many), 0));

        // Later only so many are new, and those of the program are not counted.
        state.taken = Some(named(&[]));
        let (body, new) = state.within_a_day(named(&[&many[..], &["vote".to_owned()]].concat()), begun);
        assert_eq!((count(&body), new), (OWN_NEW_MAX_COUNT + 1, OWN_NEW_MAX_COUNT));
        state.made.extend(std::iter::repeat_n(begun, new));
        state.taken = Some(body);
        let others = ["vote".to_owned(), "other".to_owned()];
        assert_eq!(state.within_a_day(named(&others), begun), (named(&others[..1]), 0));
        assert_eq!(state.within_a_day(named(&others), begun + NEW_FOR), (named(&others), 1));
    }
}
