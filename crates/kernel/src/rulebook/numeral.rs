//! What a numeral is, decided in one place for reading, amending, infecting and binding.
//!
//! Rules are prose, and prose writes figures in many ways. Reading a live number, re-binding one after an edit and
//! picking "a random number within a rule" all use this scanner. So they all see the same numerals. It is given visible
//! text only, without link targets and markup.
//!
//! Rulings, each held by a row of the table in the tests:
//!
//! - Only ASCII digits make numerals. A digit inside a word is part of the name: `joust0`, `H2O`, `x_1`, `Rule15`.
//! - A sign belongs to the numeral when it touches the digits and stands at the beginning of something: `-6`, `(+6)`,
//!   `[-1,1]`. Between two figures it is a range or an operation: `1-8`, `power(self)-50`, `151 +/- 16` are unsigned.
//! - Exactly one slash between two whole numbers is a fraction: `1/403`. More slashes make a list: `8/5/3/2/1` is five
//!   numerals. A zero below the slash makes two numerals.
//! - A whole number and a proper fraction are one numeral, with a blank or a plus between them: `6 1/403`, `6 + 1/403`,
//!   `6½`. They are not with a plus behind an operand, as in `d ^ 2 + 1/2`. A plus between whole numbers joins nothing:
//!   `2 + 3` is two numerals.
//! - A comma or a point between digits: groups of exactly three after a comma are thousands (`384,000`). So are groups
//!   of three noughts after a blank (`100 000 000`, but not `135 150`). `5.0` is a decimal. `1,2` and `[-1,1]` are two
//!   numerals. A chain of points (`1.2.3`) is a reference to something and none.
//! - `4E15` is one reference to rule 15 of the fourth set, never a power of ten. `1e9` is a word.
//! - `19 February 2005`, `February 19, 2005` and `2005-02-19` are one date; a day and month without a year is the
//!   day's figure. `23:22:19`, `21:00`, `12.00 GMT` and `9:00 pm` are one time of day.
//! - `2nd` is an ordinal, suffix included. `50%`, `50 %` and `50 percent` are percentages of which only the figure is
//!   the numeral. `m50`, `50m`, `48h`, `48hrs` and `7d` are amounts of which only the figure is the numeral.
//! - Number words (`two`, `twenty-five`, `half`, `two-thirds`) are numerals only where the caller asks for them.
//!   Ordinal words (`first`, `third`), `a`, `once` and `twice` never are, but for the article of `a hundred`. In a
//!   place that is bound to a figure they count for what they say.
//! - A figure of more than [`NUMBER_MAX_BYTES`] bytes is no numeral.

mod words;

use std::ops::Range;

use jiff::civil::Date;

use crate::Num;
use crate::number::NUMBER_MAX_BYTES;

/// Fractions that are one sign, with what is above the line and below it.
const VULGAR: [(char, i64, i64); 9] = [
    ('½', 1, 2),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅕', 1, 5),
    ('⅙', 1, 6),
    ('⅛', 1, 8),
    ('⅒', 1, 10),
];

/// How a numeral is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Form {
    /// `48`, `-6`, `384,000`, `m50`.
    Whole,
    /// `5.0`.
    Decimal,
    /// `1/403`.
    Fraction,
    /// `6 1/403`, `6 + 1/403`.
    Mixed,
    /// `50` in `50 %`.
    Percent,
    /// `2nd`.
    Ordinal,
    /// `4E15`; the value is the number after the prefix.
    Reference,
    /// `23:22:19`; the value is seconds after midnight.
    Time,
    /// `19 February 2005`; the value is the Unix second in which the day begins in UTC.
    Date,
    /// `twenty-five`.
    Words,
}

/// A numeral in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numeral {
    /// Where it stands, in bytes: sign and digits, without a unit or percent sign.
    pub at: Range<usize>,
    /// How it is written.
    pub form: Form,
    /// What it is worth.
    pub value: Num,
}

