//! The rulesets that come with the program: folders of `rulesets/`.

use kernel::Refusal;

use super::ruleset::of_folder;

/// The files of a folder, each with its path in it.
pub type Folder = &'static [(&'static str, &'static str)];

macro_rules! folder {
    ($name:literal: $($path:literal),* $(,)?) => {
        ($name, &[$(($path, include_str!(concat!("../../../rulesets/", $name, "/", $path)))),*] as Folder)
    };
}

/// All of them, by name.
pub const ALL: &[(&str, Folder)] = &[
    folder!("club":
        "ruleset.toml",
        "rules/1-members.md",
        "rules/2-proposals.md",
        "rules/3-votes.md",
        "rules/4-points.md",
        "rules/5-the-chair.md",
        "rules/6-seasons.md",
        "rules/7-rules-about-rules.md",
    ),
    folder!("suber":
        "ruleset.toml",
        "rules/101-obedience.md",
        "rules/102-two-sorts.md",
        "rules/103-rule-changes.md",
        "rules/104-votes-decide.md",
        "rules/105-voters.md",
        "rules/106-in-writing.md",
        "rules/107-no-haste.md",
        "rules/108-ordinals.md",
        "rules/109-unanimous-transmutation.md",
        "rules/110-which-prevails.md",
        "rules/111-debate.md",
        "rules/112-what-winning-is.md",
        "rules/113-forfeit.md",
        "rules/114-always-one.md",
        "rules/115-self-reference.md",
        "rules/116-what-is-open.md",
        "rules/201-turns.md",
        "rules/202-a-turn.md",
        "rules/203-how-many.md",
        "rules/204-the-minority.md",
        "rules/205-when-it-holds.md",
        "rules/206-the-price-of-defeat.md",
        "rules/207-one-vote.md",
        "rules/208-the-winner.md",
        "rules/209-not-too-many.md",
        "rules/210-no-plots.md",
        "rules/211-precedence.md",
        "rules/212-judgment.md",
        "rules/213-when-play-cannot-go-on.md",
    ),
];

/// The files of a ruleset.
pub fn files(name: &str) -> Option<Folder> {
    ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, files)| *files)
}

/// A ruleset as one text.
///
/// # Errors
///
/// A [`Refusal`] where none is called so.
pub fn text(name: &str) -> Result<String, Refusal> {
    let Some(files) = files(name) else {
        let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        return Err(Refusal::new(format!("no ruleset is called “{name}”; there is {}", names.join(", ")))
            .instead("room open nomic NAME ruleset:club"));
    };
    of_folder(files.iter().copied())
}
