//! Documents as Discord messages: pages of an embed, tables as code, figures as pictures, offers as buttons.
//!
//! A document is cut to Discord's limits here and nowhere else.

use std::rc::Rc;

use serde::Serialize;
use tokio::time::Instant;

use super::{
    escape,
    forms::{self, IsChannel},
    press::Press,
    rest::File,
    windows,
};
use catalogue::hint::{self, Form};
use figure::{Ground, Painted};
use kernel::display::{self, Block, Cell, Document};
use port::{Attachment, Called};

/// Most characters of a message's own text.
const CONTENT_MAX_CHARS: usize = 2000;

/// Most characters of a page. An embed may have 4096, and all of a message's embeds 6000.
const PAGE_MAX_CHARS: usize = 3500;

/// Most characters of an embed's title.
const TITLE_MAX_CHARS: usize = 250;

/// More pages than this are sent as a file instead: nobody turns so many.
const TURNED_MAX_PAGES: usize = 12;

/// Most buttons under a message, beside those that turn its pages: four rows of five.
const BUTTONS_MAX_COUNT: usize = 20;

/// Buttons of one row.
const ROW_MAX_COUNT: usize = 5;

/// Most characters of a button's label.
const LABEL_MAX_CHARS: usize = 80;

/// Longest link that is shown, in characters: a `PUBLIC_URL` with the name of a room is far below.
const LINK_MAX_CHARS: usize = 400;

/// What stands around a link in a text, in characters.
const LINK_FACE_CHARS: usize = 12;

/// What a fence around a line of code costs, in characters.
const FENCE_CHARS: usize = 16;

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
    url: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Image>,
    #[serde(skip_serializing_if = "Option::is_none")]
    footer: Option<Footer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Image {
    url: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Footer {
    text: String,
}

/// The file of a message, by its place among the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Attached {
    id: u32,
    filename: String,
    description: String,
}

/// A row of buttons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    #[serde(rename = "type")]
    kind: u8,
    components: Vec<Button>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Button {
    #[serde(rename = "type")]
    kind: u8,
    style: u8,
    label: String,
    custom_id: String,
    disabled: bool,
}

/// A document in pieces that fit.
pub(super) struct Rendered {
    /// One at least.
    pages: Vec<Page>,
    picture: Option<File>,
    /// All of it as plain text, for a file.
    whole: String,
    name: String,
    alt: String,
    offers: Vec<Button>,
    /// A web page about it.
    link: Option<String>,
}

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Page {
    title: String,
    body: String,
    /// Whether it is a message's own text, without a frame.
    plain: bool,
}

/// A document with what goes before it, as the messages that carry it.
pub(super) struct Parts {
    /// The message.
    pub(super) message: Message,
    /// Its file.
    pub(super) file: Option<File>,
    /// A second message with the picture, where the file of the first is the whole text.
    pub(super) more: Option<(Message, File)>,
}

/// Most messages of texts alone that one document becomes.
const BARE_MAX_MESSAGES: usize = 5;

/// What the form of a message depends on besides its document.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    /// What pictures stand on.
    pub(super) ground: Ground,
    /// Which ids are those of channels.
    pub(super) is_channel: IsChannel<'a>,
    /// Texts alone, for a channel that takes no pictures and no frames.
    pub(super) bare: bool,
}

