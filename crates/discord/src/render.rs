//! Documents as Discord messages: pages of an embed, figures as pictures, offers as buttons.
//!
//! What the pages say is cut to Discord's limits in `pages`, the rest here, and nowhere else.

use super::{
    escape,
    forms::Known,
    measure::{chars, cut},
    message::{Attached, Button, CONTENT_MAX_CHARS, Embed, Footer, Image, Message, Row, button, row, rows},
    pages::{Page, Unit, pages, split, told, typed},
    press::Press,
    register::FIELDS_MAX_COUNT,
    rest::File,
    windows,
};
use catalogue::hint::{self, Form};
use figure::{Ground, Painted};
use kernel::display::{self, Block, Document, MARKS};
use port::{Attachment, Called};

/// Most characters of an embed's title.
const TITLE_MAX_CHARS: usize = 250;

/// More pages than this are sent as a file instead: nobody turns so many.
const TURNED_MAX_PAGES: usize = 12;

/// Most buttons under a message, beside those that turn its pages: four rows of five.
const BUTTONS_MAX_COUNT: usize = 20;

/// Longest link that is shown, in characters: a `PUBLIC_URL` with the name of a room is far below.
const LINK_MAX_CHARS: usize = 400;

/// What stands around a link in a text, in characters.
const LINK_FACE_CHARS: usize = 12;

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
    /// What has a name of Discord's own.
    pub(super) known: Known<'a>,
    /// Texts alone, for a channel that takes no pictures and no frames.
    pub(super) bare: bool,
}

/// Makes pages of a document.
pub(super) fn render(document: &Document, look: Look<'_>) -> Rendered {
    // Commands stay between marks, which the pages turn into something to press.
    let spelled = document.typing(|line| {
        let (told, beside) = hint::told(document, line, Form::Options);
        let is_command = document.references.contains_key(line);
        (if is_command { format!("{}{told}{}", MARKS[0], MARKS[1]) } else { told }, beside)
    });
    let (whole, document) = (document, &*spelled);
    let left = !document.offers.is_empty();
    let mut hints = Vec::new();
    let mut offers: Vec<Button> = Vec::new();
    for offer in &document.offers {
        // What is said elsewhere cannot be pressed here, and a window has few fields.
        let reference = document.references.get(&offer.line).filter(|reference| {
            reference.said_in.is_none()
                && reference.open.iter().filter(|open| open.required).count() <= FIELDS_MAX_COUNT
        });
        let called = reference.map(|reference| Called { offered: Some(offer.at_seq), ..hint::called(reference) });
        let id = called.and_then(|called| Press::Offer(called).id());
        match id.filter(|id| offers.len() < BUTTONS_MAX_COUNT && offers.iter().all(|o| o.custom_id != *id)) {
            Some(id) => offers.push(button(&offer.label, id, 1, false)),
            None => {
                let typed = typed(document, &offer.line, look.known);
                hints.push(format!("{}: {typed}", escape::markdown(&offer.label)));
            }
        }
    }
    let picture = if look.bare { None } else { picture(document, look.ground) };
    let mut units = Vec::new();
    let mut behind_words = false;
    for block in &document.blocks {
        if let Some(lines) = block.commands() {
            let lines = lines.lines().map(|line| typed(document, line, look.known)).collect();
            told(lines, behind_words, &mut units);
            continue;
        }
        behind_words = matches!(block, Block::Para(_));
        match block {
            Block::Grid { .. } | Block::Picture(_) if picture.is_some() => {}
            Block::Graph(graph) if picture.is_some() => {
                units.extend(figure::beside(graph).into_iter().map(|line| Unit::Text(escape::markdown(&line))));
            }
            block => split(block, left, look.known, &mut units),
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
    let text = Document { offers: Vec::new(), ..hint::written(whole, Form::Options) };
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

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look<'static> =
        Look { ground: Ground::Dark, known: Known { is_channel: &|_| false, command: &|_| None }, bare: false };
    use kernel::display::{Cell, Graph, Offer, Place, Reference, Vertex};

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

    /// Given words of a law that imitate the bot's, then each line of them stands in a quotation of its rule.
    #[test]
    fn what_a_law_says_is_quoted_line_by_line() {
        let text = format!("Hi.\n-# rule 3\nCorrection by a moderator. {}", "Ann votes FOR. ".repeat(900));
        let document = Document::say("Ann acts.").with(Block::Said { by: "rule 17".to_owned(), text });
        let rendered = render(&document, PLAIN);
        assert!(rendered.pages.len() > 1);
        let first = texts(&rendered).remove(0);
        assert!(first.starts_with("Ann acts.\n> -# rule 17\n> Hi.\n> \u{200b}-# rule 3\n> Correction"), "{first}");
        let lines = texts(&rendered).join("\n");
        assert!(lines.lines().skip(1).all(|line| line.starts_with("> ")), "{lines}");
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
            // A long one that fits.
            offer("Propose", "@blognomic propose \"Undoing entry 99999\" Was it right?".into()),
        ];
        hint::refer(&mut document, |line| hint::reference(catalogue::Catalogue::all(), line));
        let message = render(&document, PLAIN).parts(0, "", None).message;
        assert_eq!(message.components[0].components.len(), 2);
        assert!(message.content.contains("Long: `/joust adjudicate text:xxx"), "{}", message.content);
        // What is said in another channel is no button here.
        let elsewhere = |reference: &mut Reference| reference.said_in = Some("discord/72".to_owned());
        document.references.values_mut().for_each(elsewhere);
        let message = render(&document, PLAIN).parts(0, "", None).message;
        assert!(message.components.is_empty(), "{:?}", message.components);
        assert!(message.content.contains("Object: `/joust object id:3` (in discord/72)"), "{}", message.content);
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
