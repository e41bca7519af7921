//! Which rooms a line may mean, and which has something due next, without asking them all.
//!
//! A line is about one room. Were every room asked, a bot that holds a thousand would be a thousand times as slow. So
//! each room enters here what it is found by, whenever it has changed, and only what did change.

use std::sync::Arc;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use imbl::OrdMap;

use kernel::names;
use kernel::{
    Id, Instant,
    engine::View,
    frame::{ClockMode, Forum, Seat},
    own_command::OwnCommand,
};
use store::RoomId;

/// What rooms are found by.
#[derive(Default)]
pub(super) struct Index {
    rooms: HashMap<RoomId, Entered>,
    /// Rooms by the channels that are or were bound to them.
    forums: HashMap<Id, BTreeSet<RoomId>>,
    /// Rooms by the persons who sit in them.
    people: HashMap<Id, BTreeSet<RoomId>>,
    /// Rooms by their names, in the forms in which names are compared.
    names: HashMap<String, BTreeSet<RoomId>>,
    /// How many rooms play each game.
    games: BTreeMap<&'static str, usize>,
    /// Rooms by what is next due in them by itself.
    dues: BTreeSet<(Instant, RoomId)>,
}

/// What a room entered last.
struct Entered {
    forums: OrdMap<Id, Forum>,
    seats: OrdMap<Id, Seat>,
    closed: bool,
    /// The commands that the room has by its own rules.
    own: Vec<Arc<OwnCommand>>,
    due: Option<Instant>,
}

impl Index {
    /// Enters a room as it is now; whether its channels, its commands, or that it is open at all, changed.
    pub(super) fn enter(&mut self, id: RoomId, name: &str, view: &dyn View) -> bool {
        let frame = view.frame();
        let due = view.next_due().filter(|_| !matches!(frame.clock, ClockMode::Manual(_))).map(|due| due.at);
        let now = Entered {
            forums: frame.forums.clone(),
            seats: frame.seats.clone(),
            closed: frame.closed,
            own: view.commands(),
            due,
        };
        let (before, known) = match self.rooms.remove(&id) {
            Some(before) => (before, true),
            None => {
                *self.games.entry(view.game()).or_default() += 1;
                for key in names::keys(name) {
                    self.names.entry(key).or_default().insert(id);
                }
                let nothing =
                    Entered { forums: OrdMap::new(), seats: OrdMap::new(), closed: false, own: Vec::new(), due: None };
                (nothing, false)
            }
        };
        if before.due != now.due {
            before.due.map(|at| self.dues.remove(&(at, id)));
            now.due.map(|at| self.dues.insert((at, id)));
        }
        let same_forums = before.forums.ptr_eq(&now.forums);
        if !same_forums {
            moved(&mut self.forums, id, before.forums.keys(), now.forums.keys());
        }
        if !before.seats.ptr_eq(&now.seats) {
            let person = |seat: &'_ Seat| seat.person.clone();
            let (gone, here): (Vec<Id>, Vec<Id>) =
                (before.seats.values().map(person).collect(), now.seats.values().map(person).collect());
            moved(&mut self.people, id, gone.iter(), here.iter());
        }
        let changed = !known || !same_forums || before.closed != now.closed || before.own != now.own;
        self.rooms.insert(id, now);
        changed
    }

    /// The rooms to which a channel is or was bound.
    pub(super) fn of_forum(&self, forum: &str) -> Vec<RoomId> {
        self.forums.get(forum).into_iter().flatten().copied().collect()
    }

    /// The rooms in which a person has a seat.
    pub(super) fn of_person(&self, person: &str) -> Vec<RoomId> {
        self.people.get(person).into_iter().flatten().copied().collect()
    }

    /// The rooms whose name can be taken for this one.
    pub(super) fn of_name(&self, name: &str) -> Vec<RoomId> {
        let keys = names::keys(name);
        let found: BTreeSet<RoomId> = keys.iter().filter_map(|key| self.names.get(key)).flatten().copied().collect();
        found.into_iter().collect()
    }

