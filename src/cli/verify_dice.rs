//! `rulekeeper verify-dice`: the draws of a room, checked against its seeds.

use std::io::Write;

use super::{Error, Setup};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct VerifyDice {}

impl VerifyDice {
    /// Does it, and writes the answer to `out`.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn run(self, _setup: &Setup, _out: &mut (dyn Write + Send)) -> Result<(), Error> {
        Err(Error::Failed("Checking dice is no part of this build yet.".to_owned()))
    }
}
