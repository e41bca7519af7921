//! Malfunction (rule 14): a Control Unit with less liquid power than the other Robots short-circuits.
//!
//! It is tested on the state after each complete act, never in the middle of one (N92). Liquid power is reckoned in
//! `holdings`; the beginning of a new Control Unit stands in `ascension`.

use super::{
    dynasties, dynasty,
    figures::{SHORT_CIRCUIT, SUCCESSOR, THE_MOST},
    game::{BlogNomic, D},
    holdings,
    law::{Thing, established},
    roster,
};
use kernel::{Id, Mechanic, Num};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("malfunction").by(Thing::Malfunction.word()).settle(settle)
}

// ---- due

/// Makes the richest Robot Control Unit where the present one has less than every other (N90 to N94).
fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Malfunction).is_err() {
        return false;
    }
    let Some(cu) = dynasty::control_unit(d).cloned() else { return false };
    let others: Vec<(Id, Num)> = roster::current(d)
        .filter(|robot| **robot != cu)
        .map(|robot| (robot.clone(), holdings::liquid(d, robot)))
        .collect();
    // The least or the most that one of the others has, as a wording says.
    let extreme = |key| {
        let all = others.iter().map(|(_, liquid)| liquid);
        if d.rules.wording(key) == THE_MOST { all.max() } else { all.min() }
    };
    let (Some(measure), Some(heirs)) = (extreme(&SHORT_CIRCUIT), extreme(&SUCCESSOR)) else { return false };
    if holdings::liquid(d, &cu) >= *measure {
        return false;
    }
    let which = d.rules.wording(&SHORT_CIRCUIT);
    let why = if which == THE_MOST { "another Robot" } else { "any other Robot" };
    let mut next: Vec<Id> =
        others.iter().filter(|(_, liquid)| liquid == heirs).map(|(robot, _)| robot.clone()).collect();
    let next = match next.len() {
        1 => next.remove(0),
        // Nothing in the rules prefers a name (N91).
        many => {
            let drawn = d.draw("short-circuit", many as u64);
            next.swap_remove(usize::try_from(drawn).unwrap_or_default())
        }
    };
    let name = d.frame.name_of(&cu).to_owned();
    dynasties::begin(d, &next, &format!("{name} short-circuits, having less liquid power than {why}"));
    true
}
