//! What an operator may set for the web.

use std::net::{Ipv4Addr, SocketAddr};

/// The variable with the address of the pages; `off` for none.
pub const LISTEN_VARIABLE: &str = "RULEKEEPER_WEB";

/// The variable with the address of the metrics; none unless it is set.
pub const METRICS_VARIABLE: &str = "RULEKEEPER_METRICS";

/// The variable with a link to where people play, such as an invitation to a server of Discord.
pub const INVITATION_VARIABLE: &str = "RULEKEEPER_INVITATION";

/// Where pages are served when nothing is said: to this machine only, where a proxy adds what the world needs.
pub const LISTEN_DEFAULT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

/// How many ports are tried, one behind the other, before one is taken that the system chooses: near ones are found again.
const NEAR_MAX_COUNT: u16 = 10;

/// Settings of the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebConfig {
    /// Where pages are served, if they are.
    pub listen: Option<SocketAddr>,
    /// Where metrics are served, if they are.
    pub metrics: Option<SocketAddr>,
    /// The base of links, without a slash at its end; without one links name the address that is listened on.
    pub public_url: Option<String>,
    /// Where pages invite people to play.
    pub invitation: Option<String>,
    /// Whether somebody asked for the address of the pages. One that nobody asked for gives way where it is taken.
    pub asked_for: bool,
}

impl Default for WebConfig {
    fn default() -> Self {
        Self { listen: Some(LISTEN_DEFAULT), metrics: None, public_url: None, invitation: None, asked_for: false }
    }
}

impl WebConfig {
    /// Gathers the settings from variables.
    ///
    /// # Errors
    ///
    /// A sentence that names the variable.
    pub fn gather(environment: &dyn Fn(&str) -> Option<String>, public_url: Option<String>) -> Result<Self, String> {
        let address = |name: &str, default| match environment(name) {
            None => Ok(default),
            Some(text) if text.trim().eq_ignore_ascii_case("off") => Ok(None),
            Some(text) => text
                .trim()
                .parse()
                .map(Some)
                .map_err(|_| format!("{name}: it is an address and a port, like {LISTEN_DEFAULT}, or “off”.")),
        };
        let listen = address(LISTEN_VARIABLE, Some(LISTEN_DEFAULT))?;
        let metrics = address(METRICS_VARIABLE, None)?;
        let invitation = environment(INVITATION_VARIABLE).map(|text| text.trim().to_owned());
        let is_link = |text: &String| url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if invitation.as_ref().is_some_and(|text| !is_link(text)) {
            return Err(format!("{INVITATION_VARIABLE}: it is a link, like https://discord.gg/abc."));
        }
        Ok(Self { listen, metrics, public_url, invitation, asked_for: environment(LISTEN_VARIABLE).is_some() })
    }

    /// The base of links that leave the page, without a slash at its end.
    pub(super) fn absolute(&self, address: Option<SocketAddr>) -> String {
        match (&self.public_url, address.or(self.listen)) {
            (Some(url), _) => url.trim_end_matches('/').to_owned(),
            (None, Some(address)) => format!("http://{address}"),
            (None, None) => String::new(),
        }
    }

    /// The addresses of the pages to try, in this order: where nobody asked for one, the next ports, and then any.
    pub(super) fn candidates(&self) -> Vec<SocketAddr> {
        let Some(first) = self.listen else { return Vec::new() };
        if self.asked_for {
            return vec![first];
        }
        let near = (1..NEAR_MAX_COUNT).filter_map(|more| first.port().checked_add(more));
        let ports = std::iter::once(first.port()).chain(near).chain([0]);
        ports.map(|port| SocketAddr::new(first.ip(), port)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_web_listens_on_this_machine_unless_somebody_says_otherwise() {
        let none = |_: &str| None;
        assert_eq!(WebConfig::gather(&none, None).unwrap(), WebConfig::default());
        let set = |name: &str| match name {
            LISTEN_VARIABLE => Some("off".to_owned()),
            INVITATION_VARIABLE => Some("https://discord.gg/abc".to_owned()),
            _ => Some("[::1]:9090".to_owned()),
        };
        let config = WebConfig::gather(&set, Some("https://nomic.example/x".to_owned())).unwrap();
        assert_eq!((config.listen, config.metrics), (None, "[::1]:9090".parse().ok()));
        assert_eq!(config.invitation.as_deref(), Some("https://discord.gg/abc"));
        let error = WebConfig::gather(
            &|name: &str| (name == INVITATION_VARIABLE).then(|| "javascript:alert(1)".to_owned()),
            None,
        );
        assert!(error.unwrap_err().contains(INVITATION_VARIABLE));
        assert_eq!(config.absolute(None), "https://nomic.example/x");
        assert!(config.candidates().is_empty());
        let ports: Vec<u16> = WebConfig::default().candidates().iter().map(SocketAddr::port).collect();
        assert_eq!(ports, [8080, 8081, 8082, 8083, 8084, 8085, 8086, 8087, 8088, 8089, 0]);
        let asked = |name: &str| (name == LISTEN_VARIABLE).then(|| "127.0.0.1:8080".to_owned());
        assert_eq!(WebConfig::gather(&asked, None).unwrap().candidates(), [LISTEN_DEFAULT]);
        let error = WebConfig::gather(&|_: &str| Some("8080".to_owned()), None).unwrap_err();
        assert!(error.contains(LISTEN_VARIABLE) && error.contains("127.0.0.1:8080"), "{error}");
    }
}
