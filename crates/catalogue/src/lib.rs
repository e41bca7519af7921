//! The catalogue: every command that a person can type, from which come the text grammar, the help, the list in
//! `docs/commands/` and Discord's registration.
//!
//! The definitions lie in `commands/*.toml` and are part of the binary. They hold words and shapes only. Whether a
//! player may act, and what an action does, is for `decide`. An adapter hands in text or named arguments and gets a
//! [`Typed`] back; the room's owner makes an [`Invocation`] of it.
//!
//! ```text
//! text ── grammar::parse ──> Typed ── bind::bind (asks a Lookup) ──> Invocation ── serde ──> the game's Action
//! ```

pub mod bind;
mod completion;
mod error;
pub mod grammar;
pub mod help;
pub mod hint;
pub mod i18n;
mod kind;
mod lookup;
pub mod markdown;
mod merged;
mod own;
mod spec;
mod typed;

#[cfg(test)]
mod checks;

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

pub use bind::{Invocation, bind};
pub use completion::{Sought, complete};
pub use error::{GrammarError, Problem};
pub use grammar::{Spoken, closes, ends_text, parse, parse_among, reason_behind};
pub use help::Viewer;
pub use kernel::clean::{is_invisible, prose};
pub use kind::{WORD_MAX_CHARS, coming_after, duration, instant};
pub use lookup::{Lookup, NoRoom};
pub use spec::{BECAUSE, Command, FIRST_COUNT, First, Group, Kind, Param, ROOM_DISPLAY, ROOM_KEY, RoomUse, See};
pub use typed::{Link, MESSAGE_MAX_ACTIONS, Times, Typed};

use kernel::{clean, names};
use spec::GroupFile;

/// The files of the catalogue, in the order in which help shows them.
const FILES: &[(&str, &str)] = &[
    ("common", include_str!("../../../commands/common.toml")),
    ("nomics", include_str!("../../../commands/nomics.toml")),
    ("votes", include_str!("../../../commands/votes.toml")),
    ("blognomic", include_str!("../../../commands/blognomic.toml")),
    ("blognomic-office", include_str!("../../../commands/blognomic-office.toml")),
    ("bnomic", include_str!("../../../commands/bnomic.toml")),
    ("bnomic-acts", include_str!("../../../commands/bnomic-acts.toml")),
    ("bnomic-law", include_str!("../../../commands/bnomic-law.toml")),
    ("spacenomic", include_str!("../../../commands/spacenomic.toml")),
    ("nomic", include_str!("../../../commands/nomic.toml")),
    ("joust", include_str!("../../../commands/joust.toml")),
    ("moderator", include_str!("../../../commands/moderator.toml")),
];

static ALL: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::read(FILES).expect("a test reads the embedded catalogue"));

/// What a room of each game offers: made once, since every look at a line asks for it.
static OF_GAMES: LazyLock<BTreeMap<&str, Catalogue>> =
    LazyLock::new(|| ALL.games().into_iter().map(|game| (game, ALL.for_games(&[game]))).collect());

/// What a room of a game offers that has no commands of its own.
static OF_NO_GAME: LazyLock<Catalogue> = LazyLock::new(|| ALL.for_games(&[]));

/// A set of commands that can be looked up by what somebody types.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    groups: Vec<Arc<Group>>,
    commands: Vec<Arc<Command>>,
    by_name: BTreeMap<String, Vec<Arc<Command>>>,
    heads: BTreeMap<String, String>,
    /// Whether comments have no effect.
    comments: bool,
    /// The displays that each file names, by its id: two games may call different things the same.
    displays: BTreeMap<String, BTreeMap<String, String>>,
}

