//! Which objects of a kind hold which value, while laws look for them: so that a lookup costs what it finds.
//!
//! It is made at the first lookup of a call, and follows the room from then on. Only what laws declare is kept: what a game
//! works out by itself may change with anything.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kernel::{
    Id, Path, Value,
    world::{Difference, World},
};

use super::{registry::Registry, stage::Stage};

/// The objects of kinds by their values, as far as they were looked for.
#[derive(Debug, Default)]
pub(crate) struct Index {
    held: HashMap<(Id, String), Held>,
    /// How many objects it took in so far.
    pub(crate) followed: usize,
}

/// The objects of a kind by the values of one attribute.
#[derive(Debug, Default)]
struct Held {
    /// The world of which that holds.
    world: World,
    by_object: BTreeMap<Id, Value>,
    by_value: HashMap<Value, BTreeSet<Id>>,
}

/// What a lookup came to.
pub(crate) struct Found {
    /// The objects.
    pub(crate) objects: Vec<Id>,
    /// How many were looked at.
    pub(crate) seen: usize,
}

impl Index {
    /// The objects of a kind that hold a value; nothing where they are not kept so.
    pub(crate) fn find(
        &mut self,
        stage: &dyn Stage,
        registry: &Registry,
        kind: &Id,
        attr: &str,
        is: &Value,
    ) -> Option<Found> {
        let world = stage.world();
        let of_law = |rule: &Id| registry.laws.iter().any(|law| law.rule == *rule);
        if !registry.kinds.contains(&**kind) || !world.def(attr, kind)?.by.as_ref().is_some_and(of_law) {
            return None;
        }
        let held = self.held.entry((kind.clone(), attr.to_owned())).or_default();
        let changed = held.follow(world, kind, attr);
        self.followed += changed;
        let objects: Vec<Id> = held.by_value.get(is).into_iter().flatten().cloned().collect();
        Some(Found { seen: changed + objects.len(), objects })
    }
}

impl Held {
    /// Takes in how the world has changed; how many objects that were.
    fn follow(&mut self, world: &World, kind: &Id, attr: &str) -> usize {
        let differs = world.since(&self.world);
        let is_defined_otherwise = |differs: &Difference| match differs {
            Difference::Def { was, now } => was.iter().chain(now).any(|def| *def.id == *attr),
            _ => false,
        };
        let changed: BTreeSet<Id> = match differs.iter().any(is_defined_otherwise) {
            true => world.of_kind(kind).chain(self.by_object.keys()).cloned().collect(),
            false => {
                let about = differs.into_iter().filter_map(|differs| match differs {
                    Difference::Came { obj, kind: of } | Difference::Went { obj, kind: of } => {
                        (of == *kind).then_some(obj)
                    }
                    Difference::Value { at, .. } => (*at.attr == *attr).then_some(at.obj),
                    Difference::Def { .. } => None,
                });
                about.collect()
            }
        };
        for obj in &changed {
            self.take(world, kind, attr, obj);
        }
        self.world = world.clone();
        changed.len()
    }

    /// Takes in what an object holds now.
    fn take(&mut self, world: &World, kind: &Id, attr: &str, obj: &Id) {
        if let Some(was) = self.by_object.remove(obj)
            && let Some(all) = self.by_value.get_mut(&was)
        {
            all.remove(obj);
        }
        if world.kind(obj) == Some(kind) {
            let is = world.value(&Path::new(obj.clone(), attr));
            self.by_value.entry(is.clone()).or_default().insert(obj.clone());
            self.by_object.insert(obj.clone(), is);
        }
    }
}
