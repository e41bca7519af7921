//! Commands that stand in another command: what is to be done later, or all or none.
//!
//! How far such a text goes, where the time ends that stands before it, and which steps it consists of. What a step means
//! is absent.

use super::{Kind, Line, MESSAGE_MAX_ACTIONS, VALUE_MAX_WORDS, words::Reader};
use crate::catalogue::{
    Catalogue,
    clean::{folded, without_stops},
    error::{GrammarError, Problem},
    spec::Param,
    typed::{Typed, missing},
};

/// The word before what must be true, among the commands of a transaction.
const ASSERT: &str = "assert";

/// A step of such a text.
pub(in crate::catalogue) enum Step {
    /// A command.
    Act(Typed),
    /// Something that must be true at this place.
    Assert {
        /// The step as it was sent.
        said: String,
        /// What must be true.
        what: String,
    },
    /// What is neither.
    Unread {
        /// The step as it was sent.
        said: String,
        /// What is wrong with it.
        error: GrammarError,
    },
}

/// Reads the steps of a text.
pub(in crate::catalogue) fn steps(catalogue: &Catalogue, text: &str) -> Vec<Step> {
    let mut line = Line { catalogue, reader: Reader::new(text), files: 0 };
    let mut out = Vec::new();
    loop {
        line.reader.skip_separators();
        if line.reader.peek().is_none() {
            return out;
        }
        let start = line.reader.at();
        let said = |line: &Line<'_, '_>| line.reader.since(start).trim().to_owned();
        if out.len() as u64 >= u64::from(MESSAGE_MAX_ACTIONS) {
            let error = GrammarError::new(Problem::TooMany { max: MESSAGE_MAX_ACTIONS });
            out.push(Step::Unread { said: "...".to_owned(), error });
            return out;
        }
        line.prefix();
        let mut ahead = line.reader;
        if ahead.bare().is_some_and(|word| folded(without_stops(&word)) == ASSERT) {
            let mut from = ahead;
            let _ = from.phrase("that");
            line.reader = from;
            line.reader.skip_command();
            let what = line.reader.since(from.at()).trim().to_owned();
            out.push(Step::Assert { said: said(&line), what });
            continue;
        }
        match line.command() {
            Ok(typed) => out.push(match typed.awaits_text() {
                Some(param) => Step::Unread { said: typed.said.clone(), error: missing(&typed.command, param) },
                None => Step::Act(typed),
            }),
            Err(error) => {
                let ends = super::ends_the_list(catalogue, &error);
                line.reader.skip_command();
                out.push(Step::Unread { said: said(&line), error });
                if ends {
                    return out;
                }
            }
        }
    }
}

impl Line<'_, '_> {
    /// The text of commands in a command: up to the line that ends it, or else up to a line in which a command begins.
    pub(super) fn actions(&mut self, param: &Param) -> Result<String, Problem> {
        debug_assert_eq!(param.kind, Kind::Actions);
        self.reader.skip_separators();
        let first = self.reader;
        loop {
            let end = self.reader;
            self.reader.skip_separators();
            let segment = self.reader.at();
            self.reader.skip_command();
            let so_far = || end.since(first.at()).trim().to_owned();
            if param.is_ended_by(self.reader.since(segment)) {
                return Ok(so_far());
            }
            match (self.reader.peek(), param.until.first()) {
                (None, Some(mark)) => return Err(Problem::NoEnd { mark: mark.clone() }),
                (None, None) => return Ok(self.reader.since(first.at()).trim().to_owned()),
                (Some(';'), _) | (_, Some(_)) => {}
                (Some(_), None) => {
                    let mut below = Line { catalogue: self.catalogue, reader: self.reader, files: 0 };
                    below.reader.skip_separators();
                    if below.reader.peek().is_none() || below.begins_command() {
                        return Ok(self.reader.since(first.at()).trim().to_owned());
                    }
                }
            }
        }
    }

    /// A time: the words up to one that ends in a colon, or up to the name of a command.
    pub(super) fn occasion(&mut self, param: &Param) -> Result<String, Problem> {
        let mut ahead = Line { catalogue: self.catalogue, reader: self.reader, files: 0 };
        let mut words: Vec<String> = Vec::new();
        while words.len() < VALUE_MAX_WORDS {
            let Some(word) = ahead.reader.bare() else { break };
            if let Some(last) = word.strip_suffix([':', '\u{ff1a}']) {
                words.extend((!last.is_empty()).then(|| last.to_owned()));
                self.reader = ahead.reader;
                return Ok(words.join(" "));
            }
            words.push(without_stops(&word).to_owned());
            let here = ahead.reader;
            if ahead.name().is_ok() {
                self.reader = here;
                return Ok(words.join(" "));
            }
            ahead.reader = here;
        }
        let why = format!("{} is a time with a colon after it, and then comes what is done", param.name.to_uppercase());
        Err(Problem::IllTyped { param: param.name.clone(), why })
    }
}
