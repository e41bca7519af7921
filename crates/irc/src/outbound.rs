//! Documents for the network: each becomes lines on the wire.
//!
//! Text waits in the queue with the person or channel it is for, and becomes a line only when the limiter gives leave.
//! Then the nick is proven once more. A private text whose reader is gone, or whose nick another person has, is
//! dropped. Private text never goes to a channel, whatever happened in between.

use tokio::time::Instant;

use super::channels::Presence;
use super::deliver::{After, Class, Job, Part};
use super::gate::{self, Unsendable, Verb, WireLine};
use super::identity::{Route, Who};
use super::inbound::Heard;
use super::limiter::Turn;
use super::pages::{self, Page, Shelf};
use super::queue::{Lane, Next};
use super::render;
use super::session::{FENCE_PREFIX, Session};
use kernel::display::Document;
use port::Undelivered;
use port::{Destination, Reply, ReplyKind};

/// Most labels that wait for a confirmation: those of all announcements under way, with room for lost ones.
const LABELS_MAX_COUNT: usize = 1024;

/// Lines that one answer of the server about a nick lets out.
const PROVEN_MAX_LINES: usize = 4;

/// Whom text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum To {
    /// A channel, by name.
    Channel(String),
    /// A person, and the nick under which they were last.
    Person(Who, String),
}

/// One line of text, before it is known where exactly it goes.
#[derive(Clone)]
pub(super) struct Text {
    /// Whose turn it takes.
    lane: Lane,
    to: To,
    verb: Verb,
    text: String,
    /// The message that it answers.
    reply_to: Option<String>,
    /// Which line of an announcement it is.
    part: Option<Part>,
}

/// A line that is next.
pub(super) struct Outgoing {
    line: WireLine,
    /// The line of an announcement that has left with it.
    part: Option<Part>,
}

/// What a fence is for, besides the limiter's window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fence {
    /// Nothing else.
    Window,
    /// Everything that the server says on joining a channel (folded) has come in.
    Settle(String),
}

