//! The forms of game terms: what is marked, what follows from that by the regular endings, and what each form means.
//!
//! A form is a line of words, as `words` makes it. One that is marked goes before one that only follows. One that is
//! excluded means nothing, with what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use super::words::line;

/// Longest term, in characters: what is marked beyond defines nothing.
pub(super) const TERM_MAX_CHARS: usize = 300;
/// Longest forms of a rulebook together, in bytes, without what follows from them: forms beyond are no terms. Ten
/// thousand rules have two or three words each, and all of that is looked for within a few megabytes.
const FORMS_MAX_BYTES: usize = 512 * 1024;

/// Says behind a meaning that the form is a verb: `#=usurp~verb`.
const VERB: &str = "verb";
/// Says behind a meaning that the form is an everyday word: `#=on~exact`.
const EXACT: &str = "exact";

/// What a form means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Means {
    /// One term, by its place in the list of names.
    Term(usize),
    /// More than one thing.
    Unclear,
    /// Nothing: it is excluded.
    Nothing,
}

/// A form that is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) means: Means,
    /// Whether it means that only where it stands out by a capital.
    pub(super) exact: bool,
}

/// What is marked as a form, or follows from that.
#[derive(Clone, Debug, Default)]
struct Given {
    meanings: BTreeSet<String>,
    exact: bool,
    verb: bool,
}

/// The marks of a rulebook.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// Forms by meaning, each folded and as it is written, in the order of the book.
    written: BTreeMap<String, Vec<(String, String)>>,
    forms: BTreeMap<String, Given>,
    excluded: BTreeSet<String>,
    bytes: usize,
}

/// The terms that marks come to.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// What each term is called: its first form as it is written. In alphabetical order.
    pub(super) names: Vec<String>,
    /// Which of them a meaning is.
    pub(super) meanings: BTreeMap<String, usize>,
    /// Every form, folded and in order, with what it means.
    pub(super) forms: Vec<(String, Form)>,
}

impl Settled {
    /// What a form means.
    pub(super) fn means(&self, form: &str) -> Option<Means> {
        let place = self.forms.binary_search_by(|(known, _)| known.as_str().cmp(form)).ok()?;
        self.forms.get(place).map(|(_, form)| form.means)
    }
}

/// The meaning that a mark names, whatever its case.
pub(super) fn meaning(name: &str) -> String {
    name.split('~').next().unwrap_or_default().to_ascii_lowercase()
}

