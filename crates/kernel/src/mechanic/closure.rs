//! The closures that parts of a mechanic keep.

use crate::{draft::Draft, state::State};

/// What is read off a state.
pub(super) type Reads<G, T> = Box<dyn Fn(&State<G>) -> T + Send + Sync>;

/// What is done to a draft with something.
pub(super) type Writes<G, A, T> = Box<dyn Fn(A, &mut Draft<'_, G>) -> T + Send + Sync>;
