//! Pages that follow what goes on in a room, by events that the server sends.

use std::{convert::Infallible, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::Response,
};
use futures::stream;

use crate::page::{Site, asked, no_page, typed};
use kernel::Seq;

/// A stream with an event for each time that something happened in a room, with its last entry. It ends with its
/// connection, and a browser opens another.
pub(super) async fn events(
    State(site): State<Arc<Site>>,
    Path(room): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(card) = site.gallery.room(&room) else { return site.not_shown(&no_page(), &room, false) };
    let after = asked(query.as_deref(), "after").and_then(|after| after.parse::<Seq>().ok()).unwrap_or(card.seq);
    let next = move |after: Seq| {
        let (site, room) = (site.clone(), card.name.clone());
        async move {
            let seq = site.gallery.moved(&room, after).await?;
            Some((Ok::<_, Infallible>(Bytes::from(format!("data: {seq}\n\n"))), seq))
        }
    };
    // The first line tells a browser that the stream is open, and when to come back.
    let first = stream::iter([Ok(Bytes::from_static(b"retry: 5000\n\n"))]);
    let events = futures::StreamExt::chain(first, stream::unfold(after, next));
    typed(StatusCode::OK, Body::from_stream(events), "text/event-stream")
}
