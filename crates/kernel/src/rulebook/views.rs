//! The rulebook as documents: the list of rules, one rule with its figures, its history, a search.
//!
//! Rules are shown as players read them, without markup. Under the text stand the figures that the game plays by. Each
//! is a cell that knows its place (`rule/time-out.timeout-hours`), so that `/why` and completion read it backwards. A
//! book of the past is shown by the same functions. What a game writes before the number of a rule (`4E15`) comes as
//! `numbering`.

use std::cmp::Reverse;

use super::{
    amend::{Outcome, Rebinding},
    book::{Done, Revision, Rule, Rulebook, laws_in},
    diff,
    keys::{Keys, LiveKey, NumKind},
    live::{Live, forgotten},
    source::{Mark, Span, Text},
};
use crate::Path;
use crate::Refusal;
use crate::display::{Block, Cell, Document, cells};
use crate::time::minute;

/// Most places that a search shows.
pub const HITS_MAX_COUNT: usize = 50;
/// Most revisions whose changes one page shows.
pub const CHANGES_MAX_COUNT: usize = 50;
/// Most revisions that stand below a rule, a line each.
const HISTORY_MAX_COUNT: usize = 20;
/// How much text stands on either side of what was searched for, in characters.
const EXCERPT_CHARS: usize = 60;

/// The rules in force.
pub fn list(book: &Rulebook, numbering: &str) -> Document {
    list_by(book, numbering, &|_| None)
}

/// The rules in force with their versions, where the game counts by these and not by revisions.
pub fn list_by(book: &Rulebook, numbering: &str, version: &dyn Fn(&Rule) -> Option<u32>) -> Document {
    let counted = if book.rules().into_iter().any(|rule| version(rule).is_some()) { "Version" } else { "Revision" };
    let row = |rule: &Rule| {
        let name = Cell::new(shown_title(rule.title())).from_path(path(rule, "text"));
        let since = rule.revisions().last().map(|now| minute(now.at)).unwrap_or_default();
        vec![
            Cell::new(format!("{numbering}{}", rule.number())).completing(rule.id().to_string()),
            name.completing(rule.id().to_string()).showing(format!("rule/{}", rule.id())),
            Cell::new(version(rule).unwrap_or_else(|| rule.revision()).to_string()),
            Cell::new(since),
        ]
    };
    let rules = book.rules();
    let page = Document::titled("rules", "Rules");
    if rules.is_empty() {
        return page.para("No rule is in force.");
    }
    page.table(["No.", "Title", counted, "Since"], rules.into_iter().map(row))
}

/// One rule of a book: its text, and the figures in it.
pub fn rule(rule: &Rule, book: &Rulebook, keys: &Keys, numbering: &str) -> Document {
    let mut page = Document::titled(format!("rule/{}", rule.id()), heading(rule, numbering));
    if !rule.in_force() {
        let since = rule.revisions().last().map(|now| minute(now.at)).unwrap_or_default();
        page = page.para(format!("Repealed {since}."));
    }
    page.blocks.extend(blocks(rule.text()));
    page.blocks.extend(unplayed(rule, numbering).map(Block::Para));
    for (name, value) in rule.fields() {
        page = page.para(format!("{name}: {value}"));
    }
    let figures: Vec<Vec<Cell>> = rule
        .text()
        .spans()
        .iter()
        .filter(|span| span.counts && span.mark().gives())
        .map(|span| figure(rule, book, span, keys, numbering))
        .collect();
    if !figures.is_empty() {
        page = page.table(["Now", "Figure", "Key"], figures);
    }
    page
}

