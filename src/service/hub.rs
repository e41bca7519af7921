//! All rooms of this process, and what runs beside them: the scheduler, the arena, the outbox.
//!
//! A room is locked for one deed at a time and never across a joust. A reader takes a view, which is locked only while
//! a pointer is copied. Adapters come through [`Desk`](port::Desk).

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{self, Arc, PoisonError, RwLock, RwLockReadGuard},
};

use futures::StreamExt as _;
use tokio::sync::{Mutex, watch};

use super::{
    arena::Arena,
    deed::{NotDone, Origin, Outcome},
    fault::Fault,
    index::Index,
    journal::{read_table, unopened, unopened_of},
    latest::Latest,
    letters::person_id,
    room::{Parts, Room},
    settings::Settings,
};
use crate::games;
use catalogue::Catalogue;
use kernel::names;
use kernel::{
    Id, Instant, Refusal, Seq,
    deed::{Deed, Moderation},
    display::Document,
    doer::Doer,
    engine::{Context, Table, View},
    frame::ClockMode,
    own_command::OwnCommand,
    time::minute,
    work::Work,
};
use port::{clock::Clock, entropy::Entropy};
use store::{self, NewRoom, PersonId, RoomId, Store};

/// Most rooms that one process holds open: each keeps its state in memory.
pub const OPEN_MAX_ROOMS: usize = 4096;

/// Most due instants that one `/tick` goes through. That is twenty years of Mondays, and a room is not held for longer
/// than it takes to run them.
pub const TICK_MAX_INSTANTS: usize = 1000;

/// Most batches of what is due that go before a deed. Who waits for more is told so, since a room that catches up on
/// years is held for minutes.
const BEFORE_A_DEED_MAX_COUNT: usize = 16;

/// How many rooms are read at once when the program starts: as many as keep the database's readers busy.
const LOADED_AT_ONCE_MAX_ROOMS: usize = 8;

/// How many bytes of the identity of a database go with its announcements: enough to tell those of a few minutes apart.
const SHORT_BYTES: usize = 3;

/// How many people's last refusals are kept.
const REFUSALS_MAX_PEOPLE: usize = 500;

/// How many moderators' last rules are kept: each are as long as rules may be.
const BROUGHT_MAX_PEOPLE: usize = 20;

/// One room of this process.
pub struct Handle {
    /// Its number in the store.
    pub id: RoomId,
    /// Its name.
    pub name: String,
    /// Held for one deed at a time, never across a joust.
    pub(super) room: Mutex<Room>,
    /// The state as it was after the last deed; held only while a pointer is copied.
    view: RwLock<Arc<dyn View>>,
}

