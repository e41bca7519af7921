//! Laws in this game: what happens that they may follow, what its acts are called in them, and which no bar reaches.
//!
//! Its days are those of UTC, as for income. The rules say none of this of laws; the rulings do
//! (`docs/rulings/spacenomic.md`, S8).

use jiff::tz::TimeZone;
use serde_json::json;

use super::{
    game::{D, Spacenomic},
    proposals::record::Proposal,
    roster, stats,
};
use kernel::{Game, Id, Refusal, State};

/// A proposal was made.
pub(super) const PROPOSED: &str = "propose";
/// A vote was cast.
pub(super) const VOTED: &str = "vote";
/// A proposal has passed, and everybody is paid.
pub(super) const PASSED: &str = "pass";
/// A proposal has failed, and everybody is paid.
pub(super) const FAILED: &str = "fail";
/// Somebody is a player from now on.
pub(super) const JOINED: &str = "join";
/// Somebody is no player any more.
pub(super) const LEFT: &str = "leave";
/// The income of a day was paid.
pub(super) const PAID: &str = "income";

impl laws::Hosts for Spacenomic {
    const KINDS: &'static [&'static str] =
        &[stats::PLAYER, stats::FORMER, stats::OUTSIDER, stats::GAME, laws::PROPOSAL];
    const PEOPLE: &'static [&'static str] = &[stats::FORMER, stats::OUTSIDER];
    const EVENTS: &'static [laws::Event] = &[
        (PROPOSED, &["by", "proposal", "name"]),
        (VOTED, &["by", "proposal", "vote"]),
        (PASSED, &["proposal", "name", "author"]),
        (FAILED, &["proposal", "name", "author"]),
        (JOINED, &["by"]),
        (LEFT, &["by"]),
        (PAID, &[]),
    ];
    // A consent can be taken back until nobody's is missing (S9), and what all consent to happens (S9).
    const UNBARRED: &'static [&'static str] = &["leave", "give_consent", "withdraw_consent", "end_game"];
    const PRIVATE: &'static [&'static str] = &["set_move", "withdraw_move"];

    fn zone(_state: &State<Self>) -> TimeZone {
        TimeZone::UTC
    }

    fn plays(state: &State<Self>, seat: Option<&Id>) -> Result<(), Refusal> {
        roster::plays(state, seat)
    }
}

/// Tells what somebody did, or became.
pub(super) fn of_player(d: &mut D<'_>, what: &'static str, by: &Id) {
    Spacenomic::mechanics().happened(what, &json!({ "by": by }), d);
}

/// Tells what happened to a proposal.
pub(super) fn of_proposal(d: &mut D<'_>, what: &'static str, proposal: &Proposal) {
    let with = json!({ "proposal": proposal.number, "name": proposal.name, "author": proposal.maker });
    Spacenomic::mechanics().happened(what, &with, d);
}