/// Makes pages of a document.
pub(super) fn render(document: &Document, look: Look<'_>) -> Rendered {
    let document = &*hint::spelled(document, Form::Options);
    let left = !document.offers.is_empty();
    let mut hints = Vec::new();
    let mut offers: Vec<Button> = Vec::new();
    for offer in &document.offers {
        let called = hint::called(&offer.line).map(|called| Called { offered: Some(offer.at_seq), ..called });
        let id = called.and_then(|called| Press::Offer(called).id());
        match id.filter(|id| offers.len() < BUTTONS_MAX_COUNT && offers.iter().all(|o| o.custom_id != *id)) {
            Some(id) => offers.push(button(&offer.label, id, 1, false)),
            None => hints.push(format!("{}: {}", escape::markdown(&offer.label), typed(&offer.line))),
        }
    }
    let picture = if look.bare { None } else { picture(document, look.ground) };
    let mut units = Vec::new();
    let mut behind_words = false;
    for block in &document.blocks {
        if let Some(lines) = hint::told_lines(block, Form::Options) {
            told(&lines, behind_words, &mut units);
            continue;
        }
        behind_words = matches!(block, Block::Para(_));
        match block {
            Block::Grid { .. } | Block::Picture(_) if picture.is_some() => {}
            Block::Graph(graph) if picture.is_some() => {
                units.extend(figure::beside(graph).into_iter().map(|line| Unit::Text(escape::markdown(&line))));
            }
            block => split(block, left, look.is_channel, &mut units),
        }
    }
    units.extend(hints.into_iter().map(Unit::Text));
    let drawn = if document.blocks.iter().any(|block| matches!(block, Block::Graph(_))) {
        "a map"
    } else {
        "a figure of numbers"
    };
    let title = match (document.as_of, document.title.as_str()) {
        (_, "") => String::new(),
        (Some(seq), title) if !document.id.is_empty() => format!("{title} (as of entry {seq})"),
        (_, title) => title.to_owned(),
    };
    let mut title = cut(&escape::markdown(&title), TITLE_MAX_CHARS);
    if look.bare && !title.is_empty() {
        units.insert(0, Unit::Text(format!("**{}**", std::mem::take(&mut title))));
    }
    let text = Document { offers: Vec::new(), ..hint::written(document, Form::Options) };
    Rendered {
        pages: pages(&title, units, picture.is_some(), look.bare),
        picture,
        whole: display::plain(&text),
        name: file_name(document),
        alt: cut(&format!("{}: {drawn}", document.title), TITLE_MAX_CHARS),
        offers,
        link: document.link.clone().filter(|link| chars(link) <= LINK_MAX_CHARS),
    }
}

impl Parts {
    /// With a button that opens a window again, where it is kept.
    pub(super) fn opening(mut self, kept: Option<u64>) -> Self {
        let id = kept.and_then(|number| Press::Kept(number).id());
        self.message.components.extend(id.map(|id| row(vec![button(windows::AGAIN, id, 1, false)])));
        self
    }

    /// With a file of the reply's own, in a message after the others where they have files already.
    pub(super) fn with(mut self, file: Option<Attachment>) -> Self {
        let Some(Attachment { name, bytes }) = file else { return self };
        let file = File { name, bytes };
        let attached = vec![Attached::new(&file, "The file")];
        if self.file.is_none() {
            self.message.attachments = attached;
            self.file = Some(file);
        } else if self.more.is_none() {
            self.more = Some((Message { attachments: attached, ..Message::default() }, file));
        }
        self
    }
}

impl Rendered {
    /// The message that shows a page, or the nearest that there is. `head` goes above it, as markdown. `again` makes
    /// the same document again: with it pages can be turned, and without it a long document goes along as a file.
    pub(super) fn parts(&self, page: usize, head: &str, again: Option<&Called>) -> Parts {
        let page = page.min(self.pages.len() - 1);
        let shown = &self.pages[page];
        let many = self.pages.len() > 1;
        let turns = again.filter(|_| many && self.pages.len() <= TURNED_MAX_PAGES);
        let turns = turns.and_then(|again| self.turns(page, again));
        let mut message = Message { content: head.to_owned(), ..Message::default() };
        let link = self.link.as_ref().map_or(0, |link| chars(link) + LINK_FACE_CHARS);
        if shown.plain && chars(head) + 1 + chars(&shown.body) + link <= CONTENT_MAX_CHARS {
            let gap = if head.is_empty() || shown.body.is_empty() { "" } else { "\n" };
            message.content = format!("{head}{gap}{}", shown.body);
            // There is no title that could lead there. In angle brackets a link brings no preview along.
            if let Some(link) = &self.link {
                message.content.push_str(&format!("\n[page](<{link}>)"));
            }
        } else {
            message.content = cut(head, CONTENT_MAX_CHARS);
            let footer = many.then(|| Footer { text: format!("Page {} of {}", page + 1, self.pages.len()) });
            let (title, description) = (shown.title.clone(), shown.body.clone());
            // Without a title nothing could be clicked.
            let title = if title.is_empty() && self.link.is_some() { "Page".to_owned() } else { title };
            let url = self.link.clone();
            message.embeds = vec![Embed { title, url, description, image: None, footer }];
        }
        message.components = rows(&self.offers);
        let text =
            (many && turns.is_none()).then(|| File { name: self.name.clone(), bytes: self.whole.clone().into() });
        message.components.extend(turns);
        let mut more = None;
        let file = match (text, self.picture.clone().filter(|_| page == 0)) {
            (Some(text), picture) => {
                message.attachments = vec![Attached::new(&text, "The whole text")];
                more = picture.map(|picture| (self.with_picture(Message::default(), &picture), picture));
                Some(text)
            }
            (None, Some(picture)) => {
                message = self.with_picture(message, &picture);
                Some(picture)
            }
            (None, None) => None,
        };
        Parts { message, file, more }
    }

