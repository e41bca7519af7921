//! The directives of this game alone (S38, S43, S58, S85, X11): changes of Space and of the order of moves by
//! proposals.
//!
//! A proposal may change Space in any way that no rule forbids. It may cut it in pieces, and it cannot give one pair of
//! coordinates to two vertices. Players change Space by moves (`moves`).

use super::{
    game::{D, Spacenomic},
    law::{Thing, established},
    location,
    moves::{kind::Kind, sealed},
    roster,
    space::{self, GOD, Spot},
};
use kernel::{
    Id, Mechanic, Refusal, Verb,
    directives::{Setting, syntax},
    time::{days_after, minute, read_instant},
};

// ---- the mechanic

/// What directives do to Space and to the order of moves, as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    const CHANGES: &[&[&str]] =
        &[&["add vertex"], &["remove vertex"], &["move vertex"], &["give vertex"], &["add edge"], &["remove edge"]];
    let order = Verb::new(&["order moves"], |said, d| order(d, said.sentence()));
    let evaluate = Verb::new(&["evaluate"], |said, d| evaluate(d, said.sentence()));
    let all = Mechanic::new("build").verb(order).verb(evaluate);
    CHANGES.iter().fold(all, |all, begins| {
        all.verb(Verb::new(begins, |said, d| {
            change(d, said.words.trim_end_matches(['.', ';']).trim_end(), said.setting)
        }))
    })
}

/// Does `add vertex (5, 5)`, `move vertex (5, 5) to (6, 6)`, `remove vertex (5, 5)`, `add edge (0, 0) (5, 5)`, `remove edge (0, 0) (5, 5)` and `give vertex
/// (5, 5) to Ann`.
///
/// # Errors
///
/// Why it cannot be done.
fn change(d: &mut D<'_>, words: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
    let by = Thing::Space.rule(&d.rules);
    if !Thing::Space.is_in(&d.rules) {
        return Err(Refusal::new("no rule has Space any more").by(by));
    }
    let lower = words.to_lowercase();
    let (verb, rest) = lower.split_once(char::is_whitespace).unwrap_or((&lower, ""));
    let (what, places) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let full = |why: String| Refusal::new(why).by(by.clone());
    match (verb, what) {
        ("give", "vertex") => {
            established(&d.rules, Thing::Owners)?;
            // Names keep their case, which the words in lower case have lost.
            let (place, to) = syntax::split_word(words, &["to"]).ok_or_else(|| bad(words))?;
            let place = place.to_lowercase();
            let place = space::named(d, place.trim_start_matches("give").trim().trim_start_matches("vertex"))?;
            let to = to.trim();
            let to = match setting.meant(to, &d.world) {
                Some(to) => roster::entity(d, &to?)?,
                None if to.eq_ignore_ascii_case(GOD) => GOD.into(),
                None => roster::entity(d, to)?,
            };
            space::own(d, place, Some(to));
            Ok(None)
        }
        ("move", "vertex") => {
            let [from, to] = space::spots(places).map_err(|why| full(why.to_string()))?[..] else {
                return Err(bad(words));
            };
            there(d, from)?;
            if from == to {
                return Err(full(format!("it is at {to} already")));
            }
            free(d, to)?;
            let owner = space::of(d).owner(from).cloned();
            space::own(d, to, owner);
            let joined: Vec<Spot> = space::of(d).neighbours(from).collect();
            for other in joined {
                space::join(d, from, other, false);
                space::join(d, to, other, true);
            }
            let here: Vec<Id> =
                roster::players(d).filter(|player| location::of(d, player) == Some(from)).cloned().collect();
            for player in here {
                location::put(d, &player, Some(to));
            }
            space::own(d, from, None);
            Ok(None)
        }
        ("add", "vertex") => {
            let [at] = space::spots(places).map_err(|why| full(why.to_string()))?[..] else { return Err(bad(words)) };
            free(d, at)?;
            space::room_for(&space::of(d), &[]).map_err(full)?;
            space::own(d, at, Some(GOD.into()));
            Ok(None)
        }
        ("remove", "vertex") => {
            let [at] = space::spots(places).map_err(|why| full(why.to_string()))?[..] else { return Err(bad(words)) };
            there(d, at)?;
            let joined: Vec<Spot> = space::of(d).neighbours(at).collect();
            for other in joined {
                space::join(d, at, other, false);
            }
            location::vacate(d, at);
            space::own(d, at, None);
            Ok(None)
        }
        ("add" | "remove", "edge") => {
            let [a, b] = space::spots(places).map_err(|why| full(why.to_string()))?[..] else { return Err(bad(words)) };
            there(d, a)?;
            there(d, b)?;
            let on = verb == "add";
            if a == b {
                return Err(Refusal::new("an edge joins two different vertices").by(by));
            }
            if space::of(d).joined(a, b) == on {
                let say = if on { "already" } else { "not" };
                return Err(Refusal::new(format!("{a} and {b} are {say} joined")).by(by));
            }
            if on {
                space::room_for_edges(&space::of(d), &[a, b]).map_err(full)?;
            }
            space::join(d, a, b, on);
            Ok(None)
        }
        _ => Err(bad(words)),
    }
}

