//! `/inbox`: what could not be delivered to the person who asks.
//!
//! Only the owner of an account reads what was for it. What is for several accounts of one person is read on any of
//! them. What counts as read stands in `service/inbox.rs`.

use crate::service::{
    deed::NotDone,
    hearing::{Answer, Hearing},
    inbox::INBOX,
};
use kernel::{
    Instant,
    display::{Block, Document},
    time::minute,
};
use store::Kept;

/// Most that one answer shows; the rest waits for the next.
const SHOWN_MAX_COUNT: usize = 20;

/// What one answer holds at the most, in bytes, where it holds more than one thing: a page that can be read.
const SHOWN_MAX_BYTES: usize = 32 * 1024;

/// Shows what waits for the speaker; with `again`, also what was shown before.
pub(in crate::service) async fn inbox(hearing: &Hearing<'_>, again: bool) -> Result<Answer, NotDone> {
    let own = hearing.account()?.clone();
    let store = hearing.hub.store();
    let mut accounts = match hearing.person {
        Some(person) => store.accounts(person).await?,
        None => Vec::new(),
    };
    if !accounts.contains(&own) {
        accounts.push(own);
    }
    let waiting = store.inbox(&accounts, again).await?;
    let mut document = Document::titled(INBOX, "Your inbox");
    if waiting.is_empty() {
        return Ok(answer(match again {
            true => document.para("Nothing is kept for you."),
            false => document
                .para("Nothing waits for you. What you have read here before:")
                .with(Block::command("inbox all")),
        }));
    }
    // Of what was read before, the latest is what somebody looks for.
    let older = if again { waiting.len().saturating_sub(SHOWN_MAX_COUNT) } else { 0 };
    if older > 0 {
        document = document.para(format!("({older} older ones are left out.)"));
    }
    let waiting = &waiting[older..];
    let (mut shown, mut bytes) = (Vec::new(), 0);
    for kept in waiting {
        bytes += kept.document.len();
        if !shown.is_empty() && (bytes > SHOWN_MAX_BYTES || shown.len() >= SHOWN_MAX_COUNT) {
            break;
        }
        shown.push(kept.id);
        let (head, part) = read(hearing, kept);
        document.blocks.push(Block::Para(head));
        document.blocks.extend(part.blocks);
        document.offers.extend(part.offers);
    }
    let left = waiting.len() - shown.len();
    if left > 0 {
        document = document.para(format!("{left} more wait. Type again:")).with(Block::command("inbox"));
    }
    hearing.hub.inner.shown.keep(&hearing.line.origin, accounts, shown);
    Ok(answer(document))
}

/// Not a display, which could be looked at again: what was read is gone from it.
fn answer(document: Document) -> Answer {
    Answer { private: true, ..Answer::done(document) }
}

/// Something that was kept, under a line that says when and where from.
fn read(hearing: &Hearing<'_>, kept: &Kept) -> (String, Document) {
    let at = Instant::from_microsecond(kept.kept).map_or_else(|_| String::new(), minute);
    let room = hearing.hub.room(kept.room);
    let from = room.as_ref().map_or_else(String::new, |room| format!(", from @{}", room.name));
    let mut document: Document = serde_json::from_str(&kept.document)
        .unwrap_or_else(|_| Document::say("(This was written by another version of the bot, and cannot be read.)"));
    if let Some(room) = &room {
        // Somebody it names may have asked to be forgotten while it waited.
        room.view().frame().redaction(kept.seq).document(&mut document);
        document.name_room(&room.name);
    }
    let title = if document.title.is_empty() { String::new() } else { format!(": {}", document.title) };
    (format!("{at}{from}{title}"), document)
}