    /// All of it in the texts of messages, as many as are sent at once, and what is left in words.
    pub(super) fn bare(&self) -> Vec<Message> {
        let shown = self.pages.iter().take(BARE_MAX_MESSAGES);
        let mut messages: Vec<Message> =
            shown.map(|page| Message { content: cut(&page.body, CONTENT_MAX_CHARS), ..Message::default() }).collect();
        let left = self.pages.len() - messages.len();
        if let Some(last) = messages.last_mut() {
            last.components = rows(&self.offers);
            if left > 0 {
                last.content.push_str(&format!("\n({left} more of such messages are left out.)"));
            }
            if let Some(link) = &self.link {
                last.content.push_str(&format!("\n[page](<{link}>)"));
            }
            last.content = cut(&last.content, CONTENT_MAX_CHARS);
        }
        messages
    }

    fn with_picture(&self, mut message: Message, picture: &File) -> Message {
        message.attachments = vec![Attached::new(picture, &self.alt)];
        if message.embeds.is_empty() {
            let (title, url) = (self.pages[0].title.clone(), self.link.clone());
            message.embeds.push(Embed { title, url, ..Embed::default() });
        }
        message.embeds[0].image = Some(Image { url: format!("attachment://{}", picture.name) });
        message
    }

    fn turns(&self, page: usize, again: &Called) -> Option<Row> {
        let last = self.pages.len() - 1;
        let id = |page: usize| Press::Page { page, of: again.clone() }.id();
        let (back, on) = (id(page.saturating_sub(1))?, id((page + 1).min(last))?);
        // Two buttons of a message never have the same id; one that leads nowhere gets one of its own.
        let none = |way: &str| format!("-{way}");
        Some(row(vec![
            button("◀ Back", if page == 0 { none("b") } else { back }, 2, page == 0),
            button("More ▶", if page == last { none("m") } else { on }, 2, page == last),
        ]))
    }
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
    fn new(file: &File, description: &str) -> Self {
        Self { id: 0, filename: file.name.clone(), description: description.to_owned() }
    }
}

/// A line of a page.
enum Unit {
    /// Markdown.
    Text(String),
    /// A line of code, with the line that stands above it on every page.
    Code(String, Option<Rc<str>>),
    /// Between two code blocks.
    Gap,
}

/// A hint as it is typed here.
fn typed(line: &str) -> String {
    escape::inline(&hint::told(line, Form::Options))
}

/// Hints, a single one behind the words that it ends.
fn told(lines: &[String], behind_words: bool, units: &mut Vec<Unit>) {
    match (lines, units.last_mut()) {
        ([only], Some(Unit::Text(before))) if behind_words => before.push_str(&format!(" {}", escape::inline(only))),
        _ => units.extend(lines.iter().map(|line| Unit::Text(escape::inline(line)))),
    }
}

