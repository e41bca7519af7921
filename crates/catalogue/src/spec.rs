//! The content of `commands/*.toml` as types: words and shapes, nothing else.
//!
//! A definition names a command, its parameters and how both are described. It holds no conditions: the game judges
//! whether a person may do it now, and whether the rules allow it.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde::Deserialize;

use kernel::{Refusal, own_command::Languages};

/// The name under which every command that concerns rooms takes one: `@main`, `room:main`. No parameter is called so.
pub const ROOM_KEY: &str = "room";

/// The word before the reason of an act, and the name of it where values have names.
pub const BECAUSE: &str = "because";

/// The display that completes it.
pub const ROOM_DISPLAY: &str = "rooms";

/// The actions of commands that only look: at a display, at what a proposal would do, at one's own vote.
const LOOKS: [&str; 3] = ["show", "dry_run", "voted"];

/// The actions of moderators that only show something.
const SHOWN_TO_MODERATORS: &[&str] = &["room_list", "export"];

/// The verbs that every room has and whose meaning its game gives them.
const VERBS_OF_GAMES: &[&str] = &["join", "leave"];

/// One file of the catalogue, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupFile {
    pub(crate) title: String,
    pub(crate) help: String,
    #[serde(default)]
    pub(crate) games: Vec<String>,
    #[serde(default)]
    pub(crate) comments: bool,
    #[serde(default)]
    pub(crate) minute: Vec<String>,
    #[serde(default = "join")]
    pub(crate) join: String,
    #[serde(default)]
    pub(crate) heads: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) first: Vec<First>,
    #[serde(default)]
    pub(crate) displays: BTreeMap<String, String>,
    #[serde(default, rename = "command")]
    pub(crate) commands: Vec<CommandFile>,
}

fn join() -> String {
    "join".to_owned()
}

/// One `[[command]]`, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandFile {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    pub(crate) help: String,
    #[serde(default)]
    pub(crate) long: String,
    pub(crate) action: String,
    pub(crate) display: Option<String>,
    #[serde(default)]
    pub(crate) see: See,
    #[serde(default)]
    pub(crate) private: bool,
    #[serde(default, rename = "final")]
    pub(crate) is_final: bool,
    #[serde(default)]
    pub(crate) any_forum: bool,
    #[serde(default)]
    pub(crate) without_forum: bool,
    #[serde(default)]
    pub(crate) room: RoomUse,
    #[serde(default)]
    pub(crate) examples: Vec<String>,
    #[serde(default)]
    pub(crate) words: BTreeMap<String, Words>,
    #[serde(default, rename = "param")]
    pub(crate) params: Vec<Param>,
}

/// What a command that games share says of itself in one of them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// What else a player should know.
    pub long: String,
    /// Lines that show how it is typed; each of them parses to the command.
    pub examples: Vec<String>,
    /// What it takes there, where that is something else.
    #[serde(default, rename = "param")]
    pub params: Vec<Param>,
}

/// How many lines a page of commands begins with.
pub const FIRST_COUNT: usize = 5;

/// One `[[first]]`: a line that matters first, as somebody types it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// The line, with values to go by, or with names in their place: `vote 3 FOR`, `propose TITLE TEXT`.
    pub line: String,
    /// One line about it that begins with a verb.
    pub help: String,
}

/// A file of the catalogue: the commands of one game, or those that every room has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The file's name without its ending: `joust`, `common`.
    pub id: String,
    /// What a heading calls it.
    pub title: String,
    /// One line about it.
    pub help: String,
    /// The games whose rooms alone have these commands; none when every room has them.
    pub games: Vec<String>,
    /// Whether these games know comments, which have no effect (4E5).
    pub comments: bool,
    /// What is played, in a minute: a sentence or two a paragraph.
    pub minute: Vec<String>,
    /// What a newcomer types first.
    pub join: String,
    /// What matters first: [`FIRST_COUNT`] lines where the file is the only one about a game or about everybody, else
    /// none.
    pub first: Vec<First>,
}

impl Group {
    /// Whether rooms of a game have its commands.
    pub fn is_of(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|of| of == game)
    }

    /// Whether a page of its own begins with it: it is the main file of a game, or one for every room.
    pub fn is_page(&self) -> bool {
        self.games.is_empty() || self.games == [self.id.as_str()]
    }
}

