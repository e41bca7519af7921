//! What a request may cost: pages of a gallery that a test holds in its hand, so that time can stand still.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, StatusCode, header},
};
use futures::future::BoxFuture;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tower::ServiceExt as _;

use super::{
    Web, WebConfig,
    guard::{ADDRESS_MAX_BYTES, BURST_MAX_REQUESTS, PACE},
};
use kernel::{Seq, display::Document};
use port::gallery::{
    Announced, Card, Filter, Found, Front, Gallery, Leaf, Metric, Named, NotShown, Overview, Rulebook, Shown, Told,
};

/// A gallery with nothing in it, whose displays never come.
struct Bare;

impl Gallery for Bare {
    fn rooms(&self) -> Document {
        Document::say("none")
    }
    fn front(&self, _: usize) -> BoxFuture<'_, Result<Front, NotShown>> {
        Box::pin(std::future::ready(Ok(Front { rooms: Vec::new(), pages: 1 })))
    }
    fn named(&self, _: &str) -> Option<Named> {
        None
    }
    fn moved<'a>(&'a self, _: &'a str, _: Seq) -> BoxFuture<'a, Option<Seq>> {
        Box::pin(std::future::pending())
    }
    fn room(&self, _: &str) -> Option<Card> {
        None
    }
    fn overview<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Overview, NotShown>> {
        Box::pin(std::future::ready(Err(NotShown::Broke("c0ffee".to_owned()))))
    }
    fn show<'a>(&'a self, _: &'a str, _: &'a str, _: Option<&'a str>) -> BoxFuture<'a, Result<Shown, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn text<'a>(&'a self, _: &'a str, _: &'a str, _: Option<&'a str>) -> BoxFuture<'a, Result<String, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn journal<'a>(&'a self, _: &'a str, _: &'a Filter) -> BoxFuture<'a, Result<Leaf, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn entry<'a>(&'a self, _: &'a str, _: Seq) -> BoxFuture<'a, Result<Told, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn rulebook<'a>(
        &'a self,
        _: &'a str,
        _: Option<&'a str>,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Rulebook, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn search<'a>(&'a self, _: &'a str, _: &'a str, _: Option<Seq>) -> BoxFuture<'a, Result<Found, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn announcements<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<Announced>, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn ready(&self) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(true))
    }
    fn metrics(&self) -> BoxFuture<'_, Vec<Metric>> {
        let (name, help, kind) = ("rulekeeper_rooms_open", "Rooms.", "gauge");
        Box::pin(std::future::ready(vec![Metric { name, help, kind, samples: vec![(String::new(), 2.0)] }]))
    }
}

fn router() -> Router {
    super::router(Arc::new(Bare), "http://localhost", None)
}

async fn status(router: &Router, path: &str, visitor: &str) -> StatusCode {
    let request = Request::get(path).header("x-forwarded-for", visitor).body(Body::empty()).unwrap();
    router.clone().oneshot(request).await.unwrap().status()
}

