//! The API: what each request does to the state, and how Discord answers it.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch};

use super::{
    APPLICATION, Fault, Interaction, Message, Role, State, TOKEN, Thread,
    http::{self, Answer, Request},
    limits,
};

/// The id of the first command that is registered.
pub(super) const FIRST_COMMAND: u64 = 700_000_000_000_000_001;

pub(super) async fn listen(listener: TcpListener, state: Arc<Mutex<State>>, changed: watch::Sender<u64>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (state, changed) = (state.clone(), changed.clone());
        tokio::spawn(async move {
            // A client that hangs up is as good as one that says goodbye.
            let _ = http::serve(stream, |request| {
                let mut state = state.lock().expect("no test panics while it holds the state");
                let mut answered = answer(&mut state, request);
                if let Some(answered) = &mut answered {
                    answered.headers.push(("date", state.date()));
                }
                drop(state);
                changed.send_modify(|count| *count += 1);
                answered
            })
            .await;
        });
    }
}

fn answer(state: &mut State, request: Request) -> Option<Answer> {
    state.wire.push(without_token(&request.raw));
    let path = request.path.split('?').next().unwrap_or_default().to_owned();
    state.requests.push((request.method.clone(), path.clone()));
    let place = state.faults.iter().position(|(method, part, _, _)| *method == request.method && path.contains(part));
    let fault = place.map(|place| {
        let (_, _, fault, left) = &mut state.faults[place];
        let fault = *fault;
        *left -= 1;
        if *left == 0 {
            state.faults.remove(place);
        }
        fault
    });
    match fault {
        Some(Fault::Status(status, code)) => return Some(Answer::error(status, code, "as the test wants it")),
        Some(Fault::Limit(seconds)) => {
            let body = json!({ "message": "You are being rate limited.", "retry_after": seconds, "global": false });
            let mut answer = Answer::json(429, &body);
            answer.headers.push(("retry-after", seconds.ceil().to_string()));
            return Some(answer);
        }
        Some(Fault::LoseRequest) => return None,
        Some(Fault::Another) => {
            let mut other = shown(state.id(), 1);
            other["nonce"] = "of something else".into();
            return Some(Answer::json(200, &other));
        }
        Some(Fault::LoseAnswer) | None => {}
    }
    let answer = match path.strip_prefix("/api/v10/") {
        Some(route)
            if request.authorization.as_deref().is_some_and(|token| token.trim_start_matches("Bot ") == TOKEN) =>
        {
            let parts: Vec<&str> = route.split('/').collect();
            routed(state, &request, &parts)
        }
        Some(_) => Answer::error(401, 0, "401: Unauthorized"),
        None => match path.strip_prefix("/files/").and_then(|name| state.files.get(name)) {
            Some(bytes) => Answer { status: 200, body: bytes.clone(), headers: Vec::new() },
            None => Answer::error(404, 0, "404: Not Found"),
        },
    };
    (!matches!(fault, Some(Fault::LoseAnswer))).then_some(answer)
}

