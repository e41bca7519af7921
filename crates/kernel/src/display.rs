//! Documents: what the program shows, before anybody decided how it looks.
//!
//! A display, an announcement and a reply are all a [`Document`]. Adapters render it: lines on IRC, embeds on
//! Discord, HTML on the web, text in the console. Nothing here knows any of them. A cell keeps the path of the value
//! that it shows, so that `/why`, completion and ratification can read a display backwards.

mod cell;
mod graph;
mod picture;
mod reference;
mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use cell::Cell;
pub use graph::{Graph, PICTURE_SIDE_COUNT, Place, Vertex, Window};
pub use picture::{Bars, Chart, Picture, Raster, Wheel};
pub use reference::{MARKS, Open, Reference, Told, room_word};
pub use text::{MARKUP_WIDTH_COLUMNS, lines, lines_within, plain, signed};

use super::{Id, Seq, work::Work};

/// The displays that every room has, each with a line about it.
pub const COMMON: &[(&str, &str)] = &[
    ("standing", "How the room stands: what waits for votes, and what comes next"),
    ("rules", "The rules in force"),
    ("players", "Who has a seat"),
    ("room", "The room itself: game, clock, dice"),
    ("forums", "The channels of the room"),
    ("due", "What happens next by itself"),
    ("rulings", "How unclear rules are read"),
];

/// A page of the game: a hill, a ballot, an announcement, a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Document {
    /// Which display this is (`hill`, `rule/2`), empty for a plain message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// A heading; empty for a plain message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The last entry that it takes into account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Seq>,
    /// The body, in order.
    pub blocks: Vec<Block>,
    /// What a reader may do about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
    /// Its text says how what it offers is typed: the offers are shown where they are buttons, and not as lines.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offers_told: bool,
    /// What each line is that it tells its reader to type or to press: a line that stands here nowhere is no command, and
    /// is shown as it is. The service puts them in when it hands the document to who shows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub references: BTreeMap<String, Reference>,
    /// What it goes on about, where it is one of several documents on the same thing. That is a thread of its own where
    /// a network has threads and the room wants them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// It shows something that goes on, and will read otherwise in a moment: who can change what was shown does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub under_way: bool,
    /// The display that comes after it, where it is one picture of a film: a page can play on from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    /// The accounts, at the network where it is read aloud, of people who asked to be called about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// A web page about it, where pages are served: the service puts it into announcements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// One part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A paragraph of plain text; a newline in it is a line break.
    Para(String),
    /// A paragraph in the words of somebody else than the program, such as a law. Each line is shown with whose they are,
    /// so that nobody can take it for the program's.
    Said {
        /// Whose words they are, as readers know it (`rule 17`).
        by: String,
        /// What is said; a newline in it is a line break.
        text: String,
    },
    /// A table with a head; every row has as many cells as the head.
    Table {
        /// The names of the columns.
        head: Vec<String>,
        /// The rows, top to bottom.
        rows: Vec<Vec<Cell>>,
    },
    /// A list of short items.
    List(Vec<Cell>),
    /// Text whose every character counts: a program, a diff, a rule's source.
    Code {
        /// What it is written in (`bf`, `diff`, `markdown`), empty when nothing special.
        lang: String,
        /// The text itself.
        text: String,
    },
    /// The text of something sealed, which the service puts in its place when it delivers the document. The game
    /// decided that whoever receives the document may read it, and never holds the text itself.
    Sealed {
        /// Its id in the table of secrets.
        secret: Id,
    },
    /// What a short work comes to. The service plays it and puts it in its place, with what else the result says, when
    /// somebody is shown the document. The game decided that whoever receives the document may see it.
    Played {
        /// The work; its result is a document.
        work: Work,
    },
    /// A picture, drawn where pictures can be shown and left out elsewhere: what it says in short stands in other blocks.
    Picture(Picture),
    /// Numbers arranged in two dimensions, drawn as a heat map where pictures can be shown, as a table elsewhere.
    Grid {
        /// The names of the columns.
        columns: Vec<String>,
        /// A name and the cells of each row; an empty cell shows nothing.
        rows: Vec<(String, Vec<Cell>)>,
    },
    /// A graph on whole coordinates, drawn where pictures can be shown, in characters elsewhere.
    Graph(Graph),
}

/// What several documents are about: a proposal, from its submission to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Topic {
    /// Which: unique in its room (`proposal/12`).
    pub key: Id,
    /// What people call it; as the first document of the topic has it, it stays.
    pub title: String,
}

/// An action that a reader may take from where the document stands: a button on Discord, a hint elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Offer {
    /// What the button says.
    pub label: String,
    /// The command line that it types, without a prefix.
    pub line: String,
    /// The entry that it was made at: an offer that the world has moved past is refused with the reason.
    pub at_seq: Seq,
}

impl Block {
    /// Whether it is a picture where pictures can be shown.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Self::Picture(_) | Self::Grid { .. } | Self::Graph(_))
    }

    /// A table from the names of its columns and its rows, which [`cells!`] makes.
    pub fn table(head: impl IntoIterator<Item = impl Into<String>>, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        Self::Table { head: head.into_iter().map(Into::into).collect(), rows: rows.into_iter().collect() }
    }

    /// The same where there are rows, and nothing where there are none.
    pub fn table_if_any(
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Option<Self> {
        let mut rows = rows.into_iter().peekable();
        rows.peek()?;
        Some(Self::table(head, rows))
    }
}