impl Handle {
    /// The state as it was after the last deed; cheap, and unmoved by what happens afterwards.
    pub fn view(&self) -> Arc<dyn View> {
        self.view.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn publish(&self, view: Arc<dyn View>) {
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = view;
    }
}

/// All rooms of this process. Cheap to clone.
#[derive(Clone)]
pub struct Hub {
    pub(super) inner: Arc<Inner>,
}

/// The commands of the games that are played somewhere, and whether rooms share that place.
type Catalogues = BTreeMap<Vec<&'static str>, Arc<Catalogue>>;

/// The commands that rooms have by their own rules, each with its game.
type OwnCommands = Vec<(&'static str, Arc<OwnCommand>)>;

/// Catalogues with such commands: what they were made of, and they themselves.
type OwnCatalogues = VecDeque<(Arc<Catalogue>, OwnCommands, Arc<Catalogue>)>;

/// How many of these are kept: those of rooms that are busy at once.
const OWN_CATALOGUES_MAX_COUNT: usize = 64;

/// What all clones share.
pub(super) struct Inner {
    pub(super) store: Store,
    pub(super) clock: Clock,
    /// When it was opened.
    begun: Instant,
    pub(super) entropy: Entropy,
    pub(super) arena: Arc<Arena>,
    pub(super) settings: Settings,
    rooms: RwLock<BTreeMap<RoomId, Arc<Handle>>>,
    /// What they are found by. Held for a look or an entry, never across an await.
    index: RwLock<Index>,
    /// The commands of each set of games, as they were asked for.
    catalogues: RwLock<Catalogues>,
    own_catalogues: sync::Mutex<OwnCatalogues>,
    /// Counts what happened: the scheduler looks again when it moves.
    pub(super) stirred: watch::Sender<u64>,
    /// Counts commits that may have filled the outbox.
    pub(super) posted: watch::Sender<u64>,
    /// Becomes true when the process is to stop.
    pub(super) stopping: watch::Sender<bool>,
    /// The last refusal of each person.
    pub(super) refusals: Latest<Refusal, REFUSALS_MAX_PEOPLE>,
    /// The last room of each moderator whose rules e has been shown, to be opened with a word.
    pub(super) brought: Latest<OpenRoom, BROUGHT_MAX_PEOPLE>,
    /// What adapters are delivering.
    pub(super) outbox: super::delivering::Outbox,
    /// A short form of which database this is; empty where nobody said.
    pub(super) origin: String,
    /// What people were shown of their inboxes, until that has reached them.
    pub(super) shown: super::inbox_shown::Shown,
    /// States of the past that somebody looked at lately.
    pub(super) past: super::past_states::Past,
    /// How rehearsals of proposals went that were played lately.
    pub(super) trials: super::trials::Trials,
    /// What the operator may want to count.
    pub(super) figures: super::figures::Figures,
    /// Who is being reminded of what.
    pub(super) reminders: super::reminders::Reminders,
    /// What moderators were told of lately.
    pub(super) incidents: super::recent_notes::Incidents,
    /// What the bot is called, on every network.
    pub(super) called: Arc<super::bot_names::Called>,
    /// Lines that people are sending in pieces.
    pub(super) pieces: super::text_pieces::Pieces,
    /// What this process is in charge of, and what it wants to be.
    pub(super) charges: Arc<super::charge::Charges>,
    /// Works that other processes play.
    pub(super) elsewhere: super::claimed_elsewhere::Elsewhere,
    /// Whether the clock stands right.
    pub(super) clock_watch: super::clock_jump::ClockWatch,
}

/// What becomes of a deed in a room that is too far behind to catch up before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// It waits.
    Refused,
    /// It is done at once: it stops the catching up.
    Anyway,
}

impl Hub {
    /// Opens all rooms of a store.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or a journal cannot be read.
    pub async fn open(store: Store, clock: Clock, entropy: Entropy, settings: Settings) -> Result<Self, Fault> {
        let identity = store.identity().await?;
        let hub = Self {
            inner: Arc::new(Inner {
                origin: identity.map(|bytes| short(&bytes)).unwrap_or_default(),
                shown: super::inbox_shown::Shown::default(),
                arena: Arena::new(settings.arena_threads, settings.outcomes.clone()),
                store,
                begun: clock.now(),
                clock,
                entropy,
                settings,
                rooms: RwLock::default(),
                index: RwLock::default(),
                catalogues: RwLock::default(),
                own_catalogues: sync::Mutex::default(),
                stirred: watch::Sender::new(0),
                posted: watch::Sender::new(0),
                stopping: watch::Sender::new(false),
                refusals: Latest::default(),
                brought: Latest::default(),
                outbox: super::delivering::Outbox::default(),
                past: super::past_states::Past::default(),
                trials: super::trials::Trials::default(),
                figures: super::figures::Figures::default(),
                reminders: super::reminders::Reminders::default(),
                incidents: super::recent_notes::Incidents::default(),
                called: Arc::default(),
                pieces: super::text_pieces::Pieces::default(),
                charges: Arc::default(),
                elsewhere: super::claimed_elsewhere::Elsewhere::default(),
                clock_watch: super::clock_jump::ClockWatch::default(),
            }),
        };
        let rows = hub.inner.store.rooms().await?.into_iter().filter(|row| row.last_seq > 0);
        let load = |row| {
            let hub = hub.clone();
            // A task of its own, since folding takes a processor.
            tokio::spawn(async move { hub.load(row).await.map(drop) })
        };
        let mut loads = futures::stream::iter(rows.map(load)).buffer_unordered(LOADED_AT_ONCE_MAX_ROOMS);
        while let Some(loaded) = loads.next().await {
            loaded.map_err(|broke| Fault::new(format!("a room was not read: {broke}")))??;
        }
        drop(loads);
        hub.begin_clock_watch().await?;
        for handle in hub.rooms() {
            hub.kick_work(&handle);
        }
        Ok(hub)
    }

