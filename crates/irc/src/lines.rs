//! Which messages are meant for the bot, and what is left of them without the address.
//!
//! In a channel a command begins with a prefix (`!help`) or with the bot's nick (`Rulekeeper: help`,
//! `Rulekeeper, help`). In private everything is meant for the bot, with or without a prefix. Lines of one long text
//! stay as they are, because only the service knows that one is being written. Who says them stands in `identity`.

use std::collections::BTreeMap;

use super::gate::is_formatting;
use super::names::CaseMapping;

/// A message that is meant for the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addressed {
    /// The text without the address.
    pub(super) text: String,
    /// How it was addressed: without an address, a line in private may be part of a longer text.
    pub(super) by: By,
}

/// How a message is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By the prefix, which other bots may have as well.
    Prefix,
    /// By the bot's nick.
    Nick,
    /// Not at all.
    Nothing,
}

/// What a channel's message says to the bot; `None` when it is talk among people.
pub(super) fn in_channel(text: &str, prefix: &str, nick: &str, mapping: CaseMapping) -> Option<Addressed> {
    let text = plain(text);
    let text = text.trim_start();
    let (rest, by) = addressed(text, prefix, nick, mapping)?;
    (!rest.trim().is_empty()).then(|| Addressed { text: rest.trim_end().to_owned(), by })
}

/// What a private message says. Nothing is stripped but a prefix or the nick, and colours: a program's line keeps its
/// spaces. `None` when nothing is left.
pub(super) fn in_private(text: &str, prefix: &str, nick: &str, mapping: CaseMapping) -> Option<Addressed> {
    let text = plain(text);
    if text.trim().is_empty() {
        return None;
    }
    Some(match addressed(text.trim_start(), prefix, nick, mapping) {
        Some((rest, by)) => Addressed { text: rest.to_owned(), by },
        None => Addressed { text: text.clone(), by: By::Nothing },
    })
}

/// The text behind the address.
fn addressed<'a>(text: &'a str, prefix: &str, nick: &str, mapping: CaseMapping) -> Option<(&'a str, By)> {
    if let Some(rest) = without_prefix(text, prefix) {
        return Some((rest, By::Prefix));
    }
    let rest = without_nick(text, nick, mapping)?;
    Some((without_prefix(rest, prefix).unwrap_or(rest), By::Nick))
}

/// The line with what its first word stands for by the network's settings, behind the name of a room if there is one.
/// A line without an address may be part of a text, and stays as it is.
pub(super) fn in_full(mut line: Addressed, aliases: &BTreeMap<String, String>) -> Addressed {
    if line.by == By::Nothing || aliases.is_empty() {
        return line;
    }
    let room = match line.text.split_once(' ') {
        Some((room, _)) if room.starts_with('@') => room.len() + 1,
        _ => 0,
    };
    let (room, rest) = line.text.split_at(room);
    let end = rest.find(' ').unwrap_or(rest.len());
    if let Some(meant) = aliases.get(&rest[..end].to_lowercase()) {
        line.text = format!("{room}{meant}{}", &rest[end..]);
    }
    line
}

/// Whether the line asks for the rest of a long text.
pub(super) fn is_more(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("more")
}

/// The text behind the prefix, when a word or the name of a room begins there: `!!!`, `! no` and `!@#` are talk.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(prefix)?;
    let is_room = |name: &str| name.starts_with(|c: char| c.is_alphanumeric() || c == '"');
    let begins = rest.starts_with(char::is_alphanumeric) || rest.strip_prefix('@').is_some_and(is_room);
    begins.then_some(rest)
}

/// The text behind `nick:` or `nick,`.
fn without_nick<'a>(text: &'a str, nick: &str, mapping: CaseMapping) -> Option<&'a str> {
    let (name, rest) = text.split_at(text.find([':', ','])?);
    let rest = rest[1..].trim_start();
    (mapping.same(name.trim_end(), nick) && !rest.is_empty()).then_some(rest)
}

