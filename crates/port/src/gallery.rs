//! The program as a stranger sees it, who may only look: rooms and their displays, rules, journals, announcements.
//!
//! Everything comes as documents without anything that only a player or a moderator may see. The trait only reads and
//! knows no game; the service implements it.

use std::fmt::Write as _;

use futures::future::BoxFuture;

use kernel::{Instant, Refusal, Seq, display::Document};

/// Most entries on a page of a journal: a few screens of a phone.
pub const PAGE_MAX_ENTRIES: usize = 50;

/// Most announcements in a feed: what happened since somebody looked last, for most.
pub const FEED_MAX_ENTRIES: usize = 30;

/// What read-only pages need of the service. Rooms are asked for by name.
pub trait Gallery: Send + Sync + 'static {
    /// All rooms.
    fn rooms(&self) -> Document;

    /// A room, if there is one of that name.
    fn room(&self, name: &str) -> Option<Card>;

    /// What a room is, its displays, and the first of them.
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

/// A room at a glance.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Which.
    pub room: Card,
    /// What it is.
    pub about: Document,
    /// The first of its displays, as they are now.
    pub first: Vec<Document>,
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
    /// The entries.
    pub document: Document,
    /// Where older ones begin: before this entry.
    pub older: Option<Seq>,
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

/// Something that a room announced to everybody.
#[derive(Clone, Debug)]
pub struct Announced {
    /// By which entry.
    pub seq: Seq,
    /// When that took effect.
    pub at: Instant,
    /// What.
    pub document: Document,
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
