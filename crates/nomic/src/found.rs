//! Rules as a community has them: headings of a wiki or of Markdown, or paragraphs with numbers. All of them are words.
//!
//! Numbers and titles stay what they are. A ruleset may be laid in behind the last number, so that people can join,
//! propose and vote from the first day.

use std::collections::BTreeMap;

use kernel::{
    Refusal,
    rulebook::{RuleSource, page},
};

use super::ruleset::{self, RULESET_MAX_RULES, Ruleset};

/// What the law of a rule begins with.
const LAW_FENCE: &str = "```law";

/// What lays rules in.
const LAYS_IN: &str = "room open nomic NAME ruleset:club";

/// How many rules of a ruleset are laid in: how one joins, proposes and votes.
const LAID_IN_COUNT: usize = 3;

/// Rules that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The rules, in the order of their numbers.
    pub rules: Vec<RuleSource>,
    /// The lines that are furniture of the page, as words: `1 to 8`.
    pub skipped: Vec<String>,
}

/// A rule as it stands in a text.
#[derive(Debug, Default)]
struct Part {
    number: Option<u32>,
    title: String,
    fields: BTreeMap<String, String>,
    words: String,
}

/// The rules that whoever opens a room brings along, with what e is told of them. Where they are words alone, the ruleset
/// that is named beside them is laid in.
///
/// # Errors
///
/// A [`Refusal`] where there are none, and with the line of what cannot be read.
pub fn brought(rulebook: Option<&str>, shipped: Option<&str>) -> Result<(Ruleset, Vec<String>), Refusal> {
    let (text, laid_in) = match (rulebook, shipped) {
        (Some(text), laid_in) => (text, laid_in),
        (None, Some(text)) => return Ok((ruleset::read(text)?.based()?, Vec::new())),
        (None, None) => {
            let why = "a nomic is opened with its rules: a file of headings such as “# 101 Obedience”, or a ruleset";
            return Err(Refusal::new(why).instead(LAYS_IN));
        }
    };
    let read = ruleset::read(text);
    if text.contains(LAW_FENCE) {
        return match laid_in {
            None => Ok((read?.based()?, Vec::new())),
            Some(_) => Err(Refusal::new("these rules have laws of their own, and no others are laid in beside them")
                .instead("room open nomic NAME rulebook:FILE")),
        };
    }
    let (ruleset, mut found) = match read {
        Ok(Ruleset { title, summary, needs, rules }) => {
            (Ruleset { title, summary, needs, rules: Vec::new() }, Found { rules, skipped: Vec::new() })
        }
        Err(_) => (Ruleset::default(), self::read(text)?),
    };
    let mut told = Vec::new();
    if !found.skipped.is_empty() {
        told.push(format!("Passed over as page furniture: lines {}.", found.skipped.join(", ")));
    }
    let count = found.rules.len();
    told.push(match laid_in {
        Some(laid_in) => {
            found = found.with(ruleset::read(laid_in)?)?;
            let numbers: Vec<String> = found.rules[count..].iter().map(|rule| rule.number.to_string()).collect();
            format!(
                "Your rules are words, which players keep by hand. The rules {} are laid in behind them: how one joins, \
                 proposes and votes.",
                numbers.join(", ")
            )
        }
        None => format!(
            "Your rules are words, and no law in them says how one joins, proposes and votes. “⁅{LAYS_IN}⁆” with your file \
             beside it lays such rules in behind the last one."
        ),
    });
    Ok((Ruleset { rules: found.rules, ..ruleset }, told))
}

/// Reads rules as they are found.
///
/// # Errors
///
/// A [`Refusal`] with the lines that cannot be read.
pub fn read(text: &str) -> Result<Found, Refusal> {
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    ruleset::bounded(text)?;
    let (parts, skipped) = match powers(text).or_else(|| paragraphs(text)) {
        Some(parts) => (parts, Vec::new()),
        None => {
            let page = page::read(text)?;
            let lines = page.skipped.iter().map(|lines| match lines.start() == lines.end() {
                true => lines.start().to_string(),
                false => format!("{} to {}", lines.start(), lines.end()),
            });
            let skipped = lines.collect();
            let part = |part: page::Section| {
                let page::Section { number, title, body, .. } = part;
                Part { number, title, words: body, ..Part::default() }
            };
            (page.sections.into_iter().map(part).collect(), skipped)
        }
    };
    if parts.len() > RULESET_MAX_RULES {
        return Err(Refusal::new(format!("there are {} rules, and {RULESET_MAX_RULES} is the most", parts.len())));
    }
    let mut rules: Vec<RuleSource> = Vec::new();
    let mut last = 0;
    for Part { number, title, fields, words } in parts {
        let number = number.unwrap_or(last + 1);
        if let Some(other) = rules.iter().find(|rule| rule.number == number) {
            let why = format!("two rules have the number {number}: “{}” and “{title}”", other.title);
            return Err(Refusal::new(why));
        }
        last = last.max(number);
        rules.push(RuleSource { id: format!("rule-{number}").into(), number, title, fields, body: words });
    }
    rules.sort_by_key(|rule| rule.number);
    Ok(Found { rules, skipped })
}

impl Found {
    /// The same with the first rules of a ruleset behind the last number.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no number left.
    pub fn with(mut self, laid_in: Ruleset) -> Result<Self, Refusal> {
        ruleset::behind(&mut self.rules, laid_in.rules.into_iter().take(LAID_IN_COUNT))?;
        Ok(self)
    }
}

