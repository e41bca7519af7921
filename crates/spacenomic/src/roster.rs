//! Players, applicants, and those who consent to the end (S7 to S9): the rows, and questions about them.
//!
//! Nothing here changes anything. Players come and go in `players`.

use serde::{Deserialize, Serialize};

use super::{
    game::Spacenomic,
    law::Thing,
    stats::{FORMER, PLAYER, called},
};
use kernel::{
    Id, Instant, Refusal, Row, State,
    directives::{Names, syntax::unquote, wording::folded},
};
pub(super) use laws::player;

/// That somebody asks to become a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Request {
    pub(super) since: Instant,
}

impl Row<Spacenomic> for Request {
    type Key = Id;
    const TABLE: &'static str = "requests";

    fn told(seat: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        format!("{} {}", called(state, seat), if is.is_some() { "asks to become a player" } else { "no longer asks" })
    }
}

/// That a player consents to the end: bookkeeping and no gamestate (S9, S11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Consent {
    pub(super) since: Instant,
}

impl Row<Spacenomic> for Consent {
    type Key = Id;
    const TABLE: &'static str = "consents";

    fn told(player: &Id, _: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        let does = if is.is_some() { "consents" } else { "does not consent" };
        format!("{} {does} to the end", called(state, player))
    }
}

/// Whether an object is a player now.
pub(super) fn is_player(state: &State<Spacenomic>, id: &str) -> bool {
    state.world.kind(id).is_some_and(|kind| **kind == *PLAYER)
}

/// All players.
pub(super) fn players(state: &State<Spacenomic>) -> impl Iterator<Item = &Id> {
    state.world.of_kind(PLAYER)
}

/// The players who have not consented, inactive ones too (S9).
pub(super) fn missing(state: &State<Spacenomic>) -> Vec<Id> {
    players(state).filter(|id| state.row::<Consent>(id).is_none()).cloned().collect()
}

// ---- guards

/// Refuses whoever is no player.
///
/// # Errors
///
/// A [`Refusal`] for everybody else, which says how to become one.
pub(super) fn plays(state: &State<Spacenomic>, seat: Option<&Id>) -> Result<(), Refusal> {
    let by = Thing::Players.rule(&state.rules);
    match seat {
        Some(seat) if is_player(state, seat) => Ok(()),
        Some(seat) if state.row::<Request>(seat).is_some() => {
            Err(Refusal::new("you asked to join, and no player has admitted you yet").by(by).instead("show requests"))
        }
        _ => Err(Refusal::new("only players do that, and you are none").by(by).instead("join NAME")),
    }
}

/// A player that somebody names.
///
/// # Errors
///
/// A [`Refusal`] where the named one is none.
pub(super) fn named(state: &State<Spacenomic>, id: &Id) -> Result<Id, Refusal> {
    if is_player(state, id) {
        return Ok(id.clone());
    }
    let say = format!("{} is no player", called(state, id));
    Err(Refusal::new(say).by(Thing::Players.rule(&state.rules)).instead("show people"))
}

/// A player or a former one, as directives name em: whoever can be the owner of a vertex (S67).
///
/// # Errors
///
/// A [`Refusal`] where nobody is called so, or only somebody who was never a player.
pub(super) fn entity(state: &State<Spacenomic>, words: &str) -> Result<Id, Refusal> {
    let id = seat_of(state, words)?;
    if state.world.kind(&id).is_some_and(|kind| **kind == *FORMER) { Ok(id) } else { named(state, &id) }
}

/// Whoever directives name: `Ann`, `player "Ann Lee"`.
///
/// # Errors
///
/// A [`Refusal`] where nobody is called so.
pub(super) fn seat_of(state: &State<Spacenomic>, words: &str) -> Result<Id, Refusal> {
    let words = words.trim();
    let head = words.get(.."player ".len()).filter(|head| head.eq_ignore_ascii_case("player "));
    Spacenomic::find(state, unquote(head.map_or(words, |head| &words[head.len()..])))
}

/// A player by name, as a word.
///
/// # Errors
///
/// A [`Refusal`] where nobody is called so, or only somebody who is no player.
pub(super) fn by_name(state: &State<Spacenomic>, name: &str) -> Result<Id, Refusal> {
    let name = name.trim();
    let found = state.frame.seats.iter().find(|(_, seat)| folded(&seat.name) == folded(name));
    match found {
        Some((id, _)) => named(state, id),
        None => {
            let shown: String = name.chars().take(40).collect();
            let say = format!("nobody here is called “{shown}”");
            Err(Refusal::new(say).by(Thing::Players.rule(&state.rules)).instead("show people"))
        }
    }
}
