//! The commands that work offline, on files, without a room, a database or a network.
//!
//! Each is a set of clap arguments with a `run` that writes to what it is given, so that a test reads what a person
//! would. Absent from here: the way from `main` to the service, and anything that a person says to the bot.

pub mod joust;

use std::process::ExitCode;

/// Why a command did not do what it was asked to. Its `Display` is a sentence for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something is wrong with what was handed in: a file or an argument.
    #[error("{0}")]
    Input(String),
    /// The answer could not be written.
    #[error("The answer cannot be written: {0}.")]
    Output(#[from] std::io::Error),
}

impl Error {
    /// What the process ends with: 2 for bad input, as for a bad argument, and 1 for everything else.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_status())
    }

    fn exit_status(&self) -> u8 {
        match self {
            Error::Input(_) => 2,
            Error::Output(_) => 1,
        }
    }
}
