//! Who somebody is: a services account, or on a network without services a connection; never a nick.
//!
//! Anybody can take a nick. So an account is believed only from the server. Its proofs are a message's account tag,
//! notifications about people in a shared channel, and answers to `WHO` or `WHOIS`. Each proof is trusted only as long
//! as the server would tell us of a change. Before a private text leaves, the nick that it goes to is proven again.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use irc_proto::{Command, Message};
use tokio::time::Instant;

use super::config::IdentityKind;
use super::message::{Source, numeric, source, tag};
use super::server::Server;

/// How long a proof holds for somebody whose changes the server does not tell us. It is long enough for an answer to
/// travel, too short to take over a nick on purpose.
pub(super) const PROOF_FRESH: Duration = Duration::from_secs(2);

/// How long the account of somebody in a shared channel holds when the server tells of nicks and quits, but not of
/// logins. It is the same connection, and so the same person.
pub(super) const PROOF_SHARED: Duration = Duration::from_secs(60);

/// How long a `WHOIS` may take before the person counts as not logged in.
pub(super) const WHOIS_TIMEOUT: Duration = Duration::from_secs(10);

/// Most people that are followed at once. The rest are asked for one by one.
pub(super) const PEOPLE_MAX_COUNT: usize = 20_000;

/// The token of our `WHO` requests, so that answers to others are not mistaken for ours.
pub(super) const WHOX_TOKEN: &str = "742";

/// What a `WHO` asks for: token, channel, user, host, nick, account.
pub(super) const WHOX_FIELDS: &str = "%tcuhna,742";

/// Whom a text is for, by what can be proved of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Who {
    /// The account at this network that speaks: a services account in lower case, or an identity of a connection.
    Account(String),
    /// Somebody without one, by folded `nick!user@host`.
    Guest(String),
}

/// What is known about a speaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    /// With this account, or proven to have none.
    As(Option<String>),
    /// Unknown: the server has to be asked about the nick.
    Ask,
}

/// Where a private text can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// To this nick, now.
    Send(String),
    /// The server has to be asked about this nick first.
    Ask(String),
    /// Nowhere: the person is not there, or somebody else has the nick.
    Nowhere,
}

/// What a message changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The answer about this nick (folded) is complete: ask [`Identities::recall`] or [`Identities::route`] again.
    Resolved(String),
    /// The server did not answer about this nick (folded).
    Unanswered(String),
    /// Somebody's nick (folded) is theirs no more.
    Left(String),
    /// An identity that was bound to a connection has ended, with the reason.
    Voided(String, String),
}

/// An account as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Known {
    #[default]
    Unknown,
    Nobody,
    Account(String),
}

#[derive(Clone, Debug)]
struct Person {
    nick: String,
    userhost: Option<String>,
    known: Known,
    proven_at: Instant,
    /// Folded names of the channels that we share.
    channels: BTreeSet<String>,
    /// The identity of this connection, once it has spoken on a network without services.
    identity: Option<String>,
}

/// An answer to `WHOIS` under way.
#[derive(Debug)]
struct Asking {
    since: Instant,
    userhost: Option<String>,
    account: Option<String>,
}

/// Everybody whom this connection knows of.
pub(super) struct Identities {
    kind: IdentityKind,
    /// By folded nick.
    people: HashMap<String, Person>,
    /// By folded nick.
    asking: HashMap<String, Asking>,
    /// Makes identities of this connection unlike those of any other.
    token: String,
    next: u64,
}

impl Identities {
    /// Nobody yet. The token must differ between connections, also across restarts.
    pub(super) fn new(kind: IdentityKind, token: String) -> Self {
        Self { kind, people: HashMap::new(), asking: HashMap::new(), token, next: 0 }
    }

    /// Who says this message. It must have been observed before.
    pub(super) fn speaker(&mut self, message: &Message, from: &Source, server: &Server, now: Instant) -> Speaks {
        let key = server.mapping.fold(&from.nick);
        match self.kind {
            IdentityKind::Connection => Speaks::As(self.connection_identity(&key)),
            IdentityKind::Services if server.has("account-tag") => {
                let known = tag(message, "account").map_or(Known::Nobody, account);
                let speaks = Speaks::As(known.name());
                self.prove(key, &from.nick, from.userhost(), known, now);
                speaks
            }
            IdentityKind::Services => self.recall(&key, server, now),
        }
    }

