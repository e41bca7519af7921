//! Announcements on their way out.
//!
//! Replies sent straight from a decision are lost when the process dies between the commit and the socket. So an
//! announcement is written in the transaction of its entry, and adapters lease it from here. It is offered until an
//! adapter says that it arrived, in the order of its forum. Adapters render it.

use std::sync::Arc;
use std::{sync::PoisonError, time::Duration};

use jiff::SignedDuration;
use tokio::sync::watch;

use super::{
    delivering::Leased,
    fault::Fault,
    hub::{Handle, Hub},
    letters::forum_address,
};
use kernel::{
    Instant,
    display::{Block, Document, Topic},
};
use port::gallery::entry_path;
use port::{Delivery, Destination, ForumAddress, Hosted};
use store::{DeliveryRow, RoomId};

/// How long an adapter may take to deliver an announcement, or to say that it is still at it, before it is offered again.
pub(super) const LEASE: SignedDuration = SignedDuration::from_secs(120);

/// How long the first retry waits, in seconds; each further one waits twice as long.
const RETRY_FIRST_SECONDS: i64 = 2;

/// How often such an announcement is tried.
const POSTED_MAX_TRIES: u32 = 5;

/// The longest wait between retries, in seconds.
const RETRY_LONGEST_SECONDS: i64 = 15 * 60;

/// What comes next for a service.
enum Next {
    /// An announcement that was leased.
    Now(Box<Delivery>),
    /// Nothing before this instant, in microseconds since 1970 UTC; nothing at all where there is none.
    At(Option<i64>),
}

impl Hub {
    /// The next announcement for a service; waits until there is one. Whoever stops waiting loses nothing: what was
    /// leased meanwhile is handed to who asks next.
    pub async fn next_delivery(&self, service: &str) -> Delivery {
        let mut posted = self.inner.posted.subscribe();
        loop {
            posted.borrow_and_update();
            // A task of its own goes on when this future is dropped, so that no lease is taken and forgotten.
            let (hub, of) = (self.clone(), service.to_owned());
            let leasing = tokio::spawn(async move { hub.lease_one(&of).await });
            let ready_at = leasing.await.unwrap_or_default();
            if let Some(delivery) = self.inner.outbox.take_ready(service) {
                return delivery;
            }
            tokio::select! {
                () = self.inner.clock.wait_until(ready_at) => {}
                // The sender lives as long as the hub does.
                _ = posted.changed() => {}
            }
        }
    }

    /// Leases an announcement for a service and puts it where the next asker finds it, unless one lies there already.
    /// Where there is none, gives when there may be one.
    async fn lease_one(&self, service: &str) -> Option<Instant> {
        if self.inner.outbox.has_ready(service) {
            return None;
        }
        let now = self.inner.clock.now();
        match self.next(service).await {
            Ok(Next::Now(delivery)) => {
                self.inner.outbox.put_ready(service, *delivery);
                None
            }
            Ok(Next::At(ready)) => {
                let soonest = now.as_microsecond().saturating_add(1);
                ready.and_then(|at| Instant::from_microsecond(at.max(soonest)).ok())
            }
            Err(fault) => {
                tracing::error!(service, %fault, "the outbox cannot be read; it is tried again");
                now.checked_add(SignedDuration::from_secs(RETRY_FIRST_SECONDS)).ok()
            }
        }
    }

    /// An announcement that waits for a service, if there is one now.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails.
    pub async fn delivery_now(&self, service: &str) -> Result<Option<Delivery>, Fault> {
        match self.next(service).await? {
            Next::Now(delivery) => Ok(Some(*delivery)),
            Next::At(_) => Ok(None),
        }
    }

