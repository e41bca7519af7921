//! The record: `/history` says what happened, `/why` says which rule, entry and message made it so.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{Moment, rooms::seat_named, show};
use crate::{
    kernel::{
        Path, Refusal, Seq,
        display::{Block, Cell, Document, plain},
        engine::View,
        game::Viewer,
        time::minute,
    },
    service::{
        hear::{Answer, Hearing, refused},
        hub::Handle,
        room::NotDone,
    },
    store::Entry,
};

/// How many entries a page of history shows: a phone's screen, and one message on Discord.
const PAGE_ENTRIES: u32 = 15;

/// How far back `/why` and `/history` look for what touched a value, in entries.
const LOOK_BACK_ENTRIES: u64 = 20_000;

/// How many entries are read from the store at once while looking back.
const READ_PAGE_ENTRIES: u32 = 500;

/// Longest part of a message that is quoted, in characters.
const QUOTE_MAX_CHARS: usize = 200;

/// The same in a list, where it is one column of several.
const LISTED_MAX_CHARS: usize = 56;

/// How much of a rule is quoted beside a refusal, in characters: a screen of a phone.
const RULE_MAX_CHARS: usize = 600;

/// Shows the latest entries, those about one thing, or one entry whole.
pub(in crate::service) async fn history(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    about: Option<&str>,
    since: Option<Moment>,
) -> Result<Answer, NotDone> {
    let store = hearing.hub.store();
    let view = handle.view();
    let first = match since {
        Some(moment) => show::entry_at(hearing, handle, moment).await?,
        None => 0,
    };
    let (title, entries) = match about {
        None => {
            let entries = store.history(handle.id, Seq::MAX, PAGE_ENTRIES).await?;
            ("The latest entries".to_owned(), entries)
        }
        Some(text) => {
            if let Ok(seq) = text.trim_start_matches('#').parse::<Seq>() {
                return one(hearing, handle, seq).await;
            }
            match seat_named(&*view, text) {
                Some(seat) => {
                    let entries = store.entries_by_actor(handle.id, &seat, Seq::MAX, PAGE_ENTRIES).await?;
                    (format!("Entries of {}", view.frame().name_of(&seat)), entries)
                }
                None => {
                    (format!("Entries about {text}"), touching(hearing, handle, text, PAGE_ENTRIES as usize).await?)
                }
            }
        }
    };
    let entries: Vec<Entry> = entries.into_iter().filter(|entry| entry.seq >= first).collect();
    if entries.is_empty() {
        return Ok(Answer::shown(Document::say("Nothing is on record about that.")));
    }
    let row = |entry: &Entry| {
        let who = entry.actor.as_deref().map_or("", |seat| view.frame().name_of(seat));
        let what = entry.said.as_ref().map_or_else(|| announced(&entry.json), |said| said.text.clone());
        let seq = entry.seq.to_string();
        vec![
            Cell::new(seq.clone()).completing(seq),
            Cell::new(instant(entry.at)),
            Cell::new(who),
            Cell::new(&*entry.cause),
            Cell::new(shortened(&what, LISTED_MAX_CHARS)),
        ]
    };
    let rows = entries.iter().map(row).collect();
    let head = ["Entry", "When", "Who", "What", "Words"].map(str::to_owned).to_vec();
    Ok(Answer::shown(Document::titled("history", title).with(Block::Table { head, rows })))
}

/// One entry, whole.
async fn one(hearing: &Hearing<'_>, handle: &Handle, seq: Seq) -> Result<Answer, NotDone> {
    let entry = entry(hearing, handle, seq).await?;
    Ok(Answer::shown(told(&*handle.view(), &entry)))
}

async fn entry(hearing: &Hearing<'_>, handle: &Handle, seq: Seq) -> Result<Entry, NotDone> {
    let entry = hearing.hub.store().entry(handle.id, seq).await?;
    entry.ok_or_else(|| {
        let last = handle.view().seq();
        Refusal::new(format!("there is no entry {seq}; the last one is {last}")).instead("history").into()
    })
}

/// An entry as a document: who, when, what was said, what changed, what was drawn and announced.
fn told(view: &dyn View, entry: &Entry) -> Document {
    let json: Json = serde_json::from_str(&entry.json).unwrap_or_default();
    let who = entry.actor.as_deref().map_or("nobody in particular", |seat| view.frame().name_of(seat));
    let mut document = Document::titled(format!("entry/{}", entry.seq), format!("Entry {}", entry.seq));
    let mut first = format!("{}: {} by {who}.", instant(entry.at), entry.cause);
    if entry.recorded > entry.at {
        first.push_str(&format!(" Written down at {}.", instant(entry.recorded)));
    }
    document = document.para(first);
    if json.pointer("/cause/moderator").is_some() {
        document = document.para("Outside the rules: a moderator did this.");
    }
    if let Some(said) = &entry.said {
        document = document.para(format!("Words: {}", quote(&said.text)));
    }
    let changes = json.get("changes").and_then(Json::as_array).cloned().unwrap_or_default();
    let lines: Vec<Cell> = changes.iter().map(|change| Cell::new(quote(&described(change)))).collect();
    if !lines.is_empty() {
        document = document.para("Changes:").with(Block::List(lines));
    }
    let draws = json.get("draws").and_then(Json::as_array).cloned().unwrap_or_default();
    if !draws.is_empty() {
        let drawn =
            |draw: &Json| format!("{} {} of {}", draw["label"].as_str().unwrap_or(""), draw["got"], draw["bound"]);
        document = document.para(format!("Dice: {}", draws.iter().map(drawn).collect::<Vec<_>>().join(", ")));
    }
    match announced(&entry.json) {
        text if text.is_empty() => document,
        text => document.para(format!("Announced: {text}")),
    }
}

