//! The one integration-test binary: one link instead of a dozen, which is most of the time that tests take to build.
//!
//! Tests that need a real server say so with [`needs_servers!`](harness); without it they are left out and named.

mod harness;
mod servers;

mod smoke;
mod tidy;