fn figure(rule: &Rule, book: &Rulebook, span: &Span, keys: &Keys, numbering: &str) -> Vec<Cell> {
    let shown = rule.text().shown(span);
    let key = keys.get(&span.key);
    // Of several places that give a figure one decides; whoever reads another must not take it for what is played.
    let decides = key.and_then(|key| match key.kind {
        NumKind::List => book.places(key.key).next().filter(|(first, _)| first.id() != rule.id()),
        _ => book.places(key.key).next().filter(|(first, at)| first.id() != rule.id() || *at != span),
    });
    if let (Some(key), Some((first, at)), true) = (key, decides, rule.in_force()) {
        let says = format!(
            "{}: not played by, since {} says {}",
            key.meaning,
            heading(first, numbering),
            first.text().shown(at)
        );
        return cells![Cell::new(shown).from_path(path(rule, &span.key)), says, Cell::named(span.name())];
    }
    let wrong = key.and_then(|key| match key.kind {
        NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => key.read_name(shown).err(),
        NumKind::List => key.read_list(shown).err(),
        _ => key.read(shown).err(),
    });
    let meaning = key.map_or("not played by", |key| key.meaning);
    let meaning = wrong.map_or_else(|| meaning.to_owned(), |why| format!("{meaning}: unusable, {why}"));
    cells![Cell::new(shown).from_path(path(rule, &span.key)), meaning, Cell::named(span.name())]
}

/// How a rule came to be as it is, newest first; of a long history the latest, and where it goes on. Its revisions are
/// numbered where `counted` says that the game counts by them.
pub fn history(rule: &Rule, numbering: &str, counted: bool) -> Document {
    let row = |(index, revision): (usize, &Revision)| {
        let before = index.checked_sub(1).and_then(|index| rule.revisions().get(index));
        cells![
            Cell::new(revision.seq.to_string())
                .completing(revision.seq.to_string())
                .showing(format!("entry/{}", revision.seq)),
            minute(revision.at),
            what(before, revision, numbering, counted),
            &*revision.why,
        ]
    };
    let rows: Vec<Vec<Cell>> = rule.revisions().iter().enumerate().rev().take(HISTORY_MAX_COUNT).map(row).collect();
    let page = Document::titled(format!("rule/{}/history", rule.id()), format!("History of {}", rule.label()));
    let left = rule.revisions().len() - rows.len();
    let page = page.table(["Entry", "When", "What", "Why"], rows).going_on(left, &older(rule, left));
    match rule.revisions().len().checked_sub(2).and_then(|index| change(rule, index + 1)) {
        Some(diff) => page.para("The last change of the text:").with(diff),
        None => page,
    }
}

/// Where the history of a rule is shown but for its latest revisions: so many are left.
fn older(rule: &Rule, left: usize) -> String {
    format!("rule/{}/history/{left}", rule.id())
}

/// All that was ever changed in the text of a rule, newest first, [`CHANGES_MAX_COUNT`] revisions a page. Or it is its
/// first so many revisions, in the same order. Revisions are numbered as in [`history`].
pub fn changes(rule: &Rule, first: Option<usize>, numbering: &str, counted: bool) -> Document {
    let title = format!("All changes of {}", rule.label());
    let mut page = Document::titled(format!("rule/{}/history", rule.id()), title);
    let end = first.unwrap_or(usize::MAX).min(rule.revisions().len());
    let start = end.saturating_sub(CHANGES_MAX_COUNT);
    for (index, revision) in rule.revisions().iter().enumerate().take(end).skip(start).rev() {
        let before = index.checked_sub(1).and_then(|index| rule.revisions().get(index));
        let (when, what) = (minute(revision.at), what(before, revision, numbering, counted));
        let why = if revision.why.is_empty() { String::new() } else { format!(" ({})", revision.why) };
        let cell = Cell::new(format!("Entry {}, {when}: {what}{why}", revision.seq));
        page = page.with(Block::List(vec![cell.showing(format!("entry/{}", revision.seq))]));
        page.blocks.extend(change(rule, index));
    }
    page.going_on(start, &older(rule, start))
}

