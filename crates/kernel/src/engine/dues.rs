//! What falls due, so that it never stops its room.
//!
//! What is due still when it is done, what breaks and what comes to no end is set aside: nothing of it happens, and
//! moderators are told why. The room goes on without it, until a rule or a moderator changes what it hangs on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::settle::settle;
use crate::Refusal;
use crate::display::Document;
use crate::draft::Draft;
use crate::entry::{Audience, Change, Due};
use crate::frame::FrameFact;
use crate::game::Game;
use crate::time::minute;

/// Does what is due with all that follows, or sets it aside.
pub(super) fn fall_due<G: Game>(due: &Due, d: &mut Draft<'_, G>) {
    d.at = d.at.max(due.at);
    let before = G::mechanics().count_due(d, due);
    let (unsettled, known) = (d.frame.unsettled, d.frame.aside.get(&due.key).map(|aside| aside.why.clone()));
    let done = d.attempt(|d| {
        let does = AssertUnwindSafe(|| {
            G::mechanics().due(due, d);
            settle(d)
        });
        match catch_unwind(does) {
            // What a panic says goes to the operator alone: it may hold anything.
            Err(_) => Err(Refusal::new("something broke inside the bot")),
            // What came to no end before is nothing of this.
            Ok(false) if !unsettled => Err(Refusal::new("what follows from it comes to no end")),
            Ok(_) => match G::mechanics().count_due(d, due) {
                left @ 1.. if left >= before => {
                    Err(Refusal::new("doing it comes to nothing, as where a rule or a figure that it needs is gone"))
                }
                _ => Ok(()),
            },
        }
    });
    let Err(why) = done else {
        if known.is_some() {
            d.frame_fact(FrameFact::Aside { due: due.clone(), why: None });
        }
        return;
    };
    // No time has passed by it: else what is due so long after the last entry would be due for ever.
    d.at = (**d).at;
    if known.is_none_or(|known| known != why.say) {
        let (what, at, seq) = (G::mechanics().called(d, due), minute(due.at), d.seq);
        let say = format!(
            "Set aside: {what}, due at {at}. Nothing of it happened, for {}. The room goes on without it. It is tried \
             again when a rule changes, or a moderator corrects something or takes it back. To let it pass as in a \
             pause, type ⁅undo {seq}⁆.",
            why.say
        );
        d.say(Audience::Moderators, Document::say(say));
    }
    d.frame_fact(FrameFact::Aside { due: due.clone(), why: Some(why.say.clone()) });
    d.is_undone(why);
}

/// Has all that was set aside tried again after an entry that changed a rule, or what a moderator changed of the room.
pub(super) fn try_again<G: Game>(by_moderator: bool, d: &mut Draft<'_, G>) {
    let changed = |change: &Change| match change {
        Change::Rule(_) => true,
        Change::World(_) | Change::Row(_) => by_moderator,
        Change::Frame(_) | Change::By(_) => false,
    };
    if d.frame.aside.is_empty() || !d.changes().iter().any(changed) {
        return;
    }
    let dues = G::mechanics().dues(d);
    let gone = d.frame.aside.values().map(|aside| aside.due.clone());
    let gone: Vec<Due> = gone.filter(|due| dues.iter().all(|next| next.key != due.key)).collect();
    gone.into_iter().for_each(|due| d.frame_fact(FrameFact::Aside { due, why: None }));
    if d.frame.aside.values().any(|aside| aside.rests) {
        d.frame_fact(FrameFact::DueAgain);
    }
}
