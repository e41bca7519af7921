//! The program as a stranger sees it, who may only look: rooms and their displays, rules, journals, announcements.
//!
//! Everything comes as documents without anything that only a player or a moderator may see. The trait only reads and
//! knows no game; the service implements it.

use std::{collections::BTreeMap, fmt::Write as _};

use futures::future::BoxFuture;

use kernel::{Id, Instant, Refusal, Seq, display::Document, waiting::Waiting};

/// Most entries on a page of a journal: a few screens of a phone.
pub const PAGE_MAX_ENTRIES: usize = 50;

/// Most announcements in a feed: what happened since somebody looked last, for most.
pub const FEED_MAX_ENTRIES: usize = 30;

/// Most rooms on one front page: a few screens of a phone.
pub const FRONT_MAX_ROOMS: usize = 12;

/// What read-only pages need of the service. Rooms are asked for by name.
pub trait Gallery: Send + Sync + 'static {
    /// All rooms.
    fn rooms(&self) -> Document;

    /// A page of rooms at a glance, open ones first; pages are counted from 1.
    fn front(&self, page: usize) -> BoxFuture<'_, Result<Front, NotShown>>;

    /// A room, if there is one of that name.
    fn room(&self, name: &str) -> Option<Card>;

    /// What texts of a room may name that has a page of its own.
    fn named(&self, room: &str) -> Option<Named>;

    /// Waits until a room has an entry after one, and says which is the last; nothing where the room is gone.
    fn moved<'a>(&'a self, room: &'a str, after: Seq) -> BoxFuture<'a, Option<Seq>>;

    /// A room with what goes on in it, what it is, and its displays.
    fn overview<'a>(&'a self, room: &'a str) -> BoxFuture<'a, Result<Overview, NotShown>>;

    /// A display of a room, now or as of an entry or a time, as typed.
    fn show<'a>(
        &'a self,
        room: &'a str,
        display: &'a str,
        as_of: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Shown, NotShown>>;

    /// The text of which a display shows the beginning, whole.
    fn text<'a>(
        &'a self,
        room: &'a str,
        display: &'a str,
        as_of: Option<&'a str>,
    ) -> BoxFuture<'a, Result<String, NotShown>>;

    /// A page of a room's journal, newest first.
    fn journal<'a>(&'a self, room: &'a str, filter: &'a Filter) -> BoxFuture<'a, Result<Leaf, NotShown>>;

    /// One entry, whole, with what it announced to everybody.
    fn entry<'a>(&'a self, room: &'a str, seq: Seq) -> BoxFuture<'a, Result<Told, NotShown>>;

    /// The rules of a room with their marked places, now or as of an entry or a time, as typed; one alone where its
    /// display is named.
    fn rulebook<'a>(
        &'a self,
        room: &'a str,
        as_of: Option<&'a str>,
        rule: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Rulebook, NotShown>>;

    /// The rules, rulings and entries that hold some words. Rules and rulings are left out where entries before one are
    /// asked for.
    fn search<'a>(
        &'a self,
        room: &'a str,
        words: &'a str,
        before: Option<Seq>,
    ) -> BoxFuture<'a, Result<Found, NotShown>>;

    /// What a room announced to everybody lately, newest first, at most [`FEED_MAX_ENTRIES`].
    fn announcements<'a>(&'a self, room: &'a str) -> BoxFuture<'a, Result<Vec<Announced>, NotShown>>;

    /// Whether rooms can be read and written at the moment.
    fn ready(&self) -> BoxFuture<'_, bool>;

    /// Counts and measures for the operator.
    fn metrics(&self) -> BoxFuture<'_, Vec<Metric>>;
}

/// A room, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// What is played in it.
    pub game: String,
    /// Its last entry.
    pub seq: Seq,
}

/// What texts of a room may name that has a page of its own.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The last entry of the room.
    pub seq: Seq,
    /// Kinds of numbered things, each with its last number: of `proposal` and 3 there are `proposal/1` to `proposal/3`.
    pub numbered: BTreeMap<String, u64>,
    /// The rules in force.
    pub rules: Vec<Ruled>,
    /// What stands before the number of a rule, such as `4E`.
    pub numbering: String,
}

/// A rule that can be named.
#[derive(Clone, Debug)]
pub struct Ruled {
    /// Its id.
    pub id: String,
    /// Its number.
    pub number: u32,
    /// Its title.
    pub title: String,
}

/// A page of rooms.
#[derive(Clone, Debug)]
pub struct Front {
    /// The rooms.
    pub rooms: Vec<Glance>,
    /// How many pages there are; at least 1.
    pub pages: usize,
}

/// What goes on in a room.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Which.
    pub room: Card,
    /// What is played in it, as people call it.
    pub game: String,
    /// Why nothing goes on, where the room is closed or paused.
    pub state: Option<String>,
    /// The moment of looking, by the clock of the room.
    pub now: Instant,
    /// What it announced lately, newest first.
    pub news: Vec<Announced>,
    /// What waits for people.
    pub waiting: Vec<Waiting>,
    /// What happens next by itself, and when.
    pub due: Option<(String, Instant)>,
    /// The names of those who have a seat.
    pub seats: Vec<(Id, String)>,
    /// How somebody gets a seat: what is typed, and in which channel, in words.
    pub ways_in: Vec<(String, String)>,
    /// The first of its displays, as they are now.
    pub first: Vec<Document>,
}

/// A room, whole.
#[derive(Clone, Debug)]
pub struct Overview {
    /// What goes on in it.
    pub glance: Glance,
    /// What it is.
    pub about: Document,
    /// All displays that can be shown, by id, with their titles.
    pub displays: Vec<(String, String)>,
}

