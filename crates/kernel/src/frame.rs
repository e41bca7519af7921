//! What every room has, whatever its game: seats, forums with their designations, the mode of its clock, the promise
//! about its dice.
//!
//! A seat knows a person by an opaque id alone, and only the service knows whose it is.

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::{
    Id, Instant, Seq,
    entry::Due,
    redaction::{Redacted, Redaction},
};

/// How long a seed is drawn from before it is revealed and replaced, in days. It is short enough that players can check
/// last week's dice, and long enough that channels are not told every day.
pub const SEED_LIFE_DAYS: i64 = 7;

/// How many names and the like are remembered of one seat: more than anybody has who does not try to fill the memory.
const KNOWN_MAX_COUNT: usize = 64;

/// What every room has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Frame {
    /// The room's name.
    pub name: String,
    /// When it was opened.
    pub opened: Instant,
    /// Whether it was closed: nothing happens in it any more, displays stay.
    pub closed: bool,
    /// How its time passes.
    pub clock: ClockMode,
    /// Where the hands stand of a clock that is moved by hand, while it is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Instant>,
    /// The IANA name of the zone of its days.
    pub zone: String,
    /// Seats by id (`player/ann`).
    #[schemars(with = "std::collections::BTreeMap<Id, Seat>")]
    pub seats: OrdMap<Id, Seat>,
    /// Forums by address (`irc:libera/#nomic`).
    #[schemars(with = "std::collections::BTreeMap<Id, Forum>")]
    pub forums: OrdMap<Id, Forum>,
    /// The promise about its dice.
    pub dice: DicePromise,
    /// What seats were known by before somebody asked to be forgotten.
    #[serde(default, skip_serializing_if = "Vector::is_empty")]
    #[schemars(with = "Vec<Redacted>")]
    pub redacted: Vector<Redacted>,
    /// Entries that were taken back, and still are, each with the entry that did it: none is taken back twice.
    #[serde(default, skip_serializing_if = "OrdMap::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<Seq, Seq>")]
    pub taken_back: OrdMap<Seq, Seq>,
    /// The last hash of its journal that was announced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<Attested>,
    /// The last numbers that were given, by what they count: none is given again.
    #[serde(default, skip_serializing_if = "OrdMap::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<Id, u64>")]
    pub counted: OrdMap<Id, u64>,
    /// Whether what follows by itself came to no end after the last entry, and was stopped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsettled: bool,
    /// What was due and could not be done, by its key.
    #[serde(default, skip_serializing_if = "OrdMap::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<Id, Aside>")]
    pub aside: OrdMap<Id, Aside>,
}

/// Something that was due and could not be done, so that nothing of it happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Aside {
    /// What, and when it is due by now.
    pub due: Due,
    /// Why, as a clause.
    pub why: String,
    /// Whether it is passed over. Else it is tried again, and the reason is known already.
    pub rests: bool,
}

/// A hash of a journal that was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Attested {
    /// The entry whose hash it was.
    pub seq: Seq,
    /// The entry that announced it.
    pub by: Seq,
    /// When, by the world's clock.
    pub at: Instant,
}

/// A person's place in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Seat {
    /// The name used in the room.
    pub name: String,
    /// Whose it is: an id that only the service can follow.
    pub person: Id,
    /// Player or outsider, as the game has it.
    pub standing: Standing,
    /// When it was taken.
    pub since: Instant,
    /// What it is known by, and was before, each with the entry from which. These are to be taken out of what is shown,
    /// should whoever sits here ask to be forgotten.
    #[serde(default, skip_serializing_if = "Vector::is_empty")]
    #[schemars(with = "Vec<(Seq, String)>")]
    pub known: Vector<(Seq, String)>,
}

/// What the seat of a person is called once they asked to be forgotten, and until they come back and say otherwise.
pub fn former_name(person: &str) -> String {
    format!("former{}", person.trim_start_matches(|char: char| !char.is_ascii_digit()))
}

/// What a seat is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Acts only where the rules let outsiders act.
    Outsider,
    /// A player, as the game uses the word.
    Player,
}

/// A channel bound to a room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Forum {
    /// Every designation that it had, with the instant from which.
    #[schemars(with = "Vec<(Instant, Option<Designation>)>")]
    pub history: Vector<(Instant, Option<Designation>)>,
    /// How the room announces there.
    #[serde(default, skip_serializing_if = "Manner::is_plain")]
    pub manner: Manner,
}

/// How a room announces in a forum. A network passes over what it does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Manner {
    /// Whether what all are to hear comes there; where nobody said so, it comes to public forums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub posts: Option<bool>,
    /// Whether every topic gets a thread of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub threads: bool,
    /// The role that is called when there is something to do, by its number at the network; nobody where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentions: Option<String>,
    /// Whether the network shows by roles who plays and who holds which office.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub roles: bool,
}

