//! The game terms of a rulebook: which rule defines them, which uses them, and which rules are joined by that (R20 to R27).
//!
//! A rule says in its text what it defines: `[mackerel](#=mackerel)` is the place that explains a meaning. What follows
//! the sign is the meaning, so that synonyms share it: `[macks](#=mackerel)`. Text without marks defines nothing. A word
//! may follow the meaning, or both:
//!
//! - `#=usurp~verb`: “usurped” and “usurping” are forms of it too;
//! - `#=on~exact`: an everyday word, which means it only with a capital that begins no sentence. Phrases need none.
//!
//! Forms of a meaning are those that are marked, with the regular plural and possessive. There is no stemmer: it would
//! join “Ministry” and “minister”. A use is a form anywhere in what people read, outside of the places that define. The
//! longest form has its words to itself, so that “Game Object” uses no “Object”. `[Player](#-term)` excludes a form with
//! its plural and possessive. A form with two meanings is no term (R24).
//!
//! All of it is worked out anew when a rule has changed and somebody asks, which takes milliseconds; `book` keeps it.

mod forms;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use aho_corasick::{AhoCorasick, MatchKind};

use super::source::{Mark, Span, Text, inside};
use crate::Id;
use forms::{Form, Marked, Means, Settled, meaning};
use words::{Words, line, sentence, stands_out};

/// The key of a mark that excludes a word from the terms: `#-term`.
const EXCLUDED: &str = "term";
/// Longest quotation of a rule, in characters.
const QUOTE_MAX_CHARS: usize = 300;

/// The game terms of a rulebook.
#[derive(Debug, Default)]
pub struct Terms {
    settled: Settled,
    /// What looks for all forms at once, in their order.
    search: Option<AhoCorasick>,
    /// The rules, in the order in which they were given.
    rules: Vec<(Id, OfRule)>,
    /// Where each of them stands in the list.
    places: BTreeMap<Id, usize>,
    /// The rules of each term, by their places in the list.
    by_term: Vec<OfTerm>,
}

/// The terms of a rule, by their places in the list, in order.
#[derive(Debug, Default)]
struct OfRule {
    defines: Vec<usize>,
    uses: Vec<usize>,
    /// Forms in it that have more than one meaning.
    unclear: BTreeSet<String>,
    /// Forms that it excludes, as they are written.
    excludes: BTreeSet<String>,
}

/// The rules of a term, by their places in the list, in order.
#[derive(Debug, Default)]
struct OfTerm {
    defining: Vec<usize>,
    using: Vec<usize>,
}

