//! Warnings of a dry run where rules that can be passed would stop the game (4E14, 4E15, 4E21, 4E51).
//!
//! Nothing is refused for it, since the rules allow it. Every game tells of figures that no rule gives any more.

use super::{
    figures::{LAST_NDAY, OBJECTION_FROM, OBJECTION_UNTIL, VOTING_NDAY},
    game::BNomic,
    law::{Thing, established},
    ministries::posts::Post,
};
use kernel::State;

/// What holds where the game would stop, and what that comes to.
type Stall = fn(&State<BNomic>) -> Option<String>;

const STALLS: &[Stall] = &[
    |state| {
        let (from, last) = (figure(state, &VOTING_NDAY)?, figure(state, &LAST_NDAY)?);
        (established(&state.rules, Thing::Proposals).is_ok() && from > last).then(|| {
            format!(
                "Voting begins with nday {from}, and the nweek ends with nday {last}: no Proposal is ever voted on."
            )
        })
    },
    |state| {
        let stands = established(&state.rules, Thing::Clock).is_ok() && !state.world.exists(&Post::Ministry.id());
        let say = "No rule makes a Minister of Ministry, who puts the Clock On: with the next nweek it goes Off, and stays so.";
        stands.then(|| say.to_owned())
    },
    |state| {
        let (from, until) = (figure(state, &OBJECTION_FROM)?, figure(state, &OBJECTION_UNTIL)?);
        (from >= until).then(|| {
            format!("What is done without objection waits {from} ndays, and is too late after {until}: none of it can be done.")
        })
    },
];

fn figure(state: &State<BNomic>, key: &kernel::rulebook::LiveKey) -> Option<u64> {
    state.rules.need_count(key).ok()
}

/// Where the game would stop, in sentences.
pub(super) fn warnings(state: &State<BNomic>) -> Vec<String> {
    STALLS.iter().filter_map(|stall| stall(state)).collect()
}
