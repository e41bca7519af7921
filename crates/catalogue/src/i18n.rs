//! Names and descriptions of commands in other languages, for networks that show each reader those of their own.
//!
//! Texts of games stay English, and so do their commands' names. Lines are typed in English everywhere. Commands of laws
//! go by their English words, by what their room's ruleset says of those: once players amend them, they stay English.

use std::{collections::BTreeMap, sync::LazyLock};

use super::Command;
use serde::Deserialize;

/// A language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// What the network calls it: `de`, `pt-BR`.
    #[serde(skip)]
    pub code: &'static str,
    names: BTreeMap<String, String>,
    heads: BTreeMap<String, String>,
    help: BTreeMap<String, String>,
    /// Names and words of commands of laws, by the English ones.
    #[serde(skip)]
    laws: BTreeMap<String, String>,
}

/// The files, by what the network calls each language.
const FILES: &[(&str, &str)] = &[
    ("de", include_str!("../../../commands/i18n/de.toml")),
    ("es-ES", include_str!("../../../commands/i18n/es-ES.toml")),
    ("fr", include_str!("../../../commands/i18n/fr.toml")),
    ("ja", include_str!("../../../commands/i18n/ja.toml")),
    ("pt-BR", include_str!("../../../commands/i18n/pt-BR.toml")),
];

/// The files of laws of games, with tables as those have.
const LAWS: &[(&str, &str)] = &[
    ("de", include_str!("../../blognomic/i18n/de.toml")),
    ("es-ES", include_str!("../../blognomic/i18n/es-ES.toml")),
    ("fr", include_str!("../../blognomic/i18n/fr.toml")),
    ("ja", include_str!("../../blognomic/i18n/ja.toml")),
    ("pt-BR", include_str!("../../blognomic/i18n/pt-BR.toml")),
];

static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let read = |(code, text): &(&'static str, &str)| {
        let read: Language = toml::from_str(text).expect("a test reads the embedded languages");
        let of_laws = LAWS.iter().filter(|(of, _)| of == code).flat_map(|(_, text)| {
            let tables: BTreeMap<String, BTreeMap<String, String>> =
                toml::from_str(text).expect("a test reads the embedded languages");
            tables.into_values().flatten()
        });
        Language { code, laws: of_laws.collect(), ..read }
    };
    FILES.iter().map(read).collect()
});

impl Language {
    /// All of them.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// What a command of one word is called.
    pub fn name<'a>(&'a self, command: &'a Command) -> Option<&'a str> {
        let of_room = || command.languages.get(self.code)?.names.get(&command.name);
        let said = self.names.get(&command.name).or_else(of_room).or_else(|| self.laws.get(&command.name));
        said.map(String::as_str)
    }

    /// What the commands under a first word are about.
    pub fn head(&self, head: &str) -> Option<&str> {
        self.heads.get(head).map(String::as_str)
    }

    /// What a command does. A law may fill a shape of the program's, and says in its own words what it does.
    pub fn help<'a>(&'a self, command: &'a Command) -> Option<&'a str> {
        let of_room = || command.languages.get(self.code)?.help.get(&command.help);
        let said = match command.own {
            true => of_room().or_else(|| self.laws.get(&command.help)),
            false => self.help.get(&command.name),
        };
        said.map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Catalogue;

    /// The files whose commands every room of every game has.
    const EVERYWHERE: [&str; 3] = ["common", "nomics", "votes"];

    #[test]
    fn every_language_has_every_command_and_nothing_else() {
        let all = Catalogue::all();
        let commands: BTreeSet<&str> = all.commands().iter().map(|command| command.name.as_str()).collect();
        let heads: BTreeSet<&str> = all.heads().keys().map(String::as_str).collect();
        let of_all = |command: &&std::sync::Arc<crate::Command>| {
            EVERYWHERE.contains(&command.group.id.as_str()) && !command.name.contains(' ')
        };
        let named: BTreeSet<&str> = all.commands().iter().filter(of_all).map(|command| command.name.as_str()).collect();
        fn keys(map: &BTreeMap<String, String>) -> BTreeSet<&str> {
            map.keys().map(String::as_str).collect()
        }
        let codes: Vec<&str> = Language::all().iter().map(|language| language.code).collect();
        assert_eq!(codes, kernel::own_command::LANGUAGES, "rulesets may have the same");
        for Language { code, names, heads: told, help, .. } in Language::all() {
            assert_eq!(keys(help), commands, "{code}");
            assert_eq!(keys(told), heads, "{code}");
            assert_eq!(keys(names), named, "{code}");
        }
    }

    #[test]
    fn what_they_say_keeps_to_discords_limits() {
        for Language { code, names, heads, help, laws } in Language::all() {
            for text in heads.values().chain(help.values()).chain(laws.values()) {
                assert!((1..=100).contains(&text.chars().count()), "{code}: {text}");
            }
            let is_name = |name: &str| {
                (1..=32).contains(&name.chars().count())
                    && name.chars().all(|char| matches!(char, '-' | '_' | 'ー') || char.is_alphanumeric())
                    && name.to_lowercase() == name
            };
            let of_laws = laws.iter().filter(|(english, _)| is_name(english));
            let names: Vec<_> = names.iter().chain(of_laws).collect();
            let distinct: BTreeSet<&String> = names.iter().map(|(_, name)| *name).collect();
            assert_eq!(distinct.len(), names.len(), "{code}: two commands have one name");
            for (command, name) in names {
                assert!(is_name(name), "{code}: {name}");
                let other = Catalogue::all().get(name).filter(|other| other.name == *name && name != command);
                assert!(other.is_none(), "{code}: {name} is another command");
            }
        }
    }
}
