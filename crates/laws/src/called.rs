//! What players type for the acts of the game, as the definitions of commands have it: laws call acts so.
//!
//! Commands are data, read here for their names and those of what they take. How that is read is the catalogue's.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use serde::Deserialize;

/// The definitions, those of a game's own before those of every game.
const FILES: [&str; 10] = [
    include_str!("../../../commands/blognomic.toml"),
    include_str!("../../../commands/blognomic-office.toml"),
    include_str!("../../../commands/bnomic.toml"),
    include_str!("../../../commands/bnomic-acts.toml"),
    include_str!("../../../commands/bnomic-law.toml"),
    include_str!("../../../commands/spacenomic.toml"),
    include_str!("../../../commands/joust.toml"),
    include_str!("../../../commands/nomics.toml"),
    include_str!("../../../commands/votes.toml"),
    include_str!("../../../commands/common.toml"),
];

/// The commands of some games.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    games: Vec<String>,
    #[serde(default, rename = "command")]
    commands: Vec<Command>,
}

#[derive(Deserialize)]
struct Command {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    action: String,
    #[serde(default, rename = "param")]
    params: Vec<Param>,
    #[serde(default)]
    words: BTreeMap<String, Words>,
}

/// What a game calls it otherwise.
#[derive(Deserialize)]
struct Words {
    #[serde(default, rename = "param")]
    params: Vec<Param>,
}

#[derive(Deserialize)]
struct Param {
    name: String,
}

static ALL: LazyLock<Vec<File>> = LazyLock::new(|| {
    let read = FILES.iter().map(|text| toml::from_str(text));
    read.collect::<Result<_, _>>().expect("the catalogue reads the same definitions")
});

/// Names by act, the first of which is the act's: by game.
static NAMES: LazyLock<BTreeMap<String, BTreeMap<String, Vec<String>>>> = LazyLock::new(|| {
    let games: BTreeSet<&String> = ALL.iter().flat_map(|file| &file.games).collect();
    let names = |game: &String| {
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let files = ALL.iter().filter(|file| file.games.is_empty() || file.games.contains(game));
        for command in files.flat_map(|file| &file.commands) {
            let of_act = names.entry(command.action.clone()).or_default();
            of_act.extend(std::iter::once(&command.name).chain(&command.aliases).cloned());
        }
        names
    };
    games.into_iter().map(|game| (game.clone(), names(game))).collect()
});

/// What players type for an act of a game; nothing where nobody types it.
pub(crate) fn names(game: &str, act: &str) -> &'static [String] {
    NAMES.get(game).and_then(|acts| acts.get(act)).map_or(&[], Vec::as_slice)
}

/// What an act of a game is given, by the names that laws have for it: `as_of`.
pub(crate) fn params(game: &str, act: &str) -> BTreeSet<String> {
    let files = ALL.iter().filter(|file| file.games.is_empty() || file.games.iter().any(|of| of == game));
    let commands = files.flat_map(|file| &file.commands).filter(|command| command.action == act);
    let params = commands.flat_map(|command| {
        let own = command.words.get(game).into_iter().flat_map(|words| &words.params);
        command.params.iter().chain(own)
    });
    params.map(|param| param.name.replace('-', "_")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_act_is_called_as_it_is_typed() {
        assert_eq!(super::names("blognomic", "undo"), ["gndt undo"]);
        assert!(super::names("bnomic", "schedule").contains(&"at".to_owned()));
        assert!(super::names("toy", "give").is_empty());
    }
}