    async fn next(&self, service: &str) -> Result<Next, Fault> {
        if let Some(delivery) = self.inner.outbox.take_posted(service) {
            return Ok(Next::Now(Box::new(delivery)));
        }
        loop {
            let now = self.inner.clock.now().as_microsecond();
            // Mostly nothing waits, and a look begins no transaction.
            let ready = self.inner.store.next_ready(service).await?;
            if ready.is_none_or(|ready| ready > now) {
                return Ok(Next::At(ready));
            }
            // Another process may have been quicker.
            let Some(row) = self.inner.store.lease(service, now, micros(LEASE)).await? else {
                return Ok(Next::At(self.inner.store.next_ready(service).await?));
            };
            // It is committed a moment before its room stands so, and names what the entry has brought.
            if let Some(handle) = self.room(row.room).filter(|handle| handle.view().seq() < row.seq) {
                drop(handle.room.lock().await);
            }
            match self.delivery(&row) {
                Ok(mut delivery) => {
                    let waited = row.queued.and_then(|at| u64::try_from(now.saturating_sub(at)).ok());
                    delivery.waited = waited.map(Duration::from_micros).unwrap_or_default();
                    self.inner.outbox.lease(row);
                    return Ok(Next::Now(Box::new(delivery)));
                }
                Err(fault) => {
                    tracing::error!(id = row.id, %fault, "an announcement cannot be read and is given up");
                    self.inner.store.give_up(row.lease(), now, "it cannot be read").await?;
                }
            }
        }
    }

    /// A row as adapters get it, with the page of its entry where pages are served.
    fn delivery(&self, row: &DeliveryRow) -> Result<Delivery, Fault> {
        let mut delivery = delivery(row)?;
        delivery.origin.clone_from(&self.inner.origin);
        if let Some(topic) = &mut delivery.document.topic {
            topic.key = format!("{}/{}", row.room, topic.key).into();
        }
        delivery.lives = lives(row.room, &delivery.document);
        let Some(handle) = self.room(row.room) else { return Ok(self.referring(delivery, None)) };
        // Somebody it names may have asked to be forgotten while it waited.
        handle.view().frame().redaction(row.seq).document(&mut delivery.document);
        delivery.home = Topic { key: row.room.to_string().into(), title: handle.name.clone() };
        if let Destination::Forum(forum) = &row.to {
            let view = handle.view();
            let held = view.frame().forums.get(forum.to_string().as_str());
            delivery.manner = held.map(|forum| forum.manner.clone()).unwrap_or_default();
        }
        if let Some(base) = self.inner.settings.public_url.as_ref().filter(|_| row.seq > 0) {
            delivery.document.link = Some(format!("{base}{}", entry_path(&handle.name, row.seq)));
        }
        Ok(self.referring(delivery, Some(&handle)))
    }

    /// Something that a room has to tell in a place, and that stands in no journal.
    pub(super) fn told_by(&self, room: &Arc<Handle>, to: Destination, document: Document) -> Delivery {
        let id = -i64::from(u32::from_be_bytes(self.inner.entropy.bytes())) - 1;
        let view = room.view();
        let manner = match &to {
            Destination::Forum(forum) => view.frame().forums.get(forum.to_string().as_str()),
            Destination::Person(_) => None,
        };
        let manner = manner.map(|forum| forum.manner.clone()).unwrap_or_default();
        let home = Topic { key: room.id.to_string().into(), title: room.name.clone() };
        let delivery = Delivery { origin: self.inner.origin.clone(), manner, home, ..Delivery::new(id, to, document) };
        self.referring(delivery, Some(room))
    }

    /// An announcement arrived.
    pub async fn delivered(&self, id: i64) {
        if self.inner.outbox.reported(id).is_some() {
            self.reminded(id, true).await;
            return self.inner.posted.send_modify(|count| *count += 1);
        }
        let leased = self.inner.outbox.release(id);
        if let Err(error) = self.inner.store.mark_delivered(id).await {
            // Its lease runs out, and it is offered again: at least once, never lost.
            tracing::error!(id, %error, "an announcement arrived, but that cannot be written down");
        }
        if let Some(Leased { to, room, seq, origin, .. }) = leased {
            let (room, origin) = (self.room_called(room), origin.as_deref());
            tracing::info!(id, %to, room, seq, origin, "delivered");
        }
        self.inner.posted.send_modify(|count| *count += 1);
    }

