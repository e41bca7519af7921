//! Reads the kinds whose meaning lies in the text alone: numbers, times, choices, names.
//!
//! Players, rules, programs and other things that only a room can name are read by [`bind`](super::bind()), which asks
//! the room.

use jiff::{SpanRelativeTo, Timestamp, tz::TimeZone};
use serde_json::Value;

use super::{
    clean::{folded, is_line_break, quoted},
    names,
    spec::{Kind, Param},
};
use kernel::{
    Num,
    number::{NUMBER_MAX_BYTES, plain, unmarked},
    rulebook::numeral::numerals,
    time::{coming::coming, read_instant},
};

/// Longest word that is looked at, in characters: more than any name, path or link that a player types by hand.
pub const WORD_MAX_CHARS: usize = 200;

/// Most words that are tried as one value, as in `2 days 3 hours 5 minutes`.
pub(crate) const VALUE_MAX_WORDS: usize = 8;

/// The value of a text in JSON, or why it is none, as a sentence about the parameter. For a kind that needs its room,
/// the text itself is checked and returned.
pub(crate) fn read(param: &Param, text: &str) -> Result<Value, String> {
    let is = format!("{} must be {}", called(param), param.kind.noun());
    match param.kind {
        Kind::Text | Kind::Code | Kind::File | Kind::Actions => {
            let wanted = if text.trim().is_empty() { Err(format!("{} is empty", called(param))) } else { Ok(()) };
            wanted.and_then(|()| length(param, text)).map(|()| text.into())
        }
        Kind::Word
        | Kind::Phrase
        | Kind::Amount
        | Kind::When
        | Kind::Proposal
        | Kind::Player
        | Kind::Rule
        | Kind::Program
        | Kind::Display
        | Kind::Room
        | Kind::Account
        | Kind::Forum => {
            word(param, text)?;
            length(param, text).map(|()| text.into())
        }
        Kind::Name => names::normalise(text).map(Value::from).map_err(|wrong| wrong.to_string()),
        Kind::Quantity => whole(param, text, &is).and_then(|number| bounds(param, &number)),
        Kind::Entry | Kind::Id => {
            let number = whole(param, unmarked(text), &is)?;
            if number.to_i64().is_none_or(|number| number < 1) {
                return Err(format!("{is}, 1 or more"));
            }
            bounds(param, &number)
        }
        Kind::Rational => {
            let text = plain(text);
            let number: Num = text.parse().map_err(|_| match text.len() {
                0..=NUMBER_MAX_BYTES => format!("{is}, like 7, -3, 1/3 or 0.25"),
                _ => format!("{is} of {NUMBER_MAX_BYTES} characters at most"),
            })?;
            bounds(param, &number)?;
            Ok(serde_json::to_value(&number).unwrap_or_default())
        }
        Kind::Pair => pair(text).map(|(x, y)| format!("{x},{y}").into()).ok_or_else(|| format!("{is}, like (1, 2)")),
        Kind::Instant => match instant(text) {
            Some(at) => Ok(at.to_string().into()),
            // When that is only the room knows.
            None if is_coming(text) => Ok(text.into()),
            None => Err(format!("{}, tomorrow or monday 10:00", not_a_time(&is))),
        },
        Kind::Moment => {
            let number = text.trim().trim_start_matches('#');
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                return whole(param, number, &is).and_then(|number| bounds(param, &number));
            }
            instant(text).map(|at| at.to_string().into()).ok_or_else(|| not_a_time(&is))
        }
        Kind::Duration => duration(text).map(Value::from).ok_or_else(|| format!("{is}, like 3 days or 1h 30m")),
        Kind::Bool => match folded(text.trim()).as_str() {
            "yes" | "y" | "true" | "on" => Ok(true.into()),
            "no" | "n" | "false" | "off" => Ok(false.into()),
            _ => Err(is),
        },
        Kind::Choice => choice(param, text),
        Kind::Zone => {
            let zones = jiff::tz::TimeZoneDatabase::bundled();
            let zone = zones.get(text.trim()).ok();
            let name = zone.as_ref().and_then(TimeZone::iana_name);
            name.map(Value::from).ok_or_else(|| format!("{is}, like UTC or Europe/London"))
        }
    }
}

/// Whether words could be an amount: a figure, perhaps with its unit before or behind it, or the name of a number.
pub(crate) fn is_amount(words: &str) -> bool {
    let first = folded(words.split_whitespace().next().unwrap_or_default());
    let digits = first.trim_start_matches(char::is_alphabetic);
    matches!(&*first, "a" | "an")
        || numerals(words, true).first().is_some_and(|number| number.at.start == 0)
        || (first.chars().count() <= digits.chars().count() + 1
            && digits.starts_with(|char: char| char.is_ascii_digit()))
}

