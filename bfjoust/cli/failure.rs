//! Why something was not done.

use std::fmt;
use std::io;

/// Why something was not done. Its `Display` is a sentence for whoever sits at the terminal.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong with what was handed in.
    Input(String),
    /// The answer cannot be written.
    Output(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(why) => f.write_str(why),
            Failure::Output(error) => write!(f, "The answer cannot be written: {error}."),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::Output(error.into())
    }
}
