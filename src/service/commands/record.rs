//! The record: `/history` says what happened, `/why` says which rule, entry and message made it so.
//!
//! Every entry is read as everybody may read it (`View::public`), searches included, whoever asks; what somebody typed in
//! private is shown to them alone.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{asked::Moment, rooms::seat_named, show};
use crate::service::journal::READ_PAGE_ENTRIES;
use crate::service::{
    course,
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
    letters::person_id,
    markdown,
    sealed::are_private,
    standing,
};
use catalogue::hint;
use kernel::{
    Id, Path, Refusal, Seq,
    display::{Block, Cell, Document, cells, plain},
    engine::View,
    entry::{self, Because, Cause, Change, Draw},
    rulebook::{Text, book::Revision},
    time::minute,
    viewer::Viewer,
    world::Op,
};
use port::gallery::Happened;
use store::{Entry, Said};

/// An entry as everybody may read it.
type Public = entry::Entry;

/// How many entries a page of history shows: a phone's screen, and one message on Discord.
const PAGE_ENTRIES: u32 = 15;

/// How far back `/why` and `/history` look for what touched a value, in entries.
const LOOK_BACK_ENTRIES: u64 = 20_000;

/// Longest part of a message that is quoted, in characters.
const QUOTE_MAX_CHARS: usize = 200;

/// Longest description of one change, in characters: what a person reads at once.
const CHANGE_MAX_CHARS: usize = 1000;

/// The same in a list, where it is one column of several.
const LISTED_MAX_CHARS: usize = 56;

/// How the bot reads what holds in every room, whatever is played in it.
pub(in crate::service) const ROOM_RULINGS: &str = include_str!("../../../docs/rulings/rooms.md");

/// How much of a rule is quoted beside a refusal, in characters: a screen of a phone.
const RULE_MAX_CHARS: usize = 600;

/// Shows the latest entries, those about one thing, or one entry whole.
pub(in crate::service) async fn history(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    about: Option<&str>,
    (since, before): (Option<Moment>, Option<Seq>),
    viewer: &Viewer,
) -> Result<Answer, NotDone> {
    let view = handle.view();
    let from = match since {
        Some(moment) => show::entry_by(hearing.hub, handle, moment).await?,
        None => 0,
    };
    let wanted = Wanted { from, before: before.unwrap_or(Seq::MAX), ..Wanted::default() };
    let about = about.map(|text| view.frame().redaction_now().unnamed(text));
    let about = about.as_deref();
    let (title, wanted) = match about {
        None => (before.map_or("The latest entries".to_owned(), |seq| format!("Entries before {seq}")), wanted),
        Some(text) => {
            if let Ok(seq) = text.trim_start_matches('#').parse::<Seq>() {
                return one(hearing.hub, handle, seq, viewer).await.map(Answer::shown);
            }
            match seat_named(&*view, text) {
                Some(seat) => {
                    let title = format!("Entries of {}", view.frame().name_of(&seat));
                    (title, Wanted { actor: Some(seat), ..wanted })
                }
                None => (format!("Entries about {text}"), Wanted { about: Some(text), ..wanted }),
            }
        }
    };
    let found = search(hearing.hub, handle, &wanted, PAGE_ENTRIES as usize, LOOK_BACK_ENTRIES).await?;
    let mut document = listed(&*view, title, &found.entries, viewer);
    if let (Some(attr), None) = (about, before) {
        document.blocks.extend(course::of(hearing.hub, handle, attr, viewer.now).await?);
    }
    Ok(Answer::shown(match found.rest {
        Some(rest) => {
            let about = about.map_or_else(String::new, |about| format!("{} ", worded_once(about)));
            document.para(format!("Older: ⁅history {about}before {rest}⁆"))
        }
        None => document,
    }))
}

/// A value as one word of a line.
fn worded_once(text: &str) -> String {
    if text.contains(char::is_whitespace) { format!("\"{text}\"") } else { text.to_owned() }
}

/// Which entries of a journal somebody wants; what is left open lets all pass.
#[derive(Clone, Debug)]
pub(in crate::service) struct Wanted<'a> {
    /// Only what this seat did.
    pub(in crate::service) actor: Option<Id>,
    /// Only causes whose label holds this, in any case.
    pub(in crate::service) kind: Option<&'a str>,
    /// Only what names this in its changes or announcements.
    pub(in crate::service) about: Option<&'a str>,
    /// None before this.
    pub(in crate::service) from: Seq,
    /// Only those before this.
    pub(in crate::service) before: Seq,
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Self { actor: None, kind: None, about: None, from: 0, before: Seq::MAX }
    }
}

/// What a search came to.
pub(in crate::service) struct Found {
    /// The entries, newest first.
    pub(in crate::service) entries: Vec<Entry>,
    /// Where to go on: before this entry there may be more.
    pub(in crate::service) rest: Option<Seq>,
}

