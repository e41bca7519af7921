//! What becomes of a line: from the words that were typed to the answers.
//!
//! Here a line finds its room, its speaker a seat, and each command its meaning. A display is shown, an action goes to
//! the room, a moderator's act to the room's frame.

use std::sync::Arc;

use tracing::Instrument as _;

use super::{
    commands::{self, lookup::RoomLookup},
    deciding::Spent,
    deed::{NotDone, Origin},
    fault::Fault,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
    letters::person_id,
    referring::{Reading, designation_of, needs_public, public_near, service},
    speaker::{free_name, unlike_others},
    text_pieces::Piecing,
};
use crate::packed;
use catalogue::{
    self, Catalogue, Command, GrammarError, MESSAGE_MAX_ACTIONS, Problem, RoomUse, See, Spoken, Times, Typed, hint,
};
use kernel::{
    Id, Refusal, Seq,
    deed::Deed,
    display::{Block, Document},
    doer::Doer,
    engine::View,
    frame::Designation,
    viewer::Viewer,
};
use port::{
    ATTACHMENT_MAX_BYTES, Account, Called, LINE_MAX_BYTES, Line, Place, Reply, ReplyKind, Sent, TEXT_CANCEL, TEXT_END,
};
use store::{Standing, StoreError};

/// Most rooms that are looked up which one line names.
const ROOMS_NAMED_MAX_COUNT: usize = 10;

/// The word that asks for the rest of a long answer, on networks with short lines.
const MORE: &str = "more";

impl Hub {
    /// Takes one line in; the answers for its speaker, in order.
    pub async fn hear(&self, line: Line) -> Vec<Reply> {
        // Whatever is logged on the way has the origin, as the entry and its deliveries do.
        let span = tracing::info_span!("line", origin = line.origin.as_str());
        if !self.is_answered() {
            return vec![unanswered("and nothing was done. Say it again in a minute.")];
        }
        let hearing = async {
            let begun = tokio::time::Instant::now();
            let mut replies = match self.hear_line(&line).await {
                Ok(replies) => replies,
                Err(fault) => vec![self.apology(&fault, &line)],
            };
            self.tell_of_inbox(&line, &mut replies).await;
            self.inner.figures.answered(&replies, begun.elapsed());
            replies
        };
        let mut answers = self.inner.charges.answers();
        tokio::select! {
            biased;
            replies = hearing.instrument(span) => replies,
            _ = answers.wait_for(|answers| !*answers) => {
                vec![unanswered("and it is not known whether that was done. Look before you say it again.")]
            }
        }
    }

    async fn hear_line(&self, line: &Line) -> Result<Vec<Reply>, Fault> {
        let hearing = self.hearing(line).await?;
        if hearing.ignored {
            return Ok(Vec::new());
        }
        let reading = Reading::of_line(line, hearing.person);
        let typed = match &line.sent {
            Sent::Called(called) => vec![hearing.called(called).map_err(|why| Box::new(refusal_reply(&why)))],
            Sent::Typed | Sent::Whole => match hearing.read().await? {
                Ok(typed) => typed,
                Err(mut replies) => {
                    self.refer_all(&mut replies, None, &reading);
                    return Ok(replies);
                }
            },
        };
        let several = typed.len() > 1 || typed.iter().flatten().any(|typed| !typed.times.is_once());
        let hearing = Hearing { several, ..hearing };
        let mut replies = Vec::new();
        let mut left = MESSAGE_MAX_ACTIONS;
        let acts = |typed: &Result<Typed, _>| typed.as_ref().is_ok_and(|typed| typed.command.acts_in_game());
        let last_act = typed.iter().rposition(acts);
        for (index, typed) in typed.into_iter().enumerate() {
            let followed = last_act.is_some_and(|last| index < last);
            match typed {
                Ok(typed) => {
                    let room = hearing.room_for(&typed).ok();
                    let mut answers = hearing.obey(typed, (index, followed), &mut left).await;
                    self.refer_all(&mut answers, room.as_ref(), &reading);
                    replies.extend(answers);
                }
                Err(mut refusal) => {
                    self.refer(&mut refusal.document, None, &reading);
                    replies.push(*refusal);
                }
            }
        }
        Ok(replies)
    }