/// Something that a person can type.
#[derive(Clone, PartialEq, Eq)]
pub struct Command {
    /// One or two words in lower case: `hill`, `joust submit`.
    pub name: String,
    /// Other names for it, in text only.
    pub aliases: Vec<String>,
    /// One line that begins with a verb.
    pub help: String,
    /// What else a player should know; empty when the line says it all.
    pub long: String,
    /// The variant of an action that it becomes, in snake case.
    pub action: String,
    /// The display that it shows, with parameters in braces (`match/{left}/{right}`). The action is then `show`, and
    /// the parameters that the template uses are not handed on.
    pub display: Option<String>,
    /// Who finds it in the help.
    pub see: See,
    /// Whether only the speaker sees the answer.
    pub private: bool,
    /// Whether nobody can take it back: where somebody types, a text that it carries is asked about before it is sent.
    pub is_final: bool,
    /// Whether it may be said in any forum of its room, and its game judges whether it counts there.
    pub any_forum: bool,
    /// Whether it may be said anywhere while the room has no public forum.
    pub without_forum: bool,
    /// Whether it concerns a room.
    pub room: RoomUse,
    /// Lines that show how it is typed; each of them parses to this command.
    pub examples: Vec<String>,
    /// What takes the place of these words in the rooms of a game that has others.
    pub words: BTreeMap<String, Words>,
    /// What it takes, required ones first.
    pub params: Vec<Param>,
    /// The file that defines it.
    pub group: Arc<Group>,
    /// Whether a rule of its room adds it, and not the program.
    pub own: bool,
    /// What its room says of commands in other languages.
    pub languages: Arc<Languages>,
}

/// One thing that a command takes.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Its name in lower case, words joined by `-`: `as-of`.
    pub name: String,
    /// How its text is read.
    pub kind: Kind,
    /// One line about it.
    pub help: String,
    /// What a field shows in which nothing was typed yet; empty where that is its help.
    #[serde(default)]
    pub empty: String,
    /// Whether the command makes no sense without it.
    #[serde(default = "yes")]
    pub required: bool,
    /// Values of other parameters with which it is needed, where it is not required anyhow: `{ what = ["amend"] }`.
    #[serde(default)]
    pub needed: BTreeMap<String, Vec<String>>,
    /// The only texts that it may be, in lower case; none for every kind but [`Kind::Choice`].
    #[serde(default)]
    pub choices: Vec<String>,
    /// Other words for a choice, where a rule gives them.
    #[serde(default)]
    pub aliases: BTreeMap<String, Vec<String>>,
    /// The least number, or the fewest characters of a text.
    pub min: Option<i64>,
    /// The greatest number, or the most characters of a text.
    pub max: Option<i64>,
    /// The display whose cells complete it.
    pub completes: Option<String>,
    /// Whether it may be left out where it stands first: a word in its place that cannot be its value is the next one's.
    #[serde(default)]
    pub skippable: bool,
    /// Whether several may be named in it, with commas between them.
    #[serde(default)]
    pub several: bool,
    /// Words that may stand before its value (`against`, `as of`).
    pub marker: Option<String>,
    /// What its value counts, in the plural, which may be said behind it (`money units`). Only for [`Kind::Rational`].
    pub unit: Option<String>,
    /// Whether it takes the rest of the message, line breaks and semicolons included, and so ends a list of commands.
    #[serde(default)]
    pub rest: bool,
    /// The lines that end what it takes, in lower case, the usual one first: what comes after such a line is not part of
    /// it. Only for [`Kind::Actions`].
    #[serde(default)]
    pub until: Vec<String>,
    /// Values of other parameters with which it is a text up to the end of the message. With others it is words, and a
    /// reason may stand behind them. Only for one that takes the rest; where nothing is said, it is always a text.
    #[serde(default)]
    pub prose: BTreeMap<String, Vec<String>>,
    /// Whether it is given by its name alone, and usage lines leave it out.
    #[serde(skip)]
    pub named: bool,
    /// Whether it takes every word that is left, as a list.
    #[serde(default)]
    pub list: bool,
    /// Whether it may be as long as a message, with lines, in quotation marks: a text before which others stand and after
    /// which others come.
    #[serde(default)]
    pub long: bool,
    /// Whether its text is never shown, echoed, logged or journalled.
    #[serde(default)]
    pub secret: bool,
    /// The rule that keeps it secret, as refusals name it.
    pub secret_by: Option<String>,
}