/// What one revision changed in the text that people read, counted from 0; `None` where it changed nothing there.
pub fn change(rule: &Rule, index: usize) -> Option<Block> {
    let now = rule.revisions().get(index)?;
    let before = index.checked_sub(1).and_then(|index| rule.revisions().get(index));
    let seen = |revision: &Revision| Text::parse(revision.source.clone()).visible().clone();
    diff::block(&before.map(seen).unwrap_or_default(), &seen(now))
}

/// The difference between two states of a rulebook, rule by rule, for dry runs.
pub fn difference(before: &Rulebook, after: &Rulebook, numbering: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for rule in after.all() {
        let was = before.get(rule.id()).filter(|was| was.in_force());
        let say = match (was, rule.in_force()) {
            (None, false) => continue,
            (Some(was), true) if was.revisions().len() == rule.revisions().len() => continue,
            (None, true) => format!("New: {}", heading(rule, numbering)),
            (Some(was), false) => format!("Repealed: {}", heading(was, numbering)),
            (Some(was), true) => {
                let (old, new) = (heading(was, numbering), heading(rule, numbering));
                if old == new { new } else { format!("{new} (was {old})") }
            }
        };
        let none = std::collections::BTreeMap::new();
        let fields = rule.in_force().then(|| fields(was.map_or(&none, |was| was.fields()), rule.fields()));
        let fields = fields.into_iter().flatten();
        let say = [say].into_iter().chain(fields).collect::<Vec<_>>().join("\n");
        blocks.push(Block::Para(say));
        let old = was.map(|was| was.text().visible().clone()).unwrap_or_default();
        let new = if rule.in_force() { rule.text().visible().clone() } else { "".into() };
        blocks.extend(diff::block(&old, &new).filter(|_| rule.in_force()));
    }
    blocks
}

fn fields<'a>(
    was: &'a std::collections::BTreeMap<String, String>,
    now: &'a std::collections::BTreeMap<String, String>,
) -> impl Iterator<Item = String> + 'a {
    let changed = now.iter().filter(move |(name, value)| was.get(*name) != Some(value));
    let set = changed.map(move |(name, value)| match was.get(name) {
        Some(was) => format!("{name}: {was} becomes {value}"),
        None => format!("{name}: {value}"),
    });
    set.chain(was.keys().filter(move |name| !now.contains_key(*name)).map(|name| format!("{name}: gone")))
}

/// What became of one place of a figure; nothing where it only moved.
fn rebinding(line: &Rebinding, keys: &Keys) -> Option<Vec<Cell>> {
    if line.outcome == Outcome::Found && line.old == line.new {
        return None;
    }
    let key = keys.get(&line.key);
    let cell = |text: &Option<String>| Cell::new(text.clone().unwrap_or_else(|| "nothing".to_owned()));
    let note = match line.outcome {
        Outcome::Found | Outcome::Written => String::new(),
        Outcome::Hidden => "no longer counts, being in a comment".to_owned(),
        Outcome::Lost => key.map_or_else(|| "lost".to_owned(), |key| format!("lost: {}", key.absent)),
    };
    let meaning = key.map_or_else(|| line.key.to_string(), |key| key.meaning.to_owned());
    Some(vec![
        Cell::new(meaning).completing(line.key.trim_start_matches('@')),
        cell(&line.old),
        cell(&line.new),
        Cell::new(note),
    ])
}

/// What a moderator types where no rule gives a figure any more, as a sentence. It comes with the number of the rule
/// that gave it, where that is in force.
pub fn mending(before: &Rulebook, after: &Rulebook, key: &LiveKey) -> String {
    let gave = before.holders(key.key).find_map(|rule| after.in_force(rule.id()));
    let number = gave.map_or_else(|| "RULE".to_owned(), |rule| rule.number().to_string());
    format!("A moderator binds it by: ⁅rule bind {number} {} \"WORDS\"⁆", key.typed())
}

/// The figures that rules gave and none gives any more, in sentences that say what stops and how that is mended.
pub fn unbound(before: &Rulebook, after: &Rulebook, keys: &Keys) -> Vec<String> {
    let gone = before.unlike(after, keys).into_iter().filter(|key| forgotten(after, key) == Live::Absent);
    gone.map(|key| {
        let say = format!("No rule gives the {} any more, so {}.", key.meaning, key.absent);
        format!("{say} {}", mending(before, after, key))
    })
    .collect()
}

