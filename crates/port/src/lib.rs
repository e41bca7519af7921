//! The door between adapters and the service: what an adapter hands in, and what it gets back.
//!
//! An adapter turns whatever its network speaks into a [`Line`], and renders every [`Reply`] and [`Delivery`] that
//! comes back. It judges nothing, and it knows no game. Nothing here is specific to one network.

pub mod clock;
pub mod desk;
pub mod entropy;
pub mod gallery;

pub use desk::{Became, Desk, Incident, REPORT_MAX, Revision, Undelivered};

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use kernel::{
    Seq,
    display::{Cell, Document, Topic},
    frame::Manner,
    own_command::OwnCommand,
};

/// Longest line or message that is looked at, in bytes. A longer one is refused with this number. It holds the 6,000
/// characters that a network lets somebody type at once, at four bytes each, and the longest text of a proposal with the
/// rest of its command. Programs and other long texts come as attachments.
pub const LINE_MAX_BYTES: usize = 66 * 1024;

/// Largest attachment that is accepted, in bytes: the size of the largest program that the joust takes.
pub const ATTACHMENT_MAX_BYTES: usize = 1024 * 1024;

/// The line that ends a text: what comes behind it, in its message or line by line, does not belong to the text.
pub const TEXT_END: &str = "end text";

/// The line that gives such a text up.
pub const TEXT_CANCEL: &str = "cancel";

/// Somebody's account at a service, as that service proves it. Never a nick.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Account {
    /// Which service vouches for it: `console`, `irc:libera`, `discord`.
    pub service: String,
    /// The identity at that service: a services account in lower case, a Discord user id.
    pub id: String,
}

/// A channel at a service.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ForumAddress {
    /// Which service carries it: `console`, `irc:libera`, `discord`.
    pub service: String,
    /// Its name or id there: `#nomic`, a Discord channel id.
    pub channel: String,
}

impl std::fmt::Display for ForumAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.service, self.channel)
    }
}

/// Who says a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speaker {
    /// The proven account; `None` when the service knows no account for this person, who can then only read.
    pub account: Option<Account>,
    /// What a person without an account has to do on this network to have one, for a sentence that goes on.
    pub sign_in: Option<String>,
    /// The name that the person shows at the moment. It proves nothing.
    pub nick: String,
    /// Whether the service itself says that this person may moderate (the operator's own console).
    pub operator: bool,
    /// The channels in which the service says that this person keeps order, such as those of a Discord server that they
    /// manage. They moderate the rooms that are bound there, and may open rooms there.
    pub moderates: Vec<ForumAddress>,
}

/// Where a line was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a channel, for all its readers.
    Forum(ForumAddress),
    /// To the bot alone, but in a channel, whose readers saw nothing of it: a slash command, a line in a terminal.
    Aside(ForumAddress),
    /// To the bot alone.
    Private,
}

impl Place {
    /// The channel that it was said in.
    pub fn forum(&self) -> Option<&ForumAddress> {
        match self {
            Self::Forum(forum) | Self::Aside(forum) => Some(forum),
            Self::Private => None,
        }
    }
}

/// Who asks what could complete a value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Who asks.
    pub from: Speaker,
    /// Where.
    pub place: Place,
    /// The room that was named, if one was.
    pub room: Option<String>,
}

/// What completes a line that somebody is typing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where in the line the text begins that a completion takes the place of, in bytes.
    pub start: usize,
    /// The completions, best first: what each puts into the line is [`Cell::completes`].
    pub cells: Vec<Cell>,
    /// What the command still takes, as its usage line shows it.
    pub usage: String,
}

/// A game that is played in a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hosted {
    /// The channel, by its name or id at its service.
    pub channel: String,
    /// The game of a room that is open and bound there.
    pub game: String,
    /// The commands that the room has by its own rules.
    pub own: Vec<Arc<OwnCommand>>,
}

/// How a room stands, for a place where people see it before they ask, such as a channel's topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// A channel in which the room is announced, by its name or id at its service.
    pub channel: String,
    /// The name of the room.
    pub room: String,
    /// How it stands, in a line that a stranger may read.
    pub line: String,
    /// Who holds what in it, where the channel shows that by roles.
    pub roles: Option<Roles>,
}

/// Who holds what in a room, by what the room calls persons. An adapter asks for their accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// Everybody who has a seat.
    pub people: BTreeSet<String>,
    /// Who plays, and who holds each office, by what roles are called: `club player`.
    pub held: BTreeMap<String, BTreeSet<String>>,
}

/// Largest file that a reply carries, in bytes: what Discord takes from a bot, with room to spare.
pub const REPLY_FILE_MAX_BYTES: usize = 8 * 1024 * 1024;

/// A file that came with a line, or that a reply carries.
#[derive(Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The name it is sent under: one without folders, of letters, digits, `-`, `_` and `.`, when it is the bot's.
    pub name: String,
    /// Its bytes: at most [`ATTACHMENT_MAX_BYTES`] of a line's, and an adapter refuses larger ones before reading them
    /// whole; at most [`REPLY_FILE_MAX_BYTES`] of a reply's.
    pub bytes: Vec<u8>,
}

/// The bytes may be a secret program: they never reach a log by way of `{:?}`.
impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attachment").field("name", &self.name).field("len_bytes", &self.bytes.len()).finish()
    }
}

