//! Faults: something broke inside the program.
//!
//! A player sees an apology with an id; an operator finds the cause in the log under the same id. What passes, a locked
//! database or a full disk, players read as it is. Refusals are part of the game and no faults.

use store::StoreError;

/// Something that broke, with its cause for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct Fault {
    cause: String,
    /// Whether it passes, and its cause can be told to anybody.
    pub(super) passes: bool,
}

impl Fault {
    /// A fault with its cause in words for the operator.
    pub fn new(cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), passes: false }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let passes = matches!(error, StoreError::Locked { .. } | StoreError::Full);
        Self { cause: error.to_string(), passes }
    }
}
