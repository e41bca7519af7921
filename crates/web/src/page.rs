//! What all pages share: the site, the frame of a page, the moment that it is as of, and answers without a page.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use askama::Template;
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use serde_json::{Value as Json, json};

use super::{
    changes::Changes,
    glance::Panel,
    guard::plain,
    names::Names,
    render::{Links, Sheet, clean, encoded},
    timeline::Timeline,
};
use kernel::{Refusal, Seq, display::Document};
use port::gallery::{Card, Filter, Gallery, NotShown, display_path, room_path};

/// What stands behind the path of a page for its JSON.
pub(crate) const JSON_SUFFIX: &str = ".json";

/// Most rooms of which names are kept read.
const NAMES_MAX_ROOMS: usize = 64;

/// What a query calls the moment that a page is as of.
pub(crate) const MOMENT: &str = "as-of";

/// No names, for what the program says of itself.
pub(crate) static NAMELESS: Names = Names::none();

/// What all pages share.
pub(crate) struct Site {
    pub(crate) gallery: Arc<dyn Gallery>,
    /// What stands before every path in a link.
    pub(crate) base: String,
    /// The same with the site's name, for links that leave the page.
    pub(crate) absolute: String,
    pub(crate) style: String,
    /// The scripts of the site: for films, and for pages that follow their room.
    pub(crate) scripts: [String; 2],
    /// Where people are invited to play, such as a server of Discord.
    pub(crate) invitation: Option<String>,
    /// The names of rooms, as of their last entries.
    pub(crate) names: Mutex<HashMap<String, Arc<Names>>>,
}

/// A page.
#[derive(Template)]
#[template(path = "page.html")]
pub(crate) struct Page<'a> {
    pub(crate) site: &'a Site,
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    pub(crate) heading: String,
    pub(crate) room: Option<Nav>,
    /// What it holds, as places on it: where, and what stands there.
    pub(crate) contents: Vec<(String, String)>,
    /// What the site is, in a sentence of its own.
    pub(crate) welcome: bool,
    /// What goes on in rooms.
    pub(crate) panels: Vec<Panel>,
    /// What the page is made of.
    pub(crate) sheets: Vec<Sheet>,
    /// The last entry that it takes into account, where it follows what goes on in its room.
    pub(crate) live: Option<Seq>,
    /// The rules as of two moments.
    pub(crate) changes: Option<Changes>,
    /// What is looked for.
    pub(crate) words: String,
    /// Entries in sentences.
    pub(crate) timeline: Option<Timeline>,
    /// Other displays: address and title.
    pub(crate) displays: Vec<(String, String)>,
    /// The journal's filter.
    pub(crate) filter: Option<Filter>,
    /// The moment that it is as of, where it can be another one.
    pub(crate) moment: Option<AsOf>,
    /// The form for the moment since which changes are coloured: its page, the moment as typed, and what else is kept.
    pub(crate) since: Option<(String, String, String)>,
    /// Where more of the same is: address and words.
    pub(crate) more: Vec<(String, String)>,
    pub(crate) json: Option<String>,
    /// The page that comes after it by itself, while a film plays: without a script, a browser can go on only so.
    pub(crate) next: Option<String>,
}

/// The way around a room.
pub(crate) struct Nav {
    pub(crate) name: String,
    pub(crate) path: String,
}

/// The moment that a page is as of, and the way to others.
pub(crate) struct AsOf {
    /// As typed.
    pub(crate) typed: String,
    /// An entry that can be typed.
    pub(crate) example: Seq,
    /// The entry before it, where the same was there.
    pub(crate) earlier: Option<Seq>,
    /// The last entry, where it is another moment and the same is still there.
    pub(crate) now: Option<Seq>,
    /// The same page without a moment.
    pub(crate) path: String,
}

impl AsOf {
    /// That of a page which is shown as of an entry, because a moment was asked for or because it is now.
    pub(crate) fn shown(moment: Option<String>, seq: Seq, now: Option<Seq>, path: String) -> Self {
        let earlier = seq.checked_sub(1).filter(|seq| *seq > 0);
        Self { typed: clean(&moment.unwrap_or_default()), example: seq, earlier, now, path }
    }
}

/// What stands behind the links of a page that is as of a moment.
pub(crate) fn as_of(moment: Option<&str>) -> String {
    moment.map_or_else(String::new, |moment| format!("?{MOMENT}={}", encoded(moment)))
}

