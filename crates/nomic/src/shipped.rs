//! The rulesets that come with the program: folders of `rulesets/`.

use kernel::Refusal;

use super::ruleset::of_folder;

/// The files of a folder, each with its path in it.
type Folder = &'static [(&'static str, &'static str)];

macro_rules! folder {
    ($name:literal: $($path:literal),* $(,)?) => {
        ($name, &[$(($path, include_str!(concat!("../../../rulesets/", $name, "/", $path)))),*] as Folder)
    };
}

/// All of them, by name.
pub const ALL: &[(&str, Folder)] = &[folder!("club":
    "ruleset.toml",
    "rules/1-members.md",
    "rules/2-proposals.md",
    "rules/3-votes.md",
    "rules/4-points.md",
    "rules/5-the-chair.md",
    "rules/6-seasons.md",
    "rules/7-rules-about-rules.md",
)];

/// A ruleset as one text.
///
/// # Errors
///
/// A [`Refusal`] where none is called so.
pub fn text(name: &str) -> Result<String, Refusal> {
    let Some((_, files)) = ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
        let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        return Err(Refusal::new(format!("no ruleset is called “{name}”; there is {}", names.join(", ")))
            .instead("room open nomic NAME ruleset:club"));
    };
    of_folder(files.iter().copied())
}
