//! Texts that players wrote, so that they read as they were written and can do nothing else.
//!
//! Every message goes out with an empty list of mentions, which alone keeps anybody from being pinged. What is here
//! keeps formatting, links with a false face and the end of a code block out of players' hands.

/// A character that shows nothing and takes no room.
const NOTHING: char = '\u{200b}';

/// Plain text as Discord's markdown that shows exactly it. A link stays one.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let indent = line.len() - line.trim_start().len();
        let (space, line) = line.split_at(indent);
        out.push_str(space);
        // Headings, quotations, lists and small print begin a line.
        if line.starts_with(['#', '>', '-', '+']) || numbered(line) {
            out.push(NOTHING);
        }
        for (index, word) in line.split(' ').enumerate() {
            if index > 0 {
                out.push(' ');
            }
            if is_link(word) { out.push_str(word) } else { escape(word, &mut out) }
        }
    }
    out
}

/// The text of a code block, which cannot end it.
pub(super) fn code(text: &str) -> String {
    text.replace('`', "\u{2cb}")
}

/// A line as inline code.
pub(super) fn inline(text: &str) -> String {
    format!("`{}`", code(&text.replace('\n', " ")))
}

fn escape(word: &str, out: &mut String) {
    for char in word.chars() {
        match char {
            '\\' | '*' | '_' | '~' | '`' | '|' | '[' | ']' | '<' | '>' => {
                out.push('\\');
                out.push(char);
            }
            '@' => out.extend(['@', NOTHING]),
            // A bare scheme would become a link in the middle of a word.
            _ => out.push(char),
        }
    }
}

fn numbered(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && line[digits..].starts_with(". ")
}

fn is_link(word: &str) -> bool {
    let rest = word.strip_prefix("https://").or_else(|| word.strip_prefix("http://"));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#$&'()+,;=%!".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_and_mentions_are_shown_and_not_done() {
        for (written, sent) in [
            ("plain, text.", "plain, text."),
            ("**bold** _it_ ~~no~~ ||spoiler||", r"\*\*bold\*\* \_it\_ \~\~no\~\~ \|\|spoiler\|\|"),
            ("[trust](https://x.example)", r"\[trust\](https://x.example)"),
            ("@everyone <@&7> <#8>", "@\u{200b}everyone \\<@\u{200b}&7\\> \\<#8\\>"),
            ("# big\n> quoted\n1. first", "\u{200b}# big\n\u{200b}\\> quoted\n\u{200b}1. first"),
            ("see https://x.example/a_b_c now", "see https://x.example/a_b_c now"),
            ("https://x.example/@everyone", "https://x.example/@\u{200b}everyone"),
            ("a`b```c", r"a\`b\`\`\`c"),
        ] {
            assert_eq!(markdown(written), sent, "{written}");
        }
    }

    #[test]
    fn no_text_ends_its_code_block() {
        assert!(!code("a```b`").contains('`'));
        assert_eq!(inline("a\nb`"), "`a b\u{2cb}`");
    }
}
