//! Whether somebody could do a command at all, asked before they type a long text for it.
//!
//! The act itself judges, and this asks it. The command is decided as if some text stood where the text is still to
//! come, on a copy that is thrown away. A refusal may be about that text, though. So the same is asked as everybody
//! else who sits in the room. What they would all be refused in the same words says nothing of who asks.
//!
//! The same is asked of a line that was refused, without its last words: where it would be done so, they are left over.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    commands::lookup::RoomLookup,
    deed::NotDone,
    fault::Fault,
    hearing::Hearing,
    hub::{Handle, Hub},
    letters::person_id,
    referring::Reading,
};
use catalogue::{self, Catalogue, Command, Kind, Param, RoomUse, See, Typed, hint};
use kernel::{Id, Refusal, clean::quoted, deed::Deed, display::Document, doer::Doer, frame::ClockMode, viewer::Viewer};
use port::{Asker, Line, Sent};

/// What stands where a text is still to come. No program and no proposal reads like it.
const NOT_YET: &str = "[-]+ to be written, not handed in";

/// What stands where a name is still to come.
const UNNAMED: &str = "not-yet-named";

/// How many of those who sit in the room are asked in the place of the actor. It is a search for one who would not be
/// refused like that.
const OTHERS_MAX_COUNT: usize = 100;

/// Most words that are tried as left over at the end of a line.
const LEFT_OVER_MAX_WORDS: usize = 8;

impl Hub {
    /// Why somebody could not do a command, whatever they typed for what it lacks.
    pub async fn could(&self, asker: Asker, command: &str, typed: BTreeMap<String, String>) -> Option<Document> {
        let Asker { from, place, room } = asker;
        let line = Line {
            origin: String::new(),
            from,
            place,
            text: String::new(),
            attachments: Vec::new(),
            sent: Sent::Whole,
        };
        let asked = async {
            let hearing = self.hearing(&line).await?;
            // A law of the room may have a name that is another game's in the program.
            let known = || Catalogue::all().get(command).cloned();
            let Some(command) = hearing.command(command, room.as_deref()).ok().or_else(known) else {
                return Ok(None);
            };
            let asked = room.clone();
            match hearing.barred(&command, typed, room).await {
                Ok(()) | Err(NotDone::HeardBefore) => Ok(None),
                Err(NotDone::Refused(refusal)) => {
                    hearing.remember(&refusal);
                    let mut told = hint::refused(&refusal);
                    let room = hearing.room_of(&command, asked.as_deref()).ok();
                    self.refer(&mut told, room.as_ref(), &Reading::of_line(&line, hearing.person));
                    Ok(Some(told))
                }
                Err(NotDone::Broke(fault)) => Err(fault),
            }
        };
        asked.await.unwrap_or_else(|fault: Fault| {
            // They may try: the act itself is judged again.
            tracing::error!(%fault, "nobody knows whether somebody could do that");
            None
        })
    }
}