/// What the game plays by otherwise once the rules changed, and what became of other places of figures; `None` where
/// nothing did. A figure that another rule gives from then on is among them, though its own place is untouched.
pub fn figures(
    before: &Rulebook,
    after: &Rulebook,
    lines: &[Rebinding],
    keys: &Keys,
    numbering: &str,
) -> Option<Block> {
    let changed = before.unlike(after, keys);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for key in &changed {
        let giver = |book: &Rulebook| book.places(key.key).next().map(|(rule, _)| rule.id().clone());
        let note = match forgotten(after, key) {
            Live::Absent => format!("lost: {}", key.absent),
            Live::Broken { why, .. } => format!("unusable, {why}; so {}", key.absent),
            Live::Is { rule, .. } if giver(before).is_some_and(|was| was != rule) => {
                after.get(&rule).map(|rule| format!("{} gives it now", heading(rule, numbering))).unwrap_or_default()
            }
            Live::Is { .. } => String::new(),
        };
        let cell = |book: &Rulebook| Cell::new(decisive(book, key).unwrap_or_else(|| "nothing".to_owned()));
        let name = Cell::new(key.meaning).completing(key.typed());
        rows.push(vec![name, cell(before), cell(after), Cell::new(note)]);
    }
    let figures = lines.iter().filter(|line| Mark::of(&line.key).gives());
    for line in figures.filter(|line| changed.iter().all(|key| *key.key != *line.key)) {
        let played = keys.get(&line.key).and_then(|key| Some((key, decisive(after, key)?)));
        let Some((key, played)) = played.filter(|(_, played)| line.new.as_ref() != Some(played)) else {
            rows.extend(rebinding(line, keys));
            continue;
        };
        let giver = after.places(key.key).next().map(|(rule, _)| heading(rule, numbering));
        let here = if line.new.is_some() { "not played by" } else { "gone from here" };
        let note = format!("{here}: {} gives {played}", giver.unwrap_or_default());
        let cell = |text: &Option<String>| Cell::new(text.clone().unwrap_or_else(|| "nothing".to_owned()));
        rows.push(vec![
            Cell::new(key.meaning).completing(key.typed()),
            cell(&line.old),
            cell(&line.new),
            Cell::new(note),
        ]);
    }
    (!rows.is_empty()).then_some(Block::table(["Figure", "Was", "Becomes", "Note"], rows))
}

/// Why the program plays a rule otherwise than its words say, or not at all.
fn unplayed(rule: &Rule, numbering: &str) -> Option<String> {
    let (name, number) = (called(rule, numbering), rule.number());
    if rule.in_force() && rule.played().by_hand {
        let say = format!("The program does not play {name} any more: what it says is done by hand.");
        return Some(format!("{say} A moderator takes that back by: ⁅rule accept {number}⁆"));
    }
    let revision = rule.outdated()?;
    if laws_in(rule.text()).next().is_some() {
        let say = format!("Words of {name} changed since its revision {revision}, and its law did not.");
        let fits = format!("A proposal says that it still fits by: => confirm rule {number}");
        return Some(format!(
            "{say} {fits}. A moderator does by: ⁅rule accept {number}⁆, or ends the law by: ⁅rule by-hand {number}⁆"
        ));
    }
    let say = format!("The program plays {name} as of revision {revision}; these words changed.");
    Some(format!("{say} A moderator answers by: ⁅rule accept {number}⁆, or: ⁅rule by-hand {number}⁆"))
}

/// What players call a rule by its number: `4E15`, `rule 15`.
pub fn called(rule: &Rule, numbering: &str) -> String {
    if numbering.is_empty() { format!("rule {}", rule.number()) } else { format!("{numbering}{}", rule.number()) }
}

