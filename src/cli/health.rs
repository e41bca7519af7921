//! `rulekeeper health`: whether the process that serves is well, asked from outside it, as a container's engine does.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use super::{error::Error, setup::Setup};

/// How long an answer may take. What watches asks again soon, and a page that takes longer is no sign of health.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Health {}

impl Health {
    /// Asks the web pages of the settings, and says on `out` what they are.
    ///
    /// # Errors
    /// [`Error::Input`] where the settings have no web pages; [`Error::Failed`] where nothing answers, or the process
    /// that does cannot read its rooms or is about to stop.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let listen = setup.config()?.web.listen;
        let listen =
            listen.ok_or_else(|| Error::Input("RULEKEEPER_WEB is off: there is no page to ask.".to_owned()))?;
        let address = from_here(listen);
        let nobody = |why: reqwest::Error| {
            // Its own sentence names the address, which this one does.
            let why = why.without_url();
            Error::Failed(format!("Nothing answers at {address}: {why}."))
        };
        // A proxy and certificates are for what lies outside.
        let client = reqwest::Client::builder().no_proxy().tls_built_in_root_certs(false).timeout(ANSWER_MAX);
        let client = client.build().map_err(nobody)?;
        let answer = client.get(format!("http://{address}/readyz")).send().await.map_err(nobody)?;
        if !answer.status().is_success() {
            return Err(Error::Failed(format!("What serves at {address} is not ready: {}.", answer.status())));
        }
        Ok(writeln!(out, "What serves at {address} is well.")?)
    }
}

/// Where what listens at an address is reached on this machine.
fn from_here(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_listens_everywhere_is_asked_on_this_machine() {
        for (listen, asked) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("192.0.2.7:80", "192.0.2.7:80")]
        {
            assert_eq!(from_here(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
