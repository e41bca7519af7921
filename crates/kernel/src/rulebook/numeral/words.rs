//! Figures spelled out in English. Ordinals, articles and multiplicatives are no figures by themselves: `first`, `a`
//! and `twice` are too often none. In a place that is bound to a figure some count for what they say.

use std::ops::Range;

use super::{Form, Numeral};
use crate::Num;

/// Every figure that is spelled out, left to right.
pub(super) fn spelled(text: &str) -> Vec<Numeral> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let taken = read(text, &words[at..]);
        if let Some((count, value)) = &taken {
            let range = words[at].start..words[at + count - 1].end;
            found.push(Numeral { at: range, form: Form::Words, value: value.clone() });
        }
        at += taken.map_or(1, |(count, _)| count);
    }
    found
}

/// Runs of ASCII letters that no other letter, digit or underscore touches.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut clean = true;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphanumeric() || c == '_' {
            clean = (clean || start.is_none()) && c.is_ascii_alphabetic();
            start.get_or_insert(at);
        } else if let Some(start) = start.take() {
            if clean {
                found.push(start..at);
            }
            clean = true;
        }
    }
    found
}

/// Whether two words belong to one figure: one blank or one hyphen between them.
fn joined(text: &str, left: &Range<usize>, right: &Range<usize>) -> bool {
    matches!(&text[left.end..right.start], " " | "-" | "\n")
}

/// Reads the figure that begins with the first word: how many words it takes and its value.
fn read(text: &str, words: &[Range<usize>]) -> Option<(usize, Num)> {
    let word = |index: usize| -> Option<String> {
        let range = words.get(index)?;
        let linked = index == 0 || joined(text, &words[index - 1], range);
        linked.then(|| text[range.clone()].to_ascii_lowercase())
    };
    let first = word(0)?;
    let article = |word: Option<String>| word.is_some_and(|word| matches!(word.as_str(), "a" | "an"));
    if first == "half" {
        let of_a_dozen = article(word(1)) && word(2).as_deref() == Some("dozen");
        return if of_a_dozen { Some((3, 6.into())) } else { Some((1, Num::ratio(1, 2)?)) };
    }
    let (mut total, mut group, mut count) = (0_i64, 0_i64, 0);
    // What the word before allows to follow: units after tens, anything after a scale.
    let mut room = 1000;
    // An article before a scale is part of the figure: `a hundred`.
    if article(Some(first)) {
        word(1).filter(|word| SCALES.contains(&word.as_str()))?;
        (group, count) = (1, 1);
    }
    while let Some(next) = word(count) {
        let after_scale = count > 0 && next == "and" && room == 100;
        let next = if after_scale { word(count + 1)? } else { next };
        let step = 1 + usize::from(after_scale);
        if let Some(value) = small(&next) {
            if value >= room || (value == 0 && count > 0) {
                break;
            }
            group += value;
            room = if value >= 20 { 10 } else { 0 };
        } else if next == "hundred" && (0..10).contains(&group) && !after_scale {
            group = group.max(1) * 100;
            room = 100;
        } else if next == "thousand" && total == 0 && group < 1000 && !after_scale {
            total = group.max(1) * 1000;
            (group, room) = (0, 1000);
        } else if next == "dozen" && total == 0 && group < 1000 && !after_scale {
            return Some((count + 1, (group.max(1) * 12).into()));
        } else if let Some(parts) = part(&next, total + group == 1).filter(|_| count > 0 && !after_scale) {
            return Some((count + 1, Num::ratio(total + group, parts)?));
        } else {
            break;
        }
        count += step;
    }
    (count > 0).then(|| (count, (total + group).into()))
}

/// How often a word says that something is, where it is known to say so: `a`, `once`, `doubled`. Anywhere else such a
/// word is no figure.
pub(super) fn times(word: &str) -> Option<i64> {
    Some(match word.to_ascii_lowercase().as_str() {
        "a" | "an" | "single" | "once" => 1,
        "twice" | "double" | "doubled" | "doubles" => 2,
        "thrice" | "triple" | "tripled" | "triples" => 3,
        "quadruple" | "quadrupled" | "quadruples" => 4,
        _ => return None,
    })
}

/// In how many parts a word says that something is divided, where it is known to say so: `half`, `thirds`, `halved`.
pub(super) fn parts(word: &str) -> Option<i64> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "halved" | "halves" => Some(2),
        "quartered" => Some(4),
        _ => part(&word, true).or_else(|| part(&word, false)),
    }
}

/// The word for the part of which so many make a whole, with its article: `half`, `one-third`.
pub(super) fn part_of(parts: i64) -> Option<String> {
    let (word, _) = PARTS.iter().find(|(_, known)| *known == parts)?;
    Some(if parts == 2 { (*word).to_owned() } else { format!("one-{word}") })
}

const LOW: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Parts of a whole, each with how many of them make it.
const PARTS: [(&str, i64); 21] = [
    ("half", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("hundredth", 100),
];

/// Words that say of how many the number before them counts; an article may stand in its place.
const SCALES: [&str; 3] = ["hundred", "thousand", "dozen"];

fn small(word: &str) -> Option<i64> {
    let index = |list: &[&str]| list.iter().position(|known| *known == word).and_then(|at| i64::try_from(at).ok());
    index(&LOW).or_else(|| Some(index(&TENS)? * 10 + 20))
}

/// The denominator that a word names, in the singular or the plural: `twenty-third` is an ordinal, not 20/3.
fn part(word: &str, one: bool) -> Option<i64> {
    let (singular, noun) = match word.strip_suffix('s') {
        Some(stem) => (false, if stem == "halve" { "half" } else { stem }),
        None => (true, word),
    };
    let parts = PARTS.iter().find(|(known, _)| *known == noun).map(|(_, parts)| *parts)?;
    (singular == one).then_some(parts)
}
