//! The figures that a game plays by, declared before any text is read.
//!
//! No game holds a figure of the rules as a constant. A mechanic declares a [`LiveKey`] and asks the rulebook for it at
//! the moment of use. A declaration says the kind of the figure and which values the engine can bear. It says what
//! stops when no rule gives it, and which rehearsal probes it. A value beyond the bounds is never clamped: the mechanic
//! is suspended. Figures are read in `live`.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use num_rational::BigRational;

use super::{
    book::Rulebook,
    numeral::{self, Form, Numeral, numerals},
    weekdays,
};
use crate::Num;

/// What a live figure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NumKind {
    /// A whole number that is not negative.
    Count,
    /// A whole number.
    Signed,
    /// Any number.
    Rational,
    /// A percentage, `50`, `50%` or `half`; its value is 50.
    Percent,
    /// What something is divided by, in figures: `2`, `1/3`. Words may name the part that remains: `half` is 2, and
    /// `two-thirds` are 3/2.
    Divisor,
    /// In how many parts a whole is divided, `3` or the parts `thirds`; its value is 3.
    Denominator,
    /// The number of a rule: `15`, `4E15`.
    RuleNumber,
    /// A moment: a date, or a date and a time of day, in UTC. Its value is in Unix seconds.
    Instant,
    /// A time of day in UTC. Its value is in seconds after midnight.
    TimeOfDay,
    /// Numbers in order: all numerals of all places with this key in the deciding rule.
    List,
    /// A person's name, not a number; its key begins with `@`.
    Name,
    /// A hinge: one of these wordings, by each of which the game can play; its key begins with `@`. The first is played
    /// where no rule gives one of them.
    Word(&'static [&'static str]),
    /// Days of the week by their names, `Monday` or `Tuesdays and Fridays`; its key begins with `@`.
    Weekdays,
}

impl NumKind {
    /// Whether what the text holds is made of numerals, not of letters.
    pub const fn is_number(self) -> bool {
        !matches!(self, NumKind::Name | NumKind::Word(_) | NumKind::Weekdays)
    }
}

/// A figure that a game plays by.
#[derive(Clone, Copy, Debug)]
pub struct LiveKey {
    /// What stands after the `#` in the text: `timeout-hours`, `@contestmaster`. Unique in a game.
    pub key: &'static str,
    /// What the text must hold.
    pub kind: NumKind,
    /// The least value that the engine can bear, of every number of a list.
    pub engine_min: i64,
    /// The greatest value that the engine can bear, of every number of a list; the most characters of a name.
    pub engine_max: i64,
    /// What stops when no rule gives the figure, as the end of "so ...": `nobody can submit programs`.
    pub absent: &'static str,
    /// The rehearsal that probes it, without folder and ending.
    pub rehearsal: &'static str,
    /// What it is, with its unit: `cycles after which both lose`.
    pub meaning: &'static str,
}

/// All figures of one game.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    by_key: BTreeMap<&'static str, &'static LiveKey>,
}

impl Keys {
    /// Collects declarations; of two with one key the first stays.
    pub fn new(declared: impl IntoIterator<Item = &'static LiveKey>) -> Self {
        let mut by_key = BTreeMap::new();
        for key in declared {
            by_key.entry(key.key).or_insert(key);
        }
        Self { by_key }
    }

    /// The same with the figures that rules mark and no program declares: laws play by them.
    pub fn of<'b>(
        declared: impl IntoIterator<Item = &'static LiveKey>,
        books: impl IntoIterator<Item = &'b Rulebook>,
    ) -> Self {
        let mut keys = Self::new(declared);
        for book in books {
            for (key, many) in book.marked().filter(|(key, _)| key.starts_with(|c: char| c.is_ascii_alphanumeric())) {
                if !keys.by_key.contains_key(key)
                    && let Some(made) = of_rules(key, many)
                {
                    keys.by_key.insert(made.key, made);
                }
            }
        }
        keys
    }

    /// The declaration of a key.
    pub fn get(&self, key: &str) -> Option<&'static LiveKey> {
        self.by_key.get(key).copied()
    }

    /// All declarations, by key.
    pub fn iter(&self) -> impl Iterator<Item = &'static LiveKey> {
        self.by_key.values().copied()
    }
}

