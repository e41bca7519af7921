//! One connection, from the end of its sign-in to its loss.
//!
//! A single task owns everything that belongs to the connection, so nothing here is locked and every decision sees
//! the same state. It waits for whatever comes first: the server, an answer of the service, an announcement, a moment
//! that something is due. What comes in is handled in [`super::inbound`], what goes out in [`super::outbound`].

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use irc_proto::{BatchSubCommand, Command, Message};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::channels::{self, Channels, Presence};
use super::config::{IrcNetwork, ReplyForm};
use super::ctcp::Ctcp;
use super::deliver::{Class, Deliveries, Job, Shown};
use super::gate::{self, Verb, WireLine};
use super::identity::{self, Identities, WHOX_FIELDS};
use super::inbound::{Heard, InLane};
use super::limiter::Limiter;
use super::message::{numeric, pong, tag};
use super::nick::NickKeeper;
use super::outbound::{Fence, Outgoing, Text};
use super::pages::Pages;
use super::person_limit::PersonLimits;
use super::queue::Queue;
use super::register;
use super::server::Server;
use super::topic::Topics;
use super::wire::{Event, Wire};
use port::Desk;
use port::Incident;
use port::{Account, ForumAddress, Reply};

/// How long answers that are being made may take at shutdown before the bot leaves without them.
const DRAIN_MAX: Duration = Duration::from_millis(800);

/// Most batches of the server that are open at once; more are taken for none.
const BATCHES_MAX_COUNT: usize = 64;

/// What a network is, for everything that acts on it.
pub(super) struct Context {
    /// Its settings.
    pub(super) network: IrcNetwork,
    /// `irc:NAME`.
    pub(super) service: String,
    /// The service.
    pub(super) desk: Arc<dyn Desk>,
}

/// What is kept from one connection to the next.
#[derive(Default)]
pub(super) struct Memory {
    /// Lines of announcements that the network has shown us.
    pub(super) shown: Shown,
    /// Texts that wait for a `more`.
    pub(super) pages: Pages,
}

/// Why a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The connection is lost, for this reason.
    Lost(String),
    /// The program stops.
    Stopped,
}

/// A connection that is signed in.
pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) memory: &'a mut Memory,
    /// Unlike that of any other connection, also of earlier runs: origins and identities are made of it.
    pub(super) token: String,
    pub(super) wire: Wire,
    pub(super) server: Server,
    pub(super) channels: Channels,
    pub(super) people: Identities,
    pub(super) nick: NickKeeper,
    pub(super) ctcp: Ctcp,
    topics: Topics,
    pub(super) limiter: Limiter,
    pub(super) queue: Queue<WireLine, Text>,
    /// Lines of a text that was taken out of the queue, to be sent before anything else.
    pub(super) spill: VecDeque<Outgoing>,
    /// Whether the limiter has given leave for a line that is not yet chosen.
    pub(super) granted: bool,
    /// When the limiter will give leave again.
    pub(super) next_turn: Option<Instant>,
    /// What the fences under way are for, by token.
    pub(super) fences: VecDeque<(u64, Fence)>,
    /// Texts that wait until the server has said who has a nick (folded).
    pub(super) parked: HashMap<String, Vec<Text>>,
    pub(super) deliveries: Deliveries,
    /// Labels of lines that the server has not confirmed yet.
    pub(super) labels: HashMap<String, super::deliver::Part>,
    pub(super) next_label: u64,
    pub(super) lanes: HashMap<String, InLane>,
    pub(super) patience: PersonLimits,
    /// Answers being made, each for a lane.
    pub(super) hearing: JoinSet<Vec<Reply>>,
    /// Whose answer a task makes.
    pub(super) heard: HashMap<tokio::task::Id, (String, Heard)>,
    /// Lines heard, for origins.
    pub(super) lines_heard: u64,
    /// Open batches, with their type in lower case and their label.
    batches: HashMap<String, (String, Option<String>)>,
    /// Set when the program stops: the moment at which the bot leaves at the latest.
    pub(super) leaving: Option<Instant>,
    /// What the server said before it closed the connection.
    last_words: Option<String>,
}

