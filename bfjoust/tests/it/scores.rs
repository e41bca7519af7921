//! Touches and ranks: J21 to J27, J49 to J52 and J73.

use bfjoust::{Charge, Program, Reason, Rules, Scoring, Side, charge, pair, rank, score};

fn outcome(winner: Option<Side>) -> Charge {
    let reason = if winner.is_some() { Reason::Flag } else { Reason::Cap };
    Charge { winner, reason, cycles: 100 }
}

/// So many charges won by left, so many by right, so many lost by both.
fn charges(left: usize, right: usize, both: usize) -> Vec<Charge> {
    let mut all = vec![outcome(Some(Side::Left)); left];
    all.extend(vec![outcome(Some(Side::Right)); right]);
    all.extend(vec![outcome(None); both]);
    all
}

#[test]
fn j49_j57_a_match_is_a_charge_for_each_length_in_order_with_repeats() {
    let attack = Program::parse(&format!("{}[-]", ">".repeat(134))).expect("balanced");
    let idle = Program::parse("").expect("balanced");
    let rules = Rules::agora();
    let lengths = [151, 135, 167, 135];
    let played = pair(&attack, &idle, &lengths, &rules);
    assert_eq!(played, lengths.map(|length| charge(&attack, &idle, length, &rules)));
    let winners: Vec<Option<Side>> = played.iter().map(|charge| charge.winner).collect();
    assert_eq!(winners, [None, Some(Side::Left), None, Some(Side::Left)]);
    assert_eq!(score(&played, &Scoring::agora()), (2, 0));
}

#[test]
fn j50_a_program_scores_at_most_20_touches_from_each_of_ten_opponents() {
    let all_won = charges(20, 0, 0);
    let total: i64 = (0..10).map(|_| score(&all_won, &Scoring::agora()).0).sum();
    assert_eq!(total, 200);
    // 55 matches of 20 charges have 1100 touches to give.
    assert_eq!((10 + 45) * all_won.len(), 1100);
}

#[test]
fn j73_a_touch_for_each_charge_won_and_nothing_for_ties_and_losses() {
    assert_eq!(score(&charges(12, 5, 3), &Scoring::agora()), (12, 5));
    assert_eq!(score(&charges(0, 0, 20), &Scoring::agora()), (0, 0));
    assert_eq!(score(&[], &Scoring::agora()), (0, 0));
    assert_eq!(Scoring::default(), Scoring { win: 1, tie: 0, loss: 0 });
}

#[test]
fn j73_the_figures_are_handed_in() {
    let scoring = Scoring { win: 5, tie: 2, loss: -1 };
    assert_eq!(score(&charges(12, 5, 3), &scoring), (60 + 6 - 5, 25 + 6 - 12));
}

#[test]
fn j52_most_touches_is_best() {
    assert_eq!(rank(&[10, 30, 20]), [1, 2, 0]);
    assert_eq!(rank::<i64>(&[]), [0_usize; 0]);
}

#[test]
fn j24_of_equals_the_later_arrival_ranks_lower() {
    assert_eq!(rank(&[7, 9, 7, 9, 7]), [1, 3, 0, 2, 4]);
    assert_eq!(rank(&[0; 11]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn j25_a_challenger_equal_to_the_tenth_is_eleventh() {
    let hill = [200, 190, 180, 170, 160, 150, 140, 130, 120, 60];
    let last = |challenger: i64| {
        let mut touches = hill.to_vec();
        touches.push(challenger);
        *rank(&touches).last().expect("eleven programs")
    };
    assert_eq!(last(60), 10, "the challenger is the one that does not enter");
    assert_eq!(last(61), 9, "the tenth drops");
}
