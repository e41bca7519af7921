//! What a ruleset's commands are called in other languages, and what they do: `i18n/de.toml`.
//!
//! Each stands behind its English words. So what players amend is English again, and a word of no command does nothing.

use std::collections::BTreeSet;

use kernel::{
    Refusal, State,
    own_command::{LANGUAGES, Languages, Words},
    table::Row,
};
use serde::{Deserialize, Serialize};

/// The folder of languages.
const FOLDER: &str = "i18n/";
/// What the line of a language begins with at the head of a ruleset in one text.
const FIELD: &str = "words-";
/// Longest name of a command in another language, in characters: Discord takes no longer one.
const NAME_MAX_CHARS: usize = 32;
/// Longest help in another language, in characters: Discord takes no longer one.
const HELP_MAX_CHARS: usize = 100;

/// The words of one language, kept with the room that was opened by them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Spoken(pub Words);

impl<G> Row<G> for Spoken {
    type Key = String;
    const TABLE: &'static str = "law_languages";

    fn told(code: &String, _was: Option<&Self>, _is: Option<&Self>, _state: &State<G>) -> String {
        brought(code)
    }
}

/// What a language brings, in words.
pub(crate) fn brought(code: &str) -> String {
    format!("the language “{code}” of its commands")
}

/// The language that a file of a folder is of; nothing where it is none of a language.
pub(crate) fn code(path: &str) -> Option<&str> {
    path.strip_prefix(FOLDER)?.strip_suffix(".toml")
}

/// A file of a language as a line at the head of one text.
///
/// # Errors
///
/// A [`Refusal`] with the line that is wrong.
pub(crate) fn of_file(path: &str, code: &str, text: &str) -> Result<String, Refusal> {
    let wrong = |line: usize, why: &str| Refusal::new(format!("{path}, line {line}: {why}"));
    let words: Words = toml::from_str(text).map_err(|why| {
        let before = text.get(..why.span().map_or(0, |span| span.start)).unwrap_or_default();
        wrong(before.matches('\n').count() + 1, why.message())
    })?;
    fits(code, &words).map_err(|(word, why)| {
        let line = text.lines().position(|line| !word.is_empty() && line.contains(&word)).unwrap_or_default();
        wrong(line + 1, &why)
    })?;
    let words = serde_json::to_string(&words).map_err(|why| wrong(1, &why.to_string()))?;
    Ok(format!("{FIELD}{code}: {words}\n"))
}

/// The languages at the head of one text.
///
/// # Errors
///
/// A [`Refusal`] with the line that is wrong.
pub(crate) fn of_head(head: &str) -> Result<Languages, Refusal> {
    let mut all = Languages::new();
    // Above the head stands the line that begins it.
    for (line, text) in (2..).zip(head.lines()) {
        let Some((code, words)) = text.strip_prefix(FIELD).and_then(|text| text.split_once(": ")) else { continue };
        let wrong = |why: String| Refusal::new(format!("line {line}: {why}"));
        let words: Words = serde_json::from_str(words).map_err(|why| wrong(why.to_string()))?;
        fits(code, &words).map_err(|(_, why)| wrong(why))?;
        all.insert(code.to_owned(), words);
    }
    Ok(all)
}

/// The languages of a room as files of a folder, each with its path in it.
pub(crate) fn files(languages: &Languages) -> impl Iterator<Item = (String, String)> {
    let file =
        |(code, words): (&String, &Words)| (format!("{FOLDER}{code}.toml"), toml::to_string(words).unwrap_or_default());
    languages.iter().map(file)
}

