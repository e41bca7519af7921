//! What all parts of the adapter share.
//!
//! Nothing in it outlives the process but what Discord keeps itself: buttons carry what they need.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{Mutex as Turn, OwnedMutexGuard, Semaphore, watch},
    time::Instant,
};

use super::{
    answerable::Live,
    config::Settings,
    forms::Known,
    guilds::{At, Guilds},
    message::Message,
    press::Asks,
    register,
    render::{Look, Rendered, render},
    rest::Rest,
    service::SERVICE,
};
use catalogue::{Catalogue, Command};
use kernel::display::Document;
use port::{Desk, Hosted};

/// Most interactions that are answered at once; more wait for their turn, and are then late.
const ANSWERED_MAX_COUNT: u32 = 256;

/// Most answers that are kept up to date at once; further ones stay as they are.
const FOLLOWED_MAX_COUNT: usize = 64;

/// Most windows that are kept here: those whose command did not fit their id, and those that can be opened again.
const WINDOWS_MAX_COUNT: usize = 500;

/// Most presses of buttons that are remembered.
const PRESSES_MAX_COUNT: usize = 2000;

/// A second press of a button within this time is a slip of the finger, not a second wish.
const PRESS_AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Most places whose turns are kept before those that nobody waits for are swept.
const PLACES_MAX_COUNT: usize = 1000;

/// The adapter's state.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) desk: Arc<dyn Desk>,
    pub(super) rest: Rest,
    pub(super) guilds: Guilds,
    /// The interactions that can still be answered.
    pub(super) live: Live,
    /// The channels in which forums are bound.
    forums: watch::Receiver<Vec<String>>,
    /// What is played in channels.
    hosted: watch::Receiver<Vec<Hosted>>,
    /// Held by every interaction until it is answered, so that stopping can wait for them.
    pub(super) busy: Arc<Semaphore>,
    /// Held for every answer that is kept up to date.
    pub(super) followed: Arc<Semaphore>,
    windows: Mutex<(u64, VecDeque<(u64, Kept)>)>,
    /// The ids of registered commands, by server and first word.
    registered: Mutex<BTreeMap<Option<u64>, BTreeMap<String, u64>>>,
    presses: Mutex<VecDeque<(Pressed, Instant)>>,
    turns: Mutex<HashMap<String, Weak<Turn<()>>>>,
}

/// A window that its id alone does not make.
#[derive(Clone)]
pub(super) struct Kept {
    /// Whose window it is.
    pub(super) user: u64,
    pub(super) asks: Asks,
    /// What was typed into its fields before, by their ids.
    pub(super) texts: BTreeMap<String, String>,
}

/// Who pressed what.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Pressed {
    pub(super) user: u64,
    pub(super) message: u64,
    pub(super) id: String,
}

impl Shared {
    fn is_here(&self, channel: &str) -> bool {
        channel.parse().is_ok_and(|channel| self.guilds.of(channel).is_some())
    }

    /// A document as messages for a server, or for a conversation, with the pictures that the operator chose.
    pub(super) fn render(&self, document: &Document, guild: Option<u64>) -> Rendered {
        self.rendered(document, guild, false)
    }

    /// The same in texts alone.
    pub(super) fn bare(&self, document: &Document, guild: Option<u64>) -> Vec<Message> {
        self.rendered(document, guild, true).bare()
    }

    /// The first of these texts alone, with the buttons, for a message that stands there already.
    pub(super) fn bare_one(&self, document: &Document, guild: Option<u64>) -> Option<Message> {
        let mut messages = self.bare(document, guild);
        let components = std::mem::take(&mut messages.last_mut()?.components);
        let first = messages.swap_remove(0);
        Some(Message { components, ..first })
    }

    fn rendered(&self, document: &Document, guild: Option<u64>, bare: bool) -> Rendered {
        // One that is gone has no name any more, and a mention would show none.
        let is_channel = |id: &str| self.forums.borrow().iter().any(|bound| bound == id) && self.is_here(id);
        let registered = self.registered.lock().unwrap_or_else(PoisonError::into_inner);
        // What a server has not itself, it may have of the application.
        let places = [registered.get(&guild), registered.get(&None)];
        let command = |head: &str| places.iter().flatten().find_map(|ids| ids.get(head)).copied();
        let known = Known { is_channel: &is_channel, command: &command };
        render(document, Look { ground: self.settings.pictures, known, bare })
    }

    /// Commands are registered under these ids, by the first words of their names: in a server, or in conversations.
    pub(super) fn registered(&self, guild: Option<u64>, ids: BTreeMap<String, u64>) {
        self.registered.lock().unwrap_or_else(PoisonError::into_inner).insert(guild, ids);
    }

