//! In which words a figure is written where another stood in words.
//!
//! A rulebook that was brought along says “half the number of Robots”, “once per day”, “it is doubled”. Whoever sets such
//! a figure means the number; what is written must read in its sentence and read back as that number. So a word is
//! replaced by a word of its own sort, and where its sort has none for the new number, nothing is written and it is said
//! which there are. Absent: how words are read (`numeral`), and sentences around the figure, which stay as they are.

use std::ops::Range;

use super::{
    keys::{LiveKey, NumKind, share},
    numeral::{self, Form, cardinal, part_noun},
    units::TIME_UNITS,
};
use crate::kernel::Num;

/// The greatest number that is written in words; beyond it digits are easier to read.
const SPELLED_MAX_COUNT: i64 = 999;
/// Percentages are written as a fraction in words where it has one of these denominators: others no rule would use.
const DENOMINATORS: [i64; 7] = [2, 3, 4, 5, 6, 8, 10];

/// What the rulebooks count besides units of time, in the singular.
const COUNTED: [&str; 14] = [
    "time",
    "round",
    "cycle",
    "cell",
    "point",
    "vote",
    "strike",
    "supporter",
    "objection",
    "player",
    "robot",
    "program",
    "charge",
    "unit",
];

/// What sort of words a figure stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// `ten`.
    Cardinal,
    /// `a`, `single`.
    Article,
    /// `once`, `three times`.
    Times,
    /// `double` the number.
    Multiple,
    /// it is `doubled`.
    Multiplied,
    /// it `doubles`.
    Multiplies,
    /// it is `halved`.
    Divided,
    /// two-`thirds`; the plural or the singular.
    Part(bool),
    /// `half`, `two-thirds`.
    Share,
}

/// The words for two, three and four of a sort that has no more.
const MULTIPLE: [&str; 3] = ["double", "triple", "quadruple"];
const MULTIPLIED: [&str; 3] = ["doubled", "tripled", "quadrupled"];
const MULTIPLIES: [&str; 3] = ["doubles", "triples", "quadruples"];

/// A figure as it is written in the place of another.
///
/// # Errors
///
/// Where the words there have none for it: which they have, as the end of a sentence.
pub(super) fn written(key: &LiveKey, new: &str, old: &str) -> Result<String, String> {
    let Some(sort) = sort(old) else { return Ok(in_digits(key, new, old)) };
    let Ok(value) = key.read(new) else { return Ok(new.to_owned()) };
    let reads = |text: &String| key.read(text).as_ref() == Ok(&value);
    // Whoever typed words of their own chose them, where they stand by themselves.
    let own = numeral::numerals(new, false).is_empty() && matches!(sort, Sort::Cardinal | Sort::Times | Sort::Share);
    let words = if own { Some(new.to_owned()) } else { in_words(key, sort, &value, new, old) };
    match words.filter(reads) {
        Some(words) => Ok(cased(words, old)),
        None => Err(possible(sort, old)),
    }
}

/// What is counted behind a figure, in the number that it has from now on: where one thing became several its noun gets
/// the plural, where several became one the singular. Gives the range of the noun in `after`, which begins where the figure
/// ends, and what stands there then; nothing where the noun is none that is known, or was not in the number of the figure.
pub(super) fn noun(
    key: &LiveKey,
    before: &str,
    (old, new): (&str, &str),
    after: &str,
) -> Option<(Range<usize>, String)> {
    let amount = matches!(key.kind, NumKind::Count | NumKind::Signed | NumKind::Rational);
    // “a 1 week limit”, “once a week”: a noun that another one follows, or that is none of the figure's.
    let article = ["a", "an"].iter().any(|word| before.split_whitespace().next_back() == Some(word));
    if !amount || article || matches!(sort(old), Some(sort) if !matches!(sort, Sort::Cardinal | Sort::Article)) {
        return None;
    }
    let one = |text: &str| key.read(text).ok().map(|value| value == Num::from(1));
    let (was, is) = (one(old)?, one(new)?);
    let rest = after.strip_prefix(' ')?;
    let end = rest.find(|char: char| !char.is_alphabetic()).unwrap_or(rest.len());
    let word = &rest[..end];
    let stem = word.strip_suffix('s').unwrap_or(word);
    let known = TIME_UNITS.iter().chain(&COUNTED).any(|noun| noun.eq_ignore_ascii_case(stem));
    if was == is || !known || was == word.ends_with('s') {
        return None;
    }
    Some((1..1 + end, if is { stem.to_owned() } else { format!("{stem}s") }))
}