/// Looks backwards through a journal for at most so many entries, and through at most so many.
pub(in crate::service) async fn search(
    hub: &Hub,
    handle: &Handle,
    wanted: &Wanted<'_>,
    most: usize,
    look_back: u64,
) -> Result<Found, NotDone> {
    let kind = wanted.kind.map(str::to_lowercase);
    let view = handle.view();
    let needle = wanted.about.map(|text| needles(&*view, text));
    // Most entries do not hold it at all, which is found out sooner than what of them everybody may read.
    let names = |entry: &Entry, needles: &Vec<String>| {
        let redaction = view.frame().redaction(entry.seq);
        let holds = |json: &str| match redaction.is_empty() {
            true => holds_any(&json.to_lowercase(), needles),
            false => holds_any(&redaction.text(json).to_lowercase(), needles),
        };
        holds(&entry.json) && {
            let open = opened(&*view, entry).map(|entry| serde_json::to_string(&entry).unwrap_or_default());
            open.is_some_and(|open| holds(&open))
        }
    };
    let fits = |entry: &Entry| {
        kind.as_ref().is_none_or(|kind| entry.cause.to_lowercase().contains(kind))
            && needle.as_ref().is_none_or(|needle| names(entry, needle))
    };
    let is_plain = view.frame().redacted.is_empty();
    let filtered = kind.is_some() || needle.is_some();
    let limit = if filtered { READ_PAGE_ENTRIES } else { u32::try_from(most).unwrap_or(READ_PAGE_ENTRIES) };
    let mut before = wanted.before.min(view.seq() + 1);
    let floor = before.saturating_sub(look_back);
    let mut entries = Vec::new();
    loop {
        let page = match (&wanted.actor, &needle) {
            (Some(seat), _) => hub.store().entries_by_actor(handle.id, seat, before, limit).await?,
            // A name that stands replaced for readers is not what the journal holds.
            (None, Some(needles)) if is_plain && needles.len() <= 2 => {
                let words = (&*needles[0], needles.get(1).map(|other| &**other));
                let page = hub.store().holding(handle.id, words, (floor, before), limit).await?;
                if page.is_empty() {
                    return Ok(Found { entries, rest: (floor > wanted.from.max(1)).then_some(floor) });
                }
                page
            }
            (None, _) => hub.store().history(handle.id, before, limit).await?,
        };
        let Some(oldest) = page.last().map(|entry| entry.seq) else { return Ok(Found { entries, rest: None }) };
        for entry in page {
            if entry.seq < wanted.from {
                return Ok(Found { entries, rest: None });
            }
            let seq = entry.seq;
            if fits(&entry) {
                entries.push(entry);
            }
            if entries.len() >= most {
                return Ok(Found { entries, rest: (seq > wanted.from.max(1)).then_some(seq) });
            }
        }
        if oldest <= floor {
            return Ok(Found { entries, rest: (oldest > wanted.from.max(1)).then_some(oldest) });
        }
        before = oldest;
    }
}

/// What stands in the JSON of an entry that is about something: its words, a rule by its id, and what is numbered by its
/// label and its id.
fn needles(view: &dyn View, about: &str) -> Vec<String> {
    let quoted = serde_json::to_string(about).unwrap_or_default();
    let typed = quoted.trim_matches('"').to_lowercase();
    let mut needles = vec![typed.clone()];
    let about = about.trim().to_lowercase();
    let of_rule = || about.strip_prefix(&view.numbering().to_lowercase()).filter(|_| !view.numbering().is_empty());
    let (noun, name) = match about.split_once([' ', '/']) {
        Some((noun, name)) => (noun, name.trim()),
        None => ("rule", of_rule().unwrap_or_default()),
    };
    match noun {
        "rule" if !name.is_empty() => {
            let rule = view.rules().recall(name).or_else(|| view.rules().get(name));
            needles.extend(rule.map(|rule| format!("\"rule\":\"{}\",\"act\"", rule.id().to_lowercase())));
        }
        noun if name.chars().all(|char| char.is_ascii_digit()) && !name.is_empty() => {
            let both = [format!("{noun} {name}"), format!("{noun}/{name}")];
            needles.extend(both.into_iter().filter(|other| *other != typed));
        }
        _ => {}
    }
    needles
}

/// Whether a text holds one of some needles. A number at the end of one is the whole number there.
fn holds_any(text: &str, needles: &[String]) -> bool {
    let is_digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
    let whole = |needle: &String, at: usize| {
        !(is_digit(needle.chars().next_back()) && is_digit(text[at + needle.len()..].chars().next()))
    };
    needles.iter().any(|needle| text.match_indices(&**needle).any(|(at, _)| whole(needle, at)))
}