    /// Who has this nick, as far as a message that has come in since can tell; for lines that waited for an answer.
    pub(super) fn recall(&self, key: &str, server: &Server, now: Instant) -> Speaks {
        match self.people.get(key) {
            Some(person) if person.is_proven(server, now) => Speaks::As(person.known.name()),
            _ => Speaks::Ask,
        }
    }

    /// Where a text for this person can go now. `nick` is where they were last.
    pub(super) fn route(&self, who: &Who, nick: &str, server: &Server, now: Instant) -> Route {
        let hint = server.mapping.fold(nick);
        let hint = (!nick.is_empty()).then_some(hint);
        if self.kind == IdentityKind::Connection
            && let Who::Account(identity) = who
        {
            let person = self.people.values().find(|person| person.identity.as_ref() == Some(identity));
            return person.map_or(Route::Nowhere, |person| Route::Send(person.nick.clone()));
        }
        match who {
            Who::Account(account) => self.route_to_account(account, hint, server, now),
            Who::Guest(mask) => match hint.as_ref().and_then(|key| self.people.get(key)) {
                Some(person) if person.shares_channel() || person.is_fresh(now) => {
                    let same = person.mask(server).as_deref() == Some(mask);
                    if same { Route::Send(person.nick.clone()) } else { Route::Nowhere }
                }
                _ => Route::Ask(nick.to_owned()),
            },
        }
    }

    /// Whether an account never speaks again: on a network without services, once its connection has ended.
    pub(super) fn has_ended(&self, account: &str) -> bool {
        let holds = |person: &Person| person.identity.as_deref() == Some(account);
        self.kind == IdentityKind::Connection && !self.people.values().any(holds)
    }

    fn route_to_account(&self, account: &str, hint: Option<String>, server: &Server, now: Instant) -> Route {
        let named = |person: &Person| matches!(&person.known, Known::Account(name) if name == account);
        // The nick that was used last, every nick that was seen with the account, and at last a nick like the account.
        let seen = self.people.iter().filter(|(_, person)| named(person)).map(|(key, _)| key.clone());
        let candidates = hint.into_iter().chain(seen).chain([server.mapping.fold(account)]);
        let mut ask = None;
        for key in candidates {
            match self.people.get(&key) {
                Some(person) if person.is_proven(server, now) => {
                    if named(person) {
                        return Route::Send(person.nick.clone());
                    }
                }
                Some(person) => ask = ask.or_else(|| Some(person.nick.clone())),
                None => ask = ask.or(Some(key)),
            }
        }
        ask.map_or(Route::Nowhere, Route::Ask)
    }

    /// Notes that the server is being asked about a nick; whether it has to be asked (it is not, when it was already).
    pub(super) fn ask(&mut self, key: String, now: Instant) -> bool {
        if self.asking.contains_key(&key) {
            return false;
        }
        self.asking.insert(key, Asking { since: now, userhost: None, account: None });
        true
    }

    /// The moment at which the oldest question is given up.
    pub(super) fn next_timeout(&self) -> Option<Instant> {
        self.asking.values().map(|asking| asking.since + WHOIS_TIMEOUT).min()
    }

    /// Gives up what the server did not answer. Nothing is known about these people then: they are to be treated as
    /// if they had no account, and nothing private goes to them.
    pub(super) fn give_up(&mut self, now: Instant) -> Vec<Change> {
        let overdue = |asking: &Asking| now >= asking.since + WHOIS_TIMEOUT;
        let keys: Vec<String> =
            self.asking.iter().filter(|(_, asking)| overdue(asking)).map(|(key, _)| key.clone()).collect();
        let give_up = |key: String| {
            self.asking.remove(&key);
            Change::Unanswered(key)
        };
        keys.into_iter().map(give_up).collect()
    }

    /// Forgets every account, because the server's notifications may have had a gap.
    pub(super) fn forget_accounts(&mut self) {
        for person in self.people.values_mut() {
            person.known = Known::Unknown;
        }
    }

    /// The connection has ended: so have all identities that were bound to a connection.
    pub(super) fn end(self) -> Vec<String> {
        self.people.into_values().filter_map(|person| person.identity).collect()
    }

    /// Learns from a message that the server has observed.
    pub(super) fn observe(&mut self, message: &Message, server: &Server, now: Instant) -> Vec<Change> {
        if let Some((number, params)) = numeric(&message.command) {
            return self.observe_numeric(number, &params, server, now);
        }
        match source(message) {
            Some(from) => self.observe_person(message, &from, server, now),
            None => Vec::new(),
        }
    }

