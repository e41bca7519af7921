//! What touches the Hill, in the order in which it is deemed to happen.
//!
//! A challenge is deemed to occur when its program was submitted, however late it is computed (seed 000, J29), and
//! everything that was due after it waits for it (J74 to J78, J82, J84). So a thing that is due is put on the agenda at
//! its instant, with what must be read at that instant frozen in it, and takes effect when all before it is done. Only
//! a challenge at the head makes the room wait, and only the agenda waits: people go on. What each item does is absent:
//! it stands with its mechanic.

use imbl::Vector;
use serde::{Deserialize, Serialize};

use super::{D, Joust, challenge, emit, hill, notation::Notation, phases, points, reading::Terms, reveal, start};
use crate::kernel::Instant;

// ---- state

/// The agenda.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Agenda {
    /// By instant, then phase, then arrival.
    items: Vector<Item>,
    /// How many items there ever were.
    count: u64,
    /// How many challenges there ever were.
    pub(super) last_challenge: u64,
}

/// One thing that waits for its turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its number among all items, from 1: the order of arrival.
    pub id: u64,
    /// When it is deemed to happen.
    pub at: Instant,
    /// Its phase within the instant.
    pub rank: u8,
    /// What it is.
    pub task: Task,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A challenge.
    Challenge(challenge::Challenge),
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

impl Agenda {
    /// What is next.
    pub(super) fn head(&self) -> Option<&Item> {
        self.items.front()
    }

    /// Everything that waits, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Item> {
        self.items.iter()
    }

    /// The challenges that wait, in order.
    pub(super) fn challenges(&self) -> impl Iterator<Item = (&Item, &challenge::Challenge)> {
        self.items.iter().filter_map(|item| match &item.task {
            Task::Challenge(challenge) => Some((item, challenge)),
            _ => None,
        })
    }

    /// How many challenges wait before one.
    pub(super) fn challenges_before(&self, number: u64) -> usize {
        self.challenges().take_while(|(_, challenge)| challenge.number != number).count()
    }

    fn with(&mut self, id: u64, change: impl FnOnce(&mut Item)) {
        if let Some(index) = self.items.iter().position(|item| item.id == id)
            && let Some(item) = self.items.get_mut(index)
        {
            change(item);
        }
    }
}

/// Puts something on the agenda; gives its number.
pub(super) fn schedule(d: &mut D<'_>, at: Instant, rank: u8, task: Task) -> u64 {
    let id = d.game.agenda.count + 1;
    emit(d, Fact::Scheduled(Item { id, at, rank, task }));
    id
}

// ---- facts

/// What happens to the agenda.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Something waits for its turn.
    Scheduled(Item),
    /// Its turn came, or it was struck.
    Done {
        /// Which item.
        item: u64,
    },
    /// A challenge cannot be played, and waits for a moderator; or it goes on.
    Stalled {
        /// Which item.
        item: u64,
        /// Whether it stands still.
        on: bool,
    },
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(joust: &mut Joust, fact: &Fact) {
    let agenda = &mut joust.agenda;
    match fact {
        Fact::Scheduled(item) => {
            let key = |item: &Item| (item.at, item.rank, item.id);
            let place = agenda.items.iter().take_while(|held| key(held) < key(item)).count();
            agenda.count = agenda.count.max(item.id);
            if let Task::Challenge(challenge) = &item.task {
                agenda.last_challenge = agenda.last_challenge.max(challenge.number);
            }
            agenda.items.insert(place, item.clone());
        }
        Fact::Done { item } => agenda.items.retain(|held| held.id != *item),
        Fact::Stalled { item, on } => agenda.with(*item, |item| {
            if let Task::Challenge(challenge) = &mut item.task {
                challenge.stalled = *on;
            }
        }),
    }
}

/// What takes a fact back. Clockwork that has run stays as it ran: what an award *gave* is taken back by the world.
pub(super) fn inverse(fact: &Fact, joust: &Joust) -> Option<super::Fact> {
    match fact {
        Fact::Scheduled(Item { task: Task::Challenge(_), .. }) => None,
        Fact::Scheduled(item) if joust.agenda.iter().any(|held| held.id == item.id) => {
            Some(Fact::Done { item: item.id }.into())
        }
        Fact::Scheduled(_) | Fact::Done { .. } => Some(super::Fact::Kept),
        Fact::Stalled { item, on } => Some(Fact::Stalled { item: *item, on: !on }.into()),
    }
}

// ---- what everybody may read

/// Whether a fact tells a challenge that has not been played.
pub(super) fn waits(fact: &Fact, joust: &Joust) -> bool {
    matches!(fact, Fact::Scheduled(item) if matches!(item.task, Task::Challenge(_))
        && joust.agenda.iter().any(|held| held.id == item.id))
}

/// A fact without the lengths of a challenge that has not been played: they are told with its result (J56).
pub(super) fn public(mut fact: Fact, joust: &Joust) -> Fact {
    if waits(&fact, joust)
        && let Fact::Scheduled(Item { task: Task::Challenge(challenge), .. }) = &mut fact
    {
        challenge.lengths.clear();
    }
    fact
}

/// Whether a fact is of the form that [`public`] gives.
pub(super) fn is_kept(fact: &Fact) -> bool {
    matches!(fact, Fact::Scheduled(Item { task: Task::Challenge(challenge), .. }) if challenge.lengths.is_empty())
}

// ---- due

/// Does what is next, unless that has to be played; whether something was done.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    let Some(item) = d.game.agenda.head().cloned() else { return false };
    // A program that entered by a challenge computed late may have had its month before what is next now.
    if let Some((at, program)) = reveal::earliest(&d.game, &d.rules)
        && (at, phases::REVEAL) < (item.at, item.rank)
    {
        reveal::call(d, at, program);
        return true;
    }
    if matches!(item.task, Task::Challenge(_) | Task::Reading(_)) {
        return false;
    }
    emit(d, Fact::Done { item: item.id });
    match item.task {
        Task::Challenge(_) | Task::Reading(_) => {}
        Task::Award(pending) => points::award(d, item.at, &pending),
        Task::Reveal { program, since } => reveal::publish(d, item.at, program, since),
        Task::Remove { notice, program } => hill::remove_by_notice(d, item.at, notice, program),
        Task::Add { notice, program, removing } => hill::add_by_notice(d, item.at, notice, program, removing),
        Task::Terms(terms) => hill::change_terms(d, item.at, terms),
        Task::Restart(restart) => start::restart(d, item.at, restart),
    }
    true
}

// ---- display

/// A remark for announcements of what took effect later than it is deemed to happen; empty where it did not.
pub(super) fn as_of(d: &D<'_>, at: Instant) -> String {
    if at == d.at { String::new() } else { format!(" (as of {})", crate::kernel::time::minute(at)) }
}

#[cfg(test)]
mod tests;
