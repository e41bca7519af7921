//! What the facts of an entry say to people, for the record. What stands beside them in the same entry, such as a figure
//! that changed, is not said twice. Absent: the facts themselves, which their mechanics own.

use super::{Fact, State, gndt, proposals, roster, voting};
use crate::{games::blognomic::BlogNomic, kernel::time::minute};

/// A fact in words: empty where its entry says it otherwise, `None` where its fields say enough.
pub(super) fn told(fact: &Fact, state: &State<BlogNomic>) -> Option<String> {
    let name = |robot| state.frame.name_of(robot);
    Some(match fact {
        Fact::Kept | Fact::Tracker(gndt::Fact::Logged(_)) => String::new(),
        Fact::Tracker(gndt::Fact::Undone { seq, .. }) => format!("the effects of entry {seq} are taken back"),
        Fact::Proposal(fact) => match fact {
            proposals::Fact::Made(proposal) => format!("Proposal {} is made", proposal.number),
            proposals::Fact::Unmade(proposal) => format!("Proposal {} was not made", proposal.number),
            proposals::Fact::Corrected { number, .. } => format!("the text of Proposal {number} is corrected"),
            proposals::Fact::Uncorrected { number, .. } => format!("a correction of Proposal {number} is taken back"),
            proposals::Fact::Stands { number, to, .. } => format!("Proposal {number} is {}", to.words()),
            proposals::Fact::Claim { number, to: Some(claim), .. } => {
                format!("{} may claim {} Power for Proposal {number}", name(&claim.by), claim.amount)
            }
            proposals::Fact::Claim { number, to: None, .. } => format!("nothing can be claimed for Proposal {number}"),
            proposals::Fact::Told { number, .. } => format!("the Admin Staff hear how Proposal {number} stands"),
        },
        Fact::Vote(voting::Fact::Cast { proposal, robot, to, .. }) => match to {
            Some(vote) => {
                let mark = if vote.trivial { ", Trivial" } else { "" };
                format!("{} on Proposal {proposal}: {}{mark}", name(robot), vote.choice.word())
            }
            None => format!("the vote of {} on Proposal {proposal} is taken back", name(robot)),
        },
        Fact::Roster(roster::Fact::Row { robot, to, .. }) => match to {
            Some(row) => {
                let (standing, since, voted) = row.words();
                let (since, voted) = (minute(since), minute(voted));
                format!("{}: {standing} since {since}, a week without a vote counts from {voted}", name(robot))
            }
            None => format!("{} is not in the roster", name(robot)),
        },
        _ => return None,
    })
}
