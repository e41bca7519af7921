//! What the facts of an entry say to people, for the record. What stands beside them in the same entry, such as an account
//! that changed, is not said twice. Absent: the facts themselves, which their mechanics own.

use super::{
    Fact, Id, Spacenomic, State, activity, end, income, moves, proposals, society,
    space::{self, owner_called},
    stats::called,
};
use crate::kernel::time::minute;

/// A fact in words: empty where its entry says it otherwise, `None` where its fields say enough.
pub(super) fn told(fact: &Fact, state: &State<Spacenomic>) -> Option<String> {
    let name = |player: &Id| called(state, player);
    Some(match fact {
        Fact::Society(society::Fact::Request { seat, to, .. }) => match to {
            Some(_) => format!("{} asks to become a player", name(seat)),
            None => format!("{} no longer asks", name(seat)),
        },
        Fact::Society(society::Fact::Consent { player, to, .. }) => match to {
            Some(_) => format!("{} consents to the end", name(player)),
            None => format!("{} does not consent to the end", name(player)),
        },
        // That somebody did something is the entry itself.
        Fact::Activity(activity::Fact::Last { .. } | activity::Fact::Lull { .. })
        | Fact::Income(income::Fact::Given { .. }) => String::new(),
        Fact::Activity(activity::Fact::Accused { player, to, .. }) => {
            format!("{} wait against {}", super::display::counted(to.len(), "accusation"), name(player))
        }
        Fact::Activity(activity::Fact::PutOff { player, to: Some(to), .. }) => {
            format!("nothing counts against {} before {}", name(player), minute(*to))
        }
        Fact::Activity(activity::Fact::PutOff { player, to: None, .. }) => {
            format!("what counts against {} does so when it would have", name(player))
        }
        Fact::Proposal(fact) => match fact {
            proposals::Fact::Made(proposal) => format!("{} is made", proposals::label(proposal)),
            proposals::Fact::Unmade(proposal) => format!("{} was not made", proposals::label(proposal)),
            proposals::Fact::Refreshed { number, .. } => format!("Proposal {number} is refreshed"),
            proposals::Fact::PutOff { number, to: Some(to), .. } => {
                format!("Proposal {number} does not expire before {}", minute(*to))
            }
            proposals::Fact::PutOff { number, to: None, .. } => format!("Proposal {number} expires as it would have"),
            proposals::Fact::Entered { number, to, was } if to.len() > was.len() => {
                let text = to.last().map_or("", |text| &**text);
                format!("what Proposal {number} says is entered: {text}")
            }
            proposals::Fact::Entered { number, .. } => format!("what was entered of Proposal {number} is taken back"),
            proposals::Fact::Voted { number, voter, to: Some(vote), .. } => {
                format!("{} on Proposal {number}: {vote}", name(voter))
            }
            proposals::Fact::Voted { number, voter, to: None, .. } => {
                format!("the vote of {} on Proposal {number} is taken back", name(voter))
            }
            proposals::Fact::Stands { number, to, .. } => format!("Proposal {number}: {}", to.words()),
        },
        Fact::Space(space::Fact::Vertex { at, to: Some(owner), .. }) => {
            format!("{at} belongs to {}", owner_called(state, owner))
        }
        Fact::Space(space::Fact::Vertex { at, to: None, .. }) => format!("{at} is gone"),
        Fact::Space(space::Fact::Edge { a, b, on: true }) => format!("{a} and {b} are joined"),
        Fact::Space(space::Fact::Edge { a, b, on: false }) => format!("{a} and {b} are not joined any more"),
        Fact::Move(fact) => return moves::told(fact, state),
        Fact::End(end::Fact::Over { to: Some(at), .. }) => format!("the game is over since {}", minute(*at)),
        Fact::End(end::Fact::Over { to: None, .. }) => "the game goes on".to_owned(),
    })
}