impl<'a> Session<'a> {
    /// Takes over a connection that has just signed in.
    pub(super) fn new(
        context: &'a Context,
        memory: &'a mut Memory,
        token: String,
        wire: Wire,
        server: Server,
        limiter: Limiter,
    ) -> Self {
        let now = Instant::now();
        let network = &context.network;
        Self {
            channels: Channels::new(network, &server, now),
            people: Identities::new(network.identity, token.clone()),
            nick: NickKeeper::new(network, &server, now),
            deliveries: Deliveries::new(server.confirms_lines()),
            context,
            memory,
            token,
            wire,
            server,
            ctcp: Ctcp::default(),
            topics: Topics::default(),
            limiter,
            queue: Queue::new(),
            spill: VecDeque::new(),
            granted: false,
            next_turn: None,
            fences: VecDeque::new(),
            parked: HashMap::new(),
            labels: HashMap::new(),
            next_label: 0,
            lanes: HashMap::new(),
            patience: PersonLimits::new(&network.person),
            hearing: JoinSet::new(),
            heard: HashMap::new(),
            lines_heard: 0,
            batches: HashMap::new(),
            leaving: None,
            last_words: None,
        }
    }

    /// Runs until the connection is lost or the program stops.
    pub(super) async fn run(mut self, jobs: &mut mpsc::Receiver<Job>, stop: &mut watch::Receiver<bool>) -> End {
        let mut forums = self.context.desk.forums(&self.context.service);
        // A desk whose list never changes may have dropped its end.
        let mut forums_change = true;
        let mut standings_change = self.context.network.topic;
        // Nobody works out what nobody looks at.
        let mut standings = match standings_change {
            true => self.context.desk.standings(&self.context.service),
            false => watch::Sender::new(Vec::new()).subscribe(),
        };
        self.begin();
        self.want(&forums.borrow_and_update().clone());
        if standings_change {
            self.topics.want(&standings.borrow_and_update(), &self.server);
        }
        let end = loop {
            let now = Instant::now();
            self.on_time(now);
            self.send_due();
            if self.has_left() {
                break End::Stopped;
            }
            let wake = self.next_wake(now);
            let open = self.leaving.is_none();
            tokio::select! {
                event = self.wire.next() => match event {
                    Event::Received(message) => self.on_message(&message),
                    Event::Drained => {}
                    Event::Lost(why) => break End::Lost(self.last_words.take().unwrap_or(why)),
                },
                Some(answer) = self.hearing.join_next_with_id() => self.on_answer(answer),
                Some(job) = jobs.recv(), if open => self.on_job(job),
                changed = forums.changed(), if open && forums_change => {
                    forums_change = changed.is_ok();
                    let names = forums.borrow_and_update().clone();
                    self.want(&names);
                }
                changed = standings.changed(), if open && standings_change => {
                    standings_change = changed.is_ok();
                    self.topics.want(&standings.borrow_and_update(), &self.server);
                }
                _ = stop.wait_for(|stop| *stop), if open => self.leaving = Some(Instant::now() + DRAIN_MAX),
                () = tokio::time::sleep_until(wake) => {}
            }
        };
        self.finish(end).await
    }

    /// What the bot does first.
    fn begin(&mut self) {
        self.wire.watch();
        self.tell_name();
        if let Some(mode) = self.server.bot_mode {
            let line = gate::command("MODE", &[&self.server.mask.nick, &format!("+{mode}")]);
            self.command(line);
        }
    }

    /// Tells the desk what the bot is called here.
    fn tell_name(&self) {
        let mut names = vec![self.context.network.nick.clone(), self.server.mask.nick.clone()];
        names.dedup();
        self.context.desk.known_as(&self.context.service, names);
    }