/// Two whole numbers, with or without parentheses around them.
fn pair(text: &str) -> Option<(i64, i64)> {
    let text = plain(text);
    let inner = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')')?,
        None => &text,
    };
    let (x, y) = inner.split_once(',').or_else(|| inner.trim().split_once(char::is_whitespace))?;
    let read = |text: &str| text.trim().parse::<Num>().ok()?.to_i64();
    Some((read(x)?, read(y)?))
}

/// A parameter as usage lines write it.
fn called(param: &Param) -> String {
    param.name.to_uppercase()
}

fn not_a_time(is: &str) -> String {
    format!("{is}, in UTC, like 2026-11-02 or 2026-11-02 10:00")
}

fn word(param: &Param, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err(format!("{} is empty", called(param)));
    }
    // A message has its own bound.
    if param.long {
        return Ok(());
    }
    if text.chars().any(is_line_break) {
        return Err(format!("{} goes over the end of a line", called(param)));
    }
    if text.chars().count() > WORD_MAX_CHARS {
        return Err(format!("{} is longer than {WORD_MAX_CHARS} characters", called(param)));
    }
    Ok(())
}

fn length(param: &Param, text: &str) -> Result<(), String> {
    let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    match (param.min, param.max) {
        (Some(min), _) if count < min => Err(format!("{} has {count} characters and needs {min}", called(param))),
        (_, Some(max)) if count > max => Err(format!("{} has {count} characters, {max} at most", called(param))),
        _ => Ok(()),
    }
}

fn whole(param: &Param, text: &str, is: &str) -> Result<Num, String> {
    let number: Num = plain(text).parse().map_err(|_| is.to_owned())?;
    if !number.is_whole() {
        return Err(is.to_owned());
    }
    if number.to_i64().is_none() {
        return Err(format!("{} is larger than the bot can count", called(param)));
    }
    Ok(number)
}

fn bounds(param: &Param, number: &Num) -> Result<Value, String> {
    let outside = match (param.min, param.max) {
        (Some(min), Some(max)) if *number < Num::from(min) || *number > Num::from(max) => {
            Some(format!("between {min} and {max}"))
        }
        (Some(min), None) if *number < Num::from(min) => Some(format!("{min} or more")),
        (None, Some(max)) if *number > Num::from(max) => Some(format!("{max} or less")),
        _ => None,
    };
    match outside {
        Some(range) => Err(format!("{} must be {}, {range}", called(param), param.kind.noun())),
        None => Ok(number.to_i64().map(Value::from).unwrap_or_default()),
    }
}

fn choice(param: &Param, text: &str) -> Result<Value, String> {
    let wanted = folded(text.trim());
    let other = |choice: &String| param.aliases.get(choice).is_some_and(|others| others.contains(&wanted));
    if let Some(choice) = param.choices.iter().find(|choice| folded(choice) == wanted || other(choice)) {
        return Ok(choice.as_str().into());
    }
    let list = one_of(&param.choices);
    match (quoted(text), nearest(&wanted, param.choices.iter().map(String::as_str))) {
        (Some(word), Some(near)) => Err(format!("{word} is not {list}; perhaps “{near}” is meant")),
        (Some(word), None) => Err(format!("{word} is not {list}")),
        (None, _) => Err(format!("{} must be {list}", called(param))),
    }
}

/// The word that comes nearest by slips of typing, if one comes near enough.
pub(crate) fn nearest<'n>(wanted: &str, words: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // The cost is the product of both lengths, and what is far longer than any name comes near none.
    let length = wanted.chars().count();
    if length > NEAREST_MAX_CHARS {
        return None;
    }
    let distances = words.map(|word| (strsim::damerau_levenshtein(wanted, &folded(word)), word));
    let (distance, word) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= (length / SLIP_EVERY_CHARS).max(1)).then_some(word)
}

/// Longest text for which a near word is sought, in characters.
const NEAREST_MAX_CHARS: usize = 64;

/// One slip in so many characters still lets a word be recognised.
const SLIP_EVERY_CHARS: usize = 3;

/// `add, remove or amend`.
pub(crate) fn one_of<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", first.join(", "), last.as_ref())
        }
    }
}

/// A moment from what a player writes, letters and digits of other widths included.
pub fn instant(text: &str) -> Option<Timestamp> {
    read_instant(&plain(text))
}

