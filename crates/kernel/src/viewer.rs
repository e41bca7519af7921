//! Who looks at a room.

use std::collections::BTreeMap;

use super::{Id, Instant, draft::Opened};

/// Who looks at a display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Viewer {
    /// The viewer as a person, as rooms know people; nothing for somebody who was never seen.
    pub person: Option<Id>,
    /// The viewer's seat, if any.
    pub seat: Option<Id>,
    /// Whether the viewer moderates the room.
    pub moderator: bool,
    /// Whether nobody else will see it.
    pub private: bool,
    /// The long work that is being played for the room, with how much of it is done, and of how much.
    pub progress: Option<(Id, usize, usize)>,
    /// The moment of looking, by the room's clock. A state is never seen as it was before its last entry, so that the
    /// default means the moment of that entry.
    pub now: Instant,
    /// What the game asked to be opened for this look (`Display::reads`), by id.
    pub opened: BTreeMap<Id, Opened>,
}