/// Most figures of rules that the program remembers: far more than all rooms of one process mark.
const OF_RULES_MAX_COUNT: usize = 65_536;

/// The figure that rules mark with a key, where nothing declares it.
fn of_rules(key: &str, many: bool) -> Option<&'static LiveKey> {
    made([key, if many { "list" } else { "number" }, key, "what plays by it rests"]).ok()
}

/// A figure that the law of a rule declares: its key, its kind in words with its bounds, what it is, and what stops when no
/// rule gives it.
///
/// # Errors
///
/// What is wrong with it.
pub fn declared([key, kind, meaning, absent]: [&str; 4]) -> Result<&'static LiveKey, String> {
    if meaning.trim().is_empty() || absent.trim().is_empty() {
        return Err(format!("figure {key} says what it is, and what stops when no rule gives it"));
    }
    if !super::source::is_key(key) || !key.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Err(format!("“{key}” is no key of a figure: small letters, digits and hyphens"));
    }
    made([key, kind, meaning, absent])
}

/// Figures are referred to for as long as the program runs, so each is made once and kept.
fn made(words: [&str; 4]) -> Result<&'static LiveKey, String> {
    static MADE: Mutex<BTreeMap<[String; 4], &'static LiveKey>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = words.map(str::to_owned);
    if let Some(known) = made.get(&known) {
        return Ok(known);
    }
    if made.len() >= OF_RULES_MAX_COUNT {
        return Err("the program knows too many figures".to_owned());
    }
    let [key, kind, meaning, absent] = words;
    let (kind, [engine_min, engine_max]) = kind_of(kind)?;
    let key = if kind.is_number() { key.to_owned() } else { format!("@{key}") };
    let [key, meaning, absent] =
        [key, meaning.to_owned(), absent.to_owned()].map(|text| -> &'static str { text.leak() });
    let new: &'static LiveKey =
        Box::leak(Box::new(LiveKey { key, kind, engine_min, engine_max, absent, rehearsal: "laws", meaning }));
    made.insert(known, new);
    Ok(new)
}

/// Kinds of figures in words.
const KINDS: [(&str, NumKind); 11] = [
    ("count", NumKind::Count),
    ("whole number", NumKind::Signed),
    ("number", NumKind::Rational),
    ("percent", NumKind::Percent),
    ("divisor", NumKind::Divisor),
    ("whole of a part", NumKind::Denominator),
    ("rule number", NumKind::RuleNumber),
    ("moment", NumKind::Instant),
    ("time of day", NumKind::TimeOfDay),
    ("list", NumKind::List),
    ("weekdays", NumKind::Weekdays),
];

/// Longest name that a figure is, in characters.
const NAME_MAX_CHARS: i64 = 100;

/// A kind of figures, with its bounds: `count`, `whole number from -5 to 10`, `one of the most, the least`, `name`.
fn kind_of(words: &str) -> Result<(NumKind, [i64; 2]), String> {
    if let Some(wordings) = words.strip_prefix("one of ") {
        let wordings: Vec<&'static str> = wordings.split(',').map(|word| &*word.trim().to_owned().leak()).collect();
        return Ok((NumKind::Word(wordings.leak()), [0, 0]));
    }
    if words == "name" {
        return Ok((NumKind::Name, [1, NAME_MAX_CHARS]));
    }
    let (words, most) = words.rsplit_once(" to ").map_or((words, None), |(words, most)| (words, Some(most)));
    let (words, least) = words.rsplit_once(" from ").map_or((words, None), |(words, least)| (words, Some(least)));
    let bound = |is: Option<&str>, other: i64| match is {
        Some(is) => is.trim().parse().map_err(|_| format!("“{is}” is no whole number")),
        None => Ok(other),
    };
    let bounds = [bound(least, i64::MIN)?, bound(most, i64::MAX)?];
    match KINDS.iter().find(|(kind, _)| *kind == words) {
        Some(_) if bounds[0] > bounds[1] => Err("its bounds are the wrong way round".to_owned()),
        Some((_, kind)) => Ok((*kind, bounds)),
        None => {
            let kinds = KINDS.map(|(kind, _)| kind).join(", ");
            Err(format!("“{words}” is no kind of figure; there are {kinds}, name, and “one of the most, the least”"))
        }
    }
}