/// A display.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Of which room.
    pub room: Card,
    /// The entry that it is as of.
    pub seq: Seq,
    /// What is shown.
    pub document: Document,
    /// Whether a text in it can be had whole.
    pub whole: bool,
    /// What stands beside it, where it is one thing and is shown as it is now.
    pub beside: Option<Beside>,
}

/// What goes on about one thing, such as a proposal.
#[derive(Clone, Debug)]
pub struct Beside {
    /// What is still needed, and until when, in sentences.
    pub needs: Vec<String>,
    /// What would come of it.
    pub outcome: Option<Document>,
    /// What happened about it, newest first.
    pub entries: Vec<Happened>,
    /// Where older ones begin: before this entry.
    pub older: Option<Seq>,
}

/// Which entries of a journal are wanted; what is empty lets all pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whose doing, by the name in the room.
    pub actor: String,
    /// What kind: part of the command or of what came due.
    pub kind: String,
    /// What their changes or announcements name.
    pub about: String,
    /// Only those before this one.
    pub before: Option<Seq>,
}

/// A page of a journal.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Of which room.
    pub room: Card,
    /// The entries as a table.
    pub document: Document,
    /// The same in sentences.
    pub entries: Vec<Happened>,
    /// Where older ones begin: before this entry.
    pub older: Option<Seq>,
}

/// An entry in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Which.
    pub seq: Seq,
    /// When it took effect.
    pub at: Instant,
    /// What happened.
    pub sentence: String,
    /// Who typed what, where the sentence says something else.
    pub typed: Option<String>,
}

/// An entry, and what it announced to everybody.
#[derive(Clone, Debug)]
pub struct Told {
    /// Of which room.
    pub room: Card,
    /// The entry.
    pub document: Document,
    /// What it announced.
    pub announced: Vec<Document>,
}

/// Something that a room announced to everybody. The first line of its document is a sentence.
#[derive(Clone, Debug)]
pub struct Announced {
    /// By which entry.
    pub seq: Seq,
    /// When that took effect.
    pub at: Instant,
    /// What.
    pub document: Document,
}

/// The rules in force at a moment.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// Of which room.
    pub room: Card,
    /// The entry that they are as of.
    pub seq: Seq,
    /// Each as it reads, without its history, and its marked places.
    pub rules: Vec<(Document, Vec<Mark>)>,
}

/// A marked place of a rule: a figure or a name that the game plays by, or the place that defines a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What stands there.
    pub words: String,
    /// How often the same stands before it in the paragraphs of the rule.
    pub nth: usize,
    /// Its key.
    pub key: String,
    /// What it is.
    pub meaning: String,
    /// The entry since which it reads so.
    pub since: Seq,
    /// When that was.
    pub at: Instant,
    /// What caused it, in words; may be empty.
    pub why: String,
}

/// What holds some words.
#[derive(Clone, Debug)]
pub struct Found {
    /// In which room.
    pub room: Card,
    /// The rules, each with a place in it.
    pub rules: Document,
    /// Rulings.
    pub rulings: Vec<Document>,
    /// Entries, newest first.
    pub entries: Vec<Happened>,
    /// Where older ones may be: before this entry.
    pub older: Option<Seq>,
}

/// Why something is not shown.
#[derive(Clone, Debug)]
pub enum NotShown {
    /// There is no such thing, in words for whoever asked.
    Absent(Refusal),
    /// Something broke; the log has its cause under this id.
    Broke(String),
}

impl From<Refusal> for NotShown {
    fn from(refusal: Refusal) -> Self {
        Self::Absent(refusal)
    }
}

/// A count or a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name: `rulekeeper_lines_total`.
    pub name: &'static str,
    /// What it says.
    pub help: &'static str,
    /// `counter`, `gauge` or `histogram`.
    pub kind: &'static str,
    /// Its values: what follows the name, labels among it, and the number.
    pub samples: Vec<(String, f64)>,
}

/// The path of the page of a room, below the base of all pages.
pub fn room_path(room: &str) -> String {
    format!("/room/{}", segment(room))
}

/// The path of the page of an entry.
pub fn entry_path(room: &str, seq: Seq) -> String {
    format!("{}/entry/{seq}", room_path(room))
}

/// The path of the page of a display, as documents name displays; `@main` is the room of that name.
pub fn display_path(room: &str, display: &str) -> String {
    if let Some(other) = display.strip_prefix('@') {
        return room_path(other);
    }
    let path = match display {
        "rules" => "rules".to_owned(),
        "players" => "people".to_owned(),
        "history" => "journal".to_owned(),
        _ => {
            let parts: Vec<String> = display.split('/').map(segment).collect();
            let named = matches!(parts[0].as_str(), "rule" | "entry") && parts.len() > 1;
            if named { parts.join("/") } else { format!("show/{}", parts.join("/")) }
        }
    };
    format!("{}/{path}", room_path(room))
}

/// A text as one part of a path.
pub fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' | b'.' => out.push(char::from(byte)),
            byte => write!(out, "%{byte:02X}").expect("writing into a string does not fail"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_display_has_a_path() {
        for (display, path) in [
            ("hill", "/room/main/show/hill"),
            ("program/Alpha two", "/room/main/show/program/Alpha%20two"),
            ("match/a?b/c#d", "/room/main/show/match/a%3Fb/c%23d"),
            ("rules", "/room/main/rules"),
            ("rule/time-out", "/room/main/rule/time-out"),
            ("rule/time-out/history", "/room/main/rule/time-out/history"),
            ("entry/7", "/room/main/entry/7"),
            ("players", "/room/main/people"),
            ("history", "/room/main/journal"),
            ("@other room", "/room/other%20room"),
        ] {
            assert_eq!(display_path("main", display), path);
        }
    }
}
