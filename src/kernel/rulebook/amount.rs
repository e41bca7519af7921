//! How far an amount goes that is written in several numerals, and what it is worth.
//!
//! “6 - 1/403”, “7 1/2 + 1/403” and “6 days and an hour” are one amount each. Whoever amends a figure to one of them means
//! all of it: to play a part would be to play something that no rule says. What is written as one amount and cannot be read
//! as one (`1/2/2`, `32,5`, `2 days or a week`) is taken whole all the same, so that it is told as unusable. Absent: single
//! numerals (`numeral`), what only may be a part of an amount (`doubt`), lists of figures, and products, which no figure
//! of a rule is.

use std::ops::Range;

use num_bigint::BigInt;

use super::{
    numeral::{Form, Numeral, counted, numerals, plain_words},
    source::{Mark, Span, Text},
    units::{time_unit, unit_of},
};
use crate::kernel::Num;

/// How a numeral goes on with the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joint {
    /// `+`, `plus`, `and`; between times a comma, too.
    Plus,
    /// `-`, `minus`, `less`.
    Minus,
    /// One amount, and none that can be read: `/`, `or`, `times`.
    Unread,
}

/// Articles that are worth one before a unit of time that an amount goes on with.
const ARTICLES: [&str; 3] = ["a", "an", "another"];

/// What an article stands behind that goes on with an amount.
const BEFORE_ARTICLES: [&str; 11] = ["and", "or", "plus", "minus", "less", "then", "to", "&", "+", "-", "\u{2212}"];

/// Words and signs between two times of which nobody can say what they make of them.
const BETWEEN_TIMES: [&str; 17] = [
    "and", "or", "to", "then", "plus", "minus", "less", "times", "further", "more", "extra", "–", "—", "--", "×", "x",
    "*",
];

/// Words that make another amount of the numeral right behind them.
const BEFORE_PARTS: [&str; 7] = ["minus", "negative", "twice", "thrice", "double", "triple", "half"];

/// Words behind a numeral that make another amount of it.
const MULTIPLES: [&str; 8] = ["hundred", "thousand", "million", "billion", "dozen", "score", "squared", "cubed"];

/// Signs that make a numeral a part of a formula.
const SIGNS: [char; 9] = ['^', '/', '÷', '×', '·', '*', '+', '-', '\u{2212}'];

/// What is worth something in a text: numerals, in words too, and articles where an amount goes on with them, as in
/// `6 days and an hour` and `6 and a quarter`.
pub(super) fn figures(text: &str) -> Vec<Numeral> {
    let mut found = numerals(text, true);
    let words = plain_words(text);
    let articles = words.windows(2).filter_map(|pair| {
        let [article, next] = pair else { return None };
        let (word, noun) = (&text[article.clone()], &text[next.clone()]);
        let is_near = text[article.end..next.start].chars().all(|char| char == ' ');
        let joins = text[..article.start].split_whitespace().next_back().map(str::to_lowercase);
        let goes_on = joins.is_some_and(|joins| BEFORE_ARTICLES.contains(&&*joins));
        if !is_near || !goes_on || !ARTICLES.contains(&&*word.to_lowercase()) {
            return None;
        }
        if time_unit(noun).is_some() {
            return Some(Numeral { at: article.clone(), form: Form::Words, value: Num::from(1) });
        }
        let parts = counted(noun, true).filter(|_| !noun.ends_with('s') && !noun.ends_with('d'))?;
        let value = Num::from(parts.as_rational().recip());
        Some(Numeral { at: article.start..next.end, form: Form::Words, value })
    });
    let free = |one: &Numeral| found.iter().all(|other| other.at.end <= one.at.start || one.at.end <= other.at.start);
    let articles: Vec<Numeral> = articles.filter(free).collect();
    found.extend(articles);
    found.sort_by_key(|numeral| numeral.at.start);
    found
}

