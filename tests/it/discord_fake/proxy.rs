//! The program itself on the path of production: Discord's own address, the library's rate limiter, certificates of the
//! system, and a proxy in between.

use std::{
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex},
};

use base64::Engine as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
};
use tokio_rustls::TlsAcceptor;

use super::{CHANNEL, GUILD, ann, args, moderator};
use crate::fakes::discord::{Fake, Fault, TOKEN};

/// A throw-away certificate for Discord and for this machine: who trusts it, and who has its key.
fn certificate(folder: &Path) -> (std::path::PathBuf, TlsAcceptor) {
    let names = ["discord.com", "localhost"].map(str::to_owned);
    let certified = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let text = base64::engine::general_purpose::STANDARD.encode(certified.cert.der());
    let file = folder.join("trusted.pem");
    let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    std::fs::write(&file, pem).expect("a file");
    let key = rustls::pki_types::PrivateKeyDer::try_from(certified.signing_key.serialize_der()).expect("a key");
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the versions")
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .expect("the certificate fits its key");
    (file, TlsAcceptor::from(Arc::new(config)))
}

/// Takes TLS off and hands what comes to an address; a proxy first reads which host is asked for.
async fn front(listener: TcpListener, tls: TlsAcceptor, to: String, asked: Option<Arc<Mutex<Vec<String>>>>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let (tls, to, asked) = (tls.clone(), to.clone(), asked.clone());
        tokio::spawn(async move {
            if let Some(asked) = asked {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(stream.read_u8().await?);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let host = head.strip_prefix("CONNECT ").and_then(|rest| rest.split(' ').next()).unwrap_or(&head);
                asked.lock().expect("nobody panics").push(host.to_owned());
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            }
            let mut stream = tls.accept(stream).await?;
            let mut behind = TcpStream::connect(to).await?;
            copy_bidirectional(&mut stream, &mut behind).await
        });
    }
}

fn program(folder: &Path, trusted: &Path, proxy: u16) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rulekeeper"))
        .arg("serve")
        .current_dir(folder)
        .env_clear()
        .env("DISCORD_TOKEN", TOKEN)
        .env("HTTPS_PROXY", format!("http://127.0.0.1:{proxy}"))
        .env("SSL_CERT_FILE", trusted)
        .env("RULEKEEPER_WEB", "off")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_plays_on_discord_through_a_proxy_with_certificates_of_the_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let (trusted, tls) = certificate(folder.path());
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);

    let listen = async || TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let (proxy, gateway) = (listen().await, listen().await);
    let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
    let (proxy_port, gateway_port) = (port(&proxy), port(&gateway));
    let behind = fake.gateway_at(format!("wss://localhost:{gateway_port}")).replace("ws://", "");
    let asked = Arc::new(Mutex::new(Vec::new()));
    let api = fake.base().replace("http://", "");
    let fronts = [
        tokio::spawn(front(proxy, tls.clone(), api, Some(asked.clone()))),
        tokio::spawn(front(gateway, tls, behind, None)),
    ];

    let mut program = program(folder.path(), &trusted, proxy_port);
    fake.registered(GUILD, "help").await;
    // The library's own limiter waits this out.
    fake.fault("POST", "/callback", Fault::Limit(0.1), 1);
    fake.slash(&moderator(), CHANNEL, "room open", &args(&[("game", "joust"), ("name", "main")]));
    fake.sees(&ann(), CHANNEL, "is its public forum").await;
    fake.registered(GUILD, "joust").await;

    let asked = asked.lock().expect("nobody panics").clone();
    assert!(!asked.is_empty() && asked.iter().all(|host| host == "discord.com:443"), "{asked:?}");
    assert_eq!(program.try_wait().expect("its state"), None, "it still runs");
    program.kill().await.expect("it ends");
    fronts.iter().for_each(tokio::task::JoinHandle::abort);
    fake.check();
}
