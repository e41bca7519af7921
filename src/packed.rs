//! A folder of rules as a zip: read in memory, and never written to a disk.
//!
//! It comes from anybody. Each bound holds while it is unpacked, and what a path could do elsewhere is refused.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use kernel::Refusal;
use laws::ruleset::{FILE_MAX_BYTES, FOLDER_MAX_FILES, MANIFEST, RULESET_MAX_BYTES, is_read, of_folder};

/// Most files and folders of a zip, with those that are passed over.
pub const ZIP_MAX_ENTRIES: usize = 2000;
/// Most folders that a file of a zip lies in.
pub const ZIP_MAX_LEVELS: usize = 8;
/// Longest path of a file in a zip, in bytes.
pub const PATH_MAX_BYTES: usize = 250;

/// What every zip with a file begins with.
const BEGINS: &[u8] = b"PK\x03\x04";

/// The ruleset of a zip as one text; nothing where the bytes are no zip.
pub fn unpacked(bytes: &[u8]) -> Option<Result<String, Refusal>> {
    bytes.starts_with(BEGINS).then(|| read(bytes))
}

fn read(bytes: &[u8]) -> Result<String, Refusal> {
    let broken = |_| Refusal::new("the zip cannot be read; make it anew");
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    if zip.len() > ZIP_MAX_ENTRIES {
        return Err(Refusal::new(format!("the zip has {} files, and {ZIP_MAX_ENTRIES} is the most", zip.len())));
    }
    let mut paths = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(broken)?;
        let path = entry.name().map_err(broken)?.replace('\\', "/");
        fits(&path)?;
        let wrong = |why: &str| Err(Refusal::new(format!("{path}: {why}")));
        if entry.is_symlink() {
            return wrong("it only leads to another file, and a zip of rules holds all that it has");
        }
        if entry.encrypted() {
            return wrong("it is locked with a password; make the zip without one");
        }
        paths.push(path);
    }
    let root = root(&paths)?.to_owned();
    let (mut files, mut left) = (Vec::new(), RULESET_MAX_BYTES);
    for (index, path) in paths.iter().enumerate() {
        let Some(path) = path.strip_prefix(&root).filter(|path| is_read(path)) else { continue };
        let wrong = |why: String| Refusal::new(format!("{path}: {why}"));
        if files.len() == FOLDER_MAX_FILES {
            return Err(Refusal::new(format!("the zip has more than {FOLDER_MAX_FILES} files of rules")));
        }
        let most = FILE_MAX_BYTES.min(left);
        let mut unpacked = Vec::new();
        // One byte more than is taken tells a file that is too large; the rest of it is never unpacked.
        let file = zip.by_index(index).map_err(broken)?;
        let read = file.take(most as u64 + 1).read_to_end(&mut unpacked);
        read.map_err(|_| wrong("it cannot be unpacked; make the zip anew".to_owned()))?;
        if unpacked.len() > most {
            return Err(match most == FILE_MAX_BYTES {
                true => wrong(format!("unpacked it has more than {FILE_MAX_BYTES} bytes, which is the most")),
                false => Refusal::new(format!(
                    "unpacked the rules have more than {RULESET_MAX_BYTES} bytes, which is the most"
                )),
            });
        }
        left -= unpacked.len();
        let text = String::from_utf8(unpacked);
        let text = text.map_err(|_| wrong("it is no text in UTF-8; save the file as UTF-8".to_owned()))?;
        files.push((path, text));
    }
    of_folder(files.iter().map(|(path, text)| (*path, text.as_str())))
}

/// Refuses a path that leads elsewhere, or that nobody means.
fn fits(path: &str) -> Result<(), Refusal> {
    if path.len() > PATH_MAX_BYTES {
        return Err(Refusal::new(format!("a path in the zip has more than {PATH_MAX_BYTES} bytes, which is the most")));
    }
    let parts = || path.trim_end_matches('/').split('/');
    if path.contains(|c: char| c == ':' || c.is_control()) || parts().any(|part| matches!(part, "" | "." | "..")) {
        return Err(Refusal::new("a path in the zip leads out of its folder; make the zip of the folder itself"));
    }
    if parts().count() > ZIP_MAX_LEVELS + 1 {
        let why = format!("{path}: it lies in more than {ZIP_MAX_LEVELS} folders, which is the most");
        return Err(Refusal::new(why));
    }
    Ok(())
}

