//! Binds the figures of a rulebook that comes without markup.
//!
//! A game ships a list (`bindings/<game>.toml`). It says which rule goes by which title, what that rule establishes,
//! and in which phrase each figure stands. A phrase is a few words around `{}`, where the figure is, written in
//! numerals or in words; `#` stands for any digits. Nothing is guessed: a phrase that does not stand exactly once in
//! its rule binds nothing. The figure is then told as unbound, for a moderator to bind by `rule bind`.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use serde::Deserialize;

use super::{
    keys::{Keys, LiveKey, NumKind},
    ops::{RuleAct, RuleOp},
    page::{Page, Section, folded},
    source::Text,
};
use crate::Id;
use crate::Refusal;

/// Longest name that is made of a title, in characters: names stand in paths.
const NAME_MAX_CHARS: usize = 40;

/// What a game knows of rulebooks that it did not write.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bindings {
    /// The rules, by the names that the game's own rulebook gives them.
    #[serde(rename = "rule")]
    pub rules: Vec<Known>,
}

/// A rule as other rulebooks may have it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Its name in the room.
    pub id: Id,
    /// The titles by which it goes.
    pub titles: Vec<String>,
    /// What it establishes, as its header says.
    pub establishes: String,
    /// Titles of sections that hold its source: they are joined to it, in a fence.
    #[serde(default)]
    pub source: Vec<String>,
    /// Where its figures stand: by key, phrases of which the first that fits counts.
    #[serde(default)]
    pub figures: BTreeMap<String, Vec<String>>,
}

/// A rulebook, bound as far as it can be.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The operations that bring its rules into force, in order.
    pub ops: Vec<RuleOp>,
    /// The figures that nothing in it gives, each with why.
    pub unbound: Vec<(&'static LiveKey, String)>,
    /// The rules that it has none of, by what they would establish.
    pub unknown: Vec<String>,
}

impl Bindings {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// Where it is no such list; a test reads all that the program ships.
    pub fn parse(list: &str) -> Result<Self, Refusal> {
        toml::from_str(list)
            .map_err(|why| Refusal::new(format!("the list of bindings cannot be read: {}", why.message())))
    }

    fn of(&self, title: &str) -> Option<&Known> {
        let wanted = folded(title);
        self.rules.iter().find(|known| known.titles.iter().any(|title| folded(title) == wanted))
    }

    /// The rule whose source stands under a title.
    fn source_of(&self, title: &str) -> Option<&Known> {
        let wanted = folded(title);
        self.rules.iter().find(|known| known.source.iter().any(|title| folded(title) == wanted))
    }

    /// Makes rules of a page's sections, numbered in their order, and binds their figures.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] with the line, where two sections are the same rule.
    pub fn bind(&self, page: &Page, keys: &Keys, why: &str) -> Result<Bound, Refusal> {
        let mut drafts: Vec<(Id, &Section, Option<&Known>, String)> = Vec::new();
        for section in &page.sections {
            if let Some(known) = self.source_of(&section.title)
                && let Some((.., body)) = drafts.iter_mut().find(|(id, ..)| *id == known.id)
            {
                *body = format!("{body}\n\n{}", fenced(&section.body));
                continue;
            }
            let known = self.of(&section.title);
            let id = known.map_or_else(|| name(&section.title, |id| self.taken(&drafts, id)), |known| known.id.clone());
            if let Some((_, first, ..)) = drafts.iter().find(|(held, ..)| *held == id) {
                return Err(Refusal::new(format!(
                    "that rulebook cannot be read: line {}: “{}” is the same rule as “{}” in line {}",
                    section.line, section.title, first.title, first.line
                )));
            }
            drafts.push((id, section, known, section.body.clone()));
        }
        let (mut ops, mut bound) = (Vec::new(), BTreeMap::new());
        let mut missed: BTreeMap<&str, String> = BTreeMap::new();
        for (index, (id, section, known, body)) in drafts.iter().enumerate() {
            let plain = Text::parse(body.as_str());
            let mut places: Vec<(Arc<str>, Range<usize>)> =
                plain.spans().iter().map(|span| (span.key.clone(), span.at.clone())).collect();
            let held: Vec<Arc<str>> = places.iter().map(|(key, _)| key.clone()).collect();
            for (key, phrases) in known.iter().flat_map(|known| &known.figures) {
                let Some(declared) = keys.get(key).filter(|_| !held.iter().any(|held| **held == **key)) else {
                    continue;
                };
                match find(plain.visible(), declared, phrases) {
                    Ok(at) => places.push((declared.key.into(), at)),
                    Err(why) => drop(missed.insert(declared.key, format!("{why} “{}”", section.title))),
                }
            }
            let text = Text::marked(plain.visible(), &places);
            for span in text.spans().iter().filter(|span| span.counts) {
                bound.insert(span.key.to_string(), ());
            }
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let fields = known.map(|known| ("establishes".to_owned(), known.establishes.clone())).into_iter().collect();
            let title = section.title.clone();
            let act = RuleAct::Enact { number, title, fields, source: text.source().to_string() };
            ops.push(RuleOp::new(id.clone(), act).because(why));
        }
        let absent = keys.iter().filter(|key| !bound.contains_key(key.key));
        let unbound = absent.map(|key| {
            let why = missed.get(key.key).cloned();
            (key, why.unwrap_or_else(|| "no rule of that sort stands in the file".to_owned()))
        });
        let there = |known: &&Known| drafts.iter().any(|(id, ..)| *id == known.id);
        let unknown = self.rules.iter().filter(|known| !there(known)).map(|known| known.establishes.clone());
        Ok(Bound { unbound: unbound.collect(), unknown: unknown.collect(), ops })
    }

