//! Documents as the parts of a page.
//!
//! Here a document's blocks become what the templates in `pages/` lay out: texts, links, figures. All texts stay plain
//! here, and the templates escape them; only a figure comes as markup, escaped where it was drawn. Pages are put
//! together in `routes`.

use std::ops::Range;

use askama::Template;

use super::{names::Names, script};
use figure::{beside, svg, visible};
use kernel::{
    display::{Block, Cell, Document, plain},
    rulebook::source::asides,
    time::minute,
};
use port::gallery::{Mark, display_path, segment};

/// What the code of a law is marked as.
const LAW: &str = "law";

/// What the lines of a film are marked as, and how many blocks behind them belong to it: two names and two programs.
const FILM: &str = "film";
const FILM_BLOCKS_COUNT: usize = 4;

/// Longest text of a cell that stays on one line, in characters: an instant, a name.
const SHORT_MAX_CHARS: usize = 26;

/// How much a row holds on a phone, in characters of all columns together; a little more can be scrolled to.
const NARROW_MAX_CHARS: usize = 45;

/// With fewer columns than this a table is narrow enough once its texts wrap.
const STACK_MIN_COLUMNS: usize = 3;

/// A document, ready to be laid out.
#[derive(Template)]
#[template(path = "document.html")]
pub(super) struct Sheet {
    title: String,
    /// Where on its page it is found, and where its title leads; empty where it stands alone.
    anchor: String,
    href: String,
    /// Where it is shown what changed in it, if that is asked for.
    changed: Option<String>,
    parts: Vec<Part>,
    hints: Vec<(String, String)>,
}

enum Part {
    Para(Vec<Word>),
    /// A paragraph in the words of somebody else than the program.
    Said {
        by: Vec<Word>,
        text: Vec<Word>,
    },
    List(Vec<Bit>),
    Table(Table),
    Code {
        /// Whether it is a change to a text of sentences, whose lines may wrap.
        prose: bool,
        lines: Vec<Line>,
    },
    /// A charge cycle by cycle, with the names and the code of both programs: a script plays it.
    Film {
        lines: String,
        left: (String, String),
        right: (String, String),
    },
    /// A figure that other parts say in words.
    Picture(String),
    Figure {
        svg: String,
        /// What it does not say in words, and a table only says to who opens it.
        said: Vec<String>,
        table: Table,
    },
}

struct Table {
    /// Whether a narrow screen shows each row as a few lines, because it holds more than its width bears.
    stacks: bool,
    head: Vec<String>,
    rows: Vec<Vec<Bit>>,
}

/// A cell in its pieces.
struct Bit {
    text: String,
    words: Vec<Word>,
    /// How a table sets it: `number`, `short` for what stays on one line, `long` for what may wrap.
    class: &'static str,
    /// Where the value stands among all that can be named.
    source: Option<String>,
}

/// A piece of a text.
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it is a comment, which has no effect.
    pub(super) aside: bool,
    pub(super) href: Option<String>,
    /// What is told of it to whoever points at it.
    pub(super) tip: Option<Tip>,
}

/// What is told of a marked place of a rule.
#[derive(Clone)]
pub(super) struct Tip {
    pub(super) key: String,
    pub(super) meaning: String,
    pub(super) since: String,
    pub(super) why: String,
    pub(super) href: String,
}

impl Word {
    /// Text, and where it leads.
    pub(super) fn new(text: impl Into<String>, href: Option<String>) -> Self {
        Self { text: text.into(), aside: false, href, tip: None }
    }
}

/// A text in its pieces: its comments are shown dimmed, and what has a page leads there.
pub(super) fn words(text: &str, links: Links<'_>) -> Vec<Word> {
    let text = clean(text);
    let of = |(aside, text): (bool, &str)| -> Vec<Word> {
        if aside {
            return vec![Word { aside, ..Word::new(text, None) }];
        }
        let runs = links.names.runs(text).into_iter();
        let word = |shows: Option<String>| shows.filter(|shows| shows != links.own).map(|shows| links.to(&shows));
        runs.map(|run| Word::new(run.text, word(run.shows))).collect()
    };
    asides(&text).into_iter().flat_map(of).collect()
}

