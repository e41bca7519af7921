//! The web: what everybody may look at, as pages that only read.
//!
//! A page is made of documents, which a [`Gallery`] makes for a stranger: tables become tables, grids become figures,
//! and whatever anybody wrote is escaped. Beside each page lies the same as JSON, and each room has a feed. Absent from
//! here: games, sessions, cookies, scripts, and any way to change something.
//!
//! ```text
//! listen ── guard ── routes     connections, what a request may cost, which page it is
//! render ── pages/              documents as HTML
//! metrics                       counts for the operator, on a port of their own
//! ```

pub mod config;
mod feed;
mod figure;
mod guard;
mod listen;
mod metrics;
mod render;
mod routes;
#[cfg(test)]
mod tests;

use std::{future::Future, io, sync::Arc};

use tokio::net::TcpListener;

pub use config::WebConfig;
pub use routes::router;

use crate::adapters::gallery::Gallery;

/// The ports of the web, taken.
#[derive(Debug)]
pub struct Web {
    config: WebConfig,
    pages: Option<TcpListener>,
    metrics: Option<TcpListener>,
}

impl Web {
    /// Takes the ports.
    ///
    /// # Errors
    ///
    /// As the system reports, with the address.
    pub async fn bind(config: WebConfig) -> io::Result<Self> {
        let listen = async |address: Option<std::net::SocketAddr>| match address {
            Some(address) => TcpListener::bind(address)
                .await
                .map(Some)
                .map_err(|why| io::Error::new(why.kind(), format!("the web cannot listen on {address}: {why}"))),
            None => Ok(None),
        };
        let (pages, metrics) = (listen(config.listen).await?, listen(config.metrics).await?);
        Ok(Self { config, pages, metrics })
    }

    /// Where pages are served, once the port is taken.
    pub fn address(&self) -> Option<std::net::SocketAddr> {
        self.pages.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Serves until `stop` ends; then requests that are under way have a moment to finish.
    pub async fn run(self, gallery: Arc<dyn Gallery>, stop: impl Future<Output = ()>) {
        let (told, heard) = tokio::sync::watch::channel(false);
        let address = self.address();
        let absolute = self.config.absolute(address);
        let pages = serve(self.pages, routes::router(gallery.clone(), &absolute), heard.clone());
        let metrics = serve(self.metrics, metrics::router(gallery), heard);
        let stopping = async {
            stop.await;
            told.send_replace(true);
        };
        tokio::join!(pages, metrics, stopping);
    }
}

async fn serve(listener: Option<TcpListener>, router: axum::Router, stop: tokio::sync::watch::Receiver<bool>) {
    if let Some(listener) = listener {
        if let Ok(address) = listener.local_addr() {
            tracing::info!(%address, "the web listens");
        }
        listen::serve(listener, router, stop).await;
    }
}
