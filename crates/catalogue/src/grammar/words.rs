//! Takes a message apart, one word at a time.
//!
//! A word ends at white space, a semicolon or a line break, unless it stands in quotation marks. Invisible characters
//! are not part of it.

use crate::{
    clean::{folded, is_invisible, is_line_break, without_stop},
    spec::{BECAUSE, Param},
};
use port::TEXT_END;

/// A position in a message.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    text: &'t str,
    /// The same with blanks for what has no effect, byte for byte as long: words are read in it.
    seen: &'t str,
    at: usize,
}

/// A word, and whether its writer took the trouble to quote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// A word of a command with the name of the parameter before it, if it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) quoted: bool,
    pub(super) key: Option<String>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A quotation mark that nothing closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OpenQuote;

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, seen: &'t str) -> Self {
        debug_assert_eq!(text.len(), seen.len());
        Self { text, seen, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The same position in the message up to a later one.
    pub(super) fn up_to(self, end: usize) -> Self {
        Self { text: &self.text[..end], seen: &self.seen[..end], ..self }
    }

    /// Another position in the same message.
    pub(super) fn to(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// What is left, as it was sent.
    pub(super) fn remainder(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// What stands between a position and this one, as it was sent.
    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    /// What stands between a position and this one, without what has no effect.
    pub(super) fn seen_since(&self, start: usize) -> &'t str {
        &self.seen[start..self.at]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.seen[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    /// Goes over white space and what nobody sees, over line breaks only where they separate nothing.
    pub(super) fn skip_space(&mut self, breaks_too: bool) {
        self.skip_while(|char| {
            let breaks = is_line_break(char);
            (char.is_whitespace() && !breaks) || (breaks && breaks_too) || is_invisible(char)
        });
    }

    /// Goes over everything that separates commands.
    pub(super) fn skip_separators(&mut self) {
        self.skip_while(|char| char.is_whitespace() || char == ';' || is_line_break(char) || is_invisible(char));
    }

    /// Whether the command ends here.
    pub(super) fn at_stop(&self) -> bool {
        self.peek().is_none_or(|char| char == ';' || is_line_break(char))
    }

    /// Whether nothing stands behind this position in the command.
    pub(super) fn at_end(mut self) -> bool {
        self.skip_space(false);
        self.at_stop()
    }

    /// Whether the command that begins here is a line of these words.
    pub(super) fn is_line(mut self, words: &str) -> bool {
        self.skip_space(false);
        let start = self.at;
        self.skip_command().is_ok() && is_line(self.since(start), words)
    }

    /// Whether something stands behind the command or the line that ends here.
    pub(super) fn goes_on(mut self) -> bool {
        self.skip_separators();
        self.peek().is_some()
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.bump();
        }
        found
    }

    /// The next word; `None` where the command ends.
    pub(super) fn word(&mut self) -> Result<Option<Word>, OpenQuote> {
        self.skip_space(false);
        if self.at_stop() {
            return Ok(None);
        }
        if let Some(close) = self.peek().and_then(closing) {
            self.bump();
            return self.quoted(close).map(Some);
        }
        let start = self.at;
        self.skip_while(|char| !char.is_whitespace() && char != ';' && !is_line_break(char));
        let text = self.seen_since(start).chars().filter(|char| !is_invisible(*char)).collect();
        Ok(Some(Word { text, quoted: false }))
    }

    /// The next word if nobody quoted it. Cheap to try at any place: it never looks for the end of a quotation.
    pub(super) fn bare(&mut self) -> Option<String> {
        self.skip_space(false);
        if self.at_quote() {
            return None;
        }
        self.word().ok().flatten().map(|word| word.text)
    }

    /// Whether a quotation begins here.
    pub(super) fn at_quote(&self) -> bool {
        self.peek().and_then(closing).is_some()
    }

    /// What is quoted is kept to the last character.
    fn quoted(&mut self, close: char) -> Result<Word, OpenQuote> {
        let mut whole = Self { seen: self.text, ..*self };
        let word = whole.quotation(close);
        self.at = whole.at;
        word
    }

    fn quotation(&mut self, close: char) -> Result<Word, OpenQuote> {
        let mut text = String::new();
        loop {
            match self.bump().ok_or(OpenQuote)? {
                char if char == close => return Ok(Word { text, quoted: true }),
                '\\' => match self.peek() {
                    Some(char) if char == close || char == '\\' => {
                        self.bump();
                        text.push(char);
                    }
                    _ => text.push('\\'),
                },
                char => text.push(char),
            }
        }
    }

    /// The name before a `:` or `=`, if the next word begins with one that is wanted; the position is then behind the sign.
    pub(super) fn key(&mut self, wanted: impl Fn(&str) -> bool) -> Option<(String, char)> {
        let mut ahead = *self;
        let start = ahead.at;
        ahead.skip_while(|char| {
            !matches!(char, ':' | '=' | ';' | '"' | '\u{ff1a}') && !char.is_whitespace() && !is_line_break(char)
        });
        let key = folded(ahead.seen_since(start));
        let sign = ahead.bump().filter(|sign| matches!(sign, ':' | '=' | '\u{ff1a}'))?;
        if !wanted(&key) {
            return None;
        }
        *self = ahead;
        Some((key, sign))
    }

    /// Goes over a phrase if it comes next and something stands after it.
    pub(super) fn phrase(&mut self, phrase: &str) -> bool {
        let mut ahead = *self;
        if !phrase.split(' ').all(|wanted| ahead.bare().is_some_and(|word| folded(&word) == wanted)) {
            return false;
        }
        ahead.skip_space(false);
        let found = !ahead.at_stop();
        if found {
            *self = ahead;
        }
        found
    }

    /// The next word with the name before it, where that is one of `wanted`; `None` where the command ends.
    pub(super) fn token(&mut self, wanted: impl Fn(&str) -> bool) -> Result<Option<Token>, OpenQuote> {
        self.skip_space(false);
        let start = self.at;
        if self.at_stop() {
            return Ok(None);
        }
        let key = self.key(&wanted).map(|(key, _)| key);
        if key.is_some() && (self.at_stop() || self.peek().is_some_and(char::is_whitespace)) {
            self.skip_space(false);
            // Nothing stands behind the name.
            if { *self }.key(&wanted).is_some() {
                return Ok(Some(Token { text: String::new(), quoted: false, key, start, end: self.at }));
            }
        }
        // A room: `@"the main room"`.
        let mut ahead = *self;
        if key.is_none() && ahead.eat('@') && ahead.at_quote() {
            let text = ahead.word()?.map_or_else(String::new, |word| format!("@{}", word.text));
            *self = ahead;
            return Ok(Some(Token { text, quoted: false, key, start, end: self.at }));
        }
        let word = self.word()?.unwrap_or(Word { text: String::new(), quoted: false });
        Ok(Some(Token { text: word.text, quoted: word.quoted, key, start, end: self.at }))
    }

    /// Goes to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.skip_while(|char| !is_line_break(char));
    }

    /// Goes to the end of a command that is not read further, over what stands in quotation marks, behind a name too.
    ///
    /// # Errors
    ///
    /// [`OpenQuote`] where nobody can tell where that is; the position is then the end of the message.
    pub(super) fn skip_command(&mut self) -> Result<(), OpenQuote> {
        loop {
            match self.token(is_name) {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(()),
                Err(open) => {
                    self.at = self.text.len();
                    return Err(open);
                }
            }
        }
    }

    /// Everything that is left.
    pub(super) fn rest(&mut self) -> &'t str {
        let rest = self.remainder();
        self.at = self.text.len();
        rest
    }
}