/// What is wrong with a set of declarations, for the test that every game has. That is keys twice, malformed ones,
/// bounds the wrong way round, empty sentences.
pub fn faults(declared: &[LiveKey]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, key) in declared.iter().enumerate() {
        let name = key.key.starts_with('@');
        for (wrong, why) in [
            (!super::source::is_key(key.key) || key.key.starts_with(['=', '-']), "is no key"),
            (name == key.kind.is_number(), "is named unlike its kind"),
            (key.engine_min > key.engine_max, "has its bounds the wrong way round"),
            (key.absent.is_empty() || key.rehearsal.is_empty() || key.meaning.is_empty(), "says too little"),
            (declared[..index].iter().any(|other| other.key == key.key), "is declared twice"),
        ] {
            if wrong {
                found.push(format!("{} {why}", key.key));
            }
        }
    }
    found
}

impl LiveKey {
    /// The key as it is typed: without its sign, which would name a room.
    pub fn typed(&self) -> &'static str {
        self.key.trim_start_matches('@')
    }

    /// Reads the figure out of the text of a marked place, within the engine's bounds.
    ///
    /// # Errors
    ///
    /// Why the text is no such figure, as a clause that begins with "it".
    pub fn read(&self, text: &str) -> Result<Num, String> {
        let found = numerals(text, true);
        let value = match self.kind {
            NumKind::Instant => instant(&found)?,
            NumKind::Name => return Err("it is a name".to_owned()),
            NumKind::Word(_) | NumKind::Weekdays => return Err("it is a word".to_owned()),
            _ => match &found[..] {
                [numeral] => self.one(numeral)?,
                [] => self.counted(text).ok_or_else(|| how_many(0))?,
                [..] if divides_by_zero(text, &found) => return Err("it divides by zero".to_owned()),
                [..] => return Err(how_many(found.len())),
            },
        };
        self.bounded(value)
    }

    /// What a text that is no numeral is worth here: the word `once`, `halved` or `third`.
    fn counted(&self, text: &str) -> Option<Num> {
        match self.kind {
            NumKind::Count | NumKind::Signed | NumKind::Rational => numeral::counted(text.trim(), false),
            NumKind::Divisor | NumKind::Denominator => numeral::counted(text.trim(), true),
            NumKind::Percent => {
                let parts = numeral::counted(text.trim(), true)?;
                Some(Num::from(Num::from(100).as_rational() / parts.as_rational()))
            }
            _ => None,
        }
    }

    /// Where a text holds what this figure could be read from, in order: numerals, and words that count in a place that
    /// is bound to a figure; of a hinge, its wordings; days. Lists, moments and names have no such places.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        if let NumKind::Word(wordings) = self.kind {
            let lower = text.to_ascii_lowercase();
            let places = |wording: &&str| -> Vec<Range<usize>> {
                lower.match_indices(*wording).map(|(at, words)| at..at + words.len()).collect()
            };
            return wordings.iter().flat_map(places).collect();
        }
        let reads = |at: &Range<usize>| self.read(&text[at.clone()]).is_ok();
        let mut found: Vec<Range<usize>> = match self.kind {
            NumKind::Weekdays => return weekdays::places(text),
            NumKind::List | NumKind::Instant | NumKind::Name | NumKind::Word(_) => return Vec::new(),
            _ => numerals(text, true).into_iter().map(|numeral| numeral.at).filter(reads).collect(),
        };
        let words = numeral::plain_words(text).into_iter().filter(reads);
        let free: Vec<_> = words.filter(|at| found.iter().all(|n| n.end <= at.start || at.end <= n.start)).collect();
        found.extend(free);
        found.sort_by_key(|at| at.start);
        found
    }

    /// Reads every figure of a list out of the text of a marked place, within the engine's bounds.
    ///
    /// # Errors
    ///
    /// Why the text is no such list, as a clause that begins with "it".
    pub fn read_list(&self, text: &str) -> Result<Vec<Num>, String> {
        let found = numerals(text, true);
        if found.is_empty() {
            return Err(how_many(0));
        }
        // A figure that became words would leave its place to the next one.
        if let Some(word) = numeral::beside(text, true) {
            return Err(format!("it holds more than a number: “{word}”"));
        }
        found.iter().map(|numeral| self.bounded(self.one(numeral)?)).collect()
    }

    /// What stands beside the figure in a text that should hold it alone: the first word that is no part of it.
    pub fn beside<'a>(&self, text: &'a str) -> Option<&'a str> {
        if self.counted(text).is_some() { None } else { numeral::beside(text, self.kind == NumKind::List) }
    }

    /// The figure that is read of a text, where that holds more than the figure and the unit behind it: of `6 days and
    /// ever` the `6`.
    pub fn part_of<'a>(&self, text: &'a str) -> Option<&'a str> {
        let text = text.trim();
        if !self.kind.is_number() || matches!(self.kind, NumKind::List | NumKind::Instant) {
            return None;
        }
        let [only] = &numerals(text, true)[..] else { return None };
        let words = text[only.at.end..].split_whitespace().count();
        (only.at.start > 0 || words > 1).then(|| &text[only.at.clone()])
    }

    /// Reads a name out of the text of a marked place, the wording of a hinge, whatever its case, or days of the week.
    ///
    /// # Errors
    ///
    /// Why the text is no name, no such wording or no such days, as a clause that begins with "it".
    pub fn read_name(&self, text: &str) -> Result<String, String> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let NumKind::Word(wordings) = self.kind {
            let known = wordings.iter().find(|wording| wording.eq_ignore_ascii_case(&name));
            return known.map(|known| (*known).to_owned()).ok_or_else(|| {
                let listed: Vec<String> = wordings.iter().map(|wording| format!("“{wording}”")).collect();
                let (last, others) = listed
                    .split_last()
                    .map_or((String::new(), String::new()), |(last, others)| (last.clone(), others.join(", ")));
                format!("it is not {others} or {last}")
            });
        }
        if self.kind == NumKind::Weekdays {
            let days: Vec<&str> = weekdays::weekdays(&name)?.into_iter().map(weekdays::day_name).collect();
            return Ok(days.join(" and "));
        }
        let length = i64::try_from(name.chars().count()).unwrap_or(i64::MAX);
        if length < self.engine_min.max(1) || length > self.engine_max {
            return Err(format!(
                "it has {length} characters, and a name has {} to {}",
                self.engine_min, self.engine_max
            ));
        }
        Ok(name)
    }

    fn one(&self, numeral: &Numeral) -> Result<Num, String> {
        let value = &numeral.value;
        let number = !matches!(numeral.form, Form::Reference | Form::Time | Form::Date);
        let (fits, wanted) = match self.kind {
            NumKind::Count => {
                (number && value.is_whole() && !value.is_negative(), "a whole number that is not negative")
            }
            NumKind::Signed => (number && value.is_whole(), "a whole number"),
            NumKind::Rational | NumKind::List => (number, "a number"),
            NumKind::Percent if number && share(numeral) => {
                return Ok(Num::from(value.as_rational() * BigRational::from_integer(100.into())));
            }
            NumKind::Percent => (number && !value.is_negative(), "a percentage"),
            NumKind::Divisor if !number || value.is_negative() || value.is_zero() => (false, "a number to divide by"),
            // “Half of it” is it divided by two; in figures, what stands there is what is divided by.
            NumKind::Divisor if numeral.form == Form::Words && !value.is_whole() => {
                return Ok(Num::from(value.as_rational().recip()));
            }
            NumKind::Divisor => (true, "a number to divide by"),
            NumKind::Denominator => {
                let parts = if share(numeral) { Num::from(value.as_rational().recip()) } else { value.clone() };
                let fits = number && parts.is_whole() && !parts.is_negative() && !parts.is_zero();
                return if fits { Ok(parts) } else { Err("it is not a number of parts".to_owned()) };
            }
            NumKind::RuleNumber => {
                let whole = value.is_whole() && !value.is_negative();
                (whole && (number || numeral.form == Form::Reference), "the number of a rule")
            }
            NumKind::TimeOfDay => (numeral.form == Form::Time, "a time of day like 21:00"),
            NumKind::Instant | NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => (false, "something else"),
        };
        if fits { Ok(value.clone()) } else { Err(format!("it is not {wanted}")) }
    }

    fn bounded(&self, value: Num) -> Result<Num, String> {
        if self.kind != NumKind::Instant && (value < self.engine_min.into() || value > self.engine_max.into()) {
            let (min, max) = (self.engine_min, self.engine_max);
            return Err(format!("it is out of the bounds that the program can play by, {min} to {max}"));
        }
        Ok(value)
    }
}

