//! Which page an address means.
//!
//! Every page can be had as JSON by `.json` behind its path: the same documents, with the room and its last entry. A
//! text that a page cuts, because it is long, lies whole behind `.txt`. What a request may cost was judged before it
//! comes here.

mod rulebook;

use std::sync::Arc;

use askama::Template;
use axum::{
    Router,
    body::Body,
    extract::{Path, RawQuery, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
    routing::get,
};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::{
    feed::Feed,
    guard::{self, Guard, plain},
    render::{Links, Sheet, clean, encoded},
};
use kernel::{Refusal, Seq, display::Document};
use port::gallery::{Card, Filter, Gallery, NotShown, display_path, entry_path, room_path};

/// The style of all pages.
const STYLE: &str = include_str!("style.css");

/// The sign of the site in a browser's tab.
const ICON: &str = include_str!("icon.svg");

/// What stands behind the path of a page for its JSON.
const JSON_SUFFIX: &str = ".json";

/// What stands behind the path of a page for the text that it shows the beginning of.
const TEXT_SUFFIX: &str = ".txt";

/// The page of all rules, and what stands behind its path for its Markdown.
const RULEBOOK: &str = "rulebook";
const MARKDOWN_SUFFIX: &str = ".md";

/// What machines that read every page are asked to leave out: the past of every display at every entry is without end.
const ROBOTS: &str = "User-agent: *\nDisallow: /*?\n";

/// What all pages share.
struct Site {
    gallery: Arc<dyn Gallery>,
    /// What stands before every path in a link.
    base: String,
    /// The same with the site's name, for links that leave the page.
    absolute: String,
    style: String,
}

/// The pages, for a site under an absolute address such as `https://nomic.example`, without a slash at its end.
pub fn router(gallery: Arc<dyn Gallery>, absolute: &str) -> Router {
    let base =
        url::Url::parse(absolute).map_or_else(|_| String::new(), |url| url.path().trim_end_matches('/').to_owned());
    // Its name changes with it, so that browsers may keep it for ever.
    let style = format!("/style-{}.css", hex::encode(&Sha256::digest(STYLE)[..8]));
    let pages = Router::new()
        .route("/", get(rooms))
        .route("/rooms.json", get(rooms_json))
        .route(&style, get(|| async { asset(STYLE, "text/css; charset=utf-8") }))
        .route("/robots.txt", get(|| async { typed(StatusCode::OK, ROBOTS, "text/plain; charset=utf-8") }))
        .route("/icon.svg", get(|| async { asset(ICON, "image/svg+xml") }))
        .route("/room/{room}", get(overview))
        .route("/room/{room}/feed.atom", get(feed))
        .route("/room/{room}/journal", get(journal))
        .route("/room/{room}/journal.json", get(journal_json))
        .route("/room/{room}/entry/{seq}", get(entry))
        .route("/room/{room}/rule/{*rule}", get(rule))
        .route("/room/{room}/show/{*display}", get(show))
        .route("/room/{room}/{page}", get(common))
        .fallback(missing);
    let site = Arc::new(Site { gallery, base, absolute: absolute.to_owned(), style });
    let health = Router::new().route("/healthz", get(|| async { "alive\n" })).route("/readyz", get(ready));
    let pages = pages.layer(axum::middleware::from_fn_with_state(Arc::clone(&site), slashless));
    let guarded = pages.layer(axum::middleware::from_fn_with_state(Guard::new(), guard::bounds));
    health.merge(guarded).with_state(site).layer(axum::middleware::from_fn(guard::manners))
}

/// A page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    site: &'a Site,
    status: StatusCode,
    title: String,
    heading: String,
    room: Option<Nav>,
    /// What it holds, as places on it: where, and what stands there.
    contents: Vec<(String, String)>,
    /// What the page is made of.
    sheets: Vec<Sheet>,
    /// Other displays: address and title.
    displays: Vec<(String, String)>,
    /// The journal's filter.
    filter: Option<Filter>,
    /// The moment that it is as of, where it can be another one.
    moment: Option<AsOf>,
    /// Where more of the same is: address and words.
    more: Vec<(String, &'static str)>,
    json: Option<String>,
    /// The page that comes after it by itself, while a film plays: without a script, a browser can go on only so.
    next: Option<String>,
}

/// The way around a room.
struct Nav {
    name: String,
    path: String,
}

/// The moment that a page is as of, and the way to others.
struct AsOf {
    /// As typed.
    typed: String,
    /// An entry that can be typed.
    example: Seq,
    /// The entry before it, where the same was there.
    earlier: Option<Seq>,
    /// The last entry, where it is another moment and the same is still there.
    now: Option<Seq>,
    /// The same page without a moment.
    path: String,
}

impl AsOf {
    /// That of a page which is shown as of an entry, because a moment was asked for or because it is now.
    fn shown(moment: Option<String>, seq: Seq, now: Option<Seq>, path: String) -> Self {
        let earlier = seq.checked_sub(1).filter(|seq| *seq > 0);
        Self { typed: clean(&moment.unwrap_or_default()), example: seq, earlier, now, path }
    }
}

/// What stands behind the links of a page that is as of a moment.
fn as_of(moment: Option<&str>) -> String {
    moment.map_or_else(String::new, |moment| format!("?{MOMENT}={}", encoded(moment)))
}

impl<'a> Page<'a> {
    fn new(site: &'a Site, heading: &str, room: Option<&Card>) -> Self {
        let heading = clean(heading);
        let title = match room {
            Some(card) if card.name != heading => format!("{heading} · {}", clean(&card.name)),
            _ => heading.clone(),
        };
        let room =
            room.map(|card| Nav { name: clean(&card.name), path: format!("{}{}", site.base, room_path(&card.name)) });
        let (sheets, displays, more) = (Vec::new(), Vec::new(), Vec::new());
        let status = StatusCode::OK;
        Self {
            site,
            status,
            title,
            heading,
            room,
            contents: Vec::new(),
            sheets,
            displays,
            filter: None,
            moment: None,
            more,
            json: None,
            next: None,
        }
    }

    fn with(mut self, documents: &[Document], links: Links<'_>) -> Self {
        self.sheets.extend(documents.iter().map(|document| Sheet::new(document, &self.heading, links)));
        self
    }

    fn answer(&self) -> Response {
        match self.render() {
            Ok(html) => typed(self.status, html, "text/html; charset=utf-8"),
            Err(error) => {
                tracing::error!(%error, "a page could not be laid out");
                plain(StatusCode::INTERNAL_SERVER_ERROR, "Something broke inside the bot.\n")
            }
        }
    }
}

impl Site {
    fn links<'a>(&'a self, room: &'a str) -> Links<'a> {
        Links { base: &self.base, room, suffix: "", figures: true, people: false }
    }

    /// A page that says why there is none, with the way around its room where there is such a room.
    fn failed(&self, why: &NotShown, room: &str) -> Page<'_> {
        let (status, heading, text) = reason(why);
        let card = self.gallery.room(room);
        let mut page = Page::new(self, heading, card.as_ref()).with(&[Document::say(text)], self.links(""));
        page.status = status;
        page
    }

    /// The same as an answer, or as JSON.
    fn not_shown(&self, why: &NotShown, room: &str, wants_json: bool) -> Response {
        if wants_json {
            let (status, _, text) = reason(why);
            return typed(status, json!({ "error": text }).to_string(), "application/json");
        }
        self.failed(why, room).answer()
    }

    /// Whether a display is there now.
    async fn has(&self, room: &str, display: &str) -> bool {
        self.gallery.show(room, display, None).await.is_ok()
    }
}

