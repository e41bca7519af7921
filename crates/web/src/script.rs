//! The script of a law in its pieces: words of the language, texts, numbers, remarks, and all the rest.
//!
//! It is for the eye alone: a text that is no script comes out in some pieces as well, and none is lost.

/// The words of the language.
const WORDS: &[&str] = &[
    "break", "const", "continue", "do", "else", "false", "fn", "for", "if", "in", "let", "loop", "return", "switch",
    "true", "until", "while",
];

/// A piece of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    /// `word`, `text`, `number`, `aside`; empty for all the rest.
    pub(super) class: &'static str,
    pub(super) text: &'t str,
}

/// The pieces of each line of a script.
pub(super) fn lines(script: &str) -> Vec<Vec<Piece<'_>>> {
    let mut lines = vec![Vec::new()];
    for Piece { class, text } in pieces(script) {
        for (place, text) in text.split('\n').enumerate() {
            if place > 0 {
                lines.push(Vec::new());
            }
            if let (false, Some(line)) = (text.is_empty(), lines.last_mut()) {
                line.push(Piece { class, text });
            }
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn pieces(script: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest, mut plain) = (Vec::new(), script, 0);
    // What was gone through and is none of what is told apart.
    let mut seen = script;
    while let Some(first) = rest.chars().next() {
        let (class, length) = piece(first, rest);
        if class.is_empty() {
            plain += length;
        } else {
            pieces.extend([Piece { class: "", text: &seen[..plain] }, Piece { class, text: &rest[..length] }]);
            (seen, plain) = (&rest[length..], 0);
        }
        rest = &rest[length..];
    }
    pieces.push(Piece { class: "", text: &seen[..plain] });
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// What a script begins with, and how long that is.
fn piece(first: char, script: &str) -> (&'static str, usize) {
    let while_is = |is: fn(char) -> bool| script.find(|c| !is(c)).unwrap_or(script.len());
    match first {
        '/' if script.starts_with("//") => ("aside", while_is(|c| c != '\n')),
        '/' if script.starts_with("/*") => ("aside", script.find("*/").map_or(script.len(), |end| end + 2)),
        '"' | '`' => ("text", quoted(first, script)),
        _ if first.is_ascii_digit() => ("number", while_is(|c| c.is_ascii_alphanumeric() || c == '_')),
        _ if first.is_alphabetic() || first == '_' => {
            let length = while_is(|c| c.is_alphanumeric() || c == '_');
            (if WORDS.contains(&&script[..length]) { "word" } else { "" }, length)
        }
        _ => ("", first.len_utf8()),
    }
}

/// How long a text is, with what stands around it; what is put into it counts as part of it.
fn quoted(mark: char, script: &str) -> usize {
    let mut escaped = false;
    for (at, c) in script.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if mark == '"' => escaped = true,
            c if c == mark => return at + c.len_utf8(),
            _ => {}
        }
    }
    script.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_script_are_told_apart_and_none_is_lost() {
        let script =
            "let price = 80; // m80\nif a.by.hp2 > 1_000 {\n    say(`${a.by}: \"let\"\n  1`);\n} /* 7\n8 */ \"a\\\"b";
        let told: Vec<(&str, &str)> = pieces(script)
            .iter()
            .filter(|piece| !piece.class.is_empty())
            .map(|piece| (piece.class, piece.text))
            .collect();
        let expected = [
            ("word", "let"),
            ("number", "80"),
            ("aside", "// m80"),
            ("word", "if"),
            ("number", "1_000"),
            ("text", "`${a.by}: \"let\"\n  1`"),
            ("aside", "/* 7\n8 */"),
            ("text", "\"a\\\"b"),
        ];
        assert_eq!(told, expected);
        let again: Vec<String> =
            lines(script).iter().map(|line| line.iter().map(|piece| piece.text).collect()).collect();
        assert_eq!(again.join("\n"), script);
    }
}