/// A line of code, with what a diff says of it.
struct Line {
    class: &'static str,
    /// Its pieces, each with what it is in a script.
    pieces: Vec<(&'static str, String)>,
}

/// Where the links of a page lead.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    /// What stands before every path.
    pub(super) base: &'a str,
    /// The room that displays are of.
    pub(super) room: &'a str,
    /// What is put behind the link to each display: the moment that it is shown as of.
    pub(super) suffix: &'a str,
    /// The display that the page shows, which does not lead to itself.
    pub(super) own: &'a str,
    /// Whether figures are drawn.
    pub(super) figures: bool,
    /// Whether a name leads to what its bearer did.
    pub(super) people: bool,
    /// What texts name that has a page.
    pub(super) names: &'a Names,
}

impl Sheet {
    /// Lays a document out. A title that is the page's heading already is left out.
    pub(super) fn new(document: &Document, heading: &str, links: Links<'_>) -> Self {
        let document = &*document.unmarked();
        let title = if document.title == heading { String::new() } else { clean(&document.title) };
        let (mut parts, mut blocks) = (Vec::new(), &document.blocks[..]);
        while let Some((block, rest)) = blocks.split_first() {
            blocks = rest;
            if let Some(film) = film(block, rest) {
                parts.push(film);
                blocks = &rest[FILM_BLOCKS_COUNT..];
            } else {
                parts.push(part(block, &document.title, links));
            }
        }
        let hints = document.hints().iter().map(|offer| (clean(&offer.label), clean(&offer.line))).collect();
        Self { title, anchor: String::new(), href: String::new(), changed: None, parts, hints }
    }

    /// Marks the places of a rule, each with what is told of it.
    pub(super) fn mark(&mut self, marks: &[Mark], links: Links<'_>) {
        for mark in marks {
            let words = clean(&mark.words);
            let mut nth = mark.nth;
            let tip = Tip {
                key: clean(&mark.key),
                meaning: clean(&mark.meaning),
                since: format!("entry {}, {}", mark.since, minute(mark.at)),
                why: clean(&mark.why),
                href: links.to(&format!("entry/{}", mark.since)),
            };
            for part in &mut self.parts {
                let Part::Para(said) = part else { continue };
                let text: String = said.iter().map(|word| &*word.text).collect();
                let mut places = text.char_indices().filter(|(at, _)| text[*at..].starts_with(&*words));
                if let Some((at, _)) = places.clone().nth(nth) {
                    mark_place(said, at..at + words.len(), &tip);
                    break;
                }
                nth -= places.by_ref().count().min(nth);
            }
        }
    }

    /// Whether a script plays something in it.
    pub(super) fn plays(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Film { .. }))
    }

    /// Says that it reads otherwise than at some moment, and where the difference is shown.
    pub(super) fn changed(&mut self, href: String) {
        self.changed = Some(href);
    }

    /// Gives it a place on its page, and its title a link.
    pub(super) fn anchored(&mut self, anchor: &str, href: String) {
        (self.anchor, self.href) = (anchor.to_owned(), href);
    }
}

/// A film that begins here, with the two programs behind it.
fn film(block: &Block, rest: &[Block]) -> Option<Part> {
    let Block::Code { lang, text } = block else { return None };
    let [
        Block::Para(left),
        Block::Code { text: left_code, .. },
        Block::Para(right),
        Block::Code { text: right_code, .. },
        ..,
    ] = rest
    else {
        return None;
    };
    (lang == FILM).then(|| Part::Film {
        lines: clean(text),
        left: (clean(left), clean(left_code)),
        right: (clean(right), clean(right_code)),
    })
}