/// Refuses what no network shows: the word, and why.
fn fits(code: &str, words: &Words) -> Result<(), (String, String)> {
    if !LANGUAGES.contains(&code) {
        return Err((String::new(), format!("commands are shown in {}, and not in “{code}”", LANGUAGES.join(", "))));
    }
    let is_letter = |letter: char| matches!(letter, '-' | '_' | 'ー') || letter.is_alphanumeric();
    let mut names = BTreeSet::new();
    for name in words.names.values() {
        let is_name = (1..=NAME_MAX_CHARS).contains(&name.chars().count()) && name.chars().all(is_letter);
        if !is_name || name.to_lowercase() != *name {
            let why =
                format!("“{name}” is no name of a command: up to {NAME_MAX_CHARS} small letters, digits, “-” and “_”");
            return Err((name.clone(), why));
        }
        if !names.insert(name) {
            return Err((name.clone(), format!("two commands are called “{name}”")));
        }
    }
    let is_help =
        |help: &&String| (1..=HELP_MAX_CHARS).contains(&help.chars().count()) && !help.contains(char::is_control);
    match words.help.values().find(|help| !is_help(help)) {
        Some(help) => {
            Err((help.clone(), format!("“{help}” is no help: one line of up to {HELP_MAX_CHARS} characters")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset;

    const TOML: (&str, &str) = ("ruleset.toml", "title = \"Mine\"\nversion = \"1\"\nsummary = \"A game.\"\n");
    const RULE: (&str, &str) = ("rules/1-a.md", "Words.");

    fn refused(path: &str, text: &str) -> String {
        ruleset::of_folder([TOML, RULE, (path, text)]).unwrap_err().say
    }

    /// Given a folder with a language. Then its words are the ruleset's, and a folder that is written has them again.
    #[test]
    fn a_language_comes_with_a_folder_and_goes_into_one() {
        let german = "[names]\n\"reward\" = \"belohnen\"\n\n[help]\n\"Give: points\" = \"Punkte geben\"\n";
        let text = ruleset::of_folder([TOML, RULE, ("i18n/de.toml", german)]).unwrap();
        let read = ruleset::read(&text).unwrap();
        assert_eq!((read.languages["de"].names["reward"].as_str(), &*read.rules[0].title), ("belohnen", "A"));
        let written: Vec<(String, String)> = files(&read.languages).collect();
        let [(path, text)] = &written[..] else { panic!("{written:?}") };
        assert_eq!(of_file(path, code(path).unwrap(), text), of_file("x", "de", german));
    }

    #[test]
    fn what_is_wrong_with_a_language_is_told_with_its_line() {
        for (path, text, why) in [
            ("i18n/de.toml", "[help]\n\"a\" = 3\n", "i18n/de.toml, line 2: invalid type"),
            ("i18n/de.toml", "[help\n", "i18n/de.toml, line 1: "),
            ("i18n/de.toml", "[words]\n", "i18n/de.toml, line 1: unknown field `words`"),
            (
                "i18n/it.toml",
                "",
                "i18n/it.toml, line 1: commands are shown in de, es-ES, fr, ja, pt-BR, and not in “it”",
            ),
            ("i18n/de.toml", "\n[names]\n\"a\" = \"Gib her\"\n", "i18n/de.toml, line 3: “Gib her” is no name"),
            ("i18n/de.toml", "[names]\n\"a\" = \"gib\"\n\"b\" = \"gib\"\n", "line 2: two commands are called “gib”"),
            ("i18n/de.toml", "[help]\n\"a\" = \"\"\n", "i18n/de.toml, line 1: “” is no help: one line of up to 100"),
        ] {
            let told = refused(path, text);
            assert!(told.contains(why), "{why}: {told}");
        }
        let long = format!("[help]\n\"a\" = \"{}\"\n", "x".repeat(HELP_MAX_CHARS + 1));
        assert!(refused("i18n/de.toml", &long).contains("line 2"));
        // Whoever writes one text says the same at its head.
        let head =
            |line: &str| ruleset::read(&format!("---\ntitle: Mine\n{line}\n---\n# 1 A\nWords.\n")).unwrap_err().say;
        assert!(head("words-de: {\"names\": {\"a\": \"A B\"}}").starts_with("line 3: “A B” is no name"));
        assert!(head("words-de: x").starts_with("line 3: "));
    }
}
