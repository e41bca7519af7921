//! Laws in this game: the contract may hold them, and by them the contest does what its text says.
//!
//! The contract changes as it says itself (seed 000, J7 to J9), and by no directive of a law. Its weeks begin on Monday
//! in UTC (J14). While the contract is not in force no law does anything (J6).

use jiff::tz::TimeZone;
use serde_json::json;

use super::{
    contract::{self, MEMBER, PLAYER},
    game::{D, Joust},
    places,
};
use kernel::{
    Game, Id, Refusal, State,
    directives::{Amending, Lawful, Names, words},
    rulebook::RuleOp,
};

/// Somebody is a member from now on.
pub(super) const JOINED: &str = "join";
/// Somebody is no member any more.
pub(super) const LEFT: &str = "leave";
/// A challenge was fought.
pub(super) const FOUGHT: &str = "challenge";
/// The points of a week were awarded.
pub(super) const AWARDED: &str = "award";

impl Names for Joust {
    fn kinds(state: &State<Self>) -> Vec<Id> {
        state.world.kinds().into_iter().chain([MEMBER.into()]).collect()
    }

    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        if **kind == *MEMBER {
            return state.world.by_age(contract::members(state).cloned());
        }
        state.world.of_kind(kind).cloned().collect()
    }
}

impl Amending for Joust {
    fn may(_state: &State<Self>, _op: &RuleOp) -> Result<(), Refusal> {
        Err(Refusal::new("the contract changes by the contestmaster's announcements alone")
            .by("BRAINFUCK JOUST, J7")
            .instead("joust intend WHAT SUBJECT TEXT"))
    }
}

impl Lawful for Joust {
    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        match laws::is_kind(d, kind) && **kind != *PLAYER {
            true => words::create(d, kind, name).map(|()| None),
            false => Err(Refusal::new(format!("the contract knows no more of the kind “{kind}”")).instead("contract")),
        }
    }
}

impl laws::Hosts for Joust {
    const KINDS: &'static [&'static str] = &[PLAYER, MEMBER];
    const PEOPLE: &'static [&'static str] = &[];
    const EVENTS: &'static [laws::Event] = &[
        (JOINED, &["by"]),
        (LEFT, &["by"]),
        (FOUGHT, &["challenge", "program", "by", "entered"]),
        (AWARDED, &[]),
        (places::DROPPED, &["program", "by"]),
        (super::tasks::CAME_TO_NOTHING, &["notice"]),
    ];
    // Nobody is held in a contest (J10), code of one's own is shown at any time (J34), and the contract is ended (J6).
    const UNBARRED: &'static [&'static str] = &["leave", "reveal", "terminate"];
    const PRIVATE: &'static [&'static str] = &["submit", "retract", "test", "add"];

    fn zone(_state: &State<Self>) -> TimeZone {
        TimeZone::UTC
    }

    fn is_office(_state: &State<Self>, name: &str) -> bool {
        let name = name.trim().to_lowercase();
        name.strip_prefix("the ").unwrap_or(&name) == "contestmaster"
    }

    fn holders(state: &State<Self>, office: &str) -> Vec<Id> {
        let held = contract::contract(&state.tables).contestmaster.clone();
        held.filter(|_| Self::is_office(state, office)).into_iter().collect()
    }

    fn rests(state: &State<Self>) -> bool {
        contract::contract(&state.tables).ended().is_some()
    }
}

/// Tells what a player has become.
pub(super) fn of_player(d: &mut D<'_>, what: &'static str, by: &Id) {
    Joust::mechanics().happened(what, &json!({ "by": by }), d);
}
