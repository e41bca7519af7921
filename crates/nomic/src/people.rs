//! People: who has a seat, and who of them plays. How one becomes a player, a law says.
//!
//! Somebody is one object, whatever e is: of the kind of players, or of that of people. Of a player who rests, the frame
//! says that e does not play.

use super::{D, Nomic};
use kernel::{
    Act, Display, Event, Game, Id, Mechanic, Path, Refusal, State, Value,
    display::{Block, Cell, Document},
    frame::Standing,
    speech::Speech,
    world::Op,
};
use kit::{args::Join, seats};
use laws::{PERSON, SUSPENDED};
use serde_json::json;

/// The kind of those who play.
pub(super) const PLAYER: &str = "player";

/// Somebody asks to play.
pub(super) const JOINED: &str = "join";
/// Somebody plays no more.
pub(super) const LEFT: &str = "leave";

/// Where the list of people stands among the displays.
const PEOPLE_PLACE: u8 = 0;

/// People as a mechanic.
pub(super) fn mechanic() -> Mechanic<Nomic> {
    Mechanic::new("people")
        .act(Act::new("join", |Join { name }, d: &mut D<'_>| join(name, d)))
        .act(Act::plain("leave", leave))
        .display(Display::new("people", |state, _| Ok(show(state))).also("players").listed(PEOPLE_PLACE))
        .warns(|state| {
            let none = (!admits(state)).then(|| NOBODY.to_owned());
            none.into_iter().collect()
        })
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                let _ = dismiss(seat, false, d);
            }
        })
}

/// What is said where no law lets anybody play.
pub(super) const NOBODY: &str = "Nobody could become a player: no law follows “join”.";

/// Whether a law follows whoever asks to play.
fn admits(state: &State<Nomic>) -> bool {
    let follows = |hook: &String| *hook == format!("after {JOINED}");
    state.rows::<laws::Enacted>().values().any(|law| law.declared.hooks.iter().any(follows))
}

/// What rules take an object for: a player who rests is none.
pub(super) fn taken_for(state: &State<Nomic>, obj: &Id) -> Option<Id> {
    let kind = state.world.kind(obj)?;
    let plays = || state.frame.seats.get(obj).is_some_and(|seat| seat.standing == Standing::Player);
    Some(if **kind == *PLAYER && !plays() { SUSPENDED.into() } else { kind.clone() })
}

/// Whether rules take somebody for something.
fn is(state: &State<Nomic>, seat: &Id, what: &str) -> bool {
    taken_for(state, seat).is_some_and(|is| *is == *what)
}

/// Refuses whoever is no player.
///
/// # Errors
///
/// What e lacks.
pub(super) fn plays(state: &State<Nomic>, seat: Option<&Id>) -> Result<(), Refusal> {
    let seat = seat.ok_or_else(Refusal::unseated)?;
    match taken_for(state, seat).as_deref() {
        Some(PLAYER) => Ok(()),
        Some(SUSPENDED) => Err(rests()),
        _ => Err(Refusal::new("only players do that, and you are none").instead("join NAME")),
    }
}

/// Refuses a player who rests.
fn rests() -> Refusal {
    Refusal::new("you are a player who rests; how that ends, the rules say").instead("show people")
}

/// Somebody asks to play, under a name. Rules follow that; without one e has a seat and does not play.
fn join(name: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    match d.actor_seat().and_then(|seat| taken_for(d, &seat)).as_deref() {
        Some(PLAYER) => return Err(Refusal::new("you are a player already").instead("show people")),
        Some(SUSPENDED) => return Err(rests()),
        _ => {}
    }
    let seat =
        seats::come(d, PLAYER, PERSON, name, |_, _| Ok(()), |d, seat, name| seats::rename(d, seat, name, "join"))?;
    Nomic::mechanics().happened(JOINED, &json!({ "by": seat }), d);
    Ok(Document::say(match admits(d) {
        true => "You ask to play. What the rules make of that is told in the channel.",
        false => "You have a seat. No law says how one becomes a player yet: “⁅rules⁆”.",
    }))
}

