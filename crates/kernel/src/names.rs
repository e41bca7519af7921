//! What a name may look like, and when two names look like one.
//!
//! Seats, programs and rooms are named by people, and a name stands before every vote and every payment. So nobody may
//! take a name that looks like another's. It must differ by more than a capital, a letter of another script that looks
//! the same, or an invisible character. Each owner of a list of names asks [`confusable`] for each of them.

use std::sync::LazyLock;

use unicode_normalization::{
    UnicodeNormalization,
    char::{canonical_combining_class, is_combining_mark},
};
use unicode_security::{MixedScript, RestrictionLevel, RestrictionLevelDetection, skeleton};

use crate::clean::is_invisible;

/// Longest name, in characters: as long as Discord lets people call themselves, and short enough for a table on a phone.
pub const NAME_MAX_CHARS: usize = 32;

/// Most combining marks on one letter: what Vietnamese and Hebrew need, and too few to climb over the line above.
pub const MARKS_MAX_PER_LETTER: usize = 3;

/// Why a text is no name. The text itself is not repeated: it may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAName {
    /// Nothing is left once what nobody sees is taken out.
    #[error("a name is needed")]
    Empty,
    /// More than [`NAME_MAX_CHARS`].
    #[error("a name has at most {NAME_MAX_CHARS} characters")]
    TooLong,
    /// A character that names do not have.
    #[error("a name is made of letters and digits, with - _ ' . or a single space between them")]
    Shape,
    /// No letter at all, so that it would be read as a number.
    #[error("a name has at least one letter")]
    NoLetter,
    /// Letters of scripts that are not written together, such as Latin and Cyrillic.
    #[error("a name keeps to the letters of one script")]
    Scripts,
    /// Several lines, where one is meant.
    #[error("a name is one line")]
    Lines,
    /// More than [`MARKS_MAX_PER_LETTER`].
    #[error("a letter of a name has at most {MARKS_MAX_PER_LETTER} marks")]
    Marks,
}

/// The form in which a name is kept and shown: compatibility forms made one (NFKC), without what nobody sees, with
/// single spaces. Capitals stay as they are.
///
/// # Errors
/// Says what a name must look like when this is none.
pub fn normalise(text: &str) -> Result<String, NotAName> {
    // A bound before the work: normalising may multiply a text's length by eighteen.
    if text.chars().take(NAME_MAX_CHARS * 4 + 1).count() > NAME_MAX_CHARS * 4 {
        return Err(NotAName::TooLong);
    }
    let name = visible(text);
    let (Some(first), Some(last)) = (name.chars().next(), name.chars().next_back()) else {
        return Err(NotAName::Empty);
    };
    if name.chars().count() > NAME_MAX_CHARS {
        return Err(NotAName::TooLong);
    }
    let inner = is_joint;
    let letter = |char: char| char.is_alphanumeric() || is_combining_mark(char);
    let shaped = name.chars().all(|char| letter(char) || inner(char))
        && ((first.is_alphanumeric() && !is_combining_mark(first)) || first == '_')
        && (letter(last) || matches!(last, '_' | '-'));
    if !shaped {
        return Err(NotAName::Shape);
    }
    if !name.chars().any(char::is_alphabetic) {
        return Err(NotAName::NoLetter);
    }
    let mut marks = 0;
    for char in name.chars() {
        marks = if is_combining_mark(char) { marks + 1 } else { 0 };
        if marks > MARKS_MAX_PER_LETTER {
            return Err(NotAName::Marks);
        }
    }
    let letters: String = name.chars().filter(|char| !inner(*char)).collect();
    let together = letters.as_str().is_single_script()
        || letters.as_str().check_restriction_level(RestrictionLevel::HighlyRestrictive);
    if together { Ok(name) } else { Err(NotAName::Scripts) }
}

/// Refuses what no thing is called: its name is one line, in which there is something to see.
///
/// # Errors
/// Which of the two it lacks.
pub fn of_thing(text: &str) -> Result<(), NotAName> {
    match text.chars().any(|char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}')) {
        true => Err(NotAName::Lines),
        false if visible(text).is_empty() => Err(NotAName::Empty),
        false => Ok(()),
    }
}