/// Every numeral in a text, left to right; number words among them where asked for.
pub fn numerals(text: &str, words: bool) -> Vec<Numeral> {
    // Most marked places hold a plain figure, and a midnight reads hundreds of them.
    if let Some(plain) = plain(text) {
        return vec![plain];
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_digit(text, at) {
        let (end, mut read) = Scan { text }.read(start);
        found.append(&mut read);
        at = end.max(start + 1);
    }
    if words {
        let spelled = words::spelled(text);
        let free = |range: &Range<usize>| found.iter().all(|n| n.at.end <= range.start || range.end <= n.at.start);
        let extra: Vec<Numeral> = spelled.into_iter().filter(|numeral| free(&numeral.at)).collect();
        if !extra.is_empty() {
            found.extend(extra);
            found.sort_by_key(|numeral| numeral.at.start);
        }
    }
    found
}

/// The first word beside the numerals of a text. Where these are a list, the signs and words between its figures are part
/// of it.
pub(super) fn beside(text: &str, list: bool) -> Option<&str> {
    let found = numerals(text, true);
    let starts = std::iter::once(0).chain(found.iter().map(|numeral| numeral.at.end));
    let ends = found.iter().map(|numeral| numeral.at.start).chain([text.len()]);
    let joins = |word: &str| matches!(word, "and" | "or") || word.chars().all(|char| matches!(char, '/' | ',' | ';'));
    let mut words = starts.zip(ends).flat_map(|(from, to)| text[from..to].split_whitespace());
    words.find(|word| !(list && joins(word)))
}

/// A text that is nothing but the digits of a number of everyday size.
fn plain(text: &str) -> Option<Numeral> {
    let fits = (1..=PLAIN_MAX_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let value: i64 = fits.then(|| text.parse().ok())??;
    Some(Numeral { at: 0..text.len(), form: Form::Whole, value: value.into() })
}

/// Longest text that is read as a plain figure without looking further: any such number is an `i64`.
const PLAIN_MAX_DIGITS: usize = 18;

/// The only numeral of a text, number words included; `None` where there is none or more than one.
pub fn single(text: &str) -> Option<Numeral> {
    let mut all = numerals(text, true);
    if all.len() == 1 { all.pop() } else { None }
}

/// What a word is worth that is no numeral, in a place that is known to hold a figure. It is how often (`once`,
/// `doubled`), or in how many parts (`halved`, `thirds`).
pub(super) fn counted(word: &str, parts: bool) -> Option<Num> {
    let value = if parts { words::parts(word) } else { words::times(word) };
    value.map(Num::from)
}

/// The part of a whole that so many make, in words: `one-third` for `3`. Nothing where English has no short word for it.
pub(super) fn part_of(parts: &str) -> Option<String> {
    words::part_of(parts.parse().ok()?)
}

/// Every word of letters alone, left to right.
pub(super) fn plain_words(text: &str) -> Vec<Range<usize>> {
    words::words(text)
}

fn next_digit(text: &str, from: usize) -> Option<usize> {
    text.as_bytes()[from..].iter().position(u8::is_ascii_digit).map(|offset| from + offset)
}

struct Scan<'a> {
    text: &'a str,
}

impl Scan<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn after(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn digits(&self, at: usize) -> usize {
        self.text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn blanks(&self, at: usize) -> usize {
        self.text[at..].len() - self.text[at..].trim_start().len()
    }

    /// The end of the run of letters, digits and underscores that begins at a place.
    fn word_end(&self, at: usize) -> usize {
        at + self.text[at..].find(|c: char| !is_word(c)).unwrap_or(self.text.len() - at)
    }

    fn letters(&self, at: usize) -> &str {
        let end = at + self.text[at..].find(|c: char| !c.is_alphabetic()).unwrap_or(self.text.len() - at);
        &self.text[at..end]
    }

    /// Reads what begins with the digit at `start`; returns where to go on and the numerals found.
    fn read(&self, start: usize) -> (usize, Vec<Numeral>) {
        match self.before(start) {
            Some(c) if is_word(c) => {
                let amount = c == 'm' && !self.before(start - 1).is_some_and(is_word);
                if !amount {
                    return (self.word_end(start), Vec::new());
                }
            }
            // The tail of a chain of points that was stepped over, or `.5` glued to a word.
            Some('.') if self.before(start - 1).is_some_and(|c| c.is_ascii_digit()) => {
                return (start + self.digits(start), Vec::new());
            }
            _ => {}
        }
        if let Some(numeral) = self.date(start).or_else(|| self.time(start)) {
            return (numeral.at.end, vec![numeral]);
        }
        self.number(start)
    }

    fn number(&self, start: usize) -> (usize, Vec<Numeral>) {
        let text = self.text;
        let head = self.digits(start);
        let mut end = start + head;
        if head > NUMBER_MAX_BYTES {
            return (end, Vec::new());
        }
        let begin = self.with_sign(start);
        if self.byte(end) == Some(b'E') {
            let number = self.digits(end + 1);
            if number > 0 && begin == start {
                let stop = end + 1 + number;
                if self.after(stop).is_some_and(is_word) || number > NUMBER_MAX_BYTES {
                    return (self.word_end(stop), Vec::new());
                }
                return (stop, one(start..stop, Form::Reference, text[end + 1..stop].parse().ok()));
            }
        }
        // Thousands.
        let mut written = text[start..end].to_owned();
        if head <= 3 && !text[start..].starts_with('0') {
            while self.byte(end) == Some(b',') && self.digits(end + 1) == 3 && written.len() < NUMBER_MAX_BYTES {
                written.push_str(&text[end + 1..end + 4]);
                end += 4;
            }
            let noughts = |end: usize| text[end..].starts_with(" 000") && !self.after(end + 4).is_some_and(is_word);
            while noughts(end) && written.len() < NUMBER_MAX_BYTES {
                written.push_str("000");
                end += 4;
            }
        }
        let grouped = end - start > head;
        // Decimals, and chains of points.
        let mut form = Form::Whole;
        if self.byte(end) == Some(b'.') && self.digits(end + 1) > 0 {
            let stop = end + 1 + self.digits(end + 1);
            if stop - start > NUMBER_MAX_BYTES {
                return (stop, Vec::new());
            }
            if self.byte(stop) == Some(b'.') && self.digits(stop + 1) > 0 {
                let mut chain = stop;
                while self.byte(chain) == Some(b'.') && self.digits(chain + 1) > 0 {
                    chain += 1 + self.digits(chain + 1);
                }
                return (chain, Vec::new());
            }
            written.push_str(&text[end..stop]);
            (end, form) = (stop, Form::Decimal);
        } else if self.byte(end) == Some(b'/') && !grouped && self.digits(end + 1) > 0 {
            return self.slashes(begin, start);
        } else if !grouped && let Some(numeral) = self.mixed(begin, start, end) {
            return (numeral.at.end, vec![numeral]);
        }
        let (stop, suffix) = self.suffix(end);
        let (at, form) = match suffix {
            Suffix::None => (begin..end, form),
            Suffix::Percent => (begin..end, Form::Percent),
            Suffix::Ordinal if form == Form::Whole => (begin..stop, Form::Ordinal),
            Suffix::Ordinal | Suffix::Word => return (self.word_end(stop), Vec::new()),
        };
        let value = written.parse::<Num>().ok().map(|value| if self.negative(begin, start) { -&value } else { value });
        (stop, one(at, form, value))
    }

    /// A fraction, or a list of whole numbers.
    fn slashes(&self, begin: usize, start: usize) -> (usize, Vec<Numeral>) {
        let mut parts = Vec::new();
        let mut at = start;
        loop {
            let end = at + self.digits(at);
            parts.push(at..end);
            if self.byte(end) != Some(b'/') || self.digits(end + 1) == 0 {
                break;
            }
            at = end + 1;
        }
        let end = parts.last().map_or(start, |part| part.end);
        let glued = self.after(end).is_some_and(is_word);
        let value = |part: &Range<usize>| self.text[part.clone()].parse::<Num>().ok();
        if parts.len() == 2 && !glued && end - begin <= NUMBER_MAX_BYTES {
            let fraction = self.text[start..end].parse::<Num>().ok();
            if let Some(fraction) = fraction {
                let fraction = if self.negative(begin, start) { -&fraction } else { fraction };
                return (end, one(begin..end, Form::Fraction, Some(fraction)));
            }
        }
        if glued {
            parts.pop();
        }
        let found = parts.into_iter().enumerate().filter_map(|(index, part)| {
            let mut value = value(&part)?;
            let mut part = part;
            if index == 0 {
                value = if self.negative(begin, start) { -&value } else { value };
                part.start = begin;
            }
            Some(Numeral { at: part, form: Form::Whole, value })
        });
        (if glued { self.word_end(end) } else { end }, found.collect())
    }

    /// `6 1/403`, `6 + 1/403` and `6½`, given that the whole number ends at `end`.
    fn mixed(&self, begin: usize, start: usize, end: usize) -> Option<Numeral> {
        let rest = &self.text[end..];
        if let Some((sign, above, below)) = VULGAR.into_iter().find(|(sign, ..)| rest.starts_with(*sign)) {
            let stop = end + sign.len_utf8();
            let whole: Num = self.text[start..end].parse().ok().filter(|_| !self.after(stop).is_some_and(is_word))?;
            let value = &whole + &Num::ratio(above, below)?;
            let value = if self.negative(begin, start) { -&value } else { value };
            return Some(Numeral { at: begin..stop, form: Form::Mixed, value });
        }
        // Of “d ^ 2 + 1/2” the exponent is two.
        let is_operand = self.text[..begin].trim_end().ends_with(['^', '/', '*', '×', '·', '÷']);
        let gap = if rest.starts_with(" + ") && !is_operand { 3 } else { 1 };
        if gap == 1 && !rest.starts_with(' ') {
            return None;
        }
        let above = end + gap;
        let slash = above + self.digits(above);
        if slash == above || self.byte(slash) != Some(b'/') {
            return None;
        }
        let stop = slash + 1 + self.digits(slash + 1);
        let goes_on = match self.after(stop) {
            Some('/' | '.') => self.digits(stop + 1) > 0,
            next => next.is_some_and(is_word),
        };
        if stop == slash + 1 || goes_on || stop - begin > NUMBER_MAX_BYTES {
            return None;
        }
        let fraction: Num = self.text[above..stop].parse().ok()?;
        let whole: Num = self.text[start..end].parse().ok()?;
        if fraction >= Num::from(1) {
            return None;
        }
        let value = &whole + &fraction;
        let value = if self.negative(begin, start) { -&value } else { value };
        Some(Numeral { at: begin..stop, form: Form::Mixed, value })
    }

    fn suffix(&self, end: usize) -> (usize, Suffix) {
        let rest = &self.text[end..];
        if rest.starts_with('%') || rest.starts_with(" %") {
            return (end, Suffix::Percent);
        }
        let letters = self.letters(end);
        let whole_word = !self.after(end + letters.len()).is_some_and(is_word);
        match letters {
            "" if rest.starts_with('_') => (end, Suffix::Word),
            "" => {
                let percent = rest.strip_prefix(' ').is_some_and(|rest| {
                    ["percent", "per cent"].iter().any(|word| {
                        rest.strip_prefix(word).is_some_and(|rest| !rest.chars().next().is_some_and(is_word))
                    })
                });
                (end, if percent { Suffix::Percent } else { Suffix::None })
            }
            "st" | "nd" | "rd" | "th" if whole_word => (end + letters.len(), Suffix::Ordinal),
            "m" | "h" | "hr" | "hrs" | "d" if whole_word => (end, Suffix::None),
            _ => (end, Suffix::Word),
        }
    }

    fn time(&self, start: usize) -> Option<Numeral> {
        let two = |at: usize| {
            (self.digits(at) == 2).then(|| self.text[at..at + 2].parse::<i64>().ok()).flatten().filter(|n| *n < 60)
        };
        let head = self.digits(start);
        let hour = self.text[start..start + head].parse::<i64>().ok().filter(|hour| head <= 2 && *hour < 24)?;
        let mut end = start + head;
        let mut seconds = hour * 3600;
        match self.byte(end)? {
            b':' => {
                seconds += two(end + 1)? * 60;
                end += 3;
                if self.byte(end) == Some(b':') {
                    seconds += two(end + 1)?;
                    end += 3;
                }
                if self.byte(end) == Some(b':') || (self.after(end).is_some_and(is_word) && self.half(end).is_none()) {
                    return None;
                }
            }
            b'.' => {
                seconds += two(end + 1)? * 60;
                end += 3;
                if self.half(end).is_none() && !["GMT", "UTC"].contains(&self.letters(end + self.blanks(end))) {
                    return None;
                }
            }
            _ => return None,
        }
        if let Some((is_second, stop)) = self.half(end) {
            let hour = Some(hour).filter(|hour| (1..=12).contains(hour))?;
            seconds += (hour % 12 - hour + if is_second { 12 } else { 0 }) * 3600;
            end = stop;
        }
        Some(Numeral { at: start..end, form: Form::Time, value: seconds.into() })
    }

    /// Whether a time is one of the second half of the day, where it says of which half, and where that ends: `pm`.
    fn half(&self, end: usize) -> Option<(bool, usize)> {
        let at = end + usize::from(self.byte(end) == Some(b' '));
        let [first @ (b'a' | b'A' | b'p' | b'P'), rest @ ..] = &self.text.as_bytes()[at..] else { return None };
        let length = match rest {
            [b'.', b' ', b'm' | b'M', b'.', ..] => 5,
            [b'.', b'm' | b'M', b'.', ..] => 4,
            [b'm' | b'M', ..] => 2,
            _ => return None,
        };
        let over = length >= 4 || !self.after(at + length).is_some_and(is_word);
        over.then_some((first.eq_ignore_ascii_case(&b'p'), at + length))
    }

    fn date(&self, start: usize) -> Option<Numeral> {
        let head = self.digits(start);
        let first: i16 = self.text[start..start + head].parse().ok().filter(|_| head <= 4)?;
        let end = start + head;
        let small = |at: usize| -> Option<(i8, usize)> {
            let count = self.digits(at);
            (count == 2).then(|| self.text[at..at + 2].parse().ok()).flatten().map(|value| (value, at + 2))
        };
        let year = |at: usize| -> Option<(i16, usize)> {
            let whole = self.digits(at) == 4 && !self.after(at + 4).is_some_and(is_word);
            whole.then(|| self.text[at..at + 4].parse().ok()).flatten().map(|value| (value, at + 4))
        };
        let (date, at) = if head == 4 && self.byte(end) == Some(b'-') {
            let (month, next) = small(end + 1)?;
            let (day, stop) = (self.byte(next) == Some(b'-')).then(|| small(next + 1)).flatten()?;
            if self.after(stop).is_some_and(|c| is_word(c) || c == '-') {
                return None;
            }
            (Date::new(first, month, day).ok()?, start..stop)
        } else if head <= 2 {
            let day = i8::try_from(first).ok()?;
            let blank = self.blanks(end);
            let name = self.letters(end + blank);
            if let (Some(month), true) = (month(name), blank > 0) {
                let after = end + blank + name.len();
                let (year, stop) = year(after + self.blanks(after)).filter(|_| self.blanks(after) > 0)?;
                (Date::new(year, month, day).ok()?, start..stop)
            } else {
                let lead = self.text[..start].trim_end();
                let name_at = lead
                    .rfind(|c: char| !c.is_alphabetic())
                    .map_or(0, |at| at + lead[at..].chars().next().map_or(1, char::len_utf8));
                let month = month(&lead[name_at..]).filter(|_| lead.len() < start)?;
                let after = end + usize::from(self.byte(end) == Some(b','));
                let (year, stop) = year(after + self.blanks(after)).filter(|_| self.blanks(after) > 0)?;
                (Date::new(year, month, day).ok()?, name_at..stop)
            }
        } else {
            return None;
        };
        let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Numeral { at, form: Form::Date, value: midnight.timestamp().as_second().into() })
    }

    /// Where the numeral begins when a sign that belongs to it stands before its digits.
    fn with_sign(&self, start: usize) -> usize {
        let Some(sign @ ('-' | '+' | '\u{2212}')) = self.before(start) else { return start };
        let at = start - sign.len_utf8();
        let joined = self
            .before(at)
            .is_some_and(|c| is_word(c) || matches!(c, ')' | ']' | '}' | '/' | '.' | '%' | '-' | '+' | '\u{2212}'));
        if joined { start } else { at }
    }

    fn negative(&self, begin: usize, start: usize) -> bool {
        begin < start && !self.text[begin..].starts_with('+')
    }
}

enum Suffix {
    None,
    Percent,
    Ordinal,
    Word,
}

fn one(at: Range<usize>, form: Form, value: Option<Num>) -> Vec<Numeral> {
    value.map(|value| Numeral { at, form, value }).into_iter().collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The months as they are written out, in order.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn month(name: &str) -> Option<i8> {
    let name = name.to_ascii_lowercase();
    let index = MONTHS.iter().position(|full| *full == name || (name.len() == 3 && full.starts_with(&name)))?;
    i8::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, words: bool) -> String {
        numerals(text, words)
            .iter()
            .map(|n| format!("{}={} {:?}", &text[n.at.clone()], n.value, n.form))
            .collect::<Vec<_>>()
            .join("; ")
    }

    #[test]
    fn every_ruling_holds() {
        for (text, expected) in [
            ("48 hours", "48=48 Whole"),
            ("joust0..9", "9=9 Whole"),
            ("H2O x_1 Rule15 3x", ""),
            ("from negative six (-6) to (+6)", "-6=-6 Whole; +6=6 Whole"),
            ("Rules 1-8", "1=1 Whole; 8=8 Whole"),
            ("[-1,1]", "-1=-1 Whole; 1=1 Whole"),
            ("power(self)-50", "50=50 Whole"),
            ("151 +/- 16", "151=151 Whole; 16=16 Whole"),
            ("151 +/-16", "151=151 Whole; 16=16 Whole"),
            ("AI --50", "50=50 Whole"),
            ("1/403", "1/403=1/403 Fraction"),
            ("-1/2", "-1/2=-1/2 Fraction"),
            ("1/0", "1=1 Whole; 0=0 Whole"),
            ("8/5/3/2/1", "8=8 Whole; 5=5 Whole; 3=3 Whole; 2=2 Whole; 1=1 Whole"),
            ("6 1/403 units", "6 1/403=6 1/403 Mixed"),
            ("6 + 1/403", "6 + 1/403=6 1/403 Mixed"),
            ("6 + 404/403", "6=6 Whole; 404/403=1 1/403 Fraction"),
            ("2 + 3", "2=2 Whole; 3=3 Whole"),
            ("d ^ 2 + 1/2", "2=2 Whole; 1/2=1/2 Fraction"),
            ("97½ or 18¼ of ½", "97½=97 1/2 Mixed; 18¼=18 1/4 Mixed"),
            ("384,000 cycles", "384,000=384000 Whole"),
            ("100 000 000 of 135 150", "100 000 000=100000000 Whole; 135=135 Whole; 150=150 Whole"),
            ("1 000th", "1=1 Whole; 000th=0 Ordinal"),
            ("1 0000", "1=1 Whole; 0000=0 Whole"),
            ("1,2 and 1,0000", "1=1 Whole; 2=2 Whole; 1=1 Whole; 0000=0 Whole"),
            ("5.0 and 0.25.", "5.0=5 Decimal; 0.25=1/4 Decimal"),
            ("see 1.2.3 or 4.", "4=4 Whole"),
            ("4E15 and 3E15", "4E15=15 Reference; 3E15=15 Reference"),
            ("1e9 4E15x", ""),
            ("on 19 February 2005 just", "19 February 2005=1108771200 Date"),
            ("February 19, 2005", "February 19, 2005=1108771200 Date"),
            ("2005-02-19", "2005-02-19=1108771200 Date"),
            ("31 February 2005", "31=31 Whole; 2005=2005 Whole"),
            ("on 5 June", "5=5 Whole"),
            ("23:22:19 GMT", "23:22:19=84139 Time"),
            ("at 21:00.", "21:00=75600 Time"),
            ("12.00 GMT", "12.00=43200 Time"),
            ("at 9:00 pm or 9:30pm", "9:00 pm=75600 Time; 9:30pm=77400 Time"),
            ("12:00 a.m. and 12.15 PM.", "12:00 a.m.=0 Time; 12.15 PM=44100 Time"),
            ("7:00 p. m. sharp", "7:00 p. m.=68400 Time"),
            ("21:00 pm", "21=21 Whole; 00=0 Whole"),
            ("9:00 pmx", "9:00=32400 Time"),
            ("3:1", "3=3 Whole; 1=1 Whole"),
            ("the 2nd of 11th", "2nd=2 Ordinal; 11th=11 Ordinal"),
            ("50% 50 % 25 percent", "50=50 Percent; 50=50 Percent; 25=25 Percent"),
            ("m50 50m 48h 9hrs 7d", "50=50 Whole; 50=50 Whole; 48=48 Whole; 9=9 Whole; 7=7 Whole"),
            ("two FOR, one half", ""),
            ("2/(d_1^2+2)", "2=2 Whole; 2=2 Whole; 2=2 Whole"),
            ("v[0] £5 “7”", "0=0 Whole; 5=5 Whole; 7=7 Whole"),
            ("٣ ５", ""),
        ] {
            assert_eq!(shown(text, false), expected, "{text}");
        }
    }

    #[test]
    fn words_are_numerals_only_when_asked_for() {
        for (text, expected) in [
            ("two FOR", "two=2 Words"),
            ("Twenty-five or twenty six", "Twenty-five=25 Words; twenty six=26 Words"),
            (
                "half, one half, two-thirds, three quarters",
                "half=1/2 Words; one half=1/2 Words; two-thirds=2/3 Words; three quarters=3/4 Words",
            ),
            ("the first third of a dozen", "a dozen=12 Words"),
            ("two hundred and five thousand", "two hundred and five thousand=205000 Words"),
            ("two-fifteenths, one tenth", "two-fifteenths=2/15 Words; one tenth=1/10 Words"),
            ("the twenty-fifth", "twenty=20 Words"),
            ("someone, often, tonight", ""),
            ("a hundred 48", "a hundred=100 Words; 48=48 Whole"),
            ("a hundred and five, a thousand", "a hundred and five=105 Words; a thousand=1000 Words"),
            ("four dozen, a dozen times, dozens", "four dozen=48 Words; a dozen=12 Words"),
            ("half a dozen, half a week", "half a dozen=6 Words; half=1/2 Words"),
            ("a five, an hour, a hundredth", "five=5 Words"),
            ("five six", "five=5 Words; six=6 Words"),
            ("zero", "zero=0 Words"),
        ] {
            assert_eq!(shown(text, true), expected, "{text}");
        }
    }

    #[test]
    fn absurdly_long_figures_are_no_numerals() {
        let long = "9".repeat(NUMBER_MAX_BYTES + 1);
        for text in
            [long.clone(), format!("1.{long}"), format!("1/{long}/2"), format!("4E{long}"), format!("7{long}th")]
        {
            assert!(numerals(&text, true).iter().all(|n| n.at.len() <= NUMBER_MAX_BYTES), "{}", &text[..8]);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_scanned_left_to_right_without_overlap(text in "[ -9E%mth./,:+é\n]{0,60}|\\PC{0,40}") {
            let found = numerals(&text, true);
            let mut end = 0;
            for numeral in found {
                assert!(numeral.at.start >= end && numeral.at.end > numeral.at.start);
                end = numeral.at.end;
                assert!(text.get(numeral.at).is_some());
            }
        }
    }
}
