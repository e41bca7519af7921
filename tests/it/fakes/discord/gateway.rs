//! The gateway: sessions that are begun, resumed, invalidated and cut, and the events that they carry.

use std::sync::{Arc, Mutex};

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message as Frame, frame::coding::CloseCode};

use super::{APPLICATION, Out, Role, Sender, State, TOKEN};

/// How often the bot is asked to show that it lives, in milliseconds: as often as by Discord. A bot whose heartbeat is not
/// acknowledged in that time begins a new session, and loses what the old one had not carried.
const HEARTBEAT_MILLISECONDS: u64 = 41_250;

/// The sessions of the one bot.
#[derive(Default)]
pub(crate) struct Gateway {
    /// The present session, its last number, and every event in order.
    session: Option<(u64, Vec<Value>)>,
    sessions: u64,
    connection: Option<Sender>,
    /// How often the bot is asked to show that it lives from the next connection on, in milliseconds.
    pub(crate) heartbeat_milliseconds: Option<u64>,
    /// What the bot sent, by name.
    pub(crate) heard: Vec<&'static str>,
    /// Which intents the bot asked for.
    pub(crate) intents: Option<u64>,
}

impl Gateway {
    /// Sends an event, and keeps it for a resumption.
    pub(crate) fn dispatch(&mut self, name: &str, data: Value) {
        let Some((_, events)) = &mut self.session else { return };
        let event = json!({ "op": 0, "t": name, "s": events.len() + 1, "d": data });
        events.push(event.clone());
        self.send(Out::Json(event));
    }

    fn send(&self, out: Out) {
        if let Some(connection) = &self.connection {
            // The connection may have ended meanwhile: then the event waits for a resumption.
            let _ = connection.send(out);
        }
    }

    /// Asks the bot to connect again and resume.
    pub(crate) fn ask_to_reconnect(&self) {
        self.send(Out::Json(json!({ "op": 7, "d": null })));
    }

    /// Ends the session for good.
    pub(crate) fn invalidate(&mut self) {
        self.session = None;
        self.send(Out::Json(json!({ "op": 9, "d": false })));
    }

    /// Cuts the connection without a word.
    pub(crate) fn cut(&self) {
        self.send(Out::Cut);
    }

    /// Whether a session is under way.
    pub(crate) fn online(&self) -> bool {
        self.session.is_some() && self.connection.as_ref().is_some_and(|connection| !connection.is_closed())
    }

    /// How often a session was begun.
    pub(crate) fn begun(&self) -> usize {
        self.heard.iter().filter(|name| **name == "identify").count()
    }
}

pub(super) async fn listen(listener: TcpListener, state: Arc<Mutex<State>>, changed: watch::Sender<u64>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(stream, state.clone(), changed.clone()));
    }
}

async fn connection(stream: TcpStream, state: Arc<Mutex<State>>, changed: watch::Sender<u64>) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut sink, mut source) = socket.split();
    let (out, mut outgoing) = mpsc::unbounded_channel();
    let asked = state.lock().expect("no test panics while it holds the state").gateway.heartbeat_milliseconds;
    let hello = json!({ "op": 10, "d": { "heartbeat_interval": asked.unwrap_or(HEARTBEAT_MILLISECONDS) } });
    let _ = out.send(Out::Json(hello));
    loop {
        tokio::select! {
            Some(next) = outgoing.recv() => match next {
                Out::Json(value) => {
                    if sink.send(Frame::Text(value.to_string())).await.is_err() {
                        return;
                    }
                }
                Out::Close(code) => {
                    let frame = CloseFrame { code: CloseCode::from(code), reason: "".into() };
                    let _ = sink.send(Frame::Close(Some(frame))).await;
                    return;
                }
                Out::Cut => return,
            },
            frame = source.next() => match frame {
                Some(Ok(Frame::Text(text))) => {
                    let mut held = state.lock().expect("no test panics while it holds the state");
                    let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
                    // The one place where the token belongs is left out of what is searched for it.
                    let mut kept = value.clone();
                    if let Some(data) = kept["d"].as_object_mut() {
                        data.remove("token");
                    }
                    held.wire.push(kept.to_string().into_bytes());
                    heard(&mut held, &value, &out);
                    drop(held);
                    changed.send_modify(|count| *count += 1);
                }
                Some(Ok(_)) => {}
                _ => return,
            },
        }
    }
}

