//! Who speaks a line, about which room, and as what: player, moderator, reader.
//!
//! All of it is found out before a command is done.

use std::sync::Arc;

use super::{
    commands, deed::NotDone, fault::Fault, hearing::Hearing, hub::Handle, letters::person_id, referring::is_said_in,
};
use catalogue::{Command, RoomUse, See, Typed};
use kernel::names;
use kernel::{Id, Instant, Refusal, engine::View, viewer::Viewer};
use port::{Account, Place};
use store::{PersonId, Scope};

/// Longest name that is made of a nick, in characters, before a number is put behind it to tell it from another.
const NICK_KEPT_CHARS: usize = 24;

/// The one act of moderators that needs no room and is done where somebody keeps order: opening one.
const OPEN: &str = "room_open";

/// Most rooms that somebody is told they moderate.
const OWN_ROOMS_MAX_COUNT: usize = 5;

/// Why no room is found for a command.
enum Lacking {
    /// There is none.
    Room(Refusal),
    /// There are these.
    Which(Vec<String>, Refusal),
}

impl Lacking {
    fn into_refusal(self, command: &Command) -> Refusal {
        match self {
            Self::Room(refusal) => refusal,
            Self::Which(rooms, why) => why.instead(format!("{} {}", command.name, rooms[0])),
        }
    }
}

impl From<Refusal> for Lacking {
    fn from(refusal: Refusal) -> Self {
        Self::Room(refusal)
    }
}

