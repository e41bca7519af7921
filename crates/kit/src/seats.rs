//! How a person takes a seat: a name that nobody can take for another's, and an object of the world to go with it.
//!
//! Every game seats people, on conditions that stand with its own mechanic.

use kernel::names::confusable;
use kernel::{
    Draft, Game, Id, Refusal,
    frame::{FrameFact, Standing},
    world::Op,
};

/// Seats whoever acts under a name, as an object of a kind (`player`), and gives the seat.
///
/// # Errors
///
/// A [`Refusal`] where there is no name, or it can be taken for somebody else's.
pub fn take<G: Game>(d: &mut Draft<'_, G>, kind: &str, name: &str, standing: Standing) -> Result<Id, Refusal> {
    take_among(d, kind, kind, name, standing)
}

/// The same with an id that begins with a family, and not with the object's kind: with what the person may become.
///
/// # Errors
///
/// As [`take`].
pub fn take_among<G: Game>(
    d: &mut Draft<'_, G>,
    family: &str,
    kind: &str,
    name: &str,
    standing: Standing,
) -> Result<Id, Refusal> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Refusal::new("you need a name here").instead("join NAME"));
    }
    free(d, name)?;
    let base = slug(name);
    let unused = |id: &String| !d.frame.seats.contains_key(id.as_str()) && !d.world.exists(id);
    let ids = (1_u32..).map(|n| match n {
        1 => format!("{family}/{base}"),
        n => format!("{family}/{base}-{n}"),
    });
    let seat: Id = ids.into_iter().find(unused).expect("there are more numbers than seats").into();
    let fact = FrameFact::Seated {
        seat: seat.clone(),
        name: name.to_owned(),
        person: d.doer.person.clone(),
        standing,
        at: d.at,
    };
    d.frame_fact(fact);
    d.op(Op::Create { obj: seat.clone(), kind: kind.into() });
    Ok(seat)
}

/// The seat of whoever comes in: the one that there is, under another name where one is given and `again` allows it.
/// Else it is a new one of an outsider, as an object of a kind among a family, under a name that `may` allows.
///
/// # Errors
///
/// As [`take`], `may` and `again`.
pub fn come<G: Game>(
    d: &mut Draft<'_, G>,
    family: &str,
    kind: &str,
    name: Option<String>,
    may: impl Fn(&Draft<'_, G>, &str) -> Result<(), Refusal>,
    again: impl FnOnce(&mut Draft<'_, G>, Id, &str) -> Result<(), Refusal>,
) -> Result<Id, Refusal> {
    let Some(seat) = d.actor_seat() else {
        let name = name.unwrap_or_else(|| d.doer.name.clone());
        may(d, &name)?;
        return take_among(d, family, kind, &name, Standing::Outsider);
    };
    if let Some(other) = name.filter(|name| !name.trim().eq_ignore_ascii_case(d.frame.name_of(&seat))) {
        again(d, seat.clone(), &other)?;
    }
    Ok(seat)
}

/// Makes a seat a player's or an outsider's, where it is not.
pub fn stand<G: Game>(d: &mut Draft<'_, G>, seat: &Id, standing: Standing) {
    if let Some(was) = d.frame.seats.get(seat).map(|seat| seat.standing).filter(|was| *was != standing) {
        d.frame_fact(FrameFact::Stands { seat: seat.clone(), standing, was });
    }
}

/// Gives the seat of somebody who was forgotten and came back a name again. No other seat changes its name, and the
/// line that does without is told.
///
/// # Errors
///
/// A [`Refusal`] for every other seat, and where the name can be taken for somebody else's.
pub fn rename<G: Game>(d: &mut Draft<'_, G>, seat: Id, name: &str, line: &str) -> Result<(), Refusal> {
    if !d.frame.is_nameless(&seat) {
        let was = d.frame.name_of(&seat);
        return Err(Refusal::new(format!("you have a seat here as {was}, and it keeps that name")).instead(line));
    }
    call(d, seat, name)
}

/// Gives a seat another name, and tells everybody; whether it may have one is the game's to say.
///
/// # Errors
///
/// A [`Refusal`] where the name can be taken for somebody else's.
pub fn call<G: Game>(d: &mut Draft<'_, G>, seat: Id, name: &str) -> Result<(), Refusal> {
    let (was, name) = (d.frame.name_of(&seat).to_owned(), name.trim().to_owned());
    if let Some(held) = d.frame.seats.iter().find(|(other, held)| **other != seat && confusable(&held.name, &name)) {
        return Err(taken(&held.1.name));
    }
    d.tell_all(format!("The seat of {was} is called {name} from now on."));
    d.frame_fact(FrameFact::Named { seat, name, was });
    Ok(())
}

/// Refuses a name that can be taken for the one of a seat.
///
/// # Errors
///
/// A [`Refusal`] that says whose.
pub fn free<G: Game>(d: &Draft<'_, G>, name: &str) -> Result<(), Refusal> {
    match d.frame.seats.values().find(|seat| confusable(&seat.name, name)) {
        None => Ok(()),
        Some(held) => Err(taken(&held.name)),
    }
}

fn taken(held: &str) -> Refusal {
    Refusal::new(format!("the name {held} is taken here, and yours could be mistaken for it")).instead("join NAME")
}

/// The part of an id that comes from a name: lower case, and `-` for whatever a path could stumble over.
fn slug(name: &str) -> String {
    let plain = |char: char| if char.is_alphanumeric() || char == '_' { char } else { '-' };
    let slug: String = name.to_lowercase().chars().map(plain).collect();
    if slug.is_empty() { "seat".to_owned() } else { slug }
}
