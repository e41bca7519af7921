//! What adapters are delivering, and what they are told of the channels that hold forums.
//!
//! It lies in memory. A lease that is forgotten runs out in the store, and its announcement is offered again.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use tokio::sync::watch;

use kernel::Seq;
use port::{Delivery, Hosted, Standing};
use store::{DeliveryRow, Lease, RoomId};

/// Most announcements of the bot itself that wait in memory; the oldest give way.
const POSTED_MAX_COUNT: usize = 1000;

/// The last entry of each room at which the messages of a service were looked at.
pub(super) type Lived = HashMap<(String, RoomId), Seq>;

/// An announcement that is being delivered, as the log names it.
pub(super) struct Leased {
    pub(super) lease: Lease,
    pub(super) to: String,
    pub(super) room: RoomId,
    pub(super) seq: Seq,
    /// The message that it comes from.
    pub(super) origin: Option<String>,
}

/// Which announcements this process holds a lease on, and which channels hold forums.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) leases: Mutex<HashMap<i64, Leased>>,
    pub(super) forums: Mutex<BTreeMap<String, watch::Sender<Vec<String>>>>,
    pub(super) hosted: Mutex<BTreeMap<String, watch::Sender<Vec<Hosted>>>>,
    pub(super) standings: Mutex<BTreeMap<String, watch::Sender<Vec<Standing>>>>,
    /// Leased, and not handed out: at most one for each service.
    ready: Mutex<HashMap<String, Delivery>>,
    /// What the bot itself has to tell where no journal can hold it; its numbers are below 0.
    posted: Mutex<VecDeque<Delivery>>,
    /// Up to where the messages that live were looked at.
    pub(super) lived: Mutex<Lived>,
    /// What of that was handed out.
    out: Mutex<HashMap<i64, Delivery>>,
}

impl Outbox {
    /// Has something told that belongs to no journal. It is gone with the process.
    pub(super) fn post(&self, delivery: Delivery) {
        let mut posted = self.posted.lock().unwrap_or_else(PoisonError::into_inner);
        if posted.len() >= POSTED_MAX_COUNT {
            posted.pop_front();
        }
        posted.push_back(delivery);
    }

    /// The first of what was posted for a service.
    pub(super) fn take_posted(&self, service: &str) -> Option<Delivery> {
        let mut posted = self.posted.lock().unwrap_or_else(PoisonError::into_inner);
        let place = posted.iter().position(|delivery| delivery.to.service() == service)?;
        let delivery = posted.remove(place)?;
        self.out.lock().unwrap_or_else(PoisonError::into_inner).insert(delivery.id, delivery.clone());
        Some(delivery)
    }

    /// What was posted and handed out, once somebody reports on it.
    pub(super) fn reported(&self, id: i64) -> Option<Delivery> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }

    pub(super) fn lease(&self, row: DeliveryRow) {
        let (lease, to) = (row.lease(), row.to.to_string());
        let leased = Leased { lease, to, room: row.room, seq: row.seq, origin: row.origin };
        self.leases.lock().unwrap_or_else(PoisonError::into_inner).insert(row.id, leased);
    }

    pub(super) fn has_ready(&self, service: &str) -> bool {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).contains_key(service)
    }

    pub(super) fn put_ready(&self, service: &str, delivery: Delivery) {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).insert(service.to_owned(), delivery);
    }

    pub(super) fn take_ready(&self, service: &str) -> Option<Delivery> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).remove(service)
    }

    pub(super) fn held(&self, id: i64) -> Option<Lease> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner).get(&id).map(|leased| leased.lease)
    }

    pub(super) fn release(&self, id: i64) -> Option<Leased> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }
}
