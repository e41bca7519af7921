//! Rules as a community has them: headings of a wiki or of Markdown, or paragraphs with numbers. All of them are words.
//!
//! Numbers and titles stay what they are. A ruleset may be laid in behind the last number, so that people can join,
//! propose and vote from the first day.

use std::collections::BTreeMap;

use kernel::{
    Refusal,
    rulebook::{RuleSource, page},
};

use laws::ruleset::{self, RULESET_MAX_RULES, Ruleset, TITLE_MAX_CHARS};

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
    /// The lines that are furniture of the page, as a sentence.
    pub skipped: Option<String>,
}

/// A rule as it stands in a text.
#[derive(Debug, Default)]
struct Part {
    number: Option<u32>,
    title: String,
    fields: BTreeMap<String, String>,
    words: String,
}

/// The rules that whoever opens a room brings along, with what e is told of them. The ruleset that is named beside them is
/// laid in.
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
    let has_laws = text.contains(LAW_FENCE);
    let (mut ruleset, skipped) = match ruleset::read(text) {
        Ok(read) => (read.based()?, None),
        Err(why) if has_laws => return Err(why),
        Err(_) => {
            let Found { rules, skipped } = self::read(text)?;
            (Ruleset { rules, ..Ruleset::default() }, skipped)
        }
    };
    let mut told: Vec<String> = skipped.into_iter().collect();
    if !has_laws {
        told.push("Your rules are words, which players keep by hand.".to_owned());
    }
    match laid_in {
        Some(laid_in) => {
            let laid_in = ruleset::read(laid_in)?;
            ruleset.languages = laid_in.languages.clone().into_iter().chain(ruleset.languages).collect();
            let numbers = lay_in(&mut ruleset.rules, laid_in)?;
            told.push(format!("The rules {numbers} are laid in behind them: how one joins, proposes and votes."));
        }
        None if has_laws => {}
        None => told.push(format!(
            "No law in them says how one joins, proposes and votes. “⁅{LAYS_IN}⁆” with your file beside it lays such rules \
             in behind the last one."
        )),
    }
    Ok((ruleset, told))
}

/// Lays the first rules of a ruleset in behind the last number of others: the numbers that they get, as words.
///
/// # Errors
///
/// A [`Refusal`] where there is no number left.
fn lay_in(rules: &mut Vec<RuleSource>, laid_in: Ruleset) -> Result<String, Refusal> {
    let count = rules.len();
    ruleset::behind(rules, laid_in.rules.into_iter().take(LAID_IN_COUNT))?;
    let numbers: Vec<String> = rules[count..].iter().map(|rule| rule.number.to_string()).collect();
    Ok(numbers.join(", "))
}

/// Reads rules as they are found.
///
/// # Errors
///
/// A [`Refusal`] with the lines that cannot be read.
pub fn read(text: &str) -> Result<Found, Refusal> {
    let text = &text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    ruleset::bounded(text)?;
    let (parts, skipped) = match powers(text) {
        Some(parts) => (parts, None),
        None => {
            let page = page::paragraphs(text).map_or_else(|| page::read(text), Ok)?;
            let skipped = page.passed_over(text);
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
        if title.chars().count() > TITLE_MAX_CHARS {
            return Err(Refusal::new(format!(
                "rule {number} has too long a title: at most {TITLE_MAX_CHARS} characters"
            )));
        }
        let is_taken = rules.iter().any(|rule| rule.title.eq_ignore_ascii_case(&title));
        let title = if is_taken { format!("{title} ({number})") } else { title };
        rules.push(RuleSource { id: format!("rule-{number}").into(), number, title, fields, body: words });
    }
    rules.sort_by_key(|rule| rule.number);
    Ok(Found { rules, skipped })
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

#[cfg(test)]
mod tests {
    use super::*;
    use laws::shipped;

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
        let text = "Immutable Rules\n\n101. All players must always abide by all the rules then in effect.\n\n\
            102. Initially rules in the 100's are immutable, and rules in\nthe 200's are mutable.\n";
        let found = read(text).unwrap();
        assert_eq!(
            heads(&found),
            [(101, "All players must always abide by all the…"), (102, "Initially rules in the 100's are…"),]
        );
        assert!(found.rules[1].body.ends_with("rules in\nthe 200's are mutable."));
        assert_eq!(found.skipped.unwrap(), "Passed over as page furniture: lines 1 (“Immutable Rules”).");
        assert_eq!(heads(&read("1. Be nice.\n2. Be nice.\n").unwrap()), [(1, "Be nice"), (2, "Be nice (2)")]);
        let twice = read("101. All players abide.\n\n101. And they do that as well.\n").unwrap_err();
        assert!(twice.say.contains("two rules have the number 101"), "{twice:?}");
    }

    #[test]
    fn a_title_of_three_hundred_signs_is_refused() {
        let refused = read(&format!("# 1 {}\nWords.\n", "A".repeat(300))).unwrap_err();
        assert!(refused.say.contains("at most 120 characters"), "{refused:?}");
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

    /// Words or laws, in whatever order: what is laid in stands behind the last number.
    #[test]
    fn what_is_laid_in_stands_behind_the_last_number() {
        let club = shipped::text("club").unwrap();
        let law = "## 213 Votes\nBy hand.\n\n## 101 Obedience\nKeep the rules.\n".replace("## ", "# ")
            + "\n```law\naction(\"x\", [], |a| say(\"x\"));\n```\n";
        for text in ["## 213 Votes\nBy hand.\n\n## 101 Obedience\nKeep the rules.\n", &law] {
            let (ruleset, told) = brought(Some(text), Some(&club)).unwrap();
            let mut heads: Vec<_> = ruleset.rules.iter().map(|rule| (rule.number, &*rule.title)).collect();
            heads.sort_unstable();
            let is =
                [(101, "Obedience"), (213, "Votes"), (214, "Members"), (215, "Proposals"), (216, "Votes (laid in)")];
            assert_eq!(heads, is);
            assert!(told.join(" ").contains("The rules 214, 215, 216 are laid in behind them"), "{told:?}");
        }
        assert_eq!(brought(Some(&law), None).unwrap().1, Vec::<String>::new());
    }
}
