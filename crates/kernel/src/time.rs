//! Time as games count it: days, weeks and months of UTC or of a room's zone.
//!
//! Every function is handed the instant that it counts from; none reads a clock.

pub mod coming;

use jiff::{Span, ToSpan, Unit, Zoned, civil::Weekday, tz::TimeZone};

use super::Instant;

/// A day for people: `2026-11-02`, in UTC.
pub fn day(at: Instant) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d").to_string()
}

/// An instant as players read it: `2026-11-02 10:00:00 UTC`, seconds left out where they are zero.
pub fn minute(at: Instant) -> String {
    let zoned = at.to_zoned(TimeZone::UTC);
    if zoned.second() == 0 {
        zoned.strftime("%Y-%m-%d %H:%M UTC").to_string()
    } else {
        zoned.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
    }
}

/// Longest text that is read as an instant, in bytes: RFC 3339 with nanoseconds and an offset, and room to spare.
const INSTANT_MAX_BYTES: usize = 64;

/// An instant from what a player writes: a date, a date and a time of day, or RFC 3339. UTC where nothing else is said.
pub fn read_instant(text: &str) -> Option<Instant> {
    let text = text.trim();
    let text = text.strip_suffix("UTC").or_else(|| text.strip_suffix("utc")).map_or(text, str::trim_end);
    if text.len() > INSTANT_MAX_BYTES {
        return None;
    }
    if let Ok(at) = text.parse::<Instant>() {
        return Some(at);
    }
    if text.contains(['[', 'z', 'Z']) || text.matches('+').count() > 0 {
        return None;
    }
    let local: jiff::civil::DateTime = text.parse().ok()?;
    local.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// Monday 00:00 UTC of the week that an instant lies in.
pub fn week_start(at: Instant) -> Instant {
    let zoned = at.to_zoned(TimeZone::UTC);
    let days = i64::from(zoned.weekday().since(Weekday::Monday));
    let midnight = zoned.start_of_day().unwrap_or(zoned);
    later(&midnight, (-days).days())
}

/// The first Monday 00:00 UTC after an instant.
pub fn next_week(at: Instant) -> Instant {
    later(&week_start(at).to_zoned(TimeZone::UTC), 1.week())
}

/// The same day and time so many months later. Where that day does not exist, it is the first day of the month after,
/// at the same time. 31 January gives 1 March.
pub fn months_after(at: Instant, months: i64) -> Instant {
    let zoned = at.to_zoned(TimeZone::UTC);
    let clipped = zoned.checked_add(months.clamp(-10_000, 10_000).months()).unwrap_or_else(|_| zoned.clone());
    if clipped.day() == zoned.day() { clipped.timestamp() } else { later(&clipped, 1.day()) }
}

/// So many seconds later, or the last instant that there is.
pub fn seconds_after(at: Instant, seconds: i64) -> Instant {
    at.checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap_or(Instant::MAX)
}

/// So many days of 24 hours later.
pub fn days_after(at: Instant, days: i64) -> Instant {
    seconds_after(at, days.saturating_mul(24 * 60 * 60))
}

/// How long it is from one instant to another, in words for players: `3 d 4 h`, `12 min`.
pub fn between(from: Instant, to: Instant) -> String {
    let seconds = to.as_second().saturating_sub(from.as_second()).max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds % 86_400 / 3600, seconds % 3600 / 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

/// An instant and how far it is, where it is still to come: `2026-11-04 10:00 UTC (in 2 d)`.
pub fn ahead(at: Instant, now: Instant) -> String {
    match at > now {
        true => format!("{} (in {})", minute(at), between(now, at)),
        false => minute(at),
    }
}

fn later(at: &Zoned, span: Span) -> Instant {
    at.checked_add(span).map_or(Instant::MAX, |zoned| zoned.timestamp())
}

/// The first midnight after an instant, in a zone.
pub fn next_midnight(at: Instant, zone: &TimeZone) -> Instant {
    let zoned = at.to_zoned(zone.clone());
    let day = zoned.round(jiff::ZonedRound::new().smallest(Unit::Day).mode(jiff::RoundMode::Trunc)).unwrap_or(zoned);
    later(&day, 1.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    #[test]
    fn weeks_begin_on_monday() {
        assert_eq!(week_start(at("2026-11-20T16:31:00Z")), at("2026-11-16T00:00:00Z"));
        assert_eq!(week_start(at("2026-11-16T00:00:00Z")), at("2026-11-16T00:00:00Z"));
        assert_eq!(next_week(at("2026-11-16T00:00:00Z")), at("2026-11-23T00:00:00Z"));
        assert_eq!(next_week(at("2026-11-15T23:59:59Z")), at("2026-11-16T00:00:00Z"));
    }

    #[test]
    fn months_that_lack_a_day_end_on_the_first_of_the_next() {
        assert_eq!(months_after(at("2026-01-31T10:00:00Z"), 1), at("2026-03-01T10:00:00Z"));
        assert_eq!(months_after(at("2026-01-15T10:00:00Z"), 1), at("2026-02-15T10:00:00Z"));
        assert_eq!(months_after(at("2028-01-30T10:00:00Z"), 1), at("2028-03-01T10:00:00Z"));
        assert_eq!(months_after(at("2026-12-31T10:00:00Z"), 2), at("2027-03-01T10:00:00Z"));
    }

    #[test]
    fn midnights_are_those_of_the_zone() {
        let zone = TimeZone::get("America/New_York").unwrap();
        assert_eq!(next_midnight(at("2026-11-01T03:50:00Z"), &zone), at("2026-11-01T04:00:00Z"));
        assert_eq!(next_midnight(at("2026-11-01T04:00:00Z"), &zone), at("2026-11-02T05:00:00Z"));
    }

    #[test]
    fn instants_and_spans_read_well() {
        assert_eq!(minute(at("2026-11-20T16:31:00Z")), "2026-11-20 16:31 UTC");
        assert_eq!(minute(at("2026-11-20T16:31:07Z")), "2026-11-20 16:31:07 UTC");
        assert_eq!(between(at("2026-11-20T16:31:00Z"), at("2026-11-23T20:31:00Z")), "3 d 4 h");
        assert_eq!(between(at("2026-11-20T16:31:00Z"), at("2026-11-20T16:31:09Z")), "9 s");
    }
}
