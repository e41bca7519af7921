//! What a document tells its reader to do, read by the commands of its room and as of where it is read.
//!
//! Every document that leaves the service passes here. A line that is no command stays as it is.

use std::sync::Arc;

use super::{
    commands::lookup::RoomLookup,
    deed::NotDone,
    hub::{Handle, Hub},
    letters::{forum_address, person_id},
};
use catalogue::{
    Catalogue, Command, RoomUse,
    hint::{self, Form},
};
use kernel::{
    Id,
    display::{Block, Document, Reference},
    engine::View,
    frame::Designation,
    viewer::Viewer,
};
use port::{Account, Delivery, Destination, ForumAddress, Line, Place, Reply, Sent, Speaker};
use store::PersonId;

/// Where a document is read, and by whom.
pub(super) struct Reading<'r> {
    pub(super) place: &'r Place,
    /// The service on which it is read.
    pub(super) service: Option<&'r str>,
    /// Who alone reads it.
    pub(super) person: Option<PersonId>,
}

impl<'r> Reading<'r> {
    /// Where a line was said.
    pub(super) fn of_line(line: &'r Line, person: Option<PersonId>) -> Self {
        Self { place: &line.place, service: service(&line.place, line.from.account.as_ref()), person }
    }
}

/// The service of a place, or of whom it is private to.
pub(super) fn service<'p>(place: &'p Place, account: Option<&'p Account>) -> Option<&'p str> {
    let of_account = account.map(|account| &*account.service);
    place.forum().map(|forum| &*forum.service).or(of_account)
}

/// The public channel of a room that is nearest to a service, as people there call it: one of that service first.
pub(super) fn public_near(view: &dyn View, service: Option<&str>) -> Option<String> {
    let public: Vec<&Id> = view.frame().designated(Designation::Public).collect();
    let channel = |id: &Id| {
        let (of, channel) = id.split_once('/')?;
        // A number is no name that anybody knows it by.
        let is_name = !channel.bytes().all(|byte| byte.is_ascii_digit());
        (service == Some(of)).then(|| if is_name { channel.to_owned() } else { id.to_string() })
    };
    public.iter().find_map(|id| channel(id)).or_else(|| public.first().map(ToString::to_string))
}

/// The channel that a document names to somebody.
fn channel_of(named: &str, place: &Place, from: &Speaker) -> ForumAddress {
    let own = service(place, from.account.as_ref()).unwrap_or_default();
    let (service, channel) = named.split_once('/').unwrap_or((own, named));
    ForumAddress { service: service.to_owned(), channel: channel.to_owned() }
}

/// A channel as a page names it. A number is no name that anybody knows it by.
fn in_words(forum: &ForumAddress) -> String {
    match forum.channel.bytes().all(|byte| byte.is_ascii_digit()) {
        true => forum.service.clone(),
        false => format!("{} ({})", forum.channel, forum.service),
    }
}

/// What a place is to a room; nothing where it is private or none of its forums.
pub(super) fn designation_of(view: &dyn View, place: &Place) -> Option<Designation> {
    view.frame().forums.get(place.forum()?.to_string().as_str())?.designation()
}

/// Whether a command cannot be said in a place, since everybody is to hear of it.
pub(super) fn needs_public(view: &dyn View, command: &Command, place: &Place) -> bool {
    if !command.acts_in_game() || command.private {
        return false;
    }
    match designation_of(view, place) {
        Some(Designation::Public) => false,
        Some(_) => !command.any_forum,
        None => true,
    }
}

/// Whether a command is one in a room: by its game, or by its own rules.
pub(super) fn is_said_in(command: &Command, room: &Handle) -> bool {
    let view = room.view();
    Catalogue::of_game(view.game()).get(&command.name).is_some()
        || view.commands().iter().any(|own| own.name == command.name)
}

impl Hub {
    /// Reads what a document tells its reader to do: in its room, where it is about one.
    pub(super) fn refer(&self, document: &mut Document, room: Option<&Arc<Handle>>, reading: &Reading<'_>) {
        // Most documents tell nothing.
        if document.told_lines().is_empty() {
            return;
        }
        let of_room = room.map(|room| self.catalogue_in(room.view()));
        hint::refer(document, |line| {
            let named = hint::room_before(line).0.and_then(|name| self.elsewhere(&name, line));
            let here = || self.read_in(room?, of_room.as_deref()?, line);
            match named.or_else(here) {
                Some(read) => Some(self.placed(read, room, reading)),
                None => {
                    let read = hint::reference(&self.catalogue_at(reading.place, reading.person), line)?;
                    Some(self.placed(read, None, reading))
                }
            }
        });
    }

