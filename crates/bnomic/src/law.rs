//! The rules as they read now: the files of a new room's rulebook, their names, and whether some rule still establishes
//! a thing.
//!
//! A mechanic whose rule was repealed does not happen: each act asks [`established`] first. The figures are declared in
//! `figures`.

use kernel::{
    Refusal,
    rulebook::{Rule, RuleOp, Rulebook, source},
};
use kit::law;

/// The prefix of a rule's number, for the Fourth Era (B36.4).
pub(super) const PREFIX: &str = "4E";

/// The highest number that was ever given to a rule of the seed: the set of free numbers begins after it (B36.2).
pub(super) const LAST_SPENT: u32 = 80;

macro_rules! rules {
    ($($id:literal),* $(,)?) => {
        /// The rules of a new room, in the order of their numbers.
        pub const RULES: &[(&str, &str)] = &[$(($id, include_str!(concat!("rulebook/", $id, ".md")))),*];
    };
}
rules!(
    "4E0", "4E1", "4E2", "4E3", "4E4", "4E5", "4E6", "4E7", "4E8", "4E9", "4E11", "4E12", "4E14", "4E15", "4E16",
    "4E17", "4E18", "4E19", "4E20", "4E21", "4E22", "4E23", "4E26", "4E27", "4E28", "4E30", "4E31", "4E32", "4E33",
    "4E34", "4E35", "4E36", "4E37", "4E38", "4E39", "4E40", "4E45", "4E46", "4E47", "4E48", "4E49", "4E50", "4E51",
    "4E53", "4E54", "4E55", "4E56", "4E57", "4E58", "4E59", "4E60", "4E61", "4E64", "4E66", "4E67", "4E68", "4E69",
    "4E70", "4E71", "4E72", "4E73", "4E74", "4E75", "4E76", "4E77", "4E78", "4E79", "4E80"
);

/// The operations that bring the rules of a new room into force.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test reads them all.
pub(super) fn opening() -> Result<Vec<RuleOp>, Refusal> {
    law::opening(RULES)
}

law::things! {
    Actions: "game actions",
    Activity: "activity",
    Attributes: "attributes",
    Calendar: "calendar",
    Clock: "clock",
    Currencies: "currencies",
    Currency: "currency",
    Displays: "displays",
    Emergency: "emergencies",
    Leaving: "leaving ministries",
    Ministries: "ministries",
    MinistryRewards: "ministry rewards",
    Objecting: "objecting",
    Obligations: "obligations",
    Players: "players",
    Points: "points",
    Precedence: "precedence",
    Proposals: "proposals",
    Quantities: "quantities",
    Retainers: "retainers",
    Rules: "rules",
    Scoring: "scoring",
    Suffrage: "suffrage",
    Supporting: "supporting",
    Taking: "taking ministries",
    Transactions: "transactions",
    Tweaks: "tweaks",
    Victory: "victory",
}

impl Thing {
    /// The name by which refusals call its rule: its number and title as they read now.
    pub(super) fn rule(self, rules: &Rulebook) -> String {
        match rules.establishes(self.word()).and_then(|id| rules.get(id)) {
            Some(rule) => called(rule),
            None => format!("the rule on {}", self.word()),
        }
    }
}

/// Refuses where no rule in force establishes something.
///
/// # Errors
///
/// A [`Refusal`] that says that the rule is gone.
pub(super) fn established(rules: &Rulebook, thing: Thing) -> Result<(), Refusal> {
    allows(rules, thing.word())
}

/// The same by the word in the header.
///
/// # Errors
///
/// As [`established`].
pub(super) fn allows(rules: &Rulebook, word: &str) -> Result<(), Refusal> {
    law::established(rules, word).map_err(|why| why.by("4E2, Game Objects"))
}

// ---- the mechanic

/// What a rule is called, with its number and its title.
pub(crate) fn called(rule: &Rule) -> String {
    match &**rule.title() {
        "" => format!("{PREFIX}{}", rule.number()),
        title => format!("{PREFIX}{}, {title}", rule.number()),
    }
}

/// A line without the comments in it, which do not count (B5.2).
pub(crate) fn uncommented(line: &str) -> String {
    let mut line = line.to_owned();
    for comment in source::comments(&line, &[]).into_iter().rev() {
        line.replace_range(comment, " ");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::FIGURES;
    use kit::law::checks;

    fn book() -> Rulebook {
        checks::book(opening().unwrap())
    }

    /// B36.1: the number of each rule is the one that its name says.
    #[test]
    fn b36_1_rules_have_the_numbers_of_their_names() {
        for rule in book().rules() {
            assert_eq!(format!("{PREFIX}{}", rule.number()), **rule.id());
            assert!(rule.number() <= LAST_SPENT);
        }
    }

    /// B5.3: the rule that names the marks of comments has none itself.
    #[test]
    fn b5_3_the_rule_on_comments_opens_none() {
        let book = book();
        let text = book.get("4E5").expect("the rule is there").text();
        assert!(text.comments().is_empty());
        assert!(text.visible().contains("Comment Text"));
    }

    #[test]
    fn every_figure_stands_in_the_rules_and_every_mark_is_a_figure() {
        checks::figures(&book(), FIGURES);
    }

    #[test]
    fn every_thing_is_established_by_a_rule_and_every_rule_by_what_the_program_knows() {
        checks::things(&book(), Thing::WORDS);
    }
}
