//! Plays a rehearsal: acts go through the service as an adapter's lines would, and what comes of each is judged before
//! the next one.
//!
//! After an act everything that follows from it happens at once: what is due, and long work unless it is held. An
//! expectation that is not met is told and does not stop the rehearsal.

mod dice;
mod walk;
mod watch;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use self::{dice::Fixed, watch::Secrets};
use super::{
    judge::{Outcome, Wrong, cannot},
    moment::{Moment, start},
    pattern::{Remembered, recall},
    report::{Event, Report, Unmet},
    script::{Act, Expect, FileContent, Item, Place, Reader, RoomLine, Script, Speech, Whereto},
    stage::{Stage, account, address, written},
};
use crate::service::Fault;
use crate::service::hub::Handle;
use crate::service::settings::{Outcomes, Settings};
use catalogue::{
    self, Catalogue,
    hint::{self, Form},
};
use kernel::{
    Instant,
    display::{self, Block},
    frame::Designation,
};
use port::{ATTACHMENT_MAX_BYTES, Attachment, Destination, Line, Place as Spot, ReplyKind, Sent, Speaker};
use store::Store;

/// The name of whoever reads displays without a seat.
const READER: &str = "Reader";

/// How a rehearsal is played.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Outcomes of long work that rehearsals share.
    pub outcomes: Outcomes,
    /// Where it is played, instead of in memory: an empty store of its own.
    pub store: Option<Store>,
    /// The rules of rooms that bring none along and whose game has none by itself.
    pub ruleset: Option<String>,
    /// How far it goes.
    pub extent: Extent,
}

/// How far a rehearsal is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Until something is not as expected: for whoever asks only whether it is met.
    UntilUnmet,
    /// To its last line.
    Whole,
    /// To its last line; then each journal is played again and must come out the same.
    #[default]
    Repeated,
}

/// Plays a rehearsal.
pub async fn play(script: &Script, options: &Options) -> Report {
    let mut player = Player {
        settings: Settings { outcomes: options.outcomes.clone(), ..Settings::default() },
        start: start(),
        store: options.store.clone(),
        stage: None,
        room: None,
        channels: BTreeMap::new(),
        names: BTreeMap::new(),
        moderators: BTreeSet::new(),
        words: Remembered::new(),
        fixed: BTreeMap::new(),
        secrets: Secrets::default(),
        strict: false,
        ruleset: options.ruleset.clone(),
        last: None,
        lines: 0,
        outcome: Outcome::default(),
        report: Report { name: script.name.clone(), title: script.title.clone(), ..Report::default() },
    };
    for (place, item) in &script.items {
        if options.extent == Extent::UntilUnmet && !player.report.unmet.is_empty() {
            return player.report;
        }
        match item {
            Item::Act(act) => {
                player.close();
                player.outcome = Outcome::of(place.clone());
                if let Err(wrong) = player.act(place, act).await {
                    player.unmet(place, wrong);
                }
            }
            Item::Expect(expect) => {
                player.report.expectations += 1;
                if let Err((at, wrong)) = player.expect(place, expect) {
                    player.unmet(&at, wrong);
                }
            }
        }
    }
    player.close();
    player.end(script);
    if options.extent == Extent::Repeated {
        if let Err(wrong) = player.walk_pages().await
            && let Some((place, _)) = script.items.last()
        {
            player.unmet(place, wrong);
        }
        player.repeat(script).await;
    }
    player.report
}

struct Player {
    settings: Settings,
    start: Instant,
    store: Option<Store>,
    stage: Option<Stage>,
    /// The room that lines are about.
    room: Option<String>,
    /// The channel of each room.
    channels: BTreeMap<String, String>,
    /// Names as they were written, by account.
    names: BTreeMap<String, String>,
    moderators: BTreeSet<String>,
    words: Remembered,
    /// The dice of each room.
    fixed: BTreeMap<String, Fixed>,
    secrets: Secrets,
    strict: bool,
    /// The rules of rooms that bring none along.
    ruleset: Option<String>,
    /// What was said last.
    last: Option<Line>,
    /// How many lines were said.
    lines: usize,
    outcome: Outcome,
    report: Report,
}

