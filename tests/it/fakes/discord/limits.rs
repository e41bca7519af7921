//! What Discord documents about the messages and commands that it takes, held with the help of another library's model
//! of them. A body that breaks it is refused as Discord refuses it, and the test that made it fails.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use twilight_model::{
    application::command::{Command, CommandOption, CommandOptionType, CommandType},
    channel::message::{Component, Embed},
};

/// Characters as Discord counts them in the least generous place.
fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

/// What is wrong with a message that has these files.
pub(crate) fn message(
    body: &Value,
    files: &[(String, String, Vec<u8>)],
    empty: bool,
    callable: &BTreeSet<u64>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut hold = |kept: bool, what: String| {
        if !kept {
            wrong.push(what);
        }
    };
    let content = body["content"].as_str().unwrap_or_default();
    hold(chars(content) <= 2000, format!("content of {} characters", chars(content)));
    let mentions = &body["allowed_mentions"];
    let roles = mentions["roles"].as_array().cloned().unwrap_or_default();
    let may =
        |role: &Value| role.as_str().and_then(|role| role.parse().ok()).is_some_and(|role| callable.contains(&role));
    let users = mentions["users"].as_array().cloned().unwrap_or_default();
    let nobody = *mentions == json!({ "parse": [] })
        || *mentions == json!({ "parse": [], "roles": roles })
        || *mentions == json!({ "parse": [], "users": users });
    hold(nobody && roles.iter().chain(&users).all(may), format!("mentions: {mentions}"));
    hold(body["flags"].is_null() || body["flags"] == 64, format!("flags: {}", body["flags"]));
    let nonce = body["nonce"].as_str().unwrap_or_default();
    hold(nonce.len() <= 25, format!("nonce {nonce}"));
    let embeds = body["embeds"].as_array().cloned().unwrap_or_default();
    hold(embeds.len() <= 10, "more than ten embeds".to_owned());
    let mut total = 0;
    for mut embed in embeds.clone() {
        // The model demands what only answers have.
        embed["type"] = "rich".into();
        let read: Embed = match serde_json::from_value(embed) {
            Ok(read) => read,
            Err(why) => {
                hold(false, format!("an embed: {why}"));
                continue;
            }
        };
        let linked = read.url.as_deref().is_none_or(|url| url.starts_with("http") && read.title.is_some());
        hold(linked, format!("a link: {:?}", read.url));
        let title = read.title.as_deref().map_or(0, chars);
        let description = read.description.as_deref().map_or(0, chars);
        let footer = read.footer.as_ref().map_or(0, |footer| chars(&footer.text));
        total += title + description + footer;
        hold(title <= 256 && description <= 4096 && footer <= 2048, "an embed is too long".to_owned());
        if let Some(name) =
            read.image.as_ref().and_then(|image| image.url.strip_prefix("attachment://").map(str::to_owned))
        {
            hold(files.iter().any(|(_, file, _)| *file == name), format!("no file {name} for the image"));
        }
    }
    hold(total <= 6000, format!("embeds of {total} characters"));
    let mut ids = BTreeSet::new();
    let rows = body["components"].as_array().cloned().unwrap_or_default();
    hold(rows.len() <= 5, "more than five rows".to_owned());
    for row in rows {
        match serde_json::from_value(row) {
            Ok(Component::ActionRow(row)) => {
                hold((1..=5).contains(&row.components.len()), "a row of more than five".to_owned());
                for component in row.components {
                    let Component::Button(button) = component else {
                        hold(false, "no button".to_owned());
                        continue;
                    };
                    let id = button.custom_id.unwrap_or_default();
                    let label = button.label.unwrap_or_default();
                    hold((1..=100).contains(&chars(&id)), format!("custom_id {id}"));
                    hold((1..=80).contains(&chars(&label)), format!("label {label}"));
                    hold(ids.insert(id.clone()), format!("custom_id {id} twice"));
                }
            }
            other => hold(false, format!("a component: {other:?}")),
        }
    }
    let attached = body["attachments"].as_array().cloned().unwrap_or_default();
    for (field, name, _) in files {
        let named = attached
            .iter()
            .any(|attached| field == &format!("files[{}]", attached["id"]) && attached["filename"] == name.as_str());
        hold(named, format!("{field} {name} is not among the attachments"));
    }
    hold(files.len() <= 10, "more than ten files".to_owned());
    hold(empty || !content.is_empty() || !embeds.is_empty() || !files.is_empty(), "an empty message".to_owned());
    wrong
}

