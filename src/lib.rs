//! Rulekeeper runs nomics, games whose rules the players change, in Discord servers and IRC channels.
//!
//! `docs/architecture.md` holds the map and the invariants.

pub mod cli;
pub mod config;
pub mod games;
pub mod logging;
pub mod packed;
pub mod rehearsal;
pub mod service;
