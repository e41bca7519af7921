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
