//! What people do: type slash commands, ask for completions, press buttons, send windows off.
//!
//! A command can only be typed as it is registered. An option that does not exist, or a required one that is missing,
//! fails the test.

use serde_json::{Value, json};
use twilight_model::application::command::{Command, CommandOption, CommandOptionType};

use super::{APPLICATION, Fake, Interaction, Message, State, api};

/// The permission to manage a server.
const MANAGE_GUILD: u64 = 1 << 5;

/// Somebody with an account.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: u64,
    pub(crate) name: &'static str,
    /// Whether they manage servers.
    pub(crate) manages: bool,
    /// Their roles.
    pub(crate) roles: Vec<u64>,
}

impl Person {
    pub(crate) fn new(id: u64, name: &'static str) -> Self {
        Self { id, name, manages: false, roles: Vec::new() }
    }

    pub(crate) fn managing(self) -> Self {
        Self { manages: true, ..self }
    }

    fn json(&self) -> Value {
        json!({ "id": self.id.to_string(), "username": self.name, "discriminator": "0", "avatar": null,
            "global_name": self.name })
    }
}

/// The value of an option.
pub(crate) enum Arg<'a> {
    Text(&'a str),
    File(&'a str, Vec<u8>),
    /// A file of which Discord says a smaller size than it has.
    Liar(&'a str, Vec<u8>),
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl Fake {
    /// Types a slash command in a channel; returns the token of the interaction.
    pub(crate) fn slash(&self, by: &Person, channel: u64, name: &str, args: &[(&str, Arg<'_>)]) -> String {
        let mut state = self.state();
        let (command, leaf) = find(&state, by, channel, name);
        let given = |option: &&CommandOption| args.iter().any(|(name, _)| *name == option.name);
        let left_out: Vec<_> = leaf.iter().filter(|o| o.required == Some(true) && !given(o)).map(|o| &o.name).collect();
        assert!(left_out.is_empty(), "/{name} needs {left_out:?}");
        let mut attachments = serde_json::Map::new();
        let options: Vec<Value> = args
            .iter()
            .map(|(key, arg)| {
                let option = leaf.iter().find(|option| option.name == *key);
                let option = option.unwrap_or_else(|| panic!("/{name} has no option {key}"));
                let value = value(&mut state, option, arg, &mut attachments);
                json!({ "name": key, "type": option.kind as u8, "value": value })
            })
            .collect();
        let data = json!({
            "id": "5", "type": 1, "name": command, "options": nested(name, options),
            "resolved": { "attachments": attachments },
        });
        drop(state);
        self.interact(by, channel, 2, data, None)
    }

    /// Chooses something in the menu of a message or of a person.
    pub(crate) fn choose(&self, by: &Person, channel: u64, name: &str, target: u64) -> String {
        let state = self.state();
        let guild = state.guild_of(channel).expect("menus stand in servers");
        let menu = state.offered(guild).find(|command| command.name == name).expect("the menu is registered");
        let data = json!({
            "id": "5", "type": u8::from(menu.kind), "name": name, "target_id": target.to_string(), "options": [],
            "resolved": {},
        });
        drop(state);
        self.interact(by, channel, 2, data, None)
    }

    /// Begins to type an option and returns what completes it, names and values.
    pub(crate) async fn complete(
        &self,
        by: &Person,
        channel: u64,
        name: &str,
        key: &str,
        begun: &str,
    ) -> Vec<(String, String)> {
        let (command, leaf) = find(&self.state(), by, channel, name);
        let option = leaf.iter().find(|option| option.name == key).expect("the option is registered");
        assert_eq!(option.autocomplete, Some(true), "/{name} {key} is not completed");
        let options = vec![json!({ "name": key, "type": option.kind as u8, "value": begun, "focused": true })];
        let data = json!({ "id": "5", "type": 1, "name": command, "options": nested(name, options) });
        let token = self.interact(by, channel, 4, data, None);
        let choices = self.until("completions", |state| state.interactions[&token].choices.clone()).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        choices.as_array().into_iter().flatten().map(|one| (text(&one["name"]), text(&one["value"]))).collect()
    }

    /// Presses a button by its label.
    pub(crate) fn press(&self, by: &Person, message: &Message, label: &str) -> String {
        let current = self.state().messages.iter().find(|held| held.id == message.id).cloned().expect("it is there");
        assert!(current.only.is_none_or(|only| only == by.id), "{} does not see that button", by.name);
        let buttons = current.buttons();
        let found = buttons.iter().find(|(held, _)| held == label);
        let (_, id) = found.unwrap_or_else(|| panic!("no button {label} among {buttons:?}"));
        let mut under = api::shown(current.id, current.channel);
        under["flags"] = if current.only.is_some() { 64 } else { 0 }.into();
        self.interact(
            by,
            current.channel,
            3,
            json!({ "custom_id": id, "component_type": 2 }),
            Some((current.id, under)),
        )
    }

    /// Waits for the window of an interaction, which has one field, fills it and sends it off.
    pub(crate) async fn fill(&self, by: &Person, token: &str, text: &str) -> String {
        let (_, window) = self.window(token).await;
        let fields = fields(&window);
        let needed: Vec<&Value> = fields.iter().filter(|field| field["required"] == true).collect();
        let [field] = needed[..] else { panic!("a window that needs one text, not {fields:?}") };
        self.fill_in(by, token, &[(field["custom_id"].as_str().expect("an id"), text)]).await
    }

    /// The window of an interaction, with its channel, once it is there.
    pub(crate) async fn window(&self, token: &str) -> (u64, Value) {
        self.until("a window", |state| {
            let held = &state.interactions[token];
            held.window.clone().map(|window| (held.channel, window))
        })
        .await
    }

    /// Waits for the window of an interaction, fills some of its fields and sends it off. In others stays what was there.
    pub(crate) async fn fill_in(&self, by: &Person, token: &str, texts: &[(&str, &str)]) -> String {
        let (channel, window) = self.window(token).await;
        let fields = fields(&window);
        for (name, _) in texts {
            assert!(fields.iter().any(|field| field["custom_id"] == *name), "no field {name} in {window}");
        }
        let filled = |field: &Value| {
            let given = texts.iter().find(|(name, _)| field["custom_id"] == *name).map(|(_, text)| *text);
            let text = given.or(field["value"].as_str()).unwrap_or_default();
            let most = field["max_length"].as_u64().unwrap_or(4000);
            assert!(text.chars().count() as u64 <= most, "the field takes {most} characters");
            assert!(!text.is_empty() || field["required"] == false, "{field} needs a text");
            json!({ "type": 1, "components": [{ "type": 4, "custom_id": field["custom_id"], "value": text }] })
        };
        let rows: Vec<Value> = fields.iter().map(filled).collect();
        let data = json!({ "custom_id": window["custom_id"], "components": rows });
        self.interact(by, channel, 5, data, None)
    }

    /// Waits until an interaction has an answer, and returns its first message.
    pub(crate) async fn answer(&self, token: &str) -> Message {
        self.until("an answer", |state| {
            let original = state.interactions[token].original?;
            let message = state.messages.iter().find(|message| message.id == original)?;
            (!message.pending && !message.deleted).then(|| message.clone())
        })
        .await
    }

    fn interact(&self, by: &Person, channel: u64, kind: u64, data: Value, under: Option<(u64, Value)>) -> String {
        let mut state = self.state();
        let id = state.id();
        let token = format!("token-of-{id}-that-nobody-may-see");
        let guild = state.guild_of(channel);
        let mut body = json!({
            "id": id.to_string(), "application_id": APPLICATION.to_string(), "type": kind, "data": data,
            "channel_id": channel.to_string(), "token": token, "version": 1, "locale": "en-GB", "entitlements": [],
            "authorizing_integration_owners": {}, "app_permissions": "0", "attachment_size_limit": 10_000_000,
            "channel": { "id": channel.to_string(), "type": if guild.is_some() { 0 } else { 1 }, "name": "c" },
        });
        if let Some(thread) = state.threads.get(&channel) {
            body["channel"]["type"] = 11.into();
            body["channel"]["parent_id"] = thread.parent.to_string().into();
        }
        let permissions = if by.manages { MANAGE_GUILD } else { 0 };
        let roles: Vec<String> = by.roles.iter().map(u64::to_string).collect();
        match guild {
            Some(guild) => {
                body["guild_id"] = guild.to_string().into();
                body["guild_locale"] = "en-GB".into();
                body["member"] = json!({
                    "user": by.json(), "nick": null, "avatar": null, "roles": roles, "premium_since": null,
                    "joined_at": "2026-01-01T00:00:00+00:00", "deaf": false, "mute": false, "flags": 0,
                    "pending": false, "permissions": permissions.to_string(), "communication_disabled_until": null,
                });
            }
            None => body["user"] = by.json(),
        }
        let mut stands = None;
        if let Some((message, under)) = under {
            body["message"] = under;
            stands = Some(message);
        }
        let held = Interaction { id, user: by.id, channel, under: stands, ..Interaction::default() };
        state.interactions.insert(token.clone(), held);
        state.gateway.dispatch("INTERACTION_CREATE", body);
        token
    }
}

/// The name of a registered command, and the options of its leaf.
fn find(state: &State, by: &Person, channel: u64, name: &str) -> (String, Vec<CommandOption>) {
    let commands: Vec<&Command> = match state.guild_of(channel) {
        Some(guild) => state.offered(guild).collect(),
        None => state.global.iter().flatten().collect(),
    };
    let (top, rest) = name.split_once(' ').map_or((name, None), |(top, rest)| (top, Some(rest)));
    let command = commands.iter().find(|command| command.name == top);
    let command = command.unwrap_or_else(|| panic!("/{name} is not registered"));
    let guild = state.guild_of(channel);
    let hidden = guild.is_some_and(|guild| !state.opened.contains(&guild))
        && command.default_member_permissions.is_some_and(|needed| !by.manages || needed.bits() != MANAGE_GUILD);
    assert!(!hidden, "{} does not see /{name}", by.name);
    let options = match rest {
        None => command.options.clone(),
        Some(leaf) => {
            let found = command.options.iter().find(|o| o.name == leaf && o.kind == CommandOptionType::SubCommand);
            found.unwrap_or_else(|| panic!("/{name} is not registered")).options.clone().unwrap_or_default()
        }
    };
    (top.to_owned(), options)
}

fn nested(name: &str, options: Vec<Value>) -> Value {
    match name.split_once(' ') {
        Some((_, leaf)) => json!([{ "name": leaf, "type": 1, "options": options }]),
        None => Value::Array(options),
    }
}

fn value(
    state: &mut State,
    option: &CommandOption,
    arg: &Arg<'_>,
    attachments: &mut serde_json::Map<String, Value>,
) -> Value {
    match (arg, option.kind) {
        (Arg::Text(text), CommandOptionType::Integer) => json!(text.parse::<i64>().expect("a number")),
        (Arg::Text(text), CommandOptionType::Boolean) => json!(*text == "yes"),
        (Arg::Text(text), _) => {
            let choices = option.choices.as_deref().unwrap_or_default();
            let known = choices.is_empty() || choices.iter().any(|choice| choice.name == *text);
            assert!(known, "{text} is no choice of {}", option.name);
            json!(text)
        }
        (Arg::File(name, bytes) | Arg::Liar(name, bytes), kind) => {
            assert_eq!(kind, CommandOptionType::Attachment, "{}", option.name);
            let id = state.id().to_string();
            let size = if matches!(arg, Arg::Liar(..)) { 1 } else { bytes.len() };
            let url = format!("{}/files/{id}", state.http);
            state.files.insert(id.clone(), bytes.clone());
            let file = json!({ "id": id, "filename": name, "size": size, "url": url, "proxy_url": url });
            attachments.insert(id.clone(), file);
            json!(id)
        }
    }
}

/// The fields of a window.
fn fields(window: &Value) -> Vec<Value> {
    window["components"].as_array().into_iter().flatten().map(|row| row["components"][0].clone()).collect()
}
