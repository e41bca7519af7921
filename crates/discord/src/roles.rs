//! Players and offices of rooms as roles of a server, where a moderator set that.
//!
//! How rooms stand says who is to have which role. Only what differs is done. Which roles a member has is asked once after
//! a start, and known from then on. The bot's own roles are known by their numbers, which the service keeps: another role
//! that is called so may have powers, and is let alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Value, json};
use serenity::{
    all::{GuildId, LightMethod, RoleId, UserId},
    http::Route,
};
use tokio::time::Instant;

use super::{
    deliver::id_of,
    rest::{ANSWER_MAX_TRIES, Failure},
    service::{SERVICE, forum},
    shared::Shared,
    waits,
};
use port::{Incident, Roles, Standing};

/// Most roles of the rooms of one channel: a server has 250 for all purposes.
const ROLES_MAX_COUNT: usize = 20;

/// Most people of the rooms of one channel whose roles are seen to.
const PEOPLE_MAX_COUNT: usize = 500;

/// Most requests at once; the others wait for the next round.
const ROUND_MAX_REQUESTS: usize = 100;

/// How long they wait.
const ROUND_PAUSE: Duration = Duration::from_secs(60);

/// How often a role that people delete is made anew, until the bot starts again.
const ANEW_MAX_COUNT: usize = 3;

/// Most characters of a role's name.
const NAME_MAX_CHARS: usize = 100;

/// The colours of new roles, by turns. A server may give others.
const COLOURS: [u32; 8] = [0x1ABC9C, 0x3498DB, 0xE91E63, 0xF1C40F, 0x9B59B6, 0xE67E22, 0x2ECC71, 0xE74C3C];

/// Has members of servers have the roles that rooms say, for ever.
pub(super) async fn keep(shared: &Shared) {
    let mut standings = shared.desk.standings(SERVICE);
    let mut mirror = Mirror::default();
    let (mut shown, mut again) = (BTreeMap::new(), None);
    loop {
        let wanted = wanted(&standings.borrow_and_update());
        if wanted != shown {
            // Whoever was no member may have come meanwhile.
            mirror.members.retain(|_, roles| roles.is_some());
            (shown, again) = (wanted, Some(Instant::now()));
        }
        if again.is_some_and(|at| at <= Instant::now()) {
            again = mirror.round(shared, &shown).await.then(|| Instant::now() + ROUND_PAUSE);
        }
        tokio::select! {
            () = waits::told_anew(&mut standings) => {}
            () = shared.guilds.roles_changed.notified() => again = Some(Instant::now()),
            () = waits::until(again) => {}
        }
    }
}

/// What the rooms of each channel show as roles.
fn wanted(standings: &[Standing]) -> BTreeMap<u64, Roles> {
    let mut wanted: BTreeMap<u64, Roles> = BTreeMap::new();
    for standing in standings {
        if let (Some(roles), Ok(channel)) = (&standing.roles, standing.channel.parse()) {
            let all = wanted.entry(channel).or_default();
            all.people.extend(roles.people.iter().cloned());
            all.held.extend(roles.held.iter().map(|(name, held)| (name.clone(), held.clone())));
        }
    }
    wanted
}

/// The roles of the bot's, and who has them.
#[derive(Default)]
struct Mirror {
    /// The roles, by channel and name.
    made: BTreeMap<(u64, String), u64>,
    /// How often each was made anew.
    anew: BTreeMap<(u64, String), usize>,
    /// The roles of people, by server and account; nothing for whoever is no member.
    members: BTreeMap<(u64, u64), Option<BTreeSet<u64>>>,
    /// What cannot be done and was told, by channel and what it is about.
    told: BTreeMap<(u64, String), String>,
    /// How many requests are left of the round.
    left: usize,
}

