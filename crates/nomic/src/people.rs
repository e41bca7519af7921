//! People: who has a seat, and who of them plays. How one becomes a player, a law says.

use super::{D, Nomic};
use kernel::{
    Act, Display, Event, Game, Id, Mechanic, Path, Refusal, State, Value,
    display::{Block, Cell, Document},
    frame::Standing,
    speech::Speech,
    world::Op,
};
use kit::{args::Join, seats};
use serde_json::json;

/// The kind of those who play.
pub(super) const PLAYER: &str = "player";
/// The kind of those who have a seat and do not play.
pub(super) const PERSON: &str = "person";

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
                let _ = dismiss(seat, d);
            }
        })
}

/// What is said where no law lets anybody play.
const NOBODY: &str = "Nobody could become a player: no law follows “join”.";

/// Whether a law follows whoever asks to play.
fn admits(state: &State<Nomic>) -> bool {
    let follows = |hook: &String| *hook == format!("after {JOINED}");
    state.rows::<laws::Enacted>().values().any(|law| law.declared.hooks.iter().any(follows))
}

/// Whether a seat is a player's.
pub(super) fn is_player(state: &State<Nomic>, seat: Option<&Id>) -> bool {
    seat.and_then(|seat| state.world.kind(seat)).is_some_and(|kind| **kind == *PLAYER)
}

/// Somebody asks to play, under a name. Rules follow that; without one e has a seat and does not play.
fn join(name: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    if is_player(d, d.actor_seat().as_ref()) {
        return Err(Refusal::new("you are a player already").instead("show people"));
    }
    let seat =
        seats::come(d, PLAYER, PERSON, name, |_, _| Ok(()), |d, seat, name| seats::rename(d, seat, name, "join"))?;
    Nomic::mechanics().happened(JOINED, &json!({ "by": seat }), d);
    Ok(Document::say(match admits(d) {
        true => "You ask to play. What the rules make of that is told in the channel.",
        false => "You have a seat. No law says how one becomes a player yet: “⁅rules⁆”.",
    }))
}

/// Makes a player of somebody who has a seat.
///
/// # Errors
///
/// A [`Refusal`] for whoever plays already.
pub(super) fn admit(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    if d.world.kind(seat).is_none_or(|kind| **kind != *PERSON) {
        return Err(Refusal::new(format!("{} is nobody who asks to play", Nomic::called(d, seat))));
    }
    recast(d, seat, PLAYER);
    seats::stand(d, seat, Standing::Player);
    Ok(())
}

/// Ends that somebody plays.
///
/// # Errors
///
/// A [`Refusal`] for whoever does not play.
pub(super) fn dismiss(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    if !is_player(d, Some(seat)) {
        return Err(Refusal::new(format!("{} does not play", Nomic::called(d, seat))));
    }
    let name = Nomic::called(d, seat);
    recast(d, seat, PERSON);
    seats::stand(d, seat, Standing::Outsider);
    Nomic::mechanics().happened(LEFT, &json!({ "by": seat, "name": name }), d);
    Ok(())
}

/// Somebody leaves the game. Nothing bars that.
fn leave(d: &mut D<'_>) -> Result<Document, Refusal> {
    let Some(seat) = d.actor_seat() else { return Err(Refusal::new("you have no seat here").instead("join NAME")) };
    let name = Nomic::called(d, &seat);
    dismiss(&seat, d)?;
    d.tell_all(format!("{name} leaves the game."));
    Ok(Document::say("You are no player any more."))
}

/// Makes an object one of another kind. What it had as one of the kind before goes.
fn recast(d: &mut D<'_>, obj: &Id, kind: &str) {
    if let Some(was) = d.world.kind(obj).cloned() {
        let values: Vec<(Path, Value)> =
            d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
        d.op(Op::Destroy { obj: obj.clone(), kind: was, was: values });
    }
    d.op(Op::Create { obj: obj.clone(), kind: kind.into() });
}

/// Everybody who plays, and who else has a seat.
fn show(state: &State<Nomic>) -> Document {
    let names = |kind: &str| -> Vec<Cell> {
        state.world.of_kind(kind).map(|seat| Cell::named(Nomic::called(state, seat))).collect()
    };
    let (players, others) = (names(PLAYER), names(PERSON));
    let called = |all: &Vec<Id>| all.iter().map(|seat| Nomic::called(state, seat)).collect::<Vec<_>>().join(", ");
    let offices = laws::offices(state);
    let offices = offices.iter().map(|(office, all)| vec![Cell::new(office.clone()), Cell::new(called(all))]);
    let offices: Vec<Vec<Cell>> = offices.collect();
    let document = Document::titled("people", "People");
    let document = match players.is_empty() {
        true => document.para("Nobody plays yet. “⁅join⁆” asks to."),
        false => document.para("Players:").with(Block::List(players)),
    };
    let document = if others.is_empty() { document } else { document.para("With a seat:").with(Block::List(others)) };
    if offices.is_empty() { document } else { document.with(Block::table(["Office", "Holder"], offices)) }
}