/// The folder in a zip that holds the ruleset: where its manifest lies highest. Nothing else says where that is.
fn root(paths: &[String]) -> Result<&str, Refusal> {
    let roots = paths.iter().filter_map(|path| path.strip_suffix(MANIFEST));
    let mut roots: Vec<&str> = roots.filter(|root| root.is_empty() || root.ends_with('/')).collect();
    roots.sort_by_key(|root| root.matches('/').count());
    let depth = |root: &str| root.matches('/').count();
    match roots[..] {
        [first, second, ..] if depth(first) == depth(second) => {
            Err(Refusal::new(format!("the zip holds more than one game: {first} and {second}")))
        }
        [first, ..] => Ok(first),
        [] => Ok(""),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;
    use laws::{ruleset, shipped};

    const TOML: (&str, &[u8]) = ("ruleset.toml", b"title = \"Mine\"\nversion = \"1\"\nsummary = \"A game.\"\n");

    /// A zip of files.
    fn packed<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in files {
            zip.start_file(path, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn refused(zip: &[u8]) -> String {
        unpacked(zip).expect("it is a zip").unwrap_err().say
    }

    /// A game is the same as a folder, as its zip, and as the zip of a folder around it, whatever else lies beside.
    #[test]
    fn a_zip_reads_as_its_folder() {
        let club = shipped::files("club").unwrap();
        let within = |folder: &str| -> Vec<u8> {
            let paths: Vec<String> = club.iter().map(|(path, _)| format!("{folder}{path}")).collect();
            let files = paths.iter().zip(&club).map(|(path, (_, text))| (path.as_str(), text.as_bytes()));
            let aside: [(&str, &[u8]); 3] =
                [("__MACOSX/x/._ruleset.toml", b"\0"), ("x/README.md", b"\xff"), ("x/rehearsals/a/ruleset.toml", b"")];
            packed(files.chain(aside))
        };
        for folder in ["", "x/"] {
            assert_eq!(unpacked(&within(folder)).unwrap().unwrap(), shipped::text("club").unwrap(), "{folder}");
        }
        assert_eq!(unpacked(b"# 1 A\nPK\x03\x04"), None);
    }

    /// What is wrong with a zip is one sentence.
    #[test]
    fn a_zip_that_is_none_of_a_game_is_refused() {
        let many: Vec<String> = (1..=10_000).map(|number| format!("rules/{number}-a.md")).collect();
        let rules = |count: usize| many.iter().take(count).map(|path| (path.as_str(), b"x".as_slice())).chain([TOML]);
        let (large, latin) = (vec![b'x'; 1 << 20], b"na\xefve".as_slice());
        let half = vec![b'x'; FILE_MAX_BYTES];
        let deep = format!("{}a", "a/".repeat(ZIP_MAX_LEVELS + 1));
        for (zip, why) in [
            (packed([("a.txt", b"x".as_slice())]), "there is no ruleset.toml in it"),
            (packed([("a/ruleset.toml", TOML.1), ("b/ruleset.toml", TOML.1)]), "more than one game: a/ and b/"),
            (packed([TOML, ("rules/1-a.md", &large)]), "rules/1-a.md: unpacked it has more than 262144 bytes"),
            (packed([TOML, ("rules/1-a.md", &half), ("rules/2-b.md", &half)]), "rules have more than 524288 bytes"),
            (packed([TOML, ("rules/1-a.md", latin)]), "rules/1-a.md: it is no text in UTF-8; save the file as UTF-8"),
            (packed(rules(10_000)), "the zip has 10001 files, and 2000 is the most"),
            (packed(rules(600)), "the zip has more than 510 files of rules"),
            (packed([TOML, ("../rules/1-a.md", b"x")]), "leads out of its folder"),
            (packed([TOML, ("/rules/1-a.md", b"x")]), "leads out of its folder"),
            (packed([TOML, ("rules\\..\\..\\1-a.md", b"x")]), "leads out of its folder"),
            (packed([TOML, ("c:/1-a.md", b"x")]), "leads out of its folder"),
            (packed([TOML, (&deep, b"x")]), "more than 8 folders"),
            (packed([TOML, (&"a".repeat(300), b"x")]), "more than 250 bytes"),
            (packed([TOML])[..60].to_vec(), "the zip cannot be read"),
        ] {
            let told = refused(&zip);
            assert!(told.contains(why), "{why}: {told}");
        }
    }

    /// A file that is larger than its zip says is not believed, and one that leads elsewhere or is locked is no text.
    #[test]
    fn what_a_zip_says_of_itself_is_not_believed() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.add_symlink("rules/1-a.md", "/etc/hostname", SimpleFileOptions::default()).unwrap();
        assert!(refused(&zip.finish().unwrap().into_inner()).contains("only leads to another file"));

        let sound = packed([TOML, ("rules/1-a.md", &vec![b'x'; FILE_MAX_BYTES + 1])]);
        // Where the sizes stand in the local header and in the directory.
        let size = u32::try_from(FILE_MAX_BYTES + 1).unwrap().to_le_bytes();
        let mut lies = sound.clone();
        for at in 0..lies.len() - size.len() {
            if lies[at..].starts_with(&size) {
                lies[at..at + size.len()].copy_from_slice(&3u32.to_le_bytes());
            }
        }
        assert!(lies != sound && refused(&lies).contains("rules/1-a.md: "), "{}", refused(&lies));

        let mut locked = packed([TOML]);
        let entry = locked.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        locked[entry + 8] |= 1;
        assert!(refused(&locked).contains("locked with a password"), "{}", refused(&locked));
        let text = ruleset::read(&unpacked(&packed([TOML, ("rules/1-a.md", b"x")])).unwrap().unwrap()).unwrap();
        assert_eq!(text.rules.len(), 1);
    }
}
