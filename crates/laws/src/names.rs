//! The names of the functions that every law has: no script defines another of them, and errors name the nearest.

use std::{collections::BTreeSet, sync::LazyLock};

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
