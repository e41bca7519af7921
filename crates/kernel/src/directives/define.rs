//! Attributes that players define: how a definition is written, and how a value of one is read.
//!
//! A definition is words (`whole number from 0 to 10, 5 at first`), read here into a range and a value to start from.
//! Each game says on what its players may define attributes.

use super::{
    syntax::{split_word, unquote},
    wording::folded,
};
use crate::Id;
use crate::Num;
use crate::Refusal;
use crate::Value;
use crate::time::read_instant;
use crate::world::Range;

/// Most words that a `one of` lists: they fit into one message.
pub const CHOICES_MAX_COUNT: usize = 50;
/// Longest list that a definition lets an attribute hold, in articles.
pub const LIST_MAX_ITEMS: u32 = 1000;

/// What the words of a definition mean where it is written.
pub struct Words<'a> {
    /// The kind of objects that some name.
    pub kind: &'a dyn Fn(&str) -> Option<Id>,
    /// The number that some stand for.
    pub number: &'a dyn Fn(&str) -> Option<Num>,
    /// The value of a range that names objects.
    pub link: &'a dyn Fn(&str, &Range) -> Option<Value>,
}

/// What a definition says: which values, and which at first.
///
/// # Errors
///
/// Where it says nothing of the kind.
pub fn read(spec: &str, by: &Words<'_>) -> Result<(Range, Value), Refusal> {
    let wrong = || {
        Refusal::new(format!(
            "“{}” does not say which values it holds. Write “whole number from 0 to 10, 5 at first”, “text”, “yes/no”, \
             “one of red, green” or a kind of object",
            spec.trim()
        ))
    };
    let (body, first) = default_of(spec);
    let range = range(body, by).ok_or_else(wrong)?;
    let default = match first {
        Some(words) => {
            let number = || matches!(range, Range::Num { .. }).then(|| (by.number)(words)).flatten().map(Value::Num);
            let value = plain(words, &range).or_else(|| (by.link)(words, &range)).or_else(number);
            value
                .filter(|value| range.holds(value))
                .ok_or_else(|| Refusal::new(format!("it cannot be “{words}” at first, being {}", shown(&range))))?
        }
        None => at_first(&range),
    };
    Ok((range, default))
}

/// A definition cut into values and the first value: `…, 5 at first`, `… starting at 5`, `…, default 5`.
fn default_of(spec: &str) -> (&str, Option<&str>) {
    let spec = spec.trim();
    if let Some(head) = strip_end(spec, "at first").or_else(|| strip_end(spec, "by default"))
        && let Some((body, first)) = last_part(head)
    {
        return (body.trim(), Some(first.trim()));
    }
    for (first, second) in [("starting", "at"), ("default", "")] {
        if let Some((body, rest)) = split_word(spec, &[first]) {
            let rest = rest.trim();
            let rest = rest.strip_prefix(second).unwrap_or(rest).trim();
            return (body.trim().trim_end_matches(',').trim(), Some(rest));
        }
    }
    (spec, None)
}

/// What numbers are called, and whether those are whole ones.
const NUMBERS: [(&str, bool); 9] = [
    ("whole numbers", true),
    ("whole number", true),
    ("integers", true),
    ("integer", true),
    ("numbers", false),
    ("number", false),
    ("rational number", false),
    ("rationals", false),
    ("rational", false),
];

/// The part after the last comma, or the list after one, and what stands before.
fn last_part(text: &str) -> Option<(&str, &str)> {
    let list = text.trim_end().ends_with('}').then(|| text.rfind('{')).flatten();
    match list.and_then(|at| Some((text[..at].trim_end().strip_suffix(',')?, &text[at..]))) {
        Some(parts) => Some(parts),
        None => text.rsplit_once(','),
    }
}

fn strip_end<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(end.len())?;
    text.get(at..).filter(|tail| tail.eq_ignore_ascii_case(end)).map(|_| text[..at].trim_end())
}

