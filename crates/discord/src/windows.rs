//! Windows: their questions, the text typed into them, and how that text comes back where nothing came of it.

use serde_json::{Value, json};

use super::{
    press::{Asks, Press},
    shared::{Kept, Shared},
};
use catalogue::hint;
use kernel::display::{Block, Document};
use port::{Attachment, Reply, ReplyKind};

/// Most characters of a window's text.
const WINDOW_MAX_CHARS: u32 = 4000;

/// Most characters of a window's title and of its fields' labels.
const LABEL_MAX_CHARS: usize = 45;

/// Most characters of what stands in an empty field.
const PLACEHOLDER_MAX_CHARS: usize = 100;

/// The id of a window's only field.
const FIELD: &str = "text";

/// What the button says that opens a window again with its text.
pub(super) const AGAIN: &str = "Open the window again";

/// The name of the file that brings a text back.
const FILE: &str = "text.txt";

/// A text that was typed into a window.
pub(super) struct Filled {
    /// What the window asked for, where that is still known.
    pub(super) asks: Option<Asks>,
    pub(super) text: String,
    /// Whether nobody else may ever read it, so that it is kept nowhere but in memory.
    pub(super) secret: bool,
}

/// A window that asks somebody for something.
pub(super) fn window(shared: &Shared, user: u64, asks: Asks) -> Value {
    let id = Press::Window(asks.clone()).id().unwrap_or_else(|| {
        let kept = Kept { user, asks: asks.clone(), text: String::new() };
        Press::Kept(shared.keep_window(kept)).id().unwrap_or_default()
    });
    asking(shared, id, &asks, "")
}

/// A window with the text that was typed into it before.
pub(super) fn again(shared: &Shared, number: u64, kept: &Kept) -> Value {
    asking(shared, Press::Kept(number).id().unwrap_or_default(), &kept.asks, &kept.text)
}

fn asking(shared: &Shared, id: String, asks: &Asks, text: &str) -> Value {
    let asked;
    let (title, label, placeholder) = match asks {
        Asks::Lines => ("Several actions", "Actions, one a line", "One action a line, such as: vote 3 for"),
        Asks::Value { param, of } => {
            let command = shared.command(&of.name, None);
            asked = command.and_then(|command| Some(command.param(param)?.help.clone())).unwrap_or_default();
            (of.name.as_str(), asked.as_str(), asked.as_str())
        }
    };
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let mut field = json!({
        "type": 4, "custom_id": FIELD, "style": 2, "label": cut(label, LABEL_MAX_CHARS), "required": true,
        "max_length": WINDOW_MAX_CHARS, "placeholder": cut(placeholder, PLACEHOLDER_MAX_CHARS),
    });
    if !text.is_empty() {
        field["value"] = text.into();
    }
    json!({
        "custom_id": id,
        "title": cut(title, LABEL_MAX_CHARS),
        "components": [{ "type": 1, "components": [field] }],
    })
}

impl Filled {
    /// Puts the text as a file into the answers, where something of it was not done. Where nothing of it was, the window
    /// can be opened again: it is kept under the number that comes back.
    pub(super) fn give_back(&self, shared: &Shared, user: u64, replies: &mut [Reply]) -> Option<u64> {
        let undone = |reply: &Reply| !reply.went_well();
        let nothing_done = replies.iter().all(undone);
        let first = replies.iter_mut().find(|reply| undone(reply))?;
        first.file = Some(Attachment { name: FILE.to_owned(), bytes: self.text.clone().into_bytes() });
        let asks = self.asks.clone().filter(|_| nothing_done)?;
        Some(shared.keep_window(Kept { user, asks, text: self.text.clone() }))
    }

    /// An answer with the text in it, to be kept for whom it did not reach.
    pub(super) fn told(&self, document: Document) -> Document {
        match self.secret {
            true => document,
            false => document.with(Block::Code { lang: String::new(), text: self.text.clone() }),
        }
    }
}

/// Whether a file is a text that comes back.
pub(super) fn is_given_back(file: Option<&Attachment>) -> bool {
    file.is_some_and(|file| file.name == FILE)
}

/// Refuses a text whose window the bot does not know any more.
pub(super) fn forgotten() -> Reply {
    let why = "the bot was restarted while that window was open; begin the command again";
    let document = hint::refused(&kernel::Refusal::new(why));
    Reply { kind: ReplyKind::Refused, private: true, document, file: None }
}
