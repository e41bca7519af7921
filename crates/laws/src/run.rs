//! One call of a function of a law: which law it is, what it may still ask for, what it has brought about.

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use rhai::{Dynamic, FnPtr, Map};

use kernel::Id;

use super::{
    declared::Declaring,
    engine::{self, ENGINE},
    fault::{Fault, Stop},
    limits::LOOK_MAX_OPERATIONS,
    registry::{Function, Registry},
    stage::{Stage, lend},
};

thread_local! {
    /// Operations that are left to this thread's call, natives included.
    static FUEL: Cell<u64> = const { Cell::new(0) };
}

/// Takes operations for something; `false` where none are left.
pub(crate) fn burn(operations: u64) -> bool {
    FUEL.with(|fuel| {
        let left = fuel.get().saturating_sub(operations);
        fuel.set(left);
        left > 0
    })
}

/// Operations that are left.
pub(crate) fn fuel() -> u64 {
    FUEL.with(Cell::get)
}

/// Fills up what a call may burn; gives what was left before.
pub(crate) fn fill(operations: u64) -> u64 {
    FUEL.with(|fuel| fuel.replace(operations))
}

/// What a call may do.
#[derive(Debug)]
pub(crate) enum Mode {
    /// It declares; the room is only looked at, and only rules and documents.
    Declare(Box<Declaring>),
    /// It looks: a display, a bar, a condition.
    Look,
    /// It changes the room.
    Act,
}

/// Something that happened, and that followers hear of.
#[derive(Clone, Debug)]
pub(crate) struct Happening {
    /// What: the name of an act, `change of hp of player`, `new sock`.
    pub(crate) name: String,
    /// With what.
    pub(crate) args: Map,
}

/// A function that went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    /// The rule of its law.
    pub(crate) rule: Id,
    /// Which function: `after gnaw`.
    pub(crate) function: String,
    /// What is wrong.
    pub(crate) fault: Fault,
}

/// What is known of a call while it lasts.
#[derive(Debug)]
pub(crate) struct Run {
    /// All laws in force.
    pub(crate) registry: Arc<Registry>,
    /// The law whose function runs.
    pub(crate) law: usize,
    /// What it may do.
    pub(crate) mode: Mode,
    /// How many acts are under way within each other.
    pub(crate) depth: usize,
    /// What happened, and was not followed yet.
    pub(crate) queue: VecDeque<Happening>,
    /// What went wrong, and is to be told.
    pub(crate) faults: Vec<Faulty>,
    /// Keys of figures that were read, for `why`.
    pub(crate) figures: BTreeSet<String>,
}

impl Run {
    /// A call by these laws.
    pub(crate) fn new(registry: Arc<Registry>, mode: Mode) -> Self {
        Self { registry, law: 0, mode, depth: 0, queue: VecDeque::new(), faults: Vec::new(), figures: BTreeSet::new() }
    }

    /// The law whose function runs.
    pub(crate) fn rule(&self) -> Option<&Id> {
        self.registry.laws.get(self.law).map(|law| &law.rule)
    }

    /// Notes that a function went wrong.
    pub(crate) fn note(&mut self, function: &Function, fault: Fault) {
        let Some(law) = self.registry.laws.get(function.law) else { return };
        self.faults.push(Faulty { rule: law.rule.clone(), function: function.name.clone(), fault });
    }
}

/// Calls a function of a law.
///
/// # Errors
///
/// Why it ended before its end.
pub(crate) fn call(
    stage: &mut dyn Stage,
    run: &mut Run,
    function: &Function,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    call_pointer(stage, run, function.law, &function.pointer, args)
}

/// The same of a function that a script handed over.
///
/// # Errors
///
/// As [`call`].
pub(crate) fn call_pointer(
    stage: &mut dyn Stage,
    run: &mut Run,
    law: usize,
    pointer: &FnPtr,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    let Some(ast) = run.registry.laws.get(law).map(|law| law.ast.clone()) else {
        return Err(Stop::Fault(Fault::new("the law is not in force any more")));
    };
    let before = std::mem::replace(&mut run.law, law);
    let pointer = engine::frozen(pointer);
    let got = lend(stage, run, || pointer.call::<Dynamic>(&ENGINE, &ast, args));
    run.law = before;
    got.map_err(|why| engine::explained(*why))
}

/// Does something that only looks, with a supply of its own out of what is left.
pub(crate) fn looking<T>(does: impl FnOnce() -> T) -> T {
    let left = fuel();
    let lent = left.min(LOOK_MAX_OPERATIONS);
    fill(lent);
    let done = does();
    fill(left - (lent - fuel().min(lent)));
    done
}
