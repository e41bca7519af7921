//! In what a figure is counted.
//!
//! Two days are not two hours. A rule says after the figure what it counts, a key says what the program counts, and
//! whoever sets or binds a figure may say it too; where these differ the number would be played as something else. Nothing
//! is converted here: a rule that counts days is amended, not guessed at. Absent: the figure itself (`numeral`).

use super::{
    amount::inner_unit,
    keys::{Keys, LiveKey, NumKind},
    numeral::numerals,
    source::Text,
};

/// What time is counted in, on the clocks of games too.
pub(super) const TIME_UNITS: [&str; 13] = [
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "fortnight",
    "month",
    "year",
    "decade",
    "nday",
    "nweek",
    "nyear",
    "rday",
];
/// How units of time are shortened. One letter that names other things as often is none.
const SHORT_UNITS: [(&str, &str); 5] =
    [("h", "hour"), ("hr", "hour"), ("min", "minute"), ("sec", "second"), ("wk", "week")];
/// What shares are counted in.
const PERCENT: &str = "percent";

/// What shares are counted in that the program does not count in.
const OTHER_SHARES: [&str; 3] = ["permille", "promille", "‰"];

/// What a text that begins with a unit counts in: time, parts of a hundred or of a thousand, or so many times in a span
/// (`times a day`, `per week`).
pub(super) fn unit_of(text: &str) -> Option<&'static str> {
    time_unit(text).or_else(|| rate_of(text)).or_else(|| {
        let word = text.split_whitespace().next()?.trim_end_matches(['.', ',', ';', ':']).to_lowercase();
        [PERCENT].into_iter().chain(OTHER_SHARES).find(|share| *share == word)
    })
}

/// In which span something happens so often, where a text begins with that: `times a day`.
fn rate_of(text: &str) -> Option<&'static str> {
    const OF_RATES: [&str; 5] = ["a", "an", "per", "each", "every"];
    let mut words = text.split_whitespace().map(folded).skip_while(|word| word == "time").peekable();
    words.next_if(|word| OF_RATES.contains(&&**word))?;
    words.next().and_then(|word| TIME_UNITS.into_iter().find(|unit| *unit == word))
}

/// The unit of time that a text begins with, if it begins with one.
pub(super) fn time_unit(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next()?;
    let word = folded(word);
    let short = SHORT_UNITS.into_iter().find(|(short, _)| *short == word).map(|(_, unit)| unit);
    short.or_else(|| TIME_UNITS.into_iter().find(|unit| *unit == word))
}

/// A word without the marks around it, in lower case and the singular.
fn folded(word: &str) -> String {
    let word = word.trim_matches(|char: char| !char.is_alphanumeric() && char != '%').to_lowercase();
    word.strip_suffix('s').map_or(word.clone(), str::to_owned)
}

impl LiveKey {
    /// The unit that the program counts this figure in, as its key names it or its meaning begins: `timeout-hours`,
    /// `judgment-percent`, `days of a period`.
    pub fn unit(&self) -> Option<&'static str> {
        let named = |part: &str| match part {
            PERCENT => Some(PERCENT),
            part => part.strip_suffix('s').and_then(|one| TIME_UNITS.into_iter().find(|unit| *unit == one)),
        };
        let meaning = self.meaning.strip_prefix("number of ").unwrap_or(self.meaning);
        let counted = || meaning.split_whitespace().next().and_then(named);
        self.key.split('-').rev().find_map(named).or_else(counted)
    }

    /// The figure in a text that should be nothing else: the text as it is, or the figure alone where only its unit
    /// stands beside it. `follows` is what the rule has behind the figure.
    ///
    /// # Errors
    ///
    /// Why the text is no such figure, as a clause that begins with "it".
    pub fn alone<'a>(&self, text: &'a str, follows: &str) -> Result<&'a str, String> {
        let text = text.trim();
        match self.kind {
            NumKind::Name | NumKind::Word => return self.read_name(text).map(|_| text),
            NumKind::Instant => return self.read(text).map(|_| text),
            NumKind::List => drop(self.read_list(text)?),
            _ => drop(self.read(text)?),
        }
        let Some(beside) = self.beside(text) else { return Ok(text) };
        let more = || format!("it holds more than a number: “{beside}”");
        let found = numerals(text, true);
        let [only] = &found[..] else { return Err(more()) };
        let (head, tail) = (text[..only.at.start].trim(), text[only.at.end..].trim());
        if !head.is_empty() {
            let named = self.kind == NumKind::RuleNumber && head.eq_ignore_ascii_case("rule") && tail.is_empty();
            return if named { Ok(text) } else { Err(more()) };
        }
        if self.agrees(tail, follows) {
            return Ok(&text[only.at.clone()]);
        }
        Err(match self.unit() {
            Some(PERCENT) => format!("it is a number of percent, and not of “{tail}”"),
            Some(unit) => format!("it is a number of {unit}s, and not of “{tail}”"),
            None => more(),
        })
    }

    /// Whether words beside a number are the unit in which this figure is counted.
    fn agrees(&self, words: &str, follows: &str) -> bool {
        let said: Vec<String> = words.split_whitespace().map(folded).collect();
        let shares = self.kind == NumKind::Percent || self.unit() == Some(PERCENT);
        if matches!(said.join(" ").as_str(), "%" | PERCENT | "per cent") {
            return shares;
        }
        if let Some(unit) = time_unit(words) {
            let counted = self.unit().or_else(|| time_unit(follows));
            return said.len() == 1 && counted == Some(unit);
        }
        let there = follows.split_whitespace().map(folded);
        !said.is_empty() && said.iter().cloned().eq(there.take(said.len()))
    }

    /// Refuses a place of a rule that counts this figure in another unit of time than the program does. `after` is what
    /// stands behind the figure in the phrase that is meant, `next` what follows that phrase.
    ///
    /// # Errors
    ///
    /// What the rule counts there, as a clause that begins with "it".
    pub(super) fn counted_so(&self, after: &str, next: &str) -> Result<(), String> {
        let Some(unit) = self.unit() else {
            let said = [after, next].into_iter().find_map(rate_of);
            return match (self.meaning.rsplit_once(' ').map(|(_, last)| last), said) {
                (Some(span), Some(said)) if TIME_UNITS.contains(&span) && said != span => {
                    Err(format!("it is so often {said} by {said} there, and the program counts {span} by {span}"))
                }
                _ => Ok(()),
            };
        };
        if unit == PERCENT {
            let said = [after, next].into_iter().find_map(unit_of).filter(|said| OTHER_SHARES.contains(said));
            return said
                .map_or(Ok(()), |said| Err(format!("it is a number of {said} there, and the program counts percent")));
        }
        let words = after.split_whitespace().chain(next.split_whitespace().take(1));
        match words.into_iter().find_map(time_unit) {
            Some(other) if other != unit => {
                Err(format!("it is a number of {other}s there, and the program counts {unit}s"))
            }
            _ => Ok(()),
        }
    }
}