    fn observe_person(&mut self, message: &Message, from: &Source, server: &Server, now: Instant) -> Vec<Change> {
        let key = server.mapping.fold(&from.nick);
        let me = server.is_me(&from.nick);
        match &message.command {
            Command::JOIN(channel, account_name, _) if !me => {
                let known = match account_name {
                    Some(name) if server.has("extended-join") => account(name),
                    _ => Known::Unknown,
                };
                self.join(&key, &from.nick, from.userhost(), known, server.mapping.fold(channel), now);
                Vec::new()
            }
            Command::PART(channel, _) => self.part(&key, me, &server.mapping.fold(channel), "left the channel"),
            Command::KICK(channel, nick, _) => {
                let (key, me) = (server.mapping.fold(nick), server.is_me(nick));
                self.part(&key, me, &server.mapping.fold(channel), "was kicked from the channel")
            }
            Command::QUIT(_) => self.leave(&key, "left the network"),
            Command::KILL(nick, _) => self.leave(&server.mapping.fold(nick), "left the network"),
            Command::NICK(new) => self.rename(&key, new, server),
            Command::ACCOUNT(name) => {
                if let Some(person) = self.people.get_mut(&key) {
                    person.known = account(name);
                    person.proven_at = now;
                }
                Vec::new()
            }
            Command::CHGHOST(user, host) => {
                if let Some(person) = self.people.get_mut(&key) {
                    person.userhost = Some(format!("{user}@{host}"));
                }
                Vec::new()
            }
            _ => {
                if let Some(person) = self.people.get_mut(&key)
                    && from.userhost().is_some()
                {
                    person.userhost = from.userhost();
                }
                Vec::new()
            }
        }
    }

    fn observe_numeric(&mut self, number: u16, params: &[&str], server: &Server, now: Instant) -> Vec<Change> {
        match (number, params) {
            (311, [_, nick, user, host, ..]) => {
                if let Some(asking) = self.asking.get_mut(&server.mapping.fold(nick)) {
                    asking.userhost = Some(format!("{user}@{host}"));
                }
            }
            (330, [_, nick, account, ..]) => {
                if let Some(asking) = self.asking.get_mut(&server.mapping.fold(nick)) {
                    asking.account = Some((*account).to_owned());
                }
            }
            (318, [_, nick, ..]) => {
                let key = server.mapping.fold(nick);
                if let Some(asking) = self.asking.get_mut(&key) {
                    let (userhost, account) = (asking.userhost.take(), asking.account.take());
                    return vec![self.answer(&key, userhost, account, now)];
                }
            }
            (353, [_, _, channel, names]) => {
                for name in names.split_whitespace() {
                    let nick = name.trim_start_matches(['~', '&', '!', '@', '%', '+', '.']);
                    if !server.is_me(nick) {
                        let (key, channel) = (server.mapping.fold(nick), server.mapping.fold(channel));
                        self.see(&key, nick, channel, now);
                    }
                }
            }
            (354, [_, WHOX_TOKEN, channel, user, host, nick, name]) if !server.is_me(nick) => {
                let key = server.mapping.fold(nick);
                self.see(&key, nick, server.mapping.fold(channel), now);
                let known = if *name == "0" { Known::Nobody } else { account(name) };
                self.prove(key, nick, Some(format!("{user}@{host}")), known, now);
            }
            _ => {}
        }
        Vec::new()
    }

    /// Ends a question about a nick.
    fn answer(&mut self, key: &str, userhost: Option<String>, name: Option<String>, now: Instant) -> Change {
        self.asking.remove(key);
        let known = name.map_or(Known::Nobody, |name| account(&name));
        let nick = self.people.get(key).map_or_else(|| key.to_owned(), |person| person.nick.clone());
        self.prove(key.to_owned(), &nick, userhost, known, now);
        Change::Resolved(key.to_owned())
    }

    fn prove(&mut self, key: String, nick: &str, userhost: Option<String>, known: Known, now: Instant) {
        if !self.people.contains_key(&key) {
            self.make_room(now);
        }
        let person = self.people.entry(key).or_insert_with(|| Person::new(nick, now));
        person.known = known;
        person.proven_at = now;
        if userhost.is_some() {
            person.userhost = userhost;
        }
    }

    fn join(&mut self, key: &str, nick: &str, userhost: Option<String>, known: Known, channel: String, now: Instant) {
        self.see(key, nick, channel, now);
        if let Some(person) = self.people.get_mut(key) {
            person.userhost = userhost;
            if known != Known::Unknown {
                person.known = known;
                person.proven_at = now;
            }
        }
    }