    /// The rooms, in the order in which they were opened.
    pub fn rooms(&self) -> Vec<Arc<Handle>> {
        self.inner.rooms.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// A room by its number.
    pub fn room(&self, id: RoomId) -> Option<Arc<Handle>> {
        self.inner.rooms.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// The store, for maintenance.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    /// How many long works this process plays at once.
    pub fn long_works(&self) -> usize {
        self.inner.settings.arena_threads
    }

    /// When this process opened its rooms.
    pub(super) fn begun(&self) -> Instant {
        self.inner.begun
    }

    /// How far the work of a room is, whichever process plays it. Another one says so as often as it renews its claim.
    pub(super) async fn progress(&self, handle: &Handle) -> Option<super::arena::Progress> {
        if let Some(here) = self.inner.arena.progress(handle.id) {
            return Some(here);
        }
        let work = handle.view().work()?;
        if !self.inner.store.is_shared() {
            return None;
        }
        let claimed = self.inner.store.claimed_work(handle.id).await;
        let claimed =
            claimed.inspect_err(|error| tracing::warn!(%error, "it cannot be read how far a work is")).ok().flatten();
        let (name, done, of) = claimed.filter(|(name, ..)| *name == work.id.to_string())?;
        Some(super::arena::Progress { work: name.into(), done, of })
    }

    pub(super) async fn load(&self, row: store::Room) -> Result<Arc<Handle>, Fault> {
        let table = unopened_of(&self.inner.store, &row)?;
        let (id, name) = (row.id, row.name.clone());
        let room = Room::load(row, table, self.parts()).await?;
        Ok(self.seat(id, name, room))
    }

    /// Takes in a room that came into the store by an import.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or there is no such room.
    pub(super) async fn take_in(&self, room: RoomId) -> Result<Arc<Handle>, Fault> {
        let row = self.inner.store.room(room).await?;
        let row = row.ok_or_else(|| Fault::new("a room that was imported is there"))?;
        let handle = self.load(row).await?;
        self.stir(&handle);
        Ok(handle)
    }

    /// What a room works with.
    fn parts(&self) -> Parts {
        let Inner { store, clock, entropy, settings, called, .. } = &*self.inner;
        let (listed, called) = (settings.moderators.clone().into(), called.clone());
        Parts { store: store.clone(), clock: clock.clone(), entropy: entropy.clone(), listed, called }
    }

    fn seat(&self, id: RoomId, name: String, room: Room) -> Arc<Handle> {
        let view = RwLock::new(room.view());
        let handle = Arc::new(Handle { id, name, room: Mutex::new(room), view });
        // Whoever opens a room and whoever notices that there is one may both come here: there is one handle of it.
        let mut rooms = self.inner.rooms.write().unwrap_or_else(PoisonError::into_inner);
        let handle = rooms.entry(id).or_insert(handle).clone();
        drop(rooms);
        self.enter(&handle);
        handle
    }

    /// Opens a new room.
    ///
    /// # Errors
    ///
    /// [`NotDone`] where the name is taken, there is no such game, or the options do not fit it.
    pub async fn open_room(
        &self,
        by: Doer,
        person: PersonId,
        new: OpenRoom,
    ) -> Result<(Arc<Handle>, Document), NotDone> {
        let table = self.unmade(&new).await?;
        let [_, folded_name] = names::keys(&new.name);
        let row = NewRoom {
            name: new.name.clone(),
            folded: folded_name,
            game: new.game.clone(),
            shape: table.shape().to_owned(),
            config: "{}".to_owned(),
            created: self.inner.clock.now().as_microsecond(),
            importing: false,
        };
        let name = new.name.clone();
        let origin =
            Origin { id: new.origin.clone(), person: Some(person), said: new.said.clone(), ..Origin::default() };
        let (room, reply) = Room::create(row, &*table, new.deed(by), origin, self.parts()).await?;
        let id = room.row().id;
        let handle = self.seat(id, name, room);
        self.stir(&handle);
        Ok((handle, reply))
    }

    /// What opening a room would be answered with, and how the room would be. It is thrown away.
    ///
    /// # Errors
    ///
    /// [`NotDone`], as opening it would be.
    pub(super) async fn would_open(&self, by: Doer, new: OpenRoom) -> Result<(Arc<dyn View>, Document), NotDone> {
        let table = self.unmade(&new).await?;
        let step = table.decide(new.deed(by), &Context::bare(self.inner.clock.now()))?;
        Ok((step.after.view(), step.reply))
    }

    /// The unopened state of a room that may be made.
    async fn unmade(&self, new: &OpenRoom) -> Result<Box<dyn Table>, NotDone> {
        let table = games::table(&new.game).ok_or_else(|| {
            let known = games::NAMES.join(", ");
            Refusal::new(format!("there is no game called “{}”; there are: {known}", new.game))
                .instead("room open GAME NAME")
        })?;
        if let Some(taken) = self.rooms().iter().find(|handle| names::confusable(&handle.name, &new.name)) {
            if let Some(origin) = &new.origin
                && self.inner.store.entry_of_origin(taken.id, origin).await?.is_some()
            {
                return Err(NotDone::HeardBefore);
            }
            let open = !taken.view().frame().closed;
            let state = if open { "room" } else { "closed room" };
            let why =
                format!("there is a {state} called {}, and “{}” is, or looks like, the same", taken.name, new.name);
            let instead = if open { format!("forum bind @{} as public", taken.name) } else { "room list".to_owned() };
            return Err(Refusal::new(why).instead(instead).into());
        }
        self.in_time(new.clock)?;
        if self.rooms().len() >= OPEN_MAX_ROOMS {
            return Err(Refusal::new(format!("this bot holds {OPEN_MAX_ROOMS} rooms, and no more")).into());
        }
        Ok(table)
    }

    /// Does a deed in a room, after everything that is due before it.
    ///
    /// # Errors
    ///
    /// [`NotDone`]; then nothing happened.
    pub async fn perform(
        &self,
        handle: &Arc<Handle>,
        deed: impl FnMut(&dyn View) -> Result<Deed, Refusal> + Send,
        origin: Origin,
    ) -> Result<Outcome, NotDone> {
        self.perform_behind(handle, deed, origin, Behind::Refused).await
    }

    /// The same, with what becomes of it in a room that has very much to catch up on.
    ///
    /// # Errors
    ///
    /// As [`Self::perform`].
    pub(super) async fn perform_behind(
        &self,
        handle: &Arc<Handle>,
        deed: impl FnMut(&dyn View) -> Result<Deed, Refusal> + Send,
        origin: Origin,
        behind: Behind,
    ) -> Result<Outcome, NotDone> {
        let mut room = handle.room.lock().await;
        self.in_time(room.view().frame().clock)?;
        for batch in 1.. {
            // A fault there is no answer to a deed, which finds itself whether the store is there.
            match room.run_due().await {
                Ok(0) => break,
                Ok(_) => handle.publish(room.view()),
                Err(fault) => {
                    left_undone(handle, &fault);
                    break;
                }
            }
            if batch < BEFORE_A_DEED_MAX_COUNT {
                continue;
            }
            if behind == Behind::Anyway {
                break;
            }
            let at = minute(room.view().at());
            drop(room);
            self.stir(handle);
            let why = format!("this room still catches up on what it missed, and is at {at}; try again in a moment");
            return Err(Refusal::new(why).into());
        }
        let outcome = room.perform(deed, origin).await;
        handle.publish(room.view());
        drop(room);
        self.stir(handle);
        outcome
    }

    /// Runs what is due by now in a room; how many entries that made.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn run_due(&self, handle: &Arc<Handle>) -> Result<usize, Fault> {
        let mut total = 0;
        loop {
            // The lock is given up between batches, so that players get a word in while a room catches up.
            let count = self.run_batch(handle).await?;
            if count == 0 {
                break;
            }
            total += count;
        }
        Ok(total)
    }

    /// Runs so much of what is due by now in a room as one transaction holds; how many entries that made. Nothing while
    /// the clock does not stand right.
    pub(super) async fn run_batch(&self, handle: &Arc<Handle>) -> Result<usize, Fault> {
        let mut room = handle.room.lock().await;
        if self.in_time(room.view().frame().clock).is_err() {
            return Ok(0);
        }
        let count = room.run_due().await?;
        handle.publish(room.view());
        drop(room);
        if count == 0 {
            self.enter(handle);
        } else {
            self.stir(handle);
        }
        Ok(count)
    }

    /// Runs what is due by now in a room that is behind, so much of it as somebody can wait for. Where that fails, the
    /// room is shown as it is.
    pub(super) async fn catch_up(&self, handle: &Arc<Handle>) {
        if !self.index().due_by(self.inner.clock.now()).contains(&handle.id) {
            return;
        }
        for _ in 0..BEFORE_A_DEED_MAX_COUNT {
            match self.run_batch(handle).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(fault) => {
                    left_undone(handle, &fault);
                    break;
                }
            }
        }
    }

