//! Blocks of a document as the pages of a message: lines of Markdown and of code, cut to Discord's limits.

use std::rc::Rc;

use super::{
    escape,
    forms::{self, Known},
    measure::{chars, chunks, cut},
    message::CONTENT_MAX_CHARS,
};
use catalogue::hint::{self, Form};
use kernel::display::{self, Block, Cell, Document};

/// Most characters of a page. An embed may have 4096, and all of a message's embeds 6000.
const PAGE_MAX_CHARS: usize = 3500;

/// Longest line of a quotation, in characters: a longer one goes on in the next, which is quoted, too.
const QUOTED_MAX_CHARS: usize = 1000;

/// What a fence around a line of code costs, in characters.
const FENCE_CHARS: usize = 16;

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// Above it.
    pub(super) title: String,
    /// Markdown.
    pub(super) body: String,
    /// Whether it is a message's own text, without a frame.
    pub(super) plain: bool,
}

/// A line of a page.
pub(super) enum Unit {
    /// Markdown.
    Text(String),
    /// A line of code, with the line that stands above it on every page.
    Code(String, Option<Rc<str>>),
    /// Between two code blocks.
    Gap,
}

/// A line that a document tells its reader to type: as a command that can be pressed, where it is one.
pub(super) fn typed(document: &Document, line: &str, known: Known<'_>) -> String {
    let (told, beside) = hint::told(document, line, Form::Options);
    let is_command = document.references.contains_key(line);
    let pressed = is_command.then(|| forms::command(&told, known)).flatten();
    let typed = pressed.unwrap_or_else(|| escape::inline(&told));
    format!("{typed}{}", forms::markdown(&beside, false, known))
}

/// Hints, a single one behind the words that it ends.
pub(super) fn told(lines: Vec<String>, behind_words: bool, units: &mut Vec<Unit>) {
    match (&lines[..], units.last_mut()) {
        ([only], Some(Unit::Text(before))) if behind_words => before.push_str(&format!(" {only}")),
        _ => units.extend(lines.into_iter().map(Unit::Text)),
    }
}

/// A block as units; with the time that is left to what it names, where its document is acted on.
pub(super) fn split(block: &Block, left: bool, known: Known<'_>, units: &mut Vec<Unit>) {
    match block {
        Block::Para(text) => {
            units.extend(forms::markdown(text, left, known).split('\n').map(|line| Unit::Text(line.to_owned())))
        }
        // A quotation, with its author in small print: the bot's own words stand in none.
        Block::Said { by, text } => {
            units.push(Unit::Text(format!("> -# {}", escape::markdown(by))));
            let told = forms::markdown(text, left, known);
            let pieces = told.split('\n').flat_map(|line| chunks(line, QUOTED_MAX_CHARS));
            units.extend(pieces.map(|piece| Unit::Text(format!("> {piece}"))));
        }
        Block::List(cells) => {
            let item = |text: &str| Unit::Text(format!("- {}", forms::markdown(text, left, known).replace('\n', " ")));
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
        Block::Table { head, rows } if rows.iter().flatten().any(|cell| forms::names_any(&cell.text, known)) => {
            let item = |row: &Vec<Cell>| {
                let cells = head.iter().zip(row).filter(|(_, cell)| !cell.text.is_empty());
                let told: Vec<String> =
                    cells.map(|(name, cell)| format!("{name} {}", cell.text).trim().to_owned()).collect();
                Unit::Text(format!("- {}", forms::markdown(&told.join(", "), left, known).replace('\n', " ")))
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

/// Lines as pages, with the title on each; `framed` says that a frame is there anyhow, and `bare` that none may be.
pub(super) fn pages(title: &str, units: Vec<Unit>, framed: bool, bare: bool) -> Vec<Page> {
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
