//! Opening the socket: TCP, and TLS where the network wants it.
//!
//! The crate's own client keeps its socket to itself, so that neither a tolerant reader nor `TCP_NODELAY` could be put
//! on it. Hence the connection is made here and handed to the crate's transport. A trait, so that tests can hand in a
//! socket of their own.

use std::io;
use std::sync::Arc;

use futures::future::BoxFuture;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::config::IrcNetwork;
use super::prompt::Prompt;

/// Anything that can carry a connection.
pub trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Socket for S {}

/// Opens sockets to networks.
pub trait Dial: Send + Sync + 'static {
    /// Opens one. The caller sets the time limit.
    fn dial<'a>(&'a self, network: &'a IrcNetwork) -> BoxFuture<'a, io::Result<Box<dyn Socket>>>;
}

/// Opens real sockets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tcp;

impl Dial for Tcp {
    fn dial<'a>(&'a self, network: &'a IrcNetwork) -> BoxFuture<'a, io::Result<Box<dyn Socket>>> {
        Box::pin(async move {
            let stream = TcpStream::connect((network.host.as_str(), network.port())).await?;
            stream.set_nodelay(true)?;
            let stream = Prompt::new(stream);
            if !network.tls {
                return Ok(Box::new(stream) as Box<dyn Socket>);
            }
            let name = ServerName::try_from(network.host.clone()).map_err(io::Error::other)?;
            let connector = tokio_rustls::TlsConnector::from(Arc::new(tls(network)?));
            Ok(Box::new(connector.connect(name, stream).await?) as Box<dyn Socket>)
        })
    }
}

/// The TLS settings: the system's certificates, Mozilla's where the system has none, and the network's own.
pub(super) fn tls(network: &IrcNetwork) -> io::Result<ClientConfig> {
    // Named rather than taken from the process, so that nothing depends on what was installed before.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    if network.accept_invalid_cert {
        let verifier = Arc::new(AnyCertificate { provider });
        return Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth());
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    if let Some(file) = &network.ca_file {
        let before = roots.len();
        for certificate in CertificateDer::pem_file_iter(file).map_err(io::Error::other)? {
            roots.add(certificate.map_err(io::Error::other)?).map_err(io::Error::other)?;
        }
        if roots.len() == before {
            return Err(io::Error::other("the file of certificates holds none"));
        }
    }
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// Accepts every certificate, but checks that the server holds its key. The settings allow it on this machine only.
#[derive(Debug)]
struct AnyCertificate {
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