impl Terms {
    /// The terms of some rules, each with its text, in the order of the book.
    pub fn of<'a>(rules: impl IntoIterator<Item = (&'a Id, &'a Text)>) -> Self {
        let rules: Vec<(&Id, &Text, Vec<Range<usize>>)> =
            rules.into_iter().map(|(id, text)| (id, text, text.unread())).collect();
        let mut marked = Marked::default();
        for (_, text, unread) in &rules {
            for span in marks(text, unread, Mark::Term) {
                marked.define(span.name(), text.shown(span));
            }
            for span in marks(text, unread, Mark::Excluded).filter(|span| span.name() == EXCLUDED) {
                marked.exclude(text.shown(span));
            }
        }
        let settled = marked.settle();
        // Two forms begin at one word only where one goes on: the longest is meant.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(settled.forms.iter().map(|(form, _)| form))
            .ok();
        let by_term = settled.names.iter().map(|_| OfTerm::default()).collect();
        let mut terms = Self { settled, search, by_term, ..Self::default() };
        for (id, text, unread) in rules {
            let place = terms.rules.len();
            let of_rule = terms.of_rule(text, &unread);
            of_rule.defines.iter().for_each(|term| terms.by_term[*term].defining.push(place));
            of_rule.uses.iter().for_each(|term| terms.by_term[*term].using.push(place));
            terms.places.insert(id.clone(), place);
            terms.rules.push((id.clone(), of_rule));
        }
        terms
    }

    fn of_rule(&self, text: &Text, unread: &[Range<usize>]) -> OfRule {
        let defines: BTreeSet<usize> = self.defining(text, unread).map(|(term, _)| term).collect();
        let (mut uses, mut unclear) = (BTreeSet::new(), BTreeSet::new());
        let words = read(text, unread);
        for (form, means, _) in self.found(text, &words) {
            match means {
                Means::Term(term) => drop(uses.insert(term)),
                Means::Unclear => drop(unclear.insert(form.trim().replace("  ", " "))),
                Means::Nothing => {}
            }
        }
        // A form with two meanings is told of where it is explained, even if no other word of the rule uses it.
        let shown = marks(text, unread, Mark::Term).map(|span| line(text.shown(span)));
        let is_unclear = |form: &String| self.settled.means(form) == Some(Means::Unclear);
        unclear.extend(shown.filter(is_unclear).map(|form| form.trim().replace("  ", " ")));
        let out = marks(text, unread, Mark::Excluded).filter(|span| span.name() == EXCLUDED);
        let excludes = out.map(|span| text.shown(span).split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        OfRule { defines: defines.into_iter().collect(), uses: uses.into_iter().collect(), unclear, excludes }
    }

    /// The places of a text that define, each with its term.
    fn defining<'a>(
        &'a self,
        text: &'a Text,
        unread: &'a [Range<usize>],
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        let term = |span: &Span| Some((*self.settled.meanings.get(&meaning(span.name()))?, span.at.clone()));
        marks(text, unread, Mark::Term).filter_map(term)
    }

    /// The forms that are found among the words of a text, with what they mean and where they stand.
    fn found<'a>(
        &'a self,
        text: &'a Text,
        words: &'a Words,
    ) -> impl Iterator<Item = (&'a str, Means, Range<usize>)> + 'a {
        let matches = self.search.iter().flat_map(|search| search.find_iter(&words.line));
        matches.filter_map(move |found| {
            let (form, Form { means, exact }) = self.settled.forms.get(found.pattern().as_usize())?;
            let at = words.place(&found.range());
            (!exact || stands_out(text.visible(), at.start)).then_some((form.as_str(), *means, at))
        })
    }

    fn terms_of(&self, rule: &str) -> Option<&OfRule> {
        self.rules.get(*self.places.get(rule)?).map(|(_, terms)| terms)
    }

    fn names(&self, terms: impl IntoIterator<Item = usize>) -> Vec<&str> {
        terms.into_iter().filter_map(|term| self.settled.names.get(term)).map(String::as_str).collect()
    }

    /// Every term, in its first form as it is written, in alphabetical order.
    pub fn all(&self) -> &[String] {
        &self.settled.names
    }

    /// The terms that a rule explains (R25), in alphabetical order.
    pub fn defined_by(&self, rule: &str) -> Vec<&str> {
        self.names(self.terms_of(rule).into_iter().flat_map(|terms| terms.defines.iter().copied()))
    }

    /// The terms that a rule uses outside of the places that define any, in alphabetical order.
    pub fn used_by(&self, rule: &str) -> Vec<&str> {
        self.names(self.terms_of(rule).into_iter().flat_map(|terms| terms.uses.iter().copied()))
    }

    /// The forms in a rule that have more than one meaning and so are no terms (R24), in alphabetical order.
    pub fn unclear_in(&self, rule: &str) -> Vec<&str> {
        self.terms_of(rule).into_iter().flat_map(|terms| &terms.unclear).map(String::as_str).collect()
    }

    /// The forms that a rule excludes from the terms (R27), as they are written, in alphabetical order.
    pub fn excluded_by(&self, rule: &str) -> Vec<&str> {
        self.terms_of(rule).into_iter().flat_map(|terms| &terms.excludes).map(String::as_str).collect()
    }

    /// The terms that join two rules: used in one and defined in the other (R20, R21, R23), in alphabetical order.
    pub fn links(&self, from: &str, to: &str) -> Vec<&str> {
        let (Some(one), Some(other)) = (self.terms_of(from), self.terms_of(to)) else { return Vec::new() };
        if from == to {
            return Vec::new();
        }
        let both = |one: &[usize], other: &[usize]| {
            let shared = one.iter().copied().filter(|term| other.binary_search(term).is_ok());
            shared.collect::<BTreeSet<usize>>()
        };
        self.names(&both(&one.uses, &other.defines) | &both(&one.defines, &other.uses))
    }

    /// The rules that a rule is joined to, in the order of the book, each with the terms that join them: first those that
    /// the fewest rules have.
    pub fn neighbours(&self, from: &str) -> Vec<(&Id, Vec<&str>)> {
        let Some(from) = self.places.get(from) else { return Vec::new() };
        let Some((_, terms)) = self.rules.get(*from) else { return Vec::new() };
        let mut joined: BTreeMap<usize, BTreeSet<(usize, usize)>> = BTreeMap::new();
        let mut join = |terms: &[usize], rules: fn(&OfTerm) -> &[usize]| {
            for (term, of) in terms.iter().filter_map(|term| Some((*term, self.by_term.get(*term)?))) {
                for rule in rules(of).iter().filter(|rule| *rule != from) {
                    joined.entry(*rule).or_default().insert((of.defining.len() + of.using.len(), term));
                }
            }
        };
        join(&terms.uses, |of| &of.defining);
        join(&terms.defines, |of| &of.using);
        let named = |(rule, terms): (usize, BTreeSet<(usize, usize)>)| {
            Some((&self.rules.get(rule)?.0, self.names(terms.into_iter().map(|(_, term)| term))))
        };
        joined.into_iter().filter_map(named).collect()
    }

    /// The term that some words are, in any of its forms and whatever their case; nothing where they are none.
    pub fn term(&self, words: &str) -> Option<&str> {
        match self.settled.means(&line(words))? {
            Means::Term(term) => self.settled.names.get(term).map(String::as_str),
            Means::Unclear | Means::Nothing => None,
        }
    }

    /// All words for the same term as these, in lower case; none where they are no term.
    pub fn alike(&self, words: &str) -> BTreeSet<String> {
        let means = self.settled.means(&line(words)).filter(|means| matches!(means, Means::Term(_)));
        let forms = self.settled.forms.iter().filter(|(_, form)| Some(form.means) == means);
        forms.map(|(form, _)| form.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    /// The sentence of a text that explains a term, else the first that uses it, else the first with these words in it.
    pub fn quote(&self, text: &Text, words: &str) -> Option<String> {
        let (form, unread) = (line(words), text.unread());
        if form.is_empty() {
            return None;
        }
        let read = read(text, &unread);
        let at = match self.settled.means(&form) {
            Some(Means::Term(term)) => {
                let defines = self.defining(text, &unread).find(|(of, _)| *of == term).map(|(_, at)| at);
                let uses = || self.found(text, &read).find(|(_, means, _)| *means == Means::Term(term));
                defines.or_else(|| uses().map(|(.., at)| at))
            }
            _ => None,
        };
        let stand = || read.line.find(&form).map(|start| read.place(&(start..start + form.len())));
        at.or_else(stand).map(|at| sentence(text.visible(), &at, QUOTE_MAX_CHARS))
    }
}

/// The sentence of a text that holds a marked place.
pub fn around(text: &Text, span: &Span) -> String {
    sentence(text.visible(), &span.at, QUOTE_MAX_CHARS)
}

/// The marks of a kind that stand where people read.
fn marks<'a>(text: &'a Text, unread: &'a [Range<usize>], mark: Mark) -> impl Iterator<Item = &'a Span> {
    let wanted = move |span: &&Span| span.mark() == mark && span.counts && !inside(unread, span.at.start);
    text.spans().iter().filter(wanted)
}

/// The words of a text that may be terms. What is commented out is as if it were not there. No phrase goes on across
/// code, an address, or a place that defines.
fn read(text: &Text, unread: &[Range<usize>]) -> Words {
    let spans = marks(text, unread, Mark::Term).map(|span| (&span.at, true));
    let hidden = unread.iter().map(|at| (at, true));
    let mut cuts: Vec<(&Range<usize>, bool)> =
        spans.chain(hidden).chain(text.comments().iter().map(|at| (at, false))).collect();
    cuts.sort_by_key(|(at, _)| at.start);
    let (mut words, mut from) = (Words::default(), 0);
    for (at, stops) in cuts {
        if from < at.start {
            words.add(text.visible(), from..at.start);
        }
        if stops {
            words.stop();
        }
        from = from.max(at.end);
    }
    words.add(text.visible(), from..text.visible().len());
    words
}

#[cfg(test)]
mod tests;
