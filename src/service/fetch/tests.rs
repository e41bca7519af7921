//! Links, against a real TLS server on this machine that pretends to be a public one.

use std::{
    net::Ipv4Addr,
    sync::atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::*;

/// A zip with one file, `a`, that is empty.
const EMPTY_ZIP: &str = "504b0304140000000000000021500000000000000000000000000100000061504b010214031400000000000000215000000000000000000000000001000000000000000000000080010000000061504b050600000000010001002f0000001f0000000000";

/// What the server saw and what it may do.
#[derive(Default)]
struct Seen {
    requests: AtomicUsize,
    /// Bytes of bodies that it got rid of.
    written: AtomicUsize,
    /// Told when the server has sent the beginning of something slow.
    began: Notify,
}

/// A server of `public.test`, and a fetcher that takes it for a public one.
struct Net {
    fetcher: Fetcher,
    seen: Arc<Seen>,
}

impl Net {
    async fn up() -> Self {
        let certified = rcgen::generate_simple_self_signed(["public.test".to_owned()]).unwrap();
        let certificate = certified.cert.der().clone();
        let key = rustls::pki_types::PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let (acceptor, watching) = (TlsAcceptor::from(Arc::new(config)), seen.clone());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (acceptor, seen) = (acceptor.clone(), watching.clone());
                tokio::spawn(async move {
                    // A client that goes away ends its own connection only.
                    let _ = serve(acceptor, socket, &seen).await;
                });
            }
        });
        let names = ["public.test", "other.test"].map(|name| (name.to_owned(), address));
        Self { fetcher: Fetcher::pinned(names.into(), vec![certificate]), seen }
    }

    async fn fetch(&self, path: &str) -> Result<String, Refusal> {
        self.fetcher.fetch(&format!("https://public.test{path}")).await
    }

    async fn refusal(&self, path: &str) -> String {
        self.fetch(path).await.expect_err(path).say
    }

    fn requests(&self) -> usize {
        self.seen.requests.load(Ordering::Relaxed)
    }
}

async fn serve(acceptor: TlsAcceptor, socket: TcpStream, seen: &Seen) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(socket).await?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Ok(());
        }
    }
    seen.requests.fetch_add(1, Ordering::Relaxed);
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let stream = stream.get_mut();
    let redirect = |to: &str| format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
    let plain = |kind: &str, body: &str| {
        format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    };
    let answer = match path.as_str() {
        "/program.bf" => plain("text/plain; charset=utf-8", "\u{feff}(>)*9[-] très joli"),
        "/page" => plain("text/html; charset=utf-8", "<pre>(>)*9</pre>"),
        "/head" => plain("text/plain", &head),
        "/packed" => plain("text/plain\r\ncontent-encoding: gzip", "(>)*9"),
        "/nul" => plain("text/plain", "a\0b"),
        "/once" => redirect("/program.bf"),
        "/there" => redirect("https://other.test/program.bf"),
        "/loop" => redirect("/loop"),
        "/3" => redirect("/2"),
        "/4" => redirect("/3"),
        "/2" => redirect("/1"),
        "/1" => redirect("program.bf"),
        "/nowhere" => "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "/gone" => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "/login" => redirect("/page"),
        "/private" => "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "/to" => redirect(""),
        "/slow" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n(>)*9").await?;
            stream.flush().await?;
            seen.began.notify_one();
            return std::future::pending().await;
        }
        "/promised" => "HTTP/1.1 200 OK\r\ncontent-length: 20000000\r\n\r\n".to_owned(),
        "/endless" => return pour(stream, seen).await,
        "/latin" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=ISO-8859-1\r\n").await?;
            return stream.write_all(b"content-length: 5\r\n\r\n>+ \xe9.").await;
        }
        "/zip" => {
            // A zip with one empty file, `a`.
            let zip = hex::decode(EMPTY_ZIP).map_err(std::io::Error::other)?;
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: {}\r\n\r\n", zip.len());
            return stream.write_all(&[head.as_bytes(), &zip].concat()).await;
        }
        "/bytes" => return stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n\xff\xfe+").await,
        "/broken" => return stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n(>)*9").await,
        path => match path.strip_prefix("/to/") {
            Some(to) => redirect(&hex::decode(to).map(|to| String::from_utf8_lossy(&to).into_owned()).unwrap()),
            None => plain("text/plain", "?"),
        },
    };
    stream.write_all(answer.as_bytes()).await?;
    stream.flush().await
}

