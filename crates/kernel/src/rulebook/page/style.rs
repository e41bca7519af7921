//! The ways in which pages write headings, and what stands under one as Markdown.
//!
//! A page has one style: the first of these of which it shows any heading. Code that stands in a fence, or in what a wiki
//! writes for one, is taken as it is.

use std::ops::Range;

use crate::rulebook::source::fences;

/// Longest title that stands alone, in characters: a line beyond is a sentence.
const TITLE_MAX_CHARS: usize = 60;
/// Most words of such a title.
const TITLE_MAX_WORDS: usize = 8;

/// A heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heading {
    /// Its line, from 0.
    pub(super) line: usize,
    /// How deep it is; 1 is the title of a page.
    pub(super) level: usize,
    /// The number before it.
    pub(super) number: Option<u32>,
    /// What it says.
    pub(super) title: String,
}

/// How a page writes its headings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// `== Robots ==`.
    Wiki,
    /// `## Robots`.
    Markdown,
    /// `2. Robots`, `Rule 2: Robots`.
    Numbered,
    /// `Robots`, alone between blank lines.
    Bare,
}

/// The style of a page.
pub(super) fn of(lines: &[&str], skip: &[bool]) -> Style {
    let [wiki, markdown, numbered, bare] =
        [Style::Wiki, Style::Markdown, Style::Numbered, Style::Bare].map(|style| style.headings(lines, skip).len());
    match () {
        () if wiki > 0 => Style::Wiki,
        () if markdown > 0 => Style::Markdown,
        // A list in the text of a rule has points too.
        () if numbered > 1 && numbered >= bare => Style::Numbered,
        () => Style::Bare,
    }
}

/// The level on which the rules stand: the one with the most headings, of several the highest.
pub(super) fn rule_level(heads: &[Heading]) -> usize {
    let count = |level: usize| heads.iter().filter(|head| head.level == level).count();
    let levels = heads.iter().map(|head| head.level);
    levels.max_by_key(|level| (count(*level), usize::MAX - level)).unwrap_or(1)
}

impl Style {
    /// The headings of a page in this style, in order.
    pub(super) fn headings(self, lines: &[&str], skip: &[bool]) -> Vec<Heading> {
        let code = code(lines);
        let mut found: Vec<Heading> = (0..lines.len())
            .filter(|line| !skip[*line] && !code[*line])
            .filter_map(|line| {
                let (level, title) = match self {
                    Self::Wiki => wiki(lines[line])?,
                    Self::Markdown => markdown(lines[line])?,
                    Self::Numbered => (2, numbered(alone(lines, skip, line)?)?),
                    Self::Bare => (2, bare(alone(lines, skip, line)?)?),
                };
                let title = plain(&title);
                let number = match self {
                    Self::Numbered => number_before(lines[line].trim()),
                    Self::Wiki | Self::Markdown | Self::Bare => number_before(&title),
                };
                (!title.is_empty()).then_some(Heading { line, level, number, title })
            })
            .collect();
        if matches!(self, Self::Wiki | Self::Markdown) {
            for head in &mut found {
                head.title = unnumbered(&head.title).to_owned();
            }
        }
        found
    }

    /// What stands in some lines, as Markdown, without furniture.
    pub(super) fn body(self, lines: &[&str], skip: &[bool], range: Range<usize>, heads: &[Heading]) -> String {
        let mut fenced = false;
        let mut out: Vec<String> = Vec::new();
        for line in range.filter(|line| !skip[*line]) {
            let text = lines[line];
            if let Some(mark) = fence(text) {
                fenced = mark.unwrap_or(!fenced);
                out.push(if fenced { "```text".to_owned() } else { "```".to_owned() });
                continue;
            }
            let text = entities(text);
            let text = match heads.iter().find(|head| head.line == line) {
                Some(head) => format!("**{}**", head.title),
                None if fenced => text,
                None => match self {
                    Self::Wiki => wiki_text(&text),
                    Self::Markdown | Self::Numbered | Self::Bare => bullet(&text, &['•', '·']),
                },
            };
            out.push(text.trim_end().to_owned());
        }
        out.join("\n").trim_matches('\n').to_owned()
    }
}

/// Which lines are code.
pub(super) fn code(lines: &[&str]) -> Vec<bool> {
    let text = lines.join("\n");
    let fences = fences(&text);
    let mut at = 0;
    let mut pre = false;
    let mut found = Vec::with_capacity(lines.len());
    for line in lines {
        if let Some(Some(opens)) = fence(line) {
            pre = opens;
        }
        found.push(pre || fences.iter().any(|fence| fence.at.start <= at && at < fence.at.end));
        at += line.len() + 1;
    }
    found
}

