//! The program: what `rulekeeper` does when somebody types it. Everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything speaks TLS: two crates bring a provider each, and without a choice the first handshake panics.
    // A second choice, which nothing here makes, would be the only error.
    let _ = rustls::crypto::ring::default_provider().install_default();
    rulekeeper::cli::main()
}