impl Hearing<'_> {
    /// The room that a command is about. It is the one that it names, else the one of the channel, else the only one in
    /// which the speaker sits.
    pub(super) fn room_for(&self, typed: &Typed) -> Result<Arc<Handle>, Refusal> {
        let found = self.rooms_of(&typed.command, typed.room.as_deref());
        found.map_err(|lacking| match lacking {
            // The whole line, with a room before it.
            Lacking::Which(rooms, why) if typed.is_short_line() => why.instead(format!("{} {}", rooms[0], typed.said)),
            lacking => lacking.into_refusal(&typed.command),
        })
    }

    pub(super) fn room_of(&self, command: &Command, named: Option<&str>) -> Result<Arc<Handle>, Refusal> {
        self.rooms_of(command, named).map_err(|lacking| lacking.into_refusal(command))
    }

    fn rooms_of(&self, command: &Command, named: Option<&str>) -> Result<Arc<Handle>, Lacking> {
        if let Some(named) = named {
            let found = self.hub.indexed(|index| index.of_name(named)).into_iter().next();
            let found =
                found.ok_or_else(|| Refusal::new(format!("there is no room called “{named}”")).instead("rooms"))?;
            if !is_said_in(command, &found) {
                let why = format!(
                    "“{command}” is not said in {}: {}",
                    found.name,
                    match command.own {
                        true => "its rules have no such command",
                        false => "another game is played there",
                    }
                );
                return Err(Refusal::new(why).instead("rooms").into());
            }
            return Ok(found);
        }
        let plays = |handle: &Arc<Handle>| is_said_in(command, handle);
        let within = self.hub.rooms_meant(|room| is_said_in(command, room), &self.line.place, self.person);
        match within.as_slice() {
            [one] => Ok(one.clone()),
            [] => {
                let here = self.line.place.forum().is_some();
                let why = if here { "no room is bound to this channel" } else { "there is no room yet" };
                let rooms = self.hub.rooms();
                let open = rooms.iter().find(|handle| plays(handle) && !handle.view().frame().closed);
                let instead = match open {
                    Some(handle) if here && self.operator => format!("forum bind @{} as public", handle.name),
                    None if self.operator && !rooms.iter().any(plays) => "room open GAME NAME".to_owned(),
                    Some(_) | None => "rooms".to_owned(),
                };
                Err(Refusal::new(why).instead(instead).into())
            }
            several => {
                let names: Vec<String> = several.iter().map(|handle| format!("@{}", handle.name)).collect();
                let why = Refusal::new(format!("say which room: {}", names.join(", ")));
                Err(Lacking::Which(names, why))
            }
        }
    }

    /// The name that a seat of the speaker would get.
    pub(super) fn own_name(&self) -> String {
        let kept: String = self.line.from.nick.chars().take(NICK_KEPT_CHARS).collect();
        let own = names::normalise(&kept).ok().filter(|name| !self.hub.inner.called.is_own(name));
        own.unwrap_or_else(|| "player".to_owned())
    }

    /// The speaker's proven account.
    pub(super) fn account(&self) -> Result<&Account, Refusal> {
        self.line.from.account.as_ref().ok_or_else(|| {
            let sign_in =
                self.line.from.sign_in.as_deref().unwrap_or("log in to your services account first, then try again");
            Refusal::new(format!("your network does not say who you are: {sign_in}"))
        })
    }

    /// The speaker as a person, made on first use.
    pub(super) async fn person(&self) -> Result<PersonId, NotDone> {
        let account = self.account()?;
        if let Some(person) = self.person {
            return Ok(person);
        }
        let now = self.hub.inner.clock.now().as_microsecond();
        Ok(self.hub.inner.store.person_for(account, &self.line.from.nick, now).await?.id)
    }

    /// Whether the speaker moderates a room; without one, everywhere.
    pub(super) async fn moderates(&self, room: Option<&Handle>) -> Result<bool, Fault> {
        if self.operator {
            return Ok(true);
        }
        if let Some(handle) = room {
            let view = handle.view();
            let forums = &view.frame().forums;
            let bound = |id: String| forums.get(id.as_str()).is_some_and(|forum| forum.designation().is_some());
            if self.line.from.moderates.iter().any(|forum| bound(forum.to_string())) {
                return Ok(true);
            }
        }
        match (self.person, room) {
            (Some(person), Some(handle)) => {
                Ok(self.hub.inner.store.is_moderator(Scope::Room(handle.id), person).await?)
            }
            _ => Ok(false),
        }
    }

    /// Refuses a moderators' command to who does not moderate what it is about, and says who does.
    pub(super) async fn as_moderator(&self, command: &Command, room: Option<&Handle>) -> Result<(), NotDone> {
        if command.see != See::Moderator
            || command.action == OPEN && self.keeps_order_here()
            || self.moderates(room).await.map_err(NotDone::Broke)?
        {
            return Ok(());
        }
        if room.is_none() {
            return Err(self.of_every_room(command).await.map_err(NotDone::Broke)?.into());
        }
        // A game may have a word for it that players type: of “pause” the one that pauses. Both are one word; what belongs
        // to a group of commands is seldom the same.
        let begins = |help: &str| help.split(' ').next().is_some_and(|word| word.eq_ignore_ascii_case(&command.name));
        let theirs = self
            .hub
            .catalogue_of(room.iter().map(|room| room.view().game()).collect())
            .commands()
            .iter()
            .find(|other| other.acts_in_game() && !other.name.contains(' ') && begins(&other.help))
            .map(|other| other.name.clone());
        let instead = theirs.unwrap_or_else(|| "help".to_owned());
        Err(Refusal::new("only moderators can do that").instead(instead).into())
    }

    /// Why somebody cannot do what concerns every room, although they may moderate one.
    async fn of_every_room(&self, command: &Command) -> Result<Refusal, Fault> {
        let here = match command.action == OPEN {
            true => ", and who keeps order in the channel where it is said",
            false => "",
        };
        let why = format!(
            "only moderators can do that: those of every room, whom the operator lists or one of them makes one \
             (⁅moderator add WHO everywhere⁆){here}"
        );
        let mut own = Vec::new();
        for handle in self.hub.rooms() {
            if own.len() < OWN_ROOMS_MAX_COUNT && self.moderates(Some(&handle)).await? {
                own.push(format!("@{}", handle.name));
            }
        }
        if own.is_empty() {
            return Ok(Refusal::new(why).instead("help"));
        }
        let refusal = Refusal::new(format!("{why}. You moderate {}", own.join(", ")));
        Ok(match command.room {
            RoomUse::Optional => refusal.instead(format!("{} {}", command.name, own[0])),
            RoomUse::None | RoomUse::Needed => refusal.instead("help"),
        })
    }

    /// Whether the speaker keeps order where the line was said.
    pub(super) fn keeps_order_here(&self) -> bool {
        self.line.place.forum().is_some_and(|forum| self.line.from.moderates.contains(forum))
    }

    pub(super) async fn not_banned(&self, handle: &Handle) -> Result<(), NotDone> {
        // Whoever moderates every room could lift it.
        if self.operator {
            return Ok(());
        }
        let now = self.hub.inner.clock.now().as_microsecond();
        match self.hub.inner.store.ban_of(Scope::Room(handle.id), self.account()?, now).await? {
            Some(ban) => Err(Refusal::new(commands::order::banned(&ban)).into()),
            None => Ok(()),
        }
    }

    /// As whom the speaker looks at displays.
    pub(super) async fn viewer(&self, room: Option<&Handle>, command: &Command) -> Result<Viewer, Fault> {
        let seat = match (room, self.person) {
            (Some(handle), Some(person)) => handle.view().frame().seat_of(&person_id(person)).map(|(id, _)| id.clone()),
            _ => None,
        };
        let private = self.is_private(command) || self.line.place == Place::Private;
        let now = room.map_or(Instant::UNIX_EPOCH, |handle| self.hub.moment_of(&*handle.view()));
        let person = self.person.map(person_id);
        Ok(Viewer { person, seat, moderator: self.moderates(room).await?, private, now, ..Viewer::default() })
    }

    /// Whether a command is answered for the speaker's eyes alone, though it was said in a channel.
    pub(super) fn is_private(&self, command: &Command) -> bool {
        command.private || matches!(self.line.place, Place::Aside(_))
    }
}

/// A name for a seat that looks like nobody else's.
pub(super) fn free_name(view: &dyn View, wanted: &str, own: Option<&Id>) -> Result<String, Refusal> {
    let others = view.frame().seats.iter().filter(|(id, _)| Some(*id) != own);
    match others.map(|(_, seat)| seat.name.as_str()).find(|name| names::mistakable(name, wanted)) {
        Some(taken) => {
            Err(Refusal::new(format!("“{wanted}” is, or looks like, the name of {taken}")).instead("join NAME"))
        }
        None => Ok(wanted.to_owned()),
    }
}

/// A name for a seat, made of the nick of who takes it.
pub(super) fn unlike_others(view: &dyn View, base: &str) -> String {
    let numbered = (2_u32..).map(|number| format!("{base}{number}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|name| free_name(view, name, None).is_ok()).unwrap_or_else(|| base.to_owned())
}
