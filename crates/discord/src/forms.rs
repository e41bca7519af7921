//! What Discord shows in forms of its own: instants in each reader's time, channels and people by their names.
//!
//! The program writes instants in one form (`2026-11-04 10:00 UTC`), and channels and accounts in another
//! (`discord/123`). Those forms alone are read here. Whoever wrote them, they mean the same, and nobody is called.

use kernel::time::read_instant;

use super::escape;

/// What stands before the id of a channel or an account.
const PREFIX: &str = "discord/";

/// Fewest digits of an id that Discord gives out: what is shorter is no account.
const ID_MIN_DIGITS: usize = 17;

/// Whether an id is that of a channel in which a forum is bound. It is asked where a text names one.
pub(super) type IsChannel<'a> = &'a dyn Fn(&str) -> bool;

/// Plain text as [`escape::markdown`] gives it, its instants as timestamps; with the time that is left, where a reader
/// may act on it. `is_channel` says of an id whether it is that of a channel with a forum.
pub(super) fn markdown(text: &str, left: bool, is_channel: IsChannel<'_>) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some((before, seconds, behind)) = first(rest) {
        out.push_str(&named(&escape::markdown(before), is_channel));
        let behind_distance = after_distance(behind);
        out.push_str(&format!("<t:{seconds}:f>"));
        if left || behind_distance.is_some() {
            out.push_str(&format!(" (<t:{seconds}:R>)"));
        }
        rest = behind_distance.unwrap_or(behind);
    }
    out.push_str(&named(&escape::markdown(rest), is_channel));
    out
}

/// Whether a text names a channel or an account of Discord's.
pub(super) fn names_any(text: &str, is_channel: IsChannel<'_>) -> bool {
    text.contains(PREFIX) && named(text, is_channel) != text
}

/// A text with channels and accounts as Discord's own marks for them.
fn named(text: &str, is_channel: IsChannel<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(PREFIX) {
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (id, after) = behind.split_at(digits);
        let is_word = |char: char| char.is_alphanumeric() || char == '/';
        let free = !before.ends_with(is_word) && !after.starts_with(is_word);
        out.push_str(before);
        match () {
            () if free && is_channel(id) => out.push_str(&format!("<#{id}>")),
            () if free && digits >= ID_MIN_DIGITS => out.push_str(&format!("<@{id}>")),
            () => out.push_str(&format!("{PREFIX}{id}")),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What stands behind how far an instant is, ` (in 2 d 4 h)`, where a text begins so: Discord counts that down by itself.
fn after_distance(text: &str) -> Option<&str> {
    let (distance, behind) = text.strip_prefix(" (in ")?.split_once(')')?;
    let words: Vec<&str> = distance.split(' ').collect();
    let is_length = |pair: &[&str]| pair[0].parse::<u32>().is_ok() && ["d", "h", "min", "s"].contains(&pair[1]);
    (words.len().is_multiple_of(2) && words.chunks(2).all(is_length)).then_some(behind)
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
            ("It ends at 2026-11-04 10:00 UTC (in 2 d 4 h).", "It ends at <t:1793786400:f> (<t:1793786400:R>)."),
            ("2026-11-04 10:00 UTC (in 12 min)", "<t:1793786400:f> (<t:1793786400:R>)"),
            ("2026-11-04 10:00 UTC (in my view)", "<t:1793786400:f> (in my view)"),
            ("2026-11-04 10:00 UTC (in 2 d", "<t:1793786400:f> (in 2 d"),
        ] {
            assert_eq!(markdown(text, false, &|_| false), shown, "{text}");
        }
        assert_eq!(markdown("2026-11-04 10:00 UTC", true, &|_| false), "<t:1793786400:f> (<t:1793786400:R>)");
        let once = markdown("2026-11-04 10:00 UTC (in 2 d)", true, &|_| false);
        assert_eq!(once, "<t:1793786400:f> (<t:1793786400:R>)");
    }

    #[test]
    fn channels_and_people_are_mentioned_and_other_words_stay() {
        let is_channel = |id: &str| ["72", "123456789012345678"].contains(&id);
        for (text, shown) in [
            ("discord/72 is its public forum.", "<#72> is its public forum."),
            ("In discord/123456789012345678, not *here*", "In <#123456789012345678>, not \\*here\\*"),
            ("discord/223456789012345678 may moderate", "<@223456789012345678> may moderate"),
            ("discord/73 discord/ discord/72x xdiscord/72", "discord/73 discord/ discord/72x xdiscord/72"),
            ("https://discord/72", "https://discord/72"),
        ] {
            assert_eq!(markdown(text, false, &is_channel), shown, "{text}");
        }
    }
}