impl Manner {
    /// Whether nothing was ever set.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

impl Forum {
    /// Its designation now; `None` when it is no longer bound.
    pub fn designation(&self) -> Option<Designation> {
        self.history.last().and_then(|(_, designation)| *designation)
    }

    /// Whether announcements to everybody come to it.
    pub fn hears(&self) -> bool {
        self.designation().is_some_and(|held| self.manner.posts.unwrap_or(held == Designation::Public))
    }

    /// Its designation at an instant.
    pub fn designation_at(&self, at: Instant) -> Option<Designation> {
        self.history.iter().rev().find(|(since, _)| *since <= at).and_then(|(_, designation)| *designation)
    }
}

/// What a forum is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Designation {
    /// Carries game actions and announcements.
    Public,
    /// For talk: carries no game action.
    Discussion,
    /// Not for the game.
    Private,
}

impl Designation {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Discussion => "discussion",
            Self::Private => "private",
        }
    }
}

/// How a room's time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockMode {
    /// With the world's.
    Live,
    /// By a moderator's hand; it stands at this instant.
    Manual(Instant),
    /// Not at all, since this instant; what falls inside does not happen.
    Paused(Instant),
}

/// Which seed the room draws from: its hash now, itself later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DicePromise {
    /// Counts the seeds from 1.
    pub epoch: u32,
    /// The hash of the present one, in hexadecimal.
    pub commitment: String,
    /// When it was first drawn from; it is replaced [`SEED_LIFE_DAYS`] later.
    pub drawn_since: Option<Instant>,
}

/// A change to a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameFact {
    /// The room was opened.
    Opened {
        /// Its name.
        name: String,
        /// When.
        at: Instant,
        /// How its time passes.
        clock: ClockMode,
        /// The zone of its days.
        zone: String,
        /// The hash of its first seed.
        commitment: String,
    },
    /// The room was closed.
    Closed,
    /// The room was opened again.
    Reopened,
    /// Somebody took a seat.
    Seated {
        /// Which.
        seat: Id,
        /// Under which name.
        name: String,
        /// Who.
        person: Id,
        /// As what.
        standing: Standing,
        /// When.
        at: Instant,
    },
    /// A seat goes by another name.
    Named {
        /// Which.
        seat: Id,
        /// The new name.
        name: String,
        /// The old one.
        was: String,
    },
    /// Whoever sits there asked to be forgotten. What the seat was called stands in the entries before.
    Forgotten {
        /// Which.
        seat: Id,
        /// What it is called from now on.
        name: String,
    },
    /// A seat became something else to the game.
    Stands {
        /// Which.
        seat: Id,
        /// As what.
        standing: Standing,
        /// As what before.
        was: Standing,
    },
    /// A seat belongs to another person: two accounts turned out to be one person's.
    Handed {
        /// Which.
        seat: Id,
        /// Whose it is now.
        person: Id,
        /// Whose it was.
        was: Id,
    },
    /// A forum was bound, or designated anew; `None` unbinds it.
    Designated {
        /// Which.
        forum: Id,
        /// As what.
        designation: Option<Designation>,
        /// From when.
        at: Instant,
    },
    /// The room announces in a forum in another manner.
    Mannered {
        /// Which forum.
        forum: Id,
        /// How.
        manner: Manner,
        /// How before.
        was: Manner,
    },
    /// The room's time passes in another way.
    Clock {
        /// How.
        mode: ClockMode,
        /// How before.
        was: ClockMode,
    },
    /// An entry was taken back, or what took it back was.
    TakenBack {
        /// Which.
        entry: Seq,
        /// Whether it is taken back from now on.
        to: bool,
    },
    /// The present seed was drawn from for the first time.
    FirstDraw {
        /// When.
        at: Instant,
    },
    /// The room draws from another seed.
    Reseeded {
        /// The number of the new seed.
        epoch: u32,
        /// Its hash.
        commitment: String,
        /// The old seed, in hexadecimal.
        revealed: String,
        /// The last entry that drew from the old seed may be this one.
        until: Seq,
    },
    /// The hash of the journal so far was announced.
    Attested {
        /// The entry whose hash it is.
        seq: Seq,
        /// The hash, in hexadecimal.
        hash: String,
        /// When, by the world's clock.
        at: Instant,
    },
    /// A number was given: neither it nor one below it is given again.
    Counted {
        /// What it counts.
        of: Id,
        /// The number.
        last: u64,
    },
    /// What follows by itself came to no end, or does again.
    Unsettled {
        /// Whether it came to none.
        to: bool,
    },
    /// Something that was due could not be done, and is passed over; or it is done by now, or not due any more.
    Aside {
        /// What.
        due: Due,
        /// Why it could not, as a clause; nothing where it is aside no more.
        why: Option<String>,
    },
    /// All that was set aside is tried again.
    DueAgain,
}