/// Puts a tip on the words of a place in a paragraph.
fn mark_place(said: &mut Vec<Word>, place: Range<usize>, tip: &Tip) {
    let mut at = 0;
    for word in std::mem::take(said) {
        let (begin, end) = (at, at + word.text.len());
        at = end;
        let inside = place.start.clamp(begin, end) - begin..place.end.clamp(begin, end) - begin;
        let cut = |range: Range<usize>, tip: Option<&Tip>| Word {
            text: word.text[range].to_owned(),
            aside: word.aside,
            href: word.href.clone(),
            tip: tip.or(word.tip.as_ref()).cloned(),
        };
        let (before, after) = (0..inside.start, inside.end..word.text.len());
        let pieces = [cut(before, None), cut(inside, Some(tip)), cut(after, None)];
        said.extend(pieces.into_iter().filter(|piece| !piece.text.is_empty()));
    }
}

fn part(block: &Block, title: &str, links: Links<'_>) -> Part {
    match block {
        Block::Para(text) => Part::Para(words(text, links)),
        Block::Said { by, text } => Part::Said { by: words(by, links), text: words(text, links) },
        Block::List(cells) => Part::List(cells.iter().map(|cell| bit(cell, links)).collect()),
        Block::Table { head, rows } => Part::Table(table(head, rows, links)),
        Block::Code { lang, text } => {
            Part::Code { prose: matches!(lang.as_str(), "diff" | "markdown"), lines: code(lang, text) }
        }
        // The service opens what a stranger may read; whatever else comes here stays closed.
        Block::Sealed { .. } | Block::Played { .. } => Part::Para(words("(sealed)", links)),
        Block::Picture(_) => match svg(title, block, |_| None).filter(|_| links.figures) {
            Some(drawn) => Part::Picture(drawn),
            None => Part::Para(words("(a picture that is too large to be drawn)", links)),
        },
        Block::Graph(graph) => {
            let (head, rows) = graph.table();
            let table = table(&head, &rows, links);
            match svg(title, block, |cell| href(cell, links)).filter(|_| links.figures) {
                Some(svg) => Part::Figure { svg, said: beside(graph).iter().map(|line| clean(line)).collect(), table },
                None => Part::Table(table),
            }
        }
        Block::Grid { columns, rows } => {
            let head: Vec<String> = std::iter::once(String::new()).chain(columns.iter().cloned()).collect();
            let named = |(name, cells): &(String, Vec<Cell>)| {
                std::iter::once(Cell::new(name.clone())).chain(cells.iter().cloned()).collect::<Vec<_>>()
            };
            let table = table(&head, &rows.iter().map(named).collect::<Vec<_>>(), links);
            // Two dimensions mean something only side by side.
            let table = Table { stacks: false, ..table };
            match svg(title, block, |cell| href(cell, links)).filter(|_| links.figures) {
                Some(svg) => Part::Figure { svg, said: Vec::new(), table },
                None => Part::Table(table),
            }
        }
    }
}

fn table(head: &[String], rows: &[Vec<Cell>], links: Links<'_>) -> Table {
    let mut rows: Vec<Vec<Bit>> = rows.iter().map(|row| row.iter().map(|cell| bit(cell, links)).collect()).collect();
    // A column of numbers alone stands at the right.
    for column in 0..head.len() {
        let mut filled = rows.iter().filter_map(|row| row.get(column)).filter(|bit| !bit.text.is_empty()).peekable();
        if filled.peek().is_some() && filled.all(|bit| is_number(&bit.text)) {
            rows.iter_mut().filter_map(|row| row.get_mut(column)).for_each(|bit| bit.class = "number");
        }
    }
    let widest = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column)).map(|bit| bit.text.chars().count());
        texts.chain(head.get(column).map(|name| name.chars().count())).max().unwrap_or(0)
    };
    let width: usize = (0..head.len()).map(widest).sum();
    let stacks = head.len() >= STACK_MIN_COLUMNS && width > NARROW_MAX_CHARS;
    Table { stacks, head: head.iter().map(|name| clean(name)).collect(), rows }
}

impl Links<'_> {
    /// The address of a display.
    pub(super) fn to(&self, display: &str) -> String {
        // What happened is no display of a moment.
        let suffix = if display.starts_with(['@']) || display.starts_with("entry/") { "" } else { self.suffix };
        format!("{}{}{suffix}", self.base, display_path(self.room, display))
    }

    /// The address of what somebody did.
    pub(super) fn deeds(&self, name: &str) -> String {
        format!("{}{}?actor={}", self.base, display_path(self.room, "history"), encoded(name))
    }
}

