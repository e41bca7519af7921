//! The input and output of a run: the Robots as they stand, and every change in order.
//!
//! A run sees no world and no room. The caller copies out the Robots that are in the Factory, and journals the changes.
//! A run that stops gives back nothing to journal.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::{
    super::inventory::{Inventory, InventoryError, Lot},
    CHANGES_MAX_LINES, NUMBER_MAX_DIGITS, RUN_MAX_ITEMS, RUN_MAX_STEPS,
    syntax::Place,
};

/// The stat in which Robots pay: what an item cost is read off it (N124).
pub(crate) const POWER: &str = "power";

// ---- state

/// Everything that a run can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// All current Robots by the name they go by; deactivated ones are none (N14).
    pub robots: BTreeMap<String, Robot>,
    /// Who runs the program: `self`.
    pub caller: String,
    /// Whom the caller chose: `other`.
    pub other: Option<String>,
    /// Who is the Control Unit; nobody while the office is vacant (N13).
    pub control_unit: Option<String>,
    /// What the caller said: `keyword`.
    pub keyword: Option<String>,
}

/// A Robot as far as the program can measure and alter it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Robot {
    /// Its stats, by their names in small letters.
    pub stats: BTreeMap<String, Stat>,
    /// What it holds.
    pub inventory: Inventory,
}

/// One figure of a Robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    /// What it is now.
    pub value: i64,
    /// What it can become.
    pub limits: Limits,
}

/// What a stat can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// Anything.
    Free,
    /// Nothing below this: a run that would is refused whole, as Power is (N62, N81).
    Floor(i64),
    /// Nothing beyond either end: a run that would is refused whole, as a directive is.
    Within {
        /// The least.
        min: Option<i64>,
        /// The most.
        max: Option<i64>,
    },
    /// What is beyond either end becomes that end, as a Subject's efficiency does (N76, N106).
    Range {
        /// The lower end.
        min: i64,
        /// The upper end.
        max: i64,
    },
    /// Nothing else: setting it does nothing, as with the Control Unit's efficiency (N106).
    Fixed,
}

impl Robot {
    /// A Robot without stats, holding this.
    pub(crate) fn holding(inventory: Inventory) -> Self {
        Self { stats: BTreeMap::new(), inventory }
    }

    /// Gives it a stat.
    #[must_use]
    pub(crate) fn with(mut self, stat: &str, value: i64, limits: Limits) -> Self {
        self.stats.insert(stat.to_lowercase(), Stat { value, limits });
        self
    }

    /// What a stat is.
    pub(crate) fn stat(&self, stat: &str) -> Option<i64> {
        self.stats.get(&stat.to_lowercase()).map(|stat| stat.value)
    }
}

// ---- outcome

/// What becomes of a run: all of it, or nothing.
pub(crate) type Outcome = Result<Done, Stopped>;

/// A run that reached the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// What changed, in order.
    pub effects: Vec<Effect>,
    /// The Robots after all of it.
    pub robots: BTreeMap<String, Robot>,
    /// What each line did.
    pub trace: Trace,
}

/// One change. A step that leaves a figure as it was is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// A stat became something else.
    Stat {
        /// Whose.
        robot: String,
        /// Which.
        stat: String,
        /// What it was.
        before: i64,
        /// What it is.
        after: i64,
    },
    /// Items came, as the newest of their kind.
    Came {
        /// To whom.
        robot: String,
        /// Of which kind.
        kind: String,
        /// How many, and what each cost when it was made.
        lots: Vec<Lot>,
    },
    /// Items went, the oldest of their kind.
    Went {
        /// From whom.
        robot: String,
        /// Of which kind.
        kind: String,
        /// How many, and what each cost when it was made.
        lots: Vec<Lot>,
    },
}

impl Effect {
    /// Whose it is.
    pub(crate) fn robot(&self) -> &str {
        match self {
            Self::Stat { robot, .. } | Self::Came { robot, .. } | Self::Went { robot, .. } => robot,
        }
    }
}

/// A run that stopped; nothing has changed, and the day is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stopped {
    /// Where; nowhere when it never began.
    pub at: Option<Place>,
    /// Why.
    pub why: Why,
    /// What the lines before it would have done.
    pub trace: Trace,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "line {}, column {}: {}", at.line, at.column, self.why),
            None => write!(f, "{}", self.why),
        }
    }
}

impl std::error::Error for Stopped {}

