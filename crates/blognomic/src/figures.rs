//! The figures that BlogNomic is played by (seed 001), each read from the text of its rule at the moment of use.
//!
//! The values stand in `rulebook/*.md` and nowhere in the code, the Master Control Program's in its source. A bound is
//! what the engine can bear, not what the rules allow: beyond it a mechanic is suspended. Each mechanic says what its
//! figures do.

use kernel::rulebook::NumKind::Count;

/// Awards, prices and penalties in Power: after the virus doubled one every week for a year it is still far from 2^63.
pub(super) const AMOUNT_MAX_COUNT: i64 = 1_000_000_000_000_000_000;
/// Counts of Robots, votes, Proposals and strikes: more than any game sees.
const MANY: i64 = 1_000_000;

kit::figures! {
    /// Runs of the Master Control Program a day (N69).
    MCP_RUNS = "mcp-runs", Count (0, MANY), "mcp",
        "number of runs of the Master Control Program a day", "nobody can run it";
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