/// One message that is meant for the bot, its prefix (`!`, `BotNick:`, `/`) already taken off.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    /// The service's own id of the message where it has one, else one that the adapter made. The same message delivered
    /// twice has the same origin and acts once.
    pub origin: String,
    /// Who says it.
    pub from: Speaker,
    /// Where.
    pub place: Place,
    /// The commands, one a line; empty where the line is [`Sent::Called`].
    pub text: String,
    /// Files that came with it.
    pub attachments: Vec<Attachment>,
    /// How it was sent.
    pub sent: Sent,
}

/// How a line was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sent {
    /// Somebody typed it, and can type further lines that belong to it.
    #[default]
    Typed,
    /// It was sent off as a whole: nothing can follow that belongs to it.
    Whole,
    /// It was put together in the network's own form, such as options, a window or a button, and nobody typed a text.
    Called(Called),
}

/// A command with its values by name, as a network's own form gives them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Called {
    /// The name of the command: no alias.
    pub name: String,
    /// The text of each value, by the name of its parameter.
    pub args: BTreeMap<String, String>,
    /// The room that is named.
    pub room: Option<String>,
    /// The reason that is given for it, where it takes one.
    pub because: Option<String>,
    /// The entry of its room at which it was offered, if somebody took an offer.
    pub offered: Option<Seq>,
}

/// A value may be a secret program.
impl std::fmt::Debug for Called {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Called").field("name", &self.name).field("room", &self.room).finish_non_exhaustive()
    }
}

/// The text may hold a secret program: it never reaches a log by way of `{:?}`.
impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Line")
            .field("origin", &self.origin)
            .field("from", &self.from)
            .field("place", &self.place)
            .field("len_bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// What kind of answer a reply is, for adapters that colour or shorten them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// The action happened.
    Done,
    /// The action happened, and readers of the place where it was said hear of it by an announcement: only the speaker
    /// needs the answer.
    Announced,
    /// It did not, and the player is told why.
    Refused,
    /// The same, because the line begins with no word that begins a command: it may have been for somebody else.
    Unknown,
    /// Something was shown.
    Shown,
    /// The text of a command is awaited: what the speaker types next belongs to it, until a line is answered again.
    Awaits,
    /// Something broke; the text is an apology with an id.
    Fault,
}

/// An answer to the speaker, best effort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What kind of answer it is.
    pub kind: ReplyKind,
    /// Whether only the speaker may see it, even if the line was said in a channel.
    pub private: bool,
    /// What to show.
    pub document: Document,
    /// A file for the speaker, beside the document. A network that carries no files shows
    /// [`Reply::without_file`] instead.
    pub file: Option<Attachment>,
}

impl ReplyKind {
    /// Whether what was asked for was not done, and the player is told why.
    pub fn is_refusal(self) -> bool {
        matches!(self, Self::Refused | Self::Unknown)
    }
}

impl Reply {
    /// Whether it says that something was done or shown.
    pub fn went_well(&self) -> bool {
        !self.kind.is_refusal() && self.kind != ReplyKind::Fault
    }

    /// The document for a network that carries no files: it says so, and says no more than the file's name of it.
    pub fn without_file(self) -> Document {
        match self.file {
            Some(file) => self.document.para(format!("The file {} cannot be sent here.", file.name)),
            None => self.document,
        }
    }
}

/// An announcement on its way to one forum, or to one person in private.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number in the outbox: larger is later. The adapter reports back with it.
    pub id: i64,
    /// Where it goes.
    pub to: Destination,
    /// What to show. The key of its topic is unique over all rooms.
    pub document: Document,
    /// How often it was tried before.
    pub attempts: u32,
    /// A short form of which database it comes from: with it, its number is like no other announcement's anywhere.
    pub origin: String,
    /// How long ago it was written, when it was handed out: nothing that is older can be it.
    pub waited: Duration,
    /// How its room announces there.
    pub manner: Manner,
    /// The room and the display that it shows, as `12/proposal/3`, where people act on it: a network that can edit its
    /// messages keeps it up to date.
    pub lives: Option<String>,
    /// Whether it is pinned where it stands, on networks that pin messages.
    pub pinned: bool,
    /// The room as a topic, for what belongs to no other, in a channel that takes nothing but threads.
    pub home: Topic,
}

impl Delivery {
    /// An announcement in the plain manner.
    pub fn new(id: i64, to: Destination, document: Document) -> Self {
        let home = Topic { key: "home".into(), title: "Announcements".to_owned() };
        Self {
            id,
            to,
            document,
            attempts: 0,
            origin: String::new(),
            waited: Duration::ZERO,
            manner: Manner::default(),
            lives: None,
            pinned: false,
            home,
        }
    }
}

/// Where an announcement goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Destination {
    /// A channel.
    Forum(ForumAddress),
    /// One person, in private.
    Person(Account),
}

impl Destination {
    /// The service that carries it.
    pub fn service(&self) -> &str {
        match self {
            Self::Forum(forum) => &forum.service,
            Self::Person(account) => &account.service,
        }
    }

    /// Whether one message there holds a screen, and can be edited and pinned.
    pub fn holds_screens(&self) -> bool {
        self.service() == "discord"
    }

    /// How many lines of what one instant brings about are read as one message there. On IRC lines beyond a few wait until
    /// somebody asks for them, and joining is to hide nothing. In a terminal nothing is gained by it.
    pub fn joins_max_lines(&self) -> usize {
        match self.service().split(':').next() {
            _ if self.holds_screens() => usize::MAX,
            Some("irc") => 8,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Forum(forum) => write!(f, "{forum}"),
            Self::Person(account) => write!(f, "{}/{}", account.service, account.id),
        }
    }
}
