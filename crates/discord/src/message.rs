//! A message as Discord takes it: its text, its frame, its buttons, whom it calls.

use serde::Serialize;
use tokio::time::Instant;

use super::{measure::cut, rest::File};

/// Most characters of a message's own text.
pub(super) const CONTENT_MAX_CHARS: usize = 2000;

/// Buttons of one row.
const ROW_MAX_COUNT: usize = 5;

/// Most characters of a button's label.
const LABEL_MAX_CHARS: usize = 80;

/// Marks a message that only the person who acted sees.
pub(super) const EPHEMERAL: u32 = 1 << 6;

/// Everything of a message but its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Message {
    /// Text above the embed.
    pub(super) content: String,
    /// At most one.
    pub(super) embeds: Vec<Embed>,
    /// Rows of buttons.
    pub(super) components: Vec<Row>,
    /// Nobody is mentioned, whatever the text says, but a role that the room is set to call.
    pub(super) allowed_mentions: AllowedMentions,
    /// The files that stay or come with it; an edit takes away those that are not named.
    pub(super) attachments: Vec<Attached>,
    /// [`EPHEMERAL`], or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flags: Option<u32>,
    /// Tells Discord that a second message with it is the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nonce: Option<String>,
    /// Whether Discord looks at the nonce.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) enforce_nonce: bool,
    /// When it was written, where a nonce says which it is: nothing that is older can be it.
    #[serde(skip)]
    pub(super) written: Option<Instant>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct AllowedMentions {
    parse: [String; 0],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    roles: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    users: Vec<String>,
}

/// A framed text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Embed {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) title: String,
    /// Where its title leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) image: Option<Image>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) footer: Option<Footer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Image {
    pub(super) url: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Footer {
    pub(super) text: String,
}

/// The file of a message, by its place among the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Attached {
    id: u32,
    filename: String,
    pub(super) description: String,
}

/// A row of buttons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    #[serde(rename = "type")]
    kind: u8,
    pub(super) components: Vec<Button>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Button {
    #[serde(rename = "type")]
    kind: u8,
    style: u8,
    label: String,
    pub(super) custom_id: String,
    disabled: bool,
}

impl Message {
    /// The same, calling a role.
    #[must_use]
    pub(super) fn calling(mut self, role: u64) -> Self {
        let gap = if self.content.is_empty() { "" } else { " " };
        self.content = cut(&format!("<@&{role}>{gap}{}", self.content), CONTENT_MAX_CHARS);
        self.allowed_mentions.roles = vec![role.to_string()];
        self
    }

    /// The same, calling people who asked for it.
    #[must_use]
    pub(super) fn calling_people(mut self, people: &[String]) -> Self {
        let ids: Vec<&String> = people.iter().filter(|id| id.bytes().all(|b| b.is_ascii_digit())).collect();
        if ids.is_empty() {
            return self;
        }
        let mentions: Vec<String> = ids.iter().map(|id| format!("<@{id}>")).collect();
        let gap = if self.content.is_empty() { "" } else { " " };
        self.content = cut(&format!("{}{gap}{}", mentions.join(" "), self.content), CONTENT_MAX_CHARS);
        self.allowed_mentions.users = ids.into_iter().cloned().collect();
        self
    }

    /// The same, for whoever acted alone where that is so.
    #[must_use]
    pub(super) fn ephemeral(mut self, ephemeral: bool) -> Self {
        self.flags = ephemeral.then_some(EPHEMERAL);
        self
    }
}

impl Attached {
    /// The only file of a message, with what it shows in words.
    pub(super) fn new(file: &File, description: &str) -> Self {
        Self { id: 0, filename: file.name.clone(), description: description.to_owned() }
    }
}

/// Buttons in rows.
pub(super) fn rows(buttons: &[Button]) -> Vec<Row> {
    buttons.chunks(ROW_MAX_COUNT).map(|some| row(some.to_vec())).collect()
}

/// A row of at most [`ROW_MAX_COUNT`] buttons.
pub(super) fn row(components: Vec<Button>) -> Row {
    Row { kind: 1, components }
}

/// A button with its style: 1 is for what can be done, 2 for turning pages.
pub(super) fn button(label: &str, custom_id: String, style: u8, disabled: bool) -> Button {
    Button { kind: 2, style, label: cut(label, LABEL_MAX_CHARS), custom_id, disabled }
}
