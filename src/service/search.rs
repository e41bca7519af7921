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
    markdown,
};
use kernel::{
    Refusal, Seq,
    display::{Cell, Document, plain},
    engine::View,
    rulebook::views,
};
use port::gallery::{Found, Happened, PAGE_MAX_ENTRIES};

/// Longest words that are looked for, in characters: a sentence.
const WORDS_MAX_CHARS: usize = 200;

/// How far back one page looks, in entries; a reader goes on from there.
const LOOK_BACK_ENTRIES: Seq = 10_000;

/// Most entries that one page reads again, since what the journal holds may be nothing that is told.
const LOOKED_AT_MAX_COUNT: usize = 1000;

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
            rules: if is_first { rules(&*view, &words) } else { Document::default() },
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
        let (mut found, mut looked_at) = (Vec::new(), 0);
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
                looked_at += 1;
                if found.len() == PAGE_MAX_ENTRIES || looked_at == LOOKED_AT_MAX_COUNT {
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

/// The rules that hold the words, each with the first place, as everybody may read them.
fn rules(view: &dyn View, words: &str) -> Document {
    let found = views::search(view.rules(), words, view.numbering()).unwrap_or_default();
    let redaction = view.frame().redaction_now();
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for cell in found.cells() {
        let Some(rule) = cell.completes.as_deref().and_then(|id| view.rules().get(id)) else { continue };
        let text = redaction.text(&cell.text);
        // What only a name held that is shown no more is no find.
        if !redaction.is_empty() && !folded(&text).contains(words) {
            continue;
        }
        let (title, place) = (redaction.text(rule.title()), format!("{}: ", rule.title()));
        let place = cell.text.split_once(&place).map_or(text, |(_, place)| redaction.text(place));
        let shows = Some(format!("rule/{}", rule.id()));
        if rows.last().is_none_or(|row| row[0].shows != shows) {
            let called = views::called(rule, view.numbering());
            let name = Cell { shows, ..Cell::new(format!("{called}, {title}")) };
            rows.push(vec![name, Cell::new(place)]);
        }
    }
    let document = Document::titled("rules", "In the rules");
    match rows.is_empty() {
        true => Document::default(),
        false => document.table(["Rule", "Place"], rows),
    }
}

/// The rulings that hold the words.
fn rulings(view: &dyn View, words: &str) -> Vec<Document> {
    let texts = [view.rulings(), record::ROOM_RULINGS];
    let sections = texts.iter().flat_map(|text| text.split("\n## ").skip(1));
    let found = sections.filter(|section| folded(section).contains(words)).take(RULINGS_MAX_COUNT);
    let told = |section: &str| {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        let text = plain(&Document { blocks: markdown::blocks(text), ..Document::default() });
        Document::titled("rulings", title.trim()).para(record::shortened(&text, RULING_MAX_CHARS))
    };
    found.map(told).collect()
}
