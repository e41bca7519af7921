//! Command lines that stand in a sentence, between marks that nothing else uses: `⁅vote 3 FOR⁆`.
//!
//! Who shows a document writes them as they are typed where it is read; the marks are gone then.

use std::borrow::Cow;

use super::{Block, Document};

/// What begins and what ends such a line.
pub const MARKS: [char; 2] = ['⁅', '⁆'];

/// A text with its command lines as something says that they are typed.
pub fn typing(text: &str, told: impl Fn(&str) -> String) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(MARKS[0])
        && let Some((line, after)) = behind.split_once(MARKS[1])
    {
        out.push_str(before);
        out.push_str(&told(line));
        rest = after;
    }
    out.push_str(rest);
    out
}

impl Document {
    /// The same with the command lines of its sentences as something says that they are typed. Text whose every character
    /// counts stays as it is.
    #[must_use]
    pub fn typing(&self, told: impl Fn(&str) -> String) -> Cow<'_, Self> {
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
                Block::Para(text) | Block::Said { text, .. } => *text = typing(text, &told),
                Block::List(cells) => cells.iter_mut().for_each(|cell| cell.text = typing(&cell.text, &told)),
                Block::Table { rows, .. } => {
                    rows.iter_mut().flatten().for_each(|cell| cell.text = typing(&cell.text, &told));
                }
                _ => {}
            }
        }
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_told_and_nothing_else() {
        let told = |line: &str| format!("!{line}");
        let said = "“⁅rules⁆” shows them, and “rules” does not. Type: ⁅rule 5⁆";
        assert_eq!(typing(said, told), "“!rules” shows them, and “rules” does not. Type: !rule 5");
        assert_eq!(typing("what is ⁅open", told), "what is ⁅open");
    }
}
