//! Notices to movers when something changes on which a move that they have set may hang (S61).
//!
//! Nobody but its mover knows a move, not even the program before the evaluation. So each mover is told alone what may
//! bear on it, and looks. Moves of a mover who left, or of a rule that is gone, are void at once and need no notice.

use super::{
    kind::Kind,
    sealed::{is_gone, kinds, set_by, set_of, tell},
};
use crate::{
    figures::ADJACENCY_REACH,
    game::{D, Spacenomic},
    law::Thing,
    location,
    roster::{is_player, players},
    space,
};
use kernel::{Id, Num, State};

/// Tells whoever has a move set that something was changed on which it may hang. What it is nobody but em knows, and it
/// blocks everybody's if it cannot be executed any more (S61).
pub(in super::super) fn stirred(d: &mut D<'_>, before: &State<Spacenomic>, why: &str) {
    let places = |state: &State<Spacenomic>| -> Vec<_> {
        players(state).map(|player| (player.clone(), location::of(state, player))).collect()
    };
    let places = space::of(before) != space::of(d) || places(before) != places(d);
    let anything = places || before.world != d.world;
    let is_stirred = |kind: &Kind| {
        let looked_at = if kind.thing().is_some() { places } else { anything };
        // What is void is told as such.
        !is_gone(d, kind) && (looked_at || bearing(before, kind) != bearing(d, kind))
    };
    let movers: Vec<(Kind, Id)> = kinds(d)
        .into_iter()
        .filter(|kind| is_stirred(kind))
        .flat_map(|kind| set_of(d, kind).map(|(player, _)| (kind.clone(), player.clone())))
        .filter(|(_, player)| is_player(d, player))
        .collect();
    for (kind, player) in movers {
        tell_stirred(d, &player, &kind, why);
    }
}

/// The same of a player who has less money now: a move that a rule invented may spend what e had.
pub(in super::super) fn poorer(d: &mut D<'_>, player: &Id, why: &str) {
    let mine = kinds(d).into_iter().filter(|kind| kind.thing().is_none() && set_by(d, kind, player).is_some());
    let kinds: Vec<Kind> = mine.filter(|kind| !is_gone(d, kind)).cloned().collect();
    for kind in kinds {
        tell_stirred(d, player, &kind, why);
    }
}

fn tell_stirred(d: &mut D<'_>, player: &Id, kind: &Kind, why: &str) {
    let say = format!(
        "{why} may change what becomes of your {} move: “⁅show yours⁆”, in private, says whether it could be executed.",
        kind.word()
    );
    tell(d, player, say);
}

/// The rules by which moves of a type are judged, with their revisions, and the reach that the rules give.
fn bearing(state: &State<Spacenomic>, kind: &Kind) -> (Vec<(Id, u32)>, Option<Num>) {
    let things = [Some(Thing::Evaluation), kind.list()].into_iter().flatten().chain(kind.about().iter().copied());
    let rules = things.filter_map(|thing| state.rules.establishes(thing.word()).and_then(|id| state.rules.get(id)));
    let rules = rules.chain(kind.rule(&state.rules)).map(|rule| (rule.id().clone(), rule.revision()));
    (rules.collect(), state.rules.live(&ADJACENCY_REACH).ok())
}
