//! Official quantities (4E30): names for numbers, wherever a number is typed.
//!
//! The names and their figures are the list in the rule, `- A Few: 4`, so that an amendment is all that a new one needs;
//! no other words are read. Two of them follow the state: An Insane Number and A Quiggle. A Jiffy is a duration and
//! stands in `moments`.

use std::{collections::BTreeSet, ops::Range};

use num_rational::BigRational;

use super::{
    figures::{JIFFY_RDAYS, QUIGGLE},
    game::BNomic,
    law::{self, Thing, established},
    society::players,
};
use kernel::{
    Display, Mechanic, Num, Refusal, State,
    display::{Cell, Document, cells, counted},
    mechanic::Made,
    rulebook::{
        Rulebook,
        numeral::{self, Form},
    },
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("quantities")
        .display(Display::new("quantities", |state, _| Ok(show(state))).listed(17))
        .made(made)
        .differs(|before, after| changed(&before.rules, &after.rules))
}

/// A Quiggle: a part of the Vested Players, never rounded (B30.3, B15.20).
///
/// # Errors
///
/// A [`Refusal`] where no rule says what it is.
pub(super) fn quiggle(state: &State<BNomic>) -> Result<Num, Refusal> {
    established(&state.rules, Thing::Quantities)?;
    let part = state.rules.need(&QUIGGLE)?;
    let vested = players::players(state).filter(|id| players::is_vested(state, id)).count();
    Ok(Num::from(part.as_rational() * BigRational::from_integer(vested.into())))
}

/// A number as players write it: in figures, or by an official name.
///
/// # Errors
///
/// A [`Refusal`] where it is neither.
pub(super) fn read(state: &State<BNomic>, words: &str) -> Result<Num, Refusal> {
    let words = &*law::uncommented(words);
    let words = words.trim();
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
                return Ok(Num::from(i64::try_from(players::players(state).count()).unwrap_or(i64::MAX)));
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

/// An amount: a number as [`read`] has it, or one in words, as no title and no time is given where one stands: `five`.
///
/// # Errors
///
/// As [`read`].
pub(super) fn amount(state: &State<BNomic>, words: &str) -> Result<Num, Refusal> {
    let bare = words.trim();
    let spelt = numeral::single(bare).filter(|spelt| spelt.form == Form::Words && spelt.at == (0..bare.len()));
    read(state, words).or_else(|why| spelt.map(|spelt| spelt.value).ok_or(why))
}

/// A number of points: `3`, `1 point`, `A Few points`.
///
/// # Errors
///
/// A [`Refusal`] where it is no number.
pub(super) fn points(state: &State<BNomic>, words: &str) -> Result<Num, Refusal> {
    let lower = words.trim().to_lowercase();
    let bare = lower.strip_suffix("points").or_else(|| lower.strip_suffix("point"));
    amount(state, bare.map_or(&lower, |bare| without_of(bare)))
}

/// An amount without the word that joins it to its unit: `A Handful of macks`.
pub(super) fn without_of(amount: &str) -> &str {
    let amount = amount.trim();
    amount.strip_suffix(" of").unwrap_or(amount)
}

/// Whether an official quantity is called so, with its article.
pub(super) fn is_named(state: &State<BNomic>, name: &str) -> bool {
    ["a", "an"].iter().any(|article| {
        let words = folded(&format!("{article} {name}"));
        ["a jiffy", "an insane number", "a quiggle", "a quorum"].contains(&&*words)
            || names(state).iter().any(|(name, _)| *name == words)
    })
}

/// Most names in the new text of a rule that are tried: a long rule has a dozen figures.
const TRIED_MAX_COUNT: usize = 50;

/// The new words of a rule with figures where an official name stands for a figure that the game plays by: one that is
/// marked so (`[A Few](#vote-points)`), or one that would be lost otherwise (B30.1), as `lost` says. Other names stay as
/// they are written.
pub(super) fn worded(state: &State<BNomic>, text: &str, lost: &dyn Fn(&str) -> Option<usize>) -> String {
    let mut names = names(state);
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = text.to_owned();
    for (name, number) in &names {
        while let Some(at) = text.to_ascii_lowercase().find(&format!("[{name}](#")) {
            text.replace_range(at + 1..=at + name.len(), &number.to_string());
        }
    }
    let Some(mut missing) = lost(&text) else { return text };
    let mut from = 0;
    for _ in 0..TRIED_MAX_COUNT {
        let Some((place, number)) = next_name(&names, &text, from).filter(|_| missing > 0) else { break };
        let mut tried = text.clone();
        tried.replace_range(place.clone(), &number);
        match lost(&tried) {
            Some(fewer) if fewer < missing => (text, missing, from) = (tried, fewer, place.start + number.len()),
            _ => from = place.end,
        }
    }
    text
}

/// The first official name in a text from some place on, with `of` after it if it stands there, and its number.
fn next_name(names: &[(String, Num)], text: &str, from: usize) -> Option<(Range<usize>, String)> {
    let lower = text.to_ascii_lowercase();
    let apart = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric());
    let place = |(name, number): &(String, Num)| {
        let found = lower.get(from..)?.match_indices(name.as_str()).map(|(at, _)| from + at..from + at + name.len());
        let mut free =
            found.filter(|at| apart(text[..at.start].chars().next_back()) && apart(text[at.end..].chars().next()));
        let at = free.next()?;
        let end = if lower[at.end..].starts_with(" of ") { at.end + 3 } else { at.end };
        Some((at.start..end, number.to_string()))
    };
    // The names are in order of their lengths: of two at one place the longer one stands first.
    names.iter().filter_map(place).min_by_key(|(at, _)| at.start)
}

