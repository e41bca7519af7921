//! How an edit of the visible text becomes an edit of the stored one.
//!
//! Players replace one phrase, which must stand exactly once, or the whole text; a virus replaces one numeral; an
//! officer sets one figure. All of them mean the visible text. The markup is carried over: untouched places stay, the
//! others are found again by alignment or unbound. Markup in the new words (`[50](#timeout-hours)`) is taken as it is
//! and wins. Each edit comes with a report of what became of which key, for the dry run.

use std::{ops::Range, sync::Arc};

use super::{
    align::align,
    book::{RULE_MAX_BYTES, Rule, Rulebook},
    keys::{LiveKey, NumKind},
    numeral::{self, numerals},
    ops::{RuleAct, RuleOp, Splice},
    source::{Mark, Span, Text},
};
use crate::Refusal;

/// A key, and where it stands in a visible text.
type Place = (Arc<str>, Range<usize>);
/// A marked place of a text, and where it was found after an edit.
type Kept<'t> = (&'t Span, Option<Range<usize>>);

/// Most places of a phrase that are counted before it is called too common.
const PLACES_MAX_COUNT: usize = 100;

/// An edit that is worked out and not yet done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The operation that does it.
    pub op: RuleOp,
    /// The text after it.
    pub text: Text,
    /// What becomes of the keys in the text that is replaced, and of those that the new words bring along. They are in
    /// the order of the old text and then of the new one. Untouched places are not listed.
    pub rebindings: Vec<Rebinding>,
}

impl Edit {
    /// How many places of figures it loses.
    pub fn lost(&self) -> usize {
        self.rebindings.iter().filter(|line| line.outcome == Outcome::Lost).count()
    }
}

/// What becomes of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebinding {
    /// The key, its sign included.
    pub key: Arc<str>,
    /// What the place showed before; `None` for a place that is new.
    pub old: Option<String>,
    /// What it shows from now on; `None` where it is gone.
    pub new: Option<String>,
    /// How that is known.
    pub outcome: Outcome,
}

/// How the place of a key is known after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Outcome {
    /// It was found, without any other candidate.
    Found,
    /// The new text says so by markup.
    Written,
    /// It stands in a comment now and no longer counts.
    Hidden,
    /// It is unbound, since its place is gone or unclear: unless another place gives it, the figure is absent.
    Lost,
}

/// Replaces a phrase of a rule's visible text. White space is folded, case is not; white space around the phrase and
/// around the new words does not count.
///
/// # Errors
///
/// Where the phrase does not stand in the rule exactly once, where nothing would change, or where the rule would
/// become too long.
pub fn replace_phrase(rule: &Rule, old: &str, new: &str) -> Result<Edit, Refusal> {
    let at = phrase(rule, old)?;
    replace_at(rule, at, new.trim())
}

/// Replaces a place of a rule's visible text.
///
/// # Errors
///
/// Where nothing would change, where the rule would become too long, or where there is no such place.
pub fn replace_at(rule: &Rule, at: Range<usize>, new: &str) -> Result<Edit, Refusal> {
    let visible = rule.text().visible();
    let (Some(head), Some(tail), true) = (visible.get(..at.start), visible.get(at.end..), at.start <= at.end) else {
        return Err(Refusal::new(format!("there is no such place in {}", rule.label())).instead("rules"));
    };
    edit(rule, &[head, &new.replace("\r\n", "\n"), tail].concat(), (head.len(), tail.len()))
}

/// Replaces a rule's whole visible text.
///
/// # Errors
///
/// Where nothing would change, or where the rule would become too long.
pub fn replace_text(rule: &Rule, new: &str) -> Result<Edit, Refusal> {
    edit(rule, &new.replace("\r\n", "\n"), (0, 0))
}

