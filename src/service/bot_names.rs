//! What the bot is called, on every network that it is on: nobody takes a seat under such a name.
//!
//! A seat called as the bot is could speak for it: its votes, payments and promises would read as the bot's own. Only
//! adapters know the bot's names, and they tell them. Names of seats are kept by the rooms.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use kernel::names;
use kernel::{Refusal, engine::View};

/// What the bot is called everywhere.
const ALWAYS: [&str; 2] = ["Rulekeeper", "the bot"];

/// Most names that one network tells.
const NAMES_MAX_COUNT: usize = 16;

/// What the bot is called, by network.
#[derive(Debug, Default)]
pub(super) struct Called {
    names: RwLock<BTreeMap<String, Vec<String>>>,
}

impl Called {
    /// A network calls the bot so, and no longer as it was told before.
    pub(super) fn tell(&self, service: &str, mut names: Vec<String>) {
        names.truncate(NAMES_MAX_COUNT);
        self.names.write().unwrap_or_else(PoisonError::into_inner).insert(service.to_owned(), names);
    }

    /// Whether a name is, or looks like, one of the bot's.
    pub(super) fn is_own(&self, name: &str) -> bool {
        let told = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let told = told.values().flatten().map(String::as_str);
        ALWAYS.into_iter().chain(told).any(|own| names::impersonates(name, own))
    }

    /// Refuses what seats somebody, or calls a seat, by a name that is not theirs to take. Seats that were called so
    /// before stay as they are.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that says whose name it is, with `line` as the command to try again.
    pub(super) fn check(&self, before: &dyn View, after: &dyn View, line: &str) -> Result<(), Refusal> {
        let (before, after) = (&before.frame().seats, &after.frame().seats);
        if before.ptr_eq(after) {
            return Ok(());
        }
        for (id, seat) in after {
            if before.get(id).is_some_and(|was| was.name == seat.name) {
                continue;
            }
            let name = &seat.name;
            let others = after.iter().filter(|(other, _)| *other != id);
            let why = match others.map(|(_, seat)| &seat.name).find(|other| names::mistakable(name, other)) {
                Some(other) => format!("“{name}” is, or looks like, the name of {other}"),
                None if self.is_own(name) => format!("“{name}” is, or looks like, a name of the bot itself"),
                None => continue,
            };
            return Err(Refusal::new(why).instead(format!("{line} NAME")));
        }
        Ok(())
    }
}