/// Where a cell leads as a whole.
fn href(cell: &Cell, links: Links<'_>) -> Option<String> {
    let shown = cell.shows.as_deref().map(|display| links.to(display));
    let deeds = || cell.completes.as_deref().filter(|_| links.people).map(|name| links.deeds(name));
    shown.or_else(deeds)
}

fn bit(cell: &Cell, links: Links<'_>) -> Bit {
    let text = clean(&cell.text);
    let words = match href(cell, links) {
        Some(href) => vec![Word::new(&*text, Some(href))],
        None => words(&text, links),
    };
    Bit {
        class: if text.chars().count() > SHORT_MAX_CHARS { "long" } else { "short" },
        source: cell.source.as_ref().map(|path| clean(&path.to_string())),
        text,
        words,
    }
}

/// What a document says first, as one line.
pub(super) fn sentence(document: &Document) -> String {
    let text = plain(document);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("An announcement");
    clean(line.trim())
}

/// A text as a value in a query.
pub(super) fn encoded(text: &str) -> String {
    segment(text)
}

fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/' || byte == b'.')
}

fn code(lang: &str, text: &str) -> Vec<Line> {
    if lang.eq_ignore_ascii_case(LAW) {
        let line = |pieces: Vec<script::Piece<'_>>| {
            let pieces = pieces.iter().map(|piece| (piece.class, clean(piece.text))).collect();
            Line { class: "same", pieces }
        };
        return script::lines(text).into_iter().map(line).collect();
    }
    let class = |line: &str| match line.chars().next() {
        Some('+') if lang == "diff" => "add",
        Some('-') if lang == "diff" => "del",
        _ => "same",
    };
    text.lines().map(|line| Line { class: class(line), pieces: vec![("", clean(line))] }).collect()
}

