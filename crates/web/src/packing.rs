//! What an answer weighs: one that a browser has already is not sent again, and a text is packed for those who unpack it.
//!
//! The tag of an answer is the hash of its text. So nothing has to know what a page depends on, and the same page has
//! the same tag after a restart.

use std::io::Write as _;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

/// Longest answer that is held to be packed, in bytes: the rulebook of a large room several times over.
const HELD_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Shorter texts gain nothing by being packed.
const PACKED_MIN_BYTES: usize = 1024;

/// How the kinds of answers begin that are texts; a stream of events has no end to wait for.
const TEXTS: [&str; 6] = ["text/html", "text/plain", "text/css", "text/markdown", "text/javascript", "application/"];

/// Gives an answer its tag, leaves out what the browser has, and packs the rest.
pub(super) async fn pack(mut request: Request, next: Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let unpacks = takes_gzip(request.headers());
    // Who asks for the head alone is told what a whole answer would say; the server leaves out its text.
    if request.method() == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    let answer = next.run(request).await;
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = TEXTS.iter().any(|text| kind.starts_with(text)) || kind.starts_with("image/svg");
    if !is_text || answer.status() != StatusCode::OK {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let Ok(bytes) = to_bytes(body, HELD_MAX_BYTES).await else {
        tracing::error!("an answer is too long to be sent");
        return Response::from_parts(head, Body::empty());
    };
    let tag = format!("W/\"{}\"", hex::encode(&Sha256::digest(&bytes)[..12]));
    let has =
        known.is_some_and(|known| known.to_str().is_ok_and(|known| known.split(',').any(|one| one.trim() == tag)));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers.insert(header::ETAG, tag);
    }
    head.headers.append(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
    if has {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(header::CONTENT_TYPE);
        head.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(head, Body::empty());
    }
    let packed = if unpacks && bytes.len() >= PACKED_MIN_BYTES { gzip(&bytes) } else { None };
    match packed {
        Some(packed) => {
            head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            head.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(head, Body::from(packed))
        }
        None => Response::from_parts(head, Body::from(bytes)),
    }
}

/// Whether a browser unpacks: it names `gzip` and does not refuse it.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(HeaderName::from_static("accept-encoding")).iter();
    let mut ways = accepted.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    ways.any(|way| {
        let (name, quality) = way.split_once(';').unwrap_or((way, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|of| of.parse::<f32>().is_ok_and(|of| of <= 0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    out.write_all(bytes).ok()?;
    out.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_unpacks_says_so() {
        for (said, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.8", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(said))]);
            assert_eq!(takes_gzip(&headers), takes, "{said}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
