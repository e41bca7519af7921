//! A rulebook that a moderator brings along: a page of text, read as headed sections.
//!
//! Nomics keep their rules on wikis, in files and in mails. A page is read in its own style: wiki headings
//! (`== Robots ==`), Markdown ones (`## Robots`), numbered ones (`2. Robots`), or titles alone between blank lines.
//! Navigation, archive notes, dates and tables of contents around the rules are page furniture. They are left out, and
//! those lines are told. The figures of its sections are bound in `binding`.

mod furniture;
mod numbers;
mod style;

use std::ops::RangeInclusive;

use crate::Refusal;

pub use numbers::paragraphs;

/// Largest page, in bytes: five times the longest known ruleset. All of it stands in the first entry of its room.
pub const PAGE_MAX_BYTES: usize = 256 * 1024;
/// Most faults that a refusal lists; whoever mended these sends the page again.
const FAULTS_MAX_COUNT: usize = 8;
/// Most sections: a room with more rules than this at its opening is no nomic that anybody has read.
const SECTIONS_MAX_COUNT: usize = 500;

/// Most passages that are named as passed over.
const SKIPPED_MAX_COUNT: usize = 12;
/// Characters that are told of each of them.
const SKIPPED_MAX_CHARS: usize = 40;

/// What is said of a file that is a page for a browser.
pub const WEB_PAGE: &str = "a web page; use the raw text (many sites have a “raw” button)";

/// What a page of a wiki begins with that only leads to another.
const REDIRECT: &str = "#redirect";

/// A page of rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// Its own title, where it shows one.
    pub title: Option<String>,
    /// Its sections, in order; none is empty.
    pub sections: Vec<Section>,
    /// The lines that are page furniture, in order.
    pub skipped: Vec<RangeInclusive<usize>>,
}

impl Page {
    /// The lines that are page furniture, each passage with its first words, as a sentence; nothing where there are none.
    pub fn passed_over(&self, text: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        let named = self.skipped.iter().take(SKIPPED_MAX_COUNT).map(|at| {
            let words = at.clone().filter_map(|line| lines.get(line - 1)).flat_map(|line| line.split_whitespace());
            let words = words.collect::<Vec<_>>().join(" ");
            let shown: String = words.chars().take(SKIPPED_MAX_CHARS).collect();
            let more = if shown.len() < words.len() { "…" } else { "" };
            match at.start() == at.end() {
                true => format!("{} (“{shown}{more}”)", at.start()),
                false => format!("{} to {} (“{shown}{more}”)", at.start(), at.end()),
            }
        });
        let mut named: Vec<String> = named.collect();
        if let Some(more @ 1..) = self.skipped.len().checked_sub(SKIPPED_MAX_COUNT) {
            named.push(format!("and {more} more passages"));
        }
        (!named.is_empty()).then(|| format!("Passed over as page furniture: lines {}.", named.join(", ")))
    }

    /// Tells which lines are furniture.
    fn skipping(mut self, lines: &[&str], skip: &[bool]) -> Self {
        for line in (0..lines.len()).filter(|line| skip[*line]) {
            match self.skipped.last_mut() {
                Some(last) if lines[*last.end()..line].iter().all(|line| line.trim().is_empty()) => {
                    *last = *last.start()..=line + 1;
                }
                _ => self.skipped.push(line + 1..=line + 1),
            }
        }
        self
    }
}

/// A headed part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The line of its heading, from 1.
    pub line: usize,
    /// The number that stands before its title.
    pub number: Option<u32>,
    /// Its title, without number and markup.
    pub title: String,
    /// What stands under it, as Markdown.
    pub body: String,
}

/// Why a page cannot be read: lines from 1, each with what is wrong there as a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPage(pub Vec<(usize, String)>);

impl From<BadPage> for Refusal {
    fn from(bad: BadPage) -> Self {
        let mut lines: Vec<String> =
            bad.0.iter().take(FAULTS_MAX_COUNT).map(|(line, why)| format!("line {line}: {why}")).collect();
        if let Some(more @ 1..) = bad.0.len().checked_sub(FAULTS_MAX_COUNT) {
            lines.push(format!("and {more} more"));
        }
        Self::new(format!("that rulebook cannot be read: {}", lines.join("; ")))
    }
}

