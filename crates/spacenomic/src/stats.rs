//! Things that rules and proposals can name (S11): players with their attributes, and the list of encouraged things.
//!
//! Space is a graph and no set of attributes (`space`). State that no rule names stays in the tables of its mechanic.

use super::{
    game::{D, Spacenomic},
    law::{Thing, established},
};
use kernel::{
    Id, Num, Refusal, State, Value,
    speech::Speech,
    world::{Attr, AttrDef, Op, Path, Range},
};

/// The kind of a player's object.
pub(super) const PLAYER: &str = "player";
/// The kind of somebody who was a player once (S8).
pub(super) const FORMER: &str = "former";
/// The kind of somebody who has a seat and never was a player.
pub(super) const OUTSIDER: &str = "outsider";
/// Who has an account: players, and former ones, whose money is kept out of play until a proposal changes it (S43, X10).
const WITH_ACCOUNT: &str = "player or former";

/// The money of a player or of a former one (S63).
pub(super) const ACCOUNT: Attr<Num> = Attr::new("account");
/// Whether a player is active (S75).
pub(super) const ACTIVE: Attr<bool> = Attr::new("active");
/// Where a player is: the coordinates of a vertex, or nowhere (S38).
pub(super) const LOCATION: Attr<String> = Attr::new("location");
/// The word for where a player is who is on no vertex.
pub(super) const NOWHERE: &str = "nowhere";
/// Whether a player is mirrored (S42).
pub(super) const MIRRORED: Attr<bool> = Attr::new("mirrored");
/// What the point maps a player to (S91).
pub(super) const POINT: Attr<Num> = Attr::new("point");

/// The kind of the game's own object, and its one object.
pub(super) const GAME: &str = "game";
/// The game.
pub(super) const THE_GAME: &str = "game/main";
/// The things that players are encouraged to do (S37).
pub(super) const ENCOURAGED: Attr<Vec<Value>> = Attr::new("encouraged");

/// Most encouraged things: a list of them is still read.
const ENCOURAGED_MAX_COUNT: u32 = 200;

/// The attributes that the game's own code plays by: no directive undefines them.
pub(super) const DECLARED: [&str; 6] = [ACCOUNT.id, ACTIVE.id, LOCATION.id, MIRRORED.id, POINT.id, ENCOURAGED.id];

/// Refuses a change of what no rule in effect has any more: then it is no part of the gamestate (S11).
///
/// # Errors
///
/// A [`Refusal`] that says which.
pub(super) fn in_play(state: &State<Spacenomic>, attr: &str) -> Result<(), Refusal> {
    let thing = match attr {
        _ if attr == ACCOUNT.id => Thing::Money,
        _ if attr == ACTIVE.id => Thing::Activity,
        _ if attr == LOCATION.id => Thing::Locations,
        _ if attr == MIRRORED.id => Thing::LocationList,
        _ if attr == POINT.id => Thing::Point,
        _ => return Ok(()),
    };
    established(&state.rules, thing)
}

/// Defines the attributes, with the rules that they belong to.
pub(super) fn define(d: &mut D<'_>) {
    let whole = |min: i64| Range::Num { min: Some(min.into()), max: None, whole: true };
    let number = Range::Num { min: None, max: None, whole: false };
    let things = Range::List { of: Box::new(Range::Text), min_len: 0, max_len: ENCOURAGED_MAX_COUNT };
    for (id, scope, range, default, by) in [
        (ACCOUNT.id, WITH_ACCOUNT, number, Value::Num(0.into()), "money"),
        (ACTIVE.id, PLAYER, Range::Bool, Value::Bool(true), "activity"),
        (LOCATION.id, PLAYER, Range::Text, Value::Text(NOWHERE.to_owned()), "locations"),
        (MIRRORED.id, PLAYER, Range::Bool, Value::Bool(false), "location-changes"),
        (POINT.id, PLAYER, whole(1), Value::Num(1.into()), "the-point"),
        (ENCOURAGED.id, GAME, things, Value::List(Vec::new()), "encouragement"),
    ] {
        d.op(Op::Define(AttrDef { id: id.into(), scope: scope.into(), range, default, by: Some(by.into()) }));
    }
    d.op(Op::Create { obj: THE_GAME.into(), kind: GAME.into() });
}

/// Makes an object one of another kind. Its account stays, where it has one, and what rules of players gave it: whoever
/// leaves and returns mints nothing and cancels no debt (S65, S70).
pub(super) fn recast(d: &mut D<'_>, obj: &Id, kind: &str) {
    let values: Vec<(Path, Value)> =
        d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
    let mut kept = Vec::new();
    if let Some(was) = d.world.kind(obj).cloned() {
        let stays = |attr: &str| *was != *OUTSIDER && (attr == ACCOUNT.id || !DECLARED.contains(&attr));
        kept.extend(values.iter().filter(|(at, _)| stays(&at.attr)).cloned());
        d.op(Op::Destroy { obj: obj.clone(), kind: was, was: values });
    }
    d.op(Op::Create { obj: obj.clone(), kind: kind.into() });
    for (at, to) in kept {
        // The rule may have been amended meanwhile.
        if d.world.def_at(&at).is_none_or(|def| def.range.holds(&to)) {
            let was = d.world.value(&at);
            d.op(Op::Set { at, to, was });
        }
    }
}

/// What somebody or something is called.
pub(super) fn called(state: &State<Spacenomic>, obj: &Id) -> String {
    Spacenomic::called(state, obj)
}
