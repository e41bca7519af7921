//! Bounds on the cost of a request, and the headers that every answer gives to the browser.
//!
//! Everybody in the world may ask. So only looking is possible, addresses are short, each visitor has a pace, few
//! requests run at once and none runs long. A page forbids the browser all that it does not need: frames, scripts that
//! are not the site's own, anything from elsewhere.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use governor::{Quota, RateLimiter, clock::Clock, middleware::NoOpMiddleware, state::keyed::HashMapStateStore};
use tokio::{sync::Semaphore, time::Instant};

use super::listen::Peer;

/// Longest path and query together, in bytes: the longest names of a match, escaped, and a filter.
pub(super) const ADDRESS_MAX_BYTES: usize = 2048;

/// Most requests that are answered at once; others are asked to come again.
const RUNNING_MAX_REQUESTS: usize = 32;

/// How long an answer may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How many requests a visitor has at once: a person who opens many pages in tabs, a reader of several feeds.
pub(super) const BURST_MAX_REQUESTS: u32 = 60;

/// How long it takes until a visitor has one more.
pub(super) const PACE: Duration = Duration::from_millis(200);

/// Most visitors that are told apart; beyond it those who came last are turned away until others are forgotten.
const VISITORS_MAX_COUNT: usize = 50_000;

/// What a page may load and do: its own style, pictures and scripts, and forms that ask it again. What people wrote is
/// never served as a script.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Time as tokio tells it, so that tests can pause it.
#[derive(Clone, Debug)]
struct TokioClock {
    start: Instant,
}

impl Clock for TokioClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

type Paces = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, TokioClock, NoOpMiddleware<Duration>>;

/// The bounds that all requests share.
pub(super) struct Guard {
    paces: Paces,
    clock: TokioClock,
    running: Semaphore,
}

impl Guard {
    /// Nobody has asked for anything yet.
    pub(super) fn new() -> Arc<Self> {
        let clock = TokioClock { start: Instant::now() };
        let burst = NonZeroU32::new(BURST_MAX_REQUESTS).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(PACE).unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(burst);
        let paces = RateLimiter::hashmap_with_clock(quota, clock.clone());
        Arc::new(Self { paces, clock, running: Semaphore::new(RUNNING_MAX_REQUESTS) })
    }

    /// How long a visitor has to wait; nothing when it is their turn.
    fn wait(&self, visitor: IpAddr) -> Option<Duration> {
        if self.paces.len() >= VISITORS_MAX_COUNT {
            self.paces.retain_recent();
            if self.paces.len() >= VISITORS_MAX_COUNT {
                return Some(PACE);
            }
        }
        self.paces.check_key(&visitor).err().map(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}

/// Lets a request pass, or answers why not.
pub(super) async fn bounds(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let visitor = visitor(request.extensions().get::<Peer>().map(|peer| peer.0), request.headers());
    if let Some(wait) = guard.wait(visitor) {
        let seconds = wait.as_secs() + 1;
        return later(StatusCode::TOO_MANY_REQUESTS, seconds, "Too many requests. Please come again a little later.\n");
    }
    let Ok(_seat) = guard.running.try_acquire() else {
        return later(StatusCode::SERVICE_UNAVAILABLE, 1, "Too many visitors at once. Please come again.\n");
    };
    match tokio::time::timeout(ANSWER_TIMEOUT, next.run(request)).await {
        Ok(answer) => answer,
        Err(_) => later(StatusCode::SERVICE_UNAVAILABLE, 5, "That took too long. Please come again.\n"),
    }
}

/// Refuses what is no request for a page, and tells the browser what a page may do.
pub(super) async fn manners(request: Request, next: Next) -> Response {
    let too_long = request.uri().path_and_query().is_some_and(|asked| asked.as_str().len() > ADDRESS_MAX_BYTES);
    let has_body = request.headers().contains_key(header::TRANSFER_ENCODING)
        || request.headers().get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
    // Pages of the past, and parts of a journal, are for people who look for them.
    let unlisted = request.uri().query().is_some();
    let mut answer = if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "Nothing can be changed here.\n");
        answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        close(answer)
    } else if has_body {
        close(plain(StatusCode::BAD_REQUEST, "A request for a page has no body.\n"))
    } else if too_long {
        close(plain(StatusCode::URI_TOO_LONG, "The address is too long.\n"))
    } else {
        next.run(request).await
    };
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if unlisted {
        headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    answer
}

/// A short text as an answer.
pub(super) fn plain(status: StatusCode, text: impl Into<Body>) -> Response {
    let mut answer = Response::new(text.into());
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

fn later(status: StatusCode, seconds: u64, text: &'static str) -> Response {
    let mut answer = plain(status, text);
    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    answer
}

/// Ends the connection after this answer: what follows the head is not read.
fn close(mut answer: Response) -> Response {
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// Who asks: the other end of the connection, or, where that is a proxy on this machine, whom the proxy names last.
fn visitor(peer: Option<IpAddr>, headers: &HeaderMap) -> IpAddr {
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let named = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    household(if peer.is_loopback() { named().unwrap_or(peer) } else { peer })
}

/// Whom an address stands for: a household has one IPv6 network, so that counts as one visitor.
pub(super) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(text: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static(text))])
    }

    #[test]
    fn a_visitor_is_whom_a_proxy_on_this_machine_names_and_nobody_can_name_themselves() {
        let (local, far): (IpAddr, IpAddr) = ("127.0.0.1".parse().unwrap(), "198.51.100.7".parse().unwrap());
        let named = forwarded("203.0.113.9, 198.51.100.8");
        assert_eq!(visitor(Some(local), &named), "198.51.100.8".parse::<IpAddr>().unwrap());
        assert_eq!(visitor(Some(far), &named), far);
        assert_eq!(visitor(Some(local), &forwarded("nonsense")), local);
        let six = visitor(Some("2001:db8:1:2:3:4:5:6".parse().unwrap()), &HeaderMap::new());
        assert_eq!(six, "2001:db8:1:2::".parse::<IpAddr>().unwrap());
        assert_eq!(visitor(Some("::ffff:198.51.100.7".parse().unwrap()), &HeaderMap::new()), far);
    }
}
