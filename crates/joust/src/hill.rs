//! The Hill: the best programs of the running tournament, in order (seed 000, J12).
//!
//! This file has removal and addition by notice (J20), and changes of the Hill's own figures. Who enters and who drops
//! by a challenge is reckoned in `challenge`. The places themselves stand in `places`, their worth in `knights` and
//! `points`; all of it waits its turn in `agenda`.

use serde_json::json;

use super::{
    contract, figures,
    game::{D, Joust, Tables},
    knights, made, names, phases,
    places::{
        DROPPED, Fought, Hill, Place, Stay, arrives, hill, in_order, last, leaves, place, ranked, written_otherwise,
    },
    programs::{self, Status},
    reading::{Figures, Terms},
    scoring,
    tasks::{self, Task, as_of},
};
use kernel::{
    Display, Game, Instant, Mechanic, State,
    display::{Cell, Document, Offer, counted},
    time::day,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("hill")
        .table::<Hill>()
        .table::<Place>()
        .table::<Stay>()
        .table::<Fought>()
        .settle(settle)
        .made(made::made)
        .display(Display::new("hill", |state, asked| Ok(show(state, asked.viewer.now))).listed(0))
}

// ---- decide

/// Puts a program on the Hill, last.
pub(super) fn put(d: &mut D<'_>, program: u64, at: Instant) {
    arrives(d, program, at);
    programs::name_means(d, program);
}

/// Takes a program off the Hill.
pub(super) fn take(d: &mut D<'_>, program: u64, at: Instant) {
    let since = place(&d.tables, program).map(|place| place.since);
    leaves(d, program, at);
    if let Some(since) = since {
        after_drop(d, program, since, at);
    }
}

/// What follows a drop, however it came: notices about the program are spent, and its submitter may be asked to reveal
/// its code (J32).
pub(super) fn after_drop(d: &mut D<'_>, program: u64, since: Instant, at: Instant) {
    let by = programs::program(&d.tables, program).map(|program| program.owner.clone());
    Joust::mechanics().happened(DROPPED, &json!({ "program": program, "by": by }), d);
    let Ok(weeks) = Figures::of(&d.rules).count(&figures::ASK_WEEKS) else { return };
    let Some(dropped) = programs::program(&d.tables, program).filter(|program| program.revealed.is_none()) else {
        return;
    };
    if knights::weeks_after(since, weeks) > at {
        return;
    }
    let (name, owner) = (dropped.name.clone(), dropped.owner.clone());
    let offer = Offer::new("Reveal", format!("joust reveal {name}"), d.seq);
    let mut ask = Document::say(format!(
        "{name} dropped from the Hill after {}. The contract (REVEALING, 2) suggests that you show its code now. You need not.",
        kernel::time::between(since, at)
    ));
    ask.offers.push(offer);
    d.tell(&owner, ask);
}

/// Takes a program off the Hill as noticed (J20).
pub(super) fn remove_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64) {
    let name = programs::name_of(&d.tables, program);
    if place(&d.tables, program).is_none() {
        tasks::comes_to_nothing(d, notice);
        d.tell_all(format!(
            "The removal of {name} by notice {notice}{} does nothing: the program dropped before.",
            as_of(d, at)
        ));
        return;
    }
    take(d, program, at);
    let count = d.rows::<Place>().len();
    d.tell_all(format!(
        "{name} is removed from the Hill by notice {notice}{}. {}; those below move up.",
        as_of(d, at),
        if count == 1 { "1 program remains".to_owned() } else { format!("{count} programs remain") }
    ));
}

/// Puts a program on the Hill as noticed, in the place of another where the notice says so (J20).
pub(super) fn add_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64, removing: Option<u64>) {
    let name = programs::name_of(&d.tables, program);
    if let Some(why) = cannot_add(&d.tables, program, removing) {
        tasks::comes_to_nothing(d, notice);
        d.tell_all(format!("The addition of {name} by notice {notice}{} does nothing: {why}.", as_of(d, at)));
        return;
    }
    if let Some(removing) = removing {
        take(d, removing, at);
    }
    put(d, program, at);
    let hash = programs::program(&d.tables, program).map(|program| program.hash.clone()).unwrap_or_default();
    let instead = removing.map(|removing| format!(", in the place of {}", programs::name_of(&d.tables, removing)));
    d.tell_all(format!(
        "{name} is added to the Hill by notice {notice}{}{}. It stands last until the next challenge. Hash of its code: {hash}",
        instead.unwrap_or_default(),
        as_of(d, at)
    ));
}