/// Sends 20 MB in chunks that promise no length.
async fn pour(stream: &mut TlsStream<TcpStream>, seen: &Seen) -> std::io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await?;
    let chunk = [b"10000\r\n".as_slice(), &[b'+'; 0x10000], b"\r\n"].concat();
    for _ in 0..20_000_000 / 0x10000 {
        stream.write_all(&chunk).await?;
        seen.written.fetch_add(0x10000, Ordering::Relaxed);
    }
    stream.write_all(b"0\r\n\r\n").await
}

/// A path that redirects to a link.
fn to(link: &str) -> String {
    format!("/to/{}", hex::encode(link))
}

#[tokio::test]
async fn a_link_to_a_text_gives_the_text() {
    let net = Net::up().await;
    assert_eq!(net.fetch("/program.bf").await.unwrap(), "(>)*9[-] très joli");
    assert_eq!(net.fetch("/latin").await.unwrap(), ">+ é.");
    let head = net.fetch("/head").await.unwrap().to_lowercase();
    for absent in ["cookie", "referer", "authorization"] {
        assert!(!head.contains(absent), "{head}");
    }
}

#[tokio::test]
async fn redirects_are_followed_three_times_and_judged_each_time() {
    let net = Net::up().await;
    for path in ["/once", "/1", "/3"] {
        assert_eq!(net.fetch(path).await.unwrap(), "(>)*9[-] très joli", "{path}");
    }
    assert_eq!(net.refusal("/4").await, "the link redirects more than 3 times");
    let before = net.requests();
    assert_eq!(net.refusal("/loop").await, "the link redirects more than 3 times");
    assert_eq!(net.requests() - before, 4);
    assert_eq!(net.refusal("/nowhere").await, "the link redirects to nowhere");
    let inside = "the link redirects, and the link leads to a host that is not on the public internet";
    for link in
        ["https://127.0.0.1/x", "https://[::1]/", "https://localhost/", "//192.168.0.1/x", "https://2130706433/"]
    {
        let before = net.requests();
        assert_eq!(net.refusal(&to(link)).await, inside, "{link}");
        assert_eq!(net.requests() - before, 1, "{link}");
    }
    assert!(net.refusal(&to("http://public.test/program.bf")).await.contains("https://"));
    assert!(net.refusal(&to("https://public.test:8443/")).await.contains("port"));
    assert!(net.refusal(&to("https://ann:secret@public.test/")).await.contains("password"));
}

#[tokio::test]
async fn links_that_lead_inside_are_refused_before_anything_is_asked() {
    let net = Net::up().await;
    for link in [
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://intranet/",
        "https://printer.local/",
        "https://db.internal/",
    ] {
        let say = net.fetcher.fetch(link).await.expect_err(link).say;
        assert_eq!(say, "the link leads to a host that is not on the public internet", "{link}");
    }
    assert_eq!(net.requests(), 0);
}

#[tokio::test]
async fn a_name_is_judged_by_the_addresses_that_it_leads_to() {
    // No name server is asked for these: every system resolver reads literal addresses as they are.
    let fetcher = Fetcher::default();
    for name in ["127.0.0.1", "::1", "10.1.2.3", "fe80::1"] {
        let error = fetcher.hosts.addresses(name).await.expect_err(name);
        assert!(error.get_ref().is_some_and(|inner| inner.is::<Inside>()), "{name}: {error}");
    }
    assert_eq!(fetcher.hosts.addresses("8.8.8.8").await.unwrap(), ["8.8.8.8:0".parse().unwrap()]);
    // What the resolver refuses reaches the player as the one sentence, through all that wraps it.
    let names = Client::builder().dns_resolver(Arc::new(Nowhere)).build().unwrap();
    let error = names.get("https://rebound.test/").send().await.unwrap_err();
    assert_eq!(unreachable_host(&error), inside());
}