/// A figure in digits, where digits stood or share signs: a bare number in the place of `1/3` would read as something else.
/// Words that were typed become digits, so that no figure of a rule hides among its words; whoever wants it there amends
/// the phrase.
fn in_digits(key: &LiveKey, new: &str, old: &str) -> String {
    let digits = digits(key, new);
    let new = digits.as_deref().unwrap_or(new);
    let is_share = matches!(&numeral::numerals(old, true)[..], [only] if share(only));
    let bare = new.bytes().all(|byte| byte.is_ascii_digit());
    match key.kind {
        NumKind::Percent if bare && (is_share || old.ends_with('%')) => format!("{new}%"),
        NumKind::Divisor | NumKind::Denominator if bare && is_share => format!("1/{new}"),
        _ => new.to_owned(),
    }
}

/// The digits for a number that was typed in words; nothing for one that was not.
fn digits(key: &LiveKey, new: &str) -> Option<String> {
    if !numeral::numerals(new, false).is_empty() || !key.kind.is_number() {
        return None;
    }
    let value = key.read(new).ok()?;
    let written = match key.kind {
        NumKind::TimeOfDay | NumKind::Instant | NumKind::List => return None,
        // What remains is written as it reads: two thirds, not one and a half.
        NumKind::Divisor if !value.is_whole() => Num::from(value.as_rational().recip()),
        _ => value.clone(),
    };
    Some(written.to_string()).filter(|written| key.read(written).as_ref() == Ok(&value))
}

fn sort(old: &str) -> Option<Sort> {
    let lower = old.trim().to_lowercase();
    let is = |words: &[&str]| words.contains(&lower.as_str());
    if is(&["a", "an", "single"]) {
        return Some(Sort::Article);
    }
    if is(&["once", "twice", "thrice"]) || (lower.ends_with(" times") && numeral::numerals(&lower, true).len() == 1) {
        return Some(Sort::Times);
    }
    if is(&MULTIPLE) {
        return Some(Sort::Multiple);
    }
    if is(&MULTIPLIED) || lower.starts_with("multiplied by ") {
        return Some(Sort::Multiplied);
    }
    if is(&MULTIPLIES) {
        return Some(Sort::Multiplies);
    }
    if is(&["halved", "quartered"]) || lower.starts_with("divided by ") {
        return Some(Sort::Divided);
    }
    match &numeral::numerals(&lower, true)[..] {
        [only] if only.form == Form::Words && only.value.is_whole() => Some(Sort::Cardinal),
        [only] if only.form == Form::Words => Some(Sort::Share),
        [] if numeral::counted(&lower, true).is_some() => Some(Sort::Part(lower.ends_with('s'))),
        _ => None,
    }
}

