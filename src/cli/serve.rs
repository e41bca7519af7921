//! `rulekeeper serve`: the configured networks and what is due, until a signal ends it.

use super::{error::Error, program, setup::Setup};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Serve {}

impl Serve {
    /// Serves until a signal comes.
    ///
    /// # Errors
    /// As [`program::run`].
    pub async fn run(self, setup: &Setup) -> Result<(), Error> {
        program::run(&setup.config()?, program::Parts { networks: true, ..program::Parts::default() }).await
    }
}