/// Sets a figure, a name or a word to something else, at the place that decides, as it is typed. A list that has a place
/// for each of its figures takes one numeral for each.
///
/// # Errors
///
/// Where no rule gives the figure, or the new words are no such figure or one that the engine cannot bear. Also where a
/// list has another number of places.
pub fn set_figure(book: &Rulebook, key: &LiveKey, new: &str) -> Result<Edit, Refusal> {
    let new = Text::parse(new.trim()).visible().to_string();
    let new = new.as_str();
    let read = match key.kind {
        NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => key.read_name(new).map(drop),
        NumKind::List => key.read_list(new).map(drop),
        _ => key.read(new).map(drop),
    };
    read.map_err(|why| Refusal::new(format!("“{}” cannot be the {}: {why}", short(new), key.meaning)))?;
    let Some((rule, _)) = book.places(key.key).next() else {
        return Err(Refusal::new(format!("no rule gives the {}", key.meaning)).instead("rules"));
    };
    let places: Vec<&Span> =
        rule.places(key.key).take(if key.kind == NumKind::List { usize::MAX } else { 1 }).collect();
    let shown = places.first().map_or("", |only| rule.text().shown(only));
    let share = share(key, new, shown);
    let new = share.as_deref().unwrap_or(new);
    let figures = numerals(new, true);
    let words: Vec<&str> = match places.len() {
        1 => vec![new],
        count if count == figures.len() => figures.iter().map(|figure| &new[figure.at.clone()]).collect(),
        count => {
            let say =
                format!("{} gives the {} in {count} places, so {count} numbers are needed", rule.label(), key.meaning);
            return Err(Refusal::new(say));
        }
    };
    let old = rule.text();
    let mut visible = String::new();
    let mut done = 0;
    // Old places and what each became, in order, to shift the other marked places by.
    let mut moves: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (place, word) in places.iter().map(|place| place.at.clone()).zip(words) {
        visible.push_str(&old.visible()[done..place.start]);
        let start = visible.len();
        visible.push_str(word);
        done = place.end;
        moves.push((place, start..visible.len()));
    }
    visible.push_str(&old.visible()[done..]);
    let shifted = |at: usize, end: bool| {
        let index = moves.partition_point(|(from, _)| if end { from.start < at } else { from.start <= at });
        match index.checked_sub(1).map(|index| &moves[index]) {
            None => at,
            Some((from, to)) if at >= from.end => to.end + (at - from.end),
            Some((_, to)) if end => to.end,
            Some((_, to)) => to.start,
        }
    };
    let kept = old.spans().iter().map(|span| {
        let at = shifted(span.at.start, false)..shifted(span.at.end, true);
        let set = moves.iter().any(|(from, _)| *from == span.at);
        let inner = !set && moves.iter().any(|(from, _)| from.start <= span.at.start && span.at.end <= from.end);
        (span, (!inner).then_some(at))
    });
    let kept = kept.collect();
    let touched = |span: &Span| moves.iter().any(|(from, _)| from.start < span.at.end && span.at.start < from.end);
    finish(rule, &visible, kept, Vec::new(), touched)
}

/// A share as it is written in the place of one that is no bare number: `60%`, `1/3`, `one-third`. A bare number there
/// would read as a count. `None` where it is written as it was typed.
fn share(key: &LiveKey, new: &str, old: &str) -> Option<String> {
    let bare = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = bare(new) && !bare(old);
    match key.kind {
        NumKind::Percent if fits => Some(format!("{new}%")),
        NumKind::Denominator if fits => Some(format!("1/{new}")),
        // Words stay words: in figures a divisor is what it says.
        NumKind::Divisor if fits && !old.contains(|char: char| char.is_ascii_digit()) => numeral::part_of(new),
        _ => None,
    }
}