/// A block as units; with the time that is left to what it names, where its document is acted on.
fn split(block: &Block, left: bool, is_channel: IsChannel<'_>, units: &mut Vec<Unit>) {
    match block {
        Block::Para(text) => {
            units.extend(forms::markdown(text, left, is_channel).split('\n').map(|line| Unit::Text(line.to_owned())))
        }
        Block::List(cells) => {
            let item =
                |text: &str| Unit::Text(format!("- {}", forms::markdown(text, left, is_channel).replace('\n', " ")));
            units.extend(cells.iter().map(|cell| item(&cell.text)));
        }
        // Drawn, and said in words beside it.
        Block::Played { .. } | Block::Picture(_) => {}
        Block::Sealed { .. } => units.push(Unit::Text("(sealed)".to_owned())),
        Block::Code { text, .. } => {
            units.push(Unit::Gap);
            units.extend(text.lines().map(|line| Unit::Code(escape::code(line), None)));
            units.push(Unit::Gap);
        }
        Block::Graph(graph) => {
            units.push(Unit::Gap);
            let lines = graph.drawn(display::MARKUP_WIDTH_COLUMNS);
            units.extend(lines.into_iter().map(|line| Unit::Code(escape::code(&line), None)));
            units.push(Unit::Gap);
            let legend = graph.legend(display::MARKUP_WIDTH_COLUMNS);
            units.extend(legend.into_iter().map(|line| Unit::Text(escape::markdown(&line))));
        }
        // Within a code block nothing is a mention.
        Block::Table { head, rows } if rows.iter().flatten().any(|cell| forms::names_any(&cell.text, is_channel)) => {
            let item = |row: &Vec<Cell>| {
                let cells = head.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty());
                let told: Vec<String> =
                    cells.map(|(name, cell)| format!("{name} {}", cell.text).trim().to_owned()).collect();
                Unit::Text(format!("- {}", forms::markdown(&told.join(", "), left, is_channel).replace('\n', " ")))
            };
            units.extend(rows.iter().map(item));
        }
        Block::Table { .. } | Block::Grid { .. } => {
            let one = Document { blocks: vec![block.clone()], ..Document::default() };
            let mut lines = display::lines(&one).into_iter().map(|line| escape::code(&line));
            let wide = matches!(block, Block::Table { head, .. } if !aligned(head, &one));
            let head = if wide { None } else { lines.next().map(Rc::from) };
            units.push(Unit::Gap);
            units.extend(lines.map(|line| Unit::Code(line, head.clone())));
            units.push(Unit::Gap);
        }
    }
}

/// Whether a table came out with its head as the first line, and not as one line a row.
fn aligned(head: &[String], one: &Document) -> bool {
    display::lines(one).first().is_some_and(|line| {
        let mut rest = line.as_str();
        head.iter().all(|name| match rest.split_once(name.as_str()) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        }) && !line.contains(": ")
    })
}

fn pages(title: &str, units: Vec<Unit>, framed: bool, bare: bool) -> Vec<Page> {
    let plain = bare || (title.is_empty() && !framed && units.iter().all(|unit| matches!(unit, Unit::Text(_))));
    let mut pages = Vec::new();
    let mut body = String::new();
    let mut used = 0;
    // The head of the code block that is open, if one is.
    let mut open: Option<Option<Rc<str>>> = None;
    let close = |body: &mut String, used: &mut usize, open: &mut Option<Option<Rc<str>>>| {
        if open.take().is_some() {
            body.push_str("```\n");
            *used += 4;
        }
    };
    let most = if plain { CONTENT_MAX_CHARS - 500 } else { PAGE_MAX_CHARS };
    for unit in units {
        let (text, head) = match unit {
            Unit::Gap => {
                close(&mut body, &mut used, &mut open);
                continue;
            }
            Unit::Text(text) => (text, None),
            Unit::Code(text, head) => (text, Some(head)),
        };
        let room = most - FENCE_CHARS - head.iter().flatten().map(|head| chars(head)).sum::<usize>().min(most / 2);
        for piece in chunks(&text, room) {
            if used + chars(&piece) + FENCE_CHARS > most && !body.is_empty() {
                close(&mut body, &mut used, &mut open);
                pages.push(std::mem::take(&mut body));
                used = 0;
            }
            match &head {
                None => close(&mut body, &mut used, &mut open),
                Some(head) if open.is_none() => {
                    let first = head.as_ref().map_or(String::new(), |head| format!("{}\n", cut(head, most / 2)));
                    used += 4 + chars(&first);
                    body.push_str(&format!("```\n{first}"));
                    open = Some(head.clone());
                }
                Some(_) => {}
            }
            used += chars(&piece) + 1;
            body.push_str(&piece);
            body.push('\n');
        }
    }
    close(&mut body, &mut used, &mut open);
    if !body.trim().is_empty() || pages.is_empty() {
        pages.push(body);
    }
    let page = |(index, body): (usize, String)| {
        let title = if index == 0 || !title.is_empty() { title.to_owned() } else { String::new() };
        Page { title, body: body.trim_end().to_owned(), plain }
    };
    pages.into_iter().enumerate().map(page).collect()
}

