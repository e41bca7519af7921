//! The figures that BlogNomic is played by (seed 001), each read from the text of its rule at the moment of use.
//!
//! The values stand in `rulebook/*.md` and nowhere in the code, the Master Control Program's in its source. A bound is
//! what the engine can bear, not what the rules allow: beyond it a mechanic is suspended. Each mechanic says what its
//! figures do.

use kernel::rulebook::NumKind::{self, Count, Denominator, Divisor, Percent, Signed};
use kit::law::{ROUNDED_DOWN, ROUNDED_UP};

/// Awards, prices and penalties in Power: after the virus doubled one every week for a year it is still far from 2^63.
pub(super) const AMOUNT_MAX_COUNT: i64 = 1_000_000_000_000_000_000;
/// Counts of Robots, votes, Proposals and strikes: more than any game sees.
const MANY: i64 = 1_000_000;
/// Hours, days and weeks: a century in hours.
const SPAN_MAX_COUNT: i64 = 1_000_000;

/// The wording by which a vote is final.
pub(super) const FIRST_VOTE: &str = "its first vote";
/// Which of several votes counts.
const FINAL: NumKind = NumKind::Word(&["its latest vote", FIRST_VOTE]);
/// How a Quorum is rounded.
const QUORUM_ROUNDINGS: NumKind = NumKind::Word(&[ROUNDED_DOWN, ROUNDED_UP]);

