//! What an operator relies on: settings that are refused alike, secrets that stay where they are, processes that know of
//! each other.

mod versions;
mod works;
