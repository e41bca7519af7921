//! The Brainfuck Joust (seed 000).

pub mod figures;
pub mod house;

/// Largest program that is taken, in bytes of its text, comments included. The rules set no limit (J54); this one is
/// the product's, so that no program is a burden to the room's store or to a connection.
pub const PROGRAM_MAX_BYTES: usize = 1024 * 1024;
