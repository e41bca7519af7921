//! The things that touch the Hill, in the order in which they are deemed to happen.
//!
//! A challenge is deemed to occur when its program was submitted, however late it is computed (seed 000, J29).
//! Everything that was due after it waits for it (J74 to J78, J82, J84). So a due thing is put on the agenda at its
//! instant, with the values of that instant frozen in it. It takes effect when all before it is done. Only a challenge
//! at the head makes the room wait, and only the agenda waits: people go on. The effect of each of them stands in
//! `agenda`.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    game::{D, Joust, Tables},
    programs,
    reading::Terms,
    tournament::{Notation, Play},
};
use kernel::{Game, Id, Instant, Num, State, table::Row, time::minute, work::Work};

/// What happens to a notice that was done and whose turn changes nothing, since what it was about is gone.
pub(super) const CAME_TO_NOTHING: &str = "came to nothing";

// ---- state

/// When something has its turn: by instant, then phase, then arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Turn {
    /// When it is deemed to happen.
    pub(super) at: Instant,
    /// Its phase within the instant.
    pub(super) rank: u8,
    /// Its number among all that ever waited, from 1: the order of arrival.
    pub(super) id: u64,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// A challenge.
    Challenge(Challenge),
    /// Monday's award.
    Award(Pending),
    /// The publication of a program that was a month on the Hill.
    Reveal {
        /// Which program.
        program: u64,
        /// Since when it had been there.
        since: Instant,
    },
    /// A program is taken off the Hill by notice.
    Remove {
        /// Which notice.
        notice: u64,
        /// Which program.
        program: u64,
    },
    /// A program is put on the Hill by notice.
    Add {
        /// Which notice.
        notice: u64,
        /// Which program.
        program: u64,
        /// Which program leaves for it.
        removing: Option<u64>,
    },
    /// The notation changed: all on the Hill are read anew.
    Reading(Notation),
    /// The figures of the Hill change.
    Terms(Terms),
    /// A new tournament begins.
    Restart(Restart),
}

/// A challenge that waits to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Challenge {
    /// Its number in the room, from 1.
    pub(super) number: u64,
    /// The challenger.
    pub(super) program: u64,
    /// The figures that it is played and scored by, as they read at the submission (J30).
    pub(super) play: Play,
    /// Whether it cannot be played and waits for a moderator.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) stalled: bool,
}

/// An award that waits for its turn, with what was read at its instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Pending {
    /// Who was a member (J79).
    pub(super) members: Vec<Id>,
    /// Who held the office (J81).
    pub(super) contestmaster: Option<Id>,
    /// What each rank is worth, best first, and at the end what every further rank is worth (J80).
    pub(super) schedule: Vec<Num>,
}

/// What a new tournament starts with, fixed when the contestmaster acts (J12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Restart {
    /// By which notice.
    pub(super) notice: u64,
    /// The programs that were handed in for it; the bot's own where there are none.
    pub(super) named: Vec<u64>,
    /// How many programs it starts with.
    pub(super) count: usize,
    /// Who held the office.
    pub(super) master: Id,
}

impl Row<Joust> for Task {
    type Key = Turn;
    const TABLE: &'static str = "agenda";

    fn told(turn: &Turn, was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        match (was, is) {
            (None, Some(Self::Challenge(challenge))) => {
                format!("challenge {} waits, deemed to occur at {}", challenge.number, minute(turn.at))
            }
            (None, Some(task)) => {
                let what = match task.program() {
                    Some(program) => format!("{} of {}", task.word(), programs::name_of(&state.tables, program)),
                    None => task.word(),
                };
                format!("{what} waits, as of {}", minute(turn.at))
            }
            (Some(_), Some(Self::Challenge(Challenge { number, stalled, .. }))) => {
                format!("challenge {number} {}", if *stalled { "stands still" } else { "goes on" })
            }
            // What was done says so itself.
            _ => String::new(),
        }
    }
}

impl Task {
    /// What it is called.
    pub(super) fn word(&self) -> String {
        match self {
            Self::Challenge(Challenge { number, stalled: true, .. }) => format!("challenge {number} (stands still)"),
            Self::Challenge(challenge) => format!("challenge {}", challenge.number),
            Self::Award(_) => "award".to_owned(),
            Self::Reveal { .. } => "publication".to_owned(),
            Self::Remove { .. } => "removal".to_owned(),
            Self::Add { .. } => "addition".to_owned(),
            Self::Restart(_) => "new tournament".to_owned(),
            Self::Terms(_) => "figures of the Hill".to_owned(),
            Self::Reading(_) => "reading of all programs".to_owned(),
        }
    }

    /// The program that it is about.
    pub(super) fn program(&self) -> Option<u64> {
        match self {
            Self::Challenge(challenge) => Some(challenge.program),
            Self::Reveal { program, .. } | Self::Remove { program, .. } | Self::Add { program, .. } => Some(*program),
            Self::Award(_) | Self::Restart(_) | Self::Terms(_) | Self::Reading(_) => None,
        }
    }
}

/// What is next.
pub(super) fn head(joust: &Tables) -> Option<(&Turn, &Task)> {
    joust.rows::<Task>().first()
}

/// The challenges that wait, in order.
pub(super) fn challenges(joust: &Tables) -> impl Iterator<Item = (&Turn, &Challenge)> {
    joust.rows::<Task>().iter().filter_map(|(turn, task)| match task {
        Task::Challenge(challenge) => Some((turn, challenge)),
        _ => None,
    })
}

/// How many challenges wait before one.
pub(super) fn challenges_before(joust: &Tables, number: u64) -> usize {
    challenges(joust).take_while(|(_, challenge)| challenge.number != number).count()
}

/// Puts something on the agenda.
pub(super) fn schedule(d: &mut D<'_>, at: Instant, rank: u8, task: Task) {
    let id = d.number(Task::TABLE);
    d.put(&Turn { at, rank, id }, task);
}

/// A notice comes to nothing at its turn.
pub(super) fn comes_to_nothing(d: &mut D<'_>, notice: u64) {
    Joust::mechanics().happened(CAME_TO_NOTHING, &json!({ "notice": notice }), d);
}

/// Long work that the room waits for. Nothing is asked for in a closed room.
pub(super) fn awaited(work: fn(&Tables) -> Option<Work>) -> impl Fn(&State<Joust>) -> Option<Work> + Send + Sync {
    move |state| if state.frame.closed { None } else { work(&state.tables) }
}

// ---- display

/// A remark for announcements of what took effect later than it is deemed to happen; empty where it did not.
pub(super) fn as_of(d: &D<'_>, at: Instant) -> String {
    if at == d.at { String::new() } else { format!(" (as of {})", minute(at)) }
}