/// An entry as everybody may read it; nothing where it cannot be read, which is the log's business. What it announced
/// and why it happened are without the names of those who asked to be forgotten. Its changes, which tell of seats by
/// their ids, lose them where they are put into words (`changes`).
fn opened(view: &dyn View, entry: &Entry) -> Option<Public> {
    let read = view.public(&entry.json);
    let mut open = read.inspect_err(|why| tracing::error!(seq = entry.seq, %why, "an entry cannot be shown")).ok()?;
    let redaction = view.frame().redaction(entry.seq);
    open.says.iter_mut().for_each(|say| redaction.document(&mut say.document));
    open.draws.iter_mut().for_each(|draw| draw.label = redaction.text(&draw.label));
    Some(open)
}

/// What an entry changed, and by what beside the entry's own cause.
struct Changed<'e> {
    change: &'e Change,
    by: Because,
    line: String,
}

/// What an entry changed in words.
fn changes<'e>(view: &dyn View, open: &'e Public) -> Vec<Changed<'e>> {
    let redaction = view.frame().redaction(open.seq);
    let (mut from, mut lines) = (Because::default(), Vec::new());
    for change in &open.changes {
        match change {
            Change::By(by) => from = by.clone(),
            change => {
                let line = described(change, |change| view.told(change)).map(|line| redaction.text(&line));
                lines.extend(line.map(|line| Changed { change, by: from.clone(), line }));
            }
        }
    }
    lines
}

/// What they come from, in words; nothing where that is the entry's own cause.
fn because(view: &dyn View, open: &Public, by: &Because) -> Option<String> {
    (*by != Because::default()).then(|| view.frame().redaction(open.seq).text(&view.because(by)))
}

/// What somebody typed, as far as a viewer may read it.
fn words(view: &dyn View, entry: &Entry, viewer: &Viewer) -> Option<String> {
    let own = |said: &&Said| viewer.private && said.person.is_some_and(|by| viewer.person == Some(person_id(by)));
    let said = entry.said.as_ref().filter(|said| own(said) || !are_private(&entry.json));
    said.map(|said| view.frame().redaction(entry.seq).typed(&said.text))
}

/// Entries as a list, a line each.
pub(in crate::service) fn listed(view: &dyn View, title: String, entries: &[Entry], viewer: &Viewer) -> Document {
    if entries.is_empty() {
        return Document::say("Nothing is on record about that.");
    }
    let row = |entry: &Entry| {
        let who = doer(view, entry).unwrap_or_default();
        let what = words(view, entry, viewer).unwrap_or_else(|| announced(opened(view, entry).as_ref()));
        cells![
            Cell::numbered("entry", entry.seq),
            instant(entry.at),
            who,
            &*entry.cause,
            shortened(&what, LISTED_MAX_CHARS),
        ]
    };
    let rows = entries.iter().map(row);
    Document::titled("history", title).table(["Entry", "When", "Who", "What", "Words"], rows)
}

/// One entry, whole.
pub(in crate::service) async fn one(
    hub: &Hub,
    handle: &Handle,
    seq: Seq,
    viewer: &Viewer,
) -> Result<Document, NotDone> {
    let entry = entry(hub, handle, seq).await?;
    Ok(told(&*handle.view(), &entry, viewer))
}

/// What an entry is called in which a moderator moved the room's clock.
const TICK: &str = "tick (moderator)";

/// An entry in a sentence: what it announced first, else what somebody typed, else what came of itself.
pub(in crate::service) fn happened(view: &dyn View, entry: &Entry, viewer: &Viewer) -> Happened {
    let open = opened(view, entry);
    let deed = deed(view, entry, open.as_ref(), viewer);
    let told = Some(announced(open.as_ref())).filter(|told| !told.is_empty());
    // Of a clock that is moved by hand the last entry has the line that moved it, and the others are on its way.
    let is_on_the_way = entry.cause == TICK && entry.origin.is_none();
    let (sentence, typed) = match told {
        None if is_on_the_way => (format!("The room's clock moves on to {}.", instant(entry.at)), None),
        Some(told) => (told, doer(view, entry).map(|_| deed)),
        None => (deed, None),
    };
    let at = jiff::Timestamp::from_microsecond(entry.at).unwrap_or_default();
    Happened { seq: entry.seq, at, sentence, typed }
}

/// Who did what, as a sentence; what came of itself is called as it is where it falls due.
fn deed(view: &dyn View, entry: &Entry, open: Option<&Public>, viewer: &Viewer) -> String {
    let what = match words(view, entry, viewer) {
        Some(words) => format!("types “{}”", quote(&words)),
        None => format!("does this: {}", standing::worded(&entry.cause)),
    };
    let is_moderator = matches!(open, Some(Public { cause: Cause::Moderator { .. }, .. }));
    match doer(view, entry) {
        Some(who) if is_moderator => format!("{who}, as a moderator outside the rules, {what}."),
        Some(who) => format!("{who} {what}."),
        None if is_moderator => format!("A moderator outside the rules {what}."),
        None => format!("By itself: {}.", standing::worded(&entry.cause)),
    }
}

