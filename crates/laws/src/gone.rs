//! What becomes of what names an object that the game itself has ended: a player who left.
//!
//! The game puts first values in the places of names that it knows. What stood there is read from the operations.

use kernel::{Id, Path, Value, world::Op};

use super::{
    natives,
    run::{Mode, On, Run},
    stage::Stage,
};

/// Sees to what names objects that the game itself has ended: by what its attribute says, that ends, stays, or has its
/// first value again. Followers hear of it with all else that was changed.
pub(crate) fn see_to(stage: &mut dyn Stage, run: &mut Run) {
    let ops = stage.unseen(|op| matches!(op, Op::Destroy { .. } | Op::Set { was: Value::Ref(_), .. }));
    let of_laws = |kind: &Id| run.registry.kinds.contains(&**kind);
    let gone: Vec<(Id, Id)> = ops
        .iter()
        .filter_map(|op| match op {
            Op::Destroy { obj, kind, .. } if !of_laws(kind) => Some((obj.clone(), kind.clone())),
            _ => None,
        })
        .filter(|(obj, kind)| stage.world().kind(obj) != Some(kind))
        .collect();
    if gone.is_empty() || !matches!(run.mode, Mode::Act) {
        return;
    }
    for (obj, kind) in gone {
        // What somebody sealed ends with em: e begins afresh, should e come back.
        let own = stage.sealed().into_iter().filter(|(_, sealed)| sealed.by == obj);
        let own: Vec<u64> = own.map(|(number, _)| number).collect();
        own.into_iter().for_each(|number| stage.set_sealed(number, None));
        let named = Value::Ref(obj.clone());
        let reset = ops.iter().filter_map(|op| match op {
            Op::Set { at, was, .. } if *was == named => Some(at.clone()),
            _ => None,
        });
        let reset: Vec<Path> = reset.collect();
        // What cannot be seen to stays as it is.
        drop(natives::ended(&mut On { stage, run }, &obj, &kind, &reset));
    }
}
