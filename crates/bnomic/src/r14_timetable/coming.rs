//! Something that is to come, as mechanics tell it to the timetable (4E51).
//!
//! It knows no mechanic.

use kernel::Instant;

/// When something comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// At an instant.
    At(Instant),
    /// At the end of the nday that is in progress before so many further changes; 1 is the present one.
    End(u64),
    /// At the start of the nday that begins with so many changes.
    Start(u64),
    /// At the so many-th midnight from now, the next one being the first.
    Midnight(u64),
    /// When the Clock comes to it, which nobody knows.
    Open,
}

/// Something that comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coming {
    /// When.
    pub(crate) time: Time,
    /// What.
    pub(crate) what: String,
}

impl Coming {
    /// Something that comes at a time.
    pub(crate) fn new(time: Time, what: impl Into<String>) -> Self {
        Self { time, what: what.into() }
    }
}