/// Reads a page.
///
/// # Errors
///
/// What is wrong with it and in which lines: no text, no headings, a heading that comes twice or has nothing under it.
pub fn read(text: &str) -> Result<Page, BadPage> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    if text.len() > PAGE_MAX_BYTES {
        let why = format!("the file has {} bytes, and {PAGE_MAX_BYTES} is the most", text.len());
        return Err(BadPage(vec![(1, why)]));
    }
    legible(&text)?;
    if text.trim_start().to_lowercase().starts_with(REDIRECT) {
        return Err(BadPage(vec![(1, "this page of a wiki only leads to another; give that one".to_owned())]));
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut skip = furniture::of(&lines);
    let style = style::of(&lines, &skip);
    let heads = style.headings(&lines, &skip);
    let Some(first) = heads.first() else {
        let why = "no heading stands in this file; a rule begins with a line like “== Robots ==”, “## Robots”, \
                   “2. Robots”, or “Robots” alone between blank lines";
        return Err(BadPage(vec![(1, why.to_owned())]));
    };
    if heads.len() > SECTIONS_MAX_COUNT {
        let why = format!("{} headings stand in this file, and {SECTIONS_MAX_COUNT} is the most", heads.len());
        return Err(BadPage(vec![(heads[SECTIONS_MAX_COUNT].line + 1, why)]));
    }
    // Rules are what most headings of one level are; headings below belong to the text of their rule.
    let rules = style::rule_level(&heads);
    for line in 0..first.line {
        skip[line] |= !lines[line].trim().is_empty();
    }
    let mut page = Page::default();
    let mut faults = Vec::new();
    let tops: Vec<usize> = (0..heads.len()).filter(|index| heads[*index].level <= rules).collect();
    for (place, index) in tops.iter().enumerate() {
        let head = &heads[*index];
        let end = tops.get(place + 1).map_or(lines.len(), |next| heads[*next].line);
        let body = style.body(&lines, &skip, head.line + 1..end, &heads);
        if body.is_empty() {
            // The title of the page, or of a part of it: nothing is lost with it.
            let above = tops.get(place + 1).is_some_and(|next| heads[*next].level > head.level);
            if place == 0 || above {
                page.title.get_or_insert_with(|| head.title.clone());
                skip[head.line] = true;
            } else {
                faults.push((head.line + 1, format!("nothing stands under “{}”", head.title)));
            }
            continue;
        }
        if let Some(twice) = page.sections.iter().find(|section| folded(&section.title) == folded(&head.title)) {
            let why = format!("“{}” stands in line {} already", head.title, twice.line);
            faults.push((head.line + 1, why));
            continue;
        }
        page.sections.push(Section { line: head.line + 1, number: head.number, title: head.title.clone(), body });
    }
    if page.sections.is_empty() && faults.is_empty() {
        faults.push((first.line + 1, format!("nothing stands under “{}”", first.title)));
    }
    if !faults.is_empty() {
        return Err(BadPage(faults));
    }
    Ok(page.skipping(&lines, &skip))
}

/// What pages for a browser begin with, in lower case.
const BROWSERS: [&str; 2] = ["<!doctype html", "<html"];

/// Refuses what is no text, and what is made for a browser.
///
/// # Errors
///
/// The lines that are none.
pub fn legible(text: &str) -> Result<(), BadPage> {
    let head = text.trim_start_matches(['\u{feff}', ' ', '\t', '\n']).as_bytes();
    let is_begun = |mark: &&str| head.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark.as_bytes()));
    if BROWSERS.iter().any(is_begun) {
        return Err(BadPage(vec![(1, format!("it is {WEB_PAGE}"))]));
    }
    let strange = |c: char| c == '\u{fffd}' || (c.is_control() && !matches!(c, '\n' | '\t'));
    let faults = text.lines().enumerate().filter_map(|(index, line)| {
        let found = line.chars().find(|c| strange(*c))?;
        let why = match found {
            '\u{fffd}' => "it holds bytes that are no UTF-8 text; save the file as UTF-8",
            _ => "it holds control characters, as no text does",
        };
        Some((index + 1, why.to_owned()))
    });
    let faults: Vec<_> = faults.collect();
    if faults.is_empty() { Ok(()) } else { Err(BadPage(faults)) }
}

/// A title by which it is compared: its letters and digits in lower case, without an article before them.
pub fn folded(title: &str) -> String {
    let words: String = title.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    words.strip_prefix(&["the"]).filter(|rest| !rest.is_empty()).unwrap_or(&words).join(" ")
}

#[cfg(test)]
mod tests;
