//! `rulekeeper worker`: the long works of all rooms, for processes that serve and leave them to it.

use super::{error::Error, program, setup::Setup};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Worker {}

impl Worker {
    /// Plays until a signal comes.
    ///
    /// # Errors
    /// As [`program::run`].
    pub async fn run(self, setup: &Setup) -> Result<(), Error> {
        program::run(&setup.config()?, program::Parts { worker: true, ..program::Parts::default() }).await
    }
}
