//! What things and amounts are called in directives where one word runs into the next.
//!
//! The game says what they mean (`words`).

use super::super::{syntax::unquote, words::Lawful};
use crate::Draft;
use crate::Id;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::Value;
use crate::names;
use crate::rulebook::LiveKey;

/// The kind and the name of a thing that some words give: `beacon "North Star"`.
pub(super) fn kind_and_name<G: Lawful>(what: &str, d: &Draft<'_, G>) -> Result<(Id, String), Refusal> {
    for (at, _) in what.match_indices(char::is_whitespace).collect::<Vec<_>>().into_iter().rev() {
        let name = what[at..].trim();
        let name = name.strip_prefix("called ").or_else(|| name.strip_prefix("named ")).unwrap_or(name);
        if let Some(kind) = G::kind(d, what[..at].trim()) {
            let name = unquote(name).trim();
            names::of_thing(name).map_err(|why| Refusal::new(why.to_string()).instead("=> create KIND NAME"))?;
            return Ok((kind, name.to_owned()));
        }
    }
    let kinds = G::kinds(d).join(", ");
    Err(Refusal::new(format!("“{what}” does not say what kind of thing it is; there are {kinds}"))
        .instead("=> create KIND NAME"))
}

/// An amount and the attribute that it is of: the longest last words that name one.
pub(super) fn parts<G: Lawful>(what: &str, who: &[Id], d: &Draft<'_, G>) -> Result<(String, String), Refusal> {
    let what = what.trim();
    let none = || Refusal::new(format!("“{what}” does not say how much of what")).instead("=> award 3 points to Ann");
    let obj = who.first().ok_or_else(|| Refusal::new("nobody is meant, so nothing would happen"))?;
    if let Some(parts) = G::measured(what).filter(|(_, attr)| path(attr, obj, d).is_ok()) {
        return Ok(parts);
    }
    for (at, _) in what.match_indices(char::is_whitespace) {
        let (amount, attr) = (what[..at].trim(), unquote(&what[at..]));
        if !amount.is_empty() && path(attr, obj, d).is_ok() {
            return Ok((amount.to_owned(), attr.to_owned()));
        }
    }
    if let Some(last) = what.split_whitespace().next_back().filter(|last| *last != what) {
        return Err(Refusal::new(format!("{} has no “{last}”", G::called(d, obj))));
    }
    Err(none())
}

/// The text that follows a figure in the rule that gives it, up to the end of its line.
pub(super) fn beside<G: Lawful>(key: &LiveKey, d: &Draft<'_, G>) -> String {
    let place = d.rules.places(key.key).next();
    let after = place.and_then(|(rule, span)| rule.text().visible().get(span.at.end..).map(str::to_owned));
    after.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

pub(super) fn number(words: &str, got: Value) -> Result<Num, Refusal> {
    match got {
        Value::Num(number) => Ok(number),
        other => Err(Refusal::new(format!("“{}” is no number but {other}", words.trim()))),
    }
}

/// Says that a text was written otherwise than it was given.
pub(super) fn in_figures(given: &str, written: &str) -> Vec<String> {
    let same = given == written;
    if same { Vec::new() } else { vec!["names of numbers are written in figures, which the game plays by".to_owned()] }
}

pub(super) fn said(note: Option<String>) -> Vec<String> {
    note.into_iter().collect()
}

pub(super) fn path<G: Lawful>(attr: &str, obj: &Id, d: &Draft<'_, G>) -> Result<Path, Refusal> {
    let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
    match G::attribute(d, attr, &kind) {
        Some(attr) => Ok(Path::new(obj.clone(), attr)),
        None => Err(Refusal::new(format!("{} has no “{}”", G::called(d, obj), attr.trim()))),
    }
}