    /// The same of all answers to a line.
    pub(super) fn refer_all(&self, replies: &mut [Reply], room: Option<&Arc<Handle>>, reading: &Reading<'_>) {
        replies.iter_mut().for_each(|reply| self.refer(&mut reply.document, room, reading));
    }

    /// An announcement with what it tells its reader to do.
    pub(super) fn referring(&self, mut delivery: Delivery, room: Option<&Arc<Handle>>) -> Delivery {
        let (place, service) = match &delivery.to {
            Destination::Forum(forum) => (Place::Forum(forum.clone()), forum.service.clone()),
            Destination::Person(account) => (Place::Private, account.service.clone()),
        };
        let reading = Reading { place: &place, service: Some(&service), person: None };
        self.refer(&mut delivery.document, room, &reading);
        delivery
    }

    /// Whether its reader can do what a document tells em to, from where e reads it: it is understood, and nothing in its
    /// form refuses it. Whether the rules refuse it then is theirs to say.
    ///
    /// # Errors
    ///
    /// The refusal that the reader would get, or a fault of the store.
    pub async fn follows(&self, from: &Speaker, place: &Place, reference: &Reference) -> Result<(), NotDone> {
        let place = match reference.said_in.as_deref().map(|channel| channel_of(channel, place, from)) {
            Some(forum) => Place::Forum(forum),
            None => place.clone(),
        };
        let line = |text: String, sent: Sent| Line {
            origin: String::new(),
            from: from.clone(),
            place: place.clone(),
            text,
            attachments: Vec::new(),
            sent,
        };
        if !reference.open.is_empty() {
            let line = line(String::new(), Sent::Whole);
            let hearing = self.hearing(&line).await.map_err(NotDone::Broke)?;
            let command = hearing.command(&reference.name, reference.room.as_deref())?;
            return match command.room {
                RoomUse::Needed => Ok(hearing.room_of(&command, reference.room.as_deref()).map(drop)?),
                RoomUse::Optional | RoomUse::None => Ok(()),
            };
        }
        let typed = line(reference.typed().into_owned(), Sent::Whole);
        self.hearing(&typed).await.map_err(NotDone::Broke)?.understood().await?;
        if reference.name != hint::ACT {
            let called = line(String::new(), Sent::Called(hint::called(reference)));
            self.hearing(&called).await.map_err(NotDone::Broke)?.understood().await?;
        }
        Ok(())
    }

    /// Writes out what a document tells its reader to do, for a page: as it is typed in the public channel of its room.
    pub(super) fn write_out(&self, document: &mut Document, room: &Arc<Handle>) {
        let forum = room.view().frame().designated(Designation::Public).next().and_then(|id| forum_address(id));
        let (place, form) = match &forum {
            Some(forum) => (Place::Forum(forum.clone()), self.form_in(forum)),
            None => (Place::Private, Form::Line),
        };
        let service = forum.as_ref().map(|forum| &*forum.service);
        self.refer(document, Some(room), &Reading { place: &place, service, person: None });
        *document = hint::written(document, form);
    }

