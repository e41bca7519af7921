//! What touches the Hill, in the order in which it is deemed to happen.
//!
//! A challenge is deemed to occur when its program was submitted, however late it is computed (seed 000, J29), and
//! everything that was due after it waits for it (J74 to J78, J82, J84). So a thing that is due is put on the agenda at
//! its instant, with what must be read at that instant frozen in it, and takes effect when all before it is done. Only
//! a challenge at the head makes the room wait, and only the agenda waits: people go on. What each item does is absent:
//! it stands with its mechanic.

use serde::{Deserialize, Serialize};

use super::{
    D, Joust, Tables, challenge::Challenge, displays::named, hill, notation::Notation, phases, points, programs,
    programs::Status, reading::Terms, reveal, start,
};
use kernel::{
    Display, Instant, Mechanic, State,
    display::{Cell, Document},
    game::Viewer,
    table::Row,
    time::minute,
    work::Work,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let queue = Display::new("queue", |state, asked| Ok(queue(state, asked.viewer)));
    Mechanic::new("agenda").table::<Counts>().table::<Task>().settle(settle).display(queue.listed(2))
}

// ---- state

/// When something has its turn: by instant, then phase, then arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Turn {
    /// When it is deemed to happen.
    pub(super) at: Instant,
    /// Its phase within the instant.
    pub(super) rank: u8,
    /// Its number among all that ever waited, from 1: the order of arrival.
    pub(super) id: u64,
}

/// How many there ever were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// Things on the agenda.
    pub(super) items: u64,
    /// Challenges.
    pub(super) challenges: u64,
}

impl Row<Joust> for Counts {
    type Key = ();
    const TABLE: &'static str = "counts";
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// A challenge.
    Challenge(Challenge),
    /// Monday's award.
    Award(points::Pending),
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
    Restart(start::Restart),
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
    joust.rows::<Task>().get_min().map(|(turn, task)| (turn, task))
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
    let next = d.row::<Counts>(&()).map_or(0, |counts| counts.items) + 1;
    let id = d.number(Task::TABLE, next);
    d.upsert::<Counts>(&(), |counts| counts.items = next.max(id));
    d.put(&Turn { at, rank, id }, task);
}

/// Long work that the room waits for. Nothing is asked for in a closed room.
pub(super) fn awaited(work: fn(&Tables) -> Option<Work>) -> impl Fn(&State<Joust>) -> Option<Work> + Send + Sync {
    move |state| if state.frame.closed { None } else { work(&state.tables) }
}

// ---- due

/// Does what is next, unless that has to be played; whether something was done.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    let Some((turn, task)) = head(&d.tables).map(|(turn, task)| (*turn, task.clone())) else { return false };
    // A program that entered by a challenge computed late may have had its month before what is next now.
    if let Some((at, program)) = reveal::earliest(&d.tables, &d.rules)
        && (at, phases::REVEAL) < (turn.at, turn.rank)
    {
        reveal::call(d, at, program);
        return true;
    }
    if matches!(task, Task::Challenge(_) | Task::Reading(_)) {
        return false;
    }
    d.delete::<Task>(&turn);
    match task {
        Task::Challenge(_) | Task::Reading(_) => {}
        Task::Award(pending) => points::award(d, turn.at, &pending),
        Task::Reveal { program, since } => reveal::publish(d, turn.at, program, since),
        Task::Remove { notice, program } => hill::remove_by_notice(d, turn.at, notice, program),
        Task::Add { notice, program, removing } => hill::add_by_notice(d, turn.at, notice, program, removing),
        Task::Terms(terms) => hill::change_terms(d, turn.at, terms),
        Task::Restart(restart) => start::restart(d, turn.at, restart),
    }
    true
}

// ---- display

/// A remark for announcements of what took effect later than it is deemed to happen; empty where it did not.
pub(super) fn as_of(d: &D<'_>, at: Instant) -> String {
    if at == d.at { String::new() } else { format!(" (as of {})", minute(at)) }
}

/// What waits.
fn queue(state: &State<Joust>, viewer: &Viewer) -> Document {
    let mut document = Document::titled("queue", "What waits");
    let waiting = state.rows::<programs::Program>().values().filter(|program| program.status == Status::Waiting);
    let waiting: Vec<Vec<Cell>> = waiting
        .map(|program| {
            vec![
                Cell::new("the start"),
                named(state, program),
                Cell::new(state.frame.name_of(&program.owner)),
                Cell::new(minute(program.received)),
            ]
        })
        .collect();
    let rows = state.rows::<Task>().iter().map(|(turn, task)| {
        let program = task.program().and_then(|program| programs::program(&state.tables, program));
        vec![
            Cell::new(task.word()),
            program.map(|program| named(state, program)).unwrap_or_default(),
            Cell::new(program.map_or("", |program| state.frame.name_of(&program.owner))),
            Cell::new(minute(turn.at)),
        ]
    });
    let rows = rows.chain(waiting);
    document = document.table_or("Nothing waits.", ["waits for", "program", "by", "as of"], rows);
    match &viewer.progress {
        Some((work, done, of)) => {
            let text = format!("{work}: {done} of {of} matches are played.");
            Document { under_way: true, ..document.para(text) }
        }
        None => document,
    }
}

#[cfg(test)]
mod tests;
