//! The rules as they read now: the files of a new room's rulebook, and whether some rule still establishes a thing.
//!
//! The seed names two rules only and marks no borders between them. The rulings say how its paragraphs are parted. A
//! mechanic whose rule was repealed does not happen: each act asks [`established`] first. The figures are declared in
//! `figures`.

use super::figures::FIGURES;
use kernel::{
    Instant, Refusal,
    rulebook::{
        Keys, Rule, RuleAct, RuleOp, Rulebook, Text,
        book::{Done, Revision},
        ops::TAKEN_BACK,
    },
};
use kit::law;

/// The field at the head of a rule that says what it is on as a whole.
pub(super) const ESTABLISHES: &str = "establishes";

/// The field at the head of a rule that says which type of moves it has, and how often they are evaluated.
pub(super) const MOVES: &str = "moves";

/// What rules can be on as a whole.
pub(super) fn subjects() -> Vec<String> {
    let ops = opening(None).unwrap_or_default();
    let fields = ops.iter().filter_map(|op| match &op.act {
        RuleAct::Enact { fields, .. } => fields.get(ESTABLISHES),
        _ => None,
    });
    let mut all: Vec<String> = fields.flat_map(|words| words.split(',')).map(|word| word.trim().to_owned()).collect();
    all.sort();
    all
}

/// The figures that the rules of a new room give beside a subject, by their keys.
fn figures_beside(subject: &str) -> Vec<String> {
    let ops = opening(None).unwrap_or_default();
    let texts = ops.iter().filter_map(|op| match &op.act {
        RuleAct::Enact { fields, source, .. } => {
            let is_on =
                fields.get(ESTABLISHES).is_some_and(|words| words.split(',').any(|word| word.trim() == subject));
            is_on.then(|| Text::parse(source.as_str()))
        }
        _ => None,
    });
    texts.flat_map(|text| text.spans().iter().map(|span| span.key.to_string()).collect::<Vec<_>>()).collect()
}

/// What is missing, a line each, where rules are on something again that they were not on before. Without figures that
/// went with them nothing comes of it.
pub(super) fn lacks(before: &Rulebook, after: &Rulebook) -> Vec<String> {
    let mut taken = after.subjects().filter(|subject| before.establishes(subject).is_none()).peekable();
    if taken.peek().is_none() {
        return Vec::new();
    }
    let keys: Vec<String> = taken.flat_map(figures_beside).collect();
    let missing = after.missing(&Keys::new(FIGURES));
    let missing = missing.into_iter().filter(|(key, _)| keys.iter().any(|wanted| wanted == key.key));
    missing.map(|(key, _)| format!("no rule gives the {}, so {}", key.meaning, key.absent)).collect()
}

/// The number of the null rule (S5).
pub(super) const NULL_RULE: u32 = 0;

macro_rules! rules {
    ($($number:ident $id:literal),* $(,)?) => {
        /// The rules of a new room, in the order of their numbers.
        pub const RULES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("rulebook/", stringify!($number), "-", $id, ".md")))),*];
    };
}
rules!(
    r00 "null-rule",
    r01 "symmetry",
    r02 "colours",
    r03 "space",
    r04 "encouragement",
    r05 "locations",
    r06 "location-changes",
    r07 "space-changes",
    r08 "graphwise-adjacency",
    r09 "valid-space-changes",
    r10 "space-moves",
    r11 "location-moves",
    r12 "periodical-evaluation",
    r13 "money",
    r14 "owners",
    r15 "expiry",
    r16 "makers-pay",
    r17 "voters-pay",
    r18 "activity",
    r19 "nodding",
    r20 "coordinates",
    r21 "coordinatewise-adjacency",
    r22 "removal",
    r23 "income",
    r24 "distances",
    r25 "the-point",
    r26 "incrementing",
    r27 "the-end",
);

/// The operations that bring the rules of a new room into force, with the end that its opener chose.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test reads them all.
pub(super) fn opening(end: Option<Instant>) -> Result<Vec<RuleOp>, Refusal> {
    let mut ops = law::opening(RULES)?;
    for op in &mut ops {
        if let (Some(end), RuleAct::Enact { source, .. }) = (end, &mut op.act) {
            *source = with_end(source, end);
        }
    }
    Ok(ops)
}

/// The text of the last rule with another end (S93).
fn with_end(body: &str, end: Instant) -> String {
    let Some(close) = body.find(&format!("](#{})", super::figures::GAME_END.key)) else { return body.to_owned() };
    let Some(open) = body[..close].rfind('[') else { return body.to_owned() };
    let words = end.to_zoned(jiff::tz::TimeZone::UTC).strftime("%H:%M:%S on %-d %B %Y").to_string();
    format!("{}{words}{}", &body[..=open], &body[close..])
}

/// Whether a change of a rule is one by the rules; what repairs the record is none (S13).
pub(super) fn by_the_rules(revision: &Revision) -> bool {
    revision.revision == 0
        || !(revision.why.is_empty()
            || revision.why == kit::effects::CORRECTION
            || revision.why.starts_with(TAKEN_BACK))
}

