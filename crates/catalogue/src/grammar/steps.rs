//! Commands that stand in another command: what is to be done later, or all or none.
//!
//! Such a text is cut into its steps here.

use super::{GrammarError, Kind, Line, MESSAGE_MAX_ACTIONS, Problem, TEXT_END, folded, seen, words::Reader};
use crate::{
    Catalogue,
    clean::without_stop,
    typed::{Typed, missing},
};

/// The word before what must be true, among the commands of a transaction.
const ASSERT: &str = "assert";

/// A step of such a text.
pub(crate) enum Step {
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

/// Reads the steps of a text. Behind an unknown name no more of it is read.
pub(crate) fn steps(catalogue: &Catalogue, text: &str) -> Vec<Step> {
    let seen = seen(catalogue.knows_comments(), text);
    let mut line = Line::new(catalogue, Reader::new(text, &seen), 0);
    let mut out = Vec::new();
    loop {
        line.reader.skip_separators();
        if line.reader.peek().is_none() {
            return out;
        }
        if out.len() as u64 >= u64::from(MESSAGE_MAX_ACTIONS) {
            let error = GrammarError::new(Problem::TooMany { max: MESSAGE_MAX_ACTIONS });
            out.push(Step::Unread { said: "...".to_owned(), error });
            return out;
        }
        // Where no text stands, what ends one means nothing.
        if line.reader.is_line(TEXT_END) {
            let _ = line.reader.skip_command();
            continue;
        }
        out.push(line.step());
        if line.lost {
            return out;
        }
    }
}

/// Why the text of a command may not end where the message does.
pub(crate) fn endless(typed: &Typed) -> GrammarError {
    GrammarError::of(&typed.command, Problem::Endless { mark: TEXT_END })
}

impl Line<'_, '_> {
    fn step(&mut self) -> Step {
        let start = self.reader.at();
        self.prefix();
        let mut ahead = self.reader;
        if ahead.bare().is_some_and(|word| folded(&word) == ASSERT) {
            ahead.skip_space(false);
            let from = ahead.at();
            self.lost = ahead.skip_command().is_err();
            self.reader = ahead;
            let what = without_stop(ahead.seen_since(from).trim()).to_owned();
            return Step::Assert { said: ahead.since(start).trim().to_owned(), what };
        }
        self.reader = self.reader.to(start);
        let read = self.command();
        let said = self.reader.since(start).trim().to_owned();
        match read {
            Ok(typed) => {
                let awaited = typed.awaits_text().map(|param| missing(&typed.command, param));
                let error = awaited.or_else(|| self.is_endless(&typed, start).then(|| endless(&typed)));
                error.map_or_else(|| Step::Act(typed.clone()), |error| Step::Unread { said, error })
            }
            Err(error) => Step::Unread { said, error },
        }
    }

    /// Whether a text of several lines goes on to the end, so that nobody can tell whether others belong to it (B12.1).
    fn is_endless(&self, typed: &Typed, start: usize) -> bool {
        let text = typed.command.rest().filter(|param| param.kind == Kind::Text);
        let taken = text.and_then(|text| typed.args.get(&text.name));
        let said = self.reader.since(start).trim_end();
        taken.is_some_and(|taken| taken.contains([';', '\n']) && said.ends_with(taken.trim_end()))
            && self.reader.peek().is_none()
    }
}
