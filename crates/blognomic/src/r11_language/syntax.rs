//! A source once it has been read: blocks of statements over numbers, robots and items.
//!
//! Numbers, robots, words and items are different types here. So `power(self) > keyword` is refused when it is proposed
//! and not in the middle of a run. Sums, products and tests are flat lists, so that a long source makes a wide tree and
//! never a deep one. Only a run knows which stats and Robots there are.

use serde::{Deserialize, Serialize};

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
}

/// Why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub(crate) struct SourceError {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
    /// What is wrong there, for players.
    pub message: String,
}

impl SourceError {
    pub(super) fn new(at: Place, message: impl Into<String>) -> Self {
        Self { line: at.line, column: at.column, message: message.into() }
    }
}

/// A source that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(super) body: Block,
    /// The source's lines, trimmed: a trace quotes them.
    pub(super) lines: Vec<String>,
    /// The words that `keyword` is compared with, as they were first written.
    pub(super) keywords: Vec<String>,
    /// The stats that are read or set, in small letters, each with its first place.
    pub(super) stats: Vec<(String, Place)>,
    /// The kinds of items that are named, as they were first written.
    pub(super) kinds: Vec<String>,
}

/// Statements, one after the other.
pub(super) type Block = Vec<Statement>;

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) at: Place,
    pub(super) act: Act,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// The first arm whose test holds, else the last block.
    If { arms: Vec<Arm>, otherwise: Block },
    /// Once for every Robot.
    Loop(Block),
    /// `X = 10`.
    Keep { variable: String, value: Number },
    /// `power(self) = 100`.
    Set { stat: String, of: Who, value: Number },
    /// `inventory(self) = inventory(self) + product_object`.
    Store { of: Who, moves: Vec<Move> },
}

/// A condition with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arm {
    pub(super) at: Place,
    pub(super) test: Test,
    pub(super) then: Block,
}

/// Items that come or go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) at: Place,
    pub(super) come: bool,
    pub(super) items: Items,
}

/// So many of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Items {
    pub(super) count: Number,
    /// The kind's name, as an Inventory that has none yet will write it.
    pub(super) kind: String,
}

/// A whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Literal(i64),
    Variable {
        at: Place,
        name: String,
    },
    Stat {
        at: Place,
        stat: String,
        of: Who,
    },
    /// `number_of_batteries(self)`.
    Held {
        kind: String,
        of: Who,
    },
    /// Terms with their signs; `false` is minus.
    Sum {
        at: Place,
        terms: Vec<(bool, Number)>,
    },
    Product {
        at: Place,
        factors: Vec<Number>,
    },
}

/// A Robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) at: Place,
    pub(super) role: Role,
}

/// Which Robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Caller,
    Other,
    Looped,
    ControlUnit,
}

/// What holds or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    Numbers { left: Number, how: Comparison, right: Number },
    Robots { left: Who, right: Who, same: bool },
    Keyword { word: String, same: bool },
    Holds { of: Who, items: Items },
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    More,
    AtMost,
    AtLeast,
}

impl Comparison {
    /// Whether it holds.
    pub(super) fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::More => left > right,
            Self::AtMost => left <= right,
            Self::AtLeast => left >= right,
        }
    }

    /// As it is written.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::More => ">",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
        }
    }
}
