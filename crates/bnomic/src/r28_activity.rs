//! Active and Vested Players (4E28): The Horde, and who has voted in the nweek before.
//!
//! What Players did last stands in `done`. The inactive lose their ministries in `ministries`.

pub(super) mod done;

use self::done::Activity;
use super::{
    clock::hands,
    game::{BNomic, D},
    law::{Thing, established},
    ministries,
    society::players::{is_vested, other, players},
    stats::{ACTIVE, VESTED, called},
};
use kernel::{Act, Id, Mechanic, Refusal, display::Document};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let horde = Act::new("horde", |Of { player }, d| idle(&player, d));
    Mechanic::new("activity").table::<Activity>().act(horde.by(Thing::Activity.word()).player().public("horde NAME"))
}

kit::args! {
    /// The arguments of `horde` (B28.5).
    Of { player: Id }
}

// ---- decide

/// A Player takes another's Active property (B28.5).
///
/// # Errors
///
/// A [`Refusal`] against oneself, and where the other acted in this nweek or the one before.
fn idle(named: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let them = other(d, named, Some(&me))?;
    let (name, by) = (called(d, &them), Thing::Activity.rule(&d.rules));
    if !d.world.get(&ACTIVE, &them).unwrap_or_default() {
        return Err(Refusal::new(format!("{name} is one of The Horde already")).by(by).instead("show society"));
    }
    let nweek = hands::nweeks(d);
    if d.rows::<Activity>().get(&them).and_then(|done| done.acted).is_some_and(|last| last >= nweek - 1) {
        return Err(Refusal::new(format!("{name} acted in this nweek or the one before"))
            .by(by)
            .instead("show society"));
    }
    let mine = called(d, &me);
    d.tell_all(format!(
        "{mine} takes the Active property from {name}, who has done nothing since nweek {}.",
        nweek - 2
    ));
    d.set(&ACTIVE, &them, false);
    if established(&d.rules, Thing::Leaving).is_ok() {
        ministries::vacate(d, &them);
    }
    Ok(Document::say(format!("{name} is one of The Horde now.")))
}

// ---- due

/// Who voted in the nweek that ended is Vested from now on, and nobody else (B28.2).
pub(super) fn vest(d: &mut D<'_>) {
    let ended = hands::nweeks(d).saturating_sub(1);
    if established(&d.rules, Thing::Activity).is_err() {
        return;
    }
    let all: Vec<Id> = players(d).cloned().collect();
    let [mut come, mut gone] = [Vec::new(), Vec::new()];
    for player in all {
        let voted = d.rows::<Activity>().get(&player).and_then(|done| done.voted) == Some(ended);
        match (is_vested(d, &player), voted) {
            (false, true) => come.push(called(d, &player)),
            (true, false) => gone.push(called(d, &player)),
            _ => {}
        }
        d.set(&VESTED, &player, voted);
    }
    for (who, now) in [(come, "Vested from now on, having voted"), (gone, "No longer Vested, not having voted")] {
        if !who.is_empty() {
            d.tell_all(format!("{now} in the nweek that ended: {}.", who.join(", ")));
        }
    }
}