/// Compatibility forms made one, nothing invisible, single spaces.
fn visible(text: &str) -> String {
    if text.is_ascii() {
        // In ASCII these forms change nothing.
        let visible: String = text.chars().filter(|char| !is_invisible(*char)).collect();
        return visible.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // Taking a character out can let its neighbours compose, hence the second round.
    let visible: String = text.nfkc().filter(|char| !is_invisible(*char)).nfkc().collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What remains of a name when capitals and look-alike letters are made one. Equal keys at either place mean that two
/// names can be taken for each other; an index over both finds every clash.
pub fn keys(name: &str) -> [String; 2] {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    let name = visible(name);
    // `Ian` is taken for `ian` by its capital and for `lan` by its look, so that no single key serves.
    [bare(&lower(&name)), bare(&lower(&bare(&name)))]
}

/// What look-alike letters of a text have in common.
fn bare(text: &str) -> String {
    // Every name in a room is compared with every new one, and most are ASCII.
    let known = |char: char| ASCII_SKELETONS.get(char as usize);
    if text.is_ascii() { text.chars().filter_map(known).cloned().collect() } else { skeleton(text).collect() }
}

/// What each ASCII character is taken for.
static ASCII_SKELETONS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..128_u8).map(|byte| skeleton(char::from(byte).encode_utf8(&mut [0; 4])).collect()).collect());

/// Whether two names differ only as [`confusable`] ones do, or by diacritics: nobody takes the name Zoë beside Zoe. Who is
/// meant by a name is looked up by [`confusable`], because both may sit in a room of old.
pub fn mistakable(one: &str, other: &str) -> bool {
    confusable(one, other) || bare_keys(one).iter().zip(bare_keys(other)).any(|(one, other)| *one == other)
}

/// Whether somebody called so could pass for the one who has the other name. It differs only as [`mistakable`] ones do,
/// or by what joins words.
pub fn impersonates(name: &str, own: &str) -> bool {
    let joined = |name: &str| visible(name).chars().filter(|char| !is_joint(*char)).collect::<String>();
    mistakable(name, own) || (!joined(own).is_empty() && mistakable(&joined(name), &joined(own)))
}

/// [`keys`] without diacritics.
fn bare_keys(name: &str) -> [String; 2] {
    // Look-alikes of a letter with a stroke come apart into letter and stroke, hence the second round.
    keys(&without_diacritics(&visible(name))).map(|key| without_diacritics(&key))
}

/// The text without marks above, below, through or attached to a letter. It keeps those that make another letter in
/// scripts where vowels and voicing are marks: their combining classes are others, or none.
fn without_diacritics(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfd().filter(|char| !matches!(canonical_combining_class(*char), 1 | 200..=240)).nfc().collect()
}

/// Whether this stands between the letters of a name.
fn is_joint(char: char) -> bool {
    matches!(char, '-' | '_' | '\'' | '.' | ' ')
}

/// Whether two names differ only by capitals, by letters that look alike, or by what nobody sees.
pub fn confusable(one: &str, other: &str) -> bool {
    Look::of(one).is_like(other)
}

/// What a name looks like, for whoever compares it with many.
pub struct Look([String; 2]);

impl Look {
    /// The look of a name.
    pub fn of(name: &str) -> Self {
        Self(keys(name))
    }

