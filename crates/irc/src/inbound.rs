//! Messages from the network: each is handed to the service, which answers it.
//!
//! Lines of one channel, and of one person in private, are handed in one after the other. So nobody's vote overtakes
//! their proposal; different places go side by side. A line waits in its lane until it is known who says it, and until
//! its speaker's share ([`super::person_limit`]) allows it. Others go before it meanwhile. What an answer looks like is in
//! [`super::outbound`].

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use irc_proto::Message;
use tokio::task;
use tokio::time::Instant;

use super::config::{IdentityKind, Unknown};
use super::gate;
use super::identity::{Speaks, Who, guest_mask};
use super::lines::{self, Addressed, By};
use super::message::{Source, source, tag};
use super::names::is_channel;
use super::outbound::To;
use super::pages::Shelf;
use super::session::Session;
use super::{ctcp, deliver::Part};
use kernel::display::Document;
use port::clock::Clock;
use port::{Account, ForumAddress, Line, Place, Reply, ReplyKind, Sent, Speaker};

/// Most lines of answers that wait for one person before another of their lines is taken up: three pages.
const ANSWERS_WAITING_MAX_LINES: usize = 32;

/// Tags by which servers mark messages of bots. Two bots that answer each other never stop.
const BOT_TAGS: [&str; 3] = ["bot", "draft/bot", "inspircd.org/bot"];

/// A line that is meant for the bot.
#[derive(Clone)]
pub(super) struct Heard {
    /// Who says it.
    pub(super) from: Source,
    /// What is known of them; settled when the line is handed in.
    pub(super) speaks: Speaks,
    /// The channel it is said in, by name; `None` in private.
    pub(super) channel: Option<String>,
    /// The server's id of the message.
    pub(super) msgid: Option<String>,
    /// The id under which it acts once.
    pub(super) origin: String,
    /// What it says.
    pub(super) line: Addressed,
    /// Whose share it takes: their account where it was known at once, else their nick (folded).
    pub(super) person: String,
    /// Its number among all lines that came.
    number: u64,
}

/// The lines of one place.
#[derive(Default)]
pub(super) struct InLane {
    /// By person, each in the order in which they came; nobody has none.
    waiting: HashMap<String, VecDeque<Heard>>,
    /// Whether the service is at work on a line.
    busy: bool,
    /// The nick (folded) that the server is being asked about, and the person whose first line waits for that.
    asking: Option<(String, String)>,
}

impl InLane {
    /// Takes out the first line of a person.
    fn pop(&mut self, person: &str) -> Option<Heard> {
        let lines = self.waiting.get_mut(person)?;
        let heard = lines.pop_front();
        if lines.is_empty() {
            self.waiting.remove(person);
        }
        heard
    }
}