fn range(body: &str, by: &Words<'_>) -> Option<Range> {
    let words = folded(body.trim_end_matches(','));
    let words = words.strip_prefix("a ").or_else(|| words.strip_prefix("an ")).unwrap_or(&words);
    if let Some(rest) = words.strip_prefix("list of ") {
        let (min_len, max_len, rest) = lengths(rest, by)?;
        let rest = rest.replacen("numbers", "number", 1).replacen("texts", "text", 1);
        let of = range(&rest, by)?;
        let nested = matches!(of, Range::List { .. });
        return (!nested && min_len <= max_len).then(|| Range::List { of: Box::new(of), min_len, max_len });
    }
    if words.starts_with("one of ") {
        let at = body.to_lowercase().find("one of ")? + "one of ".len();
        let choices = items(&body[at..]);
        let choices: Vec<String> = choices.iter().map(|choice| unquote(choice).trim().to_owned()).collect();
        let fits =
            !choices.is_empty() && choices.len() <= CHOICES_MAX_COUNT && choices.iter().all(|one| !one.is_empty());
        return fits.then_some(Range::OneOf(choices));
    }
    let least = ["nonnegative ", "non negative "].iter().find_map(|sign| words.strip_prefix(sign));
    let numbers = least.unwrap_or(words);
    let names = |(name, _): &&(&str, bool)| {
        numbers.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    };
    if let Some((name, whole)) = NUMBERS.iter().find(names) {
        // From the body as it was written: folding takes the sign from a number.
        let noun = name.rsplit(' ').next().unwrap_or(name);
        let at = body.to_lowercase().find(noun).map_or(body.len(), |at| at + noun.len());
        let (min, max) = bounds(body.get(at..)?.trim().trim_end_matches(','), by)?;
        return Some(Range::Num { min: min.or(least.map(|_| Num::default())), max, whole: *whole });
    }
    match words {
        "text" => Some(Range::Text),
        "yes/no" | "yes or no" | "true/false" | "true or false" => Some(Range::Bool),
        "instant" | "time" | "date" | "moment" => Some(Range::Time),
        "anything" => Some(Range::Any),
        other => (by.kind)(other).map(Range::Ref),
    }
}

/// How many articles a list has, where that stands before what they are: `0 to 3`, `at least 1`, `at most 3`.
fn lengths<'t>(text: &'t str, by: &Words<'_>) -> Option<(u32, u32, &'t str)> {
    let number = |words: &str| words.parse::<Num>().ok().or_else(|| (by.number)(words));
    let length = |words: &str| number(words)?.to_i64().and_then(|length| u32::try_from(length).ok());
    let one = |lead: &str| text.strip_prefix(lead).and_then(|rest| rest.split_once(' '));
    if let Some((least, of)) = one("at least ") {
        return Some((length(least)?, LIST_MAX_ITEMS, of));
    }
    if let Some((most, of)) = one("at most ").or_else(|| one("up to ")) {
        return Some((0, length(most)?, of));
    }
    let bounds = text.strip_prefix("from ").unwrap_or(text);
    let both = bounds.split_once(" to ").and_then(|(least, rest)| {
        let (most, of) = rest.split_once(' ')?;
        Some((length(least)?, length(most)?, of))
    });
    Some(both.unwrap_or((0, LIST_MAX_ITEMS, text)))
}

/// `from A to B`, `from A` or `at least A`, `at most B`, or nothing.
fn bounds(text: &str, by: &Words<'_>) -> Option<(Option<Num>, Option<Num>)> {
    let lower = text.to_lowercase();
    let lower = lower.strip_prefix("of ").unwrap_or(&lower);
    let number = |text: &str| text.trim().parse::<Num>().ok().or_else(|| (by.number)(text.trim()));
    if lower.is_empty() {
        return Some((None, None));
    }
    if let Some(rest) = lower.strip_prefix("from ").or_else(|| lower.strip_prefix("between ")) {
        let Some((min, max)) = rest.split_once(" to ").or_else(|| rest.split_once(" and ")) else {
            return lower.strip_prefix("from ").and_then(number).map(|min| (Some(min), None));
        };
        let (min, max) = (number(min)?, number(max)?);
        return (min <= max).then_some((Some(min), Some(max)));
    }
    if let Some(min) = lower.strip_prefix("at least ") {
        return Some((Some(number(min)?), None));
    }
    lower.strip_prefix("at most ").and_then(number).map(|max| (None, Some(max)))
}

