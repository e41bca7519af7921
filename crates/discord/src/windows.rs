//! Windows: their fields, what is typed into them, and how that comes back where nothing came of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    guilds::At,
    press::{Asks, Press},
    shared::{Kept, Shared},
};
use catalogue::{Kind, Param, WORD_MAX_CHARS, hint};
use kernel::display::{Block, Document};
use port::{Attachment, Reply, ReplyKind};

/// Most characters of a field of a window, by Discord's limit.
const WINDOW_MAX_CHARS: usize = 4000;

/// Most characters of a window's title and of its fields' labels.
const LABEL_MAX_CHARS: usize = 45;

/// Most characters of what stands in an empty field.
const PLACEHOLDER_MAX_CHARS: usize = 100;

/// The id of the field that takes several lines. Any other field has the name of its parameter.
pub(super) const LINES: &str = "lines";

/// The styles of fields.
mod style {
    pub(super) const LINE: u8 = 1;
    pub(super) const PARAGRAPH: u8 = 2;
}

/// What the button says that opens a window again with its text.
pub(super) const AGAIN: &str = "Open the window again";

/// The name of the file that brings a text back.
const FILE: &str = "text.txt";

/// What was typed into a window.
pub(super) struct Filled {
    /// What the window asked for, where that is still known.
    pub(super) asks: Option<Asks>,
    /// What stood in its fields, by their ids.
    pub(super) texts: BTreeMap<String, String>,
    /// Whether nobody else may ever read it, so that it is kept nowhere but in memory.
    pub(super) secret: bool,
}

/// A window that asks somebody for something.
pub(super) fn window(shared: &Shared, user: u64, at: At, asks: Asks) -> Value {
    let id = Press::Window(asks.clone()).id().unwrap_or_else(|| {
        let kept = Kept { user, asks: asks.clone(), texts: BTreeMap::new() };
        Press::Kept(shared.keep_window(kept)).id().unwrap_or_default()
    });
    asking(shared, at, id, &asks, &BTreeMap::new())
}

/// A window with what was typed into it before.
pub(super) fn again(shared: &Shared, at: At, number: u64, kept: &Kept) -> Value {
    asking(shared, at, Press::Kept(number).id().unwrap_or_default(), &kept.asks, &kept.texts)
}

fn asking(shared: &Shared, at: At, id: String, asks: &Asks, texts: &BTreeMap<String, String>) -> Value {
    let typed = |name: &str| texts.get(name).map(String::as_str);
    let (title, fields) = match asks {
        Asks::Lines => {
            let field = json!({
                "type": 4, "custom_id": LINES, "style": style::PARAGRAPH, "label": "Actions, one a line",
                "required": true, "max_length": WINDOW_MAX_CHARS, "placeholder": "One action a line, such as: vote 3 for",
            });
            ("Several actions", vec![holding(field, typed(LINES))])
        }
        Asks::Values { params, of, .. } => {
            let command = shared.command(&of.name, at);
            let params = params.iter().filter_map(|name| command.as_ref()?.param(name));
            let demanded = |param: &Param| command.as_ref().is_some_and(|command| command.demands(param, &of.args));
            let fields = params.map(|param| holding(field(param, demanded(param)), typed(&param.name)));
            (of.name.as_str(), fields.collect())
        }
    };
    let rows: Vec<Value> = fields.into_iter().map(|field| json!({ "type": 1, "components": [field] })).collect();
    json!({ "custom_id": id, "title": cut(title, LABEL_MAX_CHARS), "components": rows })
}

/// The field for a parameter: a line for words, a paragraph for a text.
fn field(param: &Param, demanded: bool) -> Value {
    let is_line = !matches!(param.kind, Kind::Text | Kind::Code | Kind::File | Kind::Actions) && !param.long;
    let is_words = matches!(param.kind, Kind::Word | Kind::Name | Kind::Phrase);
    let most = if is_line { WORD_MAX_CHARS } else { WINDOW_MAX_CHARS };
    let max = param.max.and_then(|max| usize::try_from(max).ok()).filter(|_| is_line && is_words);
    json!({
        "type": 4, "custom_id": param.name, "style": if is_line { style::LINE } else { style::PARAGRAPH },
        "label": cut(&label(&param.name), LABEL_MAX_CHARS), "required": demanded,
        "max_length": max.unwrap_or(most).clamp(1, WINDOW_MAX_CHARS),
        "placeholder": cut(if param.empty.is_empty() { &param.help } else { &param.empty }, PLACEHOLDER_MAX_CHARS),
    })
}

/// The same with what was typed into it before.
fn holding(mut field: Value, text: Option<&str>) -> Value {
    if let Some(text) = text {
        field["value"] = text.into();
    }
    field
}

/// The name of a parameter as a heading: `First proposal`.
fn label(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

impl Filled {
    /// Puts what was typed as a file into the answers, where something of it was not done. Where nothing of it was, the
    /// window can be opened again: it is kept under the number that comes back.
    pub(super) fn give_back(&self, shared: &Shared, user: u64, replies: &mut [Reply]) -> Option<u64> {
        let undone = |reply: &Reply| !reply.went_well();
        let nothing_done = replies.iter().all(undone);
        let first = replies.iter_mut().find(|reply| undone(reply))?;
        first.file = Some(Attachment { name: FILE.to_owned(), bytes: self.text().into_bytes() });
        let asks = self.asks.clone().filter(|_| nothing_done)?;
        Some(shared.keep_window(Kept { user, asks, texts: self.texts.clone() }))
    }

    /// An answer with the text in it, to be kept for whom it did not reach.
    pub(super) fn told(&self, document: Document) -> Document {
        match self.secret {
            true => document,
            false => document.with(Block::Code { lang: String::new(), text: self.text() }),
        }
    }

    /// All that was typed as one text. One field stands alone, several have their names above them, in their order.
    fn text(&self) -> String {
        if let [text] = Vec::from_iter(self.texts.values())[..] {
            return text.clone();
        }
        let asked = match &self.asks {
            Some(Asks::Values { params, .. }) => params.clone(),
            Some(Asks::Lines) | None => self.texts.keys().cloned().collect(),
        };
        let told = |name: &String| Some(format!("{}:\n{}", label(name), self.texts.get(name)?));
        asked.iter().filter_map(told).collect::<Vec<_>>().join("\n\n")
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
