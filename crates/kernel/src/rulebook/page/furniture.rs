//! Parts of a page that are no rules: navigation, notes of an archive, dates, tables of contents, categories.
//!
//! Only whole lines are furniture, and only lines that no rule would have.

use crate::rulebook::numeral::{Form, numerals};

/// Beginnings of lines that a wiki or its copy puts around a page, in lower case.
const BEGINNINGS: [&str; 18] = [
    "jump to navigation",
    "jump to search",
    "jump to:",
    "jump to content",
    "retrieved from",
    "category:",
    "categories:",
    "[[category:",
    "navigation menu",
    "this page was last",
    "last edited",
    "last modified",
    "privacy policy",
    "disclaimers",
    "powered by mediawiki",
    "redirected from",
    "(redirected from",
    "about this wiki",
];

/// Whole lines of the same sort, in lower case.
const LINES: [&str; 9] = [
    "[edit]",
    "[hide]",
    "[show]",
    "__toc__",
    "__notoc__",
    "__forcetoc__",
    "read edit view history",
    "printable version",
    "what links here",
];

/// Which lines are furniture.
pub(super) fn of(lines: &[&str]) -> Vec<bool> {
    let mut found: Vec<bool> = lines.iter().map(|line| is(line)).collect();
    for at in 0..lines.len() {
        if is_contents(lines[at]) {
            for end in contents(lines, at) {
                found[end] = true;
            }
        }
    }
    found
}

fn is(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    if line.is_empty() {
        return false;
    }
    let template = line.starts_with("{{") && line.ends_with("}}");
    let comment = line.starts_with("<!--") && line.ends_with("-->");
    let origin = line.starts_with("from ") && line.ends_with("wiki") && line.split_whitespace().count() <= 6;
    let archive = line.starts_with("note:") && ["archive", "copy of", "mirror"].iter().any(|word| line.contains(word));
    template
        || comment
        || origin
        || archive
        || is_date(&line)
        || LINES.contains(&line.as_str())
        || BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

/// Whether a line is a date, with a word or two of what happened then.
fn is_date(line: &str) -> bool {
    let dates: Vec<_> = numerals(line, false).into_iter().filter(|numeral| numeral.form == Form::Date).collect();
    let [date] = &dates[..] else { return false };
    let rest = [&line[..date.at.start], &line[date.at.end..]].concat();
    let known = |word: &str| matches!(word, "updated" | "archived" | "as" | "of" | "on" | "date" | "last" | "dated");
    rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(known)
}

fn is_contents(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "contents" | "contents [hide]" | "table of contents")
}

/// The lines of a table of contents that begins with a line: numbered titles, one below the other.
fn contents(lines: &[&str], head: usize) -> std::ops::Range<usize> {
    let mut end = head + 1;
    while end < lines.len() && lines[end].trim().is_empty() {
        end += 1;
    }
    let begun = end;
    let entry =
        |line: &str| line.trim_start_matches(['*', '-', '•', ' ', '\t']).starts_with(|c: char| c.is_ascii_digit());
    while end < lines.len() && entry(lines[end]) {
        end += 1;
    }
    if end == begun { head..head + 1 } else { head..end }
}