/// Whether a line opens or closes code: `Some(None)` does what the one before it did not.
fn fence(line: &str) -> Option<Option<bool>> {
    let line = line.trim().to_lowercase();
    let tag = |name: &str| {
        line.strip_prefix('<').and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.ends_with('>'))
    };
    match () {
        () if line.starts_with("```") || line.starts_with("~~~") => Some(None),
        () if ["pre", "source", "syntaxhighlight", "code"].iter().any(|name| tag(name)) => Some(Some(true)),
        () if ["/pre", "/source", "/syntaxhighlight", "/code"].iter().any(|name| tag(name)) => Some(Some(false)),
        () => None,
    }
}

fn wiki(line: &str) -> Option<(usize, String)> {
    let line = line.trim();
    let line = line.strip_suffix("[edit]").unwrap_or(line).trim_end();
    let level = line.bytes().take_while(|byte| *byte == b'=').count();
    let title = line.strip_prefix(&"=".repeat(level)[..])?.strip_suffix(&"=".repeat(level)[..])?;
    ((1..=6).contains(&level) && !title.trim().is_empty() && !title.contains('=')).then(|| (level, title.to_owned()))
}

fn markdown(line: &str) -> Option<(usize, String)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| (level, title.trim_end_matches('#').to_owned()))
}

/// A line that is a paragraph by itself.
fn alone<'l>(lines: &[&'l str], skip: &[bool], line: usize) -> Option<&'l str> {
    let empty = |line: usize| skip[line] || lines[line].trim().is_empty();
    let before = line.checked_sub(1).is_none_or(empty);
    let after = line + 1 >= lines.len() || empty(line + 1);
    (before && after && !lines[line].trim().is_empty()).then(|| lines[line].trim())
}

fn numbered(line: &str) -> Option<String> {
    let rest = unnumbered(line);
    if rest.len() == line.len() { None } else { bare(rest) }
}

/// A heading without the number before it: `2. Robots`, `2.1 Robots`, `Rule 2: Robots`.
fn unnumbered(line: &str) -> &str {
    let named = line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("rule "));
    let rest = if named { &line[5..] } else { line };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    if digits == 0 || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return line;
    }
    let after = &rest[digits..];
    let title = after.trim_start_matches([')', ':', '-', '–', '—', ' ']);
    if title.is_empty() || title.len() == after.len() { line } else { title }
}

/// The number before a heading: the whole one, as in `101. Obedience`.
fn number_before(line: &str) -> Option<u32> {
    let before = line.strip_suffix(unnumbered(line)).filter(|before| !before.is_empty())?;
    let digits = before.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

pub(super) fn bare(line: &str) -> Option<String> {
    let line = line.trim().trim_end_matches("[edit]").trim_end();
    let titled = line.starts_with(|c: char| c.is_uppercase())
        && !line.ends_with(['.', ',', ';', ':'])
        && !line.contains(['=', '{', '}', '<', '>'])
        && line.chars().count() <= TITLE_MAX_CHARS
        && line.split_whitespace().count() <= TITLE_MAX_WORDS;
    titled.then(|| line.to_owned())
}

/// A title without marks of bold, links and the like.
pub(super) fn plain(title: &str) -> String {
    let title = entities(title).replace("'''", "").replace("''", "").replace("**", "").replace("[edit]", "");
    unlinked(&title).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entities(text: &str) -> String {
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("\u{a0}", " "), ("&amp;", "&")];
    known.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain))
}

/// A line of wiki text as Markdown.
fn wiki_text(line: &str) -> String {
    let stars = line.bytes().take_while(|byte| *byte == b'*').count();
    let points = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = unlinked(&line[stars.max(points)..]);
    let rest = rest.replace("'''", "**").replace("''", "*").replace("<nowiki>", "").replace("</nowiki>", "");
    match (stars, points) {
        (0, 0) => bullet(&rest, &['•', '·']),
        (0, points) => format!("{}1. {}", "   ".repeat(points - 1), rest.trim_start()),
        (stars, _) => format!("{}- {}", "  ".repeat(stars - 1), rest.trim_start()),
    }
}

/// A line whose bullet is a sign of its own, with Markdown's.
fn bullet(line: &str, signs: &[char]) -> String {
    match line.trim_start().strip_prefix(signs) {
        Some(rest) => format!("- {}", rest.trim_start()),
        None => line.to_owned(),
    }
}

/// Wiki links as the words that are read: `[[Robot|a Robot]]` is `a Robot`. What a rulebook has in `[[ ]]` defines
/// nothing, so none may be left.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[[") {
        let Some((inner, after)) = link.split_once("]]") else { break };
        out.push_str(before);
        out.push_str(inner.rsplit('|').next().unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}