    /// How commands are typed in a channel.
    fn form_in(&self, forum: &ForumAddress) -> Form<'_> {
        let prefixes = &self.inner.settings.prefixes;
        match prefixes.get(&forum.to_string()).or_else(|| prefixes.get(&forum.service)) {
            Some(Some(prefix)) => Form::Prefixed(prefix),
            Some(None) => Form::Options,
            None => Form::Line,
        }
    }

    /// How somebody takes a seat in a room: what is typed, and in which channel.
    pub(super) fn ways_in(&self, room: &Arc<Handle>) -> Vec<(String, String)> {
        let view = room.view();
        let join = Catalogue::all().group_of(view.game()).map_or("join", |group| &group.join);
        let public: Vec<ForumAddress> =
            view.frame().designated(Designation::Public).filter_map(|id| forum_address(id)).collect();
        let way = |forum: ForumAddress| {
            let mut document = Document::default().with(Block::command(join));
            let place = Place::Forum(forum.clone());
            let reading = Reading { place: &place, service: Some(&forum.service), person: None };
            self.refer(&mut document, Some(room), &reading);
            (hint::told(&document, join, self.form_in(&forum)).0, in_words(&forum))
        };
        public.into_iter().map(way).collect()
    }

    /// What a line is in the room that it names.
    fn elsewhere(&self, named: &str, line: &str) -> Option<Reference> {
        let room = self.indexed(|index| index.of_name(named)).into_iter().next()?;
        self.read_in(&room, &self.catalogue_in(room.view()), line)
    }

    /// What a line is in a room, which knows what its words can mean.
    fn read_in(&self, room: &Arc<Handle>, catalogue: &Catalogue, line: &str) -> Option<Reference> {
        let lookup = RoomLookup::new(self, Some(room), Viewer::default());
        hint::reference_in(catalogue, line, |typed| catalogue::bind(typed, &lookup).is_ok())
    }

    /// A reference with what its reader needs to know of rooms and channels.
    fn placed(&self, mut read: Reference, room: Option<&Arc<Handle>>, reading: &Reading<'_>) -> Reference {
        let named = read.room.as_ref().and_then(|name| self.indexed(|index| index.of_name(name)).into_iter().next());
        let is_named = named.is_some();
        let Some(room) = named.as_ref().or(room) else {
            read.names_room = read.room.is_some();
            return read;
        };
        let catalogue = self.catalogue_in(room.view());
        let Some(command) = catalogue.get(&read.name).filter(|command| command.name == read.name) else {
            // Several lines, of which each finds its own room.
            read.names_room = read.room.is_some();
            return read;
        };
        // A line that names its room may mean another thing in others.
        let meant =
            || match &self.rooms_meant(|of| is_named || is_said_in(command, of), reading.place, reading.person)[..] {
                [only] => only.id == room.id,
                _ => false,
            };
        read.names_room = match command.room {
            RoomUse::None => false,
            // Without a room it is about all of them.
            RoomUse::Optional => read.room.is_some() && !meant(),
            RoomUse::Needed => !meant(),
        };
        if command.room == RoomUse::Needed || read.names_room {
            read.room = Some(room.name.clone());
        }
        if needs_public(&*room.view(), command, reading.place) {
            read.said_in = public_near(&*room.view(), reading.service);
        }
        read
    }

    /// The commands that make sense in a place: those of the rooms in reach.
    pub(super) fn catalogue_at(&self, place: &Place, person: Option<PersonId>) -> Arc<Catalogue> {
        let rooms = match (place.forum(), person) {
            (Some(forum), _) => self.indexed(|index| index.of_forum(&forum.to_string())),
            (None, Some(person)) => self.indexed(|index| index.of_person(&person_id(person))),
            (None, None) => Vec::new(),
        };
        let games = match place.forum() {
            Some(_) => rooms.iter().map(|handle| handle.view().game()).collect(),
            None => self.index().games(),
        };
        self.catalogue_with(games, rooms.iter().map(|room| room.view()))
    }

    /// The rooms of some that a command may be about which names none: those of the channel, else those in which its
    /// speaker sits, else all. Open ones come before closed ones.
    pub(super) fn rooms_meant(
        &self,
        plays: impl Fn(&Handle) -> bool,
        place: &Place,
        person: Option<PersonId>,
    ) -> Vec<Arc<Handle>> {
        let plays = |handle: &Arc<Handle>| plays(handle);
        let mut within: Vec<Arc<Handle>> = match place.forum() {
            Some(forum) => {
                let id = forum.to_string();
                let bound = |handle: &Arc<Handle>| {
                    handle.view().frame().forums.get(id.as_str()).is_some_and(|forum| forum.designation().is_some())
                };
                let rooms = self.indexed(|index| index.of_forum(&id));
                rooms.into_iter().filter(|handle| bound(handle) && plays(handle)).collect()
            }
            None => {
                let seats = person.map(|person| self.indexed(|index| index.of_person(&person_id(person))));
                let seats: Vec<_> = seats.into_iter().flatten().filter(plays).collect();
                if seats.is_empty() { self.rooms().into_iter().filter(plays).collect() } else { seats }
            }
        };
        if within.len() > 1 {
            let open: Vec<_> = within.iter().filter(|handle| !handle.view().frame().closed).cloned().collect();
            if !open.is_empty() {
                within = open;
            }
        }
        within
    }
}