fn heard(state: &mut State, value: &Value, out: &Sender) {
    let token = value["d"]["token"].as_str().unwrap_or_default().trim_start_matches("Bot ") == TOKEN;
    match value["op"].as_u64() {
        Some(1) => {
            state.gateway.heard.push("heartbeat");
            let _ = out.send(Out::Json(json!({ "op": 11 })));
        }
        Some(2) if !token => {
            let _ = out.send(Out::Close(4004));
        }
        Some(2) => {
            state.gateway.heard.push("identify");
            state.gateway.intents = value["d"]["intents"].as_u64();
            state.gateway.connection = Some(out.clone());
            state.gateway.sessions += 1;
            let session = state.gateway.sessions;
            state.gateway.session = Some((session, Vec::new()));
            let guilds: Vec<Value> =
                state.guilds.keys().map(|id| json!({ "id": id.to_string(), "unavailable": true })).collect();
            let ready = json!({
                "v": 10, "session_id": session.to_string(), "resume_gateway_url": state.ws, "guilds": guilds,
                "user": { "id": APPLICATION.to_string(), "username": "rulekeeper", "discriminator": "0",
                    "avatar": null, "bot": true, "verified": true, "mfa_enabled": false, "email": null },
                "application": { "id": APPLICATION.to_string(), "flags": 0 },
                "private_channels": [], "shard": [0, 1],
            });
            state.gateway.dispatch("READY", ready);
            let all: Vec<Value> = state
                .guilds
                .iter()
                .map(|(id, held)| {
                    let mut shown = guild(*id, &held.channels.iter().copied().collect::<Vec<_>>());
                    shown["roles"] = held.roles.iter().map(|(id, held)| role(*id, held)).collect();
                    shown
                })
                .collect();
            for guild in all {
                state.gateway.dispatch("GUILD_CREATE", guild);
            }
        }
        Some(6) => {
            state.gateway.heard.push("resume");
            let seen = value["d"]["seq"].as_u64().unwrap_or(0) as usize;
            let known =
                state.gateway.session.as_ref().filter(|(id, _)| {
                    value["d"]["session_id"].as_str().and_then(|text| text.parse().ok()) == Some(*id)
                });
            match known {
                Some((_, events)) if token => {
                    for event in events.iter().skip(seen).cloned().collect::<Vec<_>>() {
                        let _ = out.send(Out::Json(event));
                    }
                    state.gateway.connection = Some(out.clone());
                    state.gateway.dispatch("RESUMED", json!({}));
                }
                _ => {
                    let _ = out.send(Out::Json(json!({ "op": 9, "d": false })));
                }
            }
        }
        _ => {}
    }
}

/// A role as the gateway shows it.
pub(crate) fn role(id: u64, role: &Role) -> Value {
    json!({
        "id": id.to_string(), "name": role.name, "color": 0,
        "colors": { "primary_color": 0, "secondary_color": null, "tertiary_color": null },
        "hoist": false, "managed": false, "mentionable": false, "permissions": "0", "position": 1, "flags": 0,
    })
}

/// A server as the gateway shows it.
pub(super) fn guild(id: u64, channels: &[u64]) -> Value {
    let channels: Vec<Value> = channels.iter().map(|channel| self::channel(id, *channel)).collect();
    json!({
        "id": id.to_string(), "name": "Nomic", "icon": null, "splash": null, "discovery_splash": null,
        "owner_id": "7", "afk_channel_id": null, "afk_timeout": 60, "verification_level": 0,
        "default_message_notifications": 0, "explicit_content_filter": 0, "roles": [], "emojis": [], "features": [],
        "mfa_level": 0, "application_id": null, "system_channel_id": null, "system_channel_flags": 0,
        "rules_channel_id": null, "vanity_url_code": null, "description": null, "banner": null, "premium_tier": 0,
        "preferred_locale": "en-GB", "public_updates_channel_id": null, "nsfw_level": 0, "stickers": [],
        "premium_progress_bar_enabled": false, "joined_at": "2026-01-01T00:00:00+00:00", "large": false,
        "unavailable": false, "member_count": 5, "voice_states": [], "members": [], "channels": channels,
        "threads": [], "presences": [], "stage_instances": [], "guild_scheduled_events": [],
        "safety_alerts_channel_id": null,
    })
}

/// A channel as the gateway shows it. Of what kind it is the bot learns when it writes there.
pub(super) fn channel(guild: u64, id: u64) -> Value {
    json!({
        "id": id.to_string(), "guild_id": guild.to_string(), "type": 0, "name": format!("channel-{id}"),
        "position": 0, "permission_overwrites": [], "flags": 0,
    })
}
