//! Reminders: whoever asked for it is told what waits for their vote, some time before its end, and what is theirs to do,
//! at once.
//!
//! What waits is told by the games ([`View::waiting`]), so that nothing here knows one. A
//! reminder stands in no journal. It is posted like what moderators are told of the clock, and claimed in the store
//! before. It counts as told once it has arrived. So it survives a restart, and of several processes one tells it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::SignedDuration;

use super::{
    fault::Fault,
    hub::{Handle, Hub},
    letters::{forum_address, person_id},
};
use kernel::{
    Instant,
    display::{Document, room_word},
    engine::View,
    frame::{ClockMode, Designation},
    time::minute,
    waiting::{End, Waiting, Wants},
};
use port::{Account, Destination, ForumAddress};
use store::{Claimed, Reminder, RoomId};

/// How long before the end of something people are reminded who do not say.
pub(super) const BEFORE_SECONDS: i64 = 12 * 60 * 60;

/// How long somebody may take to deliver a reminder. It is tried five times meanwhile.
const CLAIM: SignedDuration = SignedDuration::from_mins(5);

/// How old may be what is known of who asked, in a process that was not asked itself.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The pause after the store has failed.
const FAULT_PAUSE: SignedDuration = SignedDuration::from_secs(5);

/// Most that is known by heart of what was told; beyond, the store is asked again.
const TOLD_MAX_COUNT: usize = 100_000;

/// That somebody is reminded of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Told {
    room: RoomId,
    account: Account,
    what: String,
}

/// What is under way, and what was told.
#[derive(Default)]
pub(super) struct Reminders {
    /// By the number of the delivery.
    under_way: Mutex<HashMap<i64, Vec<Told>>>,
    /// Until when the store need not be asked again.
    told: Mutex<HashMap<Told, Instant>>,
    /// Who asked, as it was read a while ago.
    asked: Mutex<Option<(tokio::time::Instant, Arc<[Reminder]>)>>,
}

impl Reminders {
    fn is_told(&self, told: &Told, now: Instant) -> bool {
        let known = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(told).is_some_and(|until| now < *until)
    }

    fn note(&self, told: Told, until: Instant) {
        let mut known = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= TOLD_MAX_COUNT {
            known.clear();
        }
        known.insert(told, until);
    }

    /// Nothing is known by heart of a room any more: somebody asks to be reminded otherwise.
    pub(super) fn look_again(&self, room: RoomId) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).retain(|told, _| told.room != room);
    }
}

