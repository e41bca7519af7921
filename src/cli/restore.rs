//! `rulekeeper restore`: a backup, brought back where no database is yet.

use std::{io::Write, path::PathBuf};

use super::{Error, Setup};
use crate::store::{Store, StoreError};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// The backup
    backup: PathBuf,
}

impl Restore {
    /// Checks the backup and puts a copy of it where the settings say that the database is.
    ///
    /// # Errors
    /// [`Error::Input`] where there is a database already or the backup is of no use; [`Error::Database`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let database = setup.config()?.database;
        let from = self.backup.display();
        let to = database.file().ok_or_else(|| Error::Input(format!("{database} is no file to restore to.")))?;
        match Store::restore(&self.backup, to).await {
            Ok(()) => {}
            Err(StoreError::Exists { .. }) => {
                return Err(Error::Input(format!(
                    "{database} exists already and was left as it is: stop the program and move it away first, with \
                     the files beside it whose names begin alike (-wal, -shm)."
                )));
            }
            Err(error @ (StoreError::Foreign { .. } | StoreError::Newer { .. })) => {
                return Err(Error::Input(error.to_string()));
            }
            Err(error) => return Err(Error::Database { path: from.to_string(), error }),
        }
        writeln!(out, "{database} is a copy of {from}. What happened after the backup was made is not in it.")?;
        Ok(())
    }
}
