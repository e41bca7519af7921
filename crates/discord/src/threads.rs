//! Where in a channel an announcement goes: into the channel, into the thread of its topic, or into a post.
//!
//! A thread begins under the message that its topic was first announced with, and has that message's id. So a second
//! try, after a crash or a lost answer, finds what the first one did. A post has no such message: it is looked for by
//! its name before one is made, and begins with nothing but that name. Which thread a topic has outlives the process,
//! because the service keeps it. A thread that is gone or shut is replaced by another, so that it holds up nothing.

use serde_json::{Value, json};
use serenity::{
    all::{ChannelId, GuildId, LightMethod, MessageId},
    http::Route,
};

use super::{
    deliver::{id_of, to_channel},
    escape, living,
    message::Message,
    rest::{DELIVERY_MAX_TRIES, Failure, File},
    service::{SERVICE, forum},
    shared::Shared,
};
use kernel::display::Topic;
use port::Delivery;
use port::Incident;

/// Discord's mark of a channel that takes no post without a tag.
const TAG_DEMANDED: u64 = 1 << 4;

/// Most characters of a thread's name.
const NAME_MAX_CHARS: usize = 100;

/// The messages of an announcement, with their files.
type Messages = Vec<(Message, Option<File>)>;

/// Sends an announcement to a channel.
pub(super) async fn announce(
    shared: &Shared,
    channel: u64,
    delivery: &Delivery,
    messages: Messages,
) -> Result<(), Failure> {
    let role = delivery.manner.mentions.as_deref().and_then(|role| role.parse().ok());
    let topic = delivery.document.topic.as_ref().filter(|_| delivery.manner.threads);
    let posts = shared.guilds.takes_posts(channel);
    // A topic calls once, when it begins; everything else when there is something to do about it.
    let wants_something = !delivery.document.offers.is_empty();
    let calls = role.filter(|_| topic.is_some() || wants_something);
    if let Some(topic) = topic.or(posts.then_some(&delivery.home))
        && let Some(thread) = kept(shared, channel, topic).await
    {
        let calls = calls.filter(|_| topic.key == delivery.home.key);
        match say(shared, delivery, thread, calling(messages.clone(), calls)).await {
            Err(Failure::Gone(_) | Failure::Closed(_)) => keep(shared, channel, topic, None).await,
            said => return said,
        }
    }
    if !posts {
        match begin(shared, delivery, (channel, topic), calling(messages.clone(), calls)).await {
            Err(Failure::Posts) => shared.guilds.mark_posts(channel),
            said => return said,
        }
    }
    let about = topic.unwrap_or(&delivery.home);
    let thread = post(shared, channel, about).await?;
    keep(shared, channel, about, Some(thread)).await;
    say(shared, delivery, thread, calling(messages, calls)).await
}

/// The same, the first of them calling a role.
fn calling(mut messages: Messages, role: Option<u64>) -> Messages {
    if let (Some(role), Some((message, _))) = (role, messages.first_mut()) {
        *message = std::mem::take(message).calling(role);
    }
    messages
}

/// Says it in a place; the first message lives there, where it does at all.
async fn say(shared: &Shared, delivery: &Delivery, place: u64, messages: Messages) -> Result<(), Failure> {
    for (index, (message, file)) in messages.into_iter().enumerate() {
        let id = to_channel(shared, place, &message, file.as_ref()).await?;
        if index == 0 {
            living::keep(shared, delivery, place, id).await;
        }
    }
    Ok(())
}