/// A fault of the service in the place of what was expected.
fn broke(fault: Fault) -> Wrong {
    ("no fault".to_owned(), format!("something broke: {fault}"))
}

impl Player {
    // ---- acts

    async fn act(&mut self, place: &Place, act: &Act) -> Result<(), Wrong> {
        match act {
            Act::At(moment) => self.go(*moment).await,
            Act::Advance(length) => {
                let to = self.now().checked_add(*length).map_err(|_| cannot("time does not reach that far"))?;
                self.go(Moment::Exact(to)).await
            }
            Act::Room(room) => self.open(place, room).await,
            Act::Use(name) => {
                let found = self.stage.as_ref().and_then(|stage| stage.room(name));
                self.room = found.as_ref().map(|_| name.clone());
                let Some(room) = found else { return Err(cannot(format!("there is no room {name}"))) };
                // Somebody may have opened it by a line of their own.
                let view = room.view();
                let public = view.frame().designated(Designation::Public).find_map(|forum| forum.split_once('/'));
                if let Some((_, channel)) = public {
                    self.channels.entry(name.clone()).or_insert_with(|| channel.to_owned());
                }
                Ok(())
            }
            Act::Say(speech) => self.say(place, speech).await,
            Act::Again => match self.last.clone() {
                Some(line) => self.hear(place, line, "the same message, delivered again".to_owned()).await,
                None => Err(cannot("nothing was said yet")),
            },
            Act::Moderator(name) => {
                self.moderators.insert(name.to_lowercase());
                self.did(place, format!("moderator {name}"))
            }
            Act::Dice(line) => {
                let room = self.room.clone().ok_or_else(|| cannot("no room is open whose dice could be fixed"))?;
                self.did(place, format!("dice {}: {:?}", line.label, line.numbers))?;
                self.fixed.entry(room).or_default().fix(line);
                Ok(())
            }
            Act::Show { display, reader } => self.show(place, &format!("show {display}"), reader.as_deref()).await,
            Act::Entry(index) => {
                let last = self.handle()?.view().seq();
                let seq = last.checked_add_signed(index + 1).filter(|seq| (1..=last).contains(seq));
                let seq = seq.ok_or_else(|| cannot(format!("the last entry is {last}")))?;
                self.show(place, &format!("history {seq}"), None).await
            }
            Act::Restart(until) => self.restart(place, *until).await,
            Act::Hold | Act::Release => {
                let held = *act == Act::Hold;
                self.did(place, if held { "hold work" } else { "release work" })?;
                self.stage().await?.hub.hold_work(held);
                self.settle().await
            }
            Act::Mark(name) => {
                let seq = self.handle()?.view().seq();
                self.words.insert(name.clone(), seq.to_string());
                Ok(())
            }
            Act::Secret { text, of } => {
                self.secrets.keep(text, of.as_deref());
                Ok(())
            }
            Act::Public(text) => {
                if self.secrets.publish(text) {
                    Ok(())
                } else {
                    Err(cannot(format!("“{text}” is no secret")))
                }
            }
            Act::Strict(on) => {
                self.strict = *on;
                Ok(())
            }
        }
    }

    async fn go(&mut self, moment: Moment) -> Result<(), Wrong> {
        if self.stage.is_none() {
            self.start = moment.seen_from(self.start);
            self.report.events.push(Event::Time { at: self.start.to_string() });
            return Ok(());
        }
        let to = moment.seen_from(self.now());
        if to < self.now() {
            return Err(cannot(format!("it is {} already", self.now())));
        }
        let mut instants = 0;
        loop {
            let stage = self.stage().await?;
            let Some(due) = stage.next_due(to) else { break };
            if Stage::is_endless(instants) {
                return Err(("an end".to_owned(), format!("something is due again and again, at {due}")));
            }
            instants += 1;
            stage.advance_to(due);
            self.report.events.push(Event::Time { at: due.to_string() });
            self.settle().await?;
        }
        if instants == 0 || self.now() < to {
            self.stage().await?.advance_to(to);
            self.report.events.push(Event::Time { at: to.to_string() });
        }
        self.settle().await
    }

