//! Acts of owners of vertices (S68, S69): taking the vertex where one stands for money, and handing one on.
//!
//! A vertex with an owner is never sold. The owner of each vertex stands in `space`; proposals change owners in
//! `build`.

use super::{
    activity,
    figures::VERTEX_PRICE,
    game::{D, Spacenomic},
    law::Thing,
    location,
    money::{self, mixed},
    moves::stir::poorer,
    roster::{self, player},
    space::{self, GOD, own, owner_called, player_owned},
    stats::called,
};
use kernel::{Act, Id, Mechanic, Refusal, display::Document};

// ---- the mechanic

/// Owners as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let (space, owners) = (Thing::Space.word(), Thing::Owners.word());
    let take = Act::plain("buy_vertex", buy).by(space).by(owners).by(Thing::Money.word());
    let hand_on = Act::new("give_vertex", |GiveVertex { vertex, to }, d: &mut D<'_>| give(&vertex, &to, d));
    Mechanic::new("owners")
        .act(take.player().public("vertex buy"))
        .act(hand_on.by(space).by(owners).player().public("vertex give (1, 2) to NAME"))
}

kit::args! {
    /// The arguments of `give_vertex` (S68).
    GiveVertex { vertex: String, to: String }
}

// ---- decide

/// A player takes the vertex that e stands on from an owner who is no player (S69, S70): all of it or nothing.
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, elsewhere, for a player's vertex, and for whoever cannot pay.
fn buy(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let by = Thing::Owners.rule(&d.rules);
    let Some(at) = location::of(d, &me) else {
        return Err(Refusal::new("you are nowhere, and a vertex is taken from where one stands")
            .by(by)
            .instead("show space"));
    };
    let owner = space::of(d).owner(at).cloned().unwrap_or_else(|| GOD.into());
    if player_owned(d, &owner) {
        let say = format!("{at} belongs to {}, and no rule sells what a player owns", called(d, &owner));
        return Err(Refusal::new(say).by(by).instead("show space"));
    }
    let price = d.rules.need(&VERTEX_PRICE)?;
    money::spend(d, &me, &price)?;
    own(d, at, Some(me.clone()));
    activity::acted(d, &me);
    let name = called(d, &me);
    d.tell_all(format!("{name} transfers {} to nowhere and owns {at}.", mixed(&price)));
    poorer(d, &me, "What you paid");
    Ok(Document::say(format!("{at} is yours.")))
}

/// A player hands a vertex of eirs on, to a player or to god (S68), from anywhere.
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, for what e does not own, and for whom it cannot go to.
fn give(words: &str, to: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let by = Thing::Owners.rule(&d.rules);
    let at = space::named(d, words)?;
    if space::of(d).owner(at) != Some(&me) {
        return Err(Refusal::new(format!("{at} is not yours")).by(by).instead("show space"));
    }
    let to: Id = if to.trim().eq_ignore_ascii_case(GOD) {
        GOD.into()
    } else {
        roster::by_name(d, to).map_err(|refusal| Refusal { rule: Some(by.clone()), ..refusal })?
    };
    if to == me {
        return Err(Refusal::new(format!("{at} is yours already")).by(by).instead("show space"));
    }
    own(d, at, Some(to.clone()));
    activity::acted(d, &me);
    let (mine, theirs) = (called(d, &me), owner_called(d, &to));
    d.tell_all(format!("{mine} gives {at} to {theirs}."));
    Ok(Document::say("Done."))
}
