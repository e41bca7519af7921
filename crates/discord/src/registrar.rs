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
use tokio::time::Instant;

use super::{
    register::{self, Listed, Scope},
    rest::Failure,
    service::SERVICE,
    shared::Shared,
    waits,
};
use catalogue::{Catalogue, hint::ACT};
use port::{ForumAddress, Hosted, Incident};

/// Longest pause between two tries to register.
const REGISTER_WAIT_MAX: Duration = Duration::from_secs(600);

/// After so many failures in a row moderators are told.
const TOLD_AFTER_TRIES: u32 = 3;

/// Most commands without a place that moderators are told by name.
const TOLD_MAX_COMMANDS: usize = 20;

/// Most commands of rules that are registered anew in a server within a day. Discord takes 200 new ones, and those of
/// the games need room as well. What has to wait is said by the command for lines.
const OWN_NEW_MAX_COUNT: usize = 50;

/// How long a new command counts.
const NEW_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// A registration: of one server, or of all and of conversations with the bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Everywhere,
    Guild(u64),
}

impl Target {
    fn guild(self) -> Option<u64> {
        match self {
            Self::Everywhere => None,
            Self::Guild(guild) => Some(guild),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Everywhere => write!(f, "conversations"),
            Self::Guild(guild) => write!(f, "the server {guild}"),
        }
    }
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
    /// The rooms that were seen, by their channels and games, and the first words of the commands that they came with.
    rooms: BTreeSet<(String, String)>,
    brought: BTreeSet<String>,
    /// The commands of which moderators were told that they have no place.
    told: Vec<String>,
}

impl Registration {
    /// Takes note of rooms: what a room comes with is none of the commands that its players add.
    fn sees(&mut self, hosted: &[&Hosted]) {
        for room in hosted {
            if self.rooms.insert((room.channel.clone(), room.game.clone())) {
                let heads = room.own.iter().filter_map(|own| own.name.split(' ').next());
                self.brought.extend(heads.map(str::to_owned));
            }
        }
    }

    /// A registration without those new commands of rules that are too many for a day, and how many of them it has.
    fn within_a_day(&mut self, listed: Listed, now: Instant) -> (Listed, usize) {
        let Listed { body, mut left_out } = listed;
        while self.made.front().is_some_and(|at| now.duration_since(*at) >= NEW_FOR) {
            self.made.pop_front();
        }
        // After a start nobody knows what is new: the same commands as before are none.
        let Some(taken) = &self.taken else { return (Listed { body, left_out }, 0) };
        let name = |top: &Value| top["name"].as_str().unwrap_or_default().to_owned();
        let known: BTreeSet<String> = taken.as_array().into_iter().flatten().map(name).collect();
        let mut new = 0;
        let mut fits = |top: &Value| {
            let name = name(top);
            if known.contains(&name) || self.brought.contains(&name) || register::is_of_program(&name) {
                return true;
            }
            let fits = self.made.len() + new < OWN_NEW_MAX_COUNT;
            new += usize::from(fits);
            left_out.extend((!fits).then_some(name));
            fits
        };
        let body = Value::Array(body.as_array().into_iter().flatten().filter(|top| fits(top)).cloned().collect());
        (Listed { body, left_out }, new)
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
        for Wanted { target, listed, hosted } in wanted(shared, &played) {
            let state = known.entry(target).or_default();
            state.sees(&hosted);
            let (Listed { body, left_out }, new) = state.within_a_day(listed, now);
            if state.told != left_out {
                tell(shared, &hosted, &left_out).await;
                state.told.clone_from(&left_out);
            }
            if state.taken.as_ref() == Some(&body) || state.again.is_some_and(|again| again > now) {
                continue;
            }
            match put(shared, target, &body).await {
                Ok(answer) => {
                    shared.registered(target.guild(), ids(&answer));
                    tracing::info!(?target, commands = body.as_array().map_or(0, Vec::len), "commands registered");
                    state.made.extend(std::iter::repeat_n(now, new));
                    *state = Registration { taken: Some(body), failed: 0, again: None, ..std::mem::take(state) };
                }
                Err(failure) => {
                    state.failed += 1;
                    let wait = (shared.settings.retry_first * (1 << state.failed.min(16))).min(REGISTER_WAIT_MAX);
                    state.again = Some(Instant::now() + wait);
                    tracing::warn!(?target, %failure, wait_seconds = wait.as_secs(), "commands were not registered");
                    if state.failed == TOLD_AFTER_TRIES {
                        let why = format!("the commands of {target} cannot be registered: {failure}");
                        shared.desk.incident(Incident::ServiceTroubled { service: SERVICE.to_owned(), why }).await;
                    }
                }
            }
        }
        let next =
            known.values().filter(|state| state.taken.is_none() || state.failed > 0).filter_map(|s| s.again).min();
        tokio::select! {
            () = waits::told_anew(&mut hosted) => {}
            () = shared.guilds.changed.notified() => {}
            () = waits::until(next) => {}
        }
    }
}