    async fn open(&mut self, place: &Place, room: &RoomLine) -> Result<(), Wrong> {
        self.channels.insert(room.name.clone(), room.channel.clone());
        let mut text = format!("room open {} {} {}", room.game, room.name, room.rest);
        let rules = self.ruleset.clone().filter(|_| room.game == "nomic" && room.rest.is_empty());
        if rules.is_some() {
            text.push_str("sure:yes");
        }
        let mut line = self.line(&room.by, true, Spot::Forum(address(&room.channel)), text);
        line.from.operator = true;
        if let Some(rules) = rules {
            line.attachments.push(Attachment { name: "rules.md".to_owned(), bytes: rules.into_bytes() });
        }
        self.hear(place, line, room.channel.clone()).await?;
        self.room = self.stage().await?.room(&room.name).map(|handle| handle.name.clone());
        Ok(())
    }

    async fn say(&mut self, place: &Place, speech: &Speech) -> Result<(), Wrong> {
        let text = recall(&speech.text, &self.words);
        let own = self.room.as_ref().and_then(|room| self.channels.get(room)).cloned();
        let here = |named: &Option<String>| {
            let channel = named.clone().or_else(|| own.clone());
            channel.ok_or_else(|| cannot("no room is open, and no channel is named"))
        };
        let (text, said) = match &speech.whereto {
            Whereto::Private => (text, Spot::Private),
            Whereto::Usual if self.is_private(&text, speech.files.len()) => (self.in_room(text), Spot::Private),
            Whereto::Usual => (text, Spot::Forum(address(&here(&None)?))),
            Whereto::Channel(named) => (text, Spot::Forum(address(&here(named)?))),
            Whereto::Aside(named) => (text, Spot::Aside(address(&here(named)?))),
        };
        let shown = match &said {
            Spot::Forum(forum) => forum.channel.clone(),
            Spot::Aside(forum) => format!("aside {}", forum.channel),
            Spot::Private => "private".to_owned(),
        };
        let whole = matches!(said, Spot::Aside(_));
        let mut line = self.line(&speech.by, speech.proven, said, text);
        // A slash command is sent off as a whole.
        line.sent = if whole { Sent::Whole } else { Sent::Typed };
        for file in &speech.files {
            let bytes = match &file.content {
                FileContent::Text(text) => text.clone().into_bytes(),
                FileContent::Path(path) => {
                    let unreadable = |why| cannot(format!("{} cannot be read: {why}", path.display()));
                    let length = std::fs::metadata(path).map_err(unreadable)?.len();
                    if length > 2 * ATTACHMENT_MAX_BYTES as u64 {
                        return Err(cannot(format!("{} has {length} bytes", path.display())));
                    }
                    std::fs::read(path).map_err(unreadable)?
                }
            };
            line.attachments.push(Attachment { name: file.name.clone(), bytes });
        }
        self.hear(place, line, shown).await
    }

    /// A command that is said in private, with the room that it is about where there are several.
    fn in_room(&self, text: String) -> String {
        match &self.room {
            Some(room) if self.channels.len() > 1 && !text.contains('@') => format!("@{room} {text}"),
            _ => text,
        }
    }

    /// Whether a command belongs into private.
    fn is_private(&self, text: &str, files: usize) -> bool {
        let catalogue = match (self.handle(), &self.stage) {
            (Ok(handle), Some(stage)) => stage.hub.catalogue_in(handle.view()),
            _ => Arc::new(Catalogue::all().clone()),
        };
        let typed = catalogue::parse(&catalogue, text, files);
        typed.into_iter().flatten().next().is_some_and(|typed| typed.command.private)
    }

    async fn show(&mut self, place: &Place, text: &str, reader: Option<&str>) -> Result<(), Wrong> {
        let text = recall(text, &self.words);
        let text = if reader.is_some() { self.in_room(text) } else { text };
        let (by, said) = match reader {
            Some(reader) => (reader, Spot::Private),
            None => {
                let room = self.room.clone().unwrap_or_default();
                let channel = self.channels.get(&room).ok_or_else(|| cannot("no room is open"))?;
                (READER, Spot::Forum(address(channel)))
            }
        };
        let line = self.line(by, reader.is_some(), said, text);
        self.hear(place, line, if reader.is_some() { "private" } else { "aside" }.to_owned()).await
    }

