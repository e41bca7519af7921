//! What a request may cost: pages of a gallery that a test holds in its hand, so that time can stand still.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, StatusCode, header},
};
use futures::future::BoxFuture;
use tower::ServiceExt as _;

use super::guard::{ADDRESS_MAX_BYTES, BURST_MAX_REQUESTS, PACE};
use crate::{
    adapters::gallery::{Announced, Card, Filter, Gallery, Leaf, Metric, NotShown, Overview, Shown, Told},
    kernel::{Seq, display::Document},
};

/// A gallery with nothing in it, whose displays never come.
struct Bare;

impl Gallery for Bare {
    fn rooms(&self) -> Document {
        Document::say("none")
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
    fn journal<'a>(&'a self, _: &'a str, _: &'a Filter) -> BoxFuture<'a, Result<Leaf, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn entry<'a>(&'a self, _: &'a str, _: Seq) -> BoxFuture<'a, Result<Told, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn announcements<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<Announced>, NotShown>> {
        Box::pin(std::future::pending())
    }
    fn ready(&self) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(true))
    }
    fn metrics(&self) -> BoxFuture<'_, Vec<Metric>> {
        Box::pin(std::future::ready(Vec::new()))
    }
}

fn router() -> Router {
    super::router(Arc::new(Bare), "http://localhost")
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

#[tokio::test]
async fn a_fault_is_an_apology_with_an_id() {
    let request = Request::get("/room/a").body(Body::empty()).unwrap();
    let answer = router().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let text = to_bytes(answer.into_body(), 100_000).await.unwrap();
    assert!(String::from_utf8(text.to_vec()).unwrap().contains("fault c0ffee"));
}