/// The text without codes for bold, colour and the like, and without the colours' numbers.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x03' => {
                // At most two digits of foreground, and two of background behind a comma.
                if digits(&mut chars, 2, |c| c.is_ascii_digit()) && chars.peek() == Some(&',') {
                    let mut ahead = chars.clone();
                    ahead.next();
                    if ahead.peek().is_some_and(char::is_ascii_digit) {
                        chars = ahead;
                        digits(&mut chars, 2, |c| c.is_ascii_digit());
                    }
                }
            }
            '\x04' => {
                digits(&mut chars, 6, |c| c.is_ascii_hexdigit());
            }
            c if is_formatting(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Skips at most `most` digits; whether there was one.
fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, most: usize, digit: fn(&char) -> bool) -> bool {
    (0..most).take_while(|_| chars.next_if(digit).is_some()).count() > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(text: &str) -> Option<String> {
        in_channel(text, "!", "Rule[keeper", CaseMapping::Rfc1459).map(|addressed| addressed.text)
    }

    fn private(text: &str) -> Option<(String, bool)> {
        in_private(text, "!", "Rule[keeper", CaseMapping::Rfc1459).map(|line| (line.text, line.by != By::Nothing))
    }

    #[test]
    fn the_first_word_stands_for_what_the_settings_say() {
        let aliases: BTreeMap<String, String> =
            [("v", "vote"), ("p", "propose"), ("hat", "mackerel exchange 2")].map(|(a, b)| (a.into(), b.into())).into();
        let full = |text: &str, by| in_full(Addressed { text: text.to_owned(), by }, &aliases).text;
        for (said, meant) in [
            ("v 1 for", "vote 1 for"),
            ("V 1 for", "vote 1 for"),
            ("@main p \"Tea\" v", "@main propose \"Tea\" v"),
            ("hat", "mackerel exchange 2"),
            ("vote 1 for", "vote 1 for"),
            ("help v", "help v"),
        ] {
            assert_eq!(full(said, By::Prefix), meant);
        }
        assert_eq!(full("v 1 for", By::Nothing), "v 1 for", "it may be a line of a text");
    }

    #[test]
    fn a_prefix_that_other_bots_may_have_is_told_from_the_own_nick() {
        let by = |text| in_channel(text, "!", "Rule[keeper", CaseMapping::Rfc1459).map(|line| line.by);
        assert_eq!(
            (by("!x"), by("Rule[keeper: x"), by("Rule[keeper: !x")),
            (Some(By::Prefix), Some(By::Nick), Some(By::Nick))
        );
    }

    #[test]
    fn commands_in_a_channel_begin_with_the_prefix_or_the_nick() {
        for (said, meant) in [
            ("!help", "help"),
            ("  !joust submit +>-  ", "joust submit +>-"),
            ("Rule[keeper: help", "help"),
            ("rule{KEEPER, !help me", "help me"),
            ("Rule[keeper : vote 3 for", "vote 3 for"),
            ("\x02!help\x02", "help"),
            ("\x0304,12!he\x0399lp\x0f 5", "help 5"),
            ("!3 times vote", "3 times vote"),
            ("!@main admit \"Cat\"", "@main admit \"Cat\""),
            ("!@\"the room\" nod", "@\"the room\" nod"),
        ] {
            assert_eq!(channel(said).as_deref(), Some(meant), "{said:?}");
        }
    }

    #[test]
    fn talk_among_people_is_left_alone() {
        for talk in [
            "hello",
            "!",
            "!!!",
            "! no",
            "!?",
            "!@#$%",
            "Rule[keeper",
            "Rule[keeper:",
            "Rule[keeper is a bot",
            "ask Rule[keeper: x",
            "",
        ] {
            assert_eq!(channel(talk), None, "{talk:?}");
        }
    }

    #[test]
    fn in_private_everything_is_meant_and_a_programs_line_stays_as_it_is() {
        assert_eq!(private("help"), Some(("help".to_owned(), false)));
        assert_eq!(private("!help"), Some(("help".to_owned(), true)));
        assert_eq!(private("Rule[keeper: help"), Some(("help".to_owned(), true)));
        assert_eq!(private("  (>)*8 [-] "), Some(("  (>)*8 [-] ".to_owned(), false)));
        assert_eq!(private("!![-]"), Some(("!![-]".to_owned(), false)));
        assert_eq!(private("   "), None);
    }

    #[test]
    fn more_is_more_in_any_case() {
        assert!(is_more("more") && is_more(" MORE ") && !is_more("more 3") && !is_more("anymore"));
    }
}