/// What an amount is worth that is written in several numerals and nothing else; of times it is a number of the unit that
/// comes first. `None` where that cannot be read.
pub(super) fn value(text: &str) -> Option<Num> {
    let text = text.trim();
    let all = figures(text);
    let (first, last) = (all.first()?, all.last()?);
    let unit = unit_behind(text, first);
    let end = unit.and(end_of_unit(text, last)).unwrap_or(last.at.end);
    if all.len() < 2 || first.at.start != 0 || end != text.len() {
        return None;
    }
    let worth = |numeral: &Numeral| match unit {
        None => Some(numeral.value.clone()),
        Some(_) => in_seconds(text, numeral),
    };
    let mut sum = worth(first)?;
    for pair in all.windows(2) {
        let [before, numeral] = pair else { return None };
        let part = worth(numeral)?;
        match joint(text, before, numeral)? {
            Joint::Plus => sum = &sum + &part,
            // Of “18 - 20” nobody can say whether it is a range.
            Joint::Minus if part < sum => sum = &sum - &part,
            Joint::Minus | Joint::Unread => return None,
        }
    }
    let size = unit.map_or(Some(1), seconds)?;
    Some(Num::from(sum.as_rational() / BigInt::from(size)))
}

/// A span of time that a text gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasting<'a> {
    /// All that belongs to it, as it is written: `2 days and an hour`.
    pub shown: &'a str,
    /// How many seconds that is; `None` where it cannot be read.
    pub seconds: Option<Num>,
}

/// The spans of time that stand in a text right behind words that `leads` asks for, which gets all that is before them.
pub fn lasting<'a>(text: &'a str, leads: impl Fn(&str) -> bool) -> Vec<Lasting<'a>> {
    let all = figures(text);
    let page = Page { text, numerals: &all };
    let begins = all.iter().filter(|numeral| leads(&text[..numeral.at.start]));
    let found = begins.filter_map(|numeral| {
        let whole = page.whole(&numeral.at, |_| true);
        let place = whole.clone().unwrap_or_else(|| numeral.at.clone());
        let end = if whole.as_ref() == Some(&numeral.at) { end_of_unit(text, numeral)? } else { place.end };
        let shown = text.get(place.start..end)?;
        let single = whole.is_some() && place == numeral.at;
        let seconds = if single {
            in_seconds(text, numeral)
        } else {
            // Its value is a number of the unit that comes first.
            let unit = unit_behind(shown, figures(shown).first()?).and_then(seconds);
            unit.and_then(|unit| Some(Num::from(value(shown)?.as_rational() * BigInt::from(unit))))
        };
        Some(Lasting { shown, seconds })
    });
    found.collect()
}

/// In what a place of a text is counted: the unit within it, else the one behind it.
pub(super) fn unit(text: &str, at: &Range<usize>) -> Option<&'static str> {
    let within = numerals(text.get(at.clone())?, true).first().and_then(|first| {
        let behind = text.get(at.start + first.at.end..at.end)?;
        time_unit(behind)
    });
    within.or_else(|| text.get(at.end..).and_then(unit_of))
}

/// The unit of time that an amount has within it: the first one of `6 days and 12 hours`, as it is written.
pub(super) fn inner_unit(shown: &str) -> Option<&str> {
    let first = numerals(shown, true).into_iter().next()?;
    let behind = shown.get(first.at.end..)?;
    time_unit(behind)?;
    behind.split_whitespace().next().map(|word| word.trim_matches(|char: char| !char.is_alphabetic()))
}

impl Text {
    /// The whole amount of which a marked place holds a part only.
    pub fn beyond(&self, span: &Span) -> Option<&str> {
        let visible: &str = self.visible();
        let found = figures(visible);
        let others: Vec<&Span> =
            self.spans().iter().filter(|other| other.mark() == Mark::Number && other.at != span.at).collect();
        let free = |numeral: &Numeral| {
            !others.iter().any(|other| other.at.start < numeral.at.end && numeral.at.start < other.at.end)
        };
        // A part of one numeral: `[6] + 1/403`, `-[6]`, `[9:00] pm`. Of `2nd` the figure alone is marked.
        let outer = found.iter().find(|numeral| {
            let over = numeral.at.start < span.at.end && span.at.start < numeral.at.end;
            let more = numeral.at.start < span.at.start || span.at.end < numeral.at.end;
            over && more && free(numeral) && !matches!(numeral.form, Form::Ordinal | Form::Reference | Form::Date)
        });
        if let Some(outer) = outer {
            return visible.get(outer.at.start.min(span.at.start)..outer.at.end.max(span.at.end));
        }
        let page = Page { text: visible, numerals: &found };
        if let Some(all) = page.whole(&span.at, free).filter(|all| *all != span.at) {
            return visible.get(all);
        }
        // `minus [6]`, `- [6]`, `[6] squared`.
        let end = word_behind(visible, span.at.end)
            .filter(|word| is_one_of(word, &MULTIPLES))
            .map(|word| end_of(visible, word));
        let lead = visible.get(..span.at.start)?.trim_end_matches(' ');
        let word = lead.rfind(|char: char| !char.is_alphabetic()).map_or(lead, |at| &lead[at..]);
        let word = word.trim_start_matches(|char: char| !char.is_alphabetic());
        let start = match signs(visible, &span.at).0 {
            Some(sign @ ('-' | '\u{2212}')) => Some(lead.len() - sign.len_utf8()),
            _ => is_one_of(word, &BEFORE_PARTS).then(|| lead.len() - word.len()),
        };
        if start.is_none() && end.is_none() {
            return None;
        }
        visible.get(start.unwrap_or(span.at.start)..end.unwrap_or(span.at.end))
    }
}