impl<'a> Page<'a> {
    pub(crate) fn new(site: &'a Site, heading: &str, room: Option<&Card>) -> Self {
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
            welcome: false,
            panels: Vec::new(),
            sheets,
            live: None,
            changes: None,
            words: String::new(),
            since: None,
            timeline: None,
            displays,
            filter: None,
            moment: None,
            more,
            json: None,
            next: None,
        }
    }

    pub(crate) fn with(mut self, documents: &[Document], links: Links<'_>) -> Self {
        self.sheets.extend(documents.iter().map(|document| Sheet::new(document, &self.heading, links)));
        self
    }

    /// Leads to more of the same.
    pub(crate) fn lead(&mut self, address: String, words: &str) {
        self.more.push((address, words.to_owned()));
    }

    /// Whether it holds a film, which a script plays.
    pub(crate) fn plays(&self) -> bool {
        self.sheets.iter().any(Sheet::plays)
    }

    pub(crate) fn answer(&self) -> Response {
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
    pub(crate) fn links<'a>(&'a self, room: &'a str, names: &'a Names) -> Links<'a> {
        Links { base: &self.base, room, suffix: "", own: "", figures: true, people: false, names }
    }

    /// What texts of a room name, as of its last entry.
    pub(crate) fn names(&self, room: &Card) -> Arc<Names> {
        let mut held = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = held.get(&room.name).filter(|names| names.seq() == Some(room.seq)) {
            return names.clone();
        }
        if held.len() >= NAMES_MAX_ROOMS {
            held.clear();
        }
        let names = Arc::new(Names::new(self.gallery.named(&room.name)));
        held.insert(room.name.clone(), names.clone());
        names
    }

    /// A page that says why there is none, with the way around its room where there is such a room.
    pub(crate) fn failed(&self, why: &NotShown, room: &str) -> Page<'_> {
        let (status, heading, text) = reason(why);
        let card = self.gallery.room(room);
        let mut page = Page::new(self, heading, card.as_ref());
        page = page.with(&[Document::say(text)], self.links("", &NAMELESS));
        page.status = status;
        page
    }

    /// The same as an answer, or as JSON.
    pub(crate) fn not_shown(&self, why: &NotShown, room: &str, wants_json: bool) -> Response {
        if wants_json {
            let (status, _, text) = reason(why);
            return typed(status, json!({ "error": text }).to_string(), "application/json");
        }
        self.failed(why, room).answer()
    }

    /// Whether a display is there now.
    pub(crate) async fn has(&self, room: &str, display: &str) -> bool {
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

pub(crate) fn no_page() -> NotShown {
    NotShown::Absent(Refusal::new("there is no such page"))
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

pub(crate) fn typed(status: StatusCode, body: impl Into<Body>, kind: &'static str) -> Response {
    let mut answer = Response::new(body.into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

/// A page as JSON: the room, its last entry, and what else there is.
pub(crate) fn as_json(room: &Card, more: Json) -> Response {
    let mut all = json!({ "room": room.name, "game": room.game, "seq": room.seq });
    if let (Json::Object(all), Json::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    typed(StatusCode::OK, all.to_string(), "application/json")
}

/// A path without `.json`, and whether it had it.
pub(crate) fn form(path: &str) -> (&str, bool) {
    path.strip_suffix(JSON_SUFFIX).map_or((path, false), |path| (path, true))
}

/// A value of a query; nothing where it is empty.
pub(crate) fn asked(query: Option<&str>, name: &str) -> Option<String> {
    let mut pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// The page of a display that is not there at a moment. Where it is there now, that is no mistake of whoever walks back
/// through its past.
pub(crate) async fn not_then(
    site: &Site,
    why: &NotShown,
    room: &str,
    display: &str,
    moment: Option<String>,
) -> Response {
    let mut page = site.failed(why, room);
    let Some(typed) = moment else { return page.answer() };
    if let Some(card) = site.gallery.room(room)
        && site.has(room, display).await
    {
        // The room itself is there at every moment that there is.
        if let Ok(then) = site.gallery.show(room, "room", Some(&typed)).await {
            let text = format!("This is not to be seen as of entry {}, but it is now.", then.seq);
            let links = site.links("", &NAMELESS);
            page = Page::new(site, "Not at that moment", Some(&card)).with(&[Document::say(text)], links);
        }
        let path = format!("{}{}", site.base, display_path(&card.name, display));
        let (typed, example, now) = (clean(&typed), card.seq, Some(card.seq));
        page.moment = Some(AsOf { typed, example, earlier: None, now, path });
    }
    page.answer()
}
