//! What the menus of messages and people are called, and which command each stands for.

use serde_json::{Value, json};

/// The kinds of commands that stand in menus.
mod kind {
    pub(super) const USER: u8 = 2;
    pub(super) const MESSAGE: u8 = 3;
}

/// The menus of messages: the name, the command, and its parameter for what the message shows.
pub(super) const OF_MESSAGES: &[(&str, &str, &str)] =
    &[("Vote", "show", "display"), ("Why?", "why", "what"), ("History", "history", "about")];

/// The menu of people.
pub(super) const OF_PEOPLE: (&str, &str, &str) = ("What they did", "history", "about");

/// The menus as they are registered.
pub(super) fn registered() -> Vec<Value> {
    let menu = |kind: u8, name: &str| json!({ "type": kind, "name": name });
    let of_messages = OF_MESSAGES.iter().map(|(name, ..)| menu(kind::MESSAGE, name));
    of_messages.chain([menu(kind::USER, OF_PEOPLE.0)]).collect()
}
