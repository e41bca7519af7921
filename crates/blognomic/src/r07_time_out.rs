//! Time out (N53 to N56): when a pending Proposal runs out of time, and what its votes come to then.
//!
//! What becomes of it stands in `enactment`.

use super::{
    figures::{TIMEOUT_HOURS, TIMEOUT_PERCENT},
    game::BlogNomic,
    glossary::HOUR_SECONDS,
    law::{Thing, established},
    phases,
    proposal::{self, Proposal},
    tally, votes,
};
use kernel::{Instant, State, entry::Due, time::seconds_after};

/// What stands before a Proposal's number in the key of its due instant.
const KEY: &str = "time-out/";

/// The first second at which a Proposal has been pending longer than the rule says (N53).
pub(super) fn over_at(state: &State<BlogNomic>, proposal: &Proposal) -> Option<Instant> {
    established(&state.rules, Thing::TimeOut).ok()?;
    let hours = i64::try_from(state.rules.need_count(&TIMEOUT_HOURS).ok()?).ok()?;
    Some(seconds_after(proposal.posted, hours.saturating_mul(HOUR_SECONDS).saturating_add(1)))
}

/// Whether a Proposal that is over time may be enacted, and else failed; nothing while it is not over time (N53).
pub(super) fn decides(state: &State<BlogNomic>, proposal: &Proposal, at: Instant) -> Option<bool> {
    let is_over = over_at(state, proposal).is_some_and(|over| at >= over);
    let percent = state.rules.need(&TIMEOUT_PERCENT).ok().filter(|_| is_over)?;
    let tally = tally::of(state, proposal);
    Some(votes::is_beyond(tally.fors, tally.fors + tally.against, &percent))
}

// ---- due

/// The Proposals that run out of time without the Admin Staff having been told.
pub(super) fn dues(state: &State<BlogNomic>) -> Vec<Due> {
    let waits = |proposal: &&Proposal| !proposal.told.is_some_and(|told| told.over_time);
    let due = |proposal: &Proposal| {
        let key = format!("{KEY}{}", proposal.number).into();
        Some(Due { at: over_at(state, proposal)?, rank: phases::TIME_OUT, key })
    };
    proposal::open(state).filter(waits).filter_map(due).collect()
}

/// The number of the Proposal that something due is about, as it is written.
pub(super) fn number(due: &Due) -> &str {
    due.key.trim_start_matches(KEY)
}