    /// Moves the hands of a manual room's clock to an instant, instant by instant through what is due, and no further
    /// than [`TICK_MAX_INSTANTS`] of them.
    ///
    /// # Errors
    ///
    /// [`NotDone`] where its clock is not moved by hand, or stands later already.
    pub async fn move_hands(
        &self,
        handle: &Arc<Handle>,
        by: Doer,
        to: Instant,
        origin: Origin,
    ) -> Result<Outcome, NotDone> {
        match handle.view().frame().clock {
            ClockMode::Manual(_) => {}
            ClockMode::Paused(since) => {
                return Err(Refusal::new(format!("this room is paused since {}", minute(since)))
                    .instead("resume")
                    .into());
            }
            ClockMode::Live => {
                let why = "this room's time passes by itself; only a clock that is moved by hand can be set";
                return Err(Refusal::new(why).instead("tick").into());
            }
        }
        let mut to = to;
        let mut due = handle.view().next_due();
        for count in 1.. {
            let Some(next) = due.filter(|due| due.at <= to) else { break };
            if count > TICK_MAX_INSTANTS {
                to = handle.view().at();
                break;
            }
            let hands = Moderation::Clock { mode: ClockMode::Manual(next.at.max(handle.view().at())), reason: None };
            let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: hands.clone() });
            if next.at > handle.view().at() {
                self.perform(handle, deed, Origin { id: None, ..origin.clone() }).await?;
            }
            self.run_due(handle).await.map_err(NotDone::Broke)?;
            self.finish_work(handle).await;
            due = handle.view().next_due();
        }
        let hands = Moderation::Clock { mode: ClockMode::Manual(to), reason: None };
        self.perform(handle, |_| Ok(Deed::Moderate { by: by.clone(), act: hands.clone() }), origin).await
    }

    /// The moment at which somebody who looks at a state now looks at it, by the room's clock: in a closed room no time
    /// passes.
    pub(super) fn moment_of(&self, view: &dyn View) -> Instant {
        if view.frame().closed { view.at() } else { view.time(self.inner.clock.now()) }
    }

    /// The state of a room after an entry.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn as_of(&self, handle: &Handle, seq: Seq) -> Result<Arc<dyn View>, Fault> {
        let now = handle.view();
        if seq >= now.seq() {
            return Ok(now);
        }
        let unopened = unopened(&*now)?;
        if let Some(view) = self.inner.past.get(handle.id, seq) {
            return Ok(view);
        }
        let _turn = self.inner.past.turn().await?;
        if let Some(view) = self.inner.past.get(handle.id, seq) {
            return Ok(view);
        }
        let view = read_table(&self.inner.store, handle.id, unopened, Some(seq)).await?.view();
        self.inner.past.keep(handle.id, seq, view.clone());
        Ok(view)
    }

    /// Lets long work wait until it is said to go on, as if it took that long: rehearsals only.
    pub fn hold_work(&self, on: bool) {
        self.inner.arena.hold(on);
    }

    /// Fixes numbers that a room's dice will show, in the place of those fixed before: rehearsals only.
    pub async fn fix_dice(&self, handle: &Handle, numbers: Vec<(String, u64)>) {
        handle.room.lock().await.fix_dice(numbers);
    }

    /// Takes note that a room changed.
    pub(super) fn stir(&self, handle: &Arc<Handle>) {
        self.enter(handle);
        self.publish_standing(handle);
        self.inner.posted.send_modify(|count| *count += 1);
        self.inner.stirred.send_modify(|count| *count += 1);
        if handle.view().frame().closed {
            self.inner.arena.cancel(handle.id);
        }
        self.kick_work(handle);
    }

    /// Enters a room as it is now into the index, and tells adapters where its channels changed.
    fn enter(&self, handle: &Handle) {
        // The view is taken under the lock: of two who enter a room, the later one enters the later state.
        let mut index = self.inner.index.write().unwrap_or_else(PoisonError::into_inner);
        let moved = index.enter(handle.id, &handle.name, &*handle.view());
        drop(index);
        if moved {
            self.publish_forums();
        }
    }

    /// What rooms are found by.
    pub(super) fn index(&self) -> RwLockReadGuard<'_, Index> {
        self.inner.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rooms that are found in the index.
    pub(super) fn indexed(&self, find: impl FnOnce(&Index) -> Vec<RoomId>) -> Vec<Arc<Handle>> {
        let found = find(&self.index());
        found.into_iter().filter_map(|room| self.room(room)).collect()
    }

    /// The commands that make sense where these games are played; all where none is.
    pub(super) fn catalogue_of(&self, mut games: Vec<&'static str>) -> Arc<Catalogue> {
        if games.is_empty() {
            games = games::NAMES.to_vec();
        }
        games.sort_unstable();
        games.dedup();
        let kept = self.inner.catalogues.read().unwrap_or_else(PoisonError::into_inner).get(&games).cloned();
        kept.unwrap_or_else(|| {
            let made = Arc::new(Catalogue::all().for_games(&games));
            let mut kept = self.inner.catalogues.write().unwrap_or_else(PoisonError::into_inner);
            kept.entry(games).or_insert(made).clone()
        })
    }

    /// The same with the commands that rooms have by their own rules.
    pub(super) fn catalogue_with(
        &self,
        games: Vec<&'static str>,
        rooms: impl IntoIterator<Item = Arc<dyn View>>,
    ) -> Arc<Catalogue> {
        let open = rooms.into_iter().filter(|view| !view.frame().closed);
        let own = open.flat_map(|view| view.commands().into_iter().map(move |own| (view.game(), own)));
        let (own, base): (Vec<_>, _) = (own.collect(), self.catalogue_of(games));
        if own.is_empty() {
            return base;
        }
        let known =
            |(of, with, _): &&(Arc<Catalogue>, OwnCommands, Arc<Catalogue>)| Arc::ptr_eq(of, &base) && *with == own;
        let mut kept = self.inner.own_catalogues.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, made)) = kept.iter().rev().find(known) {
            return made.clone();
        }
        let made = Arc::new(base.with_own(&own));
        if kept.len() >= OWN_CATALOGUES_MAX_COUNT {
            kept.pop_front();
        }
        kept.push_back((base, own, made.clone()));
        made
    }

    /// The commands of one room.
    pub(crate) fn catalogue_in(&self, room: Arc<dyn View>) -> Arc<Catalogue> {
        self.catalogue_with(vec![room.game()], [room])
    }

    /// Plays a short work for somebody who looks; nothing when the process stops.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where its secrets cannot be read or its result is none.
    pub(super) async fn play_at_once(
        &self,
        handle: &Handle,
        view: Arc<dyn View>,
        work: Work,
    ) -> Result<Option<Document>, Fault> {
        let now = self.inner.clock.now().as_microsecond();
        let made = self.inner.arena.look(handle.id, view, work, self.inner.store.clone(), now).await?;
        let made = made.map(serde_json::from_value).transpose();
        made.map_err(|why| Fault::new(format!("what a look came to is no document: {why}")))
    }

    /// Runs everything that is due by the clock's now in every room, and every work that follows: for manual clocks.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn settle(&self) -> Result<(), Fault> {
        for handle in self.rooms() {
            loop {
                self.finish_work(&handle).await;
                if matches!(handle.view().frame().clock, ClockMode::Manual(_)) || self.run_due(&handle).await? == 0 {
                    break;
                }
            }
        }
        self.remind().await?;
        Ok(())
    }

    /// Tells works and the scheduler to stop; what is in the middle of a commit finishes it.
    pub fn stop(&self) {
        self.inner.arena.stop();
        self.inner.stopping.send_replace(true);
    }

    /// Whether the process is to stop.
    pub(super) fn is_stopping(&self) -> bool {
        *self.inner.stopping.borrow()
    }

    /// Waits until the process is to stop.
    pub async fn stopped(&self) {
        // The sender lives as long as the hub does.
        let _ = self.inner.stopping.subscribe().wait_for(|stop| *stop).await;
    }

    /// Stops, waits for works to notice, and gives back what was handed out and is not known to have arrived.
    pub async fn drain(&self) {
        self.stop();
        self.inner.arena.idle().await;
        self.give_leases_back().await;
        self.give_reminders_back().await;
        self.give_charges_back().await;
    }

    /// Drains, and closes the store.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store does not close.
    pub async fn close(&self) -> Result<(), Fault> {
        self.drain().await;
        self.inner.store.close().await?;
        Ok(())
    }

    /// The last refusal of a person.
    pub(super) fn last_refusal(&self, account: &port::Account) -> Option<Refusal> {
        self.inner.refusals.last(account)
    }

    /// Who acts, as rooms know people.
    pub(super) fn doer(person: PersonId, name: &str) -> Doer {
        Doer { person: person_id(person), name: name.to_owned() }
    }
}

/// Tells the operator of a fault in what is due.
pub(super) fn left_undone(handle: &Handle, fault: &Fault) {
    tracing::error!(room = %handle.name, %fault, "what is due was left undone; it is tried again");
}

/// A short form of which database it is.
fn short(identity: &store::Identity) -> String {
    hex::encode(&identity[..SHORT_BYTES])
}

/// A room that somebody wants.
#[derive(Clone, Debug)]
pub struct OpenRoom {
    /// What is played in it.
    pub game: String,
    /// Its name.
    pub name: String,
    /// How its time passes.
    pub clock: ClockMode,
    /// The IANA zone of its days.
    pub zone: String,
    /// The channel that is its public forum from the beginning.
    pub forum: Option<Id>,
    /// The game's own options.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The line that asks for it, unique.
    pub origin: Option<String>,
    /// Its text.
    pub said: Option<String>,
}

impl OpenRoom {
    /// The deed that opens it.
    fn deed(self, by: Doer) -> Deed {
        let Self { name, clock, zone, forum, options, .. } = self;
        Deed::Moderate { by, act: Moderation::Open { name, clock, zone, forum, options } }
    }
}