    fn line(&mut self, by: &str, proven: bool, place: Spot, text: String) -> Line {
        self.lines += 1;
        self.names.entry(by.to_lowercase()).or_insert_with(|| by.to_owned());
        Line {
            origin: format!("line-{}", self.lines),
            from: Speaker {
                account: proven.then(|| account(by)),
                sign_in: None,
                nick: by.to_owned(),
                operator: self.moderators.contains(&by.to_lowercase()),
                moderates: Vec::new(),
            },
            place,
            text,
            attachments: Vec::new(),
            sent: Sent::Typed,
        }
    }

    async fn hear(&mut self, place: &Place, line: Line, shown: String) -> Result<(), Wrong> {
        let (by, private) = (line.from.nick.clone(), !matches!(line.place, Spot::Forum(_)));
        let said = Event::Said { line: place.line, by: by.clone(), place: shown, text: line.text.clone() };
        self.report.events.push(said);
        self.last = Some(line.clone());
        self.fix_dice().await?;
        let replies = self.stage().await?.hear(line.clone()).await;
        for reply in replies {
            self.walk(&reply.document, &line.from, &line.place).await?;
            if reply.kind.is_refusal() {
                self.report.hints.extend(reply.document.blocks.iter().filter_map(Block::commands).map(str::to_owned));
            }
            let lines = display::lines(&hint::written(&reply.document, Form::Line));
            if let Some(secret) = self.secrets.shown_in(&lines, (private || reply.private).then_some(by.as_str())) {
                self.unmet(
                    place,
                    (format!("that nobody sees “{secret}”"), format!("{by} is told: {}", lines.join("\n"))),
                );
            }
            let kind = match reply.kind {
                ReplyKind::Done | ReplyKind::Announced | ReplyKind::Awaits => "done",
                ReplyKind::Refused | ReplyKind::Unknown => "refused",
                ReplyKind::Shown => "shown",
                ReplyKind::Fault => "fault",
            };
            self.outcome.reply(&reply, lines.clone());
            self.report.events.push(Event::Replied { to: by.clone(), kind, private: reply.private, lines });
        }
        self.settle().await
    }

    async fn restart(&mut self, place: &Place, until: Option<Moment>) -> Result<(), Wrong> {
        let until = until.map(|moment| moment.seen_from(self.now()));
        self.did(place, until.map_or_else(|| "restart".to_owned(), |until| format!("down until {until}")))?;
        let stage = self.stage().await?;
        stage.restart(until).await.map_err(broke)?;
        self.settle().await
    }

    // ---- what follows

    /// Lets everything happen that follows from an act, and takes note of it.
    async fn settle(&mut self) -> Result<(), Wrong> {
        self.fix_dice().await?;
        let stage = self.stage().await?;
        stage.settle().await.map_err(broke)?;
        self.collect().await
    }

    async fn collect(&mut self) -> Result<(), Wrong> {
        let stage = self.stage().await?;
        let made = stage.entries().await.map_err(broke)?;
        let deliveries = stage.deliveries().await.map_err(broke)?;
        for made in made {
            let (name, entry) = (made.room.name.clone(), made.entry);
            if self.room.as_deref().is_none_or(|room| room == name) {
                self.outcome.entries += 1;
            }
            let place = self.outcome.act.clone();
            if let Some(place) = &place {
                let text = [entry.json.clone(), entry.said.map(|said| said.text).unwrap_or_default()];
                if let Some(secret) = self.secrets.shown_in(&text, None) {
                    let instead = format!("entry {} of {name} holds it", entry.seq);
                    self.unmet(place, (format!("that no entry holds “{secret}”"), instead));
                }
                for wrong in self.fixed.entry(name.clone()).or_default().drawn(&entry.json) {
                    self.unmet(place, wrong);
                }
            }
            let at = written(entry.at);
            self.report.events.push(Event::Entry { room: name, seq: entry.seq, at, cause: entry.cause });
        }
        self.walk_announced(&deliveries).await?;
        for delivery in deliveries {
            let lines = display::lines(&hint::written(&delivery.document, Form::Line));
            let to = match &delivery.to {
                Destination::Forum(forum) => Reader::Channel(forum.channel.clone()),
                Destination::Person(account) => {
                    Reader::Person(self.names.get(&account.id).cloned().unwrap_or_else(|| account.id.clone()))
                }
            };
            let reader = match &to {
                Reader::Person(name) => Some(name.as_str()),
                Reader::Channel(_) => None,
            };
            if let (Some(secret), Some(place)) = (self.secrets.shown_in(&lines, reader), self.outcome.act.clone()) {
                self.unmet(
                    &place,
                    (format!("that nobody sees “{secret}”"), format!("{to} hears: {}", lines.join("\n"))),
                );
            }
            self.report.events.push(Event::Announced { to: to.to_string(), lines: lines.clone() });
            self.outcome.announced(to, lines);
        }
        Ok(())
    }