    /// Somebody is in a channel that we share.
    fn see(&mut self, key: &str, nick: &str, channel: String, now: Instant) {
        if !self.people.contains_key(key) {
            self.make_room(now);
            if self.people.len() >= PEOPLE_MAX_COUNT {
                return;
            }
            self.people.insert(key.to_owned(), Person::new(nick, now));
        }
        if let Some(person) = self.people.get_mut(key) {
            if !person.shares_channel() && !person.is_fresh(now) {
                // What was known before nobody told us of changes.
                person.known = Known::Unknown;
            }
            person.channels.insert(channel);
        }
    }

    /// Forgets people of whom nothing is known any more, when there are too many.
    fn make_room(&mut self, now: Instant) {
        if self.people.len() >= PEOPLE_MAX_COUNT {
            self.people.retain(|_, person| person.shares_channel() || person.is_fresh(now));
        }
    }

    fn part(&mut self, key: &str, me: bool, channel: &str, why: &str) -> Vec<Change> {
        if !me {
            let Some(person) = self.people.get_mut(key) else { return Vec::new() };
            person.channels.remove(channel);
            return if person.shares_channel() { Vec::new() } else { self.leave(key, why) };
        }
        for person in self.people.values_mut() {
            person.channels.remove(channel);
        }
        let out_of_sight: Vec<String> =
            self.people.iter().filter(|(_, person)| !person.shares_channel()).map(|(key, _)| key.clone()).collect();
        out_of_sight.iter().flat_map(|key| self.leave(key, "is in no channel with the bot any more")).collect()
    }

    fn leave(&mut self, key: &str, why: &str) -> Vec<Change> {
        let mut changes = vec![Change::Left(key.to_owned())];
        if let Some(Person { nick, identity: Some(identity), .. }) = self.people.remove(key) {
            changes.push(Change::Voided(identity, format!("{nick} {why}")));
        }
        changes
    }

    fn rename(&mut self, key: &str, new: &str, server: &Server) -> Vec<Change> {
        let new_key = server.mapping.fold(new);
        let Some(mut person) = self.people.remove(key) else { return vec![Change::Left(key.to_owned())] };
        let mut changes = Vec::new();
        if new_key != key {
            changes.push(Change::Left(key.to_owned()));
            if let Some(identity) = person.identity.take() {
                changes.push(Change::Voided(identity, format!("{} changed nick to {new}", person.nick)));
            }
        }
        person.nick = new.to_owned();
        self.people.insert(new_key, person);
        changes
    }

    /// The identity of a connection that we can see; made when it first speaks.
    fn connection_identity(&mut self, key: &str) -> Option<String> {
        let person = self.people.get_mut(key).filter(|person| person.shares_channel())?;
        if person.identity.is_none() {
            self.next += 1;
            person.identity = Some(format!("{key}~{}.{}", self.token, self.next));
        }
        person.identity.clone()
    }
}

impl Person {
    fn new(nick: &str, now: Instant) -> Self {
        Self {
            nick: nick.to_owned(),
            userhost: None,
            known: Known::Unknown,
            proven_at: now,
            channels: BTreeSet::new(),
            identity: None,
        }
    }

    fn shares_channel(&self) -> bool {
        !self.channels.is_empty()
    }

    fn is_fresh(&self, now: Instant) -> bool {
        now < self.proven_at + PROOF_FRESH
    }

    /// Whether the account that we have noted is the account that they have.
    fn is_proven(&self, server: &Server, now: Instant) -> bool {
        let holds = match (self.shares_channel(), server.has("account-notify")) {
            (true, true) => return self.known != Known::Unknown,
            (true, false) => PROOF_SHARED,
            (false, _) => PROOF_FRESH,
        };
        self.known != Known::Unknown && now < self.proven_at + holds
    }

    fn mask(&self, server: &Server) -> Option<String> {
        self.userhost.as_ref().map(|userhost| guest_mask(&self.nick, userhost, server))
    }
}

impl Known {
    fn name(&self) -> Option<String> {
        match self {
            Self::Account(name) => Some(name.clone()),
            Self::Unknown | Self::Nobody => None,
        }
    }
}

/// The key of somebody without an account.
pub(super) fn guest_mask(nick: &str, userhost: &str, server: &Server) -> String {
    format!("{}!{userhost}", server.mapping.fold(nick))
}

/// An account name of the server; `*` and nothing stand for none. Folded as ASCII only: no two accounts become one
/// by a letter that looks alike.
fn account(name: &str) -> Known {
    match name {
        "" | "*" => Known::Nobody,
        name => Known::Account(name.to_ascii_lowercase()),
    }
}

#[cfg(test)]
mod tests;
