//! Payments for proposals (S73, S74): to the maker of one that passed, from the maker of one that failed, and to voters.
//!
//! Proposals pass and fail in `voting`, which asks for these payments.

use super::{
    figures::{FAILURE_FEE, PASS_REWARD, VOTER_REWARD},
    game::D,
    law::Thing,
    money::mixed,
    moves::stir::poorer,
    roster::is_player,
    stats::{ACCOUNT, called},
};
use kernel::Id;

/// Pays what a proposal that passed or failed pays, to those who are players (S73, S74). The rules read as they do after
/// its changes. Gives it in sentences.
pub(super) fn settle_up(d: &mut D<'_>, maker: &Id, voters: &[Id], passed: bool) -> Vec<String> {
    let mut said = Vec::new();
    let figure = |d: &D<'_>, thing: Thing, key| {
        (thing.is_in(&d.rules) && Thing::Money.is_in(&d.rules))
            .then(|| d.rules.live(key).ok())
            .flatten()
            .filter(|amount| !amount.is_zero())
    };
    if is_player(d, maker) {
        let name = called(d, maker);
        if passed && let Some(reward) = figure(d, Thing::ProposalPayments, &PASS_REWARD) {
            d.by_rule(Thing::ProposalPayments.word(), &[&PASS_REWARD], |d| d.add(&ACCOUNT, maker, reward.clone()));
            said.push(format!("{name} gets {} for it.", mixed(&reward)));
        }
        if !passed && let Some(fee) = figure(d, Thing::ProposalPayments, &FAILURE_FEE) {
            d.by_rule(Thing::ProposalPayments.word(), &[&FAILURE_FEE], |d| d.add(&ACCOUNT, maker, -&fee));
            said.push(format!("It costs {name} {}.", mixed(&fee)));
            poorer(d, maker, "The fee for your proposal");
        }
    }
    let voters: Vec<&Id> = voters.iter().filter(|voter| is_player(d, voter)).collect();
    if !voters.is_empty()
        && let Some(reward) = figure(d, Thing::VotePayments, &VOTER_REWARD)
    {
        d.by_rule(Thing::VotePayments.word(), &[&VOTER_REWARD], |d| {
            voters.iter().for_each(|voter| d.add(&ACCOUNT, voter, reward.clone()));
        });
        let names: Vec<String> = voters.iter().map(|voter| called(d, voter)).collect();
        said.push(format!("For voting, {} to each of: {}.", mixed(&reward), names.join(", ")));
    }
    said
}
