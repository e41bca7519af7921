//! A web server that has one text, over TLS, for links that people type.
//!
//! It listens on this machine and goes by a public name, to which a pinned fetcher leads.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rulekeeper::service::fetch::Fetcher;
use rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

/// The name of the server.
const HOST: &str = "texts.test";

/// The server, as long as the test runs.
pub(crate) struct Texts {
    /// What fetches from it.
    pub(crate) fetcher: Arc<Fetcher>,
    asked: Arc<AtomicUsize>,
}

impl Texts {
    /// Starts one that answers whoever asks for `/rules` with a text, and everybody else that there is nothing.
    pub(crate) async fn with(text: &str) -> Self {
        let certified = rcgen::generate_simple_self_signed([HOST.to_owned()]).expect("a certificate");
        let certificate = certified.cert.der().clone();
        let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .expect("a server");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (acceptor, text, asked) = (TlsAcceptor::from(Arc::new(config)), text.to_owned(), Arc::default());
        let counts: Arc<AtomicUsize> = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                counts.fetch_add(1, Ordering::Relaxed);
                // A client that goes away ends its own connection only.
                let _ = answer(&acceptor, socket, &text).await;
            }
        });
        let fetcher = Fetcher::pinned([(HOST.to_owned(), address)].into(), vec![certificate]);
        Self { fetcher: Arc::new(fetcher), asked }
    }

    /// How often somebody connected.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

async fn answer(acceptor: &TlsAcceptor, socket: TcpStream, text: &str) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(socket).await?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let (status, body) = if head.starts_with("GET /rules ") { ("200 OK", text) } else { ("404 Not Found", "") };
    let length = body.len();
    let said = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.get_mut().write_all(said.as_bytes()).await?;
    stream.get_mut().shutdown().await
}
