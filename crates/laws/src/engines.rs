//! The engines that run laws: Rhai, without floats, clock, modules, `eval` and `try`, with every bound set.
//!
//! Operations are counted by one counter that natives and what they call back share: the engine's own begins anew in
//! every callback.

use std::sync::{Arc, OnceLock};

use rhai::Engine;

use super::{
    charged,
    fuel::{is_deep, step},
    limits::{CALLS_MAX_LEVELS, DISPLAY_MAX_BYTES, EXPRESSION_MAX_LEVELS, LIST_MAX_ITEMS, TEXT_MAX_BYTES},
    touched::is_touched,
    weight,
};

/// One for all rooms, since it keeps nothing of any.
pub(crate) struct Engines {
    /// Runs what changes a room, looks at it, or declares.
    pub(crate) acts: Engine,
    /// Makes displays, which are longer than what a room keeps.
    pub(crate) pages: Engine,
}

static ENGINES: OnceLock<Engines> = OnceLock::new();

/// Makes the engines, with the functions that all laws have. Later calls change nothing.
pub(crate) fn make(natives: fn(&mut Engine)) {
    ENGINES.get_or_init(|| Engines {
        acts: charging(TEXT_MAX_BYTES, natives),
        pages: charging(DISPLAY_MAX_BYTES, natives),
    });
}

/// The engines.
///
/// # Panics
///
/// Before they were made: the mechanic of laws does that, and no law is played without it.
pub(crate) fn engines() -> &'static Engines {
    ENGINES.get().expect("the mechanic of laws makes the engines")
}

/// Words of the engine that laws do without.
const OFF: &[&str] =
    &["eval", "try", "throw", "print", "debug", "import", "export", "sync", "spawn", "thread", "curry", "this"];

/// An engine in which what is copied or gone through is charged by its size.
fn charging(text_max_bytes: usize, natives: fn(&mut Engine)) -> Engine {
    let own = Arc::new(engine(text_max_bytes, natives));
    let mut engine = engine(text_max_bytes, natives);
    charged::register(&mut engine, &own);
    #[expect(deprecated, reason = "it is not deprecated, as the engine says: it may change with a version")]
    engine.on_var(|name, _, context| match context.scope().get(name) {
        // It costs nothing, whatever is done with it.
        Some(held) if held.is_int() => Ok(None),
        Some(held) if is_touched(name) => weight::touched(held).map(|()| None),
        Some(held) => weight::copied(held).map(|()| None),
        None => Ok(None),
    });
    engine
}

fn engine(text_max_bytes: usize, natives: fn(&mut Engine)) -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_max_expr_depths(EXPRESSION_MAX_LEVELS, EXPRESSION_MAX_LEVELS);
    engine.set_max_call_levels(CALLS_MAX_LEVELS);
    engine.set_max_array_size(LIST_MAX_ITEMS);
    engine.set_max_map_size(LIST_MAX_ITEMS);
    engine.set_max_string_size(text_max_bytes);
    engine.set_fast_operators(false);
    engine.set_strict_variables(true);
    for word in OFF {
        engine.disable_symbol(*word);
    }
    engine.on_progress(|count| match (step(count), is_deep()) {
        (true, false) => None,
        (_, deep) => Some(deep.into()),
    });
    natives(&mut engine);
    engine
}
