//! The Hill after a change of notation in CURRENT TOURNAMENT (seed 000, J11).
//!
//! A program is its text, read as the tournament reads. So a change of the notation reads every program on the Hill
//! anew, after all challenges deemed before it. A text that is a program by the new reading plays on as that; one that
//! is none leaves the Hill. The state knows no text, so that this is a work, played away from the room like a
//! challenge. New programs are read in `submission`; a challenger that is no program any more is met in `challenge`.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    game::{D, Joust, Tables},
    hill,
    places::{self, Place},
    play::Codes,
    programs,
    programs::Program,
    tasks::{self, Task, Turn, as_of, awaited},
    tournament::Notation,
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
    let programs = places::by_arrival(joust);
    let secrets: Vec<Id> =
        programs.iter().filter_map(|program| Some(programs::program(joust, *program)?.secret())).collect();
    let task = serde_json::to_value(Job { notation, programs: secrets.clone() }).ok()?;
    Some(Work { id: format!("{WORK}{}", turn.id).into(), task, secrets })
}

fn head(joust: &Tables) -> Option<(Turn, Notation)> {
    match tasks::head(joust) {
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
    let (gone, programs) = apart(places::by_arrival(&d.tables), &unreadable, d);
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
    let count = d.rows::<Place>().len();
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
        "{name} was a program as CURRENT TOURNAMENT read when you sent it. By its repetitions, brackets or commas it is none as it reads now. “⁅joust submit⁆” with such a text says where."
    )));
}

#[cfg(test)]
mod tests;