/// A text of rules with powers, as in `Rule 101/15 (Power=4)` with a title below; nothing where it is none. The history of
/// a rule is kept as a comment behind its words.
fn powers(text: &str) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let head = line.strip_prefix("Rule ").and_then(|rest| rest.split_once('/'));
        let number = head.and_then(|(number, _)| number.parse().ok());
        let power = head.and_then(|(_, rest)| rest.split_once("(Power=")?.1.strip_suffix(')'));
        match (number, power) {
            (Some(number), Some(power)) => parts.push(Part {
                number: Some(number),
                title: lines.next().unwrap_or_default().to_owned(),
                fields: BTreeMap::from([("power".to_owned(), power.to_owned())]),
                words: String::new(),
            }),
            // What stands above the first rule is furniture.
            _ if parts.is_empty() || (line.len() > 9 && line.bytes().all(|byte| matches!(byte, b'-' | b'='))) => {}
            _ => {
                let begins = if line == "History:" { "\n[[" } else { "" };
                parts.last_mut()?.words.push_str(&format!("{begins}\n{line}"));
            }
        }
    }
    for part in &mut parts {
        let words = part.words.trim();
        part.words = if words.contains("[[\nHistory:") { format!("{words}\n]]") } else { words.to_owned() };
    }
    (!parts.is_empty()).then_some(parts)
}

/// A text of paragraphs that begin with numbers, as in `101. All players abide by the rules.`; nothing where it is none.
fn paragraphs(text: &str) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut empty = true;
    for line in text.lines() {
        let begun = if empty { numbered(line) } else { None };
        empty = line.trim().is_empty();
        match (begun, parts.last_mut()) {
            (Some((number, words)), _) => parts.push(Part {
                number: Some(number),
                title: format!("Rule {number}"),
                words: words.to_owned(),
                ..Part::default()
            }),
            (None, Some(part)) => part.words.push_str(&format!("\n{}", line.trim_end())),
            (None, None) if empty => {}
            (None, None) => return None,
        }
    }
    parts.iter_mut().for_each(|part| part.words = part.words.trim().to_owned());
    // A title has no full stop, and then it is a heading.
    let is_sentence = |part: &&Part| part.words.lines().next().is_some_and(|line| line.len() > SENTENCE_MIN_BYTES);
    (parts.len() > 1 && parts.iter().filter(is_sentence).count() * 2 > parts.len()).then_some(parts)
}

/// Shortest line that is a sentence and no title, in bytes.
const SENTENCE_MIN_BYTES: usize = 40;

/// A line that begins with a number of its own: the number, and what stands behind it.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let digits = line.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0)?;
    let words = line[digits..].strip_prefix(['.', ')', ':'])?.strip_prefix(' ')?;
    Some((line[..digits].parse().ok()?, words.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ruleset, shipped};

    fn heads(found: &Found) -> Vec<(u32, &str)> {
        found.rules.iter().map(|rule| (rule.number, &*rule.title)).collect()
    }

    #[test]
    fn rules_of_a_wiki_keep_their_numbers_and_titles() {
        let wiki =
            "</div>\n== 101. Obedience ==\nKeep the rules.\n\n== 213. Winning ==\nWhoever has 100 points wins.\n";
        let found = read(wiki).unwrap();
        assert_eq!(heads(&found), [(101, "Obedience"), (213, "Winning")]);
        let markdown = "# Our game\n\n## Obedience\nKeep the rules.\n\n## Winning\nWhoever has 100 points wins.\n";
        assert_eq!(heads(&read(markdown).unwrap()), [(1, "Obedience"), (2, "Winning")]);
    }

    #[test]
    fn paragraphs_with_numbers_are_rules() {
        let text = "101. All players must always abide by all the rules then in effect.\n\n\
            102. Initially rules in the 100's are immutable, and rules in\nthe 200's are mutable.\n";
        let found = read(text).unwrap();
        assert_eq!(heads(&found), [(101, "Rule 101"), (102, "Rule 102")]);
        assert!(found.rules[1].body.ends_with("rules in\nthe 200's are mutable."));
        assert!(
            read("101. All players must always abide by all rules.\n\n101. And whatever else there is in the rules, they do that as well.\n")
                .unwrap_err()
                .say
                .contains("two rules have the number 101")
        );
    }

    #[test]
    fn rules_with_powers_keep_them_and_their_history_beside() {
        let text = "THE RULES\n\nRule 101/15 (Power=4)\nThe Game\n\n      This is a game of Nomic.\n\nHistory:\nEnacted.\n\n\
            ----------\nRule 2141/3 (Power=3.2)\nRole and Attributes of Rules\n\n      A rule is a kind of instrument.\n";
        let found = read(text).unwrap();
        assert_eq!(heads(&found), [(101, "The Game"), (2141, "Role and Attributes of Rules")]);
        assert_eq!(found.rules[1].fields.get("power").map(String::as_str), Some("3.2"));
        assert_eq!(found.rules[0].body, "This is a game of Nomic.\n\n[[\nHistory:\nEnacted.\n]]");
    }

    #[test]
    fn what_is_laid_in_stands_behind_the_last_number() {
        let club = ruleset::read(&shipped::text("club").unwrap()).unwrap();
        let found = read("## 213 Votes\nBy hand.\n\n## 101 Obedience\nKeep the rules.\n").unwrap().with(club).unwrap();
        let told = [(101, "Obedience"), (213, "Votes"), (214, "Members"), (215, "Proposals"), (216, "Votes (laid in)")];
        assert_eq!(heads(&found), told);
    }
}