/// A text without characters that would deceive the eye or break the page; the template escapes the rest.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::display::{Graph, Place, Vertex};

    #[test]
    fn whatever_was_written_is_text() {
        let evil = "<script>alert('x')</script>\u{202e}\"&";
        let document = Document::titled("x", evil)
            .para(evil)
            .with(Block::List(vec![Cell::new(evil).showing(evil)]))
            .table(vec![evil.to_owned()], vec![vec![Cell::new(evil)]])
            .with(Block::Code { lang: evil.to_owned(), text: evil.to_owned() })
            .with(Block::Grid { columns: vec![evil.to_owned()], rows: vec![(evil.to_owned(), vec![Cell::new(evil)])] })
            .with(Block::Graph(Graph {
                vertices: vec![Vertex { cell: Cell::new(evil), there: vec![Cell::new(evil)], ..Vertex::default() }],
                groups: vec![Cell::new(evil)],
                ungrouped: evil.to_owned(),
                ..Graph::default()
            }));
        let names = Names::default();
        let links = Links { base: "", room: evil, suffix: "", own: "", figures: true, people: true, names: &names };
        let html = Sheet::new(&document, "", links).render().unwrap();
        assert!(!html.contains("<script") && !html.contains('\u{202e}'), "{html}");
        for part in html.split("href=\"").skip(1) {
            let address = part.split('"').next().unwrap();
            assert!(address.starts_with("/room/%3Cscript"), "{address}");
        }
        assert!(html.contains("<svg"), "{html}");
    }

    #[test]
    fn comments_are_dimmed() {
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: true, names: &names };
        let said = "Tea [[ or\ncoffee ]] & cake /* soon */";
        let document = Document::say(said).with(Block::List(vec![Cell::new(said)]));
        let html = Sheet::new(&document, "", links).render().unwrap();
        assert_eq!(html.matches("<span class=\"aside\">[[ or\ncoffee ]]</span>").count(), 2, "{html}");
        assert_eq!(html.matches("cake <span class=\"aside\">/* soon */</span>").count(), 2, "{html}");
    }

    /// Given the same figure twice, once behind a name that leads to a page. Then the second place is marked alone.
    #[test]
    fn a_place_of_a_rule_is_marked_and_says_since_when_it_reads_so() {
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: true, names: &names };
        let document = Document::say("48 hours").para("Not 48, 4 & 8.").para("48");
        let mark = Mark {
            words: "48".to_owned(),
            nth: 1,
            key: "timeout-hours".to_owned(),
            meaning: "hours & more".to_owned(),
            since: 7,
            at: "2026-11-02T10:00:00Z".parse().unwrap(),
            why: "Proposal <1>".to_owned(),
        };
        let mut sheet = Sheet::new(&document, "", links);
        sheet.mark(&[mark.clone(), Mark { nth: 9, ..mark }], links);
        let html = sheet.render().unwrap();
        assert_eq!(html.matches("class=\"mark\"").count(), 1, "{html}");
        assert!(
            html.contains("<p dir=\"auto\">Not <span class=\"mark\" tabindex=\"0\">48<span class=\"tip\""),
            "{html}"
        );
        for part in
            ["timeout-hours", "hours &#38; more", "/room/main/entry/7", "Proposal &#60;1&#62;", "</span>, 4 &#38; 8."]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn a_film_comes_with_its_programs_and_bears_any_text() {
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: true, names: &names };
        let code = |lang: &str, text: &str| Block::Code { lang: lang.to_owned(), text: text.to_owned() };
        let film = Document::default().with(code("film", "bfjoust film 1\nlength 9\n</pre>"));
        let whole = film.clone().para("\"A\"").with(code("bf", "+")).para("B").with(code("bf", ">")).para("after");
        let sheet = Sheet::new(&whole, "", links);
        let html = sheet.render().unwrap();
        assert!(sheet.plays() && html.contains("data-left=\"&#34;A&#34;\"") && html.contains("after"), "{html}");
        assert!(!html.contains("\n</pre>\n</pre>") && html.contains("&#60;/pre&#62;"), "{html}");
        assert!(!Sheet::new(&film, "", links).plays(), "without its programs it is lines");
    }

    #[test]
    fn the_script_of_a_law_is_told_in_its_pieces() {
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: true, names: &names };
        let text = "let a = 8;\n// <b>\n".to_owned();
        let document = Document::default().with(Block::Code { lang: "law".to_owned(), text });
        let html = Sheet::new(&document, "", links).render().unwrap();
        let first = "<span class=\"same\"><span class=\"word\">let</span> a = <span class=\"number\">8</span>;</span>";
        assert!(html.contains(first), "{html}");
        assert!(html.contains("<span class=\"aside\">// &#60;b&#62;</span></span>"), "{html}");
    }

    #[test]
    fn a_map_of_a_part_says_which_part_it_is() {
        let far = (Place::new(0, 0), Place::new(900, 0));
        let graph = Graph { vertices: vec![Vertex::default()], edges: vec![far], total: 4, ..Graph::default() };
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: true, names: &names };
        let html = Sheet::new(&Document::default().with(Block::Graph(graph)), "", links).render().unwrap();
        assert!(html.contains("<p>Edges that reach farther: (0, 0) to (900, 0).</p>"), "{html}");
        assert!(html.contains("<p>Shown from (0, 0) to (0, 0): 1 of 4 vertices.</p>"), "{html}");
    }

    #[test]
    fn numbers_are_told_from_words() {
        for (text, number) in
            [("12", true), ("-3/7", true), ("1.5", true), ("", false), ("2026-11-02", false), ("a1", false)]
        {
            assert_eq!(is_number(text), number, "{text}");
        }
    }

    #[test]
    fn what_is_sealed_stays_so() {
        let document = Document::default().with(Block::Sealed { secret: "program/1".into() });
        let names = Names::default();
        let links = Links { base: "", room: "main", suffix: "", own: "", figures: true, people: false, names: &names };
        assert!(Sheet::new(&document, "", links).render().unwrap().contains("(sealed)"));
    }
}
