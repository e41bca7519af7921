//! The stage: the real service on a store in memory, with a clock that the rehearsal moves and the same chance in every
//! run.
//!
//! Nothing runs beside it: after every act, all that is due and all long work is done first. So a rehearsal comes out
//! the same every time. Expectations are judged in `judge`.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;

use crate::service::Fault;
use crate::service::Hub;
use crate::service::hub::Handle;
use crate::service::settings::Settings;
use kernel::{Instant, Seq, frame::ClockMode};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, Delivery, ForumAddress, Line, Reply};
use store::{self, RoomId, Store};

/// The name of the service whose channels and accounts a rehearsal uses.
pub(super) const SERVICE: &str = "rehearsal";

/// Most instants that may be due in one act: a century of Mondays, and a rule that is due for ever stops here.
const DUE_MAX_INSTANTS: usize = 20_000;

/// How many entries are read from the store at once.
const READ_PAGE_ENTRIES: u32 = 500;

/// The service, set up for a rehearsal.
pub(super) struct Stage {
    pub(super) hub: Hub,
    store: Store,
    clock: Clock,
    entropy: Entropy,
    settings: Settings,
    /// The last entry of each room that the rehearsal has seen.
    seen: BTreeMap<RoomId, Seq>,
}

/// An entry that an act made.
pub(super) struct Made {
    /// In which room.
    pub(super) room: Arc<Handle>,
    /// The entry.
    pub(super) entry: store::Entry,
}

impl Stage {
    /// Sets the stage at an instant, in memory where no store is given.
    pub(super) async fn open(at: Instant, settings: Settings, store: Option<Store>) -> Result<Self, Fault> {
        let store = match store {
            Some(store) => store,
            None => Store::in_memory().await?,
        };
        let (clock, entropy) = (Clock::manual(at), Entropy::fixed());
        let hub = Hub::open(store.clone(), clock.clone(), entropy.clone(), settings.clone()).await?;
        Ok(Self { hub, store, clock, entropy, settings, seen: BTreeMap::new() })
    }

    /// The moment.
    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// A room by its name.
    pub(super) fn room(&self, name: &str) -> Option<Arc<Handle>> {
        self.hub.rooms().into_iter().find(|handle| handle.name.eq_ignore_ascii_case(name))
    }

    /// Says a line.
    pub(super) async fn hear(&self, line: Line) -> Vec<Reply> {
        self.hub.hear(line).await
    }

    /// Does all that is due by now and all long work that follows from it.
    pub(super) async fn settle(&self) -> Result<(), Fault> {
        self.hub.settle().await
    }

    /// The next instant up to `to` at which something is due in a room whose time passes.
    pub(super) fn next_due(&self, to: Instant) -> Option<Instant> {
        let due = |handle: Arc<Handle>| {
            let view = handle.view();
            (view.frame().clock == ClockMode::Live).then(|| view.next_due()).flatten()
        };
        self.hub.rooms().into_iter().filter_map(due).map(|due| due.at).filter(|at| *at <= to).min()
    }

    /// Moves the clock.
    pub(super) fn advance_to(&self, to: Instant) {
        self.clock.advance_to(to);
    }

    /// How many instants one act may go through.
    pub(super) fn is_endless(instants: usize) -> bool {
        instants > DUE_MAX_INSTANTS
    }

    /// Lets the process end, and another start on what it left in the store.
    pub(super) async fn restart(&mut self, until: Option<Instant>) -> Result<(), Fault> {
        self.hub.stop();
        if let Some(until) = until {
            self.clock.advance_to(until);
        }
        let Self { store, clock, entropy, settings, .. } = self;
        self.hub = Hub::open(store.clone(), clock.clone(), entropy.clone(), settings.clone()).await?;
        Ok(())
    }

    /// Takes everything out of the outbox, in order.
    pub(super) async fn deliveries(&self) -> Result<Vec<Delivery>, Fault> {
        let mut out = Vec::new();
        while let Some(delivery) = self.hub.delivery_now(SERVICE).await? {
            self.hub.delivered(delivery.id).await;
            out.push(delivery);
        }
        out.sort_by_key(|delivery| delivery.id);
        Ok(out)
    }

    /// The entries that were made since the last time that this was asked.
    pub(super) async fn entries(&mut self) -> Result<Vec<Made>, Fault> {
        let mut made = Vec::new();
        for room in self.hub.rooms() {
            let seen = self.seen.entry(room.id).or_default();
            while *seen < room.view().seq() {
                let page = self.store.entries(room.id, *seen + 1, READ_PAGE_ENTRIES).await?;
                let Some(last) = page.last() else { break };
                *seen = last.seq;
                made.extend(page.into_iter().map(|entry| Made { room: room.clone(), entry }));
            }
        }
        Ok(made)
    }
}

/// The account of somebody in a rehearsal.
pub(super) fn account(name: &str) -> Account {
    Account { service: SERVICE.to_owned(), id: name.to_lowercase() }
}

/// The address of a channel in a rehearsal.
pub(super) fn address(channel: &str) -> ForumAddress {
    ForumAddress { service: SERVICE.to_owned(), channel: channel.to_owned() }
}

/// An instant of the store, RFC 3339.
pub(super) fn written(microseconds: i64) -> String {
    Timestamp::from_microsecond(microseconds).map_or_else(|_| microseconds.to_string(), |at| at.to_string())
}