kit::figures! {
    /// Power for the Admin who sets up a Robot (N10).
    SETUP_AWARD = "setup-award", Count (0, AMOUNT_MAX_COUNT), "robots",
        "Power for setting up a Robot", "nobody is paid for setting up a Robot";
    /// Hours in which a new Robot may nominate (N11).
    NOMINATION_HOURS = "nomination-hours", Count (0, SPAN_MAX_COUNT), "robots",
        "number of hours in which a new Robot may name whom it has to thank", "nobody can be named";
    /// Power for the Robot that is named (N11).
    NOMINEE_AWARD = "nominee-award", Count (0, AMOUNT_MAX_COUNT), "robots",
        "Power for a Robot that is named", "nobody can be named";
    /// Power for the Robot that names (N11).
    NOMINATOR_AWARD = "nominator-award", Count (0, AMOUNT_MAX_COUNT), "robots",
        "Power for a Robot that names another", "nobody can be named";
    /// Weeks without a vote after which a Robot may be Deactivated (N16).
    IDLE_WEEKS = "idle-weeks", Count (0, SPAN_MAX_COUNT), "robots",
        "number of weeks without a vote", "nobody can be Deactivated for not voting";
    /// A Robot with so many non-trivial Proposals pending makes no other (N18).
    PENDING_LIMIT = "pending-limit", Count (0, MANY), "proposals",
        "limit of non-trivial Proposals pending", "only trivial Proposals can be made";
    /// The number of Robots is divided by it for Quorum (N33).
    QUORUM_DIVISOR = "quorum-divisor", Divisor (0, MANY), "enactment",
        "divisor of Quorum", "there is no Quorum";
    /// What is added for Quorum (N33).
    QUORUM_EXTRA = "quorum-extra", Count (0, MANY), "enactment",
        "number that is added for Quorum", "there is no Quorum";
    /// How Quorum is rounded (N33).
    QUORUM_ROUNDING = "@quorum-rounding", QUORUM_ROUNDINGS (0, 0), "hinges",
        "rounding of Quorum", "it is rounded down";
    /// Power for the proposer of an enacted Proposal (N43).
    ENACT_REWARD = "enact-reward", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power for an enacted Proposal", "no Proposal can be enacted with its reward";
    /// The same, for each point of efficiency (N43).
    EFFICIENCY_REWARD = "efficiency-reward", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power for each point of efficiency", "no Proposal can be enacted with its reward";
    /// Power for the proposer of a trivial one (N44).
    TRIVIAL_REWARD = "trivial-reward", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power for a trivial Proposal", "no trivial Proposal can be enacted with its reward";
    /// Power that the proposer of a failed one loses (N45).
    FAIL_PENALTY = "fail-penalty", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power that a failed Proposal costs", "a failed Proposal costs nothing";
    /// Power that an Admin may claim for enacting (N47).
    ENACT_CLAIM = "enact-claim", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power that an Admin claims for enacting a Proposal", "nothing can be claimed for it";
    /// Power that an Admin may claim for failing, or for enacting a trivial one (N47).
    SMALL_CLAIM = "small-claim", Count (0, AMOUNT_MAX_COUNT), "enactment",
        "Power that an Admin claims for failing a Proposal or enacting a trivial one", "nothing can be claimed for it";
    /// Hours after which a Proposal is over time (N53).
    TIMEOUT_HOURS = "timeout-hours", Count (0, SPAN_MAX_COUNT), "time-out",
        "number of hours after which a Proposal is over time", "no Proposal is ever over time";
    /// More than so many percent of the votes (N53).
    TIMEOUT_PERCENT = "timeout-percent", Percent (0, MANY), "time-out",
        "percentage of votes FOR a Proposal that is over time", "no Proposal is ever over time";
    /// What a gift must leave (N63).
    POWER_FLOOR = "power-floor", Signed (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "power",
        "Power that a gift must leave", "nobody can give Power";
    /// Power for the first entry of a day (N64).
    WEBLOG_AWARD = "weblog-award", Count (0, AMOUNT_MAX_COUNT), "glossary",
        "Power for an entry in one's weblog", "no entry earns Power";
    /// Hours in which it is claimed (N64).
    WEBLOG_CLAIM_HOURS = "weblog-claim-hours", Count (0, SPAN_MAX_COUNT), "glossary",
        "number of hours in which an entry is claimed", "no entry earns Power";
    /// Runs of the Master Control Program a day (N69).
    MCP_RUNS = "mcp-runs", Count (0, MANY), "mcp",
        "number of runs of the Master Control Program a day", "nobody can run it";
    /// Which of several votes counts (N29).
    VOTE_COUNTS = "@vote-counts", FINAL (0, 0), "hinges",
        "choice of the vote that counts", "the latest vote counts";
    /// Robots that vote AGAINST where a veto is allowed (N98).
    VETO_AGAINST = "veto-against", Count (0, MANY), "veto",
        "number of votes AGAINST without which nothing can be vetoed", "nothing can be vetoed";
    /// The two of two thirds (N101).
    ANNULMENT_PART = "annulment-part", Count (0, MANY), "veto",
        "number of active Robots, of so many, that annul a veto", "no veto can be annulled";
    /// The three of two thirds (N101).
    ANNULMENT_WHOLE = "annulment-whole", Denominator (1, MANY), "veto",
        "number of active Robots of whom so many annul a veto", "no veto can be annulled";
    /// Strikes that remove a Control Unit (N103).
    STRIKE_LIMIT = "strike-limit", Count (1, MANY), "veto",
        "number of strikes that remove the Control Unit", "no Control Unit can be removed";
    /// The least efficiency (N106).
    EFFICIENCY_LEAST = "efficiency-least", Signed (-MANY, MANY), "ascension",
        "least Imperial efficiency", "nobody's efficiency can be set";
    /// The greatest efficiency (N106).
    EFFICIENCY_MOST = "efficiency-most", Signed (-MANY, MANY), "ascension",
        "greatest Imperial efficiency", "nobody's efficiency can be set";
    /// The Control Unit's own (N106).
    EFFICIENCY_OWN = "efficiency-own", Signed (-MANY, MANY), "ascension",
        "Imperial efficiency of the Control Unit", "the Control Unit has none of its own";
    /// The new Control Unit's first Power (N108).
    ASCENSION_POWER = "ascension-power", Count (0, AMOUNT_MAX_COUNT), "ascension",
        "Power of a new Control Unit", "a new Control Unit gets nothing";
    /// Days in which it may do what a new Control Unit may (N113).
    ASCENSION_DAYS = "ascension-days", Count (0, SPAN_MAX_COUNT), "ascension",
        "number of days for the acts of a new Control Unit", "a new Control Unit can do none of them";
    /// The first rule that it cannot repeal (N113).
    PROTECTED_FIRST = "protected-first", Count (0, MANY), "ascension",
        "first rule that no proclamation repeals", "no rule can be repealed by proclamation";
    /// The last one (N113).
    PROTECTED_LAST = "protected-last", Count (0, MANY), "ascension",
        "last rule that no proclamation repeals", "no rule can be repealed by proclamation";
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
