//! In what a figure is counted.
//!
//! Two days are not two hours. What a figure counts is the word right behind it, where that is a unit. A place whose unit
//! changes is unbound, a mark is refused that counts another unit than its key declares, and a unit that is typed behind
//! a new value is the one that the rule has. Nothing is converted, and no figure is live because of its unit. This stays
//! although it is a word beside a mark: the rules are played as they read, and “2 days” would be played as two hours.

use std::ops::Range;

use super::{
    keys::{Keys, LiveKey, NumKind},
    numeral::numerals,
    source::Text,
};

/// Units, in the singular. A word that ends with one is one: the days of a calendar of the game's own.
const UNITS: [&str; 10] =
    ["second", "minute", "hour", "day", "week", "fortnight", "month", "year", "percent", "permille"];

/// The unit that a word is, in the singular.
fn unit(word: &str) -> Option<String> {
    let word = folded(word);
    UNITS.iter().any(|unit| word.ends_with(unit)).then_some(word)
}

/// A word without the marks around it, in lower case and the singular.
fn folded(word: &str) -> String {
    if word.starts_with('%') {
        return "percent".to_owned();
    }
    let word = word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    word.strip_suffix('s').map_or(word.clone(), str::to_owned)
}

/// What a place of a text is counted in: the unit right behind the numeral in it, or right behind the place.
pub(super) fn unit_at(text: &str, at: &Range<usize>) -> Option<String> {
    let shown = text.get(at.clone())?;
    let end = numerals(shown, true).last().map_or(at.end, |numeral| at.start + numeral.at.end);
    let behind = text.get(end..)?.trim_start_matches([' ', '\n', '-', '*', '/', ')', ']']);
    if behind.starts_with('%') {
        return unit("%");
    }
    unit(behind.split(|char: char| !char.is_alphabetic()).next()?)
}

impl LiveKey {
    /// The unit that the program counts this figure in, as its key names it or its meaning begins: `timeout-hours`,
    /// `days of a period`.
    pub fn unit(&self) -> Option<String> {
        let meaning = self.meaning.strip_prefix("number of ").unwrap_or(self.meaning);
        self.key.split('-').rev().chain(meaning.split(' ').take(1)).find_map(unit)
    }

    /// The figure in a text that should be nothing else: the text as it is, or the figure alone where what the rule has
    /// behind it, as `follows` says, stands beside it: `72 hours`.
    ///
    /// # Errors
    ///
    /// Why the text is no such figure, as a clause that begins with "it".
    pub fn alone<'a>(&self, text: &'a str, follows: &str) -> Result<&'a str, String> {
        let text = text.trim();
        match self.kind {
            NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => return self.read_name(text).map(|_| text),
            NumKind::Instant => return self.read(text).map(|_| text),
            NumKind::List => drop(self.read_list(text)?),
            _ => drop(self.read(text)?),
        }
        let Some(beside) = self.beside(text) else { return Ok(text) };
        let more = || format!("it holds more than a number: “{beside}”");
        let found = numerals(text, true);
        let [only] = &found[..] else { return Err(more()) };
        let (head, tail) = (text[..only.at.start].trim(), text[only.at.end..].trim());
        if self.kind == NumKind::RuleNumber && head.eq_ignore_ascii_case("rule") && tail.is_empty() {
            return Ok(text);
        }
        let said: Vec<String> = tail.split_whitespace().map(folded).collect();
        let there = follows.split_whitespace().map(folded).take(said.len());
        if head.is_empty() && said.iter().cloned().eq(there) {
            return Ok(&text[only.at.clone()]);
        }
        match self.unit().filter(|_| head.is_empty()) {
            Some(unit) => Err(format!("it is a number of {}, and not of “{tail}”", several(&unit))),
            None => Err(more()),
        }
    }

    /// Refuses a place of a text that counts this figure in another unit than the program does.
    ///
    /// # Errors
    ///
    /// What the text counts there, as a clause that begins with "it".
    pub(super) fn counted_so(&self, text: &str, at: &Range<usize>) -> Result<(), String> {
        match (self.unit().filter(|_| self.kind.is_number()), unit_at(text, at)) {
            (Some(unit), Some(other)) if unit != other => {
                Err(format!("it is a number of {} there, and the program counts {}", several(&other), several(&unit)))
            }
            _ => Ok(()),
        }
    }
}

