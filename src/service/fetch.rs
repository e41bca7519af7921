//! Fetching what a link leads to, for programs and archives that are too long for a line.
//!
//! A link that somebody types makes this machine ask another one. So only https is spoken, and only to the public
//! internet, judged by the connected address and again at every redirect. Size, time, redirects and the number of
//! fetches at once are bounded. A link can be as secret as what it leads to; neither is ever logged or repeated.

mod address;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use reqwest::{
    Client, Response, StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION},
    redirect,
};
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio::sync::{OnceCell, Semaphore};
use url::{Host, Url};

use crate::packed;
use kernel::{Refusal, rulebook::page::WEB_PAGE};
use port::ATTACHMENT_MAX_BYTES;

/// How long a fetch may take from the first byte to the last, redirects included. It is longer than a slow host needs
/// for a megabyte, and no longer than somebody who typed a link waits.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a link may lead to another: what shorteners and hosts of snippets need, and one more.
pub const FETCH_MAX_REDIRECTS: usize = 3;

/// How many fetches run at once; others wait, inside their own time.
pub const FETCHES_MAX_COUNT: usize = 8;

/// Longest link, in bytes: what browsers bear, and less than a line holds.
pub const LINK_MAX_BYTES: usize = 2048;

/// Names under these are nobody's on the internet.
const LOCAL_NAMES: [&str; 6] = ["localhost", "local", "internal", "lan", "home.arpa", "onion"];

/// Fetches texts from the public internet.
pub struct Fetcher {
    hosts: Hosts,
    /// Made for the first fetch: reading the system's certificates takes a while.
    client: OnceCell<Client>,
    seats: Semaphore,
}

/// Where names lead, and whom to believe.
#[derive(Clone)]
enum Hosts {
    /// Where the system's resolver says, if it is public; whom the system's certificates vouch for.
    Public,
    /// The same for all names but these, which lead to a fixed address whatever it is; whom these certificates vouch
    /// for.
    Pinned(Arc<BTreeMap<String, SocketAddr>>, Vec<CertificateDer<'static>>),
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fetcher").finish_non_exhaustive()
    }
}

impl Default for Fetcher {
    fn default() -> Self {
        Self::new(Hosts::Public)
    }
}

impl Fetcher {
    /// A fetcher for which some names lead to fixed addresses, and which believes certain certificates only: tests.
    pub fn pinned(names: BTreeMap<String, SocketAddr>, roots: Vec<CertificateDer<'static>>) -> Self {
        Self::new(Hosts::Pinned(Arc::new(names), roots))
    }

    fn new(hosts: Hosts) -> Self {
        Self { hosts, client: OnceCell::new(), seats: Semaphore::new(FETCHES_MAX_COUNT) }
    }

    /// The text that a link leads to, of at most [`ATTACHMENT_MAX_BYTES`].
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that says what is wrong with the link, the way or the text. It repeats neither link nor address.
    pub async fn fetch(&self, link: &str) -> Result<String, Refusal> {
        let url = read(link)?;
        let fetched = async {
            // The semaphore lives as long as this and is never closed.
            let _seat = self.seats.acquire().await;
            self.follow(url).await
        };
        match tokio::time::timeout(FETCH_TIMEOUT, fetched).await {
            Ok(fetched) => fetched,
            Err(_) => Err(refused(format!(
                "the link was not fetched within {} seconds, so the bot gave up",
                FETCH_TIMEOUT.as_secs()
            ))),
        }
    }

    async fn follow(&self, mut url: Url) -> Result<String, Refusal> {
        let client = self.client.get_or_try_init(|| self.hosts.client()).await?;
        for _ in 0..=FETCH_MAX_REDIRECTS {
            let response = client.get(url.clone()).send().await.map_err(|error| unreachable_host(&error))?;
            match response.status() {
                StatusCode::OK => return body(response).await,
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => {
                    let to = header(&response, LOCATION).and_then(|to| url.join(to).ok());
                    url = to.ok_or_else(|| refused("the link redirects to nowhere"))?;
                    check(&url).map_err(|why| refused(format!("the link redirects, and {}", why.say)))?;
                }
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                    return Err(refused("the link is for those who are logged in; give one that everybody can read"));
                }
                status => {
                    let status = status.as_u16();
                    return Err(refused(format!("the server of that link answers with error {status}")));
                }
            }
        }
        Err(refused(format!("the link redirects more than {FETCH_MAX_REDIRECTS} times")))
    }
}

fn refused(why: impl Into<String>) -> Refusal {
    Refusal::new(why)
}

/// Reads a link as it was typed.
fn read(link: &str) -> Result<Url, Refusal> {
    if link.len() > LINK_MAX_BYTES {
        return Err(refused(format!("the link has {} bytes, and {LINK_MAX_BYTES} is the most", link.len())));
    }
    let url = Url::parse(link.trim()).map_err(|_| refused("that is no link that can be read"))?;
    check(&url)?;
    Ok(url)
}

