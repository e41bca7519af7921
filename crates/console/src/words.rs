//! What the console itself understands: who speaks, and when to leave.
//!
//! Everything else is for the service. A word of the console's own may be the name of no command; a test holds that.

use catalogue::{self, Catalogue};

/// The words that leave the console.
const LEAVE: [&str; 3] = ["quit", "exit", "bye"];

/// The word that changes who speaks.
const AS: &str = "as";

/// The word for the console itself, as a topic of help.
const CONSOLE: &str = "console";

/// The command for help.
const HELP: &str = "help";

/// What a line of the console means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said<'t> {
    /// Speak as this person from now on.
    As(&'t str),
    /// Speak as the operator again.
    Back,
    /// Leave the console.
    Leave,
    /// Say what the console understands.
    Help,
    /// The overview of all commands, to which the console adds its own words.
    Overview(&'t str),
    /// For the service.
    Line(&'t str),
}

/// Reads a line. A prefix, as other networks need one, is allowed.
pub(super) fn read(text: &str) -> Said<'_> {
    let text = text.trim();
    let line = text.strip_prefix(['/', '!']).unwrap_or(text);
    let (first, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(first, rest)| (first, rest.trim()));
    let (first, topic) = (first.to_lowercase(), rest.to_lowercase());
    let is_own = |word: &str| word == AS || word == CONSOLE || LEAVE.contains(&word);
    match (first.as_str(), rest) {
        (AS, "") => Said::Back,
        (AS, name) if !name.contains(':') => Said::As(name),
        (first, "") if LEAVE.contains(&first) => Said::Leave,
        (HELP, "") => Said::Overview(line),
        (HELP, _) if is_own(&topic) => Said::Help,
        _ => Said::Line(line),
    }
}

/// The messages that a text of several lines makes. A word of the console's own stands alone; other lines are one
/// message, as they are on Discord. What a command takes as its text goes on to the end, whatever it holds.
pub(super) fn messages(text: &str) -> Vec<&str> {
    let (mut out, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let is_own = !matches!(read(line), Said::Line(_)) && !takes_rest(&text[start..at]);
        if is_own {
            out.extend([&text[start..at], line]);
            start = at + line.len();
        }
        at += line.len();
    }
    out.push(&text[start..]);
    out.into_iter().map(|message| message.trim_matches('\n')).filter(|message| !message.trim().is_empty()).collect()
}

/// Whether what stands behind these lines belongs to the last of their commands.
fn takes_rest(text: &str) -> bool {
    let typed = catalogue::parse(Catalogue::all(), text, 1);
    typed.last().and_then(|typed| typed.as_ref().ok()).is_some_and(|typed| typed.command.rest().is_some())
}

/// The console's own words that go on from the beginning of a line.
pub(super) fn completing(begun: &str) -> Vec<&'static str> {
    let own = LEAVE.iter().take(1).chain([&AS]).copied();
    own.filter(|word| !begun.is_empty() && word.starts_with(begun)).collect()
}

/// What the console understands, in lines.
pub(super) fn help() -> Vec<String> {
    [
        "In this console:",
        "- as NAME: speak as somebody else; as, without a name: be the operator again, who moderates everything",
        "- @FILE in the place of a program or another file sends a file of this machine: joust submit Alpha @alpha.bf",
        "- quit, or the end of input (Ctrl-D): leave. A line may begin with / or !, and need not.",
        "- Tab completes, the arrow up brings a line back, Alt-Enter begins a new line of a text, Ctrl-C gives a line up.",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consoles_own_words_are_no_commands() {
        for word in LEAVE.iter().chain([&AS, &CONSOLE]) {
            assert!(Catalogue::all().get(word).is_none() && !Catalogue::all().heads().contains_key(*word), "{word}");
        }
        assert!(Catalogue::all().get(HELP).is_some());
    }

    #[test]
    fn several_lines_are_one_message_between_the_consoles_own_words() {
        assert_eq!(messages("hill\nme\n"), ["hill\nme"]);
        assert_eq!(messages("as Ann\njoin\nhill\nas\npause\n"), ["as Ann", "join\nhill", "as", "pause"]);
        assert_eq!(messages("joust submit Alpha >+\nquit\nas Bob"), ["joust submit Alpha >+\nquit\nas Bob"]);
        assert!(messages(" \n\n").is_empty());
    }

    #[test]
    fn lines_need_no_prefix_and_may_have_one() {
        for prefix in ["", "/", "!"] {
            assert_eq!(read(&format!(" {prefix}hill ")), Said::Line("hill"));
            assert_eq!(read(&format!("{prefix}as Ann Lee")), Said::As("Ann Lee"));
            assert_eq!(read(&format!("{prefix}As")), Said::Back);
            assert_eq!(read(&format!("{prefix}quit")), Said::Leave);
            assert_eq!(read(&format!("{prefix}help")), Said::Overview("help"));
            assert_eq!(read(&format!("{prefix}help As")), Said::Help);
            assert_eq!(read(&format!("{prefix}help joust")), Said::Line("help joust"));
        }
        assert_eq!(read("quit the game"), Said::Line("quit the game"));
    }
}
