//! Looking for words in a room: in its rules, in how they are read, and in what happened.
//!
//! Nothing is kept for it. Rules and rulings are in memory; the journal is looked through by the database, a stretch at
//! a time, and each entry that may hold the words is read again as everybody may read it.

use std::sync::Arc;

use super::{
    commands::record,
    deed::NotDone,
    gallery::{card, stranger},
    hub::{Handle, Hub},
};
use kernel::{
    Refusal, Seq,
    display::{Block, Cell, Document, plain},
    engine::View,
    rulebook::views,
};
use port::gallery::{Found, Happened, PAGE_MAX_ENTRIES};

/// Longest words that are looked for, in characters: a sentence.
const WORDS_MAX_CHARS: usize = 200;

/// How far back one page looks, in entries; a reader goes on from there.
const LOOK_BACK_ENTRIES: Seq = 10_000;

/// How many entries are read at once.
const READ_MAX_ENTRIES: u32 = 100;

/// Most rulings that are shown.
const RULINGS_MAX_COUNT: usize = 10;

/// How much of a ruling is shown, in characters.
const RULING_MAX_CHARS: usize = 400;

impl Hub {
    /// What holds some words in a room; entries only before one, where that is said.
    pub(super) async fn find(&self, handle: &Arc<Handle>, words: &str, before: Option<Seq>) -> Result<Found, NotDone> {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if words.is_empty() || words.chars().count() > WORDS_MAX_CHARS {
            return Err(Refusal::new(format!("what is looked for has 1 to {WORDS_MAX_CHARS} characters")).into());
        }
        let view = handle.view();
        let (entries, older) = self.entries_holding(handle, &words, before).await?;
        let is_first = before.is_none();
        Ok(Found {
            room: card(handle),
            rules: if is_first { rules(&*view, &words) } else { Vec::new() },
            rulings: if is_first { rulings(&*view, &words) } else { Vec::new() },
            entries,
            older,
        })
    }

    async fn entries_holding(
        &self,
        handle: &Handle,
        words: &str,
        before: Option<Seq>,
    ) -> Result<(Vec<Happened>, Option<Seq>), NotDone> {
        let view = handle.view();
        let mut before = before.unwrap_or(Seq::MAX).min(view.seq() + 1);
        let floor = before.saturating_sub(LOOK_BACK_ENTRIES).max(1);
        // A name that stands replaced for readers is not what the journal holds: then every entry is looked at.
        let is_plain = view.frame().redacted.is_empty();
        // In the journal a quotation mark is written otherwise.
        let written = serde_json::to_string(words).unwrap_or_default();
        let written = written.get(1..written.len() - 1).unwrap_or_default();
        let escaped = Some(written).filter(|written| *written != words);
        let mut found = Vec::new();
        while before > floor {
            let page = match is_plain {
                true => self.store().holding(handle.id, (words, escaped), (floor, before), READ_MAX_ENTRIES).await?,
                false => self.store().history(handle.id, before, READ_MAX_ENTRIES).await?,
            };
            let Some(oldest) = page.last().map(|entry| entry.seq) else { break };
            for entry in page.iter().filter(|entry| entry.seq >= floor) {
                let happened = record::happened(&*view, entry, &stranger());
                let announced = record::public_announcements(&*view, entry);
                let typed = happened.typed.as_deref().unwrap_or_default();
                let texts = announced.iter().map(plain).chain([happened.sentence.clone(), typed.to_owned()]);
                if texts.into_iter().any(|text| folded(&text).contains(words)) {
                    found.push(happened);
                }
                if found.len() == PAGE_MAX_ENTRIES {
                    return Ok((found, (entry.seq > 1).then_some(entry.seq)));
                }
            }
            before = oldest;
        }
        Ok((found, (floor > 1).then_some(floor)))
    }
}

/// A text in lower case with its white space as single blanks.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Where rules hold the words, as everybody may read them.
fn rules(view: &dyn View, words: &str) -> Vec<Cell> {
    let Ok(mut document) = views::search(view.rules(), words, view.alike(), view.numbering()) else {
        return Vec::new();
    };
    for block in &mut document.blocks {
        if let Block::List(cells) = block {
            for cell in cells {
                cell.shows = cell.completes.take().map(|id| format!("rule/{id}"));
            }
        }
    }
    let redaction = view.frame().redaction_now();
    redaction.document(&mut document);
    let holds = |cell: &Cell| redaction.is_empty() || folded(&cell.text).contains(words);
    document.cells().filter(|cell| holds(cell)).cloned().collect()
}

/// The rulings that hold the words.
fn rulings(view: &dyn View, words: &str) -> Vec<Document> {
    let texts = [view.rulings(), record::ROOM_RULINGS];
    let sections = texts.iter().flat_map(|text| text.split("\n## ").skip(1));
    let found = sections.filter(|section| folded(section).contains(words)).take(RULINGS_MAX_COUNT);
    let told = |section: &str| {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        Document::titled("rulings", title.trim()).para(record::shortened(text, RULING_MAX_CHARS))
    };
    found.map(told).collect()
}
