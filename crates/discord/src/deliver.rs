//! Announcements on their way to channels and people.
//!
//! The outbox hands out one announcement of a destination at a time, so that each channel sees its own in order. A slow
//! channel holds up no other. Each message carries a number that Discord remembers for a while. One that is sent again,
//! because the answer to it was lost, shows up once.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use serenity::{
    all::{ChannelId, LightMethod},
    http::Route,
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::Instant,
};

use super::{
    answerable::Open,
    message::Message,
    render::Parts,
    rest::{DELIVERY_MAX_TRIES, Failure, File},
    service::SERVICE,
    shared::Shared,
    stop::told,
    threads,
};
use port::Incident;
use port::Undelivered;
use port::{Account, Delivery, Destination, ForumAddress};

/// Most announcements that are under way at once, each to another destination.
const UNDER_WAY_MAX_DELIVERIES: usize = 16;

/// How much older than its announcement a message may seem: Discord tells its time in whole seconds, and the way takes its
/// own.
const AGE_SLACK: Duration = Duration::from_secs(10);

/// What a message's nonce ends with that is sent anew because Discord answered with another one.
const ANEW: char = 'x';

/// The first instant of Discord's ids, in milliseconds since 1970, and how many bits of an id stand behind its instant.
const ID_EPOCH_MILLIS: i64 = 1_420_070_400_000;
const ID_COUNT_BITS: u32 = 22;

/// An id of less is none of Discord's: it would be older than its bots are.
const ID_LEAST: u64 = 1 << 56;

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
                () = told(&mut stop) => break 'asking,
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
    let messages = messages(shared, delivery);
    match &delivery.to {
        Destination::Forum(_) => {
            let is_bare = |(message, file): &(Message, Option<File>)| message.embeds.is_empty() && file.is_none();
            let may_be_bare = !messages.iter().all(is_bare);
            match threads::announce(shared, number, delivery, messages).await {
                // The bot may be allowed to write there, though not to attach files, or to embed.
                Err(Failure::Closed(why)) if may_be_bare => {
                    threads::announce(shared, number, delivery, bare(shared, delivery)).await?;
                    let why = format!(
                        "the channel {number} takes no pictures and no frames, so announcements come there as texts: give \
                         the bot Embed Links and Attach Files there ({why})"
                    );
                    shared.desk.incident(Incident::ServiceTroubled { service: SERVICE.to_owned(), why }).await;
                    Ok(())
                }
                done => done,
            }
        }
        Destination::Person(_) => {
            let Err(failure) = to_person_all(shared, number, &messages).await else { return Ok(()) };
            // Who takes no private messages may have asked for it just now, and can be answered there.
            if matches!(failure, Failure::Gone(_) | Failure::Closed(_) | Failure::Refused(_))
                && let Some(open) = shared.live.of(number).await
            {
                match by_answer(shared, &open, messages).await {
                    Ok(()) => return Ok(()),
                    Err(failure) => tracing::info!(id = delivery.id, %failure, "no answer could carry an announcement"),
                }
            }
            Err(failure)
        }
    }
}

async fn to_person_all(shared: &Shared, user: u64, messages: &[(Message, Option<File>)]) -> Result<(), Failure> {
    for (message, file) in messages {
        to_person(shared, user, message, file.as_ref()).await?;
    }
    Ok(())
}

/// Sends what is for one person after an answer to their last interaction, where nobody else sees it.
async fn by_answer(shared: &Shared, open: &Open, messages: Vec<(Message, Option<File>)>) -> Result<(), Failure> {
    let application_id = shared.rest.application()?;
    for (message, file) in messages {
        let route = Route::WebhookFollowupMessages { application_id, token: &open.token };
        let message = Message { nonce: None, enforce_nonce: false, ..message.ephemeral(open.shared) };
        shared.rest.send((LightMethod::Post, route), Some(&json!(message)), file.as_ref(), DELIVERY_MAX_TRIES).await?;
    }
    Ok(())
}