/// How often a rule came into effect: after a repeal it may do so again. That a repeal is taken back is none of it.
pub(super) fn times_enacted(rule: &Rule) -> usize {
    let enacted = |revision: &&Revision| matches!(revision.done, Done::Enacted | Done::Restored);
    rule.revisions().iter().filter(enacted).filter(|revision| by_the_rules(revision)).count()
}

/// What is played of a rule: its text, and the part of its head that says what it is on and which moves it has.
fn played(revision: &Revision) -> (&str, Option<&String>, Option<&String>) {
    let field = |name: &str| revision.fields.get(name).filter(|value| !value.is_empty());
    (&revision.source, field(ESTABLISHES), field(MOVES))
}

/// The version of a rule: how often it was modified since it came into effect (S19). Its colour is no part of it. A text and
/// its head that change in one entry are one modification. What an undo or a moderator brings back has the version that
/// it had.
pub(super) fn version(rule: &Rule) -> u32 {
    let (mut version, mut made) = (0, None);
    let mut seen: Vec<(_, u32)> = Vec::new();
    for revision in rule.revisions() {
        let now = played(revision);
        match revision.done {
            Done::Enacted => {
                (version, made) = (0, None);
                seen.clear();
            }
            Done::Changed if seen.last().is_some_and(|(was, _)| *was == now) => {}
            Done::Changed if by_the_rules(revision) && made == Some(revision.seq) => {}
            Done::Amended | Done::Changed if by_the_rules(revision) => {
                version += 1;
                made = Some(revision.seq);
            }
            Done::Amended | Done::Changed => {
                let before = seen.iter().rfind(|(was, _)| *was == now);
                version = before.map_or(version, |(_, version)| *version);
            }
            _ => continue,
        }
        seen.push((now, version));
    }
    version
}

law::things! {
    Activity: "activity",
    Colours: "colours",
    Coordinates: "coordinates",
    Distances: "distances",
    Encouragement: "encouragement",
    End: "end",
    Evaluation: "evaluation",
    Expiry: "expiry",
    Income: "income",
    Incrementing: "incrementing",
    LocationList: "location list",
    LocationMoves: "location moves",
    Locations: "locations",
    Money: "money",
    Nodding: "nodding",
    Owners: "owners",
    Players: "players",
    Point: "point",
    ProposalPayments: "proposal payments",
    Proposals: "proposals",
    Removal: "removal",
    Rules: "rules",
    Space: "space",
    SpaceList: "space list",
    SpaceMoves: "space moves",
    Symmetry: "symmetry",
    VotePayments: "vote payments",
    Voting: "voting",
}

impl Thing {
    /// The name by which refusals call its rule: its number and name as they read now.
    pub(super) fn rule(self, rules: &Rulebook) -> String {
        match rules.establishes(self.word()).and_then(|id| rules.get(id)) {
            Some(rule) => format!("Rule {}, {}", rule.number(), rule.label()),
            None => format!("the rule on {}", self.word()),
        }
    }

    /// Whether a rule in effect establishes it.
    pub(super) fn is_in(self, rules: &Rulebook) -> bool {
        rules.establishes(self.word()).is_some()
    }
}

/// Refuses where no rule in force establishes something.
///
/// # Errors
///
/// A [`Refusal`] that says that the rule is gone.
pub(super) fn established(rules: &Rulebook, thing: Thing) -> Result<(), Refusal> {
    in_force(rules, thing.word())
}

/// The same of something by its word.
///
/// # Errors
///
/// As [`established`].
pub(super) fn in_force(rules: &Rulebook, word: &str) -> Result<(), Refusal> {
    law::established(rules, word).map_err(|why| why.by(Thing::Rules.rule(rules)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::GAME_END;
    use kit::law::checks;

    fn book(end: Option<Instant>) -> Rulebook {
        checks::book(opening(end).unwrap())
    }

    #[test]
    fn every_figure_stands_in_the_rules_and_every_mark_is_a_figure() {
        checks::figures(&book(None), FIGURES);
    }

    #[test]
    fn every_thing_is_established_by_a_rule_and_every_rule_by_what_the_program_knows() {
        checks::things(&book(None), Thing::WORDS);
    }

    /// S34: each rule but the null rule has a colour.
    #[test]
    fn s34_every_rule_but_null_rule_has_a_colour() {
        for rule in book(None).rules() {
            assert_eq!(rule.field("colour").is_some(), rule.number() != NULL_RULE, "{}", rule.label());
        }
    }

    /// S93: the opener's end stands in the rule, to be read and amended like any figure.
    #[test]
    fn s93_the_end_that_was_chosen_stands_in_the_rule() {
        let end: Instant = "2027-03-01T08:05:09Z".parse().unwrap();
        assert_eq!(book(Some(end)).live_instant(&GAME_END).ok(), Some(end));
    }
}