fn in_words(key: &LiveKey, sort: Sort, value: &Num, new: &str, old: &str) -> Option<String> {
    let whole = value.to_i64().filter(|_| value.is_whole());
    let spelled =
        |value: i64| cardinal(value).filter(|_| value <= SPELLED_MAX_COUNT).unwrap_or_else(|| value.to_string());
    let of = |words: &[&str; 3]| {
        whole.and_then(|whole| words.get(usize::try_from(whole).ok()?.checked_sub(2)?)).map(|word| (*word).to_owned())
    };
    // What already is a phrase with a number in it only changes its number.
    let same_phrase = |head: &str| old.to_lowercase().starts_with(head);
    match sort {
        Sort::Cardinal => whole.map(spelled),
        Sort::Article => whole.map(|whole| if whole == 1 { old.to_owned() } else { spelled(whole) }),
        Sort::Times => whole.map(|whole| match whole {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            _ => format!("{} times", spelled(whole)),
        }),
        Sort::Multiple => of(&MULTIPLE).or_else(|| whole.map(|whole| format!("{} times", spelled(whole)))),
        Sort::Multiplied if same_phrase("multiplied") => Some(format!("multiplied by {new}")),
        Sort::Multiplied => of(&MULTIPLIED).or_else(|| Some(format!("multiplied by {new}"))),
        Sort::Multiplies => of(&MULTIPLIES),
        Sort::Divided => match whole? {
            2 if !same_phrase("divided") => Some("halved".to_owned()),
            4 if !same_phrase("divided") => Some("quartered".to_owned()),
            whole => Some(format!("divided by {whole}")),
        },
        Sort::Part(plural) => part_noun(whole?, plural),
        Sort::Share => match key.kind {
            NumKind::Percent => fraction(value, 100).or_else(|| Some(format!("{}%", value.to_i64()?))),
            NumKind::Divisor | NumKind::Denominator => match whole {
                Some(2) => Some("half".to_owned()),
                Some(parts) => part_noun(parts, false).map(|part| format!("one-{part}")),
                None => shared(&Num::from(value.as_rational().recip())),
            },
            _ => shared(value),
        },
    }
}

/// So many of a hundred as a fraction in words, where it is a plain one: `three-fifths`.
fn fraction(value: &Num, of: i64) -> Option<String> {
    let share = Num::from(value.as_rational() / Num::from(of).as_rational());
    let below = share.as_rational().denom().to_string().parse::<i64>().ok()?;
    DENOMINATORS.contains(&below).then(|| shared(&share)).flatten()
}

/// A share of a whole in words: `half`, `two-thirds`.
fn shared(value: &Num) -> Option<String> {
    let ratio = value.as_rational();
    let (above, below): (i64, i64) = (ratio.numer().to_string().parse().ok()?, ratio.denom().to_string().parse().ok()?);
    match (above, below) {
        (1, 2) => Some("half".to_owned()),
        _ => Some(format!("{}-{}", cardinal(above)?, part_noun(below, above != 1)?)),
    }
}

/// Words with a capital where the old ones had one.
fn cased(words: String, old: &str) -> String {
    let capital = old.chars().next().is_some_and(char::is_uppercase);
    match words.chars().next() {
        Some(first) if capital => first.to_uppercase().chain(words.chars().skip(1)).collect(),
        _ => words,
    }
}

