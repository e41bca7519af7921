//! The real servers themselves: that they start, know accounts, restart and end. What the bot does on them is tested
//! elsewhere; when these fail, nothing there means anything.

use std::{
    error::Error,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    path::Path,
    sync::Arc,
};

use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::{
    harness::needs_servers,
    servers::{
        OPERATOR, Options,
        client::{Client, Message},
        inspircd, ngircd,
    },
};

#[tokio::test]
async fn people_talk_on_ngircd() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let mut ann = Client::connect(&network, "ann").await;
    let mut bob = Client::connect(&network, "bob").await;
    ann.join("#nomic").await;
    bob.join("#nomic").await;
    bob.say("#nomic", "hello, everybody").await;
    let heard = ann.expect_text("bob", "hello").await;
    assert_eq!(heard.target(), "#nomic");
    assert_eq!(heard.account(), None, "ngIRCd vouches for nobody");
    assert!(!ann.has("account-tag"));
}

#[tokio::test]
async fn people_on_inspircd_see_each_others_accounts() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("Carol", "carols-password").await;
    network.register_account("Dave", "daves-password").await;
    let mut carol = Client::login(network, "Carol", "carols-password").await;
    let mut dave = Client::connect(network, "wanderer").await;
    carol.join("#accounts").await;
    dave.join("#accounts").await;

    carol.say("#accounts", "by SASL").await;
    assert_eq!(dave.expect_text("Carol", "by SASL").await.account(), Some("Carol"));

    dave.say("#accounts", "a stranger").await;
    assert_eq!(carol.expect_text("wanderer", "stranger").await.account(), None);
    dave.identify("Dave", "daves-password").await;
    dave.say("#accounts", "by NickServ").await;
    assert_eq!(carol.expect_text("wanderer", "NickServ").await.account(), Some("Dave"));
}

#[tokio::test]
async fn a_wrong_password_is_no_login() {
    needs_servers!(Inspircd, Atheme);
    let network = inspircd::shared().await;
    network.register_account("Erin", "erins-password").await;
    let refused = tokio::spawn(async move { Client::login(network, "Erin", "guess").await.nick }).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn a_network_restarts_with_its_accounts() {
    needs_servers!(Inspircd, Atheme);
    let mut network = inspircd::inspircd_with_accounts(Options::LAX).await;
    network.register_account("frank", "franks-password").await;
    let frank = Client::login(&network, "frank", "franks-password").await;
    let port = network.port;
    network.kill();
    frank.expect_closed().await;
    network.restart().await;
    assert_eq!(network.port, port);
    let mut frank = Client::login(&network, "frank", "franks-password").await;
    frank.join("#again").await;
}

#[tokio::test]
async fn a_server_with_its_own_limits_slows_a_flood_down() {
    needs_servers!(Inspircd);
    let network = inspircd::inspircd(Options::DEFAULT_LIMITS).await;
    let mut flooder = Client::connect(&network, "flooder").await;
    flooder.send_bytes("PRIVMSG flooder :too much\r\n".repeat(2_000).as_bytes()).await;
    let last_words = flooder.expect_closed().await;
    assert!(last_words.contains("RecvQ"), "{last_words}");
}

#[tokio::test]
async fn a_frozen_server_answers_once_it_thaws() {
    needs_servers!(Inspircd);
    let network = inspircd::inspircd(Options::LAX).await;
    let mut ann = Client::connect(&network, "ann").await;
    network.freeze();
    ann.say("ann", "note to self").await;
    network.thaw();
    ann.expect_text("ann", "note to self").await;
}

#[tokio::test]
async fn a_server_ends_with_its_guard() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let (host, port) = (network.host, network.port);
    drop(network);
    assert!(Client::try_connect(host, port, "late").await.is_err());
}

#[tokio::test]
async fn what_was_not_said_is_not_overheard() {
    needs_servers!(Ngircd);
    let network = ngircd::ngircd(Options::LAX).await;
    let mut ann = Client::connect(&network, "ann").await;
    let mut bob = Client::connect(&network, "bob").await;
    ann.join("#nomic").await;
    bob.join("#elsewhere").await;
    bob.say("#elsewhere", "a secret").await;
    bob.say("ann", "a hint").await;
    bob.settle().await;
    let said: Vec<_> = ann.overhears().await.into_iter().filter(Message::is_said).collect();
    assert_eq!(said.iter().map(Message::text).collect::<Vec<_>>(), ["a hint"]);
}

#[tokio::test]
async fn an_operator_ends_a_connection_on_both_servers() {
    needs_servers!(Ngircd, Inspircd);
    for network in [ngircd::ngircd(Options::LAX).await, inspircd::inspircd(Options::LAX).await] {
        let victim = Client::connect(&network, "victim").await;
        let mut operator = Client::connect(&network, "watchful").await;
        let (name, password) = OPERATOR;
        operator.send(&format!("OPER {name} {password}")).await;
        operator.expect("to be an operator", |message| message.command == "381").await;
        operator.send("KILL victim :enough").await;
        assert!(victim.expect_closed().await.contains("enough"));
    }
}

#[tokio::test]
async fn accounts_outlive_a_stop_of_the_services() {
    needs_servers!(Inspircd, Atheme);
    let mut network = inspircd::inspircd_with_accounts(Options::LAX).await;
    network.register_account("grace", "graces-password").await;
    network.stop_services().await;
    let mut grace = Client::connect(&network, "grace").await;
    grace.send("ISON NickServ").await;
    assert_eq!(grace.expect("the answer to ISON", |message| message.command == "303").await.text().trim(), "");
    network.start_services().await;
    grace.identify("grace", "graces-password").await;
}

#[tokio::test]
async fn the_tls_port_shows_the_certificate_that_the_network_names() {
    needs_servers!(Inspircd, Openssl);
    let network = inspircd::inspircd(Options::TLS).await;
    let certificate = network.tls_certificate.clone().expect("TLS was asked for");
    let port = network.tls_port.expect("TLS was asked for");
    let greeting = tokio::task::spawn_blocking(move || first_line_over_tls(port, &certificate)).await;
    let greeting = greeting.expect("the client does not panic").expect("a client that trusts the certificate connects");
    assert!(greeting.contains(&network.server_name), "{greeting}");
}

/// What the server says first, to a client that trusts only that certificate.
fn first_line_over_tls(port: u16, certificate: &Path) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate)?)?;
    let config = ClientConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connection = ClientConnection::new(Arc::new(config), "localhost".try_into()?)?;
    let mut stream = StreamOwned::new(connection, TcpStream::connect(("127.0.0.1", port))?);
    stream.write_all(b"NICK tls\r\nUSER tls 0 * :tls\r\n")?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line)
}
