//! Official quantities (4E30): names for numbers, wherever a number is typed.
//!
//! The names and their figures are read from the rule's own list, a line a name, so that an amendment is all that a new
//! one needs. Two of them follow the state: An Insane Number and A Quiggle. Absent: A Jiffy, which is a duration.

use num_rational::BigRational;

use super::{
    BNomic, Refusal, State,
    figures::QUIGGLE,
    law::{Thing, established},
    society,
};
use crate::kernel::Num;

/// A Quiggle: a part of the Vested Players, never rounded (B30.3, B15.20).
///
/// # Errors
///
/// A [`Refusal`] where no rule says what it is.
pub(super) fn quiggle(state: &State<BNomic>) -> Result<Num, Refusal> {
    established(&state.rules, Thing::Quantities)?;
    let part = state.rules.need(&QUIGGLE)?;
    let vested = society::players(state).filter(|id| society::is_vested(state, id)).count();
    Ok(Num::from(part.as_rational() * BigRational::from_integer(vested.into())))
}

/// A number as players write it: in figures, or by an official name.
///
/// # Errors
///
/// A [`Refusal`] where it is neither.
pub(super) fn read(state: &State<BNomic>, words: &str) -> Result<Num, Refusal> {
    if let Ok(number) = words.parse::<Num>() {
        return Ok(number);
    }
    let wanted = folded(words);
    let by = Thing::Quantities.rule(&state.rules);
    if established(&state.rules, Thing::Quantities).is_ok() {
        match &*wanted {
            "a jiffy" => {
                return Err(Refusal::new("A Jiffy is a time, not a number").by(by).instead("mackerel give NAME m4"));
            }
            "an insane number" => {
                return Ok(Num::from(i64::try_from(society::players(state).count()).unwrap_or(i64::MAX)));
            }
            "a quiggle" | "a quorum" => return quiggle(state),
            _ => {}
        }
        if let Some((_, number)) = names(state).into_iter().find(|(name, _)| *name == wanted) {
            return Ok(number);
        }
    }
    let shown: String = words.trim().chars().take(40).collect();
    Err(Refusal::new(format!("“{shown}” is no number, and no official quantity")).by(by).instead("rule 30"))
}

/// A number of points: `3`, `1 point`, `A Few points`.
///
/// # Errors
///
/// A [`Refusal`] where it is no number.
pub(super) fn points(state: &State<BNomic>, words: &str) -> Result<Num, Refusal> {
    let lower = words.trim().to_lowercase();
    let bare = lower.strip_suffix("points").or_else(|| lower.strip_suffix("point"));
    read(state, bare.map_or(words, |bare| &words.trim()[..bare.len()]))
}

/// Whether an official quantity is called so, with its article.
pub(super) fn is_named(state: &State<BNomic>, name: &str) -> bool {
    ["a", "an"].iter().any(|article| {
        let words = folded(&format!("{article} {name}"));
        ["a jiffy", "an insane number", "a quiggle", "a quorum"].contains(&&*words)
            || names(state).iter().any(|(name, _)| *name == words)
    })
}

/// A text with numbers in the place of the official names in it, the longest first: `A Metric Bunch of mackerel` is `25
/// mackerel`. What follows the state has no number to be written.
pub(super) fn spelt(state: &State<BNomic>, text: &str) -> String {
    let mut names = names(state);
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = text.to_owned();
    for (name, number) in names {
        let lower = text.to_ascii_lowercase();
        let Some(start) = lower.find(&name) else { continue };
        let end = start + name.len();
        let apart = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric());
        if apart(text[..start].chars().next_back()) && apart(text[end..].chars().next()) {
            let of = if lower[end..].starts_with(" of ") { end + 3 } else { end };
            text.replace_range(start..of, &number.to_string());
        }
    }
    text
}

/// The names of the rule's list with their figures: each item reads `A Name: figure`.
pub(super) fn names(state: &State<BNomic>) -> Vec<(String, Num)> {
    let Some(rule) = state.rules.establishes(Thing::Quantities.word()).and_then(|id| state.rules.get(id)) else {
        return Vec::new();
    };
    let text = rule.text().in_force();
    let item = |line: &str| {
        let (name, number) = line.trim().strip_prefix("- ")?.split_once(':')?;
        let number = number.trim().trim_end_matches('.').replace(['_', ' ', ','], "");
        Some((folded(name), number.parse::<Num>().ok()?))
    };
    text.lines().filter_map(item).collect()
}

/// Words without regard to capitals, spacing, quotation marks and the kind of apostrophe.
fn folded(words: &str) -> String {
    let plain = words.trim().trim_matches(['"', '“', '”', '.']).replace(['’', '‘'], "'").to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
