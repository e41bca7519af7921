//! The length of a State of Emergency (4E0): it begins and ends with the number of Paranoid PEPs. Meanwhile
//! its Coordinator may be replaced.
//!
//! Its acts stand in `emergency`, its due events in `rounds`.

use super::crisis::{self, Crisis, Enough, crisis, lasts, mind, over, paranoid, peps};
use crate::{
    figures::{PARANOID_PEPS, PEPS},
    game::{BNomic, D},
    law::{Thing, established},
    ministries::{self, posts::Post},
    phases,
    society::players,
    stats::{ACTIVE, BEAST, called},
};
use kernel::{Id, State, display::Document, entry::Due, time::seconds_after};

/// How long the rest of a message is waited for where it never acts, since it is refused: none takes so long to act.
const MESSAGE_SECONDS: i64 = 1;

/// How many Paranoid PEPs make a State of Emergency, while a rule says it.
fn bar(state: &State<BNomic>) -> Option<u64> {
    state.rules.need_count(&PARANOID_PEPS).ok().filter(|_| established(&state.rules, Thing::Emergency).is_ok())
}

/// When it is judged whether a State of Emergency begins or ends by what somebody did in a message of which nothing more
/// came.
pub(super) fn message_due(state: &State<BNomic>) -> Option<Due> {
    let open = bar(state).is_some_and(|bar| (paranoid(state).len() as u64 >= bar) != lasts(state));
    open.then(|| Due { at: seconds_after(state.at, MESSAGE_SECONDS), rank: phases::INCREMENT, key: "message".into() })
}

/// Keeps the list of PEPs and the State of Emergency as the rules have them (B0.1, B0.5, B0.17). What several acts
/// of one message make of it is judged when all of them are done (BX14).
pub(crate) fn settle(d: &mut D<'_>) -> bool {
    let now: Vec<Id> = players::players(d).cloned().collect();
    let enough = d.rules.need_count(&PEPS).unwrap_or(u64::MAX);
    if now.len() as u64 >= enough && d.rows::<crisis::Enough>().get(&()).is_none_or(|then| then.peps != now) {
        d.put(&(), Enough { peps: now });
        return true;
    }
    if d.followed {
        return false;
    }
    // Whoever is no PEP any more has no mental state, and comes back Calm (4E0, B11.2).
    let gone = d.rows::<crisis::Declared>().is_empty().then(|| {
        let peps = peps(d);
        d.rows::<crisis::Paranoid>().keys().find(|pep| !peps.contains(pep)).cloned()
    });
    if let Some(gone) = gone.flatten() {
        mind(d, &gone, false);
        return true;
    }
    let Some(bar) = bar(d) else { return end(d, "the rule on emergencies is gone") };
    let paranoid = paranoid(d).len() as u64;
    if paranoid < bar {
        return end(d, "fewer than enough PEPs are Paranoid");
    }
    if lasts(d) {
        return replace_coordinator(d);
    }
    let coordinator = coordinator(d);
    let named = coordinator.as_ref().map_or_else(
        || "Whoever first says “⁅emergency start⁆” is Emergency Coordinator.".to_owned(),
        |id| format!("{} is Emergency Coordinator and starts the Pause with “⁅emergency start⁆”.", called(d, id)),
    );
    d.put(&(), Crisis { coordinator, ..Crisis::default() });
    let say = format!(
        "{paranoid} PEPs are Paranoid: B Nomic is in a State of Emergency, and game time stands still. {named}"
    );
    for pep in peps(d).into_iter().filter(|pep| **pep != *BEAST) {
        d.tell(&pep, Document::say(say.clone()));
    }
    d.tell_all(say);
    true
}

pub(super) fn end(d: &mut D<'_>, why: &str) -> bool {
    let lasted = lasts(d);
    if lasted {
        over(d);
        d.tell_all(format!("The State of Emergency is over: {why}. Game time resumes."));
    }
    lasted
}

/// The latest holder of the Ministry of Ministry who is a PEP and Active (B0.7).
pub(super) fn coordinator(state: &State<BNomic>) -> Option<Id> {
    let peps = peps(state);
    let latest = ministries::holders(state, Post::Ministry).into_iter().rev().find(|id| peps.contains(id))?;
    state.world.get(&ACTIVE, &latest).unwrap_or_default().then_some(latest)
}

/// A Coordinator who is no PEP any more makes way.
fn replace_coordinator(d: &mut D<'_>) -> bool {
    let Some(mut crisis) = crisis(d).cloned() else { return false };
    let gone = crisis.coordinator.as_ref().is_some_and(|coordinator| !peps(d).contains(coordinator));
    if gone {
        crisis.coordinator = coordinator(d);
        let named = crisis.coordinator.as_ref().map(|id| called(d, id));
        d.put(&(), crisis);
        d.tell_all(match named {
            Some(name) => format!("The Emergency Coordinator is {name}."),
            None => "There is no Emergency Coordinator now: whoever first says “⁅emergency start⁆” is.".to_owned(),
        });
    }
    gone
}
