//! Scores of a hill, against figures worked out by hand.

use bfjoust::{Charge, Method, Reason, Results, Scoring, Side};

fn charges(left: usize, right: usize, both: usize) -> Vec<Charge> {
    let charge = |winner| Charge { winner, reason: Reason::Flag, cycles: 1 };
    let mut all = vec![charge(Some(Side::Left)); left];
    all.extend(vec![charge(Some(Side::Right)); right]);
    all.extend(vec![charge(None); both]);
    all
}

/// Three programs, four charges a pair: the first beats the second 3 to 1 and ties with the third, which loses
/// all to the second.
fn hill() -> Results {
    let mut results = Results::new(3);
    results.add(0, 1, &charges(3, 1, 0));
    results.add(2, 0, &charges(0, 0, 4));
    results.add(2, 1, &charges(0, 4, 0));
    results
}

fn close(scores: &[f64], expected: &[f64]) {
    assert_eq!(scores.len(), expected.len());
    for (score, expected) in scores.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-9, "{scores:?} {expected:?}");
    }
}

#[test]
fn touches_add_up_what_each_charge_is_worth() {
    close(&hill().scores(Method::Touches(Scoring::agora())), &[3.0, 5.0, 0.0]);
    close(&hill().scores(Method::Touches(Scoring { win: 3, tie: 1, loss: -1 })), &[12.0, 12.0, 0.0]);
}

#[test]
fn points_are_the_margins() {
    close(&hill().scores(Method::Points), &[0.5, 0.5, -1.0]);
}

#[test]
fn trad_weighs_a_win_by_what_the_loser_is_worth() {
    // Worth: (0.5 + 3) / 4 = 0.875 each for the first two, (-1 + 3) / 4 = 0.5 for the third.
    close(&hill().scores(Method::Trad), &[200.0 * 0.875 * 0.5 / 2.0, 200.0 * 0.5 / 2.0, 0.0]);
}

#[test]
fn markov_is_what_each_holds_when_shares_no_longer_move() {
    // The third has lost everything to the second; between the first two, three parts flow one way and one the other.
    close(&hill().scores(Method::Markov), &[750.0, 250.0, 0.0]);
    // Nobody has lost to anybody: everybody keeps what e had.
    close(&Results::new(4).scores(Method::Markov), &[250.0; 4]);
    close(&Results::new(0).scores(Method::Markov), &[]);
}

#[test]
fn who_plays_alone_has_no_margin() {
    for method in [Method::Points, Method::Trad] {
        close(&Results::new(1).scores(method), &[0.0]);
    }
}

#[test]
fn who_plays_alone_scores_0_and_not_less() {
    for method in [Method::Touches(Scoring::agora()), Method::Points, Method::Trad] {
        assert_eq!(format!("{:.2}", Results::new(1).scores(method)[0]), "0.00", "{method:?}");
    }
    close(&Results::new(1).scores(Method::Markov), &[1000.0]);
}

/// The shares after so many rounds that they no longer move, one round after another.
fn after_many_rounds(won: &[Vec<usize>], charges: usize) -> Vec<f64> {
    let programs = won.len();
    let mut held = vec![1000.0 / programs as f64; programs];
    for _ in 0..200_000 {
        let mut next = held.clone();
        for (from, share) in held.iter().enumerate() {
            for (to, won) in won.iter().enumerate().filter(|(to, _)| *to != from) {
                let part = share * won[from] as f64 / (programs * charges) as f64;
                next[from] -= part;
                next[to] += part;
            }
        }
        held = next;
    }
    held
}

#[test]
fn markov_is_where_rounds_lead_also_where_some_are_left_for_ever() {
    let mut dice = 0x1234_5678_9abc_def1_u64;
    for case in 0..40 {
        let mut roll = |sides: usize| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            (dice >> 33) as usize % sides
        };
        let programs = 2 + roll(5);
        let charges_each = 12;
        let mut won = vec![vec![0; programs]; programs];
        let mut results = Results::new(programs);
        let pairs = (0..programs).flat_map(|right| (0..right).map(move |left| (left, right)));
        for (left, right) in pairs {
            // Most win nothing of each other, so that there are several classes, and ways into them.
            let some = if roll(3) == 0 { 7 } else { 1 };
            (won[left][right], won[right][left]) = (roll(some), roll(some) * roll(2));
            let tied = charges_each - won[left][right] - won[right][left];
            results.add(left, right, &charges(won[left][right], won[right][left], tied));
        }
        let (shares, expected) = (results.scores(Method::Markov), after_many_rounds(&won, charges_each));
        for (share, expected) in shares.iter().zip(&expected) {
            assert!((share - expected).abs() < 1e-6, "case {case}: {shares:?} {expected:?} {won:?}");
        }
    }
}

/// A thousand programs of which each beats almost all below it: the shares take very many rounds to come to rest.
#[test]
fn markov_of_a_thousand_programs_is_soon_over() {
    let mut results = Results::new(1000);
    for right in 0..1000 {
        for left in 0..right {
            results.add(
                left,
                right,
                &charges(if (left + right) % 97 == 0 { 0 } else { 1 }, usize::from(left % 89 == 0), 0),
            );
        }
    }
    let shares = results.scores(Method::Markov);
    assert!((shares.iter().sum::<f64>() - 1000.0).abs() < 1e-6);
    assert!(shares.iter().all(|share| *share >= 0.0), "{shares:?}");
}
