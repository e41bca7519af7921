//! Discord, as far as the bot can tell: a gateway and an API that remember what was said to them.
//!
//! It holds servers, channels, people, commands, messages and interactions, and answers as Discord does, errors
//! included. Everything that the bot sends is held to Discord's documented limits ([`limits`]). What breaks them is
//! refused, kept, and fails the test when the fake is dropped.

mod api;
mod gateway;
pub(crate) mod http;
pub(crate) mod limits;
mod people;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};
use twilight_model::application::{command::Command, interaction::InteractionContextType};

pub(crate) use gateway::role;
pub(crate) use people::{Arg, Person};

/// The token that the fake takes.
pub(crate) const TOKEN: &str = "MTA0Mg.fake.token-that-nobody-may-see";

/// The application, which is also the bot's user id.
pub(crate) const APPLICATION: u64 = 42;

/// The first instant of Discord's ids, in milliseconds since 1970, and how many bits of an id stand behind its instant.
const ID_EPOCH_MILLIS: i64 = 1_420_070_400_000;
const ID_COUNT_BITS: u32 = 22;

/// When everything begins: 2026-11-02 12:00 UTC, counted like [`State::now`].
const BEGIN_MILLIS: u64 = 373_550_400_000;

/// How long a test waits for something that should happen at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// What goes wrong with a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// It is answered with this status and error code, and nothing is done.
    Status(u16, i64),
    /// There were too many requests: wait so many seconds.
    Limit(f64),
    /// The connection ends before anything is done.
    LoseRequest,
    /// It is done, and the connection ends before the answer.
    LoseAnswer,
    /// Nothing is done, and the answer is about another message.
    Another,
}

/// A message in a channel.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: u64,
    pub(crate) channel: u64,
    pub(crate) body: Value,
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The one person who sees it.
    pub(crate) only: Option<u64>,
    pub(crate) deleted: bool,
    /// A promise of an answer.
    pub(crate) pending: bool,
    /// What it said before it was edited, to who was there.
    pub(crate) before: String,
}

/// An interaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interaction {
    pub(crate) id: u64,
    pub(crate) user: u64,
    pub(crate) channel: u64,
    /// The message that it was answered with first.
    pub(crate) original: Option<u64>,
    /// The message under which the button stands.
    pub(crate) under: Option<u64>,
    /// The kind of its first answer.
    pub(crate) answered: Option<u64>,
    pub(crate) choices: Option<Value>,
    pub(crate) window: Option<Value>,
    /// Nothing about it is taken any more.
    pub(crate) expired: bool,
}

/// A server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guild {
    pub(crate) channels: BTreeSet<u64>,
    pub(crate) commands: Option<Vec<Command>>,
    /// Those of the channels that take nothing but posts.
    pub(crate) posts: BTreeSet<u64>,
    /// The tags that posts can have, in each channel of posts.
    pub(crate) tags: BTreeMap<u64, Vec<&'static str>>,
    /// Those of the channels that take no post without a tag.
    pub(crate) tags_demanded: BTreeSet<u64>,
    /// How often commands were registered.
    pub(crate) registered: usize,
    pub(crate) roles: BTreeMap<u64, Role>,
    /// Whether the bot may not manage roles.
    pub(crate) roleless: bool,
    /// Accounts that are no members.
    pub(crate) strangers: BTreeSet<u64>,
}

/// A role of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) members: BTreeSet<u64>,
    /// It stands above the bot's own.
    pub(crate) above: bool,
}

/// A thread, or a post, which is one.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) parent: u64,
    pub(crate) name: String,
    /// The tags of a post.
    pub(crate) tags: Vec<String>,
    pub(crate) deleted: bool,
    /// It takes no messages any more.
    pub(crate) locked: bool,
}

