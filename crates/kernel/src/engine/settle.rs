//! What follows by itself at the end of whatever is done in a room.
//!
//! It comes to an end, or is stopped and told to the moderators.

use crate::display::Document;
use crate::draft::Draft;
use crate::entry::Audience;
use crate::frame::FrameFact;
use crate::game::Game;
use crate::mechanic::SETTLE_MAX_ROUNDS;

/// Does what follows by itself; whether that comes to an end. Moderators are told once where it does not.
pub(super) fn settle<G: Game>(d: &mut Draft<'_, G>) -> bool {
    let ends = d.frame.closed || G::mechanics().settle_all(d);
    if ends != d.frame.unsettled {
        return ends;
    }
    d.frame_fact(FrameFact::Unsettled { to: !ends });
    if !ends {
        d.say(
            Audience::Moderators,
            Document::say(format!(
                "What follows by itself from entry {} came to no end: it was stopped after {SETTLE_MAX_ROUNDS} steps, and \
                 goes on after the next entry. Two rules may undo each other.",
                d.seq
            )),
        );
    }
    ends
}