fn bad(words: &str) -> Refusal {
    let shown: String = words.chars().take(60).collect();
    Refusal::new(format!(
        "“{shown}” says nothing about Space: write “=> add vertex (5, 5)”, “=> remove edge (0, 0) (1, 1)” or “=> give vertex (0, 0) to Ann”"
    ))
}

fn free(d: &D<'_>, at: Spot) -> Result<(), Refusal> {
    if !space::of(d).has(at) {
        return Ok(());
    }
    let say = format!("there is a vertex {at} already, and no two have the same coordinates");
    Err(Refusal::new(say).by(Thing::Coordinates.rule(&d.rules)))
}

fn there(d: &D<'_>, at: Spot) -> Result<(), Refusal> {
    if space::of(d).has(at) {
        return Ok(());
    }
    Err(Refusal::new(format!("there is no vertex {at}")).by(Thing::Space.rule(&d.rules)))
}

/// Does `evaluate space moves at 2026-11-05 12:00` (S56): from then on the interval goes on from there.
///
/// # Errors
///
/// Where no rule states such moves, and for what is no time ahead.
fn evaluate(d: &mut D<'_>, rest: &str) -> Result<Option<String>, Refusal> {
    let by = Thing::Evaluation.rule(&d.rules);
    let (what, at) = syntax::split_word(rest, &["at"]).ok_or_else(|| {
        Refusal::new("it does not say when: write “=> evaluate space moves at 2026-11-05 12:00”").by(by.clone())
    })?;
    let kind = Kind::of(what.to_lowercase().trim().trim_end_matches("moves"));
    let at = read_instant(at.trim()).filter(|at| *at > d.at).ok_or_else(|| {
        let shown: String = at.trim().chars().take(40).collect();
        let ahead = minute(days_after(d.at, 3));
        Refusal::new(format!("“{shown}” is no time that lies ahead, like {ahead}")).by(by.clone())
    })?;
    if !sealed::put_at(d, &kind, at) {
        let all: Vec<&str> = sealed::phi(d).iter().map(Kind::word).collect();
        let say = format!("there are no {} moves: the types are {}", kind.word(), all.join(", "));
        return Err(Refusal::new(say).by(by));
    }
    Ok(None)
}

/// Does `order moves: location, space` (S58): phi holds each type that rules state, once.
///
/// # Errors
///
/// Where the words are no such order.
fn order(d: &mut D<'_>, rest: &str) -> Result<Option<String>, Refusal> {
    let words = rest.to_lowercase();
    let list = words.trim_start_matches("moves").trim_start_matches([':', ' ']).trim_end_matches('.');
    let wanted: Vec<Kind> = list.replace(" and ", ",").split(',').map(Kind::of).collect();
    let (mut now, mut sorted) = (sealed::phi(d).to_vec(), wanted.clone());
    now.sort();
    sorted.sort();
    if sorted != now {
        let all: Vec<&str> = sealed::phi(d).iter().map(Kind::word).collect();
        let say = format!("an order of moves holds each type once, and the types are {}", all.join(", "));
        return Err(Refusal::new(say).by(Thing::Evaluation.rule(&d.rules)));
    }
    sealed::order(d, wanted);
    Ok(None)
}