/// An entry as a page, in sentences. What it announced stands whole on a page of its own making.
pub(in crate::service) async fn page(
    hub: &Hub,
    handle: &Handle,
    seq: Seq,
    viewer: &Viewer,
) -> Result<(Document, Vec<Document>), NotDone> {
    let entry = entry(hub, handle, seq).await?;
    let view = handle.view();
    let open = opened(&*view, &entry);
    let title = happened(&*view, &entry, viewer).sentence;
    let mut first = format!("Entry {seq}, {}. {}", instant(entry.at), deed(&*view, &entry, open.as_ref(), viewer));
    if entry.recorded > entry.at {
        first.push_str(&format!(" It was written down at {}.", instant(entry.recorded)));
    }
    let mut document = Document::titled(format!("entry/{seq}"), title).para(first);
    let Some(open) = open else { return Ok((document, Vec::new())) };
    for run in changes(&*view, &open).chunk_by(|one, other| one.by == other.by) {
        let by = because(&*view, &open, &run[0].by);
        let head = by.map_or_else(|| "This changed:".to_owned(), |by| format!("{by} changed this:"));
        let lines = run.iter().map(|Changed { line, .. }| Cell::new(shortened(line, CHANGE_MAX_CHARS))).collect();
        document = document.para(head).with(Block::List(lines));
    }
    if !open.draws.is_empty() {
        let drawn = |draw: &Draw| format!("{} is {} of {}", draw.label, draw.got, draw.bound);
        document =
            document.para(format!("Dice fell: {}.", open.draws.iter().map(drawn).collect::<Vec<_>>().join(", ")));
    }
    Ok((document, open.says.into_iter().map(|say| say.document).collect()))
}

/// Who acted, by the name used in the room: whoever sits there, or the moderator, where they have a seat.
fn doer(view: &dyn View, entry: &Entry) -> Option<String> {
    if let Some(seat) = &entry.actor {
        return Some(view.frame().name_of(seat).to_owned());
    }
    let json: Json = serde_json::from_str(&entry.json).unwrap_or_default();
    let by = json.pointer("/cause/moderator/by").and_then(Json::as_str)?;
    view.frame().seat_of(by).map(|(_, seat)| seat.name.clone())
}

async fn entry(hub: &Hub, handle: &Handle, seq: Seq) -> Result<Entry, NotDone> {
    let entry = hub.store().entry(handle.id, seq).await?;
    entry.ok_or_else(|| {
        let last = handle.view().seq();
        Refusal::new(format!("there is no entry {seq}; the last one is {last}")).instead("history").into()
    })
}

/// An entry as a document: who, when, what was said, what changed, what was drawn and announced.
fn told(view: &dyn View, entry: &Entry, viewer: &Viewer) -> Document {
    let open = opened(view, entry);
    let by = doer(view, entry).map_or_else(String::new, |who| format!(" by {who}"));
    let mut document = Document::titled(format!("entry/{}", entry.seq), format!("Entry {}", entry.seq));
    let mut first = format!("{}: {}{by}.", instant(entry.at), entry.cause);
    if entry.recorded > entry.at {
        first.push_str(&format!(" Written down at {}.", instant(entry.recorded)));
    }
    document = document.para(first);
    if let Some(Public { cause: Cause::Moderator { .. }, .. }) = &open {
        document = document.para("Outside the rules: a moderator did this.");
    }
    if let Some(words) = words(view, entry, viewer) {
        document = document.para(format!("Words: {}", quote(&words)));
    }
    let Some(open) = open else { return document };
    for run in changes(view, &open).chunk_by(|one, other| one.by == other.by) {
        let by = because(view, &open, &run[0].by);
        let head = by.map_or_else(|| "Changes:".to_owned(), |by| format!("By {by}:"));
        let lines = run.iter().map(|Changed { line, .. }| Cell::new(shortened(line, CHANGE_MAX_CHARS))).collect();
        document = document.para(head).with(Block::List(lines));
    }
    if !open.draws.is_empty() {
        let drawn = |draw: &Draw| format!("{} {} of {}", draw.label, draw.got, draw.bound);
        document = document.para(format!("Dice: {}", open.draws.iter().map(drawn).collect::<Vec<_>>().join(", ")));
    }
    match announced(Some(&open)) {
        text if text.is_empty() => document,
        text => document.para(format!("Announced: {text}")),
    }
}

