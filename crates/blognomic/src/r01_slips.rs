//! Slips (N6): what may be mended in a text without a vote, which is its spelling and its punctuation.
//!
//! It goes by letters and knows no words, so that it holds for any of them.

use kernel::rulebook::{Text, source};

/// Most letters of a word that a slip of spelling changes.
const LETTERS_MAX_COUNT: usize = 2;

/// A word with a letter changed has so many letters for each that is changed.
const LETTERS_FOR_EACH_COUNT: usize = 3;

/// The word that was changed beyond spelling, with what it would become; nothing where all that changes is plain.
pub(super) fn beyond_spelling(old: &str, new: &str) -> Option<(String, String)> {
    if letters(old) == letters(new) {
        return None;
    }
    let (old, new) = (words(old), words(new));
    let (head, tail) = common(&old, &new);
    let (old, new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if old.len() != new.len() {
        return Some((old.join(" "), new.join(" ")));
    }
    let changed = old.iter().zip(new).find(|(old, new)| !is_spelling(old, new));
    changed.map(|(old, new)| ((*old).to_owned(), (*new).to_owned()))
}

/// Whether two words may be one, of which one is misspelt: they begin with the same letter, and few others differ.
fn is_spelling(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let longer = old.chars().count().max(new.chars().count());
    let most = LETTERS_MAX_COUNT.min(longer / LETTERS_FOR_EACH_COUNT);
    old == new || old.chars().next() == new.chars().next() && strsim::damerau_levenshtein(&old, &new) <= most
}

/// How many words two texts have in common at their beginnings and, behind that, at their ends.
fn common(old: &[&str], new: &[&str]) -> (usize, usize) {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(old, new)| old == new).count();
    (head, tail)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words that figures, hinges and other marks of a text stand in, each with its key.
pub(super) fn marked(text: &Text) -> Vec<(String, String)> {
    let visible = text.visible();
    let word = |at: &std::ops::Range<usize>| {
        let before = visible[..at.start].rfind(|char: char| !char.is_alphanumeric());
        let from = before.map_or(0, |at| at + visible[at..].chars().next().map_or(0, char::len_utf8));
        let to = visible[at.end..].find(|char: char| !char.is_alphanumeric()).map_or(visible.len(), |end| at.end + end);
        visible[from..to].to_owned()
    };
    text.spans().iter().map(|span| (span.key.to_string(), word(&span.at))).collect()
}

/// What stands in the fences of a text.
pub(super) fn fenced(text: &str) -> Vec<&str> {
    source::fences(text).into_iter().map(|fence| &text[fence.at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N6: spelling, capitals, blanks and punctuation are plain, and no other word is.
    #[test]
    fn n6_a_slip_is_a_matter_of_letters() {
        for (old, new) in [
            ("they recieve it", "they receive it"),
            ("teh Robot", "the Robot"),
            ("shal", "shall"),
            ("fewr than two", "fewer than two"),
            ("has no Power", "has no power"),
            ("a Robot , then", "a Robot, then"),
            ("al lRobots", "all Robots"),
            ("week's", "weeks"),
        ] {
            assert_eq!(beyond_spelling(old, new), None, "{old}: {new}");
        }
        for (old, new) in [
            ("the least of it", "the most of it"),
            ("number is divided by", "number is multiplied by"),
            ("must never vote", "must ever vote"),
            ("all Robots", "any Robots"),
            ("is at hand", "is no hand"),
            ("may not vote", "may vote"),
            ("may vote", "may not vote"),
            ("an active Robot", "an inactive Robot"),
            ("everybody", "everyone"),
        ] {
            assert!(beyond_spelling(old, new).is_some(), "{old}: {new}");
        }
    }

    /// N6: the word of a figure is all of it, what stands outside of its mark included.
    #[test]
    fn n6_the_word_of_a_figure_is_all_of_it() {
        let text = Text::parse("each [Monday](#@virus-days)s, [2](#virus-factor).");
        let words = marked(&text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(words, ["Mondays", "2"]);
    }
}
