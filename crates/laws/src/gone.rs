//! What becomes of what names something that is gone: whatever ended it, and before any law runs.
//!
//! A game may put first values in the places of names that it knows. What stood there is read from the operations.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{
    Id, Path, Value,
    world::{Op, Range, SCOPES, World},
};

use super::{registry::Registry, stage::Stage};

/// Sees to what names things that are gone since it was seen to last: by what its attribute says, that ends, stays, or
/// has its first value again. Followers hear of it with all else that was changed. How many places were looked at.
pub(crate) fn see_to(stage: &mut dyn Stage, registry: &Registry) -> usize {
    let mut looked = 0;
    // What ends for that reason may be named, too.
    loop {
        let ops = stage.unsettled();
        let ended = ops.iter().filter_map(|op| match op {
            Op::Destroy { obj, kind, .. } => Some((obj.clone(), kind.clone())),
            _ => None,
        });
        let gone: BTreeMap<Id, Id> = ended.filter(|(obj, kind)| stage.world().kind(obj) != Some(kind)).collect();
        if gone.is_empty() {
            return looked;
        }
        // What somebody sealed ends with em: e begins afresh, should e come back.
        let own = stage.sealed().into_iter().filter(|(_, sealed)| gone.contains_key(&sealed.by));
        let own: Vec<u64> = own.map(|(number, _)| number).collect();
        own.into_iter().for_each(|number| stage.set_sealed(number, None));
        let (mut named, count) = naming(stage.world(), &gone);
        looked += count;
        named.extend(ops.iter().filter_map(|op| match op {
            Op::Set { at, was: Value::Ref(obj), .. } if gone.contains_key(obj) && is_first(stage.world(), at) => {
                Some((at.clone(), obj.clone()))
            }
            _ => None,
        }));
        named.into_iter().for_each(|(at, obj)| bereave(stage, registry, &at, &obj));
    }
}

/// Whether a value is as it is at first.
fn is_first(world: &World, at: &Path) -> bool {
    world.value(at) == world.def_at(at).map(|def| def.default.clone()).unwrap_or_default()
}

/// Where things are named that are gone, each with its kind, and at how many places that was looked for.
fn naming(world: &World, gone: &BTreeMap<Id, Id>) -> (BTreeSet<(Path, Id)>, usize) {
    let kinds: BTreeSet<&str> = gone.values().map(|kind| &**kind).collect();
    let names = |range: &Range| match range {
        Range::Ref(of) => of.split(SCOPES).any(|kind| kinds.contains(kind)),
        range => *range == Range::Any,
    };
    let (mut found, mut looked) = (BTreeSet::new(), 0);
    for def in world.defs() {
        let of = if let Range::List { of, .. } = &def.range { of } else { &def.range };
        for holder in world.having(def).filter(|_| names(of)) {
            looked += 1;
            let at = Path::new(holder.clone(), def.id.clone());
            let held = match world.value(&at) {
                Value::List(articles) => articles,
                is => vec![is],
            };
            // Who is no player any more is a person still.
            let is_still = |obj: &Id| {
                let of = if let Range::Ref(of) = of { &**of } else { "" };
                world.kind(obj).is_some_and(|kind| of.split(SCOPES).any(|known| *known == **kind))
            };
            let is_gone = |is: Value| match is {
                Value::Ref(obj) if gone.contains_key(&obj) && !is_still(&obj) => Some((at.clone(), obj)),
                _ => None,
            };
            found.extend(held.into_iter().filter_map(is_gone));
        }
    }
    (found, looked)
}

/// Sees to what named something that is gone.
fn bereave(stage: &mut dyn Stage, registry: &Registry, at: &Path, gone: &Id) {
    let Some(kind) = stage.world().kind(&at.obj).map(ToString::to_string) else { return };
    let named = Value::Ref(gone.clone());
    let is = stage.world().value(at);
    match (registry.gone.get(&(at.attr.to_string(), kind)).map(String::as_str), is) {
        (Some("keep"), Value::List(_)) => {}
        (_, Value::List(mut articles)) => {
            articles.retain(|article| *article != named);
            stage.put(at, Value::List(articles));
        }
        // What the game has no end for stays as it is.
        (Some("destroy"), _) => drop(stage.destroy(&at.obj)),
        (Some(_), _) => stage.put(at, named),
        (None, is) if is == named => {
            let first = stage.world().def_at(at).map(|def| def.default.clone()).filter(|first| *first != named);
            stage.put(at, first.unwrap_or_default());
        }
        (None, _) => {}
    }
}
