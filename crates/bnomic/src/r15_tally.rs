//! The tally (4E15): which Open proposals pass, which are discarded, which are lost, and why.
//!
//! It is pure counting over numbers: votes were counted before, passing happens after. The rule repeats its culling
//! until nothing changes. Here a lost proposal hands that on to those that depend on it, so that every dependency is
//! looked at once. A test holds both against each other. Who may vote stands in `voting`, the effects of a proposal in
//! `passing`.

use std::{cmp::Reverse, collections::VecDeque};

use serde::{Deserialize, Serialize};

/// What became of a proposal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Success {
    /// It passes, or has passed.
    Won,
    /// Too few cared, or it was shelved.
    Discarded,
    /// It does not pass.
    Lost,
    /// Nobody has counted yet.
    #[default]
    Undecided,
}

/// A proposal that another depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An Open one, by its place in the list.
    Open(usize),
    /// One that this tally does not decide, with what became of it.
    Decided(Success),
}

/// An Open proposal, as the tally sees it.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    /// Its number.
    pub number: u64,
    /// Final votes FOR.
    pub fors: u64,
    /// Final votes AGAINST.
    pub against: u64,
    /// Final votes SHELVE.
    pub shelved: u64,
    /// Whether it was shelved in the nweek before.
    pub shelved_before: bool,
    /// What it depends on.
    pub needs: Vec<Target>,
    /// Open ones that it lists as conflicts, by their place in the list.
    pub conflicts: Vec<usize>,
}

impl Paper {
    /// Votes that say something: all but ABSTAIN.
    pub fn stamina(&self) -> u64 {
        self.fors + self.against + self.shelved
    }

    /// Votes FOR, less those AGAINST and SHELVE.
    pub fn strength(&self) -> i128 {
        i128::from(self.fors) - i128::from(self.against) - i128::from(self.shelved)
    }

    /// What its strength would be if SHELVE were FOR.
    fn if_shelved_were_for(&self) -> i128 {
        i128::from(self.fors) + i128::from(self.shelved) - i128::from(self.against)
    }
}

/// Why a proposal stands as it does after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Step 1: its Stamina is A Quiggle at most.
    Stamina,
    /// Step 2: its Strength is positive.
    Strong,
    /// Step 2: its Strength is negative, and positive if SHELVE were FOR.
    Shelved,
    /// Step 2: the same, and in the nweek before, too.
    ShelvedAgain,
    /// Step 2: neither.
    Weak,
    /// Step 3 or 5: it depends on this Open one, which is lost or discarded.
    Needs(u64),
    /// Step 3 or 5: it depends on one that was lost or discarded before.
    NeedsPast,
    /// Step 4: it is in conflict with this one, which was stronger, or newer and as strong.
    Conflict(u64),
}

/// What the tally made of one proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What became of it in the end.
    pub success: Success,
    /// Whether it was Won after some step (4E19).
    pub ever_won: bool,
    /// What it became, step by step: the number of the step, what, and why.
    pub steps: Vec<(u8, Success, Why)>,
}

struct Count<'a> {
    papers: &'a [Paper],
    verdicts: Vec<Verdict>,
    /// Who depends on whom: for each, those that depend on it.
    waiting: Vec<Vec<usize>>,
    /// Who is in conflict with whom, both ways.
    against: Vec<Vec<usize>>,
}

/// Counts: steps 1 to 5 of 4E15. `is_little` says of a Stamina whether it is A Quiggle at most.
pub fn count(papers: &[Paper], is_little: impl Fn(u64) -> bool) -> Vec<Verdict> {
    let blank = Verdict { success: Success::Undecided, ever_won: false, steps: Vec::new() };
    let (mut waiting, mut against) = (vec![Vec::new(); papers.len()], vec![Vec::new(); papers.len()]);
    for (index, paper) in papers.iter().enumerate() {
        for need in &paper.needs {
            if let Target::Open(other) = need {
                waiting[*other].push(index);
            }
        }
        for &other in &paper.conflicts {
            against[other].push(index);
            against[index].push(other);
        }
    }
    let mut count = Count { papers, verdicts: vec![blank; papers.len()], waiting, against };
    for (index, paper) in papers.iter().enumerate() {
        let (step, success, why) = if is_little(paper.stamina()) {
            (1, Success::Discarded, Why::Stamina)
        } else if paper.strength() > 0 {
            (2, Success::Won, Why::Strong)
        } else if paper.strength() < 0 && paper.if_shelved_were_for() > 0 {
            match paper.shelved_before {
                false => (2, Success::Discarded, Why::Shelved),
                true => (2, Success::Lost, Why::ShelvedAgain),
            }
        } else {
            (2, Success::Lost, Why::Weak)
        };
        count.becomes(index, step, success, why);
    }
    count.cull_dependents(3);
    count.cull_conflicts();
    count.cull_dependents(5);
    count.verdicts
}

