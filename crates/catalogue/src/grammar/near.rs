//! What is said of a word that is no command: which names come near.

use unicode_security::skeleton;

use super::{Line, Problem, sayable};
use crate::kind;

/// Longest first or second word for which a similar name is sought, in characters.
const NAME_TRIED_MAX_CHARS: usize = 40;

impl Line<'_, '_> {
    pub(super) fn unknown(&self, one: &str, two: Option<&str>) -> Problem {
        // Distances cost the product of both lengths, and no name is half as long.
        let clipped = |word: &str| word.chars().take(NAME_TRIED_MAX_CHARS).collect::<String>();
        if self.catalogue.heads().contains_key(one) {
            let seconds = || self.catalogue.under(one).filter_map(|command| command.name.split(' ').nth(1));
            let Some(two) = two.map(clipped).filter(|two| !two.is_empty()) else {
                return Problem::Half { head: one.to_owned(), seconds: seconds().map(str::to_owned).collect() };
            };
            let (nearest, lookalike) = nearest(&two, seconds());
            return Problem::Unknown {
                word: sayable(format!("{one} {two}")),
                nearest: nearest.or_else(|| only(seconds())).map(|near| format!("{one} {near}")),
                lookalike,
            };
        }
        let one = clipped(one);
        let (mut near, mut lookalike) = nearest(&one, self.catalogue.names());
        if let Some(two) = two.map(clipped)
            && near.is_none()
        {
            (near, lookalike) = nearest(&format!("{one} {two}"), self.catalogue.names());
        }
        // What is done in the game, and not what moderators do.
        let is_played = |name: &&str| self.catalogue.get(name).is_some_and(|command| command.acts_in_game());
        let having = self.catalogue.names().filter(|name| name.split(' ').any(|word| word == one));
        let nearest = near.or_else(|| only(having.filter(is_played)));
        Problem::Unknown { word: sayable(one), nearest, lookalike }
    }
}

/// The only name of several, where there is one alone.
fn only<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<String> {
    let first = names.next()?;
    names.next().is_none().then(|| first.to_owned())
}

/// The name that comes nearest to a word, and whether it is told apart by letters that look the same only.
fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> (Option<String>, bool) {
    let bare: String = skeleton(word).collect();
    let names: Vec<&str> = names.collect();
    let same = names.iter().find(|name| !word.is_ascii() && skeleton(name).eq(bare.chars()));
    match same {
        Some(name) => (Some((*name).to_owned()), true),
        None => (kind::nearest(word, names.into_iter()).map(str::to_owned), false),
    }
}
