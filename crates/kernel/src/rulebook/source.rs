//! A rule's text: what is stored, what players see, and which places of it the game plays by.
//!
//! The stored text is Markdown in which `[48](#timeout-hours)` marks a live number, and `[Goethe](#@contestmaster)` a
//! live name. `[mackerel](#=mackerel)` marks the definition of a term, and `[Player](#-term)` a word that is no term.
//! Players read, quote, amend and infect the *visible* text, which is the stored one without that markup. Emphasis,
//! lists and ordinary links stay as they were typed. Reading goes in two steps.
//!
//! 1. Markup is taken off, outside fenced code. Brackets match as brackets do, so markup may nest. A closing `](#key)`
//!    without an opening bracket in the same paragraph is plain text. Where taking markup off would bring forth new
//!    markup or new fences, the whole text is plain: visible text can always be typed back.
//! 2. In the visible text, comments are found: from `/*` to the first `*/`, from `[[` to the first `]]`, whichever
//!    opens first. Other marks inside are plain, and an opener without its closer is plain text. Inside fences, in
//!    `code` and between double quotation marks (`"/*"`) a mark is only mentioned and opens nothing. What stands in
//!    comments stays readable and defines nothing.
//!
//! The scanner is this project's own. A journal must read the same in ten years, and a Markdown library mends its
//! parser. What a key means stands in `keys`, which rule wins in `book`. Rulebooks that come without markup get theirs
//! in `binding`.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use super::numeral::{self, Form, Numeral};

/// Most attempts at finding the marks that cannot be written; those left by then are left out.
const TRIES_MAX_COUNT: usize = 200;
/// Longest key, in bytes.
pub const KEY_MAX_BYTES: usize = 64;

/// What a marked place of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Mark {
    /// `#timeout-hours`: a figure that the game plays by.
    Number,
    /// `#@contestmaster`: a name that the game plays by.
    Name,
    /// `#=mackerel`: the place that defines a term; what follows the sign is the meaning.
    Term,
    /// `#-term`: a word that is excluded from what the key names.
    Excluded,
}

impl Mark {
    /// What kind of place a key marks, its sign included.
    pub fn of(key: &str) -> Self {
        match key.as_bytes().first() {
            Some(b'@') => Self::Name,
            Some(b'=') => Self::Term,
            Some(b'-') => Self::Excluded,
            _ => Self::Number,
        }
    }

    /// Whether the game plays by what stands there: terms and words that are none join rules, and give nothing.
    pub fn gives(self) -> bool {
        matches!(self, Self::Number | Self::Name)
    }
}

/// A marked place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The key as written after the `#`, its sign included: `timeout-hours`, `@contestmaster`, `=mackerel`.
    pub key: Arc<str>,
    /// Where it stands in the visible text, in bytes.
    pub at: Range<usize>,
    /// Whether it counts: it does not where it begins in a comment.
    pub counts: bool,
}

impl Span {
    /// What kind of place it is.
    pub fn mark(&self) -> Mark {
        Mark::of(&self.key)
    }

    /// The key without its sign.
    pub fn name(&self) -> &str {
        self.key.trim_start_matches(['@', '=', '-'])
    }
}

/// A fenced block of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fence {
    /// What is written after the opening fence: the language.
    pub info: String,
    /// Where its content stands in the visible text, in bytes, the last newline included.
    pub at: Range<usize>,
    /// Whether it counts: it does not where it begins in a comment.
    pub counts: bool,
}

/// Most bytes of texts that are kept read: the rulebooks of some hundred rooms that differ.
const KEPT_MAX_BYTES: usize = 16 * 1024 * 1024;

/// Texts that were read, by their sources.
#[derive(Default)]
struct Kept {
    texts: HashMap<Arc<str>, Arc<Text>>,
    bytes: usize,
}

