//! From a message to an answer of the service.
//!
//! Lines of one channel, and of one person in private, are handed in one after the other, so that nobody's vote
//! overtakes their proposal; different places go side by side. A line waits in its lane until it is known who says
//! it. Somebody who sends more than servers let people send is told to slow down. What an answer looks like is in
//! [`super::outbound`].

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use irc::proto::Message;
use tokio::task;
use tokio::time::Instant;

use super::gate;
use super::identity::{Speaks, Who, guest_mask};
use super::lines::{self, Addressed};
use super::message::{Source, source, tag};
use super::names::is_channel;
use super::pages::Shelf;
use super::session::Session;
use super::{ctcp, deliver::Part};
use crate::kernel::display::Document;
use crate::service::clock::Clock;
use crate::service::port::{Account, ForumAddress, Line, Place, Reply, ReplyKind, Sent, Speaker};

/// Most lines that wait in one lane: a pasted program.
const LANE_MAX_LINES: usize = 128;

/// Most lanes with lines in them.
const LANES_MAX_COUNT: usize = 512;

/// Lines that somebody may send at once: more than a server lets through unless it trusts them.
const FLOOD_BURST_LINES: f64 = 40.0;

/// Lines a second after that. Servers let one through.
const FLOOD_LINES_PER_SECOND: f64 = 2.0;

/// Most people whose pace is watched at once.
const FLOOD_PEOPLE_MAX_COUNT: usize = 1024;

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
}

/// The lines of one place.
#[derive(Default)]
pub(super) struct InLane {
    waiting: VecDeque<Heard>,
    /// Whether the service is at work on a line.
    busy: bool,
    /// The nick (folded) that the server is being asked about for the first line.
    asking: Option<String>,
}

/// Watches how fast people send, by folded nick.
#[derive(Default)]
pub(super) struct Floodgate {
    people: HashMap<String, Bucket>,
}

struct Bucket {
    lines: f64,
    at: Instant,
    told: bool,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It is handled.
    Yes,
    /// It is dropped, and its sender should hear so.
    TellNo,
    /// It is dropped, and its sender has heard so.
    No,
}

impl Floodgate {
    /// Whether a line of this person is handled.
    pub(super) fn admit(&mut self, key: &str, now: Instant) -> Admission {
        if self.people.len() >= FLOOD_PEOPLE_MAX_COUNT {
            // Whoever has been silent long enough to start anew need not be remembered.
            self.people.retain(|_, bucket| bucket.level(now) < FLOOD_BURST_LINES);
            if self.people.len() >= FLOOD_PEOPLE_MAX_COUNT {
                self.people.clear();
            }
        }
        let full = Bucket { lines: FLOOD_BURST_LINES, at: now, told: false };
        let bucket = self.people.entry(key.to_owned()).or_insert(full);
        bucket.lines = bucket.level(now);
        bucket.at = now;
        if bucket.lines >= 1.0 {
            bucket.lines -= 1.0;
            // Told again only after a real pause, not at every line that trickles through.
            bucket.told &= bucket.lines < FLOOD_BURST_LINES / 2.0;
            return Admission::Yes;
        }
        if std::mem::replace(&mut bucket.told, true) { Admission::No } else { Admission::TellNo }
    }
}

impl Bucket {
    fn level(&self, now: Instant) -> f64 {
        (self.lines + (now - self.at).as_secs_f64() * FLOOD_LINES_PER_SECOND).min(FLOOD_BURST_LINES)
    }
}

