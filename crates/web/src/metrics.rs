//! Counts for the operator, in the text form of Prometheus, on a port of their own: they are nobody else's business.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, header},
    response::Response,
    routing::get,
};

use super::guard;
use port::gallery::{Gallery, Metric};

/// The pages of the port: one.
pub(super) fn router(gallery: Arc<dyn Gallery>) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(gallery).layer(axum::middleware::from_fn(guard::manners))
}

async fn metrics(State(gallery): State<Arc<dyn Gallery>>) -> Response {
    let mut answer = Response::new(text(&gallery.metrics().await).into());
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

fn text(metrics: &[Metric]) -> String {
    let mut out = String::new();
    for Metric { name, help, kind, samples } in metrics {
        let fail = "writing into a string does not fail";
        writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}").expect(fail);
        for (rest, value) in samples {
            writeln!(out, "{name}{rest} {value}").expect(fail);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_lines() {
        let metric = Metric {
            name: "a_seconds",
            help: "How long.",
            kind: "histogram",
            samples: vec![("_bucket{le=\"+Inf\"}".to_owned(), 3.0), ("_sum".to_owned(), 0.25)],
        };
        let expected = "# HELP a_seconds How long.\n# TYPE a_seconds histogram\n\
                        a_seconds_bucket{le=\"+Inf\"} 3\na_seconds_sum 0.25\n";
        assert_eq!(text(&[metric]), expected);
    }
}
