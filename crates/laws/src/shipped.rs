//! The rulesets that come with the program: folders of `rulesets/`.

use include_dir::{Dir, include_dir};
use kernel::Refusal;

use super::ruleset::{is_read, of_folder};

/// All of them, a folder each.
static ALL: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../rulesets");

/// What they are called.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = ALL.dirs().filter_map(|folder| folder.path().to_str()).collect();
    names.sort_unstable();
    names
}

/// The files of a ruleset that are its game, each with its path in the folder.
pub fn files(name: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let folder =
        ALL.dirs().find(|folder| folder.path().to_str().is_some_and(|known| known.eq_ignore_ascii_case(name)))?;
    let rules = folder.dirs().flat_map(Dir::files);
    let all = folder.files().chain(rules).filter_map(|file| {
        let path = file.path().strip_prefix(folder.path()).ok()?.to_str()?;
        Some((path, file.contents_utf8()?))
    });
    Some(all.filter(|(path, _)| is_read(path)).collect())
}

/// A ruleset as one text.
///
/// # Errors
///
/// A [`Refusal`] where none is called so.
pub fn text(name: &str) -> Result<String, Refusal> {
    let Some(files) = files(name) else {
        let why = format!("no ruleset is called “{name}”; there is {}", names().join(", "));
        return Err(Refusal::new(why).instead("room open nomic NAME ruleset:club"));
    };
    of_folder(files)
}