/// Why something is not shown: for the head of the answer, as a heading, and in words.
fn reason(why: &NotShown) -> (StatusCode, &'static str, String) {
    match why {
        NotShown::Absent(refusal) => (StatusCode::NOT_FOUND, "Not here", sentence(&refusal.say)),
        NotShown::Broke(id) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something broke",
            format!("Something broke inside the bot. Its operator finds the cause as fault {id}."),
        ),
    }
}

fn no_page() -> NotShown {
    NotShown::Absent(Refusal::new("there is no such page"))
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

fn typed(status: StatusCode, body: impl Into<Body>, kind: &'static str) -> Response {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn asset(text: &'static str, kind: &'static str) -> Response {
    let mut answer = typed(StatusCode::OK, text, kind);
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    answer.headers_mut().insert(header::CACHE_CONTROL, kept);
    answer
}

/// A page as JSON: the room, its last entry, and what else there is.
fn as_json(room: &Card, more: Json) -> Response {
    let mut all = json!({ "room": room.name, "game": room.game, "seq": room.seq });
    if let (Json::Object(all), Json::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    typed(StatusCode::OK, all.to_string(), "application/json")
}

/// What a query calls the moment that a page is as of.
const MOMENT: &str = "as-of";

/// A path without `.json`, and whether it had it.
fn form(path: &str) -> (&str, bool) {
    path.strip_suffix(JSON_SUFFIX).map_or((path, false), |path| (path, true))
}

/// A value of a query; nothing where it is empty.
fn asked(query: Option<&str>, name: &str) -> Option<String> {
    let mut pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
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

/// What an address asks for to let a film go on by itself.
const PLAY: &str = "play";

async fn rooms(State(site): State<Arc<Site>>) -> Response {
    let mut page = Page::new(&site, "Rooms", None).with(&[site.gallery.rooms()], site.links(""));
    page.json = Some(format!("{}/rooms.json", site.base));
    page.answer()
}

async fn rooms_json(State(site): State<Arc<Site>>) -> Response {
    typed(StatusCode::OK, json!({ "document": site.gallery.rooms() }).to_string(), "application/json")
}

async fn overview(State(site): State<Arc<Site>>, Path(room): Path<String>) -> Response {
    // A room may be called like another one's JSON.
    let (room, wants_json) = if site.gallery.room(&room).is_some() { (&*room, false) } else { form(&room) };
    let overview = match site.gallery.overview(room).await {
        Ok(overview) => overview,
        Err(why) => return site.not_shown(&why, room, wants_json),
    };
    let card = &overview.room;
    if wants_json {
        let displays: Vec<Json> =
            overview.displays.iter().map(|(id, title)| json!({ "id": id, "title": title })).collect();
        return as_json(card, json!({ "document": overview.about, "first": overview.first, "displays": displays }));
    }
    let links = site.links(&card.name);
    let mut page = Page::new(&site, &card.name, Some(card)).with(&overview.first, links).with(&[overview.about], links);
    let address = |id: &str| format!("{}{}", site.base, display_path(&card.name, id));
    page.displays = overview.displays.iter().map(|(id, title)| (address(id), clean(title))).collect();
    page.json = Some(format!("{}{}{JSON_SUFFIX}", site.base, room_path(&card.name)));
    page.answer()
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
    let display = match name {
        "rules" => "rules",
        "people" => "players",
        _ => return site.not_shown(&no_page(), &room, wants_json),
    };
    display_page(&site, &room, display, query.as_deref(), wants_json).await
}

async fn rule(
    State(site): State<Arc<Site>>,
    Path((room, rule)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let (rule, wants_json) = form(&rule);
    display_page(&site, &room, &format!("rule/{rule}"), query.as_deref(), wants_json).await
}

async fn show(
    State(site): State<Arc<Site>>,
    Path((room, display)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    if let Some(display) = display.strip_suffix(TEXT_SUFFIX) {
        return match site.gallery.text(&room, display, asked(query.as_deref(), MOMENT).as_deref()).await {
            Ok(text) => typed(StatusCode::OK, text, "text/plain; charset=utf-8"),
            Err(why) => site.not_shown(&why, &room, false),
        };
    }
    let (display, wants_json) = form(&display);
    display_page(&site, &room, display, query.as_deref(), wants_json).await
}

async fn display_page(site: &Site, room: &str, display: &str, query: Option<&str>, wants_json: bool) -> Response {
    let moment = asked(query, MOMENT);
    let shown = match site.gallery.show(room, display, moment.as_deref()).await {
        Ok(shown) => shown,
        Err(why) if wants_json => return site.not_shown(&why, room, true),
        Err(why) => return not_then(site, &why, room, display, moment).await,
    };
    let card = &shown.room;
    if wants_json {
        return as_json(card, json!({ "as_of": shown.seq, "document": shown.document }));
    }
    let path = format!("{}{}", site.base, display_path(&card.name, display));
    let suffix = as_of(moment.as_deref());
    let links = Links { suffix: &suffix, people: display == "players", ..site.links(&card.name) };
    let plays = shown.document.plays.clone();
    let mut page = Page::new(site, &shown.document.title, Some(card)).with(&[shown.document], links);
    if let Some(next) = plays {
        let joint = if suffix.is_empty() { "?" } else { "&" };
        let playing = format!("{suffix}{joint}{PLAY}=1");
        if asked(query, PLAY).is_some() {
            page.next = Some(format!("{}{}{playing}", site.base, display_path(&card.name, &next)));
            page.more.push((format!("{path}{suffix}"), "Pause"));
        } else {
            page.more.push((format!("{path}{playing}"), "Play"));
        }
    }
    if display.starts_with("rule/") && !display.contains("/history") {
        page.more.push((format!("{path}/history{suffix}"), "All changes of this rule"));
    }
    if display == "rules" {
        page.more.push((format!("{}{}/{RULEBOOK}{suffix}", site.base, room_path(&card.name)), "All rules on one page"));
    }
    if shown.whole {
        page.more.push((format!("{path}{TEXT_SUFFIX}{suffix}"), "The whole text, as plain text"));
    }
    page.json = Some(format!("{path}{JSON_SUFFIX}{suffix}"));
    let now = (moment.is_some() && site.has(room, display).await).then_some(card.seq);
    page.moment = Some(AsOf::shown(moment, shown.seq, now, path));
    page.answer()
}

/// The page of a display that is not there at a moment. Where it is there now, that is no mistake of whoever walks back
/// through its past.
async fn not_then(site: &Site, why: &NotShown, room: &str, display: &str, moment: Option<String>) -> Response {
    let mut page = site.failed(why, room);
    let Some(typed) = moment else { return page.answer() };
    if let Some(card) = site.gallery.room(room)
        && site.has(room, display).await
    {
        // The room itself is there at every moment that there is.
        if let Ok(then) = site.gallery.show(room, "room", Some(&typed)).await {
            let text = format!("This is not to be seen as of entry {}, but it is now.", then.seq);
            page = Page::new(site, "Not at that moment", Some(&card)).with(&[Document::say(text)], site.links(""));
        }
        let path = format!("{}{}", site.base, display_path(&card.name, display));
        let (typed, example, now) = (clean(&typed), card.seq, Some(card.seq));
        page.moment = Some(AsOf { typed, example, earlier: None, now, path });
    }
    page.answer()
}

async fn journal(State(site): State<Arc<Site>>, Path(room): Path<String>, RawQuery(query): RawQuery) -> Response {
    journal_page(&site, &room, query.as_deref(), false).await
}

async fn journal_json(State(site): State<Arc<Site>>, Path(room): Path<String>, RawQuery(query): RawQuery) -> Response {
    journal_page(&site, &room, query.as_deref(), true).await
}

async fn journal_page(site: &Site, room: &str, query: Option<&str>, wants_json: bool) -> Response {
    let text = |name| asked(query, name).unwrap_or_default();
    let filter = Filter { actor: text("actor"), kind: text("kind"), about: text("about"), before: None };
    let again =
        Filter { actor: clean(&filter.actor), kind: clean(&filter.kind), about: clean(&filter.about), before: None };
    let leaf = match asked(query, "before").map(|before| (before.parse::<Seq>(), before)) {
        Some((Err(_), typed)) => Err(NotShown::Absent(Refusal::new(format!("“{typed}” is no entry")))),
        before => {
            let before = before.and_then(|(before, _)| before.ok());
            site.gallery.journal(room, &Filter { before, ..filter.clone() }).await.map(|leaf| (leaf, before))
        }
    };
    let (leaf, before) = match leaf {
        Ok(found) => found,
        Err(why) if wants_json => return site.not_shown(&why, room, true),
        Err(why) => {
            let mut page = site.failed(&why, room);
            page.filter = page.room.is_some().then_some(again);
            return page.answer();
        }
    };
    let card = &leaf.room;
    if wants_json {
        return as_json(card, json!({ "document": leaf.document, "older": leaf.older }));
    }
    let path = format!("{}{}", site.base, display_path(&card.name, "history"));
    let kept: String = [("actor", &filter.actor), ("kind", &filter.kind), ("about", &filter.about)]
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}&", encoded(value)))
        .collect();
    let mut page = Page::new(site, "The journal", Some(card)).with(&[leaf.document], site.links(&card.name));
    if before.is_some() {
        page.more.push((format!("{path}?{kept}"), "The latest entries"));
    }
    if let Some(older) = leaf.older {
        page.more.push((format!("{path}?{kept}before={older}"), "Older entries"));
    }
    let before = before.map_or_else(String::new, |seq| format!("before={seq}"));
    page.json = Some(format!("{path}{JSON_SUFFIX}?{kept}{before}").trim_end_matches(['?', '&']).to_owned());
    page.filter = Some(again);
    page.answer()
}

async fn entry(State(site): State<Arc<Site>>, Path((room, seq)): Path<(String, String)>) -> Response {
    let (seq, wants_json) = form(&seq);
    let Ok(seq) = seq.parse::<Seq>() else {
        let why = NotShown::Absent(Refusal::new("an entry has a number"));
        return site.not_shown(&why, &room, wants_json);
    };
    let told = match site.gallery.entry(&room, seq).await {
        Ok(told) => told,
        Err(why) => return site.not_shown(&why, &room, wants_json),
    };
    let card = &told.room;
    if wants_json {
        return as_json(card, json!({ "document": told.document, "announced": told.announced }));
    }
    let links = site.links(&card.name);
    let mut page = Page::new(&site, &told.document.title, Some(card)).with(&[told.document], links);
    if !told.announced.is_empty() {
        // What was announced is about that moment: its links lead there.
        let then = format!("?{MOMENT}={seq}");
        let links_then = Links { suffix: &then, ..links };
        page = page.with(&[Document::titled("", "What it announced")], links).with(&told.announced, links_then);
    }
    let address = |seq: Seq| format!("{}{}", site.base, entry_path(&card.name, seq));
    if seq > 1 {
        page.more.push((address(seq - 1), "The entry before"));
    }
    if seq < card.seq {
        page.more.push((address(seq + 1), "The entry after"));
    }
    page.json = Some(format!("{}{JSON_SUFFIX}", address(seq)));
    page.answer()
}

async fn feed(State(site): State<Arc<Site>>, Path(room): Path<String>) -> Response {
    let announced = match site.gallery.announcements(&room).await {
        Ok(announced) => announced,
        Err(why) => return site.not_shown(&why, &room, false),
    };
    let Some(card) = site.gallery.room(&room) else { return missing(State(site)).await };
    match Feed::new(&card, &announced, &site.absolute).and_then(|feed| feed.render()) {
        Ok(xml) => typed(StatusCode::OK, xml, "application/atom+xml; charset=utf-8"),
        Err(error) => {
            tracing::error!(%error, "a feed could not be laid out");
            (StatusCode::INTERNAL_SERVER_ERROR, "Something broke inside the bot.\n").into_response()
        }
    }
}
