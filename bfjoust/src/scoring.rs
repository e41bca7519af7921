//! From outcomes to scores, and from scores to ranks.
//!
//! Outcomes come in as they are, played just now or stored from before. A match is the same either way, because a
//! charge is decided by both codes, the length and the rules alone.

use std::ops::Add as _;

use crate::charge::{Charge, Side};
use crate::presets::{Rules, Setup};
use crate::program::Program;
use crate::shortcuts::play;

/// What a charge is worth to a program, in touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// For a charge won.
    pub win: i64,
    /// For a charge that both lost, at once or at the cap.
    pub tie: i64,
    /// For a charge that only this program lost.
    pub loss: i64,
}

impl Scoring {
    /// The scoring of seed 000: a touch for each charge won, nothing else (J73).
    pub const fn agora() -> Scoring {
        Scoring { win: 1, tie: 0, loss: 0 }
    }

    /// What an outcome is worth to a side.
    pub fn of(&self, charge: &Charge, side: Side) -> i64 {
        match charge.winner {
            Some(winner) if winner == side => self.win,
            Some(_) => self.loss,
            None => self.tie,
        }
    }
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring::agora()
    }
}

/// Plays one charge for each length, in the order given, repeats included (J49, J57).
///
/// # Panics
/// As [`crate::charge()`].
pub fn pair(left: &Program, right: &Program, lengths: &[usize], rules: &Rules) -> Vec<Charge> {
    let setups: Vec<Setup> = lengths.iter().copied().map(Setup::from).collect();
    play(left, right, &setups, rules)
}

/// The touches of a match, left then right. They need not add up to the number of charges (J73).
pub fn score<'a>(charges: impl IntoIterator<Item = &'a Charge>, scoring: &Scoring) -> (i64, i64) {
    charges.into_iter().fold((0, 0), |(left, right), charge| {
        (left + scoring.of(charge, Side::Left), right + scoring.of(charge, Side::Right))
    })
}

/// Ranks programs by their touches or another score: most first, and of equals the one that arrived earlier first (J24,
/// J52).
///
/// `scores` are in the order of arrival, the challenger last. The answer holds places in it, best first, so the
/// first element is the winner's and the last is that of the one to drop.
pub fn rank<S: Ord>(scores: &[S]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // The sort is stable, which is what keeps equals in the order of arrival.
    order.sort_by(|&one, &other| scores[other].cmp(&scores[one]));
    order
}

/// How a hill is scored. `N` is the number of programs, and `T` the number of charges of a pair. `r(a, b)` is how many
/// of them `a` won against `b` less those that it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// What each charge is worth, added up: see [`Scoring`] (J51).
    Touches(Scoring),
    /// The margins: `p(a) = sum over b of r(a, b) / T`, from `-(N - 1)` to `N - 1`.
    Points,
    /// Margins against those that it beat, each weighed by what that one is worth: with `w(b) = (p(b) + N) / (2 (N -
    /// 1))` it is `200 / (N - 1) * sum over b with r(a, b) > 0 of w(b) r(a, b) / T`.
    Trad,
    /// A thousand shares that change hands. In each round every program wagers the `N`-th part of what it has against
    /// each other one. Of that it loses the part of the charges that it lost. The score is what each holds in the end,
    /// having begun with equal shares. So it is 1000 times the stationary distribution of the chain that goes from `a`
    /// to `b` with probability `won(b, a) / (N T)` and else stays.
    Markov,
}

/// What programs are played and ranked by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// What their charges are played by.
    pub rules: Rules,
    /// What each charge is worth, in touches.
    pub scoring: Scoring,
    /// What ranks a hill.
    pub method: Method,
}

impl From<Rules> for Tournament {
    /// Some rules, scored and ranked as seed 000 does.
    fn from(rules: Rules) -> Tournament {
        let scoring = Scoring::agora();
        Tournament { rules, scoring, method: Method::Touches(scoring) }
    }
}

/// Who won how many charges against whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Results {
    /// Of each pair, `[a][b]`: charges that `a` won against `b`.
    won: Vec<Vec<u64>>,
    /// Charges that each pair has played.
    played: Vec<Vec<u64>>,
}

impl Results {
    /// No charge played yet among so many programs.
    pub fn new(programs: usize) -> Results {
        let none = vec![vec![0; programs]; programs];
        Results { won: none.clone(), played: none }
    }