/// What can be written, as the end of a sentence.
fn possible(sort: Sort, old: &str) -> String {
    let such = match sort {
        Sort::Cardinal | Sort::Article => "a whole number",
        Sort::Times => "once, twice and a whole number of times",
        Sort::Multiple => "double, triple, quadruple and a whole number of times",
        Sort::Multiplied => "doubled, tripled, quadrupled and “multiplied by” a number",
        Sort::Multiplies => "doubles, triples and quadruples",
        Sort::Divided => "halved, quartered and “divided by” a whole number",
        Sort::Part(true) => "halves, thirds, quarters, fifths and so on to twentieths, and hundredths",
        Sort::Part(false) => "a half, third, quarter, fifth and so on to twentieth, and hundredth",
        Sort::Share => "fractions such as half, one-third and three-fifths, to twentieths",
    };
    format!("in the place of “{old}” there are words for {such}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(kind: NumKind) -> LiveKey {
        let (engine_min, engine_max) = (0, 1_000_000);
        LiveKey {
            key: "k",
            kind,
            engine_min,
            engine_max,
            absent: "nothing happens",
            rehearsal: "none",
            meaning: "figure",
        }
    }

    #[test]
    fn words_are_replaced_by_words_of_their_sort_that_read_back() {
        use NumKind::{Count, Denominator, Divisor, Percent, Rational};
        for (kind, old, new, expected) in [
            (Count, "ten", "20", "twenty"),
            (Count, "Twenty-five", "48", "Forty-eight"),
            (Count, "two", "105", "one hundred and five"),
            (Count, "two", "1200", "1200"),
            (Count, "two", "three", "three"),
            (Count, "a", "1", "a"),
            (Count, "a", "2", "two"),
            (Count, "once", "2", "twice"),
            (Count, "once", "4", "four times"),
            (Count, "four times", "1", "once"),
            (Count, "double", "3", "triple"),
            (Count, "double", "5", "five times"),
            (Count, "doubled", "3", "tripled"),
            (Count, "doubled", "7", "multiplied by 7"),
            (Count, "multiplied by 7", "2", "multiplied by 2"),
            (Count, "doubles", "4", "quadruples"),
            (Divisor, "halved", "4", "quartered"),
            (Divisor, "halved", "3", "divided by 3"),
            (Divisor, "divided by 3", "2", "divided by 2"),
            (Divisor, "thirds", "4", "quarters"),
            (Divisor, "thirds", "2", "halves"),
            (Divisor, "thirds", "15", "fifteenths"),
            (Divisor, "third", "5", "fifth"),
            (Denominator, "thirds", "8", "eighths"),
            (Denominator, "half", "3", "one-third"),
            (Divisor, "half", "3", "one-third"),
            (Divisor, "Half", "3/5", "Three-fifths"),
            (Divisor, "half", "two-thirds", "two-thirds"),
            (Divisor, "1/2", "3", "1/3"),
            (Divisor, "two", "3", "three"),
            (Percent, "half", "60", "three-fifths"),
            (Percent, "half", "75", "three-quarters"),
            (Percent, "half", "33", "33%"),
            (Percent, "half", "2/3", "two-thirds"),
            (Percent, "fifty", "60", "sixty"),
            (Percent, "50%", "60", "60%"),
            (Percent, "50", "60", "60"),
            (Rational, "half", "1/4", "one-quarter"),
            (Count, "48", "72", "72"),
            (Count, "48", "seventy-two", "72"),
            (Count, "48", "a hundred", "100"),
            (Count, "1", "twice", "2"),
            (Divisor, "2", "three", "3"),
            (Divisor, "2", "two-thirds", "2/3"),
            (Divisor, "1/2", "thirds", "1/3"),
            (Denominator, "3", "quarters", "4"),
            (Percent, "50", "half", "50"),
            (Percent, "50%", "two-fifths", "40%"),
            (Rational, "7", "one-quarter", "1/4"),
            (Count, "ten", "a hundred", "a hundred"),
            (Count, "ten", "four dozen", "four dozen"),
        ] {
            let key = key(kind);
            assert_eq!(written(&key, new, old).as_deref(), Ok(expected), "{kind:?}: {old} to {new}");
            assert_eq!(key.read(expected), key.read(new), "{kind:?}: {expected}");
        }
    }

    #[test]
    fn what_has_no_word_is_refused_and_it_is_said_what_there_is() {
        use NumKind::{Count, Divisor};
        for (kind, old, new, expected) in [
            (Count, "doubles", "5", "there are words for doubles, triples and quadruples"),
            (Divisor, "thirds", "37", "halves, thirds, quarters, fifths and so on to twentieths"),
            (Divisor, "half", "37", "fractions such as half"),
            (Divisor, "halved", "3/2", "a whole number"),
        ] {
            let said = written(&key(kind), new, old).unwrap_err();
            assert!(said.contains(expected), "{old} to {new}: {said}");
        }
    }
}