impl Hearing<'_> {
    async fn barred(
        &self,
        command: &Arc<Command>,
        mut args: BTreeMap<String, String>,
        named: Option<String>,
    ) -> Result<(), NotDone> {
        self.account()?;
        if self.ignored {
            return Err(Refusal::new("the bot passes over what you say").into());
        }
        let room = match command.room {
            RoomUse::None => None,
            RoomUse::Optional if named.is_none() => self.room_of(command, None).ok(),
            RoomUse::Needed | RoomUse::Optional => Some(self.room_of(command, named.as_deref())?),
        };
        self.as_moderator(command, room.as_deref()).await?;
        let Some(handle) = room.filter(|_| command.acts_in_game()) else { return Ok(()) };
        let lacks = |param: &&Param| command.demands(param, &args) && !args.contains_key(&param.name);
        let lacking = command.params.iter().filter(lacks).filter(|param| !param.comes_later()).map(|param| {
            let text = if param.kind == Kind::Name { UNNAMED } else { NOT_YET };
            (param.name.clone(), text.to_owned())
        });
        let lacking: Vec<_> = lacking.collect();
        args.extend(lacking);
        // What else is wrong with the values is said when the whole is there.
        let Ok(mut typed) = Typed::from_args(command, args, named) else { return Ok(()) };
        while let Some(param) = typed.awaits_text().map(|param| param.name.clone()) {
            if typed.fill(&param, NOT_YET).is_err() {
                return Ok(());
            }
        }
        let public = self.may_act(&handle, &typed)?;
        let lookup = RoomLookup::new(self.hub, Some(&handle), Viewer::default());
        let bound = catalogue::bind(&typed, &lookup).map(|invocation| invocation.to_json());
        if !bound.as_ref().is_ok_and(|invocation| handle.view().is_free(invocation)) {
            self.not_banned(&handle).await?;
        }
        match bound {
            Ok(invocation) => self.judged(&handle, command, &invocation, public).await.map_err(NotDone::from),
            Err(_) => Ok(()),
        }
    }

    /// Refuses what nobody could do for its form: what is no command, has no room, is said in the wrong place, or has values
    /// that mean nothing there.
    pub(super) async fn understood(&self) -> Result<(), NotDone> {
        let (catalogue, rooms) = (self.catalogue(), self.hub.spoken_in(self.line));
        let read = match &self.line.sent {
            Sent::Called(called) => vec![Ok(self.called(called)?)],
            Sent::Typed | Sent::Whole => catalogue::parse_among(&catalogue, &rooms, &self.line.text, 1),
        };
        for typed in read {
            let typed = typed.map_err(Refusal::from)?;
            let room = match typed.command.room {
                RoomUse::None => None,
                RoomUse::Optional if typed.room.is_none() => self.room_for(&typed).ok(),
                RoomUse::Needed | RoomUse::Optional => Some(self.room_for(&typed)?),
            };
            if let Some(handle) = room.as_ref().filter(|_| typed.command.acts_in_game()) {
                self.may_act(handle, &typed)?;
            }
            let viewer = self.viewer(room.as_deref(), &typed.command).await.map_err(NotDone::Broke)?;
            if typed.awaits_text().is_none() {
                catalogue::bind(&typed, &RoomLookup::new(self.hub, room.as_deref(), viewer))?;
            }
        }
        Ok(())
    }

    /// What is said of a command that was refused, where it would be done without its last words: these are left over. They
    /// stand in a value of several words, since others are known to be too many before the room is asked. A rule may refuse
    /// the act for a reason of its own: then its refusal quotes no value that these words end.
    pub(super) async fn left_over(&self, refused: &Typed, why: &Refusal) -> Option<Refusal> {
        let command = &refused.command;
        let typed_as_words = matches!(self.line.sent, Sent::Typed | Sent::Whole) && refused.reason.is_none();
        if !typed_as_words || !command.acts_in_game() || command.is_secret() || command.rest().is_some() {
            return None;
        }
        let handle = self.room_for(refused).ok()?;
        let viewer = self.viewer(Some(&handle), command).await.ok()?;
        let lookup = RoomLookup::new(self.hub, Some(&handle), viewer);
        let public = self.may_act(&handle, refused).ok()?;
        let values = |args: &BTreeMap<String, String>| args.keys().cloned().collect::<Vec<_>>();
        let ways: Vec<_> = refused.readings().map(|typed| values(&typed.args)).collect();
        let (mut found, mut line) = (Vec::new(), refused.said.as_str());
        for _ in 0..LEFT_OVER_MAX_WORDS {
            let Some((before, _)) = line.trim_end().rsplit_once(char::is_whitespace) else { break };
            line = before.trim_end().trim_end_matches([',', '.', '!', ':']);
            let mut read = catalogue::parse_among(&self.catalogue(), &self.hub.spoken_in(self.line), line, 0);
            let Some(Ok(typed)) = read.pop().filter(|_| read.is_empty()) else { continue };
            if typed.command.name != command.name || !ways.contains(&values(&typed.args)) {
                continue;
            }
            let Ok(invocation) = catalogue::bind(&typed, &lookup) else { continue };
            let room = handle.room.lock().await;
            if room.would(self.deed(&handle, command, &invocation.to_json(), public)).is_ok() {
                found.push(line);
            }
        }
        let [line] = found[..] else { return None };
        // What stands behind a bare number may be meant as its unit: without it, the line would be about something else.
        let is_unit = refused.said[line.len()..].starts_with(char::is_whitespace)
            && line.rsplit(char::is_whitespace).next().is_some_and(|last| last.parse::<f64>().is_ok());
        if is_unit {
            return None;
        }
        let words = refused.said[line.len()..].trim_matches(|char: char| char.is_whitespace() || ",.!:".contains(char));
        let ends_a_value = why.say.contains(&format!("{words}”")) && !why.say.contains(&format!("“{words}”"));
        if !ends_a_value && refused.readings().any(|typed| catalogue::bind(&typed, &lookup).is_ok()) {
            return None;
        }
        let shown = quoted(words).unwrap_or_else(|| "something".to_owned());
        Some(Refusal::new(format!("{shown} is left over in “{command}”, and nothing is done")).instead(line))
    }

    /// An act of the speaker's.
    fn deed(&self, handle: &Handle, command: &Command, invocation: &serde_json::Value, public: bool) -> Deed {
        let person = self.person.map_or_else(|| Id::from("p0"), person_id);
        let view = handle.view();
        let seat = view.frame().seat_of(&person).map(|(id, _)| id.clone());
        let name = seat.map_or_else(|| self.own_name(), |seat| view.frame().name_of(&seat).to_owned());
        Deed::Act {
            by: Doer { person, name },
            command: command.name.clone(),
            invocation: invocation.clone(),
            public,
            forum: self.line.place.forum().map(|address| address.to_string().into()),
            followed: false,
            private: self.is_private(command),
        }
    }

    /// Asks the room for the act, as the speaker and, where that is refused, as everybody else.
    async fn judged(
        &self,
        handle: &Handle,
        command: &Command,
        invocation: &serde_json::Value,
        public: bool,
    ) -> Result<(), Refusal> {
        let forum: Option<Id> = self.line.place.forum().map(|address| address.to_string().into());
        let room = handle.room.lock().await;
        let view = room.view();
        let private = self.is_private(command);
        let deed = |by: Doer| Deed::Act {
            by,
            command: command.name.clone(),
            invocation: invocation.clone(),
            public,
            forum: forum.clone(),
            followed: false,
            private,
        };
        // Somebody who was never seen is nobody's number.
        let person = self.person.map_or_else(|| Id::from("p0"), person_id);
        let own = view.frame().seat_of(&person).map(|(id, _)| id.clone());
        let Err(refusal) = room.would(deed(Doer { person, name: self.own_name() })) else { return Ok(()) };
        let stands_still = view.frame().closed || matches!(view.frame().clock, ClockMode::Paused(_));
        let mut others = view.frame().seats.iter().filter(|(id, _)| Some(*id) != own.as_ref()).peekable();
        let alone = others.peek().is_none() && own.is_none() && command.see == See::Seated;
        let otherwise = |seat: &kernel::frame::Seat| {
            let by = Doer { person: seat.person.clone(), name: seat.name.clone() };
            room.would(deed(by)) != Err(refusal.clone())
        };
        if stands_still || alone || others.take(OTHERS_MAX_COUNT).any(|(_, seat)| otherwise(seat)) {
            return Err(refusal);
        }
        Ok(())
    }
}