/// A change in words, by its fields where the game has none for it; nothing where nothing is to be told.
fn described(change: &Change, told: impl Fn(&Change) -> Option<String>) -> Option<String> {
    let by_fields = || match change {
        Change::Row(row) => worded(&serde_json::json!({ &*row.table: row.to })),
        _ => String::new(),
    };
    Some(told(change).unwrap_or_else(by_fields)).filter(|line| !line.is_empty())
}

/// A change as words: its name, and its fields one after the other.
fn worded(json: &Json) -> String {
    let spaced = |name: &str| name.replace('_', " ");
    match json {
        Json::Object(fields) => match fields.iter().next() {
            Some((name, inner)) if fields.len() == 1 => {
                let apart = if inner.as_object().is_some_and(|inner| inner.len() == 1) { "" } else { ":" };
                format!("{}{apart} {}", spaced(name), worded(inner))
            }
            _ => {
                let one = |(name, value): (&String, &Json)| match value {
                    Json::Object(_) => format!("{} ({})", spaced(name), worded(value)),
                    _ => format!("{} {}", spaced(name), worded(value)),
                };
                fields.iter().filter(|(_, value)| !value.is_null()).map(one).collect::<Vec<_>>().join(", ")
            }
        },
        Json::Array(items) if items.is_empty() => "none".to_owned(),
        Json::Array(items) => items.iter().map(worded).collect::<Vec<_>>().join(" "),
        Json::String(text) => text.parse().map_or_else(|_| text.clone(), minute),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        Json::Null => "none".to_owned(),
        Json::Number(number) => number.to_string(),
    }
}

/// The first line of what an entry announced.
fn announced(entry: Option<&Public>) -> String {
    let first = entry.and_then(|entry| entry.says.first());
    first.map_or_else(String::new, |say| quote(plain(&say.document).lines().next().unwrap_or("")))
}

/// What an entry announced to everybody, as it was announced.
pub(in crate::service) fn public_announcements(view: &dyn View, entry: &Entry) -> Vec<Document> {
    let says = opened(view, entry).map(|entry| entry.says).unwrap_or_default();
    says.into_iter().map(|say| say.document).collect()
}

fn quote(text: &str) -> String {
    shortened(text, QUOTE_MAX_CHARS)
}

/// A text as one line, cut after so many characters, between two words where there are several.
pub(in crate::service) fn shortened(text: &str, most: usize) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= most {
        return one_line;
    }
    let kept: String = one_line.chars().take(most).collect();
    let whole = one_line[kept.len()..].starts_with(' ').then_some(kept.as_str());
    let whole = whole.or_else(|| kept.rsplit_once(' ').map(|(before, _)| before));
    match whole {
        Some(words) => format!("{words} …"),
        None => format!("{kept}…"),
    }
}