/// A text with its numerals.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) numerals: &'a [Numeral],
}

impl Page<'_> {
    /// The numerals that a place holds.
    fn held(&self, at: &Range<usize>) -> Option<(usize, usize)> {
        let inside = |numeral: &Numeral| numeral.at.start < at.end && at.start < numeral.at.end;
        let first = self.numerals.iter().position(inside)?;
        Some((first, self.numerals.iter().rposition(inside)?))
    }

    /// Where the amount at a place goes on to, into numerals that are `free`. `None` where it is a part of something that
    /// cannot be read.
    fn whole(&self, at: &Range<usize>, free: impl Fn(&Numeral) -> bool) -> Option<Range<usize>> {
        whole((&Page { text: "", numerals: &[] }, &(0..0)), (self, at), free, |_| true)
    }

    /// How a numeral goes on with the one before it.
    fn joint(&self, index: usize) -> Option<Joint> {
        let before = index.checked_sub(1)?;
        joint(self.text, self.numerals.get(before)?, self.numerals.get(index)?)
    }
}

/// Where the amount at a place goes on to that was at another place of an older text: no further than there, where that
/// went on in the same way already, and not into numerals that are not `free`. `None` where it is a part of something
/// that cannot be read.
pub(super) fn whole(
    (old, was): (&Page<'_>, &Range<usize>),
    (new, at): (&Page<'_>, &Range<usize>),
    free: impl Fn(&Numeral) -> bool,
    was_free: impl Fn(&Numeral) -> bool,
) -> Option<Range<usize>> {
    let Some((mut first, mut last)) = new.held(at) else { return Some(at.clone()) };
    // What went on before the edit did so as it was written, and does still.
    let (left, right) = old.held(was).map_or((false, false), |(first, last)| {
        let went_on = |index: usize, other: Option<usize>| {
            let other = other.and_then(|other| old.numerals.get(other));
            old.joint(index).is_some() && other.is_some_and(&was_free)
        };
        (went_on(first, first.checked_sub(1)), went_on(last + 1, Some(last + 1)))
    });
    let (signs, signed) = (signs(new.text, at), signs(old.text, was));
    let power = signs.0 == Some('^');
    while !left && new.joint(first).is_some() && free(&new.numerals[first - 1]) {
        // The power before a sum is no part of it.
        if self::signs(new.text, &new.numerals[first - 1].at).0 == Some('^') && signs.0 != Some('^') {
            break;
        }
        first -= 1;
    }
    while !right
        && let Some(joined) = new.joint(last + 1)
        && free(&new.numerals[last + 1])
        && !(power && matches!(joined, Joint::Plus | Joint::Minus))
    {
        last += 1;
    }
    let all = extent(new, (first, last), at);
    if all == *at {
        let beside_free = |index: Option<usize>| index.and_then(|index| new.numerals.get(index)).is_none_or(&free);
        let formula = (is_new(signs.0, signed.0) && (beside_free(first.checked_sub(1)) || signed.0.is_some()))
            || (is_new(signs.1, signed.1) && beside_free(Some(last + 1)));
        let timed = new.numerals[last].form == Form::Time;
        let multiple = |text, end| {
            word_behind(text, end).is_some_and(|word| is_one_of(word, &MULTIPLES) || (timed && is_zone(word)))
        };
        let other = multiple(new.text, at.end) && !multiple(old.text, was.end);
        return (!formula && !other).then_some(all);
    }
    // A sum that something is divided by, or that is taken from something, is not the figure.
    let (before, after) = self::signs(new.text, &all);
    let part =
        before.is_some_and(|sign| sign != '+') || after.is_some_and(|sign| !matches!(sign, '+' | '-' | '\u{2212}'));
    (!part).then_some(all)
}

/// The place of an amount that goes from one numeral to another, at least what was found of it: with the unit of a time and
/// the parenthesis that is open.
fn extent(page: &Page<'_>, (first, last): (usize, usize), at: &Range<usize>) -> Range<usize> {
    let (from, to) = (&page.numerals[first], &page.numerals[last]);
    let mut all = at.clone();
    if from.at.start < at.start && from.at.end <= at.start {
        all.start = from.at.start;
    }
    if to.at.start >= at.end {
        all.end = to.at.end;
    }
    if (first..last).any(|index| unit_behind(page.text, &page.numerals[index]).is_some()) {
        all.end = all.end.max(end_of_unit(page.text, to).unwrap_or(to.at.end));
    }
    let shown = page.text.get(all.clone()).unwrap_or_default();
    if shown.contains('(') && !shown.contains(')') {
        all.end += page.text[all.end..].find(')').map_or(0, |at| at + 1);
    }
    all
}

/// Whether a sign beside a figure makes it a part of a formula that it was none of. A dash may be one of prose.
fn is_new(now: Option<char>, was: Option<char>) -> bool {
    match (now, was) {
        (None, _) | (Some('-' | '\u{2212}'), None) => false,
        (now, was) => now != was,
    }
}

/// The word behind a place, without the marks around it.
fn word_behind(text: &str, end: usize) -> Option<&str> {
    let word = text.get(end..)?.split_whitespace().next()?;
    Some(word.trim_matches(|char: char| !char.is_alphanumeric()))
}

/// Where a word ends that is a part of a text.
fn end_of(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize + word.len()
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.contains(&&*word.to_lowercase())
}

/// The abbreviation of a time zone that is not that of the game.
fn is_zone(word: &str) -> bool {
    (2..=5).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_uppercase())
        && !["GMT", "UTC"].contains(&word)
}

/// The signs of a formula right before and right after a place: no bullets of lists, no emphasis, no dashes in prose.
fn signs(text: &str, at: &Range<usize>) -> (Option<char>, Option<char>) {
    let head = text.get(..at.start).unwrap_or_default().trim_end_matches(' ');
    let before = head.chars().next_back().filter(|sign| SIGNS.contains(sign)).filter(|sign| {
        let lead = head.strip_suffix(*sign).unwrap_or_default();
        let spaced = lead.ends_with(' ') && !lead.trim_end_matches(' ').is_empty();
        match sign {
            '*' | '+' | '-' | '\u{2212}' => spaced && !lead.trim_end_matches(' ').ends_with(['\n', ',', '.', ';', ':']),
            _ => true,
        }
    });
    let rest = text.get(at.end..).unwrap_or_default();
    let tail = rest.trim_start_matches(' ');
    let after = tail.chars().next().filter(|sign| SIGNS.contains(sign)).filter(|sign| match sign {
        '*' | '+' | '-' | '\u{2212}' => rest.starts_with(' ') && tail[sign.len_utf8()..].starts_with(' '),
        _ => true,
    });
    (before, after)
}

/// The unit of time behind a numeral: `half an hour` has one, too.
fn unit_behind(text: &str, numeral: &Numeral) -> Option<&'static str> {
    let rest = text.get(numeral.at.end..)?;
    time_unit(article(rest, numeral))
}

