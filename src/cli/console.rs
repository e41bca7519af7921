//! `rulekeeper console`: the terminal, or a pipe, and no network.

use super::{Error, Setup, program};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Console {}

impl Console {
    /// Runs the console until its input ends, `quit` is typed or a signal comes.
    ///
    /// # Errors
    /// As [`program::run`].
    pub async fn run(self, setup: &Setup) -> Result<(), Error> {
        program::run(&setup.config()?, program::Parts { networks: false, console: true }).await
    }
}
