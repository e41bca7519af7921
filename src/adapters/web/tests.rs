//! The pages of a real room, asked for in process.
