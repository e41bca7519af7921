//! Why a verb did not do what it was asked to, and what the process ends with then.
//!
//! Each is a sentence for the person at the terminal, and names what it is about once.

use std::{io, process::ExitCode};

use crate::config::ConfigError;
use crate::service::Fault;
use store::StoreError;

/// Why a command did not do what it was asked to. Its `Display` is a sentence for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something is wrong with what was handed in: a file or an argument.
    #[error("{0}")]
    Input(String),
    /// Settings cannot be used.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The database cannot be used.
    #[error("{}", of_database(.path, .error))]
    Database {
        /// What it was called.
        path: String,
        /// What is wrong.
        error: StoreError,
    },
    /// Something broke, or was found broken.
    #[error("{0}")]
    Failed(String),
    /// The answer could not be written.
    #[error("The answer cannot be written: {0}.")]
    Output(#[from] io::Error),
}

/// What is wrong with a database, with its name where the store's own sentence lacks it.
fn of_database(path: &str, error: &StoreError) -> String {
    match error {
        StoreError::Other(source) => format!("The database {path} cannot be used: {source}."),
        error if error.to_string().contains(path) => error.to_string(),
        error => format!("{error} ({path})"),
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault.to_string())
    }
}

impl Error {
    /// What the process ends with: 2 for bad input, as for a bad argument, and 1 for everything else.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_status())
    }

    pub(super) fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Config(_) => 2,
            Self::Database { .. } | Self::Failed(_) | Self::Output(_) => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_cannot_be_used_is_named_once() {
        let of = |error| Error::Database { path: "a.db".to_owned(), error };
        for error in [of(StoreError::Foreign { path: "a.db".to_owned() }), of(StoreError::Full)] {
            assert_eq!(error.to_string().matches("a.db").count(), 1, "{error}");
            assert_eq!(error.exit_status(), 1);
        }
        assert_eq!(Error::Input(String::new()).exit_status(), 2);
    }
}
