//! Who is a Player, and who an Outsider (4E3, 4E4).
//!
//! Requests are answered in `super`.

use serde::{Deserialize, Serialize};

use super::names::unreserved;
use crate::{
    game::{BNomic, D},
    law::{Thing, established},
    stats::{OUTSIDER, PLAYER, VESTED, called},
};
use kernel::{Id, Refusal, State, frame::Standing, table::Row};
use kit::seats;
pub(crate) use laws::player;

/// The act by which somebody asks to become a Player.
pub(crate) const JOIN: &str = "join";

// ---- state

/// Under which names the first Players come, whom the moderator named at the opening (B4.11).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Founders {
    /// Who is still to come.
    pub(crate) names: Vec<String>,
}

impl Row<BNomic> for Founders {
    type Key = ();
    const TABLE: &'static str = "founders";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        match is.map(|founders| founders.names.join(", ")).filter(|names| !names.is_empty()) {
            Some(names) => format!("founders who are still to come: {names}"),
            None => "no founder is still to come".to_owned(),
        }
    }
}

impl Row<BNomic> for Request {
    type Key = Id;
    const TABLE: &'static str = "requests";

    fn told(who: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let name = called(state, who);
        let Some(is) = is else { return format!("the request of {name} is over") };
        if was.is_none() {
            return format!("{name} asks to be a Player");
        }
        let names = |all: &[Id]| all.iter().map(|id| called(state, id)).collect::<Vec<_>>().join(", ");
        let by = |what: &str, all: &[Id]| (!all.is_empty()).then(|| format!("{what} by {}", names(all)));
        let stands: Vec<String> =
            [by("ratified", &is.ratified), by("rejected", &is.rejected)].into_iter().flatten().collect();
        if stands.is_empty() { String::new() } else { format!("the request of {name}: {}", stands.join(", ")) }
    }
}

/// A request to become a Player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Request {
    /// Midnights of the room when it was made.
    pub(crate) rdays: u64,
    /// Who ratified it.
    pub(crate) ratified: Vec<Id>,
    /// Who rejected it.
    pub(crate) rejected: Vec<Id>,
}

/// Whether an object is a Player now.
pub(crate) fn is_player(state: &State<BNomic>, id: &str) -> bool {
    state.world.kind(id).is_some_and(|kind| **kind == *PLAYER)
}

/// All Players, the Beast included (B4.10).
pub(crate) fn players(state: &State<BNomic>) -> impl Iterator<Item = &Id> {
    state.world.of_kind(PLAYER)
}

/// Whether a Player is Vested.
pub(crate) fn is_vested(state: &State<BNomic>, player: &Id) -> bool {
    state.world.get(&VESTED, player).unwrap_or_default()
}

/// Whether somebody votes on proposals: every Player (4E20).
pub(crate) fn is_voter(state: &State<BNomic>, id: &str) -> bool {
    established(&state.rules, Thing::Suffrage).is_ok() && is_player(state, id)
}

// ---- guards

/// Refuses whoever is no Player.
///
/// # Errors
///
/// A [`Refusal`] for outsiders, which says how to become one.
pub(crate) fn plays(state: &State<BNomic>, seat: Option<&Id>) -> Result<(), Refusal> {
    let by = Thing::Players.rule(&state.rules);
    match seat {
        Some(seat) if is_player(state, seat) => Ok(()),
        Some(seat) if state.rows::<Request>().contains_key(seat) => {
            Err(Refusal::new("you asked to join and are no Player yet").by(by).instead("show requests"))
        }
        _ => Err(Refusal::new("only Players do that, and you are none").by(by).instead("join NAME")),
    }
}

/// A Player that somebody names, not oneself where `me` is given.
///
/// # Errors
///
/// A [`Refusal`] where the named one is none.
pub(crate) fn other(d: &D<'_>, named: &Id, me: Option<&Id>) -> Result<Id, Refusal> {
    if Some(named) == me {
        return Err(Refusal::new("that is yourself; name another Player").instead("show society"));
    }
    if is_player(d, named) {
        return Ok(named.clone());
    }
    Err(Refusal::new(format!("{} is no Player", called(d, named)))
        .by(Thing::Players.rule(&d.rules))
        .instead("show society"))
}

// ---- decide

/// The seat of who acts: whoever has none gets one as an outsider (B3.1).
///
/// # Errors
///
/// A [`Refusal`] where the name that it would get is taken.
pub(crate) fn outsider(d: &mut D<'_>) -> Result<Id, Refusal> {
    match d.actor_seat() {
        Some(seat) => Ok(seat),
        None => newcomer(d, None),
    }
}

pub(crate) fn newcomer(d: &mut D<'_>, name: Option<String>) -> Result<Id, Refusal> {
    let name = name.unwrap_or_else(|| d.doer.name.clone());
    unreserved(d, &name)?;
    seats::take_among(d, PLAYER, OUTSIDER, &name, Standing::Outsider)
}