/// Why a run stops, as a sentence for players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    /// The caller is no current Robot.
    #[error("{0} is no Robot in the Factory, and only those run the Master Control Program")]
    NoCaller(String),
    /// `other` is no current Robot.
    #[error("{0} is no Robot in the Factory; name another one as other")]
    NoSuchOther(String),
    /// `other` is the caller.
    #[error("other has to be another Robot than {0}, who runs the program")]
    OtherIsSelf(String),
    /// `other` was not chosen.
    #[error("this needs another Robot, and none was named as other")]
    NoOther,
    /// There is no Control Unit.
    #[error("this needs the Control Unit, and there is none")]
    NoControlUnit,
    /// A variable is read that no line before has set.
    #[error("nothing has set {0} before it is used")]
    Unset(String),
    /// A stat that the Robot does not have.
    #[error("{robot} has no {stat} that could be measured or altered")]
    NoSuchStat {
        /// Who.
        robot: String,
        /// Which.
        stat: String,
    },
    /// A stat would fall below its floor.
    #[error("{robot}'s {stat} would be {value}, and it cannot be less than {floor}")]
    Below {
        /// Whose.
        robot: String,
        /// Which.
        stat: String,
        /// What it would be.
        value: i64,
        /// The least it can be.
        floor: i64,
    },
    /// A stat would become more than it can be.
    #[error("{robot}'s {stat} would be {value}, and it cannot be more than {most}")]
    Above {
        /// Whose.
        robot: String,
        /// Which.
        stat: String,
        /// What it would be.
        value: i64,
        /// The most it can be.
        most: i64,
    },
    /// Items cannot come or go.
    #[error("{robot}: {error}")]
    Items {
        /// Whose Inventory.
        robot: String,
        /// What is wrong.
        error: InventoryError,
    },
    /// A negative number of items.
    #[error("{0} is no number of items")]
    BadCount(i64),
    /// More new items than are borne.
    #[error("one run makes at most {RUN_MAX_ITEMS} items")]
    TooManyItems,
    /// A number beyond what is borne.
    #[error("this comes to a number of more than {NUMBER_MAX_DIGITS} digits")]
    TooLarge,
    /// Too much to do.
    #[error("the program is not done after {RUN_MAX_STEPS} steps")]
    TooLong,
}

impl Why {
    /// Whether the source is to blame and not what the caller did or has: then the Control Unit may settle it (N80).
    pub(crate) fn is_of_the_source(&self) -> bool {
        match self {
            Self::NoCaller(_)
            | Self::NoSuchOther(_)
            | Self::OtherIsSelf(_)
            | Self::NoOther
            | Self::NoControlUnit
            | Self::Below { .. }
            | Self::Above { .. }
            | Self::Items { .. } => false,
            Self::Unset(_)
            | Self::NoSuchStat { .. }
            | Self::BadCount(_)
            | Self::TooManyItems
            | Self::TooLarge
            | Self::TooLong => true,
        }
    }
}

// ---- display

/// What each line did, for players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The first lines that ran, in order; a line in a loop stands here once for each time.
    pub lines: Vec<TraceLine>,
    /// How many more lines ran.
    pub left_out: u64,
}

/// A line that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TraceLine {
    /// Its number in the source, from 1.
    pub line: u32,
    /// What it says.
    pub text: String,
    /// What it did: `51 > 50, Zed = Zed: yes`, `Ann's power: 51 becomes 41`.
    pub did: String,
    /// Whether it changed anything: a figure, an item, a variable.
    pub changed: bool,
    /// What did not hold of a condition that asks for the keyword of the run.
    pub missing: Option<String>,
}

impl Trace {
    /// How many lines ran.
    pub(crate) fn count(&self) -> u64 {
        self.lines.len() as u64 + self.left_out
    }

    /// The first condition for the keyword of the run of which something else did not hold: what it says, and what that is.
    pub(crate) fn missing(&self) -> Option<(&str, &str)> {
        self.lines.iter().find_map(|line| Some((&*line.text, line.missing.as_deref()?)))
    }

    /// The lines that changed something: at most as many as a chat bears, and how many more there are.
    pub(crate) fn changes(&self) -> Self {
        let mut changed = self.lines.iter().filter(|line| line.changed);
        let lines = changed.by_ref().take(CHANGES_MAX_LINES).cloned().collect();
        Self { lines, left_out: changed.count() as u64 }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for TraceLine { line, text, did, .. } in &self.lines {
            writeln!(f, "{line:>3}  {text}\n       {did}")?;
        }
        match self.left_out {
            0 => Ok(()),
            1 => writeln!(f, "and 1 more line"),
            more => writeln!(f, "and {more} more lines"),
        }
    }
}
