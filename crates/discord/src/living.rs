//! Messages that are kept up to date: a proposal with its votes, an intent with who objects, an auction with its bid.
//!
//! The service says what such a message is to show. Each is edited at most once in a while (`Settings::refresh`), so that a
//! hundred votes are a few edits. One that is deleted is left alone from then on; one in a channel that is shut rests until that is open
//! again.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::json;
use serenity::{
    all::{ChannelId, LightMethod, MessageId},
    http::Route,
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    rest::{DELIVERY_MAX_TRIES, Failure},
    service::{SERVICE, forum},
    shared::Shared,
    stop::told,
};
use port::{Became, Delivery, Incident, Revision};

/// An announcement stands in a channel or thread as this message.
pub(super) async fn keep(shared: &Shared, delivery: &Delivery, place: u64, message: u64) {
    if message == 0 {
        return;
    }
    if delivery.lives.is_some() {
        shared.desk.keep_living(delivery, &forum(place), &message.to_string()).await;
    }
    if delivery.pinned {
        let route = Route::ChannelPin { channel_id: ChannelId::new(place.max(1)), message_id: MessageId::new(message) };
        if let Err(failure) = shared.rest.send((LightMethod::Put, route), None, None, DELIVERY_MAX_TRIES).await {
            // It stands there all the same, and is kept up to date.
            let why = format!("a message cannot be pinned in the channel {place}: {failure}");
            shared.desk.incident(Incident::ServiceTroubled { service: SERVICE.to_owned(), why }).await;
        }
    }
}

/// How many times as long as between two revisions a message rests whose channel is shut, at first; then ever twice as
/// long.
const SHUT_FIRST_ROUNDS: u32 = 12;

/// The longest that it rests.
const SHUT_MAX_WAIT: Duration = Duration::from_secs(3600);

/// Most messages that are revised at once. One that Discord has wait keeps its place meanwhile.
const REVISED_MAX_COUNT: usize = 16;

/// The messages that are being kept up to date, each with what it is to show next, if that is known already.
#[derive(Default)]
struct Kept(Mutex<HashMap<i64, Option<Revision>>>);

impl Kept {
    fn held(&self) -> MutexGuard<'_, HashMap<i64, Option<Revision>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a message that is being seen to show this next; gives it back where nobody sees to that message.
    fn hand_over(&self, revision: Revision) -> Option<Revision> {
        match self.held().entry(revision.id) {
            Entry::Occupied(mut next) => {
                next.insert(Some(revision));
                None
            }
            Entry::Vacant(none) => {
                none.insert(None);
                Some(revision)
            }
        }
    }

    /// What a message is to show next.
    fn next(&self, id: i64) -> Option<Revision> {
        self.held().get_mut(&id).and_then(Option::take)
    }

    /// The same; where there is nothing, nobody sees to that message any more.
    fn next_or_end(&self, id: i64) -> Option<Revision> {
        let mut held = self.held();
        let next = held.get_mut(&id).and_then(Option::take);
        if next.is_none() {
            held.remove(&id);
        }
        next
    }
}

/// Revises messages until it is told to stop. Each waits for itself alone: for Discord's limits, for a channel that is
/// shut, for the time between two revisions.
pub(super) async fn pump(shared: &Arc<Shared>, mut stop: watch::Receiver<bool>) {
    let (kept, room) = (Arc::new(Kept::default()), Arc::new(Semaphore::new(REVISED_MAX_COUNT)));
    let mut under_way = JoinSet::new();
    loop {
        // Asking is never broken off but at the end: what was told and forgotten would not be told again.
        let mut next = std::pin::pin!(shared.desk.next_revisions(SERVICE));
        let revisions = loop {
            tokio::select! {
                biased;
                () = told(&mut stop) => return finish(under_way).await,
                Some(_) = under_way.join_next() => {}
                revisions = &mut next => break revisions,
            }
        };
        for revision in revisions.into_iter().filter_map(|revision| kept.hand_over(revision)) {
            let (shared, kept, room, stop) = (shared.clone(), kept.clone(), room.clone(), stop.clone());
            under_way.spawn(async move { see_to(&shared, &kept, &room, revision, stop).await });
        }
        tokio::select! {
            () = sleep(shared.settings.refresh) => {}
            () = told(&mut stop) => return finish(under_way).await,
        }
    }
}

/// How long stopping waits for revisions that Discord has already.
const FINISH_MAX: Duration = Duration::from_secs(2);

/// Waits for what is under way. What is not done then is done by whoever serves next.
async fn finish(mut under_way: JoinSet<()>) {
    // Either outcome ends the wait.
    let _ = timeout(FINISH_MAX, async { while under_way.join_next().await.is_some() {} }).await;
}

/// Lets time pass; `false` where it is to stop.
async fn rest(time: Duration, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = sleep(time) => true,
        () = told(stop) => false,
    }
}

/// Keeps one message up to date as long as something is known that it does not show.
async fn see_to(
    shared: &Shared,
    kept: &Kept,
    room: &Semaphore,
    mut revision: Revision,
    mut stop: watch::Receiver<bool>,
) {
    let first = shared.settings.refresh * SHUT_FIRST_ROUNDS;
    let (id, mut wait) = (revision.id, first);
    loop {
        let done = {
            // A closed semaphore is never made.
            let _permit = room.acquire().await;
            revise(shared, &revision).await
        };
        let became = match done {
            Ok(()) => Became::Shown,
            // The bot may lose a channel for a minute or for ever: the votes that come meanwhile show when it is back.
            Err(Failure::Closed(why)) => {
                tracing::info!(message = revision.message, why, ?wait, "a message cannot be kept up to date for now");
                if !rest(wait, &mut stop).await {
                    return;
                }
                wait = (wait * 2).min(SHUT_MAX_WAIT);
                revision = kept.next(id).unwrap_or(revision);
                continue;
            }
            Err(Failure::Away(_) | Failure::Unauthorised) => Became::Away,
            Err(failure) => {
                tracing::info!(message = revision.message, %failure, "a message is not kept up to date any more");
                Became::Gone
            }
        };
        wait = first;
        shared.desk.revised(&revision, became).await;
        if !rest(shared.settings.refresh, &mut stop).await {
            return;
        }
        let Some(next) = kept.next_or_end(id) else { return };
        revision = next;
    }
}

async fn revise(shared: &Shared, revision: &Revision) -> Result<(), Failure> {
    let ids = (revision.at.channel.parse::<u64>(), revision.message.parse::<u64>());
    let (Ok(channel), Ok(message)) = ids else {
        return Err(Failure::Gone("no message of Discord's has such an id".to_owned()));
    };
    let guild = shared.guilds.of(channel);
    let parts = shared.render(&revision.document, guild).parts(0, "", Some(&revision.again));
    let (channel_id, message_id) = (ChannelId::new(channel.max(1)), MessageId::new(message.max(1)));
    let put = || (LightMethod::Patch, Route::ChannelMessage { channel_id, message_id });
    let is_bare = parts.message.embeds.is_empty() && parts.file.is_none();
    let done = shared.rest.send(put(), Some(&json!(parts.message)), parts.file.as_ref(), DELIVERY_MAX_TRIES).await;
    match done {
        // The bot may be allowed to write there, though not to attach files, or to embed: then it came as a text, too.
        Err(Failure::Closed(_)) if !is_bare => {
            let Some(message) = shared.bare_one(&revision.document, guild) else { return done.map(drop) };
            shared.rest.send(put(), Some(&json!(message)), None, DELIVERY_MAX_TRIES).await.map(drop)
        }
        done => done.map(drop),
    }
}
