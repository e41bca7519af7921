//! Rules as objects of the registry (4E2, 4E11): each has the attributes that are defined for every rule.
//!
//! The object of a rule is there while the rule is in force, and is called `rule 15` or `4E15`. Its text, title and
//! header stand in the rulebook; its Power is an attribute whose value is read from there. Rules change by
//! `kernel::directives`; which of two wins stands in `precedence`.

use super::{
    game::{BNomic, D},
    law::{PREFIX, Thing, established},
    precedence,
    registry::{self, cells},
    stats::{POWER, RULE, SCORE, object, of},
};
use kernel::{
    Id, Mechanic, Num, Path, Refusal, State,
    directives::syntax::unquote,
    display::{Block, Cell},
    rulebook::{Rule, RuleAct, RuleOp},
    world::Op,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("rule-objects").begins(keep).settle(keep)
}

/// The object of the rule that some words name: `rule 15`, `rule "Victory"`, `4E15`; nothing where they name no rule.
pub(super) fn find(state: &State<BNomic>, words: &str) -> Option<Id> {
    let words = words.trim();
    let after =
        |head: &str| words.get(..head.len()).filter(|it| it.eq_ignore_ascii_case(head)).map(|_| &words[head.len()..]);
    let rule = match after("rule ").map(|words| unquote(words.trim())) {
        Some(words) => state.rules.find(words).ok()?,
        None => state.rules.numbered(after(PREFIX)?.parse().ok()?)?,
    };
    Some(object(rule)).filter(|obj| state.world.exists(obj))
}

/// Why words that say that they name a rule name none.
pub(super) fn missing(state: &State<BNomic>, words: &str) -> Option<Refusal> {
    let (head, words) = words.trim().split_once(char::is_whitespace)?;
    if head.eq_ignore_ascii_case(RULE) { state.rules.find(unquote(words.trim())).err() } else { None }
}

/// Brings the objects in step with the rules in force; whether something was to do.
pub(super) fn keep(d: &mut D<'_>) -> bool {
    let missing = |rule: &&Rule| !d.world.exists(&object(rule));
    let new: Vec<Id> = d.rules.rules().into_iter().filter(missing).map(object).collect();
    let stands = |obj: &&Id| of(d, obj).is_some_and(Rule::in_force);
    let gone: Vec<Id> = d.world.of_kind(RULE).filter(|obj| !stands(obj)).cloned().collect();
    for obj in &new {
        d.op(Op::Create { obj: obj.clone(), kind: RULE.into() });
    }
    for obj in &gone {
        registry::end(d, obj);
    }
    !(new.is_empty() && gone.is_empty())
}

/// Gives a rule a Power (B75.1).
///
/// # Errors
///
/// A [`Refusal`] for what is none.
pub(super) fn empower(d: &mut D<'_>, at: &Path, to: &Num) -> Result<(), Refusal> {
    let gone = || Refusal::new("that rule is no longer in force").by(Thing::Rules.rule(&d.rules)).instead("rules");
    let rule = of(d, &at.obj).filter(|rule| rule.in_force()).ok_or_else(gone)?;
    let to = to.to_string();
    precedence::is_power(&to)?;
    let was = rule.field(POWER).map(str::to_owned);
    let act = RuleAct::Field { name: POWER.to_owned(), to: Some(to), was };
    let op = RuleOp::new(rule.id().clone(), act).because("its Power was set");
    d.rules.check(&op)?;
    d.rule(op);
    Ok(())
}

/// Whether a change of the rules can give a rule a Power: while a rule gives any (B75.1).
///
/// # Errors
///
/// A [`Refusal`] where none is in force.
pub(super) fn may_empower(state: &State<BNomic>) -> Result<(), Refusal> {
    established(&state.rules, Thing::Precedence)
}

/// What a rule has of the attributes that proposals and rules defined, and its points where it has any (B11.9, B17.1).
pub(super) fn beside(state: &State<BNomic>, rule: &Rule) -> Vec<Block> {
    let obj = object(rule);
    if !state.world.exists(&obj) {
        return Vec::new();
    }
    let scores = state.world.get(&SCORE, &obj).is_some_and(|score| !score.is_zero());
    let attrs = registry::added(state, RULE).into_iter().chain(scores.then(|| SCORE.id.into()));
    let rows: Vec<Vec<Cell>> =
        attrs.map(|attr: Id| vec![Cell::new(attr.to_string()), cells::cell(state, &obj, &attr)]).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Block::table(["Attribute", "Value"], rows)]
}
