//! The games that this program knows. A game is a crate; a line here makes rooms of it.

use kernel::engine::{Engine, Table};

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