/// Whether a line ends what a command takes that comes line by line.
pub fn closes(param: &Param, line: &str) -> bool {
    is_line(line, param.until.first().map_or(TEXT_END, String::as_str))
}

/// Whether a line ends a text that is sent line by line.
pub fn ends_text(line: &str) -> bool {
    is_line(line, TEXT_END)
}

/// Whether a line holds some words and nothing else. A reason may stand behind those that end an act.
pub(super) fn is_line(line: &str, words: &str) -> bool {
    let line = folded(without_stop(line.trim()).trim_start_matches(['!', '/']));
    let mut said = line.split_whitespace();
    words.split(' ').all(|word| said.next() == Some(word))
        && said.next().is_none_or(|behind| behind == BECAUSE && words != TEXT_END)
}

/// The reason that stands behind the words of a line that end an act.
pub fn reason_behind(line: &str) -> Option<&str> {
    let mut reader = Reader::new(line, line);
    while let Some(word) = reader.bare() {
        if folded(&word) == BECAUSE {
            return Some(reader.remainder().trim());
        }
    }
    None
}

/// Whether a word could be the name of a parameter.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|char| char.is_ascii_alphanumeric() || char == '-')
}

fn closing(open: char) -> Option<char> {
    match open {
        '"' => Some('"'),
        '\u{201c}' => Some('\u{201d}'),
        _ => None,
    }
}

/// A value as one word of a line: bare where nothing in it could be read otherwise, else in quotation marks.
pub(crate) fn quote(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a value can stand in a line without quotation marks.
pub(crate) fn is_bare(value: &str) -> bool {
    !value.is_empty() && value.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '/'))
}

/// The words of a list that was kept as one text.
pub(crate) fn split(list: &str) -> Vec<String> {
    let mut reader = Reader::new(list, list);
    let mut words = Vec::new();
    loop {
        reader.skip_separators();
        match reader.word() {
            Ok(Some(word)) => words.push(word.text),
            Ok(None) | Err(OpenQuote) => return words,
        }
    }
}

/// A list of words as one text, which [`split`] takes apart again.
pub(crate) fn join<T: AsRef<str>>(words: &[T]) -> String {
    let shown = words.iter().map(AsRef::as_ref).map(|word| if is_bare(word) { word.to_owned() } else { quote(word) });
    shown.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_end_at_space_semicolon_and_line_break() {
        let new = |text| Reader::new(text, text);
        let mut reader = new(" a\u{200b}b  \"c; d\\\"\" “e f”;g");
        let word = |text: &str, quoted| Ok(Some(Word { text: text.to_owned(), quoted }));
        assert_eq!(reader.word(), word("ab", false));
        assert_eq!(reader.word(), word("c; d\"", true));
        assert_eq!(reader.word(), word("e f", true));
        assert_eq!(reader.word(), Ok(None));
        assert!(reader.eat(';'));
        assert_eq!(reader.word(), word("g", false));
        assert_eq!(new("\"open").word(), Err(OpenQuote));
    }

    #[test]
    fn a_key_is_one_only_where_it_is_wanted() {
        let wanted = |key: &str| key == "as-of";
        let new = |text| Reader::new(text, text);
        assert_eq!(new("As_Of: 3").key(wanted), Some(("as-of".to_owned(), ':')));
        assert_eq!(new("https://x").key(wanted), None);
        assert_eq!(new("as-of 3").key(wanted), None);
    }

    proptest! {
        #[test]
        fn a_list_survives_being_one_text(words in proptest::collection::vec("\\PC{1,8}", 0..6)) {
            prop_assert_eq!(split(&join(&words)), words);
        }
    }
}
