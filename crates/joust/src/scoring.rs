//! The scores that rank programs: touches, or one of those that the public hills know (seed 000, J51, J52).
//!
//! Ranks come from exact rationals, so that equal is equal and every machine finds the same order. The score in an
//! entry is rounded to thousandths, half up; the ranks beside it were taken before. The formulas stand in words in the
//! engine's documents and in the rulings; `challenge` says who drops.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::{
    outcome::Pair,
    play,
    tournament::{Play, Scoring},
};
use kernel::Num;

/// The parts of one in which scores are kept and shown.
const SHOWN_PARTS: i64 = 1000;

/// What all programs of a hill hold together under markov.
const MARKOV_SHARES: i64 = 1000;

/// What trad gives to whoever wins every charge against programs that are worth all they can be.
const TRAD_MOST: i64 = 200;

/// The exact score of each program of a field, from all its matches.
pub(super) fn scores(field: &[u64], pairs: &[Pair], by: &Play) -> Vec<Num> {
    let table = Table::of(field, pairs, by);
    match by.scoring {
        Scoring::Touches => table.touches.into_iter().map(Num::from).collect(),
        Scoring::Points => table.points().into_iter().map(Num::from).collect(),
        Scoring::Trad => table.trad().into_iter().map(Num::from).collect(),
        Scoring::Markov => table.markov().into_iter().map(Num::from).collect(),
    }
}

/// A score as it is kept: in thousandths, half up.
pub(super) fn rounded(score: &Num) -> Num {
    let parts = BigRational::from_integer(SHOWN_PARTS.into());
    let half = BigRational::new(BigInt::one(), 2.into());
    Num::from((score.as_rational() * &parts + half).floor() / parts)
}

/// A score as people read it: `12.345`.
pub(super) fn shown(score: &Num) -> String {
    let parts = (rounded(score).as_rational() * BigRational::from_integer(SHOWN_PARTS.into())).to_integer();
    let sign = if parts.is_negative() { "-" } else { "" };
    let (whole, rest) = (parts.abs() / SHOWN_PARTS, parts.abs() % SHOWN_PARTS);
    format!("{sign}{whole}.{rest:0>3}")
}

/// Who won how many charges against whom, by places in the field.
struct Table {
    /// `[a][b]`: charges that `a` won against `b`.
    won: Vec<Vec<i64>>,
    /// Charges of a match.
    charges: i64,
    touches: Vec<i64>,
}

impl Table {
    fn of(field: &[u64], pairs: &[Pair], by: &Play) -> Self {
        let mut won = vec![vec![0; field.len()]; field.len()];
        let mut touches = vec![0; field.len()];
        let place = |program: u64| field.iter().position(|held| *held == program);
        for pair in pairs {
            let (Some(left), Some(right)) = (place(pair.left), place(pair.right)) else { continue };
            let count = |wanted| pair.winners.chars().filter(|winner| *winner == wanted).count() as i64;
            (won[left][right], won[right][left]) = (count(play::LEFT), count(play::RIGHT));
            let (one, other) = play::touches(&pair.winners, by);
            touches[left] += one;
            touches[right] += other;
        }
        // All matches of a challenge have equally many.
        let charges = pairs.first().map_or(1, |pair| pair.winners.chars().count().max(1) as i64);
        Self { won, charges, touches }
    }

    fn len(&self) -> usize {
        self.won.len()
    }

    /// One less than there are, and never none: what sums over all others are divided by.
    fn others(&self) -> i64 {
        self.len().saturating_sub(1).max(1) as i64
    }

    /// The margin of a match, in charges.
    fn margin(&self, one: usize, other: usize) -> i64 {
        self.won[one][other] - self.won[other][one]
    }

    fn points(&self) -> Vec<BigRational> {
        let sum = |one: usize| (0..self.len()).map(|other| self.margin(one, other)).sum::<i64>();
        (0..self.len()).map(|one| BigRational::new(sum(one).into(), self.charges.into())).collect()
    }

    fn trad(&self) -> Vec<BigRational> {
        let others = BigInt::from(self.others());
        let programs = BigRational::from_integer(self.len().into());
        let twice = BigRational::from_integer(&others * 2);
        let worth: Vec<BigRational> = self.points().iter().map(|points| (points + &programs) / &twice).collect();
        let scale = BigRational::new(TRAD_MOST.into(), others * self.charges);
        let base = |one: usize| {
            let beaten = (0..self.len()).filter(|other| self.margin(one, *other) > 0);
            let parts = beaten.map(|other| &worth[other] * BigRational::from_integer(self.margin(one, other).into()));
            parts.fold(BigRational::zero(), |sum, part| sum + part)
        };
        (0..self.len()).map(|one| base(one) * &scale).collect()
    }

