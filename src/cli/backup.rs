//! `rulekeeper backup`: a copy of the database, taken while it is in use or not.

use std::{io::Write, path::PathBuf};

use super::{Error, Setup, open};

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
    /// [`Error::Input`] where there is no database to copy, [`Error::Database`] where it or the copy fails.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let config = setup.config()?;
        let path = config.database.strip_prefix("sqlite:").unwrap_or(&config.database);
        if !std::path::Path::new(path.trim_start_matches("//")).is_file() {
            return Err(Error::Input(format!("There is no database {path} to copy.")));
        }
        let store = open(&config).await?;
        let wrong = |error| Error::Database { path: config.database.clone(), error };
        store.backup(&self.to).await.map_err(wrong)?;
        store.close().await.map_err(wrong)?;
        writeln!(
            out,
            "{} is a copy of {path}. It holds secret programs: keep it as you keep the database.",
            self.to.display()
        )?;
        Ok(())
    }
}
