//! `rulekeeper verify`: journals, replayed and compared with their snapshots.

use std::io::Write;

use super::{Error, Setup};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Verify {}

impl Verify {
    /// Does it, and writes the answer to `out`.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn run(self, _setup: &Setup, _out: &mut (dyn Write + Send)) -> Result<(), Error> {
        Err(Error::Failed("Verifying is no part of this build yet.".to_owned()))
    }
}
