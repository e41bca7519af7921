//! The words of a text as terms are compared: folded, whole, and apart.
//!
//! A text becomes a line in which each word has a blank of its own on both sides: ` game  object `. So a phrase is found
//! by its letters and is made of whole words always. Hyphens, quotes and line breaks part words as blanks do, and a
//! letter is parted from a figure behind it.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_security::skeleton;

use crate::clean::{folded, is_invisible, is_line_break};

/// Stands where a phrase may not go on: at code, at an address, at a place that defines a term.
const BARRIER: char = '\n';

/// What begins an item of a list, a heading, a quotation or a cell of a table.
const LINE_MARKS: [char; 6] = ['*', '-', '+', '#', '>', '|'];

/// Words with where they stand.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Each word between blanks of its own.
    pub(super) line: String,
    /// Where each word begins in the line, its blank included, and where it stands in the text, in bytes.
    places: Vec<(usize, Range<usize>)>,
}

impl Words {
    /// Adds the words of a piece of a text.
    pub(super) fn add(&mut self, text: &str, piece: Range<usize>) {
        let Some(seen) = text.get(piece.clone()) else { return };
        let mut word: Option<usize> = None;
        let mut before = ' ';
        for (at, char) in seen.char_indices().chain([(seen.len(), ' ')]) {
            // A unit and its amount are two words: `m25`.
            let begins = is_of_word(char) && !(char.is_ascii_digit() && before.is_alphabetic());
            match (begins, word) {
                (true, None) => word = Some(at),
                (false, Some(start)) => {
                    self.push(&seen[start..at], piece.start + start..piece.start + at);
                    word = is_of_word(char).then_some(at);
                }
                _ => {}
            }
            before = char;
        }
    }

    fn push(&mut self, word: &str, at: Range<usize>) {
        if word.is_ascii() {
            self.places.push((self.line.len(), at));
            self.line.push(' ');
            self.line.extend(word.chars().map(|char| char.to_ascii_lowercase()));
            self.line.push(' ');
            return;
        }
        // One character may stand for several words: a fraction is two numbers.
        let alike = alike(word);
        let parts = alike.split(|char: char| !char.is_alphanumeric() && !is_combining_mark(char));
        for part in parts.filter(|part| !part.is_empty()) {
            self.places.push((self.line.len(), at.clone()));
            self.line.extend([" ", part, " "]);
        }
    }

    /// Says that no phrase goes on from here.
    pub(super) fn stop(&mut self) {
        self.line.push(BARRIER);
    }

    /// Where a part of the line stands in the text.
    pub(super) fn place(&self, part: &Range<usize>) -> Range<usize> {
        let first = self.places.partition_point(|(start, _)| *start < part.start);
        let next = self.places.partition_point(|(start, _)| *start < part.end);
        match self.places.get(first..next) {
            Some([only]) => only.1.clone(),
            Some([first, .., last]) => first.1.start..last.1.end,
            _ => 0..0,
        }
    }
}

/// A phrase as a line of words.
pub(super) fn line(phrase: &str) -> String {
    let mut words = Words::default();
    words.add(phrase, 0..phrase.len());
    words.line
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || (!char.is_ascii() && (is_combining_mark(char) || is_invisible(char)))
}

/// A word folded. Letters of other scripts that look like those of the alphabet are those, where the whole word looks so.
fn alike(word: &str) -> String {
    let folded = folded(word);
    if folded.is_ascii() {
        return folded;
    }
    let seen: String = folded.chars().map(|char| look_alike(char).unwrap_or(char)).collect();
    if seen.is_ascii() {
        return seen;
    }
    // Capitals look like other letters than small ones. Only in a word of two scripts are they there to deceive.
    if word.contains(|char: char| char.is_ascii_alphabetic()) {
        let visible = word.nfkc().filter(|char| !is_invisible(*char));
        let seen: String = visible.map(|char| look_alike(char).unwrap_or(char)).flat_map(char::to_lowercase).collect();
        if seen.is_ascii() {
            return seen;
        }
    }
    folded
}

/// The letter of the alphabet that another character looks like.
fn look_alike(char: char) -> Option<char> {
    if char.is_ascii() {
        return None;
    }
    let mut bytes = [0; 4];
    let mut like = skeleton(char.encode_utf8(&mut bytes));
    let first = like.next().filter(char::is_ascii_alphanumeric)?;
    like.next().is_none().then_some(first)
}

