//! The Glossary (rule 17): which day it is for BlogNomic.
//!
//! A duration is the same everywhere: an hour is an hour, whatever the zone (N120).

use jiff::tz::TimeZone;

use super::game::BlogNomic;
use kernel::{Instant, State};

/// The zone of the BlogNomic weblog.
pub(super) fn zone(state: &State<BlogNomic>) -> TimeZone {
    TimeZone::get(&state.frame.zone).unwrap_or(TimeZone::UTC)
}

/// The date of an instant in the zone of BlogNomic.
pub(super) fn date(state: &State<BlogNomic>, at: Instant) -> String {
    at.to_zoned(zone(state)).date().to_string()
}