    /// The games that are played in any room.
    pub(super) fn games(&self) -> Vec<&'static str> {
        self.games.keys().copied().collect()
    }

    /// The rooms in which something is due by an instant, in the order of time.
    pub(super) fn due_by(&self, now: Instant) -> Vec<RoomId> {
        self.dues.iter().take_while(|(at, _)| *at <= now).map(|(_, room)| *room).collect()
    }

    /// When something is due next after an instant.
    pub(super) fn next_after(&self, now: Instant) -> Option<Instant> {
        self.dues.iter().map(|(at, _)| *at).find(|at| *at > now)
    }
}

/// Enters a room under what it is found by now, and no longer under what it was found by before.
fn moved<'a>(
    index: &mut HashMap<Id, BTreeSet<RoomId>>,
    room: RoomId,
    before: impl Iterator<Item = &'a Id>,
    now: impl Iterator<Item = &'a Id>,
) {
    for key in before {
        if let Some(rooms) = index.get_mut(key) {
            rooms.remove(&room);
            if rooms.is_empty() {
                index.remove(key);
            }
        }
    }
    for key in now {
        index.entry(key.clone()).or_default().insert(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use joust::Joust;
    use kernel::{
        State,
        frame::{ClockMode, Designation, FrameFact, Standing},
    };

    const ROOM: RoomId = RoomId(7);

    fn opened() -> State<Joust> {
        let mut state = State::unopened();
        let at = Instant::UNIX_EPOCH;
        let commitment = String::new();
        let (name, zone) = ("main".to_owned(), "UTC".to_owned());
        state.frame.fold(&FrameFact::Opened { name, at, clock: ClockMode::Live, zone, commitment }, 1);
        state
    }

    #[test]
    fn a_room_is_found_by_what_it_is_now() {
        let mut index = Index::default();
        let mut state = opened();
        assert!(index.enter(ROOM, "main", &state), "it is new");
        assert!(!index.enter(ROOM, "main", &state));
        assert_eq!((index.of_name("MAIN"), index.games()), (vec![ROOM], vec!["joust"]));
        assert_eq!((index.of_name("other"), index.of_forum("net/#a"), index.of_person("p1")), (vec![], vec![], vec![]));

        let bound = FrameFact::Designated {
            forum: "net/#a".into(),
            designation: Some(Designation::Public),
            at: Instant::UNIX_EPOCH,
        };
        state.frame.fold(&bound, 2);
        assert!(index.enter(ROOM, "main", &state), "its channels changed");
        let seat = FrameFact::Seated {
            seat: "player/ann".into(),
            name: "Ann".to_owned(),
            person: "p1".into(),
            standing: Standing::Player,
            at: Instant::UNIX_EPOCH,
        };
        state.frame.fold(&seat, 3);
        assert!(!index.enter(ROOM, "main", &state), "seats are no channels");
        assert_eq!((index.of_forum("net/#a"), index.of_person("p1")), (vec![ROOM], vec![ROOM]));
        state.frame.fold(&FrameFact::Handed { seat: "player/ann".into(), person: "p2".into(), was: "p1".into() }, 4);
        index.enter(ROOM, "main", &state);
        assert_eq!((index.of_person("p1"), index.of_person("p2")), (vec![], vec![ROOM]));
        state.frame.fold(&FrameFact::Closed, 5);
        assert!(index.enter(ROOM, "main", &state), "nothing is played there any more");
    }

    #[test]
    fn what_is_due_next_is_known_and_hands_wait_for_nobody() {
        let mut index = Index::default();
        let mut state = opened();
        state.frame.fold(&FrameFact::FirstDraw { at: Instant::UNIX_EPOCH }, 2);
        let due = state.next_due().map(|due| due.at).expect("the seed is replaced");
        let before = due.checked_sub(jiff::SignedDuration::from_secs(1)).expect("an instant");
        index.enter(ROOM, "main", &state);
        assert_eq!((index.due_by(before), index.next_after(before)), (vec![], Some(due)));
        assert_eq!((index.due_by(due), index.next_after(due)), (vec![ROOM], None));
        let mode = ClockMode::Manual(Instant::UNIX_EPOCH);
        state.frame.fold(&FrameFact::Clock { mode, was: ClockMode::Live }, 3);
        index.enter(ROOM, "main", &state);
        assert_eq!(index.due_by(due), vec![]);
    }
}
