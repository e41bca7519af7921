//! `rulekeeper backup`: a copy of the database, taken while it is in use or not.

use std::{io::Write, path::PathBuf};

use super::{archives, error::Error, setup::Setup};
use store::StoreError;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// The file to write, which must not exist yet
    to: PathBuf,
}

impl Backup {
    /// Writes the copy, and says so on `out`.
    ///
    /// # Errors
    /// [`Error::Input`] where there is no database to copy or the file exists, [`Error::Database`] where it or the copy fails.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let database = archives::Database::existing(setup).await?;
        archives::writable_beside(&self.to)?;
        database.store.backup(&self.to).await.map_err(|error| match error {
            StoreError::Exists { .. } => Error::Input(error.to_string()),
            error => database.broke(error),
        })?;
        database.close().await?;
        let path = &database.path;
        writeln!(
            out,
            "{} is a copy of {path}. It holds secret programs: keep it as you keep the database.",
            self.to.display()
        )?;
        Ok(())
    }
}
