//! Spacenomic: what its rehearsals notice, and which clauses of its rules they hold.

use rulekeeper::{
    games::spacenomic::{figures::FIGURES, law::RULES},
    rehearsal::Probe,
};

use super::{everything_is_probed, notice_what_the_rules_say};

/// An amendment of the rules before anybody else has come: a moderator's correction, which leaves neither payments nor the
/// number of a proposal behind.
fn amendment(directive: &str) -> String {
    format!(
        "moderator Mod\nMod: correct gamestate \"=> {directive}\" because the rehearsal is probed\n< gamestate is =>"
    )
}

/// The null rule cannot be amended: what it yields on, a rule beside it says otherwise (S25).
fn probing(probe: &Probe) -> String {
    amendment(&match &probe.to {
        Some(to) if probe.of.starts_with("vote-") => format!("create rule Range: Votes end at [{to}](#{}).", probe.of),
        Some(to) => format!("set {} to {to}", probe.of),
        None => format!("repeal rule {}", probe.of),
    })
}

/// The figures of every rule: a rehearsal fails when the figure that it probes is amended or the rule repealed, and for no
/// other reason: with an amendment that changes nothing it passes.
#[test]
fn rehearsals_notice_what_the_rules_of_spacenomic_say() {
    notice_what_the_rules_say("spacenomic", 0, &amendment("append to rule 19: It is polite."), probing);
}

/// Every live number names the rehearsal that probes it, and every rule is probed by one, but the null rule, which no amendment
/// reaches, and the rule on incrementing, which only gives a word its meaning.
#[test]
fn every_figure_and_every_rule_of_spacenomic_is_probed() {
    let beyond = ["null-rule", "incrementing"];
    let rules = RULES.iter().map(|(rule, _)| *rule).filter(|rule| !beyond.contains(rule));
    everything_is_probed("spacenomic", FIGURES, rules);
}