/// Why a program cannot be added to the Hill as it is now; nothing where it can.
pub(super) fn cannot_add(joust: &Tables, program: u64, removing: Option<u64>) -> Option<String> {
    let Some(added) = programs::program(joust, program) else {
        return Some("the program is not there any more".to_owned());
    };
    if let Some(why) = written_otherwise(joust, added) {
        return Some(why);
    }
    match added.status {
        Status::Held | Status::Missed { .. } | Status::Dropped { .. } => {}
        Status::Retracted => return Some(format!("the program {} was taken back", added.name)),
        Status::Waiting | Status::Queued { .. } | Status::Hill => {
            return Some(format!("the program {} is on the Hill or in the queue already", added.name));
        }
    }
    let up = |other: &&programs::Program| other.id != program && other.is_up();
    if let Some(other) =
        joust.rows::<programs::Program>().values().filter(up).find(|other| names::confusable(&other.name, &added.name))
    {
        return Some(format!("another program with its name, {}, is up", other.name));
    }
    if let Some(removing) = removing
        && place(joust, removing).is_none()
    {
        return Some(format!("{}, which it was to replace, is not on the Hill", programs::name_of(joust, removing)));
    }
    let Some(size) = hill(joust).terms.size else {
        return Some("the contract does not say how many programs the Hill holds".to_owned());
    };
    let count = joust.rows::<Place>().len() - usize::from(removing.is_some());
    (count >= size).then(|| format!("the Hill holds {} and no more", counted(size, "program")))
}

/// Brings other figures of the Hill into force. Knights of the old figures stay knights, new ones are made, and what
/// does not fit drops (J12).
pub(super) fn change_terms(d: &mut D<'_>, at: Instant, terms: Terms) {
    for (program, at) in knights::by_change(&d.tables, &terms, at) {
        d.edit::<Place>(&program, |place| place.knighted = place.knighted.or(Some(at)));
    }
    let size = terms.size;
    d.upsert::<Hill>(&(), |hill| hill.terms = terms);
    let Some(size) = size else { return };
    let surplus: Vec<u64> = ranked(&d.tables).into_iter().skip(size).map(|place| place.program).collect();
    if surplus.is_empty() {
        return;
    }
    let names: Vec<String> = surplus.iter().map(|program| programs::name_of(&d.tables, *program)).collect();
    for program in surplus.into_iter().rev() {
        take(d, program, at);
    }
    let holds = counted(size, "program");
    d.tell_all(format!("The Hill holds {holds} from now on{}: {} dropped.", as_of(d, at), names.join(", ")));
}

/// Puts the Hill in order where an undo took some of what made it as it is recorded, and some not. A program that is not
/// there leaves it, and no two have one rank.
fn mend(d: &mut D<'_>) -> bool {
    let changed = d.emitted();
    let is_gone = |program: &u64| programs::program(&d.tables, *program).is_none();
    let gone: Vec<u64> = d.rows::<Place>().keys().copied().filter(is_gone).collect();
    let at = d.at;
    for program in gone {
        take(d, program, at);
    }
    in_order(d);
    d.emitted() != changed
}

/// Puts a change of the Hill's figures on the agenda where the contract's text changed them.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    if mend(d) {
        return true;
    }
    let terms = Figures::of(&d.rules).terms();
    if !contract::contract(&d.tables).is_running() || terms == hill(&d.tables).coming {
        return false;
    }
    let notation = terms.notation.filter(|_| terms.notation != hill(&d.tables).coming.notation);
    d.upsert::<Hill>(&(), |hill| hill.coming = terms.clone());
    let at = d.at;
    tasks::schedule(d, at, phases::ACTS, Task::Terms(terms));
    if let Some(notation) = notation {
        tasks::schedule(d, at, phases::ACTS, Task::Reading(notation));
    }
    true
}

// ---- display

/// The programs on the Hill, best first.
fn show(state: &State<Joust>, now: Instant) -> Document {
    let last = last(&state.tables);
    let ranked_by = last.map(|last| last.outcome.play.scoring).filter(|scoring| !scoring.is_touches());
    let rows = ranked(&state.tables).into_iter().filter_map(|place| {
        let program = programs::program(&state.tables, place.program)?;
        let mut row = vec![
            Cell::new(place.rank.to_string()),
            programs::named(state, program),
            Cell::new(state.frame.name_of(&program.owner)),
            Cell::new(place.touches.map(|touches| touches.to_string()).unwrap_or_default()),
        ];
        if ranked_by.is_some() {
            row.push(Cell::new(place.score.as_ref().map(scoring::shown).unwrap_or_default()));
        }
        row.extend([
            Cell::new(match knights::knighthood(state, place, now) {
                Some((true, _)) => "Knight".to_owned(),
                Some((false, from)) => format!("from {}", day(from)),
                None => String::new(),
            }),
            Cell::new(day(place.since)),
        ]);
        Some(row)
    });
    let score = ranked_by.map(|scoring| scoring.word());
    let columns = ["rank", "program", "by", "touches"].into_iter().chain(score).chain(["Knight", "since"]);
    let mut document =
        Document::titled("hill", "The Hill").table_or(contract::contract(&state.tables).stands(), columns, rows);
    if let Some(last) = last {
        let name = programs::name_of(&state.tables, last.outcome.challenger);
        document = document.para(format!("After challenge {}, by {name}.", last.outcome.number));
    }
    match tasks::challenges(&state.tables).count() {
        0 => document,
        1 => document.para("One challenge waits."),
        n => document.para(format!("{n} challenges wait.")),
    }
}

#[cfg(test)]
mod tests;
