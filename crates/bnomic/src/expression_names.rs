//! Names in conditions and assertions besides objects and their registered attributes (4E12, 4E16).
//!
//! They are holders of offices, mental states, the Threat Flag, numbers of victories, The Horde and vacancies. All of
//! it stands on displays for everybody, and is as certain. Nothing here can be set: the rules on each say how it
//! changes. Amounts are named in `quantities`, ndays in `calendar`.

use super::{
    clock::hands,
    emergency::crisis,
    game::BNomic,
    keeping,
    law::{Thing, established},
    ministries::posts,
    society::players,
    stats::{ACTIVE, MINISTRY, PLAYER},
    victory,
};
use kernel::{Id, Path, State, Value, directives::wording::folded};

/// How often a Player won (4E16).
const WINS: &str = "win-count";
/// Whether a Player is Calm or Paranoid (4E0).
const MIND: &str = "mental-state";

/// A word that means a value now: who holds an office, the flag that flies.
pub(super) fn word(state: &State<BNomic>, words: &str) -> Option<Value> {
    if ["flag", "threat flag", "threat awareness flag"].contains(&words) {
        return crisis::flag(state).map(Value::Text);
    }
    // 4E14 speaks of “the nweek”, and nothing but the Clock has one.
    let clock = |of: fn(&hands::Moment) -> i64| {
        established(&state.rules, Thing::Clock).ok().map(|()| Value::Num(of(&hands::now(state)).into()))
    };
    match words.strip_prefix("the ").unwrap_or(words) {
        "nweek" => return clock(|now| now.nweek),
        "nday" => return clock(|now| now.nday),
        _ => {}
    }
    let held = |ministry: &Id| posts::minister(state, ministry).map_or(Value::Null, Value::Ref);
    let of = ["minister of ", "post holder of "].iter().find_map(|post| words.strip_prefix(post));
    let ministry = match of {
        Some(words) => posts::find(state, words).ok(),
        None => posts::of_office(state, words),
    };
    ministry.as_ref().map(held)
}

/// What a mental state is called, where nobody is called so.
pub(super) fn constant(words: &str) -> Option<Value> {
    crisis::MINDS.into_iter().find(|mind| folded(mind) == words).map(|mind| Value::Text(mind.to_owned()))
}

/// The one object that the word of its kind means: the Ministry of Ministry, the flagpole.
pub(super) fn namesake(state: &State<BNomic>, words: &str) -> Option<Id> {
    if ["flagpole", "threat awareness flagpole"].contains(&words) {
        return crisis::flagpole(state);
    }
    let id = Id::from(format!("{MINISTRY}/{MINISTRY}"));
    let ministry = (words == MINISTRY && state.world.exists(&id)).then_some(id);
    ministry.or_else(|| keeping::namesake(state, words))
}

/// A group that rules have a word for.
pub(super) fn group(state: &State<BNomic>, words: &str) -> Option<Vec<Id>> {
    let words = words.strip_prefix("the ").unwrap_or(words);
    let minds = |paranoid: bool| {
        let is = |pep: &Id| crisis::is_paranoid(state, pep) == paranoid;
        crisis::peps(state).into_iter().filter(is).collect()
    };
    Some(match words {
        "horde" if established(&state.rules, Thing::Activity).is_ok() => players::players(state)
            .filter(|player| !state.world.get(&ACTIVE, player).unwrap_or_default())
            .cloned()
            .collect(),
        "vacant" | "vacant ministries" | "vacant ministry" => posts::vacant(state),
        "peps" | "potential emergency participants" => crisis::peps(state),
        "paranoid" | "paranoid peps" | "paranoid players" | "paranoid player" => minds(true),
        "calm" | "calm peps" | "calm players" | "calm player" => minds(false),
        _ => return None,
    })
}

/// An attribute of a Player that the program reckons.
pub(super) fn attribute(words: &str, kind: &str) -> Option<Id> {
    match words {
        _ if kind != PLAYER => None,
        "win count" | "wins" => Some(WINS.into()),
        "mental state" => Some(MIND.into()),
        _ => None,
    }
}

/// Its value.
pub(super) fn value(state: &State<BNomic>, at: &Path) -> Option<Value> {
    match &*at.attr {
        WINS => {
            let wins = i64::try_from(victory::win_count(state, &at.obj)).unwrap_or(i64::MAX);
            Some(Value::Num(wins.into()))
        }
        MIND => {
            let [calm, paranoid] = crisis::MINDS;
            let mind = if crisis::is_paranoid(state, &at.obj) { paranoid } else { calm };
            Some(Value::Text(mind.to_owned()))
        }
        _ => None,
    }
}
