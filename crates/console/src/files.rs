//! Files of this machine, on their way to the service and from it.
//!
//! Whoever sits at the console may read and write them anyway. A file that is there is never written over.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use catalogue::{self, Catalogue, Kind};
use port::{ATTACHMENT_MAX_BYTES, Attachment};

/// How many names are tried for a file: `main.jsonl`, `main-2.jsonl` and so on.
const NAMES_TRIED_MAX_COUNT: u32 = 1000;

/// Takes a file of this machine out of a line, where the command can use one: the line without it, and its contents. A
/// name with blanks stands in quotation marks: `@"my program.bf"`. Anything else that begins with `@` stays.
///
/// # Errors
///
/// A sentence, when there is no such file or it is too large.
pub(super) fn attach(text: &str) -> Result<(String, Vec<Attachment>), String> {
    let plain = || Ok((text.to_owned(), Vec::new()));
    if let Some((rest, path)) = named(text) {
        return Ok((rest, vec![contents(&PathBuf::from(path))?]));
    }
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
        if as_room.is_some_and(|typed| typed.awaits_text().is_none() || !Path::new(path).is_file()) {
            continue;
        }
        return Ok((rest, vec![contents(&PathBuf::from(path))?]));
    }
    plain()
}

/// A line without the file that it names by its parameter, and the path: `rulebook:rules.txt`, `rulebook:@rules.txt`. A
/// text that would do as itself, such as a program, is never taken for a path, nor is a link.
fn named(text: &str) -> Option<(String, String)> {
    let command = catalogue::parse(Catalogue::all(), text, 0).into_iter().flatten().next()?.command;
    let files = command.params.iter().filter(|param| param.kind == Kind::File);
    files.into_iter().find_map(|param| {
        let mark = format!(" {}:", param.name);
        let (before, given) = text.split_once(&mark)?;
        let (path, after) = path_at(given.strip_prefix('@').unwrap_or(given));
        let link = path.contains("://");
        (!link && !path.is_empty()).then(|| (format!("{before}{after}"), path.to_owned()))
    })
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

/// Writes a file that came with a reply into a folder, under a name that no file there has; gives its path.
///
/// # Errors
///
/// A sentence, when it cannot be written.
pub(super) fn save(folder: &Path, file: &Attachment) -> Result<PathBuf, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = Path::new(&file.name);
    if file.name.is_empty() || file.name.starts_with('.') || !file.name.chars().all(plain) {
        return Err("The file that came with this has no name that it can be written under.".to_owned());
    }
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let end = name.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    for number in 1..=NAMES_TRIED_MAX_COUNT {
        let path = folder.join(if number == 1 { file.name.clone() } else { format!("{stem}-{number}{end}") });
        let unwritable = |why: io::Error| format!("The file {} cannot be written: {why}.", path.display());
        match File::options().write(true).create_new(true).open(&path) {
            Ok(mut new) => {
                new.write_all(&file.bytes).and_then(|()| new.sync_all()).map_err(unwritable)?;
                return Ok(path);
            }
            Err(taken) if taken.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(unwritable(why)),
        }
    }
    Err(format!("There are too many files called {} already.", file.name))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_file_is_named_by_its_parameter_too() {
        let (_folder, path) = file("rules.txt", 3);
        for given in [format!("rulebook:{path}"), format!("rulebook:@{path}"), format!("rulebook:\"{path}\"")] {
            let (rest, files) = attach(&format!("room open blognomic main {given}")).unwrap();
            assert_eq!(rest, "room open blognomic main");
            assert_eq!(files[0].bytes, b"+++");
        }
        assert!(attach("room open blognomic main rulebook:no-such-file").unwrap_err().contains("no-such-file"));
        let link = "room open blognomic main rulebook:https://example.org/rules.txt";
        assert_eq!(attach(link), Ok((link.to_owned(), Vec::new())));
        let typed = catalogue::parse(Catalogue::all(), link, 0).remove(0).unwrap();
        assert_eq!(typed.link().unwrap().param, "rulebook");
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

    #[test]
    fn a_file_of_a_reply_takes_the_place_of_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let send = |name: &str, text: &str| {
            save(folder.path(), &Attachment { name: name.to_owned(), bytes: text.as_bytes().to_vec() })
        };
        assert_eq!(send("main.jsonl", "one").unwrap(), folder.path().join("main.jsonl"));
        assert_eq!(send("main.jsonl", "two").unwrap(), folder.path().join("main-2.jsonl"));
        assert_eq!(std::fs::read(folder.path().join("main.jsonl")).unwrap(), b"one");
        for name in ["", ".profile", "../up", "a/b", "a\0b", "a\x1bb"] {
            assert!(send(name, "evil").is_err(), "{name:?}");
        }
    }
}