#[tokio::test(start_paused = true)]
async fn each_visitor_has_a_pace_and_gets_it_back_with_time() {
    let router = router();
    for _ in 0..BURST_MAX_REQUESTS {
        assert_eq!(status(&router, "/", "198.51.100.7").await, StatusCode::OK);
    }
    assert_eq!(status(&router, "/", "198.51.100.7").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(status(&router, "/", "198.51.100.8").await, StatusCode::OK, "others are not held up");
    assert_eq!(status(&router, "/healthz", "198.51.100.7").await, StatusCode::OK, "health is never held up");
    tokio::time::advance(PACE).await;
    assert_eq!(status(&router, "/", "198.51.100.7").await, StatusCode::OK);
    assert_eq!(status(&router, "/", "198.51.100.7").await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(start_paused = true)]
async fn few_requests_run_at_once_and_none_runs_long() {
    let router = router();
    let slow: Vec<_> = (0..32)
        .map(|number| {
            let router = router.clone();
            tokio::spawn(async move { status(&router, "/room/a/show/b", &format!("198.51.100.{number}")).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(status(&router, "/", "203.0.113.1").await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(status(&router, "/readyz", "203.0.113.1").await, StatusCode::OK);
    for task in slow {
        assert_eq!(task.await.unwrap(), StatusCode::SERVICE_UNAVAILABLE, "it took too long");
    }
    assert_eq!(status(&router, "/", "203.0.113.1").await, StatusCode::OK);
}

#[tokio::test]
async fn only_looking_is_possible() {
    let router = router();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::TRACE] {
        let request = Request::builder().method(&method).uri("/").body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(answer.headers()[header::ALLOW], "GET, HEAD");
    }
    let head = Request::head("/").body(Body::empty()).unwrap();
    let answer = router.clone().oneshot(head).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(to_bytes(answer.into_body(), 10).await.unwrap().is_empty());
    let body = Request::get("/").header(header::CONTENT_LENGTH, "5").body(Body::from("hello")).unwrap();
    assert_eq!(router.clone().oneshot(body).await.unwrap().status(), StatusCode::BAD_REQUEST);
    let long = format!("/?{}", "a".repeat(ADDRESS_MAX_BYTES));
    assert_eq!(status(&router, &long, "203.0.113.1").await, StatusCode::URI_TOO_LONG);
}

/// A browser that has a page is not sent it again, and one that unpacks gets it packed.
#[tokio::test]
async fn what_a_browser_has_is_not_sent_again_and_the_rest_is_packed() {
    let router = router();
    let ask = async |path: &str, headers: &[(header::HeaderName, &str)]| {
        let request = headers.iter().fold(Request::get(path), |request, (name, value)| request.header(name, *value));
        router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let whole = ask("/", &[]).await;
    let tag = whole.headers()[header::ETAG].to_str().unwrap().to_owned();
    assert!(!whole.headers().contains_key(header::CONTENT_ENCODING));
    let bytes = to_bytes(whole.into_body(), 100_000).await.unwrap();

    let head = Request::head("/").body(Body::empty()).unwrap();
    let head = router.clone().oneshot(head).await.unwrap();
    assert_eq!(head.headers()[header::ETAG], tag.as_str());
    assert_eq!(head.headers()[header::CONTENT_LENGTH], bytes.len().to_string().as_str());
    assert!(to_bytes(head.into_body(), 10).await.unwrap().is_empty());

    let packed = ask("/", &[(header::ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!(
        (&packed.headers()[header::CONTENT_ENCODING], &packed.headers()[header::VARY]),
        (&"gzip".parse().unwrap(), &"accept-encoding".parse().unwrap())
    );
    assert_eq!(packed.headers()[header::ETAG], tag.as_str());
    let packed = to_bytes(packed.into_body(), 100_000).await.unwrap();
    assert!(packed.len() < bytes.len());
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*packed), &mut unpacked).unwrap();
    assert_eq!(unpacked, bytes);

    for (known, status) in [
        (tag.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"other\", {tag}"), StatusCode::NOT_MODIFIED),
        ("W/\"other\"".to_owned(), StatusCode::OK),
    ] {
        let again = ask("/", &[(header::IF_NONE_MATCH, &*known)]).await;
        assert_eq!(again.status(), status, "{known}");
        assert!(again.headers().contains_key(header::CONTENT_SECURITY_POLICY));
        let is_empty = to_bytes(again.into_body(), 100_000).await.unwrap().is_empty();
        assert_eq!(is_empty, status == StatusCode::NOT_MODIFIED, "{known}");
    }
    assert!(!ask("/nothing", &[]).await.headers().contains_key(header::ETAG), "what is missing may come");
}

#[tokio::test]
async fn a_fault_is_an_apology_with_an_id() {
    let request = Request::get("/room/a").body(Body::empty()).unwrap();
    let answer = router().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let text = to_bytes(answer.into_body(), 100_000).await.unwrap();
    assert!(String::from_utf8(text.to_vec()).unwrap().contains("fault c0ffee"));
}

/// Asks on a connection of its own, and reads until the other end closes it.
async fn spoken(address: std::net::SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn pages_and_metrics_have_ports_of_their_own_and_end_when_they_are_told() {
    let any = "127.0.0.1:0".parse().ok();
    let web = Web::bind(WebConfig { listen: any, metrics: any, ..WebConfig::default() }).await;
    let (pages, metrics) = (web.address().unwrap(), web.metrics.as_ref().unwrap().local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(web.run(Arc::new(Bare), async {
        let _ = stopped.await;
    }));
    let ask = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(spoken(pages, &ask("/healthz")).await.starts_with("HTTP/1.1 200 "));
    assert!(spoken(pages, &ask("/metrics")).await.starts_with("HTTP/1.1 404 "));
    assert!(spoken(metrics, &ask("/metrics")).await.ends_with("rulekeeper_rooms_open 2\n"));
    assert!(spoken(metrics, &ask("/")).await.starts_with("HTTP/1.1 404 "));
    let body = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nhello";
    assert!(spoken(pages, body).await.starts_with("HTTP/1.1 405 "), "what follows the head is not waited for");
    let idle = TcpStream::connect(pages).await.unwrap();
    stop.send(()).unwrap();
    served.await.unwrap();
    drop(idle);
    assert!(TcpStream::connect(pages).await.is_err(), "nobody listens any more");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_says_nothing_or_never_ends_its_head_is_closed() {
    let (address, served) = serving().await;
    // Nothing else happens, so that paused time moves on to the moment when patience ends.
    let begun = tokio::time::Instant::now();
    assert_eq!(spoken(address, "").await, "");
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    assert!(!spoken(address, "GET / HTTP/1.1\r\nHost: x\r\n").await.contains(" 200 "));
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "a".repeat(64 * 1024));
    assert!(spoken(address, &long).await.starts_with("HTTP/1.1 431 "));
    served.abort();
}

async fn serving() -> (std::net::SocketAddr, tokio::task::JoinHandle<()>) {
    let web = Web::bind(WebConfig { listen: "127.0.0.1:0".parse().ok(), ..WebConfig::default() }).await;
    (web.address().unwrap(), tokio::spawn(web.run(Arc::new(Bare), std::future::pending())))
}

/// Whoever opens connections without end and says nothing on them closes their own. A visitor behind them is answered
/// at once, in no time of the clock. One whose request is being answered keeps their connection.
#[tokio::test(start_paused = true)]
async fn hundreds_of_half_open_connections_make_no_visitor_wait() {
    let (address, served) = serving().await;
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /room/a/show/b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    // Its request is under way before others come.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let begun = tokio::time::Instant::now();
    let mut idle = Vec::new();
    for number in 0..600 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
        }
        idle.push(stream);
    }
    let ask = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert!(spoken(address, ask).await.starts_with("HTTP/1.1 200 "));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "it took too long, and was told so: {answer:?}");
    served.abort();
}

#[tokio::test]
async fn an_address_that_is_taken_is_named_and_gives_way_only_where_nobody_asked_for_it() {
    let any = WebConfig { listen: "127.0.0.1:0".parse().ok(), asked_for: true, ..WebConfig::default() };
    let first = Web::bind(any.clone()).await;
    let taken = first.address().unwrap();
    let asked = Web::bind(WebConfig { listen: Some(taken), ..any.clone() }).await;
    assert_eq!((asked.address(), asked.refused().len()), (None, 1));
    assert!(asked.refused()[0].contains(&taken.to_string()), "{:?}", asked.refused());
    let metrics = Web::bind(WebConfig { metrics: Some(taken), ..any.clone() }).await;
    assert!(metrics.address().is_some() && metrics.refused().len() == 1, "pages are there without metrics");
    let default = Web::bind(WebConfig { listen: Some(taken), asked_for: false, ..any }).await;
    assert_eq!((default.given_way(), default.refused().len()), (Some(taken), 0));
    assert_ne!(default.address(), Some(taken));
    assert_eq!(default.link(), default.address().map(|address| format!("http://{address}")));
}
