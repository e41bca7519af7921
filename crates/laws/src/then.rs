//! What things had when something happened that is followed later.

use std::sync::Arc;

use kernel::{
    Id, Path, Value,
    world::{Op, World},
};

use super::stage::Stage;

/// A room as it was.
#[derive(Clone, Debug)]
pub(crate) struct Then {
    world: World,
    /// What had been done by when the world was so, each with whose act that was, and how much of it by then.
    done: Arc<Vec<(Op, Option<Id>)>>,
    by_then: usize,
}

impl Then {
    /// A room as it is now.
    pub(crate) fn now(stage: &dyn Stage) -> Self {
        Self { world: stage.world().clone(), done: Arc::default(), by_then: 0 }
    }

    /// A room as it was after so much of what has been done by now.
    pub(crate) fn after(stage: &dyn Stage, done: &Arc<Vec<(Op, Option<Id>)>>, by_then: usize) -> Self {
        Self { world: stage.world().clone(), done: done.clone(), by_then }
    }

    /// What stood at a place.
    pub(crate) fn value(&self, at: &Path) -> Value {
        let mut is = self.world.value(at);
        for (op, _) in self.since().iter().rev() {
            match op {
                Op::Set { at: other, was, .. } if other == at => is = was.clone(),
                Op::Add { at: other, by } if other == at => {
                    is = if let Value::Num(number) = is { Value::Num(&number - by) } else { is };
                }
                Op::Destroy { obj, was, .. } if *obj == at.obj => {
                    is = was.iter().find(|(other, _)| other == at).map(|(_, is)| is.clone()).unwrap_or_default();
                }
                _ => {}
            }
        }
        is
    }

    /// How much is gone through for that.
    pub(crate) fn length(&self) -> usize {
        self.since().len()
    }

    fn since(&self) -> &[(Op, Option<Id>)] {
        &self.done[self.by_then.min(self.done.len())..]
    }
}
