//! Which messages are meant for the bot, and what is left of them without the address.
//!
//! In a channel a command begins with a prefix (`!help`) or with the bot's nick (`Rulekeeper: help`,
//! `Rulekeeper, help`). In private everything is meant for the bot, with or without a prefix. Lines of one long text
//! stay as they are, because only the service knows that one is being written. Who says them stands in `identity`.

use super::gate::is_formatting;
use super::names::CaseMapping;

/// A message that is meant for the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addressed {
    /// The text without the address.
    pub(super) text: String,
    /// Whether there was an address: without one, a line in private may be part of a longer text.
    pub(super) explicit: bool,
}

/// What a channel's message says to the bot; `None` when it is talk among people.
pub(super) fn in_channel(text: &str, prefix: &str, nick: &str, mapping: CaseMapping) -> Option<Addressed> {
    let text = plain(text);
    let text = text.trim_start();
    let rest = match without_prefix(text, prefix) {
        Some(rest) => rest,
        None => {
            let rest = without_nick(text, nick, mapping)?;
            without_prefix(rest, prefix).unwrap_or(rest)
        }
    };
    (!rest.trim().is_empty()).then(|| Addressed { text: rest.trim_end().to_owned(), explicit: true })
}

/// What a private message says. Nothing is stripped but a prefix or the nick, and colours: a program's line keeps its
/// spaces. `None` when nothing is left.
pub(super) fn in_private(text: &str, prefix: &str, nick: &str, mapping: CaseMapping) -> Option<Addressed> {
    let text = plain(text);
    if text.trim().is_empty() {
        return None;
    }
    let start = text.trim_start();
    let addressed = without_prefix(start, prefix).or_else(|| {
        let rest = without_nick(start, nick, mapping)?;
        Some(without_prefix(rest, prefix).unwrap_or(rest))
    });
    Some(match addressed {
        Some(rest) => Addressed { text: rest.to_owned(), explicit: true },
        None => Addressed { text: text.clone(), explicit: false },
    })
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
        in_private(text, "!", "Rule[keeper", CaseMapping::Rfc1459).map(|line| (line.text, line.explicit))
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