/// What an entry changed, in the words of paths and values.
fn described(change: &Json) -> String {
    if let Some(set) = change.pointer("/world/set") {
        return format!("{}: {} becomes {}", text(&set["at"]), value(&set["was"]), value(&set["to"]));
    }
    if let Some(add) = change.pointer("/world/add") {
        let by = text(&add["by"]);
        let sign = if by.starts_with('-') { "" } else { "+" };
        return format!("{}: {sign}{by}", text(&add["at"]));
    }
    if let Some(rule) = change.get("rule") {
        let act = rule.get("act").and_then(Json::as_object).and_then(|act| act.keys().next().cloned());
        let act = act.or_else(|| rule.get("act").and_then(Json::as_str).map(str::to_owned)).unwrap_or_default();
        return format!("rule {}: {act}", text(&rule["rule"]));
    }
    let inner = ["world", "frame", "fact"].iter().find_map(|kind| change.get(kind));
    inner.map_or_else(String::new, |inner| match inner {
        Json::Object(fields) if fields.len() == 1 => {
            fields.iter().next().map(|(name, fields)| format!("{name} {fields}")).unwrap_or_default()
        }
        other => other.to_string(),
    })
}

fn text(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

fn value(json: &Json) -> String {
    match serde_json::from_value::<crate::kernel::Value>(json.clone()) {
        Ok(value) => value.to_string(),
        Err(_) => json.to_string(),
    }
}

/// The first line of what an entry announced.
fn announced(json: &str) -> String {
    let entry: Json = serde_json::from_str(json).unwrap_or_default();
    let says = entry.get("says").and_then(Json::as_array).cloned().unwrap_or_default();
    let public = says.iter().find(|say| say["to"] == "public");
    let document = public.and_then(|say| serde_json::from_value::<Document>(say["document"].clone()).ok());
    document.map_or_else(String::new, |document| quote(plain(&document).lines().next().unwrap_or("")))
}

fn quote(text: &str) -> String {
    shortened(text, QUOTE_MAX_CHARS)
}

/// A text as one line, cut after so many characters.
fn shortened(text: &str, most: usize) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= most {
        return one_line;
    }
    one_line.chars().take(most).chain(['…']).collect()
}

fn instant(microseconds: i64) -> String {
    jiff::Timestamp::from_microsecond(microseconds).map_or_else(|_| microseconds.to_string(), minute)
}

/// The latest entries whose changes or announcements name something.
async fn touching(hearing: &Hearing<'_>, handle: &Handle, text: &str, most: usize) -> Result<Vec<Entry>, NotDone> {
    let needle = serde_json::to_string(text).unwrap_or_default();
    let needle = needle.trim_matches('"').to_lowercase();
    let last = handle.view().seq();
    let floor = last.saturating_sub(LOOK_BACK_ENTRIES);
    let mut found = Vec::new();
    let mut before = Seq::MAX;
    while found.len() < most {
        let page = hearing.hub.store().history(handle.id, before, READ_PAGE_ENTRIES).await?;
        let Some(oldest) = page.last().map(|entry| entry.seq) else { break };
        let hits = page.into_iter().filter(|entry| entry.json.to_lowercase().contains(&needle));
        found.extend(hits.take(most - found.len()));
        if oldest <= floor {
            break;
        }
        before = oldest;
    }
    Ok(found)
}

