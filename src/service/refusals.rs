//! The last refusal of each person, for `/why`: kept in memory only, and only for the latest people.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use kernel::Refusal;
use port::Account;

/// How many people's last refusals are kept.
const KEPT_MAX_PEOPLE: usize = 500;

/// Last refusals, the oldest first.
#[derive(Default)]
pub(super) struct Refusals {
    held: Mutex<VecDeque<(Account, Refusal)>>,
}

impl Refusals {
    /// Keeps a refusal in the place of the person's earlier one.
    pub(super) fn keep(&self, account: &Account, refusal: &Refusal) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(of, _)| of != account);
        if held.len() >= KEPT_MAX_PEOPLE {
            held.pop_front();
        }
        held.push_back((account.clone(), refusal.clone()));
    }

    /// Drops all of them: somebody whom they name asked to be forgotten.
    pub(super) fn clear(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The last one of a person.
    pub(super) fn last(&self, account: &Account) -> Option<Refusal> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().find(|(of, _)| of == account).map(|(_, refusal)| refusal.clone())
    }
}
