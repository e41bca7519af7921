//! The web: public displays as pages that only read.
//!
//! A page is made of documents, which a [`Gallery`] makes for a stranger. Tables become tables, grids become figures,
//! and all that people wrote is escaped. Beside each page lies the same as JSON, and each room has a feed. There are no
//! sessions and no cookies, and no way to change something. Two small scripts play films and keep open pages up to date.
//!
//! ```text
//! listen ── guard ── routes     connections, what a request may cost, which page it is
//! packing                       what is not sent again, and what is packed
//! page                          what all pages share
//! glance, timeline, changes     what goes on in a room, what happened, what changed in the rules
//! render ── pages/              documents as HTML, with names that lead to pages (`names`)
//! metrics                       counts for the operator, on a port of their own
//! ```

mod changes;
pub mod config;
mod feed;
mod glance;
mod guard;
mod listen;
mod metrics;
mod names;
mod packing;
mod page;
mod render;
mod routes;
mod script;
#[cfg(test)]
mod tests;
mod timeline;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use tokio::net::TcpListener;

pub use config::WebConfig;
pub use routes::router;

use port::gallery::Gallery;

/// The ports of the web, as far as they could be taken.
#[derive(Debug)]
pub struct Web {
    config: WebConfig,
    pages: Option<TcpListener>,
    metrics: Option<TcpListener>,
    refused: Vec<String>,
}

impl Web {
    /// Takes the ports.
    pub async fn bind(config: WebConfig) -> Self {
        let (mut pages, mut metrics, mut refused) = (None, None, Vec::new());
        for address in config.candidates() {
            match TcpListener::bind(address).await {
                Ok(listener) => pages = Some(listener),
                Err(why) if config.asked_for => refused.push(unheard(address, &why)),
                Err(why) if why.kind() == io::ErrorKind::AddrInUse => continue,
                Err(why) => tracing::warn!("{} There are no web pages.", unheard(address, &why)),
            }
            break;
        }
        if let Some(address) = config.metrics {
            match TcpListener::bind(address).await {
                Ok(listener) => metrics = Some(listener),
                Err(why) => refused.push(unheard(address, &why)),
            }
        }
        Self { config, pages, metrics, refused }
    }

    /// A sentence for each address that somebody asked for and that cannot be had.
    pub fn refused(&self) -> &[String] {
        &self.refused
    }

    /// The address of the pages that was taken already, where another one was found.
    pub fn given_way(&self) -> Option<SocketAddr> {
        let wanted = self.config.listen.filter(|wanted| wanted.port() != 0)?;
        self.address().filter(|address| *address != wanted).map(|_| wanted)
    }

    /// A link to the pages that works on this machine.
    pub fn link(&self) -> Option<String> {
        let mut address = self.address()?;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        Some(format!("http://{address}"))
    }

    /// Where pages are served, once the port is taken.
    pub fn address(&self) -> Option<SocketAddr> {
        self.pages.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Serves until `stop` ends; then requests that are under way have a moment to finish.
    pub async fn run(self, gallery: Arc<dyn Gallery>, stop: impl Future<Output = ()>) {
        let (told, heard) = tokio::sync::watch::channel(false);
        let address = self.address();
        let absolute = self.config.absolute(address);
        let pages = serve(
            self.pages,
            routes::router(gallery.clone(), &absolute, self.config.invitation.as_deref()),
            heard.clone(),
        );
        let metrics = serve(self.metrics, metrics::router(gallery), heard);
        let stopping = async {
            stop.await;
            told.send_replace(true);
        };
        tokio::join!(pages, metrics, stopping);
    }
}

/// Why nothing listens there.
fn unheard(address: SocketAddr, why: &io::Error) -> String {
    let taken = if why.kind() == io::ErrorKind::AddrInUse { ", for another program does" } else { "" };
    format!("The web cannot listen on {address}{taken} ({why}).")
}

async fn serve(listener: Option<TcpListener>, router: axum::Router, stop: tokio::sync::watch::Receiver<bool>) {
    if let Some(listener) = listener {
        if let Ok(address) = listener.local_addr() {
            tracing::info!(%address, "the web listens");
        }
        listen::serve(listener, router, stop).await;
    }
}