/// All that the fake remembers.
#[derive(Default)]
pub(crate) struct State {
    /// The messages that are pinned.
    pub(crate) pinned: BTreeSet<u64>,
    pub(crate) guilds: BTreeMap<u64, Guild>,
    pub(crate) global: Option<Vec<Command>>,
    pub(crate) messages: Vec<Message>,
    pub(crate) interactions: BTreeMap<String, Interaction>,
    /// Conversations, by person.
    pub(crate) private: BTreeMap<u64, u64>,
    /// Channels that the bot may not write to.
    pub(crate) closed: BTreeSet<u64>,
    /// Channels in which it may send texts, and neither files nor embeds.
    pub(crate) bare: BTreeSet<u64>,
    /// Channels in which it may open no thread.
    pub(crate) threadless: BTreeSet<u64>,
    pub(crate) threads: BTreeMap<u64, Thread>,
    /// The roles and people that the bot may mention; a mention of another is a violation.
    pub(crate) callable: BTreeSet<u64>,
    pub(crate) violations: Vec<String>,
    pub(crate) gateway: gateway::Gateway,
    faults: Vec<(String, String, Fault, usize)>,
    nonces: BTreeMap<(u64, String), u64>,
    files: BTreeMap<String, Vec<u8>>,
    /// Every request and every gateway message of the bot's, as it came.
    pub(crate) wire: Vec<Vec<u8>>,
    /// How many requests came to each method and route.
    pub(crate) requests: Vec<(String, String)>,
    /// Servers whose own settings let everybody use every command.
    pub(crate) opened: BTreeSet<u64>,
    last_id: u64,
    /// The clock, in milliseconds since the first instant of Discord's ids: it stands still but for [`Fake::pass`].
    now: u64,
    http: String,
    ws: String,
}

/// A running fake.
#[derive(Clone)]
pub(crate) struct Fake {
    state: Arc<Mutex<State>>,
    changed: watch::Sender<u64>,
    _tasks: Arc<Tasks>,
}

struct Tasks(Vec<JoinHandle<()>>);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

impl State {
    /// An id holds the instant at which it was made.
    fn id(&mut self) -> u64 {
        self.last_id += 1;
        (self.now << ID_COUNT_BITS) + self.last_id
    }

    /// The instant, as answers tell it.
    fn date(&self) -> String {
        let at = jiff::Timestamp::from_millisecond(ID_EPOCH_MILLIS + i64::try_from(self.now).expect("an instant"));
        let printer = jiff::fmt::rfc2822::DateTimePrinter::new();
        printer.timestamp_to_rfc9110_string(&at.expect("an instant")).expect("it can be written")
    }

    /// The channel of a thread; of a channel itself.
    fn parent_of(&self, channel: u64) -> u64 {
        self.threads.get(&channel).map_or(channel, |thread| thread.parent)
    }

    fn guild_of(&self, channel: u64) -> Option<u64> {
        let channel = self.parent_of(channel);
        self.guilds.iter().find(|(_, guild)| guild.channels.contains(&channel)).map(|(id, _)| *id)
    }

    fn knows(&self, channel: u64) -> bool {
        if self.threads.get(&channel).is_some_and(|thread| thread.deleted) {
            return false;
        }
        self.guild_of(channel).is_some() || self.private.values().any(|private| *private == channel)
    }

    /// Who has the role of a name in a server; nothing where there is no such role.
    pub(crate) fn holders(&self, guild: u64, name: &str) -> Option<Vec<u64>> {
        let role = self.guilds[&guild].roles.values().rev().find(|role| role.name == name)?;
        Some(role.members.iter().copied().collect())
    }

    /// What stands in a channel for somebody, oldest first.
    pub(crate) fn shown(&self, channel: u64, to: u64) -> Vec<&Message> {
        let seen = |message: &&Message| {
            message.channel == channel && !message.deleted && message.only.is_none_or(|only| only == to)
        };
        self.messages.iter().filter(seen).collect()
    }

    /// The commands that people see in a server: its own, and those of the application.
    pub(crate) fn offered(&self, guild: u64) -> impl Iterator<Item = &Command> {
        let own = self.guilds.get(&guild).and_then(|guild| guild.commands.as_deref()).unwrap_or_default();
        let in_servers = |command: &&Command| {
            command.contexts.as_ref().is_none_or(|contexts| contexts.contains(&InteractionContextType::Guild))
        };
        let all = self.global.as_deref().unwrap_or_default().iter().filter(in_servers);
        own.iter().chain(all)
    }

