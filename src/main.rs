//! The program: what `rulekeeper` does when somebody types it. Everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything speaks TLS: should a crate ever bring a second provider, the first handshake would panic without a
    // choice. A second choice, which nothing here makes, would be the only error.
    let _ = rustls::crypto::ring::default_provider().install_default();
    rulekeeper::cli::main()
}
