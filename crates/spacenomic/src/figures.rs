//! The figures that Spacenomic is played by (seed 003), each read from the text of its rule at the moment of use.
//!
//! The values stand in `rulebook/*.md` and nowhere in the code. A bound is what the engine can bear, not what the rules
//! allow: beyond it a mechanic is suspended. Each mechanic says what its figures do.

use std::cmp::Ordering;

use num_traits::ToPrimitive;

use kernel::rulebook::NumKind::{Count, Instant as Moment, Rational, TimeOfDay};
use kernel::{
    Instant, Num,
    rulebook::{Live, LiveKey, NumKind, Rule, Rulebook},
    time::seconds_after,
};

/// Amounts of money: far from what would make sums slow.
const AMOUNT_MAX_COUNT: i64 = 1_000_000_000_000_000_000;
/// Days: centuries.
const SPAN_MAX_DAYS: i64 = 100_000;
/// Powers of distances: beyond, shares are as good as nothing, and their fractions as long as books.
const EXPONENT_MAX_COUNT: i64 = 16;
/// The most that a single vote can weigh.
const VOTE_MAX_COUNT: i64 = 1_000_000_000;

/// How long a proposal exists that can expire, beside the number of days.
const AGES: NumKind = NumKind::Word(&["at least", MORE_THAN]);

/// The wording by which a proposal does not expire yet when the days are over.
pub(super) const MORE_THAN: &str = "more than";

/// What income is made of.
const WHOLE: NumKind = NumKind::Word(&["the mean", THE_SUM]);

/// The wording by which income is not divided by the number of vertices.
pub(super) const THE_SUM: &str = "the sum";

