//! The lines of values that a display is given with (4E50): `OBJECT.ATTRIBUTE = VALUE`, of rules too.
//!
//! They stand before directives, and between and behind these: each is read in the room as the lines before it leave
//! it. A line that is neither a value nor a directive is refused, since others support the whole. Whether the display
//! shows the subject of a line is judged in `says`.

use super::says::{PARTS, TEXT, TITLE, path_of};
use crate::{
    game::{BNomic, D},
    law::{self, PREFIX, Thing},
    ministries::posts,
    precedence,
    proposals::status,
    registry,
    society::players,
    stats::{self, MINISTER, called},
};
use kernel::{
    Id, Path, Refusal, State, Value,
    directives::{
        Names, define,
        syntax::{Body, unquote},
    },
    rulebook::{Rule, book::TITLE_MAX_CHARS, source},
    world::Range,
};
use kit::effects as texts;

/// What a display shows where an attribute names nobody.
const NOBODY: [&str; 4] = ["vacant", "nobody", "nothing", "none"];

/// A part of what stands from the first directive on.
pub(super) enum Part {
    /// Directives, with as many empty lines before them as there were lines.
    Done(String),
    /// A line that must be one of a value.
    Said(String),
}

/// The lines of values, and all that stands from the first directive on.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that is none.
pub(super) fn parted(text: &str) -> Result<(Vec<String>, &str), Refusal> {
    let body = texts::read::<BNomic>(text)?;
    let first = body.directives.first().map_or(text.len(), |directive| directive.at.start);
    let seen = source::blanked(text);
    // On a line of its own, or behind a semicolon.
    let behind = seen.match_indices("=>").map(|(at, _)| at).find(|at| seen[..*at].trim_end().ends_with(';'));
    let (lines, directives) = text.split_at(behind.unwrap_or(first).min(first));
    Ok((said_in(lines, &seen[..lines.len()]), directives))
}

/// What is said in some lines, but for comments (4E5); `seen` is the same with these blanked.
fn said_in(lines: &str, seen: &str) -> Vec<String> {
    let mut said = Vec::new();
    let mut from = 0;
    for part in seen.split_inclusive(['\n', ';']) {
        let (start, words) = (from + part.len() - part.trim_start().len(), part.trim_end_matches(['\n', ';']));
        if !words.trim().is_empty() {
            said.push(lines[start..from + words.len()].trim().to_owned());
        }
        from += part.len();
    }
    said
}

/// What stands from the first directive on, in order.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that is none.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, Refusal> {
    let Body { directives, .. } = texts::read::<BNomic>(text)?;
    let seen = source::blanked(text);
    let said = |from: usize, to: usize| said_in(&text[from..to], &seen[from..to]).into_iter().map(Part::Said);
    let mut parts = Vec::new();
    let mut from = 0;
    for directive in &directives {
        parts.extend(said(from, directive.at.start));
        match parts.last_mut() {
            Some(Part::Done(done)) => done.push_str(&text[from..directive.at.end]),
            _ => {
                let before = "\n".repeat(text[..directive.at.start].matches('\n').count());
                parts.push(Part::Done(before + &text[directive.at.clone()]));
            }
        }
        from = directive.at.end;
    }
    parts.extend(said(from, text.len()));
    Ok(parts)
}

/// A rule in force by what somebody calls it, the prefix of numbers included.
pub(super) fn rule<'a>(state: &'a State<BNomic>, words: &str) -> Result<&'a Rule, Refusal> {
    let words = words.trim();
    let bare = words.get(..PREFIX.len()).filter(|head| head.eq_ignore_ascii_case(PREFIX));
    state.rules.find(bare.map_or(words, |_| &words[PREFIX.len()..]))
}

/// A line of a display: whose attribute, and its value.
///
/// # Errors
///
/// A [`Refusal`] with the line, where it says no such thing.
pub(super) fn said(d: &D<'_>, line: &str) -> Result<(Path, Value), Refusal> {
    let several = line.matches('=').count() > 1;
    let parted = if several { ". Between two values stands a semicolon or a new line" } else { "" };
    read(d, line)
        .map_err(|why| Refusal { say: format!("“{line}”: {}{parted}", why.say.trim_end_matches('.')), ..why })
}

fn read(d: &D<'_>, line: &str) -> Result<(Path, Value), Refusal> {
    let wrong = || {
        Refusal::new("it does not say what is what, as a line of a value does, and is no directive either")
            .by(Thing::Displays.rule(&d.rules))
            .instead("intend approve society Ann.mackerel = 60")
    };
    let (what, value) = line.split_once('=').ok_or_else(wrong)?;
    let what = what.trim();
    let parts = what.rsplit_once('.').or_else(|| what.rsplit_once("'s ")).or_else(|| what.rsplit_once("’s "));
    let (obj, attr) = parts.or_else(|| what.split_once(" of ").map(|(attr, obj)| (obj, attr))).ok_or_else(wrong)?;
    if let Ok(rule) = rule(d, obj)
        && BNomic::find(d, obj).map_or(true, |found| found == stats::object(rule))
    {
        let obj = stats::object(rule);
        match BNomic::attribute(d, attr, &stats::RULE.into()).filter(|attr| !PARTS.contains(&&**attr)) {
            Some(attr) => return value_of(d, Path::new(obj, attr), value),
            None => return said_of(rule, attr.trim(), value.trim()),
        }
    }
    let obj = match d.world.exists(obj.trim()) {
        true => Id::from(obj.trim()),
        false => match BNomic::word(d, obj) {
            Some(Value::Ref(named)) => named,
            _ => posts::find(d, obj).or_else(|_| BNomic::find(d, obj))?,
        },
    };
    let kind = d.world.kind(&obj).cloned().ok_or_else(wrong)?;
    let attr = BNomic::attribute(d, attr, &kind)
        .ok_or_else(|| Refusal::new(format!("{} has no “{}”", called(d, &obj), attr.trim())).instead("show society"))?;
    value_of(d, Path::new(obj, attr), value)
}

