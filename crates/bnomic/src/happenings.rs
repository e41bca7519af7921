//! What happens by the rules and laws may follow, by the names that the rules have for it.
//!
//! The mechanic that does something tells of it when it is done. What comes before and after it stands there.

use serde_json::{Value as Json, json};

use super::{
    clock::hands,
    game::{BNomic, D},
    ministries::posts,
    moments::Turn,
    proposals::status,
};
use kernel::{Game, Id};

/// A proposal was submitted.
pub(super) const PROPOSED: &str = "propose";
/// A vote was cast on one proposal.
pub(super) const VOTED: &str = "vote";
/// A proposal passed, and what it says is done.
pub(super) const PASSED: &str = "pass";
/// A proposal has become Historical.
pub(super) const HISTORICAL: &str = "historical";
/// Somebody has become a Player.
pub(super) const JOINED: &str = "join";
/// Somebody is no Player any more.
pub(super) const LEFT: &str = "leave";
/// Somebody has come to hold a ministry, by whatever way.
pub(super) const TOOK: &str = "take ministry";

/// A ministry's duty has become late.
pub(super) const LATE: &str = "late duty";

/// All of them, with what laws see of each.
pub(super) const ALL: &[laws::Event] = &[
    (PROPOSED, &["by", "proposal"]),
    (VOTED, &["by", "proposal", "vote"]),
    (PASSED, &["proposal", "author"]),
    (HISTORICAL, &["proposal", "author"]),
    (JOINED, &["by"]),
    (LEFT, &["by"]),
    (TOOK, &["by", "ministry", "office"]),
    (LATE, &["by", "ministry", "text"]),
];

fn tell(d: &mut D<'_>, what: &'static str, with: &Json) {
    BNomic::mechanics().happened(what, with, d);
}

/// Tells that somebody has become a Player, or is none any more.
pub(super) fn of_player(d: &mut D<'_>, what: &'static str, player: &Id) {
    tell(d, what, &json!({ "by": player }));
}

/// Tells what happened to a proposal.
pub(super) fn of_proposal(d: &mut D<'_>, what: &'static str, proposal: &Id) {
    let author = status::author(d, proposal);
    tell(d, what, &json!({ "proposal": proposal, "author": author }));
}

/// Tells that somebody submitted a proposal.
pub(super) fn proposed(d: &mut D<'_>, by: &Id, proposal: &Id) {
    tell(d, PROPOSED, &json!({ "by": by, "proposal": proposal }));
}

/// Tells of a vote.
pub(super) fn voted(d: &mut D<'_>, by: &Id, proposal: &Id, vote: &str) {
    tell(d, VOTED, &json!({ "by": by, "proposal": proposal, "vote": vote }));
}

/// Tells who has come to hold a ministry, which is called as its holder is: Judge.
pub(super) fn took(d: &mut D<'_>, by: &Id, ministry: &Id) {
    let office = posts::office(d, ministry);
    tell(d, TOOK, &json!({ "by": by, "ministry": ministry, "office": office }));
}

/// Tells what a Minister has not done in time.
pub(super) fn late(d: &mut D<'_>, by: &Id, ministry: &Id, text: &str) {
    tell(d, LATE, &json!({ "by": by, "ministry": ministry, "text": text }));
}

/// Tells that what a turn of the Clock ends has ended. Of one instant is the end of an nday and of its nweek.
pub(super) fn ends(d: &mut D<'_>, turn: &Turn) {
    let nday = turn.new_nday().then_some(("end of nday", turn.from.nday));
    let nweek = turn.new_nweek().then_some(("end of nweek", turn.from.nweek));
    BNomic::mechanics().instant(&nday.into_iter().chain(nweek).collect::<Vec<_>>(), d);
}

/// Tells that what it begins has begun.
pub(super) fn begins(d: &mut D<'_>, turn: &Turn) {
    let now = hands::now(d);
    let nweek = turn.new_nweek().then_some(("start of nweek", now.nweek));
    let nday = turn.new_nday().then_some(("start of nday", now.nday));
    BNomic::mechanics().instant(&nweek.into_iter().chain(nday).collect::<Vec<_>>(), d);
}