    pub(super) async fn hearing<'h>(&'h self, line: &'h Line) -> Result<Hearing<'h>, Fault> {
        let Standing { person, moderates_all, ignored } = match &line.from.account {
            Some(account) => self.inner.store.standing(account).await?,
            None => Standing::default(),
        };
        let listed = line.from.account.as_ref().is_some_and(|account| self.inner.settings.moderators.contains(account));
        Ok(Hearing {
            hub: self,
            line,
            ignored,
            operator: line.from.operator || listed || moderates_all,
            person,
            several: false,
            spent: Spent::default(),
        })
    }

    /// The rooms that a line names or may mean, where there is more than one game in its channel or a name in it.
    pub(super) fn spoken_in(&self, line: &Line) -> Vec<Spoken> {
        let here = line.place.forum().map(|forum| self.indexed(|index| index.of_forum(&forum.to_string())));
        let mut here: Vec<_> =
            here.unwrap_or_default().into_iter().filter(|room| !room.view().frame().closed).collect();
        let first = here.first().map(|room| (room.view().game(), room.view().commands()));
        if here.iter().all(|room| Some((room.view().game(), room.view().commands())) == first) {
            here.clear();
        }
        let named =
            line.text.split_whitespace().filter_map(|word| word.trim_start_matches(['!', '/']).strip_prefix('@'));
        let named = named.take(ROOMS_NAMED_MAX_COUNT).flat_map(|name| self.indexed(|index| index.of_name(name)));
        let named: Vec<_> = named.filter(|room| here.iter().all(|other| other.id != room.id)).collect();
        let spoken = |(room, here): (Arc<Handle>, bool)| Spoken {
            room: room.name.clone(),
            catalogue: self.catalogue_in(room.view()),
            here,
        };
        here.into_iter()
            .map(|room| (room, true))
            .chain(named.into_iter().map(|room| (room, false)))
            .map(spoken)
            .collect()
    }

    /// Takes a line that belongs to a text which its speaker sends in pieces; nothing when it is a line of its own.
    async fn piece(&self, account: &Account, line: &Line) -> Result<Option<Vec<Reply>>, Fault> {
        let say =
            |kind, text: String| Some(vec![Reply { kind, private: true, document: Document::say(text), file: None }]);
        Ok(match self.inner.pieces.feed(account, &line.place, &line.text, self.inner.clock.now()) {
            Piecing::Ordinary => None,
            Piecing::Held => {
                let mut read = catalogue::parse(&self.hearing(line).await?.catalogue(), &line.text, 0);
                let command = (!read.is_empty()).then(|| read.remove(0)).and_then(|read| match read {
                    Ok(typed) => Some(typed.command),
                    Err(error) => error.command,
                });
                match command.and_then(|command| Some((command, self.inner.pieces.warn(account)?))) {
                    Some((command, head)) => say(
                        ReplyKind::Awaits,
                        format!(
                            "Still collecting the text for “{head}”: that line became part of it, and “{}” was not done. \
                             A line with only “{TEXT_END}” ends the text, “{TEXT_CANCEL}” gives it up.",
                            command.name
                        ),
                    ),
                    None => Some(Vec::new()),
                }
            }
            Piecing::Collected => Some(Vec::new()),
            Piecing::Cancelled => say(ReplyKind::Done, "The text is given up; nothing was sent.".to_owned()),
            Piecing::TooLong(most) => say(
                ReplyKind::Refused,
                format!("The text has more than {most} bytes and is given up; nothing was sent."),
            ),
            Piecing::Whole(head, place, body, reason) => {
                let line = &Line { place, ..line.clone() };
                let hearing = self.hearing(line).await?;
                let mut read = catalogue::parse(&hearing.catalogue(), &head, 1);
                match read.pop() {
                    Some(Ok(mut typed)) => {
                        let param = typed.awaits_text().map(|param| param.name.clone()).unwrap_or_default();
                        let filled = typed.fill(&param, &body);
                        Some(match filled.and_then(|()| typed.because(reason.as_deref())) {
                            Ok(typed) => hearing.obey(typed, (0, false), &mut { MESSAGE_MAX_ACTIONS }).await,
                            Err(error) => vec![refusal_reply(&error.into())],
                        })
                    }
                    Some(Err(error)) => Some(vec![refusal_reply(&error.into())]),
                    None => Some(Vec::new()),
                }
            }
        })
    }

