//! The rules as they read now: the files of a new room's rulebook, and whether some rule still establishes a thing.
//!
//! A mechanic whose rule was repealed does not happen (N143): whoever acts asks [`established`] first. Absent: the
//! figures (`figures`) and what they do, which stands with each mechanic.

use crate::kernel::{
    Refusal,
    rulebook::{RuleOp, RuleSource, Rulebook},
};

/// The rule that always stands last and that no proclamation repeals (N113, N115).
pub(super) const GLOSSARY: &str = "glossary";

/// The rules of a new room, by name, in order.
pub const RULES: &[(&str, &str)] = &[
    ("gamestate", include_str!("rulebook/gamestate.md")),
    ("robots", include_str!("rulebook/robots.md")),
    ("proposals", include_str!("rulebook/proposals.md")),
    ("voting", include_str!("rulebook/voting.md")),
    ("enactment", include_str!("rulebook/enactment.md")),
    ("judgment", include_str!("rulebook/judgment.md")),
    ("time-out", include_str!("rulebook/time-out.md")),
    ("gndt", include_str!("rulebook/gndt.md")),
    ("power", include_str!("rulebook/power.md")),
    ("parts", include_str!("rulebook/parts.md")),
    ("mcp", include_str!("rulebook/mcp.md")),
    ("inventory", include_str!("rulebook/inventory.md")),
    ("virus", include_str!("rulebook/virus.md")),
    ("malfunction", include_str!("rulebook/malfunction.md")),
    ("dynasties", include_str!("rulebook/dynasties.md")),
    ("ascension", include_str!("rulebook/ascension.md")),
    ("glossary", include_str!("rulebook/glossary.md")),
];

/// The operations that bring the rules of a new room into force.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test reads them all.
pub(super) fn opening() -> Result<Vec<RuleOp>, Refusal> {
    let read = RULES.iter().map(|(id, file)| Ok(RuleSource::parse(*id, file)?.enact("the room was opened")));
    let read: Result<Vec<_>, crate::kernel::rulebook::BadHeader> = read.collect();
    read.map_err(|why| Refusal::new(why.to_string()))
}

/// What a rule establishes: one word a mechanic, as the headers of the rules have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Robots,
    Proposals,
    Voting,
    Enactment,
    Judgment,
    TimeOut,
    Tracker,
    Power,
    Parts,
    Mcp,
    Inventory,
    Virus,
    Malfunction,
    Dynasties,
    Ascension,
    Glossary,
    Gamestate,
}

impl Thing {
    /// The word in the header.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Robots => "robots",
            Self::Proposals => "proposals",
            Self::Voting => "voting",
            Self::Enactment => "enactment",
            Self::Judgment => "judgment",
            Self::TimeOut => "time out",
            Self::Tracker => "tracker",
            Self::Power => "power",
            Self::Parts => "parts",
            Self::Mcp => "master control program",
            Self::Inventory => "inventory",
            Self::Virus => "virus",
            Self::Malfunction => "malfunction",
            Self::Dynasties => "dynasties",
            Self::Ascension => "ascension",
            Self::Glossary => "glossary",
            Self::Gamestate => "gamestate",
        }
    }

    /// The name by which refusals call its rule: its title as it reads now, else what it was at first.
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
    if rules.establishes(thing.word()).is_some() {
        return Ok(());
    }
    Err(Refusal::new(format!("no rule in force has anything on {} any more, so this cannot be done", thing.word()))
        .instead("rules"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::blognomic::figures::FIGURES, kernel::rulebook::Keys};

    fn book() -> Rulebook {
        let mut book = Rulebook::default();
        for op in opening().unwrap() {
            book.apply(&op, 1, crate::kernel::Instant::UNIX_EPOCH);
        }
        book
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
    fn every_thing_is_established_by_one_rule() {
        let book = book();
        let things: Vec<&str> = book
            .rules()
            .iter()
            .flat_map(|rule| rule.establishes().map(str::to_owned).collect::<Vec<_>>())
            .map(|word| {
                *[
                    Thing::Robots,
                    Thing::Proposals,
                    Thing::Voting,
                    Thing::Enactment,
                    Thing::Judgment,
                    Thing::TimeOut,
                    Thing::Tracker,
                    Thing::Power,
                    Thing::Parts,
                    Thing::Mcp,
                    Thing::Inventory,
                    Thing::Virus,
                    Thing::Malfunction,
                    Thing::Dynasties,
                    Thing::Ascension,
                    Thing::Glossary,
                    Thing::Gamestate,
                ]
                .iter()
                .map(|thing| thing.word())
                .collect::<Vec<_>>()
                .iter()
                .find(|known| **known == word)
                .expect("a header establishes what the program knows")
            })
            .collect();
        assert_eq!(things.len(), 17);
    }
}