fn yes() -> bool {
    true
}

/// Longest text that fits a line, in characters: who leaves one out has forgotten it, and will not send it in pieces.
const SHORT_TEXT_MAX_CHARS: i64 = 400;

/// How the text of a parameter is read, and what it becomes in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One word, as it stands. A string.
    Word,
    /// A new name for a seat, a program or a room, in the form that [`names`](kernel::names) allows. A string.
    Name,
    /// Words up to the end of the command. A string.
    Phrase,
    /// Prose. A string.
    Text,
    /// A program, kept to the last character. A string.
    Code,
    /// The contents of a file. A string.
    File,
    /// A whole number. An integer.
    Quantity,
    /// An exact number: `7`, `1/3`, `6 1/403`. A string (`"2419/403"`).
    Rational,
    /// A moment in UTC: `2026-11-02`, `2026-11-02 10:00`, RFC 3339. A string in RFC 3339.
    Instant,
    /// A time as the rules of a game say it, up to a colon or to the name of a command: `nday 8:`, `end of nweek 151:`. A
    /// string, which the game reads.
    When,
    /// Commands, to be done later or together: a list of what each of them is ([`bind`](crate::bind())).
    Actions,
    /// A length of time: `3 days`, `1h 30m`. A string of hours, minutes and seconds.
    Duration,
    /// The number of an entry or an instant. An integer, or a string in RFC 3339.
    Moment,
    /// The number of an entry in the journal, with or without `#`. An integer.
    Entry,
    /// The number of something that the game numbers (an intent, a proposal), with or without `#`. An integer.
    Id,
    /// A proposal, by its number, with or without `#`, or by its name where the game has such. An integer.
    Proposal,
    /// How much of something, with or without its unit, in figures or by the name of a number: `m50`, `A Few`. A string, which
    /// the game reads.
    Amount,
    /// Two whole numbers: `(1, 2)`, `1,2`. A string (`"1,2"`).
    Pair,
    /// Yes or no. A boolean.
    Bool,
    /// One of a few words. A string.
    Choice,
    /// A time zone of the IANA database. A string.
    Zone,
    /// Somebody who has a seat in the room. What the room's lookup makes of it.
    Player,
    /// A rule of the room. What the room's lookup makes of it.
    Rule,
    /// A program that the room knows. What the room's lookup makes of it.
    Program,
    /// A display of the room: `hill`, `rule/2`; words are joined with `/`. What the room's lookup makes of it.
    Display,
    /// A room. What the lookup makes of it.
    Room,
    /// An account at a service, or somebody's seat. What the lookup makes of it.
    Account,
    /// A channel. What the lookup makes of it.
    Forum,
}

/// Who finds a command in the help. The help hides it from the others; refusing it to them is the service's work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum See {
    /// Everybody.
    #[default]
    Everyone,
    /// Whoever has a seat in the room.
    Seated,
    /// Moderators.
    Moderator,
}

/// Whether a command concerns a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomUse {
    /// It acts in a room: that of the channel, or the one named with `@`.
    #[default]
    Needed,
    /// It can do without one.
    Optional,
    /// It concerns no room, and naming one is an error.
    None,
}

impl Kind {
    /// What a sentence calls a value of this kind, with its article.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Word => "a word",
            Self::Name => "a name",
            Self::Phrase => "a few words",
            Self::Text => "a text",
            Self::Code => "the code of a program",
            Self::File => "a file",
            Self::Quantity => "a whole number",
            Self::Rational => "a number",
            Self::Instant | Self::When => "a time",
            Self::Actions => "one action or several",
            Self::Duration => "a length of time",
            Self::Moment => "an entry or a time",
            Self::Entry => "the number of an entry",
            Self::Id => "a number",
            Self::Proposal => "a proposal",
            Self::Amount => "an amount",
            Self::Pair => "a pair of whole numbers",
            Self::Bool => "yes or no",
            Self::Choice => "one of a few words",
            Self::Zone => "a time zone",
            Self::Player => "a player",
            Self::Rule => "a rule",
            Self::Program => "a program",
            Self::Display => "a display",
            Self::Room => "a room",
            Self::Account => "an account",
            Self::Forum => "a channel",
        }
    }

    /// Whether only the room can say what a text of this kind means.
    pub fn needs_room(self) -> bool {
        matches!(
            self,
            Self::Proposal
                | Self::Player
                | Self::Rule
                | Self::Program
                | Self::Display
                | Self::Room
                | Self::Account
                | Self::Forum
        )
    }

    /// Whether a value may consist of several words without quotation marks.
    pub(crate) fn spans_words(self) -> bool {
        matches!(self, Self::Rational | Self::Pair | Self::Instant | Self::Duration | Self::Moment)
    }
}

