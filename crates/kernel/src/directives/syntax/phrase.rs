//! Cutting a line where its words say so: outside quotation marks and brackets, whatever the case.

/// Quotation marks, an opening one with its closing one.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];

/// The places of a line that stand outside quotation marks and brackets, as byte offsets of characters.
fn outside(line: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut closer: Option<char> = None;
    let mut depth = 0_usize;
    for (at, c) in line.char_indices() {
        if let Some(close) = closer {
            if c == close {
                closer = None;
            }
            continue;
        }
        if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == c)
            && line[at + c.len_utf8()..].contains(*close)
        {
            closer = Some(*close);
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.push((at, c)),
            _ => {}
        }
    }
    found
}

/// A line cut at its first colon that is followed by white space or by nothing.
pub fn colon(line: &str) -> Option<(&str, &str)> {
    let at = outside(line).into_iter().find(|(at, c)| {
        *c == ':' && line[at + 1..].chars().next().is_none_or(|next| next.is_whitespace() || "\"“„«".contains(next))
    });
    at.map(|(at, _)| (line[..at].trim(), &line[at + 1..]))
}

/// A line cut at the first of some words, which stands by itself.
pub fn split_word<'a>(line: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    cuts(line, words).into_iter().next()
}

/// A line cut at the last of some words.
pub fn split_last<'a>(line: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    cuts(line, words).into_iter().next_back()
}

/// A line cut at each of some words.
pub(in crate::directives) fn cuts<'a>(line: &'a str, words: &[&str]) -> Vec<(&'a str, &'a str)> {
    let free = outside(line);
    let mut found = Vec::new();
    let mut index = 0;
    while index < free.len() {
        let (start, c) = free[index];
        let begins = !c.is_whitespace() && (start == 0 || line[..start].ends_with(char::is_whitespace));
        if begins {
            let end = line[start..].find(char::is_whitespace).map_or(line.len(), |length| start + length);
            if words.iter().any(|word| line[start..end].eq_ignore_ascii_case(word)) {
                found.push((line[..start].trim(), line[end..].trim_start()));
            }
        }
        index += 1;
    }
    found
}

/// The first word of a line in lower case, without the punctuation after it, and the rest.
pub(super) fn word(line: &str) -> (String, &str) {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let word = line[..end].trim_end_matches([',', '.', '!']).to_lowercase();
    (word, line[end..].trim_start())
}

/// A text without the quotation marks around it, where some stand around the whole of it.
pub fn unquote(text: &str) -> &str {
    let text = text.trim();
    for (open, close) in QUOTES {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return inner;
        }
    }
    text
}

/// The text between quotation marks that a line begins with, and the rest.
pub(super) fn quoted(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (open, close) = QUOTES.iter().find(|(open, _)| line.starts_with(*open))?;
    let inner = &line[open.len_utf8()..];
    let end = inner.find(*close)?;
    Some((&inner[..end], inner[end + close.len_utf8()..].trim_start()))
}

/// Whether a text stands in quotation marks as a whole.
pub(in crate::directives) fn is_quoted(text: &str) -> bool {
    quoted(text.trim()).is_some_and(|(_, rest)| rest.is_empty())
}

/// A text without the full stop or semicolon that ends it.
pub(super) fn ended(text: &str) -> &str {
    text.trim().trim_end_matches(['.', ';']).trim_end()
}
