//! Intervals from one evaluation of moves to the next (S56), as heads of rules declare them and as they are said.
//!
//! An interval is a number of whole seconds, and its words are read whole or not at all. Intervals that are figures of
//! a rule of the seed stand in `kind`.

use kernel::{Num, rulebook::numeral::single};

/// The interval that stands behind the name of a type at the head of its rule, in seconds: `every 2 days and 3 hours`.
///
/// # Errors
///
/// Why there is none, as a clause.
pub(super) fn every(words: &str) -> Result<i64, String> {
    const EVERY: &str = "every ";
    let lower = words.trim().to_lowercase();
    if lower.is_empty() {
        return Err("it says no period, as in “every 2 days”".to_owned());
    }
    read(lower.strip_prefix(EVERY).ok_or_else(|| format!("“{lower}” is no period, as “every 2 days” is"))?.trim())
}

/// The interval that some words are, in seconds.
fn read(words: &str) -> Result<i64, String> {
    /// Centuries, as for other periods.
    const PERIOD_MAX_SECONDS: i64 = 100_000 * 24 * 60 * 60;
    let spans = words.replace(" and ", ",");
    let seconds = spans.split(',').try_fold(Num::from(0), |sum, part| Some(&sum + &in_seconds(part.trim())?));
    let seconds = seconds.ok_or_else(|| {
        format!("“{words}” cannot be read as one period: write weeks, days and hours, as in “2 days and 3 hours”")
    })?;
    let seconds = Num::from(seconds.as_rational().floor()).to_i64().unwrap_or(i64::MAX);
    match seconds {
        1..=PERIOD_MAX_SECONDS => Ok(seconds),
        _ => Err("its period is too short or too long".to_owned()),
    }
}

/// A number of one unit, in seconds.
fn in_seconds(words: &str) -> Option<Num> {
    const WEEK: (&str, i64) = ("week", 7 * 24 * 60 * 60);
    let (number, word) = words.rsplit_once(' ')?;
    let (_, size) =
        UNITS.into_iter().chain([WEEK]).find(|(unit, _)| word.strip_suffix('s').unwrap_or(word) == *unit)?;
    let numeral = single(number).filter(|numeral| numeral.at == (0..number.len()))?;
    Some(Num::from(numeral.value.as_rational() * Num::from(size).as_rational()))
}

/// Units in which an interval is written, with their seconds.
const UNITS: [(&str, i64); 4] = [("day", 24 * 60 * 60), ("hour", 60 * 60), ("minute", 60), ("second", 1)];

/// An interval in words: `2 days and 3 hours`.
pub(in super::super) fn span(seconds: i64) -> String {
    let (mut rest, mut parts) = (seconds, Vec::new());
    for (word, size) in &UNITS {
        let count = rest / size;
        rest %= size;
        if count != 0 {
            parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
        }
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "0 seconds".to_owned(),
    }
}