/// Why a file of definitions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// It is no TOML of this shape.
    #[error("commands/{file}.toml: {source}")]
    Shape {
        /// Its name without its ending.
        file: String,
        /// What is wrong with it.
        source: Box<toml::de::Error>,
    },
    /// A name or alias stands for two commands.
    #[error("commands/{file}.toml: “{name}” is taken")]
    Taken {
        /// Its name without its ending.
        file: String,
        /// The name.
        name: String,
    },
    /// A page that is to begin with some lines has more or fewer.
    #[error("commands/{file}.toml: {count} lines stand under [[first]], and not {FIRST_COUNT}")]
    FirstCount {
        /// Its name without its ending.
        file: String,
        /// How many there are.
        count: usize,
    },
    /// A line that matters first is no command.
    #[error("commands/{file}.toml: “{line}” stands under [[first]] and begins with no command")]
    First {
        /// Its name without its ending.
        file: String,
        /// The line.
        line: String,
    },
}

impl Catalogue {
    /// The games that any command is for, by name.
    pub fn games(&self) -> Vec<&str> {
        let all = self.groups.iter().flat_map(|group| group.games.iter().map(String::as_str));
        all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    /// Every command of this program.
    pub fn all() -> &'static Self {
        &ALL
    }

    /// What a room of a game offers: its commands and those of every room.
    pub fn of_game(game: &str) -> &'static Self {
        OF_GAMES.get(game).unwrap_or(&OF_NO_GAME)
    }

    /// Reads definitions, each file with its name.
    ///
    /// # Errors
    /// When one is not of the right shape, gives a name twice, or says wrongly what matters first.
    pub fn read(files: &[(&str, &str)]) -> Result<Self, CatalogueError> {
        let mut read = Self::default();
        for (id, text) in files {
            let file: GroupFile = toml::from_str(text)
                .map_err(|source| CatalogueError::Shape { file: (*id).to_owned(), source: Box::new(source) })?;
            let (title, help, games) = (file.title, file.help, file.games);
            read.comments |= file.comments;
            let (comments, minute, join, first) = (file.comments, file.minute, file.join, file.first);
            let group = Arc::new(Group { id: (*id).to_owned(), title, help, games, comments, minute, join, first });
            read.groups.push(group.clone());
            for command in file.commands {
                let taken = read.insert(Arc::new(Command::new(command, group.clone())));
                taken.map_err(|name| CatalogueError::Taken { file: (*id).to_owned(), name })?;
            }
            read.heads.extend(file.heads);
            read.displays.insert((*id).to_owned(), file.displays);
        }
        read.check_first()?;
        Ok(read)
    }

    /// That every page begins with as many lines as each has, and that each of them begins with a command there.
    fn check_first(&self) -> Result<(), CatalogueError> {
        for group in &self.groups {
            let wanted = if group.is_page() { FIRST_COUNT } else { 0 };
            if group.first.len() != wanted {
                return Err(CatalogueError::FirstCount { file: group.id.clone(), count: group.first.len() });
            }
            let place = self.for_games(&group.games.iter().map(String::as_str).collect::<Vec<_>>());
            let is_command = |line: &str| {
                let words: Vec<&str> = line.split(' ').collect();
                words.iter().enumerate().any(|(at, _)| place.get(&words[..=at].join(" ")).is_some())
            };
            if let Some(First { line, .. }) = group.first.iter().find(|first| !is_command(&first.line)) {
                return Err(CatalogueError::First { file: group.id.clone(), line: line.clone() });
            }
        }
        Ok(())
    }

    fn insert(&mut self, command: Arc<Command>) -> Result<(), String> {
        // What one game calls so, another may call otherwise.
        let of_both = |other: &Arc<Command>| {
            let (ours, theirs) = (command.games(), other.games());
            ours.is_empty() || theirs.is_empty() || ours.iter().any(|game| theirs.contains(game))
        };
        for name in command.names() {
            let named = self.by_name.entry(name.clone()).or_default();
            if named.iter().any(of_both) {
                return Err(name.clone());
            }
            named.push(command.clone());
        }
        self.commands.push(command);
        Ok(())
    }

    /// Adds a command under its names, whoever else has them.
    fn add(&mut self, command: Command) {
        let command = Arc::new(command);
        command.names().for_each(|name| self.by_name.entry(name.clone()).or_default().push(command.clone()));
        self.commands.push(command);
    }

    /// Puts a command in the place of another of its name.
    fn put(&mut self, place: usize, command: Command) {
        let command = Arc::new(command);
        let before = std::mem::replace(&mut self.commands[place], command.clone());
        for named in self.by_name.values_mut() {
            named.iter_mut().filter(|one| Arc::ptr_eq(one, &before)).for_each(|one| *one = command.clone());
        }
    }

    /// What a server that hosts these games offers: their commands and those of every room.
    #[must_use]
    pub fn for_games(&self, games: &[&str]) -> Self {
        let hosts = |group: &Group| group.games.is_empty() || games.iter().any(|game| group.is_of(game));
        let hosted = |command: &Command| hosts(&command.group);
        // Where one game only is played, its own words are those that hold.
        let spoken = |command: &Arc<Command>| match games {
            [only] if command.words.contains_key(*only) => Arc::new(command.in_words_of(only)),
            _ => command.clone(),
        };
        let commands: Vec<_> = self.commands.iter().filter(|command| hosted(command)).map(spoken).collect();
        let mut by_name: BTreeMap<String, Vec<Arc<Command>>> = BTreeMap::new();
        for command in &commands {
            command.names().for_each(|name| by_name.entry(name.clone()).or_default().push(command.clone()));
        }
        let groups = self.groups.iter().filter(|group| hosts(group));
        let heads = self.heads.iter().filter(|(head, _)| commands.iter().any(|command| command.head() == Some(head)));
        Self {
            comments: self.groups.iter().any(|group| hosts(group) && group.comments),
            groups: groups.cloned().collect(),
            by_name,
            heads: heads.map(|(head, help)| (head.clone(), help.clone())).collect(),
            displays: self
                .groups
                .iter()
                .filter(|group| hosts(group))
                .filter_map(|group| Some((group.id.clone(), self.displays.get(&group.id)?.clone())))
                .collect(),
            commands,
        }
    }

    /// The files, in the order in which help shows them.
    pub fn groups(&self) -> &[Arc<Group>] {
        &self.groups
    }

    /// The file about a game.
    pub fn group_of(&self, game: &str) -> Option<&Arc<Group>> {
        self.groups.iter().find(|group| group.id == game)
    }

    /// What matters first: in a room of one game what its file says, else what matters everywhere.
    pub fn first(&self) -> &[First] {
        let mut of_games = self.groups.iter().filter(|group| group.is_page() && !group.games.is_empty());
        let everywhere = || self.groups.iter().find(|group| group.is_page() && group.games.is_empty());
        let group = match (of_games.next(), of_games.next()) {
            (Some(only), None) => Some(only),
            _ => everywhere(),
        };
        group.map_or(&[], |group| &group.first)
    }

    /// What a game is called in a heading; its word where no file is about it.
    pub fn title_of<'g>(&'g self, game: &'g str) -> &'g str {
        self.group_of(game).map_or(game, |group| &group.title)
    }

    /// Whether comments are as if they were not there.
    pub(crate) fn knows_comments(&self) -> bool {
        self.comments
    }

    /// Every command, in the order of the files.
    pub fn commands(&self) -> &[Arc<Command>] {
        &self.commands
    }

    /// The command of that name or alias, in lower case.
    pub fn get(&self, name: &str) -> Option<&Arc<Command>> {
        match self.named(name) {
            [only] => Some(only),
            several => several.iter().find(|command| command.name == name),
        }
    }

    /// All commands of that name or alias: several only where several games are in reach.
    pub(crate) fn named(&self, name: &str) -> &[Arc<Command>] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The first words of names of two words, each with a line about it: `joust`, `room`.
    pub fn heads(&self) -> &BTreeMap<String, String> {
        &self.heads
    }

    /// The commands whose names begin with such a word.
    pub fn under<'c>(&'c self, head: &'c str) -> impl Iterator<Item = &'c Arc<Command>> {
        self.commands.iter().filter(move |command| command.head() == Some(head))
    }

    /// The displays that the definitions name, each with a line about it.
    pub fn displays(&self) -> BTreeMap<&str, &str> {
        self.displays.values().flatten().map(|(id, help)| (id.as_str(), help.as_str())).collect()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}
