//! The tally of a Proposal: how its votes count at a moment.
//!
//! Nothing is tallied in advance. A count reads the votes, who is a current Robot, and how the Control Unit votes, at
//! the moment of the act (N23, N37).

use super::{
    dynasty,
    game::BlogNomic,
    proposal::Proposal,
    roster,
    votes::{self, Choice},
};
use kernel::{
    State,
    display::{Bars, Block, Picture},
};

/// How the votes on a Proposal stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Current Robots.
    pub(super) robots: u64,
    /// Votes that count FOR, the implicit one and resolved deferrals included.
    pub(super) fors: u64,
    /// Those of them that are marked Trivial.
    pub(super) trivial: u64,
    /// Votes that count AGAINST.
    pub(super) against: u64,
    /// Deferrals to a Control Unit that has no vote (N24).
    pub(super) unresolved: u64,
}

impl Tally {
    /// Whether every current Robot has voted (N40).
    pub(super) fn all_voted(&self) -> bool {
        self.fors + self.against + self.unresolved >= self.robots
    }

    /// Whether most of the votes FOR are marked Trivial (N44): more than half of them.
    pub(super) fn mostly_trivial(&self) -> bool {
        self.trivial * 2 > self.fors
    }

    /// In a few words.
    pub(super) fn score(&self) -> String {
        let mut score = format!("{} FOR, {} AGAINST", self.fors, self.against);
        if self.unresolved > 0 {
            score.push_str(&format!(", {} DEFERENTIAL", self.unresolved));
        }
        score
    }
}

/// The votes as bars, with how many are needed FOR.
pub(super) fn bars(tally: &Tally, quorum: Option<u64>) -> Block {
    let not_yet = tally.robots.saturating_sub(tally.fors + tally.against + tally.unresolved);
    let all =
        [("FOR", tally.fors), ("AGAINST", tally.against), ("DEFERENTIAL", tally.unresolved), ("not yet", not_yet)];
    let bars = all.into_iter().filter(|(name, count)| *count > 0 || *name != "DEFERENTIAL");
    let bars = bars.map(|(name, count)| (name.to_owned(), count)).collect();
    Block::Picture(Picture::Bars(Bars { bars, needed: quorum.map(|quorum| (quorum, "Quorum".to_owned())) }))
}

/// How the Control Unit votes on a Proposal (N23 to N26, N127): FOR with or without the mark, AGAINST, or not.
fn leading_vote(state: &State<BlogNomic>, proposal: &Proposal) -> Option<(Choice, bool)> {
    let cu = dynasty::control_unit(state).filter(|cu| roster::is_current(state, cu))?;
    match votes::of(state, &proposal.question(), cu) {
        Some(vote) if vote.choice != Choice::Deferential => Some((vote.choice, vote.trivial)),
        None if proposal.by == *cu => Some((Choice::For, false)),
        _ => None,
    }
}

/// Counts the votes on a Proposal as they stand now.
pub(super) fn of(state: &State<BlogNomic>, proposal: &Proposal) -> Tally {
    let cu = dynasty::control_unit(state);
    let (leading, question) = (leading_vote(state, proposal), proposal.question());
    let mut tally = Tally { robots: roster::count(state), ..Tally::default() };
    for robot in roster::current(state) {
        let counted = match votes::of(state, &question, robot) {
            // A deferral that its caster made before becoming Control Unit is as if not cast (N127).
            Some(vote) if vote.choice == Choice::Deferential && (vote.void || Some(robot) == cu) => continue,
            Some(vote) if vote.choice == Choice::Deferential => leading,
            Some(vote) => Some((vote.choice, vote.trivial)),
            None if *robot == proposal.by => Some((Choice::For, false)),
            None => continue,
        };
        match counted {
            Some((Choice::For, trivial)) => {
                tally.fors += 1;
                tally.trivial += u64::from(trivial);
            }
            Some((Choice::Against, _)) => tally.against += 1,
            Some((Choice::Deferential, _)) | None => tally.unresolved += 1,
        }
    }
    tally
}