/// A text with its projection. Two texts are equal when their sources are.
#[derive(Clone, Debug)]
pub struct Text {
    source: Arc<str>,
    visible: Arc<str>,
    spans: Vec<Span>,
    fences: Vec<Fence>,
    comments: Vec<Range<usize>>,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Text {}

impl Text {
    /// Reads a stored text. Any text is one.
    pub fn parse(source: impl Into<Arc<str>>) -> Self {
        let source = source.into();
        let (visible, spans) = unmark(&source);
        let mut text = Self { visible: visible.into(), spans, fences: fences(&source), comments: Vec::new(), source };
        let again = unmark(&text.visible);
        let fences_seen = fences(&text.visible);
        let same = fences_seen.len() == text.fences.len()
            && text.fences.iter().zip(&fences_seen).all(|(stored, seen)| {
                text.source[stored.at.clone()] == text.visible[seen.at.clone()] && stored.info == seen.info
            });
        text.fences = fences_seen;
        if !again.1.is_empty() || !same {
            text.visible = text.source.clone();
            text.spans = Vec::new();
            text.fences = fences(&text.source);
        }
        text.comments = comments(&text.visible, &text.fences);
        for fence in &mut text.fences {
            fence.counts = !inside(&text.comments, fence.at.start);
        }
        for span in &mut text.spans {
            span.counts = !inside(&text.comments, span.at.start);
        }
        text
    }

    /// The same, read once and shared: each text of a rulebook is read by the draft that enacts it, by the fold of its
    /// entry, by every replay, and in every room that opens with it.
    pub fn shared(source: &Arc<str>) -> Arc<Self> {
        static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Default::default);
        let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().texts.get(source) {
            return known.clone();
        }
        let text = Arc::new(Self::parse(source.clone()));
        let mut kept = kept();
        if kept.bytes + source.len() > KEPT_MAX_BYTES {
            *kept = Kept::default();
        }
        if source.len() <= KEPT_MAX_BYTES {
            kept.bytes += source.len();
            kept.texts.insert(source.clone(), text.clone());
        }
        text
    }

    /// Writes markup into a visible text: the stored text whose projection is `visible` with these marked places, as
    /// far as that can be had. Places that lie in a fence, overlap another in part, or would change how the rest
    /// reads are left out; the caller compares.
    pub fn marked(visible: &str, places: &[(Arc<str>, Range<usize>)]) -> Self {
        let plain = Self::parse(visible);
        let mut kept: Vec<&(Arc<str>, Range<usize>)> = Vec::new();
        for place in places {
            let (key, at) = place;
            let fits = is_key(key)
                && !at.is_empty()
                && visible.get(at.clone()).is_some()
                && kept.iter().all(|(_, other)| nests(at, other))
                && plain.fences.iter().all(|fence| at.end <= fence.at.start || fence.at.end <= at.start);
            if fits {
                kept.push(place);
            }
        }
        let holds = |text: &Self, kept: &[&(Arc<str>, Range<usize>)]| {
            *text.visible == *visible
                && text.spans.len() == kept.len()
                && kept.iter().all(|(key, at)| text.spans.iter().any(|span| span.key == *key && span.at == *at))
        };
        let all = Self::parse(write(visible, &kept));
        if holds(&all, &kept) {
            return all;
        }
        // Some place spoils the rest: look for it by halves.
        let mut sure: Vec<&(Arc<str>, Range<usize>)> = Vec::new();
        let mut best = plain;
        let mut batches = vec![kept];
        let mut tries = 0;
        while let Some(mut batch) = batches.pop() {
            tries += 1;
            if tries > TRIES_MAX_COUNT {
                break;
            }
            let all: Vec<_> = sure.iter().chain(&batch).copied().collect();
            let text = Self::parse(write(visible, &all));
            if holds(&text, &all) {
                (sure, best) = (all, text);
            } else if batch.len() > 1 {
                let second = batch.split_off(batch.len() / 2);
                batches.extend([second, batch]);
            }
        }
        best
    }

    /// The text as it is stored, markup included.
    pub fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// The text as players read it.
    pub fn visible(&self) -> &Arc<str> {
        &self.visible
    }

    /// The marked places in order of their beginnings, outer before inner; those in comments too.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The fenced blocks of code, in order; those in comments too.
    pub fn fences(&self) -> &[Fence] {
        &self.fences
    }

    /// Where its words end, in bytes: before the blocks at its end that say in which language they are.
    pub fn end_of_words(&self) -> usize {
        let mut end = self.visible.len();
        for fence in self.fences.iter().rev().filter(|fence| !fence.info.is_empty()) {
            let closes = |rest: &str| rest.trim().chars().all(|c| matches!(c, '`' | '~'));
            if self.visible.get(fence.at.end..end).is_none_or(|rest| !closes(rest)) {
                break;
            }
            let before = self.visible[..fence.at.start].trim_end();
            end = self.visible[..before.rfind('\n').unwrap_or_default()].trim_end().len();
        }
        end
    }

