//! Instants in words and in numbers: lengths of time, and the calendar of a zone.

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use kernel::{
    Instant, Num, Value,
    time::{minute, seconds_after},
};

/// The instant after a length of time in words: `2 days`, `12 hours`.
pub(crate) fn instant_after(now: Instant, words: &str) -> Option<Instant> {
    let (count, unit) = words.trim().split_once(' ')?;
    let count: Num = count.parse().ok()?;
    let seconds = match unit.trim_end_matches('s') {
        "second" => 1,
        "minute" => 60,
        "hour" => 3_600,
        "day" | "rday" => 86_400,
        "week" => 604_800,
        _ => return None,
    };
    let seconds = Num::from(count.as_rational() * Num::from(seconds).as_rational()).as_rational().floor();
    Some(seconds_after(now, Num::from(seconds).to_i64().filter(|seconds| (0..=MAX_SECONDS).contains(seconds))?))
}

/// Longest time that something is set ahead, in seconds: ten years.
const MAX_SECONDS: i64 = 10 * 366 * 86_400;

/// What the calendar of a zone tells of an instant: none of it is a unit whose beginning a game waits for.
pub(crate) const FIELDS: [&str; 4] = ["year", "month", "date", "weekday"];
/// When a length of time is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Until {
    /// The instant, as the game's time stands.
    pub(crate) at: Instant,
    /// How the game counts it, where it does so in units of its own: then the instant moves.
    pub(crate) counted: Option<Json>,
}

/// The instant of what nobody knows when it comes.
pub(crate) fn never(now: Instant) -> Instant {
    seconds_after(now, MAX_SECONDS)
}

/// Whether nobody knows when it comes.
pub(crate) fn is_never(at: Instant, now: Instant) -> bool {
    at >= seconds_after(now, MAX_SECONDS / 2)
}

/// The same in words.
pub(crate) const NEVER: &str = "when the game's time comes to that";

/// An instant to come, in words.
pub(crate) fn told(at: Instant, now: Instant) -> String {
    if is_never(at, now) { NEVER.to_owned() } else { format!("at {}", minute(at)) }
}

/// Where an instant stands by now that was another; nothing where it is the same.
pub(crate) fn moved(was: Instant, is: Option<Instant>, now: Instant) -> Option<Instant> {
    match is {
        Some(at) => (at != was).then_some(at),
        None => (!is_never(was, now)).then(|| never(now)),
    }
}

/// An instant in the calendar of a zone: year, month, date, and the day of the week, of which Monday is 1.
pub fn calendar(at: Instant, zone: &TimeZone) -> Vec<(&'static str, Value)> {
    let day = at.to_zoned(zone.clone());
    let numbers: [i64; 4] =
        [day.year().into(), day.month().into(), day.day().into(), day.weekday().to_monday_one_offset().into()];
    FIELDS.into_iter().zip(numbers).map(|(name, is)| (name, Value::Num(is.into()))).collect()
}