/// A resolver all of whose names lead inside.
struct Nowhere;

impl Resolve for Nowhere {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Err(std::io::Error::other(Inside).into()) })
    }
}

#[tokio::test]
async fn only_plain_https_links_are_asked_for() {
    let net = Net::up().await;
    let cases = [
        ("http://public.test/program.bf", "only links that begin with https:// are fetched"),
        ("ftp://public.test/program.bf", "only links that begin with https:// are fetched"),
        ("file:///etc/passwd", "only links that begin with https:// are fetched"),
        ("https://public.test:444/", "a link that names a port is not fetched"),
        ("https://ann@public.test/", "a link with a user name or a password in it is not fetched"),
        ("https://", "that is no link that can be read"),
        ("program.bf", "that is no link that can be read"),
    ];
    for (link, say) in cases {
        assert_eq!(net.fetcher.fetch(link).await.expect_err(link).say, say);
    }
    let long = format!("https://public.test/{}", "x".repeat(LINK_MAX_BYTES));
    assert!(net.fetcher.fetch(&long).await.unwrap_err().say.contains("2048 is the most"));
    assert_eq!(net.requests(), 0);
    assert!(net.fetcher.fetch("https://public.test:443/program.bf").await.is_ok(), "its own port may be named");
}

#[tokio::test]
async fn what_is_no_plain_text_is_refused() {
    let net = Net::up().await;
    for (path, say) in [
        ("/page", "use the raw text"),
        ("/login", "use the raw text"),
        ("/private", "for those who are logged in"),
        ("/zip", "there is no ruleset.toml in it"),
        ("/packed", "only plain text is taken"),
        ("/nul", "not text"),
        ("/bytes", "not text in UTF-8"),
        ("/broken", "broke off"),
        ("/gone", "error 404"),
    ] {
        let refusal = net.refusal(path).await;
        assert!(refusal.contains(say), "{path}: {refusal}");
    }
}

#[tokio::test]
async fn what_is_too_large_is_cut_off_at_the_bound() {
    let net = Net::up().await;
    assert!(net.refusal("/promised").await.contains("1048576 bytes, which is the most"));
    assert!(net.refusal("/endless").await.contains("1048576 bytes, which is the most"));
    let written = net.seen.written.load(Ordering::Relaxed);
    assert!(written < 15_000_000, "the server got rid of {written} bytes: more than buffers on the way explain");
}

#[tokio::test]
async fn what_takes_too_long_is_given_up() {
    let net = Net::up().await;
    let fetched = net.fetch("/slow");
    let wait = async {
        net.seen.began.notified().await;
        tokio::time::pause();
    };
    let (fetched, ()) = tokio::join!(fetched, wait);
    assert_eq!(fetched.unwrap_err().say, "the link was not fetched within 10 seconds, so the bot gave up");
}

#[tokio::test]
async fn a_server_that_cannot_prove_who_it_is_is_not_believed() {
    let net = Net::up().await;
    // Its certificate is for another name.
    let refusal = net.fetcher.fetch("https://other.test/program.bf").await.unwrap_err();
    assert!(refusal.say.contains("certificate"), "{refusal}");
    assert!(net.refusal("/there").await.contains("certificate"));
}

#[tokio::test]
async fn no_refusal_repeats_a_link_or_an_address() {
    let net = Net::up().await;
    let paths = ["/page", "/packed", "/nul", "/bytes", "/broken", "/gone", "/loop", "/nowhere", "/promised", "/there"];
    let to_inside = to("https://127.0.0.1/token");
    for path in paths.into_iter().chain([to_inside.as_str()]) {
        let refusal = format!("{:?}", net.fetch(path).await.unwrap_err());
        for secret in [path, "127.0.0.1", "public.test", "token"] {
            assert!(!refusal.contains(secret), "{refusal}");
        }
    }
}
