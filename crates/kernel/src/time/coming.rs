//! Times of UTC as people say them: `tomorrow`, `monday 10:00`, `5 june`, `18:30` (seed 002, B7.8).

use jiff::{ToSpan, civil, tz::TimeZone};

use super::{next_midnight, read_instant};
use crate::{Instant, rulebook::numeral::MONTHS};

/// An instant of UTC after another, from words in small letters, and whether a whole day was named. What names no year, no
/// day or no date comes next. Of a day whose end is meant, the end does. So it may be the one that goes on now.
pub fn coming(words: &str, at: Instant, end: bool) -> Option<(Instant, bool)> {
    let words = words.strip_suffix(" utc").unwrap_or(words);
    if let Some(instant) = read_instant(words) {
        return Some((instant, !words.contains([':', 't'])));
    }
    let now = at.to_zoned(TimeZone::UTC);
    let instant = |date: civil::Date, time: civil::Time| {
        date.to_datetime(time).to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    if words == "24:00" {
        return Some((next_midnight(at, &TimeZone::UTC), false));
    }
    if words == "today" {
        return Some((instant(now.date(), civil::Time::midnight())?, true));
    }
    if matches!(words, "midnight" | "tomorrow") {
        return Some((next_midnight(at, &TimeZone::UTC), words == "tomorrow"));
    }
    let (words, time) = match words.rsplit_once(' ') {
        _ if time_of_day(words).is_some() => ("", time_of_day(words)),
        Some((before, last)) if time_of_day(last).is_some() => (before, time_of_day(last)),
        _ => (words, None),
    };
    let midnight = civil::Time::midnight();
    let first = |dates: &mut dyn Iterator<Item = Option<civil::Date>>| {
        let comes = |instant: &Instant| match time {
            None if end => next_midnight(*instant, &TimeZone::UTC) > at,
            _ => *instant > at,
        };
        dates.flatten().filter_map(|date| instant(date, time.unwrap_or(midnight))).find(comes)
    };
    if words.is_empty() {
        let mut days = (0..=1).map(|days| now.date().checked_add(i64::from(days).days()).ok());
        return Some((first(&mut days)?, false));
    }
    if let Some(weekday) = WEEKDAYS.iter().position(|name| abbreviates(words, name)) {
        let mut days = (0..=7_i64).map(|days| {
            let date = now.date().checked_add(days.days()).ok()?;
            (usize::try_from(date.weekday().to_monday_zero_offset()) == Ok(weekday)).then_some(date)
        });
        return Some((first(&mut days)?, time.is_none()));
    }
    let parts: Vec<&str> = words.split(' ').collect();
    let (one, other, year) = match parts[..] {
        // A month or a year alone begins with its first day, and ends with its last one.
        [month] if MONTHS.iter().any(|name| abbreviates(month, name)) => ("1", month, None),
        [year] if end && year.len() == 4 => ("31", "december", Some(year.parse::<i16>().ok()?)),
        [year] if year.len() == 4 => ("1", "january", Some(year.parse::<i16>().ok()?)),
        [a, b] => (a, b, None),
        [a, b, year] => (a, b, Some(year.parse::<i16>().ok()?)),
        _ => return None,
    };
    let named = |word: &str| MONTHS.iter().position(|name| abbreviates(word, name));
    let (day, month) = match (named(one), named(other)) {
        (None, Some(month)) => (one, month),
        (Some(month), None) => (other, month),
        _ => return None,
    };
    let day: i8 = day.trim_end_matches(|char: char| char.is_alphabetic()).parse().ok()?;
    let month = i8::try_from(month + 1).ok()?;
    match year {
        Some(year) => {
            let date = civil::Date::new(year, month, day).ok()?;
            Some((instant(date, time.unwrap_or(midnight))?, time.is_none()))
        }
        None => {
            let last = end && parts.len() == 1;
            let mut years = (0..=8).map(|years| {
                let date = civil::Date::new(now.year().checked_add(years)?, month, day).ok()?;
                Some(if last { date.last_of_month() } else { date })
            });
            Some((first(&mut years)?, time.is_none()))
        }
    }
}

/// `18:30`.
fn time_of_day(word: &str) -> Option<civil::Time> {
    let (hour, minute) = word.split_once(':')?;
    civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

/// Whether a word is a name or its beginning, of three letters at least.
fn abbreviates(word: &str, name: &str) -> bool {
    word.len() >= 3 && name.starts_with(word.trim_end_matches('.'))
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    /// B7.8: a bare day is its start, and what names no year or day comes next.
    #[test]
    fn b7_8_times_of_utc_are_the_next_of_their_kind() {
        let now = at("2026-11-02T10:00:00Z");
        for (words, expected, day) in [
            ("2026-11-05", "2026-11-05T00:00:00Z", true),
            ("2026-11-05 10:30", "2026-11-05T10:30:00Z", false),
            ("5 june", "2027-06-05T00:00:00Z", true),
            ("june 5 18:00", "2027-06-05T18:00:00Z", false),
            ("5 dec 2026", "2026-12-05T00:00:00Z", true),
            ("29 february", "2028-02-29T00:00:00Z", true),
            ("18:30 utc", "2026-11-02T18:30:00Z", false),
            ("09:00", "2026-11-03T09:00:00Z", false),
            ("monday", "2026-11-09T00:00:00Z", true),
            ("mon 10:30", "2026-11-02T10:30:00Z", false),
            ("tuesday", "2026-11-03T00:00:00Z", true),
            ("midnight", "2026-11-03T00:00:00Z", false),
            ("24:00", "2026-11-03T00:00:00Z", false),
            ("december", "2026-12-01T00:00:00Z", true),
            ("2027", "2027-01-01T00:00:00Z", true),
        ] {
            assert_eq!(coming(words, now, false), Some((at(expected), day)), "{words}");
        }
        for words in ["2 november", "monday", "today", "2 nov 2026"] {
            assert_eq!(coming(words, now, true), Some((at("2026-11-02T00:00:00Z"), true)), "the end of {words}");
        }
        for (words, expected) in
            [("november", "2026-11-30T00:00:00Z"), ("feb", "2027-02-28T00:00:00Z"), ("2026", "2026-12-31T00:00:00Z")]
        {
            assert_eq!(coming(words, now, true), Some((at(expected), true)), "the end of {words}");
        }
        for words in ["soon", "5 juno", "25:00", "31 february", "8", "5 june or so"] {
            assert_eq!(coming(words, now, false), None, "{words}");
        }
    }
}
