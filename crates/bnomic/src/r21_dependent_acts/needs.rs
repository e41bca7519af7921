//! What an act needs of others (4E21, 4E22): each mechanic says it of its own.
//!
//! It knows no act.

/// What an act needs of others, as the rules read now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Fewer Players than this may object.
    pub(crate) without: Option<u64>,
    /// So many Players must support it.
    pub(crate) with: Option<u64>,
    /// ndays to wait, where a rule gives a time of its own (B21.4).
    pub(crate) wait: Option<u64>,
    /// rdays in which others object and support, where a rule gives those; then it waits for them (B50.5).
    pub(crate) rdays: Option<u64>,
}