/// Whether a link may be asked for at all. Where its name leads is judged later, by the address.
fn check(url: &Url) -> Result<(), Refusal> {
    if url.scheme() != "https" {
        return Err(refused("only links that begin with https:// are fetched"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("a link with a user name or a password in it is not fetched"));
    }
    if url.port().is_some() {
        return Err(refused("a link that names a port is not fetched"));
    }
    let outside = match url.host() {
        Some(Host::Ipv4(address)) => address::is_public(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => address::is_public(IpAddr::V6(address)),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let under =
                |local: &str| name.strip_suffix(local).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
            name.contains('.') && !LOCAL_NAMES.iter().any(|local| under(local))
        }
        None => false,
    };
    if outside { Ok(()) } else { Err(inside()) }
}

/// The one sentence for everything that is not on the public internet: it tells nobody what there is inside.
fn inside() -> Refusal {
    refused("the link leads to a host that is not on the public internet")
}

impl Hosts {
    async fn client(&self) -> Result<Client, Refusal> {
        let hosts = self.clone();
        let made = tokio::task::spawn_blocking(move || {
            let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .map_err(|error| error.to_string())?
                .with_root_certificates(hosts.roots())
                .with_no_client_auth();
            Client::builder()
                .use_preconfigured_tls(tls)
                .dns_resolver(Arc::new(hosts))
                .https_only(true)
                .no_proxy()
                .redirect(redirect::Policy::none())
                .referer(false)
                // The next link leads elsewhere.
                .pool_max_idle_per_host(0)
                .user_agent(concat!("rulekeeper/", env!("CARGO_PKG_VERSION")))
                .build()
                .map_err(|error| error.to_string())
        });
        let made = made.await.unwrap_or_else(|error| Err(error.to_string()));
        made.map_err(|error| {
            tracing::error!(%error, "links cannot be fetched");
            refused("the bot cannot fetch links at the moment; its operator finds the cause in the log")
        })
    }

    /// The system's certificates, Mozilla's where the system has none.
    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        match self {
            Self::Pinned(_, trusted) => drop(roots.add_parsable_certificates(trusted.iter().cloned())),
            Self::Public => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                if roots.is_empty() {
                    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
                }
            }
        }
        roots
    }

    async fn addresses(&self, name: &str) -> std::io::Result<Vec<SocketAddr>> {
        if let Self::Pinned(names, _) = self
            && let Some(address) = names.get(name)
        {
            return Ok(vec![*address]);
        }
        // Port 0 stands for the one of the scheme.
        let found: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
        let any = !found.is_empty();
        let public: Vec<SocketAddr> = found.into_iter().filter(|found| address::is_public(found.ip())).collect();
        if any && public.is_empty() { Err(std::io::Error::other(Inside)) } else { Ok(public) }
    }
}

/// What is connected to is what this gives, so a name cannot be judged by one address and lead to another.
impl Resolve for Hosts {
    fn resolve(&self, name: Name) -> Resolving {
        let hosts = self.clone();
        Box::pin(async move {
            let addresses = hosts.addresses(name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// A name leads to addresses none of which is public.
#[derive(Debug, thiserror::Error)]
#[error("the name leads inside")]
struct Inside;

/// Why no answer came, without the address that the driver's own words would hold.
fn unreachable_host(error: &reqwest::Error) -> Refusal {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(why) = cause {
        if why.is::<Inside>() {
            return inside();
        }
        if why.is::<rustls::Error>() {
            return refused("the server of that link cannot prove who it is (its certificate is not valid)");
        }
        // An `io::Error` passes itself off as what it wraps, whose source would be the next.
        cause = match why.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => why.source(),
        };
    }
    refused("the server of that link cannot be reached")
}

fn header(response: &Response, name: HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

async fn body(mut response: Response) -> Result<String, Refusal> {
    let kind = header(&response, CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    if matches!(kind.split(';').next().map(str::trim), Some("text/html" | "application/xhtml+xml")) {
        return Err(refused(format!("the link leads to {WEB_PAGE}")));
    }
    if header(&response, CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
        return Err(refused("the link leads to something packed; only plain text is taken"));
    }
    let too_large = || refused(format!("the link leads to more than {ATTACHMENT_MAX_BYTES} bytes, which is the most"));
    let promised = response.content_length().unwrap_or(0);
    if promised > ATTACHMENT_MAX_BYTES as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| refused("the server of that link broke off"))? {
        if bytes.len() + chunk.len() > ATTACHMENT_MAX_BYTES {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    packed::unpacked(&bytes).unwrap_or_else(|| text(bytes, &kind))
}

/// Reads bytes as text: UTF-8, or Latin-1 where the server says so, in which many old programs are written.
fn text(bytes: Vec<u8>, kind: &str) -> Result<String, Refusal> {
    let latin = ["iso-8859-1", "latin1", "windows-1252"].iter().any(|name| kind.contains(name));
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if latin => error.into_bytes().into_iter().map(char::from).collect(),
        Err(_) => return Err(refused("the link leads to something that is not text in UTF-8")),
    };
    if text.contains('\0') {
        return Err(refused("the link leads to something that is not text"));
    }
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
