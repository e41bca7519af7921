//! `rulekeeper restore`: a backup, brought back where no database is yet.

use std::{io::Write, path::PathBuf};

use super::{
    error::Error,
    setup::Setup,
    verify::{Checked, whole},
};
use store::{Address, Store, StoreError};

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
        let from = Address::shown(&self.backup);
        let to = database.file().ok_or_else(|| Error::Input(format!("{database} is no file to restore to.")))?;
        let broke = |error| match error {
            StoreError::Exists { .. } => Error::Input(format!(
                "{database} exists already and was left as it is. Stop the program and move it away first, with \
                 the files beside it whose names begin alike (-wal, -shm)."
            )),
            error @ (StoreError::Foreign { .. } | StoreError::OtherSchema { .. }) => Error::Input(error.to_string()),
            error => Error::Database { path: from.clone(), error },
        };
        if to.exists() {
            return Err(broke(StoreError::Exists { path: database.to_string() }));
        }
        if check(&Store::look(&self.backup).await.map_err(broke)?, &from, out).await? > 0 {
            return Err(Error::Failed(format!(
                "{from} is damaged, and nothing was restored: take an older backup. Where there is none, copy the file \
                 by hand."
            )));
        }
        Store::restore(&self.backup, to).await.map_err(broke)?;
        writeln!(out, "{database} is a copy of {from}. What happened after the backup was made is not in it.")?;
        Ok(())
    }
}

/// Checks a backup as `verify` does a database, and closes it; how many things do not agree.
pub(super) async fn check(store: &Store, name: &str, out: &mut (dyn Write + Send)) -> Result<usize, Error> {
    let broke = |error| Error::Database { path: name.to_owned(), error };
    let rooms = store.rooms().await.map_err(broke)?;
    let mut checked = Checked::default();
    whole(store, &rooms, name, &mut checked, out).await?;
    store.close().await.map_err(broke)?;
    Ok(checked.found)
}