impl Session<'_> {
    /// What a command begins with in a channel.
    pub(super) fn prefix_in(&self, channel: &str) -> &str {
        self.channels.prefix(&self.server.mapping.fold(channel)).unwrap_or(&self.context.network.prefix)
    }

    /// What commands begin with in a channel, or in private.
    pub(super) fn prefix_for(&self, channel: Option<&str>) -> &str {
        channel.map_or(&self.context.network.prefix, |channel| self.prefix_in(channel))
    }

    /// A message, to the bot or to a channel, by somebody or by ourselves.
    pub(super) fn on_text(&mut self, message: &Message, target: &str, text: &str, label: Option<&str>) {
        let Some(from) = source(message) else { return };
        if self.server.is_me(&from.nick) {
            return self.on_own_echo(message, text, label);
        }
        if self.is_replay(message) || BOT_TAGS.iter().any(|bot| tag(message, bot).is_some()) {
            return;
        }
        if let Some(request) = ctcp::request(text) {
            return self.on_ctcp(&from, request);
        }
        let nick = &self.server.mask.nick;
        let mapping = self.server.mapping;
        let (channel, line) = if self.server.is_me(target) {
            (None, lines::in_private(text, &self.context.network.prefix, nick, mapping))
        } else if is_channel(target) {
            (Some(target.to_owned()), lines::in_channel(text, self.prefix_in(target), nick, mapping))
        } else {
            return;
        };
        let Some(line) = line else { return };
        let line = lines::in_full(line, &self.context.network.aliases);
        self.lines_heard += 1;
        let msgid = tag(message, "msgid").filter(|id| !id.is_empty()).map(str::to_owned);
        let service = &self.context.service;
        let origin = match &msgid {
            Some(id) => format!("{service}/{id}"),
            None => format!("{service}/{}/{}", self.token, self.lines_heard),
        };
        let speaks = self.people.speaker(message, &from, &self.server, Instant::now());
        let person = match &speaks {
            Speaks::As(Some(account)) => format!("={account}"),
            Speaks::As(None) | Speaks::Ask => mapping.fold(&from.nick),
        };
        self.take(Heard { from, speaks, channel, msgid, origin, line, person, number: self.lines_heard });
    }

    /// Our own line, as the server shows it to everybody: it has taken it.
    pub(super) fn on_own_echo(&mut self, message: &Message, text: &str, label: Option<&str>) {
        if !source(message).is_some_and(|from| self.server.is_me(&from.nick)) {
            return;
        }
        let marked = tag(message, "+rulekeeper/delivery").and_then(|mark| mark.parse::<Part>().ok());
        let labelled = label.and_then(|label| self.labels.get(label).copied());
        if let Some(part) = marked.or(labelled) {
            self.memory.shown.note(part, text);
        }
        self.on_confirmed(label);
    }

    fn on_ctcp(&mut self, from: &Source, request: &str) {
        let time = || format!("{:.0}", Clock::System.now());
        let (who, source) = (self.server.mapping.fold(&from.nick), &self.context.network.source);
        if let Some(answer) = self.ctcp.answer(request, (&who, source), Instant::now(), time) {
            self.command(gate::ctcp_reply(&from.nick, &answer, &self.server.mask));
        }
    }

    fn take(&mut self, heard: Heard) {
        if self.leaving.is_some() {
            return;
        }
        let nick = self.server.mapping.fold(&heard.from.nick);
        let name = heard.channel.as_ref().map_or(nick, |channel| self.server.mapping.fold(channel));
        let to = To::Person(self.who(&heard), heard.from.nick.clone());
        if !self.patience.admit(&heard.person, to, Instant::now()) {
            return;
        }
        let lane = self.lanes.entry(name.clone()).or_default();
        lane.waiting.entry(heard.person.clone()).or_default().push_back(heard);
        self.advance(&name);
    }

    /// Takes up lines whose turn has come, and tells people what became of those that were too many.
    pub(super) fn take_up(&mut self, now: Instant) {
        if self.patience.waiting() > 0 {
            let names: Vec<String> =
                self.lanes.iter().filter(|(_, lane)| !lane.busy).map(|(name, _)| name.clone()).collect();
            for name in names {
                self.advance(&name);
            }
        }
        for person in self.patience.to_be_told(now) {
            if self.queue.has_word(&person) {
                self.patience.tell_later(&person, now);
            } else if let Some((to, lines)) = self.patience.take_unread(&person) {
                let (count, verb) = if lines == 1 { ("1 line", "was") } else { (&*format!("{lines} lines"), "were") };
                let text = format!(
                    "{count} of yours {verb} not read, because too many waited before. Send them again once those are answered."
                );
                self.say_word(&person, &to, text);
            }
        }
        let lines = self.patience.take_crowded_out();
        if lines > 0 {
            tracing::warn!(service = self.context.service, lines, "lines were not read: too many people wait at once");
        }
    }

    /// The person whose line in a lane is taken up now. It is who came first, of those whose share allows it, and
    /// before everybody who has asked for more than that.
    fn next_person(&mut self, name: &str, now: Instant) -> Option<String> {
        let lane = self.lanes.get(name).filter(|lane| !lane.busy && lane.asking.is_none())?;
        let first = |(person, lines): (&String, &VecDeque<Heard>)| {
            let heard = lines.front()?;
            Some((self.patience.is_late(person), heard.number, person.clone(), heard.channel.is_none()))
        };
        let mut people: Vec<(bool, u64, String, bool)> = lane.waiting.iter().filter_map(first).collect();
        people.sort_unstable();
        for (_, _, person, in_private) in people {
            // Whose answers have not left waits for them, so that nothing has to be dropped.
            let room = self.queue.answer_lines(&person).is_some_and(|lines| lines < ANSWERS_WAITING_MAX_LINES);
            if room && self.patience.may(&person, in_private, now) {
                return Some(person);
            }
            if let Some(to) = self.patience.tell_of_waiting(&person) {
                let pace = &self.context.network.person;
                let text = format!(
                    "That is faster than one person is answered here: {} commands at once, then one in {} seconds. The rest \
                     of yours waits and is taken up in order; nobody else waits for it.",
                    pace.burst_commands,
                    f64::from(pace.command_every_ms) / 1000.0
                );
                self.say_word(&person, &to, text);
            }
        }
        None
    }

    /// Hands in the next line of a lane, when it is known who says it.
    fn advance(&mut self, name: &str) {
        let now = Instant::now();
        while let Some(person) = self.next_person(name, now) {
            let Some(lane) = self.lanes.get_mut(name) else { return };
            let Some(heard) = lane.waiting.get_mut(&person).and_then(VecDeque::front_mut) else { return };
            let key = self.server.mapping.fold(&heard.from.nick);
            if heard.speaks == Speaks::Ask {
                heard.speaks = self.people.recall(&key, &self.server, now);
            }
            if heard.speaks == Speaks::Ask {
                let nick = heard.from.nick.clone();
                lane.asking = Some((key.clone(), person));
                return self.ask_about(key, &nick);
            }
            let Some(heard) = lane.pop(&person) else { return };
            self.patience.taken(&person, heard.channel.is_none(), now);
            if lines::is_more(&heard.line.text) && self.on_more(&heard) {
                continue;
            }
            if let Some(lane) = self.lanes.get_mut(name) {
                lane.busy = true;
            }
            return self.hand_in(name, heard);
        }
        if self.lanes.get(name).is_some_and(|lane| lane.waiting.is_empty() && !lane.busy) {
            self.lanes.remove(name);
        }
    }

    fn hand_in(&mut self, lane: &str, heard: Heard) {
        let service = self.context.service.clone();
        let account = match &heard.speaks {
            Speaks::As(Some(id)) => Some(Account { service: service.clone(), id: id.clone() }),
            Speaks::As(None) | Speaks::Ask => None,
        };
        let place = match &heard.channel {
            Some(channel) => Place::Forum(ForumAddress { service, channel: self.server.mapping.fold(channel) }),
            None => Place::Private,
        };
        let line = Line {
            origin: heard.origin.clone(),
            from: Speaker {
                sign_in: account.is_none().then(|| self.sign_in()),
                account,
                nick: heard.from.nick.clone(),
                operator: false,
                moderates: Vec::new(),
            },
            place,
            text: heard.line.text.clone(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        };
        let desk = Arc::clone(&self.context.desk);
        let task = self.hearing.spawn(async move { desk.hear(line).await });
        self.heard.insert(task.id(), (lane.to_owned(), heard));
    }

    /// How somebody gets an account here who has none.
    fn sign_in(&self) -> String {
        match self.context.network.identity {
            IdentityKind::Connection => {
                let join = match self.channels.meeting_place() {
                    Some(channel) => format!("Join {channel}, stay there, and say it again"),
                    None => "Join a channel that I am in, stay there, and say it again; my operator puts me into one"
                        .to_owned(),
                };
                format!(
                    "there are no accounts here, and I know you by your connection while we share a channel. {join}"
                )
            }
            IdentityKind::Services if self.server.has_accounts() => {
                "log in to your services account first, then try again".to_owned()
            }
            IdentityKind::Services => "log in to your services account first, then try again. If this network has no \
                                       accounts, my operator has to set identity = \"connection\" for it"
                .to_owned(),
        }
    }

    /// The service has answered a line.
    pub(super) fn on_answer(&mut self, answer: Result<(task::Id, Vec<Reply>), task::JoinError>) {
        let (id, replies) = match answer {
            Ok((id, replies)) => (id, replies),
            Err(error) => {
                tracing::error!(service = self.context.service, panicked = error.is_panic(), "no answer to a line");
                let apology =
                    Document::say("Something broke while your line was handled. It may or may not have acted.");
                (error.id(), vec![Reply { kind: ReplyKind::Fault, private: true, document: apology, file: None }])
            }
        };
        let Some((lane, heard)) = self.heard.remove(&id) else { return };
        let awaited = replies.iter().any(|reply| reply.kind == ReplyKind::Awaits);
        // The lines of a text are said in private, wherever it was begun, until one of them is answered again.
        if awaited || (heard.channel.is_none() && !replies.is_empty()) {
            self.patience.text(&heard.person, awaited);
        }
        if !self.is_talk(&heard, &replies) {
            self.answer(&heard, replies);
        }
        let (desk, origin) = (Arc::clone(&self.context.desk), heard.origin);
        tokio::spawn(async move { desk.handed_over(&origin).await });
        if let Some(lane) = self.lanes.get_mut(&lane) {
            lane.busy = false;
        }
        self.advance(&lane);
    }

    /// Whether a line was for another bot, where this one leaves alone what it does not know.
    fn is_talk(&self, heard: &Heard, replies: &[Reply]) -> bool {
        self.context.network.unknown == Unknown::Ignore
            && heard.channel.is_some()
            && heard.line.by == By::Prefix
            && !replies.is_empty()
            && replies.iter().all(|reply| reply.kind == ReplyKind::Unknown)
    }

    /// Goes on with the lanes that waited for the server's word about a nick. `present` is false when the nick changed
    /// hands meanwhile. Then nobody knows who said the line, and it is dropped.
    pub(super) fn advance_asking(&mut self, nick: &str, present: bool) {
        let asks = |lane: &InLane| lane.asking.as_ref().is_some_and(|(asked, _)| asked == nick);
        let names: Vec<String> =
            self.lanes.iter().filter(|(_, lane)| asks(lane)).map(|(name, _)| name.clone()).collect();
        for name in names {
            let Some(lane) = self.lanes.get_mut(&name) else { continue };
            let Some((_, person)) = lane.asking.take() else { continue };
            let Some(lines) = lane.waiting.get_mut(&person) else { continue };
            if present {
                let known = match self.people.recall(nick, &self.server, Instant::now()) {
                    Speaks::Ask => Speaks::As(None),
                    known => known,
                };
                if let Some(heard) = lines.front_mut() {
                    heard.speaks = known;
                }
            } else {
                let (before, mapping) = (lines.len(), self.server.mapping);
                lines.retain(|heard| heard.speaks != Speaks::Ask || mapping.fold(&heard.from.nick) != nick);
                self.patience.dropped(&person, before - lines.len());
                if lines.is_empty() {
                    lane.waiting.remove(&person);
                }
            }
            self.advance(&name);
        }
    }

    /// Shows the rest of a text; `false` when nothing is left and the line is the service's business after all.
    fn on_more(&mut self, heard: &Heard) -> bool {
        let reader = Some(self.who(heard));
        let channel = heard.channel.as_ref().map(|channel| self.server.mapping.fold(channel));
        let mut shelves = vec![Shelf { reader: reader.clone(), channel: None }];
        if channel.is_some() {
            shelves.push(Shelf { reader, channel: channel.clone() });
            shelves.push(Shelf { reader: None, channel });
        }
        if self.show_more(heard, &shelves) {
            return true;
        }
        let explicit = heard.line.by != By::Nothing;
        if explicit {
            self.say_privately(heard, "There is nothing more to show.");
        }
        explicit
    }

    /// Whom an answer to this line is for.
    pub(super) fn who(&self, heard: &Heard) -> Who {
        match &heard.speaks {
            Speaks::As(Some(account)) => Who::Account(account.clone()),
            Speaks::As(None) | Speaks::Ask => {
                let userhost = heard.from.userhost().unwrap_or_default();
                Who::Guest(guest_mask(&heard.from.nick, &userhost, &self.server))
            }
        }
    }
}