    /// The apology for a fault; its cause goes to the log under the same id.
    fn apology(&self, fault: &Fault, line: &Line) -> Reply {
        let id = hex::encode(self.inner.entropy.bytes::<4>());
        tracing::error!(fault_id = %id, origin = %line.origin, %fault, "a line broke something");
        let text = match fault.passes {
            true => format!("{fault} Say it again in a minute. The bot's operator finds this as fault {id}."),
            false => format!(
                "Something broke inside the bot, and nothing was done. Its operator finds the cause as fault {id}."
            ),
        };
        Reply { kind: ReplyKind::Fault, private: true, document: Document::say(text), file: None }
    }
}

/// What somebody reads whom the database keeps waiting.
fn unanswered(so: &str) -> Reply {
    let document = Document::say(format!("The database does not answer, {so}"));
    Reply { kind: ReplyKind::Fault, private: true, document, file: None }
}

impl Hearing<'_> {
    /// The commands of a text, or the answers to what is none: a part of a longer text, a word for the network's adapter.
    async fn read(&self) -> Result<Result<Vec<Result<Typed, Box<Reply>>>, Vec<Reply>>, Fault> {
        let line = self.line;
        if let Some(account) = &line.from.account
            && let Some(replies) = self.hub.piece(account, line).await?
        {
            return Ok(Err(replies));
        }
        // Where there is more, the network's own adapter has shown it.
        if line.text.trim().eq_ignore_ascii_case(MORE) {
            let document = Document::say("There is nothing more to show.");
            return Ok(Err(vec![Reply { kind: ReplyKind::Shown, private: true, document, file: None }]));
        }
        if line.text.len() > LINE_MAX_BYTES {
            let why = format!("this line has {} bytes, and {LINE_MAX_BYTES} is the most that is read", line.text.len());
            return Ok(Err(vec![refusal_reply(&Refusal::new(why).instead("help"))]));
        }
        let (catalogue, rooms) = (self.catalogue(), self.hub.spoken_in(line));
        let typed = catalogue::parse_among(&catalogue, &rooms, &line.text, line.attachments.len());
        let unread = |error: GrammarError| match self.roomless(&error) {
            Some(refusal) => Box::new(refusal_reply(&refusal)),
            None => {
                let kind = if error.begins_nothing() { ReplyKind::Unknown } else { ReplyKind::Refused };
                Box::new(Reply { kind, ..refusal_reply(&error.into()) })
            }
        };
        Ok(Ok(typed.into_iter().map(|typed| typed.map_err(unread)).collect()))
    }

    /// The commands that make sense where the line was said: those of the rooms in reach.
    pub(super) fn catalogue(&self) -> Arc<Catalogue> {
        self.hub.catalogue_at(&self.line.place, self.person)
    }

    /// A command that came with its values by name, in the words of its room. One that acts or looks in a room is nothing
    /// where there is none, whatever its values are.
    pub(super) fn called(&self, called: &Called) -> Result<Typed, Refusal> {
        let command = self.command(&called.name, called.room.as_deref())?;
        let typed = Typed::from_args(&command, called.args.clone(), called.room.clone())?;
        Ok(typed.because(called.because.as_deref())?)
    }

    /// The command of a name, as its room speaks of it.
    ///
    /// # Errors
    /// Where there is no such command, or no room that it could be about.
    pub(super) fn command(&self, name: &str, room: Option<&str>) -> Result<Arc<Command>, Refusal> {
        let named = |catalogue: &Catalogue| catalogue.get(name).filter(|command| command.name == name).cloned();
        let of_room = || match room {
            Some(room) => {
                let room = self.hub.indexed(|index| index.of_name(room)).into_iter().next()?;
                named(&self.hub.catalogue_in(room.view()))
            }
            None => named(&self.catalogue()),
        };
        // What a room has by its own rules may have the name of a command of another game.
        let command = of_room().or_else(|| named(Catalogue::all()));
        let command = command.ok_or_else(|| Refusal::new("there is no such command any more").instead("help"))?;
        let room = match command.room {
            RoomUse::Needed => self.room_of(&command, room)?,
            RoomUse::Optional | RoomUse::None => return Ok(command),
        };
        Ok(named(&self.hub.catalogue_in(room.view())).unwrap_or(command))
    }

    /// Why a line is no command that only lacks its room: where no room is, those of games are none.
    fn roomless(&self, error: &GrammarError) -> Option<Refusal> {
        let Problem::Unknown { word: Some(word), .. } = &error.problem else { return None };
        let forum = self.line.place.forum()?.to_string();
        let begins = |command: &&Arc<Command>| command.names().any(|name| name.split(' ').next() == Some(word));
        let command = Catalogue::all().commands().iter().find(begins)?;
        let no_room = self.hub.indexed(|index| index.of_forum(&forum)).is_empty();
        self.room_of(command, None).err().filter(|_| no_room)
    }

    /// The entry at which what is done was offered, if somebody took an offer.
    fn offered(&self) -> Option<Seq> {
        match &self.line.sent {
            Sent::Called(called) => called.offered,
            Sent::Typed | Sent::Whole => None,
        }
    }

    /// Does what a command says, as often as it says. It comes with its place in the message, and whether an action
    /// follows it there. How often its message may still ask for something is `left`.
    async fn obey(&self, typed: Typed, (index, followed): (usize, bool), left: &mut u32) -> Vec<Reply> {
        let private = self.is_private(&typed.command);
        let times = match self.how_often(&typed, *left) {
            Ok(times) => times,
            Err(refusal) => {
                self.remember(&refusal);
                return vec![refusal_reply(&refusal)];
            }
        };
        *left -= times;
        let mut replies = Vec::new();
        for time in 0..times {
            let origin = format!("{}#{index}.{time}", self.line.origin);
            match self.obey_once(&typed, origin, followed || time + 1 < times).await {
                Ok(answer) if answer.document.is_empty() && answer.file.is_none() => {}
                Ok(answer) => replies.push(Reply {
                    kind: answer.kind,
                    private: private || answer.private,
                    document: answer.document,
                    file: answer.file,
                }),
                Err(NotDone::HeardBefore) => {}
                Err(NotDone::Refused(refusal)) => {
                    let refusal = self.left_over(&typed, &refusal).await.unwrap_or(refusal);
                    self.remember(&refusal);
                    let mut reply = refusal_reply(&refusal);
                    if let Some(at) = self.offered() {
                        let since = format!("That was offered at entry {at}. See what happened since:");
                        reply.document = reply.document.para(since).with(Block::command("history"));
                    }
                    replies.push(reply);
                }
                Err(NotDone::Broke(fault)) => replies.push(self.hub.apology(&fault, self.line)),
            }
        }
        replies
    }

    /// How often a command is done; what a name stands for its room knows.
    fn how_often(&self, typed: &Typed, left: u32) -> Result<u32, Refusal> {
        let times = match &typed.times {
            Times::Count(count) => *count,
            named => {
                let room = self.room_for(typed)?;
                named.count(&RoomLookup::new(self.hub, Some(&room), Viewer::default()))?
            }
        };
        if times != 1 && typed.command.acts_in_game() {
            self.room_for(typed)?.view().repeats()?;
        }
        if times > left {
            let why = format!("one message holds {MESSAGE_MAX_ACTIONS} actions at most, and this makes more");
            return Err(Refusal::new(why));
        }
        Ok(times)
    }

    async fn obey_once(&self, typed: &Typed, origin: String, followed: bool) -> Result<Answer, NotDone> {
        let mut typed = typed.clone();
        self.keep_secret(&typed)?;
        let command = typed.command.clone();
        let room = match command.room {
            RoomUse::None => None,
            RoomUse::Optional if typed.room.is_none() => self.room_for(&typed).ok(),
            RoomUse::Needed | RoomUse::Optional => Some(self.room_for(&typed)?),
        };
        // Displays, too, are of the room as it is now: one that catches up after an outage is not shown as it was. What
        // moderators do to its time tells itself what that brings about.
        if let Some(handle) = room.as_ref().filter(|_| command.see != See::Moderator) {
            self.hub.catch_up(handle).await;
        }
        if let Some(handle) = &room
            && self.went_on(handle, &origin).await?
        {
            return Err(NotDone::HeardBefore);
        }
        self.as_moderator(&command, room.as_deref()).await?;
        // Nobody types a long text for something that cannot be said here.
        if let Some(handle) = room.as_ref().filter(|_| command.acts_in_game() && typed.awaits_text().is_some()) {
            self.may_act(handle, &typed)?;
        }
        if self.await_text(&typed)? {
            let to = if matches!(self.line.place, Place::Forum(_)) { " to the bot in private" } else { "" };
            let mark = typed.awaits_text().and_then(|param| param.until.first()).map_or(TEXT_END, String::as_str);
            let text = format!(
                "Send the text now{to}, line after line, and end it with a line that holds only “{mark}” (or “{TEXT_CANCEL}”)."
            );
            return Ok(Answer { kind: ReplyKind::Awaits, private: true, ..Answer::done(Document::say(text)) });
        }
        self.fill(&mut typed).await?;
        let viewer = self.viewer(room.as_deref(), &command).await.map_err(NotDone::Broke)?;
        let lookup = RoomLookup::new(self.hub, room.as_deref(), viewer);
        let lookup = match (&room, catalogue::bind::as_of(&typed).map(serde_json::from_value)) {
            (Some(handle), Some(Ok(moment))) => {
                let seq = commands::show::entry_at(self.hub, handle, moment).await?;
                lookup.looking_back(self.hub.as_of(handle, seq).await.map_err(NotDone::Broke)?)
            }
            _ => lookup,
        };
        let invocation = catalogue::bind(&typed, &lookup)?;
        let answer = if command.acts_in_game() {
            let handle = room.as_ref().ok_or_else(|| Refusal::new("say which room, as in @main").instead("rooms"))?;
            self.still_offered(handle, &invocation.to_json()).await?;
            self.act(handle, &typed, invocation.to_json(), (origin, followed)).await
        } else {
            commands::obey(self, room.clone(), &typed, invocation, origin, &lookup.viewer).await
        };
        match room {
            Some(handle) => redacted(answer, &*handle.view()),
            None => answer,
        }
    }

    /// Whether something that this line asks for later has acted in the room. The line is heard again. What comes
    /// before that was done or refused the first time. Now it might go otherwise.
    async fn went_on(&self, handle: &Handle, origin: &str) -> Result<bool, StoreError> {
        if !self.several {
            return Ok(false);
        }
        let now = place_in_line(origin);
        let acted = self.hub.inner.store.origins_of(handle.id, &self.line.origin).await?;
        Ok(acted.iter().any(|origin| place_in_line(origin) > now))
    }

    /// Refuses what was offered when it meant something else: an offer outlives the state that it was made in.
    async fn still_offered(&self, handle: &Handle, invocation: &serde_json::Value) -> Result<(), NotDone> {
        let Some(at) = self.offered() else { return Ok(()) };
        let now = handle.view();
        if at == 0 || at > now.seq() {
            let why = format!("that was not offered in {}, whose last entry is {}", handle.name, now.seq());
            return Err(Refusal::new(why).instead("rooms").into());
        }
        let then = self.hub.as_of(handle, at).await.map_err(NotDone::Broke)?.about(invocation)?;
        let then = then.map(|about| now.frame().redaction(at).text(&about));
        let now = now.about(invocation)?;
        if then == now {
            return Ok(());
        }
        let was = then.unwrap_or_else(|| "something that was not there yet".to_owned());
        let is = now.unwrap_or_else(|| "nothing any more".to_owned());
        Err(Refusal::new(format!("that was offered about {was}; now it would be about {is}")).into())
    }

    /// Takes a player's action to its room, with its origin and whether its message goes on with another.
    pub(super) async fn act(
        &self,
        handle: &Arc<Handle>,
        typed: &Typed,
        invocation: serde_json::Value,
        (origin, followed): (String, bool),
    ) -> Result<Answer, NotDone> {
        let public = self.may_act(handle, typed)?;
        self.spent.within()?;
        let person = self.person().await?;
        if !handle.view().is_free(&invocation) {
            self.not_banned(handle).await?;
        }
        let (command, private) =
            (typed.command.name.clone(), typed.command.private || self.line.place == Place::Private);
        let wanted = typed.args.get("name").filter(|_| typed.command.action == "join").cloned();
        let own = self.own_name();
        let forum: Option<Id> = self.line.place.forum().map(|address| address.to_string().into());
        let deed = |view: &dyn View| {
            let seat = view.frame().seat_of(&person_id(person)).map(|(id, _)| id.clone());
            let name = match (&seat, &wanted) {
                (Some(seat), None) => view.frame().name_of(seat).to_owned(),
                (_, Some(wanted)) => free_name(view, wanted, seat.as_ref())?,
                (None, None) => unlike_others(view, &own),
            };
            Ok(Deed::Act {
                by: Doer { person: person_id(person), name },
                command: command.clone(),
                invocation: invocation.clone(),
                public,
                private,
                forum: forum.clone(),
                followed,
            })
        };
        let said = Some(typed.said.clone());
        let outcome = self
            .hub
            .perform(handle, deed, Origin { id: Some(origin), person: Some(person), said, spent: self.spent.clone() })
            .await?;
        // A reason stands in no announcement, and everybody is to read it. Where it was typed in a channel they have.
        let read = typed.reason.is_none() || self.line.sent == Sent::Typed;
        Ok(if read { self.answered(outcome) } else { Answer::done(outcome.reply) })
    }

    /// Whether an action may be said where it was said, and whether everybody there can read it.
    pub(super) fn may_act(&self, handle: &Handle, typed: &Typed) -> Result<bool, Refusal> {
        let view = handle.view();
        let own = service(&self.line.place, self.line.from.account.as_ref());
        let near = public_near(&*view, own);
        let go = match &near {
            Some(channel) => format!("say it in {channel}"),
            None => "a moderator has to designate a public channel first (⁅forum designate public⁆)".to_owned(),
        };
        if near.is_none() && typed.command.without_forum {
            return Ok(false);
        }
        let place = &self.line.place;
        let designation = designation_of(&*view, place);
        if !needs_public(&*view, &typed.command, place) {
            // What is said aside is shown to the forum by its announcement, unless it is a secret.
            return Ok(designation == Some(Designation::Public) && !typed.holds_secret());
        }
        Err(Refusal::new(match (place.forum(), designation) {
            (Some(_), Some(designation)) => format!(
                "this channel is a {} forum of {}, which carries no actions; {go}",
                designation.word(),
                handle.name
            ),
            (Some(_), None) => format!("this channel belongs to no forum of {}; {go}", handle.name),
            (None, _) => format!("“{}” is done in public; {go}", typed.command.name),
        }))
    }

    /// A secret text in a channel has been read by everybody there: it is not taken, and not repeated.
    fn keep_secret(&self, typed: &Typed) -> Result<(), Refusal> {
        if typed.holds_secret() && matches!(self.line.place, Place::Forum(_)) {
            let why = "others can read this channel, and what stands in it they have read: the bot took nothing of it. Such a \
                       text is sent to the bot in private";
            let refusal = typed.command.instead(Refusal::new(why));
            return Err(match typed.secret_by() {
                Some(rule) => refusal.by(rule),
                None => refusal,
            });
        }
        Ok(())
    }

    /// Whether the text of a command is still to come, line by line.
    fn await_text(&self, typed: &Typed) -> Result<bool, Refusal> {
        let Some(param) = typed.awaits_text() else { return Ok(false) };
        if !self.line.attachments.is_empty() {
            return Ok(false);
        }
        let account = self.account()?;
        let aloud = typed.command.private && matches!(self.line.place, Place::Forum(_));
        if aloud || self.line.sent != Sent::Typed {
            let (name, param) = (&typed.command.name, param.name.to_uppercase());
            let why = match aloud {
                true => {
                    format!("“{name}” is sent to the bot in private, with its {param}: everybody reads this channel")
                }
                false => format!("“{name}” needs {param}"),
            };
            return Err(typed.command.instead(Refusal::new(why)));
        }
        let (place, now) = (self.line.place.clone(), self.hub.inner.clock.now());
        if !self.hub.inner.pieces.begin(account, typed.line(), place, param, now) {
            return Err(Refusal::new("too many people are sending long texts at the moment; try again later"));
        }
        Ok(true)
    }

    /// Puts the contents of an attachment or of a link in the place where the command wants them.
    async fn fill(&self, typed: &mut Typed) -> Result<(), NotDone> {
        if let Some(file) = self.line.attachments.first() {
            let Some(param) = typed.takes_file().map(|param| param.name.clone()) else {
                let why = "a file came with this, and the command takes none beside what was typed";
                return Err(typed.command.instead(Refusal::new(why)).into());
            };
            if file.bytes.len() > ATTACHMENT_MAX_BYTES {
                let why = format!("the file has {} bytes, and {ATTACHMENT_MAX_BYTES} is the most", file.bytes.len());
                return Err(Refusal::new(why).into());
            }
            let text = match packed::unpacked(&file.bytes) {
                Some(rules) => rules?,
                None => String::from_utf8_lossy(&file.bytes).into_owned(),
            };
            typed.fill(&param, &text).map_err(Refusal::from)?;
        }
        if let Some(link) = typed.link() {
            let text = self.hub.inner.settings.fetcher.fetch(&link.url).await?;
            typed.fill(&link.param, &text).map_err(Refusal::from)?;
        }
        Ok(())
    }

    /// Keeps the last refusal of a person for `why`.
    pub(super) fn remember(&self, refusal: &Refusal) {
        if let Some(account) = &self.line.from.account {
            self.hub.inner.refusals.keep(account, refusal);
        }
    }
}

/// An answer without the ids that tell what somebody was called who asked to be forgotten.
fn redacted(answer: Result<Answer, NotDone>, view: &dyn View) -> Result<Answer, NotDone> {
    let redaction = view.frame().redaction_now();
    match answer {
        Ok(mut answer) => {
            redaction.document(&mut answer.document);
            Ok(answer)
        }
        Err(NotDone::Refused(mut refusal)) => {
            refusal.say = redaction.text(&refusal.say);
            Err(NotDone::Refused(refusal))
        }
        Err(other) => Err(other),
    }
}

/// The place of a command in its line, from the origin of what it did: `LINE#INDEX.TIME`, and what may follow.
fn place_in_line(origin: &str) -> Option<(usize, u32)> {
    let (_, place) = origin.rsplit_once('#')?;
    let mut numbers = place.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn refusal_reply(refusal: &Refusal) -> Reply {
    Reply { kind: ReplyKind::Refused, private: true, document: hint::refused(refusal), file: None }
}