/// A line in pieces of at most so many characters; an empty line is one piece.
fn chunks(text: &str, most: usize) -> Vec<String> {
    if chars(text) <= most {
        return vec![text.to_owned()];
    }
    let mut out = vec![String::new()];
    let mut used = 0;
    for char in text.chars() {
        // A character and what escapes it stay together because a piece is never filled to the last one.
        let bytes = char.len_utf16();
        if used + bytes > most && !out.last().is_some_and(|last| last.ends_with('\\')) {
            out.push(String::new());
            used = 0;
        }
        used += bytes;
        if let Some(last) = out.last_mut() {
            last.push(char);
        }
    }
    out
}

/// Discord counts UTF-16 units in some places and characters in others: the greater count keeps both.
fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

fn cut(text: &str, most: usize) -> String {
    if chars(text) <= most {
        return text.to_owned();
    }
    let mut out = chunks(text, most - 2).into_iter().next().unwrap_or_default();
    while out.ends_with('\\') {
        out.pop();
    }
    out.push('…');
    out
}

/// What can be drawn of a document; where it is a film, one that moves.
fn picture(document: &Document, ground: Ground) -> Option<File> {
    let Painted { ending, bytes } = figure::painted(document, ground)?;
    Some(File { name: format!("figure.{ending}"), bytes })
}

fn file_name(document: &Document) -> String {
    let mut name: String =
        document.id.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).take(40).collect();
    if name.is_empty() {
        name.push_str("text");
    }
    name + ".txt"
}

fn rows(buttons: &[Button]) -> Vec<Row> {
    buttons.chunks(ROW_MAX_COUNT).map(|some| row(some.to_vec())).collect()
}

fn row(components: Vec<Button>) -> Row {
    Row { kind: 1, components }
}