/// What is wrong with a window.
pub(crate) fn window(data: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let id = data["custom_id"].as_str().unwrap_or_default();
    let title = data["title"].as_str().unwrap_or_default();
    if !(1..=100).contains(&chars(id)) || !(1..=45).contains(&chars(title)) {
        wrong.push(format!("a window {id} {title}"));
    }
    let rows = data["components"].as_array().map_or(&[][..], Vec::as_slice);
    let names: BTreeSet<&str> = rows.iter().filter_map(|row| row["components"][0]["custom_id"].as_str()).collect();
    if !(1..=5).contains(&rows.len()) || names.len() != rows.len() {
        wrong.push(format!("a window of {} fields, {names:?}", rows.len()));
    }
    for row in rows {
        if row["components"].as_array().is_none_or(|inputs| inputs.len() != 1) {
            wrong.push("a row of a window that holds more than a field".to_owned());
        }
        let label = row["components"][0]["label"].as_str().unwrap_or_default();
        match serde_json::from_value(row.clone()) {
            Ok(Component::ActionRow(row)) => {
                for component in row.components {
                    let Component::TextInput(input) = component else {
                        wrong.push("no text field".to_owned());
                        continue;
                    };
                    if !(1..=45).contains(&chars(label)) || input.max_length.is_some_and(|max| max > 4000) {
                        wrong.push(format!("a field {label}"));
                    }
                    if input.value.is_some_and(|text| text.chars().count() > 4000) {
                        wrong.push("a value".to_owned());
                    }
                    if input.placeholder.is_some_and(|text| chars(&text) > 100) {
                        wrong.push("a placeholder".to_owned());
                    }
                }
            }
            other => wrong.push(format!("a component: {other:?}")),
        }
    }
    wrong
}

/// The commands of a registration, or what is wrong with them.
pub(crate) fn commands(body: &Value) -> Result<Vec<Command>, Vec<String>> {
    let mut wrong = Vec::new();
    let mut read = Vec::new();
    for command in body.as_array().into_iter().flatten() {
        let mut command = command.clone();
        // The model demands what only answers have.
        command["version"] = "1".into();
        if command["type"] != 1 && command["description"].is_null() {
            command["description"] = "".into();
        }
        match serde_json::from_value::<Command>(command) {
            Ok(command) => {
                match command.kind {
                    CommandType::ChatInput => named(&command.name, &command.description, &mut wrong),
                    _ if (1..=32).contains(&chars(&command.name)) && command.description.is_empty() => {}
                    _ => wrong.push(format!("the menu {}", command.name)),
                }
                options(&command.options, 0, &mut wrong);
                read.push(command);
            }
            Err(why) => wrong.push(why.to_string()),
        }
    }
    let names: BTreeSet<&str> = read.iter().map(|command| command.name.as_str()).collect();
    let menus = |kind| read.iter().filter(|command| command.kind == kind).count();
    if menus(CommandType::Message) > 5 || menus(CommandType::User) > 5 {
        wrong.push("too many commands in a menu".to_owned());
    }
    if menus(CommandType::ChatInput) > 100 || names.len() != read.len() {
        wrong.push(format!("{} commands, {} names", read.len(), names.len()));
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}

fn named(name: &str, description: &str, wrong: &mut Vec<String>) {
    let fits = |c: char| matches!(c, '-' | '_' | '\'') || c.is_alphanumeric();
    if !(1..=32).contains(&name.chars().count()) || !name.chars().all(fits) || name.to_lowercase() != name {
        wrong.push(format!("the name {name}"));
    }
    if !(1..=100).contains(&chars(description)) {
        wrong.push(format!("the description of {name}"));
    }
}

fn options(options: &[CommandOption], level: usize, wrong: &mut Vec<String>) {
    if options.len() > 25 || level > 2 {
        wrong.push("too many options".to_owned());
    }
    let required: Vec<bool> = options.iter().map(|option| option.required == Some(true)).collect();
    if !required.is_sorted_by(|before, after| before >= after) {
        wrong.push("a required option comes after others".to_owned());
    }
    let names: BTreeSet<&str> = options.iter().map(|option| option.name.as_str()).collect();
    if names.len() != options.len() {
        wrong.push("an option twice".to_owned());
    }
    for option in options {
        named(&option.name, &option.description, wrong);
        let choices = option.choices.as_ref().map_or(0, Vec::len);
        if choices > 25 || choices > 0 && option.autocomplete == Some(true) {
            wrong.push(format!("the choices of {}", option.name));
        }
        if option.max_length.is_some_and(|max| !(1..=6000).contains(&max)) {
            wrong.push(format!("the length of {}", option.name));
        }
        if option.autocomplete == Some(true) && option.kind != CommandOptionType::String {
            wrong.push(format!("the completion of {}", option.name));
        }
        self::options(option.options.as_deref().unwrap_or_default(), level + 1, wrong);
    }
}