fn instant(microseconds: i64) -> String {
    jiff::Timestamp::from_microsecond(microseconds).map_or_else(|_| microseconds.to_string(), minute)
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
                let rulings = named.and_then(|rule| ruling(ROOM_RULINGS, rule).or(ruling(view.rulings(), rule)));
                let mut document = rule.into_iter().fold(hint::refused(&refusal), Document::para);
                document.blocks.extend(rulings.iter().flat_map(|text| markdown::blocks(text)));
                document
            }
            (Some(refusal), None) => hint::refused(&refusal),
            (None, _) => Document::say("Nothing was refused to you lately. Of an entry or a value:")
                .with(Block::command("why WHAT")),
        }));
    };
    let handle = room.ok_or_else(|| Refusal::new("say which room, as in @main").instead("rooms"))?;
    if let Ok(seq) = what.trim_start_matches('#').parse::<Seq>() {
        return one(hearing.hub, handle, seq, viewer).await.map(Answer::shown);
    }
    let view = handle.view();
    let what = &*view.frame().redaction_now().meant(what);
    let what = &*pathed(&*view, what).unwrap_or_else(|| what.to_owned());
    if let Ok(path) = what.parse::<Path>()
        && view.world().exists(&path.obj)
    {
        if view.world().def_at(&path).is_none() {
            let why = format!("there is no value called {} of {}", path.attr, path.obj);
            return Err(Refusal::new(why).instead("why ENTRY").into());
        }
        return value_of(hearing, handle, &path, viewer).await.map(Answer::shown);
    }
    if let Some(key) = view
        .keys()
        .iter()
        .find(|key| key.key.trim_start_matches('@').eq_ignore_ascii_case(what.trim_start_matches('@')))
    {
        let places = figure(&*view, key.key);
        let document = Document::titled("", key.typed()).para(key.meaning);
        let document = if places.is_empty() {
            document.para(format!("No rule says it. {}", key.absent))
        } else {
            document.with(Block::List(places))
        };
        return Ok(Answer::shown(document));
    }
    if let Some(path) = only_value(&*view, what) {
        return value_of(hearing, handle, &path, viewer).await.map(Answer::shown);
    }
    if let Some(seat) = seat_named(&*view, what) {
        return Ok(Answer::shown(values_of(&*view, &seat, view.frame().name_of(&seat))));
    }
    if let Some(made) = view.made(what) {
        let mut document = Document::titled("", what).para(made.say);
        if let Some(rule) = made.rule {
            document = document.para(format!("Rule: {rule}."));
        }
        let figures: Vec<Cell> = made.figures.iter().flat_map(|key| figure(&*view, key)).collect();
        if !figures.is_empty() {
            document = document.para("Its figures:").with(Block::List(figures));
        }
        if let Some(seq) = made.entry {
            let entry = entry(hearing.hub, handle, seq).await?;
            let told = announced(opened(&*view, &entry).as_ref());
            let cell = Cell::new(format!("entry {seq}, {}: {told}", instant(entry.at)));
            document = document.with(Block::List(vec![cell.showing(format!("entry/{seq}"))]));
        }
        return Ok(Answer::shown(document));
    }
    if let Some(text) = ruling(ROOM_RULINGS, what).or_else(|| ruling(view.rulings(), what)) {
        return Ok(Answer::shown(Document { blocks: markdown::blocks(&text), ..Document::default() }));
    }
    // `why proposal 3` is the document that tells how it came about, as `show proposal 3` is.
    let shown = show::document(&*view, &what.replace(' ', "/"), viewer).or_else(|none| {
        if let Some(obj) = object_named(&*view, what) {
            return Ok(values_of(&*view, &obj, what));
        }
        let rule = view.rules().recall(what).map(|rule| format!("rule/{}", rule.id()));
        rule.map_or(Err(none), |rule| show::document(&*view, &rule, viewer))
    });
    if shown.is_err() && is_clause(view.rulings(), what) {
        let say = format!("No ruling is on {what}: it is played as the rules have it.");
        return Ok(Answer::shown(Document::say(say).with(Block::command("show rulings"))));
    }
    shown.map(Answer::shown).map_err(|_| {
        Refusal::new(format!("“{what}” is no entry, value, live number, rule or ruling of this room"))
            .instead("why ENTRY")
            .into()
    })
}

/// The places that give a figure of the rules. Each comes with what it is, its rule, and the entry and the cause that
/// made it so.
fn figure(view: &dyn View, key: &str) -> Vec<Cell> {
    let places = view.rules().places(key);
    let cells = places.map(|(rule, span)| {
        let shown = rule.text().shown(span);
        let reads_so = |revision: &&Revision| {
            let text = Text::parse(&*revision.source);
            text.spans().iter().any(|span| *span.key == *key && text.shown(span) == shown)
        };
        let since = rule.revisions().iter().rev().take_while(reads_so).last();
        let since = since.map_or_else(String::new, |revision| {
            let why = view.frame().redaction(revision.seq).text(&revision.why);
            format!(", since entry {}, {}: {why}", revision.seq, minute(revision.at))
        });
        let meaning = view.keys().iter().find(|known| known.key == key).map_or(key, |known| known.meaning);
        Cell::new(format!("{meaning}: “{shown}” in {}{since}", rule.label())).completing(key.trim_start_matches('@'))
    });
    cells.collect()
}

/// The path of a value as players say it: `Ann.score`, `score of Ann`, `Ann's score`.
fn pathed(view: &dyn View, what: &str) -> Option<String> {
    let (attr, who) = match what.split_once(" of ") {
        Some(cut) => cut,
        None => {
            let cuts = ["'s ", "’s ", "."].iter().find_map(|mark| what.rsplit_once(mark));
            cuts.map(|(who, attr)| (attr, who))?
        }
    };
    let who = seat_named(view, who.trim()).or_else(|| object_named(view, who))?;
    let path = Path::new(who, attr.trim().to_lowercase());
    (!view.world().named(&path.attr).is_empty()).then(|| path.to_string())
}

/// The path of a value that only one object has, by its name alone: `nday`.
fn only_value(view: &dyn View, name: &str) -> Option<Path> {
    let world = view.world();
    let name = name.trim().to_lowercase();
    let mut having = world.named(&name).iter().flat_map(|def| world.having(def));
    let only = having.next().filter(|_| having.next().is_none())?;
    Some(Path::new(only.clone(), name))
}

