//! InspIRCd: an IRC server with the IRCv3 capabilities that the bot asks for, with or without accounts.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use tokio::sync::OnceCell;

use crate::{
    harness::Server,
    servers::{Flood, Folder, Network, OPERATOR, Options, Process, atheme, free_port, start},
};

/// What the services are called on the network, and what they say to be let in.
pub(crate) const SERVICES_NAME: &str = "services.test";
pub(crate) const LINK_PASSWORD: &str = "link-password";

/// Starts InspIRCd without services: nobody has an account. Needs `Inspircd`, and `Openssl` for TLS.
pub(crate) async fn inspircd(options: Options) -> Network {
    start(|server_name| configure(server_name, options).0).await
}

/// Starts InspIRCd with Atheme linked to it: people register, identify and log in. Needs `Inspircd` and `Atheme`, and
/// `Openssl` for TLS.
pub(crate) async fn inspircd_with_accounts(options: Options) -> Network {
    let mut network = start(|server_name| {
        let (mut network, link_port) = configure(server_name, options);
        network.services = Some(atheme::process(&network.server_name, link_port));
        network
    })
    .await;
    network.start_services().await;
    network
}

/// One InspIRCd with accounts and without flood limits for all tests of this process that only talk on it. Each takes
/// nicks, accounts and channels of its own, and none kills, freezes or restarts it.
pub(crate) async fn shared() -> &'static Network {
    static SHARED: OnceCell<Network> = OnceCell::const_new();
    SHARED.get_or_init(|| inspircd_with_accounts(Options::LAX)).await
}

/// A network that is not started yet, and the port on which it takes its services.
fn configure(server_name: String, options: Options) -> (Network, u16) {
    let (port, link_port, tls_port) = (free_port(), free_port(), options.tls.then(free_port));
    let folder = Folder::new(Server::Inspircd);
    let certificate = tls_port.map(|_| make_certificate(&folder));
    let text = config(&folder, &server_name, port, link_port, tls_port, options.flood);
    let config = folder.write("inspircd.conf", &text);
    let arguments = vec!["--nofork".into(), "--nopid".into(), "--config".into(), config.display().to_string()];
    let network = Network {
        host: "127.0.0.1",
        port,
        tls_port,
        tls_certificate: certificate,
        server_name,
        services: None,
        ircd: Process::new(Server::Inspircd, arguments, folder),
    };
    (network, link_port)
}

/// Makes a certificate for loopback that lasts as long as a test run may, and returns it as a PEM file.
fn make_certificate(folder: &Folder) -> PathBuf {
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    let made = Command::new(Server::Openssl.executable().expect("needs_servers! has looked for it"))
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stdin(Stdio::null())
        .output()
        .expect("openssl starts");
    assert!(made.status.success(), "openssl: {}", String::from_utf8_lossy(&made.stderr));
    folder.give(&certificate);
    folder.give(&key);
    certificate
}

fn config(
    folder: &Folder,
    server_name: &str,
    port: u16,
    link_port: u16,
    tls_port: Option<u16>,
    flood: Flood,
) -> String {
    const MODULES: [&str; 30] = [
        "alias",
        "botmode",
        "cap",
        "chghost",
        "deaf",
        "ircv3",
        "ircv3_accounttag",
        "ircv3_batch",
        "ircv3_capnotify",
        "ircv3_chghost",
        "ircv3_ctctags",
        "ircv3_echomessage",
        "ircv3_labeledresponse",
        "ircv3_msgid",
        "ircv3_servertime",
        "monitor",
        "namesx",
        "passforward",
        "samode",
        "sakick",
        "sanick",
        "sasl",
        "services_account",
        "servprotect",
        "setname",
        "spanningtree",
        "svshold",
        "topiclock",
        "uhnames",
        "sajoin",
    ];
    let (operator, password) = OPERATOR;
    let path = folder.path().display();
    let modules: String = MODULES.map(|name| format!("<module name=\"{name}\">\n")).concat();
    // The limits of the first line are InspIRCd's own defaults, written out.
    let limits = match flood {
        Flood::Default => {
            r#"threshold="10" commandrate="1000" fakelag="yes" recvq="10K" softsendq="10K" hardsendq="1M""#
        }
        Flood::Lax => {
            r#"threshold="100000" commandrate="1000000" fakelag="no" recvq="1M" softsendq="1M" hardsendq="10M""#
        }
    };
    let tls = tls_port.map_or_else(String::new, |port| {
        format!(
            r#"<module name="ssl_gnutls">
<sslprofile name="clients" provider="gnutls" certfile="{path}/certificate.pem" keyfile="{path}/key.pem" hash="sha256">
<bind address="127.0.0.1" port="{port}" type="clients" sslprofile="clients">
"#
        )
    });
    format!(
        r#"<config format="xml">
<server name="{server_name}" description="Tests" network="Tests">
<admin name="Tests" nick="tests" email="tests@example.org">
<path configdir="{path}" datadir="{path}" logdir="{path}" runtimedir="{path}" moduledir="/usr/lib/inspircd/modules">
<bind address="127.0.0.1" port="{port}" type="clients">
<bind address="127.0.0.1" port="{link_port}" type="servers">
<connect allow="*" timeout="90" pingfreq="3600" resolvehostnames="no" useident="no" useconnectban="no" useconnflood="no"
         localmax="5000" globalmax="5000" maxconnwarn="no" maxchans="200" {limits}>
<limits maxnick="30">
<options prefixquit="" splitwhois="no" allowmismatch="yes">
<performance softlimit="12800" clonesonconnect="no">
<security maxtargets="20">
<class name="all" commands="*" usermodes="*" chanmodes="*" privs="*">
<type name="all" classes="all">
<oper name="{operator}" password="{password}" host="*@*" type="all">
<log method="file" type="* -USERINPUT -USEROUTPUT -m_spanningtree" level="default" target="log" flush="1">
{modules}{tls}<link name="{SERVICES_NAME}" ipaddr="127.0.0.1" port="1" allowmask="127.0.0.1"
      sendpass="{LINK_PASSWORD}" recvpass="{LINK_PASSWORD}">
<uline server="{SERVICES_NAME}" silent="yes">
<sasl target="{SERVICES_NAME}" requiressl="no">
"#
    )
}
