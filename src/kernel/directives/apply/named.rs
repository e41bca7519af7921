//! What things and amounts are called in directives where one word runs into the next.
//!
//! Absent: what comes of it, which is the game's (`words`).

use super::{
    super::{syntax::unquote, words::Lawful},
    path,
};
use crate::kernel::{Draft, Id, Refusal};

/// The kind and the name of a thing that some words give: `beacon "North Star"`.
pub(super) fn kind_and_name<G: Lawful>(what: &str, d: &Draft<'_, G>) -> Result<(Id, String), Refusal> {
    for (at, _) in what.match_indices(char::is_whitespace).collect::<Vec<_>>().into_iter().rev() {
        let name = what[at..].trim();
        let name = name.strip_prefix("called ").or_else(|| name.strip_prefix("named ")).unwrap_or(name);
        if let Some(kind) = G::kind(d, what[..at].trim()).filter(|_| !unquote(name).trim().is_empty()) {
            return Ok((kind, unquote(name).trim().to_owned()));
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