    /// Where comments stand in the visible text, their marks included, in bytes and in order.
    pub fn comments(&self) -> &[Range<usize>] {
        &self.comments
    }

    /// What players read, without comments: what can define anything.
    pub fn in_force(&self) -> String {
        let mut out = String::with_capacity(self.visible.len());
        let mut from = 0;
        for comment in &self.comments {
            out.push_str(&self.visible[from..comment.start]);
            from = comment.end;
        }
        out.push_str(&self.visible[from..]);
        out
    }

    /// Where people read no words: code with the lines of its fences, and addresses. In bytes of the visible text and in
    /// order.
    pub(super) fn unread(&self) -> Vec<Range<usize>> {
        let text = &*self.visible;
        let (mut found, mut from) = (Vec::new(), 0);
        let fenced = self.fences.iter().map(|fence| {
            let opens = text[..fence.at.start].trim_end_matches('\n').rfind('\n').map_or(0, |before| before + 1);
            opens..fence.at.end
        });
        for fence in fenced.chain(std::iter::once(text.len()..text.len())) {
            if from < fence.start {
                let piece = &text[from..fence.start];
                let hidden = code(piece).into_iter().chain(addresses(piece));
                found.extend(hidden.map(|at| at.start + from..at.end + from));
            }
            from = from.max(fence.end);
            found.push(fence);
        }
        found.retain(|at| !at.is_empty());
        found.sort_by_key(|at| (at.start, at.end));
        // Code may lie in the target of a link: what is asked of them needs them apart.
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for at in found {
            match apart.last_mut() {
                Some(last) if at.start < last.end => last.end = last.end.max(at.end),
                _ => apart.push(at),
            }
        }
        apart
    }

