//! Announcements on their way to channels and people.
//!
//! The outbox hands out one announcement of a destination at a time, so that each channel sees its own in order; a slow
//! channel holds up no other. Each message carries a number that Discord remembers for a while: one that is sent again,
//! because the answer to it was lost, shows up once. In which thread of a channel one goes is absent.

use std::sync::Arc;

use serde_json::{Value, json};
use serenity::{
    all::{ChannelId, LightMethod},
    http::Route,
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};

use super::{
    SERVICE,
    render::{Message, Parts, render},
    rest::{DELIVERY_MAX_TRIES, Failure, File},
    shared::Shared,
    threads,
};
use crate::{
    adapters::{Incident, Undelivered},
    service::port::{Account, Delivery, Destination, ForumAddress},
};

/// Most announcements that are under way at once, each to another destination.
const UNDER_WAY_MAX_DELIVERIES: usize = 16;

/// Delivers until it is told to stop, and finishes what is under way then.
pub(super) async fn pump(shared: &Arc<Shared>, mut stop: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(UNDER_WAY_MAX_DELIVERIES));
    let mut under_way = JoinSet::new();
    'asking: loop {
        // Asking is never broken off but at the end: what was leased and forgotten would wait for its lease to run out.
        let mut next = std::pin::pin!(async {
            let permit = room.clone().acquire_owned().await;
            (permit, shared.desk.next_delivery(SERVICE).await)
        });
        let (permit, delivery) = loop {
            tokio::select! {
                biased;
                () = super::told(&mut stop) => break 'asking,
                Some(_) = under_way.join_next() => {}
                next = &mut next => break next,
            }
        };
        let shared = shared.clone();
        under_way.spawn(async move {
            deliver(&shared, delivery).await;
            drop(permit);
        });
    }
    while under_way.join_next().await.is_some() {}
}

async fn deliver(shared: &Shared, delivery: Delivery) {
    let Err(failure) = send(shared, &delivery).await else { return shared.desk.delivered(delivery.id).await };
    let Delivery { id, to, attempts, .. } = delivery;
    tracing::info!(id, %failure, attempts, "an announcement did not get through");
    let why = match failure {
        // Refused for what it says, it would be refused again.
        Failure::Gone(why) | Failure::Refused(why) => Undelivered::Gone(why),
        Failure::Closed(why) => {
            // The place may be opened again, so the outbox keeps a bounded number of announcements for it.
            if attempts <= 1
                && let Destination::Forum(forum) = &to
            {
                let incident = Incident::ForumLost { forum: forum.clone(), why };
                shared.desk.incident(incident).await;
            }
            Undelivered::Retry
        }
        Failure::Expired
        | Failure::Answered
        | Failure::Unauthorised
        | Failure::Posts
        | Failure::Threaded
        | Failure::Away(_) => Undelivered::Retry,
    };
    if let (Undelivered::Gone(why), Destination::Forum(forum)) = (&why, &to) {
        let incident = Incident::ForumLost { forum: forum.clone(), why: why.clone() };
        shared.desk.incident(incident).await;
    }
    shared.desk.undelivered(id, why).await;
}

async fn send(shared: &Shared, delivery: &Delivery) -> Result<(), Failure> {
    let (Destination::Forum(ForumAddress { channel: id, .. }) | Destination::Person(Account { id, .. })) = &delivery.to;
    let Some(number) = id.parse().ok().filter(|number| *number > 0) else {
        return Err(Failure::Gone(format!("“{id}” is no id of Discord's")));
    };
    let messages = messages(delivery);
    match &delivery.to {
        Destination::Forum(_) => threads::announce(shared, number, delivery, messages).await,
        Destination::Person(_) => {
            for (message, file) in messages {
                to_person(shared, number, &message, file.as_ref()).await?;
            }
            Ok(())
        }
    }
}

/// The messages that carry an announcement, each with the number by which Discord knows it again.
fn messages(delivery: &Delivery) -> Vec<(Message, Option<File>)> {
    let Parts { message, file, more } = render(&delivery.document).parts(0, "", None);
    let first = std::iter::once((message, file));
    let all = first.chain(more.map(|(message, file)| (message, Some(file)))).zip(["", "b"]);
    let numbered = |((mut message, file), suffix): ((Message, Option<File>), &str)| {
        message.nonce = Some(format!("rk{}{suffix}", delivery.id));
        message.enforce_nonce = true;
        (message, file)
    };
    all.map(numbered).collect()
}

/// Sends a message to a channel, or to a thread, which is one; gives its id.
pub(super) async fn to_channel(
    shared: &Shared,
    channel: u64,
    message: &Message,
    file: Option<&File>,
) -> Result<u64, Failure> {
    let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
    let sent = shared.rest.send((LightMethod::Post, route), Some(&json!(message)), file, DELIVERY_MAX_TRIES).await?;
    Ok(id_of(&sent).unwrap_or_default())
}

/// The id of what Discord answers with; 0 is none.
pub(super) fn id_of(answer: &Value) -> Option<u64> {
    answer["id"].as_str().and_then(|id| id.parse().ok()).filter(|id| *id > 0)
}

/// Sends a message to a person, in the conversation that the bot has with them.
pub(super) async fn to_person(
    shared: &Shared,
    user: u64,
    message: &Message,
    file: Option<&File>,
) -> Result<(), Failure> {
    let open = json!({ "recipient_id": user.to_string() });
    let opened = shared.rest.send((LightMethod::Post, Route::UserMeDmChannels), Some(&open), None, DELIVERY_MAX_TRIES);
    let opened = opened.await?;
    let channel = id_of(&opened).ok_or_else(|| Failure::Refused("Discord opened no conversation".to_owned()))?;
    to_channel(shared, channel, message, file).await.map(|_| ())
}
