//! The Glossary (rule 17): which day it is, for BlogNomic and for a Robot's weblog.
//!
//! A duration is the same everywhere: an hour is an hour, whatever the zone (N120).

use jiff::tz::TimeZone;

use super::{game::BlogNomic, stats::ZONE};
use kernel::{Id, Instant, State};

/// Words for one thing (N118), and the two names of the office (N95).
pub(super) const ALIKE: &[&[&str]] = &[&["weblog", "blog", "journal"], &["control unit", "empress"]];

/// Seconds in an hour, as a duration (N120).
pub(super) const HOUR_SECONDS: i64 = 60 * 60;

/// The zone of the BlogNomic weblog.
pub(super) fn zone(state: &State<BlogNomic>) -> TimeZone {
    TimeZone::get(&state.frame.zone).unwrap_or(TimeZone::UTC)
}

/// The zone of a Robot's weblog, which is that of BlogNomic where it says none.
pub(super) fn weblog_zone(state: &State<BlogNomic>, robot: &Id) -> TimeZone {
    let own = state.world.get(&ZONE, robot).unwrap_or_default();
    TimeZone::get(&own).unwrap_or_else(|_| zone(state))
}

/// The date of an instant in the zone of BlogNomic.
pub(super) fn date(state: &State<BlogNomic>, at: Instant) -> String {
    at.to_zoned(zone(state)).date().to_string()
}
