//! How long a text is by Discord's count, and texts cut to a length.

/// A line in pieces of at most so many characters; an empty line is one piece.
pub(super) fn chunks(text: &str, most: usize) -> Vec<String> {
    if chars(text) <= most {
        return vec![text.to_owned()];
    }
    let mut out = vec![String::new()];
    let mut used = 0;
    for char in text.chars() {
        // A character and what escapes it stay together because a piece is never filled to the last one.
        let bytes = char.len_utf16();
        if used + bytes > most && !out.last().is_some_and(|last| last.ends_with('\\')) {
            out.push(String::new());
            used = 0;
        }
        used += bytes;
        if let Some(last) = out.last_mut() {
            last.push(char);
        }
    }
    out
}

/// Discord counts UTF-16 units in some places and characters in others: the greater count keeps both.
pub(super) fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text of at most so many characters, with a sign that it was longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    if chars(text) <= most {
        return text.to_owned();
    }
    let mut out = chunks(text, most - 2).into_iter().next().unwrap_or_default();
    while out.ends_with('\\') {
        out.pop();
    }
    out.push('…');
    out
}
