//! What approving a display needs (4E50), and its outcome, worked out away from the room and listed.
//!
//! The room itself is never changed here.

use std::collections::VecDeque;

use crate::{
    figures::{APPROVE_OBJECTIONS, APPROVE_RDAYS, APPROVE_SUPPORT},
    game::{BNomic, D},
    intents::needs::Needs,
    law::{Thing, established},
};
use kernel::{
    Draft, Instant, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    display::{Block, Cell},
    doer::Doer,
    draft::SALT_BYTES,
    entry::Change,
};

/// Lines of differences and of what is left out that an announcement shows; the others are counted.
const SHOWN_MAX_LINES: usize = 40;

// ---- decide

/// What approving needs: support, and nobody who objects, both within so many rdays (B50.4, B50.5).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(crate) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Displays)?;
    Ok(Needs {
        without: Some(state.rules.need_count(&APPROVE_OBJECTIONS)?),
        with: Some(state.rules.need_count(&APPROVE_SUPPORT)?),
        rdays: Some(state.rules.need_count(&APPROVE_RDAYS)?),
        ..Needs::default()
    })
}

pub(crate) fn list(lines: Vec<String>) -> Block {
    let more = lines.len().saturating_sub(SHOWN_MAX_LINES);
    let mut cells: Vec<Cell> = lines.into_iter().take(SHOWN_MAX_LINES).map(Cell::new).collect();
    if more > 0 {
        cells.push(Cell::new(format!("and {more} more")));
    }
    Block::List(cells)
}

/// What a state becomes by something, away from the room, and what that changed.
pub(crate) fn drafted(
    state: State<BNomic>,
    at: Instant,
    doer: Doer,
    public: bool,
    act: impl FnOnce(&mut D<'_>),
) -> (State<BNomic>, Vec<Change>) {
    // What dice would show there nobody can know; nothing that is played so far throws any.
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let mut d = Draft::new(state, at, doer, public, &mut dice, [0; SALT_BYTES]);
    act(&mut d);
    let finished = d.finish();
    let mut after = finished.state;
    after.at = at;
    (after, finished.changes)
}