/// What follows a numeral without the article of `half an hour`.
fn article<'a>(rest: &'a str, numeral: &Numeral) -> &'a str {
    let rest = rest.trim_start();
    let strip = |word: &str| rest.strip_prefix(word).filter(|rest| rest.starts_with(' '));
    match numeral.form {
        Form::Words if !numeral.value.is_whole() => strip("a").or_else(|| strip("an")).unwrap_or(rest),
        _ => rest,
    }
}

fn end_of_unit(text: &str, numeral: &Numeral) -> Option<usize> {
    unit_behind(text, numeral)?;
    let rest = article(&text[numeral.at.end..], numeral).trim_start_matches(|char: char| !char.is_alphanumeric());
    let word = rest.find(|char: char| !char.is_alphanumeric()).unwrap_or(rest.len());
    Some(text.len() - rest.len() + word)
}

/// So many of the unit behind a numeral, in seconds.
fn in_seconds(text: &str, numeral: &Numeral) -> Option<Num> {
    let size = seconds(unit_behind(text, numeral)?)?;
    Some(Num::from(numeral.value.as_rational() * BigInt::from(size)))
}

/// The seconds of a unit of which each is as long as the other.
fn seconds(unit: &str) -> Option<i64> {
    Some(match unit {
        "second" => 1,
        "minute" => 60,
        "hour" => 60 * 60,
        "day" => 24 * 60 * 60,
        "week" => 7 * 24 * 60 * 60,
        "fortnight" => 14 * 24 * 60 * 60,
        _ => return None,
    })
}