    async fn finish(self, end: End) -> End {
        let Self { context, wire, people, patience, queue, spill, parked, mut hearing, .. } = self;
        let (lines, answers) = (queue.answers_len() + spill.len() + parked.len(), hearing.len());
        if lines + answers > 0 {
            tracing::warn!(service = context.service, lines, answers, "lines and answers are not sent any more");
        }
        hearing.abort_all();
        if patience.waiting() > 0 {
            let lines = patience.waiting();
            tracing::warn!(service = context.service, lines, "lines that waited for their turn are not taken up");
        }
        if end == End::Stopped
            && let Ok(line) = gate::command("QUIT", &["The program stops"])
        {
            wire.quit(line).await;
        }
        for identity in people.end() {
            let account = Account { service: context.service.clone(), id: identity };
            let why = "the connection to the network ended".to_owned();
            context.desk.incident(Incident::IdentityVoided { account, why }).await;
        }
        end
    }

    /// Whether the program stops and nothing more is to be waited for.
    fn has_left(&self) -> bool {
        self.leaving.is_some_and(|latest| {
            Instant::now() >= latest || (self.hearing.is_empty() && self.queue.has_answered() && self.spill.is_empty())
        })
    }

    /// Does what is due.
    fn on_time(&mut self, now: Instant) {
        for line in self.channels.due(now) {
            self.command(Ok(line));
        }
        if let Some(line) = self.nick.due(&self.server, now) {
            self.command(Ok(line));
        }
        for line in self.topics.due(&self.server, now, |key| self.channels.presence(key) == Presence::In) {
            self.command(Ok(line));
        }
        for change in self.people.give_up(now) {
            self.on_identity(change);
        }
        for id in self.deliveries.unasked(now) {
            self.fence_behind(id);
        }
        for id in self.deliveries.give_up(now) {
            self.retract(id);
        }
        self.take_up(now);
        if self.deliveries.has_room() {
            self.look_at_waiting();
        }
    }

    fn next_wake(&self, now: Instant) -> Instant {
        let idle = now + Duration::from_secs(3600);
        [
            self.channels.next_due(),
            self.nick.next_due(),
            self.topics.next_due(now),
            self.people.next_timeout(),
            self.deliveries.next_deadline(),
            self.patience.next_due(now),
            self.next_turn,
            self.leaving,
        ]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(idle)
    }

    /// Joins and leaves channels so that the bot is where forums are bound.
    fn want(&mut self, forums: &[String]) {
        for name in self.channels.want(forums, &self.server, Instant::now()) {
            self.command(gate::command("PART", &[&name]));
        }
    }

    fn on_message(&mut self, message: &Message) {
        let now = Instant::now();
        self.server.observe(message);
        if let Command::CAP(..) = message.command {
            // Notifications may have had a gap.
            self.people.forget_accounts();
            self.deliveries.by_echo = self.server.confirms_lines();
            if let Some(line) = register::ask_for_new(message) {
                self.command(line);
            }
        }
        for change in self.people.observe(message, &self.server, now) {
            self.on_identity(change);
        }
        if matches!(&message.command, Command::NICK(new) if self.server.is_me(new)) {
            self.tell_name();
        }
        if let Some(line) = self.nick.observe(message, &self.server, now) {
            self.command(Ok(line));
        }
        if let Some(change) = self.channels.observe(message, &self.server, now) {
            self.on_channel(change);
        }
        self.topics.observe(message, &self.server, now);
        let label = self.label(message);
        if let Some((number, params)) = numeric(&message.command) {
            self.on_numeric(number, &params, label.as_deref());
            return;
        }
        match &message.command {
            Command::PRIVMSG(target, text) => self.on_text(message, target, text, label.as_deref()),
            Command::NOTICE(_, text) => self.on_own_echo(message, text, label.as_deref()),
            Command::ERROR(text) => self.last_words = Some(format!("the server said: {}", gate::clean(text))),
            Command::BATCH(reference, kind, _) => self.on_batch(reference, kind.as_ref(), label),
            Command::Raw(verb, _) if verb == "ACK" => self.on_confirmed(label.as_deref()),
            command => {
                if let Some(token) = pong(command).and_then(|token| token.strip_prefix(FENCE_PREFIX)) {
                    self.on_fence(token);
                }
            }
        }
    }

    /// The label of the line that this message answers, whether it is on the message or on its batch.
    fn label(&self, message: &Message) -> Option<String> {
        match tag(message, "label") {
            Some(label) => Some(label.to_owned()),
            None => self.batches.get(tag(message, "batch")?)?.1.clone(),
        }
    }