impl Param {
    /// An optional parameter of a kind that a display completes, and nothing else.
    pub fn completed(name: &str, kind: Kind, display: &str) -> Self {
        Self { completes: Some(display.to_owned()), required: false, ..Self::of(name, kind) }
    }

    /// A parameter of a kind, and nothing else.
    pub(crate) fn of(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            help: String::new(),
            empty: String::new(),
            required: true,
            choices: Vec::new(),
            aliases: BTreeMap::new(),
            min: None,
            max: None,
            completes: None,
            skippable: false,
            several: false,
            marker: None,
            unit: None,
            needed: BTreeMap::new(),
            prose: BTreeMap::new(),
            rest: false,
            until: Vec::new(),
            named: false,
            list: false,
            long: false,
            secret: false,
            secret_by: None,
        }
    }

    /// Whether what it takes is a text, given the values of others.
    pub(super) fn is_text(&self, given: &BTreeMap<String, String>) -> bool {
        let with = |(other, values): (&String, &Vec<String>)| given.get(other).is_some_and(|it| values.contains(it));
        self.prose.is_empty() || self.prose.iter().any(with)
    }

    /// Whether its text may come after the line: in an attached file, or in further lines. What a marker stands before is
    /// short.
    pub fn comes_later(&self) -> bool {
        self.rest && self.marker.is_none() && !self.is_short()
    }

    /// Whether its text fits a line.
    pub(super) fn is_short(&self) -> bool {
        self.max.is_some_and(|max| max <= SHORT_TEXT_MAX_CHARS)
    }

    /// Its name as a field of the action: `as_of`.
    pub fn field(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Whether it takes a rest or as many words as there are, and so comes last.
    pub fn is_greedy(&self) -> bool {
        self.rest || self.list || self.kind == Kind::Phrase
    }

    /// How a usage line shows it: `NAME`, `[as of MOMENT]`, `[PROGRAMS ...]`.
    pub fn usage(&self) -> String {
        let mut shown = self.placeholder();
        if let Some(marker) = &self.marker {
            shown =
                format!("{marker} {}", if *marker == self.name.replace('-', " ") { self.noun_word() } else { shown });
        }
        if self.list {
            shown.push_str(" ...");
        }
        if self.required { shown } else { format!("[{shown}]") }
    }

    /// How a usage line shows it with its name, which is read alike in a line and among options: `color:Blue|Black`.
    fn named_usage(&self) -> String {
        let shown = format!("{}:{}", self.name, self.placeholder());
        if self.required { shown } else { format!("[{shown}]") }
    }

    /// What a usage line has in the place of its value: `NAME`, `for|against`.
    pub(super) fn placeholder(&self) -> String {
        if self.choices.is_empty() || self.choices.len() > USAGE_MAX_CHOICES {
            self.name.to_uppercase()
        } else {
            self.choices.join("|")
        }
    }

    fn noun_word(&self) -> String {
        match self.kind {
            Kind::Moment => "ENTRY|TIME".to_owned(),
            Kind::Instant => "TIME".to_owned(),
            kind => kind.noun().split(' ').nth(1).unwrap_or_default().to_uppercase(),
        }
    }
}

/// A usage line that lists more choices than this no longer fits a phone.
const USAGE_MAX_CHOICES: usize = 6;