/// The one place where the token belongs is left out of what is searched for it.
fn without_token(raw: &[u8]) -> Vec<u8> {
    // Files are no text, so that only the head is read as one.
    let end = raw.windows(4).position(|part| part == b"\r\n\r\n").unwrap_or(raw.len());
    let (head, body) = raw.split_at(end);
    let head = String::from_utf8_lossy(head);
    let kept = head.split("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("authorization:"));
    let mut kept = kept.collect::<Vec<_>>().join("\r\n").into_bytes();
    kept.extend_from_slice(body);
    kept
}

fn routed(state: &mut State, request: &Request, parts: &[&str]) -> Answer {
    let body = request.json.clone().unwrap_or(Value::Null);
    match (request.method.as_str(), parts) {
        ("GET", ["users", "@me"]) => Answer::json(200, &json!({ "id": APPLICATION.to_string(), "username": "keeper" })),
        ("GET", ["gateway"]) => Answer::json(200, &json!({ "url": state.ws })),
        ("PUT", ["applications", _, "commands"]) => match limits::commands(&body) {
            Ok(commands) => {
                state.global = Some(commands);
                Answer::json(200, &registered(&body))
            }
            Err(wrong) => refuse(state, wrong),
        },
        ("PUT", ["applications", _, "guilds", guild, "commands"]) => {
            let guild: u64 = guild.parse().unwrap_or(0);
            if !state.guilds.contains_key(&guild) {
                return Answer::error(403, 50001, "Missing Access");
            }
            match limits::commands(&body) {
                Ok(commands) => {
                    let guild = state.guilds.entry(guild).or_default();
                    guild.commands = Some(commands);
                    guild.registered += 1;
                    Answer::json(200, &registered(&body))
                }
                Err(wrong) => refuse(state, wrong),
            }
        }
        ("POST", ["users", "@me", "channels"]) => {
            let user = body["recipient_id"].as_str().and_then(|id| id.parse().ok()).unwrap_or(0);
            let id = private_channel(state, user);
            Answer::json(200, &json!({ "id": id.to_string(), "type": 1, "recipients": [] }))
        }
        ("POST", ["channels", channel, "messages"]) => {
            let channel: u64 = channel.parse().unwrap_or(0);
            if !state.knows(channel) {
                return Answer::error(404, 10003, "Unknown Channel");
            }
            if state.guilds.values().any(|guild| guild.posts.contains(&channel)) {
                return Answer::error(400, 50008, "Cannot send messages in a non-text channel");
            }
            if state.threads.get(&channel).is_some_and(|thread| thread.locked) {
                return Answer::error(400, 50083, "Thread is archived");
            }
            let is_bare = request.files.is_empty() && body["embeds"].as_array().is_none_or(Vec::is_empty);
            if state.bare.contains(&channel) && !is_bare {
                return Answer::error(403, 50013, "Missing Permissions");
            }
            if state.closed.contains(&channel) {
                let (code, why) = if state.guild_of(channel).is_some() {
                    (50001, "Missing Access")
                } else {
                    (50007, "Cannot send messages to this user")
                };
                return Answer::error(403, code, why);
            }
            let nonce = body["nonce"].as_str().map(str::to_owned).filter(|_| body["enforce_nonce"] == true);
            if let Some(known) = nonce.as_ref().and_then(|nonce| state.nonces.get(&(channel, nonce.clone()))) {
                return Answer::json(200, &numbered(*known, channel, &body));
            }
            match post(state, channel, None, &body, request) {
                Ok(id) => {
                    if let Some(nonce) = nonce {
                        state.nonces.insert((channel, nonce), id);
                    }
                    Answer::json(200, &numbered(id, channel, &body))
                }
                Err(answer) => answer,
            }
        }
        ("PATCH", ["channels", channel, "messages", message]) => {
            let (channel, id) = (channel.parse().unwrap_or(0), message.parse().unwrap_or(0));
            if state.closed.contains(&channel) {
                return Answer::error(403, 50001, "Missing Access");
            }
            let is_bare = request.files.is_empty() && body["embeds"].as_array().is_none_or(Vec::is_empty);
            if state.bare.contains(&channel) && !is_bare {
                return Answer::error(403, 50013, "Missing Permissions");
            }
            let own = state.messages.iter().any(|held| held.id == id && held.channel == channel && held.only.is_none());
            let edited = if own { edit(state, Some(id), &body, request) } else { Err(unknown_message()) };
            edited.map_or_else(|answer| answer, |()| Answer::json(200, &shown(id, channel)))
        }
        ("PUT", ["channels", _, "pins", message]) | ("PUT", ["channels", _, "messages", "pins", message]) => {
            let message: u64 = message.parse().unwrap_or(0);
            match state.messages.iter().any(|held| held.id == message && !held.deleted) {
                true => {
                    state.pinned.insert(message);
                    Answer { status: 204, body: Vec::new(), headers: Vec::new() }
                }
                false => Answer::error(404, 10008, "Unknown Message"),
            }
        }
        ("POST", ["channels", channel, "messages", message, "threads"]) => {
            let number = |text: &&str| text.parse::<u64>().unwrap_or(0);
            begin_thread(state, number(channel), Some(number(message)), &body, request)
        }
        ("POST", ["channels", channel, "threads"]) => {
            begin_thread(state, channel.parse().unwrap_or(0), None, &body, request)
        }
        ("GET", ["channels", channel]) => {
            let channel: u64 = channel.parse().unwrap_or(0);
            let Some(guild) = state.guilds.values().find(|guild| guild.channels.contains(&channel)) else {
                return Answer::error(404, 10003, "Unknown Channel");
            };
            let tag = |(index, name): (usize, &&str)| json!({ "id": (index + 1).to_string(), "name": name });
            let tags: Vec<Value> = guild.tags.get(&channel).into_iter().flatten().enumerate().map(tag).collect();
            let flags = if guild.tags_demanded.contains(&channel) { 1 << 4 } else { 0 };
            Answer::json(200, &json!({ "id": channel.to_string(), "type": 15, "available_tags": tags, "flags": flags }))
        }
        ("GET", ["guilds", guild, "threads", "active"]) => {
            let guild = guild.parse().unwrap_or(0);
            let here = |(_, thread): &(&u64, &Thread)| {
                !thread.deleted && !thread.locked && state.guild_of(thread.parent) == Some(guild)
            };
            let threads: Vec<Value> =
                state.threads.iter().filter(here).map(|(id, thread)| thread_json(*id, thread)).collect();
            Answer::json(200, &json!({ "threads": threads, "members": [] }))
        }
        (_, ["guilds", guild, "roles" | "members", ..]) => {
            let Some(guild) = guild.parse().ok().filter(|guild| state.guilds.contains_key(guild)) else {
                return Answer::error(404, 10004, "Unknown Guild");
            };
            roles(state, guild, request.method.as_str(), &parts[2..], &body)
        }
        ("POST", ["interactions", id, token, "callback"]) => callback(state, id, token, &body, request),
        (method, ["webhooks", _, token, rest @ ..]) => webhook(state, method, token, rest, &body, request),
        _ => {
            state.violations.push(format!("no such route: {} {}", request.method, request.path));
            Answer::error(404, 0, "404: Not Found")
        }
    }
}

/// Roles are made, given and taken, and a member's are told.
fn roles(state: &mut State, guild: u64, method: &str, parts: &[&str], body: &Value) -> Answer {
    let id = state.id();
    let Some(held) = state.guilds.get_mut(&guild) else { return Answer::error(404, 10004, "Unknown Guild") };
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    match (method, parts) {
        ("POST", ["roles"]) if held.roleless => Answer::error(403, 50013, "Missing Permissions"),
        ("POST", ["roles"]) => {
            let name = body["name"].as_str().unwrap_or_default().to_owned();
            if !(1..=100).contains(&name.chars().count()) || body["permissions"] != "0" {
                return refuse(state, vec![format!("the role {body}")]);
            }
            let role = Role { name, ..Role::default() };
            let answer = super::role(id, &role);
            held.roles.insert(id, role);
            state.gateway.dispatch("GUILD_ROLE_CREATE", json!({ "guild_id": guild.to_string(), "role": answer }));
            Answer::json(200, &answer)
        }
        (_, ["members", user, ..]) if held.strangers.contains(&number(user)) => {
            Answer::error(404, 10007, "Unknown Member")
        }
        ("GET", ["members", user]) => {
            let has = held.roles.iter().filter(|(_, role)| role.members.contains(&number(user)));
            let has: Vec<String> = has.map(|(id, _)| id.to_string()).collect();
            Answer::json(200, &json!({ "roles": has, "user": { "id": user } }))
        }
        ("PUT" | "DELETE", ["members", user, "roles", role]) => {
            let roleless = held.roleless;
            match held.roles.get_mut(&number(role)) {
                None => Answer::error(404, 10011, "Unknown Role"),
                Some(role) if roleless || role.above => Answer::error(403, 50013, "Missing Permissions"),
                Some(role) => {
                    if method == "PUT" {
                        role.members.insert(number(user))
                    } else {
                        role.members.remove(&number(user))
                    };
                    Answer { status: 204, body: Vec::new(), headers: Vec::new() }
                }
            }
        }
        _ => Answer::error(404, 0, "404: Not Found"),
    }
}

/// Opens a thread under a message, or a post with its first one.
fn begin_thread(state: &mut State, channel: u64, under: Option<u64>, body: &Value, request: &Request) -> Answer {
    let name = body["name"].as_str().unwrap_or_default().to_owned();
    if !(1..=100).contains(&name.chars().count()) {
        return refuse(state, vec![format!("a thread called {name:?}")]);
    }
    if state.threadless.contains(&channel) || state.closed.contains(&channel) {
        return Answer::error(403, 50013, "Missing Permissions");
    }
    let takes_posts = state.guilds.values().any(|guild| guild.posts.contains(&channel));
    let tags: Vec<String> = body["applied_tags"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tag| tag.as_str().unwrap_or_default().to_owned())
        .collect();
    if let Some(guild) = state.guilds.values().find(|guild| guild.posts.contains(&channel)) {
        let known = guild.tags.get(&channel).map_or(0, Vec::len);
        let is_known = |tag: &String| tag.parse().is_ok_and(|tag: usize| (1..=known).contains(&tag));
        if tags.len() > 5 || !tags.iter().all(is_known) {
            return refuse(state, vec![format!("a post with the tags {tags:?}")]);
        }
        if tags.is_empty() && guild.tags_demanded.contains(&channel) {
            return Answer::error(400, 40067, "A tag is required to create a forum post in this channel");
        }
    }
    let id = match under {
        Some(message) if state.threads.contains_key(&message) => {
            return Answer::error(400, 160_004, "A thread has already been created for this message");
        }
        Some(message) if state.messages.iter().any(|held| held.id == message && held.channel == channel) => message,
        None if takes_posts => {
            let id = state.id();
            let wrong = limits::message(&body["message"], &request.files, false, &state.callable);
            if !wrong.is_empty() {
                return refuse(state, wrong);
            }
            let (body, files) = (body["message"].clone(), Vec::new());
            state.messages.push(Message {
                id,
                channel: id,
                body,
                files,
                only: None,
                deleted: false,
                pending: false,
                before: String::new(),
            });
            id
        }
        _ => return Answer::error(404, 10008, "Unknown Message"),
    };
    let thread = Thread { parent: channel, name, tags, deleted: false, locked: false };
    let answer = Answer::json(201, &thread_json(id, &thread));
    state.threads.insert(id, thread);
    answer
}

fn thread_json(id: u64, thread: &Thread) -> Value {
    json!({ "id": id.to_string(), "parent_id": thread.parent.to_string(), "name": thread.name, "type": 11,
        "owner_id": APPLICATION.to_string() })
}

fn callback(state: &mut State, id: &str, token: &str, body: &Value, request: &Request) -> Answer {
    let Some(interaction) = state.interactions.get(token).cloned().filter(|held| held.id.to_string() == id) else {
        return Answer::error(404, 10062, "Unknown interaction");
    };
    if interaction.expired {
        return Answer::error(404, 10062, "Unknown interaction");
    }
    if interaction.answered.is_some() {
        return Answer::error(400, 40060, "Interaction has already been acknowledged.");
    }
    let kind = body["type"].as_u64().unwrap_or(0);
    let data = &body["data"];
    let Interaction { user, channel, .. } = interaction;
    let only = (data["flags"] == 64).then_some(user);
    let mut next = Interaction { answered: Some(kind), ..interaction };
    match kind {
        4 => match post(state, channel, only, data, request) {
            Ok(id) => next.original = Some(id),
            Err(answer) => return answer,
        },
        5 => {
            let id = state.id();
            let (body, files) = (json!({}), Vec::new());
            state.messages.push(Message {
                id,
                channel,
                body,
                files,
                only,
                deleted: false,
                pending: true,
                before: String::new(),
            });
            next.original = Some(id);
        }
        6 => {}
        7 => {
            if let Err(answer) = edit(state, next.under, data, request) {
                return answer;
            }
        }
        8 => {
            let choices = data["choices"].as_array().cloned().unwrap_or_default();
            let long = |value: &Value| !(1..=100).contains(&value.as_str().map_or(0, |text| text.chars().count()));
            if choices.len() > 25 || choices.iter().any(|choice| long(&choice["name"]) || long(&choice["value"])) {
                return refuse(state, vec![format!("choices: {choices:?}")]);
            }
            next.choices = Some(Value::Array(choices));
        }
        9 => {
            let wrong = limits::window(data);
            if !wrong.is_empty() {
                return refuse(state, wrong);
            }
            next.window = Some(data.clone());
        }
        _ => return refuse(state, vec![format!("a first answer of kind {kind}")]),
    }
    state.interactions.insert(token.to_owned(), next);
    Answer::empty()
}

fn webhook(state: &mut State, method: &str, token: &str, rest: &[&str], body: &Value, request: &Request) -> Answer {
    let Some(interaction) = state.interactions.get(token).cloned() else {
        return Answer::error(404, 10015, "Unknown Webhook");
    };
    if interaction.expired {
        return Answer::error(401, 50027, "Invalid Webhook Token");
    }
    if interaction.answered.is_none() {
        return Answer::error(404, 10015, "Unknown Webhook");
    }
    let Interaction { user, channel, original, .. } = interaction;
    let waiting = |state: &State| {
        state
            .messages
            .iter()
            .find(|message| Some(message.id) == original && message.pending && !message.deleted)
            .cloned()
    };
    match (method, rest) {
        ("PATCH", ["messages", "@original"]) => match edit(state, original, body, request) {
            Ok(()) => Answer::json(200, &shown(original.unwrap_or(0), channel)),
            Err(answer) => answer,
        },
        ("DELETE", ["messages", "@original"]) => {
            match state.messages.iter_mut().find(|message| Some(message.id) == original && !message.deleted) {
                Some(message) => {
                    message.deleted = true;
                    Answer::empty()
                }
                None => Answer::error(404, 10008, "Unknown Message"),
            }
        }
        ("POST", []) => {
            // The first follow-up of a promise fills it, and keeps its visibility.
            if let Some(promise) = waiting(state) {
                return match edit(state, Some(promise.id), body, request) {
                    Ok(()) => Answer::json(200, &shown(promise.id, channel)),
                    Err(answer) => answer,
                };
            }
            match post(state, channel, (body["flags"] == 64).then_some(user), body, request) {
                Ok(id) => Answer::json(200, &shown(id, channel)),
                Err(answer) => answer,
            }
        }
        _ => {
            state.violations.push(format!("no such route: {} {}", request.method, request.path));
            Answer::error(404, 0, "404: Not Found")
        }
    }
}

fn post(state: &mut State, channel: u64, only: Option<u64>, body: &Value, request: &Request) -> Result<u64, Answer> {
    let wrong = limits::message(body, &request.files, false, &state.callable);
    if !wrong.is_empty() {
        return Err(refuse(state, wrong));
    }
    let id = state.id();
    let files = request.files.iter().map(|(_, name, bytes)| (name.clone(), bytes.clone())).collect();
    state.messages.push(Message {
        id,
        channel,
        body: body.clone(),
        files,
        only,
        deleted: false,
        pending: false,
        before: String::new(),
    });
    Ok(id)
}

fn edit(state: &mut State, id: Option<u64>, body: &Value, request: &Request) -> Result<(), Answer> {
    let wrong = limits::message(body, &request.files, false, &state.callable);
    if !wrong.is_empty() {
        return Err(refuse(state, wrong));
    }
    let Some(message) = state.messages.iter_mut().find(|message| Some(message.id) == id && !message.deleted) else {
        return Err(unknown_message());
    };
    message.before = message.text();
    message.body = body.clone();
    message.pending = false;
    message.files = request.files.iter().map(|(_, name, bytes)| (name.clone(), bytes.clone())).collect();
    Ok(())
}

fn unknown_message() -> Answer {
    Answer::error(404, 10008, "Unknown Message")
}

/// What was registered, each with the id that it has now.
fn registered(body: &Value) -> Value {
    let commands = body.as_array().into_iter().flatten().zip(FIRST_COMMAND..);
    let told = |(command, id): (&Value, u64)| {
        let mut told = command.clone();
        told["id"] = id.to_string().into();
        told["type"] = command["type"].as_u64().unwrap_or(1).into();
        told
    };
    commands.map(told).collect()
}

fn refuse(state: &mut State, wrong: Vec<String>) -> Answer {
    let message = wrong.join("; ");
    state.violations.extend(wrong);
    Answer::error(400, 50035, &message)
}

pub(super) fn private_channel(state: &mut State, user: u64) -> u64 {
    if let Some(channel) = state.private.get(&user) {
        return *channel;
    }
    let id = state.id();
    state.private.insert(user, id);
    id
}

/// A message that was sent with a nonce, or is taken for it.
fn numbered(id: u64, channel: u64, body: &Value) -> Value {
    let mut shown = shown(id, channel);
    shown["nonce"] = body["nonce"].clone();
    shown
}

/// A message as Discord shows it.
pub(super) fn shown(id: u64, channel: u64) -> Value {
    json!({
        "id": id.to_string(), "channel_id": channel.to_string(), "content": "", "tts": false, "type": 0,
        "author": { "id": APPLICATION.to_string(), "username": "rulekeeper", "discriminator": "0", "avatar": null },
        "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": null, "mention_everyone": false,
        "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": false,
    })
}