kit::figures! {
    /// The least vote (S25).
    VOTE_MIN = "vote-min", Rational (-VOTE_MAX_COUNT, VOTE_MAX_COUNT), "voting",
        "least vote", "nobody can vote";
    /// The greatest vote (S25).
    VOTE_MAX = "vote-max", Rational (-VOTE_MAX_COUNT, VOTE_MAX_COUNT), "voting",
        "greatest vote", "nobody can vote";
    /// Money of a new player (S65).
    OPENING_MONEY = "opening-money", Rational (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "money",
        "money units of a new player", "a new player has none";
    /// Days that a proposal exists before it can expire (S72).
    PROPOSAL_AGE = "proposal-age", Rational (0, SPAN_MAX_DAYS), "expiry",
        "days that a proposal exists before it can expire", "no proposal expires";
    /// Whether so many days are enough, or more is needed (S72).
    EXPIRY_BOUND = "@expiry-bound", AGES (0, 0), "expiry",
        "choice of at least or more than the days that a proposal exists", "it is at least";
    /// Days after a refreshment (S72).
    REFRESH_AGE = "refresh-age", Rational (0, SPAN_MAX_DAYS), "expiry",
        "days after which a refreshed proposal can expire", "no proposal expires";
    /// What a pass brings its maker (S73).
    PASS_REWARD = "pass-reward", Rational (0, AMOUNT_MAX_COUNT), "payment",
        "money units for a proposal that passes", "a pass brings its maker nothing";
    /// What a failure costs its maker (S73).
    FAILURE_FEE = "failure-fee", Rational (0, AMOUNT_MAX_COUNT), "payment",
        "money units that a failed proposal costs", "a failure costs nothing";
    /// What a vote brings (S74).
    VOTER_REWARD = "voter-reward", Rational (0, AMOUNT_MAX_COUNT), "payment",
        "money units for a vote once a proposal passes or fails", "votes bring nothing";
    /// Days from an accusation until it counts (S80).
    ACCUSATION_AGE = "accusation-age", Rational (0, SPAN_MAX_DAYS), "activity",
        "days from an accusation until it counts", "no accusation by another counts";
    /// Days without an action or a move (S80).
    INACTIVITY_SPAN = "inactivity-span", Rational (0, SPAN_MAX_DAYS), "activity",
        "days without an action or a move that make inactive", "no accusation by another counts";
    /// Days of inactivity until removal (S83).
    REMOVAL_AGE = "removal-age", Rational (0, SPAN_MAX_DAYS), "removal",
        "days of inactivity before a player is removed", "nobody is removed";
    /// Days from one evaluation of space changes to the next (S52).
    SPACE_PERIOD = "space-period", Rational (0, SPAN_MAX_DAYS), "space-moves",
        "days of a period of space changes", "no space change is evaluated";
    /// Days from one evaluation of location changes to the next (S54).
    LOCATION_PERIOD = "location-period", Rational (0, SPAN_MAX_DAYS), "location-moves",
        "days of a period of location changes", "no change of a location is evaluated";
    /// The time of day of a first evaluation (S62): from then on a type keeps its own.
    EVALUATION_HOUR = "evaluation-hour", TimeOfDay (0, 86_400), "evaluation",
        "time of day of the first evaluation after a rule on moves is made or modified", "a new type of move is never evaluated";
    /// What a vertex costs (S69).
    VERTEX_PRICE = "vertex-price", Rational (0, AMOUNT_MAX_COUNT), "owners",
        "money units for a vertex that no player owns", "no vertex can be bought";
    /// How far coordinates of neighbours differ (S86).
    ADJACENCY_REACH = "adjacency-reach", Rational (0, AMOUNT_MAX_COUNT), "space-moves",
        "difference of coordinates up to which vertices are coordinatewise adjacent", "no space change is executed";
    /// The time of day of income (S88).
    INCOME_HOUR = "income-hour", TimeOfDay (0, 86_400), "income",
        "time of day of the income", "there is no income";
    /// What is made of the shares of all vertices (S88).
    INCOME_WHOLE = "@income-whole", WHOLE (0, 0), "income",
        "choice of the mean or the sum over all vertices", "it is the mean";
    /// What is divided (S88).
    INCOME_NUMERATOR = "income-numerator", Rational (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "income",
        "numerator of the income for a vertex", "there is no income";
    /// What is added to the distance (S88).
    INCOME_OFFSET = "income-offset", Rational (0, AMOUNT_MAX_COUNT), "income",
        "number added to the power of the distance of a vertex", "there is no income";
    /// The power of the distance (S88).
    INCOME_EXPONENT = "income-exponent", Count (0, EXPONENT_MAX_COUNT), "income",
        "power of the distance of a vertex", "there is no income";
    /// The end of the game (S93).
    GAME_END = "game-end", Moment (0, 0), "end",
        "end of the game", "the game has no end";
}

/// Shortest time from one evaluation of moves to the next: each of them is an entry of the journal, moves or not.
pub(super) const PERIOD_MIN_SECONDS: i64 = 60 * 60;

/// The figures that a second rule may give: the null rule yields to it (S25).
const OVERRIDDEN: [&str; 2] = [VOTE_MIN.key, VOTE_MAX.key];

/// Whether more than one rule can give a figure.
pub(super) fn is_overridden(key: &str) -> bool {
    OVERRIDDEN.contains(&key)
}

/// The figures that must be above zero: a clock that counts by them would never pass on, or a denominator could vanish.
const ABOVE_ZERO: [&str; 3] = [SPACE_PERIOD.key, LOCATION_PERIOD.key, INCOME_OFFSET.key];

/// Whether a figure is the time from one evaluation of moves to the next, which must be an hour at least.
pub(super) fn is_period(key: &str) -> bool {
    [SPACE_PERIOD.key, LOCATION_PERIOD.key].contains(&key)
}

/// Whether a figure must be above zero.
pub(super) fn above_zero(key: &str) -> bool {
    ABOVE_ZERO.contains(&key)
}

/// The null rule yields to any other rule; of others the lower number decides.
fn beside_null_rule(a: &Rule, b: &Rule) -> Ordering {
    let order = |rule: &Rule| (rule.number() == 0, rule.number());
    order(a).cmp(&order(b))
}

/// The range of votes, where the rules give one.
pub(super) fn vote_range(rules: &Rulebook) -> Option<(Num, Num)> {
    let end = |key| rules.live_by(key, beside_null_rule).ok();
    Some((end(&VOTE_MIN)?, end(&VOTE_MAX)?))
}

/// The rule that gives an end of the range of votes.
pub(super) fn range_rule<'a>(rules: &'a Rulebook, end: &LiveKey) -> Option<&'a Rule> {
    match rules.live_by(end, beside_null_rule) {
        Live::Is { rule, .. } | Live::Broken { rule, .. } => rules.get(&rule),
        Live::Absent => None,
    }
}

/// So many seconds of a figure in days, where the rules give it.
pub(super) fn seconds(rules: &Rulebook, key: &LiveKey) -> Option<i64> {
    in_seconds(&rules.live(key).ok()?)
}

/// So many whole seconds of a number of days.
pub(super) fn in_seconds(days: &Num) -> Option<i64> {
    /// Seconds of a day.
    const DAY_SECONDS: i64 = 24 * 60 * 60;
    (days.as_rational() * num_bigint::BigInt::from(DAY_SECONDS)).floor().to_integer().to_i64()
}

/// An instant a figure in days later, where the rules give it.
pub(super) fn after(rules: &Rulebook, at: Instant, key: &LiveKey) -> Option<Instant> {
    Some(seconds_after(at, seconds(rules, key)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rulebook::keys::faults;

    #[test]
    fn every_figure_is_declared_as_it_should_be() {
        assert_eq!(faults(FIGURES), Vec::<String>::new());
    }
}