    /// What stands in a channel for somebody, as texts.
    pub(crate) fn texts(&self, channel: u64, to: u64) -> Vec<String> {
        self.shown(channel, to).into_iter().map(Message::text).collect()
    }
}

/// A text with its mentions of commands as Discord shows them, where they are registered.
fn with_commands(text: &str) -> String {
    let mut parts = text.split("</");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let shown = part.split_once('>').and_then(|(mention, behind)| {
            let (name, id) = mention.split_once(':')?;
            (id.parse::<u64>().ok()? >= api::FIRST_COMMAND).then(|| format!("/{name}{behind}"))
        });
        out += &shown.unwrap_or_else(|| format!("</{part}"));
    }
    out
}

/// A text with its timestamps as Discord shows them to somebody in UTC.
fn in_utc(text: &str) -> String {
    let mut parts = text.split("<t:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((stamp, behind)) = part.split_once('>') else { continue };
        let (seconds, style) = stamp.split_once(':').unwrap_or((stamp, "f"));
        let at = jiff::Timestamp::from_second(seconds.parse().unwrap_or_default()).unwrap_or_default();
        out += &if style == "R" { "in a while".to_owned() } else { kernel::time::minute(at) };
        out += behind;
    }
    out
}

impl Message {
    /// All text of it as a reader in UTC has read it, as it was before its edits as well.
    pub(crate) fn text(&self) -> String {
        format!("{}\n{}", self.says(), self.before).trim().to_owned()
    }

    /// Its text as it stands, as a reader in UTC sees it.
    pub(crate) fn says(&self) -> String {
        let mut text = self.body["content"].as_str().unwrap_or_default().to_owned();
        for embed in self.body["embeds"].as_array().into_iter().flatten() {
            for key in ["title", "url", "description"] {
                if let Some(more) = embed[key].as_str() {
                    text.push('\n');
                    text.push_str(more);
                }
            }
        }
        with_commands(&in_utc(text.trim()))
    }

    /// Its buttons: label and id.
    pub(crate) fn buttons(&self) -> Vec<(String, String)> {
        let rows = self.body["components"].as_array().into_iter().flatten();
        rows.flat_map(|row| row["components"].as_array().into_iter().flatten())
            .filter(|button| button["disabled"] != true && button["style"] != 5)
            .map(|button| {
                let text = |key: &str| button[key].as_str().unwrap_or_default().to_owned();
                (text("label"), text("custom_id"))
            })
            .collect()
    }
}

impl Fake {
    /// A Discord without servers.
    pub(crate) async fn start() -> Self {
        let http = TcpListener::bind("127.0.0.1:0").await.expect("a port for the API");
        let ws = TcpListener::bind("127.0.0.1:0").await.expect("a port for the gateway");
        let state = State {
            http: format!("http://{}", http.local_addr().expect("an address")),
            ws: format!("ws://{}", ws.local_addr().expect("an address")),
            now: BEGIN_MILLIS,
            ..State::default()
        };
        let (state, changed) = (Arc::new(Mutex::new(state)), watch::Sender::new(0));
        let tasks = vec![
            tokio::spawn(api::listen(http, state.clone(), changed.clone())),
            tokio::spawn(gateway::listen(ws, state.clone(), changed.clone())),
        ];
        Self { state, changed, _tasks: Arc::new(Tasks(tasks)) }
    }

    /// Answers with another address of the gateway from now on; gives the one there was.
    pub(crate) fn gateway_at(&self, url: String) -> String {
        std::mem::replace(&mut self.state().ws, url)
    }

    /// The base of its API.
    pub(crate) fn base(&self) -> String {
        self.state().http.clone()
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the state")
    }

    /// Lets Discord's time pass.
    pub(crate) fn pass(&self, time: Duration) {
        self.state().now += u64::try_from(time.as_millis()).expect("a short time");
    }

    fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Waits until the state has something.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut(&State) -> Option<T>) -> T {
        let mut changed = self.changed.subscribe();
        let wait = async {
            loop {
                changed.borrow_and_update();
                let found = look(&self.state());
                if let Some(found) = found {
                    return found;
                }
                changed.changed().await.expect("the fake lives as long as the test");
            }
        };
        match timeout(PATIENCE, wait).await {
            Ok(found) => found,
            Err(_) => {
                let state = self.state();
                let texts: Vec<String> = state.messages.iter().map(Message::text).collect();
                panic!("waited in vain for {what}; messages: {texts:#?}; requests: {:#?}", state.requests)
            }
        }
    }

    /// Makes the next so many requests of a kind go wrong.
    pub(crate) fn fault(&self, method: &str, path: &str, fault: Fault, times: usize) {
        self.state().faults.push((method.to_owned(), path.to_owned(), fault, times));
    }

    /// The bot is in a server with these channels, and is told so if it is connected.
    pub(crate) fn guild(&self, id: u64, channels: &[u64]) {
        let mut state = self.state();
        state.guilds.insert(id, Guild { channels: channels.iter().copied().collect(), ..Guild::default() });
        let body = gateway::guild(id, channels);
        state.gateway.dispatch("GUILD_CREATE", body);
        drop(state);
        self.touch();
    }

    /// One of a server's channels takes nothing but posts.
    pub(crate) fn posts_only(&self, guild: u64, channel: u64) {
        self.state().guilds.get_mut(&guild).expect("a server").posts.insert(channel);
    }

    /// The bot is removed from a server.
    pub(crate) fn remove(&self, id: u64) {
        let mut state = self.state();
        state.guilds.remove(&id);
        state.gateway.dispatch("GUILD_DELETE", json!({ "id": id.to_string() }));
        drop(state);
        self.touch();
    }

    /// A channel is deleted.
    pub(crate) fn delete_channel(&self, guild: u64, channel: u64) {
        let mut state = self.state();
        if let Some(guild) = state.guilds.get_mut(&guild) {
            guild.channels.remove(&channel);
        }
        state.gateway.dispatch("CHANNEL_DELETE", gateway::channel(guild, channel));
        drop(state);
        self.touch();
    }

    /// Waits until a server's commands include one, and returns the names of all.
    pub(crate) async fn registered(&self, guild: u64, name: &str) -> Vec<String> {
        self.until(&format!("the command {name}"), |state| {
            state.guilds.get(&guild)?.commands.as_ref()?;
            let names: Vec<String> = state.offered(guild).map(|command| command.name.clone()).collect();
            names.iter().any(|held| held == name).then_some(names)
        })
        .await
    }

    /// Waits until somebody sees a text in a channel, and returns the message.
    pub(crate) async fn sees(&self, person: &Person, channel: u64, text: &str) -> Message {
        self.until(&format!("“{text}” for {}", person.name), |state| {
            state.shown(channel, person.id).into_iter().rev().find(|message| message.text().contains(text)).cloned()
        })
        .await
    }

    /// The conversation of the bot with somebody.
    pub(crate) fn private_channel(&self, user: u64) -> u64 {
        api::private_channel(&mut self.state(), user)
    }

    /// Fails when the bot broke a documented limit.
    pub(crate) fn check(&self) {
        assert_eq!(self.state().violations, Vec::<String>::new(), "what the bot sent breaks Discord's limits");
    }

    /// Whether any byte that the bot sent holds a text, as it is or as JSON writes it.
    pub(crate) fn heard(&self, text: &str) -> bool {
        let escaped = serde_json::to_string(text).expect("a text is JSON");
        let wanted = [text.as_bytes(), escaped.trim_matches('"').as_bytes()];
        let state = self.state();
        state.wire.iter().any(|raw| wanted.iter().any(|wanted| raw.windows(wanted.len()).any(|part| part == *wanted)))
    }
}

/// What is sent to the bot over a connection of the gateway.
pub(crate) enum Out {
    Json(Value),
    Close(u16),
    Cut,
}

type Sender = mpsc::UnboundedSender<Out>;
