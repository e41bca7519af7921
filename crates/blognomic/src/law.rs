//! The rules as they read now: the files of a new room's rulebook, and whether some rule still establishes a thing.
//!
//! A mechanic whose rule was repealed does not happen (N143): each act says which rules it needs, and consequences ask
//! [`established`]. The figures are declared in `figures`.

use kernel::{
    Refusal,
    rulebook::{RuleOp, Rulebook},
};
use kit::law;

/// The rule that always stands last and that no proclamation repeals (N113, N115).
pub(super) const GLOSSARY: &str = "glossary";

/// The rules of a new room, by name, in order.
pub const RULES: &[(&str, &str)] = &[
    ("gamestate", include_str!("rulebook/r01-gamestate.md")),
    ("robots", include_str!("rulebook/r02-robots.md")),
    ("proposals", include_str!("rulebook/r03-proposals.md")),
    ("voting", include_str!("rulebook/r04-voting.md")),
    ("enactment", include_str!("rulebook/r05-enactment.md")),
    ("judgment", include_str!("rulebook/r06-judgment.md")),
    ("time-out", include_str!("rulebook/r07-time-out.md")),
    ("gndt", include_str!("rulebook/r08-gndt.md")),
    ("power", include_str!("rulebook/r09-power.md")),
    ("parts", include_str!("rulebook/r10-parts.md")),
    ("mcp", include_str!("rulebook/r11-mcp.md")),
    ("inventory", include_str!("rulebook/r12-inventory.md")),
    ("virus", include_str!("rulebook/r13-virus.md")),
    ("malfunction", include_str!("rulebook/r14-malfunction.md")),
    ("dynasties", include_str!("rulebook/r15-dynasties.md")),
    ("ascension", include_str!("rulebook/r16-ascension.md")),
    ("glossary", include_str!("rulebook/r17-glossary.md")),
];

/// The operations that bring the rules of a new room into force.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test reads them all.
pub(super) fn opening() -> Result<Vec<RuleOp>, Refusal> {
    law::opening(RULES)
}

law::things! {
    Robots: "robots",
    Tracker: "tracker",
    Mcp: "master control program",
    Gamestate: "gamestate",
}

impl Thing {
    /// The name by which refusals call its rule: its number and title as they read now, else what it is about.
    pub(super) fn rule(self, rules: &Rulebook) -> String {
        match rules.establishes(self.word()).and_then(|id| rules.get(id)) {
            Some(rule) => format!("rule {}, {}", rule.number(), rule.label()),
            None => format!("the rule on {}", self.word()),
        }
    }
}

/// Refuses where no rule in force establishes something (N143).
///
/// # Errors
///
/// A [`Refusal`] that says that the rule is gone.
pub(super) fn established(rules: &Rulebook, thing: Thing) -> Result<(), Refusal> {
    law::established(rules, thing.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::FIGURES;
    use kit::law::checks;

    fn book() -> Rulebook {
        checks::book(opening().unwrap())
    }

    /// N2: seventeen rules in the seed's order, the Glossary last (N115).
    #[test]
    fn n2_a_new_room_has_seventeen_rules_in_order() {
        let book = book();
        let titles: Vec<String> = book.rules().iter().map(|rule| rule.label()).collect();
        assert_eq!(titles.len(), 17);
        assert_eq!((&*titles[0], &*titles[16]), ("Ruleset and Gamestate", "Glossary"));
        for (index, rule) in book.rules().iter().enumerate() {
            assert_eq!(rule.number() as usize, index + 1);
        }
    }

    #[test]
    fn every_figure_stands_in_the_rules_and_every_mark_is_a_figure() {
        checks::figures(&book(), FIGURES);
    }

    #[test]
    fn every_rule_has_a_law_or_establishes_one_thing_that_the_program_knows() {
        let book = book();
        checks::things(&book, Thing::WORDS);
        for rule in book.rules() {
            let count = rule.establishes().count();
            assert!(count == 1 || count == 0 && laws::law_of(rule).is_some(), "{}", rule.label());
        }
    }
}
