//! The rules as they read now: the files of a new room's rulebook, and whether some rule still establishes a thing.
//!
//! A mechanic whose rule was repealed does not happen: whoever acts asks [`established`] first. Absent: the figures
//! (`figures`) and what they do, which stands with each mechanic.

use crate::kernel::{
    Refusal,
    rulebook::{BadHeader, RuleOp, RuleSource, Rulebook},
};

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
    "4E0", "4E1", "4E2", "4E3", "4E4", "4E5", "4E6", "4E8", "4E9", "4E11", "4E14", "4E15", "4E16", "4E17", "4E19",
    "4E20", "4E21", "4E22", "4E23", "4E26", "4E27", "4E28", "4E30", "4E31", "4E32", "4E33", "4E34", "4E36", "4E38",
    "4E40", "4E45", "4E46", "4E47", "4E48", "4E49", "4E50", "4E51", "4E53", "4E75", "4E76", "4E77"
);

/// The operations that bring the rules of a new room into force.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test reads them all.
pub(super) fn opening() -> Result<Vec<RuleOp>, Refusal> {
    let read = RULES.iter().map(|(id, file)| Ok(RuleSource::parse(*id, file)?.enact("the room was opened")));
    let read: Result<Vec<_>, BadHeader> = read.collect();
    read.map_err(|why| Refusal::new(why.to_string()))
}

/// What a rule establishes: one word a mechanic, as the headers of the rules have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Activity,
    Calendar,
    Clock,
    Currency,
    Displays,
    Emergency,
    Foreign,
    Ministries,
    MinistryRewards,
    Objecting,
    Obligations,
    Players,
    Points,
    Precedence,
    Proposals,
    Quantities,
    Retainers,
    Rules,
    Scoring,
    Suffrage,
    Supporting,
    Threat,
    Tidiness,
    Tweaks,
    Victory,
}

impl Thing {
    /// All of them.
    #[cfg(test)]
    const ALL: [Self; 25] = [
        Self::Activity,
        Self::Calendar,
        Self::Clock,
        Self::Currency,
        Self::Displays,
        Self::Emergency,
        Self::Foreign,
        Self::Ministries,
        Self::MinistryRewards,
        Self::Objecting,
        Self::Obligations,
        Self::Players,
        Self::Points,
        Self::Precedence,
        Self::Proposals,
        Self::Quantities,
        Self::Retainers,
        Self::Rules,
        Self::Scoring,
        Self::Suffrage,
        Self::Supporting,
        Self::Threat,
        Self::Tidiness,
        Self::Tweaks,
        Self::Victory,
    ];

    /// The word in the header.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Calendar => "calendar",
            Self::Clock => "clock",
            Self::Currency => "currency",
            Self::Displays => "displays",
            Self::Emergency => "emergencies",
            Self::Foreign => "foreign relations",
            Self::Ministries => "ministries",
            Self::MinistryRewards => "ministry rewards",
            Self::Objecting => "objecting",
            Self::Obligations => "obligations",
            Self::Players => "players",
            Self::Points => "points",
            Self::Precedence => "precedence",
            Self::Proposals => "proposals",
            Self::Quantities => "quantities",
            Self::Retainers => "retainers",
            Self::Rules => "rules",
            Self::Scoring => "scoring",
            Self::Suffrage => "suffrage",
            Self::Supporting => "supporting",
            Self::Threat => "threat awareness",
            Self::Tidiness => "tidiness",
            Self::Tweaks => "tweaks",
            Self::Victory => "victory",
        }
    }

    /// The name by which refusals call its rule: its number and title as they read now.
    pub(super) fn rule(self, rules: &Rulebook) -> String {
        match rules.establishes(self.word()).and_then(|id| rules.get(id)) {
            Some(rule) => format!("{PREFIX}{}, {}", rule.number(), rule.label()),
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
    if rules.establishes(thing.word()).is_some() {
        return Ok(());
    }
    Err(Refusal::new(format!("no rule in force has anything on {} any more, so this cannot be done", thing.word()))
        .by("4E2, Game Objects")
        .instead("rules"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::bnomic::figures::FIGURES, kernel::rulebook::Keys};

    fn book() -> Rulebook {
        let mut book = Rulebook::default();
        for op in opening().unwrap() {
            book.apply(&op, 1, crate::kernel::Instant::UNIX_EPOCH);
        }
        book
    }

    /// B36.1: the number of each rule is the one that its name says.
    #[test]
    fn b36_1_rules_have_the_numbers_of_their_names() {
        for rule in book().rules() {
            assert_eq!(format!("{PREFIX}{}", rule.number()), **rule.id());
            assert!(rule.number() <= LAST_SPENT);
        }
    }

    #[test]
    fn every_figure_stands_in_the_rules_and_every_mark_is_a_figure() {
        let book = book();
        assert_eq!(
            book.missing(&Keys::new(FIGURES)).iter().map(|(key, _)| key.key).collect::<Vec<_>>(),
            Vec::<&str>::new()
        );
        for rule in book.rules() {
            for span in rule.text().spans().iter().filter(|span| !span.key.starts_with('=')) {
                assert!(FIGURES.iter().any(|key| *key.key == *span.key), "{} is no figure", span.key);
            }
        }
    }

    #[test]
    fn every_thing_is_established_by_a_rule_and_every_rule_by_what_the_program_knows() {
        let book = book();
        for thing in Thing::ALL {
            assert!(book.establishes(thing.word()).is_some(), "{} is established by no rule", thing.word());
        }
        for rule in book.rules() {
            for word in rule.establishes() {
                assert!(Thing::ALL.iter().any(|thing| thing.word() == word), "nothing here is called {word}");
            }
        }
    }
}