    fn taken(&self, drafts: &[(Id, &Section, Option<&Known>, String)], id: &str) -> bool {
        self.rules.iter().any(|known| *known.id == *id) || drafts.iter().any(|(held, ..)| **held == *id)
    }
}

/// A source as a rule holds it.
pub fn fenced(source: &str) -> String {
    let source = source.trim_matches('\n');
    if source.contains("```") { source.to_owned() } else { format!("```text\n{source}\n```") }
}

/// A name for a rule that the list does not know.
fn name(title: &str, taken: impl Fn(&str) -> bool) -> Id {
    let words: String = title.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let joined = words.split_whitespace().collect::<Vec<_>>().join("-");
    let mut base: String = joined.chars().take(NAME_MAX_CHARS).collect();
    if !base.starts_with(|c: char| c.is_ascii_lowercase()) {
        base.insert_str(0, "rule-");
    }
    let base = base.trim_end_matches('-').to_owned();
    let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or(base).into()
}

/// Where the first phrase that fits puts a figure; else why none does, as the beginning of a clause about the rule.
fn find(text: &str, key: &LiveKey, phrases: &[String]) -> Result<Range<usize>, String> {
    let whole = matches!(key.kind, NumKind::List | NumKind::Instant | NumKind::Name);
    let places = if whole { Vec::new() } else { key.places(text) };
    let mut often = false;
    for phrase in phrases {
        let Some((before, after)) = phrase.split_once("{}") else { continue };
        let mut fits = places.iter().filter(|at| ends(&text[..at.start], before) && begins(&text[at.end..], after));
        match (fits.next(), fits.next()) {
            (Some(at), None) => return Ok(at.clone()),
            (Some(_), Some(_)) => often = true,
            (None, _) => {}
        }
    }
    Err(if often { "a phrase for it stands more than once in" } else { "no phrase for it stands in" }.to_owned())
}

/// Whether a text ends with the words of a phrase, white space folded.
fn ends(text: &str, phrase: &str) -> bool {
    let glued = |text: &str| !text.is_empty() && !text.ends_with(char::is_whitespace);
    let phrase_words: Vec<&str> = phrase.split_whitespace().collect();
    let words: Vec<&str> = text.split_whitespace().rev().take(phrase_words.len()).collect();
    (phrase_words.is_empty() || glued(text) == glued(phrase))
        && words.len() == phrase_words.len()
        && phrase_words.iter().rev().zip(&words).enumerate().all(|(index, (wanted, word))| {
            // Whatever is glued to the outermost word is no part of the phrase.
            let word = if index + 1 == words.len() {
                word.trim_start_matches(|c: char| !c.is_alphanumeric() && !wanted.starts_with(c))
            } else {
                word
            };
            same(word, wanted)
        })
}

/// Whether a text begins with the words of a phrase, white space folded.
fn begins(text: &str, phrase: &str) -> bool {
    let glued = |text: &str| !text.is_empty() && !text.starts_with(char::is_whitespace);
    let phrase_words: Vec<&str> = phrase.split_whitespace().collect();
    let words: Vec<&str> = text.split_whitespace().take(phrase_words.len()).collect();
    (phrase_words.is_empty() || glued(text) == glued(phrase))
        && words.len() == phrase_words.len()
        && phrase_words.iter().zip(&words).enumerate().all(|(index, (wanted, word))| {
            let word = if index + 1 == words.len() {
                word.trim_end_matches(|c: char| !c.is_alphanumeric() && !wanted.ends_with(c))
            } else {
                word
            };
            same(word, wanted)
        })
}

/// Whether a word is the wanted one, case aside; `#` stands for digits.
fn same(word: &str, wanted: &str) -> bool {
    let Some((before, after)) = wanted.split_once('#') else { return word.to_lowercase() == wanted.to_lowercase() };
    let inner = word.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    inner.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