/// What a text counts in another unit than the program does, among the figures that it gives anew, as a sentence: whoever
/// writes “[2](#timeout-hours) days” or “[2 days](#timeout-hours)” means two days, and two hours would be played.
pub fn miscounted(text: &Text, keys: &Keys, anew: impl Fn(&str) -> bool) -> Option<String> {
    text.spans().iter().filter(|span| span.counts && anew(&span.key)).find_map(|span| {
        let key = keys.get(&span.key)?;
        let inner = inner_unit(text.shown(span)).unwrap_or_default();
        let why = key.counted_so(inner, text.visible().get(span.at.end..)?).err()?;
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
    fn a_figure_stands_alone_or_beside_its_own_unit() {
        let (hours, percent) = (key("timeout-hours", NumKind::Count), key("share-percent", NumKind::Percent));
        let (award, chance) = (key("award", NumKind::Count), key("virus-percent", NumKind::Count));
        for (key, text, expected) in [
            (&hours, "72", Some("72")),
            (&hours, " seventy-two hours ", Some("seventy-two")),
            (&hours, "1 hour", Some("1")),
            (&hours, "2 days", None),
            (&hours, "60 minutes", None),
            (&hours, "3 hours and a bit", None),
            (&hours, "about 3", None),
            (&hours, "not 3", None),
            (&hours, "3 bananas", None),
            (&hours, "60%", None),
            (&hours, "pending-limit + 3", None),
            (&hours, "[3](#award)", None),
            (&percent, "60%", Some("60")),
            (&percent, "60 percent", Some("60")),
            (&percent, "two-thirds", Some("two-thirds")),
            (&percent, "60 hours", None),
            (&chance, "60%", Some("60")),
            (&award, "20 Power", Some("20")),
            (&award, "20 points", None),
            (&award, "thrice", Some("thrice")),
            (&award, "3, 5", None),
        ] {
            assert_eq!(key.alone(text, " Power. And so on").ok(), expected, "{} to {text}", key.key);
        }
        let list = key("prizes", NumKind::List);
        assert_eq!((list.alone("9, 6 and 1", ""), list.alone("9, 6 later", "").ok()), (Ok("9, 6 and 1"), None));
    }

    #[test]
    fn a_place_is_bound_only_where_the_rule_counts_the_same_unit() {
        let (hours, weeks) = (key("timeout-hours", NumKind::Count), key("idle-weeks", NumKind::Count));
        let percent = key("virus-percent", NumKind::Count);
        for (key, after, next, fits) in [
            (&hours, " hours", "of waiting", true),
            (&hours, " days", "of waiting", false),
            (&hours, "", "days of waiting", false),
            (&hours, " long", "hours", true),
            (&hours, "", "votes within days", true),
            (&weeks, " fortnight", "", false),
            (&weeks, " week.", "", true),
            (&percent, " permille", "chance", false),
            (&percent, "", "permille chance", false),
            (&percent, " percent", "chance", true),
            (&percent, "", "of the votes", true),
        ] {
            assert_eq!(key.counted_so(after, next).is_ok(), fits, "{}: {after}, {next}", key.key);
        }
        assert!(key("award", NumKind::Count).counted_so(" days", "").is_ok());
    }
}
