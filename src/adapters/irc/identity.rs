//! Who somebody is.

/// Whom a text is for, by what can be proved of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Who {
    /// The account at this network that speaks: a services account in lower case, or an identity of a connection.
    Account(String),
    /// Somebody without one, by folded `nick!user@host`.
    Guest(String),
}
