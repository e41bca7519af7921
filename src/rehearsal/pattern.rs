//! What an expected text may leave open: `...` for anything, `{?name}` for a word to be remembered.
//!
//! Blanks and line breaks are one blank in both texts, so that the layout of a table does not matter.

use std::collections::BTreeMap;

/// Words remembered under names.
pub(super) type Remembered = BTreeMap<String, String>;

/// A text with open places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
    written: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Gap,
    Word(String),
}

/// Where a pattern was found in a folded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The byte after it.
    pub(super) end: usize,
    /// The words that it remembers.
    pub(super) words: Remembered,
}

impl Pattern {
    /// Reads a pattern.
    pub(super) fn new(text: &str) -> Self {
        let written = fold(text);
        let mut parts = Vec::new();
        let mut rest = written.as_str();
        while !rest.is_empty() {
            let gap = rest.find("...").map(|at| (at, at + 3, None));
            let word = open_word(rest).map(|(at, end, name)| (at, end, Some(name)));
            let Some((at, end, name)) = gap.into_iter().chain(word).min() else {
                parts.push(Part::Text(rest.to_owned()));
                break;
            };
            if at > 0 {
                parts.push(Part::Text(rest[..at].to_owned()));
            }
            parts.push(name.map_or(Part::Gap, |name| Part::Word(name.to_owned())));
            rest = &rest[end..];
        }
        // Blanks beside a gap are part of it.
        for index in 0..parts.len() {
            let after_gap = index > 0 && parts[index - 1] == Part::Gap;
            let before_gap = parts.get(index + 1) == Some(&Part::Gap);
            if let Part::Text(text) = &mut parts[index] {
                let start = if after_gap { text.len() - text.trim_start().len() } else { 0 };
                let end = if before_gap { text.trim_end().len() } else { text.len() };
                *text = text.get(start..end).unwrap_or_default().to_owned();
            }
        }
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Self { parts, written }
    }

    /// The pattern as it was written, in one line.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// Whether it leaves everything open.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| *part == Part::Gap)
    }

    /// The pattern with remembered words put in the place of their names.
    pub(super) fn with(&self, words: &Remembered) -> Self {
        Self::new(&recall(&self.written, words))
    }

    /// Finds it in a folded text, from a byte on.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Found> {
        let mut words = Remembered::new();
        let end = somewhere(&self.parts, text, from, false, &mut words)?;
        Some(Found { end, words })
    }

    /// Whether it is the whole of a folded text.
    pub(super) fn is(&self, text: &str) -> Option<Found> {
        let mut words = Remembered::new();
        let end = here(&self.parts, text, 0, true, &mut words)?;
        Some(Found { end, words })
    }
}

/// A text in one line, with single blanks.
pub(super) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts remembered words in the place of `{name}`.
pub(super) fn recall(text: &str, words: &Remembered) -> String {
    words.iter().fold(text.to_owned(), |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
}

fn open_word(text: &str) -> Option<(usize, usize, &str)> {
    let at = text.find("{?")?;
    let name = text[at + 2..].split('}').next()?;
    let plain = !name.is_empty() && name.chars().all(char::is_alphanumeric) && text[at + 2..].len() > name.len();
    plain.then_some((at, at + 2 + name.len() + 1, name))
}

fn somewhere(parts: &[Part], text: &str, from: usize, whole: bool, words: &mut Remembered) -> Option<usize> {
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]).skip_while(|at| *at < from);
    for start in starts {
        if let Some(Part::Text(first)) = parts.first()
            && !text[start..].starts_with(first.as_str())
        {
            continue;
        }
        if let Some(end) = here(parts, text, start, whole, words) {
            return Some(end);
        }
    }
    None
}

fn here(parts: &[Part], text: &str, at: usize, whole: bool, words: &mut Remembered) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return (!whole || at == text.len()).then_some(at) };
    match part {
        Part::Text(part) => {
            text[at..].starts_with(part.as_str()).then(|| here(rest, text, at + part.len(), whole, words))?
        }
        Part::Gap if rest.is_empty() => Some(if whole { text.len() } else { at }),
        Part::Gap => somewhere(rest, text, at, whole, words),
        Part::Word(name) => {
            let joins = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '/' | '#');
            let word: String = text[at..].chars().take_while(|char| joins(*char)).collect();
            if word.is_empty() {
                return None;
            }
            let end = here(rest, text, at + word.len(), whole, words)?;
            words.insert(name.clone(), word);
            Some(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_anywhere_and_blanks_do_not_matter() {
        let text = fold("rank  program\n1     Alpha   200\n2     Beta    180");
        assert!(Pattern::new("1 Alpha 200").find(&text, 0).is_some());
        assert!(Pattern::new("Alpha ... Beta   180").find(&text, 0).is_some());
        assert_eq!(Pattern::new("Beta ... Alpha").find(&text, 0), None);
        let first = Pattern::new("Alpha").find(&text, 0).unwrap();
        assert_eq!(Pattern::new("rank").find(&text, first.end), None);
        assert!(Pattern::new("...").is_empty());
    }

    #[test]
    fn a_whole_line_is_more_than_a_part_of_it() {
        let line = "- a b c b";
        assert!(Pattern::new("- a b c b").is(line).is_some());
        assert_eq!(Pattern::new("a b").is(line), None);
        assert!(Pattern::new("- a ... b").is(line).is_some(), "the last b counts");
        assert!(Pattern::new("- a ...").is(line).is_some());
        assert!(Pattern::new("... c b").is(line).is_some());
        assert_eq!(Pattern::new("... c").is(line), None);
    }

    #[test]
    fn words_are_remembered_and_put_back() {
        let pattern = Pattern::new("Announced as notice {?n}. Nothing");
        let found = pattern.find("Announced as notice 12. Nothing happens", 0).unwrap();
        assert_eq!(found.words, Remembered::from([("n".to_owned(), "12".to_owned())]));
        assert_eq!(recall("joust do {n} {m}", &found.words), "joust do 12 {m}");
        assert_eq!(Pattern::new("notice {n} {?m}").with(&found.words).written(), "notice 12 {?m}");
        assert_eq!(pattern.find("Announced as notice . Nothing", 0), None);
    }
}