/// How a numeral goes on with the one before it, if they are one amount.
fn joint(text: &str, left: &Numeral, right: &Numeral) -> Option<Joint> {
    let between = text.get(left.at.end..right.at.start)?;
    // The mackerel of `m5 or m6` are no word.
    let between = between.strip_suffix('m').filter(|rest| rest.ends_with(' ')).unwrap_or(between);
    let is_amount = |numeral: &Numeral| {
        matches!(numeral.form, Form::Whole | Form::Decimal | Form::Fraction | Form::Mixed | Form::Percent | Form::Words)
    };
    let words: Vec<String> = between.split_whitespace().map(str::to_lowercase).collect();
    if left.form == Form::Time && right.form == Form::Time {
        return matches!(words.join(" ").as_str(), "and" | "or" | "to" | "-" | "–" | "/" | "&")
            .then_some(Joint::Unread);
    }
    if is_amount(left) && time_unit(article(between, left)).is_some() {
        return times(text, left, right);
    }
    if !is_amount(left) || !is_amount(right) {
        return None;
    }
    let proper = is_proper(right);
    let words = words.iter().map(|word| word.trim_start_matches('%')).collect::<Vec<_>>().join(" ");
    let spaced = between.starts_with(' ') && between.ends_with(' ');
    let lead = text[..left.at.start].trim_end();
    let lead = lead.strip_suffix(" m").unwrap_or(lead).to_lowercase();
    match words.trim() {
        // On a line of its own stands another item of a list.
        "" | "+" | "-" | "\u{2212}" | "*" if between.contains('\n') => None,
        "+" | "plus" => Some(Joint::Plus),
        "and" | "and a" if proper => Some(Joint::Plus),
        "and" if lead.ends_with("between") => Some(Joint::Unread),
        "-" | "\u{2212}" if spaced => Some(Joint::Minus),
        "minus" | "less" => Some(Joint::Minus),
        "" if !between.is_empty() => Some(Joint::Unread),
        // Decimals and thousands of other countries: `32,5`, `1'000`.
        "," | "'" | "’" if !spaced && between.len() == words.len() => Some(Joint::Unread),
        "of" if !left.value.is_whole() => Some(Joint::Unread),
        // “From -1 to 1” has two ends.
        "to" if lead.ends_with("from") => None,
        "/" | "÷" | "*" | "×" | "·" | "x" | "^" | "-" | "–" | "—" | "--" | "\u{2212}" | "±" | "times" | "or" | "to" => {
            Some(Joint::Unread)
        }
        _ => None,
    }
}

/// Whether a numeral is worth more than nothing and less than one.
fn is_proper(numeral: &Numeral) -> bool {
    numeral.value < Num::from(1) && !numeral.value.is_whole() && !numeral.value.is_negative()
}