/// Says which rule, entry and message gave a value or refused an action.
pub(in crate::service) async fn why(
    hearing: &Hearing<'_>,
    room: Option<&Arc<Handle>>,
    what: Option<&str>,
    viewer: &Viewer,
) -> Result<Answer, NotDone> {
    let Some(what) = what else {
        let last = hearing.line.from.account.as_ref().and_then(|account| hearing.hub.last_refusal(account));
        return Ok(Answer::shown(match (last, room) {
            (Some(refusal), Some(handle)) => {
                let view = handle.view();
                let named = refusal.rule.as_deref();
                let rule = named.and_then(|rule| rule_named(&*view, rule));
                let rulings = named.and_then(|rule| ruling(view.rulings(), rule));
                rule.into_iter().chain(rulings).fold(refused(&refusal), Document::para)
            }
            (Some(refusal), None) => refused(&refusal),
            (None, _) => Document::say("Nothing was refused to you lately. Type: why ENTRY, or why VALUE"),
        }));
    };
    let handle = room.ok_or_else(|| Refusal::new("say which room, as in @main").instead("rooms"))?;
    if let Ok(seq) = what.trim_start_matches('#').parse::<Seq>() {
        return one(hearing, handle, seq).await;
    }
    let view = handle.view();
    if let Ok(path) = what.parse::<Path>()
        && view.world().exists(&path.obj)
    {
        return value_of(hearing, handle, &path).await.map(Answer::shown);
    }
    if let Some(key) = view.keys().iter().find(|key| key.key == what) {
        let places: Vec<Cell> = view
            .rules()
            .places(key.key)
            .map(|(rule, span)| Cell::new(format!("“{}” in {}", rule.text().shown(span), rule.label())))
            .collect();
        let document = Document::titled("", key.key).para(key.meaning);
        let document = if places.is_empty() {
            document.para(format!("No rule says it. {}", key.absent))
        } else {
            document.with(Block::List(places))
        };
        return Ok(Answer::shown(document));
    }
    if let Some(text) = ruling(view.rulings(), what) {
        return Ok(Answer::shown(Document::say(text)));
    }
    show::document(&*view, what, viewer).map(Answer::shown).map_err(|_| {
        Refusal::new(format!("“{what}” is no entry, value, live number or ruling of this room"))
            .instead("why ENTRY")
            .into()
    })
}

/// Where a value comes from: the rule that defines it, and the entries that made it.
async fn value_of(hearing: &Hearing<'_>, handle: &Handle, path: &Path) -> Result<Document, NotDone> {
    let view = handle.view();
    let now = view.world().value(path);
    let mut document = Document::titled("", path.to_string()).para(format!("It is {now}."));
    if let Some(rule) = view.rule_of(path) {
        document = document.para(format!("Rule: {rule}."));
    }
    let entries = touching(hearing, handle, &path.to_string(), PAGE_ENTRIES as usize).await?;
    let cells = entries.iter().map(|entry| {
        let json: Json = serde_json::from_str(&entry.json).unwrap_or_default();
        let changes = json.get("changes").and_then(Json::as_array).cloned().unwrap_or_default();
        let lines: Vec<String> =
            changes.iter().map(described).filter(|line| line.contains(&path.to_string())).collect();
        let said = entry.said.as_ref().map_or_else(String::new, |said| format!(" ({})", quote(&said.text)));
        Cell::new(format!("entry {}, {}, {}: {}{said}", entry.seq, instant(entry.at), entry.cause, lines.join(", ")))
    });
    let cells: Vec<Cell> = cells.collect();
    Ok(if cells.is_empty() {
        document.para("No entry has touched it: it is the default.")
    } else {
        document.with(Block::List(cells))
    })
}

/// The rule that a refusal names, as it reads now: where its text can be read whole, and how it begins.
fn rule_named(view: &dyn View, name: &str) -> Option<String> {
    let rules = view.rules().rules();
    let rule = rules.iter().filter(|rule| name.contains(&**rule.title())).max_by_key(|rule| rule.title().len())?;
    let text = shortened(rule.text().visible(), RULE_MAX_CHARS);
    Some(format!("{} reads: {text} (rule {})", rule.label(), rule.id()))
}

/// The section of the rulings whose heading names a clause or rule.
fn ruling(rulings: &str, name: &str) -> Option<String> {
    let mut sections = rulings.split("\n## ").skip(1);
    let names = |heading: &str| {
        heading.split(|char: char| !char.is_alphanumeric()).any(|word| {
            !word.is_empty()
                && name
                    .split(|char: char| !char.is_alphanumeric())
                    .any(|part| part == word && part.chars().any(|char| char.is_ascii_digit()))
        })
    };
    let section = sections.find(|section| section.lines().next().is_some_and(names))?;
    Some(format!("Ruling {}", section.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulings_are_found_by_the_clause_in_their_heading() {
        let rulings = "# Rulings\n\n## J14: weeks\n\nThey begin on Monday.\n\n## J24: ties\n\nThe later ranks lower.\n";
        assert_eq!(ruling(rulings, "seed 000, J24").as_deref(), Some("Ruling J24: ties\n\nThe later ranks lower."));
        assert_eq!(ruling(rulings, "J2"), None);
    }

    #[test]
    fn changes_are_described_by_path_and_value() {
        let add = serde_json::json!({"world": {"add": {"at": "player/ann.points", "by": "7"}}});
        assert_eq!(described(&add), "player/ann.points: +7");
        let set =
            serde_json::json!({"world": {"set": {"at": "player/ann.points", "was": {"num": "7"}, "to": {"num": "5"}}}});
        assert_eq!(described(&set), "player/ann.points: 7 becomes 5");
    }
}
