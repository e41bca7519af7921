//! Dice that a rehearsal fixes in advance.
//!
//! A number that was fixed must be drawn as it was fixed. One that is too large for its dice, or that nobody draws, is
//! a mistake in the rehearsal and is told.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value as Json;

use super::super::{judge::Wrong, script::DiceLine};

/// How many numbers ahead dice are told that show the same again and again: more than one act draws of a kind.
const AHEAD_MAX_DRAWS: usize = 2000;

/// What the dice of a room will show.
#[derive(Debug, Default)]
pub(super) struct Fixed {
    /// Once, in this order.
    once: VecDeque<(String, u64)>,
    /// Afterwards, again and again.
    always: BTreeMap<String, VecDeque<u64>>,
}

impl Fixed {
    /// Fixes numbers.
    pub(super) fn fix(&mut self, line: &DiceLine) {
        if line.always {
            self.always.insert(line.label.clone(), line.numbers.iter().copied().collect());
        } else {
            self.once.extend(line.numbers.iter().map(|number| (line.label.clone(), *number)));
        }
    }

    /// Whether nothing was ever fixed.
    pub(super) fn is_unused(&self) -> bool {
        self.once.is_empty() && self.always.is_empty()
    }

    /// What the dice are to show next, by label.
    pub(super) fn ahead(&self) -> Vec<(String, u64)> {
        let once = self.once.iter().cloned();
        let again = self.always.iter().flat_map(|(label, numbers)| {
            numbers.iter().cycle().take(AHEAD_MAX_DRAWS).map(move |number| (label.clone(), *number))
        });
        once.chain(again).collect()
    }

    /// Takes note of what an entry drew.
    pub(super) fn drawn(&mut self, entry: &str) -> Vec<Wrong> {
        let entry: Json = serde_json::from_str(entry).unwrap_or_default();
        let draws = entry.get("draws").and_then(Json::as_array).cloned().unwrap_or_default();
        let mut wrong = Vec::new();
        for draw in draws.iter().filter(|draw| draw["fixed"] == true) {
            let (label, got) = (draw["label"].as_str().unwrap_or_default(), draw["got"].as_u64());
            let Some(wanted) = self.take(label) else { continue };
            if got != Some(wanted) {
                let instead = format!("they show {} at most, counted from 0", draw["bound"]);
                wrong.push((format!("the dice for {label} to show {wanted}, counted from 0"), instead));
            }
        }
        wrong
    }

    fn take(&mut self, label: &str) -> Option<u64> {
        if let Some(index) = self.once.iter().position(|(of, _)| of == label) {
            return self.once.remove(index).map(|(_, number)| number);
        }
        let again = self.always.get_mut(label)?;
        again.rotate_left(1.min(again.len()));
        again.back().copied()
    }

    /// What was fixed once and never drawn.
    pub(super) fn left(&self, room: &str) -> Option<String> {
        let (label, number) = self.once.front()?;
        let count = self.once.len();
        Some(format!("{count} are left in {room}, first {label} {number} (counted from 0)"))
    }
}