/// The same with its title: `rule 15, Tea`.
pub fn cited(rule: &Rule, numbering: &str) -> String {
    let title = if rule.title().is_empty() { String::new() } else { format!(", {}", rule.title()) };
    format!("{}{title}", called(rule, numbering))
}

/// The rules of which words changed that the program does not play, in sentences.
pub fn reworded(before: &Rulebook, after: &Rulebook, numbering: &str) -> Vec<String> {
    let changed = |rule: &&Rule| {
        let was = before.in_force(rule.id());
        was.is_some_and(|was| was.revision() != rule.revision() && was.text().words() != rule.text().words())
    };
    after.rules().into_iter().filter(changed).filter_map(|rule| unplayed(rule, numbering)).collect()
}

/// What rules were on as a whole, and no rule is on any more, in sentences.
pub fn given_up(before: &Rulebook, after: &Rulebook) -> Vec<String> {
    let gone = before.subjects().filter(|subject| after.establishes(subject).is_none());
    gone.map(|subject| {
        format!(
            "No rule is on “{subject}” any more, so nothing of it is played. A rule takes it up by the line “establishes: {subject}” at the head of its text."
        )
    })
    .collect()
}

/// The words that give a figure, where rules do.
fn decisive(book: &Rulebook, key: &LiveKey) -> Option<String> {
    let (rule, span) = book.places(key.key).next()?;
    Some(match key.kind {
        NumKind::List => rule.places(key.key).map(|span| rule.text().shown(span)).collect::<Vec<_>>().join(" "),
        _ => rule.text().shown(span).to_owned(),
    })
}

/// The figures that the game lacks as the rules read now, and what stops; `None` where it lacks none.
pub fn missing(book: &Rulebook, keys: &Keys) -> Option<Block> {
    let row = |(key, live): (&LiveKey, Live<()>)| {
        let why = match live {
            Live::Is { .. } => String::new(),
            Live::Absent => "no rule gives it".to_owned(),
            Live::Broken { rule, text, why } => {
                let label = book.get(&rule).map_or_else(|| rule.to_string(), Rule::label);
                format!("{label} says “{text}”: {why}")
            }
        };
        cells![key.meaning, why, key.absent, Cell::named(key.typed())]
    };
    let rows: Vec<Vec<Cell>> = book.missing(keys).into_iter().map(row).collect();
    (!rows.is_empty()).then_some(Block::table(["Figure", "What is wrong", "So", "Key"], rows))
}

/// Where words stand in the rules in force, titles included; case and white space are folded. Words that the rules take
/// for one thing (`alike`, in lower case) are found by any of them.
///
/// # Errors
///
/// Where there is nothing to look for, or nothing is found.
pub fn search(book: &Rulebook, words: &str, numbering: &str) -> Result<Document, Refusal> {
    let wanted = fold(words).0;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Err(Refusal::new("say which words to look for").instead("rule search WORDS"));
    }
    let mut all = book.terms().alike(wanted);
    all.insert(wanted.to_owned());
    let mut hits = Vec::new();
    let mut more = false;
    for rule in book.rules() {
        let visible = rule.text().visible();
        let (text, origin) = fold(visible);
        let title = fold(rule.title()).0;
        let titled = all.iter().any(|words| title.contains(words));
        let places = |words: &String| {
            text.match_indices(words.as_str()).map(|(at, words)| at..at + words.len()).collect::<Vec<_>>()
        };
        let mut places: Vec<_> = all.iter().flat_map(places).collect();
        places.sort_by_key(|place| (place.start, Reverse(place.end)));
        places.dedup_by(|later, earlier| later.start < earlier.end);
        let excerpts = places.into_iter().map(|place| excerpt(visible, origin[place.start]..origin[place.end]));
        let title = titled.then(|| "in its title".to_owned());
        for shown in title.into_iter().chain(excerpts) {
            more |= hits.len() == HITS_MAX_COUNT;
            if hits.len() < HITS_MAX_COUNT {
                let text = format!("{}: {shown}", heading(rule, numbering));
                hits.push(Cell::new(text).from_path(path(rule, "text")).completing(rule.id().to_string()));
            }
        }
    }
    if hits.is_empty() {
        return Err(Refusal::new(format!("no rule in force says “{}”", words.trim())).instead("rules"));
    }
    let page = Document::titled("rules/search", format!("“{}” in the rules", words.trim())).with(Block::List(hits));
    Ok(if more { page.para(format!("Only the first {HITS_MAX_COUNT} places are shown.")) } else { page })
}