fn button(label: &str, custom_id: String, style: u8, disabled: bool) -> Button {
    Button { kind: 2, style, label: cut(label, LABEL_MAX_CHARS), custom_id, disabled }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look<'static> = Look { ground: Ground::Dark, is_channel: &|_| false, bare: false };
    use kernel::display::{Cell, Graph, Offer, Place, Vertex};

    fn hill() -> Called {
        Called { name: "joust hill".to_owned(), ..Called::default() }
    }

    fn table(rows: usize) -> Document {
        let row = |rank: usize| vec![Cell::new(rank.to_string()), Cell::new(format!("program{rank}```"))];
        Document::titled("hill", "The Hill").table(["Rank", "Program"], (1..=rows).map(row))
    }

    fn texts(rendered: &Rendered) -> Vec<String> {
        (0..rendered.pages.len())
            .map(|page| {
                let message = rendered.parts(page, "", Some(&hill())).message;
                assert!(message.embeds.len() <= 1 && chars(&message.content) <= 2000);
                let body = message.embeds.first().map_or(message.content, |embed| embed.description.clone());
                assert!(chars(&body) <= 4096, "{}", chars(&body));
                assert_eq!(body.matches("```").count() % 2, 0, "{body}");
                body
            })
            .collect()
    }

    #[test]
    fn a_plain_sentence_is_the_message_itself() {
        let message = render(&Document::say("It is *done*, @everyone."), PLAIN).parts(0, "<@7>:", None).message;
        assert_eq!(message.content, "<@7>:\nIt is \\*done\\*, @\u{200b}everyone.");
        assert!(message.embeds.is_empty());
        assert_eq!(serde_json::to_value(&message).unwrap()["allowed_mentions"], serde_json::json!({ "parse": [] }));
    }

    #[test]
    fn a_long_table_has_its_head_on_every_page_and_loses_no_row() {
        let rendered = render(&table(400), PLAIN);
        assert!(rendered.pages.len() > 1);
        let texts = texts(&rendered);
        assert!(texts.iter().all(|text| text.contains("Rank  Program")), "{texts:?}");
        let all = texts.join("\n");
        assert!((1..=400).all(|rank| all.contains(&format!("program{rank}\u{2cb}"))));
    }

    #[test]
    fn pages_turn_where_the_line_fits_and_are_a_file_where_not() {
        let rendered = render(&table(400), PLAIN);
        let turned = rendered.parts(1, "", Some(&hill()));
        assert!(turned.file.is_none() && turned.message.components.len() == 1);
        let filed = rendered.parts(0, "", None);
        let text = String::from_utf8(filed.file.unwrap().bytes).unwrap();
        assert!(text.contains("program400") && filed.message.components.is_empty());
        assert!(render(&table(4000), PLAIN).parts(0, "", Some(&hill())).file.is_some());
    }

    #[test]
    fn offers_are_buttons_and_hints_where_no_button_can_be() {
        let mut document = Document::say("An intent.");
        let offer = |label: &str, line: String| Offer::new(label, line, 9);
        document.offers = vec![
            offer("Object", "joust object 3".into()),
            offer("Long", format!("joust adjudicate {}", "x".repeat(200))),
            // The longest one of BlogNomic's, after years.
            offer("Call for Judgment", "@blognomic cfj raise \"Undoing entry 99999\" Was it right?".into()),
        ];
        let message = render(&document, PLAIN).parts(0, "", None).message;
        assert_eq!(message.components[0].components.len(), 2);
        assert!(message.content.contains("Long: `/joust adjudicate text:xxx"), "{}", message.content);
    }

    /// Given a map, then it is a picture, and what a picture does not say in words stands beside it. Given more than
    /// are drawn, then each is in characters.
    #[test]
    fn a_map_is_a_picture_with_its_words_or_characters() {
        let at = Place::new(3, -1);
        let vertex =
            Vertex { at, cell: Cell::new(at.to_string()), group: None, there: vec![Cell::new("*Bo*")], turned: 0 };
        let graph = Graph { vertices: vec![vertex], ungrouped: "nobody’s".to_owned(), ..Graph::default() };
        let map = |count: usize| {
            let blocks = std::iter::repeat_n(Block::Graph(graph.clone()), count);
            blocks.fold(Document::titled("map", "Space"), Document::with)
        };
        let parts = render(&map(1), PLAIN).parts(0, "", None);
        assert_eq!(parts.message.embeds[0].description, "There: (3, -1): \\*Bo\\*.");
        assert_eq!((parts.message.attachments[0].description.as_str(), parts.file.is_some()), ("Space: a map", true));
        let parts = render(&map(5), PLAIN).parts(0, "", None);
        assert_eq!((parts.message.embeds[0].description.matches("-1: o1").count(), parts.file.is_some()), (5, false));
    }

    #[test]
    fn one_endless_line_is_cut_within_the_limits() {
        for text in ["\u{1f600}".repeat(5000), "*".repeat(9000), "a\n".repeat(6000)] {
            let rendered = render(&Document::say(text.clone()), PLAIN);
            assert!(!texts(&rendered).is_empty());
            let code = Document::say("x").with(Block::Code { lang: "bf".to_owned(), text });
            assert!(!texts(&render(&code, PLAIN)).is_empty());
        }
    }
}