/// Whether a word at a place is written with a capital although no sentence begins there.
pub(super) fn stands_out(text: &str, at: usize) -> bool {
    let is_capital = text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(char::is_uppercase);
    is_capital && !begins_sentence(text, at)
}

/// Whether nothing of its sentence stands before a place.
fn begins_sentence(text: &str, at: usize) -> bool {
    let (mut marked, mut broken) = (false, false);
    for char in text[..at].chars().rev() {
        match char {
            '.' | '!' | '?' | '\u{2026}' => return true,
            _ if char.is_alphanumeric() => return false,
            // An item begins a sentence, and so does what stands below an empty line.
            _ if is_line_break(char) && (marked || broken) => return true,
            _ if is_line_break(char) => broken = true,
            _ if char.is_whitespace() => {}
            _ => {
                marked = LINE_MARKS.contains(&char);
                broken = false;
            }
        }
    }
    true
}

/// The sentence that holds a place of a text, at most so many characters of it.
pub(super) fn sentence(text: &str, at: &Range<usize>, most: usize) -> String {
    let (Some(before), Some(behind)) = (text.get(..at.start), text.get(at.end..)) else { return String::new() };
    let (mut start, mut end) = (at.start, at.end);
    for (place, char) in before.char_indices().rev().take(most) {
        if ends(char, &text[place + char.len_utf8()..]) {
            break;
        }
        start = place;
    }
    for (place, char) in behind.char_indices().take(most) {
        let after = at.end + place + char.len_utf8();
        match (ends(char, &text[after..]), char.is_whitespace()) {
            (true, true) => break,
            (true, false) => {
                end = after;
                break;
            }
            _ => end = after,
        }
    }
    let words: Vec<&str> = text[start..end].split_whitespace().collect();
    words.join(" ").chars().take(most).collect()
}

/// Whether a sentence ends with a character that has this behind it: a stop, or a line after which another begins.
fn ends(char: char, behind: &str) -> bool {
    match char {
        '.' | '!' | '?' => {
            behind.starts_with(char::is_whitespace) && !behind.trim_start().starts_with(char::is_lowercase)
        }
        _ if is_line_break(char) => {
            let next = behind.split(is_line_break).next().unwrap_or_default().trim();
            let item = next.strip_prefix(LINE_MARKS).is_some_and(|rest| rest.starts_with([' ', '#']));
            let number = next.trim_start_matches(|char: char| char.is_ascii_digit());
            next.is_empty() || item || (number.len() < next.len() && number.starts_with(". "))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_whole() {
        for (text, expected) in [
            ("Game-Object’s\nname", " game  object  s  name "),
            ("\u{ff2d}ackerel ma\u{ad}ck", " mackerel  mack "),
            ("Рlауеr и Ημέρα", " player  и  ημέρα "),
            ("½ cafe\u{301}", " 1  2  caf\u{e9} "),
            ("!?", ""),
        ] {
            assert_eq!(line(text), expected, "{text}");
        }
    }

    #[test]
    fn a_capital_stands_out_within_a_sentence_only() {
        for (text, word, expected) in [
            ("The clock is On now", "On", true),
            ("The clock is on now", "on", false),
            ("It stops. On it goes", "On", false),
            ("the Clock\nOn it goes", "On", true),
            ("the clock\n\nOn it goes", "On", false),
            ("the clock:\n* On, that is", "On", false),
            ("(On) it is", "On", false),
            ("it is (On)", "On", true),
        ] {
            assert_eq!(stands_out(text, text.find(word).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn a_sentence_is_cut_out_of_its_paragraph() {
        let text = "First, e.g. this. A mackerel is\na fish! And so on.\n\n* An item\n* Another. Last";
        for (word, expected) in [
            ("this", "First, e.g. this."),
            ("mackerel", "A mackerel is a fish!"),
            ("item", "* An item"),
            ("Last", "Last"),
        ] {
            let at = text.find(word).unwrap();
            assert_eq!(sentence(text, &(at..at + word.len()), 60), expected, "{word}");
        }
        assert_eq!(sentence(&"x ".repeat(1_000), &(500..501), 20).chars().count(), 20);
    }
}
