//! How words of directives are compared: what two spellings of a name have in common, and which figure of the rules some
//! words name.
//!
//! It looks at texts alone: no room, no game.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::Refusal;
use crate::rulebook::{Keys, LiveKey};

/// A word as it is compared: lower case, its accents composed, with blanks where hyphens and underscores stand.
pub fn folded(words: &str) -> String {
    // Names of everything there is are folded for a word; all but a few have no accents.
    let words =
        if words.is_ascii() { words.to_ascii_lowercase() } else { words.nfc().collect::<String>().to_lowercase() };
    let mut folded = String::with_capacity(words.len());
    for word in words.split(is_between).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Whether words read so when they are folded. Names of everything there is are asked, and most need no other text made.
pub fn reads_as(words: &str, wanted: &str) -> bool {
    if !words.is_ascii() {
        return folded(words) == wanted;
    }
    let mut words = words.split(is_between).filter(|word| !word.is_empty());
    let mut wanted = wanted.split(' ').filter(|word| !word.is_empty());
    loop {
        match (words.next(), wanted.next()) {
            (None, None) => return true,
            (Some(word), Some(folded)) if word.len() == folded.len() => {
                if !word.bytes().map(|byte| byte.to_ascii_lowercase()).eq(folded.bytes()) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// Whether a sign stands between words.
fn is_between(sign: char) -> bool {
    sign.is_whitespace() || "-_".contains(sign)
}

/// The word for what an attribute names that names nothing.
pub const NOTHING: &str = "nothing";

/// Words without an article or `every` before them.
pub(super) fn bare(words: &str) -> &str {
    after(words, &["the ", "every ", "each ", "all "]).unwrap_or_else(|| words.trim())
}

/// Whether words say that they mean each of a group.
pub(super) fn says_every(words: &str) -> bool {
    after(words, &["every ", "each ", "all "]).is_some()
}

/// What stands after the first of some words that a text begins with.
pub(super) fn after<'a>(words: &'a str, heads: &[&str]) -> Option<&'a str> {
    let words = words.trim();
    let begins = |head: &&&str| words.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head));
    heads.iter().find(begins).map(|head| &words[head.len()..])
}

/// The figure that some words name whole: its key, with blanks for its hyphens or not, or its meaning.
pub(super) fn exact_key(keys: &Keys, words: &str) -> Option<&'static LiveKey> {
    let wanted = folded(words.trim().trim_start_matches(['#', '@']));
    let is = |text: &str| folded(text.trim_start_matches('@')) == wanted;
    keys.iter().find(|key| is(key.key)).or_else(|| keys.iter().find(|key| is(key.meaning)))
}

/// The figure that some words name: its key, with blanks for its hyphens or not; its meaning; or words that stand in
/// one meaning only.
///
/// # Errors
///
/// Where none or several figures are called so.
pub fn find_key(keys: &Keys, words: &str) -> Result<&'static LiveKey, Refusal> {
    let wanted = folded(words.trim().trim_start_matches(['#', '@']));
    if let Some(key) = exact_key(keys, words) {
        return Ok(key);
    }
    let wanted_words: Vec<&str> =
        wanted.split(' ').filter(|word| !matches!(*word, "the" | "a" | "an" | "of")).collect();
    let fits = |key: &&'static LiveKey| {
        let has: BTreeSet<String> = folded(key.meaning).split(' ').map(str::to_owned).collect();
        !wanted_words.is_empty() && wanted_words.iter().all(|word| has.contains(*word))
    };
    let found: Vec<&'static LiveKey> = keys.iter().filter(fits).collect();
    match &found[..] {
        [only] => Ok(only),
        [] => Err(Refusal::new(format!("no figure of the rules is called “{}”", words.trim())).instead("rules")),
        [..] => {
            let names: Vec<&str> = found.iter().take(5).map(|key| key.typed()).collect();
            Err(Refusal::new(format!("“{}” fits several figures: {}", words.trim(), names.join(", "))))
        }
    }
}

/// A name as part of an id: lower case, hyphens between its words.
pub fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    if slug.is_empty() { "unnamed".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_so_as_they_are_folded() {
        let words = [
            "player/ann",
            "The-Field",
            "rule/4E7",
            "a--b",
            "-a",
            "a-",
            "Zoë",
            "zoe\u{308}",
            "a_b ",
            "x.y",
            "",
            " ",
            "Ann\u{b}Bo",
        ];
        let wanted = ["player/ann", "the field", "rule/4e7", "a b", "a", "zoë", "x.y", "ann bo", ""];
        for (words, wanted) in words.iter().flat_map(|words| wanted.iter().map(move |wanted| (*words, *wanted))) {
            assert_eq!(reads_as(words, wanted), folded(words) == wanted, "{words:?} and {wanted:?}");
        }
    }
}
