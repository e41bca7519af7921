//! What is said of a word that is no command: which names come near.

use std::sync::Arc;

use unicode_security::skeleton;

use super::{Command, Line, NAME_MISSPELT_MIN_BYTES, Problem, courtesies, english::LEAVE, kind, sayable};

/// Longest first or second word for which a similar name is sought, in characters.
const NAME_TRIED_MAX_CHARS: usize = 40;

impl Line<'_, '_> {
    pub(super) fn unknown(&self, one: &str, two: Option<&str>) -> Problem {
        // Distances cost the product of both lengths, and no name is half as long.
        let clipped = |word: &str| word.chars().take(NAME_TRIED_MAX_CHARS).collect::<String>();
        if self.catalogue.heads().contains_key(one) {
            let seconds = self.catalogue.under(one).filter_map(|command| command.name.split(' ').nth(1));
            let Some(two) = two.map(clipped).filter(|two| !two.is_empty()) else {
                return Problem::Half { head: one.to_owned(), seconds: seconds.map(str::to_owned).collect() };
            };
            let (nearest, lookalike) = nearest(&two, seconds);
            return Problem::Unknown {
                word: sayable(format!("{one} {two}")),
                nearest: nearest.map(|near| format!("{one} {near}")),
                lookalike,
            };
        }
        // A sentence is no misspelt command.
        if one == "i" && self.catalogue.takes_letters() {
            let (near, lookalike) = nearest(&two.map(clipped).unwrap_or_default(), self.catalogue.names());
            // “I am glad” is no misspelt “at”.
            let long = near.as_deref().filter(|near| near.len() >= NAME_MISSPELT_MIN_BYTES);
            let texts = long.and_then(|near| self.catalogue.get(near)).and_then(|command| command.rest());
            return match texts {
                Some(_) => Problem::Unknown { word: sayable(one.to_owned()), nearest: near, lookalike },
                None => Problem::Unsaid,
            };
        }
        if let Some(problem) = self.half_said(one, two) {
            return problem;
        }
        let one = clipped(one);
        let (mut near, mut lookalike) = nearest(&one, self.catalogue.names());
        if let Some(two) = two.map(clipped)
            && near.is_none()
        {
            (near, lookalike) = nearest(&format!("{one} {two}"), self.catalogue.names());
        }
        // Nobody is led to give up a seat by a word that means something else: “please”.
        let near = near.filter(|near| lookalike || !courtesies::begins(&one) || near != LEAVE);
        Problem::Unknown { word: sayable(one), nearest: near, lookalike }
    }
}

impl Line<'_, '_> {
    /// What begins like a vote without the word for it, `1: FOR` and `FOR 1`, or with the last word of several commands.
    fn half_said(&self, one: &str, two: Option<&str>) -> Option<Problem> {
        const VOTES: [&str; 4] = ["for", "against", "abstain", "shelve"];
        if !self.catalogue.takes_letters() {
            return None;
        }
        let bare = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned();
        let (first, second) = (&bare(one), &two.map(bare).unwrap_or_default());
        let is_number = |word: &str| word.parse::<u32>().is_ok();
        match (VOTES.contains(&&**first), VOTES.contains(&&**second)) {
            (true, _) if is_number(second) => Some((second, first)),
            (_, true) if is_number(first) => Some((first, second)),
            _ => None,
        }
        .map(|(number, word)| Problem::Vote { instead: format!("vote {number} {}", word.to_uppercase()) })
        .or_else(|| {
            let is = |command: &&Arc<Command>| {
                !command.group.games.is_empty() && command.name.split_once(' ').is_some_and(|(_, last)| last == *first)
            };
            let names: Vec<String> =
                self.catalogue.commands().iter().filter(is).map(|command| command.name.clone()).collect();
            (names.len() > 1).then_some(Problem::Several { word: first.clone(), names })
        })
    }
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
