//! Instants as Discord shows them: each reader sees their own time, and how long it is until then.
//!
//! The program writes instants in one form (`2026-11-04 10:00 UTC`), and that form alone is read here. Whoever wrote it,
//! it means the same instant.

use kernel::time::read_instant;

use super::escape;

/// Plain text as [`escape::markdown`] gives it, its instants as timestamps; with the time that is left, where a reader
/// may act on it.
pub(super) fn markdown(text: &str, left: bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some((before, seconds, behind)) = first(rest) {
        out.push_str(&escape::markdown(before));
        out.push_str(&format!("<t:{seconds}:f>"));
        if left {
            out.push_str(&format!(" (<t:{seconds}:R>)"));
        }
        rest = behind;
    }
    out.push_str(&escape::markdown(rest));
    out
}

/// The first instant of a text: what stands before it, its seconds since 1970, and what stands behind.
fn first(text: &str) -> Option<(&str, i64, &str)> {
    text.match_indices(" UTC").find_map(|(end, zone)| {
        let behind = &text[end + zone.len()..];
        let written = |len: usize| {
            let start = end.checked_sub(len)?;
            let digits = text.get(start..end)?;
            let free = !text[..start].ends_with(|char: char| char.is_alphanumeric() || char == '-');
            let at = read_instant(digits).filter(|_| free && digits.as_bytes()[10] == b' ')?;
            Some((&text[..start], at.as_second(), behind))
        };
        let ends = !behind.starts_with(char::is_alphanumeric);
        ["2026-11-04 10:00:30".len(), "2026-11-04 10:00".len()].into_iter().find_map(written).filter(|_| ends)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_told_in_each_readers_time_and_other_words_stay() {
        for (text, shown) in [
            ("Until 2026-11-04 10:00 UTC.", "Until <t:1793786400:f>."),
            ("(2026-11-04 10:00:30 UTC) *x*", "(<t:1793786430:f>) \\*x\\*"),
            (
                "1. 2026-11-04 10:00 UTC\n- 2026-11-05 10:00 UTC",
                "\u{200b}1. <t:1793786400:f>\n\u{200b}- <t:1793872800:f>",
            ),
            ("2026-11-04 25:00 UTC", "2026-11-04 25:00 UTC"),
            ("12026-11-04 10:00 UTC", "12026-11-04 10:00 UTC"),
            ("2026-11-04 10:00 UTCs", "2026-11-04 10:00 UTCs"),
            ("UTC", "UTC"),
        ] {
            assert_eq!(markdown(text, false), shown, "{text}");
        }
        assert_eq!(markdown("2026-11-04 10:00 UTC", true), "<t:1793786400:f> (<t:1793786400:R>)");
    }
}
