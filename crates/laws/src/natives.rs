//! The functions that every law has: what it declares, looks at, and asks for.
//!
//! One file a chapter of the vocabulary. Nothing here keeps anything: the room is lent for the time of a call.

mod chance;
mod declare;
mod effects;
mod look;
mod numbers;
mod pages;

use std::{collections::BTreeSet, sync::LazyLock};

use rhai::{
    Engine,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage, CorePackage,
        LogicPackage, MoreStringPackage, Package,
    },
};

/// The names of the functions that laws have beside the engine's own.
const NAMES: &[&str] = &[
    "action",
    "after",
    "all",
    "answers",
    "apply",
    "are",
    "ask",
    "at",
    "attempt",
    "ceil",
    "change",
    "clock",
    "condition",
    "count",
    "create",
    "deed",
    "define",
    "destroy",
    "discard",
    "display",
    "draw",
    "due",
    "find",
    "floor",
    "forbid",
    "gain",
    "game",
    "grid",
    "holder",
    "holds",
    "is_a",
    "kind",
    "lose",
    "now",
    "number",
    "numbers",
    "opened",
    "part",
    "parts",
    "perform",
    "pick",
    "pick_by",
    "players",
    "refuse",
    "require",
    "run",
    "say",
    "schedule",
    "shuffle",
    "speaks_for",
    "table",
    "tally",
    "tell",
    "the",
    "there_is",
    "times",
    "unschedule",
    "whenever",
];

static KNOWN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| NAMES.iter().copied().collect());

/// The names of the functions that laws have beside the engine's own: no script defines another of them.
pub(crate) fn names() -> &'static BTreeSet<&'static str> {
    &KNOWN
}

/// Gives an engine all of them.
pub(crate) fn register(engine: &mut Engine) {
    CorePackage::new().register_into_engine(engine);
    LogicPackage::new().register_into_engine(engine);
    ArithmeticPackage::new().register_into_engine(engine);
    BasicArrayPackage::new().register_into_engine(engine);
    BasicMapPackage::new().register_into_engine(engine);
    BasicStringPackage::new().register_into_engine(engine);
    BasicIteratorPackage::new().register_into_engine(engine);
    MoreStringPackage::new().register_into_engine(engine);
    numbers::register(engine);
    look::register(engine);
    declare::register(engine);
    effects::register(engine);
    chance::register(engine);
    pages::register(engine);
}

/// What a display came to, as a document.
pub(crate) fn page(is: rhai::Dynamic, lent: &super::stage::On<'_>) -> kernel::display::Document {
    pages::document(is, lent)
}