/// Whether a text names a time that comes, seen from now: `tomorrow`, `monday 10:00`, `18:30`.
pub(crate) fn is_coming(text: &str) -> bool {
    coming_after(text, Timestamp::UNIX_EPOCH).is_some()
}

/// The next time that a text names, after an instant.
pub fn coming_after(text: &str, now: Timestamp) -> Option<Timestamp> {
    coming(&plain(text).to_lowercase(), now, false).map(|(at, _)| at)
}

/// Longest text that is read as a length of time, in bytes: every unit once, written out.
const DURATION_MAX_BYTES: usize = 64;

/// A length of time in hours, minutes and seconds, from `3 days`, `2 weeks and 1 day`, `1h 30m` or `PT5M`; none at all is
/// no length. A day has 24 hours and a week seven days; months and years are no lengths and are not read.
pub fn duration(text: &str) -> Option<String> {
    let text = plain(text).replace(" and ", " ");
    if text.len() > DURATION_MAX_BYTES {
        return None;
    }
    let span: jiff::Span = text.parse().ok()?;
    if span.get_years() != 0 || span.get_months() != 0 {
        return None;
    }
    let exact = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    exact.is_positive().then(|| format!("{exact:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(kind: &str, extra: &str) -> Param {
        toml::from_str(&format!("name = \"it\"\nhelp = \"Say it\"\nkind = \"{kind}\"\n{extra}")).unwrap()
    }

    #[test]
    fn each_kind_reads_what_players_write() {
        for (kind, extra, written, json) in [
            ("word", "", "4E15", "\"4E15\""),
            ("word", "long = true", "one\ntwo", "\"one\\ntwo\""),
            ("name", "", "Ann", "\"Ann\""),
            ("quantity", "", "７", "7"),
            ("quantity", "min = 0", "-0", "0"),
            ("rational", "", "6 1/403", "\"2419/403\""),
            ("rational", "", "1/3", "\"1/3\""),
            ("rational", "", "0.50", "\"1/2\""),
            ("instant", "", "2026-11-02", "\"2026-11-02T00:00:00Z\""),
            ("instant", "", "2026-11-02 10:00", "\"2026-11-02T10:00:00Z\""),
            ("instant", "", "2026-11-02 10:00 UTC", "\"2026-11-02T10:00:00Z\""),
            ("instant", "", "2026-11-02T10:00:01+01:00", "\"2026-11-02T09:00:01Z\""),
            ("duration", "", "3 days", "\"72h\""),
            ("duration", "", "1h 30m", "\"1h 30m\""),
            ("duration", "", "2 weeks and 1 day", "\"360h\""),
            ("duration", "", "PT5M", "\"5m\""),
            ("moment", "", "#12", "12"),
            ("moment", "", "2026-11-02", "\"2026-11-02T00:00:00Z\""),
            ("entry", "", "#12", "12"),
            ("id", "", "3", "3"),
            ("id", "", "(3)", "3"),
            ("bool", "", "Yes", "true"),
            ("choice", "choices = [\"for\", \"against\"]", "FOR", "\"for\""),
            ("zone", "", "europe/london", "\"Europe/London\""),
            ("code", "", ">+[-]\n", "\">+[-]\\n\""),
        ] {
            assert_eq!(
                read(&param(kind, extra), written).map(|value| value.to_string()),
                Ok(json.into()),
                "{kind} {written}"
            );
        }
    }

    #[test]
    fn what_is_no_value_is_refused_with_a_sentence() {
        let mut said = String::new();
        for (kind, extra, written) in [
            ("word", "", " "),
            ("word", "max = 3", "abcd"),
            ("name", "", "Ann\u{430}"),
            ("quantity", "", "7.5"),
            ("quantity", "", "99999999999999999999"),
            ("quantity", "min = 1\nmax = 9", "10"),
            ("quantity", "min = 1", "0"),
            ("rational", "", "1/0"),
            ("instant", "", "some day"),
            ("instant", "", "2026-02-30"),
            ("instant", "", "2026-11-02 25:00"),
            ("duration", "", "1 month"),
            ("duration", "", "-1h"),
            ("duration", "", "0 days"),
            ("moment", "", "last week"),
            ("entry", "", "0"),
            ("bool", "", "perhaps"),
            ("choice", "choices = [\"for\", \"against\", \"abstain\"]", "fro"),
            ("choice", "choices = [\"for\", \"against\", \"abstain\"]", ">+[-]"),
            ("zone", "", "London"),
            ("code", "", "  "),
        ] {
            said.push_str(&read(&param(kind, extra), written).unwrap_err());
            said.push('\n');
        }
        insta::assert_snapshot!(said);
    }
}