impl Hub {
    /// Reminds people as the time comes, until the process stops.
    pub(super) async fn run_reminders(&self) {
        let mut stirred = self.inner.stirred.subscribe();
        loop {
            stirred.borrow_and_update();
            let next = match self.remind().await {
                Ok(next) => next,
                Err(fault) => {
                    tracing::error!(%fault, "nobody could be reminded; it is tried again");
                    self.inner.clock.now().checked_add(FAULT_PAUSE).ok()
                }
            };
            tokio::select! {
                () = self.inner.clock.wait_until(next) => {}
                changed = stirred.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Reminds everybody of whom it is time, and says when it next is.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn remind(&self) -> Result<Option<Instant>, Fault> {
        let reminders = self.asked().await?;
        let mut next = None;
        for of_room in reminders.chunk_by(|one, other| one.room == other.room) {
            let Some(room) = self.room(of_room[0].room) else { continue };
            let soonest = self.remind_in(&room, of_room).await?;
            next = [next, soonest].into_iter().flatten().min();
        }
        Ok(next)
    }

    /// Who asked, no older than [`ASKED_AGAIN_AFTER`]: another process may have been asked.
    async fn asked(&self) -> Result<Arc<[Reminder]>, Fault> {
        let known = self.inner.reminders.asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, reminders)) = known.filter(|(read, _)| read.elapsed() < ASKED_AGAIN_AFTER) {
            return Ok(reminders);
        }
        let reminders: Arc<[Reminder]> = self.inner.store.reminders().await?.into();
        let read = (tokio::time::Instant::now(), reminders.clone());
        *self.inner.reminders.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
        Ok(reminders)
    }

    async fn remind_in(&self, room: &Arc<Handle>, reminders: &[Reminder]) -> Result<Option<Instant>, Fault> {
        let view = room.view();
        if view.frame().closed || matches!(view.frame().clock, ClockMode::Paused(_)) {
            return Ok(None);
        }
        let world = self.inner.clock.now();
        let (now, waiting) = (view.time(world), view.waiting());
        let mut next: Option<Instant> = None;
        let mut later = |at: Instant| next = Some(next.map_or(at, |next| next.min(at)));
        let mut aloud: BTreeMap<(ForumAddress, usize), Vec<Account>> = BTreeMap::new();
        for reminder in reminders {
            let mut due = Vec::new();
            for (place, waits) in waiting.iter().enumerate() {
                match from(waits, reminder) {
                    Some(at) if at > now => later(at),
                    Some(_) => due.push(place),
                    None => {}
                }
            }
            let told = |place: usize| Told {
                room: room.id,
                account: reminder.account.clone(),
                what: known_by(&waiting[place]),
            };
            due.retain(|place| !self.inner.reminders.is_told(&told(*place), world));
            if due.is_empty() {
                continue;
            }
            let Some(person) = self.inner.store.person_of(&reminder.account).await? else { continue };
            let Some((seat, _)) = view.frame().seat_of(&person_id(person.id)) else { continue };
            due.retain(|place| waiting[*place].of.contains(seat));
            let mut claimed = Vec::new();
            for place in due {
                let told = told(place);
                let (now, lapsed) = (micros(world), micros(world).saturating_sub(CLAIM.as_micros() as i64));
                match self.inner.store.claim_reminder(room.id, &told.account, &told.what, (now, lapsed)).await? {
                    Claimed::Here => claimed.push(place),
                    Claimed::Told => self.inner.reminders.note(told, Instant::MAX),
                    Claimed::Elsewhere => {
                        let until = world.saturating_add(CLAIM).unwrap_or(Instant::MAX);
                        self.inner.reminders.note(told, until);
                        later(until);
                    }
                }
            }
            let forum = reminder.aloud.then(|| forum_of(&*view, &reminder.account.service)).flatten();
            match forum {
                Some(forum) => claimed.into_iter().for_each(|place| {
                    aloud.entry((forum.clone(), place)).or_default().push(reminder.account.clone());
                }),
                None if claimed.is_empty() => {}
                None => {
                    let say = |place: &usize| sentence(room, &waiting[*place], true);
                    let document = claimed.iter().map(say).fold(Document::default(), Document::para);
                    let told = claimed.iter().map(|place| told(*place)).collect();
                    self.post_reminder(room, Destination::Person(reminder.account.clone()), document, told);
                }
            }
        }
        for ((forum, place), accounts) in aloud {
            let what = known_by(&waiting[place]);
            let calls = accounts.iter().map(|account| account.id.clone()).collect();
            let document = Document { calls, ..Document::say(sentence(room, &waiting[place], false)) };
            let told = accounts.into_iter().map(|account| Told { room: room.id, account, what: what.clone() });
            self.post_reminder(room, Destination::Forum(forum), document, told.collect());
        }
        Ok(next)
    }

    fn post_reminder(&self, room: &Arc<Handle>, to: Destination, document: Document, told: Vec<Told>) {
        let delivery = self.told_by(room, to, document);
        for told in &told {
            // Until it is known what became of it.
            self.inner.reminders.note(told.clone(), Instant::MAX);
        }
        self.inner.reminders.under_way.lock().unwrap_or_else(PoisonError::into_inner).insert(delivery.id, told);
        self.inner.outbox.post(delivery);
        self.inner.posted.send_modify(|count| *count += 1);
    }

    /// What was posted under this number has arrived, or did not: then it is tried again.
    pub(super) async fn reminded(&self, id: i64, arrived: bool) {
        let told = self.inner.reminders.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        for told in told.into_iter().flatten() {
            let Told { room, account, what } = &told;
            if let Err(error) = self.inner.store.end_reminder(*room, account, what, arrived).await {
                tracing::error!(%error, "that somebody was reminded cannot be written down; they may be again");
            }
            if !arrived {
                let again = self.inner.clock.now().saturating_add(CLAIM).unwrap_or(Instant::MAX);
                self.inner.reminders.note(told, again);
            }
        }
    }

    /// Gives up what is under way: whoever serves next tells it.
    pub(super) async fn give_reminders_back(&self) {
        let ids: Vec<i64> = {
            let held = self.inner.reminders.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            held.keys().copied().collect()
        };
        for id in ids {
            self.reminded(id, false).await;
        }
    }
}

/// From when on somebody is reminded of something; nothing as long as nobody knows when it ends.
fn from(waits: &Waiting, reminder: &Reminder) -> Option<Instant> {
    let before = SignedDuration::from_secs(reminder.before_seconds);
    match (waits.wants, waits.until) {
        (Wants::Votes, End::At(until)) => Some(until.saturating_sub(before).unwrap_or(Instant::MIN)),
        (Wants::Votes, End::Unknown) => None,
        (Wants::Votes, End::Never) | (Wants::Turn, _) => Some(Instant::MIN),
    }
}

/// What something that waits is known again by: where it ends at another time, people are reminded anew.
fn known_by(waits: &Waiting) -> String {
    let until = waits.until.at().map_or_else(String::new, |until| until.as_second().to_string());
    let wants = match waits.wants {
        Wants::Votes => "vote",
        Wants::Turn => "turn",
    };
    format!("{wants}/{}@{until}", waits.display)
}

/// What waits, for those whom it waits for.
pub(super) fn sentence(room: &Handle, waits: &Waiting, alone: bool) -> String {
    let Waiting { label, line, until, wants, .. } = waits;
    let until = until.at().map_or_else(String::new, |until| format!(", until {}", minute(until)));
    let vote = if alone { "vote" } else { "votes" };
    let line = format!("⁅{} {line}⁆", room_word(&room.name));
    match wants {
        Wants::Votes => format!("{label} waits for your {vote}{until}. See: {line}"),
        Wants::Turn => format!("It is your turn{until}: {label}. Type: {line}"),
    }
}

/// The channel of a service in which a room is played.
fn forum_of(view: &dyn View, service: &str) -> Option<ForumAddress> {
    let forums = view.frame().designated(Designation::Public).filter_map(|id| forum_address(id));
    forums.into_iter().find(|forum| forum.service == service)
}

fn micros(at: Instant) -> i64 {
    at.as_microsecond()
}