/// The one object that is called so, by the end of its id: `Law` is `ministry/law`, `the Clock` is the only one of its kind.
fn object_named(view: &dyn View, words: &str) -> Option<Id> {
    let words = words.trim().to_lowercase().replace(' ', "-");
    let words = words.strip_prefix("the-").unwrap_or(&words);
    let is = |obj: &&Id| {
        let kind = obj.split_once('/').map_or("", |(kind, _)| kind);
        let of_kind = || view.world().of_kind(kind).nth(1).is_none();
        let called = |name: &str| name == words || words == format!("{kind}-of-{name}");
        view.frame().tail(obj).is_some_and(called) || (kind == words && of_kind())
    };
    let mut found = view.world().objects().filter(is);
    found.next().filter(|_| found.next().is_none()).cloned()
}

/// What a seat or another object has, under what it is called, and what to type to learn where it comes from.
fn values_of(view: &dyn View, obj: &Id, called: &str) -> Document {
    let kind = view.world().kind(obj);
    let cells: Vec<Cell> = kind
        .into_iter()
        .flat_map(|kind| view.world().defs_for(kind))
        .map(|def| {
            let path = Path::new(obj.clone(), def.id.clone());
            Cell::new(format!("{} is {}: ⁅why {path}⁆", def.id, view.valued(&path))).completing(path.to_string())
        })
        .collect();
    let document = Document::titled("", called);
    match cells.is_empty() {
        true => document.para("Nothing is counted here."),
        false => document.with(Block::List(cells)),
    }
}

/// Whether a change is to a value.
fn touches(change: &Change, path: &Path) -> bool {
    match change {
        Change::World(Op::Set { at, .. } | Op::Add { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. }) => {
            at == path
        }
        Change::World(Op::Destroy { was, .. }) => was.iter().any(|(at, _)| at == path),
        _ => false,
    }
}

/// Where a value comes from: the rule that defines it, and the entries that made it, each with the document or the rule
/// that did.
async fn value_of(hearing: &Hearing<'_>, handle: &Handle, path: &Path, viewer: &Viewer) -> Result<Document, NotDone> {
    let view = handle.view();
    let mut document = Document::titled("", path.to_string()).para(format!("It is {}.", view.valued(path)));
    if let Some(rule) = view.rule_of(path) {
        document = document.para(format!("Defined by {rule}."));
    }
    let name = view.frame().redaction_now().text(&path.to_string());
    let wanted = Wanted { about: Some(&name), ..Wanted::default() };
    let entries = search(hearing.hub, handle, &wanted, PAGE_ENTRIES as usize, LOOK_BACK_ENTRIES).await?.entries;
    let cell = |entry: &Entry| {
        let open = opened(&*view, entry)?;
        let mut lines = changes(&*view, &open);
        lines.retain(|changed| touches(changed.change, path));
        let made = |run: &[Changed<'_>]| {
            let lines: Vec<&str> = run.iter().map(|changed| &*changed.line).collect();
            let by = because(&*view, &open, &run[0].by).map_or_else(String::new, |by| format!(", by {by}"));
            format!("{}{by}", lines.join(", "))
        };
        let made: Vec<String> = lines.chunk_by(|one, other| one.by == other.by).map(made).collect();
        let said = words(&*view, entry, viewer).map_or_else(String::new, |words| format!(" ({})", quote(&words)));
        // What is announced first may be about something else where several things are made.
        let is_own =
            lines.iter().any(|Changed { by, .. }| by.document.is_none() && by.line.is_none() && by.at.is_none());
        let told = Some(announced(Some(&open))).filter(|told| is_own && !told.is_empty());
        let told = told.map_or_else(String::new, |told| format!("; announced: {told}"));
        let (when, made) = (instant(entry.at), made.join("; "));
        let cell = Cell::new(format!("entry {}, {when}, {}: {made}{said}{told}", entry.seq, entry.cause));
        (!lines.is_empty()).then(|| cell.showing(format!("entry/{}", entry.seq)))
    };
    let cells: Vec<Cell> = entries.iter().filter_map(cell).collect();
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

/// The rulings whose heading names a clause, such as `B15.19`. Also those on a whole rule where its clauses are counted
/// after a point and only `B15` is named.
fn ruling(rulings: &str, name: &str) -> Option<String> {
    fn numbered(text: &str) -> Vec<String> {
        text.split(|char: char| !char.is_alphanumeric() && char != '.')
            .map(|word| word.trim_matches('.').to_lowercase())
            .filter(|word| word.chars().any(|char| char.is_ascii_digit()))
            .collect()
    }
    let sections: Vec<(Vec<String>, &str)> = rulings
        .split("\n## ")
        .skip(1)
        // Another page of rulings may follow.
        .filter_map(|section| section.split("\n# ").next())
        .map(|section| (numbered(section.split([':', '\n']).next().unwrap_or_default()), section))
        .collect();
    let wanted = numbered(name);
    let of = |is: &dyn Fn(&str, &str) -> bool| {
        let named = |ids: &[String]| ids.iter().any(|id| wanted.iter().any(|wanted| is(id, wanted)));
        let found = sections.iter().filter(|(ids, _)| named(ids));
        found.map(|(_, section)| format!("Ruling {}", section.trim())).collect::<Vec<_>>()
    };
    let exact = of(&|id, wanted| id == wanted);
    let found = match exact.is_empty() {
        true => of(&|id, wanted| id.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))),
        false => exact,
    };
    (!found.is_empty()).then(|| found.join("\n\n"))
}

