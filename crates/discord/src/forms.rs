//! What Discord shows in forms of its own: instants in each reader's time, channels and people by their names.
//!
//! The program writes instants in one form (`2026-11-04 10:00 UTC`), and channels and accounts in another
//! (`discord/123`). Those forms alone are read here. Whoever wrote them, they mean the same, and nobody is called.

use kernel::{display::MARKS, time::read_instant};

use super::escape;

/// What stands before the id of a channel or an account.
const PREFIX: &str = "discord/";

/// Fewest digits of an id that Discord gives out: what is shorter is no account.
const ID_MIN_DIGITS: usize = 17;

/// What is known where a document is read; it is asked where a text names it.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Whether an id is that of a channel in which a forum is bound.
    pub(super) is_channel: &'a dyn Fn(&str) -> bool,
    /// The id under which a command is registered, by the first word of its name.
    pub(super) command: &'a dyn Fn(&str) -> Option<u64>,
}

/// Plain text as [`escape::markdown`] gives it, its instants as timestamps; with the time that is left, where a reader
/// may act on it. What stands between marks is a command with its options, which can be pressed.
pub(super) fn markdown(text: &str, left: bool, known: Known<'_>) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len() + text.len() / 8), text);
    while let Some((before, behind)) = rest.split_once(MARKS[0])
        && let Some((line, after)) = behind.split_once(MARKS[1])
    {
        out.push_str(&words(before, left, known));
        out.push_str(&command(line, known).unwrap_or_else(|| words(line, left, known)));
        rest = after;
    }
    out.push_str(&words(rest, left, known));
    out
}

/// A command with its options, `/vote on:3`, as a mention that opens it, with its options behind; nothing where it is not
/// registered.
pub(super) fn command(told: &str, known: Known<'_>) -> Option<String> {
    let mut words = told.strip_prefix('/')?.split(' ');
    let mut name = words.next()?.to_owned();
    let id = (known.command)(&name)?;
    let mut rest = words.clone();
    if let Some(leaf) = rest.next().filter(|leaf| !leaf.contains(':') && !leaf.starts_with(['[', '('])) {
        name = format!("{name} {leaf}");
        words = rest;
    }
    let options = words.collect::<Vec<_>>().join(" ");
    let options = if options.is_empty() { options } else { format!(" {}", named(&escape::markdown(&options), known)) };
    Some(format!("</{name}:{id}>{options}"))
}

fn words(text: &str, left: bool, known: Known<'_>) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some((before, seconds, behind)) = first(rest) {
        out.push_str(&named(&escape::markdown(before), known));
        let behind_distance = after_distance(behind);
        out.push_str(&format!("<t:{seconds}:f>"));
        if left || behind_distance.is_some() {
            out.push_str(&format!(" (<t:{seconds}:R>)"));
        }
        rest = behind_distance.unwrap_or(behind);
    }
    out.push_str(&named(&escape::markdown(rest), known));
    out
}

/// Whether a text names a channel or an account of Discord's.
pub(super) fn names_any(text: &str, known: Known<'_>) -> bool {
    text.contains(PREFIX) && named(text, known) != text
}

/// A text with channels and accounts as Discord's own marks for them.
fn named(text: &str, known: Known<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(PREFIX) {
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (id, after) = behind.split_at(digits);
        let is_word = |char: char| char.is_alphanumeric() || char == '/';
        let free = !before.ends_with(is_word) && !after.starts_with(is_word);
        out.push_str(before);
        match () {
            () if free && (known.is_channel)(id) => out.push_str(&format!("<#{id}>")),
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

    const NOTHING: Known<'static> = Known { is_channel: &|_| false, command: &|_| None };

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
            assert_eq!(markdown(text, false, NOTHING), shown, "{text}");
        }
        assert_eq!(markdown("2026-11-04 10:00 UTC", true, NOTHING), "<t:1793786400:f> (<t:1793786400:R>)");
        let once = markdown("2026-11-04 10:00 UTC (in 2 d)", true, NOTHING);
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
            let known = Known { is_channel: &is_channel, ..NOTHING };
            assert_eq!(markdown(text, false, known), shown, "{text}");
        }
    }

    #[test]
    fn commands_that_are_registered_are_mentioned() {
        let command = |head: &str| ["vote", "joust"].contains(&head).then_some(7);
        let known = Known { command: &command, is_channel: &|id| id == "72" };
        for (text, shown) in [
            ("“⁅/vote on:3 vote:for⁆” *votes*.", "“</vote:7> on:3 vote:for” \\*votes\\*."),
            ("Type: ⁅/joust submit name:NAME⁆", "Type: </joust submit:7> name:NAME"),
            ("⁅/joust hill⁆, not /joust hill", "</joust hill:7>, not /joust hill"),
            ("“⁅/vote [on:ON]⁆” (in discord/72)", "“</vote:7> \\[on:ON\\]” (in <#72>)"),
            ("⁅/nod⁆ and ⁅half", "/nod and ⁅half"),
        ] {
            assert_eq!(markdown(text, false, known), shown, "{text}");
        }
    }
}
