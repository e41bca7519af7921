//! The agenda: the effect of each waiting thing when it has its turn (seed 000, J74 to J78, J82, J84).
//!
//! One thing is done at a time, with all its consequences before the next one. What can wait, and its order, stands in
//! `tasks`; challenges and readings are played away from the room (`challenge`, `notation`).

use super::{
    challenge,
    game::{D, Joust},
    hill, phases, points,
    programs::{self, Program, Status, named},
    report, revealing, start,
    tasks::{self, Task},
};
use kernel::{
    Display, Mechanic, State,
    display::{Cell, Document},
    time::minute,
    viewer::Viewer,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let queue = Display::new("queue", |state, asked| Ok(queue(state, asked.viewer)));
    Mechanic::new("agenda").table::<Task>().settle(settle).display(queue.listed(2))
}

// ---- decide

/// Does what is next, unless that has to be played; whether something was done.
fn settle(d: &mut D<'_>) -> bool {
    // A report that waited for challenges of its week tells nothing of what is deemed to happen later.
    if report::catch_up(d) {
        return true;
    }
    let Some((turn, task)) = tasks::head(&d.tables).map(|(turn, task)| (*turn, task.clone())) else { return false };
    // A program that entered by a challenge computed late may have had its month before what is next now.
    if let Some((at, program)) = revealing::coming(&d.tables, &d.rules).into_iter().min()
        && (at, phases::REVEAL) < (turn.at, turn.rank)
    {
        revealing::call(d, at, program);
        return true;
    }
    if let Task::Challenge(challenge) = &task
        && programs::program(&d.tables, challenge.program).is_none()
    {
        challenge::strike_gone(d, turn, challenge);
        return true;
    }
    if matches!(task, Task::Challenge(_) | Task::Reading(_)) {
        return false;
    }
    d.delete::<Task>(&turn);
    d.as_of(turn.at, |d| match task {
        Task::Challenge(_) | Task::Reading(_) => {}
        Task::Award(pending) => points::award(d, turn.at, &pending),
        Task::Reveal { program, since } => revealing::publish(d, turn.at, program, since),
        Task::Remove { notice, program } => hill::remove_by_notice(d, turn.at, notice, program),
        Task::Add { notice, program, removing } => hill::add_by_notice(d, turn.at, notice, program, removing),
        Task::Terms(terms) => hill::change_terms(d, turn.at, terms),
        Task::Restart(restart) => start::restart(d, turn.at, restart),
    });
    true
}

// ---- display

/// What waits.
fn queue(state: &State<Joust>, viewer: &Viewer) -> Document {
    let mut document = Document::titled("queue", "What waits");
    let waiting = state.rows::<Program>().values().filter(|program| program.status == Status::Waiting);
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