impl Mirror {
    /// Does what differs, and says whether some of it waits for another round.
    async fn round(&mut self, shared: &Shared, shown: &BTreeMap<u64, Roles>) -> bool {
        self.left = ROUND_MAX_REQUESTS;
        // A channel that shows none any more has them taken away.
        let channels: BTreeSet<u64> =
            self.made.keys().map(|(channel, _)| *channel).chain(shown.keys().copied()).collect();
        let mut waits = false;
        for channel in channels {
            // The gateway rings when it tells of the server.
            let Some(guild) = shared.guilds.of(channel) else { continue };
            let none = Roles::default();
            let done = self.bring(shared, (guild, channel), shown.get(&channel).unwrap_or(&none)).await;
            if let Err(failure) = done {
                tracing::info!(channel, %failure, "roles are not as they should be yet");
                waits = true;
            }
        }
        waits
    }

    /// Has the members of a server have the roles of a channel's rooms.
    async fn bring(&mut self, shared: &Shared, (guild, channel): (u64, u64), shown: &Roles) -> Result<(), Failure> {
        let (mut accounts, mut wanted) = (BTreeMap::new(), BTreeMap::new());
        for person in shown.people.iter().take(PEOPLE_MAX_COUNT) {
            let of = shared.desk.accounts_of(SERVICE, person).await;
            let of: Vec<u64> = of.iter().filter_map(|id| id.parse().ok()).collect();
            wanted.extend(of.iter().map(|user| (*user, BTreeSet::new())));
            accounts.insert(person, of);
        }
        // Whoever has no seat any more may have a role still.
        wanted.extend(self.members.keys().filter(|(of, _)| *of == guild).map(|(_, user)| (*user, BTreeSet::new())));
        for (name, held) in shown.held.iter().take(ROLES_MAX_COUNT) {
            // An office that nobody holds yet has no role.
            if held.is_empty() && !self.made.contains_key(&(channel, name.clone())) {
                continue;
            }
            match self.role(shared, (guild, channel), name).await {
                Ok(None) => {}
                Ok(Some(role)) => {
                    let users = held.iter().filter_map(|person| accounts.get(person)).flatten();
                    users.for_each(|user| wanted.entry(*user).or_default().extend([role]));
                }
                Err(failure @ (Failure::Closed(_) | Failure::Refused(_))) => {
                    let told = format!("The bot cannot make the role “{name}”. It needs Manage Roles. {failure}.");
                    self.tell(shared, channel, name, told).await;
                    break;
                }
                Err(failure) => return Err(failure),
            }
        }
        let ours: BTreeMap<u64, String> = self
            .made
            .iter()
            .filter(|((of, _), _)| *of == channel)
            .map(|((_, name), role)| (*role, name.clone()))
            .collect();
        if ours.is_empty() {
            return Ok(());
        }
        let mut shut = BTreeSet::new();
        for (user, wanted) in &wanted {
            let Some(has) = self.member(shared, guild, *user).await? else {
                if !wanted.is_empty() {
                    let told =
                        format!("Discord's account {user} plays here and is not in this server: it gets no role.");
                    self.tell(shared, channel, &user.to_string(), told).await;
                }
                continue;
            };
            for (role, name) in &ours {
                if wanted.contains(role) == has.contains(role) || shut.contains(role) {
                    continue;
                }
                match self.give((guild, *user, *role), wanted.contains(role), shared).await {
                    Ok(()) => drop(self.told.remove(&(channel, name.clone()))),
                    // The member went, or the role, of which the gateway tells.
                    Err(Failure::Gone(_)) => {
                        self.members.remove(&(guild, *user));
                        break;
                    }
                    Err(failure @ (Failure::Closed(_) | Failure::Refused(_))) => {
                        shut.insert(*role);
                        let told = format!(
                            "The bot cannot give or take the role “{name}”. It needs Manage Roles, and a role of its own \
                             above that one. {failure}."
                        );
                        self.tell(shared, channel, name, told).await;
                    }
                    Err(failure) => return Err(failure),
                }
            }
        }
        Ok(())
    }