impl FrameFact {
    /// The names of its fields that hold the id of a person: every one is listed here, and nowhere else.
    pub fn persons(&self) -> &'static [&'static str] {
        match self {
            Self::Seated { .. } => &["person"],
            Self::Handed { .. } => &["was", "person"],
            Self::Opened { .. }
            | Self::Closed
            | Self::Reopened
            | Self::Named { .. }
            | Self::Forgotten { .. }
            | Self::Stands { .. }
            | Self::Designated { .. }
            | Self::Mannered { .. }
            | Self::Clock { .. }
            | Self::TakenBack { .. }
            | Self::FirstDraw { .. }
            | Self::Reseeded { .. }
            | Self::Attested { .. }
            | Self::Counted { .. }
            | Self::Unsettled { .. }
            | Self::Aside { .. }
            | Self::DueAgain => &[],
        }
    }
}

impl Frame {
    /// A room before its first entry.
    pub fn unopened() -> Self {
        Self {
            name: String::new(),
            opened: Instant::UNIX_EPOCH,
            closed: false,
            clock: ClockMode::Live,
            hands: None,
            zone: "UTC".to_owned(),
            seats: OrdMap::new(),
            forums: OrdMap::new(),
            dice: DicePromise { epoch: 0, commitment: String::new(), drawn_since: None },
            redacted: Vector::new(),
            taken_back: OrdMap::new(),
            attested: None,
            counted: OrdMap::new(),
            unsettled: false,
            aside: OrdMap::new(),
        }
    }

    /// The seat of a person.
    pub fn seat_of(&self, person: &str) -> Option<(&Id, &Seat)> {
        self.seats.iter().find(|(_, seat)| *seat.person == *person)
    }

    /// Whether the id of an object is made of a name that was forgotten: it is shown no more, and means nothing.
    pub fn is_redacted(&self, obj: &str) -> bool {
        self.redacted.iter().any(|gone| *gone.seat == *obj)
    }

