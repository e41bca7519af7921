//! Commands that a room has by its own rules, as data: the catalogue makes of them what can be typed.
//!
//! They come and go with the rules that declare them. What they do is an act of the mechanic that gave them.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The languages in which commands are shown, by what networks call them.
pub const LANGUAGES: [&str; 5] = ["de", "es-ES", "fr", "ja", "pt-BR"];

/// What commands are called in another language, and what they do, by the English words.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// Names of one word.
    pub names: BTreeMap<String, String>,
    /// What they do.
    pub help: BTreeMap<String, String>,
}

/// The same by the language.
pub type Languages = BTreeMap<String, Words>;

/// Whether the program has a command of a name in rooms of a game, so that no other can be typed by it.
type IsTaken = fn(game: &str, name: &str) -> bool;

static TAKEN: OnceLock<IsTaken> = OnceLock::new();

/// Says once which names the program has itself. Which those are, is known above the games.
pub fn reserve(taken: IsTaken) {
    TAKEN.get_or_init(|| taken);
}

/// Whether nobody could type a command of this name in rooms of a game.
pub fn is_taken(game: &str, name: &str) -> bool {
    TAKEN.get().is_some_and(|taken| taken(game, name))
}

/// Whether of two commands with these names only one can be typed: one is a word, and the other begins with it.
pub fn clash(one: &str, other: &str) -> bool {
    let begins = |short: &str, long: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with(' '));
    one == other || begins(one, other) || begins(other, one)
}

/// A command that a rule of a room adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnCommand {
    /// Its name, of one word or two: `sock buy`.
    pub name: String,
    /// A line about it.
    pub help: String,
    /// The rule that adds it, as players know it.
    pub by: String,
    /// What it takes, in order, required ones first.
    pub params: Vec<OwnParam>,
    /// Lines that show how it is typed.
    pub examples: Vec<String>,
    /// The heading under which the help lists it.
    pub group: String,
    /// Whether only a player sees it in the help.
    pub seated: bool,
    /// Whether what is typed is for nobody else's eyes.
    pub private: bool,
    /// Whether what it is given is a secret: it is taken in private alone, and kept nowhere as it was typed.
    pub sealed: bool,
    /// What its room says of commands in other languages.
    pub words: Arc<Languages>,
}

impl OwnCommand {
    /// The act that carries out such commands, with the name of one and its arguments.
    pub const ACT: &'static str = "law";

    /// The parameter that names for what somebody speaks who does not act emself, and the field of it.
    pub const AS: &'static str = "as";

    /// The fields of that act where a command is given with arguments.
    pub fn fields(name: &str, mut args: Map<String, Json>) -> Map<String, Json> {
        let speaks_for = args.remove(Self::AS).map(|of| (Self::AS.to_owned(), of));
        let act = [("act".to_owned(), name.into()), ("args".to_owned(), Json::Object(args))];
        Map::from_iter(act.into_iter().chain(speaks_for))
    }
}

/// What a command of a room's own takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnParam {
    /// Its name.
    pub name: String,
    /// How it is read.
    pub kind: OwnKind,
    /// What it is, in words.
    pub help: String,
    /// What a field shows in which nothing was typed yet; empty where that is its help.
    pub empty: String,
    /// Whether the command makes no sense without it.
    pub required: bool,
    /// Whether it stands first although it may be left out: `vote FOR` beside `vote 3 FOR`.
    pub skips: bool,
    /// The display that completes it, where not its kind says which.
    pub completes: Option<String>,
    /// Of choices, what else is typed for each.
    pub also: BTreeMap<String, Vec<String>>,
    /// The word that may stand before it; empty where none does.
    pub behind: String,
}

/// How a parameter is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OwnKind {
    /// A whole number within bounds.
    Whole(Option<i64>, Option<i64>),
    /// A number.
    Number,
    /// Yes or no.
    YesNo,
    /// One of some texts.
    Choice(Vec<String>),
    /// A player.
    Player,
    /// A rule.
    Rule,
    /// A proposal.
    Proposal,
    /// An object that a display completes: `objects/sock`.
    Object(String),
    /// A moment.
    Moment,
    /// Words in quotation marks where there are several.
    #[default]
    Word,
    /// All the words that are left.
    Words,
    /// A text, to the end of the message.
    Text,
    /// A command, to the end of the line.
    Command,
}
