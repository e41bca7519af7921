//! A rehearsal as it was written: acts and expectations, each with its place in the text.
//!
//! `parse` reads them, `play` does them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
    sync::Arc,
};

use jiff::SignedDuration;

use super::{moment::Moment, pattern::Pattern};

/// A rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of its file.
    pub name: String,
    /// Its first remark: what it is about.
    pub title: String,
    /// The clauses that it holds, by id.
    pub clauses: BTreeSet<String>,
    /// The figures and rules that it depends on: with another figure, or without the rule, it fails.
    pub probes: Vec<Probe>,
    /// What happens in it, in order.
    pub(super) items: Vec<(Place, Item)>,
}

impl Script {
    /// How many expectations there are.
    pub(super) fn expectations(&self) -> usize {
        self.items.iter().filter(|(_, item)| matches!(item, Item::Expect(_))).count()
    }

    /// The probes by what they change.
    pub fn probed(&self) -> BTreeMap<&str, &Probe> {
        self.probes.iter().map(|probe| (probe.of.as_str(), probe)).collect()
    }
}

/// A change of the rules under which a rehearsal must fail, because it holds what the rule said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The key of a live figure, or the id of a rule.
    pub of: String,
    /// What the figure is instead; nothing where the rule is repealed.
    pub to: Option<String>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The file as it was named.
    pub(super) file: Arc<str>,
    /// The line, from 1.
    pub(super) line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A line of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// Something happens.
    Act(Act),
    /// Something must have come of it.
    Expect(Expect),
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Time passes up to a moment; everything that is due happens on the way.
    At(Moment),
    /// So much time passes.
    Advance(SignedDuration),
    /// A room is opened.
    Room(RoomLine),
    /// Later lines are about another room.
    Use(String),
    /// Somebody says something.
    Say(Speech),
    /// What was said last is delivered once more, as the same message.
    Again,
    /// From now on somebody moderates everywhere.
    Moderator(String),
    /// What dice will show is fixed in advance.
    Dice(DiceLine),
    /// A display is read by somebody without a seat, or by somebody in private.
    Show {
        /// Which, as typed after `show`.
        display: String,
        /// For whose eyes; anybody's where nobody is named.
        reader: Option<String>,
    },
    /// An entry is read, counted from the end: -1 is the last one.
    Entry(i64),
    /// The process ends and starts again, at once or later.
    Restart(Option<Moment>),
    /// Long works are not played until further notice.
    Hold,
    /// They are played.
    Release,
    /// The number of the last entry gets a name.
    Mark(String),
    /// A text must not be seen by anybody but one person, or by nobody at all.
    Secret {
        /// The text.
        text: String,
        /// Who may see it.
        of: Option<String>,
    },
    /// It may be seen from now on.
    Public(String),
    /// From now on every announcement must be expected; or no longer.
    Strict(bool),
}

/// A room that is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoomLine {
    /// The game.
    pub(super) game: String,
    /// Its name.
    pub(super) name: String,
    /// Who opens it.
    pub(super) by: String,
    /// The channel where that is said.
    pub(super) channel: String,
    /// Further arguments of the command, as typed.
    pub(super) rest: String,
}

/// Somebody says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Speech {
    /// Who, by name.
    pub(super) by: String,
    /// Where.
    pub(super) whereto: Whereto,
    /// Whether the network proves who it is.
    pub(super) proven: bool,
    /// What, with line breaks.
    pub(super) text: String,
    /// Files that come with it.
    pub(super) files: Vec<FileLine>,
}

/// Where something is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Whereto {
    /// Where such a command belongs: in private if it is a private one, else in the channel of the room.
    Usual,
    /// In a channel; in that of the room where none is named.
    Channel(Option<String>),
    /// To the bot alone, in a channel.
    Aside(Option<String>),
    /// To the bot alone.
    Private,
}

/// A file that comes with a speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileLine {
    /// Its name.
    pub(super) name: String,
    /// What is in it.
    pub(super) content: FileContent,
}

/// What is in a file that comes with a speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    /// This text.
    Text(String),
    /// What a file of this machine holds.
    Path(PathBuf),
}

/// What dice will show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiceLine {
    /// What is drawn for.
    pub(super) label: String,
    /// Whether they show it again and again.
    pub(super) always: bool,
    /// The numbers as the dice count them, from 0.
    pub(super) numbers: Vec<u64>,
}

/// What must have come of the last act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    /// A reply says so.
    Reply {
        /// What.
        says: Pattern,
        /// Whether it must be for the speaker alone.
        private: bool,
    },
    /// A refusal says so.
    Refused(Pattern),
    /// No reply says so; without a text: there is no reply.
    NoReply(Option<Pattern>),
    /// The reply has these lines.
    Lines(Vec<(Place, LineOf)>),
    /// An announcement says so.
    Announced {
        /// Where.
        to: Reader,
        /// What.
        says: Pattern,
    },
    /// No announcement says so; without a text: there is none.
    NotAnnounced {
        /// Where; anywhere at all where nothing is named.
        to: Option<Reader>,
        /// What.
        says: Option<Pattern>,
    },
    /// A value of the world.
    Value {
        /// Which: a path, or an attribute of somebody.
        what: ValueName,
        /// Whether it must differ from the text.
        not: bool,
        /// How it is written.
        is: String,
    },
    /// A live figure, as the rules show it.
    Figure {
        /// Its key.
        key: String,
        /// Whether it must differ from the text.
        not: bool,
        /// How it is written; `none` where no rule gives it.
        is: String,
    },
    /// How many entries the last act made.
    Entries(u64),
}

/// Who reads an announcement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reader {
    /// Whoever is in a channel.
    Channel(String),
    /// One person, by name.
    Person(String),
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Channel(channel) => f.write_str(channel),
            Self::Person(name) => write!(f, "@{name}"),
        }
    }
}

/// A line that a reply must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineOf {
    /// This one.
    Is(Pattern),
    /// Any number of others.
    Others,
}

/// A value of the world, as a rehearsal names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueName {
    /// `player/ann.points`.
    Path(String),
    /// `points of Ann`.
    Of {
        /// The attribute.
        attr: String,
        /// The name used in the room.
        name: String,
    },
}