impl Session<'_> {
    /// What a command begins with in a channel.
    pub(super) fn prefix_in(&self, channel: &str) -> &str {
        self.channels.prefix(&self.server.mapping.fold(channel)).unwrap_or(&self.context.network.prefix)
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
        self.lines_heard += 1;
        let msgid = tag(message, "msgid").filter(|id| !id.is_empty()).map(str::to_owned);
        let service = &self.context.service;
        let origin = match &msgid {
            Some(id) => format!("{service}/{id}"),
            None => format!("{service}/{}/{}", self.token, self.lines_heard),
        };
        let speaks = self.people.speaker(message, &from, &self.server, Instant::now());
        self.take(Heard { from, speaks, channel, msgid, origin, line });
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
        if let Some(answer) = self.ctcp.answer(request, Instant::now(), time) {
            self.command(gate::ctcp_reply(&from.nick, &answer, &self.server.mask));
        }
    }

    fn take(&mut self, heard: Heard) {
        if self.leaving.is_some() {
            return;
        }
        let person = self.server.mapping.fold(&heard.from.nick);
        let lane = heard.channel.as_ref().map_or_else(|| person.clone(), |channel| self.server.mapping.fold(channel));
        let full = match self.lanes.get(&lane) {
            Some(lane) => lane.waiting.len() >= LANE_MAX_LINES,
            None => self.lanes.len() >= LANES_MAX_COUNT,
        };
        match self.floodgate.admit(&person, Instant::now()) {
            Admission::Yes if !full => {}
            Admission::No => return,
            Admission::Yes | Admission::TellNo => {
                tracing::debug!(service = self.context.service, lane, "dropped a line of somebody who is too fast");
                return self.say_privately(&heard, "That is too much at once: lines were dropped. Wait a few seconds.");
            }
        }
        self.lanes.entry(lane.clone()).or_default().waiting.push_back(heard);
        self.advance(&lane);
    }

    /// Hands in the next line of a lane, when it is known who says it.
    fn advance(&mut self, name: &str) {
        loop {
            let Some(lane) = self.lanes.get_mut(name) else { return };
            if lane.busy || lane.asking.is_some() {
                return;
            }
            let Some(heard) = lane.waiting.front_mut() else {
                self.lanes.remove(name);
                return;
            };
            let person = self.server.mapping.fold(&heard.from.nick);
            if heard.speaks == Speaks::Ask {
                heard.speaks = self.people.recall(&person, &self.server, Instant::now());
            }
            if heard.speaks == Speaks::Ask {
                lane.asking = Some(person.clone());
                let nick = heard.from.nick.clone();
                return self.ask_about(person, &nick);
            }
            let Some(heard) = lane.waiting.pop_front() else { return };
            if lines::is_more(&heard.line.text) && self.on_more(&heard) {
                continue;
            }
            if let Some(lane) = self.lanes.get_mut(name) {
                lane.busy = true;
            }
            return self.hand_in(name, heard);
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
            from: Speaker { account, nick: heard.from.nick.clone(), operator: false, moderates: Vec::new() },
            place,
            text: heard.line.text.clone(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        };
        let desk = Arc::clone(&self.context.desk);
        let task = self.hearing.spawn(async move { desk.hear(line).await });
        self.heard.insert(task.id(), (lane.to_owned(), heard));
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
        self.answer(&heard, replies);
        let (desk, origin) = (Arc::clone(&self.context.desk), heard.origin);
        tokio::spawn(async move { desk.handed_over(&origin).await });
        if let Some(lane) = self.lanes.get_mut(&lane) {
            lane.busy = false;
        }
        self.advance(&lane);
    }

    /// Goes on with the lanes that waited for the server's word about a nick; `present` is false when the nick
    /// changed hands meanwhile: then nobody knows who said the line, and it is dropped.
    pub(super) fn advance_asking(&mut self, person: &str, present: bool) {
        let names: Vec<String> = self
            .lanes
            .iter()
            .filter(|(_, lane)| lane.asking.as_deref() == Some(person))
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            let Some(lane) = self.lanes.get_mut(&name) else { continue };
            lane.asking = None;
            if present {
                let known = match self.people.recall(person, &self.server, Instant::now()) {
                    Speaks::Ask => Speaks::As(None),
                    known => known,
                };
                if let Some(heard) = lane.waiting.front_mut() {
                    heard.speaks = known;
                }
            } else {
                let mapping = self.server.mapping;
                lane.waiting.retain(|heard| heard.speaks != Speaks::Ask || mapping.fold(&heard.from.nick) != person);
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
        if heard.line.explicit {
            self.say_privately(heard, "There is nothing more to show.");
        }
        heard.line.explicit
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn who_sends_too_fast_is_told_once_and_may_go_on_after_a_pause() {
        let mut gate = Floodgate::default();
        let start = Instant::now();
        let verdicts: Vec<Admission> = (0..60).map(|_| gate.admit("al", start)).collect();
        assert_eq!(verdicts.iter().filter(|verdict| **verdict == Admission::Yes).count(), 40);
        assert_eq!(verdicts.iter().filter(|verdict| **verdict == Admission::TellNo).count(), 1);
        assert_eq!(gate.admit("bob", start), Admission::Yes);
        let later = start + Duration::from_millis(500);
        assert_eq!((gate.admit("al", later), gate.admit("al", later)), (Admission::Yes, Admission::No));
    }

    #[test]
    fn a_pasted_program_passes() {
        let mut gate = Floodgate::default();
        let start = Instant::now();
        for line in 0..300 {
            assert_eq!(gate.admit("al", start + Duration::from_millis(line * 500)), Admission::Yes);
        }
    }

    #[test]
    fn a_crowd_takes_bounded_memory() {
        let mut gate = Floodgate::default();
        let start = Instant::now();
        for n in 0..10_000 {
            gate.admit(&n.to_string(), start);
        }
        assert!(gate.people.len() <= FLOOD_PEOPLE_MAX_COUNT);
    }
}
