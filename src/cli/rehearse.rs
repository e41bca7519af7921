//! `rulekeeper rehearse`: transcripts, played in memory.

use std::io::Write;

use super::{Error, Setup};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Rehearse {}

impl Rehearse {
    /// Does it, and writes the answer to `out`.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn run(self, _setup: &Setup, _out: &mut (dyn Write + Send)) -> Result<(), Error> {
        Err(Error::Failed("Rehearsals are no part of this build yet.".to_owned()))
    }
}