fn at_first(range: &Range) -> Value {
    match range {
        Range::Bool => Value::Bool(false),
        Range::Num { min, max, .. } => {
            let zero = Num::default();
            match (min, max) {
                (Some(min), _) if *min > zero => Value::Num(min.clone()),
                (_, Some(max)) if *max < zero => Value::Num(max.clone()),
                _ => Value::Num(zero),
            }
        }
        Range::Text => Value::Text(String::new()),
        Range::OneOf(choices) => choices.first().cloned().map_or(Value::Null, Value::Text),
        Range::List { .. } => Value::List(Vec::new()),
        Range::Any | Range::Ref(_) | Range::Time => Value::Null,
    }
}

/// A value that is written out, without any expression; `None` where the words are no value of the range.
pub fn plain(words: &str, range: &Range) -> Option<Value> {
    let words = words.trim();
    match range {
        // What a comment within a line leaves behind is blanks; those between quotation marks are meant.
        Range::Any | Range::Text if unquote(words) == words && !words.contains('\n') => {
            Some(Value::Text(words.split_whitespace().collect::<Vec<_>>().join(" ")))
        }
        Range::Any | Range::Text => Some(Value::Text(unquote(words).to_owned())),
        Range::OneOf(choices) => {
            let same = |choice: &&String| folded(choice) == folded(unquote(words));
            choices.iter().find(same).cloned().map(Value::Text)
        }
        Range::Bool => match folded(words).as_str() {
            "yes" | "true" | "on" => Some(Value::Bool(true)),
            "no" | "false" | "off" => Some(Value::Bool(false)),
            _ => None,
        },
        Range::Num { .. } => words.parse().ok().map(Value::Num),
        Range::Time => read_instant(unquote(words)).map(Value::Time),
        Range::List { of, .. } => {
            let inner = words.strip_prefix(['{', '[']).and_then(|rest| rest.strip_suffix(['}', ']'])).unwrap_or(words);
            items(inner).iter().map(|item| plain(item, of)).collect::<Option<Vec<Value>>>().map(Value::List)
        }
        Range::Ref(_) => None,
    }
}

/// The articles that some words in braces are; nothing for other words.
pub(super) fn several(words: &str) -> Option<Vec<String>> {
    Some(items(words.trim().strip_prefix('{')?.strip_suffix('}')?))
}

/// The articles of a list that is written out.
fn items(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut item = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' | '“' | '”' => {
                quoted = !quoted;
                item.push(c);
            }
            ',' if !quoted => found.push(std::mem::take(&mut item)),
            _ => item.push(c),
        }
    }
    found.push(item);
    let trimmed = found.into_iter().map(|item| {
        let item = item.trim();
        item.strip_prefix("or ").unwrap_or(item).trim().to_owned()
    });
    trimmed.filter(|item| !item.is_empty()).collect()
}

/// A range in words, after "it is".
pub fn shown(range: &Range) -> String {
    match range {
        Range::Any => "anything".to_owned(),
        Range::Bool => "yes or no".to_owned(),
        Range::Num { min, max, whole } => {
            let kind = if *whole { "a whole number" } else { "a number" };
            match (min, max) {
                (Some(min), Some(max)) => format!("{kind} from {min} to {max}"),
                (Some(min), None) => format!("{kind} of at least {min}"),
                (None, Some(max)) => format!("{kind} of at most {max}"),
                (None, None) => kind.to_owned(),
            }
        }
        Range::Text => "text".to_owned(),
        Range::OneOf(choices) => format!("one of {}", choices.join(", ")),
        Range::Ref(kind) => format!("a {kind}"),
        Range::Time => "a moment".to_owned(),
        Range::List { of, min_len, max_len } => {
            format!("a list of {min_len} to {max_len}, each of which is {}", shown(of))
        }
    }
}