/// Whether a numeral is written as a fraction, in figures or words, and is no whole number: `half`, `4/3`.
fn fraction(numeral: &Numeral) -> bool {
    matches!(numeral.form, Form::Words | Form::Fraction) && !numeral.value.is_whole()
}

/// Whether a numeral is a share of a whole, written as a fraction: `half`, `two thirds`, `1/2`.
pub(super) fn share(numeral: &Numeral) -> bool {
    fraction(numeral) && !numeral.value.is_negative() && numeral.value < 1.into()
}

/// Whether a text divides something by zero.
fn divides_by_zero(text: &str, found: &[Numeral]) -> bool {
    found.windows(2).any(|pair| match pair {
        [above, below] => below.value.is_zero() && ["/", "÷"].contains(&text[above.at.end..below.at.start].trim()),
        _ => false,
    })
}

fn how_many(count: usize) -> String {
    match count {
        0 => "it is no number".to_owned(),
        count => format!("it holds {count} numbers instead of one"),
    }
}

fn instant(found: &[Numeral]) -> Result<Num, String> {
    let of = |form: Form| {
        let mut of = found.iter().filter(move |numeral| numeral.form == form);
        of.next().filter(|_| of.next().is_none())
    };
    match (of(Form::Date), of(Form::Time), found.len()) {
        (Some(date), None, 1) => Ok(date.value.clone()),
        (Some(date), Some(time), 2) => Ok(&date.value + &time.value),
        _ => Err("it is not a moment like 23:22:19 on 19 February 2005".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn key(key: &'static str, kind: NumKind) -> LiveKey {
        LiveKey { key, kind, engine_min: -10, engine_max: 100_000, absent: "x", rehearsal: "x", meaning: "x" }
    }

    #[test]
    fn each_kind_reads_what_it_is_and_refuses_the_rest() {
        for (kind, text, expected) in [
            (NumKind::Count, "48", Ok("48")),
            (NumKind::Count, "forty-eight", Ok("48")),
            (NumKind::Count, "-6", Err("it is not a whole number that is not negative")),
            (NumKind::Count, "1/2", Err("it is not a whole number that is not negative")),
            (NumKind::Count, "banana", Err("it is no number")),
            (NumKind::Count, "1 or 2", Err("it holds 2 numbers instead of one")),
            (NumKind::Count, "3 - 1", Err("it holds 2 numbers instead of one")),
            (NumKind::Count, "4E15", Err("it is not a whole number that is not negative")),
            (NumKind::Count, "1000000", Err("it is out of the bounds that the program can play by, -10 to 100000")),
            (NumKind::Signed, "-6", Ok("-6")),
            (NumKind::Rational, "6 + 1/403", Ok("6 1/403")),
            (NumKind::Rational, "6 days and 12 hours", Err("it holds 2 numbers instead of one")),
            (NumKind::Rational, "1/2/2", Err("it holds 3 numbers instead of one")),
            (NumKind::Rational, "1/0", Err("it divides by zero")),
            (NumKind::Rational, "1 ÷ 0", Err("it divides by zero")),
            (NumKind::Rational, "1 or 0", Err("it holds 2 numbers instead of one")),
            (NumKind::Percent, "50%", Ok("50")),
            (NumKind::Percent, "half", Ok("50")),
            (NumKind::Percent, "two-thirds", Ok("66 2/3")),
            (NumKind::Divisor, "2", Ok("2")),
            (NumKind::Divisor, "half", Ok("2")),
            (NumKind::Divisor, "halved", Ok("2")),
            (NumKind::Divisor, "thirds", Ok("3")),
            (NumKind::Divisor, "two-thirds", Ok("1 1/2")),
            (NumKind::Divisor, "4/3", Ok("1 1/3")),
            (NumKind::Divisor, "1/3", Ok("1/3")),
            (NumKind::Divisor, "0.5", Ok("1/2")),
            (NumKind::Divisor, "-1/2", Err("it is not a number to divide by")),
            (NumKind::Divisor, "divided by 3", Ok("3")),
            (NumKind::Denominator, "thirds", Ok("3")),
            (NumKind::Denominator, "half", Ok("2")),
            (NumKind::Denominator, "two-thirds", Err("it is not a number of parts")),
            (NumKind::Divisor, "0", Err("it is not a number to divide by")),
            (NumKind::Percent, "3/4", Ok("75")),
            (NumKind::Percent, "third", Ok("33 1/3")),
            (NumKind::Percent, "quarter", Ok("25")),
            (NumKind::Count, "three times", Ok("3")),
            (NumKind::Count, "thrice", Ok("3")),
            (NumKind::Count, "a", Ok("1")),
            (NumKind::Count, "Once", Ok("1")),
            (NumKind::Count, "doubled", Ok("2")),
            (NumKind::Count, "a week", Err("it is no number")),
            (NumKind::Count, "thirds", Err("it is no number")),
            (NumKind::RuleNumber, "4E15", Ok("15")),
            (NumKind::TimeOfDay, "21:00", Ok("75600")),
            (NumKind::TimeOfDay, "9:00 pm", Ok("75600")),
            (NumKind::Instant, "23:22:19 on 19 February 2005", Ok("1108855339")),
            (NumKind::Instant, "19 February 2005 just before 23:22:19", Ok("1108855339")),
            (NumKind::Instant, "23:22:19", Err("it is not a moment like 23:22:19 on 19 February 2005")),
        ] {
            let read = key("k", kind).read(text).map(|value| value.to_string());
            assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{kind:?} {text}");
        }
        for (kind, text, beside) in [
            (NumKind::Count, "9", None),
            (NumKind::Count, "forty-eight", None),
            (NumKind::Count, "9 now", Some("now")),
            (NumKind::Count, "best 9", Some("best")),
            (NumKind::Signed, "-6", None),
            (NumKind::List, "8/5, 3; 2 and 1", None),
            (NumKind::List, "8 5 later 3", Some("later")),
        ] {
            assert_eq!(key("k", kind).beside(text), beside, "{kind:?} {text}");
        }
        let list = key("k", NumKind::List).read_list("8/5/3/2/1").unwrap();
        assert_eq!(list, [8, 5, 3, 2, 1].map(Num::from));
        assert_eq!(key("@k", NumKind::Name).read_name(" Ann \n Lee ").unwrap(), "Ann Lee");
        let hinge = key("@k", NumKind::Word(&["rounded down", "rounded up"]));
        assert_eq!(hinge.read_name("Rounded\nup").as_deref(), Ok("rounded up"));
        assert_eq!(hinge.read_name("rounded").unwrap_err(), "it is not “rounded down” or “rounded up”");
    }

    #[test]
    fn faults_of_declarations_are_named() {
        let list =
            [key("a", NumKind::Count), key("a", NumKind::Count), key("@b", NumKind::Count), key("=c", NumKind::Count)];
        assert_eq!(faults(&list), ["a is declared twice", "@b is named unlike its kind", "=c is no key"]);
    }
}