    /// An announcement is on its way still: its lease is made longer, so that nobody else sends it.
    pub async fn renew_delivery(&self, id: i64) {
        let Some(lease) = self.inner.outbox.held(id) else { return };
        let until = self.inner.clock.now().as_microsecond().saturating_add(micros(LEASE));
        match self.inner.store.renew(lease, until).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(id, "an announcement on its way is held no more; it may arrive twice"),
            Err(error) => {
                tracing::error!(id, %error, "a lease cannot be made longer; the announcement may arrive twice")
            }
        }
    }

    /// An announcement did not arrive; it is offered again after a while that grows.
    pub async fn retry_delivery(&self, id: i64) {
        if let Some(delivery) = self.inner.outbox.reported(id) {
            let attempts = delivery.attempts + 1;
            if attempts < POSTED_MAX_TRIES {
                self.inner.outbox.post(Delivery { attempts, ..delivery });
            } else {
                self.reminded(id, false).await;
            }
            return;
        }
        let Some(Leased { lease, to, room, seq, origin }) = self.inner.outbox.release(id) else { return };
        let doublings = lease.attempt.saturating_sub(1).min(16);
        let wait = (RETRY_FIRST_SECONDS << doublings).min(RETRY_LONGEST_SECONDS);
        let retry_at = self.inner.clock.now().as_microsecond().saturating_add(wait * 1_000_000);
        let (room, origin) = (self.room_called(room), origin.as_deref());
        tracing::info!(id, %to, room, seq, origin, wait_seconds = wait, "an announcement did not arrive; it is tried again");
        if let Err(error) = self.inner.store.release(lease, retry_at).await {
            tracing::error!(id, %error, "a lease cannot be given back; it runs out by itself");
        }
        self.inner.posted.send_modify(|count| *count += 1);
    }

    /// An announcement can never arrive.
    pub async fn abandon_delivery(&self, id: i64, why: &str) {
        if let Some(delivery) = self.inner.outbox.reported(id) {
            tracing::warn!(id, to = %delivery.to, why, "what the bot has to tell is given up");
            self.reminded(id, true).await;
            if let Destination::Person(account) = &delivery.to {
                self.keep_for(account, &delivery.document).await;
            }
            return;
        }
        let Some(Leased { lease, to, room, seq, origin }) = self.inner.outbox.release(id) else { return };
        let (room, origin) = (self.room_called(room), origin.as_deref());
        tracing::warn!(id, %to, room, seq, origin, why, "an announcement is given up");
        let now = self.inner.clock.now().as_microsecond();
        if let Err(error) = self.inner.store.give_up(lease, now, why).await {
            tracing::error!(id, %error, "an announcement cannot be given up; it is tried again");
        }
        self.inner.posted.send_modify(|count| *count += 1);
    }

    /// Gives back whatever was handed out and is not known to have arrived: whoever serves next offers it again at once.
    pub(super) async fn give_leases_back(&self) {
        let held = std::mem::take(&mut *self.inner.outbox.leases.lock().unwrap_or_else(PoisonError::into_inner));
        let now = self.inner.clock.now().as_microsecond();
        for (id, leased) in held {
            if let Err(error) = self.inner.store.release(leased.lease, now).await {
                tracing::warn!(id, %error, "a lease cannot be given back; it runs out by itself");
            }
        }
    }

    /// What the log calls a room that announced something; nothing where it is not open here.
    fn room_called(&self, room: RoomId) -> Option<String> {
        self.room(room).map(|handle| handle.name.clone())
    }

    /// The thread of a channel in which a topic goes on, if one was opened.
    pub(super) async fn thread_of(&self, forum: &ForumAddress, key: &str) -> Option<String> {
        self.inner.store.thread(forum, key).await.unwrap_or_else(|error| {
            tracing::error!(%forum, key, %error, "the thread of a topic cannot be read; another is opened");
            None
        })
    }

    /// A topic goes on in this thread of a channel from now on, or in none any more.
    pub(super) async fn keep_thread(&self, forum: &ForumAddress, key: &str, thread: Option<&str>) {
        if let Err(error) = self.inner.store.put_thread(forum, key, thread).await {
            // What follows about the topic opens another thread: nothing is lost.
            tracing::error!(%forum, key, %error, "the thread of a topic cannot be written down");
        }
    }

    /// The channels of a service in which forums are bound, and every later change of them.
    pub fn forums(&self, service: &str) -> watch::Receiver<Vec<String>> {
        let mut held = self.inner.outbox.forums.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = held.entry(service.to_owned()).or_insert_with(|| watch::Sender::new(self.channels(service)));
        sender.subscribe()
    }

    /// The games that are played in channels of a service, and every later change of them.
    pub fn hosted(&self, service: &str) -> watch::Receiver<Vec<Hosted>> {
        let mut held = self.inner.outbox.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = held.entry(service.to_owned()).or_insert_with(|| watch::Sender::new(self.games_of(service)));
        sender.subscribe()
    }

    /// Tells adapters where forums are bound now, and what is played there.
    pub(super) fn publish_forums(&self) {
        let held = self.inner.outbox.forums.lock().unwrap_or_else(PoisonError::into_inner);
        for (service, sender) in held.iter() {
            publish(sender, self.channels(service));
        }
        drop(held);
        let held = self.inner.outbox.hosted.lock().unwrap_or_else(PoisonError::into_inner);
        for (service, sender) in held.iter() {
            publish(sender, self.games_of(service));
        }
    }

    fn games_of(&self, service: &str) -> Vec<Hosted> {
        let mut games: Vec<Hosted> = Vec::new();
        for handle in self.rooms() {
            let view = handle.view();
            let frame = view.frame();
            let bound = frame.forums.iter().filter(|(_, forum)| !frame.closed && forum.designation().is_some());
            let here = bound.filter_map(|(id, _)| forum_address(id)).filter(|address| address.service == service);
            let own = view.commands();
            let hosted = |channel| Hosted { channel, game: view.game().to_owned(), own: own.clone() };
            games.extend(here.map(|address| hosted(address.channel)));
        }
        games.sort_unstable();
        games.dedup();
        games
    }

    fn channels(&self, service: &str) -> Vec<String> {
        let mut channels: Vec<String> = Vec::new();
        for handle in self.rooms() {
            let view = handle.view();
            for (id, forum) in &view.frame().forums {
                if let Some(ForumAddress { service: of, channel }) = forum_address(id)
                    && of == service
                    && forum.designation().is_some()
                {
                    channels.push(channel);
                }
            }
        }
        channels.sort_unstable();
        channels.dedup();
        channels
    }
}

/// What a delivery is known by as a message that lives: its room, and the display that it names. It lives where it shows
/// one thing (`proposal/3`, and no list of them), and people may do something about that.
fn lives(room: RoomId, document: &Document) -> Option<String> {
    (document.id.contains('/') && !document.offers.is_empty()).then(|| format!("{room}/{}", document.id))
}

fn micros(duration: SignedDuration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Shows a value to whoever watches, if it is another than the last.
fn publish<T: PartialEq>(sender: &watch::Sender<T>, value: T) {
    sender.send_if_modified(|now| {
        let changed = *now != value;
        if changed {
            *now = value;
        }
        changed
    });
}

fn delivery(row: &DeliveryRow) -> Result<Delivery, Fault> {
    let mut document: Document = serde_json::from_str(&row.document)
        .map_err(|why| Fault::new(format!("the document of announcement {} is damaged: {why}", row.id)))?;
    if row.left_out > 0 {
        let text =
            format!("({} announcements before this one were left out: the queue was full. See history.)", row.left_out);
        document.blocks.insert(0, Block::Para(text));
    }
    Ok(Delivery { attempts: row.attempts, ..Delivery::new(row.id, row.to.clone(), document) })
}
