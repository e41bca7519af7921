//! The last of something of each person, such as a refusal for `/why`: kept in memory only, and only for the latest people.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use port::Account;

/// The last one of each of so many people, the oldest first.
#[derive(Debug)]
pub(super) struct Latest<T, const MAX_PEOPLE: usize> {
    held: Mutex<VecDeque<(Account, T)>>,
}

impl<T, const MAX_PEOPLE: usize> Default for Latest<T, MAX_PEOPLE> {
    fn default() -> Self {
        Self { held: Mutex::default() }
    }
}

impl<T: Clone, const MAX_PEOPLE: usize> Latest<T, MAX_PEOPLE> {
    /// Keeps one in the place of the person's earlier one.
    pub(super) fn keep(&self, account: &Account, one: &T) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(of, _)| of != account);
        if held.len() >= MAX_PEOPLE {
            held.pop_front();
        }
        held.push_back((account.clone(), one.clone()));
    }

    /// Drops all of them: somebody whom they name asked to be forgotten.
    pub(super) fn clear(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The last one of a person.
    pub(super) fn last(&self, account: &Account) -> Option<T> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().find(|(of, _)| of == account).map(|(_, one)| one.clone())
    }
}
