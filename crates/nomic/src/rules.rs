//! Rules as objects: each has the attributes that laws give to every rule.
//!
//! The object of a rule is there while the rule is in force. Its attributes stand in the world, where laws see them, and at
//! the head of the rule, where players read them and a folder keeps them. A head that a rule comes with is where it begins.

use std::collections::BTreeMap;

use kernel::{
    Id, Mechanic, Path, State,
    directives::{
        define,
        sight::{RULE, rule_object, rule_of},
        syntax::unquote,
    },
    entry::Change,
    rulebook::{Rule, RuleAct, RuleOp},
    world::{AttrDef, Op},
};

use super::{D, Nomic};

/// Rules as objects, as a mechanic.
pub(super) fn mechanic() -> Mechanic<Nomic> {
    Mechanic::new("rules").begins(keep).settle(keep)
}

/// The rule whose object something is.
pub(super) fn of<'s>(state: &'s State<Nomic>, obj: &str) -> Option<&'s Rule> {
    state.rules.get(rule_of(obj)?)
}

/// The object of the rule that some words name: `rule 15`, `rule "Victory"`.
pub(super) fn find(state: &State<Nomic>, words: &str) -> Option<Id> {
    let (head, words) = words.trim().split_once(char::is_whitespace)?;
    let rule = state.rules.find(unquote(words.trim())).ok().filter(|_| head.eq_ignore_ascii_case(RULE))?;
    Some(rule_object(rule.id())).filter(|obj| state.world.exists(obj))
}

/// Brings objects and heads in step with the rules in force; whether something was to do. Nothing is where neither rules
/// changed, nor what they have.
pub(super) fn keep(d: &mut D<'_>) -> bool {
    let is_of_rule = |change: &Change| match change {
        Change::Rule(_) | Change::World(Op::Define(_) | Op::Undefine(_)) => true,
        Change::World(Op::Set { at, .. } | Op::Add { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. }) => {
            rule_of(&at.obj).is_some()
        }
        _ => false,
    };
    if !d.changes().iter().any(is_of_rule) {
        return false;
    }
    let mut ops = Vec::new();
    let mut heads = Vec::new();
    let defs: Vec<AttrDef> = d.world.defs_for(RULE).cloned().collect();
    for rule in d.rules.rules() {
        let obj = rule_object(rule.id());
        if !d.world.exists(&obj) {
            ops.push(Op::Create { obj: obj.clone(), kind: RULE.into() });
        }
        let held: BTreeMap<&Id, String> =
            d.world.values_of(&obj).map(|(path, value)| (&path.attr, written(&value.to_string()))).collect();
        for def in &defs {
            let head = rule.field(&def.id);
            match (held.get(&def.id), head.and_then(|head| define::plain(head, &def.range))) {
                (Some(is), _) if head == Some(is) => {}
                (Some(is), _) => heads.push((rule.id().clone(), def.id.clone(), is.clone(), head.map(str::to_owned))),
                (None, Some(to)) if def.range.holds(&to) => {
                    let at = Path::new(obj.clone(), def.id.clone());
                    ops.push(Op::Set { was: d.world.value(&at), at, to });
                }
                (None, _) => {}
            }
        }
    }
    for obj in d.world.of_kind(RULE).filter(|obj| !of(d, obj).is_some_and(Rule::in_force)) {
        let was = d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
        ops.push(Op::Destroy { obj: obj.clone(), kind: RULE.into(), was });
    }
    let is_kept = ops.is_empty() && heads.is_empty();
    ops.into_iter().for_each(|op| d.op(op));
    for (rule, attr, is, was) in heads {
        d.rule(RuleOp::new(rule, RuleAct::Field { name: attr.to_string(), to: Some(is), was }));
    }
    !is_kept
}

/// A value as it stands at the head of a rule.
fn written(value: &str) -> String {
    match value {
        "true" => "yes".to_owned(),
        "false" => "no".to_owned(),
        other => other.to_owned(),
    }
}