/// Makes a player of somebody who has a seat, or rests.
///
/// # Errors
///
/// A [`Refusal`] for whoever plays already.
pub(super) fn admit(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    if is(d, seat, PERSON) {
        recast(d, seat, PLAYER, false);
    } else if !is(d, seat, SUSPENDED) {
        return Err(Refusal::new(format!("{} is nobody who asks to play", Nomic::called(d, seat))));
    }
    seats::stand(d, seat, Standing::Player);
    Ok(())
}

/// Lets a player rest.
///
/// # Errors
///
/// A [`Refusal`] for whoever does not play.
pub(super) fn suspend(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    if !is(d, seat, PLAYER) {
        return Err(Refusal::new(format!("{} does not play", Nomic::called(d, seat))));
    }
    seats::stand(d, seat, Standing::Outsider);
    Ok(())
}

/// Ends that somebody plays, or rests.
///
/// # Errors
///
/// A [`Refusal`] for whoever does neither.
pub(super) fn dismiss(seat: &Id, keeps: bool, d: &mut D<'_>) -> Result<(), Refusal> {
    let name = Nomic::called(d, seat);
    if !is(d, seat, PLAYER) && !is(d, seat, SUSPENDED) {
        return Err(Refusal::new(format!("{name} does not play")));
    }
    recast(d, seat, PERSON, keeps);
    seats::stand(d, seat, Standing::Outsider);
    Nomic::mechanics().happened(LEFT, &json!({ "by": seat, "name": name }), d);
    Ok(())
}

/// Somebody leaves the game. Nothing bars that.
fn leave(d: &mut D<'_>) -> Result<Document, Refusal> {
    let Some(seat) = d.actor_seat() else { return Err(Refusal::new("you have no seat here").instead("join NAME")) };
    let name = Nomic::called(d, &seat);
    dismiss(&seat, false, d)?;
    d.tell_all(format!("{name} leaves the game."));
    Ok(Document::say("You are no player any more."))
}

/// Makes an object one of another kind. What it cannot have as one of that kind goes, unless it is kept for a return.
fn recast(d: &mut D<'_>, obj: &Id, kind: &str, keeps: bool) {
    if let Some(was) = d.world.kind(obj).cloned() {
        let stays =
            |path: &Path, value: &Value| d.world.def(&path.attr, kind).is_some_and(|def| def.range.holds(value));
        let all = d.world.values_of(obj).filter(|(path, value)| !keeps && !stays(path, value));
        let gone: Vec<(Path, Value)> = all.map(|(path, value)| (path.clone(), value.clone())).collect();
        d.op(Op::Destroy { obj: obj.clone(), kind: was, was: gone });
    }
    d.op(Op::Create { obj: obj.clone(), kind: kind.into() });
}

/// Everybody who plays, who rests, and who else has a seat.
fn show(state: &State<Nomic>) -> Document {
    let names = |kind: &str, what: &str| -> Vec<Cell> {
        let all = state.world.of_kind(kind).filter(|seat| is(state, seat, what));
        all.map(|seat| Cell::named(Nomic::called(state, seat))).collect()
    };
    let (players, resting, others) = (names(PLAYER, PLAYER), names(PLAYER, SUSPENDED), names(PERSON, PERSON));
    let called = |all: &Vec<Id>| all.iter().map(|seat| Nomic::called(state, seat)).collect::<Vec<_>>().join(", ");
    let offices = laws::offices(state);
    let offices = offices.iter().map(|(office, all)| vec![Cell::new(office.clone()), Cell::new(called(all))]);
    let offices: Vec<Vec<Cell>> = offices.collect();
    let document = Document::titled("people", "People");
    let document = match players.is_empty() {
        true => document.para("Nobody plays yet. “⁅join⁆” asks to."),
        false => document.para("Players:").with(Block::List(players)),
    };
    let further = [("Resting:", resting), ("With a seat:", others)].into_iter().filter(|(_, all)| !all.is_empty());
    let document = further.fold(document, |page, (head, all)| page.para(head).with(Block::List(all)));
    if offices.is_empty() { document } else { document.with(Block::table(["Office", "Holder"], offices)) }
}
