//! What an operator may set for the service as a whole.

use std::{collections::BTreeMap, sync::Arc};

use jiff::SignedDuration;

pub use super::arena::Outcomes;
use super::fetch::Fetcher;
use port::Account;

/// Settings of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Accounts that moderate every room.
    pub moderators: Vec<Account>,
    /// The networks that the program serves, so that a slip in the name of one is noticed; empty where nobody says.
    pub services: Vec<String>,
    /// What stands before a command on a network, by its name, `irc:libera`; by that of a channel, `irc:libera/#nomic`,
    /// where it is another one there. Nothing does on a network where commands have options.
    pub prefixes: BTreeMap<String, Option<String>>,
    /// How many long works are played at once; 0 leaves them to other processes on the database.
    pub arena_threads: usize,
    /// Whether this process only plays long works, and leaves what falls due to others.
    pub is_worker: bool,
    /// The base of links to the web pages, without a slash at its end; none where no web is served.
    pub public_url: Option<String>,
    /// How far the clock may jump ahead before an operator is asked whether it is right; without it nobody is asked.
    pub clock_jump: Option<SignedDuration>,
    /// Outcomes of long work that are kept in memory; rehearsals that are played together share them.
    pub outcomes: Outcomes,
    /// What asks for the texts that links lead to; shared, since it bounds how many are asked for at once.
    pub fetcher: Arc<Fetcher>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            moderators: Vec::new(),
            services: Vec::new(),
            prefixes: BTreeMap::new(),
            arena_threads: 1,
            is_worker: false,
            public_url: None,
            clock_jump: None,
            outcomes: Outcomes::default(),
            fetcher: Arc::default(),
        }
    }
}
