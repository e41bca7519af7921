//! What happened, a line each, by days; and what is to come.

use askama::Template;

use super::render::{Links, Word, clean, words};
use kernel::{
    Instant, Seq,
    time::{ahead, day, minute},
};
use port::gallery::{Happened, entry_path};

/// Entries in sentences, ready to be laid out.
#[derive(Template)]
#[template(path = "timeline.html")]
pub(super) struct Timeline {
    title: String,
    days: Vec<Day>,
}

/// What happened on a day.
pub(super) struct Day {
    pub(super) name: String,
    pub(super) items: Vec<Item>,
}

/// A sentence with a time.
pub(super) struct Item {
    pub(super) words: Vec<Word>,
    /// Where the whole of it is, of something that happened.
    pub(super) href: Option<String>,
    pub(super) instant: Option<Instant>,
    /// The time for people; empty where there is none.
    pub(super) time: String,
    /// What is said beside it.
    pub(super) note: String,
}

impl Timeline {
    pub(super) fn new(title: &str, entries: &[Happened], links: Links<'_>) -> Self {
        let item = |one: &Happened| Item {
            note: one.typed.as_deref().map_or_else(String::new, clean),
            ..Item::past(one.seq, one.at, words(&one.sentence, links), links)
        };
        Self { title: title.to_owned(), days: days(entries.iter().map(item), None) }
    }
}

impl Item {
    /// Something that happened.
    pub(super) fn past(seq: Seq, at: Instant, words: Vec<Word>, links: Links<'_>) -> Self {
        let href = Some(format!("{}{}", links.base, entry_path(links.room, seq)));
        let time = minute(at).get(11..16).unwrap_or_default().to_owned();
        Self { words, href, instant: Some(at), time, note: String::new() }
    }

    /// Something that is to come.
    pub(super) fn until(words: Vec<Word>, at: Option<Instant>, now: Instant) -> Self {
        let time = at.map(|at| ahead(at, now)).unwrap_or_default();
        Self { words, href: None, instant: at, time, note: String::new() }
    }

    /// The time for machines.
    pub(super) fn at(&self) -> String {
        self.instant.map(|at| at.to_string()).unwrap_or_default()
    }
}

/// Items by days, as they come; the day of a moment is called today.
pub(super) fn days(items: impl Iterator<Item = Item>, now: Option<Instant>) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for item in items {
        let name = item.instant.map(day).unwrap_or_default();
        let name = if now.is_some_and(|now| day(now) == name) { "Today".to_owned() } else { name };
        match days.last_mut().filter(|day| day.name == name) {
            Some(day) => day.items.push(item),
            None => days.push(Day { name, items: vec![item] }),
        }
    }
    days
}
