//! A source cut into words, numbers and signs, each with its place.
//!
//! Players type on telephones and paste from web pages. So curly quotation marks, the typographic minus and any kind of
//! blank are read as their plain signs. Comments go here: nothing after `//` on a line has any effect. Ends of lines
//! mean nothing, because a source may leave out its semicolons and break its lines where it likes.

use super::{
    NUMBER_MAX_DIGITS,
    syntax::{Place, SourceError},
};

/// A piece of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, as it is written.
    Name(String),
    /// A whole number without a sign.
    Number(i64),
    /// Text between quotation marks.
    Text(String),
    /// A sign, in its plain spelling.
    Sign(&'static str),
    /// After the last piece.
    End,
}

/// Signs and what they are read as; longer ones first.
const SIGNS: &[(&str, &str)] = &[
    ("&&", "&&"),
    ("||", "||"),
    ("==", "="),
    ("!=", "!="),
    ("<>", "!="),
    (">=", ">="),
    ("<=", "<="),
    ("=>", ">="),
    ("=<", "<="),
    ("+=", "+="),
    ("-=", "-="),
    ("&", "&&"),
    ("|", "||"),
    ("≥", ">="),
    ("≤", "<="),
    ("≠", "!="),
    ("−", "-"),
    ("×", "*"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    (";", ";"),
];

/// Cuts a source into pieces; the last one is [`Token::End`].
pub(super) fn tokens(source: &str) -> Result<Vec<(Place, Token)>, SourceError> {
    let mut found = Vec::new();
    let mut scan = Scan { rest: source, at: Place { line: 1, column: 1 } };
    loop {
        scan.skip_while(|c| c.is_whitespace() || c == '\u{feff}');
        let at = scan.at;
        let token = scan.token()?;
        match token {
            Some(Token::End) => {
                found.push((at, Token::End));
                return Ok(found);
            }
            Some(token) => found.push((at, token)),
            None => {}
        }
    }
}

struct Scan<'a> {
    rest: &'a str,
    at: Place,
}

impl<'a> Scan<'a> {
    /// Skips so many bytes and returns them.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        for c in skipped.chars() {
            if c == '\n' {
                self.at = Place { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        skipped
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        self.skip(end)
    }

    /// The next piece; none where there is a comment.
    fn token(&mut self) -> Result<Option<Token>, SourceError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Some(Token::End)) };
        if self.rest.starts_with("//") {
            self.skip_while(|c| c != '\n');
            return Ok(None);
        }
        if first.is_ascii_digit() {
            return self.number().map(Some);
        }
        if first.is_alphabetic() || first == '_' {
            let name = self.skip_while(|c| c.is_alphanumeric() || c == '_');
            return Ok(Some(Token::Name(name.to_owned())));
        }
        if is_quote(first) {
            return self.text().map(Some);
        }
        if let Some((written, sign)) = SIGNS.iter().find(|(written, _)| self.rest.starts_with(written)) {
            self.skip(written.len());
            return Ok(Some(Token::Sign(sign)));
        }
        let message = match first {
            '/' if self.rest.starts_with("/*") => "a comment is a line that begins with //".to_owned(),
            '/' => "nothing is divided here; numbers are whole, with + - and *".to_owned(),
            c if c.is_control() => "a character that cannot be seen stands here".to_owned(),
            c => format!("“{c}” means nothing in the Master Control Program"),
        };
        Err(SourceError::new(self.at, message))
    }

    /// A whole number; groups of three digits may be set apart by commas.
    fn number(&mut self) -> Result<Token, SourceError> {
        let at = self.at;
        let mut digits = self.skip_while(|c| c.is_ascii_digit()).to_owned();
        while let Some(group) = self.group() {
            self.skip(1);
            digits.push_str(self.skip(group));
        }
        if self.rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            let tail = self.skip_while(|c| c.is_alphanumeric() || c == '_');
            let written: String = digits.chars().chain(tail.chars()).take(40).collect();
            return Err(SourceError::new(at, format!("“{written}” is neither a number nor a name")));
        }
        if self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(SourceError::new(at, "numbers are whole here"));
        }
        let plain = digits.trim_start_matches('0');
        if plain.len() > NUMBER_MAX_DIGITS {
            let message = format!("numbers have at most {NUMBER_MAX_DIGITS} digits here");
            return Err(SourceError::new(at, message));
        }
        Ok(Token::Number(if plain.is_empty() { 0 } else { plain.parse().expect("so many digits fit") }))
    }

    /// How long a group of digits follows a comma here, if one does.
    fn group(&self) -> Option<usize> {
        let rest = self.rest.strip_prefix(',')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits == 3).then_some(digits)
    }

    fn text(&mut self) -> Result<Token, SourceError> {
        let at = self.at;
        let opening = self.rest.chars().next().map_or(0, char::len_utf8);
        self.skip(opening);
        let text = self.skip_while(|c| !is_quote(c) && c != '\n');
        let Some(closing) = self.rest.chars().next().filter(|c| is_quote(*c)) else {
            return Err(SourceError::new(at, "this quotation mark is not closed on its line"));
        };
        self.skip(closing.len_utf8());
        Ok(Token::Text(text.trim().to_owned()))
    }
}

fn is_quote(c: char) -> bool {
    "\"“”„«»'‘’".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(source: &str) -> Vec<Token> {
        tokens(source).unwrap().into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn what_players_type_is_read_as_what_it_stands_for() {
        assert_eq!(plain("keyword = “PRODUCT”"), plain("keyword=\"PRODUCT\""));
        assert_eq!(plain("1 − 2 × 3 ≥ 4"), plain("1-2*3>=4"));
        assert_eq!(plain("a == b;;\u{a0}c & d"), plain("a=b; ; c && d"));
        assert_eq!(plain("1,000 0050"), [Token::Number(1000), Token::Number(50), Token::End]);
        assert_eq!(plain("// 50 } \"\nX // {"), [Token::Name("X".into()), Token::End]);
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let places: Vec<_> = tokens("é = 1\r\n\t“ü” x\n").unwrap().iter().map(|(at, _)| (at.line, at.column)).collect();
        assert_eq!(places, [(1, 1), (1, 3), (1, 5), (2, 2), (2, 6), (3, 1)]);
    }

    #[test]
    fn a_number_has_an_end_of_its_own() {
        let digits = "9".repeat(NUMBER_MAX_DIGITS);
        assert_eq!(plain(&digits)[0], Token::Number(digits.parse().unwrap()));
        for wrong in [&format!("{digits}0"), "4E15", "2nd", "1.5", "50%", "1/2", "1,00"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }
}
