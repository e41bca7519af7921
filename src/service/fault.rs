//! Faults: something broke inside the program.
//!
//! A player sees an apology with an id; an operator finds the cause in the log under the same id. Refusals are part of
//! the game and no faults.

use store::StoreError;

/// Something that broke, with its cause for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct Fault {
    cause: String,
}

impl Fault {
    /// A fault with its cause in words for the operator.
    pub fn new(cause: impl Into<String>) -> Self {
        Self { cause: cause.into() }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::new(error.to_string())
    }
}