/// A text in lower case with its white space folded, and where each byte comes from, the end included.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut origin = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
                origin.push(at);
            }
            continue;
        }
        for lower in c.to_lowercase() {
            out.push(lower);
            origin.extend(std::iter::repeat_n(at, lower.len_utf8()));
        }
    }
    origin.push(text.len());
    (out, origin)
}

fn excerpt(text: &str, at: std::ops::Range<usize>) -> String {
    let start = text[..at.start].char_indices().rev().take(EXCERPT_CHARS).last().map_or(at.start, |(at, _)| at);
    let end = text[at.end..].char_indices().nth(EXCERPT_CHARS).map_or(text.len(), |(offset, _)| at.end + offset);
    let body = text[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{before}{body}{after}")
}

/// Paragraphs, and fenced code as it stands.
fn blocks(text: &Text) -> Vec<Block> {
    let mut out = Vec::new();
    let visible = text.visible();
    let prose = |out: &mut Vec<Block>, stretch: &str| {
        for paragraph in stretch.split("\n\n").map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty()) {
            out.push(Block::Para(paragraph.to_owned()));
        }
    };
    let mut done = 0;
    for fence in text.fences().iter().filter(|fence| fence.counts) {
        let opening = visible[..fence.at.start].trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        prose(&mut out, &visible[done.min(opening)..opening]);
        out.push(Block::Code { lang: fence.info.clone(), text: visible[fence.at.clone()].to_owned() });
        done = visible[fence.at.end..].find('\n').map_or(visible.len(), |at| fence.at.end + at + 1);
    }
    prose(&mut out, &visible[done..]);
    out
}

fn what(before: Option<&Revision>, now: &Revision, numbering: &str, counted: bool) -> String {
    let nth = if counted { format!("revision {}: ", now.revision) } else { String::new() };
    match now.done {
        Done::Enacted => format!("enacted as {}", headed(now.number, &now.title, numbering)),
        Done::Amended => format!("{nth}text amended"),
        Done::Marked => "figures bound anew; the text is the same".to_owned(),
        Done::Settled if now.played.by_hand => "done by hand from then on; the text is the same".to_owned(),
        Done::Settled => "played as it reads; the text is the same".to_owned(),
        Done::Retitled => format!("{nth}titled “{}”", now.title),
        Done::Renumbered => format!("{nth}renumbered to {numbering}{}", now.number),
        Done::Changed => {
            let changes: Vec<String> =
                before.map(|before| fields(&before.fields, &now.fields).collect()).unwrap_or_default();
            format!("{nth}{}", changes.join("; "))
        }
        Done::Repealed => "repealed".to_owned(),
        Done::Restored => "in force again".to_owned(),
    }
}

fn heading(rule: &Rule, numbering: &str) -> String {
    headed(rule.number(), rule.title(), numbering)
}

fn headed(number: u32, title: &str, numbering: &str) -> String {
    format!("{numbering}{number}. {}", shown_title(title))
}

/// A rule's title where one stands, as lists of rules have it.
pub fn shown_title(title: &str) -> &str {
    if title.is_empty() { "(untitled)" } else { title }
}

/// Where a rule, or a figure in it, stands among all that can be named.
fn path(rule: &Rule, attr: &str) -> Path {
    Path::new(format!("rule/{}", rule.id()), attr)
}

#[cfg(test)]
mod tests;
