//! Tests of the engine through its public face.

#[path = "../support/bytes.rs"]
mod bytes;
mod clauses;
#[path = "../support/corpus.rs"]
mod corpus;
mod differential;
mod hills;
mod hostile;
mod naive;
mod notation;
mod properties;
mod scores;
#[cfg(feature = "cli")]
mod terminal;
mod texts;
mod warriors;
mod watching;