    /// Where the chain is in the end. It begins anywhere with equal chances, and goes from a program to another as
    /// often as it lost to it. Since every program keeps a part, the chain has an end. It ends in the classes that
    /// nobody leaves, in each as its own balance says. It comes to each by the paths of those that it does leave.
    fn markov(&self) -> Vec<BigRational> {
        let all = self.len();
        let flow = |from: usize, to: usize| if from == to { 0 } else { self.won[to][from] };
        let mut reach: Vec<Vec<bool>> =
            (0..all).map(|from| (0..all).map(|to| from == to || flow(from, to) > 0).collect()).collect();
        for via in 0..all {
            for from in 0..all {
                for to in 0..all {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        let stays = |one: usize| (0..all).all(|other| !reach[one][other] || reach[other][one]);
        let passed: Vec<usize> = (0..all).filter(|one| !stays(*one)).collect();
        // How long the chain is at each program that it leaves for ever, all beginnings together.
        let leaving = |one: usize| (0..all).map(|other| flow(one, other)).sum::<i64>();
        let row = |to: &usize| {
            let entry = |from: &usize| if from == to { leaving(*to) } else { -flow(*from, *to) };
            passed.iter().map(entry).map(BigInt::from).collect()
        };
        let (visits, parts) = solve(passed.iter().map(row).collect(), vec![BigInt::one(); passed.len()]);
        let arrives = |to: usize| {
            let paths = passed.iter().zip(&visits).map(|(from, visits)| visits * flow(*from, to));
            paths.fold(parts.clone(), |sum, part| sum + part)
        };
        let mut shares = vec![BigRational::zero(); all];
        for first in (0..all).filter(|one| stays(*one) && (0..*one).all(|before| !reach[*one][before])) {
            let class: Vec<usize> = (0..all).filter(|other| reach[first][*other]).collect();
            let weight: BigInt = class.iter().map(|one| arrives(*one)).fold(BigInt::zero(), |sum, one| sum + one);
            let balance = self.balance(&class);
            let total: BigInt = balance.iter().fold(BigInt::zero(), |sum, one| sum + one);
            for (one, part) in class.iter().zip(balance) {
                let share = BigRational::new(part * &weight * MARKOV_SHARES, &total * &parts * BigInt::from(all));
                shares[*one] = share;
            }
        }
        shares
    }

    /// How a chain that stays in a class is spread over it, in parts.
    fn balance(&self, class: &[usize]) -> Vec<BigInt> {
        let Some((last, rest)) = class.split_last() else { return Vec::new() };
        let flow = |from: usize, to: usize| if from == to { 0 } else { self.won[to][from] };
        let leaving = |one: usize| class.iter().map(|other| flow(one, *other)).sum::<i64>();
        // What comes to a program is what leaves it; the last one is taken for one part.
        let row = |to: &usize| {
            let entry = |from: &usize| if from == to { leaving(*to) } else { -flow(*from, *to) };
            rest.iter().map(entry).map(BigInt::from).collect()
        };
        let (mut held, one) =
            solve(rest.iter().map(row).collect(), rest.iter().map(|to| flow(*last, *to).into()).collect());
        held.push(one);
        held
    }
}

/// Solves linear equations whose leading minors are all above zero, as those of leaving and coming are: the numerators,
/// and the denominator that they share. Bareiss's elimination: every division comes out even, and no number becomes
/// larger than a determinant.
fn solve(mut rows: Vec<Vec<BigInt>>, right: Vec<BigInt>) -> (Vec<BigInt>, BigInt) {
    for (row, value) in rows.iter_mut().zip(right) {
        row.push(value);
    }
    let mut before = BigInt::one();
    for pivot in 0..rows.len() {
        let by = rows[pivot].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot].clone();
            for (entry, by_entry) in row.iter_mut().zip(&by) {
                *entry = (&by[pivot] * &*entry - &factor * by_entry) / &before;
            }
        }
        before = by[pivot].clone();
    }
    let values = rows.into_iter().filter_map(|mut row| row.pop()).collect();
    (values, before)
}

#[cfg(test)]
mod tests {
    use bfjoust::{Charge, Method, Reason, Results, Side};
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    use super::*;
    use crate::tournament::SCORINGS;

    /// Matches by their winners, `<`, `>` or `=`, of every pair in order.
    fn pairs(programs: u64, winners: &[String]) -> Vec<Pair> {
        let places = (0..programs).flat_map(|left| (left + 1..programs).map(move |right| (left, right)));
        places.zip(winners).map(|((left, right), winners)| Pair { left, right, winners: winners.clone() }).collect()
    }

    fn play(scoring: Scoring) -> Play {
        let play = serde_json::json!({
            "flag": 128, "background": 0, "cycle_limit": 1, "flag_cycles": 1, "polarities": 1,
            "notation": {"comma_cycles": 1, "repeat_max": 0}, "scoring": "touches", "win": 1, "tie": 0, "loss": 0,
        });
        Play { scoring, ..serde_json::from_value(play).unwrap() }
    }

    fn exact(scoring: Scoring, programs: u64, pairs: &[Pair]) -> Vec<Num> {
        scores(&(0..programs).collect::<Vec<_>>(), pairs, &play(scoring))
    }