    /// The role of a name: the one that was made before, else a new one without any permission. There is none where
    /// people delete it over and over.
    async fn role(
        &mut self,
        shared: &Shared,
        (guild, channel): (u64, u64),
        name: &str,
    ) -> Result<Option<u64>, Failure> {
        let (key, kept_as) = ((channel, name.to_owned()), format!("role/{name}"));
        let kept = match self.made.get(&key) {
            Some(role) => Some(*role),
            None => shared.desk.thread_of(&forum(channel), &kept_as).await.and_then(|role| role.parse().ok()),
        };
        if let Some(role) = kept.filter(|role| shared.guilds.has_role(guild, *role)) {
            if self.made.insert(key, role).is_none() {
                // What was kept long ago is not the first to go.
                shared.desk.keep_thread(&forum(channel), &kept_as, Some(&role.to_string())).await;
            }
            return Ok(Some(role));
        }
        if kept.is_some() {
            self.made.remove(&key);
            let times = self.anew.entry(key.clone()).or_default();
            *times += 1;
            let is_often = *times > ANEW_MAX_COUNT;
            let what = if is_often { "stays away until the bot starts again" } else { "is made anew" };
            self.tell(shared, channel, name, format!("Somebody deleted the role “{name}”: it {what}.")).await;
            if is_often {
                return Ok(None);
            }
        }
        let colour = COLOURS[self.made.len() % COLOURS.len()];
        let called: String = name.chars().take(NAME_MAX_CHARS).collect();
        let body = json!({ "name": called, "permissions": "0", "color": colour, "hoist": false, "mentionable": false });
        let route = Route::GuildRoles { guild_id: GuildId::new(guild) };
        let made = self.send(shared, (LightMethod::Post, route), Some(&body)).await?;
        let role = id_of(&made).ok_or_else(|| Failure::Away("Discord says nothing of the role".to_owned()))?;
        shared.desk.keep_thread(&forum(channel), &kept_as, Some(&role.to_string())).await;
        shared.guilds.role_here(guild, role);
        self.made.insert(key, role);
        Ok(Some(role))
    }

    /// The roles of a member; nothing for whoever is none.
    async fn member(&mut self, shared: &Shared, guild: u64, user: u64) -> Result<Option<BTreeSet<u64>>, Failure> {
        if let Some(known) = self.members.get(&(guild, user)) {
            return Ok(known.clone());
        }
        let (guild_id, user_id) = (GuildId::new(guild), UserId::new(user.max(1)));
        let roles = match self.send(shared, (LightMethod::Get, Route::GuildMember { guild_id, user_id }), None).await {
            Ok(member) => {
                let roles = member["roles"].as_array().into_iter().flatten();
                Some(roles.filter_map(|role| role.as_str()?.parse().ok()).collect())
            }
            Err(Failure::Gone(_)) => None,
            Err(failure) => return Err(failure),
        };
        self.members.insert((guild, user), roles.clone());
        Ok(roles)
    }

    /// Gives a role to a member, or takes it.
    async fn give(
        &mut self,
        (guild, user, role): (u64, u64, u64),
        gives: bool,
        shared: &Shared,
    ) -> Result<(), Failure> {
        let (guild_id, user_id, role_id) = (GuildId::new(guild), UserId::new(user.max(1)), RoleId::new(role.max(1)));
        let method = if gives { LightMethod::Put } else { LightMethod::Delete };
        self.send(shared, (method, Route::GuildMemberRole { guild_id, user_id, role_id }), None).await?;
        if let Some(Some(has)) = self.members.get_mut(&(guild, user)) {
            if gives {
                has.insert(role)
            } else {
                has.remove(&role)
            };
        }
        Ok(())
    }

    /// Sends a request, where one is left. A role is made by one try: the answer to another may have been lost.
    async fn send(
        &mut self,
        shared: &Shared,
        way: (LightMethod, Route<'_>),
        body: Option<&Value>,
    ) -> Result<Value, Failure> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or_else(|| Failure::Away(format!("a round has {ROUND_MAX_REQUESTS} requests")))?;
        let tries = if body.is_some() { 1 } else { ANSWER_MAX_TRIES };
        shared.rest.send(way, body, None, tries).await
    }

    /// Tells moderators of a channel what cannot be done; the same once.
    async fn tell(&mut self, shared: &Shared, channel: u64, about: &str, told: String) {
        let before = self.told.insert((channel, about.to_owned()), told.clone());
        if before.as_ref() != Some(&told) {
            shared.desk.incident(Incident::LeftUndone { forums: vec![forum(channel)], told }).await;
        }
    }
}
