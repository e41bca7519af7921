//! The games, one folder each, with a file for every mechanic.
//!
//! Like the kernel that they stand on, games are pure: no file in here can learn the time, draw a number of its own or
//! reach the outside.

pub mod blognomic;
pub mod bnomic;
mod effects;
pub mod joust;
mod law;
mod seats;
pub mod spacenomic;

use serde::{Deserialize, Deserializer};

use crate::kernel::engine::{Engine, Table};

/// Reads one value or a list of them: a vote is on one proposal or on several.
fn one_or_several<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
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

/// The words for the games that this program knows.
pub const NAMES: &[&str] = &["joust", "blognomic", "bnomic", "spacenomic"];

/// The engine of a game in its unopened state.
pub fn table(game: &str) -> Option<Box<dyn Table>> {
    match game {
        "blognomic" => Some(Box::new(Engine::<blognomic::BlogNomic>::default())),
        "bnomic" => Some(Box::new(Engine::<bnomic::BNomic>::default())),
        "joust" => Some(Box::new(Engine::<joust::Joust>::default())),
        "spacenomic" => Some(Box::new(Engine::<spacenomic::Spacenomic>::default())),
        _ => None,
    }
}