    /// Adds the charges of a match.
    ///
    /// # Panics
    /// If there is no such program.
    pub fn add<'a>(&mut self, left: usize, right: usize, charges: impl IntoIterator<Item = &'a Charge>) {
        for charge in charges {
            self.played[left][right] += 1;
            self.played[right][left] += 1;
            match charge.winner {
                Some(Side::Left) => self.won[left][right] += 1,
                Some(Side::Right) => self.won[right][left] += 1,
                None => {}
            }
        }
    }

    /// The score of each program. Whoever has played nobody has margins of 0.
    pub fn scores(&self, method: Method) -> Vec<f64> {
        let programs = self.won.len();
        let others = |one: usize| (0..programs).filter(move |&other| other != one);
        match method {
            Method::Touches(scoring) => {
                let against = |one: usize, other: usize| {
                    let (won, lost) = (self.won[one][other], self.won[other][one]);
                    let tied = self.played[one][other] - won - lost;
                    let worth = |charges: u64, touches: i64| charges as f64 * touches as f64;
                    worth(won, scoring.win) + worth(lost, scoring.loss) + worth(tied, scoring.tie)
                };
                // Beginning with 0: what sums up nothing is -0 else.
                (0..programs).map(|one| others(one).map(|other| against(one, other)).fold(0.0, f64::add)).collect()
            }
            Method::Points => self.points(),
            Method::Trad => {
                let most = programs.saturating_sub(1).max(1) as f64;
                let worth: Vec<f64> =
                    self.points().into_iter().map(|points| (points + programs as f64) / (2.0 * most)).collect();
                let base = |one: usize| -> f64 {
                    others(one).map(|other| worth[other] * self.margin(one, other).max(0.0)).fold(0.0, f64::add)
                };
                (0..programs).map(|one| 200.0 * base(one) / most).collect()
            }
            Method::Markov => self.markov(),
        }
    }

    /// `r(a, b) / T`.
    fn margin(&self, one: usize, other: usize) -> f64 {
        self.share(one, other) - self.share(other, one)
    }

    /// The part of its charges against another that a program has won.
    fn share(&self, one: usize, other: usize) -> f64 {
        self.won[one][other] as f64 / self.played[one][other].max(1) as f64
    }

    fn points(&self) -> Vec<f64> {
        let programs = self.won.len();
        (0..programs).map(|one| (0..programs).map(|other| self.margin(one, other)).sum()).collect()
    }

    /// Worked out directly: how quickly shares come to rest differs by thousands of rounds from one hill to another.
    ///
    /// Programs that the chain leaves for ever are taken out one by one. Each hands what it holds, and whatever comes
    /// to it, on to the others in the proportions in which it loses. What is left are classes that nothing leaves, each
    /// with a balance of its own. There every program is taken out like that too, and put back in with what comes to it
    /// from those before it. Nothing is subtracted on the way, so that nothing is lost to rounding either.
    fn markov(&self) -> Vec<f64> {
        let programs = self.won.len();
        // `flow[a][b]`: the part of what `a` has that goes to `b` in a round.
        let mut flow: Vec<Vec<f64>> = (0..programs)
            .map(|from| {
                let part = |to: usize| if to == from { 0.0 } else { self.share(to, from) / programs as f64 };
                (0..programs).map(part).collect()
            })
            .collect();
        let mut held = vec![1.0 / programs.max(1) as f64; programs];
        let (passed, classes) = classes(&flow);
        let mut left: Vec<usize> = passed.iter().chain(classes.iter().flatten()).copied().collect();
        for one in passed {
            left.retain(|other| *other != one);
            let leaving = take_out(&mut flow, one, &left);
            for &other in &left {
                held[other] += held[one] * flow[one][other] / leaving;
            }
            held[one] = 0.0;
        }
        for class in classes {
            let weight: f64 = class.iter().map(|one| held[*one]).sum();
            let leaving: Vec<f64> =
                (1..class.len()).rev().map(|count| take_out(&mut flow, class[count], &class[..count])).collect();
            // What comes to each from those before it is what leaves it to them; the first one is taken for one part.
            held[class[0]] = 1.0;
            for (count, leaving) in (1..class.len()).zip(leaving.into_iter().rev()) {
                let comes: f64 = class[..count].iter().map(|from| held[*from] * flow[*from][class[count]]).sum();
                held[class[count]] = comes / leaving;
            }
            let total: f64 = class.iter().map(|one| held[*one]).sum();
            for one in class {
                held[one] *= weight / total;
            }
        }
        held.into_iter().map(|share| 1000.0 * share).collect()
    }
}

/// Takes a program out of the chain: what would come to it goes on at once to where it goes from there. Gives how much
/// leaves it in a round.
fn take_out(flow: &mut [Vec<f64>], one: usize, left: &[usize]) -> f64 {
    let row = std::mem::take(&mut flow[one]);
    let leaving: f64 = left.iter().map(|to| row[*to]).sum();
    for &from in left {
        let through = flow[from][one] / leaving;
        if through > 0.0 {
            for &to in left {
                if to != from {
                    flow[from][to] += through * row[to];
                }
            }
        }
    }
    flow[one] = row;
    leaving
}

/// The programs that the chain leaves for ever, and the classes of the others: each goes to all of its class and to
/// nobody else.
fn classes(flow: &[Vec<f64>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let programs = flow.len();
    let (mut passed, mut classes) = (Vec::new(), Vec::new());
    let mut unknown: Vec<usize> = (0..programs).collect();
    while let Some(&first) = unknown.first() {
        let onward = reached(first, &unknown, |from, to| flow[from][to] > 0.0);
        let class = reached(first, &onward, |to, from| flow[from][to] > 0.0);
        let mut is_in = vec![false; programs];
        class.iter().for_each(|one| is_in[*one] = true);
        unknown.retain(|one| !is_in[*one]);
        let leaves = |from: &usize| (0..programs).any(|to| flow[*from][to] > 0.0 && !is_in[to]);
        if class.iter().any(leaves) {
            passed.extend(class);
        } else {
            classes.push(class);
        }
    }
    (passed, classes)
}

/// All among some programs that one of them comes to, itself too.
fn reached(first: usize, among: &[usize], goes: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut reached = vec![first];
    let mut rest: Vec<usize> = among.iter().copied().filter(|one| *one != first).collect();
    let mut done = 0;
    while let Some(&one) = reached.get(done) {
        done += 1;
        rest.retain(|other| {
            let is_reached = goes(one, *other);
            reached.extend(is_reached.then_some(*other));
            !is_reached
        });
    }
    reached
}