    /// The words that no machinery reads: without comments, code, and what is marked to be played by.
    pub fn words(&self) -> String {
        let fences = self.fences.iter().map(|fence| &fence.at);
        let marked = |span: &&Span| span.mark().gives();
        let marks = self.spans.iter().filter(marked).map(|span| &span.at);
        let mut cuts: Vec<&Range<usize>> = fences.chain(marks).chain(&self.comments).collect();
        cuts.sort_by_key(|cut| cut.start);
        let (mut out, mut from) = (String::with_capacity(self.visible.len()), 0);
        for cut in cuts.into_iter().filter(|cut| !cut.is_empty()) {
            out.push_str(self.visible.get(from..cut.start).unwrap_or_default());
            // What is gone leaves a place: a figure more or less is another text.
            out.push_str(if inside(&self.comments, cut.start) { "" } else { "#" });
            from = from.max(cut.end);
        }
        out.push_str(&self.visible[from..]);
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What a marked place shows.
    pub fn shown(&self, span: &Span) -> &str {
        &self.visible[span.at.clone()]
    }

    /// The whole numeral of which a marked place holds a part only: `[6] + 1/403`, `-[6]`, `[9:00] pm`. Of `2nd` and
    /// `4E15` the figure alone is marked.
    pub fn beyond(&self, span: &Span) -> Option<&str> {
        let found = numeral::numerals(&self.visible, true);
        let whole = found.iter().find(|one| {
            let over = one.at.start < span.at.end && span.at.start < one.at.end;
            let more = one.at.start < span.at.start || span.at.end < one.at.end;
            over && more && !matches!(one.form, Form::Ordinal | Form::Reference | Form::Date)
        })?;
        self.visible.get(whole.at.start.min(span.at.start)..whole.at.end.max(span.at.end))
    }

    /// Every numeral that people read in this text, comments and code included: not in link targets or addresses.
    pub fn numerals(&self, words: bool) -> Vec<Numeral> {
        let hidden = addresses(&self.visible);
        let mut found = numeral::numerals(&self.visible, words);
        found.retain(|numeral| !inside(&hidden, numeral.at.start));
        found
    }
}

/// Whether a text can be a key, its sign included.
pub fn is_key(key: &str) -> bool {
    let name = key.strip_prefix(['@', '=', '-']).unwrap_or(key);
    key.len() <= KEY_MAX_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~'))
}

/// Whether a place lies in one of some ranges, which are in order.
pub(super) fn inside(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

fn nests(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.end <= other.start
        || other.end <= one.start
        || (one != other
            && ((one.start <= other.start && other.end <= one.end)
                || (other.start <= one.start && one.end <= other.end)))
}

/// Writes markup; places nest properly.
fn write(visible: &str, places: &[&(Arc<str>, Range<usize>)]) -> String {
    // Openers at one offset: the longest first. Closers: the last opened first, before any opener there.
    let mut openers: Vec<_> = places.to_vec();
    openers.sort_by_key(|(_, at)| (at.start, usize::MAX - at.end));
    let mut out = String::with_capacity(visible.len() + places.len() * 16);
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut next = openers.into_iter().peekable();
    let mut done = 0;
    loop {
        let opens = next.peek().map(|(_, at)| at.start);
        let closes = open.last().map(|(_, end)| *end);
        let Some(at) = opens.into_iter().chain(closes).min() else { break };
        out.push_str(&visible[done..at]);
        done = at;
        if closes == Some(at) {
            if let Some((key, _)) = open.pop() {
                out.push_str("](#");
                out.push_str(key);
                out.push(')');
            }
        } else if let Some((key, at)) = next.next() {
            out.push('[');
            open.push((key, at.end));
        }
    }
    out.push_str(&visible[done..]);
    out
}

/// Takes markup off: the visible text and the marked places in it.
fn unmark(source: &str) -> (String, Vec<Span>) {
    let fences = fences(source);
    let bytes = source.as_bytes();
    // Byte ranges of the source that are markup, found first and removed after.
    let mut marks: Vec<(usize, Range<usize>, &str)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut fence = fences.iter().peekable();
    while at < bytes.len() {
        if let Some(next) = fence.peek()
            && at >= next.at.start
        {
            open.clear();
            at = at.max(next.at.end);
            fence.next();
            continue;
        }
        match bytes[at] {
            b'[' => open.push(at),
            b']' => {
                let opener = open.pop();
                if let (Some(opener), Some(key)) = (opener, key_after(&source[at..])) {
                    let end = at + key.len() + 4;
                    if opener + 1 < at {
                        marks.push((opener, at..end, key));
                        at = end;
                        continue;
                    }
                }
            }
            b'\n' if blank_line(&bytes[at + 1..]) => open.clear(),
            _ => {}
        }
        at += 1;
    }
    let mut cuts: Vec<Range<usize>> =
        marks.iter().flat_map(|(opener, closer, _)| [*opener..opener + 1, closer.clone()]).collect();
    cuts.sort_by_key(|cut| cut.start);
    let mut visible = String::with_capacity(source.len());
    let mut done = 0;
    // How much was cut before each cut, to turn places of the source into places of the visible text.
    let mut removed = Vec::with_capacity(cuts.len());
    let mut total = 0;
    for cut in &cuts {
        visible.push_str(&source[done..cut.start]);
        done = cut.end;
        removed.push(total);
        total += cut.len();
    }
    visible.push_str(&source[done..]);
    let seen = |place: usize| {
        let index = cuts.partition_point(|cut| cut.start < place);
        place - removed.get(index).copied().unwrap_or(total)
    };
    let mut spans: Vec<Span> = marks
        .iter()
        .map(|(opener, closer, key)| Span {
            key: (*key).into(),
            at: seen(*opener + 1)..seen(closer.start),
            counts: true,
        })
        .collect();
    spans.sort_by_key(|span| (span.at.start, usize::MAX - span.at.end));
    (visible, spans)
}

/// The key of a closing `](#key)` that a text begins with.
fn key_after(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("](#")?;
    let end = rest.bytes().take(KEY_MAX_BYTES + 1).position(|byte| byte == b')')?;
    rest.get(..end).filter(|key| is_key(key))
}

fn blank_line(rest: &[u8]) -> bool {
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.iter().all(u8::is_ascii_whitespace)
}

/// Fenced blocks. One begins with a line of three or more backticks or tildes, with at most three blanks before them.
/// It ends with a line of at least as many alone, or with the text.
pub fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut open: Option<(u8, usize, Fence)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let body = line.trim_start_matches(' ');
        let mark = body.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'));
        let count = mark.map_or(0, |mark| body.bytes().take_while(|byte| *byte == mark).count());
        let fenced = count >= 3 && line.len() - body.len() <= 3;
        let info = body[count..].trim();
        match &mut open {
            Some((mark_open, count_open, fence)) => {
                if fenced && mark == Some(*mark_open) && count >= *count_open && info.is_empty() {
                    fence.at.end = start;
                    found.extend(open.take().map(|(_, _, fence)| fence));
                } else {
                    fence.at.end = end;
                }
            }
            None if fenced && !(mark == Some(b'`') && info.contains('`')) => {
                let fence = Fence { info: info.to_owned(), at: end..end, counts: true };
                open = mark.map(|mark| (mark, count, fence));
            }
            None => {}
        }
    }
    found.extend(open.map(|(_, _, fence)| fence));
    found
}

