//! What people were shown of their inboxes, until the answer that shows it has been handed over.
//!
//! It lies in memory: what is not handed over is shown again.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use port::Account;

/// Most answers that were shown and are not handed over yet.
const SHOWN_MAX_COUNT: usize = 1000;

/// What people were shown of their inboxes, by the line that asked for it.
#[derive(Default)]
pub(super) struct Shown {
    held: Mutex<VecDeque<Answered>>,
}

/// What an answer showed.
pub(super) struct Answered {
    pub(super) origin: String,
    pub(super) accounts: Vec<Account>,
    pub(super) ids: Vec<i64>,
}

impl Shown {
    /// Keeps what was shown in answer to a line.
    pub(super) fn keep(&self, origin: &str, accounts: Vec<Account>, ids: Vec<i64>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= SHOWN_MAX_COUNT {
            held.pop_front();
        }
        held.push_back(Answered { origin: origin.to_owned(), accounts, ids });
    }

    /// What was shown in answer to a line.
    pub(super) fn take(&self, origin: &str) -> Vec<Answered> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (taken, left): (Vec<_>, Vec<_>) = held.drain(..).partition(|answered| answered.origin == origin);
        held.extend(left);
        taken
    }
}