/// The value of an attribute, as a line of a display gives it.
fn value_of(d: &D<'_>, path: Path, value: &str) -> Result<(Path, Value), Refusal> {
    let (range, first) = match d.world.def_at(&path) {
        Some(def) => (def.range.clone(), def.default.clone()),
        None => (Range::Any, Value::Null),
    };
    // A comment behind it is none of it (4E5).
    let value = law::uncommented(value);
    let value = match range {
        // Words keep the full stop that ends them.
        Range::Any | Range::Text | Range::OneOf(_) if *path.attr != *MINISTER.id => value.trim(),
        _ => value.trim().trim_end_matches(['.', ',']).trim_end(),
    };
    let nobody = NOBODY.contains(&&*value.to_lowercase());
    let value = match &range {
        _ if *path.attr == *MINISTER.id && nobody => Some(Value::Null),
        _ if *path.attr == *MINISTER.id => Some(Value::Ref(players::other(d, &somebody(d, value, None)?, None)?)),
        // As it is at first, where that is nobody.
        Range::Ref(_) if nobody && first == Value::Null => Some(Value::Null),
        Range::Ref(kind) => Some(Value::Ref(somebody(d, value, Some(kind))?)),
        Range::List { of, .. } if matches!(**of, Range::Ref(_)) => Some(several(d, value, of)?),
        Range::Bool if value.eq_ignore_ascii_case("on") => Some(Value::Bool(true)),
        Range::Bool if value.eq_ignore_ascii_case("off") => Some(Value::Bool(false)),
        // As it is written in rules: `m60`, `A Few` (B34.1, B30.1).
        range => {
            let held = |value: &Value| range.holds(value);
            define::plain(value, range).filter(held).or_else(|| BNomic::word(d, value).filter(held))
        }
    };
    let value = value.filter(|value| *value == Value::Null || range.holds(value)).ok_or_else(|| {
        Refusal::new(format!("{path} is {} and nothing else", define::shown(&range))).by("4E11, Attributes")
    })?;
    registry::is_there(d, &value)?;
    registry::fits_length(d, &path, &value)?;
    if let Value::List(named) = &value {
        status::are_others(&path, named)?;
    }
    Ok((path, value))
}

/// Whom or what a value names, with or without marks round the name, and with or without the word for its kind.
fn somebody(d: &D<'_>, words: &str, kind: Option<&Id>) -> Result<Id, Refusal> {
    let words = unquote(words);
    let bare = kind.and_then(|kind| {
        let rest = words.get(..kind.len()).filter(|head| head.eq_ignore_ascii_case(kind)).map(|_| &words[kind.len()..]);
        rest.filter(|rest| rest.starts_with([' ', '"', '“'])).map(unquote)
    });
    match BNomic::word(d, words) {
        Some(Value::Ref(named)) => Ok(named),
        _ => BNomic::find(d, words).or_else(|why| bare.map_or(Err(why), |bare| BNomic::find(d, bare))),
    }
}

/// The articles of a list, each of which names somebody or something: `{Bob, Cat}`, `Bob and Cat`, `nobody`.
fn several(d: &D<'_>, words: &str, of: &Range) -> Result<Value, Refusal> {
    let Range::Ref(kind) = of else { return Ok(Value::Null) };
    let texts = Range::List { of: Box::new(Range::Text), min_len: 0, max_len: u32::MAX };
    let Some(Value::List(names)) = define::plain(words, &texts).filter(|_| !NOBODY.contains(&&*words.to_lowercase()))
    else {
        return Ok(Value::List(Vec::new()));
    };
    let mut found = Vec::new();
    for name in names {
        let Value::Text(name) = name else { continue };
        let name = name.strip_prefix("and ").unwrap_or(&name);
        match somebody(d, name, Some(kind)) {
            Ok(named) => found.push(Value::Ref(named)),
            // “Bob and Cat”, where nobody is called so.
            Err(why) if !name.contains(" and ") => return Err(why),
            Err(_) => {
                for part in name.split(" and ") {
                    found.push(Value::Ref(somebody(d, part, Some(kind))?));
                }
            }
        }
    }
    Ok(Value::List(found))
}

/// The same of a rule: its text, its title, or a field of its header.
fn said_of(rule: &Rule, attr: &str, value: &str) -> Result<(Path, Value), Refusal> {
    let attr = attr.to_lowercase();
    let value = unquote(value).trim();
    match &*attr {
        TEXT => {}
        TITLE if value.chars().count() <= TITLE_MAX_CHARS => {}
        TITLE => return Err(Refusal::new(format!("a title has at most {TITLE_MAX_CHARS} characters"))),
        "power" => precedence::is_power(value)?,
        "overrides" | "yields" => {}
        other => {
            return Err(Refusal::new(format!("{} has no “{other}” that a line could say", rule.label()))
                .instead("intend approve powers rule 15.power = 3/4"));
        }
    }
    Ok((path_of(rule.id(), &attr), Value::Text(value.to_owned())))
}
