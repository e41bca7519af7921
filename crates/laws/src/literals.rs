//! The texts that are written out in a script.
//!
//! Directives are never made of what players wrote: what a law applies is one of these texts, or a document's. A text
//! with `${..}` in it is made when the law runs, and is none of them.

use std::{collections::BTreeSet, iter::Peekable, str::Chars};

/// All of them, as the engine reads them.
pub(crate) fn of(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut chars = source.chars().peekable();
    while let Some(letter) = chars.next() {
        match letter {
            '"' => found.extend(quoted(&mut chars)),
            '`' => found.extend(multiline(&mut chars)),
            '\'' => {
                chars.by_ref().find(|letter| *letter == '\'');
            }
            '/' if chars.peek() == Some(&'/') => {
                chars.by_ref().find(|letter| *letter == '\n');
            }
            '/' if chars.peek() == Some(&'*') => comment(&mut chars),
            _ => {}
        }
    }
    found
}

fn quoted(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    while let Some(letter) = chars.next() {
        match letter {
            '"' => return Some(text),
            '\\' => text.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            }),
            other => text.push(other),
        }
    }
    None
}

/// A text between backticks; nothing where something is put into it.
fn multiline(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    // The engine leaves out a line break right behind the first one.
    if chars.peek() == Some(&'\n') {
        chars.next();
    }
    let (mut text, mut made) = (String::new(), false);
    while let Some(letter) = chars.next() {
        match letter {
            '`' if chars.peek() == Some(&'`') => {
                chars.next();
                text.push('`');
            }
            '`' => return (!made).then_some(text),
            '$' if chars.peek() == Some(&'{') => {
                made = true;
                within_braces(chars);
            }
            other => text.push(other),
        }
    }
    None
}

/// Goes behind the brace that closes what is put into a text.
fn within_braces(chars: &mut Peekable<Chars<'_>>) {
    let mut open = 0_usize;
    while let Some(letter) = chars.next() {
        match letter {
            '{' => open += 1,
            '}' if open <= 1 => return,
            '}' => open -= 1,
            '"' => drop(quoted(chars)),
            '`' => drop(multiline(chars)),
            _ => {}
        }
    }
}

fn comment(chars: &mut Peekable<Chars<'_>>) {
    let mut last = ' ';
    for letter in chars.by_ref().skip(1) {
        if last == '*' && letter == '/' {
            return;
        }
        last = letter;
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn texts_are_found_where_the_engine_reads_texts() {
        let source = "let a = \"one\"; // \"two\"\n/* `three` */ f(`four`, `fi${ \"six\" }ve`, \"se\\\"ven\");";
        let found: Vec<String> = of(source).into_iter().collect();
        assert_eq!(found, ["four", "one", "se\"ven"]);
    }
}