/// Binds a key to a phrase of a rule's visible text, so that the game plays by what stands there. That is the numeral
/// in the phrase, or the whole phrase where the key is a list, a moment or a name. Other places of the key in the rule
/// are released, unless the key is a list.
///
/// # Errors
///
/// Where the phrase does not stand in the rule exactly once, or where it holds no such figure. Also where the place
/// cannot be marked, as in code.
pub fn bind(rule: &Rule, key: &LiveKey, words: &str) -> Result<Edit, Refusal> {
    let at = phrase(rule, words)?;
    let old = rule.text();
    let shown = &old.visible()[at.clone()];
    let found = numerals(shown, true);
    let no = |why: &str| Refusal::new(format!("“{}” cannot be the {}: {why}", short(shown), key.meaning));
    let at = match (key.kind, &found[..]) {
        (NumKind::Name, _) => at,
        (NumKind::Word(_) | NumKind::Weekdays, _) => match key.read_name(shown) {
            Ok(_) => at,
            Err(why) => return Err(no(&why)),
        },
        (NumKind::List | NumKind::Instant, [first, .., last]) => at.start + first.at.start..at.start + last.at.end,
        // A number that the engine cannot bear is bound, and told as broken.
        (_, [only]) if key.places(shown).is_empty() => at.start + only.at.start..at.start + only.at.end,
        (_, several) => match (&key.places(shown)[..], several) {
            ([only], _) => at.start + only.start..at.start + only.end,
            ([], []) => return Err(no("it is no number")),
            _ => return Err(no("it holds several numbers")),
        },
    };
    let released = |span: &Span| span.at == at || (*span.key == *key.key && key.kind != NumKind::List);
    key.counted_so(old.visible(), &at).map_err(|why| no(&format!("{why}; amend the rule first")))?;
    let bound = [(Arc::from(key.key), at.clone())];
    let kept: Vec<Kept<'_>> =
        old.spans().iter().map(|span| (span, (!released(span)).then(|| span.at.clone()))).collect();
    let places = places(&kept, &bound);
    if Text::marked(old.visible(), &places).spans().len() != places.len() {
        return Err(no("that place cannot be marked"));
    }
    let text = whole(rule, old.visible(), &kept, &bound);
    let stands = |span: &Span| text.spans().iter().any(|now| now.key == span.key && now.at == span.at);
    let mut rebindings: Vec<Rebinding> =
        old.spans().iter().filter(|span| *span.key != *key.key && !stands(span)).map(|span| lost(old, span)).collect();
    let before = rule.places(key.key).next().map(|span| old.shown(span).to_owned());
    rebindings.push(Rebinding {
        key: key.key.into(),
        old: before,
        new: Some(old.visible()[at].to_owned()),
        outcome: Outcome::Written,
    });
    marked(rule, text, rebindings)
}

/// Releases a key in a rule: its figure becomes absent there, and the text stays.
///
/// # Errors
///
/// Where the rule does not hold the key.
pub fn unbind(rule: &Rule, key: &str) -> Result<Edit, Refusal> {
    let old = rule.text();
    let (gone, stay): (Vec<&Span>, Vec<&Span>) = old.spans().iter().partition(|span| *span.key == *key);
    if gone.is_empty() {
        return Err(Refusal::new(format!("{} holds no {key}", rule.label())).instead("rules"));
    }
    let places: Vec<_> = stay.iter().map(|span| (span.key.clone(), span.at.clone())).collect();
    let text = Text::marked(old.visible(), &places);
    marked(rule, text, gone.iter().map(|span| lost(old, span)).collect())
}

/// Where a phrase stands in a rule's visible text, white space folded: in its words, and in code only where they have
/// nothing of it.
///
/// # Errors
///
/// Where it does not stand there exactly once; the refusal says how often it does.
pub fn phrase(rule: &Rule, words: &str) -> Result<Range<usize>, Refusal> {
    let words = Text::parse(words).visible().to_string();
    let mut found = find(rule.text().visible(), &words);
    let is_code = |at: &Range<usize>| rule.text().fences().iter().any(|fence| fence.at.contains(&at.start));
    if found.iter().any(|at| !is_code(at)) {
        found.retain(|at| !is_code(at));
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 if words.trim().is_empty() => Err(Refusal::new("an empty phrase stands everywhere").instead("rules")),
        0 => Err(Refusal::new(format!("“{}” does not stand in {}", short(&words), rule.label())).instead("rules")),
        count => {
            let times = if count < PLACES_MAX_COUNT { count.to_string() } else { format!("at least {count}") };
            Err(Refusal::new(format!("“{}” stands in {} {times} times; quote more of it", short(&words), rule.label())))
        }
    }
}