/// Tells rooms which commands have no place in the list.
async fn tell(shared: &Shared, hosted: &[&Hosted], left_out: &[String]) {
    if left_out.is_empty() {
        return;
    }
    let more = left_out.len().saturating_sub(TOLD_MAX_COMMANDS);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let names = left_out.iter().take(TOLD_MAX_COMMANDS).cloned().collect::<Vec<_>>().join(", ");
    let told = format!("Discord's list of commands has no place for {names}{more}. Send them with /{ACT}.");
    let forum = |hosted: &&Hosted| ForumAddress { service: SERVICE.to_owned(), channel: hosted.channel.clone() };
    let forums = hosted.iter().map(forum).collect();
    shared.desk.incident(Incident::LeftUndone { forums, told }).await;
}

/// A registration, and the rooms that it is for.
struct Wanted<'h> {
    target: Target,
    listed: Listed,
    hosted: Vec<&'h Hosted>,
}

/// What should be registered where.
fn wanted<'h>(shared: &Shared, hosted: &'h [Hosted]) -> Vec<Wanted<'h>> {
    let only = &shared.settings.guilds;
    // Who moderates by a role need not manage the server, and would not see what is kept for those who do.
    let scope = if shared.settings.moderator_roles.is_empty() { Scope::Managed } else { Scope::Guild };
    let mut wanted = Vec::new();
    if only.is_empty() {
        let scope = Scope::Everywhere { managed: scope == Scope::Managed };
        let listed = register::listed(Catalogue::all(), scope);
        wanted.push(Wanted { target: Target::Everywhere, listed, hosted: Vec::new() });
    }
    for (guild, hosted) in shared.guilds.hosted(hosted) {
        let offered = register::offered(&hosted);
        let offered = match only.is_empty() {
            true => offered.of_games_alone(),
            false if only.contains(&guild) => offered,
            false => continue,
        };
        wanted.push(Wanted { target: Target::Guild(guild), listed: register::listed(&offered, scope), hosted });
    }
    wanted
}

/// The ids of the commands that a registration came to, by their names.
fn ids(answer: &Value) -> BTreeMap<String, u64> {
    // Menus have names of their own.
    let commands = answer.as_array().into_iter().flatten().filter(|one| one["type"] == 1);
    commands.filter_map(|one| Some((one["name"].as_str()?.to_owned(), one["id"].as_str()?.parse().ok()?))).collect()
}

async fn put(shared: &Shared, target: Target, body: &Value) -> Result<Value, Failure> {
    let application_id = shared.rest.application()?;
    let route = match target {
        Target::Everywhere => Route::Commands { application_id },
        Target::Guild(guild) => Route::GuildCommands { application_id, guild_id: GuildId::new(guild) },
    };
    shared.rest.send((LightMethod::Put, route), Some(body), None, 1).await
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
        let listed = |names: &[String]| Listed { body: named(names), left_out: Vec::new() };

        // What is registered at a start may be there already.
        let mut state = Registration::default();
        let (kept, new) = state.within_a_day(listed(&many), begun);
        assert_eq!((kept.body, new), (named(&many), 0));

        // Later only so many are new, and those of the program are not counted.
        state.taken = Some(named(&[]));
        let (kept, new) = state.within_a_day(listed(&[&many[..], &["vote".to_owned()]].concat()), begun);
        assert_eq!((count(&kept.body), new), (OWN_NEW_MAX_COUNT + 1, OWN_NEW_MAX_COUNT));
        assert_eq!(kept.left_out, many[OWN_NEW_MAX_COUNT..]);
        state.made.extend(std::iter::repeat_n(begun, new));
        state.taken = Some(kept.body);
        let others = ["vote".to_owned(), "other".to_owned()];
        let (kept, new) = state.within_a_day(listed(&others), begun);
        assert_eq!((kept.body, new), (named(&others[..1]), 0));
        let (kept, new) = state.within_a_day(listed(&others), begun + NEW_FOR);
        assert_eq!((kept.body, new), (named(&others), 1));
        // What a room comes with counts for none.
        state.brought.insert("other".to_owned());
        let (kept, new) = state.within_a_day(listed(&others), begun);
        assert_eq!((kept.body, new), (named(&others), 0));
    }
}
