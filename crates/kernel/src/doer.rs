//! Who acts in a room.

use super::Id;

/// A person who acts, and what is known of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doer {
    /// The person's opaque id.
    pub person: Id,
    /// The name that a seat made now would get.
    pub name: String,
}
