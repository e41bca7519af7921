//! Verbs: directives in words of one game alone.

use crate::{Refusal, directives::Setting, draft::Draft, state::Kind};

/// A directive in words of this game alone.
pub struct Verb<G: Kind> {
    /// What it begins with, each of one word or more: `order moves`. The first is listed.
    pub(super) begins: &'static [&'static str],
    pub(super) does: Box<dyn Fn(Said<'_>, &mut Draft<'_, G>) -> Result<Option<String>, Refusal> + Send + Sync>,
}

/// A directive of a game's own as it was written.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    /// Its words.
    pub words: &'a str,
    /// What stands behind the words that it begins with.
    pub rest: &'a str,
    /// The block of text that follows it.
    pub text: Option<&'a str>,
    /// How it is carried out.
    pub setting: &'a Setting<'a>,
}

impl Said<'_> {
    /// What stands behind the words that it begins with, without the full stop or semicolon at the end of a sentence.
    pub fn sentence(&self) -> &str {
        self.rest.trim_end_matches(['.', ';']).trim_end()
    }
}

impl<G: Kind> Verb<G> {
    /// A directive that begins with one of these. What it does may say what came of it.
    pub fn new(
        begins: &'static [&'static str],
        does: impl Fn(Said<'_>, &mut Draft<'_, G>) -> Result<Option<String>, Refusal> + Send + Sync + 'static,
    ) -> Self {
        Self { begins, does: Box::new(does) }
    }

    /// What stands behind the words that this begins with; nothing where it begins otherwise.
    pub(super) fn rest<'t>(&self, words: &'t str) -> Option<&'t str> {
        self.begins.iter().find_map(|begins| behind(words, begins))
    }
}

/// What stands behind the first words of a text, whatever their case; a colon may stand right behind them.
fn behind<'t>(text: &'t str, first: &str) -> Option<&'t str> {
    let mut rest = text;
    for word in first.split(' ') {
        rest = rest.trim_start();
        let head = rest.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
        rest = &rest[head.len()..];
        if rest.starts_with(|letter: char| letter.is_alphanumeric()) {
            return None;
        }
    }
    Some(rest)
}