/// Says it in the channel itself, and opens a thread under it where it begins a topic.
async fn begin(
    shared: &Shared,
    delivery: &Delivery,
    (channel, topic): (u64, Option<&Topic>),
    mut messages: Messages,
) -> Result<(), Failure> {
    let rest = messages.split_off(1.min(messages.len()));
    let mut place = channel;
    for (message, file) in messages {
        let id = to_channel(shared, channel, &message, file.as_ref()).await?;
        living::keep(shared, delivery, channel, id).await;
        let Some(topic) = topic else { continue };
        let (channel_id, message_id) = (ChannelId::new(channel), MessageId::new(id.max(1)));
        let opened = json!({ "name": name(topic) });
        let route = Route::ChannelMessageThreads { channel_id, message_id };
        match shared.rest.send((LightMethod::Post, route), Some(&opened), None, DELIVERY_MAX_TRIES).await {
            Ok(_) | Err(Failure::Threaded) => {
                keep(shared, channel, topic, Some(id)).await;
                place = id;
            }
            // It stands in the channel already, which is what counts: the topic's next announcement tries again.
            Err(Failure::Away(why)) => tracing::info!(channel, why, "a thread was not opened"),
            Err(failure) => {
                let why = format!("no thread can be opened in the channel {channel}: {failure}");
                shared.desk.incident(Incident::ServiceTroubled { service: SERVICE.to_owned(), why }).await;
            }
        }
    }
    for (message, file) in rest {
        to_channel(shared, place, &message, file.as_ref()).await?;
    }
    Ok(())
}

/// The post of a topic in a channel that takes nothing else: the one of its name, or a new one.
async fn post(shared: &Shared, channel: u64, topic: &Topic) -> Result<u64, Failure> {
    let name = name(topic);
    let guild = shared.guilds.of(channel);
    let guild = guild.ok_or_else(|| Failure::Away("the gateway has not told of that server yet".to_owned()))?;
    let route = Route::GuildThreadsActive { guild_id: GuildId::new(guild) };
    let active = shared.rest.send((LightMethod::Get, route), None, None, DELIVERY_MAX_TRIES).await?;
    let (own, parent) = (shared.rest.application()?.to_string(), channel.to_string());
    let found = active["threads"].as_array().into_iter().flatten().find(|thread| {
        thread["parent_id"] == parent.as_str() && thread["owner_id"] == own.as_str() && thread["name"] == name.as_str()
    });
    if let Some(id) = found.and_then(id_of) {
        return Ok(id);
    }
    let first = Message { content: escape::markdown(&name), ..Message::default() };
    let tags = tags(shared, channel, topic).await?;
    let body = json!({ "name": name, "message": first, "applied_tags": tags });
    let route = Route::ChannelThreads { channel_id: ChannelId::new(channel) };
    // Tried once: another try has to look again, because the answer may have been lost.
    let opened = shared.rest.send((LightMethod::Post, route), Some(&body), None, 1).await?;
    id_of(&opened).ok_or_else(|| Failure::Away("Discord says nothing of the post".to_owned()))
}

/// The tag of a post: the one of the channel's that is called as its topic is (`Proposal`, `Notice`), in any case. A
/// channel that takes no post without a tag gets its first one where none is called so.
async fn tags(shared: &Shared, channel: u64, topic: &Topic) -> Result<Vec<String>, Failure> {
    let route = Route::Channel { channel_id: ChannelId::new(channel) };
    let told = shared.rest.send((LightMethod::Get, route), None, None, DELIVERY_MAX_TRIES).await?;
    let tags = told["available_tags"].as_array().map_or(&[][..], Vec::as_slice);
    // The number of the room stands before it, and its own behind.
    let noun = topic.key.rsplit('/').nth(1).unwrap_or_default();
    let is_called = |tag: &&Value, name: &str| {
        tag["name"].as_str().is_some_and(|called| called.to_lowercase() == name.to_lowercase())
    };
    let of_topic = tags.iter().find(|tag| is_called(tag, noun) || is_called(tag, &topic.title));
    let demanded = told["flags"].as_u64().unwrap_or(0) & TAG_DEMANDED != 0;
    let tag = of_topic.or(tags.first().filter(|_| demanded));
    Ok(tag.and_then(|tag| tag["id"].as_str()).map(str::to_owned).into_iter().collect())
}

fn name(topic: &Topic) -> String {
    let line = topic.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = line.chars().take(NAME_MAX_CHARS).collect();
    if name.is_empty() { "Untitled".to_owned() } else { name }
}

async fn kept(shared: &Shared, channel: u64, topic: &Topic) -> Option<u64> {
    shared.desk.thread_of(&forum(channel), &topic.key).await?.parse().ok().filter(|thread| *thread > 0)
}

async fn keep(shared: &Shared, channel: u64, topic: &Topic, thread: Option<u64>) {
    let thread = thread.map(|thread| thread.to_string());
    shared.desk.keep_thread(&forum(channel), &topic.key, thread.as_deref()).await;
}