/// Comments in a visible text, their marks included. For documents that are no rules (proposals, votes) too.
pub fn comments(text: &str, fences: &[Fence]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let code = code(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    // An opener whose closer does not follow need not look again: keeps the scan linear.
    let (mut no_star, mut no_bracket) = (false, false);
    let mut fence = fences.iter().peekable();
    let mut at = 0;
    while at + 1 < bytes.len() {
        while let Some(next) = fence.next_if(|next| next.at.start <= at) {
            at = at.max(next.at.end);
        }
        if at + 1 >= bytes.len() {
            break;
        }
        let (closer, none) = match &bytes[at..at + 2] {
            b"/*" => ("*/", &mut no_star),
            b"[[" => ("]]", &mut no_bracket),
            _ => {
                at += 1;
                continue;
            }
        };
        let quoted = at > 0 && bytes[at - 1] == b'"' && bytes.get(at + 2) == Some(&b'"');
        if *none || quoted || inside(&code, at) {
            at += 1;
            continue;
        }
        match text[at + 2..].find(closer) {
            Some(offset) => {
                let end = at + 2 + offset + 2;
                found.push(at..end);
                at = end;
            }
            None => {
                *none = true;
                at += 1;
            }
        }
    }
    found
}

/// A text with blanks where its comments stand, byte for byte as long as before. For documents that are no rules.
pub fn blanked(text: &str) -> String {
    let mut seen = text.to_owned();
    for comment in comments(text, &fences(text)) {
        let blanks = " ".repeat(comment.len());
        seen.replace_range(comment, &blanks);
    }
    seen
}

/// A text in pieces, each with whether it is a comment, which a reader sees dimmed. For documents that are no rules.
pub fn asides(text: &str) -> Vec<(bool, &str)> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    for comment in comments(text, &fences(text)) {
        pieces.push((false, &text[at..comment.start]));
        at = comment.end;
        pieces.push((true, &text[comment]));
    }
    pieces.push((false, &text[at..]));
    pieces.retain(|(_, piece)| !piece.is_empty());
    pieces
}

/// Where `code` stands in a text: from a run of backticks to the next run of the same length in the same paragraph.
fn code(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    // Runs of backticks, and in between, ends of paragraphs as runs of length zero.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let count = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
        if count > 0 || (bytes[at] == b'\n' && blank_line(&bytes[at + 1..])) {
            runs.push((at, count));
        }
        at += count.max(1);
    }
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, (_, count)) in runs.iter().enumerate() {
        last.insert(*count, index);
    }
    let mut found = Vec::new();
    let mut index = 0;
    while index < runs.len() {
        let (start, count) = runs[index];
        let possible = count > 0 && last.get(&count).is_some_and(|last| *last > index);
        let closer = possible
            .then(|| runs[index + 1..].iter().take_while(|run| run.1 > 0).position(|run| run.1 == count))
            .flatten();
        if let Some(offset) = closer {
            index += offset + 1;
            found.push(start..runs[index].0 + count);
        }
        index += 1;
    }
    found
}

/// Where people do not read: targets of ordinary links, and bare addresses.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let link = rest.find("](").map(|offset| (offset + 2, ')'));
        let bare = rest.find("://").map(|offset| (offset + 3, ' '));
        let Some((offset, stop)) = link.into_iter().chain(bare).min() else { break };
        let start = at + offset;
        let end = text[start..].find(|c: char| c == stop || c.is_whitespace()).map_or(text.len(), |end| start + end);
        found.push(start..end);
        at = end.max(start);
    }
    found
}

#[cfg(test)]
mod tests;