impl Session<'_> {
    /// Queues a command. One that cannot stand in a line is a fault of ours, or a hostile name: it is logged.
    pub(super) fn command(&mut self, line: Result<WireLine, Unsendable>) {
        match line {
            Ok(line) => {
                if !self.queue.command(line) {
                    tracing::warn!(service = self.context.service, "too many commands wait for the server");
                }
            }
            Err(error) => tracing::warn!(service = self.context.service, %error, "a command was not sent"),
        }
    }

    /// Answers a line. All that goes to one place is one text, with one `more`.
    pub(super) fn answer(&mut self, heard: &Heard, replies: Vec<Reply>) {
        let (mut private, mut public) = (Vec::new(), Vec::new());
        for reply in replies {
            let channel = heard.channel.as_deref().filter(|_| !reply.private);
            let announced = heard.channel.is_some() && reply.kind == ReplyKind::Announced;
            let says_more = !reply.document.told_lines().is_empty();
            let prefix = self.prefix_for(heard.channel.as_deref());
            let lines: Vec<String> =
                render::lines(&reply.without_file(), channel.is_some() && !announced, prefix).all().collect();
            match (announced, channel) {
                // The channel hears it in a moment, with the doer's name. What goes beyond that is for the doer alone.
                (true, _) if lines.len() <= 1 && !says_more => {}
                (true, _) | (false, None) => private.extend(lines),
                (false, Some(_)) => public.extend(lines),
            }
        }
        let reader = Some(self.who(heard));
        if !private.is_empty() {
            self.show(heard, Shelf { reader: reader.clone(), channel: None }, private);
        }
        if let (Some(channel), Some(first)) = (&heard.channel, public.first_mut()) {
            *first = format!("{}: {first}", heard.from.nick);
            let channel = Some(self.server.mapping.fold(channel));
            self.show(heard, Shelf { reader, channel }, public);
        }
    }

    /// Says one sentence to the speaker alone.
    pub(super) fn say_privately(&mut self, heard: &Heard, text: &str) {
        let to = To::Person(self.who(heard), heard.from.nick.clone());
        self.queue_text(&Lane::Answer(heard.person.clone()), &to, vec![text.to_owned()], None);
    }

    /// Tells somebody about their own flood.
    pub(super) fn say_word(&mut self, person: &str, to: &To, text: String) {
        self.queue_text(&Lane::Word(person.to_owned()), to, vec![text], None);
    }

    /// Shows the rest of the most recent of these texts.
    pub(super) fn show_more(&mut self, heard: &Heard, shelves: &[Shelf]) -> bool {
        let most = if heard.channel.is_some() { self.page_lines(false) } else { self.page_lines(true) };
        let Some((shelf, page)) = self.memory.pages.more(shelves, most) else { return false };
        self.show_page(heard, &shelf, page);
        true
    }

    fn show(&mut self, heard: &Heard, shelf: Shelf, lines: Vec<String>) {
        let to = self.addressee(heard, &shelf);
        let most = self.page_lines(shelf.channel.is_none());
        let Ok(lines) = self.wrap(&to, lines) else { return };
        let page = self.memory.pages.show(shelf.clone(), lines, most);
        self.show_page(heard, &shelf, page);
    }

    fn show_page(&mut self, heard: &Heard, shelf: &Shelf, mut page: Page) {
        let to = self.addressee(heard, shelf);
        let hint = pages::hint(&page, &self.ask_for_more(heard.channel.as_deref()), None);
        let mut lines = std::mem::take(&mut page.lines);
        lines.extend(hint);
        self.queue_text(&Lane::Answer(heard.person.clone()), &to, lines, heard.msgid.as_deref());
    }

    fn addressee(&self, heard: &Heard, shelf: &Shelf) -> To {
        match (&shelf.channel, &heard.channel) {
            (Some(_), Some(name)) => To::Channel(name.clone()),
            _ => To::Person(self.who(heard), heard.from.nick.clone()),
        }
    }

    fn page_lines(&self, private: bool) -> usize {
        let pages = &self.context.network.pages;
        if private { pages.private_lines } else { pages.channel_lines }
    }

    fn ask_for_more(&self, channel: Option<&str>) -> String {
        let network = &self.context.network.prefix;
        match channel {
            Some(name) => {
                let prefix = self.channels.prefix(&self.server.mapping.fold(name)).unwrap_or(network);
                format!("{prefix}more")
            }
            None => "more".to_owned(),
        }
    }

    /// Breaks lines so that each fits with this target, whatever the person's nick will be by then.
    fn wrap(&self, to: &To, lines: Vec<String>) -> Result<Vec<String>, Unsendable> {
        let room = self.room(to)?;
        Ok(lines.iter().flat_map(|line| gate::wrap(line, room)).collect())
    }

    /// How many bytes of text a line has room for.
    fn room(&self, to: &To) -> Result<usize, Unsendable> {
        match to {
            To::Channel(name) => gate::room(Verb::Privmsg, name, &self.server.mask),
            To::Person(_, nick) => {
                let longest = "n".repeat(self.server.nick_max_bytes.max(nick.len()));
                gate::room(self.private_verb(), &longest, &self.server.mask)
            }
        }
    }

    /// The people whom an announcement calls, by their nicks as far as they are known.
    fn called(&self, document: &Document) -> Option<String> {
        let nick = |account: &String| match self.people.route(
            &Who::Account(account.clone()),
            "",
            &self.server,
            Instant::now(),
        ) {
            Route::Send(nick) | Route::Ask(nick) => nick,
            Route::Nowhere => account.clone(),
        };
        let nicks: Vec<String> = document.calls.iter().map(nick).collect();
        (!nicks.is_empty()).then(|| nicks.join(", "))
    }

    /// The first page of an announcement, with what may be done about it and how the rest is read.
    fn first_page(&mut self, document: &Document, to: &To, shelf: Shelf) -> Result<Vec<String>, Unsendable> {
        let channel = match to {
            To::Channel(channel) => Some(channel.as_str()),
            To::Person(..) => None,
        };
        let (room, prefix) = (self.room(to)?, self.prefix_for(channel));
        let render::Lines { lead, text, hints, link } = match channel {
            Some(_) => render::announced(document, prefix, room),
            None => render::lines(document, false, prefix),
        };
        let most =
            if channel.is_some() { self.context.network.pages.announcement_lines } else { self.page_lines(true) };
        let (mut lead, mut text) = (lead, text);
        if let (Some(called), Some(first)) = (self.called(document), lead.first_mut().or(text.first_mut())) {
            *first = format!("{called}: {first}");
        }
        let (mut lines, text) = (self.wrap(to, lead)?, self.wrap(to, text)?);
        let led = lines.len();
        lines.extend(text);
        let below = hints.is_some() || link.is_some();
        let mut page = match (led, below) {
            (0, false) => self.memory.pages.show(shelf, lines, most),
            (0, true) => self.memory.pages.cut(shelf, lines, most),
            (led, _) => self.memory.pages.cut(shelf, lines, led.min(most)),
        };
        // Only our own page: what stands in the text may be a player's.
        let rest = pages::hint(&page, &self.ask_for_more(channel), link.as_deref());
        let foot = render::foot(hints.into_iter().chain(rest.or(link)), room);
        page.lines.extend(self.wrap(to, foot)?);
        Ok(page.lines)
    }

    /// Queues lines that belong together. How much waits is bounded by what is taken up ([`super::inbound`]).
    fn queue_text(&mut self, lane: &Lane, to: &To, lines: Vec<String>, reply_to: Option<&str>) {
        let (_, place, verb) = self.place(to);
        let channel = matches!(to, To::Channel(_)).then_some(place);
        let text = |text| Text {
            lane: lane.clone(),
            to: to.clone(),
            verb,
            text,
            reply_to: reply_to.map(str::to_owned),
            part: None,
        };
        self.queue.text(lane, channel, lines.into_iter().map(text));
    }

    /// Where text goes, as refusals of the server will name it, and how it is sent.
    fn place(&self, to: &To) -> (Class, String, Verb) {
        match to {
            To::Channel(name) => (Class::Channel, self.server.mapping.fold(name), Verb::Privmsg),
            To::Person(Who::Account(name) | Who::Guest(name), nick) => {
                let place = if nick.is_empty() { name.clone() } else { self.server.mapping.fold(nick) };
                (Class::Private, place, self.private_verb())
            }
        }
    }

    /// An announcement that the desk wants delivered.
    pub(super) fn on_job(&mut self, job: Job) {
        self.start_delivery(job, None);
    }

    /// Looks again at announcements that wait for their channel or their turn.
    pub(super) fn look_at_waiting(&mut self) {
        for (until, job) in self.deliveries.take_waiting() {
            self.start_delivery(job, until);
        }
    }

    fn start_delivery(&mut self, job: Job, until: Option<Instant>) {
        if job.done.is_closed() {
            return;
        }
        let id = job.delivery.id;
        let (to, shelf) = match &job.delivery.to {
            Destination::Forum(forum) => {
                let key = self.server.mapping.fold(&forum.channel);
                match self.channels.presence(&key) {
                    Presence::In => {}
                    Presence::Soon => return self.deliveries.wait_for_channel(job, until, Instant::now()),
                    Presence::Never(why) => {
                        let _ = job.done.send(Err(Undelivered::Gone(why)));
                        return;
                    }
                }
                (To::Channel(forum.channel.clone()), Shelf { reader: None, channel: Some(key) })
            }
            Destination::Person(account) if self.people.has_ended(&account.id) => {
                let _ = job.done.send(Err(Undelivered::Gone("that connection has ended".to_owned())));
                return;
            }
            Destination::Person(account) => {
                let who = Who::Account(account.id.clone());
                (To::Person(who.clone(), String::new()), Shelf { reader: Some(who), channel: None })
            }
        };
        if !self.deliveries.has_room() {
            return self.deliveries.wait_for_turn(job);
        }
        let (class, place, verb) = self.place(&to);
        let channel = shelf.channel.clone();
        let page = match self.first_page(&job.delivery.document, &to, shelf) {
            Ok(lines) => lines,
            Err(error) => {
                let _ = job.done.send(Err(Undelivered::Gone(error.to_string())));
                return;
            }
        };
        let new = |(index, text): &(usize, String)| !self.memory.shown.has(Part { id, index: *index }, text);
        let lines: Vec<(usize, String)> = page.into_iter().enumerate().filter(new).collect();
        let indices: Vec<usize> = lines.iter().map(|(index, _)| *index).collect();
        let lane = Lane::News(place.clone());
        let text = |(index, text)| Text {
            lane: lane.clone(),
            to: to.clone(),
            verb,
            text,
            reply_to: None,
            part: Some(Part { id, index }),
        };
        self.queue.text(&lane, channel, lines.into_iter().map(text));
        self.deliveries.begin(job, class, place, &indices);
    }

    /// Takes the lines of an announcement out of the queue again.
    pub(super) fn retract(&mut self, id: i64) {
        let other = |part: Option<Part>| part.is_none_or(|part| part.id != id);
        self.queue.retain_text(|text| other(text.part));
        self.spill.retain(|outgoing| other(outgoing.part));
        for texts in self.parked.values_mut() {
            texts.retain(|text| other(text.part));
        }
        self.labels.retain(|_, part| part.id != id);
    }

    /// Sends what may be sent now.
    pub(super) fn send_due(&mut self) {
        self.next_turn = None;
        for bytes in self.wire.take_automatic_bytes() {
            self.limiter.owe(bytes);
        }
        while self.wire.is_idle() {
            if self.limiter.wants_fence() {
                self.fence(Fence::Window);
                continue;
            }
            if self.spill.is_empty() && self.queue.is_empty() {
                return;
            }
            if !self.granted {
                match self.limiter.turn() {
                    Turn::Now => self.granted = true,
                    Turn::Later(wait) => {
                        self.next_turn = Some(Instant::now() + wait);
                        return;
                    }
                    Turn::Unread => return,
                }
            }
            if self.spill.is_empty() {
                let patience = &self.patience;
                if self.queue.is_next_late(|person| patience.is_late(person))
                    && let Some(wait) = self.limiter.late_wait()
                {
                    self.next_turn = Some(Instant::now() + wait);
                    return;
                }
                match self.queue.pop(|person| patience.is_late(person)) {
                    Some(Next::Command(line)) => self.spill.push_back(Outgoing { line, part: None }),
                    Some(Next::Text(text)) => self.resolve(text),
                    None => return,
                }
            }
            if let Some(Outgoing { line, part }) = self.spill.pop_front() {
                self.granted = false;
                self.limiter.sent(line.bytes());
                tracing::trace!(service = self.context.service, ?line, "sent");
                self.wire.send(line);
                if let Some(part) = part
                    && let After::Fence(id) = self.deliveries.sent(part, Instant::now())
                {
                    self.fence_behind(id);
                }
            }
        }
    }

    /// Puts a fence behind the lines of an announcement, which have all left.
    pub(super) fn fence_behind(&mut self, id: i64) {
        let token = self.fence(Fence::Window);
        self.deliveries.fence(id, token);
    }

    /// Puts a fence behind everything that has been handed to the wire. It goes out at once: it is one short line,
    /// and without it a full window would never open again.
    pub(super) fn fence(&mut self, fence: Fence) -> u64 {
        let length = "PING rk-18446744073709551615\r\n".len();
        let token = self.limiter.fence(length);
        if let Ok(line) = gate::command("PING", &[&format!("{FENCE_PREFIX}{token}")]) {
            self.limiter.owe(0);
            self.wire.send(line);
        }
        self.fences.push_back((token, fence));
        token
    }

    /// Makes lines of a text, now that it goes out.
    fn resolve(&mut self, text: Text) {
        let target = match &text.to {
            To::Channel(name) => name.clone(),
            To::Person(who, nick) => match self.people.route(who, nick, &self.server, Instant::now()) {
                Route::Send(nick) => {
                    if let Some(part) = text.part {
                        self.deliveries.routed(part.id, self.server.mapping.fold(&nick));
                    }
                    nick
                }
                Route::Ask(nick) => return self.park(nick, text),
                Route::Nowhere => {
                    tracing::debug!(service = self.context.service, "dropped a private line: its reader is gone");
                    return self.lose(&text);
                }
            },
        };
        let lines = match gate::say(text.verb, &target, &text.text, &self.server.mask) {
            Ok(lines) => lines,
            Err(error) => {
                tracing::warn!(service = self.context.service, %error, "a line was not sent");
                return self.lose(&text);
            }
        };
        let last = lines.len() - 1;
        for (index, line) in lines.into_iter().enumerate() {
            let part = if index == last { text.part } else { None };
            let line = line.tagged(self.tags(&text, part));
            self.spill.push_back(Outgoing { line, part });
        }
    }

    fn tags(&mut self, text: &Text, part: Option<Part>) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        if let Some(part) = part {
            if self.deliveries.by_echo && self.labels.len() < LABELS_MAX_COUNT {
                let label = format!("rk{}", self.next_label);
                self.next_label += 1;
                self.labels.insert(label.clone(), part);
                tags.push(("label".to_owned(), label));
            }
            if self.server.passes_tag("rulekeeper/delivery") {
                tags.push(("+rulekeeper/delivery".to_owned(), part.to_string()));
            }
        }
        if let Some(msgid) = &text.reply_to
            && self.server.passes_tag("draft/reply")
        {
            tags.push(("+draft/reply".to_owned(), msgid.clone()));
        }
        tags
    }

    /// A line of an announcement was confirmed.
    pub(super) fn on_confirmed(&mut self, label: Option<&str>) {
        if let Some(part) = label.and_then(|label| self.labels.remove(label)) {
            self.deliveries.confirmed(part);
        }
    }

    /// A text cannot go out; if it was of an announcement, that has failed.
    fn lose(&mut self, text: &Text) {
        if let Some(part) = text.part {
            self.deliveries.failed(part.id, Undelivered::Retry);
            self.retract(part.id);
        }
    }

    /// Keeps a text until the server has said who has this nick.
    fn park(&mut self, nick: String, text: Text) {
        let key = self.server.mapping.fold(&nick);
        self.parked.entry(key.clone()).or_default().push(text);
        self.ask_about(key, &nick);
    }

    /// Asks the server who has a nick, unless it is being asked.
    pub(super) fn ask_about(&mut self, key: String, nick: &str) {
        if self.people.ask(key, Instant::now()) {
            self.command(gate::command("WHOIS", &[nick]));
        }
    }

    /// Goes on with texts that waited for this nick (folded). With `proven`, the server has just said who has it. The
    /// first few go out next, whatever the pace. A proof that has to wait for its turn is no proof any more.
    pub(super) fn unpark(&mut self, key: &str, proven: bool) {
        let mut texts = self.parked.remove(key).unwrap_or_default();
        let rest = texts.split_off(if proven { texts.len().min(PROVEN_MAX_LINES) } else { 0 });
        for text in rest.into_iter().rev() {
            self.queue.text_back(&text.lane.clone(), text);
        }
        for text in texts {
            self.resolve(text);
        }
    }

    /// Drops texts that waited for this nick (folded): nobody can say who has it.
    pub(super) fn drop_parked(&mut self, key: &str) {
        for text in self.parked.remove(key).into_iter().flatten() {
            self.lose(&text);
        }
    }
}
