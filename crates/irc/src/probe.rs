//! Whether a network can be reached as it is set: its name, its port, its certificate. Nobody signs in.

use super::config::IrcNetwork;
use super::dial::{Dial as _, Tcp, tls};

/// Connects to a network, with its certificate checked where there is one, and leaves without a word.
///
/// # Errors
/// Why it cannot be reached, for the operator.
pub async fn reach(network: &IrcNetwork) -> Result<String, String> {
    // First, so that it is told too where the network is away.
    if let (true, Some(file)) = (network.tls, &network.ca_file) {
        tls(network).map_err(|why| format!("ca_file {}: {why}", file.display()))?;
    }
    drop(Tcp.dial(network).await.map_err(|why| why.to_string())?);
    Ok(match (network.tls, network.accept_invalid_cert) {
        (true, false) => "it answers, and its certificate is good",
        (true, true) => "it answers; its certificate was not looked at, as is set",
        (false, _) => "it answers, and everything goes unencrypted, as is set",
    }
    .to_owned())
}
