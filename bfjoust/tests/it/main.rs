//! Tests of the engine through its public face.

mod clauses;
mod hostile;
mod naive;
mod properties;
mod scores;
mod texts;