    async fn fix_dice(&mut self) -> Result<(), Wrong> {
        for (room, fixed) in &self.fixed {
            if let Some(stage) = &self.stage
                && let Some(handle) = stage.room(room)
                && !fixed.is_unused()
            {
                stage.hub.fix_dice(&handle, fixed.ahead()).await;
            }
        }
        Ok(())
    }

    // ---- expectations

    fn expect(&mut self, place: &Place, expect: &Expect) -> Result<(), (Place, Wrong)> {
        let view = self.handle().map(|handle| handle.view());
        let found = self.outcome.meets(place, expect, &self.words, view)?;
        self.words.extend(found);
        Ok(())
    }

    // ---- the end

    /// Ends the last act: what nobody expected of it is told.
    fn close(&mut self) {
        let Some(place) = self.outcome.act.clone() else { return };
        for wrong in self.outcome.leftover(self.strict) {
            self.unmet(&place, wrong);
        }
    }

    fn end(&mut self, script: &Script) {
        let place = script.items.last().map(|(place, _)| place.clone());
        let place = place.unwrap_or_else(|| Place { file: script.name.as_str().into(), line: 1 });
        let left: Vec<String> = self.fixed.iter().filter_map(|(room, fixed)| fixed.left(room)).collect();
        for left in left {
            self.unmet(&place, ("every number fixed in advance to be drawn".to_owned(), left));
        }
        if script.expectations() == 0 {
            let wrong = ("something to be expected".to_owned(), "the rehearsal would pass whatever happens".to_owned());
            self.unmet(&place, wrong);
        }
    }

    /// Every journal that is played again gives the recorded state.
    async fn repeat(&mut self, script: &Script) {
        let Some(stage) = &self.stage else { return };
        let place = Place { file: script.name.as_str().into(), line: script.items.last().map_or(1, |(at, _)| at.line) };
        let mut found = Vec::new();
        for room in stage.hub.rooms() {
            match stage.hub.repeat(&room).await {
                Ok(otherwise) => found.extend(otherwise),
                Err(why) => found.push(format!("{why:?}")),
            }
        }
        if !found.is_empty() {
            let wrong = ("the journal to come out the same when it is played again".to_owned(), found.join("\n"));
            self.unmet(&place, wrong);
        }
    }

    fn unmet(&mut self, place: &Place, (expected, instead): Wrong) {
        let unmet = Unmet { file: place.file.to_string(), line: place.line, expected, instead };
        self.report.events.push(Event::Unmet(unmet.clone()));
        self.report.unmet.push(unmet);
    }

    fn did(&mut self, place: &Place, what: impl Into<String>) -> Result<(), Wrong> {
        self.report.events.push(Event::Did { line: place.line, what: what.into() });
        Ok(())
    }

    fn now(&self) -> Instant {
        self.stage.as_ref().map_or(self.start, Stage::now)
    }

    async fn stage(&mut self) -> Result<&mut Stage, Wrong> {
        if self.stage.is_none() {
            let store = self.store.take();
            self.stage = Some(Stage::open(self.start, self.settings.clone(), store).await.map_err(broke)?);
        }
        self.stage.as_mut().ok_or_else(|| cannot("the stage is not set"))
    }

    fn handle(&self) -> Result<Arc<Handle>, Wrong> {
        let room = self.room.as_deref().ok_or_else(|| cannot("no room is open"))?;
        let found = self.stage.as_ref().and_then(|stage| stage.room(room));
        found.ok_or_else(|| cannot(format!("there is no room {room}")))
    }
}
