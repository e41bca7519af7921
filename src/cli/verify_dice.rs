//! `rulekeeper verify-dice`: the draws of a room, or of an exported file, against the seeds that were revealed.

use std::{io::Write, path::PathBuf};

use super::{archives, error::Error, setup::Setup};
use crate::service::archive;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct VerifyDice {
    /// The room, or the file that it was exported to
    room_or_file: String,
}

impl VerifyDice {
    /// Computes every draw again, and says on `out` what was drawn from which seed.
    ///
    /// # Errors
    /// [`Error::Failed`] where a draw or a seed is not as promised; [`Error::Input`] where there is no such room or
    /// file; [`Error::Database`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let path = PathBuf::from(&self.room_or_file);
        let report = if path.is_file() {
            let broken = |error| archives::unusable(&path, error);
            archive::dice_of_archive(archives::reader(&path).map_err(|error| broken(error.into()))?).map_err(broken)?
        } else {
            let database = archives::Database::existing(setup).await?;
            let room = database.room(&self.room_or_file).await?;
            let report = archive::dice_of_room(&database.store, &room).await.map_err(|error| database.wrong(error))?;
            database.close().await?;
            report
        };
        write!(out, "{report}")?;
        match report.wrong.len() {
            0 => Ok(writeln!(out, "Every draw from a revealed seed is as the recipe gives it.")?),
            _ => Err(Error::Failed("Not every draw is as the recipe gives it.".to_owned())),
        }
    }
}
