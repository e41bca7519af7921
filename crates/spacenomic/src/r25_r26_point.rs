//! The point (S91, S92): the positive integer that each player is mapped to, and incrementing it.
//!
//! The value itself is an attribute that a proposal can set.

use super::{
    game::{D, Spacenomic},
    law::Thing,
    roster::{named, players, seat_of},
    stats::{POINT, called},
};
use kernel::{
    Id, Mechanic, Num, Refusal, Verb,
    directives::{Setting, wording::folded},
    world::Op,
};

/// The point as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    Mechanic::new("point").verb(Verb::new(&["increment"], |said, d| increment(d, said.sentence(), said.setting)))
}

/// Raises a player's image under the point by one (S92).
fn increment(d: &mut D<'_>, who: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
    if !Thing::Point.is_in(&d.rules) {
        return Err(Refusal::new("no rule has a point any more").by(Thing::Point.rule(&d.rules)));
    }
    if !Thing::Incrementing.is_in(&d.rules) {
        let say = "no rule says any more what incrementing is: set the point itself";
        return Err(Refusal::new(say).by(Thing::Incrementing.rule(&d.rules)));
    }
    let everybody = ["every player", "each player", "all players"].contains(&folded(who).as_str());
    let players: Vec<Id> = match everybody {
        true => players(d).cloned().collect(),
        false => {
            let who = setting.meant(who, &d.world).unwrap_or_else(|| seat_of(d, who))?;
            vec![named(d, &who)?]
        }
    };
    let mut said = Vec::new();
    for who in players {
        d.op(Op::Add { at: POINT.of(&who), by: Num::from(1) });
        let now = d.world.get(&POINT, &who).unwrap_or_default();
        said.push(format!("{} is mapped to {now}", called(d, &who)));
    }
    Ok(Some(said.join("; ")))
}