fn several(unit: &str) -> String {
    if unit.starts_with("per") { unit.to_owned() } else { format!("{unit}s") }
}

/// What a text counts in another unit than the program does, among the figures that it gives anew, as a sentence: whoever
/// writes “[2](#timeout-hours) days” or “[2 days](#timeout-hours)” means two days, and two hours would be played.
pub fn miscounted(text: &Text, keys: &Keys, anew: impl Fn(&str) -> bool) -> Option<String> {
    text.spans().iter().filter(|span| span.counts && anew(&span.key)).find_map(|span| {
        let key = keys.get(&span.key)?;
        let why = key.counted_so(text.visible(), &span.at).err()?;
        Some(format!("“{}” cannot be the {}: {why}", text.shown(span), key.meaning))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn key(key: &'static str, kind: NumKind) -> LiveKey {
        LiveKey { key, kind, engine_min: -10, engine_max: 100_000, absent: "x", rehearsal: "x", meaning: "x" }
    }

    #[test]
    fn a_figure_stands_alone_or_beside_what_the_rule_has_behind_it() {
        let (hours, percent) = (key("timeout-hours", NumKind::Count), key("share-percent", NumKind::Percent));
        let award = key("award", NumKind::Count);
        for (key, text, follows, expected) in [
            (&hours, "72", "hours of", Some("72")),
            (&hours, " seventy-two hours ", "hours of", Some("seventy-two")),
            (&hours, "1 hour", "hours of", Some("1")),
            (&hours, "2 days", "hours of", None),
            (&hours, "3 hours and a bit", "hours of", None),
            (&hours, "about 3", "hours of", None),
            (&hours, "60%", "hours of", None),
            (&hours, "pending-limit + 3", "hours of", None),
            (&hours, "[3](#award)", "hours of", None),
            (&percent, "60%", "percent of", Some("60")),
            (&percent, "60 percent", "% of", Some("60")),
            (&percent, "two-thirds", "percent of", Some("two-thirds")),
            (&award, "20 Power", "Power. And so on", Some("20")),
            (&award, "20 points", "Power. And so on", None),
            (&award, "thrice", "Power", Some("thrice")),
            (&award, "3, 5", "Power", None),
        ] {
            assert_eq!(key.alone(text, follows).ok(), expected, "{} to {text}", key.key);
        }
        let list = key("prizes", NumKind::List);
        assert_eq!((list.alone("9, 6 and 1", ""), list.alone("9, 6 later", "").ok()), (Ok("9, 6 and 1"), None));
    }

    #[test]
    fn a_place_is_bound_only_where_the_rule_counts_the_same_unit() {
        let (hours, ndays) = (key("timeout-hours", NumKind::Count), key("support-ndays", NumKind::Count));
        let percent = key("virus-percent", NumKind::Count);
        for (key, text, fits) in [
            (&hours, "2 hours of waiting", true),
            (&hours, "2-hour limit", true),
            (&hours, "2 days of waiting", false),
            (&hours, "2 votes within days", true),
            (&ndays, "2 ndays.", true),
            (&ndays, "2 rdays", false),
            (&ndays, "2 days", false),
            (&percent, "2 permille chance", false),
            (&percent, "2 % chance", true),
            (&percent, "2 of the votes", true),
        ] {
            assert_eq!(key.counted_so(text, &(0..1)).is_ok(), fits, "{}: {text}", key.key);
        }
        assert!(hours.counted_so("2 days", &(0..6)).is_err(), "a unit between the brackets");
        assert!(key("award", NumKind::Count).counted_so("2 days", &(0..1)).is_ok());
    }
}