    /// The end of an object's id, by which it may be named; nothing where that is a name that was forgotten.
    pub fn tail<'a>(&self, obj: &'a str) -> Option<&'a str> {
        (!self.is_redacted(obj)).then(|| obj.split_once('/').map_or(obj, |(_, tail)| tail))
    }

    /// Whether somebody who was forgotten has this seat, and has given it no name since.
    pub fn is_nameless(&self, seat: &str) -> bool {
        self.redacted.iter().any(|gone| *gone.seat == *seat && gone.shown == self.name_of(seat))
    }

    /// The name in a seat; the id where nobody sits.
    pub fn name_of<'a>(&'a self, seat: &'a str) -> &'a str {
        self.seats.get(seat).map_or(seat, |seat| seat.name.as_str())
    }

    /// The forums with a designation.
    pub fn designated(&self, designation: Designation) -> impl Iterator<Item = &Id> {
        self.forums.iter().filter(move |(_, forum)| forum.designation() == Some(designation)).map(|(id, _)| id)
    }

    /// The forums that hear what is announced to everybody.
    pub fn hearing(&self) -> impl Iterator<Item = &Id> {
        self.forums.iter().filter(|(_, forum)| forum.hears()).map(|(id, _)| id)
    }

    /// The last number that was given, by what it counts; 0 before the first, and where no entry says it.
    pub fn last_number(&self, of: &str) -> u64 {
        self.counted.get(of).copied().unwrap_or_default()
    }

    /// Raises the last number that was given; lower ones change nothing.
    pub(super) fn count(&mut self, of: Id, last: u64) {
        if self.last_number(&of) < last {
            self.counted.insert(of, last);
        }
    }

    /// Whether something due is passed over.
    pub fn is_aside(&self, due: &Due) -> bool {
        self.aside.get(&due.key).is_some_and(|aside| aside.rests && aside.due == *due)
    }

    /// When the present seed is to be replaced.
    pub fn reseed_at(&self) -> Option<Instant> {
        let since = self.dice.drawn_since?;
        since.checked_add(jiff::SignedDuration::from_hours(24 * SEED_LIFE_DAYS)).ok()
    }

    /// Applies a fact of an entry. Total.
    pub fn fold(&mut self, fact: &FrameFact, seq: Seq) {
        match fact.clone() {
            FrameFact::Opened { name, at, clock, zone, commitment } => {
                self.name = name;
                self.opened = at;
                self.clock = clock;
                self.zone = zone;
                self.dice = DicePromise { epoch: 1, commitment, drawn_since: None };
            }
            FrameFact::Closed => self.closed = true,
            FrameFact::Reopened => self.closed = false,
            FrameFact::Seated { seat, name, person, standing, at } => {
                let known = Vector::unit((seq, name.clone()));
                self.seats.insert(seat, Seat { name, person, standing, since: at, known });
            }
            FrameFact::Named { seat, name, .. } => {
                self.know(&seat, &name, seq);
                self.with_seat(&seat, |seat| seat.name = name);
            }
            FrameFact::Forgotten { seat, name } => self.forget(&seat, &name, seq),
            FrameFact::Stands { seat, standing, .. } => self.with_seat(&seat, |seat| seat.standing = standing),
            FrameFact::Handed { seat, person, .. } => self.with_seat(&seat, |seat| seat.person = person),
            FrameFact::Designated { forum, designation, at } => {
                let mut held = self.forums.get(&forum).cloned().unwrap_or_default();
                held.history.push_back((at, designation));
                self.forums.insert(forum, held);
            }
            FrameFact::Mannered { forum, manner, .. } => {
                if let Some(held) = self.forums.get_mut(&forum) {
                    held.manner = manner;
                }
            }
            FrameFact::Clock { mode, was } => {
                self.clock = mode;
                self.hands = match (mode, was) {
                    (ClockMode::Paused(_), ClockMode::Manual(at)) => Some(at),
                    _ => None,
                };
            }
            FrameFact::TakenBack { entry, to: true } => drop(self.taken_back.insert(entry, seq)),
            FrameFact::TakenBack { entry, to: false } => drop(self.taken_back.remove(&entry)),
            FrameFact::FirstDraw { at } => self.dice.drawn_since = Some(at),
            FrameFact::Reseeded { epoch, commitment, .. } => {
                self.dice = DicePromise { epoch, commitment, drawn_since: None };
            }
            FrameFact::Attested { seq: of, at, .. } => self.attested = Some(Attested { seq: of, by: seq, at }),
            FrameFact::Counted { of, last } => self.count(of, last),
            FrameFact::Unsettled { to } => self.unsettled = to,
            FrameFact::Aside { due, why: Some(why) } => {
                self.aside.insert(due.key.clone(), Aside { due, why, rests: true });
            }
            FrameFact::Aside { due, why: None } => drop(self.aside.remove(&due.key)),
            FrameFact::DueAgain => {
                let again = |(key, aside): (&Id, &Aside)| (key.clone(), Aside { rests: false, ..aside.clone() });
                self.aside = self.aside.iter().map(again).collect();
            }
        }
    }

    /// Takes note of something that a seat is known by from an entry on.
    pub(super) fn know(&mut self, seat: &str, text: &str, seq: Seq) {
        let Some(held) = self.seats.get_mut(seat) else { return };
        if text.is_empty() || held.known.last().is_some_and(|(_, last)| last == text) {
            return;
        }
        if held.known.len() >= KNOWN_MAX_COUNT {
            held.known.pop_front();
        }
        held.known.push_back((seq, text.to_owned()));
    }

    /// Takes the name off a seat, and notes what it was known by.
    fn forget(&mut self, seat: &Id, shown: &str, seq: Seq) {
        let Some(held) = self.seats.get_mut(seat) else { return };
        let known = std::mem::take(&mut held.known);
        held.name = shown.to_owned();
        for (from, text) in known {
            let others = self.seats.iter().filter(|(id, _)| *id != seat).flat_map(|(_, other)| &other.known);
            let gone = self.redacted.iter().filter(|other| other.seat != *seat).map(|other| (other.from, &other.text));
            let taken = others.map(|(from, text)| (*from, text)).chain(gone);
            let taken = taken.filter(|(since, of)| *since > from && **of == text).map(|(since, _)| since).min();
            let until = taken.unwrap_or(seq + 1);
            self.redacted.push_back(Redacted { seat: seat.clone(), text, shown: shown.to_owned(), from, until });
        }
    }

    /// What is to be replaced in something that is as of an entry; for what is as of now, [`Frame::redaction_now`].
    pub fn redaction(&self, as_of: Seq) -> Redaction<'_> {
        Redaction::as_of(&self.redacted, as_of)
    }

    /// What is to be replaced in something that is as of now.
    pub fn redaction_now(&self) -> Redaction<'_> {
        Redaction::now(&self.redacted)
    }

    /// What is to be replaced in a text that a mechanic or a law keeps, with names in it as they were then.
    pub fn redaction_of_kept(&self) -> Redaction<'_> {
        Redaction::of_kept(&self.redacted, |name| self.seats.values().any(|seat| seat.name == name))
    }

    fn with_seat(&mut self, seat: &Id, change: impl FnOnce(&mut Seat)) {
        if let Some(seat) = self.seats.get_mut(seat) {
            change(seat);
        }
    }
}