/// Where a phrase stands in a text, white space folded, overlapping places too.
fn find(text: &str, words: &str) -> Vec<Range<usize>> {
    let wanted = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if wanted.is_empty() {
        return Vec::new();
    }
    // The text with its white space folded, and where each of its bytes comes from.
    let mut folded = String::with_capacity(text.len());
    let mut origin = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        if !c.is_whitespace() {
            folded.push(c);
            origin.extend(at..at + c.len_utf8());
        } else if !folded.ends_with(' ') {
            folded.push(' ');
            origin.push(at);
        }
    }
    let step = wanted.chars().next().map_or(1, char::len_utf8);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = folded[from..].find(&wanted) {
        let (start, end) = (from + offset, from + offset + wanted.len());
        // The last byte is no white space, so the place ends right after it.
        found.push(origin[start]..origin[end - 1] + 1);
        if found.len() >= PLACES_MAX_COUNT {
            break;
        }
        from = start + step;
    }
    found
}

/// Works out an edit from the new visible text, which may bring markup along. `same` says how many bytes at the
/// beginning and at the end are untouched.
fn edit(rule: &Rule, new: &str, same: (usize, usize)) -> Result<Edit, Refusal> {
    let old = rule.text();
    if new.len() > RULE_MAX_BYTES {
        return Err(Refusal::new(format!("a rule has at most {RULE_MAX_BYTES} bytes")));
    }
    let parsed = Text::parse(new);
    let visible = parsed.visible();
    let prefix = common(old.visible().bytes(), visible.bytes()).min(same.0);
    let room = old.visible().len().min(visible.len()) - prefix;
    let suffix = common(old.visible().bytes().rev(), visible.bytes().rev()).min(same.1).min(room);
    let explicit: Vec<Place> = parsed.spans().iter().map(|span| (span.key.clone(), span.at.clone())).collect();
    let taken: Vec<Range<usize>> = explicit.iter().map(|(_, at)| at.clone()).collect();
    let found = align(old, visible, (prefix, suffix), &taken);
    let end = old.visible().len() - suffix;
    let untouched = |span: &Span| span.at.end <= prefix || span.at.start >= end;
    let kept = old.spans().iter().zip(found).map(|(span, found)| {
        // Written markup wins over what alignment says, at its own place and for its own key. Of a list, places that
        // read as before stay beside it.
        let found = found.filter(|found| {
            let list = rule.places(&span.key).nth(1).is_some();
            let same_text = list && visible[found.clone()] == *old.shown(span);
            let overlaps = |at: &Range<usize>| at.start < found.end && found.start < at.end;
            !explicit.iter().any(|(key, at)| (*key == span.key && !same_text && !untouched(span)) || overlaps(at))
        });
        (span, found)
    });
    let kept = kept.collect();
    finish(rule, visible, kept, explicit, |span| !untouched(span))
}

