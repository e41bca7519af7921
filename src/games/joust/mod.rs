//! The Brainfuck Joust (seed 000).

pub mod figures;
