//! `rulekeeper ruleset`: for people who make games. A ruleset is a folder of rules, its zip, or one file with all of them.

use std::{
    fs,
    io::{self, BufRead, IsTerminal as _, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use super::error::Error;
use crate::{
    games, packed,
    rehearsal::{Options, Script, play},
};
use kernel::{Instant, Refusal};
use laws::{
    ruleset::{self, FILE_MAX_BYTES, FOLDER_MAX_FILES},
    shipped,
};
use nomic::check;
use port::ATTACHMENT_MAX_BYTES;

/// Make a game of your own: a folder of rules, each of them words with a law
#[derive(Debug, clap::Args)]
pub struct Ruleset {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Write a folder that plays: the seven rules of a club, by the answers to a few questions
    New {
        /// The folder, which is not there yet
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Read every law, try each of its functions once, and say what is wrong
    Check {
        /// A folder, its zip, or one file with all rules
        #[arg(value_name = "DIR")]
        at: PathBuf,
    },
    /// Play the rehearsals of a folder
    Test {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Ruleset {
    /// Does what the verb says, and writes what came of it.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] for what cannot be read; [`Error::Failed`] where something is wrong with the ruleset.
    pub async fn run(self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        match self.verb {
            Verb::New { folder } if io::stdin().is_terminal() => new(&folder, Some(&mut io::stdin().lock()), out),
            Verb::New { folder } => new(&folder, None, out),
            Verb::Check { at } => check(&at, out),
            Verb::Test { folder } => test(&folder, out).await,
        }
    }
}

/// What a new game is asked about: a figure of the club's rules, with the question.
const QUESTIONS: [(&str, &str); 5] = [
    ("open-proposals", "How many proposals may somebody have at once?"),
    ("vote-days", "How many days does a vote last?"),
    ("vote-quorum", "How many votes does it need?"),
    ("adopted-points", "How many points does an adopted proposal earn?"),
    ("season-days", "How many days does it take until somebody wins?"),
];

/// Largest figure that is an answer. A rehearsal has as many people as a vote needs.
const ANSWER_MAX_COUNT: u32 = 366;

/// The file that a new game's first rehearsal is written to.
const FIRST: &str = "rehearsals/first.txt";

/// Where a figure stands: the file, and the place of its number.
fn figure<'f>(files: &'f mut [(String, String)], key: &str) -> Option<(&'f mut String, Range<usize>)> {
    let mark = format!("](#{key})");
    let (_, text) = files.iter_mut().find(|(_, text)| text.contains(&mark))?;
    let end = text.find(&mark)?;
    let begin = text[..end].rfind('[')? + 1;
    Some((text, begin..end))
}

/// The first rehearsal of a new game: as many people join as a vote needs, and adopt a longer one.
fn first(files: &mut [(String, String)]) -> String {
    let mut number = |key: &str| figure(files, key).and_then(|(text, at)| text[at].parse().ok()).unwrap_or(2);
    let (days, quorum): (u32, u32) = (number("vote-days"), number("vote-quorum"));
    let count = quorum.max(3);
    let name = |place| match place {
        1 => "Ann".to_owned(),
        2 => "Bob".to_owned(),
        3 => "Cat".to_owned(),
        _ => format!("Player{place}"),
    };
    let joins: String = (1..=count).map(|place| format!("{}: join\n", name(place))).collect();
    let votes: String = (1..=count).map(|place| format!("{}: vote 1 FOR\n", name(place))).collect();
    let longer = days + 1;
    format!(
        "# {count} people join, one proposes that votes last longer, and it is adopted\n\
         at 2026-11-02 10:00\nroom nomic main by Zed in #club\n{joins}\n\
         # What is behind < is the answer, what is behind #club> is said in the channel.\n\
         Ann: propose \"Longer votes\" => set vote-days to {longer}\n < is number 1\n{votes}\
         advance {days} days\n\
         #club> Proposal 1 (Longer votes) is now Adopted: {count} FOR, 0 AGAINST, 0 ABSTAIN\n\
         Ann: rule 3\n < For {longer} days\n"
    )
}

/// Writes the club's files into a new folder, with figures and a title as somebody answers. An empty answer leaves a figure
/// as it is.
fn new(folder: &Path, answers: Option<&mut dyn BufRead>, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let club = shipped::files("club").unwrap_or_default();
    let mut files: Vec<(String, String)> =
        club.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    if let Some(answers) = answers {
        let mut ask = |question: &str| -> Result<String, Error> {
            write!(out, "{question} ")?;
            out.flush()?;
            let mut line = String::new();
            answers.read_line(&mut line)?;
            Ok(line.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let title = ask("What is your game called? (Club)")?.replace(['"', '\\'], "");
        if !title.is_empty() {
            let text = &mut files[0].1;
            *text = text.replacen("title = \"Club\"", &format!("title = \"{title}\""), 1);
        }
        for (key, question) in QUESTIONS {
            let Some((text, at)) = figure(&mut files, key) else { continue };
            let answer = ask(&format!("{question} ({})", &text[at.clone()]))?;
            match answer.parse::<u32>() {
                Ok(number @ 1..=ANSWER_MAX_COUNT) => text.replace_range(at, &number.to_string()),
                _ if answer.is_empty() => {}
                _ => {
                    let why =
                        format!("“{answer}” is no whole number from 1 to {ANSWER_MAX_COUNT}. Nothing was written.");
                    return Err(Error::Input(why));
                }
            }
        }
    }
    let rehearsal = first(&mut files);
    files.push((FIRST.to_owned(), rehearsal));
    write(folder, files, out)
}

/// Writes a ruleset's files into a new folder, and says how they are played.
///
/// # Errors
///
/// [`Error::Input`] where the folder is there already.
pub fn write(folder: &Path, files: Vec<(String, String)>, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    if folder.exists() {
        return Err(Error::Input(format!("{} is there already.", folder.display())));
    }
    for (path, text) in &files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text)?;
    }
    let name = folder.display();
    writeln!(out, "{} files are in {name}. Change its rules, then type:", files.len())?;
    writeln!(out, "rulekeeper ruleset check {name}\nrulekeeper practice {name}")?;
    Ok(())
}

/// Says what a ruleset brings, and what is wrong with it.
fn check(at: &Path, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let text = text_of(at)?;
    let read = ruleset::read(&text).unwrap_or_default();
    let game = read.game().unwrap_or("nomic");
    let unopened = games::table(game).ok_or_else(|| Error::Input(format!("No game “{game}” is played here.")))?;
    // A game that has an end of its own is not over then.
    let found = check::check(&*unopened, &text, Instant::UNIX_EPOCH).map_err(|why| wrong(at, &why))?;
    for line in &found.brings {
        writeln!(out, "{line}")?;
    }
    if found.wrong.is_empty() {
        writeln!(out, "Nothing is wrong with {}.", at.display())?;
        return Ok(());
    }
    Err(Error::Failed(format!("Look at this again:\n- {}", found.wrong.join("\n- "))))
}

/// A rehearsal, for whoever has written none.
const WRITTEN: &str = "what people type, and below it what must come of it.
at 2026-11-02 10:00
room nomic main by Zed in #game
Ann: join
#game> Ann joins";

/// Plays the rehearsals of a folder. Rooms of a nomic that say nothing of their rules get the folder's.
async fn test(folder: &Path, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let options = Options { ruleset: Some(text_of(folder)?), ..Options::default() };
    let played = folder.join("rehearsals");
    let mut files: Vec<PathBuf> = match fs::read_dir(&played) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?,
        Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(why) => return Err(Error::Input(format!("{} cannot be read: {why}.", played.display()))),
    };
    files.retain(|file| file.extension().is_some_and(|kind| kind == "txt"));
    files.sort();
    let mut unmet = 0;
    for file in &files {
        let script = Script::load(file).map_err(|why| Error::Input(why.to_string()))?;
        let report = play(&script, &options).await;
        match report.is_met() && report.unfit.is_empty() {
            true => writeln!(out, "{} goes as expected.", file.display())?,
            false => {
                unmet += 1;
                let unfit: Vec<&str> = report.unfit.iter().map(String::as_str).collect();
                writeln!(out, "{}\n{}", report.complaints(), unfit.join("\n"))?;
            }
        }
    }
    match (files.len(), unmet) {
        (0, _) => Err(Error::Input(format!(
            "{} has no rehearsals. Write one to {}: {WRITTEN}",
            folder.display(),
            folder.join(FIRST).display()
        ))),
        (_, 0) => Ok(()),
        (all, unmet) => Err(Error::Failed(format!("{unmet} of {all} rehearsals did not go as expected."))),
    }
}

fn wrong(at: &Path, why: &Refusal) -> Error {
    Error::Input(format!("{}: {}.", at.display(), why.say))
}

/// A ruleset as one text: of a folder, of its zip, or of a file that is one.
///
/// # Errors
///
/// [`Error::Input`] with the file that cannot be read.
pub fn text_of(at: &Path) -> Result<String, Error> {
    if !at.is_dir() {
        let bytes = read(at, ATTACHMENT_MAX_BYTES)?;
        return packed::unpacked(&bytes).map_or_else(|| text(at, bytes), |rules| rules.map_err(|why| wrong(at, &why)));
    }
    let mut files: Vec<(String, String)> = Vec::new();
    for (folder, under) in [(at.to_path_buf(), ""), (at.join("rules"), "rules/"), (at.join("i18n"), "i18n/")] {
        // Few games speak other languages.
        if under == "i18n/" && !folder.exists() {
            continue;
        }
        let entries = fs::read_dir(&folder)
            .map_err(|why| Error::Input(format!("{} cannot be read: {why}.", folder.display())))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{under}{name}");
            if ruleset::is_read(&path) {
                if files.len() >= FOLDER_MAX_FILES {
                    return Err(Error::Input(format!("{} has more than {FOLDER_MAX_FILES} files.", at.display())));
                }
                files.push((path, text(&entry.path(), read(&entry.path(), FILE_MAX_BYTES)?)?));
            }
        }
    }
    files.sort();
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    ruleset::of_folder(files).map_err(|why| wrong(at, &why))
}

/// A file's bytes, so many at the most. What only leads to another file is none, since a ruleset holds all that it has.
fn read(path: &Path, most: usize) -> Result<Vec<u8>, Error> {
    let unreadable = |why: &dyn std::fmt::Display| Error::Input(format!("{} cannot be read: {why}.", path.display()));
    let about = fs::symlink_metadata(path).map_err(|why| unreadable(&why))?;
    if !about.is_file() {
        return Err(unreadable(&"it is no file"));
    }
    if about.len() > most as u64 {
        return Err(unreadable(&format!("it has {} bytes, and {most} is the most", about.len())));
    }
    fs::read(path).map_err(|why| unreadable(&why))
}

/// A file's bytes as text.
fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Error> {
    let wrong = |_| Error::Input(format!("{} is no text in UTF-8: save the file as UTF-8.", path.display()));
    String::from_utf8(bytes).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(verb: Verb) -> (Result<(), String>, String) {
        let mut out = Vec::new();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let done = runtime.block_on(Ruleset { verb }.run(&mut out)).map_err(|error| error.to_string());
        (done, String::from_utf8(out).unwrap())
    }

    /// Given a new folder, then it is sound, and what is broken in it is told by its line.
    #[test]
    fn a_new_folder_is_sound_until_a_law_in_it_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("mine");
        let (made, told) = said(Verb::New { folder: folder.clone() });
        assert!(made.is_ok() && told.contains("10 files are in"), "{told}");
        assert!(said(Verb::New { folder: folder.clone() }).0.unwrap_err().contains("is there already"));
        let (sound, told) = said(Verb::Check { at: folder.clone() });
        assert!(sound.is_ok() && told.contains("the command “propose” begins"), "{told}");
        fs::write(folder.join("rules/8-more.md"), "More.\n\n```law\naction(\"x\", [], |a| sya(1));\n```\n").unwrap();
        let (broken, _) = said(Verb::Check { at: folder.clone() });
        assert!(broken.unwrap_err().contains("In the law of More, line 1"), "it is told");
        fs::write(folder.join("rules/8-more.md"), "More.\n\n```law\naction(\"help\", [], |a| 1);\n```\n").unwrap();
        let (taken, _) = said(Verb::Check { at: folder.clone() });
        assert!(taken.unwrap_err().contains("the program has that name"), "it is told");
        fs::write(folder.join("rules/more.md"), "More.").unwrap();
        assert!(said(Verb::Check { at: folder.clone() }).0.unwrap_err().contains("number and title"));
        assert!(said(Verb::Test { folder }).0.unwrap_err().contains("number and title"));
    }

    /// Given a part of another game, then it is tried in a room of that.
    #[test]
    fn a_part_is_tried_in_a_room_of_its_game() {
        for name in ["tax", "bank", "rule-tag"] {
            let (sound, told) =
                said(Verb::Check { at: Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(name) });
            assert!(sound.is_ok() && told.contains("It can be read."), "{name}: {sound:?} {told}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let check = |needs: &str| {
            let law = "define(\"element of player: text\");\nat(\"start of nweek\", || sya(1));";
            fs::write(file.path(), format!("---\nneeds: {needs}\n---\n# 1 A\n```law\n{law}\n```\n")).unwrap();
            said(Verb::Check { at: file.path().to_owned() }).0.unwrap_err()
        };
        assert!(check("bnomic").contains("“say” comes nearest"), "{}", check("bnomic"));
        assert!(check("chess").contains("No game “chess” is played here"), "{}", check("chess"));
    }

    /// Given answers, then the rules read so; without a number nothing is written.
    #[test]
    fn a_new_game_goes_by_what_is_answered() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, mut out) = (dir.path().join("mine"), Vec::new());
        new(&folder, Some(&mut "Tea Club\n\n5\n\n\n90\n".as_bytes()), &mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("How many days does a vote last? (2)"));
        let text = text_of(&folder).unwrap();
        let (played, told) = said(Verb::Test { folder: folder.clone() });
        assert!(played.is_ok() && told.contains("first.txt goes as expected"), "{played:?} {told}");
        let told = ["title: Tea Club", "[2](#open-proposals)", "[5](#vote-days)", "[90](#season-days)"];
        assert!(told.iter().all(|part| text.contains(part)), "{text}");
        assert!(said(Verb::Check { at: folder }).0.is_ok());
        for (name, answers) in
            [("least", "\n1\n1\n1\n1\n1\n"), ("many", "\n5\n200\n40\n9\n7\n"), ("given", "\n\n\n\n\n\n")]
        {
            let folder = dir.path().join(name);
            new(&folder, Some(&mut answers.as_bytes()), &mut Vec::new()).unwrap();
            let (played, told) = said(Verb::Test { folder: folder.clone() });
            assert!(played.is_ok(), "{name}: {played:?} {told}");
            fs::remove_dir_all(folder.join("rehearsals")).unwrap();
            let why = said(Verb::Test { folder }).0.unwrap_err();
            assert!(why.contains("has no rehearsals. Write one to"), "{why}");
        }
        let folder = dir.path().join("none");
        let why = new(&folder, Some(&mut "\nmany\n".as_bytes()), &mut Vec::new()).unwrap_err();
        assert!(why.to_string().contains("“many” is no whole number") && !folder.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_leads_elsewhere_is_none() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("rules")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", dir.path().join("rules/1-a.md")).unwrap();
        assert!(text_of(dir.path()).unwrap_err().to_string().contains("it is no file"));
    }
}
