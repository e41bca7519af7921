//! Publishing code: by duty after an unbroken month on the Hill, by the submitter at any time (seed 000, J31 to J35).
//!
//! The game never holds a code: it publishes a document with a place for something sealed, and the service puts the
//! text there. A submitter of a dropped program is asked (J32) where programs drop, in `hill`.

use super::{
    contract, figures,
    game::{D, Joust, Tables},
    phases,
    places::{self, Place},
    programs::{self, Status},
    reading::Figures,
    tasks::{self, Task, as_of},
};
use kernel::{
    Act, Instant, Mechanic, Phase, Refusal, State,
    display::Document,
    entry::{Audience, Due},
    mechanic::{Fate, Lapse},
    rulebook::Rulebook,
    time::minute,
};

/// What the key of a due publication begins with; the program's number follows.
const KEY: &str = "reveal/";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let reveal = Act::new("reveal", |Reveal { name }, d| reveal(&name, d)).player();
    let month = Phase::new(phases::REVEAL, dues, |due, d| self::due(&due, d));
    Mechanic::new("reveal")
        .act(reveal.about(|Reveal { name }, state| programs::meant(&name, state)).binds(programs::numbered))
        .phase(month.lapse(|due, d| lapse(&due, d)).fate(lapses))
}

kit::args! {
    /// The arguments of `reveal` (J34).
    Reveal { name: String }
}

// ---- decide

/// A submitter publishes eir own code (J34); the contestmaster that of the house, which is eirs.
///
/// # Errors
///
/// A [`Refusal`] where it is not the actor's, or there is nothing left to publish.
fn reveal(name: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let actor = d.actor()?;
    let program = programs::need(&d.tables, name)?.clone();
    let shown = format!("joust program {}", programs::handle(&d.tables, &program));
    if program.owner != actor {
        let owner = d.frame.name_of(&program.owner);
        return Err(Refusal::new(format!(
            "the program {} is by {owner}, and only its submitter may show it",
            program.name
        ))
        .by("REVEALING, J35")
        .instead(shown));
    }
    if let Some(at) = program.revealed {
        return Err(Refusal::new(format!("the code of {} is public since {}", program.name, minute(at))).instead(shown));
    }
    if program.status == Status::Retracted {
        return Err(Refusal::new(format!(
            "the program {} was taken back, and nobody reads its text any more",
            program.name
        )));
    }
    let at = d.at;
    show(d, &program, at, "its submitter shows its code (REVEALING, 3)");
    Ok(Document::say(format!("The code of {} is public now.", program.name)))
}

/// Publishes the code of a program whose month is over, if it is still there as it was (J31, J77).
pub(super) fn publish(d: &mut D<'_>, at: Instant, program: u64, since: Instant) {
    let stays = places::place(&d.tables, program).is_some_and(|place| place.since == since);
    let Some(program) =
        programs::program(&d.tables, program).filter(|program| stays && program.revealed.is_none()).cloned()
    else {
        return;
    };
    let why = format!("on the Hill without a break since {} (REVEALING, 1){}", minute(since), as_of(d, at));
    show(d, &program, at, &why);
}

fn show(d: &mut D<'_>, program: &programs::Program, at: Instant, why: &str) {
    let title = format!("{} by {}", program.name, programs::by(d, program));
    d.edit::<programs::Program>(&program.id, |program| program.revealed = Some(at));
    let document = Document::titled(String::new(), title).para(format!("{}: {why}.", program.name));
    d.say(Audience::Public, document.with(programs::code(program)));
}

// ---- due

/// The publications that are due, of programs on the Hill whose code is not public yet.
pub(super) fn coming(joust: &Tables, rules: &Rulebook) -> Vec<(Instant, u64)> {
    let Ok(months) = Figures::of(rules).count(&figures::REVEAL_MONTHS) else { return Vec::new() };
    let hidden =
        |place: &&Place| programs::program(joust, place.program).is_some_and(|program| program.revealed.is_none());
    let month_over = |place: &Place| Some((places::month_over(place, months)?, place.program));
    // What falls due after the end of the contract is nobody's duty any more (J6).
    let is_duty = |(at, _): &(Instant, u64)| contract::contract(joust).ended().is_none_or(|end| *at <= end);
    joust.rows::<Place>().values().filter(hidden).filter_map(month_over).filter(is_duty).collect()
}

fn dues(state: &State<Joust>) -> Vec<Due> {
    let due = |(at, program)| Due { at, rank: phases::REVEAL, key: format!("{KEY}{program}").into() };
    coming(&state.tables, &state.rules).into_iter().map(due).collect()
}

/// A month is over: the publication goes on the agenda.
fn due(due: &Due, d: &mut D<'_>) {
    if let Some(program) = due.key.strip_prefix(KEY).and_then(|program| program.parse().ok()) {
        call(d, due.at, program);
    }
}

/// Puts a publication on the agenda.
pub(super) fn call(d: &mut D<'_>, at: Instant, program: u64) {
    let Some(since) = places::place(&d.tables, program).map(|place| place.since) else { return };
    d.edit::<Place>(&program, |place| place.reveal_called = true);
    tasks::schedule(d, at, phases::REVEAL, Task::Reveal { program, since });
}

/// The month was over inside a moderator's pause. The contract orders the publication without a limit of time, so that it
/// follows when the room goes on.
fn lapse(due: &Due, d: &mut D<'_>) {
    if let Some(program) = due.key.strip_prefix(KEY).and_then(|program| program.parse().ok()) {
        let at = d.at;
        call(d, at, program);
    }
}

/// Such a publication in words.
fn lapses(state: &State<Joust>, due: &Due) -> Lapse {
    let program = due.key.strip_prefix(KEY).and_then(|program| program.parse().ok()).unwrap_or_default();
    Lapse { what: format!("the publication of {}", programs::name_of(&state.tables, program)), fate: Fate::Late }
}

#[cfg(test)]
mod tests;