    /// Whether another name is [`confusable`] with it.
    pub fn is_like(&self, other: &str) -> bool {
        let [capitals, letters] = keys(other);
        self.0[0] == capitals || self.0[1] == letters
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_thing_has_a_name_of_one_line_that_is_seen() {
        for (text, is) in [
            ("Lamp 1", Ok(())),
            ("+1 & more", Ok(())),
            ("", Err(NotAName::Empty)),
            (" \u{200b}\u{3000}", Err(NotAName::Empty)),
            ("a\nb", Err(NotAName::Lines)),
            ("a\u{2028}b", Err(NotAName::Lines)),
        ] {
            assert_eq!(of_thing(text), is, "{text:?}");
        }
    }

    #[test]
    fn names_are_kept_in_one_form() {
        for (typed, kept) in [
            ("Ann", "Ann"),
            ("  Ann \t Lee ", "Ann Lee"),
            ("An\u{200b}n\u{202e}", "Ann"),
            ("Ａｎｎ", "Ann"),
            ("joust0", "joust0"),
            ("O'Neill-3.5", "O'Neill-3.5"),
            ("zed_", "zed_"),
            ("Зоя", "Зоя"),
            ("日本 太郎", "日本 太郎"),
            ("Nguyễn", "Nguyễn"),
        ] {
            assert_eq!(normalise(typed).as_deref(), Ok(kept), "{typed:?}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for (typed, why) in [
            ("", NotAName::Empty),
            (" \u{200b}\u{feff} ", NotAName::Empty),
            (&"x".repeat(NAME_MAX_CHARS + 1), NotAName::TooLong),
            (&"x".repeat(1_000_000), NotAName::TooLong),
            (">+[-]", NotAName::Shape),
            ("-Ann", NotAName::Shape),
            ("\u{301}Ann", NotAName::Shape),
            ("Ann.", NotAName::Shape),
            ("Ann@x", NotAName::Shape),
            ("12", NotAName::NoLetter),
            ("Аnn", NotAName::Scripts),
            ("A\u{334}\u{335}\u{336}\u{337}", NotAName::Marks),
        ] {
            assert_eq!(normalise(typed), Err(why), "{typed:?}");
        }
    }

    #[test]
    fn a_name_that_differs_by_capital_or_look_alike_is_confusable() {
        for (one, other) in [
            ("Ann", "ann"),
            ("Ann", "Аnn"),
            ("ANN", "аnn"),
            ("Ian", "lan"),
            ("Ian", "ian"),
            ("modern", "modem"),
            ("Bob0", "bobO"),
            ("Ann", "An\u{200b}n"),
            ("Ann", "Ａnn"),
            ("STRASSE", "strasse"),
        ] {
            assert!(confusable(one, other), "{one} {other}");
            assert!(confusable(other, one), "{other} {one}");
        }
        for (one, other) in [("Ann", "Anna"), ("Bob", "Rob"), ("ian", "lan"), ("joust1", "joust2")] {
            assert!(!confusable(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_name_that_differs_by_diacritics_is_mistakable_and_still_found_by_itself() {
        for (one, other) in
            [("Zoë", "Zoe"), ("Zoë", "ZOE"), ("Søren", "Soren"), ("Nguyễn", "nguyen"), ("Łukasz", "Lukasz")]
        {
            assert!(mistakable(one, other) && mistakable(other, one), "{one} {other}");
            assert!(!confusable(one, other), "{one} {other}");
        }
        for (one, other) in [("Zoe", "Zora"), ("か", "が"), ("कि", "की")] {
            assert!(!mistakable(one, other), "{one} {other}");
        }
        for name in ["Rule-keeper", "RULE KEEPER", "Rulekeeper_", "Rülekeeper", "Ru1ekeeper"] {
            assert!(impersonates(name, "Rulekeeper"), "{name}");
        }
        assert!(!impersonates("Keeper", "Rulekeeper") && !impersonates("Ann", "__"));
    }

    proptest! {
        #[test]
        fn ascii_is_read_as_every_other_text(text in "[\\x00-\\x7f]{0,12}") {
            prop_assert_eq!(bare(&text), skeleton(&text).collect::<String>());
            let composed: String = text.nfkc().filter(|char| !is_invisible(*char)).nfkc().collect();
            prop_assert_eq!(visible(&text), composed.split_whitespace().collect::<Vec<_>>().join(" "));
        }

        #[test]
        fn a_kept_name_is_its_own_form_and_within_bounds(text in "\\PC{0,40}") {
            if let Ok(name) = normalise(&text) {
                prop_assert_eq!(normalise(&name), Ok(name.clone()));
                prop_assert!(name.chars().count() <= NAME_MAX_CHARS);
                prop_assert!(confusable(&name, &text));
            }
        }
    }
}
