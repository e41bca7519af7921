//! Entries: what one cause did to a room.
//!
//! An entry is the unit of history, of undo and of atomicity. It holds everything that is needed to fold it again:
//! changes with their effective amounts, the numbers that were drawn, and what was announced. It holds neither the text
//! that a player typed, which can be forgotten, nor a secret, only the salted hash of one.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::{
    Id, Instant, Seq, display::Document, frame::FrameFact, row_change::RowChange, rulebook::RuleOp, time::minute,
    world::Op,
};

/// What one cause did, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Entry {
    /// Its number in the room's journal, from 1.
    pub seq: Seq,
    /// When it takes effect in the game.
    pub at: Instant,
    /// When it was written down: later than `at` where the room was catching up.
    pub recorded: Instant,
    /// Why it happened.
    pub cause: Cause,
    /// What changed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Which numbers were drawn, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Draw>,
    /// What was announced, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub says: Vec<Say>,
}

/// The unit of folding inside an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// An operation on what rules can name.
    World(Op),
    /// An operation on the rules themselves.
    Rule(RuleOp),
    /// Seats, forums, clock mode: what every room has.
    Frame(FrameFact),
    /// A row of the game's own tables, which no rule names: a ballot's cut-off.
    Row(RowChange),
    /// Not a change: what those that follow it come from, up to the next of these.
    By(Because),
}

/// What changes come from, beside their entry's own cause. Where nothing is said here, that is all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Because {
    /// The document that is carried out, as players call it: `Proposal 41, “Tea”`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The rule that says so, or a part of its law, as players call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The line, from 1: of the rule's law where a function begins there, else of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The figures that it had read by then, by key, as the rules gave them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub read: BTreeMap<String, String>,
    /// The instant that it belongs to, where that is another one than its entry's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Instant>,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { document, rule, line, read, at } = self;
        let of = |name: &String| {
            let law = if rule.is_some() { " of its law" } else { "" };
            let line = line.map_or_else(String::new, |line| format!(", line {line}{law}"));
            let read: Vec<String> = read.iter().map(|(key, is)| format!("{key} {is}")).collect();
            let read = if read.is_empty() { String::new() } else { format!(" ({})", read.join(", ")) };
            format!("{name}{line}{read}")
        };
        let parts = match (rule, document) {
            (Some(rule), document) => [Some(of(rule)), document.as_ref().map(|document| format!("for {document}"))],
            (None, document) => [document.as_ref().map(of), None],
        };
        let at = at.map(|at| format!("as of {}", minute(at)));
        f.write_str(&parts.into_iter().chain([at]).flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Why an entry happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Somebody did something.
    Action {
        /// Whose seat; `None` for the moderator who opens the room before anybody sits.
        actor: Option<Id>,
        /// The command, without its arguments.
        command: String,
        /// Whether what was typed is for nobody else's eyes, as the command had it then.
        private: bool,
    },
    /// An instant came.
    Due(Due),
    /// A long work came back.
    Job(Id),
    /// A moderator acted, outside the rules.
    Moderator {
        /// Which person.
        by: Id,
        /// What was done: `open`, `pause`, `correct`, `undo`.
        act: String,
        /// Why, where a reason is asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The entry that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<Seq>,
    },
}

/// Something that is due at an instant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Due {
    /// When.
    pub at: Instant,
    /// The phase within the instant, lower first; each game lists its phases in one table.
    pub rank: u8,
    /// What.
    pub key: Id,
}

/// A number that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Draw {
    /// What for.
    pub label: String,
    /// It was one of this many: 0 to `bound` - 1.
    pub bound: u64,
    /// The number.
    pub got: u64,
    /// Whether somebody fixed it in advance, as rehearsals do; never in a room that is played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
}

/// Something announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Say {
    /// To whom.
    pub to: Audience,
    /// What.
    pub document: Document,
}

/// Who hears an announcement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// All public forums of the room.
    Public,
    /// One forum.
    Forum(Id),
    /// The person in a seat, privately.
    Seat(Id),
    /// The person in a seat, privately, if they may read all of these sealed things: what is said tells of them.
    Reader {
        /// Whose seat.
        seat: Id,
        /// What is told of, by id.
        of: Vec<Id>,
    },
    /// The room's moderators, privately.
    Moderators,
}

impl Cause {
    /// The seat that acted, if a seat did.
    pub fn actor(&self) -> Option<&Id> {
        match self {
            Self::Action { actor, .. } => actor.as_ref(),
            Self::Due(_) | Self::Job(_) | Self::Moderator { .. } => None,
        }
    }

    /// One word or two for lists: the command, the due thing, the work.
    pub fn label(&self) -> String {
        match self {
            Self::Action { command, .. } => command.clone(),
            Self::Due(due) => due.key.to_string(),
            Self::Job(id) => id.to_string(),
            Self::Moderator { act, .. } => format!("{act} (moderator)"),
        }
    }
}