impl Command {
    /// Its parameter of that name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Whether the command makes no sense without a parameter, given the values of others.
    pub fn demands(&self, param: &Param, given: &BTreeMap<String, String>) -> bool {
        let with =
            |(other, values): (&String, &Vec<String>)| given.get(other).is_some_and(|given| values.contains(given));
        param.required || param.needed.iter().any(with)
    }

    /// The parameter that takes the rest of the message, if it has one.
    pub fn rest(&self) -> Option<&Param> {
        self.params.iter().find(|param| param.rest)
    }

    /// Whether some of its text must never be shown, echoed, logged or journalled.
    pub fn is_secret(&self) -> bool {
        self.params.iter().any(|param| param.secret)
    }

    /// The parameters that can be given by place, in the order of their places. Beside one that takes the rest, an
    /// optional one is given by name or marker only. Nothing could tell it from the text, unless it is skippable.
    pub fn places(&self) -> impl Iterator<Item = &Param> {
        let greedy = self.params.iter().any(Param::is_greedy);
        let first = self
            .params
            .iter()
            .filter(move |param| !param.named && !param.is_greedy() && (param.required || param.skippable || !greedy));
        first.chain(self.params.iter().filter(|param| param.is_greedy()))
    }

    /// How it is typed, without a prefix: `joust submit NAME CODE`.
    pub fn usage(&self) -> String {
        let mut line = self.name.clone();
        let late = |param: &&Param| param.is_greedy() && self.rest().is_some();
        let shown = || self.params.iter().filter(|param| !param.named);
        for param in shown().filter(|param| !late(param)).chain(shown().filter(late)) {
            line.push(' ');
            line.push_str(&if self.own { param.named_usage() } else { param.usage() });
        }
        // What ends a list of commands is part of how it is typed.
        if let Some(mark) = self.rest().and_then(|rest| rest.until.first()) {
            line.push_str(&format!("; {mark}"));
        }
        line
    }

    /// A refusal of it, with how it is typed.
    #[must_use]
    pub fn instead(&self, refusal: Refusal) -> Refusal {
        refusal.instead(self.usage())
    }

    /// The games in whose rooms alone it exists; none when every room has it.
    pub fn games(&self) -> &[String] {
        &self.group.games
    }

    /// Whether rooms of a game have it.
    pub fn is_of(&self, game: &str) -> bool {
        self.group.is_of(game)
    }

    /// All that it is called by.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(&self.aliases)
    }

    /// Whether it is something that is done in a game, by its rules.
    pub fn acts_in_game(&self) -> bool {
        (!self.games().is_empty() && !LOOKS.contains(&self.action.as_str()))
            || VERBS_OF_GAMES.contains(&self.action.as_str())
    }

    /// Whether a reason may stand behind it: behind every act that takes no text, or ends one with a line of its own.
    pub fn takes_reason(&self) -> bool {
        let of_moderators = self.see == See::Moderator && !SHOWN_TO_MODERATORS.contains(&self.action.as_str());
        self.rest().is_none_or(|rest| !rest.until.is_empty() || !rest.prose.is_empty())
            && (self.acts_in_game() || of_moderators)
    }

    /// The command as one game speaks of it.
    #[must_use]
    pub fn in_words_of(&self, game: &str) -> Self {
        let (words, mut spoken) = (self.words.get(game).cloned(), self.clone());
        if let Some(Words { long, examples, params }) = words {
            (spoken.long, spoken.examples) = (long.trim().to_owned(), examples);
            spoken.params = if params.is_empty() { spoken.params } else { params };
        }
        spoken
    }

    /// The word before the last one of a name of two: `joust`.
    pub fn head(&self) -> Option<&str> {
        self.name.split_once(' ').map(|(head, _)| head)
    }

    pub(crate) fn new(file: CommandFile, group: Arc<Group>) -> Self {
        let CommandFile { name, aliases, help, long, action, display, examples, words, params, .. } = file;
        let CommandFile { see, private, is_final, any_forum, without_forum, room, .. } = file;
        let long = long.trim().to_owned();
        Self {
            name,
            aliases,
            help,
            long,
            action,
            display,
            see,
            private,
            is_final,
            any_forum,
            without_forum,
            room,
            examples,
            words,
            params,
            group,
            own: false,
            languages: Arc::default(),
        }
    }
}

/// The name says it all; a log has no use for the help.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command({})", self.name)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
