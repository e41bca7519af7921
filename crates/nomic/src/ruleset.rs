//! The rules of a room as one text: headings with number and title, and below each what its file would hold.
//!
//! ```text
//! # 109 Transmutation
//! ---
//! immutable: yes
//! ---
//! A rule is Mutable or Immutable.
//! ```
//!
//! Numbers stay what they are. The fields between the lines of `---` may be left out. What stands in a fence is no heading.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{
    Id, Refusal,
    directives::wording::slug,
    rulebook::{RuleOp, RuleSource, book::OPENED, source::fences},
};

/// Longest text of a ruleset, in bytes: five times the longest known one. All of it stands in the first entry of its room.
pub const RULESET_MAX_BYTES: usize = 512 * 1024;
/// Most rules of a ruleset.
pub const RULESET_MAX_RULES: usize = 500;
/// Longest title of a rule, in characters.
pub const TITLE_MAX_CHARS: usize = 120;

/// A heading, and where its line begins and ends in the text.
struct Heading<'t> {
    number: u32,
    title: &'t str,
    line: usize,
    begins: usize,
    ends: usize,
}

/// The operations that bring the rules of a text into force.
///
/// # Errors
///
/// A [`Refusal`] with the line of what is wrong.
pub fn opening(text: &str) -> Result<Vec<RuleOp>, Refusal> {
    Ok(read(text)?.into_iter().map(|rule| rule.enact(OPENED)).collect())
}

/// The rules of a text.
///
/// # Errors
///
/// As [`opening`].
pub fn read(text: &str) -> Result<Vec<RuleSource>, Refusal> {
    if text.len() > RULESET_MAX_BYTES {
        let why = format!("the rules have {} bytes, and {RULESET_MAX_BYTES} is the most", text.len());
        return Err(Refusal::new(why));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let heads = headings(&text)?;
    if heads.len() > RULESET_MAX_RULES {
        return Err(Refusal::new(format!("there are {} rules, and {RULESET_MAX_RULES} is the most", heads.len())));
    }
    let (mut numbers, mut titles) = (BTreeMap::new(), BTreeMap::new());
    let mut ids: BTreeSet<String> = BTreeSet::new();
    let mut rules = Vec::new();
    for (place, head) in heads.iter().enumerate() {
        let wrong = |why: String| Refusal::new(format!("line {}: {why}", head.line));
        if let Some(line) = numbers.insert(head.number, head.line) {
            return Err(wrong(format!("the rule of line {line} has the number {} already", head.number)));
        }
        if let Some(line) = titles.insert(head.title.to_lowercase(), head.line) {
            return Err(wrong(format!("the rule of line {line} is called “{}” already", head.title)));
        }
        if head.title.chars().count() > TITLE_MAX_CHARS {
            return Err(wrong(format!("a title has at most {TITLE_MAX_CHARS} characters")));
        }
        let end = heads.get(place + 1).map_or(text.len(), |next| next.begins);
        let body = text[head.ends..end].trim();
        let fields = body.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"));
        let (fields, body) = fields.map_or(("", body), |(fields, body)| (fields, body.trim()));
        if body.is_empty() {
            return Err(wrong(format!("nothing stands under “{}”", head.title)));
        }
        let stem = Some(slug(head.title)).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "rule".to_owned());
        let id = if ids.insert(stem.clone()) { stem } else { format!("{stem}-{}", head.number) };
        let file = format!("---\nnumber: {}\ntitle: {}\n{fields}\n---\n{body}", head.number, head.title);
        let file = file.replace("\n\n---\n", "\n---\n");
        rules.push(RuleSource::parse(Id::from(id), &file).map_err(|bad| wrong(bad.why.to_owned()))?);
    }
    Ok(rules)
}

/// The headings of a text, outside of its fences.
fn headings(text: &str) -> Result<Vec<Heading<'_>>, Refusal> {
    let fences = fences(text);
    let is_fenced = |at: usize| fences.iter().any(|fence| fence.at.contains(&at));
    let (mut heads, mut at) = (Vec::new(), 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (begins, ends) = (at, at + line.len());
        at = ends;
        let Some(words) = line.strip_prefix("# ").filter(|_| !is_fenced(begins)) else {
            if heads.is_empty() && !line.trim().is_empty() {
                let why = format!("line {}: rules begin with a heading such as “# 101 Obedience”", index + 1);
                return Err(Refusal::new(why));
            }
            continue;
        };
        let (number, title) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
        let Some(number) = number.trim_end_matches('.').parse().ok().filter(|_| !title.trim().is_empty()) else {
            let why = format!("line {}: a heading has a number and a title, as in “# 101 Obedience”", index + 1);
            return Err(Refusal::new(why));
        };
        heads.push(Heading { number, title: title.trim(), line: index + 1, begins, ends });
    }
    if heads.is_empty() {
        return Err(Refusal::new("there is no rule in it: each begins with a heading such as “# 101 Obedience”"));
    }
    Ok(heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "# 101 Obedience\nWhoever plays keeps the rules.\n\n# 109 Kinds of rules\n---\nimmutable: yes\n---\n\
        A rule is Mutable.\n\n```law\n# no heading\nkind(\"x\");\n```\n";

    #[test]
    fn rules_keep_their_numbers_titles_and_fields() {
        let rules = read(RULES).unwrap();
        let heads: Vec<_> = rules.iter().map(|rule| (rule.number, &*rule.title, &*rule.id)).collect();
        assert_eq!(heads, [(101, "Obedience", "obedience"), (109, "Kinds of rules", "kinds-of-rules")]);
        assert_eq!(rules[1].fields.get("immutable").map(String::as_str), Some("yes"));
        assert!(rules[1].body.starts_with("A rule is Mutable.") && rules[1].body.contains("# no heading"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, why) in [
            ("", "there is no rule in it"),
            ("Obedience\n", "line 1: rules begin with a heading"),
            ("# Obedience\nx\n", "line 1: a heading has a number and a title"),
            ("# 1 A\nx\n# 1 B\ny\n", "line 3: the rule of line 1 has the number 1 already"),
            ("# 1 A\nx\n# 2 a\ny\n", "line 3: the rule of line 1 is called “a” already"),
            ("# 1 A\n\n# 2 B\ny\n", "line 1: nothing stands under “A”"),
            ("# 1 A\n---\nx\n---\ny\n", "line 1: a field is written NAME: VALUE"),
            (&format!("# 1 {}\nx\n", "A".repeat(300)), "line 1: a title has at most 120 characters"),
        ] {
            assert!(read(text).unwrap_err().say.contains(why), "{text}: {:?}", read(text));
        }
    }
}
