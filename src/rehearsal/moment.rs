//! Moments as a rehearsal names them: a date, a date with a time, a time of the day, a weekday with a time. All are UTC.

use std::fmt;

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Time, Weekday},
    tz::TimeZone,
};

use catalogue;
use kernel::{Instant, time::minute};

/// Monday 2 November 2026, 10:00 UTC, in seconds since 1970.
const START_SECONDS: i64 = 1_793_613_600;

/// When a rehearsal begins that does not say when.
pub(super) fn start() -> Instant {
    Instant::from_second(START_SECONDS).unwrap_or(Instant::UNIX_EPOCH)
}

/// A moment, some of them as seen from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// `2026-11-02 10:00`.
    Exact(Instant),
    /// `10:00`: the next time that the clock shows this.
    Clock(Time),
    /// `Mon 00:00`: the next such day at that time.
    Day(Weekday, Time),
}

const DAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

impl Moment {
    /// Reads a moment.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(at) = catalogue::instant(text) {
            return Some(Self::Exact(at));
        }
        match text.split_once(' ') {
            Some((day, time)) => Some(Self::Day(weekday(day)?, clock(time)?)),
            None => match weekday(text) {
                Some(day) => Some(Self::Day(day, Time::midnight())),
                None => clock(text).map(Self::Clock),
            },
        }
    }

    /// The instant that it means, seen from another. One without a date lies after that.
    pub(super) fn seen_from(self, now: Instant) -> Instant {
        let (day, time) = match self {
            Self::Exact(at) => return at,
            Self::Clock(time) => (None, time),
            Self::Day(day, time) => (Some(day), time),
        };
        let today = now.to_zoned(TimeZone::UTC).date();
        (0..=7)
            .filter_map(|days| today.checked_add(days.days()).ok())
            .filter(|date| day.is_none_or(|day| date.weekday() == day))
            .filter_map(|date| date.to_datetime(time).to_zoned(TimeZone::UTC).ok())
            .map(|zoned| zoned.timestamp())
            .find(|at| *at > now)
            .unwrap_or(Timestamp::MAX)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(at) => f.write_str(&minute(*at)),
            Self::Clock(time) => write!(f, "{time}"),
            Self::Day(day, time) => write!(f, "{day:?} {time}"),
        }
    }
}

/// A day by its name or the first three letters of it.
fn weekday(text: &str) -> Option<Weekday> {
    let text = text.to_lowercase();
    DAYS.into_iter().find(|(name, _)| *name == text || text == name[..3]).map(|(_, day)| day)
}

/// `10:00` or `23:59:58`.
fn clock(text: &str) -> Option<Time> {
    let text = text.trim();
    text.contains(':').then(|| text.parse().ok()).flatten()
}

/// A length of time: `3 days`, `1 week`, `1 h 30 min`, `2s`.
pub(super) fn length(text: &str) -> Option<SignedDuration> {
    catalogue::duration(text.trim())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_without_a_date_are_the_next_of_their_kind() {
        let now: Instant = "2026-11-04T10:00:00Z".parse().unwrap();
        for (text, at) in [
            ("2026-11-02 10:00", "2026-11-02T10:00:00Z"),
            ("2026-11-09", "2026-11-09T00:00:00Z"),
            ("10:01", "2026-11-04T10:01:00Z"),
            ("10:00", "2026-11-05T10:00:00Z"),
            ("23:59:58", "2026-11-04T23:59:58Z"),
            ("Mon 00:00", "2026-11-09T00:00:00Z"),
            ("wednesday 10:00", "2026-11-11T10:00:00Z"),
            ("Wed 10:00:01", "2026-11-04T10:00:01Z"),
            ("Sunday", "2026-11-08T00:00:00Z"),
        ] {
            let read = Moment::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.seen_from(now), at.parse().unwrap(), "{text}");
        }
        for text in ["", "10", "Mond 00:00", "25:00", "2026-13-01", "soon"] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }

    #[test]
    fn lengths_are_read_in_words() {
        for (text, seconds) in [("3 days", 259_200), ("1 week", 604_800), ("1h 30m", 5400), ("2s", 2)] {
            assert_eq!(length(text), Some(SignedDuration::from_secs(seconds)), "{text}");
        }
        assert_eq!(length("1 month"), None);
    }
}
