//! Ways by which rules can still be changed by play, and what keeps a game from losing the last of them.
//!
//! Whether there is one cannot be decided in general: what is found here warns, and bars nothing. A law that does the
//! text of a document (`apply`) is a way where something leads to it: a command, votes that can begin, an event, a time.

use std::collections::BTreeSet;

use kernel::{Draft, Id, rulebook::RuleOp};

use super::{
    docket_decl::{BEGIN, DocketDecl, END, revise, withdraw},
    registry::{Registry, Use},
    room::Hosts,
    run::{Faulty, Run},
    stage::Stage,
    tables::Ran,
};

/// What leads to a change of the rules by the laws in force, by what players know of it: `vote`.
pub(crate) fn of(stage: &dyn Stage, registry: &Registry) -> BTreeSet<String> {
    let applies = registry.laws.iter().enumerate().filter(|(_, law)| law.fault.is_none() && law.script.applies);
    let uses = applies.flat_map(|(place, _)| registry.uses(place));
    uses.flat_map(|(is, name, _)| leading(stage, registry, is, name)).collect()
}

/// What leads to a function of a law that is called for something; nothing where nothing does.
fn leading(stage: &dyn Stage, registry: &Registry, is: Use, name: &str) -> Vec<String> {
    let command = |name: &str| registry.acts.get(name).is_some_and(|(act, _)| !act.deed);
    match is {
        // What is made and voted on by itself does no text.
        Use::Act if is_by_itself(registry, name) => Vec::new(),
        Use::Act if command(name) => vec![name.to_owned()],
        Use::Act if is_called(registry, name) => vec![name.to_owned()],
        Use::Follower if [BEGIN, END].contains(&name) => {
            let all = registry.ballots.iter().flat_map(|(name, all)| all.iter().map(move |(_, ballot)| (name, ballot)));
            let can_begin = all.filter(|(name, ballot)| {
                let docket = registry.dockets.get(&ballot.kind);
                let is_made = docket
                    .is_some_and(|docket| docket.changes && (command(&docket.make) || creates(registry, &ballot.kind)));
                is_made && command(name)
            });
            can_begin.map(|(name, _)| name.clone()).collect()
        }
        Use::Follower if command(name) || stage.happens_by_itself(name) => vec![name.to_owned()],
        Use::Follower => {
            match name.strip_prefix("new ").or_else(|| Some(name.strip_prefix("change of ")?.rsplit_once(" of ")?.1)) {
                Some(kind) if registry.kinds_of(stage, kind).is_some() => vec![name.to_owned()],
                _ => Vec::new(),
            }
        }
        Use::Alone | Use::Each => vec!["what laws do by themselves".to_owned()],
        Use::Act | Use::Change | Use::Bar | Use::Display => Vec::new(),
    }
}

/// Whether an act is one of documents or of votes, which a law only declares.
fn is_by_itself(registry: &Registry, act: &str) -> bool {
    let makes = |docket: &DocketDecl| [docket.make.clone(), revise(&docket.kind), withdraw(&docket.kind)];
    registry.ballots.contains_key(act)
        || registry.dockets.values().any(|docket| makes(docket).iter().any(|of| of == act))
}

/// Whether a law mentions a deed beside where it is declared, barred, changed and followed.
fn is_called(registry: &Registry, deed: &str) -> bool {
    let quoted = format!("\"{deed}\"");
    let mentions = registry.laws.iter().map(|law| law.source.matches(&quoted).count()).sum::<usize>();
    let bars = registry.bars.get(deed).map_or(0, Vec::len);
    let hooks = [&registry.changes, &registry.followers].map(|all| all.get(deed).map_or(0, Vec::len));
    mentions > 1 + bars + hooks.into_iter().sum::<usize>()
}

/// Whether a law makes documents of a kind.
fn creates(registry: &Registry, kind: &str) -> bool {
    registry.laws.iter().any(|law| law.source.contains(&format!("create(\"{kind}\"")))
}

/// The laws without which rules could not be changed: those that do the text of a document, those whose conditions these
/// ask, and those that bar or change what leads there.
fn lifelines<'r>(stage: &dyn Stage, registry: &'r Registry) -> &'r BTreeSet<usize> {
    registry.lifelines.get_or_init(|| {
        let applies = || registry.laws.iter().filter(|law| law.script.applies);
        if applies().next().is_none() {
            return BTreeSet::new();
        }
        let ways = of(stage, registry);
        let is_one = |place: &usize| {
            let own = registry.conditions.iter().filter(|(_, all)| all.iter().any(|function| function.law == *place));
            let mut own = own.map(|(name, _)| format!("\"{name}\""));
            let is_asked = own.any(|name| applies().any(|law| law.source.contains(&name)));
            let mut uses = registry.uses(*place).into_iter();
            let judges = uses.any(|(is, name, _)| matches!(is, Use::Bar | Use::Change) && ways.contains(name));
            registry.laws[*place].script.applies || is_asked || judges
        };
        (0..registry.laws.len()).filter(is_one).collect()
    })
}

/// Notes which laws by which rules change ran, and came to their ends. A law may have amended itself meanwhile: what ran
/// is what it was.
pub(crate) fn note_run<G: Hosts>(d: &mut Draft<'_, G>, run: &Run) {
    let registry = &run.registry;
    let lifelines = lifelines(d, registry).iter().filter_map(|place| registry.laws.get(*place));
    let rules: BTreeSet<&Id> = lifelines.map(|law| &law.rule).collect();
    for (key, revision) in run.ran.iter().filter(|((rule, _), _)| rules.contains(rule)) {
        let went_wrong =
            |faulty: &Faulty| (&faulty.rule, &faulty.function) == (&key.0, &key.1) && !faulty.fault.refused;
        if !run.faults.iter().any(went_wrong) && d.row::<Ran>(key).is_none_or(|ran| ran.revision != *revision) {
            d.put(key, Ran { revision: *revision });
        }
    }
}

/// Puts a rule back to the revision with which a function of its law ran last that goes wrong now, where no rule could be
/// changed without it. Of a function that never ran, that is the last one before in which any other did.
pub(crate) fn mend<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry, faulty: &Faulty) {
    let rule = &faulty.rule;
    let Some(place) = registry.laws.iter().position(|law| law.rule == *rule) else { return };
    let Some(held) = d.rules.in_force(rule).filter(|_| lifelines(d, registry).contains(&place)) else { return };
    let own = d.row::<Ran>(&(rule.clone(), faulty.function.clone())).map(|ran| ran.revision);
    let others = d.rows::<Ran>().iter().filter(|((of, _), _)| of == rule).map(|(_, ran)| ran.revision);
    let ran = own.or_else(|| others.filter(|ran| *ran < held.revision()).max());
    let Some(ran) = ran.filter(|ran| *ran != held.revision()) else { return };
    let (number, label) = (held.number(), held.label());
    let Some(acts) = held.back_to(ran) else { return };
    for act in acts {
        let why = "its law went wrong, and rules are changed by it".to_owned();
        d.rule(RuleOp { why, ..RuleOp::new(rule.clone(), act) });
    }
    d.tell_all(format!(
        "Rule {number}, {label}, reads as in its revision {ran} again: rules are changed by its law, which ran so last."
    ));
}
