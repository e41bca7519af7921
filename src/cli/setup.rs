//! What every verb can be told: where the settings and the database are.
//!
//! Flags come before variables of the environment, and these before the configuration file.

use std::path::PathBuf;

use super::error::Error;
use crate::config::{Config, Flags, environment};
use store::{Address, Options, Store};

/// What every verb can be told.
#[derive(Clone, Debug, clap::Args)]
pub struct Setup {
    /// The database: a path, or sqlite:PATH
    #[arg(long, global = true, value_name = "PATH", help = help::DATABASE)]
    pub(super) database: Option<Address>,
    /// The configuration file
    #[arg(long, global = true, value_name = "FILE", help = help::CONFIG)]
    pub(super) config: Option<PathBuf>,
}

/// Help that names variables, which a documentation comment would take for code.
mod help {
    pub(super) const DATABASE: &str =
        "The database: a path, or sqlite:PATH [env: RULEKEEPER_DATABASE, DATABASE_URL] [default: rulekeeper.db]";
    pub(super) const CONFIG: &str =
        "The configuration file [env: RULEKEEPER_CONFIG] [default: rulekeeper.toml, where there is one]";
}

impl Setup {
    /// The settings, from flags, environment and file.
    ///
    /// # Errors
    /// [`Error::Config`].
    pub fn config(&self) -> Result<Config, Error> {
        Ok(Config::gather(&self.flags(), &environment)?)
    }

    pub(super) fn flags(&self) -> Flags {
        Flags { database: self.database.clone(), config: self.config.clone() }
    }
}

/// Opens the database of a configuration.
///
/// # Errors
/// [`Error::Database`].
pub async fn open(config: &Config) -> Result<Store, Error> {
    let wrong = |error| Error::Database { path: config.database.to_string(), error };
    Store::open(config.database.expose(), Options::default()).await.map_err(wrong)
}
