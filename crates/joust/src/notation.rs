//! How programs are written, as CURRENT TOURNAMENT reads, and what becomes of the Hill when that changes (seed 000, J11).
//!
//! A program is its text, read as the tournament reads. So a change of the notation reads every program on the Hill
//! anew, after all challenges deemed before it: what is a program by the new reading plays on as that, what is none leaves
//! the Hill. The state knows no text, so that this is a work, played away from the room like a challenge. Absent: programs
//! that come in (`submission`), and a challenger that is no program any more when its turn comes (`challenge`).

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    D, Joust, Tables,
    agenda::{self, Task, Turn, as_of, awaited},
    hill,
    play::Codes,
    programs,
    programs::Program,
};
use kernel::{
    Id, Instant, Mechanic,
    display::Document,
    work::{Bench, Work},
};

/// What the ids of these works begin with; the number of the item on the agenda follows.
pub(super) const WORK: &str = "reading/";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("notation").job(kernel::Job::new(WORK, awaited(work), play, finish))
}

// ---- state

/// How programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notation {
    /// How often a repetition repeats at most; where it is 0, its signs are comments.
    pub repeat_max: u32,
    /// Cycles that a comma passes: none where it is a comment.
    pub comma_cycles: u32,
}

impl Default for Notation {
    /// Seed 000's (J11, J60): what every program was read by before the contract could say otherwise.
    fn default() -> Self {
        let plain = bfjoust::Notation::agora();
        Self { repeat_max: plain.repeat_max, comma_cycles: u32::from(plain.comma_idles) }
    }
}

impl Notation {
    /// Whether it is seed 000's.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
    pub(super) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// As the engine takes it.
    pub(super) fn engine(self) -> bfjoust::Notation {
        let mut notation = bfjoust::Notation::agora();
        notation.repeat_max = self.repeat_max;
        notation.comma_idles = self.comma_cycles > 0;
        notation
    }
}

// ---- work

/// What is to be read.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Job {
    notation: Notation,
    programs: Vec<Id>,
}

/// The reading at the head of the agenda, if one is there.
fn work(joust: &Tables) -> Option<Work> {
    let (turn, notation) = head(joust)?;
    let programs = hill::by_arrival(joust);
    let secrets: Vec<Id> =
        programs.iter().filter_map(|program| Some(programs::program(joust, *program)?.secret())).collect();
    let task = serde_json::to_value(Job { notation, programs: secrets.clone() }).ok()?;
    Some(Work { id: format!("{WORK}{}", turn.id).into(), task, secrets })
}

fn head(joust: &Tables) -> Option<(Turn, Notation)> {
    match agenda::head(joust) {
        Some((turn, Task::Reading(notation))) => Some((*turn, *notation)),
        _ => None,
    }
}

/// Reads programs: the ids of those that are none.
fn play(work: &Work, bench: &Bench<'_>) -> Option<Json> {
    let job: Job = serde_json::from_value(work.task.clone()).ok()?;
    serde_json::to_value(Codes::unreadable(&job.programs, job.notation, bench)).ok()
}

/// Takes off the Hill what is no program any more.
fn finish(result: Json, d: &mut D<'_>) {
    let Some((turn, notation)) = head(&d.tables) else { return };
    let Ok(unreadable) = serde_json::from_value::<Vec<Id>>(result) else { return };
    d.delete::<Task>(&turn);
    let (gone, programs) = apart(hill::by_arrival(&d.tables), &unreadable, d);
    for program in programs {
        d.edit::<Program>(&program, |program| program.notation = notation);
    }
    leave(d, &gone, turn.at);
}

/// Programs whose texts are unreadable, and the others.
pub(super) fn apart(programs: Vec<u64>, unreadable: &[Id], d: &D<'_>) -> (Vec<u64>, Vec<u64>) {
    let is_gone = |program: &u64| {
        let secret = programs::program(&d.tables, *program).map(Program::secret);
        secret.is_some_and(|secret| unreadable.contains(&secret))
    };
    programs.into_iter().partition(is_gone)
}

/// Programs leave the Hill because they are none as the tournament reads; their submitters are told why.
pub(super) fn leave(d: &mut D<'_>, gone: &[u64], at: Instant) {
    if gone.is_empty() {
        return;
    }
    let names: Vec<String> = gone.iter().map(|program| programs::name_of(&d.tables, *program)).collect();
    for program in gone {
        hill::take(d, *program, at);
        tell_owner(d, *program);
    }
    let (verb, leaves) = if gone.len() == 1 { ("is no program", "leaves") } else { ("are no programs", "leave") };
    let count = d.rows::<hill::Place>().len();
    d.tell_all(format!(
        "{} {verb} as CURRENT TOURNAMENT reads{}, and {leaves} the Hill. {count} programs remain; those below move up.",
        names.join(", "),
        as_of(d, at)
    ));
}

/// Tells a submitter what became of a program by the change.
pub(super) fn tell_owner(d: &mut D<'_>, program: u64) {
    let Some((name, owner)) = programs::program(&d.tables, program).map(|held| (held.name.clone(), held.owner.clone()))
    else {
        return;
    };
    d.tell(&owner, Document::say(format!(
        "{name} was a program as CURRENT TOURNAMENT read when you sent it, and by its repetitions, brackets or commas it is none as it reads now. “joust submit” with such a text says where."
    )));
}

/// Puts the reading of all programs on the agenda.
pub(super) fn schedule(d: &mut D<'_>, at: Instant, rank: u8, notation: Notation) {
    agenda::schedule(d, at, rank, Task::Reading(notation));
}

#[cfg(test)]
mod tests;
