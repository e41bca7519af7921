//! What the console itself understands: who speaks, which file belongs to a line, and when to leave.
//!
//! Everything else is for the service. A word of the console's own may be the name of no command; a test holds that.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use crate::{
    catalogue::{self, Catalogue},
    service::port::{ATTACHMENT_MAX_BYTES, Attachment},
};

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
        "- as NAME: speak as somebody else; as alone: be the operator again, who moderates everything",
        "- @FILE in the place of a program or another file sends a file of this machine: joust submit Alpha @alpha.bf",
        "- quit, or the end of input: leave. A line may begin with / or !, and need not.",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Takes a file of this machine out of a line, where the command can use one: the line without it, and its contents. A
/// name with blanks stands in quotation marks: `@"my program.bf"`. Anything else that begins with `@` stays.
///
/// # Errors
///
/// A sentence, when there is no such file or it is too large.
pub(super) fn attach(text: &str) -> Result<(String, Vec<Attachment>), String> {
    let plain = || Ok((text.to_owned(), Vec::new()));
    if !text.contains('@') {
        return plain();
    }
    let starts = text.match_indices('@').map(|(at, _)| at);
    let words = starts.filter(|at| *at > 0 && text[..*at].ends_with(char::is_whitespace)).collect::<Vec<_>>();
    for at in words.into_iter().rev() {
        let (path, after) = path_at(&text[at + 1..]);
        let rest = format!("{}{}", text[..at].trim_end(), after);
        let typed = catalogue::parse(Catalogue::all(), &rest, 1);
        if path.is_empty() || !typed.iter().flatten().any(|typed| typed.takes_file().is_some()) {
            continue;
        }
        // The same word may be a room: `joust add @main joust10`. It is one, unless a file of that name is there and
        // the command cannot do without.
        let whole = catalogue::parse(Catalogue::all(), text, 1);
        let as_room = whole.iter().flatten().find(|typed| typed.room.as_deref() == Some(path));
        if as_room.is_some_and(|typed| typed.awaits_file().is_none() || !Path::new(path).is_file()) {
            continue;
        }
        return Ok((rest, vec![contents(&PathBuf::from(path))?]));
    }
    plain()
}

/// A path at the start of a text, and what stands after it.
fn path_at(text: &str) -> (&str, &str) {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((path, after)) = quoted.split_once('"')
    {
        return (path, after);
    }
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn contents(path: &Path) -> Result<Attachment, String> {
    let shown = path.display();
    let unreadable = |why: std::io::Error| format!("The file {shown} cannot be read: {why}.");
    // A pipe or a device would be waited for.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("{shown} is no file."));
    }
    let mut bytes = Vec::new();
    // One byte more than is taken tells a file that is too large; the rest of it is never read.
    let most = ATTACHMENT_MAX_BYTES as u64 + 1;
    File::open(path).map_err(unreadable)?.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > ATTACHMENT_MAX_BYTES {
        return Err(format!("The file {shown} is larger than {ATTACHMENT_MAX_BYTES} bytes, which is the most."));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Attachment { name, bytes })
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

    fn file(name: &str, bytes: usize) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, "+".repeat(bytes)).unwrap();
        let path = path.to_str().unwrap().to_owned();
        (folder, path)
    }

    #[test]
    fn a_file_stands_where_a_program_would() {
        let (_folder, path) = file("alpha.bf", 3);
        for (line, left) in [
            (format!("joust submit Alpha @{path}"), "joust submit Alpha"),
            (format!("joust submit @main Alpha @\"{path}\""), "joust submit @main Alpha"),
            (format!("joust test @{path} against joust3"), "joust test against joust3"),
            (format!("joust test @{path}"), "joust test"),
        ] {
            let (rest, files) = attach(&line).unwrap();
            assert_eq!(rest, left);
            assert_eq!(files[0].bytes, b"+++");
            assert_eq!(files[0].name, "alpha.bf");
        }
    }

    #[test]
    fn what_is_no_file_stays_in_the_line() {
        for line in
            ["hill @main", "join @main Ann", "joust submit Alpha >+ @nobody", "joust add @main joust10", "a @b", "@b"]
        {
            assert_eq!(attach(line), Ok((line.to_owned(), Vec::new())), "{line}");
        }
    }

    #[test]
    fn files_that_cannot_be_sent_are_refused_by_name() {
        assert!(attach("joust submit Alpha @no-such-file.bf").unwrap_err().contains("no-such-file.bf"));
        let (folder, path) = file("large.bf", ATTACHMENT_MAX_BYTES + 1);
        assert!(attach(&format!("joust submit Alpha @{path}")).unwrap_err().contains("larger"));
        let folder = folder.path().to_str().unwrap();
        assert!(attach(&format!("joust submit Alpha @{folder}")).unwrap_err().contains("no file"));
    }
}
