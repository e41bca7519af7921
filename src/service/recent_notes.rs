//! Which notes the moderators were given lately, so that none is repeated and a flood is no flood of notes.
//!
//! It lies in memory: after a restart a note may be made once more.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use jiff::SignedDuration;

use kernel::Instant;
use store::RoomId;

/// How long the same note is not repeated in a room. It is long enough that a network which fails all night fills no
/// journal, short enough that an evening's trouble is told that evening.
pub(super) const NOTE_REPEAT: SignedDuration = SignedDuration::from_hours(1);

/// Most notes of the last hour, over all rooms. Further incidents are only logged: they come from a flood, and the
/// moderators know of it by then.
const NOTES_MAX_COUNT: usize = 1000;

/// What moderators were told of lately.
#[derive(Default)]
pub(super) struct Incidents {
    told: Mutex<BTreeMap<(RoomId, String), Instant>>,
}

impl Incidents {
    /// Whether a note is to be made, which then counts as made.
    pub(super) fn admit(&self, room: RoomId, text: &str, now: Instant) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, at| now.duration_since(*at) < NOTE_REPEAT);
        if told.len() >= NOTES_MAX_COUNT || told.contains_key(&(room, text.to_owned())) {
            return false;
        }
        told.insert((room, text.to_owned()), now);
        true
    }

    /// A note could not be made: it may be tried again.
    pub(super) fn take_back(&self, room: RoomId, text: &str) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).remove(&(room, text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_note_is_made_once_an_hour_in_each_room() {
        let incidents = Incidents::default();
        let start = Instant::UNIX_EPOCH;
        let after = |minutes| start.checked_add(SignedDuration::from_mins(minutes)).unwrap();
        assert!(incidents.admit(RoomId(1), "gone", start));
        assert!(!incidents.admit(RoomId(1), "gone", after(59)));
        assert!(incidents.admit(RoomId(2), "gone", after(59)));
        assert!(incidents.admit(RoomId(1), "gone too", after(59)));
        assert!(incidents.admit(RoomId(1), "gone", after(60)));
        assert!(!incidents.admit(RoomId(1), "gone", after(119)));
        incidents.take_back(RoomId(1), "gone");
        assert!(incidents.admit(RoomId(1), "gone", after(119)));
    }

    #[test]
    fn a_flood_of_notes_ends() {
        let incidents = Incidents::default();
        let made = (0..2 * NOTES_MAX_COUNT).filter(|n| incidents.admit(RoomId(1), &n.to_string(), Instant::UNIX_EPOCH));
        assert_eq!(made.count(), NOTES_MAX_COUNT);
    }
}