/// Writes the markup and reports what became of each key.
fn finish(
    rule: &Rule,
    visible: &str,
    kept: Vec<Kept<'_>>,
    explicit: Vec<Place>,
    touched: impl Fn(&Span) -> bool,
) -> Result<Edit, Refusal> {
    let old = rule.text();
    let text = whole(rule, visible, &kept, &explicit);
    if **text.visible() != *visible {
        return Err(Refusal::new("these words would read as markup where they are put").instead("rules"));
    }
    let stands =
        |key: &Arc<str>, at: &Range<usize>| text.spans().iter().find(|span| span.key == *key && span.at == *at);
    let mut rebindings = Vec::new();
    for (span, found) in kept {
        let now = found.and_then(|found| stands(&span.key, &found));
        let outcome = match now {
            Some(now) if span.counts && !now.counts => Outcome::Hidden,
            Some(_) => Outcome::Found,
            None => Outcome::Lost,
        };
        let new = now.map(|now| text.shown(now).to_owned());
        let changed = new.as_deref() != Some(old.shown(span)) || outcome == Outcome::Hidden;
        if touched(span) || changed {
            rebindings.push(Rebinding { key: span.key.clone(), old: Some(old.shown(span).to_owned()), new, outcome });
        }
    }
    for (key, at) in explicit {
        // What alignment lost and markup gives is one line: the key went from there to here.
        let before = rebindings.iter_mut().find(|line| line.key == key && line.outcome == Outcome::Lost);
        let new = stands(&key, &at).map(|now| text.shown(now).to_owned());
        let outcome = if new.is_some() { Outcome::Written } else { Outcome::Lost };
        match before {
            Some(line) => (line.new, line.outcome) = (new, outcome),
            None => rebindings.push(Rebinding { key, old: None, new, outcome }),
        }
    }
    if *text.visible() == *old.visible() {
        if text.source() == old.source() {
            return Err(Refusal::new(format!("{} says that already", rule.label())).instead("rules"));
        }
        return marked(rule, text, rebindings);
    }
    let splice = splice(rule, &text)?;
    let op = RuleOp::new(rule.id().clone(), RuleAct::Amend { from: rule.revision(), splice });
    Ok(Edit { op, text, rebindings })
}

/// What is marked after an edit: what was written so, and the old places that were found.
fn places(kept: &[Kept<'_>], written: &[Place]) -> Vec<Place> {
    let mut places = written.to_vec();
    for place in kept.iter().filter_map(|(span, found)| Some((span.key.clone(), found.clone()?))) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The text after an edit. Of a list that stands in several places each keeps its rank. Where one is lost, or would move
/// up to the rank of another, all are unbound.
fn whole(rule: &Rule, visible: &str, kept: &[Kept<'_>], written: &[Place]) -> Text {
    let places = places(kept, written);
    let text = Text::marked(visible, &places);
    let list = |text: &Text, key: &str| -> Vec<Range<usize>> {
        text.spans().iter().filter(|span| span.counts && *span.key == *key).map(|span| span.at.clone()).collect()
    };
    let rank = |list: &[Range<usize>], at: &Range<usize>| list.iter().position(|other| other == at);
    let is_broken = |(span, found): &Kept<'_>| {
        let (was, is) = (list(rule.text(), &span.key), list(&text, &span.key));
        let moves_up = |at: &Range<usize>| is.len() < was.len() || rank(&is, at) < rank(&was, &span.at);
        span.mark() == Mark::Number && was.len() > 1 && found.as_ref().is_some_and(moves_up)
    };
    let broken: Vec<&str> = kept.iter().filter(|place| is_broken(place)).map(|(span, _)| &*span.key).collect();
    if broken.is_empty() {
        return text;
    }
    let stay: Vec<Place> = places.into_iter().filter(|(key, _)| !broken.contains(&&**key)).collect();
    Text::marked(visible, &stay)
}

fn marked(rule: &Rule, text: Text, rebindings: Vec<Rebinding>) -> Result<Edit, Refusal> {
    let splice = splice(rule, &text)?;
    if splice.is_empty() {
        return Err(Refusal::new(format!("{} is bound so already", rule.label())).instead("rules"));
    }
    Ok(Edit { op: RuleOp::new(rule.id().clone(), RuleAct::Mark { splice }), text, rebindings })
}

fn splice(rule: &Rule, text: &Text) -> Result<Splice, Refusal> {
    if text.source().len() > RULE_MAX_BYTES {
        return Err(Refusal::new(format!("a rule has at most {RULE_MAX_BYTES} bytes")));
    }
    Ok(Splice::between(rule.text().source(), text.source()))
}

fn lost(old: &Text, span: &Span) -> Rebinding {
    Rebinding { key: span.key.clone(), old: Some(old.shown(span).to_owned()), new: None, outcome: Outcome::Lost }
}

fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// The beginning of a text, for a sentence that quotes it.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests;
