//! Jobs: long work that a room waits for.

use serde_json::Value as Json;

use super::closure::{Reads, Writes};
use crate::{
    draft::Draft,
    state::{Kind, State},
    work::{Bench, Work},
};

/// Long work that a room waits for: part of its state, so that no restart loses it.
pub struct Job<G: Kind> {
    pub(super) prefix: &'static str,
    pub(super) next: Reads<G, Option<Work>>,
    pub(super) play: Box<dyn Fn(&Work, &Bench<'_>) -> Option<Json> + Send + Sync>,
    pub(super) finish: Writes<G, Json, ()>,
}

impl<G: Kind> Job<G> {
    /// Work whose ids begin with `prefix`. `play` is pure but for the cache and the signal to stop, away from the room, and
    /// gives nothing when it was told to stop. `finish` may not refuse; a result that no longer fits changes nothing.
    pub fn new(
        prefix: &'static str,
        next: impl Fn(&State<G>) -> Option<Work> + Send + Sync + 'static,
        play: impl Fn(&Work, &Bench<'_>) -> Option<Json> + Send + Sync + 'static,
        finish: impl Fn(Json, &mut Draft<'_, G>) + Send + Sync + 'static,
    ) -> Self {
        Self { prefix, next: Box::new(next), play: Box::new(play), finish: Box::new(finish) }
    }
}
