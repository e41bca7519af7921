//! What the console itself understands: who speaks, and when to leave.
//!
//! Everything else is for the service. A word of the console's own may be the name of no command; a test holds that.

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
        (AS, name) => Said::As(name),
        (first, "") if LEAVE.contains(&first) => Said::Leave,
        (HELP, "") => Said::Overview(line),
        (HELP, _) if is_own(&topic) => Said::Help,
        _ => Said::Line(line),
    }
}

/// What the console understands, in lines.
pub(super) fn help() -> Vec<String> {
    [
        "In this console:",
        "- as NAME: speak as somebody else; as, without a name: be the operator again, who moderates everything",
        "- @FILE in the place of a program or another file sends a file of this machine: joust submit Alpha @alpha.bf",
        "- quit, or the end of input: leave. A line may begin with / or !, and need not.",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn the_consoles_own_words_are_no_commands() {
        for word in LEAVE.iter().chain([&AS, &CONSOLE]) {
            assert!(Catalogue::all().get(word).is_none() && !Catalogue::all().heads().contains_key(*word), "{word}");
        }
        assert!(Catalogue::all().get(HELP).is_some());
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
