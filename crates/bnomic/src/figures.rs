//! The figures that B Nomic is played by (seed 002), each read from the text of its rule at the moment of use.
//!
//! The values stand in `rulebook/*.md` and nowhere in the code. A bound is what the engine can bear, not what the rules
//! allow: beyond it a mechanic is suspended. Each mechanic says what its figures do.

use kernel::rulebook::NumKind::{self, Count, Rational, Signed};

/// Points, mackerel, Retainers: A Bajillion times a large rate is far from 2^63.
const AMOUNT_MAX_COUNT: i64 = 1_000_000_000_000_000_000;
/// Counts of Players and votes: more than any game sees.
const MANY: i64 = 1_000_000;
/// ndays, nweeks and rdays: centuries.
const SPAN_MAX_COUNT: i64 = 100_000;

/// The wording by which a vote is final once it is cast.
pub(super) const FIRST_VOTE: &str = "the first vote";
/// Which votes can be final.
const FINAL: NumKind = NumKind::Word(&["the latest vote", FIRST_VOTE]);

kit::figures! {
    /// The Power of a rule that states none (B75.1).
    POWER_DEFAULT = "power-default", Rational (0, 1), "4E75-precedence",
        "Power of a Rule that states none", "such rules have the Power 0";
    /// The last nday of an nweek (B14.3).
    LAST_NDAY = "last-nday", Count (1, SPAN_MAX_COUNT), "4E14-ntime",
        "last nday of an nweek", "no nweek ends";
    /// Fewest articles of a list attribute (B11.5).
    LIST_MIN = "list-min", Count (0, MANY), "4E11-registry",
        "fewest articles of a new list attribute", "no list can be defined";
    /// Most articles of one (B11.5).
    LIST_MAX = "list-max", Count (0, MANY), "4E11-registry",
        "most articles of a new list attribute", "no list can be defined";
    /// nweeks of an nyear (B14.16).
    NYEAR_NWEEKS = "nyear-nweeks", Count (1, SPAN_MAX_COUNT), "4E31-calendar",
        "number of nweeks in an nyear", "there are no nyears, and no holidays";
    /// The nday with which the Voting Period begins (B15.11).
    VOTING_NDAY = "voting-nday", Count (1, SPAN_MAX_COUNT), "4E15-proposals",
        "nday with which voting begins", "nothing can be voted on";
    /// Which of several votes is final (B15.13).
    FINAL_VOTE = "@final-vote", FINAL (0, 0), "4E15-final",
        "choice of the vote that is final", "the latest is";
    /// The nweek of an nyear with Silly Hat Day (B31.2).
    HAT_NWEEK = "hat-nweek", Count (1, SPAN_MAX_COUNT), "4E31-calendar",
        "nweek of an nyear with Agoran Silly Hat Day", "there is no Agoran Silly Hat Day";
    /// The nweek of an nyear with Paranoia-Free Day (B31.2).
    PARANOIA_NWEEK = "paranoia-nweek", Count (1, SPAN_MAX_COUNT), "4E31-calendar",
        "nweek of an nyear with Paranoia-Free Day", "there is no Paranoia-Free Day";
    /// rdays after which somebody can be a Player (B4.4).
    JOIN_WAIT = "join-wait", Count (0, SPAN_MAX_COUNT), "4E4-joining",
        "number of rdays before somebody is a Player", "nobody can join";
    /// Players who ratify (B4.4).
    RATIFIERS = "ratifiers", Count (0, MANY), "4E4-joining",
        "number of Players who ratify a request", "nobody can join";
    /// Players who reject (B4.4).
    REJECTERS = "rejecters", Count (0, MANY), "4E4-joining",
        "number of Players whose rejection bars a request", "nobody can join";
    /// rdays in which a request is answered (B4.3).
    JOIN_WINDOW = "join-window", Count (0, SPAN_MAX_COUNT), "4E4-joining",
        "number of rdays in which a request is ratified or rejected", "nobody can join";
    /// The default Retainer (B48.1).
    RETAINER_START = "retainer-start", Signed (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "4E48-usurping",
        "Retainer of a ministry that is taken", "no ministry can be taken";
    /// What a Retainer loses at the end of an nweek (B48.2).
    RETAINER_FALL = "retainer-fall", Count (0, AMOUNT_MAX_COUNT), "4E48-usurping",
        "Retainer lost at the end of an nweek", "no Retainer falls";
    /// The Retainer at which a ministry is usurped (B48.5).
    USURP_RETAINER = "usurp-retainer", Signed (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "4E48-usurping",
        "Retainer at which a ministry can be usurped", "nobody can usurp a ministry";
    /// The highest Retainer at which a ministry can be usurped with support (B48.5).
    USURP_RETAINER_SUPPORTED = "usurp-retainer-supported", Signed (-AMOUNT_MAX_COUNT, AMOUNT_MAX_COUNT), "4E22-supporting",
        "highest Retainer of a ministry that can be usurped with support", "nothing is usurped with support";
    /// By how much a point moves a Retainer (B48.4).
    RETAINER_RATE = "retainer-rate", Count (0, AMOUNT_MAX_COUNT), "4E48-usurping",
        "amount by which each point that is paid moves a Retainer", "no Retainer is moved for points";
    /// Objections that end a tweak (B21.1).
    TWEAK_OBJECTIONS = "tweak-objections", Count (1, MANY), "4E77-tweaks",
        "number of objections that end the activation of a Tweak", "no Tweak is activated";
    /// Objections that end an approval (B50.4).
    APPROVE_OBJECTIONS = "approve-objections", Count (1, MANY), "4E50-approving",
        "number of objections that end the approval of a display", "no display is approved";
    /// Supporters of a usurpation (B48.5).
    USURP_SUPPORT = "usurp-support", Count (1, MANY), "4E22-supporting",
        "number of supporters with whom a ministry is usurped", "nobody can usurp a ministry with support";
    /// ndays before something is done without objection (B21.2).
    OBJECTION_FROM = "objection-from", Count (0, SPAN_MAX_COUNT), "4E21-objecting",
        "number of ndays before an act without objection", "nothing can be done without objection";
    /// The last nday for it (B21.2).
    OBJECTION_UNTIL = "objection-until", Count (0, SPAN_MAX_COUNT), "4E21-objecting",
        "last nday for an act without objection", "nothing can be done without objection";
    /// ndays for it after a wait of its own (B21.4).
    WAITED_NDAYS = "waited-ndays", Count (0, SPAN_MAX_COUNT), "4E32-tidiness",
        "number of ndays for an act after a wait of its own", "nothing can be done after a wait of its own";
    /// ndays in which support is found (B22.2).
    SUPPORT_NDAYS = "support-ndays", Count (0, SPAN_MAX_COUNT), "4E22-supporting",
        "number of ndays to find support", "nothing can be done with support";
    /// ndays in which what has support is done (B22.3).
    PERFORM_NDAYS = "perform-ndays", Count (0, SPAN_MAX_COUNT), "4E22-supporting",
        "number of ndays for an act with support", "nothing can be done with support";
    /// Tweaks of a Player in an nweek (B77.1).
    TWEAKS = "tweaks", Count (0, MANY), "4E77-tweaks",
        "number of tweaks of a Player in an nweek", "nobody can submit a tweak";
    /// Supporters of the approval of a display (B50.4).
    APPROVE_SUPPORT = "approve-support", Count (1, MANY), "4E50-approving",
        "number of supporters of the approval of a display", "no display can be approved";
    /// rdays in which an approval is supported and objected to (B50.5).
    APPROVE_RDAYS = "approve-rdays", Count (0, SPAN_MAX_COUNT), "4E50-approving",
        "number of rdays in which the approval of a display is supported", "no display can be approved";
    /// A Minister's reward in mackerel (B49.1).
    MINISTER_REWARD = "minister-reward", Count (0, AMOUNT_MAX_COUNT), "4E49-rewards",
        "mackerel for a Minister at the end of an nweek", "no Minister is rewarded";
    /// mackerel for a mini-Ministry (B49.1).
    MINI_REWARD = "mini-reward", Count (0, AMOUNT_MAX_COUNT), "4E47-active",
        "mackerel for holding a mini-Ministry through an nweek", "nothing is paid for mini-Ministries";
    /// Mackerel of a new Player (B34.1).
    MACKEREL_START = "mackerel-start", Count (0, AMOUNT_MAX_COUNT), "4E34-mackerel",
        "mackerel of a new Player", "a new Player has none";
    /// Mackerel for a point (B34.1).
    MACKEREL_RATE = "mackerel-rate", Rational (0, AMOUNT_MAX_COUNT), "4E34-mackerel",
        "mackerel for a point", "points cannot be exchanged";
    /// Points for a vote (B19.2).
    VOTE_POINTS = "vote-points", Count (0, AMOUNT_MAX_COUNT), "4E19-scoring",
        "points for a Final Vote other than ABSTAIN", "votes earn nothing";
    /// Points for the author of a proposal that passed, for each vote FOR (B19.3).
    PASS_POINTS = "pass-points", Count (0, AMOUNT_MAX_COUNT), "4E19-scoring",
        "points for each vote FOR a proposal that passed", "passing earns nothing";
    /// The same for one that was ever Won (B19.3).
    WON_POINTS = "won-points", Count (0, AMOUNT_MAX_COUNT), "4E19-scoring",
        "points for each vote FOR a proposal that was ever Won", "having been Won earns nothing";
    /// Points that a failure costs (B19.4).
    FAIL_POINTS = "fail-points", Count (0, AMOUNT_MAX_COUNT), "4E19-scoring",
        "points that a failed proposal costs its author", "failing costs nothing";
    /// mackerel of the fine for Blood Betrayal (B15.14).
    BETRAYAL_FINE = "betrayal-fine", Count (0, AMOUNT_MAX_COUNT), "4E15-twins",
        "mackerel of the fine for Blood Betrayal", "Blood Betrayal has no fine";
    /// rdays of A Jiffy (B30.3, B53.1).
    JIFFY_RDAYS = "jiffy-rdays", Count (1, SPAN_MAX_COUNT), "4E53-obligations",
        "number of rdays in A Jiffy", "no ministry can owe anything";
    /// A Quiggle, as a part of the Vested (B30.3).
    QUIGGLE = "quiggle", Rational (0, MANY), "4E30-quantities",
        "part of the Vested Players that is A Quiggle", "no vote can be tallied";
    /// Players below which the PEPs are those of before (B0.1).
    PEPS = "peps", Count (0, MANY), "4E0-emergency",
        "number of Players below which those of before take part", "nobody takes part in emergencies but the Players";
    /// Paranoid PEPs who make an emergency (B0.5).
    PARANOID_PEPS = "paranoid-peps", Count (1, MANY), "4E0-emergency",
        "number of Paranoid PEPs in an emergency", "there can be no emergency";
    /// The nday at whose beginning the Paranoid become Calm (B0.18).
    CALM_NDAY = "calm-nday", Count (1, SPAN_MAX_COUNT), "4E31-names",
        "nday at whose beginning the Paranoid become Calm", "nobody becomes Calm by an nday";
    /// Hours in which an increment is objected to (B0.9).
    INCREMENT_HOURS = "increment-hours", Count (0, SPAN_MAX_COUNT), "4E0-emergency",
        "number of hours before an increment of the Pause", "the Pause cannot be incremented";
    /// Months for which a forum that was Public serves for mental states (B0.4).
    PUBLIC_MONTHS = "public-months", Count (0, SPAN_MAX_COUNT), "4E0-forum",
        "number of months for which a forum that was Public serves for mental states", "only Public Forums serve";
    /// The Pause at which the first ballot is made (B0.10).
    PAUSE_BALLOT = "pause-ballot", Count (0, MANY), "4E0-emergency",
        "Pause at which the first ballot is made", "no Refresh Proposal can be made";
    /// The Pause at which the first round is counted (B0.11).
    PAUSE_FIRST = "pause-first", Count (0, MANY), "4E0-emergency",
        "Pause at which the first round is counted", "the first round is never counted";
    /// The Pause at which the second round is counted (B0.13).
    PAUSE_SECOND = "pause-second", Count (0, MANY), "4E0-emergency",
        "Pause at which the second round is counted", "the second round is never counted";
    /// What is added to the number of a later round (B0.14).
    PAUSE_OFFSET = "pause-offset", Count (0, MANY), "4E0-emergency",
        "number that is added to that of a later round for its Pause", "no later round is counted";
    /// Votes for the second ballot (B0.13).
    ROUND_VOTES = "round-votes", Count (1, MANY), "4E0-emergency",
        "number of votes for the second ballot", "the second ballot is whatever had a vote";
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