impl Marked {
    /// Takes a place that defines: what its mark says, and the words in it.
    pub(super) fn define(&mut self, name: &str, shown: &str) {
        let Some(form) = self.fitting(shown) else { return };
        let says = |word: &str| name.split('~').skip(1).any(|said| said.eq_ignore_ascii_case(word));
        let given = self.forms.entry(form.clone()).or_default();
        given.meanings.insert(meaning(name));
        // A phrase is no everyday word.
        given.exact |= says(EXACT) && !form.contains("  ");
        given.verb |= says(VERB);
        let written = self.written.entry(meaning(name)).or_default();
        if !written.iter().any(|(known, _)| *known == form) {
            written.push((form, shown.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }

    /// Takes a place that excludes: the words in it.
    pub(super) fn exclude(&mut self, shown: &str) {
        let form = self.fitting(shown);
        self.excluded.extend(form);
    }

    /// The form that some words are, where there is room for it.
    fn fitting(&mut self, shown: &str) -> Option<String> {
        if shown.chars().nth(TERM_MAX_CHARS).is_some() {
            return None;
        }
        let form = line(shown);
        if form.is_empty() || self.forms.contains_key(&form) {
            return Some(form).filter(|form| !form.is_empty());
        }
        self.bytes += form.len();
        (self.bytes <= FORMS_MAX_BYTES).then_some(form)
    }

    /// What all of it comes to.
    pub(super) fn settle(self) -> Settled {
        let Self { written, forms: marked, excluded, .. } = self;
        let out: BTreeSet<String> =
            excluded.iter().flat_map(|form| endings(form, false)).chain(excluded.iter().cloned()).collect();
        let mut all = marked.clone();
        for (form, given) in &marked {
            for ending in endings(form, given.verb).into_iter().filter(|ending| !marked.contains_key(ending)) {
                match all.get_mut(&ending) {
                    Some(known) => {
                        known.meanings.extend(given.meanings.iter().cloned());
                        known.exact &= given.exact;
                    }
                    None => drop(all.insert(ending, given.clone())),
                }
            }
        }
        let only = |form: &String| {
            let given = all.get(form).filter(|given| given.meanings.len() == 1 && !out.contains(form))?;
            given.meanings.first()
        };
        let name = |(meaning, forms): (&String, &Vec<(String, String)>)| {
            let (form, name) = forms.iter().find(|(form, _)| only(form) == Some(meaning))?;
            Some((form.clone(), name.clone(), meaning.clone()))
        };
        let mut named: Vec<(String, String, String)> = written.iter().filter_map(name).collect();
        named.sort();
        let meanings: BTreeMap<String, usize> =
            named.iter().enumerate().map(|(place, (.., meaning))| (meaning.clone(), place)).collect();
        let means = |form: &String, given: &Given| match (out.contains(form), only(form)) {
            (true, _) => Means::Nothing,
            (false, Some(meaning)) => meanings.get(meaning).map_or(Means::Nothing, |term| Means::Term(*term)),
            (false, None) if given.meanings.is_empty() => Means::Nothing,
            (false, None) => Means::Unclear,
        };
        let mut forms: BTreeMap<String, Form> = all
            .iter()
            .map(|(form, given)| (form.clone(), Form { means: means(form, given), exact: given.exact }))
            .collect();
        for form in out {
            forms.insert(form, Form { means: Means::Nothing, exact: false });
        }
        Settled {
            names: named.into_iter().map(|(_, name, _)| name).collect(),
            meanings,
            forms: forms.into_iter().collect(),
        }
    }
}

/// What follows from a form by the regular endings: the plural and the possessive of a noun, which inflects its last
/// word; “-s”, “-ed” and “-ing” of a verb, which inflects its first.
fn endings(form: &str, verb: bool) -> Vec<String> {
    let possessive = format!("{form} s ");
    let words: Vec<&str> = form.split_whitespace().collect();
    let inflected = |at: usize, word: String| {
        let mut words: Vec<&str> = words.clone();
        words[at] = &word;
        line(&words.join(" "))
    };
    match (words.first(), words.last()) {
        (Some(first), _) if verb => {
            let past = if first.ends_with('e') { format!("{first}d") } else { with_y(first, "ied", "ed") };
            let going = match first.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o', 'y'])) {
                Some(stem) => match stem.strip_suffix('i') {
                    Some(stem) => format!("{stem}ying"),
                    None => format!("{stem}ing"),
                },
                None => format!("{first}ing"),
            };
            let mut all = vec![plural(first), past, going];
            if let Some(last) = doubled(first) {
                all.extend([format!("{first}{last}ed"), format!("{first}{last}ing")]);
            }
            all.into_iter().map(|word| inflected(0, word)).collect()
        }
        (_, Some(last)) => vec![inflected(words.len() - 1, plural(last)), possessive],
        _ => Vec::new(),
    }
}

/// A word with an ending, of which another takes the place of a last “y” after a consonant.
fn with_y(word: &str, instead: &str, ending: &str) -> String {
    match word.strip_suffix('y').filter(|stem| !stem.is_empty() && !stem.ends_with(is_vowel)) {
        Some(stem) => format!("{stem}{instead}"),
        None => format!("{word}{ending}"),
    }
}

fn plural(word: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end));
    if hisses { format!("{word}es") } else { with_y(word, "ies", "s") }
}

/// The last letter of a word where it may be doubled before an ending: “ban”, “submit”.
fn doubled(word: &str) -> Option<char> {
    let mut letters = word.chars().rev();
    let (last, vowel, before) = (letters.next()?, letters.next()?, letters.next()?);
    (!is_vowel(last) && !matches!(last, 'w' | 'x' | 'y') && is_vowel(vowel) && !is_vowel(before)).then_some(last)
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_verbs_have_their_regular_endings() {
        for (form, verb, expected) in [
            ("mackerel", false, "mackerels, mackerel s"),
            ("Game Entity", false, "game entities, game entity s"),
            ("day", false, "days, day s"),
            ("wish", false, "wishes, wish s"),
            ("usurp", true, "usurps, usurped, usurping"),
            ("vote", true, "votes, voted, voting"),
            ("ratify", true, "ratifies, ratified, ratifying"),
            ("tie", true, "ties, tied, tying"),
            ("ban now", true, "bans now, baned now, baning now, banned now, banning now"),
        ] {
            let made: Vec<String> =
                endings(&line(form), verb).iter().map(|form| form.trim().replace("  ", " ")).collect();
            assert_eq!(made.join(", "), expected, "{form}");
        }
    }
}