/// The names of the rule with their figures.
pub(super) fn names(state: &State<BNomic>) -> Vec<(String, Num)> {
    named_in(&state.rules)
}

/// Why an official quantity is what it is, where some words are one.
fn made(state: &State<BNomic>, words: &str) -> Option<Made> {
    let words = words.trim();
    words.parse::<Num>().is_err().then_some(())?;
    let number = read(state, words).ok()?;
    let follows = match &*folded(words) {
        "a quiggle" | "a quorum" => {
            let vested = players::players(state).filter(|id| players::is_vested(state, id)).count();
            let part = state.rules.need(&QUIGGLE).ok()?;
            format!(" now: {part} of the number of Vested Players, which is {vested}")
        }
        "an insane number" => " now, as many as there are Players".to_owned(),
        _ => String::new(),
    };
    let say = format!("{} is {number}{follows}.", written(state, &words.to_lowercase()));
    Some(Made { say, entry: None, rule: Some(Thing::Quantities.rule(&state.rules)), figures: Vec::new() })
}

/// A name as its rule writes it, capitals and all.
pub(super) fn written(state: &State<BNomic>, name: &str) -> String {
    let rule = state.rules.establishes(Thing::Quantities.word()).and_then(|id| state.rules.get(id));
    let text = rule.map(|rule| rule.text().in_force()).unwrap_or_default();
    let at = text.to_ascii_lowercase().find(name);
    at.and_then(|at| text.get(at..at + name.len())).unwrap_or(name).to_owned()
}

/// The same of a rulebook: the items of the lists in its rule. What is given by another such name is that number.
fn named_in(rules: &Rulebook) -> Vec<(String, Num)> {
    let Some(rule) = rules.establishes(Thing::Quantities.word()).and_then(|id| rules.get(id)) else {
        return Vec::new();
    };
    let text = rule.text().in_force();
    let said: Vec<(String, &str)> = text.lines().flat_map(items).filter_map(item).collect();
    let number = |text: &str| text.replace(['_', ' ', ','], "").parse::<Num>().ok();
    let mut names: Vec<(String, Num)> =
        said.iter().filter_map(|(name, text)| Some((name.clone(), number(text)?))).collect();
    // Each round finds what hangs on a name of the round before.
    loop {
        let known = |name: &str| names.iter().find(|(known, _)| known == name).map(|(_, number)| number.clone());
        let new = said.iter().find_map(|(name, text)| {
            let number = known(&folded(text)).filter(|_| known(name).is_none())?;
            Some((name.clone(), number))
        });
        match new {
            Some(new) => names.push(new),
            None => return names,
        }
    }
}

/// The items of a line of a list, each behind its mark: `- A Few: 4`, or several that an amendment put side by side.
fn items(line: &str) -> impl Iterator<Item = &str> {
    let list = line.trim().strip_prefix(['-', '*']).filter(|rest| rest.starts_with(' '));
    list.into_iter().flat_map(|list| list.split(" - ").flat_map(|items| items.split(" * ")))
}

/// A name and what it stands for, which are all of an item.
fn item(item: &str) -> Option<(String, &str)> {
    let (name, number) = item.split_once(':')?;
    Some((folded(name), number.trim())).filter(|(name, _)| !name.is_empty())
}

/// Which names stand for something else in one rulebook than in another, in words.
pub(super) fn changed(before: &Rulebook, after: &Rulebook) -> Vec<String> {
    let (was, now) = (named_in(before), named_in(after));
    let of = |names: &[(String, Num)], name: &str| {
        names
            .iter()
            .find(|(known, _)| known == name)
            .map_or_else(|| "nothing".to_owned(), |(_, number)| number.to_string())
    };
    let names: BTreeSet<&String> = was.iter().chain(&now).map(|(name, _)| name).collect();
    let differs = |name: &&String| of(&was, name) != of(&now, name);
    names
        .into_iter()
        .filter(differs)
        .map(|name| format!("{name}: {} becomes {}", of(&was, name), of(&now, name)))
        .collect()
}

/// Words without regard to capitals, spacing, quotation marks and the kind of apostrophe.
fn folded(words: &str) -> String {
    let plain = words.trim().trim_matches(['"', '“', '”', '.']).replace(['’', '‘'], "'").to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

// ---- display

/// All of them, with what they are now.
fn show(state: &State<BNomic>) -> Document {
    let mut rows: Vec<Vec<Cell>> =
        names(state).into_iter().map(|(name, number)| cells![written(state, &name), number]).collect();
    for name in ["An Insane Number", "A Quiggle", "A Quorum"] {
        if let Ok(number) = read(state, name) {
            rows.push(cells![name, format!("{number} now")]);
        }
    }
    if let Ok(rdays) = state.rules.need_count(&JIFFY_RDAYS) {
        rows.push(cells!["A Jiffy", counted(rdays, "rday")]);
    }
    Document::titled("quantities", "Official quantities of B Nomic").table(["", ""], rows)
}