    /// The state at the start.
    pub(super) fn new(settings: Settings, desk: Arc<dyn Desk>, rest: Rest) -> Self {
        Self {
            forums: desk.forums(SERVICE),
            hosted: desk.hosted(SERVICE),
            settings,
            desk,
            rest,
            guilds: Guilds::default(),
            live: Live::default(),
            busy: Arc::new(Semaphore::new(ANSWERED_MAX_COUNT as usize)),
            followed: Arc::new(Semaphore::new(FOLLOWED_MAX_COUNT)),
            windows: Mutex::default(),
            registered: Mutex::default(),
            presses: Mutex::default(),
            turns: Mutex::default(),
        }
    }

    /// A command by its name: of the rooms of the channel where it is said, else of any room of its server, in private of
    /// any room at all.
    pub(super) fn command(&self, name: &str, at: At) -> Option<Arc<Command>> {
        let named = |catalogue: &Catalogue| catalogue.get(name).filter(|command| command.name == name).cloned();
        let hosted = self.hosted.borrow();
        // Mostly it is the program's alone, and no catalogue is made for it.
        if !hosted.iter().any(|hosted| hosted.own.iter().any(|own| own.name == name)) {
            return named(Catalogue::all());
        }
        let channel = at.forum.to_string();
        let of_channel: Vec<&Hosted> = hosted.iter().filter(|hosted| hosted.channel == channel).collect();
        let of_server = || {
            // Until Discord has told of a server, nobody knows which channels are its own.
            let here = at.guild.and_then(|guild| self.guilds.hosted(&hosted).remove(&guild));
            named(&register::offered(&here.unwrap_or_else(|| hosted.iter().collect())))
        };
        named(&register::offered(&of_channel)).or_else(of_server).or_else(|| named(Catalogue::all()))
    }

    /// The channel that counts as the place of what is done in a channel or thread. A public thread of a forum is a
    /// part of it, because all its readers can read it. A thread may be a forum of its own instead.
    pub(super) fn forum_of(&self, channel: u64, thread_of: Option<u64>) -> u64 {
        let bound = self.forums.borrow();
        let is_bound = |channel: u64| bound.iter().any(|held| *held == channel.to_string());
        thread_of.filter(|parent| is_bound(*parent) && !is_bound(channel)).unwrap_or(channel)
    }

    /// Waits until every interaction is answered, or the time is over.
    pub(super) async fn drain(&self, longest: Duration) {
        // Either outcome ends the wait.
        let _ = tokio::time::timeout(longest, self.busy.acquire_many(ANSWERED_MAX_COUNT)).await;
    }

    /// Keeps a window; the oldest gives way.
    pub(super) fn keep_window(&self, kept: Kept) -> u64 {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, held) = &mut *windows;
        *last += 1;
        held.push_back((*last, kept));
        if held.len() > WINDOWS_MAX_COUNT {
            held.pop_front();
        }
        *last
    }

    /// A window of this person. It may be opened and sent off again.
    pub(super) fn window(&self, number: u64, user: u64) -> Option<Kept> {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut held = windows.1.iter();
        held.find(|(held, kept)| *held == number && kept.user == user).map(|(_, kept)| kept.clone())
    }

    /// Whether a press is the first of its kind for a while.
    pub(super) fn first_press(&self, pressed: &Pressed) -> bool {
        let now = Instant::now();
        let mut presses = self.presses.lock().unwrap_or_else(PoisonError::into_inner);
        while presses.front().is_some_and(|(_, at)| now.duration_since(*at) >= PRESS_AGAIN_AFTER) {
            presses.pop_front();
        }
        if presses.iter().any(|(held, _)| held == pressed) {
            return false;
        }
        if presses.len() >= PRESSES_MAX_COUNT {
            presses.pop_front();
        }
        presses.push_back((pressed.clone(), now));
        true
    }

    /// Waits for one's turn at a place: lines of one place are heard one after the other.
    pub(super) async fn turn(&self, place: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            if turns.len() >= PLACES_MAX_COUNT {
                turns.retain(|_, turn| turn.strong_count() > 0);
            }
            match turns.get(place).and_then(Weak::upgrade) {
                Some(turn) => turn,
                None => {
                    let turn = Arc::new(Turn::new(()));
                    turns.insert(place.to_owned(), Arc::downgrade(&turn));
                    turn
                }
            }
        };
        turn.lock_owned().await
    }
}
