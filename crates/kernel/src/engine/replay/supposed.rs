//! How a room would be, had something been otherwise from an entry on: the effect of an approved display is worked out
//! from it.
//!
//! The two lines are those of an undo, with something put in at an entry of the amended one, in place of one left out.
//! What fell due is taken as recorded. Entries that are taken back by now are left out too. The game says what is put
//! in, and what becomes of the outcome.

use std::{any::Any, cell::Cell, sync::Arc};

use super::{
    Lines, Recorded, Replay, at_end, read, redacted, settle,
    taking::{taken_back, toggles},
};
use crate::draft::{Missed, Supposed, Supposing, WouldBe};
use crate::engine::Context;
use crate::entry::Entry;
use crate::game::Game;
use crate::state::State;
use crate::{Refusal, Seq};

/// What is supposed, on a line on which it is made so.
pub(super) struct Line<G: Game> {
    of: Supposed,
    base: Option<State<G>>,
    made: Cell<bool>,
}

impl<G: Game> Line<G> {
    /// Takes note of the amended line before an entry.
    pub(super) fn begin(&mut self, seq: Seq, amended: &State<G>) {
        if seq == self.of.entry {
            self.base = Some(amended.clone());
        }
    }

    /// What is told to what is decided again, from the entry on in which it becomes so.
    pub(super) fn supposing(&self) -> Option<Supposing<'_, G>> {
        let base = self.base.as_ref()?;
        Some(Supposing { number: self.of.number, base, made: &self.made })
    }

    /// An entry cannot happen: where it is the one in which it was made so, it is not.
    pub(super) fn refused(&self, seq: Seq) {
        if seq == self.of.entry {
            self.made.set(false);
        }
    }
}

/// Plays the entries after a state again, as if something had been otherwise.
pub(in crate::engine) fn suppose<G: Game>(
    before: &State<G>,
    of: Supposed,
    past: &[Recorded],
    context: &Context,
) -> Result<Replay<dyn Any + Send + Sync>, Refusal> {
    let past = read(past)?;
    let entries = || past.iter().map(|past| &past.entry);
    let first = before.seq + 1;
    let earlier = entries().flat_map(toggles).map(|(of, _)| of).chain([of.entry]).min();
    if let Some(from) = earlier.filter(|of| *of < first) {
        return Ok(Replay::From(from));
    }
    let without = taken_back(before, entries()).into_keys().collect();
    let mut lines = Lines::new(before, &past, &at_end(before, &past)?, &without, context);
    lines.folds_undos = false;
    lines.supposed = Some(Line { of, base: None, made: Cell::new(false) });
    past.iter().try_for_each(|past| lines.step(past, without.contains(&past.entry.seq)))?;
    let Lines { recorded, amended: mut after, highest, told, supposed, .. } = lines;
    after.frame.counted = highest;
    let left_out = redacted(&recorded.frame, told.left_out);
    let base = supposed.and_then(|line| line.base);
    let base = base.ok_or_else(|| Refusal::new(format!("there is no entry {} here", of.entry)))?;
    Ok(Replay::Done(Arc::new(WouldBe { of, last: recorded.seq, base, after, left_out })))
}

impl<G: Game> Lines<'_, G> {
    /// Makes so what is supposed, after its entry, where that did not.
    pub(super) fn make_so(&mut self, entry: &Entry) {
        let Some(line) = self.supposed.as_ref().filter(|line| line.of.entry == entry.seq && !line.made.get()) else {
            return;
        };
        let (number, recorded) = (line.of.number, self.recorded.clone());
        let mut refused = None;
        self.on_amended(entry.seq, entry.at, None, |d| {
            refused = d.attempt(|d| G::mechanics().make_so(number, &recorded, d)).err();
            settle(d);
        });
        self.told.left_out.extend(refused.map(|why| (entry.seq, why.say)));
    }

    /// Tells what an entry could not do on the amended line, and could on the recorded one.
    pub(super) fn miss(&mut self, seq: Seq, were: &[Missed], missed: &[Missed]) {
        // An undo tells what is announced otherwise.
        let new = |one: &&Missed| self.supposed.is_some() && !were.iter().any(|was| was.what == one.what);
        let lines = missed.iter().filter(new).map(|Missed { what, why }| (seq, format!("entry {seq}, {what}: {why}")));
        self.told.left_out.extend(lines);
    }
}