/// The server in which an announcement is read.
fn guild_of(shared: &Shared, delivery: &Delivery) -> Option<u64> {
    match &delivery.to {
        Destination::Forum(forum) => shared.guilds.of(forum.channel.parse().ok()?),
        Destination::Person(_) => None,
    }
}

/// The messages that carry an announcement, each with the number by which Discord knows it again.
fn messages(shared: &Shared, delivery: &Delivery) -> Vec<(Message, Option<File>)> {
    let Parts { message, file, more } =
        shared.render(&delivery.document, guild_of(shared, delivery)).parts(0, "", None);
    let first = std::iter::once((message.calling_people(&delivery.document.calls), file));
    // The letters are none of a number's.
    let all = first.chain(more.map(|(message, file)| (message, Some(file)))).zip(["", "p"]);
    all.map(|((message, file), suffix)| (numbered(message, delivery, suffix), file)).collect()
}

/// The same in texts alone.
fn bare(shared: &Shared, delivery: &Delivery) -> Vec<(Message, Option<File>)> {
    let messages =
        shared.bare(&delivery.document, guild_of(shared, delivery)).into_iter().zip(["q", "r", "s", "t", "u"]);
    let number = |(index, (message, suffix)): (usize, (Message, &str))| {
        // Whoever is called is called once.
        let message = if index == 0 { message.calling_people(&delivery.document.calls) } else { message };
        (numbered(message, delivery, suffix), None)
    };
    messages.enumerate().map(number).collect()
}

fn numbered(mut message: Message, delivery: &Delivery, suffix: &str) -> Message {
    message.nonce = Some(format!("{}{:x}{suffix}", delivery.origin, delivery.id));
    message.enforce_nonce = true;
    message.written = Instant::now().checked_sub(delivery.waited);
    message
}

/// Sends a message to a channel, or to a thread, which is one; gives its id. Where it carries a nonce, Discord may answer
/// with another message, which it takes for the same: then ours is sent under another nonce.
pub(super) async fn to_channel(
    shared: &Shared,
    channel: u64,
    message: &Message,
    file: Option<&File>,
) -> Result<u64, Failure> {
    let mut message = message.clone();
    for anew in [false, true] {
        if let Some(nonce) = message.nonce.as_mut().filter(|_| anew) {
            nonce.push(ANEW);
            message.written = None;
        }
        let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
        let sent =
            shared.rest.send((LightMethod::Post, route), Some(&json!(message)), file, DELIVERY_MAX_TRIES).await?;
        let id = id_of(&sent);
        match id {
            _ if message.nonce.is_none() => return Ok(id.unwrap_or_default()),
            Some(id) if is_ours(shared, &message, id, &sent["nonce"]) => return Ok(id),
            Some(id) => tracing::warn!(channel, id, "Discord takes an announcement for another one"),
            None => return Err(Failure::Away("Discord does not say which message it made".to_owned())),
        }
    }
    Err(Failure::Away("Discord answers with other messages".to_owned()))
}

/// Whether the message that Discord answers with can be the one that was sent. It carries the nonce, if it carries any,
/// and is no older than what it says.
fn is_ours(shared: &Shared, sent: &Message, id: u64, nonce: &Value) -> bool {
    let echoed = nonce.as_str().map(str::to_owned).or_else(|| nonce.as_u64().map(|nonce| nonce.to_string()));
    if echoed.is_some() && echoed != sent.nonce {
        return false;
    }
    let (Some(written), Some(told_at)) = (sent.written, shared.rest.told_at()) else { return true };
    let made_at = i64::try_from(id >> ID_COUNT_BITS).unwrap_or(i64::MAX).saturating_add(ID_EPOCH_MILLIS);
    let age = u64::try_from(told_at.saturating_sub(made_at)).map(Duration::from_millis).unwrap_or_default();
    id < ID_LEAST || age <= written.elapsed() + AGE_SLACK
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
