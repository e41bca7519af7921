//! A rule as a file: a small header between two lines of `---`, then its text.
//!
//! ```text
//! ---
//! number: 6
//! title: REVEALING
//! establishes: revealing
//! ---
//! After [1](#reveal-months) month on the Hill ...
//! ```
//!
//! `number` orders the rules and is what players call the rule by, `title` may be missing. Every other line is a field
//! of the rule, with its values separated by commas. `establishes` names what the rule switches on as a whole, `yields`
//! the figures on which it gives way to any other rule. Games add their own (`power`, `colour`). Fields are read here
//! without their meaning.

use std::collections::BTreeMap;

use super::ops::{RuleAct, RuleOp};
use crate::Id;

/// Most fields of a header; a rule has a handful.
pub const HEADER_MAX_FIELDS: usize = 32;

/// A rule as its file gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSource {
    /// The rule's name in the room, which never changes.
    pub id: Id,
    /// Its number.
    pub number: u32,
    /// Its title; empty where it has none.
    pub title: String,
    /// All other fields of the header.
    pub fields: BTreeMap<String, String>,
    /// Its stored text.
    pub body: String,
}

/// Why a file is no rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{id}, line {line}: {why}")]
pub struct BadHeader {
    /// The rule.
    pub id: Id,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl RuleSource {
    /// Reads a rule's file.
    ///
    /// # Errors
    ///
    /// What is wrong with the header, and where. The text itself is never wrong.
    pub fn parse(id: impl Into<Id>, file: &str) -> Result<Self, BadHeader> {
        let id = id.into();
        let fail = |line: usize, why| BadHeader { id: id.clone(), line, why };
        let file = file.replace("\r\n", "\n");
        let rest = file.strip_prefix("---\n").ok_or_else(|| fail(1, "the header begins with a line of ---"))?;
        let mut fields = BTreeMap::new();
        let mut taken = 0;
        let mut line = 1;
        loop {
            line += 1;
            let text = rest[taken..].split_inclusive('\n').next().ok_or_else(|| fail(line, "the header has no end"))?;
            taken += text.len();
            let text = text.trim_end();
            if text == "---" {
                break;
            }
            let (name, value) = text.split_once(':').ok_or_else(|| fail(line, "a field is written NAME: VALUE"))?;
            if fields.insert(name.trim().to_owned(), value.trim().to_owned()).is_some() {
                return Err(fail(line, "this field is there already"));
            }
            if fields.len() > HEADER_MAX_FIELDS {
                return Err(fail(line, "there are too many fields"));
            }
        }
        let number = fields.remove("number").and_then(|number| number.parse().ok());
        let number = number.ok_or_else(|| fail(1, "the header has no number"))?;
        let title = fields.remove("title").unwrap_or_default();
        let body = rest[taken..].trim_matches('\n').to_owned();
        Ok(Self { id, number, title, fields, body })
    }

    /// The operation that brings the rule into force.
    pub fn enact(self, why: impl Into<String>) -> RuleOp {
        let Self { id, number, title, fields, body } = self;
        RuleOp { rule: id, act: RuleAct::Enact { number, title, fields, source: body }, why: why.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_header_and_a_text() {
        let rule = RuleSource::parse("hill", "---\r\nnumber: 3\ntitle: The Hill: ten\npower: 1/2\n---\n\nTen.\n---\n")
            .unwrap();
        assert_eq!((rule.number, &*rule.title, &*rule.body), (3, "The Hill: ten", "Ten.\n---"));
        assert_eq!(rule.fields.get("power").map(String::as_str), Some("1/2"));
    }

    #[test]
    fn a_bad_header_says_where() {
        for (file, line) in
            [("x", 1), ("---\n", 2), ("---\ntitle\n---\n", 2), ("---\na: 1\na: 2\n---\n", 3), ("---\n---\n", 1)]
        {
            assert_eq!(RuleSource::parse("x", file).unwrap_err().line, line, "{file}");
        }
    }
}
