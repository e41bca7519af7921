//! The game terms of the rules: what a rule defines and uses, and which rules are joined by that.
//!
//! What is asked for is worked out from the text of all rules as they read now. The rulebook keeps it until a rule
//! changes, so that what a law pays for it does not depend on whether somebody asked before.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use kernel::{
    Id,
    directives::sight::{rule_object, rule_of},
};

use super::{
    super::{
        fault::{Given, faulty},
        run::{On, on},
        values::{Obj, as_object},
        weight,
    },
    look::{charge, looks},
};

/// The rule that a script holds; nothing where it holds nothing.
///
/// # Errors
///
/// Where it is something else.
fn rule(held: &Dynamic) -> Given<Option<Id>> {
    let object = as_object(held);
    match object.as_ref().and_then(|obj| rule_of(obj)) {
        Some(rule) => Ok(Some(rule.into())),
        None if held.is_unit() => Ok(None),
        None => {
            Err(faulty("game terms are those of a rule: hand over a rule, as all(\"rule\") and the(\"rule 7\") do"))
        }
    }
}

/// Texts as a script holds them, each of which counts as an operation.
fn list(terms: Vec<&str>) -> Given<Array> {
    charge(terms.len())?;
    Ok(terms.into_iter().map(|term| Dynamic::from(ImmutableString::from(term))).collect())
}

/// What a rule defines and uses.
fn of_rule(lent: &On<'_>, of: &Dynamic) -> Given<Map> {
    looks(lent)?;
    charge(1)?;
    let rule = rule(of)?.unwrap_or_else(|| "".into());
    let terms = lent.stage.rules().terms();
    let mut map = Map::new();
    for (name, found) in [
        ("defines", terms.defined_by(&rule)),
        ("uses", terms.used_by(&rule)),
        ("unclear", terms.unclear_in(&rule)),
        ("excludes", terms.excluded_by(&rule)),
    ] {
        map.insert(name.into(), list(found)?.into());
    }
    Ok(map)
}

/// What joins two rules.
fn between(lent: &On<'_>, from: &Dynamic, to: &Dynamic) -> Given<Array> {
    looks(lent)?;
    charge(1)?;
    match (rule(from)?, rule(to)?) {
        (Some(from), Some(to)) => list(lent.stage.rules().terms().links(&from, &to)),
        _ => Ok(Array::new()),
    }
}

/// What a rule is joined to, and by what.
fn around(lent: &On<'_>, from: &Dynamic) -> Given<Array> {
    looks(lent)?;
    let Some(from) = rule(from)? else { return Ok(Array::new()) };
    let found = lent.stage.rules().terms().neighbours(&from);
    charge(found.len())?;
    let row = |(rule, terms): (&Id, Vec<&str>)| {
        let mut row = Map::new();
        row.insert("rule".into(), Dynamic::from(Obj(rule_object(rule))));
        row.insert("terms".into(), list(terms)?.into());
        Ok(Dynamic::from_map(row))
    };
    found.into_iter().map(row).collect()
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("terms", |of: Dynamic| on(|lent| of_rule(lent, &of)));
    engine.register_fn("links", |from: Dynamic, to: Dynamic| on(|lent| between(lent, &from, &to)));
    engine.register_fn("links", |from: Dynamic| on(|lent| around(lent, &from)));
    engine.register_fn("term", |words: ImmutableString| -> Given<Dynamic> {
        on(|lent| {
            looks(lent)?;
            weight::made(words.len())?;
            charge(1)?;
            let term = lent.stage.rules().terms().term(&words);
            Ok(term.map_or(Dynamic::UNIT, |term| ImmutableString::from(term).into()))
        })
    });
    engine.register_fn("quote", |of: Dynamic, words: ImmutableString| -> Given<ImmutableString> {
        on(|lent| {
            looks(lent)?;
            charge(1)?;
            let rules = lent.stage.rules();
            let Some(rule) = rule(&of)?.and_then(|rule| rules.in_force(&rule)) else { return Ok("".into()) };
            weight::made(rule.text().visible().len() + words.len())?;
            Ok(rules.terms().quote(rule.text(), &words).unwrap_or_default().into())
        })
    });
}
