//! Messages that are kept up to date: a proposal with its votes, an intent with who objects, an auction with its bid.
//!
//! The service says what such a message is to show. Each is edited at most once in a while (`Settings::refresh`), so that a
//! hundred votes are a few edits. One that is deleted is left alone from then on; one in a channel that is shut rests until that is open
//! again.

use std::{collections::HashMap, sync::Arc, time::Duration};

use serde_json::json;
use serenity::{
    all::{ChannelId, LightMethod, MessageId},
    http::Route,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    rest::{DELIVERY_MAX_TRIES, Failure},
    service::{SERVICE, forum},
    shared::Shared,
    stop::told,
};
use catalogue::hint;
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

/// Revises messages until it is told to stop.
pub(super) async fn pump(shared: &Arc<Shared>, mut stop: watch::Receiver<bool>) {
    // Messages in channels that are shut at the moment, with when to try again and how long to wait after that.
    let mut shut: HashMap<i64, (Instant, Duration)> = HashMap::new();
    loop {
        let revisions = tokio::select! {
            biased;
            () = told(&mut stop) => return,
            revisions = shared.desk.next_revisions(SERVICE) => revisions,
        };
        let now = Instant::now();
        for revision in &revisions {
            if shut.get(&revision.id).is_some_and(|(next, _)| *next > now) {
                continue;
            }
            let became = match revise(shared, revision).await {
                Ok(()) => {
                    shut.remove(&revision.id);
                    Became::Shown
                }
                // The bot may lose a channel for a minute or for ever: the votes that come meanwhile show when it is back.
                Err(Failure::Closed(why)) => {
                    let first = shared.settings.refresh * SHUT_FIRST_ROUNDS;
                    let wait = shut.get(&revision.id).map_or(first, |(_, wait)| (*wait * 2).min(SHUT_MAX_WAIT));
                    tracing::info!(
                        message = revision.message,
                        why,
                        ?wait,
                        "a message cannot be kept up to date for now"
                    );
                    shut.insert(revision.id, (now + wait, wait));
                    Became::Away
                }
                Err(Failure::Away(_) | Failure::Unauthorised) => Became::Away,
                Err(failure) => {
                    tracing::info!(message = revision.message, %failure, "a message is not kept up to date any more");
                    shut.remove(&revision.id);
                    Became::Gone
                }
            };
            shared.desk.revised(revision, became).await;
        }
        tokio::select! {
            () = sleep(shared.settings.refresh) => {}
            () = told(&mut stop) => return,
        }
    }
}

async fn revise(shared: &Shared, revision: &Revision) -> Result<(), Failure> {
    let ids = (revision.at.channel.parse::<u64>(), revision.message.parse::<u64>());
    let (Ok(channel), Ok(message)) = ids else {
        return Err(Failure::Gone("no message of Discord's has such an id".to_owned()));
    };
    let parts = shared.render(&revision.document).parts(0, "", hint::called(&revision.again).as_ref());
    let (channel_id, message_id) = (ChannelId::new(channel.max(1)), MessageId::new(message.max(1)));
    let route = Route::ChannelMessage { channel_id, message_id };
    let put = (LightMethod::Patch, route);
    shared.rest.send(put, Some(&json!(parts.message)), parts.file.as_ref(), DELIVERY_MAX_TRIES).await.map(drop)
}
