//! What is refused since words behind an act put it off, and how it is set for its time instead: `tomorrow: give Ann m1` (4E7,
//! B7.1, B7.8).
//!
//! Absent: which words say when or on what condition (`waits`), and which times the Clock of a room knows.

use super::{
    GrammarError, Problem, Typed, sayable,
    waits::{self, Sense},
};

/// When something is done, where nobody says: the example of the rule (4E7).
const ANY_TIME: &str = "at nday 8";

/// Longest line that a refusal repeats, in bytes: more is no hint any more.
const SHOWN_MAX_BYTES: usize = 100;

pub(super) fn waits_of(said: &str) -> Problem {
    let said = sayable(said.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned());
    Problem::Waits { said, instead: None }
}

/// What is refused where a value ends in words that put it off, `Ann on nday 8`: these.
pub(in crate::catalogue) fn put_off(typed: &Typed, value: &str) -> Option<GrammarError> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let waits = |at: &usize| waits::begins(&words[*at..]).is_some() && waits::is_all(&words[*at..], &|_| false);
    let at = (1..words.len()).find(waits)?;
    let error = GrammarError::of(&typed.command, waits_of(&words[at..].join(" ")));
    Some(hinted(error, &typed.said))
}

/// What is refused where one of a list is put off, taken out or spoken of behind its name: `Zed but not Xi`.
pub(super) fn listed_in_vain(typed: &Typed) -> Option<GrammarError> {
    const OUT: [&str; 6] = ["but", "not", "except", "without", "unless", "because"];
    let problem = |word: &str| Problem::Extra { word: sayable(word.to_owned()) };
    let out = |value: &str| value.split_whitespace().skip(1).find(|word| OUT.contains(word)).map(problem);
    let mut values = typed.args.values();
    values.find_map(|value| put_off(typed, value).or_else(|| Some(GrammarError::of(&typed.command, out(value)?))))
}

/// The same refusal with how the act is set for its time, from the line in which both stand.
pub(super) fn hinted(mut error: GrammarError, line: &str) -> GrammarError {
    if let Problem::Waits { said: Some(said), instead } = &mut error.problem
        && instead.is_none()
        && error.command.as_ref().is_some_and(|command| !command.is_secret())
    {
        *instead = set(line, said);
    }
    error
}

/// `tomorrow: give Ann m1` for `give Ann m1 tomorrow`; the act alone, where what stands behind it is a doubt or a denial.
fn set(line: &str, said: &str) -> Option<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let first = words.first()?;
    let act = line.match_indices(first).map(|(at, _)| at).find(|at| {
        line[*at..].split_whitespace().zip(&words).all(|(sent, said)| sent.contains(said))
            && line[*at..].split_whitespace().count() >= words.len()
    });
    let act = act.map_or("", |at| &line[..at]);
    let act = act
        .trim_start_matches(['!', '/'])
        .trim_matches(|sign: char| sign.is_whitespace() || ",;:.!-(\u{2013}\u{2014}".contains(sign));
    let act = ["but", "and", "only", "or"]
        .iter()
        .fold(act, |act, lead| act.strip_suffix(lead).map_or(act, |act| act.trim_end_matches([' ', ',', ';'])));
    if act.is_empty() || act.contains('\n') || act.len() > SHOWN_MAX_BYTES {
        return None;
    }
    match waits::begins(&words) {
        Some((Sense::Doubt | Sense::Denial, _)) => Some(act.to_owned()),
        Some((Sense::Time | Sense::Edge | Sense::Toward, _)) if is_known(&words) => {
            Some(format!("{}: {act}", words.join(" ").to_lowercase()))
        }
        _ => Some(format!("{ANY_TIME}: {act}")),
    }
}

/// Whether every Clock knows such a time.
fn is_known(words: &[&str]) -> bool {
    const KNOWN: [&str; 12] = [
        "tomorrow",
        "nday",
        "ndays",
        "nweek",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "midnight",
    ];
    let plain: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let begins = waits::begins(words).is_some_and(|(sense, _)| sense != Sense::Time)
        || plain[0] == "tomorrow"
        || plain[0] == "next";
    begins
        && plain.iter().any(|word| KNOWN.contains(&&**word))
        && !plain.iter().any(|word| ["by", "from", "during", "if", "unless", "when", "only"].contains(&&**word))
}