    fn told(scoring: Scoring, programs: u64, winners: &[&str]) -> Vec<String> {
        let winners: Vec<String> = winners.iter().map(|text| (*text).to_owned()).collect();
        exact(scoring, programs, &pairs(programs, &winners)).iter().map(shown).collect()
    }

    /// What the engine's own page says of each, worked out by hand for three programs of which each beats the next.
    #[test]
    fn j52_the_formulas_by_hand() {
        // Margins of 4: 0 beats 1 by 4, 0 beats 2 by 2, 1 beats 2 by 2.
        let winners = ["<<<<", "<<==", "<<=="];
        assert_eq!(told(Scoring::Touches, 3, &winners), ["6.000", "2.000", "0.000"]);
        assert_eq!(told(Scoring::Points, 3, &winners), ["1.500", "-0.500", "-1.000"]);
        // Worth 4.5/4, 2.5/4 and 2/4: 100 (0.625 + 0.25), 100 (0.25), nothing.
        assert_eq!(told(Scoring::Trad, 3, &winners), ["87.500", "25.000", "0.000"]);
        // Nobody takes anything from the first.
        assert_eq!(told(Scoring::Markov, 3, &winners), ["1000.000", "0.000", "0.000"]);
    }

    #[test]
    fn j52_markov_divides_by_balance_and_among_those_that_nobody_takes_from() {
        // In a circle of equals everybody keeps as much.
        assert_eq!(told(Scoring::Markov, 3, &["<<", ">>", "<<"]), ["333.333", "333.333", "333.333"]);
        // Two that split 3 to 1 hold 3 to 1.
        assert_eq!(told(Scoring::Markov, 2, &["<<<>"]), ["750.000", "250.000"]);
        // Nobody beats anybody: the shares of the beginning.
        assert_eq!(told(Scoring::Markov, 4, &["=", "=", "=", "=", "=", "="]), ["250.000"; 4]);
        // The last loses to two that nobody beats, 3 charges to 1: a third, and its own third in that proportion.
        assert_eq!(told(Scoring::Markov, 3, &["====", "<<<=", "<==="]), ["583.333", "416.667", "0.000"]);
        assert_eq!(told(Scoring::Markov, 1, &[]), ["1000.000"]);
        assert_eq!(told(Scoring::Trad, 1, &[]), ["0.000"]);
    }

    #[test]
    fn scores_are_kept_in_thousandths_half_up() {
        for (score, kept) in
            [("1/3", "0.333"), ("2/3", "0.667"), ("-1/2000", "0.000"), ("-7/3", "-2.333"), ("5", "5.000")]
        {
            let score: Num = score.parse().unwrap();
            assert_eq!(shown(&score), kept);
            assert_eq!(shown(&rounded(&score)), kept);
        }
    }

    #[test]
    fn every_scoring_has_a_word_and_no_other_word_is_one() {
        for (word, scoring) in SCORINGS {
            assert_eq!((Scoring::named(word).unwrap(), scoring.word()), (scoring, word));
        }
        assert!(Scoring::named("elo").unwrap_err().say.contains("touches, points, trad, markov"));
    }

    /// The engine reckons the same with floats, for folders of any size.
    #[test]
    fn scores_are_those_of_the_engine() {
        let hills = (2_u64..=9).prop_flat_map(|programs| {
            let matches = (programs * (programs - 1) / 2) as usize;
            (Just(programs), proptest::collection::vec("[<>=]{6}", matches))
        });
        proptest!(|((programs, winners) in hills)| {
            let pairs = pairs(programs, &winners);
            let mut results = Results::new(programs as usize);
            for pair in &pairs {
                let charge = |winner| Charge {
                    winner: match winner { play::LEFT => Some(Side::Left), play::RIGHT => Some(Side::Right), _ => None },
                    reason: Reason::Flag,
                    cycles: 1,
                };
                let charges: Vec<Charge> = pair.winners.chars().map(charge).collect();
                results.add(pair.left as usize, pair.right as usize, &charges);
            }
            let methods = [(Scoring::Points, Method::Points), (Scoring::Trad, Method::Trad), (Scoring::Markov, Method::Markov)];
            for (scoring, method) in methods {
                let own = exact(scoring, programs, &pairs);
                for (own, theirs) in own.iter().zip(results.scores(method)) {
                    prop_assert!((own.as_rational().to_f64().unwrap() - theirs).abs() < 1e-3, "{scoring:?} {own} {theirs}");
                }
            }
        });
    }

    /// The largest hill that a contract can have, and the largest match.
    #[test]
    fn markov_of_sixty_five_programs_is_soon_over() {
        let matches = 65 * 64 / 2;
        let winners = (0..matches).map(|at: usize| {
            let (left, right) = (at * 37 % 500, at * 101 % 500);
            format!("{}{}{}", "<".repeat(left), ">".repeat(right), "=".repeat(1000 - left - right))
        });
        let winners: Vec<String> = winners.collect();
        let shares = exact(Scoring::Markov, 65, &pairs(65, &winners));
        let sum = shares.iter().fold(Num::default(), |sum, share| &sum + share);
        assert_eq!(sum, Num::from(1000));
    }
}