impl Offer {
    /// An action by what its button says and the line that it types, as of an entry.
    pub fn new(label: impl Into<String>, line: impl Into<String>, at_seq: Seq) -> Self {
        Self { label: label.into(), line: line.into(), at_seq }
    }
}

impl Document {
    /// The offers that are written as lines, where there are no buttons.
    pub fn hints(&self) -> &[Offer] {
        if self.offers_told { &[] } else { &self.offers }
    }

    /// A message of one paragraph.
    pub fn say(text: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Para(text.into())], ..Self::default() }
    }

    /// A message of one paragraph in the words of somebody else, such as a law.
    pub fn said(by: impl Into<String>, text: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Said { by: by.into(), text: text.into() }], ..Self::default() }
    }

    /// An empty display with a name and a heading.
    pub fn titled(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), ..Self::default() }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn para(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(Block::Para(text.into()));
        self
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds a table, as [`Block::table`] makes it.
    #[must_use]
    pub fn table(
        self,
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        self.with(Block::table(head, rows))
    }

    /// Adds a table; where it has no rows, a paragraph that says so.
    #[must_use]
    pub fn table_or(
        self,
        none: impl Into<String>,
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() { self.para(none) } else { self.table(head, rows) }
    }

    /// Says how many rows a list leaves out, older than those in it, and which display shows them.
    #[must_use]
    pub fn going_on(self, left_out: usize, display: &str) -> Self {
        if left_out == 0 {
            return self;
        }
        let text = format!("Older, {left_out} more: ⁅show {display}⁆");
        self.with(Block::List(vec![Cell::new(text).showing(display)]))
    }

    /// Says what it goes on about.
    #[must_use]
    pub fn about(mut self, key: impl Into<Id>, title: impl Into<String>) -> Self {
        self.topic = Some(Topic { key: key.into(), title: title.into() });
        self
    }

    /// Puts what another document says below, its heading as a line.
    pub fn append(&mut self, other: Self) {
        if !other.title.is_empty() {
            self.blocks.push(Block::Para(other.title));
        }
        self.blocks.extend(other.blocks);
        self.offers.extend(other.offers);
        self.references.extend(other.references);
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.title.is_empty() && self.blocks.is_empty()
    }

    /// Goes through every text that a reader sees, or that comes back from one.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.title);
        for block in &mut self.blocks {
            match block {
                Block::Para(text) | Block::Code { text, .. } => change(text),
                Block::Said { by, text } => {
                    change(by);
                    change(text);
                }
                Block::Sealed { .. } | Block::Played { .. } => {}
                Block::Picture(picture) => picture.each_text(change),
                Block::Graph(graph) => graph.each_text(change),
                Block::List(cells) => cells.iter_mut().for_each(|cell| cell.each_text(change)),
                Block::Table { head, rows } => {
                    head.iter_mut().for_each(&mut *change);
                    rows.iter_mut().flatten().for_each(|cell| cell.each_text(change));
                }
                Block::Grid { columns, rows } => {
                    columns.iter_mut().for_each(&mut *change);
                    for (name, cells) in rows {
                        change(name);
                        cells.iter_mut().for_each(|cell| cell.each_text(change));
                    }
                }
            }
        }
        for offer in &mut self.offers {
            change(&mut offer.label);
            change(&mut offer.line);
        }
        if let Some(topic) = &mut self.topic {
            change(&mut topic.title);
        }
    }

    /// Goes through what a reader sees of its paragraphs, lists and tables, and nothing that comes back from one.
    pub fn each_seen(&mut self, change: &mut dyn FnMut(&mut String)) {
        for block in &mut self.blocks {
            match block {
                Block::Para(text) | Block::Said { text, .. } | Block::Code { text, .. } => change(text),
                Block::List(cells) => cells.iter_mut().for_each(|cell| change(&mut cell.text)),
                Block::Table { rows, .. } => rows.iter_mut().flatten().for_each(|cell| change(&mut cell.text)),
                Block::Grid { rows, .. } => {
                    rows.iter_mut().flat_map(|(_, cells)| cells).for_each(|cell| change(&mut cell.text));
                }
                Block::Sealed { .. } | Block::Played { .. } | Block::Picture(_) | Block::Graph(_) => {}
            }
        }
    }

    /// Every cell, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.blocks.iter().flat_map(|block| -> Box<dyn Iterator<Item = &Cell>> {
            match block {
                Block::Para(_)
                | Block::Said { .. }
                | Block::Code { .. }
                | Block::Sealed { .. }
                | Block::Played { .. }
                | Block::Picture(_) => Box::new(std::iter::empty()),
                Block::Graph(graph) => Box::new(graph.cells()),
                Block::List(cells) => Box::new(cells.iter()),
                Block::Table { rows, .. } => Box::new(rows.iter().flatten()),
                Block::Grid { rows, .. } => Box::new(rows.iter().flat_map(|(_, cells)| cells)),
            }
        })
    }
}

/// A count with its noun in the right number: `1 charge`, `0 charges`, `2 entries`.
pub fn counted(count: impl std::fmt::Display, noun: &str) -> String {
    let count = count.to_string();
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        _ if count == "1" => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}

/// A row of a table from texts, numbers and cells.
#[macro_export]
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($crate::display::Cell::from($cell)),*] };
}
pub use crate::cells;