/// Whether a word is formed as the clauses are to which rulings belong: `N33` where there is one on `N36`.
fn is_clause(rulings: &str, word: &str) -> bool {
    let set = |word: &str| {
        let set: String =
            word.chars().take_while(char::is_ascii_alphabetic).map(|char| char.to_ascii_uppercase()).collect();
        let number = &word[set.len()..];
        let numbered = number.starts_with(|char: char| char.is_ascii_digit())
            && number.chars().all(|char| char.is_ascii_digit() || char == '.');
        (numbered && !set.is_empty()).then_some(set)
    };
    let heads = rulings.split("\n## ").skip(1).flat_map(|section| section.split([':', '\n']).next());
    let mut sets = heads.flat_map(|head| head.split([',', ' '])).filter_map(set);
    set(word.trim()).is_some_and(|wanted| sets.any(|set| set == wanted))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_clauses_where_rulings_are_on_such() {
        let rulings = "# Rulings\n\n## N6, N33: slips\n\nOne.\n\n## B15.6: revising\n\nTwo.\n";
        for (word, clause) in
            [("N1", true), ("n140", true), ("B2.3", true), ("J3", false), ("N", false), ("33", false), ("N3x", false)]
        {
            assert_eq!(is_clause(rulings, word), clause, "{word}");
        }
    }

    #[test]
    fn rulings_are_found_by_the_clause_in_their_heading() {
        let rulings = "# Rulings\n\n## J14: weeks\n\nThey begin on Monday.\n\n## J24: ties\n\nThe later ranks lower.\n";
        assert_eq!(ruling(rulings, "seed 000, J24").as_deref(), Some("Ruling J24: ties\n\nThe later ranks lower."));
        assert_eq!(ruling(rulings, "j24"), ruling(rulings, "J24"));
        assert_eq!(ruling(rulings, "J2"), None);
    }

    #[test]
    fn rulings_of_one_rule_are_told_apart_by_the_number_after_the_point() {
        let rulings =
            "# Rulings\n\n## B15.6: revising\n\nOne.\n\n## B15.19: voters\n\nTwo.\n\n## B1.5: rule 15\n\nThree.\n";
        assert_eq!(ruling(rulings, "B15.19").as_deref(), Some("Ruling B15.19: voters\n\nTwo."));
        assert_eq!(
            ruling(rulings, "B15").as_deref(),
            Some("Ruling B15.6: revising\n\nOne.\n\nRuling B15.19: voters\n\nTwo.")
        );
        assert_eq!(ruling(rulings, "B15.1"), None);
        assert_eq!(ruling(rulings, "proposal 15"), None);
    }

    #[test]
    fn changes_without_words_are_described_by_their_fields() {
        let change =
            |to: Json| -> Change { serde_json::from_value(json!({"row": {"table": "program", "to": to}})).unwrap() };
        let fields = json!({
            "by_master": false, "name": "Alpha", "owner": "player/ann", "revealed": null,
            "status": {"queued": {"lengths": [135, 150]}},
        });
        let told = "program: by master no, name Alpha, owner player/ann, status (queued lengths: 135 150)";
        assert_eq!(described(&change(fields), |_| None).as_deref(), Some(told));
        let next = change(json!({"next": {"at": "2026-11-23T00:00:00.25Z"}}));
        assert_eq!(described(&next, |_| None).as_deref(), Some("program next at: 2026-11-23 00:00 UTC"));
        let told = |_: &Change| Some("in its own words".to_owned());
        assert_eq!(described(&next, told).as_deref(), Some("in its own words"));
        assert_eq!(described(&next, |_| Some(String::new())), None);
    }

    #[test]
    fn a_number_that_is_searched_for_is_the_whole_number() {
        let needles = ["proposal 2".to_owned(), "\"rule\":\"time-out\",\"act\"".to_owned()];
        assert!(holds_any("dot votes 1 on proposal 2, tea", &needles));
        assert!(!holds_any("dot votes 1 on proposal 21, tea", &needles));
        assert!(holds_any("{\"rule\":{\"rule\":\"time-out\",\"act\":\"repeal\"}}", &needles));
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(shortened("one two  three", 13), "one two three");
        assert_eq!(shortened("one two three", 12), "one two …");
        assert_eq!(shortened("one two three", 7), "one two …");
        assert_eq!(shortened("onetwothree", 7), "onetwot…");
    }
}
