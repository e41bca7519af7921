//! The games, one folder each, with a file for every mechanic.
//!
//! Like the kernel that they stand on, games are pure: no file in here can learn the time, draw a number of its own or
//! reach the outside.

pub mod joust;
