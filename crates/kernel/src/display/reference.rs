//! References: what a document names that its reader may do, as a command with its values.
//!
//! A text holds the line as its author wrote it, between marks of its own ([`MARKS`]). What that line is in its room
//! stands beside the document's blocks, under the same line. Who shows the document writes it as it is typed or pressed
//! there.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Block, Document};

/// What begins and what ends a line that stands in a sentence: `⁅vote 3 FOR⁆`.
pub const MARKS: [char; 2] = ['⁅', '⁆'];

/// What a block of lines to type is written in.
const COMMAND: &str = "command";

/// A command with its values, of which some may be the reader's to put in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reference {
    /// How it is typed, without what stands before every line of its place and without its room: `vote 3 FOR`.
    pub line: String,
    /// The name of the command.
    pub name: String,
    /// The text of each value, by the name of its parameter, in the order of the usage line.
    pub args: Vec<(String, String)>,
    /// What the reader puts in, in the order of the usage line.
    pub open: Vec<Open>,
    /// The room that it is done in.
    pub room: Option<String>,
    /// Whether a line has to name that room: where it is read, another one could be meant.
    pub names_room: bool,
    /// The reason that is given for it.
    pub because: Option<String>,
    /// The channel that it is said in, where it cannot be said where it is read.
    pub said_in: Option<String>,
}

/// A value that the reader of a reference puts in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Open {
    /// The parameter.
    pub param: String,
    /// What stands in its place: `NAME`, `for|against`.
    pub shown: String,
    /// Whether the command makes no sense without it.
    pub required: bool,
}

impl Reference {
    /// The line as it is typed where the document is read, without what stands before every line there.
    pub fn typed(&self) -> Cow<'_, str> {
        match &self.room {
            Some(room) if self.names_room && !self.line.contains(&room_word(room)) => {
                format!("{} {}", room_word(room), self.line).into()
            }
            _ => self.line.as_str().into(),
        }
    }
}

/// A room as a line names it.
pub fn room_word(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("@\"{name}\"") } else { format!("@{name}") }
}

/// How a line is typed, and what is said beside it.
pub type Told = (String, String);

/// A text with its command lines as something says that they are typed. What is said beside one stands behind its
/// quotation mark.
fn typing(text: &str, mut told: impl FnMut(&str) -> Told) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(MARKS[0])
        && let Some((line, after)) = behind.split_once(MARKS[1])
    {
        let (typed, beside) = told(line);
        let quoted = after.strip_prefix('”').filter(|_| !beside.is_empty());
        out.push_str(before);
        out.push_str(&typed);
        out.push_str(if quoted.is_some() { "”" } else { "" });
        out.push_str(&beside);
        rest = quoted.unwrap_or(after);
    }
    out.push_str(rest);
    out
}

impl Document {
    /// The same with the command lines of its sentences as something says that they are typed. Text whose every character
    /// counts stays as it is.
    #[must_use]
    pub fn typing(&self, mut told: impl FnMut(&str) -> Told) -> Cow<'_, Self> {
        let marked = |text: &str| text.contains(MARKS[0]);
        let marks = |block: &Block| match block {
            Block::Para(text) | Block::Said { text, .. } => marked(text),
            Block::List(cells) => cells.iter().any(|cell| marked(&cell.text)),
            Block::Table { rows, .. } => rows.iter().flatten().any(|cell| marked(&cell.text)),
            _ => false,
        };
        if !self.blocks.iter().any(marks) {
            return Cow::Borrowed(self);
        }
        let mut out = self.clone();
        for block in &mut out.blocks {
            match block {
                Block::Para(text) | Block::Said { text, .. } => *text = typing(text, &mut told),
                Block::List(cells) => cells.iter_mut().for_each(|cell| cell.text = typing(&cell.text, &mut told)),
                Block::Table { rows, .. } => {
                    rows.iter_mut().flatten().for_each(|cell| cell.text = typing(&cell.text, &mut told));
                }
                _ => {}
            }
        }
        Cow::Owned(out)
    }

    /// The same with its command lines as their author wrote them.
    #[must_use]
    pub fn unmarked(&self) -> Cow<'_, Self> {
        self.typing(|line| (line.to_owned(), String::new()))
    }

    /// Has every line that it tells its reader to type or to press name this room, for where documents of several stand.
    pub fn name_room(&mut self, room: &str) {
        let named = |line: &str| {
            if line.starts_with(['@', '=']) { line.to_owned() } else { format!("{} {line}", room_word(room)) }
        };
        let marked = |line: &str| (format!("{}{}{}", MARKS[0], named(line), MARKS[1]), String::new());
        *self = self.typing(marked).into_owned();
        for block in &mut self.blocks {
            if let Some(lines) = block.commands() {
                *block = Block::command(lines.lines().map(named).collect::<Vec<_>>().join("\n"));
            }
        }
        self.offers.iter_mut().for_each(|offer| offer.line = named(&offer.line));
    }

    /// Every line that it tells its reader to type or to press, in no order.
    pub fn told_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.offers.iter().map(|offer| offer.line.clone()).collect();
        let _ = self.typing(|line| {
            lines.push(line.to_owned());
            Told::default()
        });
        lines.extend(self.blocks.iter().filter_map(Block::commands).flat_map(str::lines).map(str::to_owned));
        lines
    }
}

impl Block {
    /// Lines to type, as a part of a document. A single one behind a paragraph goes on in its last line.
    pub fn command(lines: impl Into<String>) -> Self {
        Self::Code { lang: COMMAND.to_owned(), text: lines.into() }
    }

    /// The lines of such a part.
    pub fn commands(&self) -> Option<&str> {
        match self {
            Self::Code { lang, text } if lang == COMMAND => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_told_and_nothing_else() {
        let told = |line: &str| (format!("!{line}"), String::new());
        let said = "“⁅rules⁆” shows them, and “rules” does not. Type: ⁅rule 5⁆";
        assert_eq!(typing(said, told), "“!rules” shows them, and “rules” does not. Type: !rule 5");
        assert_eq!(typing("what is ⁅open", told), "what is ⁅open");
        let elsewhere = |line: &str| (line.to_owned(), " (in #b)".to_owned());
        assert_eq!(typing("“⁅nod⁆” is one. Type: ⁅nod⁆", elsewhere), "“nod” (in #b) is one. Type: nod (in #b)");
    }

    #[test]
    fn a_room_is_named_where_another_could_be_meant() {
        let vote = Reference { line: "vote 3 FOR".to_owned(), room: Some("the main".to_owned()), ..Default::default() };
        assert_eq!(vote.typed(), "vote 3 FOR");
        assert_eq!(Reference { names_room: true, ..vote }.typed(), "@\"the main\" vote 3 FOR");
    }
}
