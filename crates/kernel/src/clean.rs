//! Characters that nobody sees: which of them a text keeps, and why none reaches a word.
//!
//! A name, a key or a number is compared, so nothing invisible may be in it. Prose keeps the joiners that Persian,
//! Indic scripts and emoji are written with. It loses what can make it read otherwise than it is: bidirectional
//! controls, zero-width spaces and control characters. A program is kept to the last character, since anything that is
//! not a symbol is a comment in it.

use unicode_normalization::UnicodeNormalization;

/// Whether a character has no width of its own and may not be part of a word.
pub fn is_invisible(char: char) -> bool {
    (char.is_control() && !is_line_break(char) && char != '\t')
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character ends a line. Each of them separates commands.
pub fn is_line_break(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether prose keeps a character although it is invisible: the joiners and the variation selectors.
fn is_kept_in_prose(char: char) -> bool {
    matches!(char, '\u{200c}' | '\u{200d}' | '\u{34f}' | '\u{fe00}'..='\u{fe0f}')
}

/// Prose without the characters that deceive, its line breaks as `\n`, without white space at its ends.
pub fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\r' {
            chars.next_if_eq(&'\n');
            out.push('\n');
        } else if is_line_break(char) {
            out.push('\n');
        } else if !is_invisible(char) || is_kept_in_prose(char) {
            out.push(char);
        }
    }
    out.trim().to_owned()
}

/// A word as it is compared: compatibility forms made one, in lower case, `_` as `-`, nothing invisible.
pub fn folded(word: &str) -> String {
    word.chars()
        .filter(|char| !is_invisible(*char))
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|char| if char == '_' { '-' } else { char })
        .collect()
}

/// Punctuation that a sentence leaves at the end of a word.
pub fn without_stops(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ':', ';', '!', '?', '\u{2026}'])
}

/// A word without the full stop that ends its sentence.
pub fn without_stop(word: &str) -> &str {
    word.strip_suffix('.').filter(|bare| !bare.ends_with('.')).unwrap_or(word)
}

/// A player's own word as a sentence may quote it: short, and made of letters, digits and joints only. Mark-up, control
/// characters and the symbols that a program is made of are never repeated; `None` then.
pub fn quoted(word: &str) -> Option<String> {
    let fits = !word.is_empty()
        && word.chars().count() <= QUOTED_MAX_CHARS
        && word.chars().all(|char| char.is_alphanumeric() || matches!(char, '-' | '_' | '\'' | '/' | ' ' | ':' | '.'))
        && word.chars().any(char::is_alphanumeric);
    fits.then(|| format!("\u{201c}{word}\u{201d}"))
}

/// Longest word that a sentence quotes, in characters: twice a name, and far less than a line on a phone.
pub const QUOTED_MAX_CHARS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_joiners_and_loses_what_deceives() {
        assert_eq!(prose("  a\r\nb\rc\u{2028}d \0\u{202e}e\u{200b}f\u{feff} "), "a\nb\nc\nd ef");
        assert_eq!(prose("👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}"), "👩\u{200d}🚀 می\u{200c}خواهم ❤\u{fe0f}");
    }

    #[test]
    fn a_sentence_repeats_only_what_can_be_no_program() {
        assert_eq!(quoted("alpha"), Some("\u{201c}alpha\u{201d}".to_owned()));
        for hidden in ["", "---", ">+[-]", "a\u{202e}b", "a\nb", "<b>", &"x".repeat(QUOTED_MAX_CHARS + 1)] {
            assert_eq!(quoted(hidden), None, "{hidden:?}");
        }
    }
}
