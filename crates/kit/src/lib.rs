//! What several games do alike: documents with numbers, votes, seats, effects of proposals, the rules of a new room.
//!
//! Pure like the kernel that it stands on: plain values in, changes out.

pub mod args;
pub mod ballot;
pub mod docket;
pub mod effects;
pub mod figures;
pub mod law;
pub mod seats;

use serde::{Deserialize, Deserializer};

/// Reads one value or a list of them: a vote is on one proposal or on several.
///
/// # Errors
///
/// Where it is neither.
pub fn one_or_several<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Held<T> {
        None,
        One(T),
        Several(Vec<T>),
    }
    Ok(match Held::deserialize(from)? {
        Held::None => Vec::new(),
        Held::One(one) => vec![one],
        Held::Several(several) => several,
    })
}