    /// Whether the message is a replay of what was said before: it acts no more.
    pub(super) fn is_replay(&self, message: &Message) -> bool {
        let kind = tag(message, "batch").and_then(|batch| self.batches.get(batch)).map(|(kind, _)| kind.as_str());
        matches!(kind, Some("chathistory" | "znc.in/playback" | "playback"))
    }

    fn on_batch(&mut self, reference: &str, kind: Option<&BatchSubCommand>, label: Option<String>) {
        if let Some(name) = reference.strip_prefix('+') {
            if self.batches.len() < BATCHES_MAX_COUNT {
                let kind = kind.map_or_else(String::new, |kind| kind.to_str().to_ascii_lowercase());
                self.batches.insert(name.to_owned(), (kind, label));
            }
        } else if let Some(name) = reference.strip_prefix('-') {
            self.batches.remove(name);
        }
    }

    fn on_channel(&mut self, change: channels::Change) {
        match change {
            channels::Change::Joined(_) => {}
            channels::Change::Named(key) => {
                // Behind this fence lies everything that a server tells on joining, a replay of old lines included.
                if self.server.whox && self.context.network.identity == super::config::IdentityKind::Services {
                    self.command(gate::command("WHO", &[&key, WHOX_FIELDS]));
                }
                self.fence(Fence::Settle(key));
            }
            channels::Change::Lost(name, why) => {
                let channel = self.server.mapping.fold(&name);
                let forum = ForumAddress { service: self.context.service.clone(), channel };
                self.tell(Incident::ForumLost { forum, why });
            }
            channels::Change::Unwanted(name) => self.command(gate::command("PART", &[&name])),
        }
    }

    fn on_identity(&mut self, change: identity::Change) {
        match change {
            identity::Change::Voided(identity, why) => {
                let account = Account { service: self.context.service.clone(), id: identity };
                self.tell(Incident::IdentityVoided { account, why });
            }
            identity::Change::Resolved(key) => {
                self.unpark(&key, true);
                self.advance_asking(&key, true);
            }
            identity::Change::Unanswered(key) => {
                self.drop_parked(&key);
                self.advance_asking(&key, true);
            }
            identity::Change::Left(key) => {
                self.unpark(&key, false);
                self.advance_asking(&key, false);
            }
        }
    }

    fn on_numeric(&mut self, number: u16, params: &[&str], label: Option<&str>) {
        if !(400..600).contains(&number) {
            return;
        }
        if let Some(part) = label.and_then(|label| self.labels.remove(label)) {
            tracing::debug!(number, id = part.id, "the server refused a line of an announcement");
            self.deliveries.failed(part.id, port::Undelivered::Retry);
            self.retract(part.id);
        } else if let [_, target, ..] = params {
            // Unlabelled: whatever is on its way to this target was refused.
            let lane = self.server.mapping.fold(target);
            for class in [Class::Channel, Class::Private] {
                for id in self.deliveries.refused(class, &lane) {
                    self.retract(id);
                }
            }
        }
    }

    fn on_fence(&mut self, token: &str) {
        let Ok(token) = token.parse() else { return };
        self.limiter.answered(token);
        self.deliveries.fenced(token, Instant::now());
        while self.fences.front().is_some_and(|(fence, _)| *fence <= token) {
            if let Some((_, Fence::Settle(key))) = self.fences.pop_front() {
                self.channels.settle(&key);
            }
        }
    }

    /// Tells moderators without waiting for it.
    pub(super) fn tell(&self, incident: Incident) {
        let desk = Arc::clone(&self.context.desk);
        tokio::spawn(async move { desk.incident(incident).await });
    }

    /// How answers to one person are sent here.
    pub(super) fn private_verb(&self) -> Verb {
        match self.context.network.replies {
            ReplyForm::Notice => Verb::Notice,
            ReplyForm::Privmsg => Verb::Privmsg,
        }
    }
}

/// What the tokens of our fences begin with, so that they are told from the connection's own pings.
pub(super) const FENCE_PREFIX: &str = "rk-";