fn fallen(success: Success) -> bool {
    matches!(success, Success::Lost | Success::Discarded)
}

impl Count<'_> {
    fn becomes(&mut self, index: usize, step: u8, success: Success, why: Why) {
        let verdict = &mut self.verdicts[index];
        verdict.success = success;
        verdict.ever_won |= success == Success::Won;
        verdict.steps.push((step, success, why));
    }

    fn order<K: Ord>(&self, key: impl Fn(&Paper) -> K) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.papers.len()).collect();
        order.sort_by_key(|&index| key(&self.papers[index]));
        order
    }

    /// Dependency culling: the fixed point of the rule's passes, each dependency looked at once.
    fn cull_dependents(&mut self, step: u8) {
        let mut fallen_ones: VecDeque<usize> = VecDeque::new();
        for index in self.order(|paper| paper.number) {
            if fallen(self.verdicts[index].success) {
                fallen_ones.push_back(index);
            }
            let past = |need: &Target| matches!(need, Target::Decided(success) if fallen(*success));
            if self.verdicts[index].success != Success::Lost && self.papers[index].needs.iter().any(past) {
                self.becomes(index, step, Success::Lost, Why::NeedsPast);
                fallen_ones.push_back(index);
            }
        }
        while let Some(from) = fallen_ones.pop_front() {
            for index in std::mem::take(&mut self.waiting[from]) {
                if self.verdicts[index].success != Success::Lost {
                    self.becomes(index, step, Success::Lost, Why::Needs(self.papers[from].number));
                    fallen_ones.push_back(index);
                }
            }
        }
    }

    /// Conflict culling: the strong first, of equals the newer; whoever still stands fells its conflicts.
    fn cull_conflicts(&mut self) {
        for index in self.order(|paper| (Reverse(paper.strength()), Reverse(paper.number))) {
            if self.verdicts[index].success != Success::Won {
                continue;
            }
            for other in std::mem::take(&mut self.against[index]) {
                if self.verdicts[other].success != Success::Lost {
                    self.becomes(other, 4, Success::Lost, Why::Conflict(self.papers[index].number));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule as it reads, pass by pass.
    fn literally(papers: &[Paper], is_little: impl Fn(u64) -> bool) -> Vec<(Success, bool)> {
        let mut success = vec![Success::Undecided; papers.len()];
        let mut won = vec![false; papers.len()];
        for (index, paper) in papers.iter().enumerate() {
            if is_little(paper.stamina()) {
                success[index] = Success::Discarded;
            }
        }
        for (index, paper) in papers.iter().enumerate() {
            if success[index] == Success::Discarded {
                continue;
            }
            success[index] = if paper.strength() > 0 {
                won[index] = true;
                Success::Won
            } else if paper.strength() < 0 && paper.if_shelved_were_for() > 0 && !paper.shelved_before {
                Success::Discarded
            } else {
                Success::Lost
            };
        }
        let mut ascending: Vec<usize> = (0..papers.len()).collect();
        ascending.sort_by_key(|&index| papers[index].number);
        let dependencies = |success: &mut Vec<Success>| {
            let stands = |success: &[Success], need: &Target| match need {
                Target::Open(other) => success[*other],
                Target::Decided(decided) => *decided,
            };
            loop {
                for &index in &ascending {
                    if papers[index].needs.iter().any(|need| fallen(stands(success, need))) {
                        success[index] = Success::Lost;
                    }
                }
                let again = ascending.iter().any(|&index| {
                    success[index] != Success::Lost
                        && papers[index].needs.iter().any(|need| stands(success, need) == Success::Lost)
                });
                if !again {
                    return;
                }
            }
        };
        dependencies(&mut success);
        let mut descending = ascending.clone();
        descending.sort_by_key(|&index| (Reverse(papers[index].strength()), Reverse(papers[index].number)));
        for &index in &descending {
            if success[index] == Success::Won {
                for other in 0..papers.len() {
                    let conflict = papers[index].conflicts.contains(&other) || papers[other].conflicts.contains(&index);
                    if conflict {
                        success[other] = Success::Lost;
                    }
                }
            }
        }
        dependencies(&mut success);
        success.into_iter().zip(won).collect()
    }

    fn papers() -> impl Strategy<Value = Vec<Paper>> {
        (1_usize..12).prop_flat_map(|len| {
            let target = prop_oneof![
                4 => (0..len).prop_map(Target::Open),
                1 => prop_oneof![Just(Success::Won), Just(Success::Lost), Just(Success::Discarded), Just(Success::Undecided)]
                    .prop_map(Target::Decided),
            ];
            let paper = (
                (0_u64..5, 0_u64..4, 0_u64..4, any::<bool>()),
                proptest::collection::vec(target, 0..3),
                proptest::collection::vec(0..len, 0..3),
            );
            let paper = paper.prop_map(|((fors, against, shelved, shelved_before), needs, conflicts)| Paper {
                number: 0,
                fors,
                against,
                shelved,
                shelved_before,
                needs,
                conflicts,
            });
            (proptest::collection::vec(paper, len), Just((1..=len as u64).collect::<Vec<_>>()).prop_shuffle())
                .prop_map(|(mut papers, numbers)| {
                    for (index, (paper, number)) in papers.iter_mut().zip(numbers).enumerate() {
                        paper.number = number;
                        // None names itself (B15.3).
                        paper.needs.retain(|need| *need != Target::Open(index));
                        paper.conflicts.retain(|other| *other != index);
                    }
                    papers
                })
        })
    }

    proptest! {
        /// B15.20 to B15.26.
        #[test]
        fn the_tally_is_what_the_rule_says(papers in papers(), quiggle in 0_u64..4) {
            let counted: Vec<(Success, bool)> = count(&papers, |stamina| stamina * 2 <= quiggle)
                .into_iter()
                .map(|verdict| (verdict.success, verdict.ever_won))
                .collect();
            prop_assert_eq!(counted, literally(&papers, |stamina| stamina * 2 <= quiggle));
        }
    }

    fn paper(number: u64, [fors, against, shelved]: [u64; 3]) -> Paper {
        Paper { number, fors, against, shelved, ..Paper::default() }
    }

    /// BW3, with its table of steps.
    #[test]
    fn bw3_six_proposals_go_the_way_of_the_worked_example() {
        let mut papers = vec![
            paper(41, [6, 2, 0]),
            paper(42, [3, 1, 0]),
            paper(43, [6, 1, 0]),
            paper(44, [5, 1, 0]),
            paper(45, [4, 2, 1]),
            paper(46, [2, 2, 3]),
        ];
        papers[2].needs = vec![Target::Open(1)];
        papers[2].conflicts = vec![3];
        papers[3].conflicts = vec![0];
        papers[4].needs = vec![Target::Open(0)];
        papers[5].needs = vec![Target::Open(2)];
        let verdicts = count(&papers, |stamina| stamina <= 4);
        use Success::{Discarded, Lost, Won};
        let steps: Vec<_> = verdicts.iter().map(|verdict| verdict.steps.clone()).collect();
        assert_eq!(
            steps,
            [
                vec![(2, Won, Why::Strong), (4, Lost, Why::Conflict(44))],
                vec![(1, Discarded, Why::Stamina)],
                vec![(2, Won, Why::Strong), (3, Lost, Why::Needs(42))],
                vec![(2, Won, Why::Strong)],
                vec![(2, Won, Why::Strong), (5, Lost, Why::Needs(41))],
                vec![(2, Discarded, Why::Shelved), (3, Lost, Why::Needs(43))],
            ]
        );
        assert_eq!(
            verdicts.iter().map(|verdict| verdict.ever_won).collect::<Vec<_>>(),
            [true, false, true, true, true, false]
        );
    }

    /// B15.21: Strength 0 is Lost, shelved or not; two shelve and one is for: Discarded.
    #[test]
    fn b15_21_shelving_discards_only_what_it_would_have_carried() {
        let of = |votes| count(&[paper(1, votes)], |stamina| stamina == 0)[0].success;
        assert_eq!(of([2, 0, 2]), Success::Lost);
        assert_eq!(of([1, 0, 2]), Success::Discarded);
        assert_eq!(of([1, 2, 1]), Success::Lost);
        assert_eq!(of([2, 1, 0]), Success::Won);
    }

    /// B15.29: what is shelved in the next nweek again is Lost.
    #[test]
    fn b15_29_what_is_shelved_twice_running_is_lost() {
        let of = |votes| count(&[Paper { shelved_before: true, ..paper(1, votes) }], |stamina| stamina == 0)[0].success;
        assert_eq!(of([1, 0, 2]), Success::Lost);
        assert_eq!(of([0, 0, 0]), Success::Discarded);
        assert_eq!(of([2, 1, 0]), Success::Won);
    }

    /// B15.23: a circle of Won proposals stands, and falls whole.
    #[test]
    fn b15_23_a_circle_stands_or_falls_whole() {
        let mut papers = vec![paper(1, [3, 0, 0]), paper(2, [3, 0, 0]), paper(3, [3, 0, 0])];
        for (index, paper) in papers.iter_mut().enumerate() {
            paper.needs = vec![Target::Open((index + 1) % 3)];
        }
        let won = |papers: &[Paper]| {
            count(papers, |stamina| stamina == 0).iter().filter(|v| v.success == Success::Won).count()
        };
        assert_eq!(won(&papers), 3);
        papers[1].fors = 0;
        papers[1].against = 1;
        assert_eq!(won(&papers), 0);
    }
}