/// The same where a unit of time stands behind the first.
fn times(text: &str, left: &Numeral, right: &Numeral) -> Option<Joint> {
    let between = text.get(end_of_unit(text, left)?..right.at.start)?.to_lowercase();
    let joins = between.trim();
    let timed = unit_behind(text, right).is_some();
    let rest = text[right.at.end..].trim_start();
    if between.contains('\n') && !joins.starts_with(char::is_alphabetic) {
        return None;
    }
    match joins.trim_start_matches([',', ';']).trim_start() {
        // A comma joins ever smaller units: `2 days, 3 hours`.
        "" if timed && joins == "," => {
            let size = |numeral: &Numeral| unit_behind(text, numeral).and_then(seconds);
            Some(if size(right) < size(left) { Joint::Plus } else { Joint::Unread })
        }
        "" | "and" | "plus" | "+" | "&" if timed => Some(Joint::Plus),
        "minus" | "less" | "-" | "\u{2212}" if timed => Some(Joint::Minus),
        "plus" | "minus" | "less" | "times" | "+" | "×" | "x" | "*" => Some(Joint::Unread),
        // `6 days and a half`, `6 days and 12:30`, `6 days and 12.`
        "and" | "and a" | "or" if is_proper(right) || right.form == Form::Time => Some(Joint::Unread),
        "and" | "or" | "to" | "&" if rest.is_empty() || rest.starts_with(['.', ',', ';', ')']) => Some(Joint::Unread),
        "(" | "(or" => {
            let bare = ["on ", "in ", "for ", "if ", "when ", "at ", ")"].iter().any(|word| rest.starts_with(word));
            let same = timed && in_seconds(text, left) == in_seconds(text, right);
            ((timed || bare) && !same).then_some(Joint::Unread)
        }
        joins => {
            let known = |word: &str| BETWEEN_TIMES.contains(&word);
            let all = joins.trim_start_matches(['(', '-', '/']).split_whitespace().all(known);
            // Of `6 days and 2 or 3 hours` the unit stands behind the last.
            let ranged = || {
                figures(rest).first().is_some_and(|next| {
                    let between = rest[..next.at.start].trim_matches([' ', '-']);
                    (between.is_empty() || known(between)) && unit_behind(rest, next).is_some()
                })
            };
            (all && (timed || ranged())).then_some(Joint::Unread)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_of_several_numerals_is_worth_all_of_them() {
        for (text, expected) in [
            ("6 - 1/403", "5 402/403"),
            ("6 \u{2212} 1/403", "5 402/403"),
            ("7 1/2 + 1/403", "7 405/806"),
            ("6.5 + 1/403", "6 405/806"),
            ("6 + 1/403 + 1/2", "6 405/806"),
            ("6 + 2 1/403", "8 1/403"),
            ("6 plus 2 minus 1", "7"),
            ("six and a half", "6 1/2"),
            ("6 days and 12 hours", "6 1/2"),
            ("12 hours and 6 days", "156"),
            ("2 weeks, 1 day and 12 hours", "2 3/14"),
            ("2 days minus 3 hours", "1 7/8"),
            ("2 days and half a day", "2 1/2"),
            ("1/2/2", ""),
            ("6 + 1/403/5", ""),
            ("18 - 20", ""),
            ("6 or 7", ""),
            ("2 days or 3 days", ""),
            ("2 days, 3 hours", "2 1/8"),
            ("2 days 3 hours", "2 1/8"),
            ("2 hours, 3 days", ""),
            ("6 days and an hour", "6 1/24"),
            ("6 days & 12 hours", "6 1/2"),
            ("6 days and 12 h", "6 1/2"),
            ("6 days and 12hrs", "6 1/2"),
            ("6 and a quarter", "6 1/4"),
            ("1 day or a week", ""),
            ("6 days and then 12 hours", ""),
            ("6 days (and 12 hours)", ""),
            ("6 days and 2 or 3 hours", ""),
            ("6 days and 12:30", ""),
            ("6 days and a quarter", ""),
            ("6 days and 12", ""),
            ("6 days and a month", ""),
            ("32,5", ""),
            ("1'000", ""),
            ("6 — 1/403", ""),
            ("5 or m6", ""),
            ("5 + m6", "11"),
            ("2 days and 1 month", ""),
            ("2 days and a half", ""),
            ("2 days and 3", ""),
            ("2 days and 3 votes", ""),
            ("about 2 + 3", ""),
            ("2 + 3 about", ""),
            ("6", ""),
        ] {
            assert_eq!(value(text).map(|value| value.to_string()).unwrap_or_default(), expected, "{text}");
        }
    }
}
