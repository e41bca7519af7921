//! Which page an address means.
//!
//! Every page can be had as JSON by `.json` behind its path: the same documents, with the room and its last entry. A
//! text that a page cuts, because it is long, lies whole behind `.txt`. What a request may cost was judged before it
//! comes here.

mod changes;
mod displays;
mod entries;
mod live;
mod rooms;
mod rulebook;
mod search;

use std::sync::{Arc, Mutex};

use askama::Template;
use axum::{
    Router,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
    routing::get,
};
use sha2::{Digest as _, Sha256};

use super::{
    feed::Feed,
    guard::{self, Guard, plain},
    packing,
    page::{Site, form, no_page, typed},
};
use changes::CHANGES;
use port::gallery::Gallery;
use rooms::ABOUT;
use rulebook::{MARKDOWN_SUFFIX, RULEBOOK};
use search::SEARCH;

/// The style of all pages.
const STYLE: &str = include_str!("style.css");

/// The scripts of the site: one plays films, one follows what goes on in a room.
const SCRIPTS: [(&str, &str); 2] = [("film", include_str!("film.js")), ("live", include_str!("live.js"))];

/// The sign of the site in a browser's tab.
const ICON: &str = include_str!("icon.svg");

/// What machines that read every page are asked to leave out: the past of every display at every entry is without end.
const ROBOTS: &str = "User-agent: *\nDisallow: /*?\n";

/// The pages, for a site under an absolute address such as `https://nomic.example`, without a slash at its end. People
/// may be invited to a place elsewhere.
pub fn router(gallery: Arc<dyn Gallery>, absolute: &str, invitation: Option<&str>) -> Router {
    let base =
        url::Url::parse(absolute).map_or_else(|_| String::new(), |url| url.path().trim_end_matches('/').to_owned());
    // Its name changes with it, so that browsers may keep it for ever.
    let named = |name: &str, text: &str, kind| format!("/{name}-{}.{kind}", hex::encode(&Sha256::digest(text)[..8]));
    let style = named("style", STYLE, "css");
    let scripts = SCRIPTS.map(|(name, text)| named(name, text, "js"));
    let assets = SCRIPTS.iter().zip(&scripts).fold(Router::new(), |router, ((_, text), path)| {
        router.route(path, get(|| async { asset(text, "text/javascript; charset=utf-8") }))
    });
    let pages = assets
        .route("/", get(rooms::front))
        .route("/rooms.json", get(rooms::list))
        .route(&style, get(|| async { asset(STYLE, "text/css; charset=utf-8") }))
        .route("/robots.txt", get(|| async { typed(StatusCode::OK, ROBOTS, "text/plain; charset=utf-8") }))
        .route("/icon.svg", get(|| async { asset(ICON, "image/svg+xml") }))
        .route("/room/{room}", get(rooms::overview))
        .route("/room/{room}/feed.atom", get(feed))
        .route("/room/{room}/events", get(live::events))
        .route("/room/{room}/journal", get(entries::journal))
        .route("/room/{room}/journal.json", get(entries::journal_json))
        .route("/room/{room}/entry/{seq}", get(entries::entry))
        .route("/room/{room}/rule/{*rule}", get(displays::rule))
        .route("/room/{room}/show/{*display}", get(displays::show))
        .route("/room/{room}/{page}", get(common))
        .fallback(missing);
    let (absolute, invitation) = (absolute.to_owned(), invitation.map(str::to_owned));
    let site = Arc::new(Site { gallery, base, absolute, style, scripts, invitation, names: Mutex::default() });
    let health = Router::new().route("/healthz", get(|| async { "alive\n" })).route("/readyz", get(ready));
    let pages = pages.layer(axum::middleware::from_fn_with_state(Arc::clone(&site), slashless));
    let guarded = pages.layer(axum::middleware::from_fn_with_state(Guard::new(), guard::bounds));
    let guarded = guarded.layer(axum::middleware::from_fn(packing::pack));
    health.merge(guarded).with_state(site).layer(axum::middleware::from_fn(guard::manners))
}

fn asset(text: &'static str, kind: &'static str) -> Response {
    let mut answer = typed(StatusCode::OK, text, kind);
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    answer.headers_mut().insert(header::CACHE_CONTROL, kept);
    answer
}

async fn ready(State(site): State<Arc<Site>>) -> Response {
    if site.gallery.ready().await {
        plain(StatusCode::OK, "ready\n")
    } else {
        plain(StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

async fn missing(State(site): State<Arc<Site>>) -> Response {
    site.not_shown(&no_page(), "", false)
}

/// Leads to the page of an address that ends in a slash. Only below `/room/`: elsewhere a path could be read as the
/// name of another site.
async fn slashless(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let uri = request.uri();
    let path = uri.path().trim_end_matches('/');
    if path.len() == uri.path().len() || !path.starts_with("/room/") {
        return next.run(request).await;
    }
    let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
    axum::response::Redirect::permanent(&format!("{}{path}{query}", site.base)).into_response()
}

async fn common(
    State(site): State<Arc<Site>>,
    Path((room, page)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    if page.strip_suffix(MARKDOWN_SUFFIX) == Some(RULEBOOK) {
        return rulebook::rulebook(&site, &room, query.as_deref(), rulebook::Form::Markdown).await;
    }
    let (name, wants_json) = form(&page);
    if name == RULEBOOK {
        let form = if wants_json { rulebook::Form::Json } else { rulebook::Form::Page };
        return rulebook::rulebook(&site, &room, query.as_deref(), form).await;
    }
    if name == CHANGES {
        return changes::changes(&site, &room, query.as_deref(), wants_json).await;
    }
    if name == SEARCH {
        return search::search(&site, &room, query.as_deref(), wants_json).await;
    }
    if name == ABOUT {
        return rooms::about(&site, &room, wants_json).await;
    }
    let display = match name {
        "rules" => "rules",
        "people" => "players",
        _ => return site.not_shown(&no_page(), &room, wants_json),
    };
    displays::display_page(&site, &room, display, query.as_deref(), wants_json).await
}

async fn feed(State(site): State<Arc<Site>>, Path(room): Path<String>) -> Response {
    let announced = match site.gallery.announcements(&room).await {
        Ok(announced) => announced,
        Err(why) => return site.not_shown(&why, &room, false),
    };
    let Some(card) = site.gallery.room(&room) else { return missing(State(site)).await };
    match Feed::new(&card, &announced, &site.absolute, &site.names(&card)).and_then(|feed| feed.render()) {
        Ok(xml) => typed(StatusCode::OK, xml, "application/atom+xml; charset=utf-8"),
        Err(error) => {
            tracing::error!(%error, "a feed could not be laid out");
            (StatusCode::INTERNAL_SERVER_ERROR, "Something broke inside the bot.\n").into_response()
        }
    }
}
